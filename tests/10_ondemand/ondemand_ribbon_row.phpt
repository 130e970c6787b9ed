--TEST--
attach() replaces an on-demand filter whose head contains an invalid row for a ribbon shard
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-ondemand_ribbon_row
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/ondemand.inc';
use Bloom\Filter;

$keys = keys('k', 2000);
$blob = blob_of($keys, 2000, scheme: Bloom\Scheme::Ribbon, shardBytes: 1024, chunkBytes: 1024);
$store = store_of($blob);
$memory = memory_for($blob, 4);
Filter::attach('large', $store, $memory);

// The set bits in the first shard's row, which a ribbon filter does not count, become 64, and the head gets a matching
// checksum.
$path = in_segment('large/0000000000000001.bloom');
$file = fopen($path, 'r+');
fseek($file, 4096);
$head = fread($file, head_bytes($blob));
$head = substr_replace($head, pack('V', 64), 516, 4);
$head = substr($head, 0, -8) . strrev(hash('xxh3', substr($head, 0, -8), true));
fseek($file, 4096);
fwrite($file, $head);
fclose($file);

// Use new processes, because this process has already mapped the filter.
echo run('require ' . var_export(__DIR__ . '/../lib/ondemand.inc', true) . ';
    $blob = blob_of(keys("k", 2000), 2000, scheme: "ribbon", shardBytes: 1024, chunkBytes: 1024);
    echo thrown(fn () => Bloom\Filter::open("large")), "\n";
    $large = Bloom\Filter::attach("large", store_of($blob), ' . $memory . ');
    echo json_encode($large->candidates(keys("k", 2000)) === keys("k", 2000)), " ", counters($large, "generation");'), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\FormatException: {segment}/large: set bits of shard 0: a reserved byte is not zero
true generation 2
