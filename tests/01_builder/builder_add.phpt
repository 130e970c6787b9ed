--TEST--
add() distinguishes new keys from repeated ones, and treats an int like its decimal digits
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$builder = new Bloom\Builder(1000, seed: 7);
foreach (['one', '', "a\0b", "a\0c", "\xff\xfe", str_repeat('long', 100000), 0, -1, PHP_INT_MAX, PHP_INT_MIN] as $key) {
    check($builder->add($key) === true, 'new: ' . substr((string) $key, 0, 20));
    check($builder->add($key) === false, 'repeated: ' . substr((string) $key, 0, 20));
}
foreach (['0', '-1', '9223372036854775807', '-9223372036854775808'] as $digits) {
    check($builder->add($digits) === false, "$digits is the int");
}
check($builder->add('00') && $builder->add('+1') && $builder->add('1.0'), 'other spellings are other keys');

$info = $builder->info();
var_dump($info->keys, $info->added);

$blob = $builder->build();
foreach (['one', '', "a\0b", "a\0c", 0, '0', '00', -1, PHP_INT_MIN, (string) PHP_INT_MIN] as $key) {
    check($blob->mightContain($key), "in the blob: $key");
}
check(!$blob->mightContain("a\0d") && !$blob->mightContain('a'), 'a prefix is another key');

$empty = (new Bloom\Builder(10))->build();
check(!$empty->mightContain('') && !$empty->mightContain(0), 'an empty filter has no key');
var_dump($empty->info()->keys, $empty->info()->measuredFalsePositiveRate);
?>
--EXPECT--
int(13)
int(27)
int(0)
float(0)
