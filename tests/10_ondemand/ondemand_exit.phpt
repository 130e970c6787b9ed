--TEST--
A script that ends inside a store method leaves a working on-demand filter
--DESCRIPTION--
fault: exit-in-store
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-ondemand_exit
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
require __DIR__ . '/../lib/ondemand.inc';
use Bloom\Filter;

Clock::own();
Clock::stop(); // no pause ends because the machine is busy

$blob = chunked(keys('k', 8000));
$chunks = count(chunk_keys($blob, 'large'));
$code = 'require ' . var_export(__DIR__ . '/../lib/ondemand.inc', true) . ';
    $blob = chunked(keys("k", 8000));
    $store = store_of($blob);
    $store->script = function (string $called, array $keys) { if ((end($keys) === "large") === HEAD) { END } };
    $large = Bloom\Filter::attach("large", $store, 1 << 20);
    LOOKUP;
    echo "went on";';
foreach ([
    'exit' => 'exit("left");',
    'fatal' => '@trigger_error("fatal", E_USER_ERROR);',
    'memory' => exhaust_memory(),
    'time' => expire_time(),
    'shutdown' => 'register_shutdown_function(function () { global $large; echo " shutdown: ", json_encode(($large ?? null)?->mightContain("k2")); }); exit;',
    'destructors' => '$GLOBALS["last"] = new class { function __destruct() { echo " destructor: ", json_encode(Bloom\Filter::find("large")?->mightContain("k2")); } }; exit;',
] as $name => $end) {
    foreach (['head' => '', 'chunk' => '$large->mightContain("k1")', 'batch' => '$large->candidates(keys("k", 8000))'] as $where => $lookup) {
        Filter::drop('large');
        $text = run(strtr($code, ['HEAD' => $where === 'head' ? 'true' : 'false', 'END' => $end, 'LOOKUP' => $lookup]), ['log_errors' => '0']);
        echo "$name, $where: ", preg_match('/left|Fatal error: \w+ \S+|(shutdown|destructor): \w+/', $text, $match) ? $match[0] : $text;
        $store = store_of($blob);
        if ($where === 'head') {
            check(Filter::find('large') === null, "$name: there is none");
        } else {
            // A process that terminates without notifying the extension leaves claims, which expire after a few seconds.
            $info = Filter::open('large')->info();
            $noted = [$info->fetchFailures, $info->fetchPause > 0, $info->lastError];
            check($noted === [1, true, 'the script ended during the call'] || ($name !== 'exit' && $noted === [0, false, null]), "$name, $where: " . json_encode($noted));
            let_claims_end($blob);
            let_pause_end();
        }
        echo "\n";
        $large = Filter::attach('large', $store, 1 << 20);
        check($large->candidates(keys('k', 8000)) === keys('k', 8000) && $large->info()->chunksHere === $chunks, "$name, $where: it works");
        check(count(tree(in_segment('large'))) === 2, "$name, $where: nothing is left: " . implode(' ', tree(segment_path())));
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
exit, head: left
exit, chunk: left
exit, batch: left
fatal, head: Fatal error: fatal in
fatal, chunk: Fatal error: fatal in
fatal, batch: Fatal error: fatal in
memory, head: Fatal error: Allowed memory
memory, chunk: Fatal error: Allowed memory
memory, batch: Fatal error: Allowed memory
time, head: Fatal error: Maximum execution
time, chunk: Fatal error: Maximum execution
time, batch: Fatal error: Maximum execution
shutdown, head: shutdown: null
shutdown, chunk: shutdown: true
shutdown, batch: shutdown: true
destructors, head: destructor: null
destructors, chunk: destructor: true
destructors, batch: destructor: true
