--TEST--
A publish, load or sync that is killed at any file system call takes full effect or none, and the next one succeeds
--DESCRIPTION--
fault: killed-anywhere
--EXTENSIONS--
bloom
--SKIPIF--
<?php
if (getenv('BLOOM_TEST_SANITIZE')) {
    die('skip the leak sanitizer does not work under strace');
}
exec('strace -o /dev/null -e trace=close -e inject=close:signal=SIGKILL:when=1 true 2>&1', $output, $status);
if ($status !== 137) {
    die('skip strace cannot inject signals here: ' . ($output[0] ?? "exit status $status"));
}
?>
--INI--
bloom.path={TMP}/bloom-sync_killed_calls
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Blob;
use Bloom\DirectoryStore;
use Bloom\Filter;

// The same call must have the same number in each run. Without this setting, numbers also depend on addresses, because PHP's
// allocator unmaps unaligned parts.
putenv('USE_ZEND_ALLOC=0');
$blobs = ['old' => blob_of([...keys('common', 100), 'old']), 'new' => blob_of([...keys('common', 100), 'new'], builtAt: 1_700_000_001)];
$blobs['new']->save(own_file('new.bloom'));
mkdir(own_file('store'));
$store = new DirectoryStore(own_file('store'));

/** Returns the version whose keys the filter or blob contains: "old" or "new". */
function version_of(Blob|Filter $filter): string
{
    check(array_filter(keys('common', 100), fn (string $key) => !$filter->mightContain($key)) === [], 'the common keys');
    return implode(' ', array_filter(['old', 'new'], $filter->mightContain(...)));
}

/** Runs code in a process whose calls strace counts. Returns its exit status. */
function trace(string $code, string $options, string $log = '/dev/null'): int
{
    file_put_contents(own_file('code.php'), "<?php $code");
    exec("strace -y -o $log $options " . php_command() . ' ' . escapeshellarg(own_file('code.php')) . ' 2>&1', $output, $status);
    return $status;
}

$prepare = function () use ($store, $blobs): void {
    remove_tree(own_file('store'));
    mkdir(own_file('store'));
    remove_tree(segment_path());
    $blobs['old']->publish($store, 'tags');
    Filter::load('tags', $blobs['old']);
};

$new = 'Bloom\Blob::open(' . var_export(own_file('new.bloom'), true) . ')';
$at = 'new Bloom\DirectoryStore(' . var_export(own_file('store'), true) . ')';
$load = fn () => Filter::load('tags', $blobs['new']);
foreach ([
    ['publish', "{$new}->publish($at, 'tags');", fn () => $blobs['new']->publish($store, 'tags'), fn () => version_of(Blob::fetch($store, 'tags'))],
    ['load', "Bloom\Filter::load('tags', $new);", $load, fn () => version_of(Filter::open('tags'))],
    // A killed sync keeps the lease for a few seconds. The next one is a load, which needs no lease.
    ['sync', "Bloom\Filter::sync('tags', $at, ttl: 0);", $load, fn () => version_of(Filter::open('tags'))],
] as [$what, $code, $next, $version]) {
    $ready = function () use ($prepare, $what, $blobs, $store): void {
        $prepare();
        if ($what === 'sync') {
            $blobs['new']->publish($store, 'tags');
        }
    };
    // Temporary files in the store are not counted. A publish cannot delete them, because another host may be writing them.
    $left = fn () => [count(tree(segment_path())), count(preg_grep('/\.tmp$/', tree(own_file('store')), PREG_GREP_INVERT))];
    $ready();
    check(trace($code, '', own_file('log')) === 0 && $version() === 'new', "$what works");
    $usual = $left();

    // Lists the calls on files of the store and the segment, each with its number among the calls of the same name.
    // Calls that change something are all listed, and every twelfth of the other calls.
    $numbers = $calls = [];
    $looks = 0;
    foreach (file(own_file('log')) as $line) {
        if (!preg_match('/^(\w+)\(/', $line, $found)) {
            continue;
        }
        $name = $found[1];
        $numbers[$name] = ($numbers[$name] ?? 0) + 1;
        if (preg_match('~' . preg_quote(segment_path()) . '[/">]|' . preg_quote(own_file('store')) . '~', $line)
            && (preg_match('/O_CREAT|^(write|rename|link|unlink|mkdir|flock|fsync|fallocate|f?chmod)/', $line) || $looks++ % 12 === 0)) {
            $calls[] = [$name, $numbers[$name]];
        }
    }
    $versions = ['old' => 0, 'new' => 0];
    foreach ($calls as [$name, $number]) {
        $ready();
        $status = trace($code, "-e trace=$name -e inject=$name:signal=SIGKILL:when=$number");
        check($status !== 0, "$what: killed at $name number $number");
        $versions[$version()]++;
        $next();
        check($version() === 'new', "$what, killed at $name number $number: the next one: {$version()}");
        check($left() === $usual, "$what, killed at $name number $number: these files remain: " . implode(' ', [...tree(segment_path()), ...tree(own_file('store'))]));
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
