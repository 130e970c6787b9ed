--TEST--
DirectoryStore syncs each file before its rename and each rename before the next, and a crash at any step leaves a complete version
--EXTENSIONS--
bloom
--SKIPIF--
<?php
echo shell_exec('command -v cc') ? '' : 'skip there is no C compiler';
?>
--INI--
bloom.path={TMP}/bloom-store_directory_crash
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../stores.inc';
use Bloom\{Blob, DirectoryStore};

// Beside the tests: from the temporary directory nothing may be executed in many containers.
$shim = __DIR__ . '/store_directory_crash.so';
passthru('cc -shared -fPIC -O1 -o ' . escapeshellarg($shim) . ' ' . escapeshellarg(__DIR__ . '/store_directory_crash.c') . ' 2>&1');
$directory = own_file('store');
$versions = [1 => chunked(keys('old', 500), 1500, builtAt: 1), chunked(keys('new', 600), 1500, builtAt: 2), chunked(keys('newest', 700), 1500, builtAt: 3)];
foreach ($versions as $i => $blob) {
    $blob->save(own_file("$i.bloom"));
}

/** Publishes a version in a process that dies in a step; 0: that does not. Gives the steps. */
$publish = static function (int $version, int $last_step) use ($directory, $shim): array {
    $before = 'LD_PRELOAD=' . escapeshellarg(rtrim("$shim:" . getenv('LD_PRELOAD'), ':'))
        . ' BLOOM_TEST_BELOW=' . escapeshellarg("$directory") . " BLOOM_TEST_LAST_STEP=$last_step";
    $code = 'Bloom\Blob::open(' . var_export(own_file("$version.bloom"), true) . ')->publish(new Bloom\DirectoryStore(' . var_export($directory, true) . '), "booth"); echo "done";';
    return explode("\n", run($code, [], $before));
};
$fresh = static function (int ...$published) use ($directory, $versions): DirectoryStore {
    remove_tree($directory);
    mkdir($directory, 0700);
    $store = new DirectoryStore($directory);
    foreach ($published as $version) {
        $versions[$version]->publish($store, 'booth');
    }
    return $store;
};

// No file gets its name before its bytes are synced, and no head before the names of its chunks are.
$fresh(1);
$steps = $publish(2, 0);
check(array_pop($steps) === 'done', 'published');
echo preg_replace('~[0-9a-f]{16}\.tmp~', '{random}.tmp', implode("\n", preg_grep('~/booth:chunks/~', $steps, PREG_GREP_INVERT))), "\n";
$content = $names = []; // synced files, and directories whose names are
$unsynced = [];
foreach ($steps as $step) {
    preg_match('~^(\w+(?: to)?) (.*)$~', $step, $found);
    [, $what, $path] = $found;
    if ($what === 'write') {
        unset($content[$path]);
    } elseif ($what === 'sync') {
        $content[$path] = true;
        $unsynced = array_filter($unsynced, static fn (string $name): bool => dirname($name) !== ($path === '' ? '/' : $path));
    } elseif ($what === 'make') {
        $unsynced[] = $path;
    } elseif ($what === 'rename to') {
        $temporary = array_key_last($content);
        check(str_starts_with($temporary, "$path.") && str_ends_with($temporary, '.tmp'), "$path was synced before it got its name");
        check($path !== '/booth' || $unsynced === [], 'before the head all chunks are on disk, and their directories: ' . implode(' ', $unsynced));
        $unsynced[] = $path;
    }
}
check($unsynced === [], 'in the end all is on disk: ' . implode(' ', $unsynced));
$chunks = count(preg_grep('~^rename to /booth:chunks/../[0-9a-f]{32}$~', $steps));
check($chunks === count(array_unique(chunk_keys($versions[2], 'booth'))), "$chunks chunks");

// Death at each step of a publish that writes, replaces a head and deletes: the old or the new version is there, whole.
$fresh(1, 2);
$count = count($publish(3, 0)) - 1;
$seen = [];
for ($step = 1; $step <= $count; $step++) {
    $store = $fresh(1, 2);
    $died = $publish(3, $step);
    check(count($died) === $step && !in_array('done', $died, true) || $step === $count, "it died in step $step");
    $found = Blob::fetch($store, 'booth')->toString();
    $seen[] = $version = array_search($found, array_map(static fn (Blob $blob) => $blob->toString(), $versions));
    check($version === 2 || $version === 3, "step $step: a whole version");
    $versions[3]->publish($store, 'booth');
    check(Blob::fetch($store, 'booth')->toString() === $versions[3]->toString(), "step $step: the next publish just works");
}
check($seen === [...array_fill(0, array_search(3, $seen), 2), ...array_fill(0, $count - array_search(3, $seen), 3)], 'first the old one, then the new one: ' . implode('', $seen));
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
@unlink(__DIR__ . '/store_directory_crash.so');
?>
--EXPECT--
write /booth:previous.{random}.tmp
sync /booth:previous.{random}.tmp
rename to /booth:previous
sync 
sync /booth:chunks
sync 
write /booth.{random}.tmp
sync /booth.{random}.tmp
rename to /booth
sync
