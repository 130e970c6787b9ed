--TEST--
Hosts with signing keys obey only a rollback or pin that is signed for their filter and is not a replay
--DESCRIPTION--
fault: override-forged
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-rollback_signed
bloom.signing_key_file={TMP}/bloom-rollback_signed.d/signing-keys
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Blob, DirectoryStore, Filter};

$ring = ring('signing-keys', 'current', 'previous');
$stranger = ring('stranger', 'stranger');
mkdir(own_file('store'));
$store = new DirectoryStore(own_file('store'));
$file = own_file('store/tags:override');
foreach (['one', 'two'] as $i => $version) {
    blob_of(keys($version, 100), 1000, $i + 1)->sign('tags')->publish($store, 'tags');
    blob_of(keys($version, 100), 1000, $i + 1)->sign('other')->publish($store, 'other');
    check(switched(Filter::sync('tags', $store, 0)), 'switched');
}
/** Runs an operator's command with other signing keys. */
$operator = fn (string $code, string $keys) => run("use Bloom\\Blob; \$store = new Bloom\\DirectoryStore("
    . var_export(own_file('store'), true) . "); try { $code } catch (Throwable \$e) { echo get_class(\$e), ': ', \$e->getMessage(); }",
    ['bloom.signing_key_file' => $keys]);
/** Syncs. Returns an error, and the version that is served then. */
function synced(): string
{
    $error = refused(fn () => Filter::sync('tags', $GLOBALS['store'], 0));
    $tags = Filter::open('tags');
    $info = $tags->info();
    return ($tags->candidates(keys('one', 100)) === keys('one', 100) ? 'one' : 'two') . ($info->rolledBackAt ? ' rolled back' : '')
        . ($info->pinnedSince ? ' pinned' : '') . ($error === '' ? '' : ", $error");
}

echo "-- signed\n";
Blob::rollback($store, 'tags');
$first = file_get_contents($file);
echo synced(), "; ", synced(), "\n";
Blob::unpin($store, 'tags');
echo synced(), "\n";

echo "-- replayed after its end\n";
file_put_contents($file, $first);
echo synced(), "\n";
check(str_contains(Filter::open('tags')->info()->lastError, 'has ended'), 'noted');
check(switched(Filter::sync('tags', $store, 0, force: true)) && Filter::open('tags')->mightContain('one1'), 'force');
Blob::unpin($store, 'tags');
Filter::sync('tags', $store, 0);
echo run('$store = new Bloom\DirectoryStore(' . var_export(own_file('store'), true) . '); Bloom\Filter::sync("tags", $store, 0);
    echo Bloom\Filter::open("tags")->mightContain("two1") ? "a new host serves two" : "one";', ['bloom.path' => own_file('new')]), "\n";

echo "-- not signed, by a stranger, of another filter, altered\n";
echo $operator('Blob::rollback($store, "tags");', ''), synced(), "\n";
echo $operator('Blob::unpin($store, "tags"); Blob::rollback($store, "tags");', $stranger), "\n";
Blob::unpin($store, 'tags');
Blob::rollback($store, 'other');
copy(own_file('store/other:override'), $file);
echo synced(), "\n";
echo json_encode(array_map(fn ($one) => [$one->label, $one->isServed, $one->error], Blob::versions($store, 'tags'))), "\n";
// The head of another filter does not have to be planted: an attacker has the heads of this one.
$bytes = substr_replace(substr($first, 0, -8), pack('P', 0), 32, 8);
$bytes = substr_replace($bytes, pack('V', 1), 12, 4);
file_put_contents($file, $bytes . strrev(hash('xxh3', $bytes, true)));
echo synced(), "\n";
$bytes = substr_replace($bytes, pack('P', 1), 40, 8);
file_put_contents($file, $bytes . strrev(hash('xxh3', $bytes, true)));
echo synced(), "\n";
unlink($file);

echo "-- by an earlier key, which is still accepted\n";
echo $operator('Blob::pin($store, "tags", Blob::versions($store, "tags")[1]->checksum);', ring('only', 'previous', 'current')), synced(), "\n";
$pin = file_get_contents($file);
Blob::unpin($store, 'tags');
Blob::pin($store, 'tags');
echo synced(), "\n";
file_put_contents($file, $pin);
echo synced(), "\n";
check(file_get_contents($file) === $pin, 'the store is hostile');
usleep(2000); // the host has seen that the last pin has ended, so it refuses another one of the same millisecond
Blob::pin($store, 'tags', Blob::versions($store, 'tags')[0]->checksum);
echo synced(), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/secrets.inc';
clean();
?>
--EXPECT--
-- signed
one rolled back, nothing; one rolled back, nothing
two, nothing
-- replayed after its end
two, SignatureException: tags:override: the pin or rollback is older than one that this host has seen, or has ended (pin or roll back again, or sync with force)
a new host serves two
-- not signed, by a stranger, of another filter, altered
two, SignatureException: tags:override: the pin or rollback is not signed, but signing keys are configured (set bloom.signing_key_file where the filter is pinned or rolled back)
Bloom\SignatureException: fingerprint 9607a8a7a88eb040: the blob is signed with a key that is not configured (add the key to bloom.signing_key_file)
two, nothing
[["current",true,null],["previous",false,null],[null,false,"tags:override: the signature of the pin or rollback does not match"]]
two, SignatureException: tags:override: the signature of the pin or rollback does not match
two, SignatureException: fingerprint 0000000000000001: the pin or rollback is signed with a key that is not configured (add the key to bloom.signing_key_file)
-- by an earlier key, which is still accepted
one pinned, nothing
two pinned, nothing
two, SignatureException: tags:override: the pin or rollback is older than one that this host has seen, or has ended (pin or roll back again, or sync with force)
two pinned, nothing
