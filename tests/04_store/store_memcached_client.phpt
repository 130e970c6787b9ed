--TEST--
MemcachedStore accepts only a Memcached client that reports results, and only keys that Memcached accepts
--DESCRIPTION--
fault: client-options
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/memcached.inc';
skip_without_memcached();
?>
--INI--
bloom.path={TMP}/bloom-store_memcached_client
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/memcached.inc';
with_memcached_extension();
use Bloom\MemcachedStore;

foreach ([new stdClass, new MemcachedStore(new Memcached), null, 'host'] as $wrong) {
    echo thrown(fn () => new MemcachedStore($wrong)), "\n";
}
foreach ([str_repeat('p', 90), 'a b', "a\n", "\0", "\x7f", "\xe3\x81\xad", []] as $wrong) {
    echo thrown(fn () => new MemcachedStore(new Memcached, $wrong)), "\n";
}
$server = new MemcachedServer;
$client = memcached_client($server);
$store = new MemcachedStore($client, str_repeat('p', 89));
$longest = str_repeat('n', 128) . ':' . str_repeat('0', 32);
$store->set($longest, 'x');
check($store->getMultiple([$longest]) === [$longest => 'x'], 'the longest allowed key is stored');
$store = new MemcachedStore($client);
foreach (['getMultiple', 'missing', 'deleteMultiple'] as $method) {
    foreach ([[5], ['a b'], ["a\r\ndelete a"], [str_repeat('k', 247)]] as $keys) {
        echo "$method: ", thrown(fn () => $store->$method($keys)), "\n";
    }
}
echo 'set: ', thrown(fn () => $store->set("a\r\nx", 'x')), "\n";
echo thrown(fn () => (new MemcachedStore($client, ''))->getMultiple([''])), "\n";
echo 'twice: ', thrown(fn () => $store->__construct($client)), "\n";
foreach (['clone' => fn () => clone $store, 'serialize' => fn () => serialize($store), 'property' => fn () => $store->client = $client] as $name => $call) {
    echo "$name: ", thrown($call), "\n";
}

