<?php

/**
 * The complete API of the extension `bloom`. scripts/arginfo generates src/php/bloom_arginfo.h from
 * this file.
 *
 * Terms:
 *  - A *key* is any string of 0 bytes to 4 GiB. An int stands for its decimal digits, as in PHP's
 *    array keys, so 42 and "42" are the same key. A float, bool or null throws TypeError in every
 *    typing mode, because PHP would otherwise convert 19.99 to 19. An object with __toString() is
 *    accepted only as a direct argument, and only without strict_types.
 *  - A *filter* answers "might this key have been added?". False is certain. True is wrong for a
 *    fraction of the absent keys: the false-positive rate.
 *  - A *blob* is a finished, immutable filter as bytes.
 *  - The *segment* is the directory of named filters that all processes of one user share (INI
 *    setting `bloom.path`).
 *  - A *store* is a key-value store that blobs are published to.
 *  - A *generation* is one version of a named filter on this host.
 *
 * Errors: A wrong argument throws ValueError or TypeError, which names the argument. Every other
 * error throws BloomException or a subclass. Its code is the number of the status in docs/errors.md.
 * The code is 0 if the object can no longer be used, for example a builder after build().
 *
 * @generate-class-entries
 */

namespace Bloom;

/** Base class of this extension's errors. Subclasses are for errors that callers handle differently. */
class BloomException extends \Exception
{
}

/** No filter of that name is loaded on this host. This does not mean that a key is absent. */
class NotFoundException extends BloomException
{
}

/** The filter of that name is of another kind, has other parameters, or does not support the operation. */
class KindException extends BloomException
{
}

/** The bytes are not a valid blob. The message names the check that failed. */
class FormatException extends BloomException
{
}

/** The measured false-positive rate of a finished filter is over the limit: too many keys for its size. */
class RateException extends BloomException
{
}

/** The segment's directory or a file in it was refused, is full, would exceed a limit, or the system call failed. */
class SegmentException extends BloomException
{
}

/** Another process held the writers' lock for longer than `bloom.lock_timeout`. Try again. */
class BusyException extends SegmentException
{
}

/**
 * The store failed, returned a value of the wrong type, or does not have the requested value. If the
 * store's own code threw an exception, getPrevious() returns it.
 */
class StoreException extends BloomException
{
}

/**
 * A required secret or signing key is not available: none is configured, its file was refused, it is
 * not the one that the filter was keyed with, or this build has no libsodium. Messages never contain
 * any part of a secret.
 */
class SecretException extends BloomException
{
}

/** `bloom.signing_key_file` is set, and a blob has no valid signature or is older than the served version. */
class SignatureException extends BloomException
{
}

/**
 * Builds a Blob from keys. A builder belongs to the process that created it. Nothing is shared until
 * the blob is loaded.
 *
 * @strict-properties
 * @not-serializable
 */
final class Builder
{
    /**
     * Creates an empty filter, sized for `capacity` keys at `falsePositiveRate`.
     *
     * Memory: the size of the filter, about 10 bits per key at 1 %. Pages are allocated as they fill,
     * and do not count toward memory_limit. If the filter is larger than the machine's memory, the
     * builder supports only info().
     *
     * @param int $capacity distinct keys, 1 to 10^12. More keys may be added, but the rate then rises,
     *        and build() throws if the rate is over its limit
     * @param float $falsePositiveRate the rate at capacity, 0.000000001 to 0.5
     * @param int|null $seed hash seed, any 64 bits; null: random. Anyone who knows the seed can choose
     *        keys that are false positives, so leave it random. like() keeps the seed of an earlier blob
     * @param int|null $shardBytes power of two, 1024 to 65536; null: 8192, or less for small filters
     * @param int|null $blockBytes power of two, 8 to $shardBytes. All probes of a key stay in one block.
     *        null: 64, a cache line. A value equal to $shardBytes gives the classic Bloom layout,
     *        which is 3 % smaller at 1 % and slower
     * @param int|null $probes bits tested per key (k), 1 to 32; null: the number that needs the least
     *        memory
     * @param float|null $bitsPerKey fixes the size, 1 to 1024. The rate then follows from the size, and
     *        $falsePositiveRate does not affect the layout
     * @param int|null $chunkBytes size of the chunks that are published: a multiple of the shard size,
     *        up to 1 GiB; null: 65536
     * @param string $source free text that describes the keys, 0 to 128 bytes, stored in the blob
     * @param bool $keyed hash keys with the current secret of `bloom.secret_file`, so that only holders
     *        of the secret can choose keys that are false positives
     * @param string|null $secret 32 bytes to use as that secret instead; null: as $keyed says
     * @param string $scheme "bloom"; "ribbon": a static filter that takes 7.3 instead of 9.9 bits per
     *        key at 1 %, but is slower to look up, cannot be merged, and has neither $blockBytes nor
     *        $probes; "auto": the scheme with the smaller blob for this capacity and rate, and "bloom"
     *        if $blockBytes, $probes or $bitsPerKey is given. "auto" does not know whether you want to
     *        merge the blob: pass "bloom" for that
     * @param int $jobs threads that addFile() may use, and build() of a ribbon builder, 1 to 64. Bytes
     *        and counts do not depend on it. The threads exist only within these calls, and never
     *        while a callback runs
     *
     * @throws SecretException if $keyed is true and there is no secret
     * @throws \ValueError if an argument is out of range, or if the rate needs more than 4 TiB
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
        string $scheme = 'bloom',
        int $jobs = 1
    ) {
    }

    /**
     * Creates an empty filter for the next version of a blob. Keys that are in both versions set the
     * same bits, so publishing transfers only chunks whose keys changed.
     *
     * The builder takes the seed, capacity, rate, scheme, layout, chunk size and source of the earlier
     * blob, unless an argument replaces them. An argument that equals the blob's value changes nothing.
     * A different capacity, rate, scheme, layout or seed moves every bit, so the whole filter is
     * transferred once. A different seed keeps the layout. In the other cases the filter is sized as
     * by the constructor. It then keeps the chunk size, and the shard size if the chunk size needs it.
     *
     * If the keys have outgrown the capacity, build() throws RateException: pass a larger capacity once.
     *
     * @param Blob $previous a blob of Builder; ReverseIndexBuilder::like() takes a reverse index
     * @param bool|null $keyed null: keyed if the earlier blob is. A keyed builder uses the current
     *        secret of `bloom.secret_file`. If that secret has changed since, every bit moves
     * @param string|null $secret 32 bytes to use instead of that secret, as in the constructor. If the
     *        earlier blob was keyed with such bytes, pass them again
     * @param int $jobs as in the constructor; blobs do not store it
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
        ?string $scheme = null,
        int $jobs = 1
    ): Builder {
    }

    /**
     * Adds a key.
     *
     * Cost: one hash and one cache line. A ribbon builder keeps 16 bytes per key until build(), in a
     * buffer that doubles when it is full of distinct keys.
     *
     * @return bool true: the key is certainly new; false: it was added before, or is a false positive.
     *         A ribbon builder cannot tell before build(): it returns false only if the key equals the
     *         previous one
     *
     * @throws BloomException after build(), or if the filter is larger than the machine's memory. Also
     *         if a ribbon builder has no memory for its keys; that builder can no longer be used
     */
    public function add(string|int $key): bool
    {
    }

