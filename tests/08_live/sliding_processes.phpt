--TEST--
While many processes rotate a sliding filter, each process finds its keys for half a window
--DESCRIPTION--
fault: concurrent-changes
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sliding_processes
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\SlidingFilter;

// The filter is large enough that clearing a slot takes a noticeable time.
$filter = SlidingFilter::create('sliding', 300_000, 1e-9, 0.1);
$adder = '
    [, $i] = $argv;
    $filter = Bloom\SlidingFilter::open("sliding");
    $added = [];
    $young = $old = 0;
    await();
    $end = hrtime(true) + 1.5e9;
    for ($n = 0; hrtime(true) < $end || $young === 0 || $old === 0; $n++) { // a busy machine may need longer
        $before = hrtime(true);
        $new = $filter->add("k$i.$n");
        $added[] = [$before, hrtime(true)];
        check($new, "k$i.$n is new");
        // Check keys added shortly before and long before. Skip a key if the timing leaves its state uncertain.
        foreach ([0, 1, 7, 50, 400, 3000, 9000] as $back) {
            if ($back > $n) {
                break;
            }
            $key = "k$i." . ($n - $back);
            $before = hrtime(true);
            $found = $filter->mightContain($key);
            $after = hrtime(true);
            if ($after - $added[$n - $back][0] < 0.05e9) {
                $young++;
                check($found, "$key is found after " . ($after - $added[$n - $back][0]) / 1e6 . " ms");
            } elseif ($before - $added[$n - $back][1] > 0.1e9) {
                $old++;
                check(!$found, "$key is forgotten after " . ($before - $added[$n - $back][1]) / 1e6 . " ms");
            }
        }
    }
';
$reader = '
    $filter = Bloom\SlidingFilter::open("sliding");
    await();
    $end = hrtime(true) + 1.5e9;
    for ($n = 0; hrtime(true) < $end; $n++) {
        check(!$filter->mightContain("never$n"), "never$n was never added");
        if ($n % 1000 === 0) {
            $filter->info();
            check(count($filter->shards()) === $filter->info()->shards, "the shards of one slot");
        }
    }
';
$said = race([...array_map(fn ($i) => worker($adder, $i), range(1, 4)), worker($reader)]);
check(array_filter($said) === [], implode("\n", $said));
usleep(110_000);
foreach ($filter->shards() as $shard) {
    check($shard['setBits'] === 0, 'after the window nothing is left');
}
check($filter->add('k1.1') && $filter->mightContain('k1.1') && $filter->add('k1.2'), 'new again');
SlidingFilter::drop('sliding');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
