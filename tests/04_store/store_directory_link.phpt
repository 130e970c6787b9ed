--TEST--
A process follows the link to its store's directory again in each call, so it uses the directory to which an operator switches the link
--DESCRIPTION--
fault: store-link-switched
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-store_directory_link
realpath_cache_size=4M
realpath_cache_ttl=3600
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
use Bloom\{Blob, Builder, DirectoryStore, Filter};

/** Another process switches a link atomically, so PHP cannot know that its cache is wrong. */
function switch_link(string $target, string $link): void
{
    shell_exec('cd ' . escapeshellarg(own_file()) . " && ln -s $target next && mv -T next $link");
}

foreach (['old', 'new'] as $which) {
    mkdir(own_file($which));
    $store = new DirectoryStore(own_file($which));
    blob_of(["in the $which one"], builtAt: $which === 'old' ? 1_700_000_000 : 1_700_000_001)->publish($store, 'tags');
    $store->set('which', $which);
    blob_of([$which])->save(own_file("$which/file.bloom"));
    file_put_contents(own_file("$which/keys"), "$which\n");
}
switch_link('old', 'current');
mkdir(own_file('deploy'));
switch_link('../current', 'deploy/inner');
chdir(own_file());
$stores = ['the link' => new DirectoryStore(own_file('current')), 'a relative path' => new DirectoryStore('current/'),
    'a link that leads to it' => new DirectoryStore(own_file('deploy/inner'))];
chdir('/');
$look = static function () use ($stores): string {
    $seen = [];
    foreach ($stores as $store) {
        $seen[] = $store->getMultiple(['which'])['which'];
        $seen[] = Blob::fetch($store, 'tags')->mightContain('in the old one') ? 'old' : 'new';
        $store->set('mine', 'x');
        $seen[] = file_exists(own_file('old/mine')) ? 'old' : 'new';
        $seen[] = $store->missing(['mine']) === [] ? 'there' : 'missing';
        $store->deleteMultiple(['mine']);
        $seen[] = $store->missing(['mine']) === [] ? 'there' : 'missing';
    }
    $seen[] = Blob::open(own_file('current/file.bloom'))->mightContain('new') ? 'new' : 'old';
    $builder = new Builder(10);
    $builder->addFile(own_file('current/keys'));
    $seen[] = $builder->build()->mightContain('new') ? 'new' : 'old';
    return implode(' ', $seen);
};
echo $look(), "\n";
check(switched(Filter::sync('tags', $stores['the link'], 0)), 'the first version');
switch_link('new', 'current');
echo $look(), "\n";
check(switched(Filter::sync('tags', $stores['the link'], 0)) && Filter::open('tags')->mightContain('in the new one'),
    'a sync loads the version of the new directory');
check(!file_exists(own_file('old/mine')) && !file_exists(own_file('new/mine')), 'deleted');

// A directory that is missing is never created, and an empty one is not it.
unlink(own_file('current'));
foreach ($stores as $what => $store) {
    check(thrown(fn () => $store->set('tags:' . str_repeat('0', 32), 'chunk'), true) === 'Bloom\StoreException', "$what: missing");
}
check(!file_exists(own_file('current')), 'it is not created');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
old old old there missing old old old there missing old old old there missing old old
new new new there missing new new new there missing new new new there missing new new
