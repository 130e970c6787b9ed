--TEST--
Processes can read the same records at the same time, and a sync loads a version that is published during the sync
--DESCRIPTION--
fault: add-during-sync
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_overtaken
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Builder, Filter, Journal};

$store = new ArrayJournalStore();
$journal = new Journal('tags', $store);
$publish = function (string $key, float $at) use ($store, $journal): void {
    $builder = new Builder(1000, seed: 1);
    $builder->add($key);
    $builder->build(builtAt: $at, mark: $journal->mark())->publish($store, 'tags');
};
$publish('first', 1e9);
Filter::sync('tags', $store, 0);
$tags = Filter::open('tags');
$records = $tags->info()->journal->records;

// While a process waits for the store, another one reads further, sees the same records, or sees fewer.
foreach (['pull' => fn () => Journal::pull($store, ['tags']), 'sync' => fn () => Filter::sync('tags', $store, 0.001)] as $what => $read) {
    foreach ([0, 1, 2] as $later) {
        $journal->add(["$what-$later-a", "$what-$later-b"]);
        $journal->add("$what-$later-c");
        $store->before['read'] = function () use ($store, $journal, $later): void {
            unset($store->before['read']);
            Journal::pull($store, ['tags']);
            for ($i = 0; $i < $later; $i++) {
                $journal->add("later-$i");
            }
        };
        usleep(2000); // the ttl
        $read();
        $records += 2 + $later;
        $info = $tags->info()->journal;
        check($info->records === $records && $info->isComplete, "$what, $later records later: $info->records of $records");
    }
}

// The notice of a version is read while the same version as before is compared.
$store->before['read'] = function () use ($store, $publish): void {
    unset($store->before['read']);
    $publish('second', 1e9 + 1);
};
check(switched(Filter::sync('tags', $store, 0)), 'switched');
check($tags->mightContain('second') && !$tags->mightContain('first'), 'the second version');

// A fiber waits for the store while the filter is followed, loaded, dropped or loaded again. It then goes on.
$n = 2;
foreach (['follow', 'stage', 'announced'] as $where) {
    foreach (['nothing', 'follow', 'load', 'drop', 'reload', 'never'] as $what) {
        $publish('night ' . ++$n, 1e9 + $n);
        $key = "$where, $what";
        $where === 'follow' && switched(Filter::sync('tags', $store, 0));
        $journal->add("$key before");
        $reads = 0;
        $store->before['read'] = function () use ($where, &$reads): void {
            Fiber::getCurrent() && ++$reads === ($where === 'announced' ? 2 : 1) && Fiber::suspend();
        };
        $fiber = new Fiber(fn () => $where === 'follow' ? Journal::pull($store, ['tags']) : Filter::sync('tags', $store, 0, true));
        $fiber->start();
        check($fiber->isSuspended(), "$key: it waits");
        $journal->add("$key meanwhile");
        match ($what) {
            'nothing', 'never' => null,
            'follow' => Journal::pull($store, ['tags']),
            'load' => [$publish('other ' . ++$n, 1e9 + $n), switched(Filter::sync('tags', $store, 0, true))],
            'drop' => Filter::drop('tags'),
            'reload' => [Filter::drop('tags'), switched(Filter::sync('tags', $store, 0, true))],
        };
        $journal->add("$key after");
        try {
            $what === 'never' || $fiber->resume();
            check($fiber->isTerminated() || $what === 'never', "$key: it ends");
        } catch (Bloom\BloomException $thrown) {
            check($what === 'drop', "$key: " . $thrown->getMessage());
        }
        unset($fiber, $store->before['read']);
        Filter::sync('tags', $store, 0);
        // The version that is loaded meanwhile has only one key, and a mark after the first keys.
        $keys = ["$key after", ...$what === 'load' ? [] : ["$key before", "$key meanwhile"]];
        check(Filter::open('tags')->candidates($keys) === $keys, "$key: no key is lost");
    }
}

// Another process follows the journal. Before the store answers it, this process loads a new version, so that the file that
// the other process wants to add the records to is gone.
$copy = own_file('store');
$code = 'require ' . var_export(dirname(__DIR__) . '/lib/journal.inc', true) . ';
    $store = new ArrayJournalStore();
    $fetch = fn () => [$store->values, $store->journals] = unserialize(file_get_contents(' . var_export($copy, true) . '));
    $fetch();
    $store->before["read"] = function () use ($store, $fetch): void {
        unset($store->before["read"]);
        echo "reading\n";
        fgets(STDIN);
        $fetch();
    };
    usleep(2000); // the ttl
    echo json_encode([switched(Bloom\Filter::sync("tags", $store, (float) $argv[1])), array_values(Bloom\Filter::open("tags")->candidates($argv))]), "\n";';
$share = fn () => file_put_contents($copy, serialize([$store->values, $store->journals]));
// A sync with a ttl of 0 also compares the head.
foreach (['follow' => 0.001, 'compare' => 0] as $what => $ttl) {
    Filter::sync('tags', $store, 0);
    $journal->add("$what before");
    $share();
    $other = new Child($code, [], [$ttl, "$what before", "$what after", "$what in the build", 'absent']);
    check($other->hear() === 'reading', "$what: it reads");
    $publish("$what in the build", 1e9 + ++$n);
    $journal->add("$what after");
    Filter::load('tags', Bloom\Blob::fetch($store, 'tags'), journal: $store);
    $share();
    $other->say('go on');
    $answer = $other->hear();
    check($answer === json_encode([false, ["$what after", "$what in the build"]]), "$what: $answer");
    $answer = $other->end();
    check($answer === '', "$what: $answer");
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
