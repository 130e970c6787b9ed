--TEST--
Failed syncs report what operations.md says
--EXTENSIONS--
bloom
--FILE--
<?php
$docs = __DIR__ . '/../../docs';
preg_match('/^## When the store fails\n(.*?)^## /ms', file_get_contents("$docs/operations.md"), $found);
// The third column of the first table, the third of the second.
preg_match_all('/^\| (?!what happens|---)(.*) \|$/m', $found[1], $rows);
$errors = file_get_contents("$docs/errors.md");
$told = 0;
foreach ($rows[1] as $row) {
    $column = explode(' | ', $row)[2];
    preg_match_all('/`([^`]+)`/', $column, $texts);
    foreach ($texts[1] as $text) {
        $text = preg_replace(['/^a chunk that was just written: /', '/:.*$/'], '', $text);
        if (str_contains($text, '…') || $text === 'the script ended in the middle of it') {
            continue; // another's words; or ours that are no status
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
