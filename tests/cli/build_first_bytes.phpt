--TEST--
Lists of keys that are compressed or in UTF-16 are refused unless --force is given, and odd ones are reported with the remedy
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
require dirname(__DIR__, 2) . '/packages/cli/src/KeyEncoding.php';
require dirname(__DIR__, 2) . '/packages/cli/src/Text.php';
use Bloom\Cli\KeyEncoding;

$cli = new Cli();
mkdir("$cli->files/store");
$cli->write('good.txt', "cat\nbird\n");
$cli->show(['build', '--seed=1', 'good.bloom', 'good.txt']);
$good = file_get_contents("$cli->files/good.bloom");
$little = fn (string $text, int $zeros = 1): string => implode(str_repeat("\0", $zeros), str_split($text)) . str_repeat("\0", $zeros);
$big = fn (string $text): string => "\0" . implode("\0", str_split($text));
foreach ([
    'gzip' => hex2bin('1f8b08000000000002034b4e2ce14aca2c4ae1020093b9f73509000000'), 'old' => "\x1f\x9d\x90c", 'bzip2' => "BZh91AY&SY...", 'xz' => "\xfd7zXZ\0\0\4", 'zstd' => "\x28\xb5\x2f\xfd...",
    'lz4' => "\x04\x22\x4d\x18...", 'zip' => "PK\x03\x04...", 'UTF-16' => "\xff\xfe" . $little("cat\n"),
    'UTF-16 BE' => "\xfe\xff" . $big("cat\n"), 'LE' => $little("cat\r\nbird\r\n"), 'BE' => $big("c\n"),
    'wider' => "\xff\xfe\0\0" . $little("cat\n", 3),
] as $name => $bytes) {
    [$what, $converter] = KeyEncoding::refusal($bytes) ?? ['is accepted', ''];
    echo "$name: $what: $converter\n";
    check(KeyEncoding::refusal(substr($bytes, 0, 8)) === [$what, $converter], "$name: the first eight bytes suffice");
    // One form of each converter is given to the commands.
    if (!in_array($name, ['gzip', 'UTF-16 BE'], true)) {
        continue;
    }
    $cli->write($name, $bytes);
    // The good blob is not replaced, whether the input is a file or a pipe, and whether it comes first or last.
    foreach ([['build', 'good.bloom', $name], ['build', 'good.bloom', 'good.txt', $name], ['check', 'good.bloom', $name]] as $command) {
        $result = $cli->run($command);
        check($result->code === 65 && $result->output === '', "$name: $command[0]: $result->errors");
    }
    echo $result->errors;
    foreach (['bloom build --capacity=9 good.bloom', 'bloom build --like good.bloom good.bloom -', 'bloom check good.bloom -',
        'bloom check --print=absent good.bloom -', 'bloom add tags store'] as $command) {
        $result = $cli->shell("$command < '$name'");
        check($result->code === 65 && $result->output === '', "$name: $command: $result->code $result->errors");
        $result = $cli->shell("cat '$name' | $command");
        check($result->code === 65 && $result->output === '', "$name: $command of a pipe: $result->code $result->errors");
    }
    echo $result->errors;
    check($good === file_get_contents("$cli->files/good.bloom") && scandir("$cli->files/store") === ['.', '..'], "$name: nothing was changed");
    $result = $cli->run(['build', '--seed=1', '--force', 'forced.bloom', $name]);
    check($result->code === 0 && str_ends_with($result->errors, "but is read as keys because of --force\n"), $result->errors);
    check($cli->run(['check', '--force', 'forced.bloom', $name])->code === 0, "$name: --force adds all lines unchanged");
}
check($cli->run(['build', 'good.bloom', 'gzip', '--format=json'])->code === 65, 'JSON');
check($cli->shell('gzip -dc gzip | bloom build --seed=1 --capacity=2 good.bloom')->code === 0, 'the remedy');
check($cli->run(['check', 'good.bloom', 'good.txt'])->code === 0, 'the keys of the compressed file');

