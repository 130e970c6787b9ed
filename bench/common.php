<?php
/* Functions shared by the parts of the benchmark: rounds, medians, and tables that are printed and stored. */

namespace BloomBench;

require_once __DIR__ . '/../tests/lib/FastCgiClient.php';

const SEED = 20260101;

/** Returns a quantile: the value below which a fraction of $share of the values lies. */
function quantile(array $values, float $share): float
{
    sort($values);
    return $values[(int) round($share * (count($values) - 1))];
}

/**
 * Runs each task once per round, so that a slow moment of the machine affects all tasks. The order changes each round, so
 * that no task always runs after the same task.
 *
 * @param array<string, callable> $tasks
 * @param array<string, callable> $before called before a task, not timed
 * @return array<string, list<float>> nanoseconds per round
 */
function interleaved(array $tasks, int $rounds, array $before = []): array
{
    $times = array_fill_keys(array_keys($tasks), []);
    $random = new \Random\Randomizer(new \Random\Engine\Mt19937(SEED));
    for ($round = -1; $round < $rounds; $round++) {
        foreach ($random->shuffleArray(array_keys($tasks)) as $name) {
            $task = $tasks[$name];
            if (isset($before[$name])) {
                $before[$name]();
            }
            $start = hrtime(true);
            $task();
            if ($round >= 0) { // the first round is a warm-up
                $times[$name][] = hrtime(true) - $start;
            }
        }
    }
    return $times;
}

/** Returns a builder at 1 % to which the numbers from 1 to $count have been added. */
function builder_of(int $count): \Bloom\Builder
{
    $builder = new \Bloom\Builder($count, 0.01, seed: SEED);
    for ($from = 1; $from <= $count; $from += 1_000_000) {
        $builder->addMany(range($from, min($count, $from + 999_999)));
    }
    return $builder;
}

/** Prints rows as an aligned table and writes them as tab-separated values below a line that describes the machine. */
function report(string $title, array $rows, string $file): void
{
    $machine = trim(explode(':', implode('', preg_grep('/model name/', file('/proc/cpuinfo'))) ?: ':unknown')[1]);
    $machine = strtok($machine, "\n");
    $what = sprintf('%s; PHP %s; %s; seed %d', $machine, PHP_VERSION, trim(shell_exec('cc --version | head -n 1')), SEED);
    echo "\n$title\n";
    $widths = [];
    foreach ($rows as $row) {
        foreach ($row as $column => $cell) {
            $widths[$column] = max($widths[$column] ?? 0, mb_strwidth((string) $cell));
        }
    }
    foreach ($rows as $row) {
        $line = '';
        foreach ($row as $column => $cell) {
            $gap = str_repeat(' ', $widths[$column] - mb_strwidth((string) $cell));
            $line .= $column === 0 ? $cell . $gap . '  ' : $gap . $cell . '  ';
        }
        echo '  ' . rtrim($line) . "\n";
    }
    $lines = array_map(fn (array $row): string => implode("\t", $row), $rows);
    file_put_contents($file, "# $what\n" . implode("\n", $lines) . "\n");
}

/** Starts a server that is terminated when this script exits. Returns the first truthy result of $connect. */
function start_server(array $command, string $log, callable $connect): mixed
{
    $process = proc_open($command, [['file', '/dev/null', 'r'], ['file', $log, 'a'], ['redirect', 1]], $pipes);
    register_shutdown_function(static function () use ($process): void {
        proc_terminate($process);
        proc_close($process);
    });
    for ($i = 0; $i < 1000 && proc_get_status($process)['running']; $i++) {
        if ($client = $connect()) {
            return $client;
        }
        usleep(10_000);
    }
    throw new \RuntimeException(implode(' ', $command) . ' does not start: ' . file_get_contents($log));
}

/**
 * Starts a Redis or Valkey server on a Unix socket, which is the fastest way to use it, and on a TCP port of the loopback
 * device unless the port is 0.
 */
function start_redis(string $directory, array $server = ['redis-server'], int $port = 0): \Redis
{
    mkdir($directory);
    $socket = "$directory/redis.sock";
    $redis = new \Redis();
    $command = [...$server, '--port', (string) $port, '--bind', '127.0.0.1', '--unixsocket', $socket, '--save', '', '--appendonly', 'no', '--dir', $directory];
    return start_server($command, "$directory/log", static function () use ($redis, $socket): ?\Redis {
        try {
            return @$redis->connect($socket) && $redis->ping() ? $redis : null;
        } catch (\RedisException) {
            return null;
        }
    });
}

/** Returns a TCP port of the loopback device that no process uses. */
function free_port(): int
{
    $listener = stream_socket_server('tcp://127.0.0.1:0');
    return (int) substr(strrchr(stream_socket_get_name($listener, false), ':'), 1);
}

