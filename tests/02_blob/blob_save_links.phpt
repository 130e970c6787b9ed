--TEST--
In a directory where every user can create links, save() and DirectoryStore follow only links of this user and of the directory's owner
--DESCRIPTION--
fault: planted-link
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/root.inc';
skip_unless_root();
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/root.inc';
use Bloom\DirectoryStore;

const ME = 65534, OTHER = 65533, OWNER = 65532;
chmod(own_file(), 0711);

/** Makes the link `shared/tags` in a directory with a mode and an owner, and returns what both calls do as a user. */
function attempt(int $mode, int $directory, int $link, int $user, string $target = '../victim/file'): string
{
    remove_tree(own_file('shared'));
    remove_tree(own_file('victim'));
    foreach (['shared' => [$mode, $directory], 'victim' => [0700, $user]] as $name => [$bits, $owner]) {
        mkdir(own_file($name));
        chmod(own_file($name), $bits);
        chown(own_file($name), $owner);
    }
    file_put_contents(own_file('victim/file'), 'as it was');
    chmod(own_file('victim/file'), 0600);
    chown(own_file('victim/file'), $user);
    symlink($target, own_file('shared/tags'));
    chown_link(own_file('shared/tags'), $link);
    // A link of this user that leads to the link above.
    symlink(own_file('shared/tags'), own_file('victim/chain'));
    chown_link(own_file('victim/chain'), $user);
    $code = '$blob = blob_of(["a"]);
        foreach (["save" => fn () => $blob->save(own_file("shared/tags")), "a chain" => fn () => $blob->save(own_file("victim/chain")),
            "set" => fn () => (new Bloom\DirectoryStore(own_file("shared")))->set("tags", "value")] as $what => $call) {
            $thrown = thrown($call);
            echo "$what: ", $thrown === "nothing" ? "followed" : $thrown, "\n";
        }';
    $said = run($code, [], $user === 0 ? '' : "setpriv --reuid=$user --regid=$user --clear-groups");
    clearstatcache();
    $file = own_file('victim/file');
    check(is_link(own_file('shared/tags')), 'the link is as it was');
    check(fileowner($file) === $user && (fileperms($file) & 0777) === 0600, sprintf('owner %d, mode %o', fileowner($file), fileperms($file) & 0777));
    check((file_get_contents($file) === 'as it was') === !str_contains($said, 'followed'), 'the file');
    return $said;
}

foreach (['a user' => ME, 'root' => 0] as $who => $user) {
    echo "$who, a link of another user:\n", attempt(01777, OWNER, OTHER, $user), "\n";
    foreach ([
        'an own link' => [01777, OWNER, $user],
        'a link of the owner of the directory' => [01777, OWNER, OWNER],
        'a directory that is not sticky' => [0777, OWNER, OTHER],
        'a directory in which only its owner can write' => [01755, OTHER, OTHER],
    ] as $which => $arguments) {
        $said = attempt(...[...$arguments, $user]);
        check($said === "save: followed\na chain: followed\nset: followed", "$who, $which: $said");
    }
}
// A link to the store's directory itself.
foreach (['of another user' => OTHER, 'of this user' => ME] as $whose => $link) {
    remove_tree(own_file('shared'));
    remove_tree(own_file('victim'));
    foreach (['shared' => [01777, OWNER], 'victim' => [0700, ME]] as $name => [$bits, $owner]) {
        mkdir(own_file($name));
        chmod(own_file($name), $bits);
        chown(own_file($name), $owner);
    }
    symlink('../victim', own_file('shared/store'));
    chown_link(own_file('shared/store'), $link);
    echo "a store behind a link $whose:\n", run('$store = new Bloom\DirectoryStore(own_file("shared/store/"));
        foreach (["set" => fn () => $store->set("tags", "value"), "getMultiple" => fn () => $store->getMultiple(["tags"]),
            "missing" => fn () => $store->missing(["tags"]), "deleteMultiple" => fn () => $store->deleteMultiple(["tags"])] as $what => $call) {
            $thrown = thrown($call);
            echo "$what: ", $thrown === "nothing" ? "followed" : $thrown, "\n";
        }', [], 'setpriv --reuid=' . ME . ' --regid=' . ME . ' --clear-groups'), "\n";
}
// The last component decides, so an absolute target is the same.
check(str_contains(attempt(01777, OWNER, OTHER, ME, own_file('victim/file')), 'save: Bloom'), 'an absolute target');
remove_tree(own_file('shared'));
remove_tree(own_file('victim'));
// A link that leads nowhere is replaced. Its own mode, 0777, is not that of a file.
mkdir(own_file('store'));
foreach (['a link that leads nowhere' => ['a' => 'nothing'], 'a loop of links' => ['a' => 'b', 'b' => 'a']] as $which => $links) {
    foreach (['blob' => 'umask(022); blob_of(["a"])->save(own_file("store/a"));',
        'value' => 'umask(022); (new Bloom\DirectoryStore(own_file("store")))->set("a", "value");'] as $what => $code) {
        foreach ($links as $link => $target) {
            @unlink(own_file("store/$link"));
            symlink($target, own_file("store/$link"));
        }
        echo run($code);
        clearstatcache();
        $mode = lstat(own_file('store/a'))['mode'];
        check($mode === 0100644, sprintf('%s is replaced by a %s of the default mode: %o', $which, $what, $mode));
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
a user, a link of another user:
save: Bloom\BloomException: {segment}.d/shared/tags: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
a chain: Bloom\BloomException: {segment}.d/victim/chain: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
set: Bloom\StoreException: {segment}.d/shared/tags: cannot be written: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
root, a link of another user:
save: Bloom\BloomException: {segment}.d/shared/tags: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
a chain: Bloom\BloomException: {segment}.d/victim/chain: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
set: Bloom\StoreException: {segment}.d/shared/tags: cannot be written: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
a store behind a link of another user:
set: Bloom\StoreException: {segment}.d/shared/store: the store's directory cannot be reached: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
getMultiple: Bloom\StoreException: {segment}.d/shared/store: the store's directory cannot be reached: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
missing: Bloom\StoreException: {segment}.d/shared/store: the store's directory cannot be reached: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
deleteMultiple: Bloom\StoreException: {segment}.d/shared/store: the store's directory cannot be reached: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
a store behind a link of this user:
set: followed
getMultiple: followed
missing: followed
deleteMultiple: followed
