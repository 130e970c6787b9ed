<?php

namespace Bloom;

/** A filter that was loaded from a blob. */
final class LoadedFilter extends Filter
{
    /** @param (callable(int, int): mixed)|null $progress */
    public static function load(
        string $name,
        Blob $blob,
        ?callable $progress = null,
        ?JournalStore $journal = null,
        ?float $maxLag = null
    ): LoadedFilter {
        $filter = parent::load($name, $blob, $progress, $journal, $maxLag);
        assert($filter instanceof LoadedFilter);
        return $filter;
    }

    public function info(): LoadedInfo
    {
        $info = parent::info();
        assert($info instanceof LoadedInfo);
        return $info;
    }
}
