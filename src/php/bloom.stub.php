<?php

/**
 * The API of the extension `bloom`: its only text. src/php/bloom_arginfo.h is generated from this file by
 * scripts/arginfo.
 *
 * Words. A *key* is any bytes, 0 to 4 GiB; an int means its decimal digits, as with PHP's array keys,
 * so 42 and "42" are one key. A float, bool or null is a TypeError, whatever PHP's mode: 19.99 would become 19, and be
 * absent under its text. An object with __toString() is its text where PHP converts arguments, so not under
 * strict_types nor within arrays. A *filter* answers "might this key have been added?": false is
 * certain, true is true but for the false-positive rate. A *blob* is a finished, immutable filter as
 * bytes. The *segment* is the directory of named filters that all processes of one user share (INI
 * `bloom.path`). A *store* is a key-value store that blobs are published to.
 *
 * Errors. Wrong arguments give ValueError or TypeError, which name the argument. Everything else is a
 * BloomException or a subclass of it; its code is the number of the status that docs/errors.md lists, or 0 where an object is
 * of no more use, as a builder that has built its blob.
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

/** The filter of that name is of another kind, has other parameters, or does not take what it was given. */
class KindException extends BloomException
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

/** A secret or signing key is needed that is not here: none is configured, its file is refused, it is not the one that
 * a filter was keyed with, or this build has no libsodium. No message holds anything of a secret. */
class SecretException extends BloomException
{
}

