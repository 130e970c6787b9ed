<?php

declare(strict_types=1);

namespace Bloom\Kit;

use Psr\Log\LoggerInterface;

/** Syncs the filters whose interval has passed. Run it when the user already has the response. */
final readonly class DueSyncs
{
    /** @param iterable<FilterSync> $syncs */
    public function __construct(private iterable $syncs, private ?LoggerInterface $logger = null)
    {
    }

    /** Logs failures and does not throw. A filter whose sync fails keeps its version. */
    public function run(): void
    {
        try {
            foreach ($this->syncs as $sync) {
                $this->try($sync);
            }
        } catch (\Throwable $mistake) { // in the configuration, which the application reads while it makes the syncs
            $this->logger?->error($mistake->getMessage(), ['exception' => $mistake]);
        }
    }

    private function try(FilterSync $sync): void
    {
        try {
            $sync->sync();
        } catch (\Throwable $failure) { // the application's own store may throw anything
            $this->logger?->error(
                "The sync of the Bloom filter \"$sync->filter\" failed: {$failure->getMessage()}",
                ['filter' => $sync->filter, 'exception' => $failure],
            );
        }
    }
}
