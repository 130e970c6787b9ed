--TEST--
A sync process that is killed keeps its lease for at most half a minute and holds nothing else
--DESCRIPTION--
fault: killed-anywhere
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_killed
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Filter;

$booth = Filter::load('booth', chunked(keys('old', 3000), builtAt: 1));
$child = new Child('require ' . var_export(__DIR__ . '/../lib/stores.inc', true) . ';
    $store = new ScriptedStore;
    chunked(keys("new", 3000))->publish($store, "booth");
    $store->script = function (string $called, array $keys) { if (end($keys) !== "booth") { echo "fetching\n"; sleep(600); } };
    Bloom\Filter::sync("booth", $store, 0);');
echo $child->hear(), "\n";
check(count(preg_grep('/tmp$/', tree(segment_path()))) === 1, 'the sync has a staged file');
$store = new ScriptedStore;
chunked(keys('new', 3000))->publish($store, 'booth');
var_dump(switched(Filter::sync('booth', $store, 0)));
// A load does not wait for the sync, and keeps the staged file while the syncing process is alive.
Filter::load('other', blob_of(['a']));
check(count(preg_grep('/tmp$/', tree(segment_path()))) === 1, 'the load keeps the staged file of the live sync');
$child->kill();
echo $child->end(), "\n";
var_dump(switched(Filter::sync('booth', $store, 0)));
check($booth->mightContain('old1'), 'the old version is still served');
// The lease would expire after at most 30 s. The test moves it into the past instead of waiting.
$now = intdiv(hrtime(true), 1_000_000);
$until = unpack('P', file_get_contents(in_segment('booth/control'), offset: 40, length: 8))[1];
check($until > $now && $until <= $now + 30_000, 'the lease lasts at most 30 s: ' . $until - $now);
$file = fopen(in_segment('booth/control'), 'r+');
fseek($file, 40);
fwrite($file, pack('P', $now - 1));
fclose($file);
var_dump(switched(Filter::sync('booth', $store, 0)), $booth->mightContain('new1'));
check(!preg_grep('/tmp$/', tree(segment_path())), 'the staged file is gone: ' . implode(' ', tree(segment_path())));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
fetching
bool(false)
 (exit status 9)
bool(false)
bool(true)
bool(true)