/** `bloom.signing_key_file` is set, and a blob is not rightly signed, or is older than the version served. */
class SignatureException extends BloomException
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
     * memory_limit. One that is larger than the machine's memory has an info(), and refuses all else.
     *
     * @param int $capacity distinct keys, 1 to 10^12. More may be added; the rate then rises and
     *        build() refuses at its limit
     * @param float $falsePositiveRate at capacity, 0.000000001 to 0.5
     * @param int|null $seed of the hash, any 64 bits; null: random. Anyone who knows the seed can choose keys that are
     *        false positives, so leave it random. like() keeps the seed of an earlier blob
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
     * @param bool $keyed make the digests with the current secret of `bloom.secret_file`, so that nobody
     *        without it can choose keys that are false positives
     * @param string|null $secret the same with these 32 bytes; null: as $keyed says
     * @param string $scheme "bloom"; "ribbon": a static filter of 7.3 instead of 9.9 bits per key at 1 %, which takes
     *        longer to ask, cannot be merged, and has neither $blockBytes nor $probes; "auto": whichever makes
     *        the smaller blob for this capacity and rate, and "bloom" when $blockBytes, $probes or $bitsPerKey is
     *        given. What is to be merged must be "bloom": nothing here can tell
     * @param int $jobs threads that addFile(), and build() of a ribbon builder, may use, 1 to 64. Bytes and counts are
     *        the same as of one. They live inside these calls only: no callback runs while there are any
     *
     * @throws SecretException when $keyed and there is no secret
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
        string $source = '',
        bool $keyed = false,
        #[\SensitiveParameter] ?string $secret = null,
        string $scheme = 'bloom',
        int $jobs = 1
    ) {
    }

    /**
     * An empty filter for the next version of a blob: keys that are in both versions set the same bits, so only chunks
     * whose keys changed need to travel.
     *
     * The builder takes the seed, capacity, rate, scheme, layout, chunk size and source of the earlier blob, unless an
     * argument replaces them. An argument that equals the blob's value changes nothing. A different capacity, rate,
     * scheme, layout or seed moves every bit, and the whole filter is transferred once. A different seed keeps the
     * layout. In the other cases the filter is sized as by the constructor, for the earlier capacity, rate and scheme
     * unless the arguments replace them. It then keeps the chunk size, and the shard size if the chunk size needs it.
     *
     * If the keys have outgrown the capacity, build() throws RateException: pass a larger capacity once.
     *
     * @param Blob $previous of Builder; ReverseIndexBuilder::like() takes a reverse index
     * @param bool|null $keyed null: keyed if the earlier blob is. A keyed builder uses the current secret of
     *        `bloom.secret_file`. If that secret has changed since, every bit moves
     * @param string|null $secret 32 bytes to use instead of that secret, as in the constructor. If the earlier blob was
     *        keyed with such bytes, pass them again
     * @param int $jobs as in the constructor; blobs do not store it
     *
     * @throws SecretException when it is to be keyed and there is no secret
     * @throws \ValueError for an argument out of range, or a reverse index
     * @throws BloomException when memory is short
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
     * Adds a key. Cost: one hash, one cache line.
     *
     * A ribbon builder keeps 16 bytes a key until build(), in room that doubles when it is full of different keys.
     *
     * @return bool true: the key is certainly new; false: it was there, or looks as if. A ribbon builder cannot
     *         tell before build(): false only where the key is the one that was added just before, else true
     *
     * @throws BloomException after build(), or for a filter that is larger than the machine's memory; also when
     *         memory is short for a ribbon builder's keys, and that builder is then of no more use
     */
    public function add(string|int $key): bool
    {
    }

    /**
     * Adds every value of an array or Traversable; the array's own keys don't matter.
     *
     * Cost: of an array in batches, while whose hashes are made the processor fetches the cache lines, and then a
     * fifth of what add() takes where the filter is larger than the cache.
     *
     * @param array|\Traversable $keys of string|int
     *
     * @return int how many of them were certainly new; of a ribbon builder, how many add() calls true
     *
     * @throws \TypeError for a value that is neither string nor int, naming its place; the values
     *         before it have been added
     * @throws BloomException after build()
     */
    public function addMany(iterable $keys): int
    {
    }

    /**
     * Adds a key a line, read in C. A line ends with LF or CR LF, of which the last one may lack the LF or
     * both. An empty line is the empty key.
     *
     * Memory: 256 KiB; with several jobs, for each of them 4 MiB and 16 bytes for each line of these, so 12 MB of keys
     * of 8 bytes and never over 71 MB. A line that is longer takes up to twice its length. All of it outside PHP's
     * memory_limit, and given back at the end.
     *
     * Of a stream of a server's, or of compressed data, that ends too early PHP says nothing: what came counts as all of
     * it. Fetch and check such a file first.
     *
     * @param string|resource $file a path or URL of any PHP stream wrapper, or an open stream, read
     *        from where it stands to its end
     * @param callable|null $progress called about every 4 MiB, with several jobs every 4 MiB for each of them, as
     *        $progress(int $bytes, int $keys) with what has been read so far
     *
     * @return int lines read
     *
     * @throws BloomException when the file cannot be opened or read; lines before that were added. In a process that was
     *         forked meanwhile, too: its parent goes on
     */
    public function addFile($file, ?callable $progress = null): int
    {
    }

    /**
     * Finishes the filter. The builder hands its memory to the blob and is then of no more use.
     *
     * Cost: one pass over the filter; of a ribbon builder sorting and solving, about 0.1 s per million keys of one job.
     *
     * @param float|null $maxFalsePositiveRate limit for the measured rate, over 0 to 1; null: none for
     *        as many keys as the capacity, 1.5 times the asked rate for more: about a tenth more pass
     * @param float|null $builtAt Unix time in seconds to stand in the blob; null: now. Of two blobs
     *        the later one is the newer version
     *
     * @throws RateException when the measured rate is over the limit, or too many keys were added for a ribbon
     *         filter of this capacity; the builder is then as before
     * @throws FormatException when a shard is all but full of set bits, whatever the limit
     */
    public function build(?float $maxFalsePositiveRate = null, ?float $builtAt = null): Blob
    {
    }

    /**
     * What was chosen and added so far.
     *
     * @return array{scheme: string, capacity: int, falsePositiveRate: float,
     *         predictedFalsePositiveRate: float, keys: int, added: int, bytes: int, bitsPerKey: float, shards: int, shardBytes: int,
     *         blockBytes: int, probes: int, seed: int, digest: string, keyedBy: string|null,
     *         chunkBytes: int, source: string}
     *         `keys` were certainly new (of a ribbon builder: repeated ones may be among them), `added` counts
     *         repeated ones too; `bitsPerKey` is at capacity
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

    /**
     * Fetches a blob as fetch() does, but returns null if nothing is published under the name.
     *
     * @param callable|null $progress called as $progress(int $bytes, int $total)
     *
     * @throws StoreException when the store fails, or lacks a chunk
     * @throws FormatException when what it has is no valid blob
     * @throws \ValueError for a bad name
     */
    public static function find(Store $store, string $name, ?callable $progress = null): ?Blob
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
     * names are deleted. When that fails the version is published all the same: `warning` says why,
     * and the next publish under the name tries again.
     *
     * @param callable|null $progress called as $progress(int $bytes, int $total) over all chunks. If another
     *        publisher is deleting old chunks, this call waits up to one minute, or one second if that publisher was
     *        killed on this host. While it waits, it calls $progress each second with a third argument, a string
     *        that gives the reason
     *
     * @param bool $force write all chunks, also those that the store says it has: heals damaged ones
     *
     * @return array{chunks: int, chunksWritten: int, bytesWritten: int, warning: ?string}
     *
     * @throws StoreException when the store fails; what was published before stays published. Also when it does
     *         not keep what it was just given, because it is full and evicts: hosts then go on with what they
     *         serve
     * @throws SignatureException when `bloom.signing_key_file` is set, and the blob is not signed for this name
     * @throws \ValueError for a bad name
     */
    public function publish(
        Store $store,
        string $name,
        ?callable $progress = null,
        bool $force = false
    ): array {
    }

    /**
     * The same blob, signed for a filter name with the current key of `bloom.signing_key_file`. Its chunks get
     * digests that cannot be forged, so under a store's name it shares none with an unsigned one.
     *
     * Cost: a copy, and one pass at about 1 GB/s.
     *
     * @throws SecretException when there is no signing key
     * @throws \ValueError for a bad name
     */
    public function sign(string $name): Blob
    {
    }

    /**
     * False: certainly not in it. True: perhaps. Of a reverse index: in any group.
     *
     * @throws SecretException when it is keyed with a secret that is not here
     */
    public function mightContain(string|int $key): bool
    {
    }

    /**
     * The groups that may hold a value; see ReverseIndex::groups().
     *
     * @return list<int> in rising order
     *
     * @throws KindException when this is no reverse index
     * @throws BloomException when more than $limit groups may hold it
     * @throws \ValueError for a limit below 1
     */
    public function groups(string|int $value, int $limit = 100_000): array
    {
    }

    /**
     * All keys of this blob and the others: bit for bit what one builder would have made of them, so that
     * the parts of a parallel build become one. They need the same geometry and seed, which builders get
     * that are given the same capacity, rate and seed.
     *
     * `keys` of the result is estimated from its bits, between the largest and the sum of the parts.
     * Capacity, rate, chunk size and source are this blob's, `builtAt` is the latest.
     *
     * @throws \ValueError naming the first difference in geometry or seed
     * @throws KindException of a ribbon filter
     * @throws FormatException when a shard would be all but full
     */
    public function merge(Blob ...$others): Blob
    {
    }

    /**
     * The keys that are in both: each of them is found. Of the others, a key of neither passes where both
     * filters pass it, a key of one of them at the rate of the other. More bits are set than those keys
     * alone would set; `measuredFalsePositiveRate` counts them.
     *
     * @throws \ValueError naming the first difference in geometry or seed
     * @throws KindException of a ribbon filter
     */
    public function intersect(Blob $other): Blob
    {
    }

    /**
     * What the head says.
     *
     * @return array{scheme: string, keys: int, estimatedKeys: int, capacity: int, falsePositiveRate: float,
     *         measuredFalsePositiveRate: float, predictedFalsePositiveRate: float, fill: float,
     *         setBits: int|null, bytes: int, bitsPerKey: float, shards: int, shardBytes: int,
     *         blockBytes: int, probes: int, seed: int, digest: string, keyedBy: string|null,
     *         chunks: int, chunkBytes: int, source: string,
     *         builtAt: float, formatVersion: int, checksum: string, signedBy: string|null}
     *         of a reverse index also {groups: int, fanOut: int, levels: int,
     *         expectedWrongGroups: float}.
     *         `keys` counts those that were certainly new when they were added (of a reverse index, one
     *         a value and level), `estimatedKeys` is
     *         the number that the set bits speak for; `falsePositiveRate` was asked for,
     *         `predicted…` is the formula's for the estimated keys, `measured…` is of the very bits; `fill` is the share of set bits, `checksum` the
     *         head's in hexadecimal: equal for equal blobs; `digest` is XXH3-128, or when keyed
     *         SipHash-2-4-128; `keyedBy` and `signedBy` are fingerprints of secrets, in hexadecimal.
     *         `signedBy` is what the head says: that it is true is checked by load(), sync() and publish().
     *         `scheme` is bloom, ribbon or reverse. Of a ribbon filter `keys` and `estimatedKeys` are the
     *         different keys, the rates follow from its width, `fill` is the share of slots that have a key,
     *         `setBits` is null, `probes` are the bits a key is told by, some keys by one more, and also
     *         {stripes: int}: of 64 slots, in a shard
     */
    public function info(): array
    {
    }
}

