--TEST--
candidates() returns the keys for which mightContain() returns true, and preserves their array keys
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_candidates
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';

$seed = seeded(20260401);
foreach ([[0.01, 64], [0.001, 64], [0.3, 8], [0.01, 1024]] as [$rate, $block_bytes]) {
    $builder = new Bloom\Builder(3000, $rate, layout: new Bloom\Layout(blockBytes: $block_bytes, shardBytes: 1024), seed: 1);
    for ($i = 0; $i < 3000; $i++) {
        $builder->add("tag-$i");
    }
    $filter = Bloom\Filter::load('tags', $builder->build());
    foreach ([0, 1, 2, 63, 64, 65, 127, 128, 129, 1000] as $count) {
        $text = "seed $seed, rate $rate, blocks of $block_bytes, $count keys";
        $list = [];
        for ($i = 0; $i < $count; $i++) {
            $list[] = mt_rand(0, 2) ? 'tag-' . mt_rand(0, 5999) : mt_rand(-3000, 3000);
        }
        $one_by_one = fn (array $keys) => array_filter($keys, $filter->mightContain(...));
        check($filter->candidates($list) === $one_by_one($list), "$text, a list");

        $holes = $list;
        foreach ($list as $i => $key) {
            if ($i % 3 === 1) {
                unset($holes[$i]);
            }
        }
        check($filter->candidates($holes) === $one_by_one($holes), "$text, a list with holes");

        $named = [];
        foreach ($list as $i => $key) {
            $named[$i % 2 ? "name $i" : -$i] = $key;
        }
        check($filter->candidates($named) === $one_by_one($named), "$text, names and numbers");

        $referenced = $list;
        foreach ($referenced as $i => &$key) {
        }
        unset($key);
        $found = $filter->candidates($referenced);
        check($found === $one_by_one($list), "$text, references");
        foreach ($found as &$key) {
            $key = 'changed';
        }
        unset($key);
        check($referenced === $list, "$text, the caller's array is unchanged");
    }
    // The result's form in memory depends on whether few, some or all keys are found.
    foreach ([0, 3, 30, 100] as $percent) {
        foreach ([1, 20, 64, 300, 5000] as $count) {
            $text = "seed $seed, rate $rate, blocks of $block_bytes, $count keys, $percent % exist";
            $list = array_map(
                fn (int $i): string => mt_rand(1, 100) <= $percent ? 'tag-' . mt_rand(0, 2999) : "absent-$i-" . mt_rand(),
                range(0, $count - 1),
            );
            foreach ([$count, $count + 1] as $length) { // the last key of the longer list is removed again
                $list[$length - 1] ??= 'removed';
                if ($length > $count) {
                    unset($list[$count]); // unlike array_pop(), keeps the index of the next append
                }
                $found = $filter->candidates($list);
                check($found === array_filter($list, $filter->mightContain(...)), $text);
                $next = array_key_last($found) === null ? 0 : array_key_last($found) + 1;
                $found[] = 'appended';
                check(array_key_last($found) === $next, "$text, an append to the result follows its last key");
            }
            check(count($list) === $count, "$text, the caller's array is unchanged");
        }
    }
    foreach ([0, 63, 64, 99] as $bad) {
        $list = range(1, 100);
        $list[$bad] = 1.5;
        try {
            $filter->candidates($list);
            echo "no error\n";
        } catch (TypeError $error) {
            check(str_ends_with($error->getMessage(), "float given at key $bad"), $error->getMessage());
        }
        try {
            $filter->candidates(['first' => 'a', 'bad' => null, 'last' => 1.5]);
            echo "no error\n";
        } catch (TypeError $error) {
            check(str_ends_with($error->getMessage(), 'null given at key "bad"'), $error->getMessage());
        }
    }
}
echo "done\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done
