--TEST--
Two concurrent publishers, interleaved in any order, leave one complete version
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_two_publishers
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../stores.inc';

// The versions share most chunks. The fourth version reuses a chunk of the first that publishing the third deletes.
$version = fn (int $number, array $more) => chunked([...keys('k', 5000), ...$more], builtAt: 1_700_000_000 + $number);
$first = $version(1, ['one']);
$second = $version(2, ['two']);
$third = $version(3, ['three']);
$fourth = $version(4, ['one']);

/** Publishes both blobs, interleaving store calls in an order set by the seed. Returns which ended last. */
function race(ScriptedStore $store, array $blobs, int $seed): int
{
    mt_srand($seed);
    $store->script = function () {
        Fiber::suspend();
        return null;
    };
    $fibers = array_map(fn ($blob) => new Fiber(fn () => $blob->publish($store, 'booth')), $blobs);
    $lasts = [];
    while ($fibers) {
        $who = array_rand($fibers);
        // Run several steps of one publisher in a row, because with single steps neither publisher would fall far behind.
        for ($steps = mt_rand(1, 6); $steps > 0 && isset($fibers[$who]); $steps--) {
            $fibers[$who]->isStarted() ? $fibers[$who]->resume() : $fibers[$who]->start();
            if ($fibers[$who]->isTerminated()) {
                unset($fibers[$who]);
                $last = $who;
            }
        }
    }
    $store->script = null;
    return $last;
}

$won = [0, 0];
for ($seed = 1; $seed <= 200; $seed++) {
    $store = new ScriptedStore;
    $first->publish($store, 'booth');
    $second->publish($store, 'booth');
    race($store, [$third, $fourth], $seed);
    $published = thrown(function () use ($store, &$fetched) {
        $fetched = Bloom\Blob::fetch($store, 'booth');
    });
    check($published === 'nothing', "seed $seed: $published");
    if ($published !== 'nothing') {
        continue;
    }
    $bytes = $fetched->toString();
    check($bytes === $third->toString() || $bytes === $fourth->toString(),
        "seed $seed: one of the two versions is published");
    $won[(int) ($bytes === $fourth->toString())]++;
    check(!isset($store->values['booth:collecting']), "seed $seed: the mark is deleted");
}
check(min($won) > 10, 'each publisher wins often: ' . json_encode($won));
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
