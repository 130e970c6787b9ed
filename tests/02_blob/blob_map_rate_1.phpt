--TEST--
A map of rate 1 stores no check bits; it can be saved, opened and loaded, and gives each key its value
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-blob_map_rate_1
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\{Blob, LoadedMap, MapBuilder};

foreach ([1, 20, 64] as $bits) {
    $values = [];
    foreach (keys('k', 2000) as $i => $key) {
        $values[$key] = $bits === 64 ? $i * 0x1234567890123 : $i & (1 << $bits) - 1;
    }
    $builder = new MapBuilder(2000, $bits, 1.0, seed: 5);
    $builder->setMany($values);
    $blob = $builder->build();
    $blob->save($file = ini_get('bloom.path') . '-map');
    $opened = Blob::open($file);
    unlink($file);
    $map = LoadedMap::load('map', $opened);
    foreach ($values as $key => $value) {
        check($blob->get($key) === $value, "$bits bits, the blob");
        check($opened->get($key) === $value, "$bits bits, opened again");
        check($map->get($key) === $value, "$bits bits, loaded");
    }
    check($map->getMany(keys('k', 2000)) === array_values($values), "$bits bits, all at once");
}
echo "done\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
done
