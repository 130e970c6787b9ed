<?php

namespace Bloom;

use Bloom\Internal\Arguments;
use Bloom\Internal\Construction;
use Bloom\Internal\Filling;
use Bloom\Internal\Head;
use Bloom\Internal\Infos;
use Bloom\Internal\Keys;
use Bloom\Internal\Sizing;
use Bloom\Internal\Wish;

/** Builds a Blob from keys. */
final class Builder
{
    use Internal\Sealed;

    private const ARGUMENTS = ['capacity' => 1, 'falsePositiveRate' => 2, 'shardBytes' => 4, 'blockBytes' => 5, 'probes' => 6,
        'bitsPerKey' => 7, 'chunkBytes' => 8, 'source' => 9, 'secret' => 11, 'scheme' => 12];

    private ?Filling $filling = null;
    private bool $isBuilt = false;
    private int $jobs = 1;

    /**
     * Creates an empty filter, sized for `capacity` keys at `falsePositiveRate`.
     *
     * Memory: the size of the filter, which is about 10 bits per key at a rate of 1 %. The kernel
     * allocates each page when it is first written. The pages do not count toward memory_limit. If the
     * filter is larger than the machine's memory, the builder supports only info().
     *
     * @param int $capacity number of distinct keys, 1 to 10^12. You can add more keys, but the rate
     *        then rises, and build() throws if the rate exceeds its limit
     * @param float $falsePositiveRate the rate at capacity, 0.000000001 to 0.5
     * @param int|null $seed hash seed, any 64 bits; null: random. Anyone who knows the seed can choose
     *        keys that are false positives, so leave it random. like() keeps the seed of an earlier blob
     * @param int|null $shardBytes power of two, 1024 to 65536; null: 8192, or less for small filters
     * @param int|null $blockBytes power of two, 8 to $shardBytes. All probes of a key stay in one
     *        block. null: 64 (one cache line) for rates above 1 in 1,000, otherwise 256. A value equal
     *        to $shardBytes selects the classic Bloom layout, which needs 3 % less memory at a rate of
     *        1 % but is slower
     * @param int|null $probes bits tested per key (k), 1 to 32; null: the number that needs the least
     *        memory
     * @param float|null $bitsPerKey fixes the size of the filter, 1 to 1024 bits per key. The rate then
     *        follows from the size, and $falsePositiveRate does not affect the layout
     * @param int|null $chunkBytes size of published chunks: a multiple of the shard size, up to 1 GiB;
     *        null: 65536
     * @param string $source free text that describes the keys, 0 to 128 bytes, stored in the blob
     * @param bool $keyed hash keys with the current secret of `bloom.secret_file`, so that only holders
     *        of the secret can choose keys that are false positives
     * @param string|null $secret 32 bytes to use instead of the configured secret; null: $keyed decides
     * @param Scheme|null $scheme Bloom or Ribbon. A ribbon filter is static. It needs 7.3 instead of 9.9
     *        bits per key at 1 %, but its lookups are slower, it cannot be merged, and it accepts
     *        neither $blockBytes nor $probes. null: the scheme with the smaller blob for this capacity
     *        and rate, or Bloom if $blockBytes, $probes or $bitsPerKey is given
     * @param int $jobs number of threads that addFile() uses, and that build() uses in a ribbon
     *        builder, 1 to 64. The number of threads affects neither the blob nor any count. The
     *        threads exist only during these calls, but not while a callback runs
     *
     * @throws SecretException if $keyed is true and there is no secret
     * @throws \ValueError if an argument is out of range, or if the rate requires a filter larger than
     *         4 TiB
     * @throws BloomException if there is not enough memory
     */
    public function __construct(
        int $capacity,
        float $falsePositiveRate = 0.01,
        ?int $seed = null,
        ?int $shardBytes = null,
        ?int $blockBytes = null,
        ?int $probes = null,
        ?float $bitsPerKey = null,
        ?int $chunkBytes = null,
        string $source = '',
        bool $keyed = false,
        #[\SensitiveParameter] ?string $secret = null,
        ?Scheme $scheme = Scheme::Bloom,
        int $jobs = 1
    ) {
        self::checkJobs($jobs, 'Builder::__construct', 13);
        if ($this->filling !== null || $this->isBuilt) {
            throw new BloomException('This builder is already constructed');
        }
        $wish = new Wish(max(0, $capacity), $falsePositiveRate, Wish::number($shardBytes), Wish::number($blockBytes),
            Wish::number($probes), self::bits($bitsPerKey));
        $wish->isRibbon = self::isRibbon($scheme, $wish, Wish::number($chunkBytes) ?: 65536, 'Builder::__construct', 12);
        $construction = new Construction('Builder::__construct', self::ARGUMENTS);
        $this->filling = $construction->filling($wish, $seed, $chunkBytes, $source, $construction->secret($keyed, $secret));
        $this->jobs = $jobs;
    }

