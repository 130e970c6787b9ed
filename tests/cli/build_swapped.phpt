--TEST--
Swapped arguments destroy no file: build replaces only blobs and does not accept a blob as a key file
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
$cli->writeKeys('keys', 1, 1000);
$cli->write('empty', '');
$cli->write('short', "\x89");
link("$cli->files/keys", "$cli->files/other-name");
symlink('keys', "$cli->files/link");
$cli->show('bloom build --seed=1 --quiet keys.bloom keys; cp keys.bloom yesterday.bloom');
$before = md5_file("$cli->files/keys");

$cli->show(['build', '--capacity=1000', 'keys', 'keys.bloom']);
$cli->show(['build', '--capacity=1000', 'keys', 'missing.bloom']);
foreach (['keys', 'other-name', 'link', 'short'] as $output) {
    $cli->show(['build', $output, 'keys']);
}
$cli->show('bloom build --capacity=1000 keys < keys');
$cli->show(['build', 'keys.bloom', 'keys', 'keys.bloom']);
$cli->show('cat keys.bloom | bloom build --capacity=1000 new.bloom');
$cli->show('bloom build --capacity=1000 new.bloom < keys.bloom');
$cli->show('bloom build --capacity=1000 new.bloom php://filter/resource=keys.bloom');
$cli->show(['check', 'keys.bloom', 'yesterday.bloom']);
$cli->show(['check', 'keys', 'keys.bloom']);

$cli->write('make.php', '<?php Bloom\LiveFilter::create("live", 1000, seed: 1)->add("key");');
$cli->install('bloom-make', "-d bloom.path=$cli->segment -d auto_prepend_file=$cli->files/make.php", ['bloom']);
$cli->shell('bloom-make list -q');
unlink("$cli->files/make.php");
$cli->show(['export', 'live', 'keys']);
$cli->show(['sign', 'live', 'keys']);
$cli->show(['sign', 'live', 'keys.bloom', 'keys']);
check(md5_file("$cli->files/keys") === $before && is_link("$cli->files/link"), 'the key file is unchanged');
check(md5_file("$cli->files/keys.bloom") === md5_file("$cli->files/yesterday.bloom"), 'the blob is unchanged');
echo $cli->names(), "\n";

// An empty file and an existing blob are replaced.
foreach (['empty', 'yesterday.bloom', 'new.bloom'] as $output) {
    $cli->show(['build', '--seed=1', '--quiet', $output, 'keys']);
}
$cli->show(['export', '--quiet', 'live', 'empty']);
?>
--EXPECT--
$ bloom build --seed=1 --quiet keys.bloom keys; cp keys.bloom yesterday.bloom
exit 0
$ bloom build --capacity=1000 keys keys.bloom
bloom: OUTPUT comes first: keys exists and is not a blob, so it is not replaced; write bloom build OUTPUT [KEYS...], such as bloom build keys.bloom keys
exit 64
$ bloom build --capacity=1000 keys missing.bloom
bloom: OUTPUT comes first: keys exists and is not a blob, so it is not replaced; write bloom build OUTPUT [KEYS...], such as bloom build keys.bloom keys
exit 64
$ bloom build keys keys
bloom: OUTPUT comes first: keys exists and is not a blob, so it is not replaced; write bloom build OUTPUT [KEYS...], such as bloom build keys.bloom keys
exit 64
$ bloom build other-name keys
bloom: OUTPUT comes first: other-name exists and is not a blob, so it is not replaced; write bloom build OUTPUT [KEYS...], such as bloom build other-name.bloom other-name
exit 64
$ bloom build link keys
bloom: OUTPUT comes first: link exists and is not a blob, so it is not replaced; write bloom build OUTPUT [KEYS...], such as bloom build link.bloom link
exit 64
$ bloom build short keys
bloom: OUTPUT comes first: short exists and is not a blob, so it is not replaced; write bloom build OUTPUT [KEYS...], such as bloom build short.bloom short
exit 64
$ bloom build --capacity=1000 keys < keys
bloom: OUTPUT comes first: keys exists and is not a blob, so it is not replaced; write bloom build OUTPUT [KEYS...], such as bloom build keys.bloom keys
exit 64
$ bloom build keys.bloom keys keys.bloom
bloom: KEYS: keys.bloom is a blob, not a key file (the first argument is the blob)
exit 64
$ cat keys.bloom | bloom build --capacity=1000 new.bloom
bloom: KEYS: standard input is a blob, not a key file (the first argument is the blob)
exit 64
$ bloom build --capacity=1000 new.bloom < keys.bloom
bloom: KEYS: standard input is a blob, not a key file (the first argument is the blob)
exit 64
$ bloom build --capacity=1000 new.bloom php://filter/resource=keys.bloom
bloom: KEYS: php://filter/resource=keys.bloom is a blob, not a key file (the first argument is the blob)
exit 64
$ bloom check keys.bloom yesterday.bloom
bloom: KEYS: yesterday.bloom is a blob, not a key file (the first argument is the blob)
exit 64
$ bloom check keys keys.bloom
bloom: KEYS: keys.bloom is a blob, not a key file (the first argument is the blob)
exit 64
$ bloom export live keys
bloom: OUTPUT keys: exists and is not a blob, so it is not replaced: choose another name, or delete the file
exit 64
$ bloom sign live keys
bloom: keys: not a blob (bloom build makes one from lists of keys)
exit 65
$ bloom sign live keys.bloom keys
bloom: OUTPUT keys: exists and is not a blob, so it is not replaced: choose another name, or delete the file
exit 64
empty keys keys.bloom link other-name short yesterday.bloom
$ bloom build --seed=1 --quiet empty keys
exit 0
$ bloom build --seed=1 --quiet yesterday.bloom keys
exit 0
$ bloom build --seed=1 --quiet new.bloom keys
exit 0
$ bloom export --quiet live empty
exit 0
