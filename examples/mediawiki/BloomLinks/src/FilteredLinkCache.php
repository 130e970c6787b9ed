<?php

namespace MediaWiki\Extension\BloomLinks;

use IDBAccessObject;
use LinkCache;
use stdClass;

/**
 * Asks the filter before it asks the database for one page: PageStore, Title::exists(), #ifexist, the tabs of a page.
 *
 * This class does not override isBadLink(). That would also save the query, but #ifexist would then not count the expensive
 * call, and the hook TitleExists would not run.
 */
final class FilteredLinkCache extends LinkCache
{
    private TitleFilter $titles;

    public static function from(LinkCache $cache, TitleFilter $titles): self
    {
        $copy = Copy::of($cache, LinkCache::class, self::class);
        $copy->titles = $titles;
        return $copy;
    }

    /**
     * The callback has no type here, because LinkCache passes a private method of its own, which is not callable from this
     * class.
     *
     * @inheritDoc
     */
    public function getGoodLinkRow(
        int $ns,
        string $dbkey,
        $fetchCallback = null,
        int $queryFlags = IDBAccessObject::READ_NORMAL
    ): ?stdClass {
        // Code that is about to write reads with READ_LATEST, and asks the database.
        if (
            $fetchCallback !== null && !($queryFlags & IDBAccessObject::READ_LATEST)
            && !$this->titles->mayExist($ns, $dbkey)
        ) {
            $fetchCallback = null; // LinkCache answers from memory, and otherwise remembers that the page does not exist
        }
        return parent::getGoodLinkRow($ns, $dbkey, $fetchCallback, $queryFlags);
    }
}
