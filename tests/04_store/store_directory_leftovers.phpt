--TEST--
A publish succeeds if old chunks belong to another user; a later one deletes them once it has permission
--DESCRIPTION--
fault: collect-killed
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/root.inc';
skip_unless_root();
?>
--INI--
bloom.path={TMP}/bloom-store_directory_leftovers
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
umask(022);
chmod(own_file(), 0711);
mkdir(own_file('store'), 0755);
give(own_file('store'), 'nobody');

/** Publishes a version of one chunk as the user nobody. Prints the result and the number of chunks in the store. */
function publish(int $number): void
{
    $code = '$said = blob_of(["v' . $number . '"], builtAt: 1_700_000_000 + ' . $number . ')
            ->publish(new Bloom\DirectoryStore(' . var_export(own_file('store'), true) . '), "booth", retain: 2);
        echo preg_replace("~/[0-9a-f]{2}/[0-9a-f]{32}~", "/…", $said["warning"] ?? "no warning");';
    echo "$number: ", str_replace(own_file(), '{own}', run($code, [], as_nobody())), ', ',
        count(glob(own_file('store/booth:chunks/*/*'))), "\n";
}

publish(1);
blob_of(['v2'], builtAt: 1_700_000_002)->publish(new Bloom\DirectoryStore(own_file('store')), 'booth', retain: 2);
foreach (range(3, 5) as $number) {
    publish($number);
}
check(Bloom\Blob::fetch(new Bloom\DirectoryStore(own_file('store')), 'booth')->mightContain('v5'),
    'the last version is published');
foreach (glob(own_file('store/booth:chunks/*')) as $directory) {
    give($directory, 'nobody');
}
publish(5);
check(file_get_contents(own_file('store/booth:publisher')) === '', 'the lock is free');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
1: no warning, 1
3: no warning, 2
4: the chunks of 1 old version could not be deleted; the next publish tries again: {own}/store/booth:chunks/…: cannot be deleted: Permission denied, 3
5: the chunks of 2 old versions could not be deleted; the next publish tries again: {own}/store/booth:chunks/…: cannot be deleted: Permission denied, 3
5: no warning, 2
