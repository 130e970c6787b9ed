--TEST--
A filter that is built for another system, or imported from it, is exported as that system's own bytes
--EXTENSIONS--
bloom
--FILE--
<?php
use Bloom\{Blob, Builder, ForeignFormat, Layout, Scheme};

$golden = dirname(__DIR__) . '/vectors/foreign';
function try_it(callable $call): void
{
    try {
        var_dump($call());
    } catch (Exception | Error $thrown) {
        echo $thrown::class, ': ', $thrown->getMessage(), "\n";
    }
}

// ---- valkeyprob: the string that valkey-go wrote
$builder = new Builder(100, format: ForeignFormat::ValkeyProb);
for ($i = 0; $i < 100; $i++) {
    $builder->add('user:' . $i * 7919);
}
$info = $builder->info();
echo json_encode([$info->scheme, $info->format, $info->keys, $info->probes, $info->seed, $info->digest]), "\n";
$blob = $builder->build();
var_dump($blob->export() === file_get_contents("$golden/valkeyprob-100.bin"));
echo json_encode([$blob->info()->format, $blob->info()->layers, $blob->info()->keys, $blob->info()->capacity]), "\n";
var_dump(Blob::fromString($blob->toString())->export() === $blob->export());

// ---- a filter that nobody but we have built: adding one by one, in arrays and from files is the same
$keys = array_map(fn (int $i): string => "key $i", range(0, 4999));
$each = new Builder(5000, 0.001, format: ForeignFormat::RedisBloom);
$new = 0;
foreach ($keys as $key) {
    $new += (int) $each->add($key);
}
$many = new Builder(5000, 0.001, source: 'keys', jobs: 4, format: ForeignFormat::RedisBloom);
var_dump($many->addMany($keys) === $new);
$lines = new Builder(5000, 0.001, scheme: Scheme::Foreign, layout: new Layout(2048), format: ForeignFormat::RedisBloom);
$lines->addFile('data:,' . rawurlencode(implode("\r\n", $keys)));
$exported = $each->build()->export();
var_dump($many->build()->export() === $exported, $lines->build()->export() === $exported);
echo json_encode(unpack('Pkeys/Vlayers/Voptions/Vgrowth/Pbytes/Pbits/PlayerKeys/erate/eperKey/Vprobes/Pcapacity/Cpower', $exported)), "\n";
var_dump(strlen($exported) === 73 + unpack('P', $exported, 20)[1]);

// ---- imported filters: the bytes of the server's BF.SCANDUMP, here with four layers
$scanned = file_get_contents("$golden/redisbloom-scandump-1000.bin");
$blob = Blob::import($scanned, ForeignFormat::RedisBloom);
echo $blob->info()->layers, "\n";
var_dump($blob->export() === $scanned, Blob::fromString($blob->toString())->export() === $scanned);
// A filter that can grow, but has not done so.
$header = pack('PVVVPPPeeVPC', 3, 1, 5, 2, 144, 1152, 3, 0.005, 11.027753418256411, 8, 100, 0);
$scanned = $header . str_repeat("\x12", 144);
var_dump(Blob::import($scanned, ForeignFormat::RedisBloom)->export() === $scanned);
// Its growth is nowhere in the blob, so it becomes the default.
$scanned[16] = "\x04";
$exported = Blob::import($scanned, ForeignFormat::RedisBloom)->export();
$exported[16] = "\x04";
var_dump($exported === $scanned);
// No version of RedisBloom gives 200 keys so few bits.
$scanned[64] = "\xc8";
try_it(fn () => Blob::import($scanned, ForeignFormat::RedisBloom)->export());

