--TEST--
A repeated open() or find() makes no system call, except to look up the name once a second
--EXTENSIONS--
bloom
--SKIPIF--
<?php
if (getenv('BLOOM_TEST_SANITIZE')) {
    die('skip the leak sanitizer does not work under strace');
}
exec('strace -o /dev/null true 2>/dev/null', $output, $status);
if ($status !== 0) {
    die('skip strace is not installed or is not permitted to trace');
}
ob_start();
phpinfo(INFO_MODULES);
if (!str_contains(ob_get_clean(), 'system calls => Linux')) {
    echo 'skip only Linux clears a page in forked children';
}
?>
--INI--
bloom.path={TMP}/bloom-process_find_calls
--FILE--
<?php
require __DIR__ . '/../lib/live.inc';

const COUNT = 1000;
$trace = own_file('trace');
$said = run('require ' . var_export(dirname(__DIR__) . '/lib/live.inc', true) . ';
    use Bloom\Filter;
    foreach (KINDS as $kind) {
        made($kind);
    }
    Filter::load("loaded", blob_of(["a"]));
    $names = [...KINDS, "loaded"];
    foreach ($names as $name) {
        Filter::find($name);
    }
    $start = hrtime(true);
    @readlink("/part-repeated");
    for ($i = 0; $i < ' . COUNT . '; $i++) {
        foreach ($names as $name) {
            $held = Filter::find($name);
            Filter::open($name);
        }
    }
    @readlink("/part-end");
    echo hrtime(true) - $start, " ", count($names);', [], 'exec strace -o ' . escapeshellarg($trace));
[$ns, $names] = explode(' ', $said);

$is_counted = false;
$calls = [];
foreach (file($trace) as $line) {
    if (str_contains($line, '"/part-')) {
        $is_counted = str_contains($line, '"/part-repeated"');
    } elseif ($is_counted && !preg_match('/^(mmap|munmap|brk|madvise)\(/', $line)) {
        $calls[] = $line;
    }
}
$looks = (int) $names * (int) floor($ns / 1e9 + 1);
check(count($calls) <= $looks, COUNT . ' rounds made ' . count($calls) . " system calls instead of at most $looks:\n" . implode('', array_slice($calls, 0, 20)));
echo 'done';
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done
