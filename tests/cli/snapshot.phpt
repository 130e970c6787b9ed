--TEST--
snapshot saves live filters, and restore creates them again and skips existing filters
--DESCRIPTION--
fault: restore-existing
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
$php = function (string $code) use ($cli): string {
    $cli->write('code.php', "<?php\n$code\nexit;\n");
    $cli->install('bloom-php', "-d bloom.path=$cli->segment -d auto_prepend_file=$cli->files/code.php", ['bloom']);
    $result = $cli->shell('bloom-php');
    unlink("$cli->files/code.php");
    return $result->output . $result->errors;
};
mkdir("$cli->files/saved");
mkdir("$cli->files/store");
$make = '
    use Bloom\{Builder, CountingFilter, Filter, LiveFilter, ReverseIndex, ReverseIndexBuilder, ScalableFilter, SlidingFilter};
    LiveFilter::create("live", 1000, seed: 1)->addMany(range(1, 500));
    $stock = CountingFilter::create("stock", 1000, seed: 1);
    $stock->addMany(["A-1", "A-1", "A-2"]);
    ScalableFilter::create("urls", 10, seed: 1)->addMany(range(1, 100));
    SlidingFilter::create("sent", 1000, 0.01, 100000, seed: 1)->addMany(["ann"]);
    ReverseIndex::create("shops", 100, 1000, seed: 1)->add(3, "lamp");
    Filter::load("tags", (new Builder(100, seed: 1))->build());
    $builder = new ReverseIndexBuilder(10, 100, seed: 1);
    Filter::load("index", $builder->build());
';
$look = '
    use Bloom\Filter;
    echo Filter::open("stock")->count("A-1"), Filter::open("sent")->mightContain("ann") ? " ann " : " ", count(Filter::open("urls")->candidates(range(1, 100))), " ",
        implode(" ", Filter::open("shops")->groups("lamp")), " ", count(Filter::open("live")->candidates(range(1, 500)));
';
echo $php($make);
$cli->show(['snapshot', '--all', 'saved']);
echo implode(' ', array_map(basename(...), glob("$cli->files/saved/*"))), "\n";
$cli->show(['restore', '--all', 'saved', '--format=json']);
$cli->show(['drop', 'live', 'stock', 'urls', 'sent', 'shops']);
$cli->show(['restore', '--all', 'saved']);
echo $php($look), "\n";

// A file, a store, JSON, and failures.
$cli->show(['snapshot', 'stock', 'one.snapshot']);
$cli->show(['snapshot', 'stock', 'live', 'one.snapshot']);
$cli->show(['snapshot', 'stock', 'none', 'tags', 'saved', '--format=json']);
$cli->show(['snapshot', 'index', 'saved']);
$cli->show(['drop', 'stock', '--quiet']);
file_put_contents("$cli->files/saved/live.snapshot", 'my own text');
$cli->show(['snapshot', 'live', 'saved']);
$cli->show(['restore', 'stock', 'none', 'live', 'saved']);
$cli->show(['drop', 'live', '--quiet']);
$cli->show(['restore', 'live', 'saved']);
$cli->show(['restore', 'live', 'one.snapshot']);
$cli->show(['drop', 'live', '--quiet']);
file_put_contents("$cli->files/saved/live.snapshot", substr_replace(file_get_contents("$cli->files/one.snapshot"), 'x', 100, 1));
$cli->show(['restore', 'live', 'saved']);

