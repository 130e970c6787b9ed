<?php

/** Runs the parts of the demo that need their own process. */

namespace Demo;

/** Runs a part in its own process and returns its decoded output. */
function part(string $script, array $arguments, ?string $user = null): array
{
    $part = start_part($script, $arguments, $user);
    return end_part($part);
}

/**
 * Wraps a command so that it does not inherit the open files of this process. Otherwise a child would keep
 * connections to workers open, and the workers would wait for it.
 */
function without_open_files(array $command): array
{
    $close = 'for fd in /proc/self/fd/*; do fd=${fd##*/}; [ "$fd" -le 2 ] || eval "exec $fd>&-"; done';
    return ['bash', '-c', "$close; exec \"\$@\"", 'bash', ...$command];
}

/** @return array{process: resource, output: resource} */
function start_part(string $script, array $arguments, ?string $user = null): array
{
    $as = $user === null ? [] : ["--reuid=$user", "--regid=$user", '--clear-groups'];
    $process = proc_open(
        /* If this process is killed, the part is also killed. */
        ['setpriv', '--pdeathsig', 'TERM', ...$as, '--', ...without_open_files([PHP_BINARY, '-c',
            home() . '/php.ini', '-d', 'bloom.path=' . getenv('BLOOM_DEMO_SEGMENT'), __DIR__ . "/$script",
            ...$arguments])],
        [0 => ['file', '/dev/null', 'r'], 1 => ['pipe', 'w']],
        $pipes
    );
    return ['process' => $process, 'output' => $pipes[1]];
}

function end_part(array $part): array
{
    $output = stream_get_contents($part['output']);
    $status = proc_close($part['process']);
    return json_decode($output, true)
        ?? throw new \RuntimeException("a part of the demo failed with status $status: $output");
}
