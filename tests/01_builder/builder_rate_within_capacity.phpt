--TEST--
The default limit never refuses a set within capacity, however small
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../bloom.inc';

mt_srand(99);
$capacities = array_merge(range(1, 120), range(130, 1000, 37), range(1000, 5000, 499));
$worst = 0;
foreach ([0.5, 0.1, 0.01, 0.001] as $rate) {
    foreach ($capacities as $capacity) {
        $seed = mt_rand();
        $builder = new Bloom\Builder($capacity, $rate, seed: $seed);
        for ($i = 0; $i < $capacity; $i++) {
            $builder->add("$seed/$i");
        }
        try {
            $blob = $builder->build();
            $worst = max($worst, $blob->info()['measuredFalsePositiveRate'] / $rate);
        } catch (Bloom\RateException $refused) {
            echo "capacity $capacity, rate $rate, seed $seed: ", $refused->getMessage(), "\n";
        }
    }
}
check($worst < 1.5, "the worst measured rate is $worst times the asked one");
?>
--EXPECT--
