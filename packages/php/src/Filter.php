<?php

namespace Bloom;

use Bloom\Internal\Answers;
use Bloom\Internal\Arguments;
use Bloom\Internal\CheckedStore;
use Bloom\Internal\Failure;
use Bloom\Internal\Fetch;
use Bloom\Internal\FilterDirectory;
use Bloom\Internal\Head;
use Bloom\Internal\Infos;
use Bloom\Internal\JournalReader;
use Bloom\Internal\KeySet;
use Bloom\Internal\Segment;
use Bloom\Internal\Sync;

/**
 * A named filter, which all processes of this user on this host share through files.
 *
 * @phpstan-import-type Current from FilterDirectory
 */
abstract class Filter implements Membership
{
    use Internal\Sealed;

    private const CLASSES = [
        'loaded' => LoadedFilter::class,
        'live' => LiveFilter::class,
        'counting' => CountingFilter::class,
        'scalable' => ScalableFilter::class,
        'sliding' => SlidingFilter::class,
        'reverse' => ReverseIndex::class,
        'on-demand' => OnDemandFilter::class,
        'map' => LoadedMap::class,
    ];
    private const ROUNDS_MAX = 5;

    private FilterDirectory $directory;

    private function __construct()
    {
    }

    public static function open(string $name): static
    {
        Arguments::name($name, 'Filter::open');
        self::checkCalled('open');
        return static::find($name) ?? throw Failure::of(Status::NotFound, Segment::path() . "/$name");
    }

    public static function find(string $name): ?static
    {
        Arguments::name($name, 'Filter::find');
        self::checkCalled('find');
        $directory = Segment::filter($name);
        $current = $directory->current();
        if ($current === null) {
            return null;
        }
        self::checkClass($name, $current);
        /** @var static $filter the class was checked */
        $filter = (new \ReflectionClass(self::classOf($current)))->newInstanceWithoutConstructor();
        $filter->directory = $directory;
        return $filter;
    }

    private static function checkCalled(string $method): void
    {
        if (!in_array(static::class, [self::class, WritableFilter::class, ...array_values(self::CLASSES)], true)) {
            throw new KindException(static::class
                . ' is a class that you define, and no filter is of such a class (call '
                . self::class . "::$method())", Status::Kind->value);
        }
    }

