<?php

namespace Bloom;

use Bloom\Internal\Access;
use Bloom\Internal\Arguments;
use Bloom\Internal\CheckedStore;
use Bloom\Internal\Failure;
use Bloom\Internal\Fetch;
use Bloom\Internal\FilterDirectory;
use Bloom\Internal\Infos;
use Bloom\Internal\JournalReader;
use Bloom\Internal\Keys;
use Bloom\Internal\KeySet;
use Bloom\Internal\Load;
use Bloom\Internal\Measure;
use Bloom\Internal\Segment;
use Bloom\Internal\Streams;
use Bloom\Internal\Sync;
use Bloom\Internal\SyncLog;
use Bloom\Internal\SyncState;

/**
 * A named filter, which all processes of this user on this host share through files.
 *
 * @phpstan-import-type Current from FilterDirectory
 */
abstract class Filter implements Membership
{
    use Internal\Sealed;

    private const CLASSES = ['loaded' => LoadedFilter::class, 'live' => LiveFilter::class, 'counting' => CountingFilter::class,
        'scalable' => ScalableFilter::class, 'sliding' => SlidingFilter::class, 'reverse' => ReverseIndex::class,
        'on-demand' => OnDemandFilter::class];
    private const ROUNDS_MAX = 5;

    private FilterDirectory $directory;

    private function __construct()
    {
    }

    /** Opens the filter with the given name. */
    public static function open(string $name): static
    {
        Arguments::name($name, 'Filter::open');
        self::checkCalled('open');
        return static::find($name) ?? throw Failure::of(Status::NotFound, Segment::path() . "/$name");
    }

    /** Opens a filter as open() does, but returns null if no filter with the given name is loaded. */
    public static function find(string $name): ?static
    {
        Arguments::name($name, 'Filter::find');
        self::checkCalled('find');
        $current = Segment::filter($name)->current();
        return $current === null ? null : self::handle($name, $current);
    }

    /** @throws KindException if the method was called on a class that the user defined */
    private static function checkCalled(string $method): void
    {
        if (!in_array(static::class, [self::class, WritableFilter::class, ...array_values(self::CLASSES)], true)) {
            throw new KindException(static::class . ' is a class that you define, and no filter is of such a class (call '
                . self::class . "::$method())", Status::Kind->value);
        }
    }

    /**
     * Makes the object for a filter that exists.
     *
     * @param Current $current
     *
     * @psalm-suppress LessSpecificReturnStatement, MoreSpecificReturnType the class is compared
     */
    private static function handle(string $name, array $current): static
    {
        $class = self::classOf($current);
        if (!is_a($class, static::class, true)) {
            throw Load::wrongKind($name, $current, 'a ' . static::class);
        }
        $filter = (new \ReflectionClass($class))->newInstanceWithoutConstructor();
        $filter->directory = Segment::filter($name);
        return $filter; // @phpstan-ignore return.type (the class was compared above)
    }

    /**
     * @param array{kind: string, isIndex: bool, ...} $current
     *
     * @return class-string<self>
     */
    private static function classOf(array $current): string
    {
        return $current['isIndex'] ? ReverseIndex::class : self::CLASSES[$current['kind']];
    }

    /**
     * Returns the sorted names of all filters in the segment.
     * @return list<string>
     */
    public static function list(): array
    {
        return Segment::names();
    }

    /** Checks a filter, for monitoring and readiness probes. */
    public static function health(
        string $name,
        ?float $maxBuildAge = null,
        ?float $maxSyncAge = null,
        ?float $maxRate = null,
        int $maxFailures = 3,
        ?Store $store = null
    ): Health {
        throw Failure::needsExtension('health()');
    }

    /**
     * Returns the statistics of all filters in the segment in the OpenMetrics text format, for Prometheus and compatible
     * systems.
     */
    public static function metrics(): string
    {
        throw Failure::needsExtension('metrics()');
    }

    /** Drops the filter with the given name. */
    public static function drop(string $name): bool
    {
        Arguments::name($name, 'Filter::drop');
        self::checkCalled('drop');
        $directory = Segment::filter($name);
        if ($directory->current() === null && !is_dir($directory->file(''))) {
            return false;
        }
        return $directory->locked(function () use ($directory, $name): bool {
            $current = $directory->current();
            if ($current !== null && !is_a(self::classOf($current), static::class, true)) {
                $kind = array_search(static::class, self::CLASSES, true);
                throw Load::wrongKind($name, $current, Load::text(Kind::tryFrom((string) $kind) ?? Kind::Live));
            }
            $directory->remove();
            return $current !== null;
        });
    }

    /**
     * Creates a live filter from a snapshot that save() wrote: with the same kind, parameters, layers, counters and key
     * counts.
     */
    public static function restore(string $name, string|Store $source): static
    {
        self::checkCalled('restore');
        throw Failure::needsExtension('a snapshot');
    }

