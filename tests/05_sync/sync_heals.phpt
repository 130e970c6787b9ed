--TEST--
After each kind of store fault, the served version still answers, the reason is available, and the next sync succeeds
--DESCRIPTION--
fault: store-corrupt, store-throws
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_heals
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{BloomException, Filter, Store, StoreException};

/** An exception whose message need not be a string. */
final class OddMessage extends Exception
{
    public function __construct(mixed $message)
    {
        $this->message = $message;
    }
}

enum Odd: string
{
    case Value = 'value';
}

$old = chunked(keys('old', 5000), builtAt: 1);
$new = chunked(keys('new', 5000));
$other = chunked(keys('other', 5000), builtAt: 1_750_000_000);
$store = new ScriptedStore;
$new->publish($store, 'booth');
$values = $store->values;
$chunks = chunk_keys($new, 'booth');
[$first, $middle, $last] = [$chunks[0], $chunks[intdiv(count($chunks), 2)], end($chunks)];
$others = chunk_keys($other, 'booth');
$otherBytes = $other->toString();
$otherHead = substr($otherBytes, 0, strlen($values['booth']));
$otherChunk = substr($otherBytes, strlen($otherHead), 1024);
check(strlen($otherHead) + 1024 * count($others) === strlen($otherBytes), 'the two blobs have the same size');

/** Returns a script that replaces some of the values in the answers; null removes a value. */
$but = fn (array $changes) => fn (string $called, array $keys) => $called !== 'get' ? null
    : array_filter(array_intersect_key(array_replace($values, $changes), array_flip($keys)), fn ($value) => $value !== null);
/** Returns each failure twice: while the head is read, and while the chunks are read. */
$twice = fn (string $name, callable $fault) => [
    "$name, at the head" => fn (string $called, array $keys) => end($keys) === 'booth' ? $fault($keys) : null,
    "$name, at the chunks" => fn (string $called, array $keys) => end($keys) === 'booth' ? null : $fault($keys),
];
$file = fopen('php://memory', 'r');
$closed = fopen('php://memory', 'r');
fclose($closed);
$wrong = ['false' => false, 'null' => null, 'an int' => 5, 'a float' => NAN, 'a resource' => $file, 'a closed resource' => $closed,
    'a closure' => fn () => 1, 'a generator' => (fn () => yield 1)(), 'an enum' => Odd::Value, 'a list of bytes' => [65]];
