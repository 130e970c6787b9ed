--TEST--
diff shows how the store's version differs from the served one, and exactly what a sync fetches
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
/** Publishes version $number, with one key more than the previous one. */
$publish = function (int $number, array $options = []) use ($cli): void {
    $builder = new Bloom\Builder(...$options + ['capacity' => 20_000, 'seed' => 1, 'layout' => new Bloom\Layout(chunkBytes: 8192)]);
    $builder->addMany(range(1, 10_000 + $number));
    $builder->build(builtAt: 1_700_000_000 + $number * 3600)->save("$cli->files/$number.bloom");
    check($cli->run(['publish', '--force', 'tags', "$number.bloom", 'store'])->code === 0, "version $number is published");
};
$show = function (string ...$command) use ($cli): void {
    $result = $cli->run($command);
    $text = str_replace($cli->segment, '{segment}', $result->output . $result->errors);
    echo '$ bloom ', implode(' ', $command), "\n", preg_replace('/(pinned|rolled back) 20\d\d-\S+ \S+ UTC/', '$1 now', $text), "exit $result->code\n";
};
$diff = fn (): array => $cli->run(['diff', 'tags', 'store', '--format=json'])->json();
$fetched = fn (): int => $cli->run(['info', 'tags', '--format=json'])->json()['counters']['bytesFetched'];
/** Syncs and checks that this fetches as many bytes as diff has said. */
$sync = function (string $what, string ...$options) use ($cli, $diff, $fetched): void {
    [$said, $before] = [$diff(), $fetched()];
    check($cli->run(['sync', 'tags', 'store', ...$options])->code === 0, "$what: sync");
    check($said['fetchBytes'] === $fetched() - $before, "$what: $said[fetchBytes] bytes are fetched, not " . $fetched() - $before);
    [$now, $size] = [$diff(), $said['store']];
    check([$now['isSame'], $now['fetchChunks'], $now['fetchBytes']] === [true, 0, 0], "$what: nothing is left to fetch");
    check($now['here'] == ['pinnedSince' => $now['here']['pinnedSince'], 'rolledBackAt' => $now['here']['rolledBackAt']] + $size, "$what: the same");
};

$show('diff', 'tags', 'store');
$publish(1);
$show('diff', 'tags', 'store');
check($cli->run(['sync', 'tags', 'store'])->code === 0 && $fetched() === 25 * 1024, 'the first sync fetches all chunks');
$show('diff', 'tags', 'store');

echo "-- one shard\n";
$publish(2);
$show('diff', 'tags', 'store');
$show('diff', 'tags', 'store', '--format=json');
$sync('one shard');

echo "-- rolled back and pinned\n";
$cli->run(['rollback', 'tags', 'store']);
$show('diff', 'tags', 'store');
$sync('rolled back');
$show('diff', 'tags', 'store');
$publish(3);
$cli->run(['pin', 'tags', 'store', 'current']);
$show('diff', 'tags', 'store');
$sync('pinned');
check($diff()['store']['pinnedSince'] !== null && $diff()['store']['rolledBackAt'] === null, 'JSON of a pin');
$cli->run(['unpin', 'tags', 'store']);

echo "-- other layouts\n";
$publish(4, ['seed' => 2]);
$show('diff', 'tags', 'store');
$sync('seed');
$publish(5, ['seed' => 2, 'layout' => new Bloom\Layout(chunkBytes: 4096)]);
$publish(6, ['seed' => 3, 'layout' => new Bloom\Layout(chunkBytes: 4096), 'capacity' => 40_000]);
echo implode("\n", preg_grep('/^(this|a sync|reused)/', explode("\n", $cli->run(['diff', 'tags', 'store'])->output))), "\n";
$sync('capacity');

echo "-- older\n";
$publish(1);
$show('diff', 'tags', 'store');
check($diff()['isRefused'] && $cli->run(['sync', 'tags', 'store'])->code === 75, 'an older version is refused');
$sync('older', '--force');

echo "-- damaged here\n";
[$file] = array_filter(glob(in_segment('tags/*', $cli->segment)), fn (string $file): bool => filesize($file) === 29 * 1024);
chmod($file, 0600);
$handle = fopen($file, 'r+');
fseek($handle, -1, SEEK_END);
$byte = fread($handle, 1);
fseek($handle, -1, SEEK_END);
fwrite($handle, ~$byte);
fclose($handle);
echo implode("\n", preg_grep('/^(this|a sync|reused)/', explode("\n", $cli->run(['diff', 'tags', 'store'])->output))), "\n";
$sync('damaged', '--force');

