--TEST--
DirectoryStore stores journals in the documented layout and fulfills the contract of JournalStore
--DESCRIPTION--
fault: journal-file-damaged, journal-lost
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_directory
bloom.lock_timeout=0.2
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journals.inc';
use Bloom\DirectoryStore;

umask(027);
mkdir(own_file('store'), 0700);
$store = new DirectoryStore(own_file('store'));
try_journal_store($store, fn (string $journal) => unlink(own_file("store/$journal")));
check(glob(own_file('store/*.tmp')) === [], 'no temporary file is left');
check((fileperms(own_file('store/a:journal')) & 0777) === 0600, 'a new file is for this user alone');

// The layout of docs/dev/journal.md.
$records = [record('one'), record('three'), record(''), record("\xff")];
$file = own_file('store/layout:journal');
$lines = static function () use ($file): array {
    $bytes = file_get_contents($file);
    $head = unpack('H16magic/Vversion/Vzero/Pepoch/Pbase/H16check/Pend/Plast/Psum', $bytes);
    check($head['sum'] === unpack('J', hash('xxh3', substr($bytes, 0, 56), true))[1], 'the checksum');
    check($head['magic'] === '89424c4a524e4c0a' && $head['version'] === 1 && $head['zero'] === 0 && $head['epoch'] > 0, 'the constants');
    return [$head['base'], $head['check'], $head['end'], $head['last'], substr($bytes, 64)];
};
[$start] = $store->last('layout:journal');
check($lines() === [0, str_repeat('0', 16), 0, 0, ''], 'a new journal');
$ends = [];
foreach ($records as $record) {
    $ends[] = $store->append('layout:journal', [$record]);
}
check($lines() === [0, str_repeat('0', 16), 201, 152, implode('', $records)], 'four records');
check($ends[2] === position_of(epoch_of($start), 152, $records[2]), 'an offset counts bytes');
chmod($file, 0606);
$store->trim('layout:journal', $ends[2]);
check($lines() === [104, bin2hex(substr($records[1], -8)), 201, 152, $records[2] . $records[3]], 'a trim keeps the record at the position: ' . json_encode($lines()));
check((fileperms($file) & 0777) === 0606, 'a trim keeps the mode');
$inode = fileinode($file);
$store->trim('layout:journal', $ends[2]);
$store->trim('layout:journal', $ends[1]);
$store->trim('layout:journal', $start);
clearstatcache();
check(fileinode($file) === $inode, 'a trim that removes nothing leaves the file alone');

// Readers need no permission to write.
chmod($file, 0400);
$said = run('require ' . var_export(dirname(__DIR__) . '/lib/journals.inc', true) . ';
    $store = new Bloom\DirectoryStore(' . var_export(own_file('store'), true) . ');
    echo count($store->read(["layout:journal" => ' . var_export($ends[2], true) . '], 1)["layout:journal"]), ", ", strlen($store->last("layout:journal")[1]);
    echo ", ", thrown(fn () => $store->append("layout:journal", [record("")])), ", ", thrown(fn () => $store->trim("layout:journal", $store->last("layout:journal")[0]));',
    before: user_id() === 0 ? 'setpriv --bounding-set=-all --inh-caps=-all' : '');
echo str_replace(own_file(), '{own}', $said), "\n";
chmod($file, 0600);

// A link leads to another directory: a trim replaces the file there.
mkdir(own_file('elsewhere'), 0700);
rename($file, own_file('elsewhere/file'));
symlink(own_file('elsewhere/file'), $file);
$store->trim('layout:journal', $ends[3]);
check(is_link($file) && filesize(own_file('elsewhere/file')) === 64 + 49 && glob(own_file('elsewhere/*')) === [own_file('elsewhere/file')], 'a trim keeps the link');
check($store->append('layout:journal', [record('x')], $ends[3]) !== null, 'an append through a link');

// Another process replaces the file with a link.
[$end] = $store->last('moved:journal');
shell_exec('mv ' . escapeshellarg(own_file('store/moved:journal')) . ' ' . escapeshellarg(own_file('elsewhere'))
    . ' && ln -s ../elsewhere/moved:journal ' . escapeshellarg(own_file('store')));
check($store->append('moved:journal', [record('x')], $end) !== null, 'an append through a new link');

