--TEST--
In a directory where every user can create links, no command writes through another user's link
--DESCRIPTION--
fault: planted-link
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/../lib/root.inc';
skip_unless_root();
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';
require __DIR__ . '/../lib/root.inc';

const OTHER = 65533;
$cli = new Cli();
$cli->write('keys', "a\n");
mkdir("$cli->files/shared");
chmod("$cli->files/shared", 01777);
$cli->run(['build', '--seed=1', 'tags.bloom', 'keys']);
$cli->run(['load', 'tags', 'tags.bloom']);
$cli->run(['metrics', '--output', 'metrics.prom']);
$cli->write('make.php', '<?php Bloom\LiveFilter::create("seen", 100);');
$cli->install('bloom-make', "-d bloom.path=$cli->segment -d auto_prepend_file=$cli->files/make.php", ['bloom']);
shell_exec("$cli->directory/bin/bloom-make list");
$cli->run(['snapshot', 'seen', 'seen.snapshot']);
$cli->run(['info', 'tags', '--plot', 'tags.svg']);
$names = ['tags.bloom', 'metrics.prom', 'seen.snapshot', 'tags.svg'];
$commands = ['build --seed=1 shared/tags.bloom keys', 'metrics --output=shared/metrics.prom', 'snapshot seen shared/seen.snapshot',
    'info tags --plot=shared/tags.svg'];
foreach ($names as $name) {
    chmod("$cli->files/$name", 0600);
    symlink("../$name", "$cli->files/shared/$name");
}
// Every link of this user is followed, and every file but that of the metrics keeps its mode.
foreach (array_combine($names, $commands) as $name => $command) {
    $inode = fileinode("$cli->files/$name");
    check($cli->run(explode(' ', $command))->code === 0, $command);
    clearstatcache();
    check(fileinode("$cli->files/$name") !== $inode && is_link("$cli->files/shared/$name"), "$name was replaced behind the link");
    check((fileperms("$cli->files/$name") & 0777) === ($name === 'metrics.prom' ? 0644 : 0600), "the mode of $name");
}
$before = array_map(fn (string $name): array => [fileinode("$cli->files/$name"), file_get_contents("$cli->files/$name")], $names);
foreach ($names as $name) {
    chown_link("$cli->files/shared/$name", OTHER);
}
foreach ($commands as $command) {
    $cli->show("bloom $command");
}
clearstatcache();
check($before === array_map(fn (string $name): array => [fileinode("$cli->files/$name"), file_get_contents("$cli->files/$name")], $names), 'the files');
check(count(scandir("$cli->files/shared")) === 2 + count($names), 'nothing is left');
// A loop of links is replaced. Its own mode, 0777, is not that of a file.
umask(022);
symlink('other.svg', "$cli->files/loop.svg");
symlink('loop.svg', "$cli->files/other.svg");
check($cli->run(['info', 'tags', '--plot', 'loop.svg'])->code === 0, 'a loop');
clearstatcache();
check(lstat("$cli->files/loop.svg")['mode'] === 0100644, sprintf('the mode of a file that replaces a loop: %o', lstat("$cli->files/loop.svg")['mode']));
?>
--EXPECT--
$ bloom build --seed=1 shared/tags.bloom keys
bloom: shared/tags.bloom: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
exit 73
$ bloom metrics --output=shared/metrics.prom
bloom: shared/metrics.prom: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
exit 73
$ bloom snapshot seen shared/seen.snapshot
bloom: seen: shared/seen.snapshot: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
exit 73
$ bloom info tags --plot=shared/tags.svg
bloom: shared/tags.svg: refused: it is a symbolic link of another user, in a directory where every user can create links (delete the link, or use a directory of your own)
exit 73
