--TEST--
The examples in docs/filters.md print the output that the page shows
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filters_examples
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$page = file_get_contents(__DIR__ . '/../../docs/filters.md');
spl_autoload_register(static function (string $class): void { // Composer's, in an application
    if (str_starts_with($class, 'Bloom\\Kit\\')) {
        require __DIR__ . '/../../packages/kit/src/' . substr($class, strlen('Bloom\\Kit\\')) . '.php';
    }
});
preg_match_all('/^```php\n(.*?)^```\n\n```text\n(.*?)^```$/ms', $page, $examples, PREG_SET_ORDER);
check(count($examples) === substr_count($page, '```php') && count($examples) >= 9, count($examples) . ' examples with their output');
foreach ($examples as [, $code, $expected]) {
    if (str_contains($code, 'secret:') && !has_sodium()) {
        continue;
    }
    // A reader copies an example into a file.
    check(str_starts_with($code, "<?php\n"), "<?php in front of\n$code");
    // Run the example in a directory that exists.
    is_dir(own_file('srv')) || mkdir(own_file('srv'));
    $code = str_replace(['/srv/bloom', 'random_int(PHP_INT_MIN, PHP_INT_MAX)'], [own_file('srv'), '1'], $code);
    // The page uses random seeds. Here the seeds are fixed, so that the output does not depend on chance.
    $code = preg_replace(
        '/\b(?:new (?:ReverseIndex)?Builder|\w+(?:Filter|Index)::create)\((?!.*seed:)(?:[^()]|\([^()]*\))+/',
        '$0, seed: 1',
        $code
    );
    ob_start();
    (static function (string $code): void {
        eval('?>' . $code); // each example is a whole file
    })($code);
    $shown = ob_get_clean();
    if ($shown !== $expected) {
        echo "$code(shows)\n$shown(instead of)\n$expected";
    }
}
// The table lists every kind of filter.
foreach ((new ReflectionExtension('bloom'))->getClasses() as $class) {
    if ($class->isSubclassOf(Bloom\Filter::class) && !$class->isAbstract()) {
        check(str_contains(strstr($page, '## Capacity', true), "`{$class->getShortName()}`"), $class->getShortName());
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
