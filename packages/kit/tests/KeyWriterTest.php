<?php

declare(strict_types=1);

namespace Bloom\Kit\Tests;

use Bloom\Journal;
use Bloom\Kit\Fold;
use Bloom\Kit\FoldedJournal;
use Bloom\Kit\KeyWrite;
use Bloom\Kit\KeyWriter;
use Bloom\Kit\PdoOutbox;
use Bloom\StoreException;
use PHPUnit\Framework\Attributes\CoversClass;

#[CoversClass(KeyWriter::class)]
final class KeyWriterTest extends HostTestCase
{
    use CodeOfPage;

    private const PAGE = __DIR__ . '/../README.md';

    private \PDO $pdo;
    private PdoOutbox $outbox;
    private HookedStore $store;
    private Log $log;

    protected function setUp(): void
    {
        parent::setUp();
        $this->pdo = new \PDO('sqlite::memory:');
        $this->outbox = new PdoOutbox($this->pdo);
        $this->outbox->createTable();
        $this->store = new HookedStore("$this->directory/store");
        (new Journal('tags', $this->store))->mark();
        $this->store->appends = 0;
        $this->log = new Log();
    }

    /** PHP would ignore the second key. */
    public function testKeysThatAreNotOneArrayAreRefused(): void
    {
        $journal = new Journal('tags', $this->store);
        $keys = ['red', 'green'];
        foreach ([
            'Bloom\Kit\KeyWriter::add' => fn () => (new KeyWriter($journal, $this->outbox))->add(...$keys),
            'Bloom\Kit\FoldedJournal::add' => static fn () => (new FoldedJournal($journal, Fold::mysql()))->add(...$keys),
            'Bloom\Kit\PdoOutbox::add' => fn () => $this->outbox->add('tags', ...$keys),
        ] as $method => $add) {
            try {
                $add();
                self::fail("$method() loses a key");
            } catch (\ArgumentCountError $error) {
                self::assertMatchesRegularExpression('/^' . preg_quote($method) . '\(\) expects exactly \d arguments?, \d given: pass several keys as one array$/', $error->getMessage());
            }
        }
    }

    public function testTheJournalGetsTheKeysBeforeTheCommit(): void
    {
        $this->pdo->beginTransaction();
        $this->writer()->add(new \ArrayIterator(['cat', 7]));
        self::assertSame([1, 0, []], [$this->store->appends, $this->waiting(), $this->log->lines]);
        $this->pdo->rollBack();
    }

    public function testIfTheStoreFailsTheOutboxGetsTheKeysInTheSameTransaction(): void
    {
        $writer = $this->writer();
        $this->store->before = static fn (): never => throw new \RuntimeException('no route to host');
        $this->pdo->beginTransaction();
        $writer->add((static fn () => yield from ['cat', 'dog'])());
        self::assertSame(2, $this->waiting());
        $this->pdo->rollBack();
        self::assertSame(0, $this->waiting());

        $writer->add('cow');
        self::assertSame([0, 1], [$this->store->appends, $this->waiting()], 'the store is not asked again so soon');
        self::assertCount(1, $this->log->lines);
        self::assertMatchesRegularExpression(
            '/^warning: Keys for the Bloom filter "tags" go to the outbox, because its journal failed: .*no route to host/',
            $this->log->lines[0],
        );
    }

    public function testWithOnlyTheJournalTheFailureOfTheStoreIsThrown(): void
    {
        $writer = $this->writer(KeyWrite::Journal);
        $this->store->before = static fn (): never => throw new \RuntimeException('no route to host');
        try {
            $writer->add('cat');
            self::fail('the store has failed');
        } catch (StoreException) {
            self::assertSame(0, $this->waiting());
        }
        $writer->add('dog');
        self::assertSame(1, $this->store->appends);
    }

    public function testWithOnlyTheOutboxTheStoreIsNotAsked(): void
    {
        $this->writer(KeyWrite::Outbox)->add(['cat', 'dog']);
        self::assertSame([0, 2], [$this->store->appends, $this->waiting()]);
    }

    public function testAfterThePauseTheStoreIsAskedAgain(): void
    {
        $writer = $this->writer(pause: 0.0);
        $this->store->before = static fn (): never => throw new \RuntimeException('no route to host');
        $writer->add('cat');
        $writer->add('dog');
        self::assertSame([1, 1], [$this->store->appends, $this->waiting()]);
    }

    public function testAnInvalidKeyIsNoFailureOfTheStore(): void
    {
        $writer = $this->writer();
        try {
            $writer->add([1.5]); // @phpstan-ignore argument.type
            self::fail('accepted a float');
        } catch (\TypeError) {
            self::assertSame([[], 0], [$this->log->lines, $this->waiting()]);
        }
        $writer->add('cat');
        self::assertSame(1, $this->store->appends);
    }

    public function testTheExamplesOfThePage(): void
    {
        [$write, $relay] = array_values(preg_grep('/outbox/', self::blocks('php')) ?: []);
        $write = strtr($write, ['/srv/app/tags.db' => "$this->directory/tags.db"]);
        (new \PDO("sqlite:$this->directory/tags.db"))->exec('CREATE TABLE tags (name TEXT)');
        [$store, $logger] = [$this->store, $this->log];
        $this->store->before = static fn (): never => throw new \RuntimeException('no route to host');
        eval($write);
        eval($relay);
        self::assertSame(1, $moved); // @phpstan-ignore variable.undefined
    }

    private function writer(KeyWrite $write = KeyWrite::JournalOrOutbox, float $pause = 10.0): KeyWriter
    {
        return new KeyWriter(new Journal('tags', $this->store), fn (): PdoOutbox => $this->outbox, $this->log, $write, $pause);
    }

    private function waiting(): int
    {
        $count = $this->pdo->query('SELECT COUNT(*) FROM bloom_outbox');
        \assert($count !== false);
        return (int) $count->fetchColumn(); // @phpstan-ignore cast.int
    }
}
