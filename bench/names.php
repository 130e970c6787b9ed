<?php
/* Measures the cost of calls with many filters of 1,000 keys each, and the memory of each filter. Calls cycle through the
 * names, so that this process has not used the called filter recently. */

namespace BloomBench;

use Bloom\Filter;
use Bloom\LiveFilter;

require __DIR__ . '/common.php';

const KEYS = 1000;

/** Returns the median and the 5th and 95th percentiles of a call's time, in microseconds. */
function timed(callable $call, int $times): array
{
    $taken = [];
    for ($i = 0; $i < $times; $i++) {
        $start = hrtime(true);
        $call($i);
        $taken[] = (hrtime(true) - $start) / 1000;
    }
    return array_map(fn (float $share) => sprintf('%.1f', quantile($taken, $share)), [0.5, 0.05, 0.95]);
}

/** Returns the bytes in use in the segment's file system, which counts whole pages. */
function in_use(): float
{
    $path = dirname(ini_get('bloom.path'));
    return disk_total_space($path) - disk_free_space($path);
}

$keys = array_map(fn ($i) => "key$i", range(1, KEYS));
$before = in_use();
$rows = [['filters', 'call', 'median µs', 'p5', 'p95']];
$made = 0;
foreach ([100, 10_000, 100_000] as $count) {
    for (; $made < $count; $made++) {
        LiveFilter::create("filter$made", KEYS, seed: SEED)->addMany($keys);
    }
    $bytes = (in_use() - $before) / $count;
    $times = min(1000, $count);
    $at = fn (int $i): string => 'filter' . $i * intdiv($count, $times);
    $last = Filter::open($at(0));
    $rows = [
        ...$rows,
        [$count, 'create(), new, and drop()', ...timed(function ($i) {
            LiveFilter::create("new$i", KEYS);
            Filter::drop("new$i");
        }, $times)],
        [$count, 'create(), which is there', ...timed(fn ($i) => LiveFilter::create($at($i), KEYS), $times)],
        [$count, 'open(), not used lately', ...timed(fn ($i) => Filter::open($at($i)), $times)],
        [$count, 'open(), again', ...timed(fn () => Filter::open($at(0)), $times)],
        [$count, 'create(), again', ...timed(fn () => LiveFilter::create($at(0), KEYS), $times)],
        [$count, 'add()', ...timed(fn ($i) => $last->add("added$i"), $times)],
        [$count, 'info()', ...timed(fn () => $last->info(), $times)],
        [$count, 'list()', ...timed(fn () => Filter::list(), 3)],
        [$count, sprintf('%.1f KiB of memory a filter', $bytes / 1024), '', '', ''],
    ];
}
report('Calls among many filters of ' . KEYS . ' keys', $rows, $argv[1]);
