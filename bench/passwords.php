<?php
/* Builds filters of breached passwords from a file like that of haveibeenpwned-downloader, publishes and loads them, and asks them.
 * Only `bench/run passwords` runs this part. It takes about a quarter of an hour, and it needs 7 GB of disk space in build/ while it
 * runs. The sizes for other numbers of keys are computed. */

namespace BloomBench;

use Bloom\Builder;
use Bloom\Filter;
use Bloom\Kit\HostFilter;
use Bloom\Kit\ListFilter;
use Bloom\Scheme;

require __DIR__ . '/common.php';
foreach (['Fold', 'Keys', 'HostMembership', 'HostFilter', 'ListFilter'] as $class) {
    require dirname(__DIR__) . "/packages/kit/src/$class.php";
}

const PWNED = 1_300_000_000; // about as many as are published
const RATE = 0.000001;
const RATES = [0.01, 0.001, 0.0001, 0.00001, 0.000001, 0.0000001];
const ADDED = [1_000, 10_000];
const ASKED = 100_000;
const ASKED_A_ROUND = 500; // a round is short, so that other processes interrupt few of them
const ROUNDS = 1_001;
const LINE_BYTES = 60; // more than a line has

$count = (int) (getenv('BLOOM_BENCH_KEYS') ?: 100_000_000);
$root = dirname(__DIR__);
$directory = "$root/build/passwords";
is_dir("$directory/store") || mkdir("$directory/store", 0700, true);
register_shutdown_function(fn () => exec('rm -rf ' . escapeshellarg($directory)));
chdir($directory);
$result = fn (string $name): string => preg_replace('/\.tsv$/', "-$name.tsv", $GLOBALS['argv'][1]);

$sizes = [['rate', 'scheme', 'keys', 'bytes', 'GB', 'bits a key']];
foreach ([$count, PWNED] as $keys) {
    foreach ([Scheme::Bloom, Scheme::Ribbon] as $scheme) {
        foreach (RATES as $rate) {
            $info = (new Builder($keys, $rate, scheme: $scheme))->info();
            $sizes[] = [
                rtrim(sprintf('%.7f', $rate), '0'), $scheme->value, $keys, $info->bytes, sprintf('%.2f', $info->bytes / 1e9), sprintf('%.2f', $info->bytes * 8 / $keys),
            ];
        }
    }
}
report('Sizes, computed', $sizes, $result('sizes'));

$bloom = implode(' ', array_map(escapeshellarg(...), [
    PHP_BINARY, '-d', 'extension=' . getenv('BLOOM_BENCH_MODULE'), '-d', 'bloom.path=' . ini_get('bloom.path'), "$root/packages/cli/bin/bloom",
]));
// The capacity leaves room for the next versions, which keep the layout.
$build = "$bloom build --quiet --field=1 --delimiter=: --rate=" . sprintf('%.6f', RATE) . ' --seed=' . SEED;
$capacity = '--capacity=' . intdiv($count * 51, 50);
$generate = escapeshellarg(PHP_BINARY) . ' -n ' . escapeshellarg("$root/bench/passwords/generate.php");
$rows = [['what', 'seconds', 'of the processor', 'M lines/s', 'M/s a core', 'peak MB', 'load']];
$row = function (string $what, string $command) use (&$rows, $count): void {
    [$seconds, $worked, $megabytes] = measured($command);
    $rows[] = [
        $what, sprintf('%.1f', $seconds), sprintf('%.1f', $worked), sprintf('%.1f', $count / $seconds / 1e6),
        sprintf('%.1f', $count / $worked / 1e6), sprintf('%.0f', $megabytes), sprintf('%.1f', sys_getloadavg()[0]),
    ];
};
measured("$generate $count pwned.txt");
$row('cat pwned.txt', 'cat pwned.txt >/dev/null');
foreach (['bloom', 'ribbon'] as $scheme) {
    foreach ([1, 2] as $jobs) {
        $row("$scheme, --jobs=$jobs", "$build $capacity --scheme=$scheme --jobs=$jobs $scheme.bloom pwned.txt");
    }
}
foreach (['bloom', 'ribbon'] as $scheme) {
    $row("publish, $scheme", "$bloom publish --quiet $scheme $scheme.bloom ./store");
    $row("sync, $scheme", "$bloom sync --quiet $scheme ./store");
}
report(sprintf('%s lines', number_format($count)), $rows, $argv[1]);
$of = array_column($rows, null, 0);
$estimates = [['scheme', 'keys', 'build, minutes of the processor', 'build, GB of memory', 'sync, seconds']];
foreach (['bloom', 'ribbon'] as $scheme) {
    $times = PWNED / $count;
    $estimates[] = [
        $scheme, PWNED, sprintf('%.1f', $of["$scheme, --jobs=1"][2] * $times / 60), sprintf('%.1f', $of["$scheme, --jobs=1"][5] * $times / 1e3),
        sprintf('%.0f', $of["sync, $scheme"][1] * $times),
    ];
}
report('Proportionally', $estimates, $result('estimates'));

