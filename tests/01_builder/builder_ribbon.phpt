--TEST--
A ribbon filter contains all its keys, added in any order, in fewer bits; with too many keys, its rate rises
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Builder;
use Bloom\Blob;

// A differential test against a set. Keys have all types, some are added twice, and some come from a file.
mt_srand(7);
$set = [];
$builder = new Builder(20_000, seed: 3, scheme: Bloom\Scheme::Ribbon);
for ($i = 0; $i < 15_000; $i++) {
    $key = match ($i % 4) {
        0 => mt_rand(),
        1 => random_text(),
        2 => "key-$i",
        3 => -$i,
    };
    $set[$key] = true;
    check($builder->add($key) === true, 'a key that was not the last');
    if ($i % 5 === 0) {
        check($builder->add((string) $key) === false, 'the last one again');
    }
}
$keys = array_keys($set);
shuffle_seeded($keys);
check($builder->addMany($keys) > 14_000, 'all of them again');
file_put_contents(own_file('keys'), "line one\nline two\r\n\nlast");
echo $builder->addFile(own_file('keys')), " lines\n";
array_push($keys, 'line one', 'line two', '', 'last');
$blob = $builder->build(builtAt: 5.0);
foreach ($keys as $key) {
    check($blob->mightContain($key), "has $key");
}
$wrong = 0;
for ($i = 0; $i < 100_000; $i++) {
    $wrong += $blob->mightContain("absent-$i");
}
$info = $blob->info();
$rate = $info->measuredFalsePositiveRate;
check(abs($wrong / 100_000 - $rate) < 4 * sqrt($rate / 100_000), "$wrong wrong, rate $rate");
check($rate <= 0.01 && $rate > 0.004, "rate $rate");
check($info->keys === count(array_unique($keys)) && $info->estimatedKeys === $info->keys, 'different keys');
check($info->scheme->value === 'ribbon' && $info->setBits === null && $info->blockBytes === $info->shardBytes, 'info');

// The bytes depend only on the set of keys.
$again = new Builder(20_000, seed: 3, scheme: Bloom\Scheme::Ribbon);
shuffle_seeded($keys);
$again->addMany($keys);
check($again->build(builtAt: 5.0)->toString() === $blob->toString(), 'any order');
check(Blob::fromString($blob->toString())->mightContain('line one'), 'read again');

// Without a scheme, the smaller filter is chosen.
foreach ([100, 1_000, 20_000, 1_000_000, 50_000_000] as $capacity) {
    foreach ([0.2, 0.01, 0.0001] as $rate) {
        $bytes = $chosen = [];
        foreach (['bloom', 'ribbon', 'auto'] as $scheme) {
            $info = (new Builder($capacity, $rate, scheme: Bloom\Scheme::tryFrom($scheme)))->info();
            $bytes[$scheme] = $info->bytes;
            $chosen[$scheme] = $info->scheme->value;
        }
        check($bytes['auto'] === min($bytes), "auto for $capacity at $rate");
        check($chosen['auto'] === ($bytes['ribbon'] < $bytes['bloom'] ? 'ribbon' : 'bloom'), 'bloom when it is no smaller');
        check($capacity < 1_000_000 || $bytes['ribbon'] < 0.83 * $bytes['bloom'], "$capacity at $rate: $bytes[ribbon] and $bytes[bloom]");
    }
}
foreach ([['blockBytes' => 64], ['probes' => 5], ['bitsPerKey' => 12.0], ['chunkBytes' => 2048]] as $arguments) {
    echo json_encode($arguments), ' null: ', (new Builder(1_000_000, ...laid_out($arguments + ['shardBytes' => 1024]), scheme: null))->info()->scheme->value, "\n";
}

// Invalid arguments.
echo thrown(fn () => new Builder(100, scheme: Bloom\Scheme::Reverse)), "\n";
echo thrown(fn () => new Builder(100, layout: new Bloom\Layout(probes: 7), scheme: Bloom\Scheme::Ribbon)), "\n";
echo thrown(fn () => new Builder(100, layout: new Bloom\Layout(blockBytes: 64), scheme: Bloom\Scheme::Ribbon)), "\n";
echo thrown(fn () => new Builder(100_000, bitsPerKey: 1.0, scheme: Bloom\Scheme::Ribbon)), "\n";
echo thrown(fn () => new Builder(1_000_000, layout: new Bloom\Layout(chunkBytes: 8192, shardBytes: 65536), scheme: Bloom\Scheme::Ribbon)), "\n";

