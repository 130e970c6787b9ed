--TEST--
Every call works in a fiber with a stack of 32 KiB
--EXTENSIONS--
bloom
--SKIPIF--
<?php
if (getenv('BLOOM_TEST_SANITIZE')) {
    die('skip the sanitizers make every frame larger');
}
if (PHP_DEBUG) {
    die('skip a debug build makes every frame larger');
}
?>
--INI--
bloom.path={TMP}/bloom-engine_small_stack
--FILE--
<?php
require __DIR__ . '/../live.inc';
require __DIR__ . '/../stores.inc';
use Bloom\Filter;

// PHP 8.3 and later reserve at least 32 KiB of each stack for internal functions, and refuse a call beyond the rest.
ini_set('fiber.stack_size', PHP_VERSION_ID < 80300 ? 32 << 10 : 64 << 10);

/** Runs a call in a new fiber with an untouched stack. */
function in_fiber(callable $call): mixed
{
    $fiber = new Fiber($call);
    $fiber->start();
    return $fiber->getReturn();
}

$store = new ScriptedStore;
chunked(keys('k', 3000))->publish($store, 'demand');
foreach (KINDS as $kind) {
    $made = in_fiber(fn () => made($kind));
    check(in_fiber(fn () => put($made, 'key')), "$kind: add");
    check(in_fiber(fn () => held($made, 'key')), "$kind: lookup");
    check(in_fiber(fn () => made($kind)->name()) === $kind, "$kind: made again");
    check(in_fiber(fn () => Filter::open($kind)->name()) === $kind, "$kind: open");
    check(in_fiber(fn () => $made->info()->keys) >= ($kind === 'overlay' ? 0 : 1), "$kind: info");
    if ($kind !== 'overlay') {
        foreach ([own_file('saved'), $store] as $place) {
            in_fiber(fn () => $made->save($place));
            Filter::drop($kind);
            check(held($made = in_fiber(fn () => Filter::restore($kind, $place)), 'key'), "$kind: save and restore");
        }
    }
    check(!in_array($kind, ['live', 'counting', 'sliding', 'reverse'], true) || in_fiber(fn () => $made->export()->info()->setBits) > 0, "$kind: export");
}
$grown = made('scalable', name: 'grown');
in_fiber(fn () => $grown->addMany(keys('g', 2000)));
check(in_fiber(fn () => count($grown->info()->layers)) > 1, 'it grows');
$demand = in_fiber(fn () => Filter::attach('demand', $store, 1 << 20));
check(in_fiber(fn () => $demand->mightContain('k1')), 'on demand: lookup');
check(in_fiber(fn () => $demand->candidates(keys('k', 3000))) === keys('k', 3000), 'on demand: candidates');
check(in_fiber(fn () => Filter::attach('demand', $store, 1 << 20)->name()) === 'demand', 'on demand: attached again');
check(in_fiber(fn () => Filter::sync('demand', $store, 0)) !== null, 'on demand: sync');
check(in_fiber(fn () => Filter::load('loaded', blob_of(['a'])))->mightContain('a'), 'load');
check(in_fiber(fn () => count(Filter::list())) === count(KINDS) + 3, 'list');
check(in_fiber(fn () => array_map([Filter::class, 'drop'], Filter::list())) !== [], 'drop');
check(tree(segment_path()) === [], 'nothing is left');
echo 'done';
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
done