/**
 * A named filter of the segment, shared by all processes of this user on this host. The object is a
 * handle: cheap to make, following every reload by itself. All methods but info() see one generation
 * from beginning to end. After a drop, a handle throws NotFoundException until a filter of that name
 * is created again, and then uses the new filter. If the new filter is of another class, methods that only the old
 * class has throw KindException.
 *
 * If the segment's directory is removed and created again, a handle notices within a second, or after 64 calls if those
 * take longer. open() and find() notice at once.
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
     * The filter of that name, of whichever class; called on one of the subclasses, of that class only.
     *
     * Cost: one system call; the first use in a process maps the filter.
     *
     * @param string $name 1 to 128 of A-Z a-z 0-9 . _ - , starting with none of . and -
     *
     * @throws NotFoundException when none is loaded
     * @throws KindException when it is not of the class that this was called on
     * @throws SegmentException when the segment is refused or cannot be read
     * @throws \ValueError for a bad name
     */
    public static function open(string $name): Filter
    {
    }

    /**
     * The same, but null when no filter of that name is loaded. One of another class than the subclass that this was
     * called on is no null but a KindException, as of open().
     *
     * @throws KindException
     * @throws SegmentException
     * @throws \ValueError for a bad name
     */
    public static function find(string $name): ?Filter
    {
    }

    /**
     * Names of all filters in the segment, sorted: of all classes, also when called on one of the subclasses.
     *
     * @return list<string>
     *
     * @throws SegmentException
     */
    public static function list(): array
    {
    }

    /**
     * Drops a filter, of whichever class: called on a subclass it drops one of another class, too. Handles to it throw
     * NotFoundException from then on; the memory comes back when no process has it mapped any more.
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
     * With an overlay, which is keyed if the blob is, the filter also takes keys by LoadedFilter::add(), which are remembered beside the
     * blob: a key added after the nightly snapshot was taken is found although the blob lacks it. The
     * overlay stays when later loads and syncs bring other blobs, until the filter is dropped.
     *
     * @param callable|null $progress called as $progress(int $bytes, int $total)
     * @param float|null $overlayWindow seconds for which a key that was added is certainly found, from
     *        0.01 to 1,000,000,000; it is forgotten after twice that at the latest. null: no overlay, or
     *        the one that there is
     * @param int|null $overlayCapacity keys that may be added in that time; with $overlayWindow only
     *
     * @return Filter a LoadedFilter, or for the blob of a reverse index a ReverseIndex
     *
     * @throws KindException when a live filter has that name, or a reverse index and the blob is none, or the other
     *         way round: drop() it first; when an overlay is there with another window or capacity, or is asked
     *         for beside a reverse index
     * @throws SegmentException when the segment is refused, full or over `bloom.memory_limit`
     * @throws SignatureException when `bloom.signing_key_file` is set, and the blob is not signed for this name by
     *         one of its keys, or older than the version served
     * @throws SecretException when the blob is keyed with a secret that is not here
     * @throws BusyException
     * @throws NotFoundException when another process drops the filter before this call returns
     * @throws \ValueError for a bad name, window or capacity
     */
    public static function load(
        string $name,
        Blob $blob,
        ?callable $progress = null,
        ?float $overlayWindow = null,
        ?int $overlayCapacity = null
    ): Filter {
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
     * @param bool $force load the published version even when it is older than the served one, or the same but with bits
     *        that somebody has written over since, which costs a pass over them; signatures are checked all the same
     * @param callable|null $progress called as $progress(int $bytes, int $total)
     *
     * @return bool true: this call switched to another version, or to a sound copy of a damaged one. False: it did not, because what is served is up to date, it
     *         is not time to look, or another process looks. So it is during the wait after a failure: only the call that
     *         failed throws, and `lastError` and `syncFailuresInRow` of info() tell the others, if anything is served. With
     *         a ttl of 0 each call looks, and throws
     *
     * @throws StoreException when the store fails, lacks the name or a chunk, or has an older version
     * @throws KindException when a live filter has that name, or a reverse index and what was published is none, or
     *         the other way round
     * @throws FormatException when what it has is not a valid blob
     * @throws SegmentException as load(); of an on-demand filter, when the new head needs more than its memory
     * @throws SignatureException as load()
     * @throws SecretException as load()
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

    /**
     * Attaches to a published filter that is larger than this host wants to hold. Only its head is loaded; a
     * chunk is fetched from the store when a key first needs it, kept for all processes of the host
     * within the budget, and gives way to others when it has not been used for long. While a chunk
     * cannot be had its keys answer "maybe".
     *
     * Blobs for this want small chunks, of which the same memory holds more that is asked for: build them with
     * shardBytes: 1024, chunkBytes: 1024. New versions come by sync(), which then fetches the head only, takes
     * over the chunks that are here and have not changed, and keeps the memory. Another memory: drop() the
     * filter and attach anew.
     *
     * Cost: of a host's first attach() one read of the store, and allocating the file, `memory` bytes
     * of it or what all chunks need if that is less; of the others that of open().
     *
     * @param Store $store where the filter is published under this name; this handle, and no other, asks it
     *        in the middle of lookups: give it short timeouts
     * @param int $memory bytes that the filter may take in the segment, its head and tables included; of
     *        the host's first attach(), the others must say the same. While sync() replaces the head there
     *        are two files of that size
     *
     * @throws StoreException when the filter is not here yet and the store fails or lacks it
     * @throws FormatException when what the store has is no valid head
     * @throws KindException when a filter of another kind has that name, or one with other memory, or what
     *         is published is a reverse index
     * @throws SignatureException as load()
     * @throws SecretException as load()
     * @throws SegmentException when the segment is refused, full or over `bloom.memory_limit`; when $memory is less
     *         than the published head and one chunk need: the message says how much that is
     * @throws BusyException as load()
     * @throws \ValueError for a bad name, or a $memory that is not positive
     */
    public static function attach(string $name, Store $store, int $memory): OnDemandFilter
    {
    }

    final public function name(): string
    {
    }

    /**
     * Whether a key might have been added. False is certain. True is wrong at the false-positive rate,
     * and always the answer while the served generation cannot be mapped.
     *
     * Cost: one hash, one cache line; no lock, no allocation, and no system call but one a second, which looks the
     * name up.
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
     * Cost: of a live filter or overlay one pass over at most 1 MiB of each layer's bits (of a reverse index 256 KiB). In a
     * larger layer `setBits`, `fill`, `estimatedKeys` and the measured and predicted rates come from this sample. `keys` is
     * always counted.
     *
     * @return array of all kinds {name: string, kind: string, generation: int, keys: int,
     *         estimatedKeys: int, capacity: int, falsePositiveRate: float,
     *         measuredFalsePositiveRate: float, predictedFalsePositiveRate: float, fill: float,
     *         setBits: int|null, bytes: int, bitsPerKey: float, shards: int, shardBytes: int,
     *         blockBytes: int, probes: int, seed: int, digest: string, keyedBy: string|null,
     *         warning: string|null, loadedAt: float,
     *         loads: int, segment: string, segmentBytes: int, memoryLimit: int, mapFailures: int};
     *         of a loaded one also {scheme: string, chunks: int, chunkBytes: int, source: string, builtAt: float,
     *         formatVersion: int, checksum: string, signedBy: string|null, overlay: array|null,
     *         lookupFalsePositiveRate: float, syncs: int,
     *         syncFailures: int, syncFailuresInRow: int, syncedSecondsAgo: float|null,
     *         lastError: string|null, lastErrorAt: float|null, verifiedAt: float, verifyProgress: float,
     *         damages: int, damagedAt: float|null};
     *         of the others {created: float}; of a scalable one {growth: float, tightening: float,
     *         growthFailures: int, layers: list<array>}; of a sliding one, and in `overlay`,
     *         {window: float, rotatesAt: float, nextFill: float}; of a reverse index
     *         {groups: int, fanOut: int, levels: int, expectedWrongGroups: float}.
     *         of an on-demand one what a loaded one has, but for `overlay` and `warning`, and
     *         {memory: int, memoryAsked: int, chunksHere: int, chunksRoom: int, misses: int, untold: int,
     *         fetched: int, evicted: int, fetchFailures: int, fetchFailuresInRow: int,
     *         fetchPause: float}: `memory` bytes that it takes, of `memoryAsked`; chunks that are here,
     *         and that there is room for; `misses` are keys
     *         whose chunk was not here when they were asked for, `untold` those that were therefore
     *         answered "maybe"; chunks that came and that gave way; calls of the store that failed and
     *         chunks that it lacked or had wrong; failures of the store since it last gave a chunk; seconds
     *         for which it is left alone. All since attach(), over all processes and versions.
     *         `verifiedAt` is when all of the served file had last been verified, by the load or by syncs;
     *         `verifyProgress` is how much of the next pass is done, 0 to 1; `damages` counts the damaged shards or
     *         chunks that syncs found since the filter was made, the last one at `damagedAt`.
     *         Times are Unix seconds. `kind` is loaded, live, counting, scalable, sliding, reverse or
     *         on-demand.
     *         `warning` says when the measured rate has passed the asked one, of the filter or of its overlay;
     *         `lookupFalsePositiveRate` is what a lookup meets: the measured rates of both together. `fill` is of the slot that
     *         lookups use, `nextFill` of the one that takes over at `rotatesAt`. `mapFailures`
     *         counts lookups of this process that had to answer "maybe" because the generation could not
     *         be mapped
     *
     * @throws NotFoundException when the filter was dropped
     */
    public function info(): array
    {
    }

    /**
     * The same, shard by shard: where the filter is fuller than elsewhere. Of a scalable filter all
     * layers' shards, the oldest layer's first; of a sliding one those that lookups use.
     *
     * Cost: one pass over the bits.
     *
     * @return list<array{setBits: int|null, fill: float, estimatedKeys: float,
     *         measuredFalsePositiveRate: float}> estimatedKeys is at most 10^15, which all set bits give
     *
     * @throws NotFoundException when the filter was dropped
     */
    final public function shards(): array
    {
    }
}

