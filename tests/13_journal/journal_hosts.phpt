--TEST--
Whatever eight hosts add, build, sync, lose and miss, no host denies a key that was added longer than maxLag ago
--DESCRIPTION--
fault: added-elsewhere
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
skip_without_redis();
skip_without_cluster();
skip_without_clock();
?>
--INI--
bloom.path={TMP}/bloom-journal_hosts
--FILE--
<?php
/* BLOOM_TEST_ADDS=1000000 runs the long form. BLOOM_TEST_SEED chooses the random numbers. */
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
with_redis_extension();
Clock::own();

const HOSTS = 8, MAX_LAG = 0.5;
// Each host has a second process, which works at the same time. It has the number of its host plus SECOND.
const SECOND = 10;
$total = (int) (getenv('BLOOM_TEST_ADDS') ?: 4000);
$batch = max(5, intdiv($total, 2000));
mt_srand((int) (getenv('BLOOM_TEST_SEED') ?: 1));
$servers = new RedisClusterServers(3);
touch($file = own_file('database'));
chmod($file, 0666);
chmod(own_file(), 0711);
$seeds = var_export($servers->addresses(), true);
$code = 'require ' . var_export(dirname(__DIR__) . '/lib/hosts.inc', true) . "; (new HostProcess($seeds, '$file', " . MAX_LAG . '))->run();';

/** @var array<int, Child> */
$hosts = [];
$path = fn (int $host): string => own_file('host' . $host % SECOND);
// Hosts 8 and 9 have another user if possible, and no filter: they only add.
$start = function (int $host) use (&$hosts, $code, $path): void {
    $other = $host >= HOSTS && $host < SECOND && user_id() === 0;
    $hosts[$host] = new Child($code, ['bloom.path' => $path($host)], [], $other ? as_nobody() : '');
};
$say = function (int $host, string $command, mixed ...$arguments) use (&$hosts): void {
    $hosts[$host]->say(json_encode([$command, $arguments]));
};
$hear = function (int $host) use (&$hosts): array {
    $line = $hosts[$host]->hear();
    return json_decode($line, true) ?? ['error' => "no answer: $line"];
};
$do = function (int $host, string $command, mixed ...$arguments) use ($say, $hear): array {
    $say($host, $command, ...$arguments);
    return $hear($host);
};
$processes = [...range(0, HOSTS + 1), ...range(SECOND, SECOND + HOSTS - 1)];
array_map($start, $processes);

/* added: [time of the return, host, boot of the host, first number, number after the last] */
$added = [];
$next = array_fill_keys($processes, 0);
$boots = array_fill(0, HOSTS + 2, 0);
$cut = $failures = [];
$counts = array_fill_keys(['adds', 'asked', 'maybe', 'reboots', 'kills', 'builds', 'switches', 'cuts'], 0);

/** Asks a host about keys that were added, and checks the answers. */
$ask = function (int $host, int $sample) use (&$added, &$boots, &$counts, &$failures, $do): void {
    $now = microtime(true);
    $keys = [];
    foreach ((array) ($sample >= count($added) ? array_keys($added) : array_rand($added, $sample)) as $i) {
        [$time, $by, $boot, $from, $to] = $added[$i];
        $isLocal = $by % SECOND === $host && $boot === $boots[$host];
        if ($now - $time > MAX_LAG || $isLocal) {
            for ($number = $from; $number < $to; $number++) {
                $keys[] = "h$by-$number";
            }
        }
    }
    foreach (array_chunk($keys, 10_000) as $part) {
        $answer = $do($host, 'absent', $part);
        check(!isset($answer['error']), "host $host answers: " . ($answer['error'] ?? ''));
        $counts['asked'] += count($part);
        if (!empty($answer['absent'])) {
            $failures[] = "host $host: " . count($answer['absent']) . ' definitely absent: ' . $answer['absent'][0] . ' ' . json_encode($do($host, 'info'));
        }
    }
};
$noteAdded = function (int $host, array $answer) use (&$added, &$next, &$boots, &$counts): void {
    if (($answer['next'] ?? 0) > $next[$host]) {
        $added[] = [microtime(true), $host, $boots[$host % SECOND], $next[$host], $answer['next']];
        $counts['adds'] += $answer['next'] - $next[$host];
    }
    // A key whose add() threw is not asked for. The next add begins after it.
    $next[$host] = ($answer['next'] ?? $next[$host] + 1_000_000) + (int) isset($answer['error']);
};

