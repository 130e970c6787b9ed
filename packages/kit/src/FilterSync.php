<?php

declare(strict_types=1);

namespace Bloom\Kit;

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

    /**
     * @param float|null $ttl do not ask the store if any process of this host did so in the last seconds; null: the
     *        interval
     * @param bool $force load the published version even if it is older, and verify the whole served file
     */
    public function sync(?float $ttl = null, bool $force = false): SyncResult
    {
        return Filter::sync(
            $this->filter,
            ($this->store)(),
            ttl: $ttl ?? $this->interval,
            force: $force,
            maxLag: $this->maxLag,
        );
    }
}
