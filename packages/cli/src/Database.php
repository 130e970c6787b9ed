<?php

namespace Bloom\Cli;

use PDO;
use PDOException;

/**
 * A database in one argument: a DSN of PDO for MySQL, MariaDB, PostgreSQL or SQLite. Other users can see the arguments of a
 * process, so the user and the password are in the environment variables BLOOM_DATABASE_USER and BLOOM_DATABASE_PASSWORD.
 */
final class Database
{
    /** The Debian package with each driver. */
    private const DRIVERS = ['mysql' => 'php-mysql', 'pgsql' => 'php-pgsql', 'sqlite' => 'php-sqlite3'];

    private function __construct(public readonly string $dsn, private readonly string $driver)
    {
    }

    public static function parse(string $dsn): self
    {
        if (!self::isDsn($dsn)) {
            throw Failure::usage('DSN: "' . Text::withoutPasswords($dsn) . '" does not begin with mysql:, pgsql: or sqlite:, as in '
                . '"mysql:host=db.example;dbname=shop"');
        }
        if (preg_match('/[:;\s]password\s*=/i', $dsn) === 1) {
            throw Failure::usage('DSN: other users can read the password in the arguments; put it into BLOOM_DATABASE_PASSWORD');
        }
        return new self($dsn, (string) strstr($dsn, ':', true));
    }

    /** Returns whether a text begins like a DSN. No URL of a store does. */
    public static function isDsn(string $text): bool
    {
        return preg_match('/^(?:' . implode('|', array_keys(self::DRIVERS)) . '):/', $text) === 1;
    }

    /** @param float $timeout seconds for the connection; with MySQL also for each answer, with SQLite for each lock */
    public function connect(float $timeout): PDO
    {
        if (!class_exists(PDO::class) || !in_array($this->driver, PDO::getAvailableDrivers(), true)) {
            throw new Failure(ExitCode::Unavailable, "the PHP extension pdo_$this->driver is not loaded: the package "
                . self::DRIVERS[$this->driver] . ' of Debian contains it');
        }
        $path = substr($this->dsn, strlen('sqlite:'));
        // SQLite would create an empty database.
        if ($this->driver === 'sqlite' && !str_starts_with($path, 'file:') && !is_file($path)) {
            throw new Failure(ExitCode::NoInput, "the database $this->dsn does not exist");
        }
        $seconds = (string) max(1, (int) ceil($timeout));
        ini_set('mysqlnd.net_read_timeout', $seconds); // by default a day
        try {
            return new PDO($this->dsn, self::variable('USER'), self::variable('PASSWORD'), [
                PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
                PDO::ATTR_TIMEOUT => (int) $seconds,
            ]);
        } catch (PDOException $exception) {
            throw $this->failure($exception);
        }
    }

    public function failure(PDOException $exception, string $remedy = ''): Failure
    {
        return new Failure(ExitCode::TryAgain, "the database $this->dsn: {$exception->getMessage()}$remedy", $exception);
    }

    private static function variable(string $name): ?string
    {
        $value = getenv("BLOOM_DATABASE_$name");
        return $value === false ? null : $value;
    }
}
