--TEST--
A map has the exact value of every key that was set, whatever the type of the key and the source of the pairs
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\{Blob, MapBuilder};

// A differential test against an array, for several widths.
mt_srand(11);
foreach ([[1, 1.0], [5, 0.5], [17, 0.01], [32, 1e-6], [63, 1e-9], [64, 0.01]] as [$bits, $rate]) {
    $table = [];
    $builder = new MapBuilder(3000, $bits, $rate, seed: $bits);
    for ($i = 0; $i < 3000; $i++) {
        $key = match ($i % 4) {
            0 => mt_rand(),
            1 => random_bytes_of(mt_rand(0, 30)),
            2 => "key-$i",
            3 => -$i,
        };
        $value = $bits === 64 ? random_int_of() : random_int_of() & PHP_INT_MAX >> 63 - $bits;
        if (!isset($table[$key])) {
            $table[$key] = $value;
            $builder->set($key, $value);
        }
    }
    check($builder->info()->keys === count($table) && $builder->info()->added === count($table), 'counted');
    $blob = Blob::fromString($builder->build()->toString());
    foreach ($table as $key => $value) {
        check($blob->get($key) === $value, "$bits bits: value of $key");
        check($blob->get((string) $key) === $value && $blob->mightContain($key), "$bits bits: an int is its decimal text");
    }
    for ($found = 0, $i = 0; $i < 20_000; $i++) {
        $value = $blob->get("absent-$i");
        $found += $value !== null;
        check(($value !== null) === $blob->mightContain("absent-$i"), 'the same answer');
        check($value === null || $bits === 64 || ($value >= 0 && $value >> $bits === 0), 'in range');
    }
    $measured = $blob->info()->measuredFalsePositiveRate;
    check($measured <= $rate && abs($found - 20_000 * $measured) <= 4 * sqrt(20_000 * $measured) + 1, "$bits bits: $found found, rate $measured");
    check($blob->info()->keys === count($table), 'keys');
}

// The limits of values.
foreach ([1 => 1, 8 => 255, 63 => PHP_INT_MAX] as $bits => $most) {
    $builder = new MapBuilder(10, $bits);
    $builder->set('most', $most);
    $builder->set('least', 0);
    foreach ($bits === 63 ? [-1, PHP_INT_MIN] : [$most + 1, -1, PHP_INT_MAX, PHP_INT_MIN] as $value) {
        $text = thrown(fn () => $builder->set('bad', $value));
        check($text === "ValueError: Bloom\\MapBuilder::set(): Argument #2 (\$value) must be between 0 and $most for $bits value bits, $value given", $text);
    }
    $blob = $builder->build();
    check($blob->get('most') === $most && $blob->get('least') === 0 && $blob->info()->keys === 2, "$bits bits");
}
$builder = new MapBuilder(10, 64);
$negative = ['min' => PHP_INT_MIN, 'max' => PHP_INT_MAX, 'minus one' => -1, 'zero' => 0];
check($builder->setMany($negative) === 4, 'any int');
$blob = $builder->build();
foreach ($negative as $key => $value) {
    check($blob->get($key) === $value, $key);
}

// Keys that are objects, and the strict types of arguments.
$text = new class implements Stringable {
    public function __toString(): string
    {
        return 'object';
    }
};
$builder = new MapBuilder(100, 8);
$builder->set($text, 7);
$builder->set('1.5', 8);
echo thrown(fn () => $builder->set([], 1)), "\n";
echo thrown(fn () => $builder->set('a', 'x')), "\n";
check($builder->build()->get('object') === 7, '__toString()');
$builder = new MapBuilder(100, 8);
$builds = new class($builder) implements Stringable {
    public function __construct(private MapBuilder $builder)
    {
    }
    public function __toString(): string
    {
        $this->builder->build();
        return 'too late';
    }
};
echo thrown(fn () => $builder->set($builds, 1)), "\n";

// setMany() of arrays and iterators.
$builder = new MapBuilder(100, 8);
$referenced = 9;
$array = ['a' => 1, 7 => 2, -7 => 3, '' => 4, "\0" => 5, 'ref' => &$referenced];
check($builder->setMany($array) === 6 && $builder->setMany([]) === 0 && $builder->setMany([10, 11]) === 2, 'arrays');
check($builder->setMany(new ArrayIterator(['i' => 12])) === 1, 'an iterator');
check($builder->setMany((function () {
    yield 'g' => 13;
    yield 'h' => 14;
    yield from ['j' => 15];
})()) === 3, 'a generator');
check($builder->setMany(new class implements IteratorAggregate {
    public function getIterator(): Iterator
    {
        return new ArrayIterator(['k' => 16]);
    }
}) === 1, 'an aggregate');
$blob = $builder->build();
foreach (['a' => 1, 7 => 2, -7 => 3, '' => 4, "\0" => 5, 'ref' => 9, 0 => 10, 1 => 11, 'i' => 12, 'g' => 13, 'h' => 14, 'j' => 15, 'k' => 16] as $key => $value) {
    check($blob->get($key) === $value, 'value of ' . json_encode($key));
}
check($array['ref'] === 9 && $blob->info()->keys === 13, 'the array is unchanged');