$faults = [
    // The store returns a value of the wrong type.
    ...$twice('false for all', fn () => false),
    ...$twice('null for all', fn () => ScriptedStore::NULL),
    ...$twice('an int for all', fn () => 0),
    ...$twice('a string for all', fn () => 'value'),
    ...$twice('an object for all', fn () => (object) $values),
    ...$twice('a resource for all', fn () => $file),
    ...$twice('a generator for all', fn () => (fn () => yield from $values)()),
    ...$twice('nothing', fn () => []),
    // The store throws.
    ...$twice('an exception', fn () => throw new RuntimeException('down', 5)),
    ...$twice('an Error', fn () => intdiv(1, 0)),
    ...$twice('one of ours', fn () => throw new StoreException('mine', 77)),
    ...$twice('one of ours that says something else', fn () => throw new Bloom\NotFoundException('gone', 36)),
    ...$twice('an exception with a previous one', fn () => throw new RuntimeException('outer', 0, new DomainException('inner'))),
    ...$twice('an exception without a message', fn () => throw new OddMessage(null)),
    ...$twice('an exception whose message is an object', fn () => throw new OddMessage(new stdClass)),
    ...$twice('an exception with a message of control characters', fn () => throw new OddMessage("a\n\e[31m\u{202E}b\xFF")),
    ...$twice('an exception with a message of 10,000 characters', fn () => throw new OddMessage(str_repeat('€', 10_000))),
    ...$twice('a warning that a handler makes an exception', fn () => [] . ''),
    ...$twice('a deprecation that a handler makes an exception', fn () => strlen(null)),
    // The store contains invalid values.
    'no head' => $but(['booth' => null]),
    'the head of a version whose chunks are not there' => $but(['booth' => $otherHead]),
    'the head of a version, the chunks of another' => $but(['booth' => $otherHead, ...array_combine($others, array_map(fn ($key) => $values[$key], $chunks))]),
    'a chunk for a head' => $but(['booth' => $values[$first]]),
    'the head for a chunk' => $but([$middle => $values['booth']]),
    'one chunk for all' => $but(array_fill_keys($chunks, $values[$first])),
    'a chunk twice, instead of the next' => $but([$chunks[1] => $values[$chunks[0]]]),
    'a chunk of another filter' => $but([$middle => $otherChunk]),
    'a chunk of twice the length' => $but([$middle => $values[$middle] . $values[$middle]]),
    'a chunk of half the length' => $but([$middle => substr($values[$middle], 512)]),
    'a chunk of zeros' => $but([$middle => str_repeat("\0", 1024)]),
    'chunks shifted by one' => $but(array_combine($chunks, array_map(fn ($key) => $values[$key], [...array_slice($chunks, 1), $chunks[0]]))),
];
foreach ($chunks as $place => $key) {
    $faults["chunk $place missing"] = $but([$key => null]);
    $faults["chunk $place cut"] = $but([$key => substr($values[$key], 0, -1)]);
    $faults["chunk $place changed"] = $but([$key => flipped($values[$key], 1000)]);
}
foreach ($wrong as $name => $value) {
    if ($value !== null) {
        foreach (['head' => 'booth', 'first chunk' => $first, 'middle chunk' => $middle, 'last chunk' => $last] as $place => $key) {
            $faults["the $place is $name"] = fn (string $called, array $keys) => array_replace(array_intersect_key($values, array_flip($keys)), in_array($key, $keys) ? [$key => $value] : []);
        }
    }
}