// If it cannot be determined which names the files have, no second journal is created.
symlink('.portable', own_file('store/.portable'));
check(thrown(fn () => $store->last('second:journal'), true) === 'Bloom\StoreException', 'the directory is refused');
unlink(own_file('store/.portable'));
check(!file_exists(own_file('store/second:journal')), 'no journal is created');

// Another process has the lock.
$handle = fopen(own_file('store/a:journal'), 'r+');
flock($handle, LOCK_EX);
[$end] = $store->last('a:journal');
echo thrown(fn () => $store->append('a:journal', [record('x')])), "\n";
check($store->read(['a:journal' => $end], 1)['a:journal'] === [], 'a read needs no lock');
flock($handle, LOCK_UN);
check($store->append('a:journal', [record('x')], $end) !== null, 'the next append');

// Files that cannot be used.
shell_exec('mkfifo -m 600 ' . escapeshellarg(own_file('store/fifo:journal')));
mkdir(own_file('store/directory:journal'));
file_put_contents(own_file('store/head'), str_repeat('x', 512));
foreach (['fifo:journal', 'directory:journal', 'head'] as $journal) {
    echo thrown(fn () => $store->read([$journal => $end], 1)), "\n", thrown(fn () => $store->append($journal, [record('x')])), "\n";
}
foreach (['../a:journal', 'a:journal/', '', str_repeat('n', 129) . ':journal'] as $journal) {
    foreach ([fn () => $store->read([$journal => $end], 1), fn () => $store->append($journal, [record('x')]), fn () => $store->last($journal)] as $call) {
        check(thrown($call, true) === 'ValueError', "'$journal' is refused");
    }
}
rename(own_file('store'), own_file('away'));
foreach ([fn () => $store->append('a:journal', [record('x')]), fn () => $store->last('a:journal'), fn () => $store->read(['a:journal' => $end], 1), fn () => $store->trim('a:journal', $end)] as $call) {
    echo thrown($call), "\n";
}

// Stacks of fibers are small.
rename(own_file('away'), own_file('store'));
ini_set('fiber.stack_size', PHP_VERSION_ID < 80300 ? 32 << 10 : 64 << 10);
$calls = [fn () => $store->append('fiber:journal', [record('x'), record('y')]), fn () => $store->last('fiber:journal')[0], null, fn () => $store->trim('fiber:journal', $store->last('fiber:journal')[0])];
$calls[2] = fn () => $store->read(['fiber:journal' => epoch_of($store->last('fiber:journal')[0]) . '-0-0000000000000000'], 1 << 20);
foreach (getenv('BLOOM_TEST_SANITIZE') || PHP_DEBUG ? [] : $calls as $call) {
    $fiber = new Fiber($call);
    $fiber->start();
    check($fiber->isTerminated(), 'a call in a fiber');
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
1, 49, Bloom\StoreException: {segment}.d/store/layout:journal: cannot be opened: Permission denied, Bloom\StoreException: {segment}.d/store/layout:journal: cannot be opened: Permission denied
Bloom\StoreException: {segment}.d/store/a:journal: another process held the lock for the whole lock timeout (try again, or raise bloom.lock_timeout)
Bloom\StoreException: {segment}.d/store/fifo:journal: not a valid journal: it has no header (remove the file, and build and publish the filter with a new mark)
Bloom\StoreException: {segment}.d/store/fifo:journal: not a valid journal: it has no header (remove the file, and build and publish the filter with a new mark)
Bloom\StoreException: {segment}.d/store/directory:journal: not a valid journal: it has no header (remove the file, and build and publish the filter with a new mark)
Bloom\StoreException: {segment}.d/store/directory:journal: cannot be opened: Is a directory
Bloom\StoreException: {segment}.d/store/head: not a valid journal: its header is damaged (remove the file, and build and publish the filter with a new mark)
Bloom\StoreException: {segment}.d/store/head: not a valid journal: its header is damaged (remove the file, and build and publish the filter with a new mark)
Bloom\StoreException: {segment}.d/store: the store's directory cannot be reached: No such file or directory
Bloom\StoreException: {segment}.d/store: the store's directory cannot be reached: No such file or directory
Bloom\StoreException: {segment}.d/store: the store's directory cannot be reached: No such file or directory
Bloom\StoreException: {segment}.d/store: the store's directory cannot be reached: No such file or directory
