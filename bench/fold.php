<?php
/* Measures Bloom\Kit\Fold: the processor time of a lookup key, and of loading the table. Prints the median of the rounds. */

namespace BloomBench;

use Bloom\Kit\Fold;

require dirname(__DIR__) . '/packages/kit/src/Fold.php';

const ROUNDS = 21;
const KEYS = 20_000;

/** Microseconds of processor time, which does not depend on other processes as much as the wall clock does. */
function spent(): float
{
    $usage = getrusage();
    return $usage['ru_utime.tv_sec'] * 1e6 + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_sec'] * 1e6 + $usage['ru_stime.tv_usec'];
}

$start = spent();
require dirname(__DIR__) . '/packages/kit/src/MysqlEquality.php';
printf("%-24s %8.2f ms\n", 'the table', (spent() - $start) / 1000);
$fold = Fold::mysql();
$samples = ['ASCII' => 'jose.smith@example.com', 'Latin' => 'José Núñez García', 'Japanese' => '東京タワーのカクテル', 'Korean' => '한국어 텍스트', 'Thai' => 'สวัสดีเมือง'];
foreach ($samples as $script => $key) {
    $times = [];
    for ($round = 0; $round < ROUNDS; $round++) {
        $start = spent();
        for ($i = 0; $i < KEYS; $i++) {
            $fold->lookup($key);
        }
        $times[] = (spent() - $start) / KEYS;
    }
    sort($times);
    printf("%-24s %8.2f µs\n", "$script: $key", $times[intdiv(ROUNDS, 2)]);
}
