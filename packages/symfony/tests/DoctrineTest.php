<?php

declare(strict_types=1);

namespace Bloom\Symfony\Tests;

use Bloom\BloomException;
use Bloom\Builder;
use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Journal;
use Bloom\Kit\PdoOutbox;
use Bloom\Kit\Tests\HookedStore;
use Bloom\Symfony\Doctrine\KeyListener;
use Bloom\Symfony\Tests\App\Entity\Tag;
use Bloom\Symfony\Tests\App\Entity\Wrong;
use Bloom\Symfony\Tests\App\Kernel;
use Bloom\Kit\Testing\ExactFilter;
use Doctrine\DBAL\Connection;
use Doctrine\ORM\EntityManagerInterface;
use Doctrine\ORM\Tools\SchemaTool;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use Symfony\Component\DependencyInjection\Loader\Configurator\ServicesConfigurator;

#[CoversClass(KeyListener::class)]
final class DoctrineTest extends AppTestCase
{
    private Kernel $kernel;
    private EntityManagerInterface $manager;
    private Connection $connection;
    private HookedStore $store;

    public function testAnEntityAddsItsKeysBeforeTheCommit(): void
    {
        $this->begin('journal');
        $atAppend = null;
        $this->store->after = function () use (&$atAppend): void {
            $atAppend = [$this->connection->isTransactionActive(), $this->names()];
        };
        $this->persist('red');
        self::assertSame([true, ['red']], $atAppend);
        self::assertFalse($this->connection->isTransactionActive());
        $this->assertFound('tags', ['red']);
        $this->assertFound('2024', ['1']);
    }

    public function testAnUpdateAddsTheNewValueOfAPropertyAndWhatAMethodReturns(): void
    {
        $this->begin('journal');
        $tag = $this->persist('red');
        $appends = $this->store->appends;
        $tag->note = 'x';
        $this->manager->flush();
        self::assertSame($appends + 1, $this->store->appends, 'the filter 2024 gets the note');
        $tag->rename('blue');
        $this->manager->flush();
        $tag->rename(null);
        $this->manager->flush();
        $this->assertFound('tags', ['red', 'blue']);
        $this->assertFound('2024', ['note x']);
    }

    public function testTheOutboxIsRolledBackWithTheRow(): void
    {
        $this->begin('outbox');
        $this->connection->beginTransaction();
        $this->persist('red');
        self::assertSame(['1', 'red'], $this->outbox());
        $this->connection->beginTransaction(); // a savepoint
        $this->persist('blue');
        $this->connection->rollBack();
        $this->manager->clear(); // it believes that the row has the id 2
        $this->connection->commit();
        self::assertSame([['red'], ['1', 'red']], [$this->names(), $this->outbox()]);

        $this->connection->beginTransaction();
        $this->persist('pink');
        $this->connection->rollBack();
        self::assertSame([['red'], ['1', 'red'], 0], [$this->names(), $this->outbox(), $this->store->appends]);

        self::assertSame(2, (new PdoOutbox($this->pdo()))->relay($this->store));
        $this->assertFound('tags', ['red']);
        $this->assertFound('2024', ['1']);
    }

    public function testKeysAreFolded(): void
    {
        $this->begin('outbox', ['fold' => 'mysql']);
        $this->persist('José');
        self::assertSame(['1', 'jose'], $this->outbox());
    }

    public function testAKeyInTheJournalStaysAfterARollback(): void
    {
        $this->begin('journal');
        $this->connection->beginTransaction();
        $this->persist('red');
        $this->connection->rollBack();
        self::assertSame([], $this->names());
        $this->assertFound('tags', ['red']); // a false positive
    }

    public function testWithOnlyTheJournalAStoreThatFailsMakesTheFlushFail(): void
    {
        $this->begin('journal');
        $this->store->before = static fn (): never => throw new \RuntimeException('no route to host');
        try {
            $this->persist('red');
            self::fail('the store has failed');
        } catch (BloomException) {
            self::assertSame([[], false], [$this->names(), $this->connection->isTransactionActive()]);
        }
    }

