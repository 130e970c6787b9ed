--TEST--
Every call works in a fiber with a stack of 32 KiB, even if it uses a store of the extension
--DESCRIPTION--
fault: small-stack
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
bloom.secret_file={TMP}/bloom-engine_small_stack.d/secrets
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/stores.inc';
require __DIR__ . '/../lib/secrets.inc';
use Bloom\{Blob, Builder, DirectoryStore, Filter, Journal, RedisStore, Scheme};

// PHP 8.3 and later reserve at least 32 KiB of each stack for internal functions, and refuse a call beyond the rest.
ini_set('fiber.stack_size', PHP_VERSION_ID < 80300 ? 32 << 10 : 64 << 10);

/** Runs a call in a new fiber with an untouched stack. */
function in_fiber(callable $call): mixed
{
    $fiber = new Fiber($call);
    $fiber->start();
    return $fiber->getReturn();
}

/** Returns a blob that follows a journal. */
function marked(string $mark): Blob
{
    $builder = new Builder(100, seed: 1);
    $builder->add('a');
    return $builder->build(mark: $mark);
}

ring('secrets', 'first');
$store = new ScriptedStore;
chunked(keys('k', 3000))->publish($store, 'demand');
foreach (KINDS as $kind) {
    $made = in_fiber(fn () => made($kind));
    check(in_fiber(fn () => put($made, 'key')), "$kind: add");
    check(in_fiber(fn () => held($made, 'key')), "$kind: lookup");
    check(in_fiber(fn () => made($kind)->name()) === $kind, "$kind: made again");
    check(in_fiber(fn () => Filter::open($kind)->name()) === $kind, "$kind: open");
    check(in_fiber(fn () => $made->info()->keys) >= 1, "$kind: info");
    foreach ([own_file('saved'), $store] as $place) {
        in_fiber(fn () => $made->save($place));
        Filter::drop($kind);
        check(held($made = in_fiber(fn () => Filter::restore($kind, $place)), 'key'), "$kind: save and restore");
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

// Stores of the extension need more of the stack than one in PHP.
require __DIR__ . '/../lib/predis_fake.inc';
final class ArrayClient implements Predis\ClientInterface
{
    use AnswersScripts;
    public array $values = [];
}
mkdir(own_file('store'));
$keys = keys('k', 3000);
foreach ([new DirectoryStore(own_file('store')), new RedisStore(new ArrayClient)] as $store) {
    $what = $store::class;
    $first = chunked($keys);
    $second = chunked([...$keys, 'second'], builtAt: 1_710_000_000);
    check(in_fiber(fn () => $first->publish($store, 'demand')) !== null, "$what: publish");
    foreach (['candidates' => fn ($filter) => $filter->candidates($keys) === $keys, 'lookup' => fn ($filter) => $filter->mightContain('k1')] as $how => $look) {
        $filter = in_fiber(fn () => Filter::attach('demand', $store, 1 << 20));
        check(in_fiber(fn () => $look($filter)) && $filter->info()->fetched > 0, "$what: $how on demand");
        $how === 'lookup' || Filter::drop('demand');
    }
    in_fiber(fn () => $second->publish($store, 'demand'));
    check(in_fiber(fn () => switched(Filter::sync('demand', $store, 0))) && $filter->mightContain('second'), "$what: sync on demand");
    check(in_fiber(fn () => Blob::fetch($store, 'demand')->toString()) === $second->toString(), "$what: fetch");
    check(in_fiber(fn () => count(Blob::versions($store, 'demand'))) > 1, "$what: versions");
    in_fiber(fn () => [Blob::pin($store, 'demand'), Blob::unpin($store, 'demand'), Blob::rollback($store, 'demand')]);
    check(in_fiber(fn () => Filter::health('demand', store: $store)->info) !== null, "$what: health");
    in_fiber(fn () => Filter::drop('demand'));
    check(in_fiber(fn () => switched(Filter::sync('demand', $store, 0))), "$what: sync");
    $live = made('live');
    $live->add('saved');
    in_fiber(fn () => $live->save($store));
    Filter::drop('live');
    check(in_fiber(fn () => Filter::restore('live', $store)->mightContain('saved')), "$what: save and restore");
    array_map([Filter::class, 'drop'], Filter::list());
}
$store = new DirectoryStore(own_file('store'));
$journal = new Journal('tags', $store);
$mark = in_fiber(fn () => $journal->mark());
marked($mark)->publish($store, 'tags');
in_fiber(fn () => $journal->add(keys('added', 300)));
in_fiber(fn () => Filter::sync('tags', $store, 0));
in_fiber(fn () => $journal->add('later'));
in_fiber(fn () => Journal::pull($store, ['tags']));
check(Filter::open('tags')->candidates([...keys('added', 300), 'later']) === [...keys('added', 300), 'later'], 'journal');
check(in_fiber(fn () => $store->trim('tags:journal', $store->last('tags:journal')[0])) === null, 'trim');

// Files, large batches and secrets.
file_put_contents(own_file('keys'), implode("\n", $keys) . "\n");
$built = in_fiber(function () {
    $builder = new Builder(3000, seed: 1, scheme: Scheme::Ribbon, keyed: has_sodium(), jobs: 2);
    $builder->addFile(own_file('keys'));
    return $builder->build();
});
in_fiber(fn () => $built->save(own_file('blob')));
$loaded = in_fiber(fn () => Filter::load('tags2', Blob::open(own_file('blob'))));
check(in_fiber(fn () => $loaded->candidates($keys)) === $keys, 'ribbon');
check(in_fiber(fn () => strlen(Filter::metrics())) > 0, 'metrics');
check(in_fiber(function () {
    ob_start();
    (new ReflectionExtension('bloom'))->info();
    return str_contains(ob_get_clean(), 'tags2');
}), 'phpinfo');
array_map([Filter::class, 'drop'], Filter::list());
check(tree(segment_path()) === [], 'nothing is left');
echo 'done';
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done
