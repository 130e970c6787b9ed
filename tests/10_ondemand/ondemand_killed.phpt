--TEST--
A process that is killed while it fetches leaves only claims, which expire
--DESCRIPTION--
fault: killed-anywhere
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-ondemand_killed
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
Clock::stop(); // no claim ends because the machine is busy

$blob = chunked(keys('k', 8000));
$chunks = count(chunk_keys($blob, 'large'));
$store = store_of($blob);
$large = Filter::attach('large', $store, 1 << 20);
$child = new Child('require ' . var_export(__DIR__ . '/../lib/ondemand.inc', true) . ';
    $blob = chunked(keys("k", 8000));
    $store = store_of($blob);
    $large = Bloom\Filter::attach("large", $store, 1 << 20);
    $large->mightContain("k1");
    $store->script = function (string $called, array $keys) { echo "fetching\n"; fgets(STDIN); };
    $large->candidates(keys("k", 8000));');
echo $child->hear(), "\n";
check($large->info()->chunksHere === 1, 'one came');
$store->takeLog();
check($large->candidates(keys('k', 8000)) === keys('k', 8000) && $store->takeLog() === '', 'the others are his: maybe');
$child->kill();
echo $child->end(), "\n";
check($large->candidates(keys('k', 8000)) === keys('k', 8000) && $store->takeLog() === '', 'for a while after his death');

// A claim expires after at most 5 seconds. The test moves it into the past instead of waiting.
$now = intdiv(hrtime(true), 1_000_000);
$seen = 0;
for ($chunk = 0; $chunk < $chunks; $chunk++) {
    change_word('large', 4096 + head_bytes($blob) + 8 * $chunk, function (int $word) use ($now, &$seen) {
        if ($word > 0 && $word & 1 << 62) {
            $seen++;
            $until = $word & (1 << 62) - 1;
            check($until <= $now + 5000, 'at most 5 s: ' . $until - $now);
        }
        return $word;
    });
}
check($seen === $chunks - 1, "claimed: $seen");
let_claims_end($blob);
check($large->candidates(keys('k', 8000)) === keys('k', 8000), 'all');
echo str_replace((string) ($chunks - 1), 'all but one', $store->takeLog()), ', ', counters($large, 'fetchFailures', 'fetchPause'), "\n";
check($large->info()->chunksHere === $chunks, 'all are here');

// Many processes are killed at any point of a fetch while others look keys up. No key is ever missing, and all
// answers match the complete filter.
Filter::drop('large');
$large = Filter::attach('large', $store, memory_for($blob, 3));
$code = 'require ' . var_export(__DIR__ . '/../lib/ondemand.inc', true) . ';
    $blob = chunked(keys("k", 8000));
    $large = Bloom\Filter::attach("large", store_of($blob), ' . memory_for($blob, 3) . ');
    mt_srand((int) $argv[1]);
    echo "ready\n";
    while (true) {
        $i = mt_rand(0, 7999);
        $large->mightContain("k$i") || print("missing k$i\n");
        $large->mightContain("out$i") === $blob->mightContain("out$i") || $large->mightContain("k$i");
    }';
for ($round = 0; $round < 6; $round++) {
    $children = [new Child($code, [], [2 * $round]), new Child($code, [], [2 * $round + 1])];
    array_map(fn (Child $child) => $child->hear(), $children);
    for ($i = 0; $i < 2000; $i++) {
        $k = $i * 7 % 8000;
        check($large->mightContain("k$k"), "k$k");
    }
    foreach ($children as $child) {
        $child->kill();
        check($child->end() === ' (exit status 9)', 'no key was missing there');
    }
    Clock::advance(5.001); // the claims end
}
let_claims_end($blob);
let_pause_end();
$store->takeLog();
foreach (key_of_each_chunk($blob, 'k') as $chunk => $one) {
    check($large->mightContain($one) && in_array($store->takeLog(), ['', 'get 1'], true), "chunk $chunk can be had");
}
check($large->info()->chunksHere === 3 && count(tree(in_segment('large'))) === 2, 'nothing is left');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
fetching
 (exit status 9)
get all but one, fetchFailures 0, fetchPause 0
