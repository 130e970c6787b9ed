<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\Clock;
use Bloom\Internal\Counters;
use Bloom\Internal\Failure;
use Bloom\Internal\Fetching;
use Bloom\Internal\Friend;
use Bloom\Internal\Head;
use Bloom\Internal\Judging;
use Bloom\Internal\Keys;
use Bloom\Internal\Live;
use Bloom\Internal\Loading;
use Bloom\Internal\Override;
use Bloom\Internal\Measure;
use Bloom\Internal\Metrics;
use Bloom\Internal\Place;
use Bloom\Internal\Segment;
use Bloom\Internal\Shop;
use Bloom\Internal\Statistics;
use Bloom\Internal\SyncLog;
use Bloom\Internal\Synced;

/**
 * A named filter, which all processes of this user on this host share through files.
 *
 * @phpstan-import-type Current from Place
 * @phpstan-import-type State from Synced as SyncState
 */
abstract class Filter implements Membership
{
    use Internal\Sealed;

    private const CLASSES = ['loaded' => LoadedFilter::class, 'live' => LiveFilter::class, 'counting' => CountingFilter::class,
        'scalable' => ScalableFilter::class, 'sliding' => SlidingFilter::class, 'reverse' => ReverseIndex::class,
        'on-demand' => OnDemandFilter::class];
    private const ROUNDS_MAX = 5;
    private const FETCH_ROUNDS_MAX = 3;

    private Place $place;

    private function __construct()
    {
    }

    /**
     * Opens the filter with the given name. Filter::open() opens filters of any class. If open() is
     * called on a subclass, it opens only filters of that subclass.
     *
     * Cost: one system call. The first call in a process also maps the filter.
     *
     * @param string $name 1 to 128 of the characters A-Z a-z 0-9 . _ -
     *        The first character must be neither . nor -
     *
     * @throws NotFoundException if no filter with this name is loaded
     * @throws KindException if the filter is not of the class that the method was called on
     * @throws SegmentException if the segment was refused or cannot be read
     * @throws \ValueError if the name is invalid
     */
    public static function open(string $name): static
    {
        Arguments::name($name, 'Filter::open');
        self::checkCalled('open');
        return static::find($name) ?? throw Failure::of(Status::NotFound, Segment::path() . "/$name");
    }

    /**
     * Opens a filter as open() does, but returns null if no filter with the given name is loaded. If
     * find() is called on a subclass and the filter is of a different class, it throws KindException.
     *
     * @throws KindException
     * @throws SegmentException
     * @throws \ValueError if the name is invalid
     */
    public static function find(string $name): ?static
    {
        Arguments::name($name, 'Filter::find');
        self::checkCalled('find');
        $current = Segment::place($name)->current();
        return $current === null ? null : self::handle($name, $current);
    }

