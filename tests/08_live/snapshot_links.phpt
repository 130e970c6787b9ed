--TEST--
In a directory where every user can create links, snapshots and journals are neither read nor written through another user's link
--DESCRIPTION--
fault: planted-link
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/root.inc';
skip_unless_root();
?>
--INI--
bloom.path={TMP}/bloom-snapshot_links
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/root.inc';
require __DIR__ . '/../lib/journals.inc';
use Bloom\{DirectoryStore, Filter, LiveFilter};

const OTHER = 65533;
mkdir(own_file('shared'));
chmod(own_file('shared'), 01777);
$live = LiveFilter::create('seen', 100);
$live->add('a');
$live->save(own_file('snapshot'));
$store = new DirectoryStore(own_file('shared'));
$end = $store->append('tags:journal', [record('a')]);
rename(own_file('shared/tags:journal'), own_file('journal'));
symlink('../snapshot', own_file('shared/snapshot'));
symlink('../journal', own_file('shared/tags:journal'));

$try = function () use ($live, $store, $end): void {
    foreach ([
        'save' => fn () => $live->save(own_file('shared/snapshot')),
        'restore' => fn () => Filter::restore('seen', own_file('shared/snapshot')),
        'last' => fn () => $store->last('tags:journal'),
        'read' => fn () => $store->read(['tags:journal' => $end], 1),
        'append' => fn () => $store->append('tags:journal', [record('b')]),
        'trim' => fn () => $store->trim('tags:journal', $end),
    ] as $what => $call) {
        echo "$what: ", thrown($call), "\n";
    }
};
echo "own links:\n";
$try();
$before = [file_get_contents(own_file('snapshot')), file_get_contents(own_file('journal'))];
chown_link(own_file('shared/snapshot'), OTHER);
chown_link(own_file('shared/tags:journal'), OTHER);
echo "links of another user:\n";
$try();
check($before === [file_get_contents(own_file('snapshot')), file_get_contents(own_file('journal'))], 'the files are as they were');
check(tree(own_file('shared')) === ['snapshot', 'tags:journal'], 'nothing is left: ' . implode(' ', tree(own_file('shared'))));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
own links:
save: nothing
restore: Bloom\KindException: seen: a filter with that name already exists (drop it first, or use it as it is)
last: nothing
read: nothing
append: nothing
trim: nothing
links of another user:
save: Bloom\BloomException: {segment}.d/shared/snapshot: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
restore: Bloom\BloomException: {segment}.d/shared/snapshot: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
last: Bloom\StoreException: {segment}.d/shared/tags:journal: cannot be opened: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
read: Bloom\StoreException: {segment}.d/shared/tags:journal: cannot be opened: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
append: Bloom\StoreException: {segment}.d/shared/tags:journal: cannot be opened: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
trim: Bloom\StoreException: {segment}.d/shared/tags:journal: cannot be opened: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
