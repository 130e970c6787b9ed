--TEST--
plan predicts the sizes of real filters and what syncs transfer
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-plan
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli();
$plan = static fn (string ...$options): array => $cli->run(['plan', '--format=json', ...$options])->json();

// The planned sizes equal the sizes of real blobs.
foreach ([[1, 0.01], [1000, 0.01], [80_000, 0.001], [300_000, 0.2], [1_000_000, 1e-9]] as [$keys, $rate]) {
    foreach ([null, 1024, 65536] as $shardBytes) {
        foreach ($shardBytes === 1024 ? [null, 65536 * 3] : [null] as $chunkBytes) {
            $builder = new Bloom\Builder($keys, $rate, seed: 1, layout: new Bloom\Layout(shardBytes: $shardBytes, chunkBytes: $chunkBytes));
            $builder->add('a key');
            $real = fields($builder->info()) + fields($builder->build()->info());
            $planned = $plan("--keys=$keys", sprintf('--rate=%.9f', $rate), ...($shardBytes ? ["--shard-bytes=$shardBytes"] : []),
                ...($chunkBytes ? ["--chunk-bytes=$chunkBytes"] : []));
            $fields = ['capacity', 'falsePositiveRate', 'predictedFalsePositiveRate', 'bytes', 'bitsPerKey', 'shards', 'shardBytes',
                'blockBytes', 'probes', 'chunkBytes', 'chunks'];
            foreach ($fields as $field) {
                check($planned[$field] === $real[$field], "$keys $rate $shardBytes $chunkBytes: $field $planned[$field], really $real[$field]");
            }
            check($planned['headBytes'] === $real['bytes'] - $real['shards'] * $real['shardBytes'], 'the head');
            foreach ($planned['changes'] as $change) {
                $other = new Bloom\Builder($keys, $rate, seed: 1, layout: new Bloom\Layout(shardBytes: $shardBytes, chunkBytes: $change['chunkBytes']));
                $info = $other->build()->info();
                check($change['headBytes'] === $info->bytes - $info->shards * $info->shardBytes
                    && $change['chunks'] === $info->chunks, "$keys $rate $shardBytes, chunks of $change[chunkBytes]");
            }
        }
    }
}

// K changed keys hit chunks like K balls hit boxes. The measured number must be within four standard deviations.
mkdir("$cli->files/store");
$store = new Bloom\DirectoryStore("$cli->files/store");
foreach ([8192 => 300, 16384 => 100, 65536 => 40] as $chunkBytes => $changed) {
    $build = static function (int $keys) use ($chunkBytes, $store): array {
        $builder = new Bloom\Builder(1_000_000, seed: 1, layout: new Bloom\Layout(chunkBytes: $chunkBytes));
        $builder->addMany(range(1, $keys));
        return $builder->build()->publish($store, "changing$chunkBytes");
    };
    $build(900_000);
    $written = $build(900_000 + $changed);
    $changes = $plan('--keys=1e6', "--changed=$changed", "--chunk-bytes=$chunkBytes")['changes'];
    $expected = $changes[array_search($chunkBytes, array_column($changes, 'chunkBytes'))];
    $c = $expected['chunks'];
    $hit = $c * (1 - (1 - 1 / $c) ** $changed);
    $variance = $c * ((1 - 1 / $c) ** $changed + ($c - 1) * (1 - 2 / $c) ** $changed - $c * (1 - 1 / $c) ** (2 * $changed));
    check(abs($expected['changedChunks'] - $hit) < 0.5, "$expected[changedChunks] is nearly $hit");
    check(abs($written['chunksWritten'] - $hit) <= 4 * sqrt($variance), "$written[chunksWritten] of $c chunks, expected $hit");
    check(abs($written['bytesWritten'] - $expected['travelBytes']) <= (4 * sqrt($variance) + 1) * $chunkBytes, "$written[bytesWritten] bytes");
}

