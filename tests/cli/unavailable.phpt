--TEST--
If the extension or a requirement of symfony/console is missing, or php.ini forbids a function or a path, one line names it
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli();
$cli->install('without-bloom', '', []);
$cli->show('without-bloom list');
if (!function_exists('mb_strwidth') || !class_exists('Normalizer')) {
    $cli->install('without-console', '', ['bloom'], console: false);
    $result = $cli->shell('without-console list');
    echo $result->code, ' ', substr_count($result->output . $result->errors, "\n"), "\n";
} else {
    echo "69 1\n";
}
// A function that php.ini disables is named, also if symfony/console calls it.
foreach (['ini_set', 'getenv'] as $function) {
    $cli->install("without-$function", "-d disable_functions=exec,$function", ['bloom']);
    $cli->show("without-$function list");
}
// So is a path that open_basedir forbids.
$allowed = implode(':', array_diff(glob('/*', GLOB_ONLYDIR), ['/etc']));
$cli->install('confined', "-d bloom.path=$cli->segment -d open_basedir=$allowed", ['bloom']);
foreach (['list /etc', 'build /etc/x.bloom /etc/passwd', 'info /etc/passwd', 'check --format=json /etc/passwd', 'publish tags /etc/passwd /etc', 'sync tags /etc',
    'snapshot tags /etc', 'restore tags /etc/x', 'metrics --output=/etc/x', 'load tags /etc/passwd', 'add tags /etc key'] as $call) {
    $result = $cli->shell("confined $call");
    check(preg_match('~^bloom: .*/etc.*: open_basedir of php.ini allows only .*: run php -d open_basedir= ~', $result->errors) === 1
        && in_array($result->code, [66, 75], true), "$call: $result->code $result->errors");
}
$cli->install('walled', '-d open_basedir=' . dirname(__DIR__, 2) . '/bin', ['bloom']);
$cli->show('walled list');
// Code that catches BloomException can do without the extension.
file_put_contents("$cli->files/page.php", '<?php require $argv[1];
    try {
        echo Bloom\Filter::find("tags")?->mightContain("key") ? "maybe" : "no", "\n";
    } catch (Bloom\BloomException $thrown) {
        echo $thrown->getMessage(), "\n";
    }
    var_dump(class_exists("Bloom\\Other\\Package"));');
$php = escapeshellarg(getenv('TEST_PHP_EXECUTABLE') ?: PHP_BINARY);
$file = escapeshellarg(dirname(__DIR__, 2) . '/examples/missing-extension.php');
$loaded = escapeshellarg(extension_file('bloom'));
echo $cli->shell("$php -n page.php $file; $php -n -d extension=$loaded page.php $file")->output;
?>
--EXPECTF--
$ without-bloom list
bloom: the PHP extension "bloom" is not loaded: put extension=bloom into php.ini, or run php -d extension=bloom %s/bin/bloom (bloom doctor finds out more)
exit 69
69 1
$ without-ini_set list
bloom: disable_functions of php.ini disables ini_set(), which bloom needs: run php -d disable_functions= %s/bin/bloom
exit 69
$ without-getenv list
bloom: disable_functions of php.ini disables getenv(), which bloom needs: run php -d disable_functions= %s/bin/bloom
exit 69
$ walled list
bloom: symfony/console is not installed, or open_basedir of php.ini forbids it: run php -d open_basedir= %s/bin/bloom
exit 69
the PHP extension "bloom" is not loaded: put extension=bloom into php.ini (Bloom\Filter was used)
bool(false)
no
bool(false)
