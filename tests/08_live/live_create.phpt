--TEST--
create() creates a filter or attaches to an existing one with the same parameters, and refuses any other
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-live_create
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\CountingFilter;
use Bloom\Filter;
use Bloom\LiveFilter;
use Bloom\ReverseIndex;
use Bloom\ScalableFilter;
use Bloom\SlidingFilter;
use Bloom\WritableFilter;

/** Returns the exception that is thrown if $asked is created under the name of an existing $there. */
function refused(string $there, string $asked, string $place = 'x'): string
{
    $kinds = [LiveFilter::class => 'a live filter', CountingFilter::class => 'a counting filter',
        ScalableFilter::class => 'a scalable filter', SlidingFilter::class => 'a sliding filter',
        ReverseIndex::class => 'a live reverse index', Filter::class => 'a loaded filter'];
    return "Bloom\KindException: $place: expected {$kinds[$asked]}, found {$kinds[$there]}: "
        . 'that name is taken by a filter of a different kind (drop it first, or choose another name)';
}

$made = [
    LiveFilter::class => ['capacity' => 1000, 'falsePositiveRate' => 0.02, 'seed' => 5],
    CountingFilter::class => ['capacity' => 1000, 'falsePositiveRate' => 0.02, 'seed' => 5],
    ScalableFilter::class => ['initialCapacity' => 1000, 'falsePositiveRate' => 0.02, 'growth' => 3.0, 'tightening' => 0.7, 'seed' => 5],
    SlidingFilter::class => ['capacity' => 1000, 'falsePositiveRate' => 0.02, 'window' => 3600.0, 'seed' => 5],
    ReverseIndex::class => ['groups' => 500, 'capacity' => 1000, 'falsePositiveRate' => 0.02, 'fanOut' => 128, 'seed' => 5],
];
$other = ['capacity' => 1001, 'initialCapacity' => 999, 'falsePositiveRate' => 0.0200001, 'growth' => 3.5, 'tightening' => 0.8,
    'window' => 3600.001, 'groups' => 501, 'fanOut' => 64, 'seed' => 6];
