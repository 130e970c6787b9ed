--TEST--
A filter that is built with --fold finds what the database treats as equal, and build --like and add fold in the same way
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

$cli = new Cli();
mkdir("$cli->files/store");
mkdir("$cli->files/other");
$cli->write('names', "José\nStraße\n42");
$source = fn (string $blob): string => Bloom\Blob::open("$cli->files/$blob")->info()->source;

$cli->run(['build', '--fold=mysql', '--source=users', 'a.bloom', 'names', '--capacity=1000', '--rate=1e-9']);
$cli->show(['check', '--print=each', 'a.bloom', '-'], "jose \nSTRASSE\n４２\nJos\n");
echo $source('a.bloom'), "\n";

// --like keeps the fold and the text after it.
$cli->run(['build', '--like=a.bloom', 'b.bloom', 'names']);
$cli->run(['build', '--like=a.bloom', '--source=other', 'c.bloom', 'names']);
$cli->run(['build', 'plain.bloom', 'names', '--source=users']);
$cli->run(['build', '--like=plain.bloom', '--fold=mysql/1', 'd.bloom', 'names']);
foreach (['b', 'c', 'd'] as $blob) {
    echo $source("$blob.bloom"), ' ', $cli->run(['check', '--print=candidates', "$blob.bloom", '-'], "JOSE\n")->output;
}
// Without a fold, the keys are bytes.
$cli->show(['check', 'plain.bloom', '-', '-q'], "JOSE\n");

// add folds as the published version does.
$mark = trim($cli->run(['mark', 'users', 'store'])->output);
$cli->run(['add', 'users', 'store', 'Ærø']); // nothing is published yet, so the key stays as it is
$cli->run(['add', '--fold=mysql', 'users', 'store', 'Ærøskøbing']);
$cli->run(['build', '--like=a.bloom', "--mark=$mark", 'users.bloom', 'names']);
$cli->run(['publish', 'users', 'users.bloom', 'store']);
$cli->run(['add', 'users', 'store', 'Ångström']);
$cli->run(['add', 'users', 'store'], "Łódź\n");
preg_match_all('/Ærø|aeroskobing|angstrom|lodz/', file_get_contents("$cli->files/store/users:journal"), $found);
echo implode(' ', $found[0]), "\n";

// A client without a character set prints latin1.
$cli->write('latin1', "Ann\nJos\xE9");
$cli->show(['build', '--fold=mysql', 'x.bloom', 'latin1']);
$cli->show(['nightly', 'users', 'other', '--fold=mysql', 'latin1']);
$cli->show(['check', 'a.bloom', 'latin1']);
$cli->show(['add', 'users', 'store'], "Jos\xE9\n");

$cli->show(['build', '--fold=ascii', 'x.bloom', 'names']);
$cli->show(['build', '--fold=mysql', '--digests', 'x.bloom', 'names']);
$cli->show(['build', '--like=a.bloom', '--digests', 'x.bloom', 'names']);
$cli->show(['build', '--source=users fold=mysql/1', 'x.bloom', 'names']);
(new Bloom\Builder(100, source: 'fold=mysql/9'))->build()->save("$cli->files/unknown.bloom");
$cli->show(['build', '--like=unknown.bloom', 'x.bloom', 'names']);
?>
--EXPECT--
$ bloom check --print=each a.bloom -
maybe	jose 
maybe	STRASSE
maybe	４２
absent	Jos
exit 1
fold=mysql/1 users
fold=mysql/1 users JOSE
fold=mysql/1 other JOSE
fold=mysql/1 users JOSE
$ bloom check plain.bloom - -q
exit 1
Ærø aeroskobing angstrom lodz
$ bloom build --fold=mysql x.bloom latin1
bloom: latin1: The key "jos?" is not UTF-8, so it cannot be folded: read it on a connection, or with a client, whose character set is utf8mb4
exit 65
$ bloom nightly users other --fold=mysql latin1
bloom: users: The key "jos?" is not UTF-8, so it cannot be folded: read it on a connection, or with a client, whose character set is utf8mb4
exit 65
$ bloom check a.bloom latin1
bloom: latin1: The key "jos?" is not UTF-8, so it cannot be folded: read it on a connection, or with a client, whose character set is utf8mb4
exit 65
$ bloom add users store
bloom: KEYS: The key "jos?" is not UTF-8, so it cannot be folded: read it on a connection, or with a client, whose character set is utf8mb4
exit 65
$ bloom build --fold=ascii x.bloom names
bloom: --fold: There is no fold "ascii", only "mysql"
exit 64
$ bloom build --fold=mysql --digests x.bloom names
bloom: --fold: a digest cannot be folded, so leave out --digests
exit 64
$ bloom build --like=a.bloom --digests x.bloom names
bloom: --like: the keys of a.bloom are folded, but digests cannot be: leave out --digests
exit 64
$ bloom build --source=users fold=mysql/1 x.bloom names
bloom: --source: "fold=" names the fold of the keys: write --fold=mysql instead, which also folds them
exit 64
$ bloom build --like=unknown.bloom x.bloom names
bloom: --like: unknown.bloom: the source says fold=mysql/9, which this version does not know, so keys cannot be folded
exit 65
