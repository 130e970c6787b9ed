--TEST--
A progress bar is written to standard error on a terminal or on request, and never to standard output
--EXTENSIONS--
bloom
--SKIPIF--
<?php
require __DIR__ . '/cli.inc';
skip_without_console();
?>
--FILE--
<?php
require __DIR__ . '/../lib/bloom.inc';
require __DIR__ . '/../lib/clock.inc';
require __DIR__ . '/cli.inc';

$cli = new Cli();
mkdir("$cli->files/store");
$cli->writeKeys('keys', 1, 1000);

foreach ([
    ['build', 'a.bloom', 'keys'], ['info', 'a.bloom'], ['check', 'a.bloom', 'keys'], ['load', 'tags', 'a.bloom'],
    ['publish', 'other', 'a.bloom', 'store'], ['sync', 'other', 'store'],
] as $command) {
    $plain = $cli->run($command);
    check($plain->errors === '', "$command[0]: nothing without --progress");
    check($cli->run([...$command, '--no-progress'])->errors === '', "$command[0]: nothing with --no-progress");
    if ($command[0] === 'publish' || $command[0] === 'sync') {
        // Starts with an empty store and segment, so that publish and sync transfer something.
        $cli->run(['drop', 'other']);
        $cli->shell('rm -r store; mkdir store');
        if ($command[0] === 'sync') {
            $cli->run(['publish', 'other', 'a.bloom', 'store']);
        }
    }
    $shown = $cli->run([...$command, '--progress', '--format=json']);
    check(is_array($shown->json()), "$command[0]: only JSON on standard output");
    preg_match_all('/^ *(\w+(?: \w+)?) +100%/m', $shown->errors, $stages);
    echo $command[0], ': ', implode(', ', array_unique($stages[1])), "\n";
    check($cli->run([...$command, '--progress', '--quiet'])->errors === '', "$command[0]: nothing when quiet");
}
$fifo = $cli->shell('cat keys | bloom build --capacity=1000 --progress - > b.bloom');
check(str_contains($fifo->errors, 'reading'), 'without a total');
check(Bloom\Blob::open("$cli->files/b.bloom") instanceof Bloom\Blob, 'the blob is complete');

// Without an option, a slow command shows the bar only on a terminal. The 50,000 keys do not fit in the pipe, so the writer
// waits for the reader before it sleeps.
$cli->writeKeys('many', 1, 50_000);
$slow = '{ cat many; sleep 0.6; cat keys; } | bloom build --capacity=50000 slow.bloom';
check($cli->shell($slow)->errors === '', 'slow: nothing without a terminal');
if (shell_exec('command -v script') !== null) {
    $seen = static fn (string $line): bool => str_contains(
        $cli->shell('script -qec ' . escapeshellarg($line) . ' /dev/null')->output,
        'reading'
    );
    check($seen($slow), 'slow: shown on a terminal');
    check(!$seen("$slow --no-progress"), 'slow: not with --no-progress');
    check(!$seen("$slow 2> errors"), 'slow: not if only standard output is a terminal');
    // On a busy machine, no command is quick.
    $quick = has_clock() ? Clock::prefix('still', stops: true) . ' bloom' : 'bloom';
    check(!$seen("cat keys | $quick build --capacity=1000 quick.bloom"), 'quick: not even on a terminal');
}

// An error message after the bar begins on a new line.
$result = $cli->run(['build', 'b.bloom', 'keys', '--capacity=10', '--progress']);
check((bool) preg_match('/\nbloom: measured .*\n$/', $result->errors), 'the error is on its own line');
?>
--CLEAN--
<?php
require __DIR__ . '/../lib/bloom.inc';
clean();
?>
--EXPECT--
build: counting, reading
info: reading blob
check: reading blob, checking
load: reading blob, loading
publish: reading blob, publishing
sync: syncing