// With too many keys, some are answered "maybe" without an equation. If the rate rises too much, build() refuses and the
// builder keeps its keys.
$builder = new Builder(1000, seed: 1, layout: new Bloom\Layout(shardBytes: 1024), scheme: Bloom\Scheme::Ribbon);
$builder->addMany(range(1, 1215));
echo thrown(fn () => $builder->build()), "\n";
echo $builder->info()->keys, " keys are still there\n";
$blob = $builder->build(1.0);
for ($i = 1; $i <= 1215; $i++) {
    check($blob->mightContain($i), "$i of more than the capacity");
}
for ($wrong = 0, $i = 1; $i <= 100_000; $i++) {
    $wrong += $blob->mightContain("absent-$i");
}
$rate = $blob->info()->measuredFalsePositiveRate;
check(abs($wrong / 100_000 - $rate) < 4 * sqrt($rate * (1 - $rate) / 100_000), "$wrong wrong, rate $rate");
echo thrown(fn () => $builder->build()), "\n";
echo thrown(fn () => (new Builder(1000, scheme: Bloom\Scheme::Ribbon))->build(0.0001)), "\n";
echo thrown(fn () => new Builder(10, 1e-6, layout: new Bloom\Layout(shardBytes: 1024), scheme: Bloom\Scheme::Ribbon)), "\n";

// Ribbon blobs cannot be merged.
$bloom = (new Builder(1000, seed: 1))->build();
echo thrown(fn () => $blob->merge($blob)), "\n";
echo thrown(fn () => $bloom->merge($blob)), "\n";
echo thrown(fn () => $blob->groups(1)), "\n";

// The checksum detects damage.
$bytes = $blob->toString();
$bytes[strlen($bytes) - 9] = $bytes[strlen($bytes) - 9] ^ "\1";
echo thrown(fn () => Blob::fromString($bytes)), "\n";

function random_text(): string
{
    $text = '';
    for ($i = mt_rand(1, 30); $i > 0; $i--) {
        $text .= chr(mt_rand(0, 255));
    }
    return $text;
}

function shuffle_seeded(array &$keys): void
{
    for ($i = count($keys) - 1; $i > 0; $i--) {
        $j = mt_rand(0, $i);
        [$keys[$i], $keys[$j]] = [$keys[$j], $keys[$i]];
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
4 lines
{"blockBytes":64} null: bloom
{"probes":5} null: bloom
{"bitsPerKey":12} null: bloom
{"chunkBytes":2048} null: ribbon
ValueError: Bloom\Builder::__construct(): Argument #9 ($scheme) must not be Bloom\Scheme::Reverse: ReverseIndexBuilder builds reverse indexes
ValueError: Bloom\Builder::__construct(): Argument #9 ($scheme) must be bloom if block bytes, probes or groups are given
ValueError: Bloom\Builder::__construct(): Argument #9 ($scheme) must be bloom if block bytes, probes or groups are given
ValueError: Bloom\Builder::__construct(): Argument #5 ($bitsPerKey) must be higher: its keys do not fit
ValueError: Bloom\Builder::__construct(): Argument #4 ($layout) has an invalid chunkBytes: it must be a multiple of the shard bytes, up to 1 GiB
Bloom\RateException: measured 24 %, limit 2.18 %, with 1215 distinct keys in a filter sized for 1000: the measured false-positive rate is over the limit
1215 keys are still there
Bloom\BloomException: This builder has already built its blob: create a new one
Bloom\RateException: measured 0.781 %, limit 0.01 %, with 0 distinct keys in a filter sized for 1000: the measured false-positive rate is over the limit
ValueError: Bloom\Builder::__construct(): Argument #4 ($layout) has an invalid shardBytes: it must be larger: too few keys of so many bits fit into such a shard
Bloom\KindException: scheme ribbon: a ribbon filter or a map cannot be extended or merged
Bloom\KindException: scheme ribbon: a ribbon filter or a map cannot be extended or merged
Bloom\KindException: This blob is not a reverse index
Bloom\FormatException: shard 0: the shard's checksum does not match
