<?php

/**
 * Measures a lookup in a worker with several methods. All methods run alternately in one request for many
 * rounds, so that other load on the machine affects all of them. Times include the loop.
 */

namespace Demo;

use Bloom\Filter;

const ROUNDS = 31;

/** The slow methods look up fewer keys, so that a round remains short. */
const KEYS_OF_A_STORE = 1000;

final class Nothing
{
    public function mightContain(string $key): bool
    {
        return false;
    }
}

/**
 * Returns a loop for each method. The loop takes keys in batches of ten and returns how many may have an article.
 *
 * @return array<string, callable>
 */
function ways(Filter $filter): array
{
    $nothing = new Nothing();
    return [
        'empty PHP method' => function (array $batches) use ($nothing): int {
            $found = 0;
            foreach ($batches as $batch) {
                foreach ($batch as $key) {
                    $found += $nothing->mightContain($key) ? 1 : 0;
                }
            }
            return $found;
        },
        'mightContain()' => function (array $batches) use ($filter): int {
            $found = 0;
            foreach ($batches as $batch) {
                foreach ($batch as $key) {
                    $found += $filter->mightContain($key) ? 1 : 0;
                }
            }
            return $found;
        },
        'candidates() of 10, a key' => function (array $batches) use ($filter): int {
            $found = 0;
            foreach ($batches as $batch) {
                $found += \count($filter->candidates($batch));
            }
            return $found;
        },
        'apcu_exists()' => function (array $batches): int {
            $found = 0;
            foreach ($batches as $batch) {
                foreach ($batch as $key) {
                    $found += \apcu_exists($key) ? 1 : 0;
                }
            }
            return $found;
        },
    ];
}

/** Returns a loop with the same lookup in the articles' files. */
function ways_of_directory(): array
{
    return [
        'file_exists() of the article' => function (array $batches): int {
            $found = 0;
            foreach ($batches as $batch) {
                foreach ($batch as $key) {
                    $found += \file_exists(article_path($key)) ? 1 : 0;
                }
            }
            return $found;
        },
    ];
}

/** Returns loops with the same lookup in a Redis on a unix socket. */
function ways_of_redis(\Redis $redis): array
{
    return [
        'Redis MGET of 10, a key' => function (array $batches) use ($redis): int {
            $found = 0;
            foreach ($batches as $batch) {
                $values = $redis->mget(array_map(article_key(...), $batch));
                $found += \count($values) - \count(array_keys($values, false, true));
            }
            return $found;
        },
        'Redis EXISTS' => function (array $batches) use ($redis): int {
            $found = 0;
            foreach ($batches as $batch) {
                foreach ($batch as $key) {
                    $found += $redis->exists(article_key($key)) ? 1 : 0;
                }
            }
            return $found;
        },
    ];
}

/** Returns the processor time that this process has used, in nanoseconds. */
function processor_time(): int
{
    $usage = getrusage();
    return 1000 * (1_000_000 * ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']);
}

/**
 * @return array{ways: array<string, array{times: list<float>, found: int, keys: int}>, waited: float} times: nanoseconds
 *         per key, for each round. `waited` is the share of the time that the fast ways, which never wait for anything else,
 *         waited for a processor
 */
function measure(array $keys, Filter $filter): array
{
    $fast = ways($filter);
    $slow = uses_redis() ? ways_of_redis(redis()) : ways_of_directory();
    $all = array_chunk($keys, 10);
    $few = array_slice($all, 0, intdiv(KEYS_OF_A_STORE, 10));
    $result = [];
    $time = $used = 0;
    /* Round 0 is a warm-up. Each round starts with a different method. */
    for ($round = 0; $round <= ROUNDS; $round++) {
        $names = array_keys($fast + $slow);
        $shift = $round % count($names);
        foreach ([...array_slice($names, $shift), ...array_slice($names, 0, $shift)] as $name) {
            $batches = isset($fast[$name]) ? $all : $few;
            $count = 10 * count($batches);
            $ask = $fast[$name] ?? $slow[$name];
            $usedBefore = processor_time();
            $start = hrtime(true);
            $found = $ask($batches);
            $took = hrtime(true) - $start;
            if (isset($fast[$name])) {
                $time += $took;
                $used += processor_time() - $usedBefore;
            }
            if ($round > 0) {
                $result[$name]['times'][] = $took / $count;
                $result[$name] = ['found' => $found, 'keys' => $count] + $result[$name];
            }
        }
    }
    return ['ways' => array_replace(array_intersect_key($fast + $slow, $result), $result), 'waited' => 1 - $used / $time];
}
