<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

/** A connection that kills this process before one of its statements. */
final class KillingPdo extends \PDO
{
    public static int $steps = PHP_INT_MAX;

    public static function step(): void
    {
        if (self::$steps-- === 0) {
            posix_kill(posix_getpid(), SIGKILL);
        }
    }

    /** @param array<mixed> $options */
    public function prepare(string $query, array $options = []): \PDOStatement|false
    {
        self::step();
        return parent::prepare($query, $options);
    }

    public function beginTransaction(): bool
    {
        self::step();
        return parent::beginTransaction();
    }

    public function commit(): bool
    {
        self::step();
        return parent::commit();
    }
}
