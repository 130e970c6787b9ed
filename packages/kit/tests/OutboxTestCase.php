<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\Builder;
use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Journal;
use Bloom\KindException;
use Bloom\Kit\OutboxException;
use Bloom\Kit\PdoOutbox;
use Bloom\StoreException;

/** The tests of PdoOutbox that pass on every database. */
abstract class OutboxTestCase extends HostTestCase
{
    protected const LONGEST = 1_048_460;

    protected \PDO $pdo;
    protected PdoOutbox $outbox;
    protected HookedStore $store;

    /** Makes a connection to the database of the test. */
    abstract protected function connect(): \PDO;

    /** Makes a connection that may do everything but delete rows. */
    abstract protected function connectWithoutDelete(): \PDO;

    /** Makes waiting for a lock of another connection fail at once. */
    abstract protected function waitForNoLock(\PDO $pdo): void;

    /** Locks all rows of the outbox in a transaction of this connection. */
    abstract protected function lockRows(\PDO $pdo): void;

    protected function setUp(): void
    {
        parent::setUp();
        $this->pdo = $this->connect();
        $this->pdo->exec('DROP TABLE IF EXISTS bloom_outbox');
        $this->outbox = new PdoOutbox($this->pdo);
        $this->outbox->createTable();
        $this->store = new HookedStore("$this->directory/store");
    }

    public function testItMovesKeysOfAnyBytes(): void
    {
        $this->follow('tags');
        $keys = ['', "\0", implode('', array_map(chr(...), range(0, 255))), "it's \\ \" %s ? :x $1", "\xff\xfe", 'Straße', 'tags ', -7, 2024];
        self::assertSame(count($keys), $this->outbox->add('tags', new \ArrayIterator($keys)));
        self::assertSame(1, $this->outbox->add('tags', 42));
        self::assertSame(1, $this->outbox->add('tags', str_repeat("\x80'", self::LONGEST / 2)));
        self::assertSame(count($keys) + 2, $this->outbox->relay($this->store));
        self::assertSame([], self::keys($this->pdo));
        self::assertFound('tags', [...$keys, '42', str_repeat("\x80'", self::LONGEST / 2)]);
        self::assertFalse(Filter::open('tags')->mightContain('tags  '));
    }

    /** @param array<int, mixed> $attributes */
    #[\PHPUnit\Framework\Attributes\DataProvider('attributes')]
    public function testItMovesKeysWithTheSettingsOfAnyApplication(array $attributes): void
    {
        $this->follow('tags');
        $pdo = $this->connect();
        foreach ($attributes as $attribute => $value) {
            $pdo->setAttribute($attribute, $value);
        }
        $outbox = new PdoOutbox($pdo);
        self::assertSame(3, $outbox->add('tags', ['', "\0'\xff\\", 'cat']));
        self::assertSame(3, $outbox->relay($this->store));
        self::assertSame([], self::keys($this->pdo));
        self::assertFound('tags', ['', "\0'\xff\\", 'cat']);
    }

    /** @return array<string, array{array<int, mixed>}> */
    public static function attributes(): array
    {
        return [
            'emulated statements' => [[\PDO::ATTR_EMULATE_PREPARES => true]],
            'native statements' => [[\PDO::ATTR_EMULATE_PREPARES => false]],
            'numbers as strings' => [[\PDO::ATTR_STRINGIFY_FETCHES => true]],
            'empty strings as null' => [[\PDO::ATTR_ORACLE_NULLS => \PDO::NULL_EMPTY_STRING]],
            'names in capitals' => [[\PDO::ATTR_CASE => \PDO::CASE_UPPER, \PDO::ATTR_DEFAULT_FETCH_MODE => \PDO::FETCH_OBJ]],
        ];
    }

    public function testAFailureIsAnExceptionEvenIfTheApplicationHasTurnedThemOff(): void
    {
        $pdo = $this->connect();
        $pdo->setAttribute(\PDO::ATTR_ERRMODE, \PDO::ERRMODE_SILENT);
        $this->expectException(\PDOException::class);
        $this->expectExceptionMessageMatches('/no_such_outbox/');
        (new PdoOutbox($pdo, 'no_such_outbox'))->add('tags', 'cat');
    }

