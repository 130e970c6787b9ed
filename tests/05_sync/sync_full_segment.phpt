--TEST--
A sync that does not fit into the segment keeps the served version and reports the reason
--DESCRIPTION--
fault: memory-limit-segment
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_full_segment
bloom.memory_limit=100000
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Filter;

$booth = Filter::load('booth', chunked(keys('old', 3000), builtAt: 1));
$store = new ScriptedStore;
blob_of(keys('new', 100000), 100000)->publish($store, 'booth');
$store->takeLog();
echo preg_replace('/\d{5,}/', 'N', thrown(fn () => Filter::sync('booth', $store, 0))), "\n";
echo $store->takeLog(), "\n";
echo preg_replace('/\d{5,}/', 'N', str_replace(segment_path(), '{segment}', $booth->info()->lastError)), "\n";
check($booth->mightContain('old1'), 'the old version is still served');
check(!preg_grep('/tmp$/', tree(segment_path())), 'no staged file is left');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\SegmentException: {segment}/booth: uses N bytes, needs N more, limit N: the segment would exceed its memory limit (raise bloom.memory_limit, or drop filters)
get 2
{segment}/booth: uses N bytes, needs N more, limit N: the segment would exceed its memory limit (raise bloom.memory_limit, or drop filters)
