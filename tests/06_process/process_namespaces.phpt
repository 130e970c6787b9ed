--TEST--
Containers that share a segment exclude each other although their PIDs collide, and a killed process leaves no lock
--DESCRIPTION--
fault: containers
--EXTENSIONS--
bloom
--SKIPIF--
<?php
exec('unshare -p -f --mount-proc --kill-child true 2>/dev/null', $output, $status);
if ($status !== 0) {
    echo 'skip PID namespaces cannot be created here';
}
?>
--INI--
bloom.path={TMP}/bloom-process_namespaces
bloom.lock_timeout=300
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\{CountingFilter, Filter, LiveFilter, ScalableFilter, SlidingFilter};

const CONTAINER = 'exec unshare -p -f --mount-proc --kill-child';
$in_container = fn (string $code, mixed ...$arguments) => new Child('require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ";\n" . $code, [], $arguments, CONTAINER);

$seed = seeded(20261121);
$counting = CountingFilter::create('counting', 3000, 1e-9, 4);
$scalable = ScalableFilter::create('scalable', 100, 1e-6, seed: 4);
$booth = Filter::load('booth', blob_of(keys('stays', 100)));
$worker = '
    [, $i, $seed] = $argv;
    mt_srand($seed + $i);
    [$counting, $scalable, $booth] = array_map([Bloom\Filter::class, "open"], ["counting", "scalable", "booth"]);
    $exact = [];
    await();
    for ($step = 0; $step < 2000; $step++) {
        $key = "k$i." . mt_rand(0, 200);
        $times = $exact[$key] ?? 0;
        if ($times > 0 && mt_rand(0, 1)) {
            check($counting->remove($key), "$key is removed");
            $exact[$key]--;
        } elseif ($times < 3) {
            $counting->add($key);
            $exact[$key] = $times + 1;
        }
        // Both processes keep adding and removing this key.
        $counting->add("shared");
        check($counting->remove("shared"), "shared is removed");
        $scalable->add("s$i.$step");
        check($scalable->mightContain("s$i.$step"), "s$i.$step is there");
        if ($step % 50 === 0) {
            Bloom\Filter::load("booth", blob_of([...keys("stays", 100), "b$i"], seed: $step));
        }
        check($booth->mightContain("stays" . $step % 100), "every blob has this key");
    }
    echo getmypid(), " ", json_encode(array_filter($exact));
';
$said = race([$in_container($worker, 1, $seed), $in_container($worker, 2, $seed)]);
$exact = [];
foreach ($said as $text) {
    [$pid, $json] = explode(' ', "$text ", 2);
    check($pid === '1', "each worker is process 1 of its container: $text");
    $exact += json_decode($json, true) ?? [];
}
check(count($exact) > 100, 'both workers left keys');
foreach ($exact as $key => $times) {
    check($counting->count($key) === $times, "seed $seed: $key was left $times times, counted {$counting->count($key)}");
}
check($counting->count('shared') === 0 && $counting->info()->keys === array_sum($exact),
    "seed $seed: the shared key is removed completely");
foreach ([1, 2] as $i) {
    check_held($scalable, keys("s$i.", 2000), "seed $seed: of worker $i");
}
check($booth->info()->generation === 81 && $booth->info()->loads === 81,
    'every load is counted: ' . $booth->info()->generation);

// A process in another container holds the writers' lock. Loads are refused until that process dies.
$process = proc_open(CONTAINER . ' flock -x ' . escapeshellarg(in_segment('booth')) . ' sh -c "echo locked; read line"', [['pipe', 'r'], ['pipe', 'w']], $pipes);
check(fgets($pipes[1]) === "locked\n", 'the lock is held');
echo run('echo thrown(fn () => Bloom\Filter::load("booth", blob_of(["b"])));', ['bloom.lock_timeout' => 0.05]), "\n";
check($booth->mightContain('stays1'), 'lookups do not wait');
kill_process(proc_get_status($process)['pid']);
Filter::load('booth', blob_of(['after']));
check($booth->mightContain('after'), 'the lock is free once its holder is dead');

// Workers are killed in the middle of adding and removing, with or without locks.
SlidingFilter::create('sliding', 1000, 0.01, 0.02, 4);
for ($round = 0; $round < 5; $round++) {
    $child = $in_container('
        [$counting, $scalable, $sliding] = array_map([Bloom\Filter::class, "open"], ["counting", "scalable", "sliding"]);
        for ($n = 0; ; $n++) {
            $counting->add("doomed");
            $counting->remove("doomed");
            $scalable->add("d" . $argv[1] . ".$n");
            $sliding->add("d$n");
            echo $n === 100 ? "begun\n" : "";
        }', $round);
    check($child->hear() === 'begun', 'begun');
    usleep(mt_rand(0, 5000));
    $child->kill();
    $counting->add("after$round");
    $scalable->add("after$round");
    Filter::open('sliding')->add("after$round");
    check($counting->mightContain("after$round") && $scalable->mightContain("after$round"), "after kill $round");
    check($counting->count('doomed') <= $round + 1 && $counting->candidates(array_keys($exact)) === array_keys($exact),
        "kill $round removed no key");
    check_held($scalable, keys("d$round.", 100), "what was added before kill $round");
    unset($child);
}

// Only one process per host is elected to fetch, although both have the same PID.
$fetcher = $in_container('
    require ' . var_export(dirname(__DIR__) . '/lib/stores.inc', true) . ';
    $store = new ScriptedStore;
    $store->script = function () { echo "fetching\n"; fgets(STDIN); return []; };
    Bloom\Filter::sync("booth", $store, ttl: 0);');
check($fetcher->hear() === 'fetching', 'the other container fetches');
require __DIR__ . '/../lib/stores.inc';
$store = new ScriptedStore;
var_dump(switched(Filter::sync('booth', $store, ttl: 60)), $store->takeLog());
$fetcher->kill();
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\BusyException: {segment}/booth: locking: another writer held the lock for the whole lock timeout (try again, or raise bloom.lock_timeout)
bool(false)
string(0) ""
