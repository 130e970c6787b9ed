<?php

declare(strict_types=1);

namespace Bloom\Kit;

use Bloom\Blob;
use Bloom\BlobInfo;
use Bloom\Builder;
use Bloom\BuilderInfo;
use Bloom\FormatException;
use Bloom\Journal;
use Bloom\JournalStore;
use Bloom\KindException;
use Bloom\Layout;
use Bloom\RateException;
use Bloom\Scheme;
use Bloom\Status;
use Bloom\Store;
use Bloom\StoreException;

/**
 * Builds tonight's version of a filter from all its keys, checks it and publishes it. Nothing is published if
 * anything throws, so hosts keep the version that they have.
 *
 * If keys can be added to the filter's journal, the build takes its mark, waits for `$settle` seconds, and only
 * then asks for the keys. A transaction that added its key before the mark has then ended, and what it committed
 * is among the keys. The one rule for applications is therefore to call Journal::add() before the commit.
 *
 * If the filter has no journal, there is neither a mark nor a wait. Hosts then deny every key that your database
 * gets after you have read the keys, until they have the next version.
 */
final readonly class NightlyBuild
{
    /** The longest wait, in seconds. */
    public const SETTLE_MAX = 86_400.0;
    /** A filter is sized for this many times its distinct keys, so that it rarely has to grow. */
    private const HEADROOM = 1.25;
    private const CAPACITY_MIN = 1_000;
    private const BATCH = 10_000;
    private const SAMPLE = 1_000;
    /** When the keys are read a second time, the list may have lost only this share of them. */
    private const REREAD_FALL = 0.01;

    /**
     * The bits of the linear counter (Whang et al., "A linear-time probabilistic counting algorithm", 1990): a
     * filter with one probe, in which each distinct key sets one bit. Its standard error is below 0.02 % up to 100
     * million keys, and 1 % at LOAD_MAX keys per bit.
     */
    private const COUNTER_BITS = 1 << 27;
    private const LOAD_MAX = 14;

    /** The kind of a journal's last record after which no key can be added: docs/dev/journal.md, "Open and closed journals". */
    private const KIND_END = 4;

    /**
     * Parameters that are null keep what the published version has.
     *
     * @param string $name the name of the filter
     * @param float|null $settle seconds between the mark and the snapshot, 0 to 86,400: at least your longest
     *        transaction plus the lag of the replica that you read. null: the keys were read before this call, so
     *        take no mark; publishing then fails if the filter has a journal
     * @param float $maxFall refuse the keys if their number fell by more than this share of the published version's,
     *        0 to 1. At 1, even no keys are accepted
     * @param float|null $falsePositiveRate as in Builder; at first 0.01
     * @param Scheme|null $scheme at first Scheme::Bloom
     * @param bool|null $keyed at first false
     * @param Fold|null $fold adds the folded keys. The source of the version names it; at first none
     * @param bool $isFresh do not read the published version, which may be damaged: begin as on the first night, so
     *        that the whole filter is transferred and no number of keys is compared. Give all parameters again
     *
     * @throws \ValueError if $settle or $maxFall is out of range
     */
    public function __construct(
        private string $name,
        private Store $store,
        private ?float $settle = 60.0,
        private float $maxFall = 0.2,
        private ?float $falsePositiveRate = null,
        private ?Layout $layout = null,
        private ?Scheme $scheme = null,
        private ?bool $keyed = null,
        private ?Fold $fold = null,
        private bool $isFresh = false,
    ) {
        if ($settle !== null && !($settle >= 0.0 && $settle <= self::SETTLE_MAX)) {
            throw new \ValueError(__METHOD__ . "(): Argument #3 (\$settle) must be between 0 and 86400 seconds, or null, $settle given");
        }
        if (!($maxFall >= 0.0 && $maxFall <= 1.0)) {
            throw new \ValueError(__METHOD__ . "(): Argument #4 (\$maxFall) must be between 0 and 1, $maxFall given");
        }
    }

    /**
     * Builds the filter as build() does and publishes it.
     *
     * If another publisher has the lock, the call waits as Blob::publish() does. The store is not used while the keys are read, so
     * its connection must stay open, or be opened again, if this takes long.
     *
     * @param callable(): iterable<mixed, string|int> $keys see build()
     * @param int $retain how many versions the store keeps, as for Blob::publish()
     *
     * @throws \Throwable what build() and Blob::publish() throw
     */
    public function run(callable $keys, int $retain = 3): NightlyResult
    {
        $blob = $this->build($keys);
        return NightlyResult::of($this->name, $blob, $blob->publish($this->store, $this->name, retain: $retain));
    }

    /**
     * Takes the mark, waits, reads the keys and returns the checked blob, which is signed if
     * `bloom.signing_key_file` is set.
     *
     * Memory: the filter, 16 MiB, and a batch of 10,000 keys. The published version is fetched, because its seed and
     * layout are kept, so that hosts transfer only changed chunks.
     *
     * @param callable(): iterable<mixed, string|int> $keys opens a snapshot of the database and returns its keys,
     *        which may repeat. It is called only after the wait, and once more on the first night or if the keys
     *        outgrew the capacity, which is then a quarter more than the distinct keys. Each call must return all
     *        keys again
     * @param (callable(int, int): mixed)|null $waiting is called about once a second during the wait, with the seconds that have
     *        passed and those of the whole wait
     *
     * @throws KindException if the published version is a reverse index, a map or imported
     * @throws ImplausibleKeys if there are no keys, or far fewer than in the published version
     * @throws RateException if the filter has too many keys for its rate
     * @throws StoreException if the store fails, if a chunk of the published version is missing, or if a version that read
     *         its keys later has been published in the meantime
     * @throws FormatException if the published version is damaged, or names a fold that does not exist
     * @throws \TypeError if a key is neither string nor int; the message gives its position
     * @throws \ValueError if there is a fold and a key is not UTF-8
     * @throws \Throwable what $keys throws
     */
    public function build(callable $keys, ?callable $waiting = null): Blob
    {
        [$builder, $before] = $this->builderLikePublished(null);
        $fold = $this->foldFor($before);
        $mark = $this->settle === null ? null : self::mark($this->name, $this->store);
        if ($mark !== null && $this->settle > 0) {
            self::pause($this->settle, $waiting ?? static fn (int $passed, int $all): null => null);
        }

        [$counted, $sample, $readAt] = self::read($keys, $fold, $builder);
        $this->check($counted, $before);
        $blob = $builder === null || $counted > $builder->info()->capacity
            ? null
            : self::buildIfRoom($builder, $readAt, $mark);
        if ($blob === null) {
            $capacity = max(self::CAPACITY_MIN, (int) ceil($counted * self::HEADROOM));
            // Another version may have been published since, with or without a fold, which the builder's source then names.
            [$builder, $now] = $this->builderLikePublished($capacity);
            $fold = $this->foldFor($now);
            [$again, $sample, $readAt] = self::read($keys, $fold, $builder ??= $this->firstBuilder($capacity));
            if ($again < $counted * (1 - self::REREAD_FALL)) {
                throw new ImplausibleKeys("$this->name: the keys were read twice, but had about "
                    . number_format($again) . ' distinct keys instead of ' . number_format($counted)
                    . ' the second time: the callable must return all keys at each call');
            }
            $blob = $builder->build(builtAt: $readAt, mark: $mark);
        }
        foreach ($sample as $key) {
            if (!$blob->mightContain($key)) {
                throw new \UnexpectedValueException("$this->name: the new version denies one of its keys, so it is not published");
            }
        }
        $this->checkOvertaken($readAt);
        return (string) ini_get('bloom.signing_key_file') === '' ? $blob : $blob->sign($this->name);
    }

    /**
     * Returns the mark of a filter's journal, or null if no key can be added to it: it does not exist, it has ended,
     * or the store cannot keep one. Does not begin the journal.
     *
     * @throws StoreException if the store fails
     */
    public static function mark(string $name, Store $store): ?string
    {
        $journal = "$name:journal";
        if (!$store instanceof JournalStore || $store->missing([$journal]) !== []) {
            return null;
        }
        $last = $store->last($journal)[1];
        /** @var array{1: int} $kind */
        $kind = $last === '' ? [1 => self::KIND_END] : unpack('V', $last, 8);
        return $kind[1] === self::KIND_END ? null : (new Journal($name, $store))->mark();
    }

    /** @param callable(int, int): mixed $waiting */
    private static function pause(float $seconds, callable $waiting): void
    {
        // A signal can end a sleep early.
        for ($end = hrtime(true) + $seconds * 1e9; ($left = $end - hrtime(true)) > 0;) {
            $waiting((int) ($seconds - $left / 1e9), (int) ceil($seconds));
            usleep(max(1, (int) min($left / 1e3, 1e6)));
        }
        $waiting((int) ceil($seconds), (int) ceil($seconds));
    }

    /**
     * Returns a builder for the next version of the published one, and what is published. Both are null on the first
     * night.
     *
     * @return array{?Builder, ?BlobInfo}
     */
    private function builderLikePublished(?int $capacity): array
    {
        $previous = $this->isFresh ? null : Blob::find($this->store, $this->name);
        $info = $previous?->info();
        if ($info?->scheme === Scheme::Foreign) {
            throw new KindException("$this->name: the published version was imported from another system, so the next one needs a new seed "
                . 'and layout: build it with isFresh, which is bloom nightly --fresh');
        }
        if ($info?->groups !== null) {
            throw new KindException("$this->name: the published version is a reverse index, which only ReverseIndexBuilder builds");
        }
        if ($info?->scheme === Scheme::Map) {
            throw new KindException("$this->name: the published version is a map, which MapBuilder builds: write bloom build --map --like and bloom publish");
        }
        return $previous === null || $info === null ? [null, null] : [
            Builder::like(
                $previous,
                capacity: $capacity,
                falsePositiveRate: $this->falsePositiveRate,
                layout: $this->layout,
                source: $this->fold?->mark(Fold::unmarked($info->source)),
                keyed: $this->keyed,
                scheme: $this->scheme,
            ),
            $info,
        ];
    }

    private function foldFor(?BlobInfo $before): ?Fold
    {
        $name = Fold::nameIn($before->source ?? '');
        if ($this->fold !== null || $name === null) {
            return $this->fold;
        }
        try {
            return Fold::named($name);
        } catch (\ValueError) {
            throw new FormatException("$this->name: the source of the published version says fold=$name, which this version of "
                . 'bloom/kit does not know, so the keys cannot be folded');
        }
    }

    private function firstBuilder(int $capacity): Builder
    {
        return new Builder(
            $capacity,
            $this->falsePositiveRate ?? 0.01,
            layout: $this->layout,
            source: $this->fold?->mark() ?? '',
            keyed: $this->keyed ?? false,
            scheme: $this->scheme ?? Scheme::Bloom,
        );
    }

    /** Returns null if the builder has too many keys. */
    private static function buildIfRoom(Builder $builder, float $readAt, ?string $mark): ?Blob
    {
        try {
            return $builder->build(builtAt: $readAt, mark: $mark);
        } catch (RateException) {
            return null;
        }
    }

    /**
     * Adds all keys to the builder, folded if there is a fold.
     *
     * @param callable(): iterable<mixed, string|int> $keys
     *
     * @return array{int, list<string|int>, float} an estimate of the distinct keys, some of the keys, and the time
     *         when they were read
     */
    private static function read(callable $keys, ?Fold $fold, ?Builder $builder): array
    {
        $counter = new Builder(self::COUNTER_BITS, layout: new Layout(65_536, 65_536, 1), bitsPerKey: 1.0);
        $sample = [];
        $readAt = microtime(true);
        foreach (self::batches($keys()) as $number => $batch) {
            $batch = $fold?->keys($batch) ?? $batch;
            $counter->addMany($batch);
            $builder?->addMany($batch);
            // Each batch has the same chance to be in the sample (Vitter's Algorithm R).
            $place = $number < self::SAMPLE ? $number : mt_rand(0, $number);
            if ($place < self::SAMPLE) {
                $sample[$place] = $batch[array_rand($batch)];
            }
        }
        return [self::distinct($counter->info()), array_values($sample), $readAt];
    }

    /**
     * @param iterable<mixed, mixed> $keys
     *
     * @return \Generator<int, non-empty-list<string|int>>
     */
    private static function batches(iterable $keys): \Generator
    {
        $batch = [];
        $count = 0;
        foreach ($keys as $key) {
            $count++;
            if (!is_string($key) && !is_int($key)) {
                throw new \TypeError('key ' . number_format($count) . ' must be of type string|int, '
                    . get_debug_type($key) . ' given');
            }
            $batch[] = $key;
            if (count($batch) === self::BATCH) {
                yield $batch;
                $batch = [];
            }
        }
        if ($batch !== []) {
            yield $batch;
        }
    }

    private static function distinct(BuilderInfo $counter): int
    {
        $bits = $counter->shards * $counter->shardBytes * 8;
        $load = $counter->keys < $bits ? -log1p(-$counter->keys / $bits) : INF;
        if ($load > self::LOAD_MAX) {
            throw new \OverflowException('more than ' . number_format(self::LOAD_MAX * $bits)
                . ' distinct keys cannot be counted: build the filter with Bloom\Builder and a capacity that you know');
        }
        return (int) round($bits * $load);
    }

    /**
     * Two builds may run at the same time. Hosts refuse the one whose snapshot is older. Blob::publish() notices only
     * versions that are published after its beginning.
     */
    private function checkOvertaken(float $readAt): void
    {
        foreach (Blob::versions($this->store, $this->name) as $version) {
            if ($version->label === 'current' && $version->error === null && $version->builtAt > $readAt) {
                throw new StoreException(
                    sprintf(
                        '%s: the published version has keys of %s, which is later than %s, when this build read its keys: another '
                            . 'build has published it, or the clock of its machine is ahead of this one',
                        $this->name,
                        gmdate('Y-m-d H:i:s', (int) $version->builtAt),
                        gmdate('Y-m-d H:i:s \\U\\T\\C', (int) $readAt),
                    ),
                    Status::Overtaken->value,
                );
            }
        }
    }

    private function check(int $keys, ?BlobInfo $before): void
    {
        if ($keys === 0 && $this->maxFall < 1.0) {
            throw new ImplausibleKeys("$this->name: there are no keys, and an empty filter answers \"definitely not\" to "
                . 'everything; if that is right, allow a fall of 100 %');
        }
        if ($before !== null && $keys < $before->estimatedKeys * (1 - $this->maxFall)) {
            throw new ImplausibleKeys(sprintf(
                '%s: about %s keys are %.0f %% fewer than the %s of the published version, but they may fall by at most %s %%; if '
                    . 'that is right, allow a larger fall once',
                $this->name,
                number_format($keys),
                100 * (1 - $keys / $before->estimatedKeys),
                number_format($before->estimatedKeys),
                round(100 * $this->maxFall, 2),
            ));
        }
    }
}