    public function testAKeyIsCommittedAndRolledBackWithItsTransaction(): void
    {
        $this->pdo->beginTransaction();
        $this->outbox->add('tags', 'cat');
        self::assertTrue($this->pdo->inTransaction());
        $this->pdo->rollBack();
        self::assertSame([], self::keys($this->pdo));

        $this->pdo->beginTransaction();
        $this->outbox->add('tags', 'cat');
        $this->pdo->exec('SAVEPOINT inner_one');
        $this->outbox->add('tags', 'dog');
        $this->pdo->exec('ROLLBACK TO SAVEPOINT inner_one');
        self::assertSame([], self::keys($this->connect()), 'it is not committed');
        $this->pdo->commit();
        self::assertSame(['cat'], self::keys($this->pdo));
        self::assertFalse($this->pdo->inTransaction());

        $this->outbox->add('tags', range(1, 250));
        self::assertFalse($this->pdo->inTransaction());
        self::assertCount(251, self::keys($this->connect()));
    }

    public function testKeysAreMovedInOrderAndAtMostAsManyAsAsked(): void
    {
        $this->follow('tags');
        $keys = array_map(static fn (int $i): string => sprintf('<%04d>', $i), range(1, 2300));
        $this->outbox->add('tags', $keys);
        self::assertSame(1200, $this->outbox->relay($this->store, 1200));
        self::assertSame(array_slice($keys, 1200), self::keys($this->pdo));
        self::assertSame(1100, $this->outbox->relay($this->store, 1200));
        self::assertSame(0, $this->outbox->relay($this->store));
        self::assertSame($keys, $this->journaled('tags', '/<\d{4}>/'));
        self::assertSame(4, $this->store->appends, 'at most 1,000 keys at once');
    }

    public function testLongKeysAreMovedInPiecesOfOneMebibyte(): void
    {
        $this->follow('tags');
        for ($i = 0; $i < 24; $i++) {
            $this->outbox->add('tags', sprintf('<%04d>', $i) . str_repeat('x', 600_000));
        }
        gc_collect_cycles();
        memory_reset_peak_usage();
        $before = memory_get_usage();
        self::assertSame(24, $this->outbox->relay($this->store));
        self::assertSame(24, $this->store->appends);
        self::assertLessThan(8 << 20, memory_get_peak_usage() - $before);
    }

    public function testARowThatAppearsBelowHigherIdsIsMoved(): void
    {
        $this->follow('tags');
        $this->outbox->add('tags', ['first', 'second', 'third']);
        $ids = array_keys(self::rows($this->pdo));
        $late = $this->pdo->query("SELECT filter_name, key_bytes FROM bloom_outbox WHERE id = $ids[1]");
        self::assertNotFalse($late);
        $late->closeCursor();
        $this->pdo->exec("DELETE FROM bloom_outbox WHERE id = $ids[1]");
        self::assertSame(2, $this->outbox->relay($this->store));
        $this->insert($ids[1], 'tags', 'second');
        self::assertSame(1, $this->outbox->relay($this->store));
        self::assertFound('tags', ['first', 'second', 'third']);
    }

    public function testARowThatIsAddedDuringARelayIsNotDeleted(): void
    {
        $this->follow('tags');
        $this->outbox->add('tags', ['cat', 'dog']);
        $other = new PdoOutbox($this->connect());
        $this->store->after = static fn (): int => $other->add('tags', 'cow');
        self::assertSame(2, $this->outbox->relay($this->store, 2));
        self::assertSame(['cow'], self::keys($this->pdo));
    }

