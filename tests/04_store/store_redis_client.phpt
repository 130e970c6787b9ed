--TEST--
RedisStore accepts only clients of a supported class
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
check((new RedisStore(new Redis))->getMultiple([]) === [], 'an empty list of keys calls no method of the client');
$mine = new class extends Redis {
    public function mget($keys): array|false
    {
        return array_fill(0, count($keys), 'mine');
    }
};
check((new RedisStore($mine))->getMultiple(['a', 'b']) === ['a' => 'mine', 'b' => 'mine'],
    'a subclass of the client is used');
$store = new RedisStore($mine);
foreach (['clone' => fn () => clone $store, 'serialize' => fn () => serialize($store), 'property' => fn () => $store->client = $mine] as $name => $call) {
    echo "$name: ", thrown($call), "\n";
}
// The mget() of these clients returns an invalid type. From version 6 on, ext-redis declares the type, so PHP throws.
$declared = (new ReflectionMethod('Redis', 'mget'))->getReturnType();
$odd = eval('return new class extends Redis {
    public mixed $answer;
    public function mget($keys): ' . ($declared ?? 'mixed') . '
    {
        return $this->answer;
    }
};');
foreach ([false, null, 5, 'text', new stdClass, [], ['only one'], [5, 6], ['k' => 'v']] as $answer) {
    $odd->answer = $answer;
    $said = thrown(fn () => print(json_encode((new RedisStore($odd))->getMultiple(['a', 'b'])) . "\n"));
    $kind = ['NULL' => 'null', 'boolean' => 'false', 'integer' => 'int', 'object' => 'stdClass'][gettype($answer)] ?? gettype($answer);
    if ($declared !== null && $answer !== false && !is_array($answer)) {
        check(preg_match('/TypeError: .*mget.*returned$/', $said) === 1, json_encode($answer) . ": $said");
    } elseif ($answer !== [5, 6]) {
        check($said === "Bloom\\StoreException: Redis answered MGET with $kind (an error, or a client inside MULTI or PIPELINE)", json_encode($answer) . ": $said");
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
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
RedisException: Redis server%Swent away
TypeError: Bloom\RedisStore::getMultiple(): Argument #1 ($keys) must contain only strings, int given
clone: nothing
serialize: Exception: Serialization of 'Bloom\RedisStore' is not allowed
property: Error: Cannot create dynamic property Bloom\RedisStore::$client
{"a":5,"b":6}
