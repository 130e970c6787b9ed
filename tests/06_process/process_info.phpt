--TEST--
info() keeps what takes long to compute, and shows each change of this process at once and those of others within a second
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--INI--
bloom.path={TMP}/bloom-process_info
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/clock.inc';
use Bloom\{Blob, DirectoryStore, Filter, Journal, LiveFilter};

Clock::own();
mkdir(own_file('store'));

/** Returns the bytes of all files in the segment, except those of its internal directory. */
function bytes_of_segment(): int
{
    return array_sum(array_map(filesize(...), glob(segment_path() . '/[!.]*/*')));
}

// The rates of the head are those of the served version.
$handle = Filter::load('pages', blob_of(keys('a', 500)));
$blobs = ['few keys' => blob_of(keys('a', 10)), 'many keys' => blob_of(keys('b', 999)), 'ribbon' => blob_of(keys('c', 999), scheme: 'ribbon')];
foreach ($blobs as $what => $blob) {
    foreach (['this process' => fn () => Filter::load('pages', $blob),
        'another' => fn () => run('Bloom\Filter::load("pages", Bloom\Blob::open(' . var_export(own_file('blob'), true) . '));')] as $who => $load) {
        $blob->save(own_file('blob'));
        $handle->info();
        $load();
        [$shown, $expected] = [$handle->info(), $blob->info()];
        foreach (['keys', 'estimatedKeys', 'predictedFalsePositiveRate', 'measuredFalsePositiveRate', 'fill', 'checksum'] as $name) {
            check($shown->$name === $expected->$name, "$what, loaded by $who: $name is {$shown->$name} instead of {$expected->$name}");
        }
    }
}
// So is the highest rate that chance explains, which decides about the warning.
Filter::load('pages', blob_of(keys('d', 500), falsePositiveRate: 0.1));
check($handle->info()->warning === null, 'no warning');
$full = new Bloom\Builder(1000, 0.001, seed: 1);
$full->addMany(keys('d', 2000));
Filter::load('pages', $full->build(maxFalsePositiveRate: 0.5));
check(str_contains((string) $handle->info()->warning, 'over the requested'), "a warning: {$handle->info()->warning}");

// The sum of the files.
$shown = fn (): int => $handle->info()->segmentBytes;
$check_sum = fn (string $what) => check($shown() === bytes_of_segment(), "$what: {$shown()} instead of " . bytes_of_segment());
$check_sum('at first');
$live = made('live');
$check_sum('create()');
Filter::load('second', blob_of(keys('e', 900), 100_000));
$check_sum('load() of a new filter');
Filter::load('second', blob_of(keys('e', 900), 200_000));
$check_sum('load() of a new version');
$blobs['few keys']->publish($store = new DirectoryStore(own_file('store')), 'synced');
Filter::sync('synced', $store, 0.0);
$check_sum('sync()');
Filter::attach('remote', (function () use ($store) {
    blob_of(keys('f', 900), 50_000, layout: new Bloom\Layout(chunkBytes: 65536))->publish($store, 'remote');
    return $store;
})(), 1_000_000);
$check_sum('attach()');
Filter::drop('second');
$check_sum('drop()');
run('Bloom\Filter::drop("synced");');
Clock::advance(1.0);
$check_sum('a drop by another process, a second later');

// The keys of a journal are measured again when there are more.
$journal = new Journal('tags', $store);
$builder = new Bloom\Builder(1000, seed: 1);
$builder->add('a');
$builder->build(mark: $journal->mark())->publish($store, 'tags');
Filter::sync('tags', $store, 0.0, maxLag: 60.0);
$tags = Filter::open('tags');
$rates = [];
foreach ([0, 100, 1000] as $count) {
    $count === 0 || $journal->add(keys("new $count", $count));
    $rates[] = $tags->info()->journal->measuredFalsePositiveRate;
}
check($rates[0] === 0.0 && $rates[1] > 0 && $rates[2] > $rates[1], 'the rates of added keys: ' . implode(' ', $rates));
check($tags->info()->journal->keys === 1100, "{$tags->info()->journal->keys} added keys");
echo 'done';
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done
