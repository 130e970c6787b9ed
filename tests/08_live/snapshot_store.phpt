--TEST--
A save that ends at any call of the store keeps the last complete snapshot, and the next save removes the leftover pieces
--DESCRIPTION--
fault: dropped-while-saved, save-killed, save-store-changes-bytes, save-twice, snapshot-damaged
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-snapshot_store
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{BusyException, Filter, LiveFilter, NotFoundException, StoreException};

$store = new ScriptedStore;
$filter = LiveFilter::create('visitors', 1_000_000, seed: 1);
$filter->add('first');
$heads = fn () => preg_grep('/:snapshot$/', array_keys($store->values));
$pieces = fn () => preg_grep('/^visitors:snapshot[0-9a-f]{12}n\d$/', array_keys($store->values));

$filter->save($store);
echo $store->takeLog(), "\n";
check(count($store->values) === 4 && count($pieces()) === 3 && count($heads()) === 1, 'a head and three pieces');
$filter->add('second');
$filter->save($store);
echo $store->takeLog(), "\n";
check(count($store->values) === 4, 'the replaced pieces are deleted');

/** Restores the snapshot under another name and returns which keys it has. */
$restored = function () use ($store): string {
    $values = $store->values;
    foreach ($values as $key => $value) {
        $store->values[str_replace('visitors:', 'again:', $key)] = $value;
    }
    $again = LiveFilter::restore('again', $store);
    $store->values = $values;
    $has = implode(' ', $again->candidates(['first', 'second', 'third']));
    Filter::drop('again');
    return $has;
};
check($restored() === 'first second', $restored());

// The store fails, or the process ends, at each call. A call may have taken effect nevertheless.
$saved = $store->values;
$seen = [];
foreach (['before', 'after'] as $moment) {
    for ($at = 0; ; $at++) {
        $store->values = $saved;
        Filter::drop('visitors');
        LiveFilter::restore('visitors', $store)->add('third');
        $call = 0;
        $store->script = function (string $what, $key, $value = null) use (&$call, $at, $moment, $store) {
            if ($call++ !== $at) {
                return null;
            }
            if ($moment === 'after') {
                $store->script = null;
                $what === 'set' ? $store->set($key, $value) : ($what === 'delete' ? $store->deleteMultiple($key) : null);
            }
            throw new LogicException('broken');
        };
        $said = thrown(fn () => $filter->save($store));
        $store->script = null;
        $store->log = [];
        $has = $restored();
        check(in_array($has, ['first second', 'first second third'], true), "$moment call $at: $has");
        check($has === 'first second' || $call >= 12, "$moment call $at: $has after $call calls");
        check($said === 'nothing' ? $has === 'first second third' : str_starts_with($said, StoreException::class . ': the store failed: LogicException: broken'), "$moment call $at: $said, $has");
        $seen[$has] = true;
        check(count($store->values) <= 8, 'at most two snapshots and a staged head: ' . implode(' ', array_keys($store->values)));
        check(lease('visitors') === 0, 'the lease is released');
        // Nothing accumulates.
        $filter->save($store);
        check(count($store->values) === 4 && $restored() === 'first second third', "$moment call $at: the next save");
        if ($call <= $at) {
            break;
        }
    }
    check($at === 14, "$at calls");
}
check(count($seen) === 2, 'both states occur');

