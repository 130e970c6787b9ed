--TEST--
examples/bloom-nightly.sh handles a first night, a second night, and nights with failures
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';
use Bloom\{Blob, DirectoryStore};

$cli = new Cli();
mkdir("$cli->files/store");
mkdir("$cli->files/job");
// Inserts this test's store and directory into the script.
$cli->write('nightly.sh', strtr(file_get_contents(dirname(__DIR__, 2) . '/examples/bloom-nightly.sh'), [
    'redis://cache.example:6379' => "$cli->files/store",
    '/srv/bloom-nightly' => "$cli->files/job",
]));
$keys = static fn (int $first, int $last) => $cli->writeKeys('job/booth_tags.txt', $first, $last);
/** Runs the script. Checks that it published a new version if it succeeded, and that it changed nothing if it failed. */
$night = static function (string $what, string $script = 'nightly.sh') use ($cli): void {
    $kept = ['job/booth_tags.bloom', 'store/booth_tags'];
    $read = static fn () => array_map(static fn (string $name) => @file_get_contents("$cli->files/$name"), $kept);
    $before = $read();
    $result = $cli->shell("sh $script");
    $said = strtr($result->output . $result->errors, [$cli->directory => '{dir}']);
    echo "-- $what: $result->code\n", preg_replace(['/\.bloom\.\d+/', '/(nightly\.sh): .*: ([^:\n]*)$/m'], ['.bloom.$$', '$1: $2'], $said);
    $new = array_map(static fn ($a, $b): bool => $a !== $b, $before, $read());
    check($new === array_fill(0, 2, $result->code === 0), 'a new version, or none');
    check(preg_grep('/\.bloom\.\d+$/', scandir("$cli->files/job")) === [], 'nothing is left');
};
$show = static function () use ($cli): void {
    $published = Blob::fetch(new DirectoryStore("$cli->files/store"), 'booth_tags')->info();
    $blob = Blob::open("$cli->files/job/booth_tags.bloom")->info();
    check($blob == $published, 'the blob is what was published');
    $chunks = glob("$cli->files/store/booth_tags:chunks/*/*");
    echo "capacity $blob->capacity, ", count($chunks), " chunks in the store\n";
};

$keys(1, 80_000);
$night('the first');
$show();
$first = Blob::open("$cli->files/job/booth_tags.bloom");
$seed = $first->info()->seed;
// The seed is random, so the blob may contain some of these keys by chance. Such a key would change no chunk.
for ($new = 'new'; $first->mightContain($new);) {
    $new .= '!';
}
file_put_contents("$cli->files/job/booth_tags.txt", "$new\n", FILE_APPEND);
$night('the second');
$show(); // one of two chunks has changed
check(Blob::open("$cli->files/job/booth_tags.bloom")->info()->seed === $seed, 'the same seed');
$keys(1, 100_001);
$night('as many keys as the capacity allows');
$keys(1, 130_000);
$night('too many keys');
$keys(1, 999);
$night('a truncated key file');
unlink("$cli->files/job/booth_tags.txt");
$night('no file');
$keys(1, 80_000);
rename("$cli->files/store", "$cli->files/away");
$night('no store');
rename("$cli->files/away", "$cli->files/store");
// A line is added to the key file between build and check.
$cli->write('late.sh', strtr(file_get_contents("$cli->files/nightly.sh"), ['said=$(' => "echo late >>\"\$keys\"\nsaid=\$("]));
$night('a key that is added during the run', 'late.sh');
$blob = "$cli->files/job/booth_tags.bloom";
file_put_contents($blob, substr(file_get_contents($blob), 0, 50_000));
$night('a damaged blob');
unlink($blob);
$keys(1, 130_000);
$night('no previous blob, many keys');
$show();
// Keys are added between two nights. The script takes a mark as soon as there is a journal, and before it reads the keys.
$cli->write('dump.sh', strtr(file_get_contents("$cli->files/nightly.sh"), ["\ndump=\n" => "\ndump='bloom add --quiet booth_tags store during && cat job/rows.txt'\n"]));
copy("$cli->files/job/booth_tags.txt", "$cli->files/job/rows.txt");
$marked = static fn (): bool => Blob::fetch(new DirectoryStore("$cli->files/store"), 'booth_tags')->info()->mark !== null;
$night('a filter without a journal does not get keys', 'dump.sh');
$cli->run(['mark', 'booth_tags', 'store']);
$night('the first one with a journal', 'dump.sh');
check($marked(), 'the version has a mark');
$added = static fn (): array => array_map(static fn (string $record): int => unpack('V', $record, 8)[1], array_values(
    (new DirectoryStore("$cli->files/store"))->read(['booth_tags:journal' => Blob::fetch(new DirectoryStore("$cli->files/store"), 'booth_tags')->info()->mark], 1 << 20)['booth_tags:journal']));
check($added() === [1, 2], 'the key that was added while the keys were read is after the mark, then the notice');
$night('a journal, but another job writes the keys');
check($marked(), 'hosts still follow the journal');
?>
--EXPECTF--
-- the first: 0
capacity 100000, 2 chunks in the store
-- the second: 0
capacity 100000, 3 chunks in the store
-- as many keys as the capacity allows: 0
-- too many keys: 78
bloom: measured %s, with about 1%s distinct keys in a filter sized for 100000: the measured false-positive rate is over the limit; give a larger --capacity
-- a truncated key file: 66
{dir}/files/job/booth_tags.txt: 999 lines, fewer than 1000
-- no file: 66
nightly.sh: No such file%S
-- no store: 66
bloom: %s
-- a key that is added during the run: 1
{dir}/files/job/booth_tags.bloom.$$: valid, %s
80,000 of 80,001 keys might be contained, 1 is certainly absent
-- a damaged blob: 65
bloom: %s: 50000 bytes instead of %d: the length does not match the head
-- no previous blob, many keys: 0
capacity 162500, %d chunks in the store
-- a filter without a journal does not get keys: 73
bloom: booth_tags: the published version does not follow the journal, %a
-- the first one with a journal: 0
-- a journal, but another job writes the keys: 73
bloom: booth_tags: the filter has a journal, but the blob has no mark, %a