    public function testARowThatHasTheIdOfAMovedOneIsNotDeleted(): void
    {
        $this->follow('tags');
        $this->follow('colors');
        $this->outbox->add('tags', ['cat', 'dog', 'cow']);
        $this->store->after = function (): void {
            [$first, $second] = array_keys(self::rows($this->pdo));
            $this->pdo->exec("DELETE FROM bloom_outbox WHERE id IN ($first, $second)");
            $this->insert($first, 'tags', 'CAT');
            $this->insert($second, 'colors', 'dog');
        };
        self::assertSame(3, $this->outbox->relay($this->store), 'one of the first batch and the two that have appeared');
        self::assertSame([], self::keys($this->pdo));
        self::assertFound('tags', ['cat', 'dog', 'cow', 'CAT']);
        self::assertFound('colors', ['dog']);
    }

    /** @return array<string, array{string}> */
    public static function moments(): array
    {
        return ['before the first has added the keys' => ['before'], 'after it' => ['after']];
    }

    #[\PHPUnit\Framework\Attributes\DataProvider('moments')]
    public function testTwoRelaysAtOnceLoseAndKeepNothing(string $moment): void
    {
        $this->follow('tags');
        $keys = range(1, 1500);
        $this->outbox->add('tags', $keys);
        $other = new PdoOutbox($this->connect());
        $moved = null;
        $this->store->{$moment} = function () use ($other, &$moved): void {
            $moved = $other->relay(new DirectoryStore("$this->directory/store"));
        };
        self::assertSame(0, $this->outbox->relay($this->store), 'the other relay has moved them');
        self::assertSame(1500, $moved);
        self::assertSame([], self::keys($this->pdo));
        self::assertFound('tags', $keys);
    }

    public function testAnUnknownFilterStaysAndTheOthersGoOn(): void
    {
        $this->follow('tags');
        $this->follow('2024');
        $this->outbox->add('tagz', ['red', 'blue']);
        $this->outbox->add('tags', 'cat');
        $this->outbox->add('2024', 'dog');
        $this->insert(1000, 'no name', 'x');
        $failure = $this->failedRelay();
        self::assertSame(['tagz', 'no name'], array_keys($failure->failures));
        self::assertSame(2, $failure->moved);
        self::assertStringContainsString('keys stay in the outbox bloom_outbox: tagz: the store has no such filter', $failure->getMessage());
        self::assertSame(['red', 'blue', 'x'], self::keys($this->pdo));
        self::assertFound('tags', ['cat']);
        self::assertFound('2024', ['dog']);

        $this->pdo->exec("UPDATE bloom_outbox SET filter_name = 'tags'");
        self::assertSame(3, $this->outbox->relay($this->store));
        self::assertFound('tags', ['cat', 'red', 'blue', 'x']);
    }

    public function testAFilterIsKnownBeforeItsFirstVersion(): void
    {
        $journal = new Journal('tags', $this->store);
        $mark = $journal->mark();
        $this->outbox->add('tags', 'cat');
        self::assertSame(1, $this->outbox->relay($this->store));
        $this->follow('tags', $mark);
        self::assertFound('tags', ['cat']);
    }

    public function testAFilterWhoseJournalIsClosedStaysAndTheOthersGoOn(): void
    {
        $this->publish(['red'], 'colors'); // without a mark
        $this->follow('tags');
        $this->outbox->add('colors', range(1, 1200));
        $this->outbox->add('tags', 'cat');
        $failure = $this->failedRelay();
        self::assertInstanceOf(KindException::class, $failure->failures['colors']);
        self::assertSame(1, $failure->moved);
        self::assertCount(1200, self::keys($this->pdo));
        $this->follow('colors');
        self::assertSame(1200, $this->outbox->relay($this->store));
        self::assertFound('colors', range(1, 1200));
    }

    public function testAKeyThatIsTooLongStaysAndTheOthersGoOn(): void
    {
        $this->follow('tags');
        $this->insert(1, 'tags', str_repeat('x', self::LONGEST + 1));
        $this->insert(2, 'tags', 'cat');
        $this->insert(3, 'tags', 'dog');
        $failure = $this->failedRelay(1);
        self::assertSame('keys stay in the outbox bloom_outbox: tags: the key in the row with the id 1 has 1,048,461 bytes, but a journal'
            . ' accepts at most 1,048,460; delete the row', $failure->getMessage());
        self::assertSame(1, $failure->moved);
        self::assertSame(1, $this->failedRelay()->moved);
        self::assertSame([1], array_keys(self::rows($this->pdo)));
        self::assertFound('tags', ['cat', 'dog']);
    }

