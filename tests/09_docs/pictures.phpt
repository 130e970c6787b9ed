--TEST--
Pictures have titles and dark variants, pages show each of them with a text, and what they claim is true
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-pictures
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

use Bloom\{Builder, DirectoryStore, Filter, Journal, LiveFilter, Scheme, StoreException};

$root = dirname(__DIR__, 2);
chdir($root);
/** Returns the texts in a picture, without the spaces around them. */
$texts = static function (string $name) use ($root): array {
    preg_match_all('~<text\b.*?</text>~s', file_get_contents("$root/docs/pictures/$name.svg"), $found);
    return array_map(fn (string $text): string => trim(preg_replace('/\s+/', ' ', html_entity_decode(strip_tags($text)))), $found[0]);
};
/** Returns the content of an element that describes a picture. */
$described = static function (string $name, string $element) use ($root): string {
    preg_match("~<$element\\b[^>]*>(.*?)</$element>~s", file_get_contents("$root/docs/pictures/$name.svg"), $found);
    return html_entity_decode($found[1] ?? '');
};

echo "* each picture\n";
$pages = array_map(file_get_contents(...), array_combine($files = [...glob('*.md'), ...glob('docs/{,*/}*.md', GLOB_BRACE)], $files));
$names = array_map(fn (string $file): string => basename($file, '.svg'), glob('docs/pictures/*.svg'));
foreach (preg_grep('/-dark$/', $names) as $dark) {
    in_array(substr($dark, 0, -5), $names, true) || print("$dark.svg has no light variant\n");
}
foreach (preg_grep('/-dark$/', $names, PREG_GREP_INVERT) as $name) {
    if (!in_array("$name-dark", $names, true)) {
        echo "$name.svg has no dark variant\n";
        continue;
    }
    $title = $described($name, 'title');
    strlen($title) >= 10 && stripos($title, 'gnuplot') === false || print("$name.svg has the title \"$title\"\n");
    $long = $described($name, 'desc');
    strlen($long) >= 60 && stripos($long, 'gnuplot') === false || print("$name.svg has no description\n");
    foreach (['title', 'desc'] as $element) {
        $described($name, $element) === $described("$name-dark", $element) || print("the $element of $name-dark.svg differs\n");
    }
    $texts($name) === $texts("$name-dark") || print("$name-dark.svg has other texts than $name.svg\n");
    // A page shows both variants, so that the picture suits the reader's colors, and has a text for those who do not see it.
    $shown = 0;
    foreach ($pages as $page => $text) {
        $path = ['docs/pictures/', 'pictures/', '../pictures/'][substr_count($page, '/')] . $name;
        preg_match_all('~<picture>(.*?)</picture>~s', $text, $pictures);
        $here = 0;
        foreach ($pictures[1] as $picture) {
            if (str_contains($picture, "src=\"$path.svg\"")) {
                $here++;
                str_contains($picture, "<source media=\"(prefers-color-scheme: dark)\" srcset=\"$path-dark.svg\">") || print("$page does not show $name-dark.svg\n");
                preg_match('/\balt="([^"]{30,})"/s', $picture) === 1 || print("$page has no text for $name.svg\n");
            }
        }
        preg_match('~!\[[^]]*]\([^)]*pictures/' . $name . '\.svg\)~', $text) === 0 || print("$page shows $name.svg outside of <picture>\n");
        $shown += $here;
    }
    $shown > 0 || print("no page shows $name.svg\n");
}
exec(php_command() . ' scripts/pictures --check', $lines, $status);
echo implode("\n", $lines), $status === 0 ? "diagrams are as scripts/pictures draws them\n" : "\n";

echo "* kinds\n";
$kinds = array_values(array_filter(get_declared_classes(), fn (string $class): bool => is_subclass_of($class, Filter::class)
    && !(new ReflectionClass($class))->isAbstract()));
$kinds = array_map(fn (string $class): string => substr($class, strlen('Bloom\\')), $kinds);
preg_match_all('/\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b/', implode(' ', $texts('kinds')), $found);
echo json_encode(array_diff($kinds, $found[0])), json_encode(array_diff($found[0], $kinds)), "\n";
preg_match_all('/\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b/', implode(' ', $texts('survival')), $found);
echo json_encode(array_diff($found[0], $kinds)), "\n";

echo "* sizes, as bloom plan prints them\n";
$labels = array_values(preg_grep('/ [kM]B$/', $texts('sizes')));
foreach ([10_000, 100_000, 1_000_000, 10_000_000, 100_000_000] as $keys) {
    foreach (['0.01', '0.001', '0.0001'] as $rate) {
        foreach (['bloom', 'ribbon'] as $scheme) {
            $label = array_shift($labels);
            $bytes = (float) $label * (str_ends_with($label, 'kB') ? 1e3 : 1e6);
            $planned = (new Builder($keys, (float) $rate, scheme: Scheme::tryFrom($scheme)))->info()->bytes;
            abs($bytes / $planned - 1) <= 0.05 || print("$keys at $rate, $scheme: $label, planned: $planned\n");
        }
    }
}
echo count($labels), " more\n";

