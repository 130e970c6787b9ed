--TEST--
Several users append to a journal in a directory and trim it, unless its owner or group would lose access, and no other user can read or lock it
--DESCRIPTION--
fault: journal-users
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/root.inc';
skip_unless_root();
?>
--INI--
bloom.path={TMP}/bloom-journal_directory_users
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/journals.inc';
use Bloom\DirectoryStore;

umask(022);
chmod(own_file(), 0711);
const NOBODY = 65534, ANOTHER = 65533, GROUP = 65532;

/** Appends to the journal twice as a user and trims it up to the second record. Returns what happened. */
function visit(int $user, int $group): string
{
    return run('require ' . var_export(dirname(__DIR__) . '/lib/journals.inc', true) . '; umask(022);
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

/** Lets users append to a journal one after the other. The first one creates it. */
function appended(int $directoryMode, array $visitors): string
{
    remove_tree(own_file('store'));
    mkdir(own_file('store'));
    chown(own_file('store'), NOBODY);
    chgrp(own_file('store'), GROUP);
    chmod(own_file('store'), $directoryMode);
    $said = '';
    foreach ($visitors as [$user, $group, $groups]) {
        $said .= run('require ' . var_export(dirname(__DIR__) . '/lib/journals.inc', true) . '; umask(022);
            echo preg_replace("~(\{segment\}|/)\S*/~", "", thrown(fn () => (new Bloom\DirectoryStore(' . var_export(own_file('store'), true)
            . '))->append("tags:journal", [record("a")])));', before: "setpriv --reuid=$user --regid=$group --groups=$groups") . ', ';
    }
    return $said . state();
}
echo "Who can append to a new journal?\n";
foreach ([
    'the owner and another user' => [0755, [[NOBODY, GROUP, GROUP], [ANOTHER, ANOTHER, ANOTHER]]],
    'root and the owner' => [0755, [[0, 0, 0], [NOBODY, GROUP, GROUP]]],
    'members of the group that may write' => [0775, [[NOBODY, NOBODY, GROUP], [ANOTHER, GROUP, GROUP]]],
    'members of a group that may only read' => [0755, [[NOBODY, GROUP, GROUP], [ANOTHER, GROUP, GROUP]]],
    'a user outside of the group, and a member' => [0777, [[NOBODY, NOBODY, NOBODY], [ANOTHER, GROUP, GROUP]]],
] as $who => $arguments) {
    echo "$who: ", appended(...$arguments), "\n";
}

// A process that holds the lock of a journal blocks appends, so a user who may not append must not get it.
appended(0755, [[NOBODY, GROUP, GROUP]]);
$holder = 'setpriv --reuid=' . ANOTHER . ' --regid=' . ANOTHER . ' --clear-groups flock -n ' . escapeshellarg(own_file('store/tags:journal')) . ' true 2>&1';
echo 'the lock: ', preg_replace('~/\S*/~', '', (string) shell_exec($holder));
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
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
Who can append to a new journal?
the owner and another user: nothing, Bloom\StoreException: tags:journal: cannot be opened: Permission denied, 65534:65532 600, 1 file
root and the owner: nothing, nothing, 65534:65532 600, 1 file
members of the group that may write: nothing, nothing, 65534:65532 660, 1 file
members of a group that may only read: nothing, Bloom\StoreException: tags:journal: cannot be opened: Permission denied, 65534:65532 600, 1 file
a user outside of the group, and a member: nothing, Bloom\StoreException: tags:journal: cannot be opened: Permission denied, 65534:65534 600, 1 file
the lock: flock: cannot open lock file tags:journal: Permission denied