    /** @param array{kind: string, isIndex: bool, ...} $current */
    private static function checkClass(string $name, array $current, ?string $expected = null): void
    {
        if (!is_a(self::classOf($current), static::class, true)) {
            throw FilterDirectory::wrongKind($name, $current, $expected ?? 'a ' . static::class);
        }
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

    /** @return list<string> */
    public static function list(): array
    {
        return Segment::names();
    }

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

    public static function metrics(): string
    {
        throw Failure::needsExtension('metrics()');
    }

    public static function drop(string $name): bool
    {
        Arguments::name($name, 'Filter::drop');
        self::checkCalled('drop');
        $directory = Segment::filter($name);
        return $directory->current() !== null && $directory->locked(function (?array $current) use ($directory, $name): bool {
            if ($current !== null) {
                $kind = Kind::tryFrom((string) array_search(static::class, self::CLASSES, true)) ?? Kind::Live;
                self::checkClass($name, $current, FilterDirectory::text($kind));
                $directory->remove();
            }
            return $current !== null;
        });
    }

    public static function restore(string $name, string|Store $source): static
    {
        self::checkCalled('restore');
        throw Failure::needsExtension('a snapshot');
    }

    /** @param (callable(int, int): mixed)|null $progress */
    public static function load(
        string $name,
        Blob $blob,
        ?callable $progress = null,
        ?JournalStore $journal = null,
        ?float $maxLag = null
    ): LoadedFilter|ReverseIndex|LoadedMap {
        Arguments::name($name, 'Filter::load');
        Arguments::maxLag($maxLag, 'Filter::load');
        self::checkCalled('load');
        $answers = Answers::of($blob);
        $head = $answers->head;
        self::checkClass($name, ['kind' => $head->kind()->value, 'isIndex' => $head->geometry->groups !== 0]);
        if ($journal !== null && $head->mark === '') {
            throw Failure::of(Status::NoMark, $name);
        }
        $reader = $journal === null ? null : new JournalReader(new CheckedStore($journal), $name, $head->mark);
        Segment::filter($name)->load($answers, $reader, $maxLag, 0, null);
        if ($progress !== null) {
            $progress($head->fileBytes, $head->fileBytes);
        }
        $filter = self::open($name);
        assert($filter instanceof LoadedFilter || $filter instanceof ReverseIndex || $filter instanceof LoadedMap);
        return $filter;
    }

    /**
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
        Arguments::maxLag($maxLag, 'Filter::sync');
        if (!($ttl >= 0 && $ttl <= 1e9)) {
            throw Arguments::error('Filter::sync', 'ttl', 'must be between 0 and 1,000,000,000 seconds');
        }
        $sync = new Sync(Segment::filter($name), $store, $force, $progress, $maxLag, $logger);
        return $sync->run((int) round($ttl * 1000));
    }

    public static function attach(string $name, Store $store, int $memory): OnDemandFilter
    {
        Arguments::name($name, 'Filter::attach');
        if ($memory < 1) {
            throw Arguments::error('Filter::attach', 'memory', 'must be greater than 0');
        }
        $directory = Segment::filter($name);
        $current = $directory->current();
        if ($current === null) {
            $checked = new CheckedStore($store);
            $blob = Fetch::version($checked, $name, static fn (): ?Head => $checked->served($name), null);
            $current = $directory->load($blob ?? throw Failure::of(Status::StoreMissing, $name), null, null, $memory,
                null);
        }
        if ($current['kind'] !== Kind::OnDemand->value) {
            throw FilterDirectory::wrongKind($name, $current, FilterDirectory::text(Kind::OnDemand));
        }
        if ($current['memory'] !== $memory) {
            throw Failure::of(Status::Exists, "$name: it has {$current['memory']} bytes of memory, not $memory");
        }
        return OnDemandFilter::open($name);
    }

    final public function name(): string
    {
        return $this->directory()->name;
    }

    final public function mightContain(mixed $key): bool
    {
        return $this->has()(Arguments::key($key, 'Filter::mightContain'));
    }

    /**
     * @template TKey of array-key
     * @template TValue of string|int
     * @param array<TKey, TValue>|\Traversable<mixed, TValue> $keys
     * @return ($keys is array ? array<TKey, TValue> : list<TValue>)
     */
    public function candidates(iterable $keys): array
    {
        // @phpstan-ignore return.type (it is conditional)
        return Arguments::candidates($keys, 'Filter::candidates', $this->has(...));
    }

    final public function isComplete(): bool
    {
        return $this->complete() !== null;
    }

    final public function followsJournal(): bool
    {
        $current = $this->current();
        return $current['keys'] !== null && $this->directory->answers($current) !== null;
    }

    final public function source(): ?string
    {
        return $this->answers()?->head->source;
    }

    public function info(): FilterInfo
    {
        return Infos::ofFilter($this->directory(), $this->current());
    }

    /** @return list<array{setBits: int|null, fill: float, estimatedKeys: float, measuredFalsePositiveRate: float}> */
    final public function shards(): array
    {
        throw Failure::needsExtension('shards()');
    }

    final public function confirm(int $looked, int $found, int $checked = 0, int $denied = 0): void
    {
        foreach (['looked' => [$looked, 'found', $found], 'checked' => [$checked, 'denied', $denied]] as $name => [$all, $other, $part]) {
            if ($all < 0) {
                throw Arguments::error('Filter::confirm', $name, 'must not be negative');
            }
            if ($part < 0 || $part > $all) {
                throw Arguments::error('Filter::confirm', $other, "must be between 0 and \$$name, which is $all");
            }
        }
        $this->current(); // The extension also counts these numbers.
    }

    /** @return list<array{generation: int, loadedAt: float, builtAt: float|null, keys: int, bytes: int, seconds: float, switchSeconds: float, bytesFetched: int}> */
    final public function history(): array
    {
        throw Failure::needsExtension('history()');
    }

    /** @return list<array{at: int, lookups: int, absent: int}> */
    final public function activity(): array
    {
        throw Failure::needsExtension('activity()');
    }

    private function directory(): FilterDirectory
    {
        return $this->directory ?? throw new BloomException('This filter was never opened');
    }

    /** @return callable(string): bool what the served generation answers */
    private function has(): callable
    {
        return $this->complete() ?? static fn (string $key): bool => true;
    }

    /** @return (callable(string): bool)|null what the served generation answers; null: "maybe" to every key */
    private function complete(): ?callable
    {
        for ($round = 1; $round <= self::ROUNDS_MAX; $round++) {
            $current = $this->current();
            $set = $current['keys'] === null ? null : KeySet::read($this->directory->file($current['keys']));
            $answers = $this->directory->answers($current);
            if (($current['keys'] !== null && $set === null) || ($current['file'] !== null && $answers === null)) {
                continue; // Another process has just replaced the generation.
            }
            if ($answers === null) {
                $windowMs = $current['params']['windowMs'] ?? 0;
                return static fn (string $key): bool => $set?->has($key, $windowMs) ?? true;
            }
            if ($set !== null && ($set->lacksKeys || $set->lag() > ($current['maxLagMs'] ?? KeySet::LAG_MS_MAX))) {
                break;
            }
            return static fn (string $key): bool => ($set !== null && $set->has($key)) || $answers->has($key);
        }
        return null;
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
            self::checkClass($this->directory->name, $current);
            if ($current['file'] !== null) {
                throw Failure::of(Status::Immutable, $this->directory->name);
            }
            $path = $this->directory->file((string) $current['keys']);
            $found = KeySet::change($path, static fn (KeySet $set): array => $work($set, $current));
            if ($found !== null) {
                return $found[0];
            }
        }
        throw Failure::of(Status::Unmapped, $this->directory->name);
    }

    /** Returns the answers of the served map; null: its file is damaged. */
    protected function map(): ?Answers
    {
        for ($round = 1; $round <= self::ROUNDS_MAX; $round++) {
            $current = $this->current();
            self::checkClass($this->directory->name, $current);
            $answers = $this->directory->answers($current);
            if ($answers !== null) {
                return $answers;
            }
        }
        return null;
    }

    /** @return Current what the name is now */
    final protected function current(): array
    {
        return $this->directory()->current() ?? throw Failure::of(Status::Gone, $this->directory->name);
    }

    /** Returns the answers of the served blob; null: the filter is live. */
    final protected function answers(): ?Answers
    {
        return $this->directory()->answers($this->current());
    }
}
