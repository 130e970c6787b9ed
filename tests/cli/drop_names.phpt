--TEST--
drop accepts several names and continues if one filter cannot be dropped
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

$cli = new Cli(settings: '-d bloom.lock_timeout=0');
(new Bloom\Builder(1000, seed: 1))->build()->save("$cli->files/blob");
foreach (['a', 'b', 'c'] as $name) {
    $cli->run(['load', $name, 'blob']);
}
$lock = fopen(in_segment('b', $cli->segment), 'r');
check(flock($lock, LOCK_EX), 'locked');
$cli->show(['drop', 'a', '../wrong', 'b']);
echo implode(' ', array_column($cli->run(['list', '--format=json'])->json(), 'name')), "\n";
$cli->show(['drop', 'a', 'b', 'none', 'c']);
$cli->show(['drop', 'b', '--format=json']);
fclose($lock);
$cli->show(['drop', 'a', 'b', 'c']);
?>
--EXPECT--
$ bloom drop a ../wrong b
bloom: NAME: "../wrong" must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -; write bloom drop NAME...
exit 64
a b c
$ bloom drop a b none c
a: dropped
c: dropped
none: no filter of that name was loaded
bloom: {dir}/segment/b: locking: another writer held the lock for the whole lock timeout (try again, or raise bloom.lock_timeout)
exit 75
$ bloom drop b --format=json
{"dropped":[],"missing":[],"failed":[{"name":"b","error":"{dir}/segment/b: locking: another writer held the lock for the whole lock timeout (try again, or raise bloom.lock_timeout)"}]}
bloom: {dir}/segment/b: locking: another writer held the lock for the whole lock timeout (try again, or raise bloom.lock_timeout)
exit 75
$ bloom drop a b c
b: dropped
a: no filter of that name was loaded
c: no filter of that name was loaded
exit 1
