<?php

namespace MediaWiki\Extension\BloomLinks;

use Bloom\DirectoryStore;
use Bloom\Filter;
use Bloom\Journal;
use Bloom\SegmentException;
use Bloom\Store;
use Closure;
use MapCacheLRU;
use Psr\Log\LoggerInterface;
use Throwable;

/**
 * The filter of all titles of the wiki. Its keys are "<namespace id>:<dbkey>".
 *
 * If the PHP extension is missing, the filter is not loaded on this host or anything throws, the answer is that every title
 * may exist. The callers then ask the database, as MediaWiki does without this extension.
 */
final class TitleFilter
{
    /** The number of absent titles that a process remembers. A page has fewer links. */
    private const MAX_ABSENT = 100_000;

    private ?Filter $filter = null;
    private bool $isOpened = false;
    private ?Store $connection = null;
    private MapCacheLRU $absent;

    /** @param string|Closure|null $store see BloomLinksStore in extension.json */
    public function __construct(
        public readonly string $name,
        private readonly string|Closure|null $store,
        private readonly LoggerInterface $logger
    ) {
        $this->absent = new MapCacheLRU(self::MAX_ABSENT);
    }

    /**
     * Returns the filter name of a wiki.
     *
     * Filter names have a smaller alphabet than wiki ids and are shorter. However, two wikis must never share a name, because
     * the filter of one would deny the titles of the other. So if an id does not fit into a name, the part that fits is
     * followed by a dot, which no other name contains, and the digest of the id.
     */
    public static function defaultName(string $wiki): string
    {
        if (preg_match('/^[A-Za-z0-9_][A-Za-z0-9_-]{0,119}$/D', $wiki) !== 1) {
            $wiki = substr(preg_replace('/^$|^-|[^A-Za-z0-9_-]/', '_', $wiki), 0, 80) . '.' . substr(hash('sha256', $wiki), 0, 32);
        }
        return "$wiki-titles";
    }

    public static function key(int $namespace, string $dbkey): string
    {
        return "$namespace:$dbkey";
    }

    /** Returns false if the page definitely does not exist. */
    public function mayExist(int $namespace, string $dbkey): bool
    {
        return $this->possible([self::key($namespace, $dbkey)]) !== [];
    }

    /**
     * Returns the keys whose pages may exist, and remembers the others.
     *
     * @param list<string> $keys
     *
     * @return array<int, string>
     */
    public function possible(array $keys): array
    {
        try {
            $possible = $this->filter()?->candidates($keys) ?? $keys;
        } catch (Throwable $error) {
            $this->filter = null;
            $this->logger->warning('The filter {name} cannot be read: {error}', $this->context($error));
            return $keys;
        }
        foreach (array_diff_key($keys, $possible) as $key) {
            $this->absent->set($key, true);
        }
        return $possible;
    }

    /** Returns true if the filter, and not the database, was the source of an earlier answer "does not exist". */
    public function hasDenied(string $key): bool
    {
        return $this->absent->has($key);
    }

    /**
     * Adds the titles of new pages to the journal, and thereby to the filters of all hosts.
     *
     * @param list<string> $keys
     *
     * @return bool false if the other hosts will not learn the titles, because the extension is missing or the store failed
     */
    public function add(array $keys): bool
    {
        if ($this->store === null) {
            return true;
        }
        try {
            (new Journal($this->name, $this->store()))->add($keys);
        } catch (SegmentException $error) {
            $this->logger->warning('This host finds new titles in {name} only after its next sync: {error}', $this->context($error));
        } catch (Throwable $error) {
            $this->logger->error('New titles are missing from the journal of {name}: {error}', $this->context($error));
            return false;
        }
        return true;
    }

    /** Returns the store that has the published filter and its journal. */
    public function store(): Store
    {
        return $this->connection ??= is_string($this->store) ? new DirectoryStore($this->store) : ($this->store)();
    }

    private function filter(): ?Filter
    {
        // Without a store, this host would not add new titles to the journal, and other hosts might not either.
        if (!$this->isOpened && $this->store !== null && extension_loaded('bloom')) {
            $this->isOpened = true;
            $this->filter = Filter::find($this->name);
        }
        return $this->filter;
    }

    private function context(Throwable $error): array
    {
        return ['name' => $this->name, 'error' => $error->getMessage(), 'exception' => $error];
    }
}