    /**
     * Creates an empty filter for the next version of a blob. Keys that are in both versions set the
     * same bits, so publishing transfers only chunks whose keys changed.
     *
     * The builder copies the seed, capacity, rate, scheme, layout, chunk size and source of the earlier
     * blob, except those for which an argument is given. An argument that equals the blob's value has
     * no effect. A different capacity, rate, scheme, layout or seed moves every bit, so the whole
     * filter is transferred once. If only the seed differs, the layout remains the same. Otherwise, the
     * new filter is sized as in the constructor but keeps the chunk size. It also keeps the shard size
     * if the constructor would choose shards larger than the chunks.
     *
     * If there are too many keys for the capacity, build() throws RateException. Pass a larger capacity
     * to like() once.
     *
     * The call does not know the filter's name, so it cannot check a signature as Blob::find() and
     * fetch() do.
     *
     * @param Blob $previous any blob except a reverse index; for a reverse index, see
     *        ReverseIndexBuilder::like()
     * @param bool|null $keyed null: the builder is keyed if the earlier blob is keyed. A keyed builder
     *        uses the current secret of `bloom.secret_file`. If that secret has changed since the
     *        earlier blob was built, every bit moves
     * @param string|null $secret 32 bytes to use instead of the configured secret, as in the
     *        constructor. If the earlier blob was built with such a $secret, pass the same bytes again
     * @param int $jobs number of threads, as in the constructor; a blob does not store this number
     *
     * @throws SecretException if the builder is keyed and there is no secret
     * @throws \ValueError if an argument is out of range, or if the blob is a reverse index
     * @throws BloomException if there is not enough memory
     */
    public static function like(
        Blob $previous,
        ?int $capacity = null,
        ?float $falsePositiveRate = null,
        ?int $seed = null,
        ?int $shardBytes = null,
        ?int $blockBytes = null,
        ?int $probes = null,
        ?float $bitsPerKey = null,
        ?int $chunkBytes = null,
        ?string $source = null,
        ?bool $keyed = null,
        #[\SensitiveParameter] ?string $secret = null,
        ?Scheme $scheme = null,
        int $jobs = 1
    ): Builder {
        $head = Internal\Friend::head($previous);
        $geometry = $head->geometry;
        if ($geometry->groups !== 0) {
            throw Arguments::error('Builder::like', 1, 'previous',
                'must not be a reverse index (for a reverse index use Bloom\ReverseIndexBuilder::like())');
        }
        self::checkJobs($jobs, 'Builder::like', 14);
        $isRibbon = $geometry->stripes !== 0;
        // A ribbon filter has no choice of blocks or probes, so such an argument is refused below.
        $isNew = ($isRibbon && ($blockBytes !== null || $probes !== null)) || $bitsPerKey !== null
            || ($shardBytes ?? $geometry->shardBytes) !== $geometry->shardBytes
            || ($blockBytes ?? $geometry->blockBytes) !== $geometry->blockBytes
            || ($probes ?? $geometry->probes) !== $geometry->probes
            || !Construction::isRateOf($falsePositiveRate, $head);
        $wish = new Wish(max(0, $capacity ?? $head->capacity), $falsePositiveRate ?? Construction::rateOf($head),
            Wish::number($shardBytes), Wish::number($blockBytes), Wish::number($probes), self::bits($bitsPerKey));
        $wish->isRibbon = $scheme === null ? $isRibbon : self::isRibbon($scheme, $wish, $head->chunkBytes, 'Builder::like', 13);
        $isNew = $isNew || $wish->isRibbon !== $isRibbon || $wish->capacity !== $head->capacity;

        $construction = new Construction('Builder::like', array_map(fn (int $at): int => $at + 1, self::ARGUMENTS));
        if ($isNew && $chunkBytes === null) {
            Construction::keepChunkSize($wish, $head);
        }
        $arguments = [$seed ?? $geometry->seed, $chunkBytes ?? $head->chunkBytes, $source ?? $head->source,
            $construction->secret($keyed ?? $geometry->fingerprint !== 0, $secret)];
        $builder = (new \ReflectionClass(self::class))->newInstanceWithoutConstructor();
        $builder->filling = $isNew ? $construction->filling($wish, ...$arguments) : $construction->fillingLike($head, 0, ...$arguments);
        $builder->jobs = $jobs;
        return $builder;
    }

