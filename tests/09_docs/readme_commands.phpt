--TEST--
The README's four commands, from nothing to an answer, run unchanged in a user's shell and print what the README shows
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../cli/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/../cli/cli.inc';

$readme = file_get_contents(__DIR__ . '/../../README.md');
check(preg_match('/^```php\n(.*?)^```$/ms', $readme, $page) === 1, 'the page');
$section = strstr($readme, "## Try it\n");
check(preg_match('/^```sh\n(.*?)^```\n\n```text\n(.*?)^```$/ms', $section, $example) === 1, 'the commands and their output');
$commands = explode("\n", rtrim($example[1]));
echo count($commands), " commands\n";

$cli = new Cli();
$cli->installPhp();
$cli->write('page.php', $page[1]);
$shown = '';
foreach ($commands as $command) {
    // The filter gets a random seed. Here it is fixed, so that no key is a false positive by chance.
    $result = $cli->shell(preg_replace('/^bloom build /', '$0--seed=1 ', $command));
    check($result->code === 0 && $result->errors === '', "$command: $result->code $result->errors");
    $shown .= $result->output;
}
$shown = str_replace($cli->segment, '/dev/shm/php-bloom-1000', $shown);
$pattern = str_replace('…', '[^\n]*', preg_quote($example[2], '~'));
check(preg_match("~^$pattern$~D", $shown) === 1, "$shown(is not)\n$example[2]");
?>
--EXPECT--
4 commands
