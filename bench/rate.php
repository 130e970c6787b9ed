<?php
/* Shows the bits per key at 1 %, and compares the measured false-positive rate with the predicted rate. */

namespace BloomBench;

use Bloom\Builder;

require __DIR__ . '/common.php';

$rows = [['keys', 'layout', 'probes', 'bits per key', 'with head', 'predicted', 'measured', 'sigmas off', 'M keys/s']];
foreach ([10_000, 1_000_000, 10_000_000] as $keys) {
    foreach (['blocked' => null, 'classic' => 8192] as $layout => $blockBytes) {
        $builder = new Builder($keys, 0.01, seed: SEED, blockBytes: $blockBytes, shardBytes: $blockBytes);
        $start = hrtime(true);
        for ($i = 0; $i < $keys; $i++) {
            $builder->add("key-$i");
        }
        $seconds = (hrtime(true) - $start) / 1e9;
        $blob = $builder->build();
        $info = $blob->info();
        $predicted = (new Builder($keys, 0.01, seed: SEED, blockBytes: $blockBytes, shardBytes: $blockBytes))
            ->info()['predictedFalsePositiveRate'];
        $asked = 10_000_000;
        $positives = 0;
        for ($i = 0; $i < $asked; $i++) {
            $positives += $blob->mightContain("absent-$i") ? 1 : 0;
        }
        $measured = $positives / $asked;
        // The filter's rate is computed exactly from its bits; only the sample of absent keys is random.
        $exact = $info['measuredFalsePositiveRate'];
        $sigma = sqrt($exact * (1 - $exact) / $asked);
        $rows[] = [
            number_format($keys), $layout, $info['probes'],
            sprintf('%.3f', $info['shards'] * $info['shardBytes'] * 8 / $keys),
            sprintf('%.3f', $info['bytes'] * 8 / $keys),
            sprintf('%.4f %%', 100 * $predicted), sprintf('%.4f %%', 100 * $measured),
            sprintf('%+.1f', ($measured - $predicted) / $sigma), sprintf('%.1f', $keys / $seconds / 1e6),
        ];
    }
}
report('Requested rate: 1 %; measured with 10,000,000 absent keys; adding includes creating the keys in PHP', $rows, $argv[1]);

// The rate by bits per key. Absent keys are looked up until there are a hundred false positives or no keys are left.
$keys = 1_000_000;
$all = range(1, $keys);
$rows = [['layout', 'bits per key', 'probes', 'predicted', 'asked', 'positives', 'measured']];
$layouts = ['blocked' => [], 'classic' => ['blockBytes' => 8192, 'shardBytes' => 8192], 'ribbon' => ['scheme' => 'ribbon']];
foreach ($layouts as $layout => $options) {
    for ($bits = 4; $bits <= 20; $bits++) {
        // A ribbon filter is specified by its rate instead.
        $size = $layout === 'ribbon' ? ['falsePositiveRate' => 2 ** -($bits - 1)] : ['bitsPerKey' => $bits];
        $builder = new Builder($keys, ...$size, ...$options, seed: SEED);
        $predicted = $builder->info()['predictedFalsePositiveRate'];
        $builder->addMany($all);
        $blob = $builder->build(maxFalsePositiveRate: 0.99);
        for ($asked = $positives = 0; $asked < 20_000_000 && ($positives < 100 || $asked < 1_000_000); $asked++) {
            $positives += $blob->mightContain(-$asked - 1) ? 1 : 0;
        }
        $rows[] = [
            $layout, sprintf('%.3f', $blob->info()['bytes'] * 8 / $keys), $blob->info()['probes'], sprintf('%.5g', $predicted), $asked,
            $positives, sprintf('%.5g', $positives / $asked),
        ];
    }
}
report("False-positive rate by bits per key: $keys keys, whole blobs", $rows, dirname($argv[1]) . '/bits.tsv');
