--TEST--
Threads that serve requests concurrently use the same filters, lose nothing, and free everything when they end
--DESCRIPTION--
fault: threads
--EXTENSIONS--
bloom
--SKIPIF--
<?php
if (!ZEND_THREAD_SAFE) {
    echo 'skip this PHP has no threads';
} elseif (!is_dir('/proc/self/fd')) {
    echo 'skip there is no /proc/self/fd';
} elseif (!is_executable(PHP_BINDIR . '/php-config') || array_filter([PHP_LIBDIR, dirname(PHP_LIBDIR)], fn ($in) => is_file("$in/libphp.so")) === []) {
    echo 'skip this PHP has no libphp.so';
} elseif ((string) shell_exec('command -v cc') === '') {
    echo 'skip no C compiler is installed';
} elseif (!extension_loaded('pcntl') || !extension_loaded('posix')) {
    echo 'skip the pcntl or posix extension is not loaded';
}
?>
--INI--
bloom.path={TMP}/bloom-engine_threads
--FILE--
<?php
require __DIR__ . '/../lib/secrets.inc';

$libraries = is_file(PHP_LIBDIR . '/libphp.so') ? PHP_LIBDIR : dirname(PHP_LIBDIR);
$program = own_file('threads');
$command = ['cc', '-std=gnu11', '-O1', '-g', '-Wall', '-Werror', ...explode(' ', trim(shell_exec(PHP_BINDIR . '/php-config --includes'))),
    '-o', $program, __DIR__ . '/threads.c', "-L$libraries", "-Wl,-rpath,$libraries", '-lphp', '-pthread'];
echo shell_exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1');
mkdir(own_file('store'), 0700);
ob_start();
(new ReflectionExtension('bloom'))->info();
putenv('BLOOM_TEST_KEYED=' . (str_contains(ob_get_clean(), 'libsodium => none') ? 'no' : 'yes'));

// Each step has a name, the number of concurrent threads, of successive threads in each place, and of requests per thread.
$steps = ['ready:1:1:1', 'make:16:1:1', 'serve:16:2:2', 'add:16:2:4', 'added:16:1:1', 'count:16:2:4', 'counted:4:1:1', 'demand:16:2:4', 'demanded:1:1:1', 'names:16:3:8',
    'ends:16:2:8', 'ended:1:1:1', 'serve:16:4:1', 'fork:16:1:2', 'added:2:1:1', 'counted:1:1:1', 'end:1:1:1'];
$settings = ['extension_dir' => ini_get('extension_dir'), 'extension' => 'bloom', 'bloom.path' => segment_path(), 'bloom.secret_file' => ring('secrets', 'one', 'two'),
    'display_errors' => 1, 'html_errors' => 0, 'log_errors' => 0, 'error_reporting' => E_ALL, 'sys_temp_dir' => sys_get_temp_dir()];
$arguments = [__DIR__ . '/threads.inc', ...$steps, '--', ...array_map(fn ($name, $value) => "$name=$value", array_keys($settings), $settings)];
passthru('exec ' . escapeshellarg($program) . ' ' . implode(' ', array_map(escapeshellarg(...), $arguments)) . ' 2>&1', $status);
echo "exit status $status\n";
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
ready: 1 threads of 1 requests
make: 16 threads of 1 requests
serve: 32 threads of 2 requests
add: 32 threads of 4 requests
added: 16 threads of 1 requests
count: 32 threads of 4 requests
counted: 4 threads of 1 requests
demand: 32 threads of 4 requests
demanded: 1 threads of 1 requests
names: 48 threads of 8 requests
ends: 32 threads of 8 requests
ended: 1 threads of 1 requests
serve: 64 threads of 1 requests
fork: 16 threads of 2 requests
added: 2 threads of 1 requests
counted: 1 threads of 1 requests
end: 1 threads of 1 requests
exit status 0
