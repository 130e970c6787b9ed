--TEST--
The messages of failed syncs and publishes that docs/stores.md explains exist in errors.md
--EXTENSIONS--
bloom
--FILE--
<?php
$docs = __DIR__ . '/../../docs';
preg_match('/^## When a store fails\n(.*?)^## /ms', file_get_contents("$docs/stores.md"), $found);
preg_match_all('/^\| (?!message of)(.*) \|$/m', $found[1], $rows);
$errors = file_get_contents("$docs/reference/errors.md");
$told = 0;
foreach ($rows[1] as $row) {
    preg_match_all('/`([^`]+)`/', strstr($row, ' | ', true), $texts);
    foreach ($texts[1] as $text) {
        $text = preg_replace('/:.*$/', '', $text);
        if (str_contains($text, '…')) {
            continue; // texts of other programs
        }
        $told++;
        if (!str_contains($errors, "| $text |")) {
            echo "no such sentence: $text\n";
        }
    }
}
echo count($rows[1]) >= 10 && $told >= 8 ? "rows found\n" : count($rows[1]) . " rows, $told told\n";
?>
--EXPECT--
rows found
