--TEST--
A keyed rebuild with the same seed changes only the chunks of its new keys
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-secret_deltas
bloom.secret_file={TMP}/bloom-secret_deltas.d/secrets
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';

use Bloom\{Builder, DirectoryStore};

ring('secrets', 'current');
$store = new DirectoryStore(own_file());
$written = [];
foreach ([0, 3] as $new) {
    $builder = new Builder(50_000, seed: 5, keyed: true, layout: new Bloom\Layout(shardBytes: 1024, chunkBytes: 1024));
    $builder->addMany(range(1, 45_000));
    $builder->addMany(keys('new', $new));
    $written[] = $builder->build()->publish($store, 'tags')['chunksWritten'];
}
check($written[0] > 50, "$written[0] chunks at first");
check($written[1] >= 1 && $written[1] <= 3, "$written[1] chunks for three keys");
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/secrets.inc';
clean();
?>
--EXPECT--