// A client that changes keys, one that does not wait for replies, a client without servers, and a user's own class.
foreach ([Memcached::OPT_NOREPLY, Memcached::OPT_BUFFER_WRITES] as $option) {
    $hasty = memcached_client($server);
    $hasty->setOption($option, true);
    echo thrown(fn () => (new MemcachedStore($hasty))->set('a', 'x')), "\n";
    echo thrown(fn () => (new MemcachedStore($hasty))->deleteMultiple(['a'])), "\n";
}
$prefixed = memcached_client($server);
$prefixed->setOption(Memcached::OPT_PREFIX_KEY, 'p:');
echo thrown(fn () => (new MemcachedStore($prefixed))->getMultiple(['a'])), "\n";
foreach (['getMultiple' => [['a']], 'missing' => [['a']], 'set' => ['a', 'x'], 'deleteMultiple' => [['a']]] as $method => $arguments) {
    echo "$method: ", thrown(fn () => (new MemcachedStore(new Memcached))->$method(...$arguments)), "\n";
}
$mine = new class extends Memcached {
    public mixed $answer;
    public function getMulti(array $keys, int $get_flags = 0): array|false
    {
        return is_callable($this->answer) ? ($this->answer)() : $this->answer;
    }
};
foreach ([['bloom:a' => 'x'], [], false, fn () => throw new LogicException('mine')] as $answer) {
    $mine->answer = $answer;
    echo thrown(fn () => print(json_encode((new MemcachedStore($mine))->getMultiple(['a', 'b'])) . ' ')), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
TypeError: Bloom\MemcachedStore::__construct(): Argument #1 ($client) must be of type Memcached|Closure, stdClass given
TypeError: Bloom\MemcachedStore::__construct(): Argument #1 ($client) must be of type Memcached|Closure, Bloom\MemcachedStore given
TypeError: Bloom\MemcachedStore::__construct(): Argument #1 ($client) must be of type object, null given
TypeError: Bloom\MemcachedStore::__construct(): Argument #1 ($client) must be of type object, string given
ValueError: Bloom\MemcachedStore::__construct(): Argument #2 ($prefix) must be at most 89 bytes of printable ASCII without spaces
ValueError: Bloom\MemcachedStore::__construct(): Argument #2 ($prefix) must be at most 89 bytes of printable ASCII without spaces
ValueError: Bloom\MemcachedStore::__construct(): Argument #2 ($prefix) must be at most 89 bytes of printable ASCII without spaces
ValueError: Bloom\MemcachedStore::__construct(): Argument #2 ($prefix) must be at most 89 bytes of printable ASCII without spaces
ValueError: Bloom\MemcachedStore::__construct(): Argument #2 ($prefix) must be at most 89 bytes of printable ASCII without spaces
ValueError: Bloom\MemcachedStore::__construct(): Argument #2 ($prefix) must be at most 89 bytes of printable ASCII without spaces
TypeError: Bloom\MemcachedStore::__construct(): Argument #2 ($prefix) must be of type string, array given
getMultiple: TypeError: Bloom\BuiltInStore::getMultiple(): Argument #1 ($keys) must contain only strings, int given
getMultiple: ValueError: Bloom\BuiltInStore::getMultiple(): Argument #1 ($keys) with the prefix must be 1 to 250 bytes of printable ASCII without spaces
getMultiple: ValueError: Bloom\BuiltInStore::getMultiple(): Argument #1 ($keys) with the prefix must be 1 to 250 bytes of printable ASCII without spaces
getMultiple: ValueError: Bloom\BuiltInStore::getMultiple(): Argument #1 ($keys) with the prefix must be 1 to 250 bytes of printable ASCII without spaces
missing: TypeError: Bloom\BuiltInStore::missing(): Argument #1 ($keys) must contain only strings, int given
missing: ValueError: Bloom\BuiltInStore::missing(): Argument #1 ($keys) with the prefix must be 1 to 250 bytes of printable ASCII without spaces
missing: ValueError: Bloom\BuiltInStore::missing(): Argument #1 ($keys) with the prefix must be 1 to 250 bytes of printable ASCII without spaces
missing: ValueError: Bloom\BuiltInStore::missing(): Argument #1 ($keys) with the prefix must be 1 to 250 bytes of printable ASCII without spaces
deleteMultiple: TypeError: Bloom\BuiltInStore::deleteMultiple(): Argument #1 ($keys) must contain only strings, int given
deleteMultiple: ValueError: Bloom\BuiltInStore::deleteMultiple(): Argument #1 ($keys) with the prefix must be 1 to 250 bytes of printable ASCII without spaces
deleteMultiple: ValueError: Bloom\BuiltInStore::deleteMultiple(): Argument #1 ($keys) with the prefix must be 1 to 250 bytes of printable ASCII without spaces
deleteMultiple: ValueError: Bloom\BuiltInStore::deleteMultiple(): Argument #1 ($keys) with the prefix must be 1 to 250 bytes of printable ASCII without spaces
set: ValueError: Bloom\BuiltInStore::set(): Argument #1 ($key) with the prefix must be 1 to 250 bytes of printable ASCII without spaces
ValueError: Bloom\BuiltInStore::getMultiple(): Argument #1 ($keys) with the prefix must be 1 to 250 bytes of printable ASCII without spaces
twice: Bloom\BloomException: This store is already constructed
clone: nothing
serialize: Exception: Serialization of 'Bloom\MemcachedStore' is not allowed
property: Error: Cannot create dynamic property Bloom\MemcachedStore::$client
Bloom\StoreException: the store cannot use its client: with its option OPT_NOREPLY it cannot report whether a value was stored (turn it off)
Bloom\StoreException: the store cannot use its client: with its option OPT_NOREPLY it cannot report whether a value was stored (turn it off)
Bloom\StoreException: the store cannot use its client: with its option OPT_BUFFER_WRITES it cannot report whether a value was stored (turn it off)
Bloom\StoreException: the store cannot use its client: with its option OPT_BUFFER_WRITES it cannot report whether a value was stored (turn it off)
Bloom\StoreException: the store cannot use its client: its option OPT_PREFIX_KEY changes every key (unset it, and pass the prefix to MemcachedStore)
getMultiple: Bloom\StoreException: the store failed: Memcached answered get with NO SERVERS DEFINED
missing: Bloom\StoreException: the store failed: Memcached answered get with NO SERVERS DEFINED
set: Bloom\StoreException: the store failed: Memcached answered set with NO SERVERS DEFINED
deleteMultiple: Bloom\StoreException: the store failed: Memcached answered delete with NO SERVERS DEFINED
{"a":"x"} nothing
[] nothing
Bloom\StoreException: the store failed: Memcached answered get with SUCCESS
Bloom\StoreException: the store failed: LogicException: mine
