<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\Kit\PdoOutbox;

/** What only a server can do: several transactions that write, and connections that end. */
abstract class ServerOutboxTestCase extends OutboxTestCase
{
    private static ?\DatabaseServer $server = null;
    private static string $place;

    protected static function startServer(string $kind): void
    {
        require_once __DIR__ . '/lib/DatabaseServer.php'; // tests/run copies it
        self::$place = sys_get_temp_dir() . '/bloom-' . bin2hex(random_bytes(4));
        mkdir(self::$place);
        self::$server = \DatabaseServer::start($kind, self::$place . "/$kind");
    }

    public static function tearDownAfterClass(): void
    {
        self::server()->stop();
        exec('rm -rf ' . escapeshellarg(self::$place));
    }

    private static function server(): \DatabaseServer
    {
        return self::$server ?? throw new \LogicException('the server was not started');
    }

    protected function connect(): \PDO
    {
        return self::server()->connect();
    }

    protected function dsn(): string
    {
        return self::server()->dsn;
    }

    protected function user(): string
    {
        return self::server()->user;
    }

    protected function connectWithoutDelete(): \PDO
    {
        $this->pdo->exec('DROP USER IF EXISTS reader');
        $this->pdo->exec('CREATE USER reader');
        $this->pdo->exec('GRANT SELECT ON bloom_outbox TO reader');
        return new \PDO($this->dsn(), 'reader', '');
    }

    protected function lockRows(\PDO $pdo): void
    {
        $pdo->beginTransaction();
        $rows = $pdo->query('SELECT id FROM bloom_outbox FOR UPDATE');
        \assert($rows !== false);
        $rows->fetchAll();
    }

    public function testATransactionThatCommitsLaterThanHigherIdsIsMoved(): void
    {
        $this->follow('tags');
        $slow = $this->connect();
        $slow->beginTransaction();
        (new PdoOutbox($slow))->add('tags', 'slow');
        $this->outbox->add('tags', ['fast', 'faster']);
        self::assertSame(2, $this->outbox->relay($this->store));
        $slow->commit();
        self::assertSame(1, $this->outbox->relay($this->store));
        self::assertFound('tags', ['slow', 'fast', 'faster']);
    }

    public function testTheRelayDoesNotWaitForARowThatIsNotCommitted(): void
    {
        $this->follow('tags');
        $slow = $this->connect();
        $slow->beginTransaction();
        (new PdoOutbox($slow))->add('tags', 'late');
        $this->outbox->add('tags', ['red', 'green', 'blue']);
        $relay = $this->connect();
        $relay->exec($relay->getAttribute(\PDO::ATTR_DRIVER_NAME) === 'mysql' ? 'SET innodb_lock_wait_timeout = 1' : "SET lock_timeout = '1s'");
        self::assertSame(3, (new PdoOutbox($relay))->relay($this->store));
        $slow->commit();
        self::assertSame(1, (new PdoOutbox($relay))->relay($this->store));
    }

    abstract protected function disconnect(\PDO $other): void;

    public function testALostConnectionLosesNoKey(): void
    {
        $this->follow('tags');
        $this->outbox->add('tags', ['cat', 'dog']);
        $relay = $this->connect();
        $this->store->after = fn () => $this->disconnect($relay);
        try {
            (new PdoOutbox($relay))->relay($this->store);
            self::fail('the connection is lost');
        } catch (\PDOException) {
            self::assertSame(['cat', 'dog'], self::keys($this->pdo));
        }
        self::assertSame(2, $this->outbox->relay($this->store));
        self::assertFound('tags', ['cat', 'dog']);
    }
}