    /**
     * Adds every value of an array or Traversable. The array's own keys do not matter.
     *
     * Cost: an array is added in batches, so that the processor fetches cache lines while it hashes
     * other keys. If the filter is larger than the cache, a key takes a fifth of the time of add().
     *
     * @param array|\Traversable $keys of string|int
     *
     * @return int how many of them were certainly new; for a ribbon builder, for how many add() would
     *         return true
     *
     * @throws \TypeError if a value is neither string nor int; the message gives its position. The
     *         values before it have been added
     * @throws BloomException after build()
     */
    public function addMany(iterable $keys): int
    {
    }

    /**
     * Adds one key per line. The file is read in C. A line ends with LF or CR LF; at the end of the
     * last line either or both may be missing. An empty line is the empty key.
     *
     * Memory: 256 KiB. With several jobs, each takes 4 MiB and 16 bytes for every line in these 4 MiB:
     * 12 MB for keys of 8 bytes, and at most 71 MB. A longer line takes up to twice its length. This
     * memory does not count toward memory_limit, and is freed at the end of the call.
     *
     * PHP does not report truncated network or compressed streams: the keys up to that point are
     * added, and no error is thrown. Download and check such a file first.
     *
     * @param string|resource $file path or URL of any PHP stream wrapper, or an open stream, which is
     *        read from its current position to its end
     * @param callable|null $progress called as $progress(int $bytes, int $keys) with the totals so
     *        far, about every 4 MiB, or every 4 MiB per job if there are several
     *
     * @return int number of lines read
     *
     * @throws BloomException if the file cannot be opened or read; the lines before the error have been
     *         added. Also in a child process that was forked during the call; the call continues in
     *         its parent
     */
    public function addFile($file, ?callable $progress = null): int
    {
    }

    /**
     * Finishes the filter. The blob takes over the builder's memory, and the builder can no longer be
     * used.
     *
     * Cost: one pass over the filter. A ribbon builder sorts and solves, which takes about 0.1 s per
     * million keys with one job.
     *
     * @param float|null $maxFalsePositiveRate limit for the measured rate, greater than 0, at most 1.
     *        null: no limit if at most `capacity` keys were added, otherwise 1.5 times the requested
     *        rate, which allows about a tenth more keys than the capacity
     * @param float|null $builtAt Unix time in seconds, stored in the blob; null: now. Of two blobs,
     *        the one with the later time is the newer version
     *
     * @throws RateException if the measured rate is over the limit, or if more keys were added than a
     *         ribbon filter of this capacity can take; the builder is unchanged
     * @throws FormatException if more than 15 of 16 bits of a shard are set, whatever the limit
     */
    public function build(?float $maxFalsePositiveRate = null, ?float $builtAt = null): Blob
    {
    }

    /**
     * Returns the chosen parameters and what has been added so far.
     *
     * `keys` were certainly new (a ribbon builder may count repeated keys). `added` also counts repeated
     * keys. `bitsPerKey` is at capacity. `predictedFalsePositiveRate` is the rate at capacity by the
     * formula of Putze, Sanders & Singler, "Cache-, hash- and space-efficient Bloom filters" (2007),
     * section 3.
     *
     * @return array{scheme: string, capacity: int, falsePositiveRate: float,
     *         predictedFalsePositiveRate: float, keys: int, added: int, bytes: int, bitsPerKey: float,
     *         shards: int, shardBytes: int, blockBytes: int, probes: int, seed: int, digest: string,
     *         keyedBy: string|null, chunkBytes: int, source: string}
     */
    public function info(): array
    {
    }

    /**
     * Returns what an on-demand filter of this blob would take, for `bloom plan`.
     *
     * @internal
     *
     * @param int $memory bytes, as for Filter::attach()
     *
     * @return array{leastMemory: int, mostMemory: int, chunksRoom: int} bytes with room for one chunk,
     *         bytes with room for all, and the number of chunks that $memory has room for
     */
    public function onDemandInfo(int $memory): array
    {
    }
}

