--TEST--
A file in an inaccessible directory is reported as denied, not as missing
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/root.inc';
skip_unless_root();
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli();
foreach ([$cli->directory, $cli->files, "$cli->directory/bin"] as $directory) {
    chmod($directory, 0755);
}
chmod("$cli->directory/bin/bloom", 0755);
mkdir("$cli->files/closed", 0700);
mkdir("$cli->files/open", 0777);
chmod("$cli->files/open", 0777);
(new Bloom\Builder(10))->build()->save("$cli->files/closed/tags.bloom");
copy("$cli->files/closed/tags.bloom", "$cli->files/tags.bloom");
chmod("$cli->files/tags.bloom", 0600);
copy("$cli->files/tags.bloom", "$cli->files/open/tags.bloom");
chmod("$cli->files/open/tags.bloom", 0600);
foreach ([
    'info closed/tags.bloom', 'info tags.bloom', 'load tags closed/tags.bloom', 'check closed/tags.bloom', 'check closed/none tags.bloom',
    'build open/tags.bloom /etc/passwd', 'publish tags closed/tags.bloom open', 'sign tags closed/tags.bloom', 'build open/x closed/tags.bloom',
    'build --like closed/tags.bloom open/x /dev/null', 'info none', 'info closed', 'build --capacity 1 --allow-empty closed/x /dev/null',
] as $arguments) {
    $cli->show('setpriv --reuid=65534 --regid=65534 --clear-groups bloom ' . $arguments);
}
?>
--EXPECT--
$ setpriv --reuid=65534 --regid=65534 --clear-groups bloom info closed/tags.bloom
bloom: closed/tags.bloom: permission denied
exit 66
$ setpriv --reuid=65534 --regid=65534 --clear-groups bloom info tags.bloom
bloom: tags.bloom: permission denied
exit 66
$ setpriv --reuid=65534 --regid=65534 --clear-groups bloom load tags closed/tags.bloom
bloom: closed/tags.bloom: permission denied
exit 66
$ setpriv --reuid=65534 --regid=65534 --clear-groups bloom check closed/tags.bloom
bloom: closed/tags.bloom: permission denied
exit 66
$ setpriv --reuid=65534 --regid=65534 --clear-groups bloom check closed/none tags.bloom
bloom: tags.bloom: permission denied
exit 66
$ setpriv --reuid=65534 --regid=65534 --clear-groups bloom build open/tags.bloom /etc/passwd
bloom: open/tags.bloom: exists but is not readable, so it may not be a blob
exit 73
$ setpriv --reuid=65534 --regid=65534 --clear-groups bloom publish tags closed/tags.bloom open
bloom: closed/tags.bloom: permission denied
exit 66
$ setpriv --reuid=65534 --regid=65534 --clear-groups bloom sign tags closed/tags.bloom
bloom: closed/tags.bloom: permission denied
exit 66
$ setpriv --reuid=65534 --regid=65534 --clear-groups bloom build open/x closed/tags.bloom
bloom: closed/tags.bloom: permission denied
exit 66
$ setpriv --reuid=65534 --regid=65534 --clear-groups bloom build --like closed/tags.bloom open/x /dev/null
bloom: closed/tags.bloom: permission denied
exit 66
$ setpriv --reuid=65534 --regid=65534 --clear-groups bloom info none
bloom: none: neither a file nor a filter on this host
exit 66
$ setpriv --reuid=65534 --regid=65534 --clear-groups bloom info closed
bloom: NAME is missing: "closed" is a store; write bloom info NAME STORE, or bloom list STORE
exit 64
$ setpriv --reuid=65534 --regid=65534 --clear-groups bloom build --capacity 1 --allow-empty closed/x /dev/null
bloom: closed/x: its directory is not writable
exit 73
