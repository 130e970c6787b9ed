--TEST--
Each exception has an exit code, and the help and docs/cli.md list all exit codes
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
$cli->write('codes.php', <<<'PHP'
<?php
// This code runs in the process of the command line, because it needs the autoloaders of bin/bloom.
register_shutdown_function(static function (): void {
    foreach ([
        new Bloom\FormatException(), new Bloom\NotFoundException(), new Bloom\RateException(), new Bloom\SegmentException(),
        new Bloom\KindException(),
        new Bloom\BusyException(), new Bloom\StoreException(), new Bloom\BloomException(), new ValueError('of anyone'),
        new TypeError(), new Exception(), new Symfony\Component\Console\Exception\InvalidOptionException(),
        Bloom\Cli\Failure::usage('wrong'),
    ] as $thrown) {
        echo $thrown::class, ' ', Bloom\Cli\ExitCode::of($thrown)->value, "\n";
    }
    try {
        new Bloom\Builder(0);
    } catch (ValueError $error) {
        echo Bloom\Cli\ExitCode::of($error)->value, ' ', Bloom\Cli\ApiArgument::message($error), "\n";
    }
    foreach (Bloom\Cli\ExitCode::cases() as $code) {
        fwrite(STDERR, "| $code->value | {$code->meaning()} |\n");
    }
});
PHP);
$cli->install('bloom-codes', "-d auto_prepend_file=$cli->files/codes.php", ['bloom']);
$result = $cli->shell('bloom-codes --version');
echo $result->output;

$page = file_get_contents(dirname(__DIR__, 2) . '/docs/cli.md');
check(substr_count($result->errors, "\n") > 10 && str_contains($page, $result->errors), 'the table in docs/cli.md');
// The help of the commands that have all codes between them, in lines of the width 80.
$help = implode(array_map(fn (string $command): string => $cli->run([$command, '--help'])->output, ['build', 'health', 'sync', 'drop', 'load']));
$help = preg_replace('/\n {9}(?=\S)/', ' ', $help);
preg_match_all('/^\| (\d+) \| (.*) \|$/m', $result->errors, $rows, PREG_SET_ORDER);
foreach ($rows as [, $code, $meaning]) {
    check(str_contains($help, sprintf('  %3d  %s', $code, $meaning)), "$code in the help");
}
// Every command with a store fails with 66 if its directory is missing.
foreach (['publish', 'sync', 'list', 'info', 'diff', 'mark', 'nightly', 'add', 'relay', 'rollback', 'pin', 'unpin'] as $command) {
    check(str_contains($cli->run([$command, '--help'])->output, '   66  '), "66 in the help of $command");
}
?>
--EXPECTF--
bloom %s
Bloom\FormatException 65
Bloom\NotFoundException 66
Bloom\RateException 78
Bloom\SegmentException 73
Bloom\KindException 73
Bloom\BusyException 75
Bloom\StoreException 75
Bloom\BloomException 71
ValueError 70
TypeError 70
Exception 70
Symfony\Component\Console\Exception\InvalidOptionException 64
Bloom\Cli\Failure 64
64 --capacity must be from 1 to 1,000,000,000,000 keys