// The plan of an on-demand filter shows the exact memory and number of chunks of an attached filter.
foreach ([100_000, 250_000] as $keys) {
    $builder = new Bloom\Builder($keys, seed: 1, layout: new Bloom\Layout(chunkBytes: 8192));
    $chunkBytes = $builder->info()->shardBytes;
    $builder = new Bloom\Builder($keys, seed: 1, layout: new Bloom\Layout(chunkBytes: $chunkBytes));
    $builder->add('a key');
    $builder->build()->publish($store, 'large');
    $onDemand = $plan("--keys=$keys", '--memory=160K')['onDemand'];
    $least = $onDemand['leastMemory'];
    $each = $chunkBytes + 9;
    foreach ([$least, $least + $each - 1, $least + $each, $least + 5 * $each + 3000, $onDemand['mostMemory'] - 1,
        2 * $onDemand['mostMemory']] as $memory) {
        $info = Bloom\Filter::attach('large', $store, $memory)->info();
        $planned = $plan("--keys=$keys", '--memory=' . 2 * $memory)['onDemand'];
        echo $info->chunksRoom === $planned['chunksRoom'] && $planned['residentShare'] === $planned['chunksRoom'] / $info->chunks
            ? 'holds ' : "$planned[chunksRoom], really $info->chunksRoom ";
        Bloom\Filter::drop('large');
    }
    check($info->memory === $onDemand['mostMemory'], 'all');
    try {
        Bloom\Filter::attach('large', $store, $least - 1);
        echo 'attached with less than the minimum';
    } catch (Bloom\SegmentException $error) {
        check(str_contains($error->getMessage(), "$least needed"), $error->getMessage());
    }
    echo "\n";
}

// The plan shows the actual size of the ribbon filter if it is much smaller, but not for 100 keys or chunks of 24 KiB.
foreach ([[3000, '0.01'], [300_000, '0.01'], [1_000_000, '0.000001']] as [$keys, $rate]) {
    $ribbon = $plan("--keys=$keys", "--rate=$rate")['ribbon'];
    $info = (new Bloom\Builder($keys, (float) $rate, scheme: Bloom\Scheme::Ribbon))->info();
    check($ribbon === ['bytes' => $info->bytes, 'bitsPerKey' => $info->bitsPerKey, 'shardBytes' => $info->shardBytes], "the ribbon filter of $keys keys");
}
foreach (['--keys=100', '--keys=1e6 --chunk-bytes=24K', '--keys=1e6 --scheme=ribbon', '--keys=1e6 --scheme=auto'] as $options) {
    check($plan(...explode(' ', $options))['ribbon'] === null, "no ribbon filter for $options");
}
echo implode("\n", preg_grep('/^(layout|size|ribbon)/', explode("\n", $cli->run(['plan', '--keys=1e7', '--rate=0.000001'])->output))), "\n";

// The plan needs little memory, because nothing is built.
foreach (['--keys=1e9', '--keys=1_000_000_000_000'] as $keys) {
    check($plan($keys)['bytes'] > 1e9, $keys);
}
$cli->write('peak.php', '<?php register_shutdown_function(static function (): void {
    preg_match("/^VmHWM:\s*(\d+) kB/m", file_get_contents("/proc/self/status"), $parts);
    fwrite(STDERR, $parts[1]);
});');
$cli->install('bloom-peak', "-d auto_prepend_file=$cli->files/peak.php", ['bloom']);
$result = $cli->shell('bloom-peak plan --keys 1e9');
echo strtok($result->output, "\n"), "\n";
check((int) $result->errors > 0 && (int) $result->errors < 200_000, "$result->errors KiB");