/**
 * A filter that came from a blob: immutable until the next load() or sync(), but for an overlay.
 *
 * @strict-properties
 * @not-serializable
 */
final class LoadedFilter extends Filter
{
    /**
     * Adds a key to the overlay, for at least the window that was asked for when the filter was loaded.
     *
     * @return bool true: it was certainly not in the overlay
     *
     * @throws NotFoundException when the filter was dropped
     * @throws KindException when there is no overlay (see Filter::load()), or the name was dropped and given to a
     *         filter of another class
     * @throws SegmentException when it cannot be written
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
     * @throws \TypeError for a value that is neither string nor int; those before it were added
     *
     * @implementation-alias Bloom\LiveFilter::addMany
     */
    public function addMany(iterable $keys): int
    {
    }
}

/**
 * A filter that any process of this user on this host adds keys to while others look them up. No add is
 * lost, whoever adds at the same time and whoever is killed.
 *
 * @strict-properties
 * @not-serializable
 */
final class LiveFilter extends Filter
{
    /**
     * The live filter of that name: made if there is none.
     *
     * Cost: as open() when it is there; making one takes up to some milliseconds.
     *
     * @param int $capacity distinct keys that it is to hold, from 1 to 10^12. It takes more, at a higher
     *        rate; info() then has a warning
     * @param float $falsePositiveRate at capacity, from 10^-9 to 0.5
     * @param int|null $seed of the hash; null: random, or that of the filter that is there
     * @param bool $keyed make the digests with the current secret of `bloom.secret_file`; see Builder.
     *        After a rotation the filter that is there keeps its own
     *
     * @throws KindException when there is one of another kind or with other parameters
     * @throws SecretException when it is or shall be keyed, and the secret is not here
     * @throws SegmentException when the segment is refused, full or over `bloom.memory_limit`
     * @throws \ValueError for an argument out of range
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
     * A new live filter that begins with what a blob holds, in its geometry, and with its number of keys.
     *
     * @throws KindException when there is a filter of that name, or the blob is a reverse index or a ribbon filter
     * @throws SegmentException as create()
     */
    public static function import(string $name, Blob $blob): LiveFilter
    {
    }