    public function testAddRefusesWhatNoJournalAccepts(): void
    {
        foreach (['' => 'x', 'no name' => 'x', 'tags' => str_repeat('x', self::LONGEST + 1)] as $filter => $key) {
            try {
                $this->outbox->add($filter, $key);
                self::fail("accepted \"$filter\"");
            } catch (\ValueError $error) {
                self::assertStringStartsWith('Bloom\Kit\PdoOutbox::add(): Argument #', $error->getMessage());
            }
        }
        try {
            $this->outbox->add('tags', ['cat', 1.5]); // @phpstan-ignore argument.type
            self::fail('accepted a float');
        } catch (\TypeError $error) {
            self::assertSame('Bloom\Kit\PdoOutbox::add(): Argument #2 ($keys) must contain only values of type string|int, float given', $error->getMessage());
        }
        self::assertSame([], self::keys($this->pdo));
    }

    public function testTheKeysOfAStoreThatFailsStay(): void
    {
        $this->follow('tags');
        $this->outbox->add('tags', ['cat', 'dog']);
        foreach (['before', 'after'] as $moment) {
            $this->store->{$moment} = static fn (): never => throw new \RuntimeException('the store is on fire');
            self::assertInstanceOf(StoreException::class, $this->failedRelay()->failures['tags']);
            self::assertSame(['cat', 'dog'], self::keys($this->pdo));
        }
        self::assertSame(2, $this->outbox->relay($this->store));
    }

    public function testAClosureChoosesTheJournals(): void
    {
        $this->follow('tags');
        $this->outbox->add('colors', 'red');
        $this->outbox->add('tags', 'cat');
        try {
            $this->outbox->relay(fn (string $filter): Journal => $filter === 'tags'
                ? new Journal($filter, $this->store) : throw new \InvalidArgumentException('not mine'));
            self::fail('the closure threw');
        } catch (OutboxException $exception) {
            self::assertSame('not mine', $exception->failures['colors']->getMessage());
        }
        self::assertSame(['red'], self::keys($this->pdo));
    }

    public function testAUserWhoMayNotDeleteRowsAddsNothingToTheJournal(): void
    {
        $this->follow('tags');
        $this->outbox->add('tags', 'cat');
        $outbox = new PdoOutbox($this->connectWithoutDelete());
        try {
            $outbox->relay($this->store);
            self::fail('it has deleted rows');
        } catch (\PDOException) {
            self::assertSame(0, $this->store->appends);
        }
    }

    public function testARelayRefusesToRunInATransaction(): void
    {
        $this->pdo->beginTransaction();
        $this->expectException(\LogicException::class);
        $this->expectExceptionMessage('this connection is in a transaction');
        $this->outbox->relay($this->store);
    }

    public function testTheLimitIsAtLeastOne(): void
    {
        $this->expectException(\ValueError::class);
        $this->outbox->relay($this->store, 0);
    }

    public function testRowsThatAreLockedAreMovedLater(): void
    {
        $this->follow('tags');
        $this->outbox->add('tags', ['cat', 'dog']);
        $this->waitForNoLock($this->pdo);
        $other = $this->connect();
        $this->store->after = fn () => $this->lockRows($other);
        try {
            $this->outbox->relay($this->store);
            self::fail('the rows are locked');
        } catch (\PDOException) {
            self::assertFalse($this->pdo->inTransaction());
        }
        $other->exec('ROLLBACK');
        self::assertSame(['cat', 'dog'], self::keys($this->pdo));
        self::assertSame(2, $this->outbox->relay($this->store));
        self::assertFound('tags', ['cat', 'dog']);
    }

