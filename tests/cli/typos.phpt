--TEST--
A misspelled name or store changes nothing on this host, and the message says what to do
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli();
$cli->write('keys', "cat\nbird\n");
mkdir("$cli->files/store");
$cli->run(['build', '--seed=1', '--built-at=1700000000', 'tags.bloom', 'keys']);
$cli->run(['publish', 'tags', 'tags.bloom', 'store']);
foreach ([['sync', 'tagz', 'store'], ['sync', 'tags', 'sotre'], ['sync', 'tags', 'keys'], ['sync', 'tags', 'memcached://cache.example']] as $command) {
    $cli->show($command);
    check(!file_exists(in_segment($command[1], $cli->segment)), 'the failed sync left nothing');
    check($cli->run(['health', $command[1]])->output === "$command[1]: CRITICAL: $cli->segment/$command[1]: no such filter is loaded\n", 'health');
}
foreach ([['publish', 'tags', 'tags.bloom', 'sotre'], ['list', 'sotre'], ['unpin', 'tagz', 'store'], ['pin', 'tagz', 'store'], ['rollback', 'tagz', 'store'],
    ['rollback', 'tags', 'store'], ['pin', 'tags', 'store', 'previous'], ['unpin', 'tags', 'store']] as $command) {
    $result = $cli->run($command);
    echo '$ bloom ', implode(' ', $command), "\n", preg_replace('/built \S+ \S+/', 'built …', preg_replace('/version [0-9a-f]+/', 'version b', $result->output)), $result->errors, "exit $result->code\n";
}
// A usage error comes before every warning.
$cli->run(['sync', 'tags', 'store']);
foreach ([['sync', '--on-demand=1M', '--max-lag=soon', 'tags', 'store'], ['build', '--built-at=then', 'a.bloom', 'marked'], ['build', '--max-rate=x', 'a.bloom', 'marked'],
    ['build', '--sign=a/b', 'a.bloom', 'marked'], ['load', '--max-lag=soon', 'tags', 'tags.bloom']] as $command) {
    $cli->write('marked', "\xef\xbb\xbfcat\n");
    $result = $cli->run($command);
    check($result->code === 64 && substr_count($result->errors, "\n") === 1, implode(' ', $command) . ": $result->code $result->errors");
}
?>
--EXPECT--
$ bloom sync tagz store
bloom: tagz: missing from the store (bloom list STORE shows the filters that it has)
exit 75
$ bloom sync tags sotre
bloom: the store sotre does not exist: create the directory, or mount the file system that contains it
exit 66
$ bloom sync tags keys
bloom: the store keys is a file, but a store is a directory or a URL
exit 66
$ bloom sync tags memcached://cache.example
bloom: a Memcached store needs the PHP extension memcached: apt-get install php-memcached, or pecl install memcached
exit 69
$ bloom publish tags tags.bloom sotre
bloom: the store sotre does not exist: create the directory, or mount the file system that contains it
exit 66
$ bloom list sotre
bloom: STORE: "sotre" is not a directory; write bloom list [[NAME...] STORE] (bloom info shows one filter on this host)
exit 64
$ bloom unpin tagz store
bloom: tagz: the store store has no such filter (bloom list STORE shows those that it has)
exit 75
$ bloom pin tagz store
bloom: tagz: the store store has no such filter (bloom list STORE shows those that it has)
exit 75
$ bloom rollback tagz store
bloom: tagz: the store store has no such filter (bloom list STORE shows those that it has)
exit 75
$ bloom rollback tags store
bloom: tags: there is no earlier version to roll back to (publish a corrected version instead)
exit 66
$ bloom pin tags store previous
bloom: tags: the store has no earlier version
exit 66
$ bloom unpin tags store
tags: hosts serve version b, built … UTC, starting with their next sync (current)
exit 0
