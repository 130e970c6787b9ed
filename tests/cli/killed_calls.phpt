--TEST--
A publish, load or sync that is killed at any file system call takes full effect or none, and the next command succeeds
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
if (getenv('BLOOM_TEST_SANITIZE')) {
    die('skip the leak sanitizer does not work under strace');
}
exec('strace -o /dev/null -e trace=close -e inject=close:signal=SIGKILL:when=1 true 2>&1', $output, $status);
if ($status !== 137) {
    die('skip strace cannot inject signals here: ' . ($output[0] ?? "exit status $status"));
}
skip_without_console();
?>
--INI--
bloom.path={TMP}/bloom-killed_calls
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/cli.inc';
use Bloom\Blob;
use Bloom\DirectoryStore;
use Bloom\Filter;

// The same call must have the same number in each run. Without these settings, numbers also depend on addresses (PHP's
// allocator unmaps unaligned parts) and on processes that are started to get the width of the terminal.
foreach (['USE_ZEND_ALLOC=0', 'COLUMNS=80', 'LINES=24'] as $setting) {
    putenv($setting);
}
$cli = new Cli([], '-d bloom.path=' . escapeshellarg(segment_path()));
$blobs = ['old' => blob_of([...keys('common', 100), 'old']), 'new' => blob_of([...keys('common', 100), 'new'], builtAt: 1_700_000_001)];
foreach ($blobs as $name => $blob) {
    $blob->save("$cli->files/$name.bloom");
}
mkdir("$cli->files/store");
$store = new DirectoryStore("$cli->files/store");

/** Returns the version whose keys the filter or blob contains: "old" or "new". */
function version_of(Blob|Filter $filter): string
{
    check(array_filter(keys('common', 100), fn (string $key) => !$filter->mightContain($key)) === [], 'the common keys');
    return implode(' ', array_filter(['old', 'new'], $filter->mightContain(...)));
}

function trace(Cli $cli, array $command, string $options, string $log = '/dev/null'): int
{
    // The command is a single process, so strace can count its calls.
    return $cli->shell("strace -y -o $log $options " . implode(' ', array_map('escapeshellarg', ["$cli->directory/bin/bloom", ...$command])))->code;
}

$prepare = function () use ($cli, $store, $blobs): void {
    remove_tree("$cli->files/store");
    mkdir("$cli->files/store");
    remove_tree(segment_path());
    $blobs['old']->publish($store, 'tags');
    Filter::load('tags', $blobs['old']);
};

$load = ['load', 'tags', 'new.bloom'];
$publish = ['publish', 'tags', 'new.bloom', 'store'];
foreach ([
    ['publish', $publish, $publish, fn () => version_of(Blob::fetch($store, 'tags'))],
    ['load', $load, $load, fn () => version_of(Filter::open('tags'))],
    // A killed sync keeps the lease for a few seconds. The next command is a load, which needs no lease.
    ['sync', ['sync', 'tags', 'store', '--ttl=0'], $load, fn () => version_of(Filter::open('tags'))],
] as [$what, $command, $after, $version]) {
    $ready = function () use ($prepare, $what, $blobs, $store): void {
        $prepare();
        if ($what === 'sync') {
            $blobs['new']->publish($store, 'tags');
        }
    };
    // Temporary files in the store are not counted. A publish cannot delete them, because another host may be writing them.
    $left = fn () => [count(tree(segment_path())), count(preg_grep('/\.tmp$/', tree("$cli->files/store"), PREG_GREP_INVERT))];
    $ready();
    check(trace($cli, $command, '', "$cli->directory/log") === 0 && $version() === 'new', "$what works");
    $usual = $left();

    // Lists the calls on files of the store and the segment, each with its number among the calls of the same name.
    // Calls that change something are all listed, and every twelfth of the other calls.
    $numbers = $calls = [];
    $looks = 0;
    foreach (file("$cli->directory/log") as $line) {
        if (!preg_match('/^(\w+)\(/', $line, $found)) {
            continue;
        }
        $name = $found[1];
        $numbers[$name] = ($numbers[$name] ?? 0) + 1;
        if (preg_match('~' . preg_quote(segment_path()) . '[/">]|/files/store|"store~', $line)
            && (preg_match('/O_CREAT|^(write|rename|link|unlink|mkdir|flock|fsync|fallocate|f?chmod)/', $line) || $looks++ % 12 === 0)) {
            $calls[] = [$name, $numbers[$name]];
        }
    }
    $versions = ['old' => 0, 'new' => 0];
    foreach ($calls as [$name, $number]) {
        $ready();
        $status = trace($cli, $command, "-e trace=$name -e inject=$name:signal=SIGKILL:when=$number");
        check($status !== 0, "$what: killed at $name number $number");
        $now = $version();
        $versions[$now]++;
        $next = $cli->run($after);
        check($next->code === 0 && $version() === 'new', "$what, killed at $name number $number: the next command: exit $next->code, {$version()}, $next->output $next->errors");
        check($left() === $usual, "$what, killed at $name number $number: these files remain: " . implode(' ', [...tree(segment_path()), ...tree("$cli->files/store")]));
    }
    check(count($calls) > 15 && $versions['old'] > 5, "$what: killed at " . count($calls) . ' calls, ' . json_encode($versions));
}
echo "done\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done
