--TEST--
A store is checked once per ttl, and less and less often after failures
--DESCRIPTION--
fault: odd-numbers
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_due
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
require __DIR__ . '/../lib/stores.inc';
use Bloom\Filter;

Clock::own();
Clock::stop();
$store = new ScriptedStore;
$sync = function (float $ttl) use ($store) {
    $store->log = [];
    $text = '';
    $switched = false;
    $text = thrown(function () use ($store, $ttl, &$switched) {
        $switched = switched(Filter::sync('booth', $store, $ttl));
    }, true);
    return ($store->log ? 'looked' : 'did not look') . ', ' . ($text === 'nothing' ? json_encode($switched) : $text) . "\n";
};
echo 'nothing published: ', $sync(1000);
echo 'at once again: ', $sync(1000);
echo 'with ttl 0: ', $sync(0);
var_dump(Filter::find('booth'), Filter::list());
chunked(keys('k', 3000))->publish($store, 'booth');
echo 'published, after failures: ', $sync(1000);
echo 'with ttl 0: ', $sync(0);
echo 'after a success: ', $sync(1000), $sync(1e9);
echo 'with ttl 0: ', $sync(0);
echo 'in another process: ', run('require ' . var_export(__DIR__ . '/../lib/stores.inc', true) . ';
    $store = new ScriptedStore;
    var_dump(switched(Bloom\Filter::sync("booth", $store, 1000)), $store->log);'), "\n";

// The control page holds the times. The test moves them into the past instead of waiting.
$control = in_segment('booth/control');
$put = function (array $fields) use ($control) {
    // checked and failed are in ms of the monotonic clock; see src/segment/control.h.
    $now = intdiv(hrtime(true), 1_000_000);
    $file = fopen($control, 'r+');
    foreach ($fields as $field => $value) {
        fseek($file, ['lease' => 40, 'checked' => 48, 'failed' => 56, 'row' => 64][$field]);
        fwrite($file, pack('P', $field === 'row' ? $value : ($value === null ? 0 : $now + $value)));
    }
    fclose($file);
};
$put(['checked' => -59_000, 'failed' => null]);
echo 'checked 59 s ago: ', $sync(60);
$put(['checked' => -61_000]);
echo 'checked 61 s ago: ', $sync(60);
foreach ([[1, 999, 1001], [2, 1999, 2001], [3, 3999, 4001], [5, 15999, 16001], [60, 59999, 60001]] as [$row, $early, $late]) {
    $put(['failed' => -$early, 'row' => $row]);
    echo "$row failures, the last $early ms ago: ", $sync(60);
    $put(['failed' => -$late, 'row' => $row]);
    echo "$row failures, the last $late ms ago: ", $sync(60);
}
$put(['checked' => 100_000]);
echo 'checked in the future: ', $sync(60);
$put(['failed' => 100_000, 'row' => 1]);
echo 'failed in the future: ', $sync(60);

// The lease is first held by another process, then has expired, and then is left over from an earlier boot.
$put(['lease' => 20_000]);
echo 'leased for 20 s: ', $sync(0);
$put(['lease' => -1]);
echo 'lease over: ', $sync(0);
$put(['lease' => 40_000_000]);
echo 'a lease longer than any: ', $sync(0);
foreach ([-1, NAN, INF, 1.1e9, -0.001] as $ttl) {
    echo thrown(fn () => Filter::sync('booth', $store, $ttl)), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
nothing published: looked, Bloom\StoreException
at once again: did not look, false
with ttl 0: looked, Bloom\StoreException
NULL
array(0) {
}
published, after failures: did not look, false
with ttl 0: looked, true
after a success: did not look, false
did not look, false
with ttl 0: looked, false
in another process: bool(false)
array(0) {
}
checked 59 s ago: did not look, false
checked 61 s ago: looked, false
1 failures, the last 999 ms ago: did not look, false
1 failures, the last 1001 ms ago: looked, false
2 failures, the last 1999 ms ago: did not look, false
2 failures, the last 2001 ms ago: looked, false
3 failures, the last 3999 ms ago: did not look, false
3 failures, the last 4001 ms ago: looked, false
5 failures, the last 15999 ms ago: did not look, false
5 failures, the last 16001 ms ago: looked, false
60 failures, the last 59999 ms ago: did not look, false
60 failures, the last 60001 ms ago: looked, false
checked in the future: looked, false
failed in the future: looked, false
leased for 20 s: did not look, false
lease over: looked, false
a lease longer than any: looked, false
ValueError: Bloom\Filter::sync(): Argument #3 ($ttl) must be between 0 and 1,000,000,000 seconds
ValueError: Bloom\Filter::sync(): Argument #3 ($ttl) must be between 0 and 1,000,000,000 seconds
ValueError: Bloom\Filter::sync(): Argument #3 ($ttl) must be between 0 and 1,000,000,000 seconds
ValueError: Bloom\Filter::sync(): Argument #3 ($ttl) must be between 0 and 1,000,000,000 seconds
ValueError: Bloom\Filter::sync(): Argument #3 ($ttl) must be between 0 and 1,000,000,000 seconds
