--TEST--
On an unsupported system, scripts/demo and scripts/test name the supported systems and the variable that selects a PHP
--SKIPIF--
<?php
exec('unshare -m mount --bind /etc/os-release /etc/os-release 2>/dev/null', $output, $status);
if ($status !== 0) {
    echo 'skip mounts are not permitted here';
}
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';

$root = dirname(__DIR__, 2);
$release = own_file('os-release');
file_put_contents($release, "ID=plan9\nVERSION_ID=\"4\"\n");
putenv('PHP_CONFIG');
foreach (['demo', 'test'] as $script) {
    exec('unshare -m sh -c ' . escapeshellarg("mount --bind $release /etc/os-release && exec $root/scripts/$script") . ' 2>&1', $lines, $status);
    echo "$script: exit status $status\n";
    $text = implode("\n", $lines);
    foreach (['"plan9 4"', 'Debian 12 and Debian 13', 'PHP_CONFIG=', "scripts/$script"] as $part) {
        check(str_contains($text, $part), "$part in $text");
    }
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
demo: exit status 69
test: exit status 69
