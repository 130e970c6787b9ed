<?php
/* Runs before each test of the extension that runs against this package: loads the classes from it, and turns PHP's
 * own messages about userland functions into those about functions of extensions. */

spl_autoload_register(function (string $class): void {
    $source = dirname(__DIR__) . '/src';
    $file = "$source/" . strtr(substr($class, strlen('Bloom\\')), '\\', '/') . '.php';
    if (str_starts_with($class, 'Bloom\\')) {
        require_once is_file($file) ? $file : "$source/types.php";
    }
});

ob_start(function (string $output): string {
    $output = preg_replace('/ given, called in \S+ on line \d+/', ' given', $output);
    $output = preg_replace('/ passed in \S+ on line \d+ and /', ' passed and ', $output);
    $output = preg_replace_callback(
        '/Too few arguments to function ([\w\\\\:]+)\(\), (\d+) passed and (at least|exactly) (\d+) expected/',
        fn (array $found): string => "$found[1]() expects $found[3] $found[4] argument" . ($found[4] === '1' ? '' : 's') . ", $found[2] given",
        $output
    );
    return $output;
}, 1); // Each piece of output is sent at once, because some tests wait for a line of another process.
