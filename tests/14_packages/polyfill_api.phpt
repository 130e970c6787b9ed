--TEST--
The package in pure PHP has the classes, methods, parameters and constants of the extension
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/api.inc';

// The names of the classes that the package does not have, because only the extension returns such values.
const LACKING = ['Bloom\CountersInfo', 'Bloom\HealthStatus'];

$extension = [];
foreach (array_diff((new ReflectionExtension('bloom'))->getClassNames(), LACKING) as $class) {
    $extension[$class] = api_of($class);
}
$code = 'require ' . var_export(dirname(__DIR__, 2) . '/packages/php/tests/prepend.php', true) . ';
    require ' . var_export(__DIR__ . '/api.inc', true) . ';
    ob_end_clean();
    echo serialize(array_combine($classes = unserialize($argv[1]), array_map(api_of(...), $classes)));';
$package = unserialize(shell_exec(implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, '-n', '-r', $code, '--', serialize(array_keys($extension))]))));

// A key's parameter is mixed in the package: PHP would convert a float before a narrower type could refuse it.
$keys = fn (string $method): string => preg_replace('/\bint\|string (\$(key|value)\b)/', 'mixed $1', $method);
foreach ($extension as $class => $api) {
    $api['methods'] = array_map($keys, $api['methods']);
    if (!interface_exists($class)) {
        $package[$class]['methods'] = array_map($keys, $package[$class]['methods']);
    } else {
        $api['methods'] = $extension[$class]['methods'];
    }
    if (is_subclass_of($class, Bloom\Info::class)) {
        $api['properties'] = []; // The package returns them from __get(), as far as it knows them.
    }
    foreach ($api as $part => $expected) {
        $found = $package[$class][$part];
        foreach (is_array($expected) ? array_keys($expected + $found) : [''] as $name) {
            $one = is_array($expected) ? $expected[$name] ?? 'missing' : $expected;
            $other = is_array($found) ? $found[$name] ?? 'missing' : $found;
            if ($one !== $other) {
                echo "$class $part $name\n  extension: ", var_export($one, true), "\n  package:   ", var_export($other, true), "\n";
            }
        }
    }
}
echo count($extension) > 40 ? 'done' : 'too few classes';
?>
--EXPECT--
done
