--TEST--
Containers with different monotonic clocks agree on windows, leases and pauses
--DESCRIPTION--
fault: time-namespace
--EXTENSIONS--
bloom
--SKIPIF--
<?php
exec('unshare -T --monotonic 1000 true 2>/dev/null', $output, $status);
if ($status !== 0) {
    echo 'skip time namespaces cannot be created here';
}
?>
--INI--
bloom.path={TMP}/bloom-process_time_namespace
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Filter, SlidingFilter};

// The windows are 10,000 s long. The clocks are a day ahead, or as far behind as the kernel allows.
$behind = -(int) (hrtime(true) / 1e9) + 1;
$in = fn (int $seconds, string $code, mixed ...$arguments) => (new Child('require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ";\n"
    . 'require ' . var_export(dirname(__DIR__) . '/lib/stores.inc', true) . ";\n"
    . "check(abs(hrtime(true) / 1e9 - \$argv[1]) < 1000, 'the namespace has its own clock');\n$code", [], [hrtime(true) / 1e9 + $seconds, ...$arguments],
    "exec unshare -T --monotonic $seconds"))->end();

$sliding = SlidingFilter::create('sliding', 1000, 1e-9, 10_000, 1);
$store = new ScriptedStore;
blob_of(['base'])->publish($store, 'synced');
check(switched(Filter::sync('synced', $store, 10_000)), 'the first sync');
check($sliding->add('here'), 'a new key');
foreach ([86_400, $behind] as $seconds) {
    $text = "clock $seconds s ahead";
    $said = $in($seconds, '
        $sliding = Bloom\Filter::open("sliding");
        check($sliding->mightContain("here") && $sliding->candidates(["here", "nowhere"]) === ["here"],
            "the process finds the key that was added outside");
        check($sliding->add("there" . $argv[2]), "a key is added");
        $store = new ScriptedStore;
        check(switched(Bloom\Filter::sync("synced", $store, 10_000)) === false && $store->takeLog() === "", "no sync is due");
        $store->script = fn () => throw new RuntimeException("down");
        echo thrown(fn () => Bloom\Filter::sync("failing" . $argv[2], $store, 10_000), true);
    ', $seconds);
    check($said === 'Bloom\StoreException', "$text: $said");
    check($sliding->mightContain('here') && $sliding->mightContain("there$seconds") && !$sliding->mightContain('nowhere'),
        "$text: the key is found outside the namespace");
    check($sliding->add("after$seconds") && $sliding->mightContain('here'), "$text: the first key is found after another add");
    check(switched(Filter::sync('synced', $store, 10_000)) === false, "$text: no sync is due outside the namespace");
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
