--TEST--
An overlay keeps each key for its window and forgets it after at most two windows
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-overlay_forgetting
--FILE--
<?php
require __DIR__ . '/../live.inc';
use Bloom\Filter;

$blob = fn (string $prefix) => blob_of(keys($prefix, 100), 1000, falsePositiveRate: 1e-9);
$booth = Filter::load('booth', $blob('a'), overlayWindow: 0.2, overlayCapacity: 5000);
[$window, $twice] = [0.2e9, 0.4e9];
$young = $old = 0;
$added = [];
// On a busy machine, an iteration can take 50 ms.
for ($i = 0; $i < 1000 || $young < 100 || $old < 100; $i++) {
    $before = hrtime(true);
    $booth->add("k$i");
    $added[] = [$before, hrtime(true)];
    // Loads do not shorten the life of keys in the overlay.
    if ($i % 20 === 0) {
        Filter::load('booth', $blob($i % 40 ? 'a' : 'b'));
    }
    foreach ([0, 30, 90, 150, 250, 350, 500] as $back) {
        if ($back > $i) {
            break;
        }
        $key = 'k' . ($i - $back);
        $before = hrtime(true);
        $found = $booth->mightContain($key);
        $after = hrtime(true);
        if ($after - $added[$i - $back][0] < $window) {
            $young++;
            check($found, "$key is found after " . ($after - $added[$i - $back][0]) / 1e6 . ' ms');
        } elseif ($before - $added[$i - $back][1] > $twice) {
            $old++;
            check(!$found, "$key is forgotten after " . ($before - $added[$i - $back][1]) / 1e6 . ' ms');
        }
    }
    usleep(1000);
}
usleep(410_000);
check($booth->candidates(keys('k', $i)) === [], 'after a silence none is left');
check(count($booth->candidates([...keys('a', 100), ...keys('b', 100)])) === 100, 'but the blob');
check($booth->info()->overlay->setBits === 0, 'and the overlay is empty');
check($booth->add('k1') && $booth->mightContain('k1'), 'new again');
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