/**
 * A finished filter as bytes: immutable, and verified when it was made. The whole filter is in memory
 * of this process, which does not count toward memory_limit.
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
     * Reads and verifies a blob: its head, its geometry, the checksum and the set bits of every shard,
     * and the digest of every chunk.
     *
     * @param string|resource $file path or URL of any PHP stream wrapper, or an open stream, which is
     *        read from its current position; it must end with the blob
     * @param callable|null $progress called about every 4 MiB as $progress(int $bytes, int $total)
     *
     * @throws FormatException if a check fails; the message names the check
     * @throws BloomException if the file cannot be opened or read
     */
    public static function open($file, ?callable $progress = null): Blob
    {
    }

    /**
     * Verifies a blob as open() does, but takes its bytes as a string, for example from your own store.
     *
     * @throws FormatException if a check fails; the message names the check
     */
    public static function fromString(string $bytes): Blob
    {
    }

    /**
     * Fetches the published version of a filter as a whole, without loading it.
     *
     * @param callable|null $progress called as $progress(int $bytes, int $total)
     *
     * @throws StoreException if the store fails, or does not have the name or a chunk
     * @throws FormatException if the published bytes are not a valid blob
     * @throws \ValueError if the name is invalid
     */
    public static function fetch(Store $store, string $name, ?callable $progress = null): Blob
    {
    }

    /**
     * Fetches a blob as fetch() does, but returns null if nothing is published under the name.
     *
     * @param callable|null $progress called as $progress(int $bytes, int $total)
     *
     * @throws StoreException if the store fails, or does not have a chunk
     * @throws FormatException if the published bytes are not a valid blob
     * @throws \ValueError if the name is invalid
     */
    public static function find(Store $store, string $name, ?callable $progress = null): ?Blob
    {
    }

    /** Returns a copy of all bytes, in the format of docs/format.md. */
    public function toString(): string
    {
    }

    /**
     * Writes the blob to a file atomically: to a temporary file in the same directory, which is synced
     * and then renamed. The file's mode is 0666 minus the umask.
     *
     * @throws BloomException if writing fails; an existing file is then unchanged
     */
    public function save(string $path): void
    {
    }

    /**
     * Publishes the blob under a name. The call first writes the chunks that the store does not have,
     * then the head, which makes the version visible at once. It then deletes chunks that neither this
     * version nor the previous one uses. If deleting fails, the version is still published: `warning`
     * gives the reason, and the next publish under the name tries again.
     *
     * @param callable|null $progress called as $progress(int $bytes, int $total) over all chunks. If
     *        another publisher is deleting old chunks, this call waits up to one minute, or one second
     *        if that publisher was killed on this host. While it waits, it calls $progress every second
     *        with a third argument, a string that gives the reason
     * @param bool $force write all chunks, even those that the store already has. This repairs damaged
     *        chunks
     *
     * @return array{chunks: int, chunksWritten: int, bytesWritten: int, warning: ?string}
     *
     * @throws StoreException if the store fails; the previously published version stays published. Also
     *         if the store loses a value that it was just given, because it is full and evicts; hosts
     *         then keep serving their version
     * @throws SignatureException if `bloom.signing_key_file` is set and the blob is not signed for this
     *         name
     * @throws \ValueError if the name is invalid
     */
    public function publish(
        Store $store,
        string $name,
        ?callable $progress = null,
        bool $force = false
    ): array {
    }

    /**
     * Returns a copy of the blob, signed for a filter name with the current key of
     * `bloom.signing_key_file`. Its chunks get digests that cannot be forged, so in a store it shares
     * no chunk with an unsigned blob.
     *
     * Cost: a copy, and one pass at about 1 GB/s.
     *
     * @throws SecretException if there is no signing key
     * @throws \ValueError if the name is invalid
     */
    public function sign(string $name): Blob
    {
    }

    /**
     * Returns false if the key is certainly not in the blob, and true if it might be. In a reverse
     * index: in any group.
     *
     * @throws SecretException if the blob is keyed with a secret that this process does not have
     */
    public function mightContain(string|int $key): bool
    {
    }

    /**
     * Returns the groups that may hold a value; see ReverseIndex::groups().
     *
     * @return list<int> in ascending order
     *
     * @throws KindException if the blob is not a reverse index
     * @throws BloomException if more than $limit groups may hold the value
     * @throws \ValueError if $limit is below 1
     */
    public function groups(string|int $value, int $limit = 100_000): array
    {
    }

    /**
     * Returns a blob with all keys of this blob and the others. Its bits are those that a single
     * builder would have set, so the parts of a parallel build can be merged into one. All blobs need
     * the same geometry and seed: give their builders the same capacity, rate and seed.
     *
     * `keys` of the result is estimated from its bits, between the largest count and the sum of all.
     * Capacity, rate, chunk size and source are those of this blob. `builtAt` is the latest of all.
     *
     * @throws \ValueError if the geometry or seed differs; the message names the first difference
     * @throws KindException if a blob is a ribbon filter
     * @throws FormatException if more than 15 of 16 bits of a shard would be set
     */
    public function merge(Blob ...$others): Blob
    {
    }

    /**
     * Returns a blob with the keys that are in both blobs. All of these keys are found. A key that is
     * in neither blob passes if both filters pass it. A key that is in one blob passes at the other
     * one's rate. More bits are set than the common keys alone would set;
     * `measuredFalsePositiveRate` takes them into account.
     *
     * @throws \ValueError if the geometry or seed differs; the message names the first difference
     * @throws KindException if a blob is a ribbon filter
     */
    public function intersect(Blob $other): Blob
    {
    }

    /**
     * Returns the contents of the head, and figures that follow from them.
     *
     * - `scheme`: bloom, ribbon or reverse.
     * - `keys`: keys that were certainly new when they were added; in a reverse index, one per value
     *   and level.
     * - `estimatedKeys`: the number of keys that best explains the set bits (Swamidass & Baldi,
     *   "Mathematical Correction for Fingerprint Similarity Measures", 2007).
     * - `falsePositiveRate`: the requested rate. `predictedFalsePositiveRate`: the formula's rate for
     *   the estimated keys; see Builder::info(). `measuredFalsePositiveRate`: the rate of these bits.
     * - `fill`: the fraction of set bits.
     * - `checksum`: of the head, in hexadecimal; equal for equal blobs.
     * - `digest`: XXH3-128, or SipHash-2-4-128 if the blob is keyed.
     * - `keyedBy`, `signedBy`: fingerprints of secrets, in hexadecimal. `signedBy` is only what the head
     *   claims: load(), sync() and publish() verify it.
     *
     * In a ribbon filter, `keys` and `estimatedKeys` are the distinct keys, the rates follow from the
     * width, `fill` is the fraction of slots with a key, `setBits` is null, and `probes` is the number
     * of bits per key (one more for some keys). `stripes`, which only ribbon filters have, is the number
     * of 64-slot stripes per shard.
     *
     * @return array{scheme: string, keys: int, estimatedKeys: int, capacity: int,
     *         falsePositiveRate: float, measuredFalsePositiveRate: float,
     *         predictedFalsePositiveRate: float, fill: float, setBits: int|null, bytes: int,
     *         bitsPerKey: float, shards: int, shardBytes: int, blockBytes: int, probes: int, seed: int,
     *         digest: string, keyedBy: string|null, chunks: int, chunkBytes: int, source: string,
     *         builtAt: float, formatVersion: int, checksum: string, signedBy: string|null}
     *         A ribbon filter also has {stripes: int}. A reverse index also has {groups: int,
     *         fanOut: int, levels: int, expectedWrongGroups: float}
     */
    public function info(): array
    {
    }
}