echo "-- garbage\n";
$publish(2);
$head = file_get_contents("$cli->files/store/tags");
file_put_contents("$cli->files/store/tags:versions", 'garbage');
$result = $cli->run(['diff', 'tags', 'store']);
echo $result->errors, "exit $result->code\n";
check(str_contains($result->output, 'fetches 1 of 4 chunks'), 'garbage before the current version');
file_put_contents("$cli->files/store/tags", substr_replace($head, 'x', 100, 1));
$show('diff', 'tags', 'store');
$show('diff', 'tags', 'store', '--format=json');
unlink("$cli->files/store/tags");
unlink("$cli->files/store/tags:versions");
$show('diff', 'tags', 'store');
file_put_contents("$cli->files/store/tags", $head);

echo "-- filters of other kinds, and other failures\n";
$show('diff', 'tags', 'missing');
$show('diff', 'tags/', 'store');
$cli->run(['drop', 'tags']);
$cli->run(['sync', 'tags', 'store', '--on-demand=1M']);
$publish(3);
$show('diff', 'tags', 'store');
$cli->run(['drop', 'tags']);
$cli->run(['sync', 'tags', 'store']);
$served = function (string $bloom) use ($cli): string {
    $json = $cli->shell("$bloom info tags store --format=json")->json();
    return json_encode([$json['error'], array_column($json['versions'], 'fetchBytes', 'label')]) . "\n";
};
$cli->install('bloom-relative', '-d bloom.path=relative', ['bloom']);
echo $served('bloom'), $served('bloom-relative');
chmod($cli->segment, 0777);
echo $served('bloom');
$show('diff', 'tags', 'store');
chmod($cli->segment, 0700);
$cli->run(['drop', 'tags']);
$cli->write('make.php', '<?php Bloom\ScalableFilter::create("tags", 100);');
$cli->install('bloom-make', "-d bloom.path=$cli->segment -d auto_prepend_file=$cli->files/make.php", ['bloom']);
$cli->shell('bloom-make list');
$show('diff', 'tags', 'store');
?>
--EXPECT--
$ bloom diff tags store
bloom: {segment}/tags: no such filter is loaded (bloom list shows those that are)
exit 66
$ bloom diff tags store
bloom: {segment}/tags: no such filter is loaded (bloom list shows those that are)
exit 66
$ bloom diff tags store
tags: this host serves the store's version, c65f2fff763b6579, built 2023-11-14 23:13:20 UTC (current)
exit 0
-- one shard
$ bloom diff tags store
                                THIS HOST                    STORE           CHANGE
version                  c65f2fff763b6579         b80b42ba000b0dc7          changed
built             2023-11-14 23:13:20 UTC  2023-11-15 00:13:20 UTC  1 h 0 min later
keys                               10,001                   10,002               +1
size                               29 KiB                        =
requested rate                     1.00 %                        =
shards                        25 of 1 KiB                        =
chunks                              8 KiB                        =
seed                                    1                        =
secret                               none                        =
signed by                          nobody                        =
hosts serve      the current version
this host        1 version behind
a sync           fetches 1 of 4 chunks, 8 KiB of 25 KiB
exit 1
$ bloom diff tags store --format=json
{"name":"tags","isSame":false,"here":{"checksum":"c65f2fff763b6579","builtAt":1700003600.0,"keys":10001,"bytes":29696,"falsePositiveRate":0.01,"seed":"1","shards":25,"shardBytes":1024,"keyedBy":null,"chunks":4,"chunkBytes":8192,"signedBy":null,"pinnedSince":null,"rolledBackAt":null},"store":{"checksum":"b80b42ba000b0dc7","builtAt":1700007200.0,"keys":10002,"bytes":29696,"falsePositiveRate":0.01,"seed":"1","shards":25,"shardBytes":1024,"keyedBy":null,"chunks":4,"chunkBytes":8192,"signedBy":null,"pinnedSince":null,"rolledBackAt":null},"fetchChunks":1,"fetchBytes":8192,"isRefused":false,"behind":1,"error":null}
exit 1
-- rolled back and pinned
$ bloom diff tags store
                                THIS HOST                    STORE             CHANGE
version                  b80b42ba000b0dc7         c65f2fff763b6579            changed
built             2023-11-15 00:13:20 UTC  2023-11-14 23:13:20 UTC  1 h 0 min earlier
keys                               10,002                   10,001                 -1
size                               29 KiB                        =
requested rate                     1.00 %                        =
shards                        25 of 1 KiB                        =
chunks                              8 KiB                        =
seed                                    1                        =
secret                               none                        =
signed by                          nobody                        =
hosts serve      c65f2fff763b6579, rolled back now
this host        a newer version
a sync           fetches 1 of 4 chunks, 8 KiB of 25 KiB
exit 1
$ bloom diff tags store
tags: this host serves the store's version, c65f2fff763b6579, built 2023-11-14 23:13:20 UTC (rolled back now)
exit 0
$ bloom diff tags store
                                THIS HOST                    STORE           CHANGE
