--TEST--
Signing keys can be rotated without valid blobs being refused at any moment
--DESCRIPTION--
fault: rotation
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-signature_rotation
bloom.signing_key_file={TMP}/bloom-signature_rotation.d/signing-keys
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';

use Bloom\Filter;

/** Signs and loads a blob in a new process. */
function load(string ...$ring): string
{
    static $built = 1000;
    ring('signing-keys', ...$ring);
    return run('require ' . var_export(dirname(__DIR__) . '/lib/secrets.inc', true) . ';
        $blob = blob_of([1], 10, ' . ++$built . ')->sign("tags");
        $blob->save(own_file("tags.bloom"));
        Bloom\Filter::load("tags", $blob);
        echo "loaded";');
}

/** Loads the blob that another host signed last. Returns the exception, if any. */
function accept(string ...$ring): string
{
    ring('signing-keys', ...$ring);
    return run('require ' . var_export(dirname(__DIR__) . '/lib/secrets.inc', true) . ';
        echo refused(fn () => Bloom\Filter::load("tags", Bloom\Blob::open(own_file("tags.bloom"))));');
}

echo 'one host: ', load('old'), ', another: ', accept('old'), "\n";
echo 'one host: ', load('old', 'new'), ', another: ', accept('old'), "\n";
echo 'all know the new one: ', accept('old', 'new'), "\n";
echo 'one host: ', load('new', 'old'), ', another: ', accept('old', 'new'), "\n";
echo 'the last one that the old key signed is gone: ', accept('new'), "\n";
echo 'and one that does not know it: ', preg_replace('/[0-9a-f]{16}/', '…', accept('old')), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/secrets.inc';
clean();
?>
--EXPECT--
one host: loaded, another: nothing
one host: loaded, another: nothing
all know the new one: nothing
one host: loaded, another: nothing
the last one that the old key signed is gone: nothing
and one that does not know it: SignatureException: fingerprint …: the blob is signed with a key that is not configured (add the key to bloom.signing_key_file)
