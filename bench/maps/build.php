<?php
/* Measures how fast maps and ribbon filters are built from an array and from a file, in processor time. maps.php includes it. */

namespace BloomBench;

use Bloom\Builder;
use Bloom\MapBuilder;

/** Returns the processor time of this process in nanoseconds. */
function processor_time(): int
{
    $used = getrusage();
    return ($used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec']) * 1_000_000_000 + ($used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec']) * 1000;
}

$rows = [['keys', 'what', 'rounds', 'M keys/s a core', 'p5', 'p95']];
foreach ([1_000_000 => 11, 10_000_000 => 5] as $count => $rounds) {
    if ($count > (int) (getenv('BLOOM_BENCH_MAP_KEYS') ?: $count)) {
        continue;
    }
    $values = [];
    $files = ['map' => fopen("$directory/values", 'w'), 'ribbon' => fopen("$directory/keys", 'w')];
    each_part($count, function (array $part) use (&$values, $files): void {
        $values += $part;
        foreach ($part as $key => $value) {
            fwrite($files['map'], "$key\t$value\n");
            fwrite($files['ribbon'], "$key\n");
        }
    });
    array_map(fclose(...), $files);
    $keys = array_keys($values);
    $map = fn (): MapBuilder => new MapBuilder($count, 20, 0.01, seed: SEED);
    $ribbon = fn (): Builder => new Builder($count, 0.01, seed: SEED, scheme: \Bloom\Scheme::Ribbon);
    $tasks = [
        'map, setMany()' => fn () => [$builder = $map(), $builder->setMany($values), $builder->build()],
        'map, addFile()' => fn () => [$builder = $map(), $builder->addFile("$directory/values"), $builder->build()],
        'ribbon, addMany()' => fn () => [$builder = $ribbon(), $builder->addMany($keys), $builder->build()],
        'ribbon, addFile()' => fn () => [$builder = $ribbon(), $builder->addFile("$directory/keys"), $builder->build()],
    ];
    $speeds = [];
    for ($round = -1; $round < $rounds; $round++) {
        foreach ($tasks as $name => $task) {
            $before = processor_time();
            $task();
            if ($round >= 0) { // the first round is a warm-up
                $speeds[$name][] = $count / (processor_time() - $before) * 1e3;
            }
        }
    }
    foreach ($speeds as $name => $all) {
        $rows[] = [$count, $name, $rounds, ...array_map(fn (float $share): string => sprintf('%.2f', quantile($all, $share)), [0.5, 0.05, 0.95])];
    }
}
report('Building maps of 20 value bits, and ribbon filters, at 1 %, including build()', $rows, preg_replace('/\.tsv$/', '-build.tsv', $argv[1]));
