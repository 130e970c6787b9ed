--TEST--
A hanging store blocks only the process that syncs; all other processes can look up keys, load and, after half a minute, sync
--DESCRIPTION--
fault: store-hangs
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_hangs
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Filter;

Clock::own();
Clock::stop(); // no lease ends because the machine is busy

/** Starts a process whose store hangs until the test tells it to continue. */
function hanging(bool $atHead, int $builtAt): Child
{
    $child = new Child('require ' . var_export(__DIR__ . '/../lib/stores.inc', true) . ';
        $store = new ScriptedStore;
        chunked(keys("hung", 5000), builtAt: ' . $builtAt . ')->publish($store, "booth");
        $store->script = function (string $called, array $keys) use ($store) {
            if ((end($keys) === "booth") === ' . var_export($atHead, true) . ') {
                $store->script = null;
                echo "hangs\n";
                fgets(STDIN);
            }
        };
        echo thrown(fn () => check(switched(Bloom\Filter::sync("booth", $store, 0)), "switched")), "\n";');
    check($child->hear() === 'hangs', 'the store of the child hangs');
    return $child;
}

$store = new ScriptedStore;
foreach (['older' => 1_600_000_000, 'newer' => 1_750_000_000] as $age => $builtAt) {
    foreach (['head' => true, 'chunks' => false] as $place => $atHead) {
        Filter::drop('booth');
        $booth = Filter::load('booth', chunked(keys('old', 5000), builtAt: 1));
        $child = hanging($atHead, $builtAt);
        check($booth->candidates(keys('old', 5000)) === keys('old', 5000), 'lookups work in this process');
        check(run('var_dump(Bloom\Filter::open("booth")->mightContain("old1"));') === 'bool(true)',
            'lookups work in another process');
        chunked(keys('new', 5000))->publish($store, 'booth');
        $store->takeLog();
        check(switched(Filter::sync('booth', $store, 0)) === false && $store->takeLog() === '',
            'a sync in another process does not ask the store');
        check($booth->info()->syncFailures === 0, 'no failure is counted yet');
        Filter::load('booth', chunked(keys('loaded', 5000), builtAt: 2));
        check($booth->candidates(keys('loaded', 5000)) === keys('loaded', 5000), 'a load does not wait for the sync');

        end_lease('booth');
        check(switched(Filter::sync('booth', $store, 0)) === true, 'another process is elected');
        check($booth->candidates(keys('new', 5000)) === keys('new', 5000) && $booth->info()->generation === 3,
            'that process serves the new version');
        // The child continues and compares its version with the version that is served now.
        $child->say('');
        echo "the $age version, hung at the $place: ", $child->end(), "\n";
        $served = $age === 'newer' ? 'hung' : 'new';
        check($booth->candidates(keys($served, 5000)) === keys($served, 5000), "$served is served");
        check(!preg_grep('/tmp$/', tree(segment_path())),
            'no staged file is left: ' . implode(' ', tree(segment_path())));
        echo '    ', json_encode($booth->info()->lastError), "\n";
        check(thrown(fn () => Filter::sync('booth', $store, 0, force: true)) === 'nothing', 'the next sync succeeds');
        check($booth->mightContain('new1') && $booth->info()->syncFailuresInRow === 0, 'the retry succeeds');
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
the older version, hung at the head: Bloom\StoreException: booth: the store's version is older than the one served
    "booth: the store's version is older than the one served"
the older version, hung at the chunks: Bloom\StoreException: booth: the store's version is older than the one served
    "booth: the store's version is older than the one served"
the newer version, hung at the head: nothing
    null
the newer version, hung at the chunks: nothing
    null
