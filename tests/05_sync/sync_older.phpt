--TEST--
A sync loads an older version only if it is forced
--DESCRIPTION--
fault: old-version, other-filter, publisher-clock, wall-clock
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-sync_older
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\Filter;

$store = new ScriptedStore;
chunked(keys('old', 3000), builtAt: 1_000)->publish($store, 'booth');
$booth = Filter::load('booth', chunked(keys('new', 3000), builtAt: 2_000));
echo thrown(fn () => Filter::sync('booth', $store, 0)), "\n";
check($booth->mightContain('new1') && !$booth->mightContain('old1'), 'the newer version is still served');
var_dump(switched(Filter::sync('booth', $store, 0, force: true)), $booth->mightContain('old1'));
var_dump(switched(Filter::sync('booth', $store, 0, force: true)));
// Different bytes with the same build time are a different version.
chunked(keys('same', 3000), builtAt: 1_000)->publish($store, 'booth');
var_dump(switched(Filter::sync('booth', $store, 0)), $booth->mightContain('same1'));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\StoreException: booth: the store's version is older than the one served
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
