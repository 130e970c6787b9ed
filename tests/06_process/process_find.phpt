--TEST--
A repeated open() or find() sees a drop or another filter at once, and this process's own create() and load() look for themselves
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
bloom.path={TMP}/bloom-process_find
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
require __DIR__ . '/../lib/clock.inc';
use Bloom\{Filter, LiveFilter, LoadedFilter};

Clock::own();

$inc = 'require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ';';
Filter::load('pages', blob_of(['one']));
check(LoadedFilter::find('pages')->mightContain('one'), 'find() finds the filter');
check(Filter::find('pages') == Filter::open('pages'), 'all calls return the same filter');
echo thrown(fn () => LiveFilter::find('pages'), true), "\n";

// Other processes replace, drop and create. The control page, which this process has mapped, shows each change.
run($inc . 'Bloom\Filter::load("pages", blob_of(["two"]));');
check(Filter::find('pages')->candidates(['one', 'two']) === [1 => 'two'], 'find() returns the filter that another process has loaded');
run('Bloom\Filter::drop("pages");');
check(Filter::find('pages') === null, 'find() sees that another process has dropped the filter');
check(Filter::find('pages') === null, 'and sees it again');
run($inc . 'put(made("live", name: "pages"), "three");');
check(LiveFilter::find('pages')->mightContain('three'), 'find() returns the filter that another process has created');
run('Bloom\Filter::drop("pages");' . $inc . 'put(made("counting", name: "pages"), "four");');
check(Bloom\CountingFilter::find('pages')->mightContain('four'), 'find() returns a filter of another class that has the same name');
echo thrown(fn () => LiveFilter::open('pages'), true), "\n";

// The segment is removed. What this process then creates or loads is in the new segment, and its next calls find it there.
$old = made('live');
put($old, 'old');
check(Filter::find('pages') !== null, 'found before');
remove_tree(segment_path());
$new = made('live');
check(!$new->mightContain('old') && !Filter::find('live')->mightContain('old'), 'create() looks up the name');
remove_tree(segment_path());
Filter::load('pages', blob_of(['five']));
check(Filter::find('pages')->mightContain('five'), 'load() looks up the name');

remove_tree(segment_path());
check(!Filter::health('live')->isReady, 'health() looks up the name');
check(Filter::find('live') === null, 'after health() has not found the filter, find() does not either');

// A filter ends when its time has come, even if it was found less than a second ago.
LiveFilter::create('brief', 100, ttl: 0.9);
Filter::find('brief');
Clock::advance(0.9);
check(Filter::find('brief') === null, 'find() sees that the filter has expired');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
Bloom\KindException
Bloom\KindException
