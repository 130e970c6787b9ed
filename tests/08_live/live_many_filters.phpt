--TEST--
Without a memory limit the cost of a call does not depend on the number of filters
--DESCRIPTION--
fault: many-filters
--EXTENSIONS--
bloom
--SKIPIF--
<?php
if (getenv('BLOOM_TEST_SANITIZE')) {
    die('skip the leak sanitizer does not work under strace');
}
exec('strace -o /dev/null true 2>/dev/null', $output, $status);
if ($status !== 0) {
    echo 'skip strace is not installed or is not permitted to trace';
}
?>
--INI--
bloom.path={TMP}/bloom-live_many_filters
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';
use Bloom\Filter;

/** Returns the number of system calls of each part of a script. A call of readlink() separates the parts. */
function calls_of(array $parts, array $settings): array
{
    $trace = own_file('trace');
    $code = 'require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . '; use Bloom\{Filter, LiveFilter};'
        . 'Filter::load("before", blob_of(["a"])); Filter::drop("before");';
    foreach ($parts as $name => $part) {
        $code .= "@readlink('/part-$name'); $part;";
    }
    run("$code @readlink('/part-end');", $settings, 'exec strace -o ' . escapeshellarg($trace));
    $calls = $part = [];
    foreach (file($trace) as $line) {
        if (preg_match('~"/part-(\w+)"~', $line, $found)) {
            $part = $found[1];
        } elseif (is_string($part) && $part !== 'end' && !preg_match('/^(mmap|munmap|brk|madvise)\(/', $line)) {
            $calls[$part] = ($calls[$part] ?? 0) + 1;
        }
    }
    return $calls;
}

$parts = [
    'create' => '$made = LiveFilter::create("made", 1000)',
    'add' => '$made->add("a")',
    'again' => 'LiveFilter::create("made", 1000)',
    'load' => '$loaded = Filter::load("loaded", blob_of(["a"]))',
    'reload' => '$loaded = Filter::load("loaded", blob_of(["a", "b"]))',
    'drop' => 'Filter::drop("made"); Filter::drop("loaded")',
];
$counts = $limited = [];
foreach ([0 => 3, 3 => 300] as $from => $to) {
    for ($i = $from; $i < $to; $i++) {
        Bloom\LiveFilter::create("other$i", 1000);
    }
    $counts[$to] = calls_of($parts, ['bloom.memory_limit' => '0']);
    $limited[$to] = calls_of($parts, ['bloom.memory_limit' => '1G']);
}
[3 => $few, 300 => $many] = $counts;
check(!array_diff(['create', 'again', 'load', 'reload', 'drop'], array_keys($few)), 'all parts were traced: ' . implode(' ', array_keys($few)));
check($few === $many, 'with 3 filters ' . json_encode($few) . ', with 300 ' . json_encode($many));
check($many['again'] === 1, 'create() of what is there only looks up the name: ' . json_encode($many));

// With a limit, only calls that enlarge files visit all filters.
foreach (['add', 'again', 'drop'] as $part) {
    check(($limited[3][$part] ?? 0) === ($limited[300][$part] ?? 0), "$part with a limit: " . json_encode($limited));
}
check($limited[300]['create'] > 300 && $limited[300]['load'] > 300, 'the others do: ' . json_encode($limited));
array_map([Filter::class, 'drop'], Filter::list());
echo 'done';
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done
