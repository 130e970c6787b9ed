--TEST--
load, sync and restore warn if another user has a filter of the same name; a segment that cannot exist is reported
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
$cli->writeKeys('keys', 1, 10);
$cli->shell('bloom build -q blob keys; mkdir store; bloom publish -q tags blob store');
// Segments with the names that the default path gives to those of two users. No user has the second id.
mkdir("$cli->directory/php-bloom-4294967290/tags@5", 0700, true);
mkdir("$cli->directory/php-bloom-none/tags@5", 0700, true);
$cli->install('bloom-own', "-d bloom.path=$cli->directory/php-bloom-0", ['bloom']);
$cli->show('bloom-own load tags blob');
$cli->show('bloom-own sync -q tags store');
$cli->show('bloom-own load -q other blob');
$cli->show('bloom-own info other | head -n 1');
$cli->show('bloom-own info nothing');
$cli->show('bloom-own list --format=json | wc -l');
echo str_replace($cli->directory, '{dir}', $cli->shell('bloom-own list')->errors);
$cli->shell('bloom-own drop other tags');
$cli->show('bloom-own health');
// A path without a user's id is shared on purpose.
$cli->show('bloom load -q tags blob');

$cli->install('bloom-nowhere', "-d bloom.path=$cli->directory/nowhere/segment", ['bloom']);
foreach (['list', 'health tags', 'load tags blob', 'sync tags store'] as $command) {
    $cli->show("bloom-nowhere $command");
}
?>
--EXPECTF--
$ bloom-own load tags blob
tags: loaded generation 1, 10 keys, %s, in {dir}/php-bloom-0
bloom: warning: user 4294967290 also has a filter tags, in {dir}/php-bloom-4294967290. This command does not change it. To change it, run the command as that user
exit 0
$ bloom-own sync -q tags store
bloom: warning: user 4294967290 also has a filter tags, in {dir}/php-bloom-4294967290. This command does not change it. To change it, run the command as that user
exit 0
$ bloom-own load -q other blob
exit 0
$ bloom-own info other | head -n 1
name             other (loaded)
exit 0
$ bloom-own info nothing
bloom: nothing: neither a file nor a filter on this host
exit 66
$ bloom-own list --format=json | wc -l
1
exit 0
user 4294967290 has 1 filter in {dir}/php-bloom-4294967290 (tags): run the command as that user, for example with runuser -u 4294967290 --
$ bloom-own health
no filters in {dir}/php-bloom-0
user 4294967290 has 1 filter in {dir}/php-bloom-4294967290 (tags): run the command as that user, for example with runuser -u 4294967290 --
exit 2
$ bloom load -q tags blob
exit 0
$ bloom-nowhere list
bloom: {dir}/nowhere/segment: the segment's directory cannot be created: {dir}/nowhere does not exist (set bloom.path to a directory on a tmpfs that this user can create)
exit 73
$ bloom-nowhere health tags
tags: CRITICAL: {dir}/nowhere/segment/tags: no such filter is loaded
bloom: {dir}/nowhere/segment: the segment's directory cannot be created: {dir}/nowhere does not exist (set bloom.path to a directory on a tmpfs that this user can create)
exit 2
$ bloom-nowhere load tags blob
bloom: {dir}/nowhere/segment: the segment's directory cannot be created: No such file or directory (set bloom.path to a directory on a tmpfs that this user can create)
exit 73
$ bloom-nowhere sync tags store
bloom: {dir}/nowhere/segment: the segment's directory cannot be created: No such file or directory (set bloom.path to a directory on a tmpfs that this user can create)
exit 73
