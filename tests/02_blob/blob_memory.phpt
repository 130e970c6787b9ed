--TEST--
A blob larger than the machine's memory is refused before any allocation
--DESCRIPTION--
fault: huge-size
--EXTENSIONS--
bloom
--SKIPIF--
<?php
if (!preg_match('/^MemTotal: +(\d+) kB$/m', (string) @file_get_contents('/proc/meminfo'), $found) || $found[1] > 60 << 20) {
    die('skip this machine has memory for 64 GiB or does not report its size');
}
?>
--INI--
memory_limit=256M
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

// A valid head of a million shards without keys. The zeros of the shards are a hole in the file and need no disk space.
const SHARDS = 1 << 20, SHARD = 65536, CHUNK = 1 << 30;
$head = substr(blob_of([], 1, 1, shardBytes: SHARD, blockBytes: 64, chunkBytes: CHUNK)->toString(), 0, 512);
$chunks = SHARDS * SHARD / CHUNK;
$head_bytes = (int) ceil((512 + 16 * (SHARDS + $chunks) + 8) / 4096) * 4096;
$bytes = $head_bytes + SHARDS * SHARD;
$numbers = [16 => $head_bytes, 24 => $bytes, 32 => SHARDS, 72 => 0, 80 => 0, 104 => 0];
foreach ($numbers as $at => $number) {
    $head = substr_replace($head, pack('P', $number), $at, 8);
}
$zeros = str_repeat("\0", SHARD);
$row = str_repeat("\0", 8) . strrev(hash('xxh3', $zeros, true));
$head = str_pad($head . str_repeat($row, SHARDS) . str_repeat("\0", 16 * $chunks), $head_bytes - 8, "\0");
$head .= strrev(hash('xxh3', $head, true));

$file = fopen(own_file('huge'), 'w+');
fwrite($file, $head);
ftruncate($file, $bytes);
fclose($file);

$store = new class($head) implements Bloom\Store {
    public array $asked = [];

    public function __construct(private string $head)
    {
    }

    public function getMultiple(array $keys): array
    {
        array_push($this->asked, ...$keys);
        return array_fill_keys($keys, $this->head);
    }

    public function missing(array $keys): array
    {
        return [];
    }

    public function set(string $key, string $value): void
    {
    }

    public function replace(string $key, ?string $expected, string $value): bool
    {
        return true;
    }

    public function deleteMultiple(array $keys): void
    {
    }
};

$first = fn (int $done, int $total) => throw new Exception("$done of $total bytes were taken");
$said = fn (string $text): string => preg_replace('/has only \d+:/', 'has only LESS:', str_replace((string) $bytes, 'ALL', $text));
echo 'open: ', $said(thrown(fn () => Bloom\Blob::open(own_file('huge'), $first))), "\n";
echo 'fetch: ', $said(thrown(fn () => Bloom\Blob::fetch($store, 'huge', $first))), ', after ', implode(' ', $store->asked), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
open: Bloom\BloomException: {segment}.d/huge: the filter needs ALL bytes, but this machine has only LESS: out of memory
fetch: Bloom\BloomException: the filter needs ALL bytes, but this machine has only LESS: out of memory, after huge