    /**
     * Adds a key.
     *
     * Cost: as a lookup, and a write for each bit that was not set.
     *
     * @return bool true: it was certainly not there before. Of processes that add the same new key at
     *         the same time, each may be told so
     *
     * @throws NotFoundException when the filter was dropped
     * @throws KindException when it was dropped and its name given to a filter of another class
     * @throws SegmentException when what has that name cannot be mapped now
     */
    public function add(string|int $key): bool
    {
    }

    /**
     * Adds keys.
     *
     * @return int how many were certainly not there before
     *
     * @throws \TypeError for a value that is neither string nor int; those before it were added
     */
    public function addMany(iterable $keys): int
    {
    }

    /**
     * A blob of all keys whose adding has ended, to save, to publish or to load elsewhere.
     *
     * @param string $source at most 128 bytes of free text, kept in the blob
     *
     * @throws FormatException when a shard is all but full
     */
    public function export(string $source = ''): Blob
    {
    }
}

/**
 * A live filter whose keys can be removed again. Takes five times the memory of a LiveFilter: four bits
 * count, beside each bit, how many keys set it.
 *
 * @strict-properties
 * @not-serializable
 */
final class CountingFilter extends Filter
{
    /** The counting filter of that name: made if there is none. See LiveFilter::create(). */
    public static function create(
        string $name,
        int $capacity,
        float $falsePositiveRate = 0.01,
        ?int $seed = null,
        bool $keyed = false
    ): CountingFilter {
    }

