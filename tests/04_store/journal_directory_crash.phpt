--TEST--
A process that is killed at any step of creating, appending to or trimming a journal leaves either the old or the new journal
--DESCRIPTION--
fault: journal-killed
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
echo shell_exec('command -v ' . compiler()) ? '' : 'skip no C compiler is installed';
?>
--INI--
bloom.path={TMP}/bloom-journal_directory_crash
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journals.inc';
use Bloom\DirectoryStore;

// The library is built beside the tests, because many containers mount the temporary directory with noexec.
$shim = __DIR__ . '/journal_directory_crash.so';
compile_library(__DIR__ . '/store_directory_crash.c', $shim);
$directory = own_file('store');
$old = array_map(fn (int $i): string => record("old $i"), range(0, 9));
$new = [record('new'), record(str_repeat('n', 300_000)), record('newest')];

/** Makes a store. Returns the journal's end and the position of its middle. */
$fresh = static function () use ($directory, $old): array {
    remove_tree($directory);
    mkdir($directory, 0700);
    $store = new DirectoryStore($directory);
    $start = $store->last('tags:journal')[0];
    $middle = $store->append('tags:journal', array_slice($old, 0, 5));
    return [$store, $start, $middle, $store->append('tags:journal', array_slice($old, 5))];
};
/** Runs code with $store and $position in a process that dies at step $last_step (0: never). Returns the steps. */
$die = static function (string $code, string $position, int $last_step) use ($directory, $shim): array {
    $before = 'LD_PRELOAD=' . escapeshellarg(rtrim("$shim:" . getenv('LD_PRELOAD'), ':'))
        . ' BLOOM_TEST_BELOW=' . escapeshellarg($directory) . " BLOOM_TEST_LAST_STEP=$last_step";
    $code = 'require ' . var_export(dirname(__DIR__) . '/lib/journals.inc', true) . ';
        $new = [record("new"), record(str_repeat("n", 300_000)), record("newest")];
        $store = new Bloom\DirectoryStore(' . var_export($directory, true) . '); $position = ' . var_export($position, true) . "; $code; echo 'done';";
    return explode("\n", preg_replace('~[0-9a-f]{16}\.tmp~', '{random}.tmp', run($code, [], $before)));
};
/** Returns the records after a position. */
$read = static fn (DirectoryStore $store, string $position): ?array => array_values($store->read(['tags:journal' => $position], 1 << 30)['tags:journal'] ?? ['lost']);

// Append.
[$store, $start, $middle, $end] = $fresh();
$steps = $die('$store->append("tags:journal", $new)', $end, 0);
echo implode("\n", $steps), "\n";
$states = '';
for ($step = 1; $step < count($steps); $step++) {
    [$store, $start, $middle, $end] = $fresh();
    check(!in_array('done', $die('$store->append("tags:journal", $new)', $end, $step), true), "died at step $step of append()");
    $found = $read($store, $start);
    $states .= count($found) === 10 ? '0' : '1';
    check($found === $old || $found === [...$old, ...$new], "step $step of append(): all or nothing: " . count($found));
    check($store->last('tags:journal')[1] === end($found), "step $step of append(): last()");
    check($read($store, $middle) === array_slice($found, 5), "step $step of append(): other positions are still valid");
    $store->append('tags:journal', [record('next')]);
    check($read($store, $start) === [...$found, record('next')], "step $step of append(): the next append succeeds");
}
echo "append: $states\n";

// Trim.
[$store, $start, $middle, $end] = $fresh();
$steps = $die('$store->trim("tags:journal", $position)', $middle, 0);
echo implode("\n", $steps), "\n";
$states = '';
for ($step = 1; $step < count($steps); $step++) {
    [$store, $start, $middle, $end] = $fresh();
    $die('$store->trim("tags:journal", $position)', $middle, $step);
    $states .= $read($store, $start) === $old ? '0' : '1';
    check($read($store, $middle) === array_slice($old, 5), "step $step of trim(): the later records are still there");
    check($store->append('tags:journal', [record('next')], $end) !== null, "step $step of trim(): the next append succeeds");
    $store->trim('tags:journal', $middle);
    check($read($store, $start) === ['lost'] && $read($store, $middle) === [...array_slice($old, 5), record('next')], "step $step of trim(): the next trim succeeds");
}
echo "trim: $states\n";

// Create.
$fresh();
unlink("$directory/tags:journal");
$steps = $die('$store->append("tags:journal", [record("first")])', '', 0);
echo implode("\n", $steps), "\n";
$states = '';
for ($step = 1; $step < count($steps); $step++) {
    [$store] = $fresh();
    unlink("$directory/tags:journal");
    $die('$store->append("tags:journal", [record("first")])', '', $step);
    $states .= file_exists("$directory/tags:journal") ? '1' : '0';
    [$position, $last] = $store->last('tags:journal');
    check($last === '' || $last === record('first'), "step $step of creating");
    $store->append('tags:journal', [record('second')], $position);
    check($store->last('tags:journal')[1] === record('second'), "step $step of creating: the next append succeeds");
}
echo "create: $states\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
@unlink(__DIR__ . '/journal_directory_crash.so');
?>
--EXPECT--
write /tags:journal
write /tags:journal
write /tags:journal
sync /tags:journal
write /tags:journal
sync /tags:journal
done
append: 000001
write /tags:journal.{random}.tmp
sync /tags:journal.{random}.tmp
write /tags:journal.{random}.tmp
sync /tags:journal.{random}.tmp
rename to /tags:journal
sync 
done
trim: 000001
write /tags:journal.{random}.tmp
sync /tags:journal.{random}.tmp
link to /tags:journal
delete /tags:journal.{random}.tmp
sync 
write /tags:journal
sync /tags:journal
write /tags:journal
sync /tags:journal
done
create: 000111111
