<?php

declare(strict_types=1);

namespace Bloom\Kit;

use Bloom\Journal;
use Psr\Log\LoggerInterface;

/**
 * Adds keys to a filter's journal before the transaction of their row commits. If the store fails, writes them into the outbox
 * in the same transaction instead, so the store never makes the application's write fail.
 */
final class JournalOrOutbox
{
    private int $nextAttempt = 0;

    /**
     * @param PdoOutbox|\Closure(): PdoOutbox $outbox on the connection that writes the rows; a closure is called at each use
     * @param float $pause do not ask the store for this many seconds after a failure, so that an import of many rows does not
     *        wait for the same timeout at each of them
     */
    public function __construct(
        private readonly Journal $journal,
        private readonly PdoOutbox|\Closure $outbox,
        private readonly ?LoggerInterface $logger = null,
        private readonly float $pause = 10.0,
    ) {
    }

    /**
     * Call this method in the transaction that writes the row. Failures of the store are logged as warnings.
     *
     * @param iterable<mixed, string|int>|string|int $keys as for Bloom\Journal::add()
     *
     * @throws \PDOException if the store and the database fail; roll back
     * @throws \TypeError if a key is neither string nor int; roll back
     * @throws \ValueError if a key is too long; roll back
     */
    public function add(iterable|string|int $keys): void
    {
        $all = [];
        foreach (is_iterable($keys) ? $keys : [$keys] as $key) { // a generator can be read only once
            $all[] = $key;
        }
        $failure = null;
        if (hrtime(true) >= $this->nextAttempt) {
            try {
                $this->journal->add($all);
                return;
            } catch (\Throwable $failure) { // the application's own store may throw anything
            }
        }
        $outbox = $this->outbox instanceof PdoOutbox ? $this->outbox : ($this->outbox)();
        $filter = $this->journal->name();
        $outbox->add($filter, $all);
        if ($failure !== null) {
            $this->nextAttempt = hrtime(true) + (int) ($this->pause * 1e9);
            $this->logger?->warning(
                "Keys for the Bloom filter \"$filter\" go to the outbox, because its journal failed: {$failure->getMessage()}",
                ['filter' => $filter, 'exception' => $failure],
            );
        }
    }
}
