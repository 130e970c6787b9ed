--TEST--
bloom.memory_limit limits the total size of the segment's files, and a load that would exceed it changes nothing
--DESCRIPTION--
fault: memory-limit-segment, small-head-huge
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_memory_limit
bloom.memory_limit=200000
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$blob = blob_of(keys('a', 50000), 50000);
$size = $blob->info()->bytes;
check($size > 50000 && $size < 90000, "$size bytes");
$one = Filter::load('one', $blob);
var_dump($one->info()->memoryLimit, $one->info()->segmentBytes === $size + 8192);
$two = Filter::load('two', $blob);
echo preg_replace('/\d{5,}/', 'N', thrown(fn () => Filter::load('three', $blob))), "\n";
// A reload needs space for both versions.
echo preg_replace('/\d{5,}/', 'N', thrown(fn () => Filter::load('one', blob_of(keys('b', 50000), 50000)))), "\n";
check($one->mightContain('a1') && $two->mightContain('a1'), 'what was served is served');
check(Filter::list() === ['one', 'two'], 'no third one');
Filter::drop('two');
Filter::load('one', blob_of(keys('b', 50000), 50000));
check($one->mightContain('b1'), 'with room it works');
try {
    Filter::load('three', blob_of(keys('c', 200000), 200000));
} catch (Bloom\SegmentException $error) {
    echo preg_replace('/\d{5,}/', 'N', str_replace(segment_path(), '{segment}', $error->getMessage())), ' ', $error->getCode() > 0 ? 'code' : 'none', "\n";
}
check(preg_grep('/tmp/', tree(segment_path())) === [], 'no staged file is left');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
int(200000)
bool(true)
Bloom\SegmentException: {segment}/three: uses N bytes, needs N more, limit N: the segment would exceed its memory limit (raise bloom.memory_limit, or drop filters)
Bloom\SegmentException: {segment}/one: uses N bytes, needs N more, limit N: the segment would exceed its memory limit (raise bloom.memory_limit, or drop filters)
{segment}/three: uses N bytes, needs N more, limit N: the segment would exceed its memory limit (raise bloom.memory_limit, or drop filters) code