/** Returns the user of a php-fpm that this process starts. */
function fpm_user(): string
{
    return posix_geteuid() === 0 ? 'www-data' : posix_getpwuid(posix_geteuid())['name'];
}

/** Makes a directory of the user of php-fpm. */
function own(string $path): string
{
    is_dir($path) || mkdir($path, 0700);
    chown($path, fpm_user());
    return $path;
}

/** Starts a php-fpm with one worker, which answers every request with this page. */
function start_fpm(string $directory, string $page, string $segment, int $connections = 1): \FastCgiClient
{
    $socket = "$directory/fpm.sock";
    file_put_contents("$directory/page.php", $page);
    chmod("$directory/page.php", 0644);
    $as = posix_geteuid() === 0 ? 'user = ' . fpm_user() . "\nlisten.owner = root\n" : '';
    file_put_contents("$directory/fpm.conf", "[global]\nerror_log = $directory/fpm.log\n[www]\n{$as}listen = $socket\n"
        . "pm = static\npm.max_children = 1\nphp_admin_value[bloom.path] = $segment\n");
    $module = getenv('BLOOM_BENCH_MODULE');
    start_server(
        [getenv('BLOOM_BENCH_FPM'), '--nodaemonize', '-d', "extension=$module", '-d', 'opcache.enable=1', '--fpm-config', "$directory/fpm.conf"],
        "$directory/fpm.out",
        static fn () => ($stream = @stream_socket_client("unix://$socket")) && fclose($stream)
    );
    return new \FastCgiClient($socket, "$directory/page.php", $connections);
}

/**
 * Starts an endless loop with idle priority for each processor. The loops are stopped until they get SIGCONT. The
 * scheduler runs such a loop only if no other process needs the processor. While the loops run, no processor sleeps, so
 * waking a server takes no longer than on a busy host. The kernel kills the loops if this process dies.
 *
 * @return callable(bool): void runs or stops the loops
 */
function start_idle_loops(): callable
{
    $loops = [];
    for ($i = (int) shell_exec('nproc'); $i > 0; $i--) {
        $command = ['setpriv', '--pdeathsig', 'KILL', 'chrt', '--idle', '0', 'sh', '-c', 'kill -STOP $$; while :; do :; done'];
        $loops[] = proc_open($command, [], $pipes);
    }
    register_shutdown_function(static fn () => array_map(static fn ($loop) => proc_terminate($loop, SIGKILL), $loops));
    return static function (bool $run) use ($loops): void {
        array_map(static fn ($loop) => proc_terminate($loop, $run ? SIGCONT : SIGSTOP), $loops);
    };
}

/** Starts a memcached with 1 GB on a unix socket. */
function start_memcached(string $directory): \Memcached
{
    mkdir($directory);
    $socket = "$directory/memcached.sock";
    $client = new \Memcached();
    $client->setOptions([\Memcached::OPT_BINARY_PROTOCOL => false, \Memcached::OPT_NO_BLOCK => false]);
    $client->addServer($socket, 0);
    $user = posix_geteuid() === 0 ? ['-u', 'root'] : [];
    $command = ['memcached', '-s', $socket, '-a', '0700', '-t', '1', '-m', '1024', ...$user];
    return start_server($command, "$directory/log", static fn () => $client->getVersion() ? $client : null);
}

/** Runs a shell command. Returns [wall-clock seconds, processor seconds, MB of its largest process]. */
function measured(string $command): array
{
    fwrite(STDERR, date('H:i:s') . " $command\n");
    // A separate PHP process runs the command, so that getrusage() counts only the command's processes.
    $code = '$start = hrtime(true); passthru($argv[1], $code); $used = getrusage(1);'
        . 'fwrite(STDERR, json_encode([$code, (hrtime(true) - $start) / 1e9, $used["ru_utime.tv_sec"] + $used["ru_stime.tv_sec"]'
        . ' + ($used["ru_utime.tv_usec"] + $used["ru_stime.tv_usec"]) / 1e6, $used["ru_maxrss"] / 1e3 * 1.024]));';
    $process = proc_open([PHP_BINARY, '-n', '-r', $code, '--', $command], [1 => STDERR, 2 => ['pipe', 'w']], $pipes);
    $said = stream_get_contents($pipes[2]);
    proc_close($process);
    [$failed, $seconds, $worked, $megabytes] = json_decode(strrchr("\n$said", '[') ?: '[]') ?? [1, 0, 0, 0];
    if ($failed !== 0) {
        throw new \RuntimeException("$command: $said");
    }
    return [$seconds, $worked, $megabytes];
}
