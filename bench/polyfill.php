<?php
/* Compares the package in pure PHP (packages/php) with the extension: the same operations in alternating processes. */

namespace BloomBench;

require __DIR__ . '/common.php';

const ROUNDS = 11;
const KEYS = 100_000;

/** Prints the nanoseconds per key of each operation as JSON. */
const OPERATIONS = <<<'PHP'
    use Bloom\{Builder, Filter, LiveFilter};
    $keys = array_map(fn (int $i): string => "key-$i", range(1, (int) $argv[1]));
    $absent = array_map(fn (int $i): string => "absent-$i", range(1, 4000));
    $times = [];
    $time = function (string $what, int $count, callable $task) use (&$times): void {
        $start = hrtime(true);
        $task();
        $times[$what] = (hrtime(true) - $start) / $count;
    };
    $builder = new Builder(count($keys), 0.01, seed: 5);
    $time('Builder::addMany()', count($keys), fn () => $builder->addMany($keys));
    $blob = $builder->build();
    $filter = Filter::load('loaded', $blob);
    $filter->mightContain('x');
    $time('LoadedFilter::mightContain()', 4000, function () use ($filter, $absent): void {
        foreach ($absent as $key) {
            $filter->mightContain($key);
        }
    });
    $lists = array_chunk($absent, 20);
    $time('LoadedFilter::candidates() of 20 keys', 4000, function () use ($filter, $lists): void {
        foreach ($lists as $list) {
            $filter->candidates($list);
        }
    });
    $live = LiveFilter::create('live', 10000, seed: 5);
    $time('LiveFilter::add()', 2000, function () use ($live, $keys): void {
        for ($i = 0; $i < 2000; $i++) {
            $live->add($keys[$i]);
        }
    });
    $time('LiveFilter::mightContain()', 4000, function () use ($live, $absent): void {
        foreach ($absent as $key) {
            $live->mightContain($key);
        }
    });
    echo json_encode($times);
    PHP;

$script = getenv('BLOOM_BENCH_DIRECTORY') . '/polyfill.php';
file_put_contents($script, '<?php ' . OPERATIONS);
$with = [
    'extension' => ['-d', 'extension=' . getenv('BLOOM_BENCH_MODULE')],
    'package' => ['-d', 'auto_prepend_file=' . dirname(__DIR__) . '/packages/php/tests/prepend.php'],
];
$times = [];
for ($round = 0; $round < ROUNDS; $round++) {
    foreach ($round % 2 === 0 ? $with : array_reverse($with) as $which => $arguments) {
        $segment = getenv('BLOOM_BENCH_DIRECTORY') . '/polyfill-segment';
        $command = [PHP_BINARY, '-n', '-d', "bloom.path=$segment", ...$arguments, $script, (string) KEYS];
        exec(implode(' ', array_map(escapeshellarg(...), $command)), $output, $status);
        $found = json_decode(implode('', $output), true) ?? throw new \RuntimeException(implode("\n", $output));
        $output = [];
        foreach ($found as $what => $nanoseconds) {
            $times[$what][$which][] = $nanoseconds;
        }
        exec('rm -rf ' . escapeshellarg($segment));
    }
}
$rows = [['operation', 'package µs', '5 %', '95 %', 'extension µs', 'ratio']];
foreach ($times as $what => ['package' => $package, 'extension' => $extension]) {
    $rows[] = [
        $what, sprintf('%.1f', quantile($package, 0.5) / 1e3), sprintf('%.1f', quantile($package, 0.05) / 1e3),
        sprintf('%.1f', quantile($package, 0.95) / 1e3), sprintf('%.3f', quantile($extension, 0.5) / 1e3),
        sprintf('%.0f', quantile($package, 0.5) / quantile($extension, 0.5)),
    ];
}
report('Time per key: the package in pure PHP, and the extension', $rows, $argv[1]);