/**
 * A named filter of the segment, shared by all processes of this user on this host. The object is a
 * handle: it is cheap to create, and follows every reload by itself. All methods except info() use one
 * generation from beginning to end.
 *
 * After a drop, a handle throws NotFoundException until a filter of that name is created again, and
 * then uses the new filter. If the new filter is of another class, methods that only the old class has
 * throw KindException.
 *
 * If the segment's directory is removed and created again, a handle notices within a second, or after
 * 64 calls if those take longer. open() and find() notice at once.
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
     * Opens the filter of that name. Filter::open() opens filters of all classes; a subclass opens only
     * its own.
     *
     * Cost: one system call. The first use in a process also maps the filter.
     *
     * @param string $name 1 to 128 characters of A-Z a-z 0-9 . _ - that do not start with . or -
     *
     * @throws NotFoundException if no filter of that name is loaded
     * @throws KindException if the filter is not of the class that the method was called on
     * @throws SegmentException if the segment was refused or cannot be read
     * @throws \ValueError if the name is invalid
     */
    public static function open(string $name): static
    {
    }

    /**
     * Opens a filter as open() does, but returns null if no filter of that name is loaded. A filter of
     * another class than the subclass that find() was called on throws KindException.
     *
     * @throws KindException
     * @throws SegmentException
     * @throws \ValueError if the name is invalid
     */
    public static function find(string $name): ?static
    {
    }

    /**
     * Returns the names of all filters in the segment, sorted. They are of all classes, even if called
     * on a subclass.
     *
     * @return list<string>
     *
     * @throws SegmentException
     */
    public static function list(): array
    {
    }

    /**
     * Drops the filter of that name, whatever its class, even if called on a subclass. From then on,
     * handles to it throw NotFoundException. Its memory is freed when no process maps it any more.
     *
     * @return bool whether the filter existed
     *
     * @throws SegmentException
     * @throws \ValueError if the name is invalid
     */
    public static function drop(string $name): bool
    {
    }

    /**
     * Makes a blob the filter of that name on this host. The blob is written to the segment and
     * verified there. Then all processes switch to it at the same instant. It replaces the served
     * version. If anything fails, that version stays.
     *
     * The segment needs space for both versions during the call.
     *
     * With an overlay, the filter also takes keys by LoadedFilter::add() and stores them beside the
     * blob. So a key that was added after the nightly snapshot is found, although the blob does not have
     * it. The overlay stays when later loads and syncs replace the blob, until the filter is dropped. It
     * is keyed if the blob is.
     *
     * @param callable|null $progress called as $progress(int $bytes, int $total)
     * @param float|null $overlayWindow seconds for which an added key is certainly found, 0.01 to
     *        1,000,000,000. The key is forgotten after at most twice that time. null: no overlay, or
     *        the existing one
     * @param int|null $overlayCapacity keys that may be added in that time; only with $overlayWindow
     *
     * @return Filter a LoadedFilter, or a ReverseIndex if the blob is one
     *
     * @throws KindException if a live filter has that name, or if exactly one of the served filter and
     *         the blob is a reverse index: drop() the filter first. Also if there is an overlay with
     *         another window or capacity, or if an overlay is requested for a reverse index
     * @throws SegmentException if the segment was refused, is full or would exceed `bloom.memory_limit`
     * @throws SignatureException if `bloom.signing_key_file` is set, and the blob is not signed for this
     *         name by one of its keys or is older than the served version
     * @throws SecretException if the blob is keyed with a secret that this process does not have
     * @throws BusyException if another process held the writers' lock for too long
     * @throws NotFoundException if another process drops the filter before this call returns
     * @throws \ValueError if the name, window or capacity is invalid
     */
    public static function load(
        string $name,
        Blob $blob,
        ?callable $progress = null,
        ?float $overlayWindow = null,
        ?int $overlayCapacity = null
    ): static {
    }

    /**
     * Loads the version that a store has published, if a check is due. One process of the host is
     * elected to check; the others return at once. It fetches only chunks that are not already served.
     * After a failure, the next attempt follows after 1, 2, 4 … seconds, at most $ttl.
     *
     * Call it after the response (fastcgi_finish_request()), or run `bloom sync` from cron.
     *
     * Cost: one read of shared memory if no check is due.
     *
     * @param float $ttl seconds until the next check after a successful one; 0: always check
     * @param bool $force load the published version even if it is older than the served one, or if it is
     *        the same but its served bits were overwritten, which costs a pass over them. Signatures
     *        are still checked
     * @param callable|null $progress called as $progress(int $bytes, int $total)
     *
     * @return bool true: this call switched to another version, or to an intact copy of a damaged one.
     *         False: the served version is current, no check is due, or another process is checking.
     *         It is also false during the wait after a failure: only the call that failed throws. If a
     *         version is served, `lastError` and `syncFailuresInRow` of info() report the failure. With
     *         a ttl of 0, every call checks and throws
     *
     * @throws StoreException if the store fails, does not have the name or a chunk, or has an older
     *         version
     * @throws KindException if a live filter has that name, or if exactly one of the served filter and
     *         the published blob is a reverse index
     * @throws FormatException if the published bytes are not a valid blob
     * @throws SegmentException as load(); also if the new head of an on-demand filter needs more than
     *         the filter's memory
     * @throws SignatureException as load()
     * @throws SecretException as load()
     * @throws BusyException as load(), or if other processes keep loading versions meanwhile
     * @throws \ValueError if the name or ttl is invalid
     */
    public static function sync(
        string $name,
        Store $store,
        float $ttl = 60.0,
        bool $force = false,
        ?callable $progress = null
    ): bool {
    }

    /**
     * Attaches to a published filter that is larger than this host should hold. Only its head is
     * loaded. A chunk is fetched from the store when a lookup first needs it. It is then kept for all
     * processes of the host. If the memory is full, chunks that have not been used for long are
     * evicted. While a chunk is not available, its keys answer "maybe".
     *
     * Build blobs for this with small chunks (shardBytes: 1024, chunkBytes: 1024), because the same
     * memory then holds more chunks that are in use. sync() brings new versions: it fetches only the
     * head, takes over resident chunks that have not changed, and keeps the memory. To change the
     * memory, drop() the filter and attach again.
     *
     * Cost: the first attach() on a host reads the store once, and allocates a file of `memory` bytes,
     * or less if all chunks need less. Later calls cost as much as open().
     *
     * @param Store $store where the filter is published under this name. Only this handle uses it,
     *        during lookups: give it short timeouts
     * @param int $memory bytes that the filter may take in the segment, including its head and tables.
     *        All processes must pass the same value as the host's first attach(). While sync() replaces
     *        the head, there are two files of that size
     *
     * @throws StoreException if the filter is not yet on this host, and the store fails or does not have
     *         it
     * @throws FormatException if the published head is not valid
     * @throws KindException if a filter of another kind or with other memory has that name, or if the
     *         published blob is a reverse index
     * @throws SignatureException as load()
     * @throws SecretException as load()
     * @throws SegmentException if the segment was refused, is full or would exceed `bloom.memory_limit`;
     *         if $memory is too small for the published head and one chunk: the message gives the
     *         minimum
     * @throws BusyException as load()
     * @throws \ValueError if the name is invalid, or if $memory is not positive
     */
    public static function attach(string $name, Store $store, int $memory): OnDemandFilter
    {
    }

    final public function name(): string
    {
    }

    /**
     * Returns whether a key might have been added. False is certain. True is wrong at the
     * false-positive rate. If the served generation cannot be mapped, the answer is always true.
     *
     * Cost: one hash and one cache line. A lookup takes no lock and allocates nothing. Once a second it
     * makes one system call, which checks that the name still refers to the same filter.
     *
     * @throws NotFoundException if the filter was dropped
     */
    final public function mightContain(string|int $key): bool
    {
    }

    /**
     * Returns those of $keys that might have been added, with their array keys and in their order.
     * Only these are worth a query.
     *
     * Cost: the processor fetches the cache lines of up to 64 keys at the same time, so a key takes
     * less time than mightContain() if the filter is larger than the cache.
     *
     * @param array $keys of string|int
     *
     * @throws \TypeError if a value is neither string nor int; the message gives its position
     * @throws NotFoundException if the filter was dropped
     */
    final public function candidates(array $keys): array
    {
    }

    /**
     * Returns what is served, and when and how it was loaded. Times are Unix seconds.
     *
     * Cost: for a live filter or an overlay, one pass over at most 1 MiB of each layer's bits (256 KiB
     * for a reverse index). In a larger layer, `setBits`, `fill`, `estimatedKeys`, and the measured and
     * predicted rates are extrapolated from this sample. `keys` is always counted.
     *
     * All kinds:
     * - `kind`: loaded, live, counting, scalable, sliding, reverse or on-demand.
     * - `warning`: set if the measured rate of the filter or of its overlay is over the requested one.
     * - `mapFailures`: lookups of this process that answered "maybe" because the generation could not
     *   be mapped.
     * - The other figures are those of Blob::info().
     *
     * Loaded and on-demand filters:
     * - `lookupFalsePositiveRate`: the rate of a lookup, which passes if the filter or its overlay does.
     * - `verifiedAt`: when the whole served file had last been verified, by the load or by syncs.
     *   `verifyProgress`: the finished part of the next pass, 0 to 1.
     * - `damages`: damaged shards or chunks that syncs found since the filter was created. `damagedAt`:
     *   the time of the last one.
     *
     * Sliding filters and overlays: `fill` is that of the slot that lookups use. `nextFill` is that of
     * the slot that takes over at `rotatesAt`.
     *
     * On-demand filters, since attach(), over all processes and versions:
     * - `memory`: bytes in use, of the `memoryAsked` bytes that attach() was given.
     * - `chunksHere`: resident chunks. `chunksRoom`: how many fit.
     * - `misses`: looked-up keys whose chunk was not resident. `untold`: how many of these were answered
     *   "maybe" without a chunk.
     * - `fetched`, `evicted`: chunks that were fetched, and chunks that were evicted.
     * - `fetchFailures`: store calls that failed, and chunks that the store did not have or that failed
     *   verification. `fetchFailuresInRow`: failures since the store last delivered a chunk.
     * - `fetchPause`: seconds until the next attempt.
     *
     * @return array all kinds: {name: string, kind: string, generation: int, keys: int,
     *         estimatedKeys: int, capacity: int, falsePositiveRate: float,
     *         measuredFalsePositiveRate: float, predictedFalsePositiveRate: float, fill: float,
     *         setBits: int|null, bytes: int, bitsPerKey: float, shards: int, shardBytes: int,
     *         blockBytes: int, probes: int, seed: int, digest: string, keyedBy: string|null,
     *         warning: string|null, loadedAt: float, loads: int, segment: string, segmentBytes: int,
     *         memoryLimit: int, mapFailures: int};
     *         loaded, also: {scheme: string, chunks: int, chunkBytes: int, source: string,
     *         builtAt: float, formatVersion: int, checksum: string, signedBy: string|null,
     *         overlay: array|null, lookupFalsePositiveRate: float, syncs: int, syncFailures: int,
     *         syncFailuresInRow: int, syncedSecondsAgo: float|null, lastError: string|null,
     *         lastErrorAt: float|null, verifiedAt: float, verifyProgress: float, damages: int,
     *         damagedAt: float|null};
     *         on-demand: as loaded, without `overlay` and `warning`, also: {memory: int,
     *         memoryAsked: int, chunksHere: int, chunksRoom: int, misses: int, untold: int,
     *         fetched: int, evicted: int, fetchFailures: int, fetchFailuresInRow: int,
     *         fetchPause: float};
     *         all others, also: {created: float};
     *         scalable, also: {growth: float, tightening: float, growthFailures: int,
     *         layers: list<array>};
     *         sliding, and the array in `overlay`: {window: float, rotatesAt: float, nextFill: float};
     *         reverse, also: {groups: int, fanOut: int, levels: int, expectedWrongGroups: float}
     *
     * @throws NotFoundException if the filter was dropped
     */
    public function info(): array
    {
    }

    /**
     * Returns the same figures per shard, which shows whether some shards are fuller than others. A
     * scalable filter lists the shards of all layers, the oldest layer first. A sliding filter lists the
     * shards of the slot that lookups use.
     *
     * Cost: one pass over the bits.
     *
     * @return list<array{setBits: int|null, fill: float, estimatedKeys: float,
     *         measuredFalsePositiveRate: float}> estimatedKeys is at most 10^15, its value if all bits
     *         are set
     *
     * @throws NotFoundException if the filter was dropped
     */
    final public function shards(): array
    {
    }
}

/**
 * A filter that was loaded from a blob. Except for its overlay, it does not change until the next
 * load() or sync().
 *
 * @strict-properties
 * @not-serializable
 */
final class LoadedFilter extends Filter
{
    /**
     * Adds a key to the overlay. It is found for at least the window that was passed to Filter::load().
     *
     * @return bool true: the key was certainly not in the overlay
     *
     * @throws NotFoundException if the filter was dropped
     * @throws KindException if there is no overlay (see Filter::load()), or if the filter was dropped and
     *         its name now belongs to a filter of another class
     * @throws SegmentException if the overlay cannot be written
     *
     * @implementation-alias Bloom\LiveFilter::add
     */
    public function add(string|int $key): bool
    {
    }

    /**
     * Adds keys to the overlay.
     *
     * @return int how many were certainly not in it
     *
     * @throws \TypeError if a value is neither string nor int; the values before it have been added
     *
     * @implementation-alias Bloom\LiveFilter::addMany
     */
    public function addMany(iterable $keys): int
    {
    }
}

/**
 * A filter that all processes of this user on this host can add keys to while others look them up. No
 * add is lost when processes add concurrently or are killed.
 *
 * @strict-properties
 * @not-serializable
 */
final class LiveFilter extends Filter
{
    /**
     * Returns the live filter of that name. Creates it if it does not exist.
     *
     * Cost: as open() if it exists; creating it takes up to a few milliseconds.
     *
     * @param int $capacity distinct keys that the filter is sized for, 1 to 10^12. It takes more keys at
     *        a higher rate; info() then has a warning
     * @param float $falsePositiveRate the rate at capacity, 10^-9 to 0.5
     * @param int|null $seed hash seed; null: random, or that of the existing filter
     * @param bool $keyed hash keys with the current secret of `bloom.secret_file`; see Builder. After a
     *        rotation, an existing filter keeps its secret
     *
     * @throws KindException if the existing filter is of another kind or has other parameters
     * @throws SecretException if the filter is or should be keyed, and this process does not have the
     *         secret
     * @throws SegmentException if the segment was refused, is full or would exceed `bloom.memory_limit`
     * @throws \ValueError if an argument is out of range
     */
    public static function create(
        string $name,
        int $capacity,
        float $falsePositiveRate = 0.01,
        ?int $seed = null,
        bool $keyed = false
    ): LiveFilter {
    }

    /**
     * Creates a live filter with the keys, the geometry and the key count of a blob.
     *
     * @throws KindException if a filter of that name exists, or if the blob is a reverse index or a
     *         ribbon filter
     * @throws SegmentException as create()
     */
    public static function import(string $name, Blob $blob): LiveFilter
    {
    }

    /**
     * Adds a key.
     *
     * Cost: a lookup, and one write for each bit that was not set.
     *
     * @return bool true: the key was certainly not in the filter. If processes add the same new key at
     *         the same time, several of them may get true
     *
     * @throws NotFoundException if the filter was dropped
     * @throws KindException if the filter was dropped and its name now belongs to a filter of another
     *         class
     * @throws SegmentException if the filter cannot be mapped now
     */
    public function add(string|int $key): bool
    {
    }

    /**
     * Adds keys.
     *
     * @return int how many were certainly not in the filter
     *
     * @throws \TypeError if a value is neither string nor int; the values before it have been added
     */
    public function addMany(iterable $keys): int
    {
    }

    /**
     * Returns a blob with all keys whose add() has returned, which can be saved, published or loaded
     * elsewhere.
     *
     * @param string $source at most 128 bytes of free text, stored in the blob
     *
     * @throws FormatException if more than 15 of 16 bits of a shard are set
     */
    public function export(string $source = ''): Blob
    {
    }
}

/**
 * A live filter whose keys can be removed again (Fan, Cao, Almeida & Broder, "Summary Cache", 2000). It
 * takes five times the memory of a LiveFilter, because each bit has a 4-bit counter of the keys that
 * set it.
 *
 * @strict-properties
 * @not-serializable
 */
final class CountingFilter extends Filter
{
    /**
     * Returns the counting filter of that name. Creates it if it does not exist. See
     * LiveFilter::create().
     */
    public static function create(
        string $name,
        int $capacity,
        float $falsePositiveRate = 0.01,
        ?int $seed = null,
        bool $keyed = false
    ): CountingFilter {
    }

    /**
     * Adds a key. If the key is already in the filter, it is counted once more.
     *
     * Cost: two system calls, or about a dozen if the filter is not among the eight that this thread
     * added to last.
     *
     * @return bool true: the key was certainly not in the filter
     *
     * @throws BusyException if another process was stopped while it held the lock, for longer than
     *         `bloom.lock_timeout`; nothing was added
     * @throws NotFoundException as LiveFilter::add(); nothing was added
     * @throws KindException as LiveFilter::add(); nothing was added
     * @throws SegmentException as LiveFilter::add(), or if no file descriptor is free; nothing was added
     *
     * @implementation-alias Bloom\LiveFilter::add
     */
    public function add(string|int $key): bool
    {
    }

    /**
     * See LiveFilter::addMany().
     *
     * @implementation-alias Bloom\LiveFilter::addMany
     */
    public function addMany(iterable $keys): int
    {
    }

    /**
     * Reverts one add() of a key. Remove only keys that were added: removing a key that is a false
     * positive decrements the counters of other keys, which may then be reported as absent.
     *
     * @return bool false: the key was certainly not in the filter, and nothing was changed
     *
     * @throws BusyException as add()
     */
    public function remove(string|int $key): bool
    {
    }

    /**
     * Returns an upper bound of how often a key was added and not removed, 0 to 15. 0 is certain. 15
     * means 15 or more: a counter that has reached 15 never changes again, so its keys cannot be
     * removed.
     *
     * @throws BusyException as add()
     */
    public function count(string|int $key): int
    {
    }

    /**
     * See LiveFilter::export(). The blob does not contain the counters.
     *
     * @implementation-alias Bloom\LiveFilter::export
     */
    public function export(string $source = ''): Blob
    {
    }
}

/**
 * A live filter that grows layer by layer as keys are added, and keeps its rate (Almeida et al.,
 * "Scalable Bloom Filters", 2007). Use it if the number of keys is unknown. If it is known, a
 * LiveFilter is smaller and faster.
 *
 * @strict-properties
 * @not-serializable
 */
final class ScalableFilter extends Filter
{
    /**
     * Returns the scalable filter of that name. Creates it if it does not exist.
     *
     * @param int $initialCapacity distinct keys of the first layer, 1 to 10^12
     * @param float $falsePositiveRate the rate of the whole filter, however far it grows, 10^-9 to 0.5
     * @param float $growth capacity of a layer divided by that of the previous one, 1.1 to 16
     * @param float $tightening rate of a layer divided by that of the previous one, 0.1 to 0.99. The
     *        first layer's rate is $falsePositiveRate · (1 − $tightening)
     * @param int|null $seed hash seed; null: random, or that of the existing filter
     * @param bool $keyed hash keys with the current secret of `bloom.secret_file`; see Builder. After a
     *        rotation, an existing filter keeps its secret
     *
     * @throws KindException if the existing filter is of another kind or has other parameters
     * @throws SecretException if the filter is or should be keyed, and this process does not have the
     *         secret
     * @throws SegmentException if the segment was refused, is full or would exceed `bloom.memory_limit`
     * @throws \ValueError if an argument is out of range
     */
    public static function create(
        string $name,
        int $initialCapacity,
        float $falsePositiveRate = 0.01,
        float $growth = 2.0,
        float $tightening = 0.8,
        ?int $seed = null,
        bool $keyed = false
    ): ScalableFilter {
    }

    /**
     * Adds a key, and first a layer if the newest one is full. If no layer can be added (memory limit,
     * full file system, 64 layers), the newest layer still takes the key; `warning` and
     * `growthFailures` of info() report this. After such a failure, all processes wait before the next
     * attempt: one second, or ten times the duration of the failed attempt if that is longer.
     *
     * @return bool true: the key was certainly not in the filter
     *
     * @throws NotFoundException if the filter was dropped
     *
     * @implementation-alias Bloom\LiveFilter::add
     */
    public function add(string|int $key): bool
    {
    }

    /**
     * See LiveFilter::addMany().
     *
     * @implementation-alias Bloom\LiveFilter::addMany
     */
    public function addMany(iterable $keys): int
    {
    }
}

/**
 * A live filter that forgets. A key is found for at least half a window after it was added, and no
 * longer than a whole window.
 *
 * @strict-properties
 * @not-serializable
 */
final class SlidingFilter extends Filter
{
    /**
     * Returns the sliding filter of that name. Creates it if it does not exist.
     *
     * @param int $capacity distinct keys that are added in one window, 1 to 10^12
     * @param float $falsePositiveRate the rate at capacity, 10^-9 to 0.5
     * @param float $window seconds, 0.01 to 1,000,000,000. A key is certainly found for the first half of
     *        this time, and certainly forgotten after all of it. Setting the host's clock has no effect
     * @param int|null $seed hash seed; null: random, or that of the existing filter
     * @param bool $keyed hash keys with the current secret of `bloom.secret_file`; see Builder. After a
     *        rotation, an existing filter keeps its secret
     *
     * @throws KindException if the existing filter is of another kind or has other parameters
     * @throws SecretException if the filter is or should be keyed, and this process does not have the
     *         secret
     * @throws SegmentException if the segment was refused, is full or would exceed `bloom.memory_limit`
     * @throws \ValueError if an argument is out of range
     */
    public static function create(
        string $name,
        int $capacity,
        float $falsePositiveRate,
        float $window,
        ?int $seed = null,
        bool $keyed = false
    ): SlidingFilter {
    }

    /**
     * Adds a key, or restarts its time if it is already in the filter.
     *
     * @return bool true: the key was certainly not in the filter
     *
     * @throws BusyException if the filter must rotate, and another process was stopped while it held the
     *         lock to do so, for longer than `bloom.lock_timeout`; nothing was added
     *
     * @implementation-alias Bloom\LiveFilter::add
     */
    public function add(string|int $key): bool
    {
    }

    /**
     * See LiveFilter::addMany().
     *
     * @implementation-alias Bloom\LiveFilter::addMany
     */
    public function addMany(iterable $keys): int
    {
    }

    /**
     * Returns a blob with the keys that lookups find now; see LiveFilter::export().
     *
     * @implementation-alias Bloom\LiveFilter::export
     */
    public function export(string $source = ''): Blob
    {
    }
}

/**
 * Tells which of many groups may hold a value. The index is a tree of Bloom filters. The filters of a
 * node's children are interleaved, so one test answers for all children, and a lookup descends only
 * into those that match.
 *
 * An index is live if create() or import() made it, and loaded if it came from a blob of
 * ReverseIndexBuilder.
 *
 * @strict-properties
 * @not-serializable
 */
final class ReverseIndex extends Filter
{
    /**
     * Returns the live index of that name. Creates it if it does not exist.
     *
     * @param int $groups number of groups, 1 to 2^32. Groups are numbered 0 to $groups − 1
     * @param int $capacity values of all groups together. A value in two groups counts twice
     * @param float $falsePositiveRate the rate of each filter of the tree, 10^-9 to 0.5, which is an upper
     *        bound of the rate of a single group. `expectedWrongGroups` of info() is the expected number
     *        of wrong groups in an answer
     * @param int $fanOut children per node, a power of two, 64 to 1024
     * @param int|null $seed hash seed; null: random, or that of the existing index
     * @param bool $keyed hash keys with the current secret of `bloom.secret_file`; see Builder. After a
     *        rotation, an existing index keeps its secret
     *
     * @throws KindException if the existing filter is of another kind or has other parameters
     * @throws SecretException if the index is or should be keyed, and this process does not have the
     *         secret
     * @throws SegmentException if the segment was refused, is full or would exceed `bloom.memory_limit`
     * @throws \ValueError if an argument is out of range
     */
    public static function create(
        string $name,
        int $groups,
        int $capacity,
        float $falsePositiveRate = 0.001,
        int $fanOut = 256,
        ?int $seed = null,
        bool $keyed = false
    ): ReverseIndex {
    }

    /**
     * Creates a live index with the contents of a blob.
     *
     * @throws KindException if a filter of that name exists, or if the blob is not a reverse index
     */
    public static function import(string $name, Blob $blob): ReverseIndex
    {
    }

    /**
     * Adds a value to a group.
     *
     * @return bool true: the value was certainly not in that group
     *
     * @throws KindException if the index was loaded from a blob
     * @throws \ValueError if there is no such group
     */
    public function add(int $group, string|int $value): bool
    {
    }

    /**
     * Adds values to a group.
     *
     * @return int how many were certainly not in it
     */
    public function addMany(int $group, iterable $values): int
    {
    }

    /**
     * Returns all groups that hold a value, and a few that do not.
     *
     * @param int $limit maximum number of groups in the list. The list is never truncated: a group that
     *        is not in it certainly does not hold the value. 100,000 groups take 2 MB
     *
     * @return list<int> in ascending order
     *
     * @throws BloomException if more than $limit groups may hold the value (E_GROUPS_LIMIT): raise the
     *         limit
     * @throws SegmentException if the index cannot be mapped now: any group may hold the value
     * @throws NotFoundException if the index was dropped
     * @throws \ValueError if $limit is below 1
     */
    public function groups(string|int $value, int $limit = 100_000): array
    {
    }

    /**
     * See LiveFilter::export(). Only for a live index.
     *
     * @implementation-alias Bloom\LiveFilter::export
     */
    public function export(string $source = ''): Blob
    {
    }
}

/**
 * Builds the Blob of a ReverseIndex from groups and their values.
 *
 * @strict-properties
 * @not-serializable
 */
final class ReverseIndexBuilder
{
    /**
     * Creates an empty index.
     *
     * @param int $groups see ReverseIndex::create()
     * @param int $capacity values of all groups together
     * @param float $falsePositiveRate the rate of each filter of the tree, 10^-9 to 0.5
     * @param int $fanOut children per node, a power of two, 64 to 1024
     * @param int|null $seed hash seed; null: random. like() keeps the seed of an earlier blob
     * @param int|null $chunkBytes see Builder::__construct()
     * @param string $source at most 128 bytes of free text, stored in the blob
     * @param bool $keyed see Builder::__construct()
     * @param string|null $secret see Builder::__construct()
     *
     * @throws SecretException if $keyed is true and there is no secret
     * @throws \ValueError if an argument is out of range
     */
    public function __construct(
        int $groups,
        int $capacity,
        float $falsePositiveRate = 0.001,
        int $fanOut = 256,
        ?int $seed = null,
        ?int $chunkBytes = null,
        string $source = '',
        bool $keyed = false,
        #[\SensitiveParameter] ?string $secret = null
    ) {
    }

    /**
     * Creates an empty index for the next version of a blob; see Builder::like().
     *
     * A different number of groups moves no bit as long as the tree has the same number of levels. With
     * 256 children per node, it has one level up to 256 groups, two up to 65,536 and three up to
     * 16,777,216.
     *
     * @param Blob $previous a reverse index
     *
     * @throws SecretException if the index is keyed and there is no secret
     * @throws \ValueError if an argument is out of range, or if the blob is not a reverse index
     */
    public static function like(
        Blob $previous,
        ?int $groups = null,
        ?int $capacity = null,
        ?float $falsePositiveRate = null,
        ?int $fanOut = null,
        ?int $seed = null,
        ?int $chunkBytes = null,
        ?string $source = null,
        ?bool $keyed = null,
        #[\SensitiveParameter] ?string $secret = null
    ): ReverseIndexBuilder {
    }

    /**
     * Adds a value to a group.
     *
     * @return bool true: the value was certainly not in that group
     *
     * @throws \ValueError if there is no such group
     */
    public function add(int $group, string|int $value): bool
    {
    }

    /**
     * Adds values to a group.
     *
     * @return int how many were certainly not in it
     *
     * @throws \TypeError if a value is neither string nor int; the values before it have been added
     */
    public function addMany(int $group, iterable $values): int
    {
    }

    /**
     * See Builder::build().
     *
     * @implementation-alias Bloom\Builder::build
     */
    public function build(?float $maxFalsePositiveRate = null, ?float $builtAt = null): Blob
    {
    }

    /**
     * Returns the array of Builder::info(), and {groups: int, fanOut: int, levels: int,
     * expectedWrongGroups: float}.
     *
     * @implementation-alias Bloom\Builder::info
     */
    public function info(): array
    {
    }
}

/**
 * A published filter of which the host holds only the chunks in use; see Filter::attach(). Lookups fetch
 * missing chunks from the store. mightContain() fetches one chunk. candidates() fetches all that it
 * needs, in calls of about 4 MiB, but no more than fit into the memory.
 *
 * Lookups never throw store exceptions. A key whose chunk is not available is answered "maybe", and
 * counted in `untold` of info(). Each of these has a time limit:
 *  - Two processes do not fetch the same chunk. While one fetches it, the other answers "maybe". After 5
 *    seconds, another process may fetch it.
 *  - A chunk that the store does not have, or that fails verification, is not requested again for the
 *    same 5 seconds.
 *  - If the store fails, or does not have eight chunks in a row, all processes stop using it for 1, 2,
 *    4 … 30 seconds. Then one of them tries again. `lastError` of info() gives the reason, `fetchPause`
 *    the rest of the pause.
 *
 * Cost: if the chunk is resident, that of a lookup in a loaded filter and two additional memory reads.
 * Otherwise one call of the store's getMultiple(), during which no lock is held. The call happens within
 * a request: give the store's client a timeout that a request can bear.
 *
 * A handle of Filter::open() has no store. It answers "maybe" if a chunk is not resident.
 *
 * @strict-properties
 * @not-serializable
 */
