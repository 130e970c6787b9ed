--TEST--
No matter what a store returns or throws, the served generation is kept and the reason is reported
--DESCRIPTION--
fault: chunks-swapped, huge-value, store-corrupt, store-throws
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_answers
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Filter;

$booth = Filter::load('booth', chunked(keys('old', 5000), builtAt: 1_600_000_000));
$files = tree(segment_path());
$new = chunked(keys('new', 5000));
$store = new ScriptedStore;
$new->publish($store, 'booth');
$published = $store->values;
$chunk = current($store->chunks('booth'));
$last = array_values($store->chunks('booth'))[count($store->chunks('booth')) - 1];
$head = $published['booth'];

/** Returns a script for the store. The script answers with the requested values after $change has modified them. */
$answer = fn (callable $change) => fn (string $called, array $keys) => $change(array_intersect_key($published, array_flip($keys)), $keys);
$cases = [
    'head missing' => $answer(fn ($values, $keys) => end($keys) === 'booth' ? [] : null),
    'head null' => $answer(fn ($values, $keys) => end($keys) === 'booth' ? ['booth' => null] : null),
    'head empty' => $answer(fn ($values, $keys) => end($keys) === 'booth' ? ['booth' => ''] : null),
    'head garbage' => $answer(fn ($values, $keys) => end($keys) === 'booth' ? ['booth' => str_repeat('x', 4096)] : null),
    'head cut' => $answer(fn ($values, $keys) => end($keys) === 'booth' ? ['booth' => substr($head, 0, -1)] : null),
    'head with more behind' => $answer(fn ($values, $keys) => end($keys) === 'booth' ? ['booth' => $head . 'x'] : null),
    'head with a changed byte' => $answer(fn ($values, $keys) => end($keys) === 'booth' ? ['booth' => substr_replace($head, 'x', 200, 1)] : null),
    'the whole blob for a head' => $answer(fn ($values, $keys) => end($keys) === 'booth' ? ['booth' => $new->toString()] : null),
    'another key' => $answer(fn ($values, $keys) => end($keys) === 'booth' ? ['other' => $head] : null),
    'a list' => $answer(fn ($values, $keys) => end($keys) === 'booth' ? [$head] : null),
    'chunk missing' => $answer(fn ($values) => array_diff_key($values, [$chunk => 1])),
    'last chunk missing' => $answer(fn ($values) => array_diff_key($values, [$last => 1])),
    'all chunks missing' => $answer(fn ($values, $keys) => end($keys) === 'booth' ? null : []),
    'chunk null' => $answer(fn ($values) => array_replace($values, isset($values[$chunk]) ? [$chunk => null] : [])),
    'chunk empty' => $answer(fn ($values) => array_replace($values, isset($values[$chunk]) ? [$chunk => ''] : [])),
    'chunk cut' => $answer(fn ($values) => array_replace($values, isset($values[$chunk]) ? [$chunk => substr($values[$chunk], 0, -1)] : [])),
    'chunk long' => $answer(fn ($values) => array_replace($values, isset($values[$chunk]) ? [$chunk => $values[$chunk] . 'x'] : [])),
    'chunk with a changed bit' => $answer(fn ($values) => array_replace($values, isset($values[$chunk]) ? [$chunk => flipped($values[$chunk], 0)] : [])),
    'one bit of the last chunk' => $answer(fn ($values) => array_replace($values, isset($values[$last]) ? [$last => substr_replace($values[$last], chr(ord($values[$last][1023]) ^ 1), 1023, 1)] : [])),
    'chunks exchanged' => $answer(fn ($values) => isset($values[$chunk]) ? array_replace($values, [$chunk => $values[$last], $last => $values[$chunk]]) : null),
    'throws' => fn () => throw new DomainException('down'),
    'throws on chunks' => fn (string $called, array $keys) => end($keys) === 'booth' ? null : throw new DomainException('down'),
    'an Error' => fn () => strlen(),
];
foreach (['an int' => 5, 'a float' => 1.5, 'true' => true, 'false' => false, 'an array' => [], 'an object' => new stdClass,
    'a Stringable' => new Exception] as $type => $value) {
    $cases["head $type"] = $answer(fn ($values, $keys) => end($keys) === 'booth' ? ['booth' => $value] : null);
    $cases["chunk $type"] = $answer(fn ($values) => array_replace($values, isset($values[$chunk]) ? [$chunk => $value] : []));
}
foreach ($cases as $name => $script) {
    $store->script = $script;
    $failures = $booth->info()->syncFailures;
    $text = thrown(fn () => Filter::sync('booth', $store, 0));
    $text = preg_replace('/[0-9a-f]{32}/', '{digest}', $text);
    echo "$name: $text\n";
    $info = $booth->info();
    check($booth->candidates(keys('old', 5000)) === keys('old', 5000) && $info->generation === 1,
        "$name: the old version is still served");
    check($info->syncFailures === $failures + 1, "$name: the failure is counted");
    check(preg_replace('/[0-9a-f]{32}/', '{digest}', (string) $info->lastError) === preg_replace('/^.*?: /', '', $text),
        "$name: info() reports {$info->lastError}");
    check(tree(segment_path()) === $files, "$name: no staged file is left: " . implode(' ', tree(segment_path())));
    if ($name !== 'an Error' && !str_contains($text, 'down')) {
        check(thrown(fn () => Bloom\Blob::fetch($store, 'booth'), true) === preg_replace('/:.*/', '', $text), "$name: fetch() throws the same error: " . thrown(fn () => Bloom\Blob::fetch($store,
            'booth')));
    }
}
$store->script = null;
var_dump(switched(Filter::sync('booth', $store, 0)), $booth->candidates(keys('new', 5000)) === keys('new', 5000));
$info = $booth->info();
var_dump($info->generation, $info->syncFailuresInRow, $info->syncFailures === count($cases), $info->syncs, $info->lastError !== null, $info->lastErrorAt > 1.7e9, $info->syncedSecondsAgo < 60);

