<?php

declare(strict_types=1);

namespace Bloom\Symfony;

use Bloom\Filter;
use Bloom\Store;
use Bloom\SyncResult;

/** Loads new versions of one filter from its store. */
final readonly class FilterSync
{
    /**
     * @param \Closure(): Store $store
     * @param float $interval seconds between two syncs on this host
     * @param float|null $maxLag seconds; see Filter::sync()
     */
    public function __construct(
        public string $filter,
        private \Closure $store,
        private float $interval,
        private ?float $maxLag,
    ) {
    }

    /** Asks the store unless any process of this host did so during the interval. */
    public function syncIfDue(): SyncResult
    {
        return $this->sync($this->interval, false);
    }

    /** @param bool $force accept an older version, and verify the whole served file */
    public function syncNow(bool $force = false): SyncResult
    {
        return $this->sync(0.0, $force);
    }

    private function sync(float $ttl, bool $force): SyncResult
    {
        return Filter::sync(
            $this->filter,
            ($this->store)(),
            ttl: $ttl,
            force: $force,
            maxLag: $this->maxLag,
        );
    }
}
