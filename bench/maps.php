<?php
/* Compares maps with a ribbon filter of the same keys and rate, and with other ways to get the value of a key: bytes per key, and
 * lookups of one key and of pages of PAGE keys. Each way is in its best form, and the servers listen on a Unix socket. All ways look
 * up the same keys in the same rounds, so each way finds the caches full of what the others have read. Maps and ribbon filters are
 * also measured warm: without the others, and with so few keys that what they read stays in the second-level cache. */

namespace BloomBench;

use Bloom\Builder;
use Bloom\Filter;
use Bloom\LoadedMap;
use Bloom\MapBuilder;

require __DIR__ . '/common.php';
require __DIR__ . '/maps/ways.php';

const PAGE = 20;
const ASKED = 10_000;
const ASKED_WARM = 2_000;
const MAPS = ['map of 20 bits' => [20, 0.01], 'map of 32 bits' => [32, 0.01], 'map of 20 bits, no check bits' => [20, 1.0]];
const ROUNDS_WARM = 501;
const ROUNDS = [10_000 => 51, 1_000_000 => 51, 10_000_000 => 31];

/** The value of key $i of 20 bits, which all ways store. */
function value_of(int $i): int
{
    return $i * 7 & 0xFFFFF;
}

/** Calls $take with parts of the map from keys to values. */
function each_part(int $count, callable $take): void
{
    for ($from = 0; $from < $count; $from += 100_000) {
        $values = [];
        for ($i = $from; $i < min($count, $from + 100_000); $i++) {
            $values["tag-$i"] = value_of($i);
        }
        $take($values);
    }
}

function ribbon(int $count): array
{
    $builder = new Builder($count, 0.01, seed: SEED, scheme: \Bloom\Scheme::Ribbon);
    each_part($count, fn (array $values) => $builder->addMany(array_keys($values)));
    $filter = Filter::load('ribbon', $blob = $builder->build());
    return [
        'bytes' => $blob->info()->bytes,
        'value' => null,
        'one' => function (array $keys) use ($filter): int {
            $found = 0;
            foreach ($keys as $key) {
                $found += $filter->mightContain($key) ? 1 : 0;
            }
            return $found;
        },
        'page' => function (array $pages) use ($filter): int {
            $found = 0;
            foreach ($pages as $page) {
                $found += count($filter->candidates($page));
            }
            return $found;
        },
    ];
}

function map(int $count, int $bits, float $rate): array
{
    $builder = new MapBuilder($count, $bits, $rate, seed: SEED);
    each_part($count, $builder->setMany(...));
    $map = LoadedMap::load("map-$bits-" . ($rate < 1 ? 'checked' : 'unchecked'), $blob = $builder->build());
    return [
        'bytes' => $blob->info()->bytes,
        'value' => $map->get(...),
        'one' => function (array $keys) use ($map): int {
            $found = 0;
            foreach ($keys as $key) {
                $found += $map->get($key) !== null ? 1 : 0;
            }
            return $found;
        },
        'page' => function (array $pages) use ($map): int {
            $found = 0;
            foreach ($pages as $page) {
                $found += count($map->getMany($page));
            }
            return $found;
        },
    ];
}

/** Returns lists and pages of keys: all present, all absent, and pages of which 3 keys exist. */
function asked(int $count): array
{
    mt_srand(SEED);
    $present = $absent = [];
    while (count($present) < min(ASKED, $count)) { // a server's answer for several keys contains each key once
        $present['tag-' . mt_rand(0, $count - 1)] = true;
    }
    $present = array_keys($present);
    for ($i = 0; $i < ASKED; $i++) {
        $absent[] = 'tag-' . ($count + 100 * $i + mt_rand(0, 99));
    }
    shuffle($absent);
    $mixed = [];
    foreach (array_chunk($absent, PAGE) as $i => $page) {
        $mixed[] = [...array_slice($page, 3), ...array_slice($present, 3 * $i, 3)];
        shuffle($mixed[$i]);
    }
    return [
        'one, present' => $present,
        'one, absent' => $absent,
        'page, present' => array_chunk($present, PAGE),
        'page, absent' => array_chunk($absent, PAGE),
        'page, 3 present' => $mixed,
    ];
}

/** Fails if a way does not have the values. */
function check_values(string $name, ?callable $value, int $count): void
{
    for ($i = 0; $value !== null && $i < $count; $i += max(1, intdiv($count, 1000))) {
        if ((int) $value("tag-$i") !== value_of($i)) {
            throw new \RuntimeException("$name: a wrong value of tag-$i");
        }
    }
}

