--TEST--
Keyed maps have the values of their keys only with the secret, and signed maps are synced only if the signature is right
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-map_secrets
bloom.secret_file={TMP}/bloom-map_secrets.d/secrets
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';
require __DIR__ . '/../lib/stores.inc';
use Bloom\{Blob, Filter, Layout, LoadedMap, MapBuilder};

ring('secrets', 'current');
ring('others', 'another');
ring('signing-keys', 'signer');
ring('strangers', 'stranger');
$table = [];
for ($i = 0; $i < 3000; $i++) {
    $table["in $i"] = $i * 5 & 1023;
}
$builder = new MapBuilder(3000, 10, 0.001, seed: 1, keyed: true, layout: new Layout(2048, chunkBytes: 2048));
$builder->setMany($table);
$keyed = $builder->build(1_700_000_000.0);
$fingerprint = (new MapBuilder(1, 1, secret: secret('current')))->info()->keyedBy;
check($keyed->info()->keyedBy === $fingerprint && $keyed->info()->digest === 'SipHash-2-4', 'keyed');
$map = Filter::load('keyed', $keyed);
check($map instanceof LoadedMap && $map->info()->keyedBy === $fingerprint, 'loaded');
foreach ($table as $key => $value) {
    check($keyed->get($key) === $value && $map->get($key) === $value && $map->mightContain($key), "value of $key");
}
check($map->getMany(array_keys($table)) === array_values($table), 'together');
check(array_values($map->candidates(array_keys($table), 512)) === array_keys(array_filter($table, fn ($value) => $value & 512)), 'by a mask');
check(count($map->candidates(array_map(fn ($i) => "out $i", range(1, 10_000)))) < 40, 'few others');

// The same keys with another secret, or without one, have other bytes.
$builder = new MapBuilder(3000, 10, 0.001, seed: 1, layout: new Layout(2048, chunkBytes: 2048));
$builder->setMany($table);
$plain = $builder->build(1_700_000_000.0);
check($plain->info()->keyedBy === null && count(array_intersect(chunk_keys($plain, 'x'), chunk_keys($keyed, 'x'))) <= 1, 'other chunks, except an empty spill shard');

// like() keeps the secret, and a changed value changes one chunk.
$builder = MapBuilder::like($keyed);
check($builder->info()->keyedBy === $fingerprint, 'like() keeps it');
$builder->setMany(['in 5' => 1000] + $table);
$next = $builder->build();
check(count(array_diff_assoc(chunk_keys($next, 'x'), chunk_keys($keyed, 'x'))) === 1, 'one chunk');
check(MapBuilder::like($keyed, keyed: false)->info()->keyedBy === null, 'without a secret');

// A process without the secret.
$keyed->save(own_file('blob'));
foreach (['without' => '', 'with another' => own_file('others')] as $which => $ring) {
    echo "$which: ", run('$blob = Bloom\Blob::open(own_file("blob"));
        foreach ([fn () => $blob->get("in 1"), fn () => Bloom\Filter::load("keyed", $blob), fn () => Bloom\Filter::open("keyed")->get("in 1"),
            fn () => Bloom\MapBuilder::like($blob), fn () => new Bloom\MapBuilder(1, 1, keyed: true)] as $call) {
            echo thrown($call, class: true), " ";
        }', ['bloom.secret_file' => $ring]), "\n";
}

// Signed maps.
$sign = fn (string $blob, string $name, string $as) => run('Bloom\Blob::open(own_file("' . $blob . '"))->sign("' . $name . '")->save(own_file("' . $as . '"));',
    ['bloom.signing_key_file' => own_file('signing-keys')]);
$plain->save(own_file('plain'));
echo $sign('plain', 'tags', 'signed'), $sign('blob', 'tags', 'both'), $sign('plain', 'other', 'misnamed');
$load = fn (string $blob, string $ring) => run('$map = Bloom\Filter::load("tags", Bloom\Blob::open(own_file("' . $blob . '")));
    echo get_class($map), " ", $map->get("in 7"), " ", $map->info()->signedBy === null ? "unsigned" : "signed";', ['bloom.signing_key_file' => $ring ? own_file($ring) : '']);
echo 'signed: ', $load('signed', 'signing-keys'), "\n", 'signed and keyed: ', $load('both', 'signing-keys'), "\n";
foreach ([['plain', 'signing-keys'], ['misnamed', 'signing-keys'], ['signed', 'strangers']] as [$blob, $ring]) {
    check(preg_match('/Uncaught Bloom\\\\SignatureException: ([^(]*)/', $load($blob, $ring), $found) === 1, "$blob with $ring");
    echo "$blob with $ring: ", rtrim(preg_replace('/ in (\/|Command).*/s', '', $found[1] ?? '')), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/secrets.inc';
clean();
?>
--EXPECT--
without: Bloom\SecretException Bloom\SecretException Bloom\SecretException Bloom\SecretException Bloom\SecretException
with another: Bloom\SecretException Bloom\SecretException Bloom\SecretException nothing nothing
signed: Bloom\LoadedMap 35 signed
signed and keyed: Bloom\LoadedMap 35 signed
plain with signing-keys: tags: the blob is not signed, but signing keys are configured
misnamed with signing-keys: tags: the signature does not match: the head was altered, or signed for a different name
signed with strangers: fingerprint ef72b6bd9521d577: the blob is signed with a key that is not configured
