--TEST--
In a storm of kills, reloads, timeouts and worker exits during loads, syncs and adds, no key is missed and nothing is left behind
--DESCRIPTION--
fault: fpm-restart, time-limit
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/fpm.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_fpm();
skip_without_clock();
?>
--INI--
bloom.path={TMP}/bloom-fpm_storm
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/fpm.inc';
require __DIR__ . '/../lib/clock.inc';
use Bloom\DirectoryStore;

const TAKERS = ['live', 'counting', 'scalable', 'sliding'];

/** Repeats a request until a worker lives long enough to answer. A reload may be in progress, and the machine may be busy. */
function answer_of(FpmServer $fpm, string $action, string $body): array
{
    for ($tries = 30;; $tries--) {
        try {
            return $fpm->ask('www', $action, $body);
        } catch (RuntimeException $thrown) {
            $tries > 0 ?: throw $thrown;
            usleep(100_000);
        }
    }
}

$seed = seeded(20260707);
$segment = segment_path();
mkdir($segment, 0700);
give($segment, 'www-data');
$directory = own_file('store');
mkdir($directory, 0755);
$store = new DirectoryStore($directory);
foreach (['a', 'b'] as $version => $name) {
    blob_of([...keys('common', 200), $name], builtAt: 1_700_000_000 + $version)->save(own_file("$name.bloom"));
    chmod(own_file("$name.bloom"), 0644);
}
blob_of([...keys('common', 200), 'v0'], builtAt: 1_700_000_000)->publish($store, 'synced');
blob_of(keys('common', 200))->publish($store, 'demanded');
$fpm = new FpmServer(['www' => 'www-data'], <<<'PHP'
    $asked = json_decode($body, true);
    $blob = fn (string $name) => Bloom\Blob::open("{$asked['files']}/$name.bloom");
    $store = new Bloom\DirectoryStore("{$asked['files']}/store");
    switch ($action) {
        case 'make':
            Bloom\Filter::find('live') ?? Bloom\LiveFilter::create('live', 20000);
            Bloom\Filter::find('counting') ?? Bloom\CountingFilter::create('counting', 20000);
            Bloom\Filter::find('scalable') ?? Bloom\ScalableFilter::create('scalable', 50);
            Bloom\Filter::find('sliding') ?? Bloom\SlidingFilter::create('sliding', 20000, 0.01, 1e6);
            Bloom\Filter::load('loaded', $blob('a'));
            Bloom\Filter::sync('synced', $store, ttl: 0);
            Bloom\Filter::attach('demanded', $store, 1 << 20);
            return [];
        case 'add':
            foreach ($asked['takers'] as $name) {
                Bloom\Filter::open($name)->add($asked['key']);
            }
            $counting = Bloom\Filter::open('counting');
            $counting->add($asked['key']);
            $counting->remove($asked['key']);
            return ['added' => $asked['key']];
        case 'load':
            Bloom\Filter::load('loaded', $blob($asked['name']));
            return [];
        case 'slow':
            Bloom\Filter::load('loaded', $blob('a'), function () { while (true) { sleep(1); } });
            return ['slow' => 'was not ended'];
        case 'sync':
            Bloom\Filter::sync('synced', $store, ttl: 0);
            return [];
    }
    $missed = array_diff($asked['common'], Bloom\Filter::attach('demanded', $store, 1 << 20)->candidates($asked['common']));
    foreach (['loaded', 'synced'] as $name) {
        $missed = [...$missed, ...array_diff($asked['common'], Bloom\Filter::open($name)->candidates($asked['common']))];
    }
    foreach ($asked['takers'] as $name) {
        $missed = [...$missed, ...array_diff($asked['added'], Bloom\Filter::open($name)->candidates($asked['added']))];
    }
    return ['missed' => $missed];
    PHP, ['www' => ['bloom.path' => $segment, 'pm.max_requests' => '50', 'request_terminate_timeout' => '1s']]);