// ---- refusals
foreach ([
    ['seed' => 0], ['keyed' => false, 'secret' => str_repeat('s', 32)], ['bitsPerKey' => 10.0], ['layout' => new Layout(probes: 3)],
    ['layout' => new Layout(blockBytes: 64)], ['layout' => new Layout(shardBytes: 1000)], ['scheme' => Scheme::Ribbon],
    ['falsePositiveRate' => 0.6], ['capacity' => 448_089_843], ['format' => ForeignFormat::Guava], ['format' => ForeignFormat::ValkeyBloom],
] as $arguments) {
    try_it(fn () => new Builder(...$arguments + ['capacity' => 100, 'format' => ForeignFormat::ValkeyProb]));
}
try_it(fn () => new Builder(100, scheme: Scheme::Foreign));
try_it(fn () => Builder::like($blob));
try_it(fn () => (new Builder(10))->build()->export());
try_it(fn () => (new Builder(100, scheme: Scheme::Ribbon))->build()->export());
$builder = new Builder(100, format: ForeignFormat::RedisBloom);
try_it(fn () => $builder->build(mark: '0123456789abcdef-1-1'));
$builder->addMany(range(1, 200));
try_it(fn () => $builder->build());
?>
--EXPECT--
["foreign","valkeyprob",100,7,0,"MurmurHash3 x64_128"]
bool(true)
["valkeyprob",1,100,100]
bool(true)
bool(true)
bool(true)
bool(true)
{"keys":5000,"layers":1,"options":13,"growth":2,"bytes":8992,"bits":71936,"layerKeys":5000,"rate":0.001,"perKey":14.37758756605117,"probes":10,"capacity":5000,"power":0}
bool(true)
4
bool(true)
bool(true)
bool(true)
bool(true)
Bloom\KindException: capacity 200, keys 3, layers 1: RedisBloom would create different layers for this capacity and rate, so their header is unknown (build one from the keys with Builder(format: ForeignFormat::RedisBloom))
ValueError: Bloom\Builder::__construct(): Argument #11 ($format) must be null if a seed, scheme, block bytes, probes, bits per key or secret is given
ValueError: Bloom\Builder::__construct(): Argument #11 ($format) must be null if a seed, scheme, block bytes, probes, bits per key or secret is given
ValueError: Bloom\Builder::__construct(): Argument #11 ($format) must be null if a seed, scheme, block bytes, probes, bits per key or secret is given
ValueError: Bloom\Builder::__construct(): Argument #11 ($format) must be null if a seed, scheme, block bytes, probes, bits per key or secret is given
ValueError: Bloom\Builder::__construct(): Argument #11 ($format) must be null if a seed, scheme, block bytes, probes, bits per key or secret is given
ValueError: Bloom\Builder::__construct(): Argument #4 ($layout) has an invalid shardBytes: it must be a power of two from 1024 to 65536
ValueError: Bloom\Builder::__construct(): Argument #11 ($format) must be null if a seed, scheme, block bytes, probes, bits per key or secret is given
ValueError: Bloom\Builder::__construct(): Argument #2 ($falsePositiveRate) must be between 0.000000001 and 0.5
ValueError: Bloom\Builder::__construct(): Argument #1 ($capacity) must be smaller: a server key can hold at most 2^32 bits
ValueError: Bloom\Builder::__construct(): Argument #11 ($format) must be ValkeyProb or RedisBloom: filters of other systems can only be imported
ValueError: Bloom\Builder::__construct(): Argument #11 ($format) must be ValkeyProb or RedisBloom: filters of other systems can only be imported
ValueError: Bloom\Builder::__construct(): Argument #9 ($scheme) must not be Bloom\Scheme::Foreign without a $format: Blob::import() makes other such blobs
ValueError: Bloom\Builder::like(): Argument #1 ($previous) must not be an imported filter (build a new one)
Bloom\KindException: blob: only filters in the format of RedisBloom or valkeyprob can be exported (build one from the keys with Builder(format:), or bloom build --scheme)
Bloom\KindException: blob: only filters in the format of RedisBloom or valkeyprob can be exported (build one from the keys with Builder(format:), or bloom build --scheme)
Bloom\KindException: mark: an on-demand filter, a reverse index, a map or a filter of another system cannot follow a journal (build it without a mark)
Bloom\RateException: measured 14.6 %, limit 1.5 %, with about 195 distinct keys in a filter sized for 100: the measured false-positive rate is over the limit
