--TEST--
After a script exits from within a call of the extension, the process keeps no descriptor, mapping or lock of that call
--DESCRIPTION--
fault: memory-limit-php
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-engine_leaving
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Filter;

// PHP's built-in server handles all requests in one process.
$blob = blob_of(keys('new', 1000), 8_000_000, builtAt: 1_750_000_000);
$blob->save(own_file('blob'));
file_put_contents(own_file('keys'), implode("\n", keys('line', 700_000)));
Filter::load('loaded', blob_of(keys('old', 300)));
Filter::load('synced', blob_of(keys('old', 300)));
made('live')->addMany(keys('live', 100));
$page = <<<'PHP'
    <?php
    require LIVE;
    require STORES;
    require JOURNAL;
    use Bloom\{Blob, Builder, Filter, Journal};
    ini_set('display_errors', '0');
    $_SERVER['SCRIPT_FILENAME'] = TEST;
    [, $case, $end] = explode('/', $_SERVER['REQUEST_URI']);
    if ($case === 'state') {
        $locks = 0;
        $files = scandir('/proc/self/fdinfo');
        foreach ($files as $name) {
            $locks += substr_count((string) @file_get_contents("/proc/self/fdinfo/$name"), 'lock:');
        }
        $maps = preg_grep('~' . preg_quote(ini_get('bloom.path')) . '/~', file('/proc/self/maps'));
        $deleted = count(preg_grep('/\(deleted\)/', $maps));
        // The names of additions are random.
        $tree = preg_replace('/[0-9a-f]{16}(?=\.added)/', 'n', tree(ini_get('bloom.path')));
        sort($tree);
        $control = file_get_contents(in_segment('synced/control', ini_get('bloom.path')), offset: 40, length: 8) | file_get_contents(in_segment('live/control', ini_get('bloom.path')), offset: 40, length: 8);
        die(json_encode(['pid' => getmypid(), 'descriptors' => count($files), 'locks' => $locks, 'mappings' => count($maps),
            'deleted' => $deleted, 'lease' => unpack('P', $control)[1], 'tree' => $tree,
            'served' => Filter::open('loaded')->candidates(keys('old', 300)) === keys('old', 300)
                && Filter::open('synced')->candidates(keys('old', 300)) === keys('old', 300)
                && Filter::open('live')->candidates(keys('live', 100)) === keys('live', 100)]));
    }
    $leave = function () use ($case, $end) {
        echo "inside $case";
        match ($end) {
            'exit' => exit,
            'fatal' => @trigger_error('fatal', E_USER_ERROR),
            'memory' => eval(MEMORY),
        };
    };
    $store = new ScriptedStore;
    if (in_array($case, ['sync', 'fetch', 'demand', 'demands'])) {
        $small = chunked(keys('n', 3000), builtAt: 1_750_000_000);
        $small->publish($store, 'synced');
        $small->publish($store, 'demanded');
    }
    if (str_starts_with($case, 'demand')) {
        Filter::drop('demanded'); // also ends the pause after a failed fetch
    }
    if ($case === 'restore') {
        Filter::open('live')->save($store);
        foreach ($store->values as $key => $value) {
            $store->values[str_replace('live:', 'again:', $key)] = $value;
        }
    }
    $store->script = fn (string $called, array|string $keys) => $keys === ['again:snapshot'] || $keys === 'live:snapshotstaged'
        || ($case === 'save' && $called === 'get') || array_intersect((array) $keys, ['synced', 'demanded']) !== [] ? null : $leave();
    $journals = new ArrayJournalStore;
    $journal = new Journal('journaled', $journals);
    if (in_array($case, ['append', 'mark', 'follow', 'stage', 'again', 'trim'])) {
        $night = fn (float $at) => (new Builder(100, seed: 1))->build(builtAt: $at, mark: $journal->mark());
        $night(1_700_000_000)->publish($journals, 'journaled');
        $journal->add(keys('n', 100));
        Filter::drop('journaled');
        Filter::sync('journaled', $journals, 0);
        $reads = 0;
        $method = ['append' => 'append', 'mark' => 'last', 'trim' => 'trim'][$case] ?? 'read';
        // With "again", the second read leaves, after the additions have been announced.
        $journals->before[$method] = function () use ($case, $leave, &$reads) {
            $case === 'again' && ++$reads === 1 || $leave();
        };
    }
    $key = new class($leave) {
        public function __construct(private Closure $leave)
        {
        }
        public function __toString(): string
        {
            ($this->leave)();
        }
    };
    $keys = (function () use ($leave) {
        yield 'a';
        $leave();
    })();
    match ($case) {
        'sync' => switched(Filter::sync('synced', $store, 0)),
        'fetch' => Blob::fetch($store, 'synced'),
        'demand' => Filter::attach('demanded', $store, 1 << 20)->mightContain('n1'),
        'demands' => Filter::attach('demanded', $store, 1 << 20)->candidates(keys('n', 3000)),
        'save' => Filter::open('live')->save($store),
        'restore' => Filter::restore('again', $store),
        'append' => $journal->add('key'),
        'mark' => $journal->mark(),
        'follow' => switched(Filter::sync('journaled', $journals, 0)),
        'stage', 'again' => Filter::drop('journaled') === switched(Filter::sync('journaled', $journals, 0)),
        'trim' => $night(1_700_000_001)->publish($journals, 'journaled'),
        'publish' => chunked(keys('n', 3000))->publish($store, 'published'),
        'load' => Filter::load('loaded', Blob::open(own_file('blob')), $leave),
        'open' => Blob::open(own_file('blob'), $leave),
        'file' => (new Builder(1_000_000))->addFile(own_file('keys'), $leave),
        'stream' => (new Builder(1_000_000))->addFile(fopen(own_file('keys'), 'r'), $leave),
        'many' => (new Builder(100))->addMany($keys),
        'live' => Filter::open('live')->addMany($keys),
        'key' => Filter::open('loaded')->mightContain($key),
        'add' => Filter::open('live')->add($key),
    };
    echo ', and on';
    PHP;
