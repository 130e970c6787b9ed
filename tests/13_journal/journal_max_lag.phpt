--TEST--
The shortest maxLag of the last hour applies to the whole host, and a new version keeps it
--DESCRIPTION--
fault: max-lag-differs
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_max_lag
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journal.inc';
use Bloom\{Blob, Builder, Filter, Journal};

$store = new ArrayJournalStore();
$journal = new Journal('tags', $store);
$publish = function (string $key, float $at) use ($store, $journal): Blob {
    $builder = new Builder(1000, seed: 1);
    $builder->add($key);
    ($blob = $builder->build(builtAt: $at, mark: $journal->mark()))->publish($store, 'tags');
    return $blob;
};
$show = function (string $when): void {
    echo "$when: ", Filter::open('tags')->info()->journal->maxLag, "\n";
};
$publish('first', 1e9);
Filter::sync('tags', $store, 0);
$show('nobody has asked');
Filter::sync('tags', $store, 0, maxLag: 300);
$show('the first request may be longer');
Filter::sync('tags', $store, 0, maxLag: 20);
$show('a service');
Filter::sync('tags', $store, 0);
$show('a page that does not ask');
Filter::sync('tags', $store, 0, maxLag: 60);
$show('a page');
Journal::pull($store, ['tags'], 60);
$show('a pull');
Filter::sync('tags', $store, 0, maxLag: 0);
$show('any age');
$publish('second', 1e9 + 1);
Filter::sync('tags', $store, 0, maxLag: 60);
$show('a new version');
Filter::load('tags', $publish('third', 1e9 + 2), journal: $store, maxLag: 60);
$show('a load');
$publish('fourth', 1e9 + 3);
Filter::sync('tags', $store, 0);
$show('a version of a page that does not ask');
Journal::pull($store, ['tags'], 10);
$show('a pull that needs more');
Filter::drop('tags');
Filter::sync('tags', $store, 0);
$show('after a drop');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
nobody has asked: 60
the first request may be longer: 300
a service: 20
a page that does not ask: 20
a page: 20
a pull: 20
any age: 20
a new version: 20
a load: 20
a version of a page that does not ask: 20
a pull that needs more: 10
after a drop: 60
