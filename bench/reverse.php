<?php
/* Measures a reverse index of 65,536 groups and a million values, each in one group. Compares its answers with the formula, and
 * the cost of a lookup with the cost of one filter for each group. */

namespace BloomBench;

use Bloom\Builder;
use Bloom\ReverseIndex;

require __DIR__ . '/common.php';

const GROUPS = 65_536;
const VALUES = 1_000_000;
const RATE = 0.001;
const ASKED = 200_000;
const SAMPLE = 1_024;      // groups with a Blob each
const SCAN_PROBES = 11;    // produces about as many wrong groups as the index
const ROUNDS = 201;

$group = fn (int $i): int => $i * 40_503 % GROUPS;

fwrite(STDERR, "filling…\n");
$index = ReverseIndex::create('index', GROUPS, VALUES, RATE, seed: SEED);
Scan::open(GROUPS, SCAN_PROBES);
for ($i = 0; $i < VALUES; $i++) {
    $index->add($group($i), "value-$i");
    Scan::add($group($i), "value-$i");
}
$builders = [];
for ($g = 0; $g < SAMPLE; $g++) {
    $builders[$g] = new Builder(16, 1e-6, seed: SEED);
}
for ($i = 0; $i < VALUES; $i++) {
    if ($group($i) < SAMPLE) {
        $builders[$group($i)]->add("value-$i");
    }
}
$blobs = array_map(fn (Builder $builder) => $builder->build(0.5), $builders);
$info = $index->info();

// ---- answers ----

/** Returns the wrong groups per answer: W' = rate · (c · (W + R) − R') of src/filter/reverse.h, for two full levels. */
function wrong_groups(float $rate, int $fanOut, int $holding): float
{
    $wrong = $rate * ($fanOut - $holding);
    return $rate * ($fanOut * ($wrong + $holding) - $holding);
}

mt_srand(SEED);
$wrong = ['index' => [0, 0], 'scan' => [0, 0]];
$most = 0;
for ($i = 0; $i < ASKED; $i++) {
    $held = mt_rand(0, VALUES - 1);
    foreach (["absent-$i", "value-$held"] as $holding => $value) {
        $found = $index->groups($value);
        $most = max($most, count($found));
        $wrong['index'][$holding] += count($found) - $holding;
        if ($holding && !in_array($group($held), $found, true)) {
            exit("a false negative: $value\n");
        }
    }
}
$asked_of_scan = 5_000;
for ($i = 0; $i < $asked_of_scan; $i++) {
    $wrong['scan'][0] += count(Scan::groups("absent-$i"));
    $wrong['scan'][1] += count(Scan::groups("value-$i")) - 1;
}
$rows = [['value', 'predicted wrong groups', 'measured', 'of the scan', 'lookups', 'most groups']];
foreach (['in no group', 'in one group'] as $holding => $what) {
    $rows[] = [$what, sprintf('%.4f', wrong_groups($info->measuredFalsePositiveRate, $info->fanOut, $holding)),
        sprintf('%.4f', $wrong['index'][$holding] / ASKED), sprintf('%.4f', $wrong['scan'][$holding] / $asked_of_scan),
        ASKED, $most];
}
report(sprintf('Wrong groups an answer: %s groups, %s values, asked %g %%, measured %.4f %% over the bits',
    number_format(GROUPS), number_format(VALUES), RATE * 100, $info->measuredFalsePositiveRate * 100),
    $rows, dirname($argv[1]) . '/reverse-groups.tsv');

// ---- cost: each task runs once untimed, then timed with different values ----

$tasks = $calls = [];
$empty = new EmptyFilter();
foreach (['in no group' => 'absent-', 'in one group' => 'value-'] as $what => $prefix) {
    $next = 0;
    $values = [];
    for ($i = 0; $i < 100_000; $i++) {
        $values[] = $prefix . mt_rand(0, VALUES - 1);
    }
    $few = array_slice($values, 0, 50);
    $tasks["index\t$what"] = function () use ($index, $values, &$next) {
        for ($end = $next + 2_000; $next < $end; $next++) { // new values each round
            $index->groups($values[$next % 100_000]);
        }
    };
    $calls["index\t$what"] = 2_000;
    $tasks["scan in C\t$what"] = function () use ($few) {
        static $round = 0;
        Scan::groups($few[$round++ % 50]);
    };
    $calls["scan in C\t$what"] = 1;
    $tasks["a Blob a group\t$what"] = function () use ($few, $blobs) {
        static $round = 0;
        $value = $few[$round++ % 50];
        foreach ($blobs as $blob) {
            $blob->mightContain($value);
        }
    };
    $calls["a Blob a group\t$what"] = SAMPLE / GROUPS; // scaled to all groups
    unset($next);
}
$tasks["empty method\t-"] = function () use ($empty, $values) {
    for ($i = 0; $i < 2_000; $i++) {
        $empty->mightContain($values[$i]);
    }
};
$calls["empty method\t-"] = 2_000;
$times = interleaved($tasks, ROUNDS, $tasks);
$bytes = [
    'index' => $info->bytes,
    'scan in C' => GROUPS * 64,
    'a Blob a group' => GROUPS * $blobs[0]->info()->bytes,
    'empty method' => 0,
];
$rows = [['what', 'value', 'median µs', 'p5', 'p95', 'of the index', 'bytes', 'bits a value']];
foreach ($times as $name => $rounds) {
    [$kind, $what] = explode("\t", $name);
    $us = fn (float $share) => sprintf('%.3f', quantile($rounds, $share) / 1e3 / $calls[$name]);
    $other = "index\t" . ($what === '-' ? 'in no group' : $what);
    $ratios = array_map(fn ($a, $b) => $a / $calls[$name] / ($b / $calls[$other]), $rounds, $times[$other]);
    $rows[] = [$kind, $what, $us(0.5), $us(0.05), $us(0.95), sprintf('%.2f ×', quantile($ratios, 0.5)),
        $bytes[$kind], sprintf('%.2f', $bytes[$kind] * 8 / VALUES)];
}
report(sprintf('Lookups among %s groups, %d interleaved rounds; %s of the Blobs were measured, and their time was multiplied by %d',
    number_format(GROUPS), ROUNDS, number_format(SAMPLE), GROUPS / SAMPLE), $rows, $argv[1]);
ReverseIndex::drop('index');