    /**
     * Loads a blob as the filter with the given name on this host.
     * @param (callable(int, int): mixed)|null $progress
     */
    public static function load(
        string $name,
        Blob $blob,
        ?callable $progress = null,
        ?JournalStore $journal = null,
        ?float $maxLag = null
    ): LoadedFilter|ReverseIndex {
        Arguments::name($name, 'Filter::load');
        Load::checkMaxLag($maxLag, 'Filter::load', 5);
        self::checkCalled('load');
        [$head, $body] = [Access::head($blob), Access::body($blob)];
        $made = ['kind' => Kind::Loaded->value, 'isIndex' => $head->geometry->groups !== 0];
        if (!is_a(self::classOf($made), static::class, true)) {
            throw Load::wrongKind($name, $made, 'a ' . static::class);
        }
        if ($journal !== null && $head->mark === '') {
            throw Failure::of(Status::NoMark, $name);
        }
        for ($at = 0; $progress !== null && $at < $head->fileBytes;) {
            $at = min($head->fileBytes, $at + Streams::STEP_BYTES);
            $progress($at, $head->fileBytes);
        }
        $directory = Segment::filter($name);
        $now = SyncState::now();
        $added = $head->mark === '' ? null : Sync::added($directory, $journal, $head, $directory->current());
        $current = (new Load($directory, $head, $body, $added))->run();
        if ($added !== null) {
            $page = $directory->page();
            fclose($page);
            SyncState::reached($directory->syncFile, (string) ($current['journal'] ?? ''), $now);
            SyncState::limitLag($directory->syncFile, $maxLag);
        }
        $filter = self::open($name);
        assert($filter instanceof LoadedFilter || $filter instanceof ReverseIndex);
        return $filter;
    }

    /**
     * Loads the version that is published in a store, if a check is due.
     * @param (callable(int, int): mixed)|null $progress
     * @param (callable(string, string, array<string, mixed>): mixed)|object|null $logger
     */
    public static function sync(
        string $name,
        Store $store,
        float $ttl = 60.0,
        bool $force = false,
        ?callable $progress = null,
        ?float $maxLag = null,
        object|callable|null $logger = null
    ): SyncResult {
        Arguments::name($name, 'Filter::sync');
        Load::checkMaxLag($maxLag, 'Filter::sync', 6);
        if (!($ttl >= 0 && $ttl <= 1e9)) {
            throw Arguments::error('Filter::sync', 3, 'ttl', 'must be from 0 to 1,000,000,000 seconds');
        }
        $log = new SyncLog($name, $logger, 'Filter::sync', 7);
        $directory = Segment::filter($name);
        $directory->make();
        $sync = new Sync($directory, $store, $force, $ttl === 0.0, $progress, $log);
        return $log->around(
            fn (): SyncResult => SyncState::run($directory->syncFile, $force ? 0 : (int) round($ttl * 1000), $log,
                fn (): bool => $directory->current() !== null, function () use ($sync, $directory, $maxLag): SyncResult {
                    SyncState::limitLag($directory->syncFile, $maxLag);
                    return $sync->run();
                }),
            fn (): int => $directory->current()['generation'] ?? 0
        );
    }

    /** Attaches to a published filter that is too large to be loaded completely. */
    public static function attach(string $name, Store $store, int $memory): OnDemandFilter
    {
        Arguments::name($name, 'Filter::attach');
        if ($memory < 1) {
            throw Arguments::error('Filter::attach', 3, 'memory', 'must be greater than 0');
        }
        // The whole filter is loaded: the chunks are not fetched on demand.
        $directory = Segment::filter($name);
        $current = $directory->current() ?? self::loadAll($directory, new CheckedStore($store), $memory);
        if ($current['kind'] !== Kind::OnDemand->value) {
            throw Load::wrongKind($name, $current, Load::text(Kind::OnDemand));
        }
        if ($current['memory'] !== $memory) {
            throw Failure::of(Status::Exists, "$name: it has {$current['memory']} bytes of memory, not $memory");
        }
        return OnDemandFilter::open($name);
    }

    /** @return Current */
    private static function loadAll(FilterDirectory $directory, CheckedStore $store, int $memory): array
    {
        $store->published($directory->name);
        $bytes = Fetch::blob($store, $directory->name, null) ?? throw Failure::of(Status::StoreMissing, $directory->name);
        $blob = Blob::fromString($bytes);
        if (Access::head($blob)->geometry->groups !== 0) {
            throw Failure::of(Status::Kind, "$directory->name: expected an on-demand filter, found a reverse index");
        }
        return (new Load($directory, Access::head($blob), Access::body($blob), null, $memory))->run('')
            ?? throw Failure::of(Status::Overtaken, $directory->name);
    }

    final public function name(): string
    {
        return $this->directory()->name;
    }

    /** Returns whether a key might have been added. */
    final public function mightContain(mixed $key): bool
    {
        return $this->has()(Keys::of($key, 'Filter::mightContain'));
    }

