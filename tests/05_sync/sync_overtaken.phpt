--TEST--
A sync never reverts what happens to the name in the meantime: loads, drops, new live filters, a deleted segment
--DESCRIPTION--
fault: files-deleted, old-version
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_overtaken
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Filter, LiveFilter};

$old = chunked(keys('old', 5000), builtAt: 1_000);
$store = new ScriptedStore;
chunked(keys('new', 5000), builtAt: 4_000)->publish($store, 'booth');
$built = 1_000;
$loadOlder = function () use (&$built) {
    Filter::load('booth', chunked(keys('loaded', 5000), builtAt: ++$built));
};
$loadNewer = fn () => Filter::load('booth', chunked(keys('newer', 5000), builtAt: 9_000));
$dropAnd = fn (Closure $next) => function () use ($next) {
    Filter::drop('booth');
    $next();
};
$makeLive = fn () => LiveFilter::create('booth', 5000, 0.01, seed: 1)->addMany(keys('live', 5000));
$delete = fn () => remove_tree(segment_path());
foreach ([
    'an older version' => $loadOlder,
    'a newer version' => $loadNewer,
    'a drop' => fn () => Filter::drop('booth'),
    'a drop and an older version' => $dropAnd($loadOlder),
    'a drop and a newer version' => $dropAnd($loadNewer), // the new generation has the same number as the dropped one
    'a drop and a live filter' => $dropAnd($makeLive),
    'a deleted segment' => $delete,
    'a deleted segment and a newer version' => function () use ($delete, $loadNewer) {
        $delete();
        $loadNewer();
    },
] as $what => $inside) {
    foreach ([1, 2, PHP_INT_MAX] as $times) {
        foreach (['head' => true, 'chunks' => false] as $place => $atHead) {
            thrown(fn () => Filter::drop('booth'));
            Filter::load('booth', $old);
            $left = $times;
            $asked = 0;
            $store->script = function (string $called, array $keys) use ($atHead, $inside, &$left, &$asked) {
                $asked++;
                if ((end($keys) === 'booth') === $atHead && $left-- > 0) {
                    $inside();
                }
            };
            $name = "$what, " . ([1 => 'once', 2 => 'twice'][$times] ?? 'each time') . ", at the $place";
            $told = thrown(fn () => check(switched(Filter::sync('booth', $store, 0)), "$name: a sync that does not throw has switched"));
            Filter::health('booth'); // looks up the name, which find() does only once a second
            $served = array_filter(['old', 'new', 'loaded', 'newer', 'live'], fn ($prefix) => Filter::find('booth')?->candidates(keys($prefix, 5000)) === keys($prefix, 5000));
            echo "$name: $told, served: ", implode(' ', $served) ?: 'none', "\n";
            check($asked <= 6, "$name: the store was asked $asked times");
            check(!preg_grep('/tmp$/', tree(segment_path())),
                "$name: no staged file is left: " . implode(' ', tree(segment_path())));
            $booth = Filter::find('booth');
            // If the last attempt found the filter dropped or deleted, there is no control page to record the error in.
            $isGone = $times === PHP_INT_MAX && preg_match('/drop|delete/', $what);
            check($told === 'nothing' || $isGone || $booth instanceof LiveFilter || str_ends_with($told, ": {$booth->info()->lastError}"), "$name: " . json_encode($booth?->info()));
            // A live filter remains until a process drops it.
            $store->script = null;
            if ($booth instanceof LiveFilter) {
                check(thrown(fn () => Filter::sync('booth', $store, 0), true) === 'Bloom\KindException',
                    "$name: the next sync is refused too");
                Filter::drop('booth');
            }
            $healed = thrown(fn () => Filter::sync('booth', $store, 0, force: str_ends_with($what, 'newer version')));
            check($healed === 'nothing' && Filter::open('booth')->candidates(keys('new', 5000)) === keys('new', 5000),
                "$name: the next sync succeeds: $healed");
            check(Filter::open('booth')->info()->syncFailuresInRow === 0,
                "$name: the count of consecutive failures is reset");
        }
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
an older version, once, at the head: nothing, served: new
an older version, once, at the chunks: nothing, served: new
an older version, twice, at the head: nothing, served: new
an older version, twice, at the chunks: nothing, served: new
an older version, each time, at the head: nothing, served: new
an older version, each time, at the chunks: Bloom\BusyException: booth: another process has changed the filter in the meantime, served: loaded
a newer version, once, at the head: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
a newer version, once, at the chunks: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
a newer version, twice, at the head: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
a newer version, twice, at the chunks: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
a newer version, each time, at the head: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
a newer version, each time, at the chunks: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
a drop, once, at the head: nothing, served: new
a drop, once, at the chunks: nothing, served: new
a drop, twice, at the head: nothing, served: new
a drop, twice, at the chunks: nothing, served: new
a drop, each time, at the head: nothing, served: new
a drop, each time, at the chunks: Bloom\BusyException: booth: another process has changed the filter in the meantime, served: none
a drop and an older version, once, at the head: nothing, served: new
a drop and an older version, once, at the chunks: nothing, served: new
a drop and an older version, twice, at the head: nothing, served: new
a drop and an older version, twice, at the chunks: nothing, served: new
a drop and an older version, each time, at the head: nothing, served: new
a drop and an older version, each time, at the chunks: Bloom\BusyException: booth: another process has changed the filter in the meantime, served: loaded
a drop and a newer version, once, at the head: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
a drop and a newer version, once, at the chunks: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
a drop and a newer version, twice, at the head: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
a drop and a newer version, twice, at the chunks: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
a drop and a newer version, each time, at the head: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
a drop and a newer version, each time, at the chunks: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
a drop and a live filter, once, at the head: Bloom\KindException: booth: expected a loaded filter, found a live filter: that name is taken by a filter of a different kind (drop it first, or choose another name), served: live
a drop and a live filter, once, at the chunks: Bloom\KindException: booth: expected a loaded filter, found a live filter: that name is taken by a filter of a different kind (drop it first, or choose another name), served: live
a drop and a live filter, twice, at the head: Bloom\KindException: booth: expected a loaded filter, found a live filter: that name is taken by a filter of a different kind (drop it first, or choose another name), served: live
a drop and a live filter, twice, at the chunks: Bloom\KindException: booth: expected a loaded filter, found a live filter: that name is taken by a filter of a different kind (drop it first, or choose another name), served: live
a drop and a live filter, each time, at the head: Bloom\KindException: booth: expected a loaded filter, found a live filter: that name is taken by a filter of a different kind (drop it first, or choose another name), served: live
a drop and a live filter, each time, at the chunks: Bloom\KindException: booth: expected a loaded filter, found a live filter: that name is taken by a filter of a different kind (drop it first, or choose another name), served: live
a deleted segment, once, at the head: nothing, served: new
a deleted segment, once, at the chunks: nothing, served: new
a deleted segment, twice, at the head: nothing, served: new
a deleted segment, twice, at the chunks: nothing, served: new
a deleted segment, each time, at the head: nothing, served: new
a deleted segment, each time, at the chunks: Bloom\BusyException: booth: another process has changed the filter in the meantime, served: none
a deleted segment and a newer version, once, at the head: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
a deleted segment and a newer version, once, at the chunks: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
a deleted segment and a newer version, twice, at the head: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
a deleted segment and a newer version, twice, at the chunks: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
a deleted segment and a newer version, each time, at the head: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
a deleted segment and a newer version, each time, at the chunks: Bloom\StoreException: booth: the store's version is older than the one served, served: newer
