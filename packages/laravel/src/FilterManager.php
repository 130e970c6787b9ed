<?php

declare(strict_types=1);

namespace Bloom\Laravel;

use Bloom\Journal;
use Bloom\Kit\DueSyncs;
use Bloom\Kit\FilterSync;
use Bloom\Kit\FoldedJournal;
use Bloom\Kit\HostFilter;
use Bloom\Kit\KeyWriter;
use Bloom\Kit\PdoOutbox;
use Bloom\Membership;
use Bloom\Store;
use Bloom\SyncResult;
use Bloom\Testing\AlwaysMaybeFilter;
use Bloom\Testing\ExactFilter;
use Illuminate\Contracts\Container\Container;
use Illuminate\Database\Connection;
use Illuminate\Database\ConnectionInterface;
use Illuminate\Database\ConnectionResolverInterface;
use Psr\Log\LoggerInterface;

/**
 * The filters of config/bloom.php. The facade BloomFilter calls its methods.
 *
 * @implements \IteratorAggregate<FilterSync>
 */
final class FilterManager implements \IteratorAggregate
{
    /** @var array<string, HostFilter> */
    private array $filters = [];

    /** @var array<string, Journal> */
    private array $journals = [];

    /** @var array<string, KeyWriter> */
    private array $writers = [];

    /** Of the current call of add(). */
    private ?ConnectionInterface $connection = null;

    /** @var array<string, ExactFilter|AlwaysMaybeFilter>|null */
    private ?array $fakes = null;

    public function __construct(
        private readonly Settings $settings,
        private readonly Stores $stores,
        private readonly LoggerInterface $logger,
        private readonly Container $container,
    ) {
    }

    /**
     * Returns a filter, which is opened at the first lookup. If it is not loaded on this host or cannot be read, every
     * answer is "maybe".
     *
     * @throws \InvalidArgumentException if config/bloom.php has no such filter
     */
    public function get(string $name): Membership
    {
        if ($this->fakes !== null) {
            $this->settings->filter($name);
            return $this->fakes[$name] ??= new AlwaysMaybeFilter();
        }
        if (!isset($this->filters[$name])) {
            $this->filters[$name] = new HostFilter($name, $this->logger, $this->settings->filter($name)->fold);
        }
        return $this->filters[$name];
    }

    /**
     * Returns the journal of a filter, to which add() adds keys for all hosts. If the filter has a fold, add() folds them.
     * Call add() before the transaction commits.
     *
     * @throws \InvalidArgumentException if config/bloom.php has no such filter with a journal
     */
    public function journal(string $name): Journal|FoldedJournal
    {
        $journal = $this->journalOf($name);
        $fold = $this->settings->filter($name)->fold;
        return $fold === null ? $journal : new FoldedJournal($journal, $fold);
    }

    private function journalOf(string $name): Journal
    {
        $settings = $this->settings->filter($name);
        if (!$settings->hasJournal || $settings->store === null) {
            throw new \InvalidArgumentException(
                "bloom.filters.$name: the filter has no journal; set bloom.filters.$name.journal to true"
            );
        }
        return $this->journals[$name] ??= new Journal($name, $this->stores->get($settings->store));
    }

    /**
     * Adds keys to a filter, as bloom.filters.NAME.write says. Call this method in the transaction that writes their rows. If it
     * throws, roll back. A filter that is replaced for a test finds the keys, too.
     *
     * @param iterable<mixed, string|int>|string|int $keys
     * @param ConnectionInterface|null $connection that writes the rows; null: the default connection
     *
     * @throws \Bloom\BloomException if the store fails and no outbox is used
     * @throws \PDOException if the outbox is used and the database fails
     * @throws \InvalidArgumentException if config/bloom.php has no such filter with a journal
     */
    public function add(string $name, iterable|string|int $keys, ?ConnectionInterface $connection = null): void
    {
        if ($this->fakes !== null) {
            $this->settings->filter($name);
            $fake = $this->fakes[$name] ?? null;
            if ($fake instanceof ExactFilter) {
                $fake->addMany(is_iterable($keys) ? $keys : [$keys]);
            }
            return;
        }
        $writer = $this->writers[$name] ??= new KeyWriter(
            $this->journalOf($name),
            fn (): PdoOutbox => $this->outbox($this->connection),
            $this->logger,
            $this->settings->filter($name)->write,
            fold: $this->settings->filter($name)->fold,
        );
        $this->connection = $connection;
        $writer->add($keys);
    }

    /**
     * Moves keys from the outbox to the journals of their filters; see PdoOutbox::relay(). The command `bloom relay` can do this
     * instead.
     *
     * @param int $limit at most this many keys
     *
     * @return int the number of keys; less than $limit if no others can be moved
     *
     * @throws \Bloom\Kit\OutboxException if keys of a filter could not be moved
     * @throws \PDOException if the database fails
     */
    public function relay(int $limit = 10_000, ?ConnectionInterface $connection = null): int
    {
        return $this->outbox($connection)->relay($this->journalOf(...), $limit);
    }

    private function outbox(?ConnectionInterface $connection): PdoOutbox
    {
        if ($connection === null) {
            $databases = $this->container->make('db');
            \assert($databases instanceof ConnectionResolverInterface);
            $connection = $databases->connection();
        }
        \assert($connection instanceof Connection);
        return new PdoOutbox($connection->getPdo());
    }

    /**
     * Loads the published version of a filter if this host does not serve it yet.
     *
     * @param float|null $ttl do not ask the store if any process of this host did so in the last seconds; null: the
     *        filter's interval
     * @param bool $force load the published version even if it is older than the served one
     *
     * @throws \Bloom\BloomException if the store fails or has no such filter
     * @throws \InvalidArgumentException if config/bloom.php has no such filter with a store
     */
    public function sync(string $name, ?float $ttl = null, bool $force = false): SyncResult
    {
        $settings = $this->settings->filter($name);
        if ($settings->store === null) {
            throw new \InvalidArgumentException(
                "bloom.filters.$name: the filter has no store to sync from; set bloom.filters.$name.store"
            );
        }
        return $this->syncOf($name, $settings->store, $settings)->sync($ttl, $force);
    }

    /** Yields the syncs of the filters that have a store. */
    public function getIterator(): \Generator
    {
        foreach ($this->settings->filters() as $name) {
            $settings = $this->settings->filter($name);
            if ($settings->store !== null) {
                yield $this->syncOf($name, $settings->store, $settings);
            }
        }
    }

    private function syncOf(string $name, string $store, FilterSettings $settings): FilterSync
    {
        return new FilterSync($name, fn (): Store => $this->stores->get($store), $settings->interval, $settings->maxLag);
    }

    /** Syncs the filters whose interval has passed, and logs failures. Runs after each response. */
    public function syncDue(): void
    {
        if ($this->fakes === null) {
            (new DueSyncs($this, $this->logger))->run();
        }
        foreach ($this->filters as $filter) {
            $filter->reset();
        }
    }

    /**
     * Replaces all filters for a test. Those that are not in $keys answer "maybe" to every key.
     *
     * @param array<string, iterable<string|int>> $keys the keys of filters that answer exactly
     *
     * @throws \LogicException if the package bloom/polyfill is missing
     */
    public function fake(array $keys = []): void
    {
        if (!class_exists(ExactFilter::class)) {
            throw new \LogicException('Fakes need a package: composer require --dev bloom/polyfill');
        }
        $this->fakes = [];
        foreach ($keys as $name => $of) {
            $this->settings->filter($name);
            $this->fakes[$name] = new ExactFilter($of);
        }
    }
}
