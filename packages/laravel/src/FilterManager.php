<?php

declare(strict_types=1);

namespace Bloom\Laravel;

use Bloom\Journal;
use Bloom\Kit\DueSyncs;
use Bloom\Kit\FilterSync;
use Bloom\Kit\FoldedJournal;
use Bloom\Kit\HostFilter;
use Bloom\Kit\HostMembership;
use Bloom\Kit\KeyWriter;
use Bloom\Kit\ListFilter;
use Bloom\Kit\PdoOutbox;
use Bloom\Kit\ShadowFilter;
use Bloom\Kit\Testing\AlwaysMaybeFilter;
use Bloom\Kit\Testing\FakeStore;
use Bloom\Membership;
use Bloom\Store;
use Bloom\SyncResult;
use Illuminate\Contracts\Container\Container;
use Illuminate\Contracts\Validation\UncompromisedVerifier;
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
    /** @var array<string, Membership> what get() returns */
    private array $lookups = [];

    /** @var array<string, HostMembership> */
    private array $filters = [];

    /** @var array<string, ShadowFilter> */
    private array $shadows = [];

    /** @var array<string, Journal> */
    private array $journals = [];

    /** @var array<string, KeyWriter> */
    private array $writers = [];

    /** Of the current call of add(). */
    private ?ConnectionInterface $connection = null;

    /** In a test, what takes the place of every store. */
    private ?FakeStore $fake = null;

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
        return $this->lookups[$name] ??= $this->fake !== null || $this->settings->filter($name)->shadow === 0.0
            ? $this->filter($name)
            : $this->shadow($name);
    }

    /**
     * Returns a filter whose lookup() and confirm() compare its answers with the database: the share `shadow` of its "no"
     * answers. If that is not 0, get() returns the same object.
     *
     * @throws \InvalidArgumentException if config/bloom.php has no such filter
     */
    public function shadow(string $name): ShadowFilter
    {
        if (!isset($this->shadows[$name])) {
            $settings = $this->settings->filter($name);
            $store = $settings->store;
            $this->shadows[$name] = new ShadowFilter(
                $name,
                $this->filter($name),
                $this->logger,
                $this->fake === null ? $settings->shadow : 0.0,
                $store === null ? null : fn (): Store => $this->stores->get($store),
                $settings->fold,
            );
        }
        return $this->shadows[$name];
    }

    /**
     * Returns a list whose keys are to be rejected. If it is not loaded on this host, every answer is null. In a test with fakes,
     * a list that fake() was not given has only the keys that the application adds.
     *
     * @throws \InvalidArgumentException if config/bloom.php has no such filter
     */
    public function list(string $name): ListFilter
    {
        return new ListFilter($this->filter($name, isList: true));
    }

    /**
     * Returns what answers for Password::uncompromised(): $http, unless bloom.breached_passwords names a filter.
     *
     * @throws \InvalidArgumentException if bloom.breached_passwords has a mistake
     */
    public function passwordVerifier(UncompromisedVerifier $http): UncompromisedVerifier
    {
        $passwords = $this->settings->breachedPasswords();
        return $passwords === null ? $http : new PasswordVerifier($this, $passwords[0], $passwords[1], $http);
    }

    private function filter(string $name, bool $isList = false): HostMembership
    {
        if (isset($this->filters[$name])) {
            return $this->filters[$name];
        }
        $fold = $this->settings->filter($name)->fold;
        return match (true) {
            $this->fake === null => $this->filters[$name] = new HostFilter($name, $this->logger, $fold),
            $isList => $this->fake->filter($name, fold: $fold), // "maybe" would list every key
            default => new AlwaysMaybeFilter(),
        };
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
     * throws, roll back. In a test with fakes, the journal is in memory, and no outbox is used.
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
        if ($this->fake !== null) {
            $this->journal($name)->add($keys);
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
        return $this->fake === null ? $this->syncOf($name, $settings->store, $settings)->sync($ttl, $force) : SyncResult::Current;
    }

    /** Yields the syncs of the filters that have a store. */
    public function getIterator(): \Generator
    {
        foreach ($this->fake === null ? $this->settings->filters() : [] as $name) {
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
        (new DueSyncs($this, $this->logger))->run();
        foreach ([$this->filters, $this->shadows] as $used) {
            foreach ($used as $filter) {
                $filter->reset();
            }
        }
    }

    /**
     * Replaces all filters and stores for a test. Filters that are not in $keys answer "maybe" to every key, and as lists, such
     * as bloom.breached_passwords, they list none.
     *
     * @param array<string, iterable<string|int>|null> $keys the keys of filters that answer exactly; null: the filter is not
     *        loaded
     *
     * @return FakeStore what takes the place of every store. It knows which keys were added to journals
     */
    public function fake(array $keys = []): FakeStore
    {
        $this->lookups = $this->filters = $this->shadows = $this->journals = [];
        $this->fake = $this->stores->fake();
        foreach ($keys as $name => $of) {
            $fold = $this->settings->filter($name)->fold;
            $this->filters[$name] = $of === null ? new AlwaysMaybeFilter(isComplete: false) : $this->fake->filter($name, $of, $fold);
        }
        return $this->fake;
    }
}