    /** Each process is killed one step later than the previous one, before a statement or around an append, until one survives. */
    public function testNoKillLosesAKey(): void
    {
        $this->follow('tags');
        $this->follow('colors');
        for ($step = 0; ; $step++) {
            $this->outbox->add('tags', ["t$step", "u$step"]);
            $this->outbox->add('colors', "c$step");
            $process = proc_open([PHP_BINARY, '-d', 'extension=' . getenv('BLOOM_EXTENSION'), '-d', 'bloom.path=' . self::segment(),
                __DIR__ . '/killed_relay.php', $this->dsn(), $this->user(), "$this->directory/store", (string) $step], [], $pipes);
            \assert(is_resource($process));
            while (($status = proc_get_status($process))['running']) {
                usleep(1000);
            }
            proc_close($process);
            if (!$status['signaled']) {
                self::assertSame(0, $status['exitcode']);
                break;
            }
            self::assertSame(SIGKILL, $status['termsig']);
            // What is not in the table must be in the journal.
            $left = self::keys($this->pdo);
            foreach (['tags' => ["t$step", "u$step"], 'colors' => ["c$step"]] as $filter => $keys) {
                self::assertFound($filter, array_values(array_diff($keys, $left)));
            }
        }
        self::assertGreaterThan(10, $step);
        self::assertSame([], self::keys($this->pdo));
        foreach (range(0, $step) as $i) {
            self::assertFound('tags', ["t$i", "u$i"]);
            self::assertFound('colors', ["c$i"]);
        }
    }

    abstract protected function dsn(): string;

    abstract protected function user(): string;

    /** Publishes a version of a filter that follows its journal. */
    protected function follow(string $filter, ?string $mark = null): void
    {
        $mark ??= (new Journal($filter, new DirectoryStore("$this->directory/store")))->mark();
        (new Builder(1000, 1e-9, seed: 1))->build(mark: $mark)->publish(new DirectoryStore("$this->directory/store"), $filter);
    }

    /**
     * Asserts that a host which has just booted finds the keys.
     *
     * @param list<string|int> $keys
     */
    protected function assertFound(string $filter, array $keys): void
    {
        Filter::drop($filter);
        Filter::sync($filter, new DirectoryStore("$this->directory/store"), ttl: 0.0);
        self::assertSame($keys, Filter::open($filter)->candidates($keys));
    }

    /** @return list<string> */
    protected static function keys(\PDO $pdo): array
    {
        return array_values(self::rows($pdo));
    }

    /** @return array<int, string> the keys by id */
    private static function rows(\PDO $pdo): array
    {
        $statement = $pdo->query('SELECT id, key_bytes FROM bloom_outbox ORDER BY id');
        self::assertNotFalse($statement);
        $rows = [];
        /** @var array{int|string, string|resource} $row */
        foreach ($statement->fetchAll(\PDO::FETCH_NUM) as $row) {
            $rows[(int) $row[0]] = is_resource($row[1]) ? (string) stream_get_contents($row[1]) : $row[1];
        }
        return $rows;
    }

    /** Writes a row as another program would. */
    protected function insert(int $id, string $filter, string $key): void
    {
        $statement = $this->pdo->prepare('INSERT INTO bloom_outbox (id, filter_name, key_bytes) VALUES (?, ?, ?)');
        $statement->bindValue(1, $id, \PDO::PARAM_INT);
        $statement->bindValue(2, $filter);
        $statement->bindValue(3, $key, \PDO::PARAM_LOB);
        $statement->execute();
    }

    protected function failedRelay(int $limit = 10_000): OutboxException
    {
        try {
            $this->outbox->relay($this->store, $limit);
        } catch (OutboxException $exception) {
            return $exception;
        }
        self::fail('nothing stays in the outbox');
    }

    /** @return list<string> what matches in the file of a journal */
    private function journaled(string $filter, string $pattern): array
    {
        preg_match_all($pattern, (string) file_get_contents("$this->directory/store/$filter:journal"), $found);
        return $found[0];
    }
}