check(!isset($do(0, 'build')['error']), 'the first build');
for ($round = 0; $counts['adds'] < $total && $round < 4000 && count($failures) < 20; $round++) {
    // All processes work at the same time.
    $busy = [];
    foreach ($processes as $host) {
        $busy[$host] = $host >= HOSTS && $host < SECOND ? 'add' : ['add', 'add', 'sync', 'sync', 'pull', 'killed'][mt_rand(0, 5)];
        match ($busy[$host]) {
            'add' => $say($host, 'add', "h$host-", $next[$host], $batch),
            'pull' => $say($host, 'pull'),
            default => $say($host, 'sync'),
        };
        if ($busy[$host] === 'killed' && mt_rand(0, 3) > 0) {
            $busy[$host] = 'sync';
        }
    }
    if ($round % 25 === 24) {
        $say(HOSTS, 'build'); // heard after its add
    }
    foreach ($busy as $host => $command) {
        if ($command === 'killed') {
            usleep(mt_rand(0, 3000));
            $hosts[$host]->kill();
            $start($host);
            $counts['kills']++;
            continue;
        }
        $answer = $hear($host);
        if ($command === 'add') {
            $noteAdded($host, $answer);
        }
        $counts['switches'] += (int) ($answer['switched'] ?? 0);
        // Processes of one host that read, sync and are killed at the same time cause no errors.
        if (isset($answer['error']) && !str_ends_with($answer['error'], 'cut off')) {
            $failures[] = "$command on host $host: $answer[error]";
        }
    }
    if ($round % 25 === 24) {
        $answer = $hear(HOSTS);
        check(!isset($answer['error']), 'a build: ' . ($answer['error'] ?? ''));
        $counts['builds']++;
    }
    $host = mt_rand(0, HOSTS - 1);
    switch (mt_rand(0, 9)) {
        case 0: // a reboot
            $hosts[$host]->kill();
            $hosts[$host + SECOND]->kill();
            remove_tree($path($host));
            $boots[$host]++;
            $start($host);
            $start($host + SECOND);
            $counts['reboots']++;
            unset($cut[$host]);
            break;
        case 1: // the store is cut off, or back
            $cut[$host] = !($cut[$host] ?? false);
            $do($host, 'cut', $cut[$host]);
            $do($host + SECOND, 'cut', $cut[$host]);
            $counts['cuts'] += (int) $cut[$host];
            break;
    }
    if ($round % 10 === 9) {
        for ($host = 0; $host < HOSTS; $host++) {
            $ask($host, 40);
        }
    }
}
Clock::advance(MAX_LAG * 1.1);
for ($host = 0; $host < HOSTS; $host++) {
    $ask($host, PHP_INT_MAX); // some hosts are cut off or did not sync: maybe
    $do($host, 'cut', false);
    $do($host + SECOND, 'cut', false);
    // A killed process may hold its lease for 30 seconds.
    for ($try = 0; $try < 60; $try++) {
        // However slow the machine is, the keys stay complete while the rest is asked.
        $answer = $do($host, 'sync', 3600);
        check(!isset($answer['error']), 'the last sync: ' . ($answer['error'] ?? ''));
        if ($do($host, 'info')['journal']['isComplete'] ?? false) {
            break;
        }
        Clock::advance(1);
    }
    $ask($host, PHP_INT_MAX); // now every host has everything
    $answer = $do($host, 'info');
    check($answer['journal']['isComplete'] ?? false, "host $host is complete: " . json_encode($answer));
    check(count($do($host, 'absent', array_map(fn ($i) => "never-$i", range(1, 1000)))['absent'] ?? []) > 950, "host $host answers no");
}
echo implode("\n", array_slice($failures, 0, 20)), $failures === [] ? '' : "\n";
foreach ($hosts as $child) {
    $child->end();
}
check($counts['adds'] >= $total && $counts['reboots'] > 0 && $counts['builds'] > 0 && $counts['cuts'] > 0 && $counts['kills'] > 0, json_encode($counts));
if (getenv('BLOOM_TEST_ADDS')) {
    fwrite(STDERR, json_encode($counts) . "\n");
}
echo "done\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTREGEX--
(\{"adds":[^\n]*\}\n)?done
