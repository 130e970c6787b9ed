--TEST--
No host denies a key that was added while the directory of a store was empty, after its files come back
--DESCRIPTION--
fault: store-empty
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_returns_directory
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/secrets.inc';
require __DIR__ . '/../lib/journals.inc';
require __DIR__ . '/../lib/journal_host.inc';

foreach (['plain' => [], 'signed' => ['bloom.signing_key_file' => has_sodium() ? ring('signing-keys', 'key') : '']] as $what => $settings) {
    if ($what === 'signed' && !has_sodium()) {
        continue;
    }
    $directory = own_file("store-$what");
    mkdir($directory);
    try_store_that_returns($what, 'new Bloom\DirectoryStore(' . var_export($directory, true) . ')', function () use ($directory): void {
        rename($directory, "$directory.away");
        mkdir($directory);
    }, function () use ($directory): void {
        remove_tree($directory);
        rename("$directory.away", $directory);
    }, $settings);
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
