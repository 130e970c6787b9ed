--TEST--
Hosts that share a directory find every key of its journal, through kills, reboots, new versions and the loss of the journal
--DESCRIPTION--
fault: fleet-hosts
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_in_directory
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/secrets.inc';
require __DIR__ . '/../lib/journal_host.inc';

foreach (['plain' => [], 'signed' => ['bloom.signing_key_file' => ring('signing-keys', 'key')]] as $what => $settings) {
    if ($settings === [] || has_sodium()) {
        mkdir($directory = own_file("$what-store"));
        try_following_hosts($what, 'new Bloom\DirectoryStore(' . var_export($directory, true) . ')', fn (string $journal) => unlink("$directory/$journal"), $settings);
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
