--TEST--
A version whose chunks are all equal is fetched with one value, and refused before any allocation if memory_limit has no room for it
--DESCRIPTION--
fault: small-head-huge
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-blob_equal_chunks
memory_limit=64M
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\{Blob, Filter, Status};

/** A store in an array that counts what it is asked for. */
final class Counting implements Bloom\Store
{
    /** @var array<string, string> */
    public array $values = [];
    /** @var list<int> the number of keys in each call */
    public array $calls = [];

    public function getMultiple(array $keys): array
    {
        $this->calls[] = count($keys);
        return array_intersect_key($this->values, array_flip($keys));
    }

    public function missing(array $keys): array
    {
        return array_values(array_diff($keys, array_keys($this->values)));
    }

    public function set(string $key, string $value): void
    {
        $this->values[$key] = $value;
    }

    public function replace(string $key, ?string $expected, string $value): bool
    {
        $is = ($this->values[$key] ?? null) === $expected;
        $this->values[$key] = $is ? $value : $this->values[$key];
        return $is;
    }

    public function deleteMultiple(array $keys): void
    {
        $this->values = array_diff_key($this->values, array_flip($keys));
    }
}

/** Returns a store with a valid head of empty shards, all of which are one chunk that is stored once. */
function store_of(int $megabytes): Counting
{
    [$shard, $chunk] = [65536, 1 << 19];
    $shards = $megabytes * (1 << 20) / $shard;
    $chunks = $shards * $shard / $chunk;
    $head = substr(blob_of([], 1, 1, shardBytes: $shard, blockBytes: 64, chunkBytes: $chunk)->toString(), 0, 512);
    $head_bytes = (int) ceil((512 + 16 * ($shards + $chunks) + 8) / 4096) * 4096;
    foreach ([16 => $head_bytes, 24 => $head_bytes + $shards * $shard, 32 => $shards, 72 => 0, 80 => 0, 104 => 0] as $at => $number) {
        $head = substr_replace($head, pack('P', $number), $at, 8);
    }
    $zeros = str_repeat("\0", $chunk);
    $digest = hash('xxh128', $zeros, true);
    $head .= str_repeat(str_repeat("\0", 8) . strrev(hash('xxh3', substr($zeros, 0, $shard), true)), $shards);
    $head = str_pad($head . str_repeat($digest, $chunks), $head_bytes - 8, "\0");
    $store = new Counting();
    $store->values = ['tags' => $head . strrev(hash('xxh3', $head, true)), 'tags:' . bin2hex($digest) => $zeros];
    return $store;
}

$store = store_of(24);
check(strlen(Blob::find($store, 'tags')->toString()) > 24 << 20 && $store->calls === [1, 1], 'find(): ' . json_encode($store->calls));
$store->calls = [];
check(switched(Filter::sync('tags', $store, 0)), 'sync()');
check(array_sum($store->calls) <= 4 && Filter::open('tags')->info()->counters->bytesFetched === 1 << 19, 'sync(): ' . json_encode($store->calls));

$store = store_of(96);
check(strlen(implode('', $store->values)) < 1 << 20, 'the store has less than 1 MiB');
foreach (['find', 'fetch'] as $method) {
    try {
        Blob::$method($store, 'tags');
    } catch (Bloom\BloomException $thrown) {
        echo $method, ': ', preg_replace('/\d{6,}/', 'N', $thrown->getMessage()), ' ', Status::from($thrown->getCode())->name, "\n";
    }
}
check($store->calls === [1, 1], 'no chunk is fetched');
ini_set('memory_limit', '512M');
check(Blob::find($store, 'tags')->info()->chunks === 192 && $store->calls === [1, 1, 1, 1], 'one value');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
find: the filter needs N bytes, but memory_limit leaves only N (raise memory_limit): out of memory Memory
fetch: the filter needs N bytes, but memory_limit leaves only N (raise memory_limit): out of memory Memory
