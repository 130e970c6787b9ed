--TEST--
If a store fails, or its chunks are missing or invalid, lookups answer "maybe" and are counted, and later lookups fetch the chunks
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-ondemand_failures
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
Clock::stop(); // no pause or claim ends because the machine is busy

$blob = chunked(keys('k', 8000));
$chunks = chunk_keys($blob, 'large');
$key = key_of_each_chunk($blob, 'k');
$out = array_map(fn (int $chunk) => (function () use ($chunk, $blob) {
    for ($i = 0; chunk_of($blob, "out$i") !== $chunk || $blob->mightContain("out$i"); $i++);
    return "out$i";
})(), array_keys($key));

// After an invalid answer for one chunk, lookups answer "maybe" only for the keys of that chunk.
$right = store_of($blob)->values;
foreach ([
    'missing' => null,
    'empty' => '',
    'short' => substr($right[$chunks[0]], 1),
    'long' => $right[$chunks[0]] . 'x',
    'one bit' => $right[$chunks[0]] ^ "\0\0\0\1" . str_repeat("\0", 1020),
    'another chunk' => $right[$chunks[1]],
    'zeros' => str_repeat("\0", 1024),
    'a number' => 1024,
    'false' => false,
    'an array' => [$right[$chunks[0]]],
    'an object' => new ArrayObject,
] as $text => $wrong) {
    Filter::drop('large');
    $store = store_of($blob);
    $large = Filter::attach('large', $store, 1 << 20);
    $large->mightContain($key[1]);
    $store->script = fn (string $called, array $keys) => array_replace(array_intersect_key($right, array_flip($keys)), in_array($chunks[0], $keys, true) ? [$chunks[0] => $wrong] : []);
    $found = $large->candidates([...$key, ...$out]);
    check($found === [...$key, $out[0]], "$text: all but the keys of the first chunk are told");
    $info = $large->info();
    echo "$text: ", counters($large, 'fetchFailures', 'untold', 'fetchPause'), ' ', str_replace($chunks[0], 'CHUNK', $info->lastError), "\n";
    // The chunk is not requested again before its claim expires.
    $store->takeLog();
    check($large->mightContain($out[0]) && $large->mightContain($key[0]) && $store->takeLog() === '', "$text: not asked for again at once");
    $store->script = null;
    let_claims_end($blob);
    check(!$large->mightContain($out[0]) && $store->takeLog() === 'get 1' && $large->candidates($out) === [], "$text: healed");
}
echo "\n";

// After a failed call, no process calls the store for a while. Then one process tries again.
foreach ([
    'exception' => fn () => throw new RuntimeException('down'),
    'error' => fn () => no_such_function(),
    'own exception' => fn () => throw new Bloom\StoreException('mine', 99),
    'no array' => fn () => throw new TypeError('getMultiple(): Return value must be of type array, string returned'),
    'an exception without text' => fn () => throw new class extends Exception {
        protected $message = ['no', 'text'];
    },
] as $text => $fail) {
    Filter::drop('large');
    $store = store_of($blob);
    $large = Filter::attach('large', $store, 1 << 20);
    $large->mightContain($key[1]);
    $store->script = $fail;
    $store->takeLog();
    $all = [...$key, ...$out];
    check(@$large->candidates($all) === array_diff_key($all, [count($key) + 1 => 0]), "$text: maybe");
    $pause = $large->info()->fetchPause;
    check($pause > 0 && $pause <= 1, "$text: left alone for a second: $pause");
    $large->candidates($out);
    $large->mightContain($out[0]);
    echo "$text: ", $store->takeLog(), ', ', counters($large, 'fetchFailures', 'untold', 'syncFailures', 'lastError'), "\n";
    $pauses = [];
    for ($i = 0; $i < 7; $i++) {
        let_pause_end();
        check(@$large->mightContain($out[0]) && $store->takeLog() === 'get 1', "$text: asked again after the pause");
        check(@$large->mightContain($out[0]) && $store->takeLog() === '', "$text: and left alone again");
        $pauses[] = ceil($large->info()->fetchPause);
    }
    check($pauses === [2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0], "$text: longer and longer: " . implode(' ', $pauses));
    $store->script = null;
    let_pause_end();
    check(!$large->mightContain($out[0]) && $large->candidates($out) === [], "$text: healed");
    check($large->info()->fetchPause === 0.0 && $large->info()->fetchFailures === 8, "$text: no pause");
}

// Consecutive missing chunks also count as a failure. They may be due to an interrupted publish or to the wrong store.
$store = store_of($blob, 'lost');
$store->values = array_intersect_key($store->values, ['lost' => 0]);
$lost = Filter::attach('lost', $store, 1 << 20);
check($lost->candidates([...$key, ...$out]) === [...$key, ...$out], 'maybe');
$pause = $lost->info()->fetchPause;
check($pause > 0 && $pause <= 1, "left alone: $pause");
check($lost->info()->fetchFailures === count($chunks) && $lost->info()->chunksHere === 0, 'counted');
check($lost->info()->untold === 2 * count($chunks) && $lost->info()->misses === 2 * count($chunks), 'untold');

// A filter with memory for all chunks no longer needs the store.
Filter::drop('large');
$store = store_of($blob);
$large = Filter::attach('large', $store, 1 << 20);
$large->candidates($key);
$store->script = fn () => throw new RuntimeException('down');
check($large->candidates([...$key, ...$out]) === $key, 'told');
echo $store->takeLog(), ', ', counters($large, 'untold', 'fetchFailures', 'lastError'), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
missing: fetchFailures 1, untold 2, fetchPause 0 CHUNK: missing from the store
empty: fetchFailures 1, untold 2, fetchPause 0 CHUNK: the chunk's bytes do not match its digest
short: fetchFailures 1, untold 2, fetchPause 0 CHUNK: the chunk's bytes do not match its digest
long: fetchFailures 1, untold 2, fetchPause 0 CHUNK: the chunk's bytes do not match its digest
one bit: fetchFailures 1, untold 2, fetchPause 0 CHUNK: the chunk's bytes do not match its digest
another chunk: fetchFailures 1, untold 2, fetchPause 0 CHUNK: the chunk's bytes do not match its digest
zeros: fetchFailures 1, untold 2, fetchPause 0 CHUNK: the chunk's bytes do not match its digest
a number: fetchFailures 1, untold 2, fetchPause 0 CHUNK: the store returned a value of the wrong type
false: fetchFailures 1, untold 2, fetchPause 0 CHUNK: the store returned a value of the wrong type
an array: fetchFailures 1, untold 2, fetchPause 0 CHUNK: the store returned a value of the wrong type
an object: fetchFailures 1, untold 2, fetchPause 0 CHUNK: the store returned a value of the wrong type

exception: get 9, fetchFailures 1, untold 28, syncFailures 0, lastError "the store failed: RuntimeException: down"
error: get 9, fetchFailures 1, untold 28, syncFailures 0, lastError "the store failed: Error: Call to undefined function no_such_function()"
own exception: get 9, fetchFailures 1, untold 28, syncFailures 0, lastError "mine"
no array: get 9, fetchFailures 1, untold 28, syncFailures 0, lastError "the store failed: TypeError: getMultiple(): Return value must be of type array, string returned"
an exception without text: get 9, fetchFailures 1, untold 28, syncFailures 0, lastError "the store failed: Exception@anonymous: Array"
get 2, get 10, untold 0, fetchFailures 0, lastError null