    public function testWithBothAStoreThatFailsFillsTheOutbox(): void
    {
        $this->begin('journal_or_outbox');
        $this->persist('red');
        self::assertSame([], $this->outbox());
        $this->store->before = static fn (): never => throw new \RuntimeException('no route to host');
        $this->persist('blue');
        self::assertSame([['red', 'blue'], ['2']], [$this->names(), $this->outbox()]);
        self::assertCount(1, preg_grep('/^warning: Keys for the Bloom filter "2024" go to the outbox/', self::log($this->kernel)) ?: []);
        $this->assertFound('tags', ['red', 'blue']);
    }

    #[TestWith(['price', 1.5, \TypeError::class, '/Wrong::\$price has #\[AddToFilter], so it must be a key of type string\|int, float given/'])]
    #[TestWith(['name', 'x', \LogicException::class, '/^#\[AddToFilter\(\'unknown\'\)]: the filter has no journal; set bloom\.filters\.unknown\.journal to true/'])]
    public function testAMistakeMakesTheFlushFail(string $property, mixed $value, string $class, string $message): void
    {
        $this->begin('journal');
        $wrong = new Wrong();
        $wrong->$property = $value;
        $this->manager->persist($wrong);
        try {
            $this->manager->flush();
            self::fail('accepted');
        } catch (\Throwable $thrown) {
            self::assertInstanceOf($class, $thrown); // @phpstan-ignore argument.type, argument.templateType
            self::assertMatchesRegularExpression($message, $thrown->getMessage());
        }
    }

    public function testAFakeFindsTheKeysOfEntities(): void
    {
        $this->begin('journal', ['fake' => 'exact']);
        $this->persist('red');
        self::assertSame(['red'], self::service($this->kernel, ExactFilter::class, 'bloom.filter.tags')->candidates(['red', 'blue']));
        self::assertSame(0, $this->store->appends);
    }

    /** @param array<string, mixed> $more */
    private function begin(string $write, array $more = []): void
    {
        $this->store = new HookedStore("$this->directory/store");
        $filter = ['store' => 'main', 'journal' => true, 'max_lag' => 3600, 'write' => $write] + $more;
        $this->kernel = $this->boot(
            ['stores' => ['main' => ['service' => 'app.journals']], 'filters' => ['tags' => $filter, '2024' => $filter]],
            services: static fn (ServicesConfigurator $services) => $services->set('app.journals', HookedStore::class)->synthetic(),
            hasDoctrine: true,
        );
        $this->kernel->getContainer()->set('app.journals', $this->store);
        foreach (['tags', '2024'] as $name) {
            $mark = (new Journal($name, $this->store))->mark();
            (new Builder(1000, 1e-9, seed: 1))->build(mark: $mark)->publish($this->store, $name);
        }
        $this->store->appends = 0;
        $this->manager = self::service($this->kernel, EntityManagerInterface::class, 'doctrine.orm.entity_manager');
        $this->connection = $this->manager->getConnection();
        (new SchemaTool($this->manager))->createSchema($this->manager->getMetadataFactory()->getAllMetadata());
        (new PdoOutbox($this->pdo()))->createTable();
    }

    private function persist(string $name): Tag
    {
        $tag = new Tag($name);
        $this->manager->persist($tag);
        $this->manager->flush();
        return $tag;
    }

    private function pdo(): \PDO
    {
        $pdo = $this->connection->getNativeConnection();
        self::assertInstanceOf(\PDO::class, $pdo);
        return $pdo;
    }

    /** @return list<mixed> */
    private function names(): array
    {
        return $this->connection->fetchFirstColumn('SELECT name FROM Tag ORDER BY id');
    }

    /** @return list<mixed> */
    private function outbox(): array
    {
        return $this->connection->fetchFirstColumn('SELECT key_bytes FROM bloom_outbox ORDER BY id');
    }

    /** @param list<string> $keys */
    private function assertFound(string $filter, array $keys): void
    {
        Filter::drop($filter);
        Filter::sync($filter, new DirectoryStore("$this->directory/store"), ttl: 0.0);
        self::assertSame($keys, Filter::open($filter)->candidates($keys));
    }
}
