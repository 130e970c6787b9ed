--TEST--
A reverse index, live or loaded, names every group that holds a value
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-reverse_differential
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\Blob;
use Bloom\Filter;
use Bloom\ReverseIndex;
use Bloom\ReverseIndexBuilder;

$seed = seeded(20260303);
// One level, two levels with a partly filled last node, and three levels.
foreach ([[64, 64], [1, 64], [300, 64], [5000, 64], [2000, 1024]] as [$groups, $fan_out]) {
    $text = "seed $seed, $groups groups, fan-out $fan_out";
    $index = ReverseIndex::create('index', $groups, 2000, 0.01, $fan_out, seed: 3);
    $builder = new ReverseIndexBuilder($groups, 2000, 0.01, $fan_out, seed: 3);
    $exact = [];
    $other = worker('
        $index = Bloom\ReverseIndex::open("index");
        while (($line = fgets(STDIN)) !== false) {
            [$what, $arguments] = json_decode($line);
            echo json_encode($index->$what(...$arguments)), "\n";
        }
    ');
    $ask = function (string $what, mixed ...$arguments) use ($other) {
        $other->say(json_encode([$what, $arguments]));
        return json_decode($other->hear());
    };
    for ($step = 0; $step < 1200; $step++) {
        $value = mt_rand(0, 1) ? 'v' . mt_rand(0, 400) : mt_rand(0, 400);
        $group = mt_rand(0, 3) ? mt_rand(0, $groups - 1) : ($groups - 1) * mt_rand(0, 1);
        $is_new = !isset($exact[$value][$group]);
        switch (mt_rand(0, 3)) {
            case 0:
                $said = $index->add($group, $value);
                check(!$said || $is_new, "$text: $value was new in $group twice");
                check($builder->add($group, $value) === $said, "$text: the builder says the same of $value in $group");
                $exact[$value][$group] = true;
                break;
            case 1:
                $some = ["$value", "x$value"];
                $new = $is_new + !isset($exact["x$value"][$group]);
                $said = mt_rand(0, 1) ? $index->addMany($group, $some) : $ask('addMany', $group, $some);
                check($said <= $new, "$text: $said of $new were new");
                check($builder->addMany($group, new ArrayIterator($some)) === $said, "$text: the builder says the same");
                $exact[$value][$group] = $exact["x$value"][$group] = true;
                break;
            default:
                $found = mt_rand(0, 3) ? $index->groups($value) : $ask('groups', $value);
                $right = array_keys($exact[$value] ?? []);
                check(array_diff($right, $found) === [], "$text: a group of $value is lost");
                $sorted = $found;
                sort($sorted);
                check($found === $sorted && array_unique($found) === $found, "$text: in rising order, each once");
                check($found === [] || min($found) >= 0 && max($found) < $groups, "$text: groups that there are");
                check($index->mightContain($value) === ($found !== []), "$text: mightContain($value)");
        }
    }
    $values = array_map(strval(...), [...array_keys($exact), ...keys('absent', 500)]);
    $answers = array_map($index->groups(...), $values);
    check($index->candidates($values) === array_filter($values, fn ($value) => $index->groups($value) !== []), "$text: candidates");
    $wrong = array_sum(array_map(fn ($value, $found) => count($found) - count($exact[$value] ?? []), $values, $answers));
    check($wrong <= (0.1 + 5 * $index->info()->expectedWrongGroups) * count($values), "$text: $wrong wrong groups of " . count($values) . ' values');

    // The builder sets the same bits, and so do the export and the filters made from it.
    $built = $builder->build();
    $export = $index->export();
    foreach (['builder' => $built, 'export' => $export, 'its bytes' => Blob::fromString($export->toString())] as $what => $blob) {
        check(array_map($blob->groups(...), $values) === $answers, "$text: $what answers alike");
        check(array_map($blob->mightContain(...), $values) === array_map(fn ($found) => $found !== [], $answers), "$text: $what, mightContain");
    }
    $body = fn (Blob $blob) => substr($blob->toString(), -$blob->info()->shards * $blob->info()->shardBytes);
    check($body($built) === $body($export), "$text: the bits are the same");
    $loaded = Filter::load('loaded', $built);
    check($loaded instanceof ReverseIndex && $loaded->info()->kind->value === 'loaded', 'a loaded index');
    check(array_map($loaded->groups(...), $values) === $answers, "$text: loaded, it answers alike");
    check($loaded->candidates($values) === $index->candidates($values), "$text: loaded, candidates");
    $imported = ReverseIndex::import('imported', $built);
    check(array_map($imported->groups(...), $values) === $answers, "$text: imported, it answers alike");
    check($imported->add($groups - 1, 'one more') && in_array($groups - 1, $imported->groups('one more'), true), "$text: and takes more");
    check($index->groups('one more') === $loaded->groups('one more'), 'the others do not have it');
    check($other->end() === '', 'the other process reports no error');
    foreach (Filter::list() as $name) {
        Filter::drop($name);
    }
}

// A loaded index supports neither add(), addMany() nor export().
$loaded = Filter::load('loaded', $built);
echo thrown(fn () => $loaded->add(1, 'a')), "\n", thrown(fn () => $loaded->addMany(1, ['a'])), "\n", thrown(fn () => $loaded->export()), "\n";
// Groups out of range.
$index = ReverseIndex::create('index', 100, 100, seed: 3);
$builder = new ReverseIndexBuilder(100, 100, seed: 3);
foreach ([$index, $builder] as $one) {
    foreach ([-1, 100, PHP_INT_MAX, PHP_INT_MIN] as $group) {
        check(thrown(fn () => $one->add($group, 'a')) === 'ValueError: ' . $one::class . '::add(): Argument #1 ($group) must be between 0 and 99', thrown(fn () => $one->add($group, 'a')));
        check(thrown(fn () => $one->addMany($group, ['a'])) === 'ValueError: ' . $one::class . '::addMany(): Argument #1 ($group) must be between 0 and 99', thrown(fn () => $one->addMany($group, ['a'])));
    }
    echo thrown(fn () => $one->addMany(3, ['before', 1.5, 'behind'])), "\n";
}
check($index->groups('before') === [3] && $index->groups('behind') === [], 'what stood before was added');
$blob = $builder->build();
check($blob->groups('before') === [3] && $blob->groups('behind') === [], 'by the builder, too');
echo thrown(fn () => blob_of(['a'])->groups('a')), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\KindException: loaded: a reverse index loaded from a blob is read-only
Bloom\KindException: loaded: a reverse index loaded from a blob is read-only
Bloom\KindException: loaded: a reverse index loaded from a blob is read-only
TypeError: Bloom\ReverseIndex::addMany(): Argument #2 ($values) must contain only values of type string|int, float given at position 1
TypeError: Bloom\ReverseIndexBuilder::addMany(): Argument #2 ($values) must contain only values of type string|int, float given at position 1
Bloom\KindException: This blob is not a reverse index
