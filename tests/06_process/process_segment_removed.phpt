--TEST--
A long-running process notices within a second that a segment was removed and recreated, both in open() and through its old handles
--DESCRIPTION--
fault: segment-recreated
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
skip_without_clock();
?>
--INI--
bloom.path={TMP}/bloom-process_segment_removed
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/clock.inc';
use Bloom\{Filter, LiveFilter};

Clock::own();

/** Waits until a condition holds. The limit of one minute allows for very busy machines. */
function wait_until(callable $holds, string $what): void
{
    for ($end = hrtime(true) + 60e9; !$holds() && hrtime(true) < $end;) {
        usleep(10_000);
    }
    check($holds(), $what);
}

$handles = [];
foreach (KINDS as $kind) {
    $handles[$kind] = made($kind);
    put($handles[$kind], 'before');
}
$handles['loaded'] = Filter::load('loaded', blob_of(['before']));
foreach ($handles as $kind => $handle) {
    for ($i = 0; $i < 1000; $i++) {
        check(held($handle, 'before'), "$kind before");
    }
}

remove_tree(segment_path());
Clock::advance(1.0);
check(Filter::find('live') === null && Filter::find('loaded') === null, 'find() sees the removal');
check($handles['live']->mightContain('before'), 'a handle keeps its filter until a new one exists');

run('require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ';
    foreach (KINDS as $kind) {
        put(made($kind), "after");
    }
    Bloom\Filter::load("loaded", blob_of(["after"]));');
foreach ($handles as $kind => $handle) {
    check(held(Filter::open($kind), 'after'), "an open() that has failed before sees the new filter of $kind at once");
}

// An old handle notices the new filter within one second and 64 lookups.
remove_tree(segment_path());
run('require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ';
    foreach (KINDS as $kind) {
        put(made($kind), "later");
    }
    Bloom\Filter::load("loaded", blob_of(["later"]));');
Clock::advance(1.0);
foreach ($handles as $kind => $handle) {
    check(held(Filter::open($kind), 'later'), "open() of $kind sees the new filter");
}
foreach ($handles as $kind => $handle) {
    wait_until(fn () => held($handle, 'later'), "the handle of $kind comes to see it");
}
foreach (KINDS as $kind) {
    put($handles[$kind], 'mine');
}
echo run('require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ';
    foreach (KINDS as $kind) {
        check(held(Bloom\Filter::open($kind), "mine"), "$kind: other processes see keys that the old handle adds");
    }
    echo "done";'), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done
