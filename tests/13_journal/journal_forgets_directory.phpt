--TEST--
After a directory store is restored from a copy, no host denies a key that it lost, and one notice tells the hosts that lack it
--DESCRIPTION--
fault: store-forgets
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_forgets_directory
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/secrets.inc';
require __DIR__ . '/../lib/journals.inc';
require __DIR__ . '/../lib/journal_host.inc';

foreach (['plain' => [], 'signed' => has_sodium() ? ['bloom.signing_key_file' => ring('signing-keys', 'key')] : []] as $what => $settings) {
    $directory = own_file("store-$what");
    mkdir($directory);
    $copy = own_file("copy-$what");
    try_forgetful_store($what, 'new Bloom\DirectoryStore(' . var_export($directory, true) . ')',
        fn () => shell_exec("rm -rf $copy && cp -a $directory $copy"),
        fn () => shell_exec("rm -rf $directory && cp -a $copy $directory"), $settings);
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
