<?php

declare(strict_types=1);

namespace Bloom\Symfony\Doctrine;

use Bloom\Journal;
use Bloom\Kit\Fold;
use Bloom\Kit\KeyWrite;
use Bloom\Kit\KeyWriter;
use Bloom\Kit\PdoOutbox;
use Doctrine\DBAL\Connection;
use Doctrine\ORM\EntityManagerInterface;
use Doctrine\ORM\Event\PostPersistEventArgs;
use Doctrine\ORM\Event\PostUpdateEventArgs;
use Psr\Container\ContainerInterface;
use Psr\Log\LoggerInterface;

/**
 * Adds the keys of entities to filters. Doctrine calls these events in the transaction of flush(), after the entity's statement:
 * the row has its generated id, and no other listener can change the key. If adding a key fails, flush() rolls back and throws.
 */
final class KeyListener
{
    /** @var array<string, KeyWriter> */
    private array $writers = [];

    /** @var array<class-string, list<array{string, \ReflectionProperty|\ReflectionMethod}>> the filter and the member */
    private array $members = [];

    /** Of the current event. */
    private ?Connection $connection = null;

    /**
     * @param ContainerInterface $journals by "filter NAME"
     * @param array<array{write: string, fold: string|null}> $settings by filter, as in the configuration
     */
    public function __construct(
        private readonly ContainerInterface $journals,
        private readonly array $settings,
        private readonly ?LoggerInterface $logger,
    ) {
    }

    public function postPersist(PostPersistEventArgs $event): void
    {
        $this->add($event->getObject(), $event->getObjectManager(), null);
    }

    public function postUpdate(PostUpdateEventArgs $event): void
    {
        $changes = $event->getObjectManager()->getUnitOfWork()->getEntityChangeSet($event->getObject());
        $this->add($event->getObject(), $event->getObjectManager(), $changes);
    }

    /** @param array<mixed>|null $changes by property; null: all properties are new */
    private function add(object $entity, EntityManagerInterface $manager, ?array $changes): void
    {
        $keys = [];
        foreach ($this->membersOf($manager->getClassMetadata($entity::class)->getName()) as [$filter, $member]) {
            if ($member instanceof \ReflectionMethod) {
                $returned = $member->invoke($entity);
                foreach (is_iterable($returned) ? $returned : [$returned] as $key) {
                    $keys[$filter][] = self::key($key, $member);
                }
            } elseif ($changes === null || isset($changes[$member->name])) {
                $value = $member->getValue($entity);
                if ($value !== null) {
                    $keys[$filter][] = self::key($value, $member);
                }
            }
        }
        foreach ($keys as $filter => $added) {
            $this->write((string) $filter, $added, $manager->getConnection());
        }
    }

    /** @param list<string|int> $keys */
    private function write(string $filter, array $keys, Connection $connection): void
    {
        $this->connection = $connection;
        ($this->writers[$filter] ??= $this->writer($filter))->add($keys);
    }

    private function writer(string $filter): KeyWriter
    {
        if (!$this->journals->has("filter $filter")) {
            throw new \LogicException("#[AddToFilter('$filter')]: the filter has no journal; set bloom.filters.$filter.journal to true");
        }
        $journal = $this->journals->get("filter $filter");
        \assert($journal instanceof Journal);
        ['write' => $write, 'fold' => $fold] = $this->settings[$filter] ?? throw new \LogicException("bloom.filters.$filter is missing");
        return new KeyWriter(
            $journal,
            $this->outbox(...),
            $this->logger,
            KeyWrite::from($write),
            fold: $fold === null ? null : Fold::named($fold),
        );
    }

    private function outbox(): PdoOutbox
    {
        $pdo = $this->connection?->getNativeConnection();
        return $pdo instanceof \PDO ? new PdoOutbox($pdo) : throw new \LogicException(
            'The outbox of Bloom filters needs a connection of PDO, but Doctrine uses ' . get_debug_type($pdo)
                . '; set the driver to pdo_mysql, pdo_pgsql or pdo_sqlite'
        );
    }

    /**
     * @param class-string $class
     *
     * @return list<array{string, \ReflectionProperty|\ReflectionMethod}>
     */
    private function membersOf(string $class): array
    {
        if (isset($this->members[$class])) {
            return $this->members[$class];
        }
        $members = [];
        // The properties of a class do not include the private ones of its parents.
        for ($reflected = new \ReflectionClass($class); $reflected !== false; $reflected = $reflected->getParentClass()) {
            foreach ([...$reflected->getProperties(), ...$reflected->getMethods()] as $member) {
                foreach ($member->class === $reflected->name ? $member->getAttributes(AddToFilter::class) : [] as $attribute) {
                    $members[] = [$attribute->newInstance()->filter, $member];
                }
            }
        }
        return $this->members[$class] = $members;
    }

    private static function key(mixed $key, \ReflectionProperty|\ReflectionMethod $member): string|int
    {
        return is_string($key) || is_int($key) ? $key : throw new \TypeError(sprintf(
            '%s::%s has #[AddToFilter], so it must be a key of type string|int, %s given; put the attribute on a method that returns the key',
            $member->class,
            $member instanceof \ReflectionMethod ? "$member->name()" : "\$$member->name",
            get_debug_type($key)
        ));
    }
}
