--TEST--
If signing keys are configured, no blob without a valid signature is served, published or fetched from a store
--DESCRIPTION--
fault: other-filter, signature
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-signature_refused
bloom.signing_key_file={TMP}/bloom-signature_refused.d/signing-keys
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';

use Bloom\{Blob, DirectoryStore, Filter, LiveFilter, OnDemandFilter, Store};

ring('signing-keys', 'current', 'previous');
$stranger = ring('stranger', 'stranger');
$previous = ring('previous', 'previous');

/** Returns a blob that a process with the given ring has signed; unsigned if the name is empty. */
function signed(string $ring, string $name, array $keys, float $built): Blob
{
    $path = own_file('made.bloom');
    $sign = $name === '' ? '' : '->sign(' . var_export($name, true) . ')';
    echo run('blob_of(' . var_export($keys, true) . ", 100, $built, shardBytes: 1024, chunkBytes: 1024)"
        . $sign . "->save(" . var_export($path, true) . ');', ['bloom.signing_key_file' => $ring]);
    return Blob::open($path);
}

/** A hostile store, which can contain any value under any name. */
final class Hostile implements Store
{
    public array $values = [];
    public array $asked = [];

    public function getMultiple(array $keys): array
    {
        $this->asked = [...$this->asked, ...$keys];
        return array_intersect_key($this->values, array_flip($keys)) + array_fill_keys($keys, null);
    }

    public function set(string $key, string $value): void
    {
        $this->values[$key] = $value;
    }

    public function replace(string $key, ?string $expected, string $value): bool
    {
        if (($this->values[$key] ?? null) !== $expected) {
            return false;
        }
        $this->values[$key] = $value;
        return true;
    }

    public function missing(array $keys): array
    {
        return array_values(array_diff($keys, array_keys($this->values)));
    }

    public function deleteMultiple(array $keys): void
    {
        $this->values = array_diff_key($this->values, array_flip($keys));
    }

    /** Stores a blob without any check, as an attacker with the store's password could. */
    public function plant(string $name, Blob $blob): void
    {
        $this->values = [];
        $bytes = $blob->toString();
        $info = $blob->info();
        $head = strlen($bytes) - $info->shards * $info->shardBytes;
        $this->values[$name] = substr($bytes, 0, $head);
        for ($chunk = 0; $chunk < $info->chunks; $chunk++) {
            $row = substr($bytes, 512 + 16 * ($info->shards + $chunk), 16);
            $this->values["$name:" . bin2hex($row)] = substr($bytes, $head + $chunk * 1024, 1024);
        }
    }
}

$ring = ini_get('bloom.signing_key_file');
$good = signed($ring, 'tags', [1, 2, 3], 2000);
$bad = [
    'not signed' => signed('', '', [1, 2, 3], 2000),
    'a stranger\'s' => signed($stranger, 'tags', [1, 2, 3], 2000),
    'for another name' => signed($ring, 'other', [1, 2, 3], 2000),
    'head altered' => altered($good),
];

/** Returns the same blob with a different capacity in its head and a matching checksum. */
function altered(Blob $blob): Blob
{
    $bytes = substr_replace($blob->toString(), pack('P', 99), 88, 8);
    return Blob::fromString(substr_replace($bytes, strrev(hash('xxh3', substr($bytes, 0, 4088), true)), 4088, 8));
}

$store = new Hostile();
foreach ($bad as $what => $blob) {
    echo "-- $what\n";
    $ways = [
        'load' => refused(fn () => Filter::load('tags', $blob)),
        'import' => refused(fn () => LiveFilter::import('tags', $blob)),
        'publish' => refused(fn () => $blob->publish($store, 'tags')),
    ];
    check($store->values === [], 'nothing was published');
    $store->plant('tags', $blob);
    $ways['sync'] = refused(fn () => Filter::sync('tags', $store, 0));
    $ways['attach'] = refused(fn () => Filter::attach('tags', $store, 100_000));
    // The next version would copy the seed, the rate and the layout.
    $store->asked = [];
    $ways['find'] = refused(fn () => Blob::find($store, 'tags'));
    $ways['fetch'] = refused(fn () => Blob::fetch($store, 'tags'));
    check($store->asked === ['tags', 'tags'], 'no chunk is fetched');
    $store->values['tags:versions'] = $store->values['tags'];
    foreach (Blob::versions($store, 'tags') as $version) {
        check(!$version->isServed && $version->keys === 0 && $version->bytes === 0 && $version->checksum === '', "$what: $version->label");
        $ways[] = 'SignatureException: ' . $version->error;
    }
    $store->values = [];
    check(Filter::find('tags') === null, 'nothing is served');
    echo implode("\n", array_unique($ways)), "\n";
}

echo "-- rightly signed, by any key of the ring\n";
$good->publish($store, 'tags');
check(Blob::find($store, 'tags')->toString() === $good->toString() && Blob::versions($store, 'tags')[0]->error === null, 'fetched');
check(switched(Filter::sync('tags', $store, 0)) === true && switched(Filter::sync('tags', $store, 0)) === false, 'sync');
check(Filter::open('tags')->candidates([1, 2, 3]) === [1, 2, 3], 'its keys');
$by_previous = signed($previous, 'tags', [4, 5, 6], 2000);
Filter::load('tags', $by_previous);
check(Filter::open('tags')->candidates([4, 5, 6]) === [4, 5, 6], 'its keys');
check($good->info()->signedBy !== $by_previous->info()->signedBy, 'two keys');
check($bad['not signed']->info()->signedBy === null, 'no key');

