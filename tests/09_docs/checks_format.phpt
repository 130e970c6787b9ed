--TEST--
scripts/format --check reports unformatted lines, C lines over 100 columns, trailing spaces and a missing final newline, and scripts/format formats the file
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-checks_format
--SKIPIF--
<?php
if (!str_contains((string)shell_exec('clang-format-14 --version 2>/dev/null; clang-format --version 2>/dev/null'), 'version 14.')) {
    echo 'skip clang-format 14 is not installed';
} elseif (!is_file(dirname(__DIR__, 2) . '/.clang-format')) {
    echo 'skip this tree has no .clang-format';
}
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$root = dirname(__DIR__, 2);
$tree = own_file('tree');
mkdir("$tree/scripts", 0700, true);
copy("$root/scripts/format", "$tree/scripts/format");
copy("$root/.clang-format", "$tree/.clang-format");
$good = "int one(void)\n{\n\treturn 1;\n}\n";

$format = function (array $files, string $option = '--check') use ($tree): void {
    foreach ($files as $name => $content) {
        file_put_contents("$tree/$name", $content);
    }
    exec("bash $tree/scripts/format $option 2>&1", $output, $status);
    echo "$status: ", implode("\n   ", $output), "\n";
};

$format(['one.c' => $good, 'page.md' => "One line.\n"]);
$format(['one.c' => str_replace("\treturn", '    return', $good)]);
$format([], '');
check(file_get_contents("$tree/one.c") === $good, 'the file is formatted');
$format(['one.c' => '/* ' . str_repeat('¾', 94) . " */\n$good"]);
$format(['one.c' => '/* ' . str_repeat('¾', 95) . " */\n$good"]);
$format(['one.c' => "/*\t" . str_repeat('x', 90) . " */\n$good"]);
$format(['one.c' => $good, 'page.md' => "One line. \n"]);
$format(['page.md' => "One line.\nAnother line."]);
$format(['page.md' => "One line.\r\n"]);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
0: 
1: one.c:2:2: error: code should be clang-formatted [-Wclang-format-violations]
0: 
0: 
1: one.c:1: 101 columns, more than 100
1: one.c:1: 101 columns, more than 100
1: page.md:1: space at the end of the line
1: page.md:2: no newline at the end of the file
1: page.md:1: carriage return
