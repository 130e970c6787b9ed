--TEST--
tests/slow.txt lists only tests that exist, in order, each with the reason why it takes longer than five seconds
--FILE--
<?php
$root = dirname(__DIR__, 2);
$listed = [];
foreach (file("$root/tests/slow.txt", FILE_IGNORE_NEW_LINES) as $line) {
    if (!preg_match('/^(\S+\.phpt): \S.*\S$/', $line, $found)) {
        echo "not \"TEST: reason\": $line\n";
        continue;
    }
    $listed[] = $found[1];
    if (!is_file("$root/$found[1]")) {
        echo "there is no test $found[1]\n";
    }
}
$sorted = array_unique($listed);
sort($sorted);
echo $listed === $sorted ? count($listed) > 0 ? 'listed' : 'none' : 'not sorted, or a test occurs twice', "\n";
?>
--EXPECT--
listed
