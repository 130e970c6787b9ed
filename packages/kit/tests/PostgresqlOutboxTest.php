<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\Kit\PdoOutbox;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\Group;

#[CoversClass(PdoOutbox::class)]
#[Group('postgresql')]
final class PostgresqlOutboxTest extends ServerOutboxTestCase
{
    public static function setUpBeforeClass(): void
    {
        self::startServer('postgresql');
    }

    protected function waitForNoLock(\PDO $pdo): void
    {
        $pdo->exec("SET lock_timeout = '1ms'");
    }

    protected function disconnect(\PDO $other): void
    {
        $id = $other->query('SELECT pg_backend_pid()');
        \assert($id !== false);
        // With a timeout, the function returns once the other server process has ended.
        $this->pdo->exec('SELECT pg_terminate_backend(' . (int) $id->fetchColumn() . ', 60000)'); // @phpstan-ignore cast.int
    }
}