    /** @throws KindException if the method was called on a class that the user defined */
    private static function checkCalled(string $method): void
    {
        if (static::class !== self::class && !in_array(static::class, self::CLASSES, true)) {
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
        if (static::class !== self::class && static::class !== $class) {
            throw Loading::wrongKind($name, $current, 'a ' . static::class);
        }
        $filter = (new \ReflectionClass($class))->newInstanceWithoutConstructor();
        $filter->place = Segment::place($name);
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
     * Returns the sorted names of all filters in the segment. The list includes filters of all classes,
     * even if list() is called on a subclass, and filters that cannot be opened.
     *
     * @return list<string>
     *
     * @throws SegmentException
     */
    public static function list(): array
    {
        return Segment::names();
    }

    /**
     * Checks a filter, for monitoring and readiness probes. The table in docs/operations.md lists the
     * rules. The call never throws because of the filter or the store.
     *
     * Cost: info(), and a few system calls. With a store, one request for the published head and for
     * a pin or rollback; if the served head is neither, another request for the previous head.
     *
     * @param string $name a filter of any class
     * @param float|null $maxBuildAge longest time in seconds since the build of a blob
     * @param float|null $maxSyncAge longest time in seconds since the last successful sync. A filter that
     *        was loaded from a blob but never synced exceeds every limit
     * @param float|null $maxRate highest rate of a lookup, including the journal's keys.
     *        null: 1.5 times the requested rate of the blob, and of the journal's keys, or the highest rate that chance explains, whichever is higher. Chance explains more if the
     *        rate is low and the keys are few. For a rate of 10^-6, it explains 2.2 times the rate with
     *        10^4 keys, and 1.1 times with 10^6
     * @param int $maxFailures largest number of failed syncs or fetches in a row
     * @param Store|null $store the store that the filter is synced from: also compare the versions
     *
     * @throws \ValueError if the name or a limit is invalid
     */
    public static function health(
        string $name,
        ?float $maxBuildAge = null,
        ?float $maxSyncAge = null,
        ?float $maxRate = null,
        int $maxFailures = 3,
        ?Store $store = null
    ): Health {
        Arguments::name($name, 'Filter::health');
        $limits = [[2, 'maxBuildAge', $maxBuildAge, 1e9, '1,000,000,000 seconds'], [3, 'maxSyncAge', $maxSyncAge, 1e9, '1,000,000,000 seconds'],
            [4, 'maxRate', $maxRate, 1.0, '1']];
        foreach ($limits as [$argument, $parameter, $limit, $max, $text]) {
            if ($limit !== null && !($limit >= 0 && $limit <= $max)) {
                throw Arguments::error('Filter::health', $argument, $parameter, "must be from 0 to $text");
            }
        }
        if ($maxFailures < 0) {
            throw Arguments::error('Filter::health', 5, 'maxFailures', 'must be greater than or equal to 0');
        }
        Segment::path();
        return Judging::of($name, $maxBuildAge, $maxSyncAge, $maxRate, $maxFailures, $store);
    }

    /**
     * Returns the statistics of all filters in the segment in the OpenMetrics text format, for Prometheus
     * and compatible systems. docs/operations.md lists the metrics. The HTTP response needs the header
     * `Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8`.
     *
     * If a filter is damaged or cannot be opened, its only metric is `bloom_filter_up` with the value 0.
     *
     * Cost: the cost of open() and info() for each filter.
     *
     * @throws SegmentException if the segment was refused or cannot be read
     */
    public static function metrics(): string
    {
        return Metrics::text();
    }

    /**
     * Drops the filter with the given name. Filter::drop() drops a filter of any class; a subclass drops
     * only a filter of that class. Handles to a dropped filter throw NotFoundException. The filter's
     * memory is freed when no process has it mapped any longer.
     *
     * @return bool whether the filter existed
     *
     * @throws KindException if drop() is called on a subclass, and the filter is of a different class
     * @throws SegmentException
     * @throws \ValueError if the name is invalid
     */
    public static function drop(string $name): bool
    {
        Arguments::name($name, 'Filter::drop');
        self::checkCalled('drop');
        $place = Segment::place($name);
        if ($place->current() === null && !is_dir($place->file(''))) {
            return false;
        }
        return $place->locked(function () use ($place, $name): bool {
            $current = $place->current();
            if ($current !== null && static::class !== self::class && self::classOf($current) !== static::class) {
                $kind = (string) array_search(static::class, self::CLASSES, true);
                throw Loading::wrongKind($name, $current, Loading::text(Kind::from($kind)));
            }
            $place->remove();
            return $current !== null;
        });
    }

    /**
     * Creates a live filter from a snapshot that save() wrote: with the same kind, parameters, layers,
     * counters and key counts. The snapshot is verified completely before any process sees the filter.
     * Filter::restore() accepts snapshots of any kind. If restore() is called on a subclass, it accepts
     * only snapshots of that subclass.
     *
     * The filter must not exist: a restore never replaces a filter, because a process that adds a key
     * at the same time could lose the key. At boot, restore filters before you start the processes that
     * create them.
     *
     * Keys of a sliding filter age by the time since the save. After a reboot, the wall clock measures
     * this time. If the result is implausible (negative, shorter than this boot, or over a year), keys
     * age by the duration of this boot, so that no key is forgotten early. If the host has been up for
     * less than half a window, keys may be found for up to half a window longer.
     *
     * @param string $name the name of the new filter. It may differ from the saved filter's name, unless
     *        the source is a store, or the snapshot is signed and signing keys are configured
     * @param string|Store $source the path of the snapshot, or the store that contains it
     *
     * @throws KindException if a filter with this name exists, or if the snapshot is of a different class
     * @throws FormatException if the snapshot is damaged, or this build does not know its format
     * @throws SecretException if the filter is keyed and this process does not have the secret
     * @throws SignatureException if signing keys are configured and the snapshot is not signed with one
     *         of them for this name
     * @throws StoreException if the store failed or does not have the snapshot
     * @throws SegmentException if the segment was refused, is full or would exceed `bloom.memory_limit`
     * @throws BloomException if the file cannot be read
     * @throws \ValueError if an argument is invalid
     */
    public static function restore(string $name, string|Store $source): static
    {
        self::checkCalled('restore');
        throw new BloomException('Snapshots need the extension bloom');
    }

    /**
     * Loads a blob as the filter with the given name on this host. The blob is written to the segment
     * and verified there. Then all processes switch to the new version at the same instant. If anything
     * fails, the previous version remains in use.
     *
     * During the call, the segment needs space for both versions.
     *
     * @param (callable(int, int): mixed)|null $progress called with the bytes so far and in total
     * @param JournalStore|null $journal the store with the filter's journal. It is required if and only
     *        if the blob has a mark. The call loads all keys that the journal has after the mark, and
     *        switches to the blob and these keys at the same instant
     * @param float|null $maxLag see sync(). It applies only to a blob with a mark
     *
     * @return LoadedFilter|ReverseIndex a ReverseIndex if the blob is a reverse index
     *
     * @throws KindException if a live filter has this name, or if either the served filter or the blob,
     *         but not both, is a reverse index: drop() the filter first
     * @throws FormatException if the blob was built more than a day ahead of this host's clock
     * @throws SegmentException if the segment was refused, is full or would exceed `bloom.memory_limit`
     * @throws SignatureException if `bloom.signing_key_file` is set, and the blob is not signed for this
     *         name by one of its keys or is older than the served version
     * @throws SecretException if the blob is keyed with a secret that this process does not have
     * @throws BusyException if another process held the writers' lock for longer than
     *         `bloom.lock_timeout`
     * @throws NotFoundException if another process drops the filter before this call returns
     * @throws \ValueError if the name or $maxLag is invalid
     */
    public static function load(
        string $name,
        Blob $blob,
        ?callable $progress = null,
        ?JournalStore $journal = null,
        ?float $maxLag = null
    ): LoadedFilter|ReverseIndex {
        Arguments::name($name, 'Filter::load');
        Loading::checkMaxLag($maxLag, 'Filter::load', 5);
        self::checkCalled('load');
        $head = Friend::head($blob);
        $made = ['kind' => Kind::Loaded->value, 'isIndex' => $head->geometry->groups !== 0];
        if (static::class !== self::class && static::class !== self::classOf($made)) {
            throw Loading::wrongKind($name, $made, 'a ' . static::class);
        }
        if ($journal !== null && $head->mark === '') {
            throw Failure::of(Status::NoMark, $name);
        }
        $bytes = $blob->toString();
        for ($at = 0; $progress !== null && $at < strlen($bytes);) {
            $at = min(strlen($bytes), $at + Internal\Streams::STEP_BYTES);
            $progress($at, strlen($bytes));
        }
        $place = Segment::place($name);
        try {
            (new Loading($place, $head, $bytes))->run();
        } catch (BloomException $error) {
            Counters::failed($place->syncFile, $error);
            throw $error;
        }
        $filter = self::open($name);
        assert($filter instanceof LoadedFilter || $filter instanceof ReverseIndex);
        return $filter;
    }

    /**
     * Loads the version that is published in a store, if a check is due. One process on the host is
     * elected to check, and the others return immediately. The elected process fetches only chunks that
     * this host does not already serve. After consecutive failures, the next attempt is made after 1,
     * 2, 4 … seconds, but no later than after $ttl.
     *
     * If the filter follows a journal, each sync first reads the journal of the served version, even if
     * the published version cannot be loaded. The load is tried again after 1, 2, 4 … up to 300
     * seconds, or at once if $ttl is 0, the journal has a new notice, or a different version is
     * published. Without a journal, the same pauses apply to fetching the version, although the head is
     * still read.
     *
     * Call sync() after the response has been sent (fastcgi_finish_request()), or run `bloom sync` from
     * cron.
     *
     * If the published blob has a mark, the filter follows its journal: sync() reads the keys that were
     * added to the journal since the last call. It reads the head only if a version was published, or
     * if the head was last read 60 seconds ago. The first sync, for example after a reboot, fetches the
     * blob and all keys since the mark, and switches to both at the same instant.
     *
     * Cost: one read of shared memory if no check is due; one round trip if the filter follows a
     * journal without new keys.
     *
     * @param float $ttl seconds between a successful check and the next one; 0: always check, and always
     *        read the head
     * @param bool $force load the published version even if it is older than the served version. Also
     *        verify the whole served file in one pass, and replace it if it is damaged. Signatures are
     *        still checked
     * @param (callable(int, int): mixed)|null $progress called with the bytes so far and in total
     * @param float|null $maxLag if this host has been behind the journal for this many seconds, every
     *        lookup returns true until a sync succeeds. 0: lookups trust the journal's keys at any age.
     *        All processes of the host share the smallest value that any of them has passed in the last
     *        hour, so that a page cannot undo what a service relies on. A larger value takes effect one
     *        to two hours after the last call with a smaller one. null: keep the value, at first 60
     * @param (callable(string, string, array<string, mixed>): mixed)|object|null $logger a PSR-3
     *        logger, or a callable with the parameters of its method log(): level, message and context.
     *        It is called after the sync has finished, if this call switched to a version ("info"),
     *        failed ("error"), succeeded after failures ("notice"), or noticed that the store has lost
     *        records of the journal ("error", or "critical" if this host may lack keys). The context
     *        always has `event` and `name`. `switched` adds `generation`, `from` (the replaced
     *        generation, or null), `keys`, `bytesFetched` and `seconds`; `failed` adds `status` (the
     *        name of a case of Status), `failures` (in a row; null if the segment cannot be opened),
     *        `error` and `exception`; `recovered` adds `generation` and `failures`; `lost` adds
     *        `mayLackKeys`. If the logger throws, sync() throws that exception, but the sync remains
     *        complete
     *
     * @return SyncResult what this call did. Switched also means that a damaged copy was replaced. Only
     *         the call that fails throws; during the delay after a failure, calls return Paused. With a
     *         $ttl of 0, every call checks, and throws if the check fails
     *
     * @throws StoreException if the store fails, does not have the name or a chunk, or has an older
     *         version
     * @throws KindException if a live filter has this name, or if either the served filter or the
     *         published blob, but not both, is a reverse index
     * @throws FormatException if the published bytes are not a valid blob, or the blob was built more than
     *         a day ahead of this host's clock
     * @throws SegmentException in the same cases as load(); also if the new head of an on-demand filter
     *         does not fit into the filter's memory
     * @throws SignatureException in the same cases as load()
     * @throws SecretException in the same cases as load()
     * @throws BusyException in the same cases as load(), or if other processes repeatedly load other
     *         versions during the call
     * @throws \ValueError if the name or ttl is invalid
     * @throws \TypeError if $logger neither has the method log() nor is callable
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
        Loading::checkMaxLag($maxLag, 'Filter::sync', 6);
        if (!($ttl >= 0 && $ttl <= 1e9)) {
            throw Arguments::error('Filter::sync', 3, 'ttl', 'must be from 0 to 1,000,000,000 seconds');
        }
        $log = new SyncLog($name, $logger, 'Filter::sync', 7);
        $place = Segment::place($name);
        $place->make();
        $ttlMs = $force ? 0 : (int) round($ttl * 1000);
        return $log->around(
            fn (): SyncResult => Synced::run($place->syncFile, $ttlMs, $log, fn (): bool => $place->current() !== null,
                fn (): SyncResult => self::fetchNew($place, new Shop($store), $force, $ttl === 0.0, $progress, $log)),
            fn (): int => $place->current()['generation'] ?? 0
        );
    }

    /**
     * @param bool $always load a version even if it failed a moment ago
     * @param (callable(int, int): mixed)|null $progress
     */
    private static function fetchNew(Place $place, Shop $shop, bool $force, bool $always, ?callable $progress, SyncLog $log): SyncResult
    {
        $tried = $incomplete = $error = null;
        for ($round = 1;; $round++) {
            $beganNs = hrtime(true);
            [$published, $override] = Override::require($shop, $place->name);
            $page = $place->page();
            $fromMs = Synced::read($place->syncFile)['overrideFromMs'];
            [$override, $refused] = Override::choose($override, $published, $place->name, $fromMs, $force);
            $head = $override->head ?? $published;
            $finish = static function (SyncResult $result) use ($place, $override, $refused, $force): SyncResult {
                Synced::noteOverride($place->syncFile, $place->current()['generation'] ?? 0, $override, $force);
                // The published version is served, but its users must notice that the override was refused.
                return $refused === null ? $result : throw $refused;
            };
            $current = $place->current();
            $served = $current !== null && $current['isBlob'] ? $place->answers($current) : null;
            $isDamaged = $force && $current !== null && !$place->isIntact($current);
            if ($served?->head->bytes === $head->bytes && !$isDamaged) {
                return $finish(SyncResult::Current);
            }
            if ($error !== null && $incomplete === $head->bytes) {
                throw $error; // it lacks a chunk, and it has not been replaced
            }
            $version = bin2hex(substr($head->bytes, -8));
            if ($tried !== $version) {
                if (!$always && Synced::isPaused($place->syncFile, $version)) {
                    return $refused === null ? SyncResult::Paused : throw $refused;
                }
                Synced::beginLoad($place->syncFile, $tried = $version);
            }
            $isIndex = $head->geometry->groups !== 0;
            $isLoaded = $current !== null && $current['kind'] === Kind::Loaded->value;
            if ($current !== null && (!$current['isBlob'] || ($isLoaded && $current['isIndex'] !== $isIndex))) {
                throw Loading::wrongKind($place->name, $current, Loading::text(Kind::Loaded, $isIndex));
            }
            if ($served !== null && !$force && $override === null && $head->builtMs < $served->head->builtMs && $served->head->builtMs <= Clock::milliseconds() + 86_400_000) {
                throw Failure::of(Status::Stale, $place->name);
            }
            Segment::reserve($place->name, $head->fileBytes);
            $error = Failure::of(Status::Overtaken, $place->name);
            $fetchedBefore = $log->bytesFetched;
            try {
                $usable = $current !== null && $place->isIntact($current) ? $served : null;
                $body = Fetching::body($shop, $place->name, $head, $usable?->body() ?? '', $usable?->head, $progress, $log->bytesFetched);
                $head->verify($body);
                $loading = new Loading($place, $head, $head->bytes . $body, $current['memory'] ?? 0, $log->bytesFetched - $fetchedBefore, $beganNs);
                $isSwitched = $loading->run($current['file'] ?? '', $force || $override !== null, $page);
            } catch (StoreException $error) {
                // A publisher may have replaced the version and deleted its chunks.
                if ($error->getCode() !== Status::StoreMissing->value) {
                    throw $error;
                }
                $incomplete = $head->bytes;
                $isSwitched = false;
            }
            if ($isSwitched) {
                $from = $current['generation'] ?? null;
                $log->switched = ['generation' => ($from ?? 0) + 1, 'from' => $from, 'keys' => $head->keys];
                return $finish(SyncResult::Switched);
            }
            if ($round === self::FETCH_ROUNDS_MAX) {
                throw $error;
            }
        }
    }

    /**
     * Attaches to a published filter that is too large to be loaded completely. The call loads only the
     * filter's head. When a lookup first needs a chunk, the chunk is fetched from the store and kept
     * for all processes on the host. If the memory is full, chunks that were not used recently are
     * evicted. While a chunk is not available, lookups of its keys return true.
     *
     * Build such blobs with small chunks (shardBytes: 1024, chunkBytes: 1024), because then more of the
     * chunks that are in use fit into the same memory. sync() switches to a new version: it fetches
     * only the head and keeps resident chunks that have not changed. The memory size remains the same.
     * To change the memory size, drop() the filter and attach again.
     *
     * Cost: the first attach() on a host reads from the store once and allocates a file of $memory
     * bytes, or a smaller file if all chunks fit into it. Later calls cost as much as open().
     *
     * @param Store $store the store in which the filter is published under this name. Only this handle
     *        uses the store object. It calls the store during lookups, so give the store's client short
     *        timeouts
     * @param int $memory bytes that the filter may occupy in the segment, including its head and
     *        tables. All processes must pass the same value as the host's first attach(). While sync()
     *        replaces the head, the segment contains two files of this size
     *
     * @throws StoreException if the filter does not yet exist on this host, and the store fails or does
     *         not have the filter
     * @throws FormatException if the published head is not valid, or the blob was built more than a day
     *         ahead of this host's clock
     * @throws KindException if the filter with this name is of a different kind or has a different
     *         memory size, or if the published blob is a reverse index
     * @throws SignatureException in the same cases as load()
     * @throws SecretException in the same cases as load()
     * @throws SegmentException if the segment was refused, is full or would exceed
     *         `bloom.memory_limit`. Also thrown if $memory is too small for the published head and one
     *         chunk; the message then states the minimum
     * @throws BusyException in the same cases as load()
     * @throws \ValueError if the name is invalid, or if $memory is not positive
     */
    public static function attach(string $name, Store $store, int $memory): OnDemandFilter
    {
        Arguments::name($name, 'Filter::attach');
        if ($memory < 1) {
            throw Arguments::error('Filter::attach', 3, 'memory', 'must be greater than 0');
        }
        $place = Segment::place($name);
        $current = $place->current();
        if ($current === null) {
            $current = self::makeOnDemand($place, $store, $memory);
        }
        if ($current['kind'] !== Kind::OnDemand->value) {
            throw Loading::wrongKind($name, $current, Loading::text(Kind::OnDemand));
        }
        if ($current['memory'] !== $memory) {
            throw Failure::of(Status::Exists, "$name: it has {$current['memory']} bytes of memory, not $memory");
        }
        return OnDemandFilter::open($name);
    }

    /** @return Current */
    private static function makeOnDemand(Place $place, Store $store, int $memory): array
    {
        $override = $refused = null;
        $choose = static function (Shop $shop) use ($place, &$override, &$refused): Head {
            [$published, $override] = Override::require($shop, $place->name);
            $from = Synced::read($place->syncFile)['overrideFromMs'];
            [$override, $refused] = Override::choose($override, $published, $place->name, $from);
            return $override->head ?? $published;
        };
        $blob = Blob::fromString((string) Internal\Fetching::blob($store, $place->name, null, $choose));
        $head = Friend::head($blob);
        if ($head->geometry->groups !== 0) {
            throw Failure::of(Status::Kind, "$place->name: expected an on-demand filter, found a reverse index");
        }
        $bytes = $blob->toString();
        (new Loading($place, $head, $bytes, $memory, strlen($bytes) - $head->headBytes))->run('', $override !== null);
        $current = $place->current() ?? throw Failure::of(Status::Gone, $place->name);
        $page = $place->page();
        fclose($page);
        Synced::noteOverride($place->syncFile, $current['generation'], $override);
        if ($refused !== null) {
            Synced::noteError($place->syncFile, $refused);
        }
        return $current;
    }

    final public function name(): string
    {
        return $this->place()->name;
    }

    /**
     * Returns whether a key might have been added. The answer false is certain. For an absent key, the
     * probability of the answer true is the false-positive rate. If the served generation cannot be
     * mapped, the answer is always true.
     *
     * Cost: one hash and one cache line. A lookup takes no lock and allocates nothing. Once a second it
     * makes one system call, which checks that the name still refers to the same filter.
     *
     * @throws NotFoundException if the filter was dropped
     */
    final public function mightContain(mixed $key): bool
    {
        $key = Keys::of($key, 'Filter::mightContain');
        $answer = $this->served(fn (callable $has): bool => $has($key));
        $this->noteLookups(1, (int) $answer);
        return $answer;
    }

    /**
     * Returns the values of $keys that might have been added, in their order. Only the returned values
     * need a database query. If $keys is an array, the values keep their array keys. If it is a
     * Traversable, the result is a list, because the keys of an iterator may repeat.
     *
     * Cost: the processor fetches the cache lines of up to 64 keys at the same time, so each key takes
     * less time than with mightContain() if the filter is larger than the cache. The values of a
     * Traversable are collected first.
     *
     * @template TKey of array-key
     * @template TValue of string|int
     *
     * @param array<TKey, TValue>|\Traversable<mixed, TValue> $keys
     *
     * @return ($keys is array ? array<TKey, TValue> : list<TValue>)
     *
     * @throws \TypeError if a value is neither string nor int; the message gives its position
     * @throws NotFoundException if the filter was dropped
     */
    final public function candidates(iterable $keys): array
    {
        // No lock is held while the caller's iterator runs.
        $list = is_array($keys) ? $keys : Keys::list($keys, 'Filter::candidates');
        $found = $this->served(fn (callable $has): array => Keys::candidates($list, 'Filter::candidates', $has, is_array($keys)));
        $this->noteLookups(count($list), count($found));
        return $found; // @phpstan-ignore return.type (the type is conditional)
    }

    /**
     * Returns statistics about the served generation.
     *
     * Cost: for a live filter, one pass over at most 1 MiB of each layer's bits (256 KiB
     * for a reverse index). If a layer is larger, `setBits`, `fill`, `estimatedKeys`, and the measured
     * and predicted rates are extrapolated from this sample. `keys` is never extrapolated.
     *
     * @throws NotFoundException if the filter was dropped
     */
    public function info(): FilterInfo
    {
        return Statistics::of($this->place(), $this->current());
    }

    /**
     * Returns statistics for each shard, which show whether some shards are fuller than others. For a
     * scalable filter, the list contains the shards of all layers, starting with the oldest layer. For
     * a sliding filter, it contains the shards of the slot that lookups use.
     *
     * Cost: one pass over the bits.
     *
     * @return list<array{setBits: int|null, fill: float, estimatedKeys: float,
     *         measuredFalsePositiveRate: float}> estimatedKeys is capped at 10^15, the value for a
     *         shard with all bits set
     *
     * @throws NotFoundException if the filter was dropped
     */
    final public function shards(): array
    {
        $current = $this->current();
        $answers = $current['isBlob'] ? $this->place->answers($current) : null;
        if ($answers === null) {
            return $this->place->live($current['file'], false, fn (Live $live): array => $live->shards())
                ?? throw Failure::of(Status::Unmapped, $this->place->name);
        }
        return $answers->head->geometry->stripes !== 0 ? Measure::ribbonShards($answers->head)
            : Measure::shards($answers->head->geometry, $answers->body());
    }

    /**
     * Reports how many candidates the application looked up in its database, and how many of them
     * existed. From a sample of all candidates, info() computes the observed false-positive rate.
     *
     * Cost: two additions. When the request ends, they are added to the counters in shared memory.
     *
     * @param int $looked 0 or more
     * @param int $found from 0 to $looked
     *
     * @throws \ValueError if a number is out of range
     * @throws NotFoundException if the filter was dropped
     */
    final public function confirm(int $looked, int $found): void
    {
        if ($looked < 0) {
            throw Arguments::error('Filter::confirm', 1, 'looked', 'must not be negative');
        }
        if ($found < 0 || $found > $looked) {
            throw Arguments::error('Filter::confirm', 2, 'found', "must be from 0 to \$looked, which is $looked");
        }
        $this->current();
        Counters::confirm($this->place()->syncFile, $looked, $found);
    }

    /**
     * Returns the last loads, at most 12, newest first. A live filter has one entry: its creation.
     *
     * @return list<array{generation: int, loadedAt: float, builtAt: float|null, keys: int, bytes: int,
     *         seconds: float, switchSeconds: float, bytesFetched: int}> builtAt is null for a live
     *         filter; seconds includes the fetches
     *
     * @throws NotFoundException if the filter was dropped
     */
    final public function history(): array
    {
        return $this->current()['counters']['history'];
    }

    /**
     * Returns the lookups of the last 60 minutes on this host, the oldest minute first. Minutes without
     * lookups are left out. A request counts in the minute in which it ends.
     *
     * @return list<array{at: int, lookups: int, absent: int}> at is the minute's first second (Unix
     *         time); absent counts the answers "definitely not"
     *
     * @throws NotFoundException if the filter was dropped
     */
    final public function activity(): array
    {
        $this->current();
        return Counters::activity($this->place()->syncFile);
    }

    // ---- for the subclasses ----

    final protected function noteLookups(int $lookups, int $maybes): void
    {
        Counters::count($this->place()->syncFile, $lookups, $maybes);
    }

    private function place(): Place
    {
        return $this->place ?? throw new BloomException('This filter was never opened');
    }

    /** @return Current */
    private function current(): array
    {
        return $this->place()->current() ?? throw Failure::of(Status::Gone, $this->place->name);
    }

    /**
     * Runs a function with the lookup of the served generation. If the files change meanwhile, it runs again. If
     * they cannot be read, every answer is "maybe".
     *
     * @template T
     *
     * @param callable(callable(string): bool): T $work
     *
     * @return T
     */
    private function served(callable $work): mixed
    {
        for ($round = 1; $round <= self::ROUNDS_MAX; $round++) {
            $current = $this->current();
            if (!$current['isBlob']) {
                $found = $this->place->live($current['file'], false, fn (Live $live): array => [$work($live->has(...))]);
            } else {
                $answers = $this->place->answers($current);
                $found = $answers === null ? null : [$work($answers->has(...))];
            }
            if ($found !== null) {
                return $found[0];
            }
        }
        return $work(fn (string $key): bool => true);
    }

    /**
     * Runs a function on the live filter, as its only writer.
     *
     * @template T
     *
     * @param callable(Live): T $work
     *
     * @return T
     */
    protected function write(callable $work, bool $isWriter = true): mixed
    {
        for ($round = 1; $round <= self::ROUNDS_MAX; $round++) {
            $current = $this->current();
            if (self::classOf($current) !== static::class) {
                throw Loading::wrongKind($this->place->name, $current, 'a ' . static::class);
            }
            if ($current['isBlob']) {
                throw Failure::of(Status::Immutable, $this->place->name);
            }
            $found = $this->place->live($current['file'], $isWriter, fn (Live $live): array => [$work($live)]);
            if ($found !== null) {
                return $found[0];
            }
        }
        throw Failure::of(Status::Unmapped, $this->place->name);
    }

    /** Returns the answers of a blob; null: the filter is live. */
    protected function blobAnswers(): ?Internal\Answers
    {
        $current = $this->current();
        return $current['isBlob'] ? $this->place->answers($current) : null;
    }

    public function __debugInfo(): array
    {
        $current = $this->place->current();
        return ['name' => $this->place->name]
            + ($current === null ? ['generation' => null] : ['kind' => Kind::from($current['kind']), 'generation' => $current['generation']]);
    }
}