    /**
     * Returns the values of $keys that might have been added, in their order.
     * @template TKey of array-key
     * @template TValue of string|int
     * @param array<TKey, TValue>|\Traversable<mixed, TValue> $keys
     * @return ($keys is array ? array<TKey, TValue> : list<TValue>)
     */
    final public function candidates(iterable $keys): array
    {
        // All answers come from one generation, which may be replaced while the caller's iterator runs.
        $list = is_array($keys) ? $keys : Keys::list($keys, 'Filter::candidates');
        return Keys::candidates($list, 'Filter::candidates', $this->has(), is_array($keys)); // @phpstan-ignore return.type (the type is conditional)
    }

    /** Returns statistics about the served generation. */
    public function info(): FilterInfo
    {
        return Infos::ofFilter($this->directory(), $this->current());
    }

    /**
     * Returns statistics for each shard, which show whether some shards are fuller than others.
     * @return list<array{setBits: int|null, fill: float, estimatedKeys: float, measuredFalsePositiveRate: float}>
     */
    final public function shards(): array
    {
        $current = $this->current();
        $answers = $current['isBlob'] ? $this->directory->answers($current) : null;
        return $answers === null ? throw Failure::needsExtension('shards() of a live filter')
            : Measure::shards($answers->head, $answers->body());
    }

    /** Reports how many candidates the application looked up in its database, and how many of them existed. */
    final public function confirm(int $looked, int $found): void
    {
        if ($looked < 0) {
            throw Arguments::error('Filter::confirm', 1, 'looked', 'must not be negative');
        }
        if ($found < 0 || $found > $looked) {
            throw Arguments::error('Filter::confirm', 2, 'found', "must be from 0 to \$looked, which is $looked");
        }
        $this->current(); // The extension also counts these numbers.
    }

    /**
     * Returns the last loads, at most 12, newest first.
     * @return list<array{generation: int, loadedAt: float, builtAt: float|null, keys: int, bytes: int, seconds: float, switchSeconds: float, bytesFetched: int}>
     */
    final public function history(): array
    {
        throw Failure::needsExtension('history()');
    }

    /**
     * Returns the lookups of the last 60 minutes on this host, the oldest minute first.
     * @return list<array{at: int, lookups: int, absent: int}>
     */
    final public function activity(): array
    {
        throw Failure::needsExtension('activity()');
    }

    // ---- for the subclasses ----

    private function directory(): FilterDirectory
    {
        return $this->directory ?? throw new BloomException('This filter was never opened');
    }

    /** @return callable(string): bool what the served generation answers */
    private function has(): callable
    {
        for ($round = 1; $round <= self::ROUNDS_MAX; $round++) {
            $current = $this->current();
            $file = $current['isBlob'] ? $current['journal'] : $current['file'];
            // Read before the keys: a sync adds the keys, then notes that they are complete.
            [$lag, $maxLag] = $current['journal'] === null ? [0, 0] : SyncState::lag($this->directory->syncFile, $current);
            $set = $file === null ? null : KeySet::read($this->directory->file($file));
            $answers = $current['isBlob'] ? $this->directory->answers($current) : null;
            if ($current['isBlob'] && $answers !== null && $file === null) {
                return $answers->has(...);
            }
            if ($answers !== null && $set !== null) {
                return $lag > $maxLag || str_ends_with($set->position, JournalReader::LACKS) ? static fn (string $key): bool => true
                    : static fn (string $key): bool => $set->has($key) || $answers->has($key);
            }
            if (!$current['isBlob'] && $set !== null) {
                return static fn (string $key): bool => $set->has($key, $current['params']['windowMs'] ?? 0);
            }
        }
        return static fn (string $key): bool => true;
    }

    /**
     * Changes or reads the set of a live filter.
     *
     * @template T
     *
     * @param callable(KeySet, Current): array{T, string} $work returns a result and the records to add
     *
     * @return T
     */
    protected function change(callable $work): mixed
    {
        for ($round = 1; $round <= self::ROUNDS_MAX; $round++) {
            $current = $this->current();
            if (self::classOf($current) !== static::class) {
                throw Load::wrongKind($this->directory->name, $current, 'a ' . static::class);
            }
            if ($current['isBlob']) {
                throw Failure::of(Status::Immutable, $this->directory->name);
            }
            $found = KeySet::change($this->directory->file($current['file']), static fn (KeySet $set): array => $work($set, $current),
                $current['params']['windowMs'] ?? 0);
            if ($found !== null) {
                return $found[0];
            }
        }
        throw Failure::of(Status::Unmapped, $this->directory->name);
    }

    /** @return Current what the name is now */
    final protected function current(): array
    {
        $directory = $this->directory();
        return $directory->current() ?? throw Failure::of(Status::Gone, $directory->name);
    }

    /** Returns the answers of the served blob; null: the filter is live. */
    final protected function blobAnswers(): ?Internal\Answers
    {
        $current = $this->current();
        return $current['isBlob'] ? $this->directory->answers($current) : null;
    }

    public function __debugInfo(): array
    {
        $current = $this->directory->current();
        return ['name' => $this->directory->name]
            + ($current === null ? ['generation' => null] : ['kind' => Kind::from($current['kind']), 'generation' => $current['generation']]);
    }
}