// A bad element is named by its position, and those before it are set.
foreach ([
    [['a' => 1, 'b' => '2', 'c' => 3]],
    [['a' => 1, 'b' => 2.0]],
    [['a' => 1, 'b' => 256]],
    [(fn () => yield 'a' => null)()],
    [(function () {
        yield 'a' => 1;
        yield 1.5 => 2;
    })()],
    [(function () {
        yield 'a' => 1;
        yield new stdClass => 2;
    })()],
    [(function () {
        yield 'a' => 1;
        throw new DomainException('thrown inside');
    })()],
    ['text'],
] as [$values]) {
    $builder = new MapBuilder(100, 8);
    echo thrown(fn () => $builder->setMany($values)), "\n";
    echo '  ', $builder->info()->keys, " set\n";
}
$builder = new MapBuilder(100, 8);
echo thrown(fn () => $builder->setMany((function () use ($builder) {
    yield 'a' => 1;
    $builder->build();
    yield 'b' => 2;
})())), "\n";
echo thrown(fn () => $builder->set('a', 1)), "\n", thrown(fn () => $builder->build()), "\n";

// Several values of a key.
$builder = new MapBuilder(100, 64, seed: 3);
$builder->setMany(['a' => 1, 'twice' => -4]);
$builder->set('twice', 5);
echo preg_replace('/[0-9a-f]{16}/', 'DIGEST', thrown(fn () => $builder->build())), "\n";
check($builder->info()->keys === 3 && thrown(fn () => $builder->build()) !== 'nothing', 'the builder is unchanged');
$builder = new MapBuilder(100, 64, onDuplicate: 'last');
for ($i = 0; $i < 20_000; $i++) {
    $builder->set('k' . $i % 7, $i);
}
$blob = $builder->build();
check($blob->info()->keys === 7, 'seven keys');
for ($i = 0; $i < 7; $i++) {
    check($blob->get("k$i") === 19_999 - (19_999 - $i) % 7, "the last value of k$i");
}

// More keys than places.
$builder = new MapBuilder(100, 1, layout: new Bloom\Layout(shardBytes: 1024));
for ($i = 0; $i < 5000; $i++) {
    $builder->set($i, 1);
}
echo preg_replace('/\d+ of/', 'N of', thrown(fn () => $builder->build())), "\n";
check($builder->info()->keys === 5000, 'the builder still has them');

// The bytes depend only on the pairs, and neither on their order nor on the jobs.
$pairs = [];
for ($i = 0; $i < 5000; $i++) {
    $pairs["p$i"] = $i * 37 % 1024;
}
$made = [];
foreach ([1, 2, 7] as $jobs) {
    $builder = new MapBuilder(5000, 10, seed: 4, jobs: $jobs);
    $builder->setMany($jobs === 1 ? $pairs : array_reverse($pairs, true));
    $made[md5($builder->build(builtAt: 5.0)->toString())] = $jobs;
}
check(count($made) === 1, 'the same bytes');

// A map has no groups, and other blobs have no values.
$map = (new MapBuilder(10, 8))->build();
echo thrown(fn () => $map->groups('a')), "\n";
echo thrown(fn () => (new Bloom\Builder(10))->build()->get('a')), "\n";
echo thrown(fn () => (new Bloom\ReverseIndexBuilder(10, 10))->build()->get('a')), "\n";

function random_bytes_of(int $count): string
{
    for ($text = ''; $count > 0; $count--) {
        $text .= chr(mt_rand(0, 255));
    }
    return "t$text";
}

function random_int_of(): int
{
    return mt_rand() << 40 ^ mt_rand() << 20 ^ mt_rand();
}
?>
--EXPECT--
TypeError: Bloom\MapBuilder::set(): Argument #1 ($key) must be of type string|int, array given
TypeError: Bloom\MapBuilder::set(): Argument #2 ($value) must be of type int, string given
Bloom\BloomException: This builder has already built its blob: create a new one
TypeError: Bloom\MapBuilder::setMany(): Argument #1 ($values) must contain only values of type int, string given at position 1
  1 set
TypeError: Bloom\MapBuilder::setMany(): Argument #1 ($values) must contain only values of type int, float given at position 1
  1 set
ValueError: Bloom\MapBuilder::setMany(): Argument #1 ($values) must contain only values between 0 and 255 for 8 value bits, 256 given at position 1
  1 set
TypeError: Bloom\MapBuilder::setMany(): Argument #1 ($values) must contain only values of type int, null given at position 0
  0 set
TypeError: Bloom\MapBuilder::setMany(): Argument #1 ($values) must contain only keys of type string|int, float given at position 1
  1 set
TypeError: Bloom\MapBuilder::setMany(): Argument #1 ($values) must contain only keys of type string|int, stdClass given at position 1
  1 set
DomainException: thrown inside
  1 set
TypeError: Bloom\MapBuilder::setMany(): Argument #1 ($values) must be of type Traversable|array, string given
  0 set
Bloom\BloomException: This builder has already built its blob: create a new one
Bloom\BloomException: This builder has already built its blob: create a new one
Bloom\BloomException: This builder has already built its blob: create a new one
Bloom\BloomException: -4 and 5, for the key with the digest DIGEST: a key was set to two values (pass onDuplicate: 'last', or --on-duplicate=last, to keep the last value)
Bloom\BloomException: N of 5000 keys do not fit: the map has no room for all keys (build it for a larger capacity or, if there are not more keys than that, with another seed)
Bloom\KindException: This blob is not a reverse index
Bloom\KindException: This blob is not a map
Bloom\KindException: This blob is not a map
