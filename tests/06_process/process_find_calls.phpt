--TEST--
A repeated open(), find() or info() makes no system call, except for what is looked up once a second
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
    $loaded = Filter::load("loaded", blob_of(["a"]));
    $ribbon = Filter::load("ribbon", blob_of(["a"], scheme: "ribbon"));
    $names = [...KINDS, "loaded", "ribbon"];
    array_map([Filter::class, "find"], $names);
    $seconds = function (string $part, callable $work): void {
        $start = hrtime(true);
        @readlink("/part-$part");
        $work();
        @readlink("/part-end");
        echo floor((hrtime(true) - $start) / 1e9), " ";
    };
    $seconds("find", function () use ($names) {
        for ($i = 0; $i < ' . COUNT . '; $i++) {
            foreach ($names as $name) {
                $held = Filter::find($name);
                Filter::open($name);
            }
        }
    });
    $seconds("first", function () use ($loaded, $ribbon) {
        $loaded->info();
        $ribbon->info();
    });
    $seconds("info", function () use ($loaded, $ribbon) {
        for ($i = 0; $i < ' . COUNT . '; $i++) {
            $loaded->info();
            $ribbon->info();
        }
    });
    echo count($names);', [], 'exec strace -o ' . escapeshellarg($trace));
[$seconds_find, , $seconds_info, $names] = array_map(intval(...), explode(' ', $said));

$calls = ['find' => [], 'first' => [], 'info' => []];
$part = 'end';
foreach (file($trace) as $line) {
    if (preg_match('~"/part-(\w+)"~', $line, $found)) {
        $part = $found[1];
    } elseif ($part !== 'end' && !preg_match('/^(mmap|munmap|brk|madvise)\(/', $line)) {
        $calls[$part][] = $line;
    }
}
$most = ['find' => $names * ($seconds_find + 1), 'info' => count($calls['first']) * ($seconds_info + 1)];
foreach ($most as $part => $count) {
    check(count($calls[$part]) <= $count, COUNT . " rounds of $part() made " . count($calls[$part]) . " system calls instead of at most $count:\n"
        . implode('', array_slice($calls[$part], 0, 20)));
}
check(count($calls['first']) > 0, 'the first info() adds up the files');
echo 'done';
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done
