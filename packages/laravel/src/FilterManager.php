<?php

declare(strict_types=1);

namespace Bloom\Laravel;

use Bloom\Filter;
use Bloom\Journal;
use Bloom\Membership;
use Bloom\SyncResult;
use Bloom\Testing\AlwaysMaybeFilter;
use Bloom\Testing\ExactFilter;
use Psr\Log\LoggerInterface;

/** The filters of config/bloom.php. The facade BloomFilter calls its methods. */
final class FilterManager
{
    /** @var array<string, HostFilter> */
    private array $filters = [];

    /** @var array<string, Journal> */
    private array $journals = [];

    /** @var array<string, ExactFilter|AlwaysMaybeFilter>|null */
    private ?array $fakes = null;

    public function __construct(
        private readonly Settings $settings,
        private readonly Stores $stores,
        private readonly LoggerInterface $logger,
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
            $this->settings->filter($name);
            $this->filters[$name] = new HostFilter($name, $this->logger);
        }
        return $this->filters[$name];
    }

    /**
     * Returns the journal of a filter, to which add() adds keys for all hosts.
     *
     * @throws \InvalidArgumentException if config/bloom.php has no such filter with a journal
     */
    public function journal(string $name): Journal
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
        return Filter::sync(
            $name,
            $this->stores->get($settings->store),
            ttl: $ttl ?? $settings->interval,
            force: $force,
            maxLag: $settings->maxLag,
        );
    }

    /** @return list<string> the names of the filters that have a store */
    public function synced(): array
    {
        $hasStore = fn (string $name): bool => $this->settings->filter($name)->store !== null;
        return array_values(array_filter($this->settings->filters(), $hasStore));
    }

    /** Syncs the filters whose interval has passed, and logs failures. Runs after each response. */
    public function syncDue(): void
    {
        try {
            foreach ($this->fakes === null ? $this->synced() : [] as $name) {
                $this->trySync($name);
            }
        } catch (\InvalidArgumentException $mistake) { // in config/bloom.php
            $this->logger->error($mistake->getMessage(), ['exception' => $mistake]);
        }
        foreach ($this->filters as $filter) {
            $filter->reset();
        }
    }

    private function trySync(string $name): void
    {
        try {
            $this->sync($name);
        } catch (\Throwable $failure) { // the application's own store may throw anything
            // Not every channel of Laravel replaces placeholders.
            $reason = $failure->getMessage();
            $this->logger->error("The sync of the Bloom filter \"$name\" failed: $reason", ['exception' => $failure]);
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
