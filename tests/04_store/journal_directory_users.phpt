--TEST--
Several users append to a journal in a directory and trim it, unless its owner or group would lose access
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../root.inc';
skip_unless_root();
?>
--INI--
bloom.path={TMP}/bloom-journal_directory_users
--FILE--
<?php
require __DIR__ . '/../bloom.inc';
require __DIR__ . '/../journals.inc';
use Bloom\DirectoryStore;

umask(022);
chmod(own_file(), 0711);
const NOBODY = 65534, ANOTHER = 65533, GROUP = 65532;

/** Appends to the journal twice as a user and trims it up to the second record. Returns what happened. */
function visit(int $user, int $group): string
{
    return run('require ' . var_export(dirname(__DIR__) . '/journals.inc', true) . '; umask(022);
        $store = new Bloom\DirectoryStore(' . var_export(own_file('store'), true) . ');
        echo preg_replace("~(\{segment\}|/)\S*/~", "", thrown(function () use ($store) {
            $store->append("tags:journal", [record("a")]);
            $end = $store->append("tags:journal", [record("b")]);
            $store->trim("tags:journal", $end);
            check(filesize(' . var_export(own_file('store/tags:journal'), true) . ') === 64 + 49, "trimmed");
        }));', before: "setpriv --reuid=$user --regid=$group --clear-groups");
}
/** Makes a store with a journal of some owner, group and mode. */
function store_of(int $directoryMode, int $user, int $group, int $mode): void
{
    remove_tree(own_file('store'));
    mkdir(own_file('store'));
    chown(own_file('store'), $user);
    chgrp(own_file('store'), $group);
    chmod(own_file('store'), $directoryMode);
    (new DirectoryStore(own_file('store')))->last('tags:journal');
    chown(own_file('store/tags:journal'), $user);
    chgrp(own_file('store/tags:journal'), $group);
    chmod(own_file('store/tags:journal'), $mode);
}
function state(): string
{
    clearstatcache();
    $about = stat(own_file('store/tags:journal'));
    return "$about[uid]:$about[gid] " . decoct($about['mode'] & 0777) . ', ' . count(glob(own_file('store/*'))) . ' file';
}

foreach ([
    'the owner' => [0755, NOBODY, GROUP, 0644, NOBODY, GROUP],
    'the owner, who is no longer in the group' => [0755, NOBODY, GROUP, 0664, NOBODY, NOBODY],
    'root' => [0755, NOBODY, GROUP, 0640, 0, 0],
    'a member of the group' => [0775, NOBODY, GROUP, 0664, ANOTHER, GROUP],
    'a member of the group that may only read' => [0775, NOBODY, GROUP, 0644, ANOTHER, GROUP],
    'somebody, if all may write but the group may not' => [0777, NOBODY, GROUP, 0646, ANOTHER, ANOTHER],
    'somebody, if all may write' => [0777, NOBODY, GROUP, 0666, ANOTHER, ANOTHER],
    'somebody, if the directory passes its group on' => [02777, NOBODY, GROUP, 0666, ANOTHER, ANOTHER],
    'somebody who may not write' => [0755, NOBODY, GROUP, 0644, ANOTHER, ANOTHER],
    'somebody who may append but create no file' => [0755, NOBODY, GROUP, 0666, ANOTHER, ANOTHER],
] as $who => [$directoryMode, $user, $group, $mode, $visitor, $visitors]) {
    store_of($directoryMode, $user, $group, $mode);
    echo "$who: ", visit($visitor, $visitors), ' -> ', state(), "\n";
}
?>
--CLEAN--
<?php
require __DIR__ . '/../bloom.inc';
clean();
?>
--EXPECT--
the owner: nothing -> 65534:65532 644, 1 file
the owner, who is no longer in the group: Bloom\StoreException: tags:journal: cannot be trimmed, because its owner or group would change: Operation not permitted -> 65534:65532 664, 1 file
root: nothing -> 65534:65532 640, 1 file
a member of the group: nothing -> 65533:65532 664, 1 file
a member of the group that may only read: Bloom\StoreException: tags:journal: cannot be opened: Permission denied -> 65534:65532 644, 1 file
somebody, if all may write but the group may not: Bloom\StoreException: tags:journal: cannot be trimmed, because its owner or group would change: Operation not permitted -> 65534:65532 646, 1 file
somebody, if all may write: Bloom\StoreException: tags:journal: cannot be trimmed, because its owner or group would change: Operation not permitted -> 65534:65532 666, 1 file
somebody, if the directory passes its group on: nothing -> 65533:65532 666, 1 file
somebody who may not write: Bloom\StoreException: tags:journal: cannot be opened: Permission denied -> 65534:65532 644, 1 file
somebody who may append but create no file: Bloom\StoreException: tags:journal: cannot be created: Permission denied -> 65534:65532 666, 1 file