// The process is killed. The next save is refused until the lease ends, and then removes everything.
for ($at = 0; $at < 8; $at++) {
    $store->values = $saved;
    file_put_contents(own_file('values'), serialize($store->values));
    $said = run('
        require "' . __DIR__ . '/../lib/stores.inc";
        $store = new ScriptedStore;
        $store->values = unserialize(file_get_contents("' . own_file('values') . '"));
        $store->script = function () use ($store) {
            file_put_contents("' . own_file('values') . '", serialize($store->values));
            static $call = 0;
            $call++ === ' . $at . ' && kill_process(getmypid());
        };
        Bloom\Filter::open("visitors")->save($store);
        echo "done";
    ');
    check($said !== 'done', "killed at call $at: $said");
    $store->values = unserialize(file_get_contents(own_file('values')));
    check(str_starts_with($restored(), 'first second'), "killed at call $at");
    check(thrown(fn () => $filter->save($store), class: true) === BusyException::class, "the lease of a process killed at call $at");
    end_lease('visitors');
    $filter->save($store);
    check(count($store->values) === 4 && $restored() === 'first second third', "killed at call $at: the next save");
}

// The store uses the extension during the save.
$nested = [];
$store->script = function (string $what) use ($filter, $store, &$nested) {
    if ($what === 'set') {
        $script = $store->script;
        $store->script = null;
        $nested[] = thrown(fn () => $filter->save($store), class: true);
        $store->script = $script;
    }
};
$filter->save($store);
check(array_unique($nested) === [BusyException::class], 'a save during a save: ' . implode(' ', $nested));
$store->script = fn (string $what) => $what === 'set' && Filter::drop('visitors') ? null : null;
$before = $store->values['visitors:snapshot'];
echo thrown(fn () => $filter->save($store)), "\n";
check($store->values['visitors:snapshot'] === $before, 'a filter dropped during the save does not replace the snapshot');
$store->script = null;

// A restore while another process saves.
Filter::restore('visitors', $store);
$filter->save($store);
Filter::drop('visitors');
$other = $store->values;
$asked = 0;
$store->script = function (string $what, $keys) use ($store, &$asked) {
    if ($what === 'get' && ++$asked === 2) {
        // Another process has replaced the snapshot in the meantime.
        $store->script = null;
        $again = Filter::restore('visitors', $store);
        $again->add('fourth');
        $again->save($store);
        Filter::drop('visitors');
    }
};
check(Filter::restore('visitors', $store)->mightContain('fourth'), 'the restore finds the new snapshot');
Filter::drop('visitors');
$store->script = function (string $what) { static $asked = 0; if ($what === 'get' && ++$asked === 2) { LiveFilter::create('visitors', 10); } };
echo thrown(fn () => Filter::restore('visitors', $store)), "\n";
Filter::drop('visitors');

// Values that are missing or damaged.
$store->script = null;
$whole = $store->values;
foreach ($whole as $key => $value) {
    unset($store->values[$key]);
    check(thrown(fn () => Filter::restore('visitors', $store), class: true) === StoreException::class, "$key is missing");
    foreach ([flipped($value, 0), flipped($value, strlen($value) - 1), substr($value, 1), $value . 'x', ''] as $damaged) {
        $store->values = [$key => $damaged] + $whole;
        check(thrown(fn () => Filter::restore('visitors', $store), class: true) === Bloom\FormatException::class, "$key is damaged");
    }
    $store->values = $whole;
}
check(Filter::find('visitors') === null && tree(segment_path()) === [], 'nothing is left');
check(Filter::restore('visitors', $store)->mightContain('fourth'), 'the whole snapshot');

// A head that cannot be read is replaced, and a staged head with nonsense is ignored.
$store->values['visitors:snapshot'] = 'nonsense';
$store->values['visitors:snapshotstaged'] = "nonsense\n\0";
$filter->save($store);
Filter::drop('visitors');
$filter = Filter::restore('visitors', $store);
check($filter->mightContain('fourth'), 'saved again');

// A store that changes or loses bytes never replaces a good snapshot.
foreach (['a piece' => '/n\d+$/', 'the head' => '/:snapshot(staged)?$/'] as $what => $keys) {
    foreach (['empty' => fn ($value) => '', 'a bit' => fn ($value) => flipped($value, 40), 'gone' => fn ($value) => null] as $how => $change) {
        $before = $store->values['visitors:snapshot'];
        $store->script = function (string $called, $key, $value = null) use ($store, $keys, $change) {
            if ($called !== 'set' || !preg_match($keys, $key)) {
                return null;
            }
            $store->values[$key] = $change($value);
            $store->values = array_filter($store->values, 'is_string');
            return true;
        };
        $code = null;
        try {
            $filter->save($store);
        } catch (StoreException $thrown) {
            $code = Bloom\Status::tryFrom($thrown->getCode());
        }
        $store->script = null;
        check($code === ($how === 'gone' ? Bloom\Status::StoreMissing : Bloom\Status::StoreAltered), "$what, $how: refused");
        check($store->values['visitors:snapshot'] === $before, "$what, $how: the snapshot stays");
    }
}
Filter::drop('visitors');
check(Filter::restore('visitors', $store)->mightContain('fourth'), 'the snapshot is still good');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
get 1, get 1, set 4248, set 524288, get 1, set 524288, get 1, set 192512, get 1, set 4248, get 1, set 4248, delete 1
get 1, get 1, set 4248, set 524288, get 1, set 524288, get 1, set 192512, get 1, set 4248, get 1, set 4248, delete 3, delete 1
Bloom\NotFoundException: visitors: the filter was dropped
Bloom\KindException: visitors: a filter with that name already exists (drop it first, or use it as it is)