// These are lists of keys, although odd ones.
foreach (['marked' => "\xef\xbb\xbfねこ\nとり\n", 'mac' => "cat\rbird\r", 'zeros' => "cat\0bird\0", 'late' => "cat\nbi\0rd\n",
    'long' => str_repeat('cat,', 1025), 'joined' => "\xef\xbb\xbfcat\nbird\n\xef\xbb\xbfdog\n", 'both' => "\xef\xbb\xbfcat\rbird"] as $name => $bytes) {
    foreach (KeyEncoding::oddities($bytes) as [$what, $converter]) {
        echo "$name: $what: $converter\n";
    }
    check(KeyEncoding::refusal($bytes) === null, "$name is not refused");
    if (!in_array($name, ['mac', 'both'], true)) {
        continue;
    }
    $cli->write($name, $bytes);
    $file = $cli->run(['build', '--seed=1', 'a.bloom', $name]);
    echo $file->errors;
    $pipe = $cli->shell("cat $name | bloom build --seed=1 --capacity=10 -q b.bloom");
    check($pipe->errors !== '' && $pipe->output === '', "$name: -q prints the warning");
    check($file->code === 0 && $pipe->code === 0, "$name: only a warning");
    $result = $cli->run(['check', 'b.bloom', $name]);
    check($result->code === 0 && str_contains($result->errors, "bloom: warning: $name: "), "$name: check warns, too: $result->errors");
    $result = $cli->shell("bloom add tags store < $name");
    check($result->code === 0 && str_contains($result->errors, 'bloom: warning: standard input: '), "$name: add warns, too: $result->errors");
}
echo $result->errors;
foreach (['plain' => "ねこ\nとり\n", 'windows' => "cat\r\nbird\r\n", 'one' => 'cat', 'short' => "\xef", 'end' => "cat\r", 'letters' => "BZh\nPK\n",
    'lines' => str_repeat("cat\n", 20_000), 'long enough' => str_repeat('c', 4096) . "\n"] as $name => $bytes) {
    check(KeyEncoding::refusal($bytes) === null && KeyEncoding::oddities($bytes) === [], "$name is an ordinary list");
}
$cli->write('plain', "ねこ\nとり\n");
$result = $cli->run(['build', '--capacity=9', 'a.bloom', 'plain']);
check($result->code === 0 && $result->errors === '', "plain: $result->errors");
// The input is a pipe that delivers single bytes, and then a pipe that delivers 200,000 lines.
$cli->show('(printf "\357"; sleep 0.1; printf "\273"; sleep 0.1; printf "\277x\n") | bloom build --capacity=10 c.bloom');
$cli->show('(printf "\037"; sleep 0.1; printf "\213"; sleep 0.1; printf "\010\n") | bloom build --capacity=10 c.bloom');
$cli->show('seq 1 200000 | bloom build --seed=1 --capacity=200000 -q c.bloom && seq 1 200000 | bloom check c.bloom - | tail -n 1');
?>
--EXPECT--
$ bloom build --seed=1 good.bloom good.txt
good.bloom: 2 keys, 5 KiB, 0.0244 % false positives, 2 lines added
exit 0
gzip: is compressed (gzip): gzip -dc
bloom: gzip: is compressed (gzip), so its lines are not keys: use gzip -dc gzip | bloom check BLOB - (--force reads it as it is)
bloom: standard input: is compressed (gzip), so its lines are not keys: use ... | gzip -dc | bloom add NAME STORE (--force reads it as it is)
old: is compressed (compress): gzip -dc
bzip2: is compressed (bzip2): bzip2 -dc
xz: is compressed (XZ): xz -dc
zstd: is compressed (Zstandard): zstd -dc
lz4: is compressed (LZ4): lz4 -dc
zip: is compressed (ZIP): funzip
UTF-16: is UTF-16: iconv -f UTF-16 -t UTF-8
UTF-16 BE: is UTF-16: iconv -f UTF-16 -t UTF-8
bloom: UTF-16 BE: is UTF-16, so its lines are not keys: use iconv -f UTF-16 -t UTF-8 'UTF-16 BE' | bloom check BLOB - (--force reads it as it is)
bloom: standard input: is UTF-16, so its lines are not keys: use ... | iconv -f UTF-16 -t UTF-8 | bloom add NAME STORE (--force reads it as it is)
LE: looks like UTF-16: iconv -f UTF-16LE -t UTF-8
BE: looks like UTF-16: iconv -f UTF-16BE -t UTF-8
wider: is UTF-32: iconv -f UTF-32 -t UTF-8
marked: begins with a byte order mark, which becomes part of the first key: tail -c +4
mac: has lines that end with CR only, so all of them are one key: tr '\r' '\n'
bloom: warning: mac: has lines that end with CR only, so all of them are one key: use tr '\r' '\n' < mac | bloom build --capacity N OUTPUT
zeros: contains zero bytes, which become part of the keys; if they separate the keys: tr '\0' '\n'
late: contains zero bytes, which become part of the keys; if they separate the keys: tr '\0' '\n'
long: begins with a line of more than 4,096 bytes, which is one key; if commas separate the keys: tr ',' '\n'
joined: has byte order marks in front of several lines, which become part of the keys: sed 's/^\xef\xbb\xbf//'
both: begins with a byte order mark, which becomes part of the first key: tail -c +4
both: has lines that end with CR only, so all of them are one key: tr '\r' '\n'
bloom: warning: both: begins with a byte order mark, which becomes part of the first key: use tail -c +4 both | bloom build --capacity N OUTPUT
bloom: warning: both: has lines that end with CR only, so all of them are one key: use tr '\r' '\n' < both | bloom build --capacity N OUTPUT
bloom: warning: standard input: begins with a byte order mark, which becomes part of the first key: use ... | tail -c +4 | bloom add NAME STORE
bloom: warning: standard input: has lines that end with CR only, so all of them are one key: use ... | tr '\r' '\n' | bloom add NAME STORE
bloom: warning: tags: nothing is published under this name yet, so no host finds the keys until a version with a mark is published (is NAME misspelled?)
$ (printf "\357"; sleep 0.1; printf "\273"; sleep 0.1; printf "\277x\n") | bloom build --capacity=10 c.bloom
c.bloom: 1 key, 5 KiB, 0.0122 % false positives, 1 line added
bloom: warning: standard input: begins with a byte order mark, which becomes part of the first key: use ... | tail -c +4 | bloom build --capacity N OUTPUT
exit 0
$ (printf "\037"; sleep 0.1; printf "\213"; sleep 0.1; printf "\010\n") | bloom build --capacity=10 c.bloom
bloom: standard input: is compressed (gzip), so its lines are not keys: use ... | gzip -dc | bloom build --capacity N OUTPUT (--force reads it as it is)
exit 65
$ seq 1 200000 | bloom build --seed=1 --capacity=200000 -q c.bloom && seq 1 200000 | bloom check c.bloom - | tail -n 1
200,000 of 200,000 keys might be contained, 0 are definitely absent
exit 0
