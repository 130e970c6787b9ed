--TEST--
check verifies a blob up to its last byte and reports any damage
--DESCRIPTION--
fault: bits-unverified, garbage-file
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
$builder = new Bloom\Builder(10_000, seed: 1);
$builder->addMany(range(1, 10_000));
$blob = $builder->build();
$bytes = $blob->toString();
$cli->write('good.bloom', $bytes);
$cli->show(['check', 'good.bloom']);
$cli->show('bloom check - < good.bloom');
$json = $cli->run(['check', '--format=json', 'good.bloom'])->json();
check($json === ['valid' => true] + fields($blob->info()), 'JSON');

$flip = static function (int $at) use ($bytes): string {
    $bytes[$at] = chr(ord($bytes[$at]) ^ 1);
    return $bytes;
};
foreach ([
    'empty' => '', 'short' => substr($bytes, 0, 100), 'cut' => substr($bytes, 0, -1), 'longer' => "$bytes.",
    'magic' => $flip(0), 'head' => $flip(130), 'last' => $flip(strlen($bytes) - 1),
] as $name => $wrong) {
    $cli->write("$name.bloom", $wrong);
    $cli->show(['check', '--format=json', "$name.bloom"]);
}
// A build time in nanoseconds instead of milliseconds
$ahead = substr_replace($bytes, pack('P', 1_763_768_287_000_000_000), 112, 8);
$end = unpack('P', $ahead, 16)[1] - 8;
$cli->write('ahead.bloom', substr_replace($ahead, strrev(hash('xxh3', substr($ahead, 0, $end), true)), $end, 8));
$cli->show(['check', 'ahead.bloom']);
$cli->show(['check']);
$cli->show(['check', 'missing']);
$cli->show(['check', 'good.bloom', '--print=absent']);
?>
--EXPECTF--
$ bloom check good.bloom
good.bloom: valid, about 9,986 keys, 17 KiB, %s % false positives
exit 0
$ bloom check - < good.bloom
standard input: valid, about 9,986 keys, 17 KiB, %s % false positives
exit 0
$ bloom check --format=json empty.bloom
bloom: empty.bloom: not a blob (bloom build makes one from lists of keys)
exit 65
$ bloom check --format=json short.bloom
bloom: short.bloom: 100 bytes: too short to be a blob
exit 65
$ bloom check --format=json cut.bloom
bloom: cut.bloom: 17407 bytes instead of 17408: the length does not match the head
exit 65
$ bloom check --format=json longer.bloom
bloom: longer.bloom: there are bytes after the blob's end: the length does not match the head
exit 65
$ bloom check --format=json magic.bloom
bloom: magic.bloom: not a blob (bloom build makes one from lists of keys)
exit 65
$ bloom check --format=json head.bloom
bloom: head.bloom: head: the head's checksum does not match
exit 65
$ bloom check --format=json last.bloom
bloom: last.bloom: shard 12: the shard's checksum does not match
exit 65
$ bloom check ahead.bloom
ahead.bloom: valid, about 9,986 keys, 17 KiB, %s % false positives
bloom: warning: ahead.bloom: build time 55893562-01-13 05:46:40 UTC is more than a day ahead of this host's clock: hosts refuse to load it
exit 0
$ bloom check
bloom: BLOB is missing: write bloom check BLOB [KEYS...]
exit 64
$ bloom check missing
bloom: missing: no such file
exit 66
$ bloom check good.bloom --print=absent
bloom: --print requires keys and excludes --format=json
exit 64
