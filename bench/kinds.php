<?php
/* Measures the time of a lookup, an add and a remove in a warm filter of each kind, compared with an empty method. All times
 * include the loop. Also reports the bytes per key of each kind at 1 %. */

namespace BloomBench;

use Bloom\Builder;
use Bloom\CountingFilter;
use Bloom\Filter;
use Bloom\LiveFilter;
use Bloom\ReverseIndex;
use Bloom\ScalableFilter;
use Bloom\SlidingFilter;

require __DIR__ . '/common.php';

const KEYS = 80_000;
const GROUPS = 65_536;
const ROUNDS = 201;
const CALLS = 2_000; // per round: short, so that most rounds are not interrupted on a busy machine
const MANY = 1_000_000;

$held = $more = $absent = [];
for ($i = 0; $i < KEYS / 2; $i++) {
    $held[] = "held-$i"; // these keys are in every filter before a task begins
}
for ($i = 0; $i < 10 * CALLS; $i++) {
    $more[] = "more-$i";
    $absent[] = "absent-$i";
}
$parts = fn (array $keys): array => array_chunk(array_slice($keys, 0, 10 * CALLS), CALLS, true);

$make = [
    'live' => fn () => LiveFilter::create('live', KEYS, seed: SEED),
    'counting' => fn () => CountingFilter::create('counting', KEYS, seed: SEED),
    'scalable, 1 layer' => fn () => ScalableFilter::create('scalable1', KEYS, seed: SEED),
    'scalable, 6 layers' => fn () => ScalableFilter::create('scalable6', 1_200, seed: SEED), // 75,600 keys
    'sliding' => fn () => SlidingFilter::create('sliding', KEYS, 0.01, 1_000_000, SEED),
];
$blob = (function () use ($held): \Bloom\Blob {
    $builder = new Builder(KEYS, seed: SEED);
    $builder->addMany($held);
    return $builder->build();
})();
$make += ['loaded' => fn () => Filter::load('loaded', $blob)];

// Each call names its method, because a call by a variable name takes longer.
$loops = [
    'mightContain' => function (object $filter, array $keys): void {
        foreach ($keys as $key) {
            $filter->mightContain($key);
        }
    },
    'groups' => function (object $filter, array $keys): void {
        foreach ($keys as $key) {
            $filter->groups($key);
        }
    },
    'add' => function (object $filter, array $keys): void {
        foreach ($keys as $key) {
            $filter->add($key);
        }
    },
    'count' => function (object $filter, array $keys): void {
        foreach ($keys as $key) {
            $filter->count($key);
        }
    },
    'remove' => function (object $filter, array $keys): void {
        foreach ($keys as $key) {
            $filter->remove($key);
        }
    },
];
$look = $loops['mightContain'];

$tasks = $before = [];
/** Adds a task that calls a method with a different tenth of the keys each round, after an untimed run with the same keys. */
$call = function (string $task, object $filter, string $method, array $parts) use (&$tasks, &$before, $loops): void {
    $round = 0;
    $loop = $loops[$method];
    $before[$task] = $tasks[$task] = function () use ($filter, $loop, $parts, &$round): void {
        $loop($filter, $parts[intdiv($round++, 2) % 10]);
    };
};

$call("empty\tmethod", new EmptyFilter(), 'mightContain', $parts($absent));
foreach ($make as $kind => $create) {
    $filter = $create();
    if ($kind !== 'loaded') {
        $filter->addMany($held);
    }
    $call("$kind\tlookup, absent", $filter, 'mightContain', $parts($absent));
    $call("$kind\tlookup, present", $filter, 'mightContain', $parts($held));
    if ($kind === 'loaded') {
        continue;
    }
    // Keys are added to a separate filter. It is created half full and is replaced after every tenth round.
    $name = $filter->name();
    $own = new \stdClass();
    $own->round = 0;
    $remake = function () use ($own, $create, $name, $held): void {
        if ($own->round++ % 10 === 0) {
            Filter::drop($name);
            $own->filter = $create();
            $own->filter->addMany($held);
        }
    };
    $remake(); // the first round may begin with any task
    $methods = ['add, new key' => 'add', 'add, once more' => 'add'];
    if ($kind === 'counting') {
        $methods += ['count()' => 'count', 'remove' => 'remove'];
    }
    $keys = $parts($more);
    foreach ($methods as $what => $method) {
        $before["$kind\t$what"] = function () use ($own, $keys, $what, $remake, $look): void {
            if ($what === 'add, new key') {
                $remake();
            }
            $look($own->filter, $keys[($own->round - 1) % 10]);
        };
        $loop = $loops[$method];
        $tasks["$kind\t$what"] = function () use ($own, $keys, $loop): void {
            $loop($own->filter, $keys[($own->round - 1) % 10]);
        };
    }
}

