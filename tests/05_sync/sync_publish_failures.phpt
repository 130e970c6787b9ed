--TEST--
If the store fails or returns garbage during a publish, the previously published version remains complete
--DESCRIPTION--
fault: store-throws
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_publish_failures
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';

$old = chunked(keys('old', 5000));
$new = chunked(keys('new', 5000), builtAt: 1_700_000_001);
$before = chunked(keys('before', 5000), builtAt: 1_600_000_000);
foreach ([
    'throws' => fn () => throw new DomainException('down'),
    'throws an Error' => fn () => intdiv(1, 0),
    'a StoreException of its own' => fn () => throw new Bloom\StoreException('mine', 77),
    'an int' => fn () => 0,
] as $how => $answer) {
    foreach (['missing', 'get', 'set', 'replace', 'delete'] as $method) {
        $store = new ScriptedStore;
        $before->publish($store, 'booth');
        $old->publish($store, 'booth');
        $store->script = fn (string $called) => $called === $method ? $answer() : null;
        $text = thrown(fn () => $new->publish($store, 'booth'));
        echo "$how, $method: $text\n";
        $store->script = null;
        $published = Bloom\Blob::fetch($store, 'booth');
        $served = $published->mightContain('old1') ? 'old' : 'new';
        check($text === 'nothing' || $served === ($method === 'delete' ? 'new' : 'old'), "$how, $method: $served is published, whole");
    }
}
try {
    $store->script = fn () => throw new DomainException('down', 5);
    $new->publish($store, 'booth');
} catch (Bloom\StoreException $error) {
    var_dump($error->getPrevious() instanceof DomainException, $error->getPrevious()->getCode());
}
// missing() returns values of the wrong type.
foreach ([['no such key'], [5], [null], ['a' => ['b']], [new stdClass]] as $answer) {
    $store = new ScriptedStore;
    $store->script = fn (string $called) => $called === 'missing' ? $answer : null;
    echo json_encode($answer), ': ', thrown(fn () => $new->publish($store, 'booth')), "\n";
}
// An invalid head in the store does not prevent publishing a valid one.
foreach (['', 'garbage', str_repeat("\0", 4096), substr($old->toString(), 0, 4095)] as $garbage) {
    foreach (['booth', 'booth:versions'] as $key) {
        $store = new ScriptedStore;
        $old->publish($store, 'booth');
        $store->values[$key] = $garbage;
        check(thrown(fn () => $new->publish($store, 'booth')) === 'nothing', "garbage at $key");
        check(Bloom\Blob::fetch($store, 'booth')->mightContain('new1'), 'published');
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
throws, missing: Bloom\StoreException: the store failed: DomainException: down
throws, get: Bloom\StoreException: the store failed: DomainException: down
throws, set: Bloom\StoreException: the store failed: DomainException: down
throws, replace: Bloom\StoreException: the store failed: DomainException: down
throws, delete: nothing
throws an Error, missing: Bloom\StoreException: the store failed: DivisionByZeroError: Division by zero
throws an Error, get: Bloom\StoreException: the store failed: DivisionByZeroError: Division by zero
throws an Error, set: Bloom\StoreException: the store failed: DivisionByZeroError: Division by zero
throws an Error, replace: Bloom\StoreException: the store failed: DivisionByZeroError: Division by zero
throws an Error, delete: nothing
a StoreException of its own, missing: Bloom\StoreException: mine
a StoreException of its own, get: Bloom\StoreException: mine
a StoreException of its own, set: Bloom\StoreException: mine
a StoreException of its own, replace: Bloom\StoreException: mine
a StoreException of its own, delete: nothing
an int, missing: Bloom\StoreException: the store failed: TypeError: ScriptedStore::missing(): Return value must be of type array, int returned
an int, get: Bloom\StoreException: the store failed: TypeError: ScriptedStore::getMultiple(): Return value must be of type array, int returned
an int, set: Bloom\StoreException: a chunk that was just written: missing from the store
an int, replace: Bloom\BusyException: booth: another process has changed the filter in the meantime
an int, delete: nothing
bool(true)
int(5)
["no such key"]: nothing
[5]: Bloom\StoreException: missing(): the store returned a value of the wrong type
[null]: Bloom\StoreException: missing(): the store returned a value of the wrong type
{"a":["b"]}: Bloom\StoreException: missing(): the store returned a value of the wrong type
[{}]: Bloom\StoreException: missing(): the store returned a value of the wrong type
