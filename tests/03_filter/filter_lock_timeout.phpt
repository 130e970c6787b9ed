--TEST--
A load waits for another writer no longer than bloom.lock_timeout; lookups never wait
--DESCRIPTION--
fault: lock-held
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_lock_timeout
bloom.lock_timeout=0.2
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$booth = Filter::load('booth', blob_of(['a']));
$holder = new Child('
    $directory = opendir(in_segment("booth"));
    exec("exec 9<" . escapeshellarg(in_segment("booth")) . "; flock -x 9 && echo locked >&2; read line", $out);
');
// A separate process holds flock(1) on the directory until its standard input is closed.
$holder->kill();
$holder->end();
$process = proc_open('exec flock -x ' . escapeshellarg(in_segment('booth')) . ' sh -c "echo locked; read line"', [['pipe', 'r'], ['pipe', 'w']], $pipes);
fgets($pipes[1]);
$start = hrtime(true);
echo thrown(fn () => Filter::load('booth', blob_of(['b']))), "\n";
echo thrown(fn () => Filter::drop('booth')), "\n";
$waited = (hrtime(true) - $start) / 1e9;
check($waited > 0.3 && $waited < 30, "waited $waited s");
check(is_a(Bloom\BusyException::class, Bloom\SegmentException::class, true), 'a kind of SegmentException');
check($booth->mightContain('a') && Filter::open('booth')->candidates(['a']) === ['a'], 'lookups work');
check(Filter::list() === ['booth'], 'so does list()');
Filter::load('other', blob_of(['c']));
fclose($pipes[0]);
proc_close($process);
Filter::load('booth', blob_of(['b']));
check($booth->mightContain('b'), 'with the lock free it works at once');
check(preg_grep('/tmp/', tree(segment_path())) === [], 'no staged file is left');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\BusyException: {segment}/booth: locking: another writer held the lock for the whole lock timeout (try again, or raise bloom.lock_timeout)
Bloom\BusyException: {segment}/booth: locking: another writer held the lock for the whole lock timeout (try again, or raise bloom.lock_timeout)