    /**
     * Adds a key once more.
     *
     * Cost: two system calls; about a dozen when the filter is not one of the eight that this process added to last.
     *
     * @return bool true: it was certainly not there before
     *
     * @throws BusyException when another process, stopped in the middle of its work, holds the lock for
     *         longer than `bloom.lock_timeout`; nothing was added
     * @throws NotFoundException, KindException, SegmentException as LiveFilter::add(), and SegmentException when no
     *         descriptor is free; nothing was added
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
     * Takes back one add() of a key. Remove only what was added: a key that was not, but seems to be
     * there, would take its bits from others.
     *
     * @return bool false: the key was certainly not there, and nothing was changed
     *
     * @throws BusyException as add()
     */
    public function remove(string|int $key): bool
    {
    }

    /**
     * How often a key was added and not removed, at most: 0 is certain. 15 means 15 or more; a counter
     * that has come so far stays there, and its keys with it.
     *
     * @throws BusyException as add()
     */
    public function count(string|int $key): int
    {
    }

    /**
     * See LiveFilter::export(): a plain blob, without the counters.
     *
     * @implementation-alias Bloom\LiveFilter::export
     */
    public function export(string $source = ''): Blob
    {
    }
}

/**
 * A live filter that grows layer by layer with what is added and keeps its rate (Almeida et al., "Scalable
 * Bloom Filters", 2007). For sets whose size nobody knows; where it is known a LiveFilter is smaller
 * and faster.
 *
 * @strict-properties
 * @not-serializable
 */
final class ScalableFilter extends Filter
{
    /**
     * The scalable filter of that name: made if there is none.
     *
     * @param int $initialCapacity distinct keys of the first layer, from 1 to 10^12
     * @param float $falsePositiveRate of the whole, however far it grows, from 10^-9 to 0.5
     * @param float $growth each layer's capacity over that of the one before, from 1.1 to 16
     * @param float $tightening each layer's rate over that of the one before, from 0.1 to 0.99; the first
     *        gets $falsePositiveRate · (1 − $tightening)
     * @param int|null $seed of the hash; null: random, or that of the filter that is there
     * @param bool $keyed make the digests with the current secret of `bloom.secret_file`; see Builder.
     *        After a rotation the filter that is there keeps its own
     *
     * @throws KindException when there is one of another kind or with other parameters
     * @throws SecretException when it is or shall be keyed, and the secret is not here
     * @throws SegmentException when the segment is refused, full or over `bloom.memory_limit`
     * @throws \ValueError for an argument out of range
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
     * Adds a key, and a layer when the newest is full. When no layer can be added (memory limit, full file
     * system, 64 layers) the newest takes the key all the same: see `warning` and `growthFailures`
     * in info(). After such a failure nobody tries again for a second, or for ten times as long as the try
     * took if that is more.
     *
     * @return bool true: it was certainly not there before
     *
     * @throws NotFoundException when the filter was dropped
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
 * A live filter that forgets: a key is found for at least half a window after it was added, and not any
 * more after a whole one.
 *
 * @strict-properties
 * @not-serializable
 */
final class SlidingFilter extends Filter
{
    /**
     * The sliding filter of that name: made if there is none.
     *
     * @param int $capacity distinct keys that are added in one window, from 1 to 10^12
     * @param float $falsePositiveRate at capacity, from 10^-9 to 0.5
     * @param float $window seconds, from 0.01 to 1,000,000,000: after this time a key is certainly
     *        forgotten; it is certainly found for the first half of it. Setting the host's clock has no
     *        effect
     * @param int|null $seed of the hash; null: random, or that of the filter that is there
     * @param bool $keyed make the digests with the current secret of `bloom.secret_file`; see Builder.
     *        After a rotation the filter that is there keeps its own
     *
     * @throws KindException when there is one of another kind or with other parameters
     * @throws SecretException when it is or shall be keyed, and the secret is not here
     * @throws SegmentException when the segment is refused, full or over `bloom.memory_limit`
     * @throws \ValueError for an argument out of range
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
     * Adds a key, or its time anew.
     *
     * @return bool true: it was certainly not there before
     *
     * @throws BusyException when the filter must be rotated, and a process that was stopped while doing
     *         so holds the lock for longer than `bloom.lock_timeout`; nothing was added
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
     * A blob of what lookups find now; see LiveFilter::export().
     *
     * @implementation-alias Bloom\LiveFilter::export
     */
    public function export(string $source = ''): Blob
    {
    }
}

/**
 * Tells which of many groups may hold a value: a tree of filters, each node's children interleaved, so that
 * one look answers for all children at once and only those that match are descended into.
 *
 * Live, from create() or import(); or loaded, from the blob that a ReverseIndexBuilder built.
 *
 * @strict-properties
 * @not-serializable
 */
final class ReverseIndex extends Filter
{
    /**
     * The live index of that name: made if there is none.
     *
     * @param int $groups their number, from 1 to 2^32; they are 0 to $groups − 1
     * @param int $capacity values of all groups together; one in two groups counts twice
     * @param float $falsePositiveRate of each of the tree's filters, from 10^-9 to 0.5, and so at most
     *        that of any one group; how many wrong groups an answer has is `expectedWrongGroups` of info()
     * @param int $fanOut children of a node, a power of two from 64 to 1024
     * @param int|null $seed of the hash; null: random, or that of the index that is there
     * @param bool $keyed make the digests with the current secret of `bloom.secret_file`; see Builder.
     *        After a rotation the index that is there keeps its own
     *
     * @throws KindException when there is a filter of another kind or with other parameters
     * @throws SegmentException when the segment is refused, full or over `bloom.memory_limit`
     * @throws \ValueError for an argument out of range
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
     * A new live index that begins with what a blob holds.
     *
     * @throws KindException when there is a filter of that name, or the blob is no reverse index
     */
    public static function import(string $name, Blob $blob): ReverseIndex
    {
    }