// Extra values, a different order and duplicates are all accepted.
$store->script = fn (string $called) => $called === 'get' ? array_reverse($published) : null;
check(Bloom\Blob::fetch($store, 'booth')->toString() === $new->toString(),
    'an answer that holds every value is accepted');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
head missing: Bloom\StoreException: booth: missing from the store
head null: Bloom\StoreException: booth: missing from the store
head empty: Bloom\FormatException: 0 bytes: too short to be a blob
head garbage: Bloom\FormatException: blob: this is not a bloom blob: the magic bytes do not match
head cut: Bloom\FormatException: 4095 bytes, but the head alone needs 4096: the length does not match the head
head with more behind: Bloom\FormatException: head of 4097 bytes: the length does not match the head
head with a changed byte: Bloom\FormatException: head: the head's checksum does not match
the whole blob for a head: Bloom\FormatException: head of 14336 bytes: the length does not match the head
another key: Bloom\StoreException: booth: missing from the store
a list: Bloom\StoreException: booth: missing from the store
chunk missing: Bloom\StoreException: a chunk: missing from the store
last chunk missing: Bloom\StoreException: a chunk: missing from the store
all chunks missing: Bloom\StoreException: a chunk: missing from the store
chunk null: Bloom\StoreException: a chunk: missing from the store
chunk empty: Bloom\FormatException: booth:{digest}: the chunk's bytes do not match its digest
chunk cut: Bloom\FormatException: booth:{digest}: the chunk's bytes do not match its digest
chunk long: Bloom\FormatException: booth:{digest}: the chunk's bytes do not match its digest
chunk with a changed bit: Bloom\FormatException: booth:{digest}: the chunk's bytes do not match its digest
one bit of the last chunk: Bloom\FormatException: booth:{digest}: the chunk's bytes do not match its digest
chunks exchanged: Bloom\FormatException: booth:{digest}: the chunk's bytes do not match its digest
throws: Bloom\StoreException: the store failed: DomainException: down
throws on chunks: Bloom\StoreException: the store failed: DomainException: down
an Error: Bloom\StoreException: the store failed: ArgumentCountError: strlen() expects exactly 1 argument, 0 given
head an int: Bloom\StoreException: booth: the store returned a value of the wrong type
chunk an int: Bloom\StoreException: booth:{digest}: the store returned a value of the wrong type
head a float: Bloom\StoreException: booth: the store returned a value of the wrong type
chunk a float: Bloom\StoreException: booth:{digest}: the store returned a value of the wrong type
head true: Bloom\StoreException: booth: the store returned a value of the wrong type
chunk true: Bloom\StoreException: booth:{digest}: the store returned a value of the wrong type
head false: Bloom\StoreException: booth: the store returned a value of the wrong type
chunk false: Bloom\StoreException: booth:{digest}: the store returned a value of the wrong type
head an array: Bloom\StoreException: booth: the store returned a value of the wrong type
chunk an array: Bloom\StoreException: booth:{digest}: the store returned a value of the wrong type
head an object: Bloom\StoreException: booth: the store returned a value of the wrong type
chunk an object: Bloom\StoreException: booth:{digest}: the store returned a value of the wrong type
head a Stringable: Bloom\StoreException: booth: the store returned a value of the wrong type
chunk a Stringable: Bloom\StoreException: booth:{digest}: the store returned a value of the wrong type
bool(true)
bool(true)
int(2)
int(0)
bool(true)
int(1)
bool(true)
bool(true)
bool(true)
