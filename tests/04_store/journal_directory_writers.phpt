--TEST--
Many processes append to a journal in a directory while others read and trim it, and no record is lost
--DESCRIPTION--
fault: journal-concurrent, journal-killed
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-journal_directory_writers
bloom.lock_timeout=60
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journals.inc';

mkdir(own_file('store'), 0700);
try_journal_writers('new Bloom\DirectoryStore(' . var_export(own_file('store'), true) . ')', appends: 600);
check(glob(own_file('store/*')) === [own_file('store/busy:journal')], 'no temporary file is left');

// Processes that create the same journals at the same time get the same epochs.
$children = [];
for ($i = 0; $i < 4; $i++) {
    $children[] = new Child('fgets(STDIN); $store = new Bloom\DirectoryStore($argv[1]); for ($i = 0; $i < 200; $i++) { echo explode("-", $store->last("$i:journal")[0])[0], " "; }', [], [own_file('store')]);
}
array_map(fn (Child $child) => $child->say('go'), $children);
check(count(array_unique(array_map(fn (Child $child): string => $child->end(), $children))) === 1, 'the same epochs');

// Writers that are killed all the time leave a journal whose records are whole.
$store = new Bloom\DirectoryStore(own_file('store'));
[$position] = $store->last('killed:journal');
mt_srand(3);
for ($i = 0; $i < 30; $i++) {
    $child = new Child('require $argv[1]; $store = new Bloom\DirectoryStore($argv[2]); echo "on\n"; for ($i = 0;; $i++) {
        $store->append("killed:journal", [record("$i " . str_repeat("k", $i * 997 % 200_000)), record("$i")]); if ($i % 5 === 4) { $store->trim("killed:journal", $store->last("killed:journal")[0]); } }',
        [], [dirname(__DIR__) . '/lib/journals.inc', own_file('store')]);
    $child->hear();
    usleep(mt_rand(0, 20_000));
    $child->kill();
    $child->end();
    [$end, $last] = $store->last('killed:journal');
    check(str_ends_with($last, hash('xxh3', substr($last, 0, -8), true)) && strlen($last) <= 60 || $last === '', "kill $i: the last record ends an append");
    $read = $store->read(['killed:journal' => $end], 1)['killed:journal'];
    check($read === [], "kill $i: the end is a position");
    foreach ($store->read(['killed:journal' => $position], 1 << 30)['killed:journal'] ?? [] as $record) {
        check(str_ends_with($record, hash('xxh3', substr($record, 0, -8), true)), "kill $i: every record is whole");
    }
    $position = $end;
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
