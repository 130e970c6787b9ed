--TEST--
The tests of packages use the module that they are given, even if the system's settings load an installed one
--EXTENSIONS--
bloom
--INI--
bloom.path={TMP}/bloom-package_settings
--SKIPIF--
<?php
$root = dirname(__DIR__, 2);
if (trim((string) shell_exec("$root/scripts/php version 2>/dev/null")) !== PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION) {
    echo 'skip scripts/php finds a different PHP';
} elseif (shell_exec("$root/scripts/php fpm 2>/dev/null") === null) {
    echo 'skip php-fpm is not installed';
}
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../cli/cli.inc';

$root = dirname(__DIR__, 2);
$module = extension_file('bloom');
$installed = own_file('installed.so');
copy($module, $installed);
mkdir(own_file('conf.d'));
file_put_contents(own_file('conf.d/20-bloom.ini'), "extension=$installed\n");
// The tests of a package first call Composer. This one prints the modules of its process.
mkdir(own_file('bin'));
file_put_contents(own_file('bin/composer'), '<?php preg_match_all("~/\S+\.so~", file_get_contents("/proc/self/maps"), $found);
    foreach (array_unique($found[0]) as $file) { in_array($file, [' . var_export($module, true) . ', ' . var_export($installed, true) . '], true) && print("$file\n"); }');
chmod(own_file('bin/composer'), 0700);
$run = fn (string $line) => strtr((string) shell_exec('PHP_INI_SCAN_DIR=' . own_file('conf.d') . ' PATH=' . escapeshellarg(own_file('bin') . ':' . getenv('PATH'))
    . ' BLOOM_EXTENSION=' . escapeshellarg($module) . ' bash -euc ' . escapeshellarg($line) . ' 2>&1'), [$module => '{given}', $installed => '{installed}']);
echo 'by the system: ', $run(getenv('TEST_PHP_EXECUTABLE') . ' ' . own_file('bin/composer'));
echo 'in the tests: ', $run(". $root/tests/lib/package.bash; begin_package symfony templates");
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
by the system: {installed}
in the tests: {given}