version                  c65f2fff763b6579         5e6e30dcc886cc4c          changed
built             2023-11-14 23:13:20 UTC  2023-11-15 01:13:20 UTC  2 h 0 min later
keys                               10,001                   10,003               +2
size                               29 KiB                        =
requested rate                     1.00 %                        =
shards                        25 of 1 KiB                        =
chunks                              8 KiB                        =
seed                                    1                        =
secret                               none                        =
signed by                          nobody                        =
hosts serve      5e6e30dcc886cc4c, pinned now
this host        1 version behind
a sync           fetches 2 of 4 chunks, 16 KiB of 25 KiB
exit 1
-- other layouts
$ bloom diff tags store
                                THIS HOST                    STORE           CHANGE
version                  5e6e30dcc886cc4c         acab314d8778b3ed          changed
built             2023-11-15 01:13:20 UTC  2023-11-15 02:13:20 UTC  1 h 0 min later
keys                               10,003                        =
size                               29 KiB                        =
requested rate                     1.00 %                        =
shards                        25 of 1 KiB                        =
chunks                              8 KiB                        =
seed                                    1                        2          changed
secret                               none                        =
signed by                          nobody                        =
hosts serve      the current version
this host        1 version behind
a sync           fetches 4 of 4 chunks, 25 KiB of 25 KiB
reused chunks    none, because these differ: seed (build --like keeps them)
exit 1
this host        2 versions behind
a sync           fetches 13 of 13 chunks, 49 KiB of 49 KiB
reused chunks    none, because these differ: seed, number of shards, chunk size (build --like keeps them)
-- older
$ bloom diff tags store
                                THIS HOST                    STORE             CHANGE
version                  ce21b86bb169a000         c65f2fff763b6579            changed
built             2023-11-15 04:13:20 UTC  2023-11-14 23:13:20 UTC  5 h 0 min earlier
keys                               10,006                   10,001                 -5
size                               53 KiB                   29 KiB      -24,576 bytes
requested rate                     1.00 %                        =
shards                        49 of 1 KiB              25 of 1 KiB            changed
chunks                              4 KiB                    8 KiB            changed
seed                                    3                        1            changed
secret                               none                        =
signed by                          nobody                        =
hosts serve      the current version
this host        1 version behind
a sync           refuses this version, because it is older than the served one; sync --force loads it, and fetches 4 of 4 chunks, 25 KiB of 25 KiB
reused chunks    none, because these differ: seed, number of shards, chunk size (build --like keeps them)
exit 1
-- damaged here
this host        up to date
a sync           with --force repairs the served file, and fetches 1 of 4 chunks, 1 KiB of 25 KiB
-- garbage
bloom: tags: 7 bytes: too short to be a blob
exit 65
$ bloom diff tags store
bloom: tags: head: the head's checksum does not match; 7 bytes: too short to be a blob
exit 65
$ bloom diff tags store --format=json
{"name":"tags","isSame":null,"here":{"checksum":"c65f2fff763b6579","builtAt":1700003600.0,"keys":10001,"bytes":29696,"falsePositiveRate":0.01,"seed":"1","shards":25,"shardBytes":1024,"keyedBy":null,"chunks":4,"chunkBytes":8192,"signedBy":null,"pinnedSince":null,"rolledBackAt":null},"store":null,"fetchChunks":null,"fetchBytes":null,"isRefused":false,"behind":null,"error":"head: the head's checksum does not match; 7 bytes: too short to be a blob"}
bloom: tags: head: the head's checksum does not match; 7 bytes: too short to be a blob
exit 65
$ bloom diff tags store
bloom: tags: the store has no such filter
exit 75
-- filters of other kinds, and other failures
$ bloom diff tags missing
bloom: the store missing does not exist: create the directory, or mount the file system that contains it
exit 66
$ bloom diff tags/ store
bloom: NAME: "tags/" must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -; write bloom diff NAME STORE
exit 64
$ bloom diff tags store
                                THIS HOST                    STORE           CHANGE
version                  b80b42ba000b0dc7         5e6e30dcc886cc4c          changed
built             2023-11-15 00:13:20 UTC  2023-11-15 01:13:20 UTC  1 h 0 min later
keys                               10,002                   10,003               +1
size                               29 KiB                        =
requested rate                     1.00 %                        =
shards                        25 of 1 KiB                        =
chunks                              8 KiB                        =
seed                                    1                        =
secret                               none                        =
signed by                          nobody                        =
hosts serve      the current version
this host        1 version behind
a sync           fetches only the head; lookups fetch the chunks that they need
exit 1
[null,{"current":0,"previous":8192}]
[null,{"current":null,"previous":null}]
[null,{"current":null,"previous":null}]
$ bloom diff tags store
bloom: {segment} (mode 0777): refused: group or others may access it (directories must be 0700, files 0600)
exit 73
$ bloom diff tags store
bloom: tags is a scalable filter, which processes fill on this host: no sync replaces it
exit 73
