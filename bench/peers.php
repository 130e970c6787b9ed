<?php
/* Measures alternatives to this extension, each in its best form, with the same lookups in the same run: key by key, and in
 * pages of 20 keys of which two exist. Also measures memory, and the time to load, to replace, and to open in a request.
 *
 * All servers run on this host. A network would add its round trip. Most of a round trip is the time to wake sleeping
 * processors, and the processors of a busy host do not sleep. The servers and this extension are therefore measured again
 * while loops keep the processors awake ("busy"). They are also measured in batches of 1,000 keys. */

namespace BloomBench;

require __DIR__ . '/common.php';
require __DIR__ . '/peers/Peer.php';
foreach (glob(__DIR__ . '/peers/*.php') as $file) {
    require_once $file;
}

// A peer that emits warnings is not in its best form.
set_error_handler(fn (int $level, string $text) => error_reporting() & $level ? throw new \ErrorException($text, 0, $level) : true);

const PAGE = 20;
const BATCH = 1_000;
const ASKED = 20_000;
const PRESENT = 0.1;
const ROUNDS = 11;

/** @return list<Peer> */
function peers(string $directory): array
{
    mkdir($directory);
    apcu_clear_cache();
    return [
        new LoadedFilter('bloom', 'bloom'),
        new LoadedFilter('bloom, ribbon blob', 'ribbon'),
        new OpcacheArray($directory),
        new Apcu(),
        new ApcuShards(),
        new PhpFilter($directory),
        new Dba($directory, 'lmdb'),
        new Dba($directory, 'cdb'),
        new Sqlite($directory),
        new Redis($directory, asSet: false),
        new Redis($directory, asSet: true),
        ...RedisBloom::all($directory),
        new Memcached($directory),
    ];
}

/** Returns the duration of a call in nanoseconds. */
function timed(callable $task): int
{
    $start = hrtime(true);
    $task();
    return hrtime(true) - $start;
}

$lookups = [['keys', 'peer', 'asked by', 'ns a key', 'p5', 'p95', '× bloom', 'positives']];
$sets = [['keys', 'peer', 'bytes a key', 'MB shared', 'MB a worker', 'load ms', 'replace ms', 'open µs']];
$run_loops = start_idle_loops();
foreach ([80_000, 1_000_000] as $count) {
    $keys = [];
    for ($i = 0; $i < $count; $i++) {
        $keys[] = "tag-$i";
    }
    mt_srand(SEED);
    $asked = [];
    for ($i = 0; $i < ASKED; $i++) {
        $asked[] = $i % (1 / PRESENT) == 0 ? $keys[mt_rand(0, $count - 1)] : 'absent-' . mt_rand();
    }
    $asked = array_unique($asked); // a server's answer for several keys contains each key once
    shuffle($asked);
    $lists = array_slice($asked, 0, intdiv(count($asked), PAGE) * PAGE);
    $pages = array_chunk($lists, PAGE); // the same keys in all forms
    $batches = array_chunk($lists, BATCH);

    $peers = peers(getenv('BLOOM_BENCH_DIRECTORY') . "/$count");
    $tasks = $before = $found = $exact = [];
    foreach ($peers as $peer) {
        fwrite(STDERR, "$count keys: $peer->name\n");
        $load = timed(fn () => $peer->load($keys));
        $replace = timed(fn () => $peer->load($keys));
        $open = [];
        for ($i = 0; $i < 11; $i++) {
            $open[] = timed($peer->open(...));
        }
        [$host, $worker] = $peer->bytes();
        $sets[] = [
            $count, $peer->name, sprintf('%.2f', $host / $count), sprintf('%.2f', $host / 1e6), sprintf('%.2f', $worker / 1e6),
            sprintf('%.1f', $load / 1e6), sprintf('%.1f', $replace / 1e6), sprintf('%.1f', quantile($open, 0.5) / 1e3),
        ];
        $forms = ['key' => [$peer->singles(), $lists], 'page' => [$peer->pages(), $pages]];
        if ($peer->isServer || $peer->name === 'bloom') {
            $forms += ['thousand' => [$peer->pages(), $batches]];
            $forms += ['key, busy' => $forms['key'], 'page, busy' => $forms['page'], 'thousand, busy' => $forms['thousand']];
        }
        foreach ($forms as $form => [$ways, $what]) {
            foreach ($ways as $way => $ask) {
                $name = "$peer->name\t$way, by the $form";
                $exact[$name] = $peer->exact;
                $tasks[$name] = $task = function () use ($ask, $what, $name, &$found) {
                    $found[$name] = $ask($what);
                };
                $before[$name] = function () use ($task, $form, $run_loops) {
                    $run_loops(str_ends_with($form, 'busy'));
                    $task(); // so that no task starts with the previous one's cache contents
                };
            }
        }
    }
    $there = array_flip($keys);
    $present = count(array_filter($lists, fn (string $key): bool => isset($there[$key])));
    unset($there);
    $times = interleaved($tasks, ROUNDS, $before);
    $run_loops(false);
    foreach ($times as $name => $rounds) {
        [$peer, $way] = explode("\t", $name);
        if ($exact[$name] ? $found[$name] !== $present : $found[$name] < $present) {
            throw new \RuntimeException("$peer, $way: found $found[$name] of $present keys");
        }
        $form = strstr($way, ', by the ');
        $own = ($form === ', by the key' || $form === ', by the key, busy' ? 'mightContain()' : 'candidates()') . $form;
        $ratios = array_map(fn ($a, $b) => $a / $b, $rounds, $times["bloom\t$own"]);
        $ns = fn (float $share) => sprintf('%.1f', quantile($rounds, $share) / count($lists));
        $lookups[] = [
            $count, $peer, $way, $ns(0.5), $ns(0.05), $ns(0.95), sprintf('%.1f', quantile($ratios, 0.5)),
            sprintf('%d of %d', $found[$name], $present),
        ];
    }
}
$what = sprintf('%d interleaved rounds, each after the same lookups untimed; a tenth of the looked-up keys exist; servers on unix sockets', ROUNDS);
report("Lookups: $what", $lookups, $argv[1]);
report('The key sets', $sets, preg_replace('/\.tsv$/', '-sets.tsv', $argv[1]));
