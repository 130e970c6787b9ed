--TEST--
A user whose segment cannot be used can still add keys to a journal
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/bloom.inc';
if (user_id() !== 0) {
    echo 'skip only root can become another user';
}
?>
--INI--
bloom.path={TMP}/bloom-journal_no_segment
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\{DirectoryStore, LiveFilter};

chmod(own_file(), 0711);
mkdir($directory = own_file('store'));
chmod($directory, 0777);
mkdir($closed = own_file('closed'), 0700);
touch($file = own_file('file'));
$count = 0;
$add = function (string $title, string $path) use ($directory, &$count): void {
    $code = '$key = "key $argv[2]"; echo (new Bloom\Journal("tags", new Bloom\DirectoryStore($argv[1])))->add($key);';
    $said = (new Child($code, ['bloom.path' => $path], [$directory, ++$count], as_nobody()))->end();
    echo "$title: $said\n";
};
$add('in a directory of root', "$closed/segment");
$add('a file', $file);
$add('in a file', "$file/segment");
$add('in a missing directory', own_file('missing') . '/segment');
LiveFilter::create("seen", 100);
$add('the segment of root', ini_get('bloom.path'));
$last = (new DirectoryStore($directory))->last('tags:journal');
echo str_contains($last[1], "key $count") ? "all keys are in the journal\n" : "a key is missing\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
in a directory of root: 1
a file: 1
in a file: 1
in a missing directory: 1
the segment of root: 1
all keys are in the journal
