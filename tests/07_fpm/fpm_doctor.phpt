--TEST--
bloom doctor sees the pools that are running, and which of them started before the extension was enabled
--EXTENSIONS--
bloom
posix
--SKIPIF--
<?php
require __DIR__ . '/../lib/fpm.inc';
skip_without_fpm();
?>
--INI--
bloom.path={TMP}/bloom-fpm_doctor
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/fpm.inc';
require dirname(__DIR__, 2) . '/packages/cli/src/Pools.php';
use Bloom\Cli\Pools;

$fpm = new FpmServer(['doctored' => 'games'], 'return [];');
try {
    preg_match('/^PPid:\s+(\d+)/m', file_get_contents('/proc/' . $fpm->ask('doctored', '')['pid'] . '/status'), $parts);
    echo json_encode(array_values(array_filter(Pools::all(), fn (array $one): bool => $one['pool'] === 'doctored'))), "\n";
    echo isset(Pools::outdated()[$parts[1]]) ? 'outdated' : 'up to date', "\n";
} finally {
    $fpm->stop();
}
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
[{"pool":"doctored","user":"games","path":null}]
up to date
