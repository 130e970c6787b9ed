--TEST--
docs/reference/metrics.md lists every metric, every metric comes from an existing property, and the dashboard and alerts use only listed metrics
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-metrics_names
--FILE--
<?php
require __DIR__ . '/monitoring.inc';
$root = dirname(__DIR__, 2);
$text = Bloom\Filter::metrics();
$names = sample_names($text);
check(count($names) > 60 && count(array_unique($names)) === count($names), 'distinct names');

// The page has a row for each metric, in this order, with its type and the help text.
preg_match_all('/^\| `(\w+)` \| (\w+) \| [^|]* \| (.*) \|$/m', file_get_contents("$root/docs/reference/metrics.md"), $rows, PREG_SET_ORDER);
$helps = preg_match_all('/^# HELP \w+ (.*)$/m', $text, $found) ? $found[1] : [];
$types = preg_match_all('/^# TYPE \w+ (.*)$/m', $text, $found) ? $found[1] : [];
foreach (array_map(null, $names, $types, $helps) as $at => $expected) {
    check($expected === array_slice($rows[$at] ?? [], 1), 'a row: | ' . implode(' | ', $expected) . ' |');
}
check(count($rows) === count($names), 'no other rows');

// A path that is misspelled would give no samples.
$properties = ['up' => null];
foreach ((new ReflectionExtension('bloom'))->getClasses() as $class) {
    foreach ($class->isSubclassOf(Bloom\FilterInfo::class) ? $class->getProperties() : [] as $property) {
        $properties[$property->name] = $property->getType();
    }
}
$table = strstr(preg_replace('/\\\\\n\s*/', ' ', file_get_contents("$root/src/php/report/metrics_table.h")), '#define PHP_BLOOM_METRICS(');
preg_match_all('/ROW\(\w+, (\w+), "[^"]*", "([^"]*)", \w+, +"[^"]*", +"([^"]*)"/', preg_replace('/" +"/', '', $table), $rows, PREG_SET_ORDER);
check(count($rows) === substr_count($table, 'ROW('), 'the table has rows of this form only');
foreach ($rows as [, $subject, $name, $paths]) {
    foreach ($subject === 'filter' ? explode(' ', $paths) : [] as $path) {
        [$first, $second] = [...explode('.', $path), null];
        check(array_key_exists($first, $properties) && ($second === null || property_exists($properties[$first]->getName(), $second)), "$name: $path");
    }
}

// The examples use no other names.
$dashboard = json_decode(file_get_contents("$root/examples/monitoring/bloom-dashboard.json"), true, 64, JSON_THROW_ON_ERROR);
$texts = ['bloom-dashboard.json' => ''];
array_walk_recursive($dashboard, function (mixed $value, string|int $key) use (&$texts): void {
    $texts['bloom-dashboard.json'] .= in_array($key, ['expr', 'query'], true) ? "$value\n" : '';
});
foreach (['bloom-alerts.yml', 'bloom-alerts-test.yml'] as $file) {
    $texts[$file] = file_get_contents("$root/examples/monitoring/$file");
}
foreach ($texts as $file => $content) {
    preg_match_all('/\bbloom_\w+/', $content, $found);
    check(count($found[0]) > 10, "$file uses metrics");
    foreach (array_diff($found[0], $names) as $unknown) {
        echo "$file: there is no metric $unknown\n";
    }
}
foreach ($dashboard['panels'] as $panel) {
    ['x' => $x, 'w' => $width] = $panel['gridPos'];
    check($x + $width <= 24 && $panel['targets'] !== [], "the panel {$panel['title']}");
}
echo count($dashboard['panels']), " panels\n";
?>
--CLEAN--
<?php
require __DIR__ . '/monitoring.inc';
clean();
?>
--EXPECT--
16 panels
