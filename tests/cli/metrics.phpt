--TEST--
bloom metrics prints metrics, or replaces a file that the textfile collector reads
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
$cli->writeKeys('keys', 1, 100);
$cli->show('bloom build -q --seed=1 --built-at=1 tags.bloom keys && bloom load -q tags tags.bloom && rm keys');
$result = $cli->run(['metrics']);
check($result->code === 0 && $result->errors === '', 'no errors');
// Other processes change the free bytes of the file system.
$fixed = static fn (string $text): string => preg_replace('/^(bloom_segment_free_bytes\{.*) .*$/m', '$1', $text);
check($fixed($result->output) === $fixed($cli->run(['metrics', '--output=-'])->output), '- is standard output');
check(str_ends_with($result->output, "\n# EOF\n"), 'the end');
echo implode("\n", preg_grep('/^bloom_filter_(up|keys|info)/', explode("\n", strtr($result->output, [$cli->segment => '{segment}'])))), "\n";

umask(077);
foreach (['bloom.prom', 'bloom.prom', 'link.prom'] as $name) {
    $cli->show("bloom metrics --output $name");
    @symlink('bloom.prom', "$cli->files/link.prom");
}
echo implode(' ', array_diff(scandir($cli->files), ['.', '..'])), ' ', decoct(fileperms("$cli->files/bloom.prom") & 0777), ' ', filetype("$cli->files/link.prom"), "\n";
check($fixed(file_get_contents("$cli->files/bloom.prom")) === $fixed($result->output), 'the same text');
foreach (['tags.bloom', '.', 'none/x.prom', '/dev/null'] as $name) {
    $cli->show(['metrics', '-o', $name]);
}
$cli->write('empty', '');
$cli->show('bloom metrics -o empty && tail -n 1 empty');
// If the file cannot be written completely, the old one remains.
$cli->show('(ulimit -f 1; trap "" XFSZ; bloom metrics -o bloom.prom; echo exit $?); tail -n 1 bloom.prom; ls');
// Each filter has a control page, and one that is damaged does not hide the others.
file_put_contents(in_segment('tags/control', $cli->segment), str_repeat('x', filesize(in_segment('tags/control', $cli->segment))));
echo implode("\n", preg_grep('/name="tags"/', explode("\n", strtr($cli->run(['metrics'])->output, [$cli->segment => '{segment}'])))), "\n";
?>
--EXPECTF--
$ bloom build -q --seed=1 --built-at=1 tags.bloom keys && bloom load -q tags tags.bloom && rm keys
exit 0
bloom_filter_up{name="tags",segment="{segment}"} 1
bloom_filter_info{name="tags",segment="{segment}",kind="loaded",scheme="bloom",digest="XXH3-64",checksum="3ed372a712b69330",source=""} 1
bloom_filter_keys{name="tags",segment="{segment}"} 100
$ bloom metrics --output bloom.prom
exit 0
$ bloom metrics --output bloom.prom
exit 0
$ bloom metrics --output link.prom
exit 0
bloom.prom link.prom tags.bloom 644 link
$ bloom metrics -o tags.bloom
bloom: tags.bloom: exists and does not contain metrics, so it is not replaced: choose another name, or delete the file
exit 73
$ bloom metrics -o .
bloom: .: is a directory
exit 73
$ bloom metrics -o none/x.prom
bloom: none/x.prom: its directory does not exist or is not accessible
exit 73
$ bloom metrics -o /dev/null
bloom: /dev/null: is not a regular file
exit 73
$ bloom metrics -o empty && tail -n 1 empty
# EOF
exit 0
$ (ulimit -f 1; trap "" XFSZ; bloom metrics -o bloom.prom; echo exit $?); tail -n 1 bloom.prom; ls
exit 74
# EOF
bloom.prom
empty
link.prom
tags.bloom
bloom: bloom.prom: cannot be written: File too large
exit 0
bloom_filter_up{name="tags",segment="{segment}"} 0
