--TEST--
If reading the input fails, build creates no blob, regardless of the error settings in php.ini
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
require __DIR__ . '/../lib/memory.inc';

$end = end_of_a_mapping(200_000);
foreach ([E_ALL, E_ALL & ~E_NOTICE, 0] as $errors) {
    $cli = new Cli(settings: "-d error_reporting=$errors");
    $input = fopen('/proc/self/mem', 'r');
    fseek($input, $end - 150_001);
    $command = [
        "$cli->directory/bin/bloom", 'build', '--capacity=1000000', '--seed=1', "$cli->files/a.bloom", '-',
    ];
    $process = proc_open($command, [$input, ['pipe', 'w'], ['pipe', 'w']], $pipes);
    echo stream_get_contents($pipes[1]);
    // The memory contains zero bytes, of which the build warns.
    $said = preg_replace(['/\d+ bytes failed/', '/^bloom: warning: .*\n/m'], ['# bytes failed', ''], stream_get_contents($pipes[2]));
    echo trim(str_replace('I/O error', 'Input/output error', $said)), "\n"; // musl's text is shorter
    echo 'exit ', proc_close($process), file_exists("$cli->files/a.bloom") ? ', and a blob' : '', "\n";
}
?>
--EXPECT--
bloom: standard input: Bloom\Builder::addFile(): Read of # bytes failed with errno=5 Input/output error
exit 74
bloom: standard input: Bloom\Builder::addFile(): Read of # bytes failed with errno=5 Input/output error
exit 74
bloom: standard input: Bloom\Builder::addFile(): Read of # bytes failed with errno=5 Input/output error
exit 74
