<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\Builder;
use Bloom\Journal;
use Bloom\Kit\OutboxException;
use Bloom\Kit\PdoOutbox;
use PHPUnit\Framework\Attributes\CoversClass;

#[CoversClass(PdoOutbox::class)]
#[CoversClass(OutboxException::class)]
final class SqliteOutboxTest extends OutboxTestCase
{
    protected function connect(): \PDO
    {
        return new \PDO($this->dsn());
    }

    protected function connectWithoutDelete(): \PDO
    {
        $pdo = $this->connect();
        $pdo->exec('PRAGMA query_only = ON');
        return $pdo;
    }

    protected function waitForNoLock(\PDO $pdo): void
    {
        $pdo->setAttribute(\PDO::ATTR_TIMEOUT, 0);
    }

    protected function lockRows(\PDO $pdo): void
    {
        $pdo->exec('BEGIN IMMEDIATE');
    }

    protected function dsn(): string
    {
        return "sqlite:$this->directory/database";
    }

    protected function user(): string
    {
        return '';
    }

    public function testAKeyThatWasInsertedAsTextIsMoved(): void
    {
        $this->follow('tags');
        $this->pdo->exec("INSERT INTO bloom_outbox (filter_name, key_bytes) VALUES ('tags', 'Straße'), ('tags', 7)");
        self::assertSame(2, $this->outbox->relay($this->store));
        self::assertSame([], self::keys($this->pdo));
        self::assertFound('tags', ['Straße', '7']);
    }

    /** A key of the outbox is in the build's snapshot or after its mark, whenever the two are taken. */
    public function testABuildDuringARelayMissesNoKey(): void
    {
        $this->pdo->exec('CREATE TABLE tags (name TEXT)');
        $this->follow('tags');
        for ($marked = 0; $marked < 5; $marked++) {
            for ($read = $marked; $read < 5; $read++) {
                $key = "key $marked $read";
                $mark = null;
                $moment = function (int $now) use ($marked, $read, &$mark): void {
                    if ($now === $marked) {
                        $mark = (new Journal('tags', $this->store))->mark();
                    }
                    if ($now === $read) {
                        \assert(is_string($mark));
                        $names = $this->connect()->query('SELECT name FROM tags');
                        \assert($names !== false);
                        /** @var list<string> $rows */
                        $rows = $names->fetchAll(\PDO::FETCH_COLUMN);
                        $builder = new Builder(1000, 1e-9, seed: 1);
                        $builder->addMany($rows);
                        $builder->build(mark: $mark)->publish($this->store, 'tags');
                    }
                };
                $this->pdo->beginTransaction();
                $this->pdo->exec("INSERT INTO tags VALUES ('$key')");
                $this->outbox->add('tags', $key);
                $moment(0);
                $this->pdo->commit();
                $moment(1);
                $this->store->before = static fn () => $moment(2);
                $this->store->after = static fn () => $moment(3);
                self::assertSame(1, $this->outbox->relay($this->store));
                $moment(4);
                self::assertFound('tags', [$key]);
            }
        }
    }

    public function testTheTableAndTheDriverAreChecked(): void
    {
        foreach ([['sqlsrv', 'bloom_outbox'], ['mysql', 'drop table'], ['mysql', ''], ['mysql', 'a.b.c'], ['mysql', "x\n"]] as [$driver, $table]) {
            try {
                PdoOutbox::schema($driver, $table);
                self::fail("accepted $driver and $table");
            } catch (\ValueError $error) {
                self::assertStringContainsString($driver === 'mysql' ? 'Argument #2 ($table)' : 'Argument #1 ($driver)', $error->getMessage());
            }
        }
        $this->outbox->createTable(); // again
        $this->pdo->exec("ATTACH ':memory:' AS app");
        $outbox = new PdoOutbox($this->pdo, 'app.outbox');
        $outbox->createTable();
        self::assertSame(1, $outbox->add('tags', 'cat'));
        self::assertSame([], self::keys($this->pdo));
    }
}
