--TEST--
The default limit never refuses a set of keys within the capacity, no matter how small it is
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

mt_srand(99);
$capacities = array_merge(range(1, 120), range(130, 1000, 37), range(1000, 5000, 499));
$worst = 0;
foreach ([0.5, 0.1, 0.01, 0.001, 1e-4, 1e-6, 1e-9] as $rate) {
    foreach ($capacities as $capacity) {
        $seed = mt_rand();
        $builder = new Bloom\Builder($capacity, $rate, seed: $seed);
        for ($i = 0; $i < $capacity; $i++) {
            $builder->add("$seed/$i");
        }
        try {
            $blob = $builder->build();
            if ($rate >= 0.001) {
                $worst = max($worst, $blob->info()->measuredFalsePositiveRate / $rate);
            }
        } catch (Bloom\RateException $refused) {
            echo "capacity $capacity, rate $rate, seed $seed: ", $refused->getMessage(), "\n";
        }
    }
}
// At low rates, the measured rate of a filter with few blocks varies widely. At the usual rates it does not.
check($worst < 1.5, "the worst measured rate is $worst times the asked one");

// build() also accepts 10 % more keys than the capacity, but not 50 % more.
foreach ([0.1, 0.01] as $rate) {
    foreach ([[1.1, 'nothing'], [1.5, Bloom\RateException::class]] as [$times, $expected]) {
        $builder = new Bloom\Builder(50000, $rate, seed: 3);
        $builder->addMany(keys('k', (int) (50000 * $times)));
        check(thrown(fn () => $builder->build(), true) === $expected, "$times times the capacity at $rate");
    }
}
?>
--EXPECT--
