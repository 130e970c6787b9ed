<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\Kit\PdoOutbox;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\Group;

#[CoversClass(PdoOutbox::class)]
#[Group('mariadb')]
final class MariadbOutboxTest extends ServerOutboxTestCase
{
    public static function setUpBeforeClass(): void
    {
        self::startServer('mariadb');
    }

    protected function waitForNoLock(\PDO $pdo): void
    {
        $pdo->exec('SET innodb_lock_wait_timeout = 0');
    }

    protected function disconnect(\PDO $other): void
    {
        $id = $other->query('SELECT CONNECTION_ID()');
        \assert($id !== false);
        $this->pdo->exec('KILL ' . (int) $id->fetchColumn()); // @phpstan-ignore cast.int
    }

    public function testKeysAreWrittenInEveryModeOfTheServer(): void
    {
        $this->follow('tags');
        foreach (['NO_BACKSLASH_ESCAPES', 'ANSI', ''] as $i => $mode) {
            $this->pdo->exec("SET sql_mode = '$mode'");
            $this->outbox->add('tags', "\\'\"\0\xff$i");
            self::assertSame(1, $this->outbox->relay($this->store));
            self::assertFound('tags', ["\\'\"\0\xff$i"]);
        }
    }
}
