--TEST--
An imported filter is served from shared memory, replaces and is replaced by our own filters, and its damage is found
--DESCRIPTION--
fault: foreign-dump
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_foreign
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/foreign.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Filter;

/** Checks that single and batch lookups return the same answers as the blob. */
$compare = static function (Filter $filter, Bloom\Blob $blob, array $asked): void {
    $expected = array_filter($asked, $blob->mightContain(...));
    check(array_filter($asked, $filter->mightContain(...)) === $expected, 'one by one');
    foreach ([1, 63, 64, 65, count($asked)] as $count) {
        $some = array_slice($asked, -$count, null, true);
        check($filter->candidates($some) === array_intersect_key($expected, $some), "$count together");
    }
};
$absent = array_slice(absent_keys(), 0, 3000);

foreach (array_keys(FOREIGN) as $name) {
    $filter = Filter::load('tags', $blob = foreign_blob($name));
    $compare($filter, $blob, $asked = [...foreign_keys($name), ...$absent]);
    check($filter->candidates(foreign_keys($name)) === foreign_keys($name), "$name: no key is lost");
    $info = $filter->info();
    check([$info->scheme, $info->format, $info->layers, $info->fill] === [$blob->info()->scheme, $blob->info()->format, $blob->info()->layers, $blob->info()->fill], $name);
    check(($info->warning === null) === ($info->measuredFalsePositiveRate <= 1.5 * $info->falsePositiveRate) && $info->keys === $blob->info()->keys, "$name: warning");
    $shards = $filter->shards();
    check(count($shards) === $info->shards && array_sum(array_column($shards, 'setBits')) === $info->setBits, "$name: set bits of the shards");
    check(abs(array_sum(array_column($shards, 'estimatedKeys')) - $info->keys) < 0.01, "$name: keys of the shards");
}

// Keys of any bytes, and integers, which are their digits.
$odd = ['', "\0", str_repeat('x', 100_000), "\xff\xfe", 7, -3, PHP_INT_MIN, '7'];
$compare($filter, $blob, $odd);

// An open handle follows when an imported version replaces one of ours, and the other way around.
$builder = new Bloom\Builder(1000, seed: 1);
$builder->addMany(array_map(fn (int $i): string => "own:$i", range(0, 999)));
$own = $builder->build(builtAt: 1_700_000_002);
$ribbon = new Bloom\Builder(1000, seed: 1, scheme: Bloom\Scheme::Ribbon);
$ribbon->addMany(array_map(fn (int $i): string => "own:$i", range(0, 999)));
$ribbon = $ribbon->build(builtAt: 1_700_000_003);
$asked = [...foreign_keys('valkeybloom-dump-1000'), ...array_map(fn (int $i): string => "own:$i", range(0, 999)), ...$absent];
foreach ([$own, foreign_blob('valkeybloom-dump-1000'), $ribbon, foreign_blob('guava32-1000'), foreign_blob('redisbloom-dump-1000'), $own] as $next) {
    Filter::load('tags', $next);
    $compare($filter, $next, $asked);
    check($filter->info()->scheme === $next->info()->scheme && $filter->info()->kind === Bloom\Kind::Loaded, 'the scheme follows');
}

// Other kinds of filters do not replace it.
Filter::load('tags', foreign_blob('redisbloom-dump-1000'));
echo thrown(fn () => Bloom\LiveFilter::open('tags')), "\n";
echo thrown(fn () => Bloom\ReverseIndex::open('tags')), "\n";
check(Filter::health('tags')->reasons === [], 'healthy: ' . implode('; ', Filter::health('tags')->reasons));

// A sync finds bits that were cleared in the served file, and fetches them again.
$store = new ScriptedStore;
$blob = foreign_blob('redisbloom-dump-1000');
$blob->publish($store, 'synced');
Filter::sync('synced', $store, 0);
$path = in_segment('synced/') . current(preg_grep('/bloom$/', scandir(in_segment('synced'))));
$file = fopen($path, 'r+');
fseek($file, filesize($path) - 2000);
fwrite($file, str_repeat("\0", 1500));
fclose($file);
$keys = foreign_keys('redisbloom-dump-1000');
check(count(Filter::open('synced')->candidates($keys)) < 1000, 'the damage hides keys');
check(switched(Filter::sync('synced', $store, 0)), 'the damage is found');
check(Filter::open('synced')->candidates($keys) === $keys && Filter::open('synced')->info()->damages === 1, 'and mended');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\KindException: tags: expected a Bloom\LiveFilter, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
Bloom\KindException: tags: expected a Bloom\ReverseIndex, found a loaded filter: that name is taken by a filter of a different kind (drop it first, or choose another name)
