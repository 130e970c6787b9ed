--TEST--
The golden blobs are read as they are, and written the same
--EXTENSIONS--
bloom
--FILE--
<?php
require __DIR__ . '/../bloom.inc';

$read = 0;
foreach (glob(__DIR__ . '/../vectors/*.bloom') as $file) {
    $blob = Bloom\Blob::open($file);
    $info = $blob->info();
    check($blob->toString() === file_get_contents($file), basename($file));
    check($info['formatVersion'] === 1 && $info['bytes'] === filesize($file), basename($file) . ' info');

    // The same arguments and keys give the same file.
    $keys = [];
    foreach (file(substr($file, 0, -5) . 'keys', FILE_IGNORE_NEW_LINES) as $line) {
        if (preg_match('/^(-?\d+)\.\.(-?\d+)$/', $line, $range)) {
            array_push($keys, ...range((int) $range[1], (int) $range[2]));
        } else {
            $keys[] = $line === '-' ? '' : hex2bin($line);
        }
    }
    foreach ($keys as $key) {
        check($blob->mightContain($key), basename($file) . ' has ' . bin2hex((string) $key));
    }
    $sum = ['shardBytes', 'blockBytes', 'probes', 'seed', 'chunkBytes', 'source', 'capacity'];
    $builder = new Bloom\Builder(...array_intersect_key($info, array_flip($sum)),
        falsePositiveRate: min(0.5, max(1e-9, $info['falsePositiveRate'])),
        bitsPerKey: ($bits = $info['shards'] * $info['shardBytes'] * 8 / $info['capacity']) > 1024 ? null : $bits - 1e-9);
    if ($builder->info()['shards'] === $info['shards']) {
        $builder->addMany($keys);
        $written = $builder->build(1.0, $info['builtAt'])->toString();
        // Sized by bits, the asked rate follows from them; and with it the head's checksum.
        $head = strlen($written) - $info['shards'] * $info['shardBytes'];
        $golden = file_get_contents($file);
        foreach ([&$written, &$golden] as &$bytes) {
            $bytes = substr_replace($bytes, '', $head - 8, 8);
            $bytes = substr_replace($bytes, '', 96, 8);
        }
        unset($bytes);
        check($written === $golden, basename($file) . ' written');
        $read++;
    } else {
        echo basename($file), ": cannot be asked for\n";
    }
}
check($read > 5, "$read golden blobs");
?>
--EXPECT--
