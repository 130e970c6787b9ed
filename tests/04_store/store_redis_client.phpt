--TEST--
RedisStore takes a client of a kind that it knows and no other object
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../redis.inc';
skip_without_redis();
?>
--INI--
bloom.path={TMP}/bloom-store_redis_client
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../redis.inc';
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
check((new RedisStore(new Redis))->getMultiple([]) === [], 'no keys, no call');
$mine = new class extends Redis {
    public function mget($keys): array|false
    {
        return array_fill(0, count($keys), 'mine');
    }
};
check((new RedisStore($mine))->getMultiple(['a', 'b']) === ['a' => 'mine', 'b' => 'mine'], 'a subclass');
$store = new RedisStore($mine);
foreach (['clone' => fn () => clone $store, 'serialize' => fn () => serialize($store), 'property' => fn () => $store->client] as $name => $call) {
    echo "$name: ", thrown($call), "\n";
}
// A client that answers nonsense.
foreach ([false, null, 5, 'text', new stdClass, [], ['only one'], [5, 6], ['k' => 'v']] as $answer) {
    $odd = new class extends Redis {
        public mixed $answer;
        public function mget($keys): mixed
        {
            return $this->answer;
        }
    };
    $odd->answer = $answer;
    echo json_encode($answer), ': ', thrown(fn () => print(json_encode((new RedisStore($odd))->getMultiple(['a', 'b'])) . ' ')), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
TypeError: Bloom\RedisStore::__construct(): Argument #1 ($client) must be of type Redis|RedisCluster|Predis\ClientInterface|Closure, stdClass given
TypeError: Bloom\RedisStore::__construct(): Argument #1 ($client) must be of type Redis|RedisCluster|Predis\ClientInterface|Closure, ArrayObject given
TypeError: Bloom\RedisStore::__construct(): Argument #1 ($client) must be of type Redis|RedisCluster|Predis\ClientInterface|Closure, Bloom\RedisStore given
TypeError: Bloom\RedisStore::__construct(): Argument #1 ($client) must be of type object, null given
TypeError: Bloom\RedisStore::__construct(): Argument #1 ($client) must be of type object, string given
TypeError: Bloom\RedisStore::__construct(): Argument #1 ($client) must be of type object, int given
ArgumentCountError: Bloom\RedisStore::__construct() expects at least 1 argument, 0 given
TypeError: Bloom\RedisStore::__construct(): Argument #2 ($prefix) must be of type string, array given
RedisException: Redis server went away
TypeError: Bloom\RedisStore::getMultiple(): Argument #1 ($keys) must hold only strings, int given
clone: nothing
serialize: Exception: Serialization of 'Bloom\RedisStore' is not allowed
property: Error: Cannot access private property Bloom\RedisStore::$client
false: Bloom\StoreException: Redis answered MGET with false (an error, or a client inside MULTI or PIPELINE)
null: Bloom\StoreException: Redis answered MGET with null (an error, or a client inside MULTI or PIPELINE)
5: Bloom\StoreException: Redis answered MGET with int (an error, or a client inside MULTI or PIPELINE)
"text": Bloom\StoreException: Redis answered MGET with string (an error, or a client inside MULTI or PIPELINE)
{}: Bloom\StoreException: Redis answered MGET with stdClass (an error, or a client inside MULTI or PIPELINE)
[]: Bloom\StoreException: Redis answered MGET with array (an error, or a client inside MULTI or PIPELINE)
["only one"]: Bloom\StoreException: Redis answered MGET with array (an error, or a client inside MULTI or PIPELINE)
[5,6]: {"a":5,"b":6} nothing
{"k":"v"}: Bloom\StoreException: Redis answered MGET with array (an error, or a client inside MULTI or PIPELINE)
