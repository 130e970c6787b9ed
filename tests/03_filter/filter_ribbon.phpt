--TEST--
A ribbon filter loses no key when it is loaded, synced, attached on demand or keyed
--DESCRIPTION--
fault: ribbon-merge
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_ribbon
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/ondemand.inc';
use Bloom\Builder;
use Bloom\Filter;

$build = static function (int $keys, string $scheme = 'ribbon'): Bloom\Blob {
    $builder = new Builder(50_000, seed: 3, layout: new Bloom\Layout(shardBytes: 1024, chunkBytes: 1024), scheme: Bloom\Scheme::tryFrom($scheme));
    $builder->addMany(range(1, $keys));
    return $builder->build(builtAt: (float) $keys);
};
/** Checks that single and batch lookups return the same answers as the blob, for its keys and for absent keys. */
$compare = static function (Filter $filter, Bloom\Blob $blob, int $keys): void {
    $asked = array_merge(range(1, $keys), range(-5000, -1));
    $expected = array_filter($asked, $blob->mightContain(...));
    check(array_slice($expected, 0, $keys) === range(1, $keys), 'all are in the blob');
    check(count($expected) < $keys + 5000 * 0.02, 'and few others');
    check(array_filter($asked, $filter->mightContain(...)) === $expected, 'one by one');
    foreach ([1, 63, 64, 65, 20_000] as $count) {
        $some = array_slice($asked, -$count, null, true);
        check($filter->candidates($some) === array_filter($some, $blob->mightContain(...)), "$count together");
    }
};

$blob = $build(50_000);
$filter = Filter::load('tags', $blob);
$compare($filter, $blob, 50_000);
$info = $filter->info();
check($info->scheme->value === 'ribbon' && $info->warning === null && $info->setBits === null, 'info');
check(array_sum(array_column($filter->shards(), 'estimatedKeys')) == 50_000, 'shards');
check(max(array_column($filter->shards(), 'fill')) < 1 && $filter->shards()[0]['setBits'] === null, 'fill of the shards');
echo thrown(fn () => $filter->candidates([1, null])), "\n";

// The two kinds replace each other under one handle.
Filter::load('tags', $bloom = $build(50_000, 'bloom'));
$compare($filter, $bloom, 50_000);
Filter::load('tags', $blob);
$compare($filter, $blob, 50_000);

// A few new keys change a few chunks, and a sync fetches only those.
$store = store_of($less = $build(49_990), 'synced');
Filter::sync('synced', $store, 0);
$compare(Filter::open('synced'), $less, 49_990);
$store->takeLog();
$written = $blob->publish($store, 'synced');
check($written['chunksWritten'] <= 10 && $written['chunks'] > 40, "$written[chunksWritten] of $written[chunks] chunks");
Filter::sync('synced', $store, 0);
$compare(Filter::open('synced'), $blob, 50_000);

// On demand, with memory for all chunks and then for a third of them.
$store = store_of($blob, 'large');
$large = Filter::attach('large', $store, memory_for($blob, $blob->info()->chunks));
$compare($large, $blob, 50_000);
check($large->info()->evicted === 0 && $large->info()->untold === 0, 'all chunks are here');
$large->drop('large');
$large = Filter::attach('large', $store, memory_for($blob, 16));
foreach (range(49_001, 50_000) as $key) {
    check($large->mightContain($key) && $large->mightContain("no $key") === $blob->mightContain("no $key"), "$key on demand");
}
check($large->info()->evicted > 0 && $large->info()->untold === 0, 'chunks came and went');
$store->script = fn () => throw new RuntimeException('down');
check(count($large->candidates(range(1, 50_000))) === 50_000, 'what cannot be told is maybe');

// A filter with a secret.
if (has_sodium()) {
    $builder = new Builder(5000, secret: str_repeat('s', 32), scheme: Bloom\Scheme::Ribbon);
    $builder->addMany(range(1, 5000));
    $keyed = $builder->build();
    check(count(array_filter(range(1, 5000), $keyed->mightContain(...))) === 5000, 'keyed');
}

// import() must refuse a ribbon blob: if its bits were read as a Bloom filter, lookups would miss its keys.
foreach ([Bloom\LiveFilter::class, Bloom\ReverseIndex::class] as $class) {
    echo thrown(fn () => $class::import('live', $blob)), "\n";
}
check(Filter::find('live') === null, 'nothing was imported');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
TypeError: Bloom\Filter::candidates(): Argument #1 ($keys) must contain only values of type string|int, null given at key 1
Bloom\KindException: scheme ribbon: a ribbon filter or a map cannot be extended or merged
Bloom\KindException: This blob is not a reverse index
