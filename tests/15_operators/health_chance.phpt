--TEST--
A filter at capacity causes no warning for any seed, and one with too many keys causes an alarm
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-health_chance
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\{Builder, Filter, HealthStatus, LiveFilter};

/** Loads filters with this share of the capacity, and returns how many exceed 1 and 1.5 times their rate, have a warning, and are critical. */
function judged(int $seeds, float $share, int $capacity, float $rate, mixed ...$parameters): string
{
    $counts = ['over the rate' => 0, 'over 1.5 times the rate' => 0, 'warned about' => 0, 'critical' => 0];
    for ($seed = 1; $seed <= $seeds; $seed++) {
        $builder = new Builder($capacity, $rate, $seed, ...$parameters);
        $builder->addMany(range(1, (int) ($share * $capacity)));
        $info = Filter::load('f', $builder->build(1.0))->info();
        $times = $info->measuredFalsePositiveRate / $info->falsePositiveRate;
        $counts['over the rate'] += $times > 1 ? 1 : 0;
        $counts['over 1.5 times the rate'] += $times > 1.5 ? 1 : 0;
        $counts['warned about'] += $info->warning !== null ? 1 : 0;
        $counts['critical'] += Filter::health('f')->status === HealthStatus::Critical ? 1 : 0;
    }
    return urldecode(http_build_query($counts, '', ', ')) . "\n";
}

echo judged(30, 1, 80_000, 0.01);
echo judged(60, 1, 1000, 1e-6);
echo judged(60, 1, 1000, 1e-9);
echo judged(60, 1, 1000, 0.01, bitsPerKey: 45.0);
echo "10 % more keys:\n";
echo judged(3, 1.1, 50_000, 0.001);
echo judged(3, 1.1, 50_000, 1e-6);
echo "A build beyond the capacity:\n";
foreach ([1.001, 1.1] as $share) {
    for ($seed = 1, $refused = 0; $seed <= 20; $seed++) {
        $builder = new Builder(10_000, 1e-6, $seed);
        $builder->addMany(range(1, (int) ($share * 10_000)));
        try {
            $builder->build();
        } catch (Bloom\RateException) {
            $refused++;
        }
    }
    echo "$share: $refused of 20 refused\n";
}
echo "Live filters:\n";
for ($seed = 1, $warnings = []; $seed <= 60; $seed++) {
    $live = LiveFilter::create('live', 1000, 1e-6, seed: $seed);
    $live->addMany(range(1, 1000));
    $warnings[] = $live->info()->warning;
    // A filter that is full has its own warning.
    $warnings[] = implode(preg_grep('/rate/', Filter::health('live')->reasons));
    Filter::drop('live');
}
echo count(array_filter($warnings)), " warnings\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
over the rate=7, over 1.5 times the rate=0, warned about=0, critical=0
over the rate=13, over 1.5 times the rate=0, warned about=0, critical=0
over the rate=21, over 1.5 times the rate=12, warned about=0, critical=0
over the rate=18, over 1.5 times the rate=15, warned about=0, critical=0
10 % more keys:
over the rate=3, over 1.5 times the rate=3, warned about=3, critical=3
over the rate=3, over 1.5 times the rate=3, warned about=3, critical=3
A build beyond the capacity:
1.001: 0 of 20 refused
1.1: 19 of 20 refused
Live filters:
0 warnings
