--TEST--
An append or trim that fails because of a full disk or a process's limits changes nothing and keeps no lock
--DESCRIPTION--
fault: journal-disk-full
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/tmpfs.inc';
skip_without_tmpfs();
?>
--INI--
bloom.path={TMP}/bloom-journal_directory_limits
bloom.lock_timeout=0.2
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/tmpfs.inc';
require __DIR__ . '/../lib/journals.inc';

$code = 'require ' . var_export(dirname(__DIR__) . '/lib/journals.inc', true) . ';
    $store = new Bloom\DirectoryStore($directory);
    [$start] = $store->last("tags:journal");
    $middle = $store->append("tags:journal", [record(str_repeat("a", 100_000))]);
    $end = $store->append("tags:journal", [record(str_repeat("b", 300_000)), record("last")]);
    $unchanged = function (string $what) use ($store, $start, $end, $directory): void {
        check(count($store->read(["tags:journal" => $start], 1 << 30)["tags:journal"]) === 3 && $store->last("tags:journal")[0] === $end, "$what changes nothing");
        check($store->append("tags:journal", [record("next")], "1-0-0000000000000000") === null, "$what keeps no lock");
        check(count(glob("$directory/*:journal*")) === 1, "$what leaves no file");
    };
    $say = fn (callable $call) => print(preg_replace("~(\{segment\}|/)\S*/~", "", thrown($call)) . "\n");
    ';

echo "disk:\n", run_on_tmpfs('800k', '$directory = $tmpfs;' . $code . '
    $say(fn () => $store->append("tags:journal", [record("first"), record(str_repeat("c", 500_000))]));
    $unchanged("a full disk");
    clearstatcache();
    check(filesize("$tmpfs/tags:journal") === 64 + 400_000 + 4 + 3 * 48, "a failed append removes what it has written");
    file_put_contents("$tmpfs/filler", str_repeat("x", 250_000));
    $say(fn () => $store->trim("tags:journal", $middle)); // keeps everything
    $unchanged("a trim that removes nothing");
    $longer = $store->append("tags:journal", [record(str_repeat("d", 100_000)), record("last")], $end);
    $say(fn () => $store->trim("tags:journal", $end));
    check($store->last("tags:journal")[0] === $longer && count(glob("$tmpfs/*")) === 2, "a trim on a full disk changes nothing");
    shell_exec("head -c 1000000 /dev/zero 2>/dev/null > " . escapeshellarg("$tmpfs/filler"));
    $say(fn () => $store->last("new:journal"));
    $say(fn () => $store->append("tags:journal", [record(str_repeat("c", 50_000))]));
    unlink("$tmpfs/filler");
    $store->trim("tags:journal", $end);
    check($store->append("tags:journal", [record(str_repeat("c", 500_000))], $longer) !== null, "the next append");
'), "\n";

mkdir(own_file('store'), 0700);
echo "limits:\n", run('$directory = own_file("store");' . $code . '
    $say(fn () => $store->append("tags:journal", [record("first"), record(str_repeat("c", 200_000))]));
    $unchanged("a file size limit");
    for ($held = []; ($file = @fopen("/dev/null", "r"));) { $held[] = $file; }
    $say(fn () => $store->append("tags:journal", [record("x")]));
    $say(fn () => $store->read(["tags:journal" => $start], 1));
    $say(fn () => $store->trim("tags:journal", $end));
    $held = null;
    $unchanged("a descriptor limit");
', [], 'ulimit -f 1000; ulimit -n 64;'), "\n";

// A request that runs out of memory, in a process that goes on. The file is not locked afterwards.
$end = (new Bloom\DirectoryStore(own_file('store')))->last('tags:journal')[0];
for ($i = 0; $i < 3; $i++) {
    if (getenv('USE_ZEND_ALLOC') === '0') {
        echo "Fatal error: Allowed memory size of 4194304 bytes exhausted …\n"; // the limit has no effect
        continue;
    }
    echo preg_replace('/\(tried to .*/', '…', trim(run('$directory = own_file("store"); require ' . var_export(dirname(__DIR__) . '/lib/journals.inc', true) . ';
        register_shutdown_function(function () {
            ini_set("memory_limit", "64M");
            check((new Bloom\DirectoryStore(own_file("store")))->append("tags:journal", [record("x")]) !== null, "another append of the same process");
            check(count(array_filter(glob("/proc/self/fd/*"), fn ($file) => str_contains((string) @readlink($file), ":journal"))) === 0, "no file is open");
        });
        $store = new Bloom\DirectoryStore($directory);
        ini_set("memory_limit", "4M");
        $fill = [];
        ' . ['for (;;) { $fill[] = $store->last("tags:journal"); }',
            'for (;;) { $fill[] = $store->read(["tags:journal" => explode("-", ' . var_export($end, true) . ')[0] . "-0-0000000000000000"], 1 << 20); }',
            'for (;;) { $fill[] = thrown(fn () => $store->append("tags:journal/", [record("x")]), false, true) . str_repeat("x", 5000); $store->append("tags:journal", [record("y")]); }'][$i]))), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
disk:
Bloom\StoreException: tags:journal: cannot be appended to: No space left on device
nothing
Bloom\StoreException: tags:journal: cannot be trimmed: No space left on device
Bloom\StoreException: new:journal: cannot be created: No space left on device
Bloom\StoreException: tags:journal: cannot be appended to: No space left on device
limits:
Bloom\StoreException: tags:journal: cannot be appended to: File too large
Bloom\StoreException: tags:journal: cannot be opened: Too many open files
Bloom\StoreException: tags:journal: cannot be opened: Too many open files
Bloom\StoreException: tags:journal: cannot be opened: Too many open files
Fatal error: Allowed memory size of 4194304 bytes exhausted …
Fatal error: Allowed memory size of 4194304 bytes exhausted …
Fatal error: Allowed memory size of 4194304 bytes exhausted …
