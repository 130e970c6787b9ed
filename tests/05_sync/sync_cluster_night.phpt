--TEST--
While masters of a cluster are killed around a publish, every host answers correctly, reports the failed syncs and recovers
--DESCRIPTION--
fault: server-dies
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
skip_without_redis();
skip_without_cluster();
?>
--INI--
bloom.path={TMP}/bloom-sync_cluster_night
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
require __DIR__ . '/../lib/cluster.inc';
require __DIR__ . '/../lib/stores.inc';
with_redis_extension();

const HOSTS = 4;
const LIMIT_SECONDS = 120; // on a busy machine, a cluster needs a long time to agree again

// If one master is killed, the others remain available. A restarted master has its keys again: with "everysec", it could lose
// chunks that it has acknowledged, if the disk is slow.
$servers = new RedisClusterServers(settings: ['--cluster-require-full-coverage', 'no', '--appendonly', 'yes', '--appendfsync', 'always'], node_timeout_ms: 1000);
// The first number also limits for how long the client repeats a request.
$open_store = '$store = new Bloom\RedisStore(fn () => new RedisCluster(null, ' . var_export($servers->addresses(), true) . ', $patience_s, 1));';

// Each host has a segment, a process that syncs, and a process that looks keys up without a pause.
$pages = $syncs = [];
for ($host = 0; $host < HOSTS; $host++) {
    $segment = ['bloom.path' => own_file("host$host")];
    $syncs[] = new Child('$patience_s = 0.1;' . $open_store . '
        for (;;) {
            try {
                Bloom\Filter::sync("booth", $store, ttl: (float) $argv[1]);
            } catch (Bloom\StoreException) {
            }
            usleep(20_000);
        }', $segment, [0.2 + 0.1 * $host]);
    $pages[] = new Child('
        stream_set_blocking(STDIN, false);
        $has = fn (string $prefix, array $maybe) => array_intersect(keys($prefix, 100), $maybe) === keys($prefix, 100);
        $state = ["generation" => 0, "missed" => 0, "failures" => 0, "failuresInRow" => 0, "lastError" => null];
        while (!feof(STDIN)) {
            if ($booth = Bloom\Filter::find("booth")) {
                $before = $booth->info()->generation;
                $maybe = $booth->candidates([...keys("kept", 100), ...keys("removed", 100), ...keys("added", 100)]);
                $info = $booth->info();
                // If the generation changed between the two reads, either generation may have answered.
                $night = $before === $info->generation ? min($before, 2) : 0;
                $state["missed"] += !$has("kept", $maybe) || $night === 1 && !$has("removed", $maybe) || $night === 2 && !$has("added", $maybe);
                $state = ["generation" => $before, "failures" => $info->syncFailures, "failuresInRow" => $info->syncFailuresInRow,
                    "lastError" => $info->lastError] + $state;
            }
            if (fgets(STDIN) !== false) {
                echo json_encode($state), "\n";
            }
            usleep(1000);
        }', $segment);
}
$hosts = function () use ($pages): array {
    array_map(fn (Child $page) => $page->say('state'), $pages);
    return array_map(fn (Child $page) => json_decode($page->hear(), true), $pages);
};
$await = function (string $what, Closure $holds) use ($hosts): void {
    for ($end = microtime(true) + LIMIT_SECONDS; count(array_filter($states = $hosts(), $holds)) < HOSTS; usleep(20_000)) {
        if (microtime(true) > $end) {
            throw new RuntimeException("no $what: " . json_encode($states));
        }
    }
    echo "every host: $what\n";
};
$fails = fn (array $state) => $state['failuresInRow'] > 0 && $state['lastError'] !== null;

$patience_s = 5;
eval($open_store);
chunked([...keys('kept', 5000), ...keys('removed', 100)])->publish($store, 'booth');
$await('serves the first night', fn (array $state) => $state['generation'] === 1);
$head = $servers->of('bloom:booth');
[$second, $third] = [($head + 1) % 3, ($head + 2) % 3];

$servers->stop($head);
$await('reports failed syncs', $fails);

// The nightly job starts while the master that holds the head is down. The job retries until it has published.
$job = new Child('$patience_s = 0.1;' . $open_store . 'require ' . var_export(__DIR__ . '/../lib/stores.inc', true) . ';
    $blob = chunked([...keys("kept", 5000), ...keys("added", 100)], builtAt: 1_700_000_001);
    $said = false;
    $once = function () use (&$said): void {
        if (!$said) {
            $said = true;
            echo "publishing\n";
            fgets(STDIN);
        }
    };
    for ($attempt = 1;; $attempt++) {
        try {
            $blob->publish($store, "booth", $once);
            exit("published\n");
        } catch (Bloom\StoreException $error) {
            echo $attempt > 1000 ? exit($error->getMessage() . "\n") : "failed\n";
            usleep(20_000);
        }
    }');
check($job->hear() === 'failed', 'the job fails without the head');
$servers->start($head);
while (($heard = $job->hear()) === 'failed');
echo $heard, "\n";
$servers->stop($second);
$job->say('go on');
check($job->hear() === 'failed', 'the job fails without a part of the chunks');
$servers->start($second);
echo preg_replace('/^failed\n/m', '', $job->end()), "\n";

// Hosts that still lack the chunks of the third master must wait for that master.
$servers->stop($third);
$await('serves the second night or reports failed syncs', fn (array $state) => $state['generation'] === 2 || $fails($state));
$servers->start($third);
$await('serves the second night', fn (array $state) => $state['generation'] === 2);

// With two of its three masters down, the whole cluster is down.
$servers->stop($head);
$servers->stop($second);
$await('reports failed syncs', $fails);
$servers->start($head);
$servers->start($second);
$await('syncs again', fn (array $state) => $state['failuresInRow'] === 0 && $state['failures'] > 0);
foreach ($hosts() as $state) {
    check($state['missed'] === 0, 'no key is missed: ' . json_encode($state));
}
foreach ($syncs as $sync) {
    $sync->kill();
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
every host: serves the first night
every host: reports failed syncs
publishing
published
every host: serves the second night or reports failed syncs
every host: serves the second night
every host: reports failed syncs
every host: syncs again
