--TEST--
bloom nightly handles a first night, later nights, and nights with failures, after which nothing is published
--DESCRIPTION--
fault: night-fails, no-mark
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
use Bloom\{Blob, Builder, DirectoryStore};

$cli = new Cli();
mkdir("$cli->files/store");
$store = new DirectoryStore("$cli->files/store");
$published = static fn (): Bloom\BlobInfo => Blob::fetch($store, 'tags')->info();
$head = static fn (): ?string => @file_get_contents("$cli->files/store/tags") ?: null;
/** Runs the command. Checks that it published a new version if it succeeded, and that it changed nothing if it failed. */
$night = static function (string $what, string $arguments) use ($cli, $head): void {
    $before = $head();
    $result = $cli->shell("bloom nightly $arguments");
    echo "-- $what: $result->code\n", strtr($result->output . $result->errors, [$cli->directory => '{dir}']);
    check(($head() !== $before) === ($result->code === 0), 'a new version, or none');
};

$cli->writeKeys('keys', 1, 80_000);
$night('the first', 'tags ./store keys');
$first = $published();
check(abs($first->capacity - 100_000) < 1_000, "room for a quarter more keys: $first->capacity");
$blob = Blob::fetch($store, 'tags');
for ($new = 'new'; $blob->mightContain($new);) { // such a key would change no chunk
    $new .= '!';
}
file_put_contents("$cli->files/keys", "$new\n", FILE_APPEND);
$night('the second', 'tags ./store keys');
$second = $published();
check([$second->seed, $second->capacity] === [$first->seed, $first->capacity], 'the same seed and layout');
$night('with a command, and a command with options', 'tags ./store -- grep -v --line-regexp new keys');
$cli->writeKeys('keys', 1, 130_000);
$night('the keys have outgrown the capacity', 'tags ./store keys');
$grown = $published();
check($grown->seed === $first->seed && $grown->measuredFalsePositiveRate < 0.01, 'the same seed and rate');
check($cli->run(['check', 'store/tags', 'keys'])->code !== 0, 'the head alone is no blob');
$night('JSON', '--format=json tags ./store keys | grep -o \'"capacity":[0-9]*,\' | sed "s/[0-9][0-9]*/N/"');
$night('another rate', '--rate=0.1% tags ./store keys');
check($published()->falsePositiveRate === 0.001, 'the rate');

$night('a command that fails after its last key', "tags ./store -- sh -c 'cat keys; exit 3'");
$night('a command that is killed', "tags ./store -- sh -c 'head -n 129999 keys; kill -9 $$'");
$night('a command that does not exist', 'tags ./store -- no-such-command');
$night('a command that is not executable', 'tags ./store -- ./keys');
$night('a shell that does not find its command', "tags ./store -- sh -c 'no-such-command 2>/dev/null'");
$night('a command that fails when the filter grows', "tags ./store -- sh -c 'test ! -e once || exit 3; touch once; seq 1 400000'");
$night('no keys', 'tags ./store -- true');
$cli->writeKeys('short', 1, 80_000);
$night('far fewer keys', 'tags ./store short');
$night('far fewer keys, which is right', '--max-fall=50% tags ./store short');
$night('no file', 'tags ./store missing');
$night('a pipe', 'tags ./store - < short');
$night('two files', 'tags ./store short short');
$night('no store', 'tags ./missing short');
$cli->shell('gzip -k short');
$night('a compressed file', 'tags ./store short.gz');
$night('a compressed list', 'tags ./store -- cat short.gz');
$night('a line of more than 1 MiB', 'tags ./store -- head -c 3000000 /dev/zero');
$night('a wrong value', '--settle=2d tags ./store short');

$chunk = glob("$cli->files/store/tags:chunks/*/*")[0];
$cli->shell("for chunk in store/tags:chunks/*/*; do rm -f \$chunk; done");
$night('the published version is damaged', 'tags ./store short');
$night('the same, with --fresh', '--fresh tags ./store short');
check($published()->seed !== $first->seed, 'another seed');

check($published()->mark === null, 'no mark without a journal');
$cli->run(['mark', 'tags', 'store']);
$night('a journal, and a file that was written before the mark', 'tags ./store short');
$cli->run(['add', 'tags', 'store', 'before']);
$night('a journal', "--settle=0 tags ./store -- sh -c 'bloom add --quiet tags ./store during; cat short'");
$kinds = array_map(static fn (string $record): int => unpack('V', $record, 8)[1], array_values(
    $store->read(['tags:journal' => $published()->mark], 1 << 20)['tags:journal']));
