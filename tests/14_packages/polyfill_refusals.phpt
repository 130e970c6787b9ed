--TEST--
What the package in pure PHP cannot do throws an exception that names the extension, but it reads ribbon filters and signed blobs
--EXTENSIONS--
bloom
--INI--
bloom.signing_key_file={TMP}/bloom-refusals-key
--SKIPIF--
<?php
require __DIR__ . '/../lib/secrets.inc';
skip_without_sodium();
?>
--FILE--
<?php
require __DIR__ . '/twin.inc';
use Bloom\{Builder, Scheme};

$files = sys_get_temp_dir() . '/bloom-refusals-';
$key = "{$files}key";
file_put_contents($key, str_repeat('0123456789abcdef', 4) . "\n");
chmod($key, 0600);
$build = function (Builder $builder, string $file) use ($files): Bloom\Blob {
    $builder->add('key');
    $blob = $builder->build(builtAt: 1e9);
    $blob->save("$files$file");
    return $blob;
};
$build(new Builder(100, seed: 1, secret: str_repeat('k', 32)), 'keyed');
$build(new Builder(100, seed: 1, scheme: Scheme::Ribbon), 'ribbon');
// With so many keys beyond the capacity, keys are bumped in all levels, and some from the last one.
$builder = new Builder(3000, seed: 2, scheme: Scheme::Ribbon);
$builder->addMany(range(1, 3700));
$blob = $builder->build(1.0, 1e9);
$blob->save("{$files}bumped");
file_put_contents("{$files}answers", json_encode($blob->candidates(range(1, 9000))));
Bloom\Blob::import(file_get_contents(__DIR__ . '/../vectors/foreign/redisbloom-dump-10.bin'))->save("{$files}imported");
$build(new Builder(100, seed: 1), 'signed')->sign('tags')->save("{$files}signed");
echo implode("\n", lines_of(__DIR__ . '/polyfill_refusals.inc', 'package'));
array_map(unlink(...), glob("$files*"));
?>
--EXPECT--
Bloom\BloomException: health() needs the extension bloom #0
Bloom\BloomException: metrics() needs the extension bloom #0
Bloom\BloomException: history() needs the extension bloom #0
Bloom\BloomException: activity() needs the extension bloom #0
Bloom\BloomException: shards() needs the extension bloom #0
Bloom\BloomException: counters in Bloom\LoadedInfo needs the extension bloom #0
Bloom\BloomException: loads in Bloom\LiveInfo needs the extension bloom #0
Bloom\BloomException: a snapshot needs the extension bloom #0
Bloom\BloomException: a snapshot needs the extension bloom #0
Bloom\BloomException: import() needs the extension bloom #0
Bloom\BloomException: merge() needs the extension bloom #0
Bloom\BloomException: merge() needs the extension bloom #0
Bloom\BloomException: sign() needs the extension bloom #0
Bloom\BloomException: versions() needs the extension bloom #0
Bloom\BloomException: rollback() needs the extension bloom #0
Bloom\BloomException: pin() needs the extension bloom #0
Bloom\BloomException: unpin() needs the extension bloom #0
Bloom\BloomException: a keyed filter needs the extension bloom #0
Bloom\BloomException: a keyed filter needs the extension bloom #0
Bloom\BloomException: building a ribbon filter needs the extension bloom #0
Bloom\BloomException: a keyed filter needs the extension bloom #0
Bloom\BloomException: building a ribbon filter needs the extension bloom #0
Bloom\BloomException: a keyed filter needs the extension bloom #0
Bloom\BloomException: a keyed filter needs the extension bloom #0
Bloom\BloomException: a keyed filter needs the extension bloom #0
Bloom\BloomException: a keyed filter needs the extension bloom #0
Bloom\BloomException: a keyed filter needs the extension bloom #0
Bloom\BloomException: import() needs the extension bloom #0
Bloom\FormatException: scheme 4, an imported filter, needs the extension bloom: this build does not know the filter scheme, digest or chunk digest #26
[true,false,true]
3700 keys are found, and the answers for others are the same
Bloom\LoadedFilter ["key"]
Bloom\LoadedFilter ["live","ribbon","signed","tags"]