echo "-- older\n";
$older = signed($ring, 'tags', [7], 1999);
echo refused(fn () => Filter::load('tags', $older)), "\n";
$store->plant('tags', $older);
echo refused(fn () => Filter::sync('tags', $store, 0)), "\n";
check(Filter::open('tags')->candidates([4, 5, 6, 7]) === [4, 5, 6], 'the newer one is served');
check(switched(Filter::sync('tags', $store, 0, force: true)) && Filter::open('tags')->mightContain(7), 'force');
$store->plant('tags', $bad['not signed']);
echo refused(fn () => Filter::sync('tags', $store, 0, force: true)), "\n";
check(Filter::open('tags')->mightContain(7) && str_contains(Filter::open('tags')->info()->lastError, 'not signed'), 'noted');

echo "-- a chunk altered on its way\n";
$store->values = [];
$good = signed($ring, 'tags', range(1, 90), 3000);
$good->publish($store, 'tags');
$key = array_key_first(array_filter($store->values, fn ($key) => strlen($key) > 30, ARRAY_FILTER_USE_KEY));
check(hash('xxh128', $store->values[$key]) !== substr($key, 5), 'chunks have other names');
$store->values[$key][100] = chr(ord($store->values[$key][100]) ^ 1);
echo preg_replace('/tags:\w+/', 'tags:…', refused(fn () => Filter::sync('tags', $store, 0))), "\n";
Filter::drop('tags');
$part = Filter::attach('tags', $store, 100_000);
check($part instanceof OnDemandFilter && $part->candidates(range(1, 90)) === range(1, 90), 'on demand: maybe');
check($part->info()->fetchFailures >= 1 && str_contains($part->info()->lastError, 'do not match its digest'), 'noted');
check(count($part->candidates(range(1000, 3000))) > 90, 'what cannot be had is "maybe"');

echo "-- what was attached to before there was a key\n";
Filter::drop('tags');
$store->plant('tags', $bad['not signed']);
echo run('require ' . var_export(dirname(__DIR__) . '/lib/secrets.inc', true) . ';
    final class None implements Bloom\Store {
        public function __construct(public array $values) {}
        public function getMultiple(array $keys): array { return array_intersect_key($this->values, array_flip($keys)); }
        public function set(string $key, string $value): void {}
        public function replace(string $key, ?string $expected, string $value): bool { return true; }
        public function missing(array $keys): array { return []; }
        public function deleteMultiple(array $keys): void {}
    }
    Bloom\Filter::attach("tags", new None(unserialize(base64_decode("' . base64_encode(serialize($store->values)) . '"))), 100_000);',
    ['bloom.signing_key_file' => '']);
check(count($part->candidates(range(1000, 1100))) === 101, 'attached: maybe');
echo run('require ' . var_export(dirname(__DIR__) . '/lib/secrets.inc', true) . '; echo refused(fn () => Bloom\Filter::open("tags"));'), "\n";
echo refused(fn () => Filter::sync('tags', $store, 0)), "\n";
echo refused(fn () => Filter::attach('tags', $store, 100_000)), "\n";
$store->plant('tags', $good);
check(Filter::attach('tags', $store, 100_000)->candidates(range(1, 90)) === range(1, 90), 'replaced by a signed one');

echo "-- keys that cannot be read\n";
chmod($ring, 0644);
echo run('require ' . var_export(dirname(__DIR__) . '/lib/secrets.inc', true) . ';
    $blob = Bloom\Blob::open(own_file("made.bloom"));
    echo refused(fn () => Bloom\Filter::load("new", $blob)), "\n";
    echo refused(fn () => $blob->sign("new")), "\n";
    echo refused(fn () => $blob->publish(new Bloom\DirectoryStore(own_file()), "new")), "\n";
    check(Bloom\Filter::list() === ["tags"], "nothing was made");'), "\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/secrets.inc';
clean();
?>
--EXPECT--
-- not signed
SignatureException: tags: the blob is not signed, but signing keys are configured (sign it, or unset bloom.signing_key_file)
-- a stranger's
SignatureException: fingerprint c78453e08b7aabf6: the blob is signed with a key that is not configured (add the key to bloom.signing_key_file)
-- for another name
SignatureException: tags: the signature does not match: the head was altered, or signed for a different name
-- head altered
SignatureException: tags: the signature does not match: the head was altered, or signed for a different name
-- rightly signed, by any key of the ring
-- older
SignatureException: {segment}/tags: the blob is older than the version served, but signing keys are configured (sync with force, or drop the filter first)
StoreException: tags: the store's version is older than the one served
SignatureException: tags: the blob is not signed, but signing keys are configured (sign it, or unset bloom.signing_key_file)
-- a chunk altered on its way
FormatException: tags:…: the chunk's bytes do not match its digest
-- what was attached to before there was a key
SignatureException: {segment}/tags: the blob is not signed, but signing keys are configured (sign it, or unset bloom.signing_key_file)
SignatureException: tags: the blob is not signed, but signing keys are configured (sign it, or unset bloom.signing_key_file)
SignatureException: tags: the blob is not signed, but signing keys are configured (sign it, or unset bloom.signing_key_file)
-- keys that cannot be read
SecretException: {own}/signing-keys: mode 0644: the secret file must be a regular file owned by this user or root, inaccessible to others and not group-writable
SecretException: {own}/signing-keys: mode 0644: the secret file must be a regular file owned by this user or root, inaccessible to others and not group-writable
SecretException: {own}/signing-keys: mode 0644: the secret file must be a regular file owned by this user or root, inaccessible to others and not group-writable