/** Returns the hashes of random lines. */
$hashes = function (string $file, int $wanted): array {
    $stream = fopen($file, 'r');
    mt_srand(SEED);
    $found = [];
    for ($bytes = filesize($file); count($found) < $wanted;) {
        fseek($stream, mt_rand(0, $bytes - 2 * LINE_BYTES));
        fgets($stream);
        $found[] = strtok(fgets($stream), ':');
    }
    return $found;
};
$present = $hashes('pwned.txt', ASKED);
$asked = [['scheme', 'bytes', 'bits a key', 'keys', 'present, asked for', 'found', 'absent, asked for', 'maybe', 'predicted rate']];
$times = [['scheme', 'what', 'rounds', 'median ns', 'p5', 'p95']];
foreach (['bloom', 'ribbon'] as $scheme) {
    $filter = Filter::find($scheme);
    $found = $maybe = 0;
    foreach ($present as $hash) {
        $found += $filter->mightContain($hash);
    }
    $found === ASKED || throw new \RuntimeException('a breached password is not found');
    for ($i = 0; $i < 10_000_000; $i++) {
        $maybe += $filter->mightContain(strtoupper(sha1("good password $i")));
    }
    $info = $filter->info();
    $asked[] = [$scheme, $info->bytes, sprintf('%.2f', $info->bitsPerKey), $info->keys, ASKED, $found, 10_000_000, $maybe, sprintf('%.2e', $info->predictedFalsePositiveRate)];
    $list = new ListFilter(new HostFilter($scheme));
    $round = 0; // each round has other passwords, so every lookup waits for memory
    $asking = fn (callable $ask): callable => function () use ($ask, &$round): void {
        $round++;
        for ($i = 0; $i < ASKED_A_ROUND; $i++) {
            $ask("good password $round-$i");
        }
    };
    foreach (interleaved([
        'strtoupper(sha1())' => $asking(fn (string $password): string => strtoupper(sha1($password))),
        'mightContain(strtoupper(sha1()))' => $asking(fn (string $password): bool => $filter->mightContain(strtoupper(sha1($password)))),
        'mayListPassword()' => $asking($list->mayListPassword(...)),
    ], ROUNDS) as $name => $all) {
        $times[] = [$scheme, $name, ROUNDS, ...array_map(fn (float $share): string => sprintf('%.0f', quantile($all, $share) / ASKED_A_ROUND), [0.5, 0.05, 0.95])];
    }
}
report('Asked of them', $asked, $result('asked'));
report('Per password, other ones each time', $times, $result('lookup'));

$changes = [['scheme', 'new passwords', 'of', 'chunks', 'chunks fetched', 'MB fetched', 'share']];
foreach (['bloom', 'ribbon'] as $scheme) {
    foreach (ADDED as $new) {
        measured("$generate $new new.txt 2");
        measured("$build --scheme=$scheme --jobs=2 --like=$scheme.bloom next.bloom pwned.txt new.txt && $bloom publish --quiet $scheme next.bloom ./store");
        $diff = json_decode(shell_exec("$bloom diff --format=json $scheme ./store"), true);
        $here = Filter::find($scheme)->info();
        $changes[] = [
            $scheme, $new, $count, $chunks = (int) ceil($here->shards * $here->shardBytes / $here->chunkBytes), $diff['fetchChunks'],
            sprintf('%.1f', $diff['fetchBytes'] / 1e6), sprintf('%.1f %%', 100 * $diff['fetchChunks'] / $chunks),
        ];
    }
}
report('What a sync fetches after new passwords', $changes, $result('changes'));