// The plan recommends one of the two forms.
foreach (['--keys=1e7 --changed=100', '--keys=1e7', '--keys=1e7 --changed=1000', '--keys=1e7 --memory=16M', '--keys=1e7 --memory=100K',
    '--keys=1e7 --memory=1G --changed=0', '--keys=1e7 --scheme=ribbon', '--keys=1e7 --scheme=ribbon --changed=100',
    '--keys=1e7 --scheme=ribbon --changed=100 --shard-bytes=64K', '--keys=1e5 --scheme=ribbon --changed=1',
    '--keys=1e7 --scheme=ribbon --memory=2M'] as $options) {
    echo $options, ': ', $plan(...explode(' ', $options))['advice'], "\n";
}
foreach (['', '--keys=0', '--keys=1.5', '--keys=5 --rate=2', '--keys=5 --chunk-bytes=100', '--keys=5 --bandwidth=fast', '--keys=5 --bandwidth=0',
    '--keys=5 --changed=-1', '--keys=5 --memory=0'] as $options) {
    $result = $cli->run(['plan', ...array_filter(explode(' ', $options))]);
    echo "$result->code $result->output$result->errors";
}
shell_exec('rm -rf ' . escapeshellarg(ini_get('bloom.path')));
?>
--EXPECT--
holds holds holds holds holds holds 
holds holds holds holds holds holds 
layout           4,775 shards of 8 KiB, blocks of 256 bytes, 18 probes
size             37.4 MiB (39,206,912 bytes), 31.37 bits per key, head 88 KiB
ribbon           24.6 MiB with --scheme=ribbon, 20.67 bits per key, 34 % less, in shards of 64 KiB; for filters that hosts only query
layout           151,337 shards of 8 KiB, blocks of 64 bytes, 6 probes
--keys=1e7 --changed=100: The plain form, with --chunk-bytes=8K: 822.4 KiB are transferred instead of 4.9 MiB.
--keys=1e7: The plain form, with chunks of 64 KiB: after so many changes nearly the whole filter is transferred, regardless of the chunk size.
--keys=1e7 --changed=1000: The plain form, with --chunk-bytes=8K: 5.8 MiB are transferred instead of 11.8 MiB.
--keys=1e7 --memory=16M: On demand, with --chunk-bytes=8K and attached with 8 MiB: the plain form needs 23.7 MiB to reload. This is useful if most lookups repeat about 1,676 different keys; each other key costs a request to the store. --shard-bytes=1K allows chunks of 1 KiB, so the same memory serves more keys.
--keys=1e7 --memory=100K: Neither form fits into the memory: allow a higher --rate, or give at least 144 KiB.
--keys=1e7 --memory=1G --changed=0: The plain form, with chunks of 64 KiB.
--keys=1e7 --scheme=ribbon: The plain form, with chunks of 64 KiB: after so many changes nearly the whole filter is transferred, regardless of the chunk size.
--keys=1e7 --scheme=ribbon --changed=100: The plain form, with --shard-bytes=8K --chunk-bytes=8K: 800.2 KiB are transferred instead of 4.4 MiB, but the filter needs 7.07 instead of 6.82 bits per key.
--keys=1e7 --scheme=ribbon --changed=100 --shard-bytes=64K: The plain form, with chunks of 64 KiB.
--keys=1e5 --scheme=ribbon --changed=1: The plain form, with --chunk-bytes=8K: 12 KiB are transferred instead of 57.1 KiB.
--keys=1e7 --scheme=ribbon --memory=2M: On demand, with --chunk-bytes=64K and attached with 1 MiB: the plain form needs 16.3 MiB to reload. This is useful if most lookups repeat about 15 different keys; each other key costs a request to the store. --shard-bytes=8K allows chunks of 8 KiB, so the same memory serves more keys.
64 bloom: --keys is missing: write bloom plan --keys=N, such as 80000, 80k or 50M
64 bloom: --keys must be between 1 and 1,000,000,000,000 keys, not "0"
64 bloom: --keys: "1.5" is not a number of keys such as 80000, 80k or 50M
64 bloom: --rate: "2" is more than 0.5; for 2 percent write 2% or 0.02
64 bloom: --chunk-bytes must be a multiple of the shard bytes, up to 1 GiB, not "100"
64 bloom: --bandwidth: "fast" is not a bandwidth such as 100M, which is 100 million bits per second
64 bloom: --bandwidth: "0" is not a bandwidth such as 100M, which is 100 million bits per second
64 bloom: --changed must be 0 or more, not -1
64 bloom: --memory must be at least 1 byte, not 0
