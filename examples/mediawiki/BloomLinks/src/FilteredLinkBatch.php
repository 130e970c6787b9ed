<?php

namespace MediaWiki\Extension\BloomLinks;

use LinkBatch;
use Wikimedia\Rdbms\FakeResultWrapper;

/**
 * Removes pages that definitely do not exist from queries of the page table. MediaWiki makes these queries for all links of
 * a page. The batch itself keeps all titles, because it also registers the missing ones, and preloads the genders of their
 * users.
 */
final class FilteredLinkBatch extends LinkBatch
{
    private TitleFilter $titles;

    public static function from(LinkBatch $batch, TitleFilter $titles): self
    {
        $copy = Copy::of($batch, LinkBatch::class, self::class);
        $copy->titles = $titles;
        return $copy;
    }

    /** @inheritDoc */
    public function doQuery()
    {
        return $this->isEmpty()
            ? parent::doQuery()
            : $this->withPossible(fn () => parent::doQuery(), fn () => new FakeResultWrapper([]));
    }

    /** @inheritDoc */
    public function constructSet($prefix, $db)
    {
        return $prefix !== 'page' || $this->isEmpty()
            ? parent::constructSet($prefix, $db)
            : $this->withPossible(fn () => parent::constructSet($prefix, $db), fn () => '1=0');
    }

    /** Calls $query while the batch contains only pages that may exist, or $otherwise if there are none. */
    private function withPossible(callable $query, callable $otherwise): mixed
    {
        $all = $this->data;
        $this->data = $this->possible($all);
        try {
            return $this->data === [] ? $otherwise() : $query();
        } finally {
            $this->data = $all;
        }
    }

    /** Returns the pages of $data that may exist. The arrays have the form of LinkBatch::$data. */
    private function possible(array $data): array
    {
        $keys = $places = [];
        foreach ($data as $namespace => $titles) {
            foreach ($titles as $dbkey => $value) {
                $keys[] = TitleFilter::key($namespace, $dbkey);
                $places[] = [$namespace, $dbkey];
            }
        }
        $possible = [];
        foreach ($this->titles->possible($keys) as $i => $key) {
            [$namespace, $dbkey] = $places[$i];
            $possible[$namespace][$dbkey] = $data[$namespace][$dbkey];
        }
        return $possible;
    }
}