foreach ($made as $class => $arguments) {
    $short = substr($class, 6);
    $filter = $class::create('x', ...$arguments);
    check($filter::class === $class && $filter->name() === 'x', "$short: its class and name");
    $info = $filter->info();
    put($filter, 'here');

    // Repeat create() without a seed. Then repeat it in another process, which adds keys to the filter.
    foreach ([$arguments, ['seed' => null] + $arguments, array_diff_key($arguments, ['seed' => 0])] as $same) {
        $again = $class::create('x', ...$same);
        check(held($again, 'here') && $again->info()->created === $info->created && $again->info()->generation === 1, "$short: the same one");
    }
    check($info->seed === 5, "$short: the seed");
    echo worker('
        [$class, $arguments] = unserialize($argv[1]);
        $filter = $class::create("x", ...$arguments);
        check($filter::class === $class && held($filter, "here") && put($filter, "there"), "the same one elsewhere");
        unset($arguments["seed"]);
        check(held($class::create("x", ...$arguments), "there"), "without its seed");
        $open = Bloom\Filter::open("x");
        check($open::class === $class && held($open, "there") && put($open, "again"), "opened");
    ', serialize([$class, $arguments]))->end();
    check(held($filter, 'there') && held($filter, 'again'), "$short: what the other added");

    // If a parameter differs, the exception names that parameter.
    foreach ($arguments as $name => $value) {
        echo "$short $name: ", thrown(fn () => $class::create('x', ...[$name => $other[$name]] + $arguments)), "\n";
    }
    foreach ($made as $wrong => $parameters) {
        if ($wrong !== $class) {
            check(thrown(fn () => $wrong::create('x', ...$parameters)) === refused($class, $wrong), "$short: created as $wrong");
        }
    }
    $said = thrown(fn () => Filter::load('x', blob_of(['loaded'])));
    check($said === refused($class, Filter::class, '{segment}/x'), "$short: loaded over: $said");
    mkdir($directory = own_file('store' . $short));
    $store = new Bloom\DirectoryStore($directory);
    blob_of(['loaded'])->publish($store, 'x');
    foreach ([false, true] as $force) {
        $said = thrown(fn () => Filter::sync('x', $store, 0, $force), true);
        check($said === 'Bloom\KindException', "$short: synced over: $said");
    }
    check_held($filter, ['here', 'there', 'again'], $short);
    check(put($filter, 'still') && held(Filter::open('x'), 'still'), "$short: it goes on");
    check_left($short);
    check(Filter::list() === ['x'] && Filter::drop('x') && !Filter::drop('x') && Filter::find('x') === null, "$short: dropped");
    check_left("$short, dropped", 0);
}

// create() refuses the name of a loaded filter. After a drop, different parameters are accepted.
$loaded = Filter::load('x', blob_of(['loaded']));
foreach ($made as $class => $arguments) {
    check(thrown(fn () => $class::create('x', ...$arguments)) === refused(Filter::class, $class), "$class over a loaded one");
}
check($loaded->mightContain('loaded') && $loaded->info()->generation === 1, 'it is as it was');
Filter::drop('x');

// open() and find() of a class return only filters of that class.
Filter::load('loaded', blob_of(['loaded']));
foreach (array_keys($made) as $class) {
    foreach (['open', 'find'] as $method) {
        check(str_starts_with(thrown(fn () => $class::$method('loaded')), "Bloom\KindException: loaded: expected a $class, found a loaded filter"), "$class::$method()");
    }
    check($class::find('none') === null, "$class::find() of none");
}
$open = LiveFilter::create('mine', 10);
check(Filter::open('mine') instanceof LiveFilter && LiveFilter::open('mine') instanceof LiveFilter, 'its own');
// WritableFilter stands for all classes to which keys can be added.
ReverseIndex::create('index', 10, 10);
check(WritableFilter::open('mine') instanceof LiveFilter && WritableFilter::find('none') === null, 'any of its classes');
foreach (['open', 'find', 'drop'] as $method) {
    foreach (['loaded' => 'a loaded filter', 'index' => 'a live reverse index'] as $name => $kind) {
        check(str_contains(thrown(fn () => WritableFilter::$method($name)), "found $kind"), "WritableFilter::$method() of $kind");
    }
}
check(WritableFilter::drop('mine') && Filter::list() === ['index', 'loaded'], 'drops one of its classes');
$open = LiveFilter::create('mine', 10);
check(Bloom\LoadedFilter::open('loaded')->mightContain('loaded'), 'a loaded one');
// A handle outlives the drop and works again with the next filter of that name.
Filter::drop('mine');
check(thrown(fn () => $open->mightContain('a'), true) === Bloom\NotFoundException::class, 'dropped');
LiveFilter::create('mine', 10)->add('a');
check($open->mightContain('a'), 'made anew');

// Random seeds differ.
$seeds = [];
for ($i = 0; $i < 20; $i++) {
    $seeds[LiveFilter::create("s$i", 10)->info()->seed] = true;
}
check(count($seeds) === 20, 'seeds are random');
check(LiveFilter::create('negative', 10, seed: -1)->info()->seed === -1, 'any 64 bits');
check(LiveFilter::create('negative', 10, seed: -1)->name() === 'negative', 'attached');

// If many processes create the same filter concurrently, only one filter is created.
$said = race(array_map(fn ($i) => worker('
    await();
    $filter = Bloom\LiveFilter::create("crowd", 5000, 1e-6);
    $filter->addMany(keys("k$argv[1].", 500));
    echo $filter->info()->seed, " ", $filter->info()->created;
', $i), range(1, 5)));
check(count(array_unique($said)) === 1, implode(', ', $said));
foreach (range(1, 5) as $i) {
    check_held(Filter::open('crowd'), keys("k$i.", 500), "of process $i");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
LiveFilter capacity: Bloom\KindException: x: its capacity is 1000, but 1001 was requested: a filter with that name already exists (drop it first, or use it as it is)
LiveFilter falsePositiveRate: Bloom\KindException: x: its false-positive rate is 0.02, but 0.0200001 was requested: a filter with that name already exists (drop it first, or use it as it is)
LiveFilter seed: Bloom\KindException: x: its seed is 5, but 6 was requested: a filter with that name already exists (drop it first, or use it as it is)
CountingFilter capacity: Bloom\KindException: x: its capacity is 1000, but 1001 was requested: a filter with that name already exists (drop it first, or use it as it is)
CountingFilter falsePositiveRate: Bloom\KindException: x: its false-positive rate is 0.02, but 0.0200001 was requested: a filter with that name already exists (drop it first, or use it as it is)
CountingFilter seed: Bloom\KindException: x: its seed is 5, but 6 was requested: a filter with that name already exists (drop it first, or use it as it is)
ScalableFilter initialCapacity: Bloom\KindException: x: its capacity is 1000, but 999 was requested: a filter with that name already exists (drop it first, or use it as it is)
ScalableFilter falsePositiveRate: Bloom\KindException: x: its false-positive rate is 0.02, but 0.0200001 was requested: a filter with that name already exists (drop it first, or use it as it is)
ScalableFilter growth: Bloom\KindException: x: its growth is 3, but 3.5 was requested: a filter with that name already exists (drop it first, or use it as it is)
ScalableFilter tightening: Bloom\KindException: x: its tightening is 0.7, but 0.8 was requested: a filter with that name already exists (drop it first, or use it as it is)
ScalableFilter seed: Bloom\KindException: x: its seed is 5, but 6 was requested: a filter with that name already exists (drop it first, or use it as it is)
SlidingFilter capacity: Bloom\KindException: x: its capacity is 1000, but 1001 was requested: a filter with that name already exists (drop it first, or use it as it is)
SlidingFilter falsePositiveRate: Bloom\KindException: x: its false-positive rate is 0.02, but 0.0200001 was requested: a filter with that name already exists (drop it first, or use it as it is)
SlidingFilter window: Bloom\KindException: x: its window is 3600, but 3600.001 was requested: a filter with that name already exists (drop it first, or use it as it is)
SlidingFilter seed: Bloom\KindException: x: its seed is 5, but 6 was requested: a filter with that name already exists (drop it first, or use it as it is)
ReverseIndex groups: Bloom\KindException: x: its number of groups is 500, but 501 was requested: a filter with that name already exists (drop it first, or use it as it is)
ReverseIndex capacity: Bloom\KindException: x: its capacity is 1000, but 1001 was requested: a filter with that name already exists (drop it first, or use it as it is)
ReverseIndex falsePositiveRate: Bloom\KindException: x: its false-positive rate is 0.02, but 0.0200001 was requested: a filter with that name already exists (drop it first, or use it as it is)
ReverseIndex fanOut: Bloom\KindException: x: its fan-out is 128, but 64 was requested: a filter with that name already exists (drop it first, or use it as it is)
ReverseIndex seed: Bloom\KindException: x: its seed is 5, but 6 was requested: a filter with that name already exists (drop it first, or use it as it is)
