<?php
/* Shows the false-positive rate of each kind at different fills. The rate is predicted by the formula for the added keys,
 * computed from the filter's bits, and measured by lookups of absent keys. */

namespace BloomBench;

use Bloom\Builder;
use Bloom\CountingFilter;
use Bloom\Filter;
use Bloom\Info;
use Bloom\Layout;
use Bloom\LiveFilter;
use Bloom\ReverseIndex;
use Bloom\ScalableFilter;
use Bloom\SlidingFilter;

require __DIR__ . '/common.php';

const CAPACITY = 100_000;
const ASKED = 5_000_000;
const RATE = 0.01;
const GROUPS = 65_536;
const ABSENT_OF_INDEX = 500_000;
const RATE_OF_INDEX = 0.001;

/** Returns the predicted rate for a number of keys in a filter with this layout (bloom_geometry_rate()). */
function predicted(int $keys, int $shards, int $shardBytes, int $laneBytes, int $probes): float
{
    $bitsPerKey = ($shards * $shardBytes * 8 - 1) / $keys;
    if ($bitsPerKey > 1024) {
        return 0.0; // above Builder's limit; for so few keys the rate is below 10^-10
    }
    $info = (new Builder(
        $keys,
        layout: new Layout(shardBytes: $shardBytes, blockBytes: $laneBytes, probes: $probes),
        bitsPerKey: $bitsPerKey
    ))->info();
    assert($info->shards === $shards);
    return $info->predictedFalsePositiveRate;
}

function predicted_for(int $keys, Info $info): float
{
    return predicted($keys, $info->shards, $info->shardBytes, $info->blockBytes, $info->probes);
}

/** Returns the predicted rate of a scalable filter, computed from the keys of each layer. */
function predicted_for_layers(array $layers): float
{
    $no = 1;
    foreach ($layers as $layer) {
        $chosen = (new Builder($layer['capacity'], $layer['falsePositiveRate']))->info();
        assert($chosen->shards === $layer['shards'] && $chosen->probes === $layer['probes']);
        $no *= 1 - predicted_for(max(1, $layer['keys']), $chosen);
    }
    return 1 - $no;
}

/** Returns the number of absent keys that are false positives. Added keys are the numbers from 0. */
function positives(Filter $filter): int
{
    $found = 0;
    for ($first = 1; $first < ASKED; $first += 1_000_000) {
        $found += count($filter->candidates(range(-$first, -$first - 999_999)));
    }
    return $found;
}

/** Returns the wrong groups per answer: W' = rate · (c · (W + R) − R') of src/filter/reverse.h, for two full levels. */
function wrong_groups(float $rate, int $fanOut, int $holding): float
{
    $wrong = $rate * ($fanOut - $holding);
    return $rate * ($fanOut * ($wrong + $holding) - $holding);
}

$fills = array_map(fn (int $tenths): float => $tenths / 10, range(1, 20));
$rows = [['kind', 'fill', 'keys', 'predicted', 'of the bits', 'asked', 'positives', 'measured']];
$row = function (string $kind, float $fill, int $keys, float $predicted, Filter $filter) use (&$rows): void {
    $positives = positives($filter);
    $rows[] = [$kind, sprintf('%.1f', $fill), $keys, sprintf('%.5g', $predicted),
        sprintf('%.5g', $filter->info()->measuredFalsePositiveRate), ASKED, $positives,
        sprintf('%.5g', $positives / ASKED)];
};
$add = function (Filter $filter, int $from, int $to): void {
    for ($key = $from; $key < $to; $key++) {
        $filter->add($key);
    }
};

fwrite(STDERR, "loaded…\n");
foreach ($fills as $fill) {
    $keys = (int) round($fill * CAPACITY);
    $builder = new Builder(CAPACITY, RATE, seed: SEED);
    for ($key = 0; $key < $keys; $key++) {
        $builder->add($key);
    }
    $filter = Filter::load('loaded', $builder->build(maxFalsePositiveRate: 0.9));
    $row('loaded', $fill, $keys, predicted_for($keys, $filter->info()), $filter);
}

$counting = CountingFilter::create('counting', CAPACITY, RATE, SEED + 1);
foreach ([
    'live' => LiveFilter::create('live', CAPACITY, RATE, SEED + 2),
    'counting' => $counting,
    'sliding' => SlidingFilter::create('sliding', CAPACITY, RATE, 1_000_000, SEED + 3),
] as $kind => $filter) {
    fwrite(STDERR, "{$kind}…\n");
    $before = 0;
    foreach ($fills as $fill) {
        $keys = (int) round($fill * CAPACITY);
        $add($filter, $before, $keys);
        $row($kind, $fill, $keys, predicted_for($keys, $filter->info()), $filter);
        $before = $keys;
    }
}
// The same counting filter while its keys are removed.
foreach (array_reverse(array_slice($fills, 0, -1)) as $fill) {
    $keys = (int) round($fill * CAPACITY);
    while ($before > $keys) {
        $counting->remove(--$before);
    }
    $row('counting, after removals', $fill, $keys, predicted_for($keys, $counting->info()), $counting);
}

fwrite(STDERR, "scalable…\n");
$scalable = ScalableFilter::create('scalable', CAPACITY, RATE, seed: SEED + 4);
$before = 0;
foreach ([...$fills, 2.5, 2.9, 3.1, 4, 5, 6, 6.9, 7.1, 8, 10, 12, 14, 14.9, 15.1, 17, 20, 25, 30] as $fill) {
    $keys = (int) round($fill * CAPACITY);
    $add($scalable, $before, $keys);
    $row('scalable', $fill, $keys, predicted_for_layers($scalable->info()->layers), $scalable);
    $before = $keys;
}

fwrite(STDERR, "reverse…\n");
$index = ReverseIndex::create('reverse', GROUPS, CAPACITY, RATE_OF_INDEX, seed: SEED + 5);
$before = 0;
foreach ($fills as $fill) {
    $keys = (int) round($fill * CAPACITY);
    for ($value = $before; $value < $keys; $value++) {
        $index->add($value * 40_503 % GROUPS, $value);
    }
    $before = $keys;
    $info = $index->info();
    $laneBytes = intdiv($info->blockBytes, $info->fanOut);
    $rate = predicted($keys * 2, $info->shards, $info->shardBytes, $laneBytes, $info->probes);
    foreach (['reverse, absent' => 0, 'reverse, in one group' => 1] as $kind => $holding) {
        $found = 0;
        $asked = $holding === 0 ? ABSENT_OF_INDEX : $keys;
        for ($i = 0; $i < $asked; $i++) {
            $found += count($index->groups($holding === 0 ? -1 - $i : $i)) - $holding;
        }
        $rows[] = [$kind, sprintf('%.1f', $fill), $keys, sprintf('%.5g', wrong_groups($rate, 256, $holding)),
            sprintf('%.5g', wrong_groups($info->measuredFalsePositiveRate, 256, $holding)),
            $asked, $found, sprintf('%.5g', $found / $asked)];
    }
}

report(sprintf('Rate by fill (keys / capacity), capacity %s; for the index: wrong groups per answer, %s groups',
    number_format(CAPACITY), number_format(GROUPS)), $rows, $argv[1]);
foreach (Filter::list() as $name) {
    Filter::drop($name);
}
