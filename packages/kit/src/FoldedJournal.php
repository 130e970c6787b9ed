<?php

declare(strict_types=1);

namespace Bloom\Kit;

use Bloom\Journal;

/** The journal of a filter whose keys are folded. */
final readonly class FoldedJournal
{
    public function __construct(private Journal $journal, private Fold $fold)
    {
    }

    public function name(): string
    {
        return $this->journal->name();
    }

    /**
     * Folds keys and adds them; see Bloom\Journal::add().
     *
     * @param iterable<mixed, string|int>|string|int $keys
     *
     * @return int the number of keys
     *
     * @throws \Bloom\BloomException as Bloom\Journal::add()
     * @throws \TypeError if a key is neither string nor int
     * @throws \ValueError if a key is too long
     */
    public function add(iterable|string|int $keys): int
    {
        Keys::refuseMore(__METHOD__, 1, func_num_args());
        return $this->journal->add($this->fold->keys($keys));
    }

    /** Returns the position of the journal's end; see Bloom\Journal::mark(). */
    public function mark(): string
    {
        return $this->journal->mark();
    }
}
