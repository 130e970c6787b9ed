<?php

declare(strict_types=1);

namespace Bloom\Kit;

use Bloom\Journal;
use Psr\Log\LoggerInterface;

/**
 * Adds keys to a filter before the transaction of their row commits. By default, if the store fails, the keys are written into the
 * outbox in the same transaction instead, so the store never makes the application's write fail.
 */
final class KeyWriter
{
    private int $nextAttempt = 0;

    /**
     * @param PdoOutbox|\Closure(): PdoOutbox $outbox on the connection that writes the rows; a closure is called at each use
     * @param float $pause do not ask the store for this many seconds after a failure, so that an import of many rows does not
     *        wait for the same timeout at each of them
     * @param Fold|null $fold the fold of the filter's keys; null: none
     */
    public function __construct(
        private readonly Journal $journal,
        private readonly PdoOutbox|\Closure $outbox,
        private readonly ?LoggerInterface $logger = null,
        private readonly KeyWrite $write = KeyWrite::JournalOrOutbox,
        private readonly float $pause = 10.0,
        private readonly ?Fold $fold = null,
    ) {
    }

    /**
     * Call this method in the transaction that writes the row. If it throws, roll back.
     *
     * @param iterable<mixed, string|int>|string|int $keys as for Bloom\Journal::add()
     *
     * @throws \Bloom\BloomException if the store fails and no outbox is used
     * @throws \PDOException if the outbox is used and the database fails
     * @throws \TypeError if a key is neither string nor int
     * @throws \ValueError if a key is too long
     */
    public function add(iterable|string|int $keys): void
    {
        Keys::refuseMore(__METHOD__, 1, func_num_args());
        $keys = $this->fold?->keys($keys) ?? $keys;
        match ($this->write) {
            KeyWrite::Journal => $this->journal->add($keys),
            KeyWrite::Outbox => $this->outbox()->add($this->journal->name(), $keys),
            KeyWrite::JournalOrOutbox => $this->addToEither($keys),
        };
    }

    /** @param iterable<mixed, string|int>|string|int $keys */
    private function addToEither(iterable|string|int $keys): void
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
        $filter = $this->journal->name();
        $this->outbox()->add($filter, $all); // refuses the keys that the journal refuses
        if ($failure !== null) {
            $this->nextAttempt = hrtime(true) + (int) ($this->pause * 1e9);
            $this->logger?->warning(
                "Keys for the Bloom filter \"$filter\" go to the outbox, because its journal failed: {$failure->getMessage()}",
                ['filter' => $filter, 'exception' => $failure],
            );
        }
    }

    private function outbox(): PdoOutbox
    {
        return $this->outbox instanceof PdoOutbox ? $this->outbox : ($this->outbox)();
    }
}
