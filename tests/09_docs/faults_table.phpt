--TEST--
Each row of docs/dev/faults.md names existing tests or says why no test exists
--FILE--
<?php
$root = dirname(__DIR__, 2);
$rows = $tests = 0;
$bare = [];
foreach (file("$root/docs/dev/faults.md", FILE_IGNORE_NEW_LINES) as $number => $line) {
    if (!str_starts_with($line, '| ') || str_starts_with($line, '| fault |')) {
        continue;
    }
    $at = 'docs/dev/faults.md:' . ($number + 1);
    $cells = explode(' | ', trim($line, '| '));
    if (count($cells) === 2) {
        $bare[] = $cells[0];
    }
    $rows++;
    // The format is: `file` "title", "title", `file` …. Each title belongs to the file before it.
    $file = null;
    preg_match_all('/`(tests\/[^`]+)`|"([^"]+)"/', $cells[2] ?? '', $parts, PREG_SET_ORDER);
    $left = trim(preg_replace('/`tests\/[^`]+`|"[^"]+"|,/', '', $cells[2] ?? ''));
    if ($left !== '' || (isset($cells[2]) && !$parts)) {
        echo "$at: not a list of tests: $cells[2]\n";
    }
    foreach ($parts as $part) {
        if (!isset($part[2])) {
            $file = $part[1];
            $tests++;
            if (!is_file("$root/$file")) {
                echo "$at: there is no $file\n";
                $file = null;
            }
        } elseif ($file !== null && !preg_match('/TEST\w*\(\s*' . preg_quote('"' . $part[2] . '"', '/') . '/', preg_replace('/"\s*"/', '', file_get_contents("$root/$file")))) {
            echo "$at: $file has no test \"$part[2]\"\n";
        }
    }
    foreach ($parts as $i => $part) {
        if (!isset($part[2]) && str_ends_with($part[1], '_test.c') && !isset($parts[$i + 1][2])) {
            echo "$at: which test of $part[1]?\n";
        }
    }
}
echo $rows > 90 && $tests > 150 ? "many rows and tests\n" : "only $rows rows and $tests tests\n";
echo "without a test:\n", implode("\n", $bare), "\n";
?>
--EXPECT--
many rows and tests
without a test:
