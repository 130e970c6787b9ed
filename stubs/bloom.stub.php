<?php

/**
 * The API of the extension `bloom`: its only text. src/bloom_arginfo.h is generated from this file by
 * scripts/arginfo.
 *
 * Words. A *key* is any bytes, 0 to 4 GiB; an int means its decimal digits, as with PHP's array keys,
 * so 42 and "42" are one key. A *filter* answers "might this key have been added?": false is
 * certain, true is true but for the false-positive rate. A *blob* is a finished, immutable filter as
 * bytes. The *segment* is the directory of named filters that all processes of one user share (INI
 * `bloom.path`). A *store* is a key-value store that blobs are published to.
 *
 * Errors. Wrong arguments give ValueError or TypeError, which name the argument. Everything else is a
 * subclass of BloomException; its code is the number of the status that docs/errors.md lists.
 *
 * @generate-class-entries
 */

namespace Bloom;

/** Anything that went wrong; the subclasses say what a caller might want to tell apart. */
class BloomException extends \Exception
{
}

/** No filter of that name is loaded on this host. That never means that a key is absent. */
class NotFoundException extends BloomException
{
}

/** The bytes are not a valid blob; the message says which check failed. */
class FormatException extends BloomException
{
}

/** A finished filter's measured false-positive rate is over the limit: too many keys for its size. */
class RateException extends BloomException
{
}

/** The segment's directory or files: refused, full, over a limit, or the system failed. */
class SegmentException extends BloomException
{
}

/** Another process held the writers' lock for longer than `bloom.lock_timeout`. Try again. */
class BusyException extends SegmentException
{
}

/** The store failed, answered with the wrong type, or lacks what was asked for. When the store's own
 * code threw, that exception is the previous one. */
class StoreException extends BloomException
{
}

/**
 * Keys → Blob. Belongs to the process that made it; nothing is shared until the blob is loaded.
 *
 * @strict-properties
 * @not-serializable
 */
final class Builder
{
    /**
     * An empty filter, sized for `capacity` keys at `falsePositiveRate`.
     *
     * Memory: the whole filter (about 10 bits per key at 1 %), taken as it fills, outside PHP's
     * memory_limit.
     *
     * @param int $capacity distinct keys, 1 to 10^12. More may be added; the rate then rises and
     *        build() refuses at its limit
     * @param float $falsePositiveRate at capacity, 0.000000001 to 0.5
     * @param int|null $seed of the hash, any 64 bits; null: random. A rebuild should keep the seed
     *        of the blob before it ($blob->info()['seed']), so that unchanged shards stay
     *        byte-identical and need not travel again
     * @param int|null $shardBytes power of two, 1024 to 65536; null: 8192, less for small filters
     * @param int|null $blockBytes power of two, 8 to $shardBytes: what one key's probes stay in;
     *        null: 64, a cache line. Equal to $shardBytes: the classic Bloom layout, smaller by 3 %
     *        at 1 % and slower
     * @param int|null $probes bits tested per key (k), 1 to 32; null: those that need the least memory
     * @param float|null $bitsPerKey fixes the size, 1 to 1024; the rate then follows from it and
     *        $falsePositiveRate has no say
     * @param int|null $chunkBytes size of the pieces it is published in: a multiple of the shard
     *        size, up to 1 GiB; null: 65536
     * @param string $source what the keys are, for people: 0 to 128 bytes, kept in the blob
     *
     * @throws \ValueError for an argument out of range, or when nothing below 4 TiB keeps the rate
     * @throws BloomException when memory is short
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
        string $source = ''
    ) {
    }

    /**
     * Adds a key. Cost: one hash, one cache line.
     *
     * @return bool true: the key is certainly new; false: it was there, or looks as if
     *
     * @throws BloomException after build()
     */
    public function add(string|int $key): bool
    {
    }

    /**
     * Adds every value of an array or Traversable; the array's own keys don't matter.
     *
     * @param array|\Traversable $keys of string|int
     *
     * @return int how many of them were certainly new
     *
     * @throws \TypeError for a value that is neither string nor int, naming its place; the values
     *         before it have been added
     * @throws BloomException after build()
     */
    public function addMany(iterable $keys): int
    {
    }

    /**
     * Adds a key a line, read in C. A line ends with LF or CR LF; the last one need not. An empty line
     * is the empty key.
     *
     * @param string|resource $file a path or URL of any PHP stream wrapper, or an open stream, read
     *        from where it stands to its end
     * @param callable|null $progress called about every 4 MiB as $progress(int $bytes, int $keys) with
     *        what has been read so far
     *
     * @return int lines read
     *
     * @throws BloomException when the file cannot be opened or read; lines before that were added
     */
    public function addFile($file, ?callable $progress = null): int
    {
    }

    /**
     * Finishes the filter. The builder hands its memory to the blob and is then of no more use.
     *
     * Cost: one pass over the filter.
     *
     * @param float|null $maxFalsePositiveRate limit for the measured rate, over 0 to 1; null: none for
     *        as many keys as the capacity, 1.5 times the asked rate for more: about a tenth more pass
     * @param float|null $builtAt Unix time in seconds to stand in the blob; null: now. Of two blobs
     *        the later one is the newer version
     *
     * @throws RateException when the measured rate is over the limit; the builder is then as before
     * @throws FormatException when a shard is all but full of set bits, whatever the limit
     */
    public function build(?float $maxFalsePositiveRate = null, ?float $builtAt = null): Blob
    {
    }

    /**
     * What was chosen and added so far.
     *
     * @return array{capacity: int, falsePositiveRate: float, predictedFalsePositiveRate: float,
     *         keys: int, added: int, bytes: int, bitsPerKey: float, shards: int, shardBytes: int,
     *         blockBytes: int, probes: int, seed: int, chunkBytes: int, source: string}
     *         `keys` were certainly new, `added` counts repeated ones too; `bitsPerKey` is at capacity
     */
    public function info(): array
    {
    }
}

/**
 * A finished filter as bytes: immutable, verified when it was made. Holds the whole filter in memory
 * of this process (outside PHP's memory_limit).
 *
 * @strict-properties
 * @not-serializable
 */
final class Blob
{
    private function __construct()
    {
    }

    /**
     * Reads and verifies a blob: head, geometry, every shard's checksum and set bits, and every chunk's
     * digest.
     *
     * @param string|resource $file a path or URL of any PHP stream wrapper, or an open stream, read
     *        from where it stands; it must end with the blob
     * @param callable|null $progress called about every 4 MiB as $progress(int $bytes, int $total)
     *
     * @throws FormatException when a check fails, naming it
     * @throws BloomException when the file cannot be opened or read
     */
    public static function open($file, ?callable $progress = null): Blob
    {
    }

    /**
     * The same from a string, for instance of a store of your own.
     *
     * @throws FormatException when a check fails, naming it
     */
    public static function fromString(string $bytes): Blob
    {
    }

    /**
     * Fetches the published version of a filter as a whole, without loading it.
     *
     * @param callable|null $progress called as $progress(int $bytes, int $total)
     *
     * @throws StoreException when the store fails, or lacks the name or a chunk
     * @throws FormatException when what it has is no valid blob
     * @throws \ValueError for a bad name
     */
    public static function fetch(Store $store, string $name, ?callable $progress = null): Blob
    {
    }

    /** All bytes, in the format of docs/format.md. Copies them. */
    public function toString(): string
    {
    }

    /**
     * Writes the blob to a file, atomically: to a temporary file beside it, synced, then renamed. The
     * file gets the mode that the umask leaves of 0666.
     *
     * @throws BloomException when that fails; an existing file is then untouched
     */
    public function save(string $path): void
    {
    }

    /**
     * Publishes the blob under a name: first the chunks that the store lacks, then the head, which
     * makes the version visible at once. Chunks that neither this version nor the one before it
     * names are deleted.
     *
     * @param callable|null $progress called as $progress(int $bytes, int $total) over all chunks
     *
     * @param bool $force write all chunks, also those that the store says it has: heals damaged ones
     *
     * @return array{chunks: int, chunksWritten: int, bytesWritten: int}
     *
     * @throws StoreException when the store fails; what was published before stays published
     * @throws \ValueError for a bad name
     */
    public function publish(
        Store $store,
        string $name,
        ?callable $progress = null,
        bool $force = false
    ): array {
    }

    /** False: certainly not in it. True: perhaps. */
    public function mightContain(string|int $key): bool
    {
    }

    /**
     * What the head says.
     *
     * @return array{keys: int, estimatedKeys: int, capacity: int, falsePositiveRate: float,
     *         measuredFalsePositiveRate: float, predictedFalsePositiveRate: float, fill: float,
     *         setBits: int, bytes: int, bitsPerKey: float, shards: int, shardBytes: int,
     *         blockBytes: int, probes: int, seed: int, chunks: int, chunkBytes: int, source: string,
     *         builtAt: float, formatVersion: int, checksum: string}
     *         `keys` counts those that were certainly new when they were added, `estimatedKeys` is
     *         the number that the set bits speak for; `falsePositiveRate` was asked for,
     *         `predicted…` is the formula's for the estimated keys, `measured…` is of the very bits; `fill` is the share of set bits, `checksum` the
     *         head's in hexadecimal: equal for equal blobs
     */
    public function info(): array
    {
    }
}

/**
 * A named filter of the segment, shared by all processes of this user on this host. The object is a
 * handle: cheap to make, following every reload by itself. All methods but info() see one generation
 * from beginning to end.
 *
 * @strict-properties
 * @not-serializable
 */
abstract class Filter
{
    private function __construct()
    {
    }

    /**
     * The filter of that name.
     *
     * Cost: one system call at its first use in a request; the first use in a process maps it.
     *
     * @param string $name 1 to 128 of A-Z a-z 0-9 . _ - , starting with none of . and -
     *
     * @throws NotFoundException when none is loaded
     * @throws SegmentException when the segment is refused or cannot be read
     * @throws \ValueError for a bad name
     */
    public static function open(string $name): Filter
    {
    }

    /** The same, but null when no filter of that name is loaded. */
    public static function find(string $name): ?Filter
    {
    }

    /**
     * Names of all filters in the segment, sorted.
     *
     * @return list<string>
     *
     * @throws SegmentException
     */
    public static function list(): array
    {
    }

    /**
     * Drops a filter. Handles to it throw NotFoundException from then on; the memory comes back when
     * no process has it mapped any more.
     *
     * @return bool whether there was one
     *
     * @throws SegmentException
     * @throws \ValueError for a bad name
     */
    public static function drop(string $name): bool
    {
    }

    /**
     * Makes a blob the filter of that name on this host: staged, verified where it will be served
     * from, then switched to by all processes at one instant. What was served before is replaced, and
     * stays served if anything fails.
     *
     * Needs room for both versions while it runs.
     *
     * @param callable|null $progress called as $progress(int $bytes, int $total)
     *
     * @throws SegmentException when the segment is refused, full or over `bloom.memory_limit`
     * @throws BusyException
     * @throws \ValueError for a bad name
     */
    public static function load(string $name, Blob $blob, ?callable $progress = null): LoadedFilter
    {
    }

    /**
     * Loads what a store has published, if it is time to look: one process of the host is elected and
     * fetches only the chunks that are not served already; the others return at once. After a
     * failure the next try waits 1, 2, 4 … seconds, at most $ttl.
     *
     * To be called after the response (fastcgi_finish_request()), or by `bloom sync` from cron.
     *
     * Cost: one read of shared memory when it is not time yet.
     *
     * @param float $ttl seconds after a successful look during which nobody looks again; 0: always look
     * @param bool $force load the published version even when it is older than the served one
     * @param callable|null $progress called as $progress(int $bytes, int $total)
     *
     * @return bool true: this call switched to another version
     *
     * @throws StoreException when the store fails, lacks the name or a chunk, or has an older version
     * @throws FormatException when what it has is not a valid blob
     * @throws SegmentException as load()
     * @throws BusyException as load(), or when others keep loading versions meanwhile
     * @throws \ValueError for a bad name or ttl
     */
    public static function sync(
        string $name,
        Store $store,
        float $ttl = 60.0,
        bool $force = false,
        ?callable $progress = null
    ): bool {
    }

    final public function name(): string
    {
    }

    /**
     * Whether a key might have been added. False is certain. True is wrong at the false-positive rate,
     * and always the answer while the served generation cannot be mapped.
     *
     * Cost: one hash, one cache line; no lock, no system call, no allocation.
     *
     * @throws NotFoundException when the filter was dropped
     */
    final public function mightContain(string|int $key): bool
    {
    }

    /**
     * Those of $keys that might have been added, with their array keys, in their order: what is worth
     * looking up.
     *
     * @param array $keys of string|int
     *
     * @throws \TypeError for a value that is neither string nor int, naming its place
     * @throws NotFoundException when the filter was dropped
     */
    final public function candidates(array $keys): array
    {
    }

    /**
     * What is served, and how it came.
     *
     * @return array{name: string, kind: string, generation: int, keys: int,
     *         estimatedKeys: int, capacity: int,
     *         falsePositiveRate: float, measuredFalsePositiveRate: float,
     *         predictedFalsePositiveRate: float, fill: float, setBits: int, bytes: int,
     *         bitsPerKey: float, shards: int, shardBytes: int, blockBytes: int, probes: int,
     *         seed: int, chunks: int, chunkBytes: int, source: string, builtAt: float,
     *         formatVersion: int, checksum: string, loadedAt: float, loads: int, segment: string,
     *         segmentBytes: int, memoryLimit: int, mapFailures: int, syncs: int, syncFailures: int,
     *         syncFailuresInRow: int, syncedSecondsAgo: float|null, lastError: string|null,
     *         lastErrorAt: float|null}
     *         times are Unix seconds; `mapFailures` counts lookups of this process that had to
     *         answer "maybe" because the generation could not be mapped
     *
     * @throws NotFoundException when the filter was dropped
     */
    public function info(): array
    {
    }
}

/**
 * A filter that came from a blob: immutable until the next load() or sync().
 *
 * @strict-properties
 * @not-serializable
 */
final class LoadedFilter extends Filter
{
}

/**
 * A key-value store. Values are binary strings; a value's size is the chunk size or, for a head,
 * 4 KiB and more. Any method may throw; the exception becomes the previous one of a StoreException.
 */
interface Store
{
    /**
     * The values of the keys that exist; a key that does not is left out, or null.
     *
     * @param array $keys a list of strings
     *
     * @return array<string, string|null>
     */
    public function getMultiple(array $keys): array;

    /**
     * Those of the keys that do not exist.
     *
     * @param array $keys a list of strings
     *
     * @return list<string>
     */
    public function missing(array $keys): array;

    /** Stores a value, atomically: a reader sees the old one or the new one. */
    public function set(string $key, string $value): void;

    /**
     * Deletes keys; one that does not exist is no error.
     *
     * @param array $keys a list of strings
     */
    public function deleteMultiple(array $keys): void;
}

/**
 * A plain directory as a store: no server needed. A head is the file `<name>`, a chunk
 * `<name>:chunks/<first 2 hex digits>/<32 hex digits>`. Files are written beside their place, synced
 * and renamed.
 *
 * @strict-properties
 * @not-serializable
 */
final class DirectoryStore implements Store
{
    private string $directory;

    /**
     * @param string $directory must exist; one that publishes must be able to write there
     *
     * @throws \ValueError when it is no directory
     */
    public function __construct(string $directory)
    {
    }

    /** @throws StoreException for a file that is there but cannot be read */
    public function getMultiple(array $keys): array
    {
    }

    public function missing(array $keys): array
    {
    }

    /** @throws StoreException when it cannot be written */
    public function set(string $key, string $value): void
    {
    }

    /** @throws StoreException */
    public function deleteMultiple(array $keys): void
    {
    }
}

/**
 * Redis or Valkey, through your own client: its connection, timeouts, TLS, ACL and options stay yours.
 *
 * @strict-properties
 * @not-serializable
 */
final class RedisStore implements Store
{
    private object $client;
    private string $prefix;

    /**
     * @param object $client \Redis, \RedisCluster or \Predis\ClientInterface, connected. A serializer
     *        or compression set on it must be the same for publishers and readers
     * @param string $prefix put before every key
     *
     * @throws \TypeError for any other object
     */
    public function __construct(object $client, string $prefix = 'bloom:')
    {
    }

    /** One MGET.  @throws StoreException for an answer that is not one */
    public function getMultiple(array $keys): array
    {
    }

    /** EXISTS of all keys at once, halved until each part is all there or all missing (a cluster is
     * asked key by key).  @throws StoreException */
    public function missing(array $keys): array
    {
    }

    /** @throws StoreException when the server refuses */
    public function set(string $key, string $value): void
    {
    }

    /** @throws StoreException */
    public function deleteMultiple(array $keys): void
    {
    }
}
