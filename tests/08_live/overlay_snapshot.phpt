--TEST--
A key added after a blob's snapshot is still found after that blob, or a later one, has been loaded
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-overlay_snapshot
--FILE--
<?php
require __DIR__ . '/../live.inc';
use Bloom\Filter;
use Bloom\LoadedFilter;

mkdir($directory = own_file('store'));
$store = new Bloom\DirectoryStore($directory);
$at = fn (string $time) => strtotime("2026-01-02 $time UTC");
$blob = fn (string $day, string $time) => blob_of(keys("$day.", 500), 1000, $at($time), falsePositiveRate: 1e-9);

// Yesterday's blob is served. A reader attaches before the overlay exists.
$booth = Filter::load('booth', $blob('monday', '00:00'));
$early = worker('
    $filter = Bloom\Filter::open("booth");
    while (($line = fgets(STDIN)) !== false) {
        [$what, $key] = explode(" ", rtrim($line));
        echo json_encode($what === "add" ? thrown(fn () => $filter->add($key)) : $filter->mightContain($key)), "\n";
    }
');
$ask = function (string $what, string $key) use ($early) {
    $early->say("$what $key");
    return json_decode($early->hear());
};
check($booth->info()->overlay === null, 'no overlay');
echo thrown(fn () => $booth->add('x')), "\n";
echo thrown(fn () => $booth->addMany(['x'])), "\n";
check(!$booth->mightContain('x') && $ask('look', 'monday.1') && !$ask('look', 'x'), 'nothing was added');

// At 02:00 the nightly snapshot is taken. It contains the keys that are known at that time.
$nightly = $blob('tuesday', '02:00');

// From now on the filter is loaded with an overlay.
$booth = Filter::load('booth', $blob('monday', '02:10'), overlayWindow: 7200, overlayCapacity: 1000);
check($booth instanceof LoadedFilter, 'its class');
check($ask('look', 'monday.1') === true, 'the early one follows');
// At 02:30 keys are added.
check($booth->add('added at 02:30') === true && $booth->add('added at 02:30') === false, 'new, and no longer');
check($ask('add', '02:31') === 'nothing' && $booth->mightContain('02:31'), 'added by one that was attached before there was an overlay');
check($booth->mightContain('added at 02:30') && !$nightly->mightContain('added at 02:30'), 'found before the load');
check($booth->addMany(keys('late', 100)) === 100, 'many');
// At 03:00 the nightly blob is loaded.
Filter::load('booth', $nightly);
check($booth->mightContain('added at 02:30') && $ask('look', '02:31'), 'found at 03:01');
check($booth->mightContain('tuesday.1') && !$booth->mightContain('monday.1'), 'it is the new blob');
check_held($booth, keys('late', 100), 'those added');
check($ask('look', 'tuesday.3') && !$ask('look', 'monday.1') && $ask('look', 'late7'), 'elsewhere, too');
check($booth->candidates(['monday.1', 'late5', 'tuesday.1', 'never']) === [1 => 'late5', 2 => 'tuesday.1'], 'candidates');

// The overlay survives syncs, forced syncs of older versions, and loads that request the same overlay.
$blob('wednesday', '04:00')->publish($store, 'booth');
check(switched(Filter::sync('booth', $store, 0)) && $booth->mightContain('wednesday.1') && !$booth->mightContain('tuesday.1'), 'synced');
check_held($booth, ['added at 02:30', '02:31', ...keys('late', 100)], 'after a sync');
$blob('older', '01:00')->publish($store, 'booth');
check(switched(Filter::sync('booth', $store, 0, force: true)), 'synced by force');
check_held($booth, ['added at 02:30', '02:31', 'older.1'], 'after a sync by force');
Filter::load('booth', $nightly, overlayWindow: 7200, overlayCapacity: 1000);
check_held($booth, ['added at 02:30', '02:31', ...keys('late', 100)], 'after a load that asks for the same');
check($booth->add('later') && $ask('look', 'later'), 'and more is added');
check($ask('add', '05:00') === 'nothing' && $booth->mightContain('05:00'), 'by any');
check(!$booth->add('05:00') && $booth->add('tuesday.1'), 'add() is of the overlay alone');
check_left('with an overlay', 4);

// An existing overlay keeps its parameters.
foreach ([[7200.5, 1000, 'window'], [7200, 1001, 'capacity']] as [$window, $capacity, $what]) {
    echo thrown(fn () => Filter::load('booth', $blob('other', '06:00'), overlayWindow: $window, overlayCapacity: $capacity)), "\n";
    check($booth->mightContain('added at 02:30') && $booth->mightContain('tuesday.1') && !$booth->mightContain('other.1'), "another $what: nothing changed");
    check_left("another $what", 4);
}

// A new process finds all keys of the overlay.
echo worker('
    $booth = Bloom\Filter::open("booth");
    check_held($booth, ["added at 02:30", "02:31", "05:00", "tuesday.3"], "in a new process");
    check($booth->add("06:00"), "added there");
')->end();
check($booth->mightContain('06:00'), 'added elsewhere');
$info = $booth->info();
check($info->overlay->window === 7200.0 && $info->overlay->capacity === 1000 && $info->overlay->keys === 106, json_encode($info->overlay));
check($info->kind->value === 'loaded' && $info->segmentBytes > $info->overlay->bytes, 'info');

// Dropping the filter also drops the overlay for good.
check(Filter::drop('booth') && tree(segment_path()) === [], 'dropped: ' . implode(' ', tree(segment_path())));
echo thrown(fn () => $booth->add('x')), "\n";
$booth = Filter::load('booth', $nightly);
check(!$booth->mightContain('added at 02:30') && !$booth->mightContain('05:00') && $booth->info()->overlay === null, 'gone');
check(str_starts_with($ask('add', 'x'), 'Bloom\\KindException'), 'no overlay for the early one');
Filter::drop('booth');
$booth = Filter::load('booth', $nightly, overlayWindow: 60, overlayCapacity: 5);
check(!$booth->mightContain('added at 02:30') && $booth->add('added at 02:30') && $ask('look', '02:31') === false && $ask('look', 'tuesday.1'), 'a new one');
check($ask('add', '08:00') === 'nothing' && $booth->mightContain('08:00'), 'which the early one sees');
check($early->end() === '', 'the early reader reports no error');
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
Bloom\KindException: booth: keys can be added to a loaded filter only if it has an overlay (load it with overlayWindow and overlayCapacity)
Bloom\KindException: booth: keys can be added to a loaded filter only if it has an overlay (load it with overlayWindow and overlayCapacity)
Bloom\KindException: booth: its window is 7200, but 7200.5 was requested: a filter with that name already exists (drop it first, or use it as it is)
Bloom\KindException: booth: its capacity is 1000, but 1001 was requested: a filter with that name already exists (drop it first, or use it as it is)
Bloom\NotFoundException: booth: the filter was dropped
