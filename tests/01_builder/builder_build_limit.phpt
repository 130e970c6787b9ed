--TEST--
build() refuses a filter whose measured rate exceeds the limit, and succeeds with a higher limit
--DESCRIPTION--
fault: over-capacity
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$builder = new Bloom\Builder(1000, 0.01, seed: 7);
$builder->addMany(keys('k', 2500));
echo preg_replace('/[0-9.]{3,}/', '…', thrown(fn () => $builder->build())), "\n";
var_dump($builder->info()->keys > 2000);
echo thrown(fn () => $builder->build(0.02), true), "\n";
$blob = $builder->build(0.5, 1234.5);
$info = $blob->info();
check($info->measuredFalsePositiveRate > 0.015 && $info->measuredFalsePositiveRate < 0.5, 'the measured rate is told');
check($info->falsePositiveRate === 0.01, 'and the asked one');
var_dump($info->builtAt);
foreach (keys('k', 2500) as $key) {
    check($blob->mightContain($key), 'an overfull filter still has every key');
}

// A builder within its capacity fails only because of a limit that no filter can meet.
$builder = new Bloom\Builder(1000, 0.01, seed: 7);
$builder->addMany(keys('k', 1000));
echo thrown(fn () => $builder->build(1e-12), true), "\n";
foreach ([0, 0.0, -0.1, 1.1, NAN, INF, -INF] as $limit) {
    echo thrown(fn () => $builder->build($limit)), "\n";
}
foreach ([-1, 1e12, NAN, INF, -INF] as $time) {
    echo thrown(fn () => $builder->build(null, $time)), "\n";
}
check($builder->build(1.0, 0) instanceof Bloom\Blob, 'the limits themselves pass');

// With nearly every bit set, no limit lets build() succeed.
$builder = new Bloom\Builder(100, 0.5, seed: 7);
$builder->addMany(keys('k', 100000));
echo preg_replace('/shard \d+/', 'shard N', thrown(fn () => $builder->build(1.0))), "\n";
?>
--EXPECT--
Bloom\RateException: measured … %, limit … %, with about … distinct keys in a filter sized for …: the measured false-positive rate is over the limit
bool(true)
Bloom\RateException
float(1234.5)
Bloom\RateException
ValueError: Bloom\Builder::build(): Argument #1 ($maxFalsePositiveRate) must be greater than 0 and at most 1
ValueError: Bloom\Builder::build(): Argument #1 ($maxFalsePositiveRate) must be greater than 0 and at most 1
ValueError: Bloom\Builder::build(): Argument #1 ($maxFalsePositiveRate) must be greater than 0 and at most 1
ValueError: Bloom\Builder::build(): Argument #1 ($maxFalsePositiveRate) must be greater than 0 and at most 1
ValueError: Bloom\Builder::build(): Argument #1 ($maxFalsePositiveRate) must be greater than 0 and at most 1
ValueError: Bloom\Builder::build(): Argument #1 ($maxFalsePositiveRate) must be greater than 0 and at most 1
ValueError: Bloom\Builder::build(): Argument #1 ($maxFalsePositiveRate) must be greater than 0 and at most 1
ValueError: Bloom\Builder::build(): Argument #2 ($builtAt) must be a Unix time in seconds, from 0 to 10^12
ValueError: Bloom\Builder::build(): Argument #2 ($builtAt) must be a Unix time in seconds, from 0 to 10^12
ValueError: Bloom\Builder::build(): Argument #2 ($builtAt) must be a Unix time in seconds, from 0 to 10^12
ValueError: Bloom\Builder::build(): Argument #2 ($builtAt) must be a Unix time in seconds, from 0 to 10^12
ValueError: Bloom\Builder::build(): Argument #2 ($builtAt) must be a Unix time in seconds, from 0 to 10^12
Bloom\FormatException: shard N: more than 15 of 16 bits are set, so nearly every answer would be maybe
