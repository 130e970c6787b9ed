--TEST--
A script that PHP terminates at the hard timeout inside a store method harms no other process
--DESCRIPTION--
fault: time-limit
--EXTENSIONS--
bloom
--SKIPIF--
<?php
if (PHP_ZTS) {
    echo 'skip thread-safe builds of PHP have no hard_timeout';
}
?>
--INI--
bloom.path={TMP}/bloom-sync_hard_timeout
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Filter;

$store = new ScriptedStore;
chunked(keys('new', 5000))->publish($store, 'booth');
$booth = Filter::load('booth', chunked(keys('old', 5000), builtAt: 1));
echo preg_replace('/^.*(\(exit status \d+\))$/s', '$1', run('require ' . var_export(__DIR__ . '/../lib/stores.inc', true) . ';
    $store = new ScriptedStore;
    chunked(keys("hung", 5000))->publish($store, "booth");
    // The first signal is that of the timeout, and the second one that of the hard timeout, while the same function runs.
    $store->script = fn (string $called, array $keys) => end($keys) === "booth" ? null
        : shell_exec("exec 2>/dev/null; while kill -PROF " . getmypid() . "; do sleep 0.01; done");
    set_time_limit(60);
    Bloom\Filter::sync("booth", $store, 0);', ['hard_timeout' => 60])), "\n";
check($booth->candidates(keys('old', 5000)) === keys('old', 5000), 'the old version is still served');
end_lease('booth');
check(switched(Filter::sync('booth', $store, 0)) === true && $booth->mightContain('new1'), 'the retry succeeds');
check(!preg_grep('/tmp$/', tree(segment_path())), 'no staged file is left: ' . implode(' ', tree(segment_path())));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
(exit status 124)
