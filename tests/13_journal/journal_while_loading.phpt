--TEST--
A sync that loads a version follows the served version's journal meanwhile, and notices what is published or rolled back
--DESCRIPTION--
fault: changed-while-loading
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_while_loading
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Blob, Builder, Filter, Journal};

$other = new ArrayJournalStore(); // as another host, which adds keys only to the store
(new Journal('tags', $other))->add('other');
$record = end($other->journals['tags:journal'][1]);
$store = new ArrayJournalStore();
$journal = new Journal('tags', $store);
$n = 0;
$publish = function (int $keys = 1) use ($store, $journal, &$n): float {
    $n++;
    $builder = new Builder(max(1000, $keys), 0.001, seed: 1, layout: new Bloom\Layout(shardBytes: 1024, chunkBytes: 1024));
    for ($i = 0; $i < $keys; $i++) {
        $builder->add("version $n key $i");
    }
    $builder->build(builtAt: 1e9 + $n, mark: $journal->mark())->publish($store, 'tags');
    return 1e9 + $n;
};
$publish();
Filter::sync('tags', $store, 0, maxLag: 0.001); // a short limit, so that the journal is read after each batch
$tags = Filter::open('tags');

// A version of several batches.
$publish(2_000_000);
$seen = [];
$store->before['getMultiple'] = function () use ($store, $tags, $record, &$seen): void {
    $seen[] = $tags->info()->journal->keys;
    count($seen) === 2 && $store->append('tags:journal', [$record]);
};
Filter::sync('tags', $store, 0.001);
$store->before = [];
check(count($seen) > 3 && $seen[1] === 0 && $seen[3] === 1, 'a key that is added during the load is read before its end: ' . json_encode($seen));

// What happens while a version is fetched, or while its journal is read, is noticed by the same sync.
foreach (['getMultiple' => 2, 'read' => 3] as $method => $call) {
    foreach (['publish', 'rollback'] as $what) {
        $publish();
        $calls = 0;
        $expected = null;
        $store->before[$method] = function () use ($store, $publish, $what, $call, &$calls, &$expected): void {
            if (++$calls === $call) {
                $store->before = [];
                $expected = $what === 'publish' ? $publish() : Blob::rollback($store, 'tags')['builtAt'] ?? 'earlier';
            }
        };
        usleep(2000);
        $served = $tags->info()->builtAt;
        Filter::sync('tags', $store, 0.001);
        $store->before = [];
        $now = $tags->info()->builtAt;
        check($expected !== null && ($what === 'publish' ? $now === $expected : $now < 1e9 + $n), "$what in $method: $now after $served");
        if ($what === 'rollback') {
            $publish(); // ends the rollback
            usleep(2000);
            Filter::sync('tags', $store, 0.001);
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
