--TEST--
The golden blobs are read correctly and reproduced byte for byte
--DESCRIPTION--
fault: invalid-field
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-blob_vectors
bloom.secret_file={TMP}/bloom-blob_vectors.d/secrets
bloom.signing_key_file={TMP}/bloom-blob_vectors.d/signing-keys
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

/** Writes a secret of generate.py to a file with mode 0600, and returns the secret. */
function ring(string $name, int $first): string
{
    $secret = pack('C*', ...range($first, $first + 31));
    file_put_contents(own_file($name), bin2hex($secret) . "\n");
    chmod(own_file($name), 0600);
    return $secret;
}

$secret = ring('secrets', 0);
ring('signing-keys', 100);

/** Checks that a golden blob contains its keys. Returns a builder with its arguments and keys. */
function builder(Bloom\Blob $blob, string $file): Bloom\Builder
{
    $info = $blob->info();
    $keys = [];
    foreach (file(substr($file, 0, -5) . 'keys', FILE_IGNORE_NEW_LINES) as $line) {
        if (preg_match('/^(-?\d+)\.\.(-?\d+)$/', $line, $range)) {
            array_push($keys, ...range((int) $range[1], (int) $range[2]));
        } else {
            $keys[] = value($line);
        }
    }
    foreach ($keys as $key) {
        check($blob->mightContain($key), basename($file) . ' has ' . bin2hex((string) $key));
    }
    if ($info->scheme->value === 'ribbon') {
        $builder = Bloom\Builder::like($blob, secret: isset($info->keyedBy) ? $GLOBALS['secret'] : null);
        $builder->addMany(array_reverse($keys)); // in any order
        return $builder;
    }
    $sum = ['shardBytes', 'blockBytes', 'probes', 'seed', 'chunkBytes', 'source', 'capacity'];
    $builder = new Bloom\Builder(...laid_out(array_intersect_key((array) $info, array_flip($sum))),
        falsePositiveRate: min(0.5, max(1e-9, $info->falsePositiveRate)),
        secret: isset($info->keyedBy) ? $GLOBALS['secret'] : null,
        bitsPerKey: ($bits = $info->shards * $info->shardBytes * 8 / $info->capacity) > 1024 ? null : $bits - 1e-9);
    $builder->addMany($keys);
    return $builder;
}

/** Does the same for a reverse index, whose sizes only like() can copy. Its values, and the answers of other readers, are in separate files. */
function reverse_builder(Bloom\Blob $blob, string $file): Bloom\ReverseIndexBuilder
{
    $builder = Bloom\ReverseIndexBuilder::like($blob);
    foreach (file(substr($file, 0, -5) . 'groups', FILE_IGNORE_NEW_LINES) as $line) {
        [$group, $value] = explode("\t", $line);
        $builder->add((int) $group, value($value));
    }
    $indexes = [$blob];
    if (has_sodium()) { // only signed blobs can be loaded, because bloom.signing_key_file is set
        $name = 'vector' . crc32($file);
        $indexes[] = Bloom\Filter::load($name, $blob->sign($name));
    }
    foreach (file(substr($file, 0, -5) . 'answers', FILE_IGNORE_NEW_LINES) as $line) {
        [$value, $groups] = explode("\t", $line);
        $expected = $groups === 'none' ? [] : array_map('intval', explode(',', $groups));
        foreach ($indexes as $index) {
            check($index->groups(value($value)) === $expected, basename($file) . " answers $value as " . $index::class);
        }
    }
    return $builder;
}

/** Does the same for a map. The answers for keys that were not set are in a separate file. */
function map_builder(Bloom\Blob $blob, string $file): Bloom\MapBuilder
{
    $builder = Bloom\MapBuilder::like($blob, secret: isset($blob->info()->keyedBy) ? $GLOBALS['secret'] : null);
    $keys = $expected = [];
    foreach (['values', 'answers'] as $suffix) {
        foreach (file(substr($file, 0, -5) . $suffix, FILE_IGNORE_NEW_LINES) as $line) {
            [$key, $value] = explode("\t", $line);
            $keys[] = value($key);
            $expected[] = $value === 'none' ? null : (int) $value;
            if ($suffix === 'values') {
                $builder->set(value($key), (int) $value);
            }
        }
    }
    check(array_map($blob->get(...), $keys) === $expected, basename($file) . ' answers');
    if (has_sodium()) {
        $name = 'vector' . crc32($file);
        $map = Bloom\LoadedMap::load($name, $blob->sign($name));
        check(array_map($map->get(...), $keys) === $expected, basename($file) . ' answers when loaded');
        check($map->getMany($keys) === array_filter($expected, is_int(...)), basename($file) . ' answers many');
    }
    return $builder;
}

function value(string $hexadecimal): string
{
    return $hexadecimal === '-' ? '' : hex2bin($hexadecimal);
}

$read = 0;
$reshaped = []; // blobs whose shape no builder can be asked for
foreach (glob(__DIR__ . '/../vectors/*.bloom') as $file) {
    if (!has_sodium() && preg_match('/^(keyed|signed)-/', basename($file))) {
        $said = thrown(fn () => Bloom\Filter::load('refused', Bloom\Blob::open($file)), class: true);
        check($said === Bloom\SecretException::class, basename($file) . " is refused without libsodium: $said");
        continue;
    }
    $blob = Bloom\Blob::open($file);
    $info = $blob->info();
    check($blob->toString() === file_get_contents($file), basename($file));
    check($info->formatVersion === 2 && $info->bytes === filesize($file), basename($file) . ' info');

    // The same arguments and keys give the same file.
    $builder = match ($info->scheme->value) {
        'map' => map_builder($blob, $file),
        'reverse' => reverse_builder($blob, $file),
        default => builder($blob, $file),
    };
    $shape = array_flip(['shards', 'shardBytes', 'probes']);
    if (array_intersect_key((array) $builder->info(), $shape) === array_intersect_key((array) $info, $shape)) {
        $written = $builder instanceof Bloom\MapBuilder ? $builder->build($info->builtAt) : $builder->build(1.0, $info->builtAt);
        $written = (isset($info->signedBy) ? $written->sign('tags') : $written)->toString();
        // bitsPerKey changes the requested rate in the head, and so the head's checksum. The comparison omits these fields.
        $head = strlen($written) - $info->shards * $info->shardBytes;
        $golden = file_get_contents($file);
        foreach ([&$written, &$golden] as &$bytes) {
            $bytes = substr_replace($bytes, '', $head - 8, 8);
            $bytes = substr_replace($bytes, '', 288, 32);
            $bytes = substr_replace($bytes, '', 96, 8);
        }
        unset($bytes);
        check($written === $golden, basename($file) . ' written');
        $read++;
    } else {
        $reshaped[] = basename($file, '.bloom');
    }
}
check($reshaped === [], 'cannot be asked for: ' . implode(' ', $reshaped));
check($read > 23, "$read golden blobs");
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
