--TEST--
A blob built with --like shares all shards that did not change
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$cli = new Cli();
mkdir("$cli->files/store");
$cli->writeKeys('old', 1, 200_000);
// One key is removed and a different key is added, so at most two shards change.
$cli->shell("sed 's/^777$/new/' old > new");

// tests/01_builder/builder_like.phpt has more layouts.
foreach (['', '--shard-bytes=64K --capacity=500_000', '--scheme=ribbon --rate=0.003'] as $options) {
    echo $cli->shell("bloom build --source=tags $options old.bloom old")->errors;
    $old = Bloom\Blob::open("$cli->files/old.bloom")->info();
    echo $cli->shell("bloom build --like old.bloom new.bloom new")->errors;
    $new = Bloom\Blob::open("$cli->files/new.bloom")->info();
    foreach (['scheme', 'seed', 'capacity', 'shards', 'shardBytes', 'blockBytes', 'probes', 'chunkBytes', 'source'] as $field) {
        check($old->$field === $new->$field, "$options: $field");
    }
    check(abs($old->falsePositiveRate - $new->falsePositiveRate) < 1e-9, "$options: rate");
    $cli->run(['publish', 'tags', 'old.bloom', 'store']);
    $written = $cli->run(['publish', 'tags', 'new.bloom', 'store', '--format=json'])->json();
    check($written['chunksWritten'] <= 2 && $written['bytesWritten'] > 0, "$options: {$written['chunksWritten']} written");
    check($written['chunks'] > 1, "$options: of {$written['chunks']}");
}

// A blob can be rebuilt in place. Options override the values of the blob.
$cli->show(['build', '--like=new.bloom', '--source=other', 'new.bloom', 'old', '--quiet']);
$info = $cli->run(['info', '--format=json', 'new.bloom'])->json();
check($info['seed'] === (string) $old->seed && $info['source'] === 'other', 'rebuilt');
$cli->show(['build', '--like=new.bloom', '--capacity=1000000', '--rate=0.1', 'new.bloom', 'old', '--quiet']);
$info = $cli->run(['info', '--format=json', 'new.bloom'])->json();
check($info['seed'] === (string) $old->seed, 'seed');
echo $info['capacity'], ' ', $info['falsePositiveRate'], "\n";

// --like accepts the smallest possible blob.
$cli->shell('echo key | bloom build --capacity=1 --bits-per-key=10 --max-rate=1 tiny.bloom');
$cli->shell('echo key | bloom build --like=tiny.bloom --max-rate=1 again.bloom');
check(Bloom\Blob::open("$cli->files/tiny.bloom")->info()->shards === Bloom\Blob::open("$cli->files/again.bloom")->info()->shards, 'tiny');
// --like=- reads the blob from standard input.
$cli->show('bloom build --like=- again.bloom old --quiet < new.bloom');
?>
--EXPECT--
$ bloom build --like=new.bloom --source=other new.bloom old --quiet
exit 0
$ bloom build --like=new.bloom --capacity=1000000 --rate=0.1 new.bloom old --quiet
exit 0
1000000 0.1
$ bloom build --like=- again.bloom old --quiet < new.bloom
exit 0
