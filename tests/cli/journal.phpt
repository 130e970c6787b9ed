--TEST--
add reads - as standard input, refuses an empty key, warns about a key that is a file and an unknown filter; load says that --journal is missing
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
bloom: warning: tagz: the store has no filter of that name, so no host finds the keys until one is published with a mark (is NAME misspelled?)
exit 0
{"0":"ant","1":"bee","2":"cat","3":"dog","4":"elk","7":"","8":"-","9":"keys","10":"file://keys","12":"fish"}