// Arguments.
mkdir("$cli->files/empty");
foreach ([['snapshot', 'saved'], ['snapshot', '--all', 'live', 'saved'], ['snapshot', '--all', 'one.snapshot'], ['restore', '--all', 'redis://127.0.0.1:1'],
    ['restore', '--all', 'empty'], ['restore', '--all', 'nowhere/'], ['snapshot', 'stock', 'nowhere/file'], ['snapshot', 'stock', '-'],
    ['restore', 'x', 'ftp://host'], ['restore', '../x', 'saved']] as $arguments) {
    $cli->show($arguments);
}
// The message depends on whether a client for Redis is installed.
$result = $cli->run(['snapshot', 'stock', 'redis://127.0.0.1:1']);
check(
    $result->code === 75 && preg_match('~^bloom: stock: (the store redis://127\.0\.0\.1:1: .*Connection refused|a Redis store needs .* predis)~', $result->errors),
    "$result->code $result->errors"
);
?>
--EXPECT--
$ bloom snapshot --all saved
live: saved to saved/live.snapshot, about 500 keys, 8 KiB, 0.0753 % false positives
sent: saved to saved/sent.snapshot, 1 key, 16 KiB, 6.29e-7 % false positives
shops: saved to saved/shops.snapshot, a reverse index of 100 groups, 1 key, 20 KiB, 5.96e-6 % false positives
stock: saved to saved/stock.snapshot, about 2 keys, 32 KiB, 1.26e-6 % false positives
urls: saved to saved/urls.snapshot, 100 keys, 20 KiB, 0.0187 % false positives
exit 0
live.snapshot sent.snapshot shops.snapshot stock.snapshot urls.snapshot
$ bloom restore --all saved --format=json
{"restored":[],"existing":["live","sent","shops","stock","urls"],"failed":[]}
exit 0
$ bloom drop live stock urls sent shops
live: dropped
stock: dropped
urls: dropped
sent: dropped
shops: dropped
exit 0
$ bloom restore --all saved
live: restored, about 500 keys, 8 KiB, 0.0753 % false positives
sent: restored, 1 key, 16 KiB, 6.29e-7 % false positives
shops: restored, a reverse index of 100 groups, 1 key, 20 KiB, 5.96e-6 % false positives
stock: restored, about 2 keys, 32 KiB, 1.26e-6 % false positives
urls: restored, 100 keys, 20 KiB, 0.0187 % false positives
exit 0
2 ann 100 3 500
$ bloom snapshot stock one.snapshot
stock: saved to one.snapshot, about 2 keys, 32 KiB, 1.26e-6 % false positives
exit 0
$ bloom snapshot stock live one.snapshot
bloom: PLACE one.snapshot: is not a directory, so it can contain only one snapshot: give a directory for several
exit 64
$ bloom snapshot stock none tags saved --format=json
{"saved":["stock"],"failed":[{"name":"none","error":"{dir}/segment/none: no such filter is loaded"},{"name":"tags","error":"tags: a filter of the kind loaded cannot be saved: after a reboot, load or sync it again"}]}
bloom: {dir}/segment/none: no such filter is loaded
bloom: tags: a filter of the kind loaded cannot be saved: after a reboot, load or sync it again
exit 73
$ bloom snapshot index saved
bloom: index: a filter of the kind loaded cannot be saved: after a reboot, load or sync it again
exit 73
$ bloom drop stock --quiet
exit 0
$ bloom snapshot live saved
bloom: live: PLACE saved/live.snapshot: exists and is not a snapshot, so it is not replaced: choose another name, or delete the file
exit 64
$ bloom restore stock none live saved
stock: restored, about 2 keys, 32 KiB, 1.26e-6 % false positives
live: exists already, not restored
bloom: none: saved/none.snapshot: is not a readable file
exit 66
$ bloom drop live --quiet
exit 0
$ bloom restore live saved
bloom: live: saved/live.snapshot: offset 0: this is not a snapshot: the magic bytes do not match
exit 65
$ bloom restore live one.snapshot
live: restored, about 2 keys, 32 KiB, 1.26e-6 % false positives
exit 0
$ bloom drop live --quiet
exit 0
$ bloom restore live saved
bloom: live: saved/live.snapshot: head of 4248 bytes: the head's checksum does not match
exit 65
$ bloom snapshot saved
bloom: PLACE is missing: write bloom snapshot [NAME...] PLACE
exit 64
$ bloom snapshot --all live saved
bloom: give either names or --all
exit 64
$ bloom snapshot --all one.snapshot
bloom: PLACE one.snapshot: is not a directory, so it can contain only one snapshot: give a directory for several
exit 64
$ bloom restore --all redis://127.0.0.1:1
bloom: --all needs an existing directory, not "redis://127.0.0.1:1": neither a store nor a file can list snapshots
exit 64
$ bloom restore --all empty
exit 0
$ bloom restore --all nowhere/
bloom: nowhere: is not a readable directory
exit 66
$ bloom snapshot stock nowhere/file
bloom: stock: nowhere/file: its directory does not exist or is not accessible
exit 73
$ bloom snapshot stock -
bloom: PLACE: a snapshot cannot be written to standard output or read from standard input: give a file, a directory or a store
exit 64
$ bloom restore x ftp://host
bloom: STORE: "ftp:" is not one of dir:, file:, redis:, rediss:, unix:, redis-cluster:, memcached: (write dir:PATH for a directory with a colon in its name)
exit 64
$ bloom restore ../x saved
bloom: NAME: "../x" must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with . or -; write bloom restore [NAME...] PLACE
exit 64
