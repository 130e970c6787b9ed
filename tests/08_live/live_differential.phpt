--TEST--
Random adds and lookups of each kind agree with an exact set, in this process and in another one
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-live_differential
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\Filter;

const OTHER = '
    $filter = Bloom\Filter::open($argv[1]);
    while (($line = fgets(STDIN)) !== false) {
        [$what, $key] = json_decode($line);
        echo json_encode($what === "put" ? put($filter, $key) : held($filter, $key)), "\n";
    }
';
$seed = seeded(20260101);
foreach (KINDS as $kind) {
    // The filter ends up so full that false positives do occur.
    $filter = made($kind, 1500, 0.02);
    $other = worker(OTHER, $kind);
    $ask = function (string $what, string|int $key) use ($other): bool {
        $other->say(json_encode([$what, $key]));
        return json_decode($other->hear());
    };
    $set = [];
    $maybe = $absent = 0;
    $key = fn () => mt_rand(0, 1) ? mt_rand(0, 2500) : 'k' . mt_rand(0, 2500);
    $added = function (string|int $key, bool $new) use (&$set, $kind, $seed) {
        check(!$new || !isset($set["=$key"]), "seed $seed, $kind: $key was new twice");
        $set["=$key"] = $key;
    };
    for ($step = 0; $step < 2500; $step++) {
        switch (mt_rand(0, 9)) {
            case 0:
            case 1:
                $one = $key();
                $added($one, put($filter, $one));
                break;
            case 2:
                $some = array_unique(array_map($key, range(1, mt_rand(1, 5))));
                $before = count(array_filter($some, fn ($one) => !isset($set["=$one"])));
                if ($filter instanceof Bloom\ReverseIndex) {
                    $new = 0;
                    foreach ($some as $one) {
                        $new += $filter->addMany(group_of($one), [$one]);
                    }
                } else {
                    $new = $filter->addMany(mt_rand(0, 1) ? $some : new ArrayIterator($some));
                }
                check($new <= $before, "seed $seed, $kind: $new of $before were new");
                foreach ($some as $one) {
                    $added($one, false);
                }
                break;
            case 3:
                $one = $key();
                $added($one, $ask('put', $one));
                break;
            case 4:
                $one = $key();
                check($ask('held', $one) || !isset($set["=$one"]), "seed $seed, $kind: $one is lost for the other");
                break;
            case 5:
                $some = array_map($key, range(1, 20));
                $found = $filter->candidates($some);
                foreach ($some as $place => $one) {
                    check(isset($found[$place]) || !isset($set["=$one"]), "seed $seed, $kind: $one is no candidate");
                }
                check(array_diff_key($found, $some) === [] && array_intersect_key($some, $found) === $found, "seed $seed, $kind: candidates are of those asked for");
                break;
            default:
                $one = $key();
                $found = held($filter, $one);
                check($found || !isset($set["=$one"]), "seed $seed, $kind: $one is lost");
                if (!isset($set["=$one"])) {
                    $absent++;
                    $maybe += $found;
                }
        }
        if ($step % 500 === 499 && $kind !== 'scalable') {
            $blob = $filter->export("step $step");
            foreach ($set as $one) {
                if ($blob instanceof Bloom\Blob && !$blob->mightContain($one)) {
                    die("seed $seed, $kind: $one is not in the export\n");
                }
            }
            check(Bloom\Blob::fromString($blob->toString())->info()->source === "step $step", 'the export is a valid blob');
        }
    }
    check_held($filter, $set, "seed $seed, $kind");
    check($other->end() === '', 'the other process reports no error');
    check($maybe < 0.1 * $absent, "seed $seed, $kind: $maybe of $absent absent keys are perhaps there");
    check($filter->info()->warning === null || count($set) > 1500, "$kind: " . $filter->info()->warning);
    check(Filter::drop($kind), 'dropped');
}
check_left('after all drops', 0);
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
