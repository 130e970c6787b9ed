--TEST--
A callback may use the builder that called it, and may even call build()
--DESCRIPTION--
fault: store-reenters
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$lines = 'data:,' . rawurlencode(implode("\n", keys('l', 1000)));

$builder = new Bloom\Builder(5000, seed: 7);
var_dump($builder->addMany((function () use ($builder) {
    yield 'a';
    $builder->add('inside');
    $builder->addMany(['b', 'c']);
    yield 'a';
    yield 'd';
})()));
var_dump($builder->addFile($lines, function () use ($builder) {
    $builder->addMany(keys('p', 10));
    $builder->addFile('data:,x%0Ay');
}));

// The generator that feeds the builder calls build().
$blob = null;
echo thrown(function () use ($builder, &$blob) {
    $builder->addMany((function () use ($builder, &$blob) {
        yield 'e';
        $blob = $builder->build();
        yield 'too late';
    })());
}), "\n";
check($blob->mightContain('e') && $blob->mightContain('inside') && !$blob->mightContain('too late'), 'the blob has what came before');

// build() is called after the last key, so addMany() and addFile() have no further key to refuse.
$builder = new Bloom\Builder(5000, seed: 7);
$builder->addMany(keys('k', 100));
echo thrown(function () use ($builder) {
    var_dump($builder->addMany((function () use ($builder) {
        yield 'e';
        $builder->build();
    })()));
}), "\n";
$builder = new Bloom\Builder(5000, seed: 7);
$builder->addMany(keys('k', 100));
echo thrown(function () use ($builder, $lines) {
    var_dump($builder->addFile($lines, function () use ($builder) {
        $builder->build();
    }));
}), "\n";

// The last reference to the builder is removed during the call.
$builder = new Bloom\Builder(5000, seed: 7);
var_dump($builder->addMany((function () use (&$builder) {
    yield 'e';
    $builder = null;
    yield 'f';
})()));
?>
--EXPECT--
int(2)
int(1000)
Bloom\BloomException: This builder has already built its blob: create a new one
int(1)
nothing
int(1000)
nothing
int(2)
