--TEST--
add reads - as standard input, refuses an empty key, warns about a key that is a file and an unknown filter; load says that --journal is missing
--DESCRIPTION--
fault: add-before-version, no-mark
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
$cli->write('keys', "fish\n");
$mark = trim($cli->run(['mark', 'tags', 'store'])->output);
$cli->run(['build', "--mark=$mark", '--seed=1', 'tags.bloom', 'keys']);
$cli->show(['load', 'tags', 'tags.bloom']);
$cli->run(['publish', 'tags', 'tags.bloom', 'store']);

$cli->show(['add', 'tags', 'store', '-'], "ant\r\nbee\n");
$cli->show(['add', 'tags', 'store', 'cat', '-', 'dog'], "elk\n");
$cli->show(['add', 'tags', 'store', 'emu', ''], "gnu\n");
$cli->show(['add', 'tags', 'store', '-', '--format=json'], "\n-\n");
$cli->show(['add', 'tags', 'store', 'keys', 'store', 'file://keys'], "yak\n");
$cli->show(['add', 'tags', 'store', '-']);

$cli->show(['add', 'tagz', 'store', 'fox']);

$cli->run(['sync', 'tags', 'store']);
$cli->write('find.php', '<?php echo json_encode(Bloom\Filter::open("tags")->candidates(array_slice($argv, 1)), JSON_UNESCAPED_SLASHES), "\n";');
$cli->installPhp();
echo $cli->shell("php find.php ant bee cat dog elk emu gnu '' - keys file://keys yak fish")->output;

// A night without a mark is refused, and so are keys that no host would find.
$cli->run(['build', '--seed=1', '--allow-empty', '--force', 'unmarked.bloom', 'keys']);
$cli->show(['publish', 'tags', 'unmarked.bloom', 'store']);
$cli->show(['publish', '--end-journal', 'tags', 'unmarked.bloom', 'store']);
$cli->show(['add', 'tags', 'store', 'refused']);
$cli->write('keys', "fish\nant\nbee\ncat\ndog\nelk\n\n-\nkeys\nstore\nfile://keys\n");
$cli->run(['build', '--seed=1', 'unmarked.bloom', 'keys']);
$cli->show(['publish', '--end-journal', '--quiet', 'tags', 'unmarked.bloom', 'store']);
$cli->show(['add', 'tags', 'store', 'refused']);
$cli->run(['sync', 'tags', 'store']);
$cli->write('found.php', '<?php echo count(Bloom\Filter::open("tags")->candidates(array_slice($argv, 1))), "\n";');
echo $cli->shell("php found.php ant bee cat dog elk '' - keys file://keys fish")->output;
?>
--EXPECT--
$ bloom load tags tags.bloom
bloom: --journal is missing: the blob has a mark, so the load needs the store with the journal; write bloom load --journal=STORE NAME BLOB
exit 64
$ bloom add tags store -
tags: added 2 keys to its journal
exit 0
$ bloom add tags store cat - dog
tags: added 3 keys to its journal
exit 0
$ bloom add tags store emu 
bloom: an argument is empty; write bloom add NAME STORE [KEYS...] (is a shell variable not set?)
exit 64
$ bloom add tags store - --format=json
{"name":"tags","added":2}
exit 0
$ bloom add tags store keys store file://keys
tags: added 3 keys to its journal
bloom: warning: KEYS: "keys" is a file, but only its name is added; add its lines with bloom add NAME STORE < FILE
exit 0
$ bloom add tags store -
bloom: no keys: give them as arguments, or one per line on standard input
exit 66
$ bloom add tagz store fox
tagz: added 1 key to its journal
bloom: warning: tagz: nothing is published under this name yet, so no host finds the keys until a version with a mark is published (is NAME misspelled?)
exit 0
{"0":"ant","1":"bee","2":"cat","3":"dog","4":"elk","7":"","8":"-","9":"keys","10":"file://keys","12":"fish"}
$ bloom publish tags unmarked.bloom store
bloom: tags: the filter has a journal, but the blob has no mark, so no host would find the keys that are added (before you read the keys, take (new Journal($name, $store))->mark() and pass it to build(), or the output of bloom mark to bloom build --mark; to end the journal, publish with endJournal or --end-journal)
exit 73
$ bloom publish --end-journal tags unmarked.bloom store
bloom: tags: 10 of them: the journal has ended, but the blob lacks keys that were added to it before (read the keys again, then build and publish the blob)
exit 73
$ bloom add tags store refused
bloom: tags: the published version does not follow the journal, so no host would find the keys (take a mark with Journal::mark() or bloom mark, then read the keys, build the blob with that mark and publish it)
exit 73
$ bloom publish --end-journal --quiet tags unmarked.bloom store
exit 0
$ bloom add tags store refused
bloom: tags: the published version does not follow the journal, so no host would find the keys (take a mark with Journal::mark() or bloom mark, then read the keys, build the blob with that mark and publish it)
exit 73
10