final class OnDemandFilter extends Filter
{
}

/**
 * A key-value store. Values are binary strings. A chunk is as large as the blob's chunk size, a head is
 * 4 KiB or larger. Any method may throw: the exception becomes the previous one of a StoreException.
 *
 * If a store can determine a value's size before it reads the value, it should refuse more than 1 GiB,
 * the largest chunk. The extension discards values that are too long, but only after they are in memory.
 */
interface Store
{
    /**
     * Returns the values of the keys that exist. Other keys are left out, or null.
     *
     * @param array $keys a list of strings
     *
     * @return array<string, string|null>
     */
    public function getMultiple(array $keys): array;

    /**
     * Returns those of the keys that do not exist.
     *
     * @param array $keys a list of strings
     *
     * @return list<string>
     */
    public function missing(array $keys): array;

    /** Stores a value atomically: a concurrent reader gets either the old value or the new one. */
    public function set(string $key, string $value): void;

    /**
     * Deletes keys. A key that does not exist is not an error. If a key cannot be deleted, continue with
     * the others before you throw: publish() reports the exception as a warning, and tries again next
     * time.
     *
     * @param array $keys a list of strings
     */
    public function deleteMultiple(array $keys): void;
}

/**
 * A plain directory as a store, without a server. The head is the file `<name>`, a chunk is
 * `<name>:chunks/<first 2 hex digits>/<32 hex digits>`. Files are written under a temporary name in
 * their directory, synced and renamed.
 *
 * @strict-properties
 * @not-serializable
 */
final class DirectoryStore implements Store
{
    private string $directory;

    /**
     * @param string $directory needs to be writable only for publishing. It may not exist yet, for
     *        example if a share is not mounted; method calls then throw StoreException until it does
     *
     * @throws \ValueError if the path is invalid
     */
    public function __construct(string $directory)
    {
    }

    /**
     * Returns the values of the keys that exist. The length of a file is limited: for a head, to the
     * length that its first 512 bytes give; for a chunk, to the chunk size of its head; for any other
     * value, to 1 GiB.
     *
     * @throws StoreException if a file exists but cannot be read, is too long, or is larger than the
     *         memory that memory_limit leaves
     */
    public function getMultiple(array $keys): array
    {
    }

    public function missing(array $keys): array
    {
    }

    /** @throws StoreException if the file cannot be written */
    public function set(string $key, string $value): void
    {
    }

    /** @throws StoreException if a file cannot be deleted */
    public function deleteMultiple(array $keys): void
    {
    }
}

/**
 * Redis or Valkey, through your own client, with your own connection, timeouts, TLS, ACL and options.
 *
 * On a cluster, each key takes a command of its own, which the client sends to the key's server: one
 * round trip per chunk. With a hash tag in the prefix (`bloom:{tags}:`) all keys are on one server, and
 * are requested together as on a single server.
 *
 * @strict-properties
 * @not-serializable
 */
final class RedisStore implements Store
{
    private object $client;
    private string $prefix;

    /**
     * @param object $client a connected \Redis, \RedisCluster or \Predis\ClientInterface (also for a
     *        cluster). If it uses a serializer or compression, publishers and readers must use the same.
     *        For pages, pass a \Closure that connects and returns such a client. It is called when the
     *        store is first used, so a page whose filter is current never connects, and a server that
     *        is down fails a sync or a fetch, not the page. If a fiber uses the store while the closure
     *        is suspended in another fiber, both call the closure, and the first client is kept
     * @param string $prefix put before every key
     *
     * @throws \TypeError if the object is of any other class
     */
    public function __construct(object $client, string $prefix = 'bloom:')
    {
    }

    /**
     * Sends one MGET; on a cluster, one GET per key.
     *
     * @throws StoreException if the answer has the wrong type
     */
    public function getMultiple(array $keys): array
    {
    }

    /**
     * Sends EXISTS for all keys at once, and halves the list until each part is entirely present or
     * entirely missing. On a cluster, sends EXISTS for each key: 0.1 s for 2,000 keys with a round trip
     * of 0.05 ms.
     *
     * @throws StoreException if the client throws, or the answer has the wrong type
     */
    public function missing(array $keys): array
    {
    }

    /** @throws StoreException if the server refuses the value */
    public function set(string $key, string $value): void
    {
    }

    /**
     * Sends DEL for up to 1,000 keys at once; on a cluster, for each key.
     *
     * @throws StoreException if the client throws, or the answer has the wrong type
     */
    public function deleteMultiple(array $keys): void
    {
    }
}

/**
 * Memcached, through your own client of ext-memcached, with your own servers, timeouts and options.
 *
 * Memcached evicts values, and loses all of them when it restarts. Hosts that have a filter keep serving
 * it. A sync that needs a lost value fails until the blob is published again, which writes the missing
 * values.
 *
 * An item is at most 1 MB, unless the server's option -I says otherwise. This limits chunks (64 KiB by
 * default) and the head, which takes 16 bytes per shard and per chunk. The largest filters for items of
 * 1 MB:
 *  - 453 MiB with the default sizes, shards of 8 KiB and chunks of 64 KiB
 *  - 1.99 GiB with shards and chunks of 64 KiB
 *  - 31.8 MiB with shards and chunks of 1 KiB
 *
 * @strict-properties
 * @not-serializable
 */
final class MemcachedStore implements Store
{
    private object $client;
    private string $prefix;

    /**
     * @param object $client a \Memcached with its servers. OPT_NOREPLY and OPT_BUFFER_WRITES must be off,
     *        because the store needs the server's answers. Turn OPT_COMPRESSION off: filters do not
     *        compress, and publishing is faster without it. Publishers and readers must use the same
     *        serializer, compression and distribution. Or a \Closure that returns such a client, called
     *        when the store is first used; for fibers see RedisStore
     * @param string $prefix put before every key: at most 89 bytes of printable ASCII without spaces
     *
     * @throws \TypeError if the object is of any other class
     * @throws \ValueError if keys with this prefix are not valid Memcached keys
     */
    public function __construct(object $client, string $prefix = 'bloom:')
    {
    }

    /**
     * Sends one get for all keys.
     *
     * @throws StoreException if a server fails that has one of the keys, even if the others answer
     */
    public function getMultiple(array $keys): array
    {
    }

    /**
     * Memcached has no existence check, so this fetches all values, 16 at a time, and discards them.
     *
     * @throws StoreException if a server fails
     */
    public function missing(array $keys): array
    {
    }

    /** @throws StoreException if the server refuses the value, for example because it exceeds the item size */
    public function set(string $key, string $value): void
    {
    }

    /** @throws StoreException if a server fails */
    public function deleteMultiple(array $keys): void
    {
    }
}