    /**
     * Adds a key.
     *
     * Cost: one hash and one cache line. A ribbon builder keeps 8 bytes per key until build(), in a
     * buffer that doubles in size when it is full of distinct keys.
     *
     * @return bool true: the key is certainly new; false: it was added before, or is a false positive.
     *         A ribbon builder does not recognize repeated keys before build(): it returns false only
     *         if the key equals the previous key
     *
     * @throws BloomException after build(), if the filter is larger than the machine's memory, or if a
     *         ribbon builder runs out of memory for its keys. The ribbon builder can then no longer be
     *         used
     */
    public function add(mixed $key): bool
    {
        $key = Keys::of($key, 'Builder::add');
        return $this->filling()->add($key);
    }

    /**
     * Adds every value of an array or Traversable. The keys of the array are ignored.
     *
     * Cost: the values of an array are added in batches, so that the processor fetches cache lines
     * while it hashes other keys. If the filter is larger than the cache, adding a key takes a fifth of
     * the time that add() needs.
     *
     * @param iterable<mixed, string|int> $keys
     *
     * @return int the number of keys that were certainly new; for a ribbon builder, the number of keys
     *         for which add() would return true
     *
     * @throws \TypeError if a value is neither string nor int; the message gives its position. The
     *         values before it have been added
     * @throws BloomException after build()
     */
    public function addMany(iterable $keys): int
    {
        $this->filling();
        $new = 0;
        foreach (Keys::each($keys, 'Builder::addMany') as $key) {
            $new += (int) $this->filling()->add($key);
        }
        return $new;
    }

    /**
     * Adds each line of a file as a key. The lines are processed in C. A line ends with LF or CR LF;
     * the last line may end with LF, CR LF, CR or nothing. An empty line is the empty key. A line may
     * have at most 1 MiB before its LF. If a key is longer, use add().
     *
     * Memory: 256 KiB. With several jobs, each job needs a buffer of 4 MiB, and 8 bytes for every line
     * in the buffer: 8 MB for keys of 8 bytes, and at most 38 MB. A line longer than the buffer needs
     * up to 2 MiB more. This memory does not count toward memory_limit, and is freed at the end of the
     * call.
     *
     * PHP does not report truncated network or compressed streams. If a stream was truncated, addFile()
     * adds the keys before the cut and does not throw. Download such a file and verify it first.
     *
     * @param string|resource $file path or URL of any PHP stream wrapper, or an open stream, which is
     *        read from its current position to its end
     * @param (callable(int, int): mixed)|null $progress called with the bytes and keys so far,
     *        about every 4 MiB, or, with several jobs, every 4 MiB per job
     *
     * @return int number of lines read
     *
     * @throws BloomException if the file cannot be opened or read, or a line is too long; the lines before
     *         the error have been added. Also thrown in a child process that was forked during the call; the
     *         call continues in the parent process
     */
    public function addFile($file, ?callable $progress = null): int
    {
        $this->filling();
        // Jobs change nothing but how often the caller is told.
        return Internal\Lines::each($file, 'Builder::addFile', fn (string $line): bool => $this->filling()->add($line),
            $progress === null ? null : fn (int $bytes): mixed => $progress($bytes, $this->filling()->added),
            $this->jobs * Internal\Streams::STEP_BYTES);
    }

