--TEST--
Processes whose wall clocks are decades apart share filters: windows, pauses and leases use the monotonic clock
--DESCRIPTION--
fault: build-time-ahead, publisher-clock, wall-clock
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--INI--
bloom.path={TMP}/bloom-process_clock
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/clock.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Filter, SlidingFilter};

mkdir(own_file('store'));
$store = own_file('store');
$booth = Filter::load('booth', blob_of(['a']));
SlidingFilter::create('sliding', 1000, 0.01, 1e6, 1);
foreach (KINDS as $kind) {
    put(Filter::find($kind) ?? made($kind), 'first');
}
chunked(keys('k', 3000))->publish(new Bloom\DirectoryStore($store), 'tags');
check(switched(Filter::sync('tags', new Bloom\DirectoryStore($store), 1e6)), 'the first sync loads the filter');
$year = 365 * 86400;
$clocks = ['an hour back' => -3600, 'at 1970' => -time() + 10, 'before 1970' => -time() - 10 * $year, 'in 2037' => 11 * $year, 'in 2039' => 13 * $year, 'in 2126' => 100 * $year, 'in 30000' => 28000 * $year];
foreach ($clocks as $what => $ahead) {
    $code = 'require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ';
        $store = new Bloom\DirectoryStore($argv[1]);
        check(abs(microtime(true) - (float) $argv[2]) < 1000, "the clock is set: " . microtime(true));
        foreach (KINDS as $kind) {
            $filter = Bloom\Filter::open($kind);
            check(held($filter, "first"), "$kind finds the key that was added with another clock");
            put($filter, "$argv[3]");
            check(held($filter, "$argv[3]"), "$kind finds the key that was added with this clock");
            $filter->info();
        }
        $sliding = Bloom\Filter::open("sliding");
        check($sliding->info()->rotatesAt - microtime(true) > 1e5, "the time to the next rotation is unchanged");
        check(switched(Bloom\Filter::sync("tags", $store, 1e6)) === false && $store->getMultiple(["tags"]) !== [],
            "no sync is due with this clock");
        check(Bloom\Filter::open("tags")->info()->syncs === (int) $argv[4], "no sync was counted");
        Bloom\Filter::sync("tags", $store, 0);
        check(Bloom\Filter::open("tags")->candidates(keys("k", 3000)) === keys("k", 3000), "a due sync works");
        if ((float) $argv[2] < 1e9) {
            $refused = thrown(fn () => Bloom\Filter::load("booth", blob_of(["a"])), class: true);
            check($refused === "Bloom\FormatException", "a blob from the future of this clock is refused: $refused");
        }
        Bloom\Filter::load("booth", blob_of(["a", "$argv[3]"], builtAt: max(0, (float) $argv[2])));
        check(Bloom\Filter::open("booth")->mightContain("$argv[3]"), "loaded");
        $info = Bloom\Filter::open("booth")->info();
        check(abs($info->loadedAt - max(0, (float) $argv[2])) < 1000, "loadedAt uses this clock: $info->loadedAt");
        ';
    static $syncs = 1;
    $child = new Child($code, [], [$store, time() + $ahead, $what, $syncs++], 'exec ' . Clock::prefix('ahead', wall_s: $ahead));
    $said = $child->end();
    check($said === '', "$what: $said");
    foreach (KINDS as $kind) {
        check(held(Filter::open($kind), 'first') && held(Filter::open($kind), $what),
            "$kind, with the right clock, after $what");
    }
    check(switched(Filter::sync('tags', new Bloom\DirectoryStore($store), 1e6)) === false,
        "no sync is due with the right clock, after $what");
}

// The publisher's clock determines only which of two versions is newer.
$publish = fn (int $ahead, string $key) => (new Child('
    require ' . var_export(dirname(__DIR__) . '/lib/stores.inc', true) . ';
    $builder = new Bloom\Builder(100);
    $builder->add($argv[2]);
    $builder->build()->publish(new Bloom\DirectoryStore($argv[1]), "tags");', [], [$store, $key], 'exec ' . Clock::prefix('ahead', wall_s: $ahead)))->end();
$sync = fn (bool $force = false) => Filter::sync('tags', new Bloom\DirectoryStore($store), 0, force: $force);
echo $publish(100 * $year, 'from 2126'), preg_replace('/\d{10,}/', 'N', thrown($sync)), ' ', json_encode(Filter::open('tags')->mightContain('from 2126')), "\n";
echo $publish(43200, 'from tonight'), thrown($sync), ' ', json_encode(Filter::open('tags')->mightContain('from tonight')), "\n";
echo $publish(0, 'from now'), thrown($sync), ' ', json_encode(Filter::open('tags')->mightContain('from tonight')), "\n";
// A version that was loaded while this host's clock was ahead does not block other versions once the clock is right.
echo $publish(400 * 86400, 'from next year'),
    (new Child('Bloom\Filter::sync("tags", new Bloom\DirectoryStore($argv[1]), 0);', [], [$store], 'exec ' . Clock::prefix('ahead', wall_s: 400 * 86400)))->end();
check(Filter::open('tags')->mightContain('from next year'), 'the version from next year is served');
echo $publish(0, 'from now'), thrown($sync), ' ', json_encode(Filter::open('tags')->mightContain('from now')), "\n";
echo $publish(-100 * $year, 'from 1926'), thrown($sync), "\n", $publish(0, 'from now'), thrown(fn () => $sync(true)), ' ', json_encode(Filter::open('tags')->mightContain('from now')), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\FormatException: tags: build time N ms since 1970, at most N allowed: the blob's build time is more than a day ahead of this host's clock (set the clock, or build the blob again with the right time) false
nothing true
Bloom\StoreException: tags: the store's version is older than the one served true
nothing true
Bloom\StoreException: tags: the store's version is older than the one served
nothing true
