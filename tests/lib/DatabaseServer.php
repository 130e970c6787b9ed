<?php

declare(strict_types=1);

/**
 * A private MariaDB or PostgreSQL with an empty database, which listens only on a Unix socket in its directory. Any path of the
 * directory must be short enough for a socket. It needs no PHPUnit, so PHP tests can use it, too.
 */
final class DatabaseServer
{
    /** Root must not run PostgreSQL. */
    private const ORDINARY_USER = 'nobody';

    /** @param resource $process */
    private function __construct(private $process, public readonly string $dsn, public readonly string $user, private readonly int $stopSignal)
    {
    }

    /** @return string|null the program that is missing */
    public static function missing(string $kind): ?string
    {
        $program = $kind === 'mariadb' ? 'mariadbd' : 'postgres';
        $extension = $kind === 'mariadb' ? 'pdo_mysql' : 'pdo_pgsql';
        return self::program($program) === null ? $program : (extension_loaded($extension) ? null : $extension);
    }

    /** @param string $directory does not exist yet */
    public static function start(string $kind, string $directory): self
    {
        mkdir($directory);
        return $kind === 'mariadb' ? self::mariadb($directory) : self::postgresql($directory);
    }

    public function connect(): PDO
    {
        return new PDO($this->dsn, $this->user, '');
    }

    /** Ends the server and waits for it. Its directory remains. */
    public function stop(): void
    {
        if (is_resource($this->process)) {
            proc_terminate($this->process, $this->stopSignal);
            proc_close($this->process);
        }
    }

    /** Returns the SQL that `mariadbd --bootstrap` needs for a new data directory, in which root has no password. */
    public static function systemTables(): string
    {
        // mariadb-install-db would do this, but it needs a program that is in a different package. MariaDB 11 renamed the files.
        $prefix = is_file('/usr/share/mariadb/mariadb_system_tables.sql') ? '/usr/share/mariadb/mariadb' : '/usr/share/mysql/mysql';
        $tables = "CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket = NULL;\nSET @skip_auth_anonymous = 1;\n";
        foreach (['system_tables', 'performance_tables', 'system_tables_data'] as $name) {
            $tables .= file_get_contents("{$prefix}_$name.sql") ?: throw new RuntimeException("{$prefix}_$name.sql is missing");
        }
        return $tables;
    }

    private static function mariadb(string $directory): self
    {
        $server = [self::program('mariadbd'), '--no-defaults', "--datadir=$directory/data", "--tmpdir=$directory",
            ...(posix_geteuid() === 0 ? ['--user=root'] : [])];
        mkdir("$directory/data");
        file_put_contents("$directory/tables.sql", self::systemTables() . "\nCREATE DATABASE test;\n");
        self::run([...$server, '--bootstrap'], "$directory/tables.sql");
        $socket = "$directory/sock";
        return self::started(
            [...$server, "--socket=$socket", '--skip-networking', "--pid-file=$directory/pid", '--innodb-flush-log-at-trx-commit=0'],
            "$directory/log",
            "mysql:unix_socket=$socket;dbname=test;charset=utf8mb4",
            'root',
            SIGTERM,
        );
    }

    private static function postgresql(string $directory): self
    {
        $as = [];
        $user = (string) (posix_getpwuid(posix_geteuid())['name'] ?? '');
        if (posix_geteuid() === 0) {
            chown($directory, self::ORDINARY_USER);
            for ($parent = dirname($directory); $parent !== '/'; $parent = dirname($parent)) {
                if ((fileperms($parent) & 0001) === 0) { // a directory of the tests may be closed to others
                    chmod($parent, fileperms($parent) & 07777 | 0001);
                }
            }
            $user = self::ORDINARY_USER;
            $group = (int) (posix_getpwnam($user)['gid'] ?? 65534);
            $as = ['setpriv', "--reuid=$user", "--regid=$group", '--clear-groups', '--'];
        }
        self::run([...$as, self::program('initdb'), '--pgdata', "$directory/data", '--auth=trust', "--username=$user", '--encoding=UTF8',
            '--locale=C', '--no-sync']);
        // On SIGINT, the server disconnects its clients and ends; on SIGTERM, it would wait for them.
        return self::started(
            [...$as, self::program('postgres'), '-D', "$directory/data", '-k', $directory, '-c', 'listen_addresses=', '-c', 'fsync=off'],
            "$directory/log",
            "pgsql:host=$directory;dbname=postgres",
            $user,
            SIGINT,
        );
    }

    /** @param list<string> $command */
    private static function started(array $command, string $log, string $dsn, string $user, int $stopSignal): self
    {
        $process = proc_open($command, [['file', '/dev/null', 'r'], ['file', $log, 'a'], ['file', $log, 'a']], $pipes);
        $server = new self($process ?: throw new RuntimeException("$command[0] does not start"), $dsn, $user, $stopSignal);
        for ($end = time() + 120; ; usleep(20_000)) {
            try {
                $server->connect();
                return $server;
            } catch (PDOException $exception) {
                if (time() > $end || !proc_get_status($process)['running']) {
                    $server->stop();
                    throw new RuntimeException("$command[0] does not start: {$exception->getMessage()}\n" . file_get_contents($log));
                }
            }
        }
    }

    /** @param list<string> $command */
    private static function run(array $command, string $input = '/dev/null'): void
    {
        $process = proc_open($command, [['file', $input, 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes, '/');
        $output = $process === false ? 'cannot be started' : stream_get_contents($pipes[1]);
        if ($process === false || proc_close($process) !== 0) {
            throw new RuntimeException(implode(' ', $command) . ": $output");
        }
    }

    /** Debian keeps the programs of PostgreSQL's servers in a directory for each version. */
    private static function program(string $name): ?string
    {
        $directories = [...explode(':', (string) getenv('PATH')), '/usr/sbin', ...array_reverse(glob('/usr/lib/postgresql/*/bin') ?: [])];
        foreach ($directories as $directory) {
            if (is_executable("$directory/$name")) {
                return "$directory/$name";
            }
        }
        return null;
    }
}
