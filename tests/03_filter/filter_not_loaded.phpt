--TEST--
A filter that is not loaded never answers "no": open() throws, and find() returns null
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_not_loaded
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

// A segment that does not exist counts as empty, and a lookup does not create it.
var_dump(Filter::list(), Filter::find('booth'), Filter::drop('booth'));
echo thrown(fn () => Filter::open('booth')), "\n";
check(!file_exists(segment_path()), 'nothing was made');

$booth = Filter::load('booth', blob_of(['a']));
check(Filter::find('booth')->name() === 'booth', 'found');
check(Filter::find('other') === null, 'another is not');
var_dump(Filter::drop('booth'), Filter::drop('booth'));
foreach ([
    'mightContain' => fn () => $booth->mightContain('a'),
    'mightContain absent' => fn () => $booth->mightContain('b'),
    'candidates' => fn () => $booth->candidates(['a']),
    'candidates of none' => fn () => $booth->candidates([]),
    'info' => fn () => $booth->info(),
    'open' => fn () => Filter::open('booth'),
] as $name => $call) {
    echo "$name: ", thrown($call), "\n";
}
check($booth->name() === 'booth', 'its name it knows');
check(thrown(fn () => Filter::open('booth')) !== 'nothing', 'again');

// The old handle works again after a drop and a load.
Filter::load('booth', blob_of(['c']));
check($booth->mightContain('c') && !$booth->mightContain('a'), 'the handle follows');
var_dump($booth->info()->generation > 0, $booth->info()->loads);

// An empty directory, such as a killed loader leaves behind.
mkdir(in_segment('empty'), 0700);
var_dump(Filter::find('empty'), Filter::list());
echo thrown(fn () => Filter::open('empty')), "\n";
check(Filter::load('empty', blob_of(['e']))->mightContain('e'), 'it can be loaded into');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
array(0) {
}
NULL
bool(false)
Bloom\NotFoundException: {segment}/booth: no such filter is loaded
bool(true)
bool(false)
mightContain: Bloom\NotFoundException: booth: the filter was dropped
mightContain absent: Bloom\NotFoundException: booth: the filter was dropped
candidates: Bloom\NotFoundException: booth: the filter was dropped
candidates of none: Bloom\NotFoundException: booth: the filter was dropped
info: Bloom\NotFoundException: booth: the filter was dropped
open: Bloom\NotFoundException: {segment}/booth: no such filter is loaded
bool(true)
int(1)
NULL
array(1) {
  [0]=>
  string(5) "booth"
}
Bloom\NotFoundException: {segment}/empty: control: no such filter is loaded
