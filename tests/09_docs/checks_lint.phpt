--TEST--
scripts/lint fails for a function of more than 60 lines, the size of a pointer, a product that overflows before it is widened, or a leak
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-checks_lint
--SKIPIF--
<?php
if (shell_exec('command -v clang-tidy') === null || shell_exec('command -v cppcheck') === null) {
    echo 'skip clang-tidy or cppcheck is not installed';
} elseif (!is_file(dirname(__DIR__, 2) . '/.clang-tidy')) {
    echo 'skip this tree has no .clang-tidy';
}
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$root = dirname(__DIR__, 2);
$tree = own_file('tree');
mkdir("$tree/scripts", 0700, true);
mkdir("$tree/src/filter", 0700, true);
shell_exec("cp $root/scripts/lint $root/scripts/php $tree/scripts && cp $root/.clang-tidy $tree");

$lint = function (string $program, string $code) use ($tree): void {
    file_put_contents("$tree/src/filter/planted.c", $code);
    exec("bash $tree/scripts/lint $program src/filter/planted.c 2>&1", $output, $status);
    echo "$program: $status\n";
    foreach ($output as $line) {
        if (preg_match('/^\S*planted\.c:(\d+):.* (?:error|warning): .*\[([\w.-]+)/', $line, $found)) {
            echo "    line $found[1]: $found[2]\n";
        }
    }
};
$good = "int one(int x);\nint one(int x)\n{\n\treturn x + 1;\n}\n";
$long = "int one(int x);\nint one(int x)\n{\n" . str_repeat("\tx++;\n", 60) . "\treturn x;\n}\n";
$sizeof = "#include <string.h>\nvoid two(char *text);\nvoid two(char *text)\n{\n\tmemset(text, 0, sizeof text);\n}\n";
$widening = "long two(int x);\nlong two(int x)\n{\n\treturn x * x;\n}\n";
$leak = "#include <stdlib.h>\nint three(void);\nint three(void)\n{\n\tchar *text = malloc(3);\n\treturn text != NULL;\n}\n";
$lint('clang-tidy', $good);
$lint('clang-tidy', $long);
$lint('clang-tidy', $widening);
$lint('clang-tidy', $leak);
$lint('cppcheck', $good);
$lint('cppcheck', $sizeof);
$lint('cppcheck', $leak);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
clang-tidy: 0
clang-tidy: 1
    line 2: readability-function-size
clang-tidy: 1
    line 4: bugprone-implicit-widening-of-multiplication-result
clang-tidy: 1
    line 6: clang-analyzer-unix.Malloc
cppcheck: 0
cppcheck: 1
    line 5: pointerSize
cppcheck: 1
    line 6: memleak