    /**
     * Adds a value to a group.
     *
     * @return bool true: it was certainly not in that group before
     *
     * @throws KindException when the index was loaded from a blob
     * @throws \ValueError for a group that there is not
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
     * The groups that may hold a value: all that do, and a few that do not.
     *
     * @param int $limit the most groups that the list may have. It is never cut short: a group that is not in it
     *        certainly does not hold the value. 100,000 groups take 2 MB
     *
     * @return list<int> in rising order
     *
     * @throws BloomException when more than $limit groups may hold it (E_GROUPS_LIMIT): raise the limit
     * @throws SegmentException while the index cannot be mapped: then any group may hold it
     * @throws NotFoundException when it was dropped
     * @throws \ValueError for a limit below 1
     */
    public function groups(string|int $value, int $limit = 100_000): array
    {
    }

    /**
     * See LiveFilter::export(). Of a live index only.
     *
     * @implementation-alias Bloom\LiveFilter::export
     */
    public function export(string $source = ''): Blob
    {
    }
}

/**
 * Groups and their values → the Blob of a ReverseIndex.
 *
 * @strict-properties
 * @not-serializable
 */
final class ReverseIndexBuilder
{
    /**
     * @param int $groups see ReverseIndex::create()
     * @param int $capacity values of all groups together
     * @param float $falsePositiveRate of each of the tree's filters, from 10^-9 to 0.5
     * @param int $fanOut children of a node, a power of two from 64 to 1024
     * @param int|null $seed of the hash; null: random. like() keeps that of an earlier blob
     * @param int|null $chunkBytes see Builder::__construct()
     * @param string $source at most 128 bytes of free text, kept in the blob
     * @param bool $keyed see Builder::__construct()
     * @param string|null $secret likewise
     *
     * @throws SecretException when $keyed and there is no secret
     * @throws \ValueError for an argument out of range
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
     * An empty index for the next version of a blob; see Builder::like().
     *
     * Another number of groups moves no bit as long as the tree keeps its levels: with 256 children a node it has one up to 256
     * groups, two up to 65,536 and three up to 16,777,216.
     *
     * @param Blob $previous a reverse index
     *
     * @throws SecretException when it is to be keyed and there is no secret
     * @throws \ValueError for an argument out of range, or a blob that is no reverse index
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
     * @return bool true: it was certainly not in that group before
     *
     * @throws \ValueError for a group that there is not
     */
    public function add(int $group, string|int $value): bool
    {
    }

    /**
     * Adds values to a group.
     *
     * @return int how many were certainly not in it
     *
     * @throws \TypeError for a value that is neither string nor int; those before it were added
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
     * What was chosen and added so far: see Builder::info(), and {groups: int, fanOut: int, levels: int,
     * expectedWrongGroups: float}.
     *
     * @implementation-alias Bloom\Builder::info
     */
    public function info(): array
    {
    }
}

/**
 * A published filter of which the host holds only the chunks that are used; see Filter::attach(). Lookups ask
 * the store for what is missing: one chunk for mightContain(), all that are needed at once for
 * candidates(), in calls of some 4 MiB, and no more of them than there is room for.
 *
 * A key whose chunk cannot be had is answered "maybe", and counted in info()'s `untold`: no lookup throws what
 * the store throws. Two processes do not fetch the same chunk: the second answers "maybe" meanwhile, for at
 * most 5 seconds, after which another may fetch it. So long a chunk is left alone, too, that the store lacks or
 * has wrong. A store that fails, or lacks eight chunks in a row, is left alone by all processes for 1, 2, 4 … 30
 * seconds, after which one of them tries; info() has the reason in `lastError` and what is left of the pause in
 * `fetchPause`.
 *
 * Cost: of a key whose chunk is here that of a lookup in a loaded filter and two more words read; of one whose
 * chunk is not, a call of the store's getMultiple(), which no lock is held in. It may take its time in the middle
 * of a request: give its client a timeout that a request can bear.
 *
 * A handle from Filter::open() has no store: what is not here is "maybe".
 *
 * @strict-properties
 * @not-serializable
 */
final class OnDemandFilter extends Filter
{
}

/**
 * A key-value store. Values are binary strings; a value's size is the chunk size or, for a head,
 * 4 KiB and more. Any method may throw; the exception becomes the previous one of a StoreException.
 *
 * If a store can determine a value's size before it reads the value, it should refuse more than 1 GiB, the largest
 * chunk. The extension discards values that are too long, but only after they are in memory.
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
     * Deletes keys; one that does not exist is no error. What it throws is a warning of publish(), which
     * tries again next time: so one that cannot be deleted should not keep the others.
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
     * @param string $directory one that publishes must be able to write there. It need not be there yet, but each
     *        call of a method while it is not throws StoreException: a share may not be mounted
     *
     * @throws \ValueError for what is no path
     */
    public function __construct(string $directory)
    {
    }

