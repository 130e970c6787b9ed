--TEST--
After a loader is killed at any moment, the old filter is served and the next load succeeds
--DESCRIPTION--
fault: killed-anywhere, reference-leak
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-process_killed_loaders
bloom.lock_timeout=0
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

blob_of(keys('new', 200000), 2_000_000)->save(own_file('blob'));
$small = blob_of(keys('old', 100));
$booth = Filter::load('booth', $small);
mt_srand(20240229);
$served = ['old' => 0, 'new' => 0];
for ($round = 0; $round < 40; $round++) {
    $child = new Child('
        $blob = Bloom\Blob::open(own_file("blob"));
        echo "loading\n";
        Bloom\Filter::load("booth", $blob);
        echo "loaded\n";
        while (true) {
            Bloom\Filter::load("booth", $blob);
        }
    ');
    $child->hear();
    $round % 4 === 3 && $child->hear(); // on a busy machine, other rounds may end before the first load
    usleep(mt_rand(0, 12000));
    $child->kill();
    check(in_array($end = $child->end(), [' (exit status 9)', 'loaded (exit status 9)'], true), "round $round: the loader was killed: $end");
    $old = $booth->candidates(keys('old', 100)) === keys('old', 100);
    $new = $booth->candidates(keys('new', 1000)) === keys('new', 1000);
    check($old !== $new, "round $round: one whole version is served");
    $served[$new ? 'new' : 'old']++;
    // A load does not wait for a dead process. With a lock timeout of 0 it would throw.
    Filter::load('booth', $small);
    check($booth->mightContain('old1') && !$booth->mightContain('new1'), "round $round: the next load succeeds");
    check(count(tree(segment_path())) === 3,
        "round $round: no other file is left: " . implode(' ', tree(segment_path())));
}
check($served['new'] > 0, json_encode($served));

// A loader of another filter is killed. The next sweep removes the staged file, here in a load of another filter.
$child = new Child('Bloom\Filter::load("other", Bloom\Blob::open(own_file("blob")), function () { echo "staged\n"; sleep(600); });');
$child->hear();
$child->kill();
check(($end = $child->end()) === ' (exit status 9)', "the loader was killed: $end");
check(count(preg_grep('/tmp$/', tree(segment_path()))) === 1, 'the killed loader left a staged file');
file_put_contents(segment_path() . '/.bloom/swept', pack('Q', PHP_INT_MAX)); // a time of another boot
Filter::load('booth', $small);
check(!preg_grep('/tmp$/', tree(segment_path())), 'the staged file is removed: ' . implode(' ', tree(segment_path())));
check(Filter::list() === ['booth'], 'the other filter does not exist');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
