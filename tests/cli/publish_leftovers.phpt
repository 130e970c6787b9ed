--TEST--
A publish that cannot delete an old chunk warns and exits with 0, and a later publish deletes the chunk
--DESCRIPTION--
fault: collect-killed
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
foreach ([1, 2, 3, 4] as $number) {
    $builder = new Bloom\Builder(1000, seed: 1);
    $builder->add("v$number");
    $builder->build(builtAt: 1_700_000_000 + $number)->save("$cli->files/$number.bloom");
}
$cli->run(['publish', 'tags', '1.bloom', 'store', '--retain=2']);
// The old chunk is replaced by a directory, which even root cannot unlink.
[$chunk] = glob("$cli->files/store/tags:chunks/*/*");
$cli->run(['publish', 'tags', '2.bloom', 'store', '--retain=2']);
unlink($chunk);
mkdir($chunk);
$cli->show('bloom publish tags 3.bloom store --retain=2 2>&1 | sed "s#chunks/.*: c#chunks/…: c#"');
$cli->show('bloom publish tags 3.bloom store --retain=2 --format=json 2>errors | sed "s#chunks/[^ ]*: c#chunks/…: c#"; grep -c warning errors; rm errors');
check($cli->run(['publish', 'tags', '3.bloom', 'store', '--retain=2'])->code === 0, 'exit code 0');
rmdir($chunk);
touch($chunk);
$cli->show(['publish', 'tags', '4.bloom', 'store', '--retain=2']);
echo count(glob("$cli->files/store/tags:chunks/*/*")), ' chunks, ', implode(' ', array_map('basename', glob("$cli->files/store/*"))), "\n";
?>
--EXPECT--
$ bloom publish tags 3.bloom store --retain=2 2>&1 | sed "s#chunks/.*: c#chunks/…: c#"
bloom: warning: the chunks of 1 old version could not be deleted; the next publish tries again: {dir}/files/store/tags:chunks/…: cannot be deleted: Is a directory
tags: published, 1 of 1 chunk written, 6 KiB
exit 0
$ bloom publish tags 3.bloom store --retain=2 --format=json 2>errors | sed "s#chunks/[^ ]*: c#chunks/…: c#"; grep -c warning errors; rm errors
{"name":"tags","chunks":1,"chunksWritten":0,"bytesWritten":0,"warning":"the chunks of 1 old version could not be deleted; the next publish tries again: {dir}/files/store/tags:chunks/…: cannot be deleted: Is a directory"}
1
exit 0
$ bloom publish tags 4.bloom store --retain=2
tags: published, 1 of 1 chunk written, 6 KiB
exit 0
2 chunks, tags tags:chunks tags:lock tags:publisher tags:versions
