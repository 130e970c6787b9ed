--TEST--
Each exception has an exit code, and the help and docs/reference/exit-codes.md list all exit codes
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

$page = file_get_contents(dirname(__DIR__, 2) . '/docs/reference/exit-codes.md');
check(substr_count($result->errors, "\n") > 10 && str_contains($page, $result->errors), 'the table in docs/reference/exit-codes.md');
$help = preg_replace('/\n {7}(?=\S)/', ' ', $cli->run(['help', 'exit-codes'])->output);
preg_match_all('/^\| (\d+) \| (.*) \|$/m', $result->errors, $rows, PREG_SET_ORDER);
foreach ($rows as [, $code, $meaning]) {
    check(str_contains($help, sprintf("\n  %-3d  %s\n", $code, str_replace('`', '', $meaning))), "$code in the help");
}
// Every command with a store fails with 66 if its directory is missing (relay.phpt tests relay).
$cli->writeKeys('keys', 1, 10);
$cli->run(['build', '-q', 'tags.bloom', 'keys']);
foreach (['publish tags tags.bloom', 'sync tags', 'list', 'info tags', 'diff tags', 'mark tags', 'add tags', 'rollback tags',
    'pin tags', 'unpin tags'] as $command) {
    $result = $cli->run([...explode(' ', $command), '/missing/store', ...($command === 'add tags' ? ['key'] : [])]);
    check($result->code === 66, "$command: $result->code $result->errors");
}
check($cli->run(['nightly', 'tags', '/missing/store', 'keys'])->code === 66, 'nightly');
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
64 --capacity must be between 1 and 1,000,000,000,000 keys
