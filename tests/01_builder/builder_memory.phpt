--TEST--
A builder that needs more than the machine's memory reports its size, accepts no key and builds nothing
--DESCRIPTION--
fault: huge-size
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

// These filters are slightly smaller than the largest possible filter, which is 4 TiB.
foreach ([
    [new Bloom\Builder(1_000_000_000_000, bitsPerKey: 34), []],
    [new Bloom\ReverseIndexBuilder(1000, 500_000_000_000, 1e-3), [1]],
] as [$builder, $group]) {
    $bytes = $builder->info()->bytes;
    check($bytes > 1e12 && $builder->info()->keys === 0, 'what was chosen');
    $calls = [
        'add' => fn () => $builder->add(...$group, ...['a']),
        'addMany' => fn () => $builder->addMany(...$group, ...[['a']]),
        'build' => fn () => $builder->build(),
    ];
    if ($builder instanceof Bloom\Builder) {
        $calls['addFile'] = fn () => $builder->addFile(__FILE__);
    }
    foreach ($calls as $name => $call) {
        echo "$name: ", preg_replace(['/needs ' . $bytes . ' bytes/', '/has only \d+/'], ['needs ALL bytes', 'has only LESS'], thrown($call)), "\n";
    }
    check(thrown(fn () => $builder->__construct(10, 10)) === 'Bloom\BloomException: This builder is already constructed', 'and stays what it is');
}
?>
--SKIPIF--
<?php
preg_match('/^MemTotal:\s*(\d+) kB/m', (string) @file_get_contents('/proc/meminfo'), $parts);
if (!isset($parts[1]) || $parts[1] > 900e6) {
    echo 'skip this machine has enough memory for all filters';
}
?>
--EXPECT--
add: Bloom\BloomException: the filter needs ALL bytes, but this machine has only LESS: out of memory
addMany: Bloom\BloomException: the filter needs ALL bytes, but this machine has only LESS: out of memory
build: Bloom\BloomException: the filter needs ALL bytes, but this machine has only LESS: out of memory
addFile: Bloom\BloomException: the filter needs ALL bytes, but this machine has only LESS: out of memory
add: Bloom\BloomException: the filter needs ALL bytes, but this machine has only LESS: out of memory
addMany: Bloom\BloomException: the filter needs ALL bytes, but this machine has only LESS: out of memory
build: Bloom\BloomException: the filter needs ALL bytes, but this machine has only LESS: out of memory
