--TEST--
The same keys, arguments, seed and build time produce the same bytes, and the order of keys does not change the bits
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$keys = keys('k', 1000);
$shuffled = $keys;
mt_srand(42);
shuffle($shuffled);
$one = blob_of($keys);
$bytes = $one->toString();
check($bytes === blob_of($keys)->toString(), 'the same twice');
check(array_map('strval', $keys) === $keys && $bytes === blob_of(new ArrayIterator($keys))->toString(), 'from an iterator');
check($bytes === run('echo hash("sha256", blob_of(keys("k", 1000))->toString());')
    || hash('sha256', $bytes) === run('echo hash("sha256", blob_of(keys("k", 1000))->toString());'), 'in another process');
check($one->info()->checksum === blob_of($keys)->info()->checksum, 'and so is the checksum');

// The order of keys does not change the bits. It may change only each shard's count of keys that were definitely new.
$other = blob_of($shuffled);
check(substr($bytes, -$one->info()->shards * $one->info()->shardBytes)
    === substr($other->toString(), -$one->info()->shards * $one->info()->shardBytes), 'the same bits in any order');

foreach (['seed' => 2, 'builtAt' => 1_700_000_001.0, 'falsePositiveRate' => 0.02, 'source' => 'other'] as $name => $value) {
    check(blob_of($keys, ...[$name => $value])->info()->checksum !== $one->info()->checksum, "another $name, another checksum");
}
check(blob_of(keys('k', 999))->info()->checksum !== $one->info()->checksum, 'a key less, another checksum');

// Without the argument, each builder chooses its own seed.
$seeds = [];
for ($i = 0; $i < 50; $i++) {
    $seeds[(new Bloom\Builder(10))->info()->seed] = true;
}
var_dump(count($seeds));

// With the same seed, one more key changes only its own shard.
$first = blob_of(keys('k', 50000), 60000);
$second = blob_of([...keys('k', 50000), 'one more'], 60000);
$info = $first->info();
var_dump($info->shards > 4);
$differing = 0;
for ($shard = 0; $shard < $info->shards; $shard++) {
    $at = -($info->shards - $shard) * $info->shardBytes;
    $differing += substr($first->toString(), $at, $info->shardBytes - 0) !== substr($second->toString(), $at, $info->shardBytes - 0);
}
var_dump($differing);
?>
--EXPECT--
int(50)
bool(true)
int(1)