echo "* lookup, as a blob has it\n";
$builder = new Builder(1_000_000, 0.01, seed: 632_215);
$builder->add('tag 7');
$builder->build()->save($file = own_file('blob'));
$bytes = file_get_contents($file);
$body = substr($bytes, unpack('P', substr($bytes, 16, 8))[1]);
$block = intdiv(strspn($body, "\0"), 64);
$bits = array_filter(range(0, 511), fn (int $bit): bool => (ord($body[$block * 64 + ($bit >> 3)]) >> ($bit & 7) & 1) === 1);
$shown = array_values(array_unique(preg_grep('/^\d+$/', $texts('lookup'))));
echo json_encode($shown === array_map(strval(...), array_values($bits))), ' ', intdiv($block * 64 * 5, strlen($body)), "\n";
// The chosen shard is the colored one.
preg_match_all('~<rect x="([\d.]+)" y="140" width="123.2".* fill="(#\w+)"~', file_get_contents('docs/pictures/lookup.svg'), $shards);
echo array_search(1, array_count_values($shards[2]), true) === $shards[2][1] ? "shard 1\n" : "another shard\n";
strlen(bin2hex(hash('xxh3', '', true))) * 4 === 64 && in_array('64-bit digest', $texts('lookup'), true) || print("not 64 bits\n");

echo "* charts\n";
/** Returns all numbers of a result file. */
$values = function (string $table): array {
    preg_match_all('/(?<![\w.])[\d.]+(?:e-?\d+)?/', preg_replace('/^#.*\n/', '', file_get_contents("bench/results/$table.tsv")), $found);
    return array_map(floatval(...), $found[0]);
};
foreach ([
    'performance-lookups' => [['sizes'], '/([\d,]+) ns/', 1],
    'performance-peers' => [['peers', 'peers-sets'], '/([\d.,]+) (?:ns|bytes)/', 1],
    'rate' => [['fill'], '/([\d.]+) percent/', 100],
] as $name => [$tables, $pattern, $factor]) {
    $all = array_merge(...array_map($values, $tables));
    preg_match_all($pattern, $described($name, 'desc') . preg_replace('/%/', 'percent', implode(' ', preg_grep('/: /', $texts($name)))), $found);
    foreach ($found[1] as $number) {
        $number = str_replace(',', '', $number);
        $digits = strlen(strrchr($number, '.') ?: '.') - 1;
        $zeros = $digits > 0 ? $digits : -(strlen($number) - strlen(rtrim($number, '0')));
        foreach ([...$all, false] as $value) {
            if ($value !== false && abs(round($value * $factor, $zeros) - (float) $number) < 1e-9) {
                break;
            }
        }
        $value !== false || print("$name.svg: $number is not in " . implode(' and ', $tables) . "\n");
    }
    count($found[1]) >= 3 || print("$name.svg: no numbers\n");
}

foreach (['half full' => '0.5', 'full' => '1.0', 'twice' => '2.0'] as $label => $fill) {
    preg_match("/^loaded\t$fill\t\d+\t\S+\t\S+\t\d+\t\d+\t(\S+)$/m", file_get_contents('bench/results/fill.tsv'), $row);
    $percent = 100 * (float) $row[1];
    $text = "$label: " . number_format($percent, $percent < 0.1 ? 2 : 0) . ' %';
    in_array($text, $texts('rate'), true) || print("rate.svg does not say $text\n");
}

echo "* freshness and survival\n";
mkdir(own_file('store'));
$store = new DirectoryStore(own_file('store'));
$build = function (?string $mark) use ($store): void {
    static $time = 1e9;
    $builder = new Builder(1000, seed: 1);
    $builder->add('old');
    $blob = $builder->build(builtAt: $time++, mark: $mark);
    foreach ($mark === null ? ['plain', 'demand'] : ['journal'] as $name) {
        $blob->publish($store, $name);
    }
};
$journal = new Journal('journal', $store);
$build($journal->mark());
$build(null);
$sync = function () use ($store): void {
    foreach (['plain', 'journal'] as $name) {
        Filter::sync($name, $store, 0);
    }
};
$answers = fn (string $when): int => print("$when: " . implode(', ', array_map(
    fn (string $name): string => "$name " . implode(' ', Filter::find($name)?->candidates(['old', 'new', 'absent']) ?? ['none']),
    ['plain', 'journal', 'live']
)) . "\n");
$sync();
LiveFilter::create('live', 1000)->addMany(['old', 'new']);
echo '60 s: ', json_encode(Filter::open('journal')->info()->journal->maxLag === 60.0), "\n";
$answers('before');
$journal->add('new');
$answers('added'); // at once on this host
Filter::open('live')->save(own_file('snapshot'));

$reboot = function (): void {
    foreach (['plain', 'journal', 'live'] as $name) {
        Filter::drop($name);
    }
};
$reboot();
$answers('reboot');
$sync();
Filter::restore('live', own_file('snapshot'));
$answers('after it');

$demand = Filter::attach('demand', $store, memory: 1 << 20); // its chunks are not in memory yet
rename(own_file('store'), own_file('away'));
try {
    $journal->add('more');
    echo "added\n";
} catch (StoreException) {
    echo "add() throws\n";
}
$answers('store down');
echo 'on-demand: ', json_encode($demand->candidates(['old', 'absent'])), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
* each picture
diagrams are as scripts/pictures draws them
* kinds
[][]
[]
* sizes, as bloom plan prints them
0 more
* lookup, as a blob has it
true 1
shard 1
* charts
* freshness and survival
60 s: true
before: plain old, journal old, live old new
added: plain old, journal old new, live old new
reboot: plain none, journal none, live none
after it: plain old, journal old new, live old new
add() throws
store down: plain old, journal old new, live old new
on-demand: ["old","absent"]
