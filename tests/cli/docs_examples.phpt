--TEST--
The sessions in docs/reference/commands.md and docs/cli.md print the output that the pages show
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

$docs = dirname(__DIR__, 2) . '/docs';
$pages = file_get_contents("$docs/reference/commands.md") . file_get_contents("$docs/cli.md");
preg_match_all('/^```console\n(.*?)^```$/ms', $pages, $blocks);
$lines = explode("\n", rtrim(implode('', $blocks[1])));
$examples = [];
foreach ($lines as $line) {
    if (str_starts_with($line, '$ ')) {
        $examples[] = [substr($line, 2), ''];
    } else {
        $examples[array_key_last($examples)][1] .= "$line\n";
    }
}
check(count($examples) > 60, count($examples) . ' examples');

$cli = new Cli();
// Examples that call php get the extension and the test's segment.
$php = getenv('TEST_PHP_EXECUTABLE') ?: PHP_BINARY;
$extension = extension_file('bloom');
$settings = ($extension === null ? '' : '-d extension=' . escapeshellarg($extension)) . " -d bloom.path=$cli->segment";
file_put_contents("$cli->directory/bin/php", "#!/bin/sh\nexec " . escapeshellarg($php) . " -n $settings \"\$@\"\n");
chmod("$cli->directory/bin/php", 0700);
$status = 0;
foreach ($examples as [$command, $expected]) {
    // Each example runs in its own shell, where $? is the exit status of the previous example.
    $result = $cli->shell("(exit $status); $command");
    $status = $result->code;
    $pattern = implode('[^\n]*', array_map(static fn (string $part): string => preg_quote($part, '~'), explode('…', $expected)));
    $shown = $result->output . $result->errors;
    if (!preg_match("~^$pattern$~D", $shown)) {
        echo "$ $command\n$shown(is not)\n$expected";
    }
}
?>
--EXPECT--

