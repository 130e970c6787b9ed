--TEST--
Help and tables fit 60 and 80 columns, break only between words, and lose no word
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
$words = fn (string $text): array => preg_split('/[ \n]+(?:\\\\\n *)?/', trim($text));
$widest = fn (string $text): int => max(array_map(fn (string $line): int => (int) preg_match_all('/./su', $line), explode("\n", $text)));
$texts = [];
foreach ([60, 80] as $columns) {
    foreach ($cli->help($columns) as $command => $text) {
        check($widest($text) <= $columns, "$command --help: {$widest($text)} columns instead of $columns");
        $texts[$command][] = $words($text);
    }
}
check(count($texts) > 20, 'the help of all commands');
foreach ($texts as $command => [$narrow, $wide]) {
    check($narrow === $wide && count($narrow) > 50, "$command: the same words: " . json_encode(array_diff_assoc($narrow, $wide)));
}

$cli->writeKeys('keys', 1, 1000);
// The width of the column AGE must not depend on the time of day.
$built = time() - 1000 * 86400;
$cli->shell("bloom build -q --seed=1 --built-at=$built tags.bloom keys; mkdir store; bloom publish -q tags_of_the_shop tags.bloom store; bloom sync -q tags_of_the_shop store;
    head -n 900 keys | bloom build -q --seed=1 --capacity=900 --built-at=" . ($built + 1) . ' tags.bloom; bloom publish -q tags_of_the_shop tags.bloom store; bloom load -q tags tags.bloom');
foreach (['list', 'list store', 'info tags_of_the_shop store', 'info --verify tags_of_the_shop store', 'info tags', 'info tags.bloom', 'diff tags_of_the_shop store',
    'plan --keys=80000', 'plan --keys=1G --scheme=ribbon'] as $command) {
    foreach ([60, 80] as $columns) {
        $result = $cli->shell("COLUMNS=$columns bloom $command");
        $text = str_replace($cli->segment, '/dev/shm/php-bloom-33', $result->output);
        check($text !== '' && $result->errors === '', "$command: $result->errors");
        // The path of this test's segment is one long word.
        $text = implode("\n", preg_grep('~^(?:segment)? +/dev/shm~', explode("\n", $text), PREG_GREP_INVERT));
        check($widest($text) <= $columns, "$command: {$widest($text)} columns instead of $columns\n$text");
    }
}
// In a pipe, no column is left out.
echo strtok($cli->shell('unset COLUMNS; bloom list | cat')->output, "\n"), "\n";
echo strtok($cli->shell('COLUMNS=80 bloom list')->output, "\n"), "\n", strtok($cli->shell('COLUMNS=60 bloom list')->output, "\n"), "\n";
?>
--EXPECT--
NAME              KIND    GENERATION   KEYS   SIZE    FILL  FALSE POSITIVES  BUILT                    AGE
NAME              KIND     KEYS   SIZE    FILL  FALSE POSITIVES  AGE
NAME              KIND     KEYS  FALSE POSITIVES  AGE
