<?php
/* Compares packages/pleonasm with the original, pleonasm/bloom-filter, of which PLEONASM is a checkout: the same operations in
 * alternating processes, on a filter of 100,000 keys. */

namespace BloomBench;

require __DIR__ . '/common.php';

const ROUNDS = 21;
const KEYS = 100_000;
const RATE = 0.001;

/** Prints the nanoseconds of each operation as JSON: the fastest of 40 series of calls, because other programs slow down some. */
const OPERATIONS = <<<'PHP'
    use Pleo\BloomFilter\{BloomFilter, SharedBloomFilter};
    [, $classes, $which, $keys, $rate, $json] = $argv;
    spl_autoload_register(fn (string $class) => require $classes . strrchr(strtr($class, '\\', '/'), '/') . '.php');
    $open = $which === 'shared' ? fn () => new SharedBloomFilter('seen', $keys, $rate)
        : fn () => BloomFilter::initFromJson(json_decode(file_get_contents($json), true));
    $filter = $open();
    $time = function (int $calls, callable $task) use ($filter): float {
        $times = [];
        for ($series = 0; $series < 40; $series++) {
            $keys = [];
            for ($i = 0; $i < $calls; $i++) {
                $keys[] = $series * $calls + $i;
            }
            $times[] = $task($keys) / $calls;
        }
        return min($times);
    };
    $timed = fn (string $prefix, string $method): callable => function (array $keys) use ($filter, $prefix, $method): int {
        foreach ($keys as &$key) {
            $key = "$prefix-$key";
        }
        unset($key);
        if ($method === 'add') {
            $start = hrtime(true);
            foreach ($keys as $key) {
                $filter->add($key);
            }
            return hrtime(true) - $start;
        }
        $start = hrtime(true);
        foreach ($keys as $key) {
            $filter->exists($key);
        }
        return hrtime(true) - $start;
    };
    echo json_encode([
        'open the filter' => $time(1, function () use ($open): int {
            static $opened; // Freeing it before the next one would give memory back to the system.
            $start = hrtime(true);
            $opened = $open();
            return hrtime(true) - $start;
        }),
        'exists() of a key that was added' => $time(50, $timed('key', 'exists')),
        'exists() of another key' => $time(50, $timed('absent', 'exists')),
        'add()' => $time(50, $timed('new', 'add')),
    ]);
    PHP;

$original = (string) getenv('PLEONASM');
if (!is_file("$original/src/BloomFilter.php")) {
    fwrite(STDERR, "pleonasm: set PLEONASM to a checkout of https://github.com/pleonasm/bloom-filter\n");
    exit(1);
}
$own = dirname(__DIR__) . '/packages/pleonasm/src';
spl_autoload_register(fn (string $class) => require $own . strrchr(strtr($class, '\\', '/'), '/') . '.php');
$work = getenv('BLOOM_BENCH_DIRECTORY') . '/pleonasm';
mkdir($work);
file_put_contents("$work/operations.php", '<?php ' . OPERATIONS);
$command = fn (string $which): string => implode(' ', array_map(escapeshellarg(...), [
    PHP_BINARY, '-n', '-d', 'extension=' . getenv('BLOOM_BENCH_MODULE'), '-d', "bloom.path=$work/segment",
    "$work/operations.php", $which === 'original' ? "$original/src" : $own, $which, (string) KEYS, (string) RATE, "$work/filter.json",
]));

// 90 % of the keys. What is added during the measurement goes into the others' memory, and into a new shared filter.
$stored = \Pleo\BloomFilter\BloomFilter::init(KEYS, RATE);
$names = array_map(fn (int $i): string => "key-$i", range(0, (int) (KEYS * 0.9)));
array_map($stored->add(...), $names);
file_put_contents("$work/filter.json", json_encode($stored));

$times = [];
foreach (range(1, ROUNDS) as $round) {
    $order = ['original', 'package', 'shared'];
    foreach ($round % 2 === 0 ? $order : array_reverse($order) as $which) {
        if ($which === 'shared') {
            $fill = 'Bloom\LiveFilter::create("seen", (int) $argv[1], (float) $argv[2])->addMany((function ($n) { for ($i = 0; $i < $n; $i++) { yield "key-$i"; } })((int) $argv[3]));';
            exec(implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, '-n', '-d', 'extension=' . getenv('BLOOM_BENCH_MODULE'), '-d',
                "bloom.path=$work/segment", '-r', $fill, (string) KEYS, (string) RATE, (string) count($names)])), $output, $status);
            $status === 0 || throw new \RuntimeException(implode("\n", $output));
        }
        exec($command($which), $output, $status);
        foreach (json_decode(implode('', $output), true) ?? throw new \RuntimeException(implode("\n", $output)) as $what => $nanoseconds) {
            $times[$what][$which][] = $nanoseconds / 1e3;
        }
        $output = [];
        exec('rm -rf ' . escapeshellarg("$work/segment"));
    }
}
$rows = [['operation', 'original µs', '5 %', '95 %', 'package µs', '5 %', '95 %', 'shared µs', '5 %', '95 %', 'original/package', 'original/shared']];
foreach ($times as $what => $candidates) {
    $row = [$what];
    foreach ($order as $which) {
        foreach ([0.5, 0.05, 0.95] as $share) {
            $row[] = sprintf($which === 'shared' ? '%.3f' : '%.2f', quantile($candidates[$which], $share));
        }
    }
    foreach (['package', 'shared'] as $which) {
        $ratios = array_map(fn (float $one, float $other): float => $one / $other, $candidates['original'], $candidates[$which]);
        $row[] = sprintf('%.1f', quantile($ratios, 0.5));
    }
    $rows[] = $row;
}
report('Time per call of packages/pleonasm beside the original', $rows, $argv[1]);