$index = ReverseIndex::create('index', GROUPS, KEYS, 0.001, seed: SEED);
$own = new \stdClass();
$own->round = 0;
$fill = function (ReverseIndex $index) use ($held): ReverseIndex {
    foreach ($held as $i => $value) {
        $index->add($i * 40_503 % GROUPS, $value);
    }
    return $index;
};
$fill($index);
$values = $parts($more);
$remake = function () use ($own, $fill): void {
    if ($own->round++ % 10 === 0) {
        Filter::drop('index2');
        $own->filter = $fill(ReverseIndex::create('index2', GROUPS, KEYS, 0.001, seed: SEED));
    }
};
$remake();
$before["reverse\tadd, new value"] = function () use ($own, $remake, $look, $values): void {
    $remake();
    $look($own->filter, $values[($own->round - 1) % 10]);
};
$before["reverse\tadd, once more"] = function () use ($own, $look, $values): void {
    $look($own->filter, $values[($own->round - 1) % 10]);
};
foreach (['new value', 'once more'] as $what) {
    $tasks["reverse\tadd, $what"] = function () use ($own, $values): void {
        $index = $own->filter;
        foreach ($values[($own->round - 1) % 10] as $i => $value) {
            $index->add($i * 7_919 % GROUPS, $value);
        }
    };
}
$call("reverse\tgroups(), absent", $index, 'groups', $parts($absent));
$call("reverse\tgroups(), present", $index, 'groups', $parts($held));
$call("reverse\tlookup, absent", $index, 'mightContain', $parts($absent));

fwrite(STDERR, "measuring " . count($tasks) . " tasks…\n");
$times = interleaved($tasks, ROUNDS, $before);
$rows = [['kind', 'what', 'median ns', 'p5', 'p95', '× empty']];
foreach ($times as $name => $rounds) {
    [$kind, $what] = explode("\t", $name);
    $ratios = array_map(fn ($a, $b) => $a / $b, $rounds, $times["empty\tmethod"]);
    $ns = fn (float $share) => sprintf('%.1f', quantile($rounds, $share) / CALLS);
    $rows[] = [$kind, $what, $ns(0.5), $ns(0.05), $ns(0.95), sprintf('%.2f', quantile($ratios, 0.5))];
}
report('Each kind, warm, capacity ' . KEYS . ' at 1 %, index 0.1 %, ' . ROUNDS . ' interleaved rounds of ' . CALLS . ' calls',
    $rows, $argv[1]);
foreach (Filter::list() as $name) {
    Filter::drop($name);
}

fwrite(STDERR, "bytes a key…\n");
$rows = [['kind', 'keys', 'bytes', 'bits per key']];
$size = function (string $kind, int $keys, int $bytes) use (&$rows): void {
    $rows[] = [$kind, $keys, $bytes, sprintf('%.2f', $bytes * 8 / $keys)];
};
foreach ([KEYS, MANY] as $keys) {
    $builder = new Builder($keys, seed: SEED);
    for ($i = 0; $i < $keys; $i++) {
        $builder->add($i);
    }
    $filter = Filter::load('loaded', $builder->build());
    $size('loaded', $filter->info()->keys, $filter->info()->bytes);
    $size('live', $keys, LiveFilter::create('live', $keys)->info()->bytes);
    $size('counting', $keys, CountingFilter::create('counting', $keys)->info()->bytes);
    $size('sliding', $keys, SlidingFilter::create('sliding', $keys, 0.01, 60.0)->info()->bytes);
    foreach ([1 => 'first layer as large', 16 => 'first layer a 16th', 100 => 'first layer a 100th'] as $part => $how) {
        $filter = ScalableFilter::create('scalable', intdiv($keys, $part), seed: SEED);
        for ($i = 0; $i < $keys; $i++) {
            $filter->add($i);
        }
        $size("scalable, $how", $keys, $filter->info()->bytes);
        Filter::drop('scalable');
    }
    $size('reverse, 65,536 groups, 0.1 %', $keys, ReverseIndex::create('index', GROUPS, $keys)->info()->bytes);
    $size('reverse, 256 groups, 0.1 %', $keys, ReverseIndex::create('small', 256, $keys)->info()->bytes);
    foreach (Filter::list() as $name) {
        Filter::drop($name);
    }
}
report('Bytes per key at capacity, at 1 % unless stated otherwise', $rows, dirname($argv[1]) . '/size.tsv');