    /**
     * Reads no file that is longer than its place allows: a head is as long as its first 512 bytes say, a chunk has
     * at most the chunk size of its head, and any other value at most 1 GiB.
     *
     * @throws StoreException for a file that is there but cannot be read, is too long, or is larger than the memory
     *         that memory_limit leaves
     */
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
 * On a cluster each key is asked for by a command of its own, which the client sends to the key's server: a
 * round trip a chunk. A prefix with a hash tag (`bloom:{tags}:`) puts all keys onto one server and is
 * asked for them together, as a single server is.
 *
 * @strict-properties
 * @not-serializable
 */
final class RedisStore implements Store
{
    private object $client;
    private string $prefix;

    /**
     * @param object $client \Redis, \RedisCluster or \Predis\ClientInterface, a cluster's included,
     *        connected. A serializer or compression set on it must be the same for publishers and readers.
     *        Or, as pages should have it, a \Closure that connects and returns one of them: it is called when the
     *        store is first asked for something, so a page whose filter is fresh never connects, and a server
     *        that is down fails a sync or a fetch, not the page. If a fiber asks the store while the closure
     *        of another fiber's call is suspended, both call the closure; the client that is made first is kept
     * @param string $prefix put before every key
     *
     * @throws \TypeError for any other object
     */
    public function __construct(object $client, string $prefix = 'bloom:')
    {
    }

    /**
     * One MGET; on a cluster a GET a key.
     *
     * @throws StoreException for an answer that is not one
     */
    public function getMultiple(array $keys): array
    {
    }

    /**
     * EXISTS of all keys at once, halved until each part is all there or all missing; on a cluster key by
     * key, which takes 0.1 s for 2,000 keys where a round trip takes 0.05 ms.
     *
     * @throws StoreException
     */
    public function missing(array $keys): array
    {
    }

    /** @throws StoreException when the server refuses */
    public function set(string $key, string $value): void
    {
    }

    /**
     * DEL of up to 1,000 keys at once; on a cluster key by key.
     *
     * @throws StoreException
     */
    public function deleteMultiple(array $keys): void
    {
    }
}

/**
 * Memcached, through your own client of ext-memcached: its servers, timeouts and options stay yours.
 *
 * Memcached forgets: by eviction, and all of it when it restarts. Hosts that have a filter keep serving it; a
 * sync that needs what is gone fails until the blob is published again, which writes what is missing.
 *
 * An item is 1 MB at most, unless the server's option -I says otherwise, and that goes for chunks (64 KiB
 * unless built otherwise) and for the head, which has 16 bytes a shard and a chunk. The largest filters for
 * 1 MB items: 453 MiB with shards of 8 KiB and chunks of 64 KiB, as they are by default; 1.99 GiB with both of
 * 64 KiB; 31.8 MiB with both of 1 KiB.
 *
 * @strict-properties
 * @not-serializable
 */
final class MemcachedStore implements Store
{
    private object $client;
    private string $prefix;

    /**
     * @param object $client \Memcached, with its servers. It must wait for answers: OPT_NOREPLY and
     *        OPT_BUFFER_WRITES off. A filter does not compress: with OPT_COMPRESSION off publishing is
     *        faster. Serializer, compression and distribution must be the same for publishers and readers.
     *        Or a \Closure that returns one, called when the store is first asked for something; for fibers
     *        see RedisStore
     * @param string $prefix put before every key: at most 89 bytes of printable ASCII, without spaces
     *
     * @throws \TypeError for any other object
     * @throws \ValueError for a prefix with which keys are none of Memcached's
     */
    public function __construct(object $client, string $prefix = 'bloom:')
    {
    }

    /**
     * One get of all keys.
     *
     * @throws StoreException also when only one of several servers fails that has a key
     */
    public function getMultiple(array $keys): array
    {
    }

    /**
     * Memcached can't tell that a key exists but by its value: all values are fetched, 16 at a time, and
     * thrown away.
     *
     * @throws StoreException
     */
    public function missing(array $keys): array
    {
    }

    /** @throws StoreException when the server refuses, for instance a value over its item size */
    public function set(string $key, string $value): void
    {
    }

    /** @throws StoreException */
    public function deleteMultiple(array $keys): void
    {
    }
}
