--TEST--
info() reports the lookups of all processes, even after a reload and after the counting process has ended
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-counters
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\{Blob, CountersInfo, Filter, ReverseIndex};

function counted(CountersInfo $counters): string
{
    return "$counters->lookups lookups, $counters->absent absent, $counters->maybes maybes";
}

$before = microtime(true);
$tags = Filter::load('tags', blob_of(['a', 'b'], seed: 1));
$counters = $tags->info()->counters;
echo 'a new filter: ', counted($counters), ', ', json_encode($counters->observedFalsePositiveRate), "\n";
check(abs($counters->since - $before) < 60, 'the counting began now');

// One lookup, a list, and a list of an iterator.
$tags->mightContain('a');
$tags->mightContain('absent');
$tags->candidates(['a', 'b', 'c', 'd']);
$tags->candidates(new ArrayIterator(['a', 'e']));
echo 'lookups: ', counted($tags->info()->counters), "\n";

// What fails is not counted.
echo thrown(fn () => $tags->candidates(['a', 1.5]), class: true), ': ', counted($tags->info()->counters), "\n";

// Another process.
run('$tags = Bloom\Filter::open("tags"); $tags->candidates(range(1, 100)); $tags->confirm(4, 1);');
echo 'another process: ', counted($tags->info()->counters), "\n";

// A reload keeps the counts.
Filter::load('tags', blob_of(['a', 'b', 'c'], seed: 1));
$tags->mightContain('c');
echo 'reloaded: ', counted($tags->info()->counters), "\n";

// Candidates that the application has looked up.
$tags->confirm(0, 0);
$tags->confirm(6, 4);
$counters = $tags->info()->counters;
echo "confirmed: $counters->found of $counters->confirmed\n";
$wrong = $counters->maybes * (10 - 5) / 10;
check(abs($counters->observedFalsePositiveRate - $wrong / ($wrong + $counters->absent)) < 1e-12, 'the observed rate');
foreach ([[-1, 0], [1, 2], [1, -1]] as [$looked, $found]) {
    echo thrown(fn () => $tags->confirm($looked, $found)), "\n";
}

// Answers "definitely not" that the application has checked.
check($counters->checked === 0 && $counters->denied === 0 && $counters->deniedAt === null, 'no answer was checked');
$tags->confirm(0, 0, 5);
$tags->confirm(0, 0, 1, 1);
$counters = $tags->info()->counters;
echo "denied: $counters->denied of $counters->checked\n";
check(abs($counters->deniedAt - microtime(true)) < 60, 'the key was denied now');
foreach ([[-1, 0], [1, 2], [1, -1]] as [$checked, $denied]) {
    echo thrown(fn () => $tags->confirm(0, 0, $checked, $denied)), "\n";
}

// Filters of other kinds.
foreach (KINDS as $kind) {
    $filter = made($kind);
    put($filter, 'a');
    $filter instanceof ReverseIndex ? [$filter->groups('a'), $filter->groups('b')] : $filter->candidates(['a', 'b']);
    $filter->mightContain('c');
    echo "$kind: ", counted($filter->info()->counters), "\n";
}

// Failed loads count by status.
echo thrown(fn () => Filter::load('tags', blob_of(keys('k', 100), builtAt: microtime(true) + 10 * 86400)), class: true), ' ';
echo json_encode($tags->info()->counters->failures), "\n";

// A drop ends the counting.
Filter::drop('tags');
echo thrown(fn () => $tags->confirm(1, 1)), "\n", thrown($tags->history(...)), "\n", thrown($tags->activity(...)), "\n";
echo 'loaded again: ', counted(Filter::load('tags', blob_of(['a']))->info()->counters), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
a new filter: 0 lookups, 0 absent, 0 maybes, null
lookups: 8 lookups, 4 absent, 4 maybes
TypeError: 8 lookups, 4 absent, 4 maybes
another process: 108 lookups, 104 absent, 4 maybes
reloaded: 109 lookups, 104 absent, 5 maybes
confirmed: 5 of 10
ValueError: Bloom\Filter::confirm(): Argument #1 ($looked) must not be negative
ValueError: Bloom\Filter::confirm(): Argument #2 ($found) must be between 0 and $looked, which is 1
ValueError: Bloom\Filter::confirm(): Argument #2 ($found) must be between 0 and $looked, which is 1
denied: 1 of 6
ValueError: Bloom\Filter::confirm(): Argument #3 ($checked) must not be negative
ValueError: Bloom\Filter::confirm(): Argument #4 ($denied) must be between 0 and $checked, which is 1
ValueError: Bloom\Filter::confirm(): Argument #4 ($denied) must be between 0 and $checked, which is 1
live: 3 lookups, 2 absent, 1 maybes
counting: 3 lookups, 2 absent, 1 maybes
scalable: 3 lookups, 2 absent, 1 maybes
sliding: 3 lookups, 2 absent, 1 maybes
reverse: 3 lookups, 2 absent, 1 maybes
Bloom\FormatException {"BuiltAhead":1}
Bloom\NotFoundException: tags: the filter was dropped
Bloom\NotFoundException: tags: the filter was dropped
Bloom\NotFoundException: tags: the filter was dropped
loaded again: 0 lookups, 0 absent, 0 maybes