check($kinds === [1, 2], 'the key that was added while the keys were read is after the mark, then the notice');
$waited = $cli->shell('bloom nightly --progress --settle=1 tags ./store -- cat short')->errors;
check(preg_match('~^ *settling +0% .*\b1 sec\b~m', $waited) === 1 && preg_match('/^ *settling 100% /m', $waited) === 1, $waited);
check(!str_contains($cli->shell('bloom nightly --progress --settle=0 tags ./store -- cat short')->errors, 'settling'), 'no wait');
?>
--EXPECTF--
-- the first: 0
tags: about %d,%d keys, %d KiB, %f % false positives, sized for %d,%d keys; published, 2 of 2 chunks written, %d KiB
-- the second: 0
tags: about %d,%d keys, %d KiB, %f % false positives, sized for %d,%d keys; published, 1 of 2 chunks written, %d KiB
-- with a command, and a command with options: 0
tags: about %d,%d keys, %d KiB, %f % false positives, sized for %d,%d keys; published, %d of 2 chunks written, %d KiB
-- the keys have outgrown the capacity: 0
tags: about 1%d,%d keys, %d KiB, %f % false positives, sized for 16%d,%d keys; published, %d of %d chunks written, %d KiB
-- JSON: 0
"capacity":N,
-- another rate: 0
tags: about 1%d,%d keys, %d KiB, 0.0%d % false positives, sized for 16%d,%d keys; published, %d of %d chunks written, %d KiB
-- a command that fails after its last key: 74
bloom: COMMAND: sh failed with exit code 3, so nothing is published
-- a command that is killed: 74
bloom: COMMAND: sh was killed by signal 9, so nothing is published
-- a command that does not exist: 66
%Abloom: COMMAND: no-such-command cannot be started%S, so nothing is published
-- a command that is not executable: 66
%Abloom: COMMAND: ./keys cannot be started%S, so nothing is published
-- a shell that does not find its command: 66
bloom: COMMAND: sh cannot be started, or a program that it starts was not found (exit code 127), so nothing is published
-- a command that fails when the filter grows: 74
bloom: COMMAND: sh failed with exit code 3, so nothing is published
-- no keys: 66
bloom: tags: there are no keys, and an empty filter answers "definitely not" to everything; if that is right, allow a fall of 100 % (--max-fall)
-- far fewer keys: 66
bloom: tags: about %d,%d keys are 3%d % fewer than the 1%d,%d of the published version, but they may fall by at most 20 %; if that is right, allow a larger fall once (--max-fall)
-- far fewer keys, which is right: 0
tags: about %d,%d keys, %d KiB, 0.0%d % false positives, sized for 16%d,%d keys; published, %d of %d chunks written, %d KiB
-- no file: 66
bloom: missing: no such file
-- a pipe: 64
bloom: KEYS: standard input is not a regular file, and the keys may have to be read twice: write bloom nightly NAME STORE -- COMMAND
-- two files: 64
bloom: KEYS: give one file, or a command after --: write bloom nightly NAME STORE (FILE | -- COMMAND...)
-- no store: 66
bloom: %s
-- a compressed file: 65
bloom: short.gz: is compressed (gzip), so its lines are not keys: use bloom nightly NAME STORE -- gzip -dc short.gz (--force reads it as it is)
-- a compressed list: 65
bloom: the output of COMMAND is compressed (gzip), so its lines are not keys: pipe it through gzip -dc (--force reads it as it is)
-- a line of more than 1 MiB: 65
bloom: the output of COMMAND: line 1: a line can be at most 1,048,576 bytes long (end each key with LF)
-- a wrong value: 64
bloom: --settle must be between 0 and 86,400 seconds, not "2d"
-- the published version is damaged: 75
bloom: %s: missing from the store; if the published version is damaged, --fresh builds without it
-- the same, with --fresh: 0
tags: about %d,%d keys, %d KiB, %f % false positives, sized for %d,%d keys; published, %d of %d chunks written, %d KiB
-- a journal, and a file that was written before the mark: 73
bloom: tags: the filter has a journal, so its keys must be read after the mark: write bloom nightly tags STORE -- COMMAND
-- a journal: 0
tags: about %d,%d keys, %d KiB, %f % false positives, sized for %d,%d keys; published, %d of %d chunks written, %d KiB