$told = [];
foreach ($faults as $name => $fault) {
    Filter::drop('booth');
    $booth = Filter::load('booth', $old);
    $files = tree(segment_path());
    $store->script = $fault;
    if (str_contains($name, 'handler')) {
        set_error_handler(fn (int $level, string $text) => throw new ErrorException($text));
    }
    $thrown = null;
    try {
        Filter::sync('booth', $store, 0);
    } catch (BloomException $thrown) {
    }
    restore_error_handler();
    check($thrown !== null, "$name: a BloomException is thrown");
    $info = $booth->info();
    check($booth->candidates(keys('old', 5000)) === keys('old', 5000) && $info->generation === 1,
        "$name: the old version is still served");
    check($info->syncFailures === 1 && $info->syncFailuresInRow === 1, "$name: the failure is counted");
    check($info->lastError === $thrown?->getMessage() || str_contains($name, 'message of'),
        "$name: info() reports {$info->lastError}, not {$thrown?->getMessage()}");
    check($info->lastError !== '' && json_encode($info) !== false && !preg_match('/[\x00-\x1F]|\x{202E}/u', $info->lastError),
        "$name: lastError is a line of text");
    check(tree(segment_path()) === $files, "$name: no staged file is left: " . implode(' ', tree(segment_path())));
    check(unpack('P', file_get_contents(in_segment('booth/control'), offset: 40, length: 8))[1] === 0,
        "$name: the lease was released");
    // getPrevious() returns the exception of the store, with its own previous exception.
    if (preg_match('/^an? (exception|Error|warning|deprecation)/', $name)) {
        check($thrown instanceof StoreException && !$thrown->getPrevious() instanceof BloomException && $thrown->getPrevious() !== null,
            "$name: getPrevious() returns the exception of the store");
        check(!str_contains($name, 'previous one') || $thrown->getPrevious()->getPrevious() instanceof DomainException,
            "$name: the chain of previous exceptions is kept");
    }
    $store->script = null;
    $healed = null;
    $text = thrown(function () use ($store, &$healed) {
        $healed = switched(Filter::sync('booth', $store, 0));
    });
    check($healed === true, "$name: the next sync succeeds: $text");
    $info = $booth->info();
    check($booth->candidates(keys('new', 5000)) === keys('new', 5000) && $info->generation === 2 && $info->syncFailuresInRow === 0,
        "$name: the new version is served");
    check($info->lastError !== null, "$name: lastError keeps the last failure");
    $kind = preg_replace(['/, at the (head|chunks)$/', '/chunk \d+/', '/the (head|\w+ chunk) is/'], ['', 'chunk n', 'a value is'], $name);
    $told[$kind] = preg_replace(['/[0-9a-f]{32}/', '/^(booth:\{digest\}|booth|a chunk):/', '/(?:€)+$/'], ['{digest}', '{subject}:', '€ and so on'], (string) $thrown?->getMessage());
}
foreach ($told as $name => $text) {
    echo "$name: ", preg_match('/[\x00-\x1F]/', $text) ? json_encode($text, JSON_INVALID_UTF8_SUBSTITUTE) : plain_type($text), "\n";
}
echo count($faults), " faults\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
false for all: the store failed: TypeError: ScriptedStore::getMultiple(): Return value must be of type array, bool returned
null for all: the store failed: TypeError: ScriptedStore::getMultiple(): Return value must be of type array, null returned
an int for all: the store failed: TypeError: ScriptedStore::getMultiple(): Return value must be of type array, int returned
a string for all: the store failed: TypeError: ScriptedStore::getMultiple(): Return value must be of type array, string returned
an object for all: the store failed: TypeError: ScriptedStore::getMultiple(): Return value must be of type array, stdClass returned
a resource for all: the store failed: TypeError: ScriptedStore::getMultiple(): Return value must be of type array, resource returned
a generator for all: the store failed: TypeError: ScriptedStore::getMultiple(): Return value must be of type array, Generator returned
nothing: {subject}: missing from the store
an exception: the store failed: RuntimeException: down
an Error: the store failed: DivisionByZeroError: Division by zero
one of ours: mine
one of ours that says something else: the store failed: Bloom\NotFoundException: gone
an exception with a previous one: the store failed: RuntimeException: outer
an exception without a message: the store failed: OddMessage
an exception whose message is an object: the store failed: OddMessage
an exception with a message of control characters: "the store failed: OddMessage: a\n\u001b[31m\u202eb\ufffd"
an exception with a message of 10,000 characters: the store failed: OddMessage: € and so on
a warning that a handler makes an exception: the store failed: ErrorException: Array to string conversion
a deprecation that a handler makes an exception: the store failed: ErrorException: strlen(): Passing null to parameter #1 ($string) of type string is deprecated
no head: {subject}: missing from the store
the head of a version whose chunks are not there: {subject}: missing from the store
the head of a version, the chunks of another: {subject}: the chunk's bytes do not match its digest
a chunk for a head: blob: this is not a bloom blob: the magic bytes do not match
the head for a chunk: {subject}: the chunk's bytes do not match its digest
one chunk for all: {subject}: the chunk's bytes do not match its digest
a chunk twice, instead of the next: {subject}: the chunk's bytes do not match its digest
a chunk of another filter: {subject}: the chunk's bytes do not match its digest
a chunk of twice the length: {subject}: the chunk's bytes do not match its digest
a chunk of half the length: {subject}: the chunk's bytes do not match its digest
a chunk of zeros: {subject}: the chunk's bytes do not match its digest
chunks shifted by one: {subject}: the chunk's bytes do not match its digest
chunk n missing: {subject}: missing from the store
chunk n cut: {subject}: the chunk's bytes do not match its digest
chunk n changed: {subject}: the chunk's bytes do not match its digest
a value is false: {subject}: the store returned a value of the wrong type
a value is an int: {subject}: the store returned a value of the wrong type
a value is a float: {subject}: the store returned a value of the wrong type
a value is a resource: {subject}: the store returned a value of the wrong type
a value is a closed resource: {subject}: the store returned a value of the wrong type
a value is a closure: {subject}: the store returned a value of the wrong type
a value is a generator: {subject}: the store returned a value of the wrong type
a value is an enum: {subject}: the store returned a value of the wrong type
a value is a list of bytes: {subject}: the store returned a value of the wrong type
116 faults
