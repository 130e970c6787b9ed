--TEST--
A host that was suspended for longer than maxLag answers maybe until a sync succeeds
--DESCRIPTION--
fault: host-suspended
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
skip_without_linux_calls();
exec('unshare -T -m --boottime 1000 mount -t tmpfs none /proc 2>/dev/null', $output, $status);
if (getenv('BLOOM_TEST_SANITIZE')) {
    echo 'skip the address sanitizer needs /proc';
} elseif ($status !== 0) {
    echo 'skip time and mount namespaces cannot be created here';
}
?>
--INI--
bloom.path={TMP}/bloom-journal_suspended
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\{Builder, DirectoryStore, Filter, Journal};

mkdir(ini_get('bloom.path') . '.d');
$store = new DirectoryStore(ini_get('bloom.path') . '.d');
$builder = new Builder(1000, seed: 1);
$builder->add('old');
$builder->build(mark: (new Journal('tags', $store))->mark())->publish($store, 'tags');
$sync = 'Bloom\Filter::sync("tags", new Bloom\DirectoryStore($argv[1]), 0, maxLag: 900);';
$ask = 'var_dump(Bloom\Filter::open("tags")->mightContain("absent"), Bloom\Filter::open("tags")->info()->journal->lag > 999);';
$in = fn (string $title, string $code, string $before) => print("$title\n"
    . (new Child($code, [], [ini_get('bloom.path') . '.d'], $before))->end() . "\n");

$in('before', $sync . $ask, '');
// A suspension sets the clock that counts it ahead, for all processes. Here, it is ahead in a namespace, and a process that
// cannot read how far ahead takes it for the host's clock.
$in('after the suspension', $ask, 'exec unshare -T -m --boottime 1000 sh -c \'mount -t tmpfs none /proc && exec "$0" "$@"\'');
// A container whose clock is ahead has not been suspended.
$in('in a container', $ask, 'exec unshare -T --boottime 1000');
$in('synced after the suspension', $sync . $ask, 'exec unshare -T -m --boottime 1000 sh -c \'mount -t tmpfs none /proc && exec "$0" "$@"\'');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
before
bool(false)
bool(false)
after the suspension
bool(true)
bool(true)
in a container
bool(false)
bool(false)
synced after the suspension
bool(false)
bool(false)
