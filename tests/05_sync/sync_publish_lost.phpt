--TEST--
A store that loses, mixes up or invents values never makes a host serve a wrong filter, and a forced publish repairs the store
--DESCRIPTION--
fault: store-changes-bytes, store-mixes-up
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_publish_lost
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{BloomException, Filter};

$old = chunked(keys('old', 5000), builtAt: 1);
$new = chunked(keys('new', 5000));
$chunks = chunk_keys($new, 'booth');
/** Returns a script that runs $else instead of set() for the keys that $of selects. */
$sets = function (callable $of, callable $else) use (&$store): Closure {
    return function (string $called, mixed $key, ?string $value = null) use ($of, $else, &$store) {
        if (in_array($called, ['set', 'replace'], true) && $of($key)) {
            $else($key, $value, $store);
            return true;
        }
        return null;
    };
};
$all = fn () => true;
$nothing = fn () => null;
$isHead = fn (string $key) => $key === 'booth';
$isFirst = fn (string $key) => $key === $chunks[0];
$isSecond = fn (string $key) => $key === $chunks[1];
$faults = [
    'set() stores nothing' => $sets($all, $nothing),
    'set() does not store the head' => $sets($isHead, $nothing),
    'set() does not store a chunk' => $sets($isFirst, $nothing),
    'set() cuts values' => $sets($all, fn ($key, $value, $store) => $store->values[$key] = substr($value, 0, 500)),
    'set() cuts a chunk' => $sets($isFirst, fn ($key, $value, $store) => $store->values[$key] = substr($value, 1)),
    'set() changes a bit' => $sets($isFirst, fn ($key, $value, $store) => $store->values[$key] = flipped($value, 500)),
    'set() stores the one before under two keys' => $sets($isSecond, fn ($key, $value, $store) => $store->values[$key] = $store->values[$chunks[0]]),
    'set() forgets the last but one' => $sets($isSecond, function ($key, $value, $store) use ($chunks) {
        unset($store->values[$chunks[0]]);
        $store->values[$key] = $value;
    }),
    'missing() says that nothing is' => fn (string $called) => $called === 'missing' ? [] : null,
    'missing() says that all is, of other names' => fn (string $called) => $called === 'missing' ? array_map(fn ($key) => "other$key", $chunks) : null,
    'all is gone after the head' => $sets($isHead, function ($key, $value, $store) {
        $store->values = [$key => $value];
        $store->script = fn (string $called) => $called === 'missing' ? [] : null;
    }),
    'get() has the head of another name' => fn (string $called, mixed $keys) => $called === 'get' && $keys === ['booth'] ? ['other' => substr($old->toString(), 0, 4096)] : null,
    'delete() deletes all' => function (string $called) use (&$store) {
        if ($called === 'delete') {
            $store->values = [];
        }
        return null;
    },
    'delete() does nothing' => fn (string $called) => $called === 'delete' ? true : null,
];
foreach ($faults as $name => $script) {
    Filter::drop('booth');
    $booth = Filter::load('booth', $old);
    $store = new ScriptedStore;
    // Two earlier versions give the publish something to delete.
    chunked(keys('a', 5000), builtAt: 2)->publish($store, 'booth');
    chunked(keys('b', 5000), builtAt: 3)->publish($store, 'booth');
    $store->script = $script;
    $said = thrown(fn () => $new->publish($store, 'booth'));
    $store->script = null;
    $told = thrown(fn () => Filter::sync('booth', $store, 0));
    $served = array_values(array_filter(['old', 'a', 'b', 'new'], fn ($prefix) => $booth->candidates(keys($prefix, 5000)) === keys($prefix, 5000)));
    echo "$name: published: $said, synced: ", preg_replace('/[0-9a-f]{32}/', '{digest}', $told), ", served: ", implode(' ', $served), "\n";
    check(count($served) === 1, "$name: one version is served");
    check($told === 'nothing' || $booth->info()->generation === 1 && str_ends_with($told, ": {$booth->info()->lastError}"), "$name: {$booth->info()->lastError}");
    // This process wrote the remaining mark, so the next publish would wait a minute. The test backdates the mark.
    if (isset($store->values['booth:publisher'])) {
        $store->values['booth:publisher'] = '';
    }
    check(thrown(fn () => $new->publish($store, 'booth', force: true)) === 'nothing',
        "$name: publishing again succeeds");
    $healed = thrown(fn () => Filter::sync('booth', $store, 0));
    check($healed === 'nothing' && $booth->candidates(keys('new', 5000)) === keys('new', 5000) && $booth->info()->syncFailuresInRow === 0,
        "$name: the next sync succeeds: $healed");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
set() stores nothing: published: Bloom\StoreException: a chunk that was just written: missing from the store, synced: nothing, served: b
set() does not store the head: published: nothing, synced: nothing, served: b
set() does not store a chunk: published: Bloom\StoreException: a chunk that was just written: missing from the store, synced: nothing, served: b
set() cuts values: published: Bloom\StoreException: booth:70e186e3da2018133125e35b7c39ca3c: stored 1024 bytes, read 500, which differ from byte 500 on: the store returned bytes that differ from what was stored (disable the client's serializer and compression, and correct the store), synced: nothing, served: b
set() cuts a chunk: published: Bloom\StoreException: booth:70e186e3da2018133125e35b7c39ca3c: stored 1024 bytes, read 1023, which differ from byte 0 on: the store returned bytes that differ from what was stored (disable the client's serializer and compression, and correct the store), synced: nothing, served: b
set() changes a bit: published: Bloom\StoreException: booth:70e186e3da2018133125e35b7c39ca3c: stored 1024 bytes, read 1024, which differ from byte 500 on: the store returned bytes that differ from what was stored (disable the client's serializer and compression, and correct the store), synced: nothing, served: b
set() stores the one before under two keys: published: Bloom\StoreException: booth:1b75dfe420e6dfbedb4a5e4b262e6c88: stored 1024 bytes, read 1024, which differ from byte 0 on: the store returned bytes that differ from what was stored (disable the client's serializer and compression, and correct the store), synced: nothing, served: b
set() forgets the last but one: published: nothing, synced: nothing, served: new
missing() says that nothing is: published: nothing, synced: nothing, served: new
missing() says that all is, of other names: published: nothing, synced: nothing, served: new
all is gone after the head: published: nothing, synced: Bloom\StoreException: a chunk: missing from the store, served: old
get() has the head of another name: published: Bloom\BusyException: booth: another process has changed the filter in the meantime, synced: nothing, served: b
delete() deletes all: published: nothing, synced: Bloom\StoreException: booth: missing from the store, served: old
delete() does nothing: published: nothing, synced: nothing, served: new
