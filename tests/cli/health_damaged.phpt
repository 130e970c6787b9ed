--TEST--
health is critical as long as no sync can replace a damaged file, and then warns of the damage for a day
--DESCRIPTION--
fault: damaged-store-down
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
$builder = new Bloom\Builder(1000, seed: 1);
$builder->addMany(range(1, 1000));
$builder->build()->save("$cli->files/blob");
$cli->run(['publish', 'tags', 'blob', 'store']);
$cli->run(['sync', 'tags', 'store']);

$damage = function () use ($cli): void {
    $path = glob(in_segment('tags/*.bloom', $cli->segment))[0];
    file_put_contents($path, substr_replace(file_get_contents($path), str_repeat("\0", 500), -500));
    check(filesize($path) === filesize("$cli->files/blob"), 'the damaged file has the same size');
};
$damage();
$cli->show(['health', 'tags']);
$cli->run(['sync', 'tags', 'nowhere']);
$cli->show(['health', 'tags']);
$cli->show('bloom health --format=json tags | grep -o \'"status":"[a-z]*","reasons\'');
$cli->show(['health', 'tags', '--ready']);
$cli->show(['sync', 'tags', 'store', '--quiet']);
$cli->show(['health', 'tags']);
$info = $cli->run(['health', 'tags', '--format=json'])->json()[0]['info'];
echo json_encode([$info['generation'], $info['damages'], $info['verifyProgress']]), "\n";
check($info['damagedAt'] > 1.7e9 && $info['verifiedAt'] >= $info['damagedAt'] - 1, 'times');
$cli->show('bloom info --filter=tags | grep -E "^(verified|last error)"');
$damage();
$cli->show(['sync', 'tags', 'store', '--quiet']);
$cli->show(['health', 'tags']);
?>
--EXPECTF--
$ bloom health tags
tags: OK: loaded, generation 1, built %s ago, synced %s ago
exit 0
$ bloom health tags
tags: CRITICAL: {dir}/segment/tags: the served file is damaged, so lookups answer maybe until a sync or a load succeeds
exit 2
$ bloom health --format=json tags | grep -o '"status":"[a-z]*","reasons'
"status":"critical","reasons
exit 0
$ bloom health tags --ready
tags: NOT ready: {dir}/segment/tags: the served file is damaged, so lookups answer maybe until a sync or a load succeeds
exit 2
$ bloom sync tags store --quiet
exit 0
$ bloom health tags
tags: WARNING: damage was found and replaced 1 time, last %s ago
exit 1
[3,1,0]
$ bloom info --filter=tags | grep -E "^(verified|last error)"
last error       %s UTC: the store nowhere does not exist: create the directory, or mount the file system that contains it
verified         %s UTC, 0 % of the next pass; damage found 1 time, last %s UTC
exit 0
$ bloom sync tags store --quiet
exit 0
$ bloom health tags
tags: WARNING: damage was found and replaced 2 times, last %s ago
exit 1