$added = $pids = $errors = $asked = [];
$answers = $ended = $kills = $reloads = 0;
$request = fn (string $action, array $more = []) => ['action' => $action, 'body' => json_encode(['files' => own_file(), 'takers' => TAKERS] + $more)];
answer_of($fpm, 'make', $request('make')['body']);
$requests = (function () use ($request, $store, &$added, &$asked) {
    for ($n = 0; $n < 5000; $n++) {
        $action = $n % 800 === 799 ? 'slow' : ['add', 'add', 'load', 'sync', 'look', 'look', 'look'][mt_rand(0, 6)];
        $asked[$action] = ($asked[$action] ?? 0) + 1;
        if ($n % 250 === 249) {
            foreach (['synced', 'demanded'] as $name) {
                blob_of([...keys('common', 200), "v$n"], builtAt: 1_700_000_000 + $n)->publish($store, $name);
            }
        }
        yield $request($action, match ($action) {
            'add' => ['key' => "key $n"],
            'load' => ['name' => ['a', 'b'][mt_rand(0, 1)]],
            'look' => ['common' => ['common' . mt_rand(0, 199), 'common' . mt_rand(0, 199)],
                'added' => array_map(fn () => $added[mt_rand(0, count($added) - 1)], $added === [] ? [] : range(1, 20))],
            default => [],
        });
    }
})();
$fpm->send('www', $requests, function (array $request, ?array $answer, string $problem) use ($fpm, &$added, &$pids, &$errors, &$answers, &$ended, &$kills, &$reloads) {
    if ($answer === null) {
        $ended++; // the worker was terminated during the request
        if ($problem !== 'the connection ended without an answer') {
            $errors[] = $problem;
        }
        return;
    }
    $answers++;
    $pids[$answer['pid']] = $answer['pid'];
    if (isset($answer['added'])) {
        $added[] = $answer['added'];
    }
    if (isset($answer['error']) || isset($answer['slow']) || ($answer['missed'] ?? []) !== []) {
        $errors[] = json_encode($answer);
    }
    if ($answers % 40 === 0) {
        $pids = array_slice($pids, -8, null, true);
        $kills += $fpm->kill_any($pids[array_rand($pids)]);
    }
    if ($answers % 600 === 599) {
        $fpm->signal('USR2');
        $reloads++;
    }
});
check($errors === [], "seed $seed: " . count($errors) . ' answers are wrong: ' . implode(' ', array_slice($errors, 0, 3)));
check($answers > 3000 && count($added) > 600 && $kills > 20 && $reloads > 3 && $ended >= $asked['slow'], "$answers answers, " . count($added) . " keys, $kills kills, $reloads reloads, $ended requests ended");

// Every worker finds all acknowledged keys, and the next writer does not have to wait.
$look = $request('look', ['common' => keys('common', 200), 'added' => $added])['body'];
for ($i = 0; $i < 10; $i++) {
    $answer = answer_of($fpm, 'look', $look);
    check(($answer['missed'] ?? null) === [], 'in the end: ' . substr(json_encode($answer), 0, 200));
}
$fpm->stop(); // also checks the log for crashes
// A worker has one request at a time. A worker that exits for a reload may accept a request without answering it.
$killed = $fpm->deaths()['killed'];
check($answers + $ended === 5000 && $ended <= $killed + 4 * $reloads, "$ended requests ended of $killed workers killed in $reloads reloads");
chmod(dirname(own_file('a.bloom')), 0755);
// If a worker was killed during its sync, no other process is elected until that lease expires.
$later = Clock::prefix('later', passed_s: 31);
echo run('
    Bloom\Filter::load("loaded", Bloom\Blob::open(' . var_export(own_file('b.bloom'), true) . '));
    foreach (["live", "scalable", "sliding", "counting"] as $name) {
        Bloom\Filter::open($name)->add("at once");
    }
    check(Bloom\Filter::open("counting")->remove("at once"), "removed");
    Bloom\Filter::sync("synced", new Bloom\DirectoryStore(' . var_export($directory, true) . '), ttl: 0);
    check(Bloom\Filter::open("synced")->mightContain("v4999"), "synced");
    echo "at once";', ['bloom.lock_timeout' => '0'], as_nobody() === '' ? "exec $later" : as_user('www-data') . " $later"), "\n";
$left = preg_replace('/[0-9a-f]{16}/', '{generation}', tree($segment));
sort($left);
echo implode("\n", $left), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
at once
counting
counting/control
counting/{generation}.bloom
demanded
demanded/control
demanded/{generation}.bloom
live
live/control
live/{generation}.bloom
loaded
loaded/control
loaded/{generation}.bloom
scalable
scalable/control
scalable/{generation}.bloom
sliding
sliding/control
sliding/{generation}.bloom
synced
synced/control
synced/{generation}.bloom
