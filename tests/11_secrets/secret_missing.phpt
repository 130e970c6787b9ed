--TEST--
Without its secret, a keyed filter is recognized and gives no wrong answer
--DESCRIPTION--
fault: unknown-secret
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-secret_missing
bloom.secret_file={TMP}/bloom-secret_missing.d/secrets
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';

use Bloom\{Blob, Builder, Filter, LiveFilter};

ring('secrets', 'current');
$path = own_file('tags.bloom');
$builder = new Builder(100, keyed: true, seed: 1);
$builder->addMany(range(1, 100));
$blob = $builder->build();
$blob->save($path);
Filter::load('tags', $blob);
LiveFilter::create('live', 100, keyed: true);

/** Runs code in a process with a different secret file, and returns its output. */
function elsewhere(string $ring, string $code): string
{
    $code = 'require ' . var_export(dirname(__DIR__) . '/lib/secrets.inc', true) . ';'
        . 'use Bloom\{Blob, Builder, DirectoryStore, Filter, LiveFilter};' . $code;
    return run($code, ['bloom.secret_file' => $ring]) . "\n";
}

$other = ring('other', 'other');
$file = var_export($path, true);
foreach (['' => 'no ring', $other => 'another ring'] as $setting => $what) {
    echo "-- $what\n", elsewhere($setting, '
        $blob = Blob::open(' . $file . ');
        $blob->save(own_file("copy.bloom"));
        mkdir(own_file("store"), 0700);
        $blob->publish(new DirectoryStore(own_file("store")), "new");
        echo md5_file(own_file("copy.bloom")) === md5_file(' . $file . ') ? "opened, saved and published\n" : "";
        echo refused(fn () => $blob->mightContain(1)), "\n";
        echo refused(fn () => Filter::load("new", $blob)), "\n";
        echo refused(fn () => Filter::sync("new", new DirectoryStore(own_file("store")), 0)), "\n";
        echo refused(fn () => Filter::attach("new", new DirectoryStore(own_file("store")), 100000)), "\n";
        echo refused(fn () => Filter::open("tags")), "\n";
        echo refused(fn () => Filter::open("live")), "\n";
        echo refused(fn () => LiveFilter::import("new", $blob)), "\n";
        remove_tree(own_file("store"));
        check(Filter::list() === ["live", "tags"], "no filter was made");');
}
echo "-- none is configured\n", elsewhere('', '
    echo refused(fn () => new Builder(10, keyed: true)), "\n";
    echo refused(fn () => LiveFilter::create("new", 10, keyed: true)), "\n";
    echo refused(fn () => (new Builder(10))->build()->sign("tags")), "\n";
    $builder = new Builder(10, secret: secret("given"));
    $builder->add("key");
    echo $builder->build()->mightContain("key") ? "a given one is used, and remembered by the blob\n" : "";');

echo "-- files\n";
chmod($other, 0644);
echo elsewhere($other, 'echo refused(fn () => new Builder(10, keyed: true)), "\n", (new Builder(10))->build()->info()->digest;');
file_put_contents($other, "00112233\n");
chmod($other, 0600);
echo elsewhere($other, 'echo refused(fn () => new Builder(10, keyed: true)), "\n"; check(count(Filter::list()) === 2, "list");');
echo elsewhere("$other.not", 'echo refused(fn () => new Builder(10, keyed: true));');
echo elsewhere('secrets', 'echo refused(fn () => new Builder(10, keyed: true));');

echo "-- a reader that is attached when a keyed version comes\n";
Filter::load('switch', blob_of(range(1, 100)));
$reader = new Child('
    $filter = Bloom\Filter::open("switch");
    echo $filter->mightContain("absent") ? "maybe\n" : "no\n";
    fgets(STDIN);
    echo $filter->mightContain("absent") ? "maybe\n" : "no\n";
    echo count($filter->candidates(keys("absent", 50))), "\n";', ['bloom.secret_file' => '']);
echo $reader->hear(), "\n";
Filter::load('switch', $blob);
$reader->say('go on');
echo $reader->hear(), "\n", $reader->hear(), "\n", $reader->end();

echo "-- arguments\n";
echo refused(fn () => new Builder(10, secret: 'short')), "\n";
try {
    new Builder(0, secret: secret('hidden'));
} catch (ValueError $error) {
    check(!str_contains(print_r($error->getTrace(), true) . $error, secret('hidden')), 'no trace shows it');
}
check(!str_contains(print_r((array) $blob->info(), true), bin2hex(secret('current'))), 'info() shows it not');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/secrets.inc';
clean();
?>
--EXPECT--
-- no ring
opened, saved and published
SecretException: fingerprint 9607a8a7a88eb040: the filter is keyed with a secret that is not configured (add it to bloom.secret_file)
SecretException: fingerprint 9607a8a7a88eb040: the filter is keyed with a secret that is not configured (add it to bloom.secret_file)
SecretException: fingerprint 9607a8a7a88eb040: the filter is keyed with a secret that is not configured (add it to bloom.secret_file)
SecretException: fingerprint 9607a8a7a88eb040: the filter is keyed with a secret that is not configured (add it to bloom.secret_file)
SecretException: {segment}/tags: fingerprint 9607a8a7a88eb040: the filter is keyed with a secret that is not configured (add it to bloom.secret_file)
SecretException: {segment}/live: fingerprint 9607a8a7a88eb040: the filter is keyed with a secret that is not configured (add it to bloom.secret_file)
SecretException: fingerprint 9607a8a7a88eb040: the filter is keyed with a secret that is not configured (add it to bloom.secret_file)
-- another ring
opened, saved and published
SecretException: fingerprint 9607a8a7a88eb040: the filter is keyed with a secret that is not configured (add it to bloom.secret_file)
SecretException: fingerprint 9607a8a7a88eb040: the filter is keyed with a secret that is not configured (add it to bloom.secret_file)
SecretException: fingerprint 9607a8a7a88eb040: the filter is keyed with a secret that is not configured (add it to bloom.secret_file)
SecretException: fingerprint 9607a8a7a88eb040: the filter is keyed with a secret that is not configured (add it to bloom.secret_file)
SecretException: {segment}/tags: fingerprint 9607a8a7a88eb040: the filter is keyed with a secret that is not configured (add it to bloom.secret_file)
SecretException: {segment}/live: fingerprint 9607a8a7a88eb040: the filter is keyed with a secret that is not configured (add it to bloom.secret_file)
SecretException: fingerprint 9607a8a7a88eb040: the filter is keyed with a secret that is not configured (add it to bloom.secret_file)
-- none is configured
SecretException: no secret is configured (set bloom.secret_file; openssl rand -hex 32 makes a secret)
SecretException: no secret is configured (set bloom.secret_file; openssl rand -hex 32 makes a secret)
SecretException: no signing key is configured (set bloom.signing_key_file; openssl rand -hex 32 makes a key)
a given one is used, and remembered by the blob
-- files
SecretException: {own}/other: mode 0644: the secret file must be a regular file owned by this user or root, inaccessible to others and not group-writable
XXH3-64
SecretException: {own}/other, line 1: not 64 hexadecimal digits: the secret file must have 1 to 8 different lines of 64 hexadecimal digits
SecretException: {own}/other.not: the secret file cannot be read: its path must be absolute, and its size at most 16 KiB: No such file or directory
SecretException: secrets: the secret file cannot be read: its path must be absolute, and its size at most 16 KiB
-- a reader that is attached when a keyed version comes
no
maybe
50
-- arguments
ValueError: Builder::__construct(): Argument #8 ($secret) must be 32 bytes
