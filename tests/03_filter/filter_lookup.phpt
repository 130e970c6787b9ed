--TEST--
mightContain() and candidates() find every key that was added
--DESCRIPTION--
fault: odd-batches
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-filter_lookup
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\Filter;

$keys = [...keys('k', 5000), '', "a\0b", "\xff", str_repeat('long', 10000), '42'];
$booth = Filter::load('booth', blob_of($keys, 6000));
check($booth instanceof Bloom\LoadedFilter && $booth instanceof Filter, 'its class');
foreach ($keys as $key) {
    if (!$booth->mightContain($key)) {
        die("lost: $key\n");
    }
}
check($booth->mightContain(42) && $booth->mightContain('42'), 'an int is its digits');
$absent = array_filter(keys('absent', 10000), fn ($key) => $booth->mightContain($key));
check(count($absent) < 200, count($absent) . ' of 10000 absent keys are perhaps there');

// candidates() agrees with mightContain(), and preserves the array keys and the order.
check($booth->candidates($keys) === $keys, 'all of them');
check($booth->candidates(array_flip($keys)) == array_filter(array_flip($keys), $booth->mightContain(...)), 'ints as values');
$mixed = ['x' => 'k1', 7 => 'no such key', -3 => 'k2', 'y' => 42, 'z' => 'neither', 0 => '42', '' => ''];
var_dump($booth->candidates($mixed));
var_dump($booth->candidates([]));
$both = array_merge($keys, keys('absent', 10000));
mt_srand(3);
shuffle($both);
check($booth->candidates($both) === array_filter($both, $booth->mightContain(...)), 'a batch answers as one by one');
for ($count = 0; $count < 70; $count++) {
    $some = array_slice($both, $count, $count, true);
    check($booth->candidates($some) === array_filter($some, $booth->mightContain(...)), "a batch of $count");
}

// Repeated values, references, holes, and a packed array that turns into a hash.
check($booth->candidates(['k1', 'k1', 'absent!', 'k1']) === ['k1', 'k1', 3 => 'k1'], 'repeated');
$one = 'k1';
$other = 'absent!';
$array = ['a' => &$one, 'b' => &$other, 'c' => 'k2'];
$found = $booth->candidates($array);
$found['a'] = 'changed';
check($one === 'k1' && array_keys($found) === ['a', 'c'], 'the result holds no references');
unset($array['a']);
check($booth->candidates($array) === ['c' => 'k2'], 'holes');
check($booth->candidates([5 => 'k1', 3 => 'k2']) === [5 => 'k1', 3 => 'k2'], 'order of int keys');
$result = $booth->candidates(['k1', 'k2']);
$result[] = 'more';
check(array_keys($result) === [0, 1, 2], 'the result can be appended to');
$result = $booth->candidates([7 => 'k1', 9 => 'absent!']);
$result[] = 'more';
check(array_keys($result) === [7, 8], 'next index follows what was kept');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
array(5) {
  ["x"]=>
  string(2) "k1"
  [-3]=>
  string(2) "k2"
  ["y"]=>
  int(42)
  [0]=>
  string(2) "42"
  [""]=>
  string(0) ""
}
array(0) {
}