/** @return list<list<string>> rows of times per key and of their ratios to those of the ribbon filter, which is the first way */
function rows_of(int $count, array $times, int $keys): array
{
    $rows = $of_ribbon = [];
    foreach ($times as $task => $rounds) {
        [$name, $form] = explode("\t", $task);
        $of_ribbon[$form] ??= $rounds;
        $ratios = array_map(fn (float $one, float $other): float => $one / $other, $rounds, $of_ribbon[$form]);
        $rows[] = [
            $count, $name, $form,
            ...array_map(fn (float $share): string => sprintf('%.1f', quantile($rounds, $share) / $keys), [0.5, 0.05, 0.95]),
            ...array_map(fn (float $share): string => sprintf('%.2f', quantile($ratios, $share)), [0.5, 0.05, 0.95]),
        ];
    }
    return $rows;
}

/** Fails if a task has found a wrong number of keys. */
function check_found(string $task, int $found, int $keys): void
{
    [$name, $form] = explode("\t", $task);
    $there = match ($form) {
        'one, absent', 'page, absent' => 0,
        'page, 3 present' => intdiv(3 * $keys, PAGE),
        default => $keys,
    };
    $is_exact = !isset(MAPS[$name]) && $name !== 'ribbon filter';
    if ($is_exact ? $found !== $there : $found < $there) {
        throw new \RuntimeException("$task: found $found of $there keys");
    }
}

$directory = getenv('BLOOM_BENCH_DIRECTORY');
$heading = ['keys', 'way', 'asked', 'ns a key', 'p5', 'p95', '× ribbon', 'p5', 'p95'];
$lookups = $warm = [$heading];
$sets = [['keys', 'way', 'bytes a key', 'bits a key', '× value and check bits']];
$load = sys_getloadavg()[0];
foreach (ROUNDS as $count => $rounds) {
    if ($count > (int) (getenv('BLOOM_BENCH_MAP_KEYS') ?: $count)) {
        continue;
    }
    mkdir("$directory/$count");
    $ways = ['ribbon filter' => fn () => ribbon($count)];
    foreach (MAPS as $name => [$bits, $rate]) {
        $ways[$name] = fn () => map($count, $bits, $rate);
    }
    $ways += ways("$directory/$count", $count);
    $asked = asked($count);
    $tasks = $tasks_warm = $found = [];
    foreach ($ways as $name => $make) {
        $start = hrtime(true);
        $way = $make();
        fwrite(STDERR, sprintf("%d keys, %s: %.1f s\n", $count, $name, (hrtime(true) - $start) / 1e9));
        check_values($name, $way['value'], $count);
        [$bits, $rate] = MAPS[$name] ?? [0, $name === 'ribbon filter' ? 0.01 : null];
        $bytes = $way['bytes'] / $count;
        $sets[] = [$count, $name, sprintf('%.2f', $bytes), sprintf('%.2f', 8 * $bytes), $rate === null ? '–' : sprintf('%.3f', 8 * $bytes / ($bits - log($rate, 2)))];
        foreach ($asked as $form => $keys) {
            $ask = $way[str_starts_with($form, 'one') ? 'one' : 'page'];
            $tasks["$name\t$form"] = function () use ($ask, $keys, $name, $form, &$found): void {
                $found["$name\t$form"] = $ask($keys);
            };
            if ($rate !== null) {
                $few = array_slice($keys, 0, str_starts_with($form, 'one') ? ASKED_WARM : intdiv(ASKED_WARM, PAGE));
                $tasks_warm["$name\t$form"] = fn () => $ask($few);
            }
        }
        if ($name === array_key_last(MAPS)) {
            array_push($warm, ...rows_of($count, interleaved($tasks_warm, ROUNDS_WARM, $tasks_warm), ASKED_WARM));
        }
    }
    $times = interleaved($tasks, $rounds);
    foreach ($found as $task => $keys) {
        check_found($task, $keys, ASKED);
    }
    array_push($lookups, ...rows_of($count, $times, ASKED));
    unset($tasks, $tasks_warm, $way, $ask);
    forget($directory, $count);
}
report(sprintf(
    'Maps and other ways to get values, interleaved rounds of %d keys; load of the machine before and after: %.1f, %.1f',
    ASKED,
    $load,
    sys_getloadavg()[0]
), $lookups, $argv[1]);
report('The same for maps and ribbon filters alone, warm', $warm, preg_replace('/\.tsv$/', '-warm.tsv', $argv[1]));
report('What the keys and values take', $sets, preg_replace('/\.tsv$/', '-sets.tsv', $argv[1]));

require __DIR__ . '/maps/build.php';
