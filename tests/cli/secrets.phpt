--TEST--
The command line builds, signs, shows and loads keyed and signed blobs
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
ob_start();
(new ReflectionExtension('bloom'))->info();
if (str_contains(ob_get_clean(), 'libsodium => none')) {
    echo 'skip bloom was built without libsodium';
}
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

/** Installs a command line with settings that name the files of secrets and signing keys. */
function with(Cli $cli, string $name, array $settings): void
{
    $text = "-d bloom.path=$cli->segment";
    foreach ($settings as $setting => $file) {
        $text .= " -d $setting=$cli->files/$file";
    }
    $cli->install($name, $text, ['bloom']);
}

$cli = new Cli();
mkdir("$cli->files/store");
foreach (['secrets', 'keys'] as $file) {
    $cli->write($file, hash('sha256', $file) . "\n");
    chmod("$cli->files/$file", 0600);
}
with($cli, 'both', ['bloom.secret_file' => 'secrets', 'bloom.signing_key_file' => 'keys']);
with($cli, 'neither', []);
$cli->writeKeys('tags', 1, 20_000);

$cli->show('both build --keyed --seed=1 --quiet tags.bloom tags; both info tags.bloom | grep keyed');
$cli->show('neither build --keyed plain.bloom tags');
$cli->show('neither check tags.bloom tags');
$cli->show('both check --quiet tags.bloom tags');
$cli->show('both load tags tags.bloom');
$cli->show('both sign tags tags.bloom; both info tags.bloom | grep signed');
$cli->show('neither sign tags tags.bloom');
$cli->show('both publish other tags.bloom store');
$cli->show('both publish --quiet tags tags.bloom store');
$cli->show('both sync --quiet tags store; both info --filter tags | grep signed');
$cli->show('cat tags.bloom | both sign other - other.bloom; both sign other - - <tags.bloom | cmp - other.bloom');
$cli->show('both build --like tags.bloom --sign=tags --quiet tags.bloom tags; both load --quiet tags tags.bloom');

// Without the secret, only the keyed filter cannot be opened.
$cli->shell('both build --quiet --seed=1 --sign=plain --capacity=20000 plain.bloom tags; both load plain plain.bloom');
$cli->show('neither list | cut -c 1-13');
[$plain, $tags] = $cli->shell('neither list --format=json')->json();
check($plain['name'] === 'plain' && $plain['keyedBy'] === null && $plain['keys'] > 19_000, 'the row of the plain filter');
echo implode(' ', array_keys($tags)), " $tags[keyedBy]\n";
$cli->show('neither health tags plain');

// If a keyed and signed blob is rebuilt, chunks without changed keys keep their names.
$before = $cli->shell('both build --seed=1 --keyed --sign=tags --chunk-bytes=8K --source=x a.bloom tags');
$cli->shell("sed 's/^777$/new/' tags > changed");
$cli->shell('both build --like a.bloom --sign=tags b.bloom changed');
mkdir("$cli->files/second");
$cli->shell('both publish tags a.bloom second');
$written = $cli->wait($cli->start(["$cli->directory/bin/both", 'publish', '--format=json', 'tags', 'b.bloom', 'second'], ''))->json();
check($written['chunks'] > 2 && $written['chunksWritten'] <= 2, "{$written['chunksWritten']} of {$written['chunks']}");
?>
--EXPECTF--
$ both build --keyed --seed=1 --quiet tags.bloom tags; both info tags.bloom | grep keyed
keyed            SipHash-2-4, with secret 9cfde77b79a44603
exit 0
$ neither build --keyed plain.bloom tags
bloom: no secret is configured (set bloom.secret_file; openssl rand -hex 32 makes a secret)
exit 77
$ neither check tags.bloom tags
bloom: fingerprint 9cfde77b79a44603: the filter is keyed with a secret that is not configured (add it to bloom.secret_file)
exit 77
$ both check --quiet tags.bloom tags
exit 0
$ both load tags tags.bloom
bloom: tags: the blob is not signed, but signing keys are configured (sign it, or unset bloom.signing_key_file)
exit 77
$ both sign tags tags.bloom; both info tags.bloom | grep signed
tags.bloom: signed for tags by d4f4ce34eed4f43f
signed           by d4f4ce34eed4f43f (not verified here)
exit 0
$ neither sign tags tags.bloom
bloom: no signing key is configured (set bloom.signing_key_file; openssl rand -hex 32 makes a key)
exit 77
$ both publish other tags.bloom store
bloom: other: the signature does not match: the head was altered, or signed for a different name
exit 77
$ both publish --quiet tags tags.bloom store
exit 0
$ both sync --quiet tags store; both info --filter tags | grep signed
signed           by d4f4ce34eed4f43f (not verified here)
exit 0
$ cat tags.bloom | both sign other - other.bloom; both sign other - - <tags.bloom | cmp - other.bloom
other.bloom: signed for other by d4f4ce34eed4f43f
exit 0
$ both build --like tags.bloom --sign=tags --quiet tags.bloom tags; both load --quiet tags tags.bloom
exit 0
$ neither list | cut -c 1-13
NAME   KIND  
plain  loaded
tags   ?     
{dir}/segment/tags: fingerprint 9cfde77b79a44603: the filter is keyed with a secret that is not configured (add it to bloom.secret_file)
exit 0
name keyedBy error 9cfde77b79a44603
$ neither health tags plain
tags: CRITICAL: {dir}/segment/tags: fingerprint 9cfde77b79a44603: the filter is keyed with a secret that is not configured (add it to bloom.secret_file)
plain: OK: loaded, generation 1, built %s ago
exit 2