file_put_contents(own_file('page.php'), strtr($page, ['LIVE' => var_export(dirname(__DIR__) . '/lib/live.inc', true),
    'STORES' => var_export(dirname(__DIR__) . '/lib/stores.inc', true), 'JOURNAL' => var_export(dirname(__DIR__) . '/lib/journal.inc', true), 'TEST' => var_export($_SERVER['SCRIPT_FILENAME'], true), 'MEMORY' => var_export(exhaust_memory(), true)]));
// OPcache, which PHP 8.5 always has, would hold a lock of its own.
$process = proc_open('exec ' . php_command(['log_errors' => '0', 'opcache.enable' => '0']) . ' -S 127.0.0.1:0 ' . escapeshellarg(own_file('page.php')), [1 => ['file', '/dev/null', 'w'], 2 => ['pipe', 'w']], $pipes);
register_shutdown_function(fn () => is_resource($process) && proc_terminate($process, 9));
while (!preg_match('~http://(127\.0\.0\.1:\d+)~', $line = (string) fgets($pipes[2]), $found) && $line !== '');
// The server's log of the requests must not fill the pipe.
stream_set_blocking($pipes[2], false);
$ask = function (string $what) use ($found, $pipes): string {
    stream_get_contents($pipes[2]);
    return (string) @file_get_contents("http://$found[1]/$what", false, stream_context_create(['http' => ['ignore_errors' => true, 'timeout' => 120]]));
};
$pids = [];
foreach (['sync', 'fetch', 'demand', 'demands', 'save', 'restore', 'append', 'mark', 'follow', 'stage', 'again', 'trim', 'publish', 'load', 'open', 'file', 'stream', 'many', 'live', 'key', 'add'] as $case) {
    foreach (['exit', 'fatal', 'memory'] as $end) {
        $states = [];
        for ($i = 0; $i < 3; $i++) {
            $said = $ask("$case/$end");
            check($said === "inside $case", "$case, $end: it was within the call, and left it: $said");
            $states[] = $ask('state/');
        }
        $state = json_decode($states[1], true);
        $pids[$state['pid'] ?? $states[1]] = true;
        // The first request may attach to filters that the process has not used before.
        check($states[1] === $states[2], "$case, $end: more is held:\n$states[1]\n$states[2]");
        check(($state['served'] ?? false) && $state['locks'] === 0 && $state['lease'] === 0 && $state['deleted'] === 0 && !preg_grep('/tmp$/', $state['tree']), "$case, $end: $states[1]");
    }
}
check(count($pids) === 1, 'one process served all: ' . implode(' ', array_keys($pids)));
proc_terminate($process, 15);
proc_close($process);
echo count(tree(segment_path())), " files\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
16 files
