--TEST--
RedisStore accepts only clients of a supported class
--DESCRIPTION--
fault: late-answer
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/redis.inc';
skip_without_redis();
?>
--INI--
bloom.path={TMP}/bloom-store_redis_client
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/redis.inc';
with_redis_extension();
use Bloom\RedisStore;

foreach ([new stdClass, new ArrayObject, new RedisStore(new Redis)] as $wrong) {
    echo thrown(fn () => new RedisStore($wrong)), "\n";
}
foreach ([null, 'redis', 5] as $wrong) {
    echo thrown(fn () => new RedisStore($wrong)), "\n";
}
echo thrown(fn () => new RedisStore), "\n";
echo thrown(fn () => new RedisStore(new Redis, [])), "\n";
echo thrown(fn () => (new RedisStore(new Redis))->getMultiple(['a'])), "\n";
echo thrown(fn () => (new RedisStore(new Redis))->getMultiple([5])), "\n";
check((new RedisStore(new Redis))->getMultiple([]) === [], 'an empty list of keys calls no method of the client');
$server = new RedisServer;
$mine = new class extends Redis {
    public ?Closure $change = null;

    public function rawCommand($command, ...$arguments): mixed
    {
        $answer = parent::rawCommand($command, ...$arguments);
        return is_array($answer) && $this->change !== null ? ($this->change)($answer) : $answer;
    }
};
$mine->connect($server->socket);
$mine->change = fn (array $answer) => [$answer[0], ['mine', 'mine'], $answer[0]];
check((new RedisStore($mine))->getMultiple(['a', 'b']) === ['a' => 'mine', 'b' => 'mine'],
    'a subclass of the client is used');
$store = new RedisStore($mine);
foreach (['clone' => fn () => clone $store, 'serialize' => fn () => serialize($store), 'property' => fn () => $store->client = $mine] as $name => $call) {
    echo "$name: ", thrown($call), "\n";
}

// Answers that are not the answer to this request, and answers of the right one with the wrong type.
$late = fn (mixed $result) => fn (array $answer) => [strrev($answer[0]), $result, strrev($answer[0])];
$damaged = fn (mixed $result) => fn (array $answer) => [$answer[0], $result, strrev($answer[0])];
$own = fn (mixed $result) => fn (array $answer) => [$answer[0], $result, $answer[0]];
foreach ([fn () => false, fn () => null, fn () => 5, fn () => 'text', fn () => new stdClass, fn () => [], fn ($answer) => [$answer[0]], fn ($answer) => ['n' => $answer[0], 'r' => []],
    $late(['x', 'y']), $damaged(['x', 'y']), $own(5), $own(['only one']), $own([5, 6]), $own(['k' => 'v', 'l' => 'w'])] as $change) {
    $mine->change = $change;
    echo thrown(fn () => print(json_encode((new RedisStore($mine))->getMultiple(['a', 'b'])) . "\n")), "\n";
    $mine->change = null;
    check((new RedisStore($mine))->getMultiple(['a', 'b']) === [], 'the client can be used again');
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECTF--
TypeError: Bloom\RedisStore::__construct(): Argument #1 ($client) must be of type Redis|RedisCluster|Predis\ClientInterface|Closure, stdClass given
TypeError: Bloom\RedisStore::__construct(): Argument #1 ($client) must be of type Redis|RedisCluster|Predis\ClientInterface|Closure, ArrayObject given
TypeError: Bloom\RedisStore::__construct(): Argument #1 ($client) must be of type Redis|RedisCluster|Predis\ClientInterface|Closure, Bloom\RedisStore given
TypeError: Bloom\RedisStore::__construct(): Argument #1 ($client) must be of type object, null given
TypeError: Bloom\RedisStore::__construct(): Argument #1 ($client) must be of type object, string given
TypeError: Bloom\RedisStore::__construct(): Argument #1 ($client) must be of type object, int given
ArgumentCountError: Bloom\RedisStore::__construct() expects at least 1 argument, 0 given
TypeError: Bloom\RedisStore::__construct(): Argument #2 ($prefix) must be of type string, array given
Bloom\StoreException: the store failed: RedisException: Redis server%Swent away
TypeError: Bloom\BuiltInStore::getMultiple(): Argument #1 ($keys) must contain only strings, int given
clone: nothing
serialize: Exception: Serialization of 'Bloom\RedisStore' is not allowed
property: Error: Cannot create dynamic property Bloom\RedisStore::$client
Bloom\StoreException: the store failed: Redis did not answer MGET of 14 bytes (the client's time-out expired, the server closed the connection, or the value is longer than its proto-max-bulk-len)
Bloom\StoreException: Redis answered MGET with null that does not belong to this request (a late answer to another one, or not the answer of a script)
Bloom\StoreException: Redis answered MGET with int that does not belong to this request (a late answer to another one, or not the answer of a script)
Bloom\StoreException: Redis answered MGET with string that does not belong to this request (a late answer to another one, or not the answer of a script)
Bloom\StoreException: Redis answered MGET with stdClass that does not belong to this request (a late answer to another one, or not the answer of a script)
Bloom\StoreException: Redis answered MGET with array that does not belong to this request (a late answer to another one, or not the answer of a script)
Bloom\StoreException: Redis answered MGET with array that does not belong to this request (a late answer to another one, or not the answer of a script)
Bloom\StoreException: Redis answered MGET with array that does not belong to this request (a late answer to another one, or not the answer of a script)
Bloom\StoreException: Redis answered MGET with array that does not belong to this request (a late answer to another one, or not the answer of a script)
Bloom\StoreException: Redis answered MGET with array that does not belong to this request (a late answer to another one, or not the answer of a script)
Bloom\StoreException: Redis answered MGET with int (is the key of another program?)
Bloom\StoreException: Redis answered MGET with array (is the key of another program?)
Bloom\StoreException: Redis answered MGET with int (is the key of another program?)
Bloom\StoreException: Redis answered MGET with array (is the key of another program?)
