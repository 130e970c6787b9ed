--TEST--
The error texts of failed syncs in operations.md exist in errors.md
--EXTENSIONS--
bloom
--FILE--
<?php
$docs = __DIR__ . '/../../docs';
preg_match('/^## Store failures\n(.*?)^## /ms', file_get_contents("$docs/operations.md"), $found);
// The error text is in the second of three columns for hosts, and in the third of four for publishers.
preg_match_all('/^\| (?!event \|)(.*) \|$/m', $found[1], $rows);
$errors = file_get_contents("$docs/reference/errors.md");
$told = 0;
foreach ($rows[1] as $row) {
    $columns = explode(' | ', $row);
    preg_match_all('/`([^`]+)`/', $columns[count($columns) - 2], $texts);
    foreach ($texts[1] as $text) {
        $text = preg_replace(['/^a chunk that was just written: /', '/:.*$/'], '', $text);
        if (str_contains($text, '…') || $text === 'the script ended during the call') {
            continue; // texts of other programs, and a text of the extension that has no status
        }
        $told++;
        if (!str_contains($errors, "| $text |")) {
            echo "no such sentence: $text\n";
        }
    }
}
echo count($rows[1]) >= 15 && $told >= 10 ? "rows found\n" : count($rows[1]) . " rows, $told told\n";
?>
--EXPECT--
rows found
