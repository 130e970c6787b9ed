--TEST--
addFile() distinguishes a failed read from the end of the file, even if the stream has a read filter
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/memory.inc';

$end = end_of_a_mapping(100_000);
foreach ([0, 1000, 8192, 50_000, 99_000] as $before) {
    foreach ([null, 'string.rot13'] as $filter) {
        $file = fopen('/proc/self/mem', 'r');
        check(fseek($file, $end - $before) === 0, 'it can be sought');
        if ($filter !== null) {
            stream_filter_append($file, $filter, STREAM_FILTER_READ);
        }
        $builder = new Bloom\Builder(100_000);
        echo $before, ' ', $filter ?? 'unfiltered', ': ', thrown(fn () => @$builder->addFile($file)), "\n";
    }
}
// The real end of a file and of a pipe is not an error.
file_put_contents(own_file('keys'), str_repeat("k\n", 5000) . 'last');
foreach ([fopen(own_file('keys'), 'r'), popen('cat ' . escapeshellarg(own_file('keys')), 'r')] as $file) {
    stream_filter_append($file, 'string.rot13', STREAM_FILTER_READ);
    $builder = new Bloom\Builder(100);
    check($builder->addFile($file) === 5001 && $builder->build()->mightContain('ynfg'), 'to the end');
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
0 unfiltered: Bloom\BloomException: The file could not be read completely
0 string.rot13: Bloom\BloomException: The file could not be read completely
1000 unfiltered: Bloom\BloomException: The file could not be read completely
1000 string.rot13: Bloom\BloomException: The file could not be read completely
8192 unfiltered: Bloom\BloomException: The file could not be read completely
8192 string.rot13: Bloom\BloomException: The file could not be read completely
50000 unfiltered: Bloom\BloomException: The file could not be read completely
50000 string.rot13: Bloom\BloomException: The file could not be read completely
99000 unfiltered: Bloom\BloomException: The file could not be read completely
99000 string.rot13: Bloom\BloomException: The file could not be read completely