    /**
     * Finishes the filter. The blob takes over the builder's memory, and the builder can no longer be
     * used.
     *
     * Cost: one pass over the filter. A ribbon builder sorts its keys and solves equations, which takes
     * about 0.1 s per million keys with one job.
     *
     * @param float|null $maxFalsePositiveRate limit for the measured rate, above 0 and at most 1.
     *        null: no limit if at most `capacity` keys were added, otherwise 1.5 times the requested
     *        rate, which allows about 10 % more keys than the capacity, or the highest rate that chance
     *        explains (see Filter::health()), whichever is higher
     * @param float|null $builtAt Unix time in seconds, stored in the blob; null: now. The blob with the
     *        later time is the newer version. A host neither publishes nor loads a blob whose time is
     *        more than a day ahead of its clock
     * @param string|null $mark a position in the filter's journal that Journal::mark() returned before
     *        the keys were read. Hosts that load the blob also find all keys that were added to the
     *        journal after the mark. null: the blob has no journal
     *
     * @throws KindException if a mark is given for a reverse index
     * @throws \ValueError if an argument is out of range
     * @throws RateException if the measured rate exceeds the limit, or if more keys were added than a
     *         ribbon filter of this capacity can store; the builder then remains unchanged
     * @throws FormatException if more than 15 of 16 bits of a shard are set, regardless of the limit
     */
    public function build(?float $maxFalsePositiveRate = null, ?float $builtAt = null, ?string $mark = null): Blob
    {
        $blob = Construction::build($this->filling(), 'Builder', $maxFalsePositiveRate, $builtAt, $mark);
        $this->filling = null;
        $this->isBuilt = true;
        return $blob;
    }

    /** Returns the chosen parameters and the number of keys added so far. */
    public function info(): BuilderInfo
    {
        return $this->filling()->info();
    }

    /**
     * Returns the memory that an on-demand filter with this builder's blob would need. The command
     * `bloom plan` calls this method.
     *
     * @internal
     *
     * @param int $memory bytes, as for Filter::attach()
     *
     * @return array{leastMemory: int, mostMemory: int, chunksRoom: int} the bytes needed for one chunk,
     *         the bytes needed for all chunks, and the number of chunks that fit into $memory
     */
    public function onDemandInfo(int $memory): array
    {
        throw new BloomException('Only the extension has on-demand filters that load a part of a blob');
    }

    private function filling(): Filling
    {
        return $this->filling ?? throw new BloomException($this->isBuilt
            ? 'This builder has already built its blob: create a new one' : 'This builder was never constructed');
    }

    private static function bits(?float $bitsPerKey): float
    {
        return $bitsPerKey === null ? 0.0 : ($bitsPerKey === 0.0 ? NAN : $bitsPerKey);
    }

    private static function checkJobs(int $jobs, string $method, int $argument): void
    {
        if ($jobs < 1 || $jobs > 64) {
            throw Arguments::error($method, $argument, 'jobs', 'must be from 1 to 64');
        }
    }

    /** Null chooses the scheme with the smaller blob. */
    private static function isRibbon(?Scheme $scheme, Wish $wish, int $chunkBytes, string $method, int $argument): bool
    {
        if ($scheme === Scheme::Reverse) {
            throw Arguments::error($method, $argument, 'scheme',
                'must not be Bloom\Scheme::Reverse: ReverseIndexBuilder builds reverse indexes');
        }
        if ($scheme !== null || $wish->bitsPerKey !== 0.0) {
            return $scheme === Scheme::Ribbon;
        }
        $other = clone $wish;
        $other->isRibbon = true;
        [$bloom, $ribbon] = [Sizing::choose($wish, 0), Sizing::choose($other, 0)];
        return !is_int($bloom) && !is_int($ribbon) && $ribbon->isValidChunk($chunkBytes)
            && Head::bytesFor($ribbon, $chunkBytes) + $ribbon->bytes() < Head::bytesFor($bloom, $chunkBytes) + $bloom->bytes();
    }
}
