--TEST--
If two hosts save filters of the same name to one store, a restore returns one of them or fails, and never mixes them
--DESCRIPTION--
fault: save-no-prefix
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-snapshot_hosts
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{DirectoryStore, Filter, LiveFilter, StoreException};

mkdir(own_file('store'), 0700);
mkdir(own_file('other'), 0700);
$store = new DirectoryStore(own_file('store'));
$files = fn () => array_values(array_diff(scandir(own_file('store')), ['.', '..']));
$here = LiveFilter::create('visitors', 1_000_000, seed: 1);
$here->add('here');
/** Saves the filter of another host: of another segment. */
$other = function (string $key): void {
    echo run('
        $filter = Bloom\LiveFilter::create("visitors", 1_000_000, seed: 2);
        $filter->add(' . var_export($key, true) . ');
        $filter->save(new Bloom\DirectoryStore(' . var_export(own_file('store'), true) . '));
    ', ['bloom.path' => own_file('other')]);
};
/** Restores the snapshot and returns which keys it has, or the class of the exception. */
$restored = function () use ($store): string {
    Filter::drop('visitors');
    $said = thrown(fn () => Filter::restore('visitors', $store), class: true);
    return $said === 'nothing' ? implode(' ', Filter::open('visitors')->candidates(['here', 'there', 'third'])) : $said;
};

// One after the other: the last one wins, and nothing accumulates.
$here->save($store);
$other('there');
check($restored() === 'there' && count($files()) === 4, implode(' ', $files()));
Filter::drop('visitors');
$here = LiveFilter::create('visitors', 1_000_000, seed: 1);
$here->add('here');
$here->save($store);
check($restored() === 'here' && count($files()) === 4, implode(' ', $files()));

// The other host saves between any two calls of this host's store.
for ($at = 0; $at < 14; $at++) {
    $scripted = new ScriptedStore;
    $call = 0;
    $scripted->script = function (string $what, $keys, $value = null) use (&$call, $at, $other, $store) {
        if ($call++ === $at) {
            $other('there');
        }
        return match ($what) {
            'get' => $store->getMultiple($keys),
            'set' => $store->set($keys, $value) ?? true,
            'delete' => $store->deleteMultiple($keys) ?? true,
        };
    };
    // If the other host deletes a piece that was just written, the save fails.
    $said = thrown(fn () => Filter::open('visitors')->save($scripted), class: true);
    check($said === StoreException::class || ($said === 'nothing' && $call === 14), "$said after $call calls");
    $has = $restored();
    check(in_array($has, ['here', 'there', StoreException::class], true), "another host at call $at: $has");
    // The next save of either host repairs the store.
    Filter::drop('visitors');
    LiveFilter::create('visitors', 1_000_000, seed: 1)->add('here');
    Filter::open('visitors')->save($store);
    $has = $restored();
    check($has === 'here', "after another host at call $at: $has");
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
