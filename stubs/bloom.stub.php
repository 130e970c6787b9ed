<?php

/**
 * The complete API of the bloom extension. scripts/arginfo generates src/php/bloom_arginfo.h from this
 * file.
 *
 * Terms:
 *  - A *key* is any string from 0 bytes to 4 GiB long. An int is treated as its decimal digits, as in
 *    PHP's array keys, so 42 and "42" are the same key. Floats, bools and null throw a TypeError in every
 *    typing mode, because PHP would otherwise convert 19.99 to 19. Objects with __toString() are accepted
 *    only as direct arguments, and only without strict_types.
 *  - A *filter* answers "might this key have been added?". If the answer is false, you can rely on it. If
 *    the key is absent, the answer can still be true, and how often that happens is the false-positive
 *    rate.
 *  - A *blob* is the serialized form of a finished, immutable filter.
 *  - The *segment* is a directory of named filters, shared by all processes of the same user (INI setting
 *    `bloom.path`).
 *  - A *store* is a key-value store where you publish blobs.
 *  - A *generation* is one version of a named filter on this host.
 *
 * Errors: An invalid argument throws a ValueError or TypeError that names the argument. Any other failure
 * throws a BloomException or one of its subclasses. Its code is one of the numbers in
 * docs/reference/errors.md, or 0 if you call a method on an object that can no longer be used, such as a
 * builder after build().
 *
 * @generate-class-entries
 */

namespace Bloom;

/**
 * The base class of all exceptions in this extension. Catch it if you handle every failure the same way,
 * for example by querying the database. Catch a subclass if you need to treat some failures differently.
 */
class BloomException extends \Exception
{
}

/**
 * No filter with this name is loaded on this host. This says nothing about any key, so treat every key as
 * "maybe".
 */
class NotFoundException extends BloomException
{
}

/**
 * The filter with this name has a different kind or different parameters, or does not support the
 * operation.
 */
class KindException extends BloomException
{
}

/**
 * The bytes are not a valid blob. The message says which check failed. This is also thrown if the blob
 * was built more than a day ahead of this host's clock.
 */
class FormatException extends BloomException
{
}

/**
 * The filter has too many keys for its size. Either the measured false-positive rate of a finished filter
 * is over the limit, or a bounded filter is full.
 */
class RateException extends BloomException
{
}

/**
 * The segment could not be used. Its directory or one of its files was refused, it is full or would
 * exceed a limit, or a system call failed.
 */
class SegmentException extends BloomException
{
}

/** Another process held the write lock for longer than `bloom.lock_timeout`. You can try again. */
class BusyException extends SegmentException
{
}

/**
 * The store failed, returned a value of the wrong type, or doesn't have the requested value. If your
 * store or its client threw an exception, getPrevious() returns it.
 */
class StoreException extends BloomException
{
}

/**
 * A required secret or signing key is not available. Either none is configured, its file was refused, the
 * filter is keyed with a different secret, or this build has no libsodium. The message never contains any
 * part of a secret.
 */
class SecretException extends BloomException
{
}

/**
 * `bloom.signing_key_file` is set, but the blob has no valid signature or is older than the version being
 * served.
 */
class SignatureException extends BloomException
{
}

/**
 * The codes of BloomException. Status::tryFrom($exception->getCode()) returns the case, or null if the
 * code is 0. Always compare with the cases, because the numbers may change between releases. See
 * docs/reference/errors.md for what each case means.
 */
enum Status: int
{
    // scripts/errors writes the cases
    /** the memory must be large enough for the filter's head and one chunk */
    case Budget = 14;
    /** a segment path must be absolute and shorter than 4,000 bytes */
    case Path = 19;
    /** too short to be a blob */
    case Short = 20;
    /** this is not a bloom blob: the magic bytes do not match */
    case Magic = 21;
    /** this build reads only blobs of format version 2 */
    case Version = 22;
    /** the head's size does not match its tables */
    case HeadBytes = 23;
    /** the head's checksum does not match */
    case HeadChecksum = 24;
    /** a reserved byte is not zero */
    case Reserved = 25;
    /** this build does not know the filter scheme, digest or chunk digest */
    case Scheme = 26;
    /** the head's geometry is out of range */
    case Geometry = 27;
    /** the length does not match the head */
    case Length = 28;
    /** the head's totals do not match its shard rows */
    case Totals = 29;
    /** the head's capacity, rate or source name is out of range */
    case Meta = 30;
    /** the shard's checksum does not match */
    case ShardChecksum = 31;
    /** the shard's set bits do not match its row */
    case ShardBits = 32;
    /** the shard has too few or too many set bits for its number of keys */
    case ShardKeys = 33;
    /** more than 15 of 16 bits are set, so nearly every answer would be maybe */
    case Saturated = 34;
    /** the chunk's bytes do not match its digest */
    case ChunkDigest = 35;
    /** the measured false-positive rate is over the limit */
    case OverRate = 36;
    /** the filter is full and does not accept more keys */
    case Full = 37;
    /** no such filter is loaded */
    case NotFound = 38;
    /** the filter was dropped */
    case Gone = 39;
    /** the time to live of the saved filter has expired */
    case Expired = 40;
    /** a filter with that name already exists */
    case Exists = 41;
    /** that name is taken by a filter of a different kind */
    case Kind = 42;
    /** a reverse index loaded from a blob is read-only */
    case Immutable = 43;
    /** the filter cannot currently be mapped into this process */
    case Unmapped = 44;
    /** this build cannot read this on-demand filter */
    case Cache = 45;
    /** this build cannot read this live filter */
    case Live = 46;
    /** refused: it is not a regular file or directory, or it has several hard links */
    case RefusedType = 47;
    /** refused: it belongs to another user */
    case RefusedOwner = 48;
    /** refused: group or others may access it (directories must be 0700, files 0600) */
    case RefusedMode = 49;
    /** the segment's directory cannot be created */
    case NoDirectory = 50;
    /** this file is not a control page of the bloom extension */
    case Control = 51;
    /** a different version of this extension has a live filter with that name */
    case OtherVersion = 52;
    /** the segment would exceed its memory limit */
    case Limit = 53;
    /** the file would exceed the process's file size limit (RLIMIT_FSIZE) */
    case FileLimit = 54;
    /** the file system has too little free space */
    case Space = 55;
    /** the staged file was not completely written and verified */
    case Incomplete = 56;
    /** the operating system refused the operation */
    case System = 57;
    /** out of memory */
    case Memory = 58;
    /** another process has changed the filter in the meantime */
    case Overtaken = 59;
    /** another writer held the lock for the whole lock timeout */
    case Busy = 60;
    /** the store failed */
    case Store = 61;
    /** the store returned a value of the wrong type */
    case StoreType = 62;
    /** missing from the store */
    case StoreMissing = 63;
    /** the store's version is older than the one served */
    case Stale = 64;
    /** this build has no libsodium, which keyed filters and signed blobs need */
    case Sodium = 65;
    /** the secret file cannot be read: its path must be absolute, and its size at most 16 KiB */
    case SecretFile = 66;
    /** the secret file must be a regular file owned by this user or root, inaccessible to others and not group-writable */
    case SecretMode = 67;
    /** the secret file must have 1 to 8 different lines of 64 hexadecimal digits */
    case SecretText = 68;
    /** no secret is configured */
    case NoSecret = 69;
    /** the filter is keyed with a secret that is not configured */
    case Secret = 70;
    /** no signing key is configured */
    case NoSigningKey = 71;
    /** the blob is not signed, but signing keys are configured */
    case Unsigned = 72;
    /** the blob is signed with a key that is not configured */
    case Signer = 73;
    /** the signature does not match: the head was altered, or signed for a different name */
    case Signature = 74;
    /** the blob is older than the version served, but signing keys are configured */
    case Replay = 75;
    /** a ribbon filter or a map cannot be extended or merged */
    case Solved = 80;
    /** refused: it is on a network file system, where other hosts can change mapped files */
    case RefusedNetwork = 81;
    /** refused: the file has holes, which can kill the process when the file system is full */
    case Holes = 82;
    /** the served file is damaged, so lookups answer maybe until a sync or a load succeeds */
    case Damaged = 83;
    /** the store's value is larger than allowed */
    case StoreSize = 84;
    /** a value in no group would match more than 10,000 groups on average */
    case WrongGroups = 86;
    /** more groups may hold the value than the limit allows */
    case GroupsLimit = 87;
    /** the blob's build time is more than a day ahead of this host's clock */
    case BuiltAhead = 89;
    /** a journal record is damaged or larger than 1 MiB */
    case Record = 91;
    /** a journal record belongs to a different filter */
    case RecordName = 92;
    /** a journal record is not signed, but signing keys are configured */
    case RecordUnsigned = 93;
    /** a journal record is signed with a key that is not configured */
    case RecordSigner = 94;
    /** a journal record was altered: its signature does not match */
    case RecordSignature = 95;
    /** a journal record was dropped, inserted or moved */
    case RecordChain = 96;
    /** the store returned an invalid position in the journal */
    case Position = 97;
    /** the journal does not continue from the blob's mark */
    case JournalLost = 98;
    /** the blob has a mark, so it can only be loaded together with its journal */
    case NoJournal = 99;
    /** the blob has no mark, so it has no journal */
    case NoMark = 100;
    /** an on-demand filter, a reverse index, a map or a filter of another system cannot follow a journal */
    case JournalKind = 101;
    /** this is not a snapshot: the magic bytes do not match */
    case Snapshot = 102;
    /** this build cannot read the snapshot, because another extension version or another kind of machine saved it */
    case SnapshotVersion = 103;
    /** this build does not know the kind of the filter in the snapshot */
    case SnapshotKind = 104;
    /** the snapshot does not describe a live filter that this build could create */
    case SnapshotParams = 105;
    /** the snapshot's bytes do not match the digest in its head */
    case SnapshotPiece = 106;
    /** the snapshot contains a filter of a different kind */
    case SnapshotOther = 107;
    /** only live filters can be saved */
    case NotLive = 108;
    /** another process is saving a filter to this place */
    case Saving = 109;
    /** the file cannot be read or written */
    case File = 110;
    /** the store's pin or rollback is damaged, or this build cannot read it */
    case Override = 111;
    /** the pin or rollback is not signed, but signing keys are configured */
    case OverrideUnsigned = 112;
    /** the pin or rollback is signed with a key that is not configured */
    case OverrideSigner = 113;
    /** the signature of the pin or rollback does not match */
    case OverrideSignature = 114;
    /** the pin or rollback is older than one that this host has seen, or has ended */
    case OverrideReplay = 115;
    /** the filter is pinned to a version */
    case Pinned = 116;
    /** a line can be at most 1,048,576 bytes long */
    case Line = 117;
    /** there is no earlier version to roll back to */
    case NoPrevious = 118;
    /** refused: it is a symbolic link of another user, in a directory where every user can create links */
    case RefusedLink = 119;
    /** this build does not know the kind of a journal record */
    case RecordKind = 120;
    /** the store has lost journal records */
    case RecordsLost = 121;
    /** the published version does not follow the journal, so no host would find the keys */
    case JournalClosed = 122;
    /** the filter has a journal, but the blob has no mark, so no host would find the keys that are added */
    case MarkRequired = 123;
    /** the journal has ended, but the blob lacks keys that were added to it before */
    case BlobLacks = 124;
    /** the blob has a mark, but a live filter cannot follow a journal */
    case Marked = 125;
    /** the store cannot use its client */
    case StoreClient = 126;
    /** the store returned bytes that differ from what was stored */
    case StoreAltered = 127;
    /** this is not a filter of that format, or it cannot be imported */
    case Foreign = 129;
    /** the bytes do not show which system wrote them, so you must name the format */
    case ForeignFormat = 130;
    /** the length does not fit the capacity and the rate: both must be those with which the filter was created */
    case ForeignSize = 131;
    /** no bit is set, so the filter would deny every key; the server's key may be missing or reset */
    case ForeignEmpty = 132;
    /** an imported filter cannot be extended, merged or held on demand */
    case Imported = 133;
    /** only filters in the format of RedisBloom or valkeyprob can be exported */
    case NoExport = 137;
    /** RedisBloom would create different layers for this capacity and rate, so their header is unknown */
    case ExportLayers = 138;
    /** this build reads only records of version 2 in journals */
    case RecordVersion = 139;
    /** a key was set to two values */
    case MapDuplicate = 143;
    /** the map has no room for all keys */
    case MapPlaces = 144;
    /** the map's last shard has keys without a place */
    case MapSpill = 145;
    /** a line must be a key, a TAB and a value that fits into the value bits */
    case MapLine = 146;
    /** a map cannot be held on demand */
    case MapWhole = 147;
    /** each line must have the field that is the key */
    case Field = 148;
    // end of the cases
}

/** The kind of a filter in the segment. The command line prints these values. */
enum Kind: string
{
    /** LoadedFilter */
    case Loaded = 'loaded';
    /** LiveFilter */
    case Live = 'live';
    /** CountingFilter */
    case Counting = 'counting';
    /** ScalableFilter */
    case Scalable = 'scalable';
    /** SlidingFilter */
    case Sliding = 'sliding';
    /** ReverseIndex */
    case Reverse = 'reverse';
    /** OnDemandFilter */
    case OnDemand = 'on-demand';
    /** LoadedMap */
    case Map = 'map';
    // add new kinds above this line
}

/** The data structure inside a blob. */
enum Scheme: string
{
    /** A blocked Bloom filter. Blobs of this scheme can be merged. */
    case Bloom = 'bloom';
    /** A ribbon filter, which is smaller but slower. It cannot be merged. */
    case Ribbon = 'ribbon';
    /** A reverse index, built by ReverseIndexBuilder. */
    case Reverse = 'reverse';
    /** A filter written by another system, with its bits unchanged. See Blob::import(). */
    case Foreign = 'foreign';
    /** A map from keys to values, built by MapBuilder. */
    case Map = 'map';
}

/**
 * The formats that Blob::import() can read. All of these systems hash the bytes of a key unchanged.
 */
enum ForeignFormat: string
{
    /** valkeyprob (valkey-go) and rueidisprob (rueidis): the string that GET returns. */
    case ValkeyProb = 'valkeyprob';
    /** RedisBloom, including Redis 8: the payload of DUMP, or all data from BF.SCANDUMP in order. */
    case RedisBloom = 'redisbloom';
    /** valkey-bloom: the payload of DUMP. */
    case ValkeyBloom = 'valkey-bloom';
    /** Guava: the output of BloomFilter.writeTo(). */
    case Guava = 'guava';
}

/** What Filter::sync() did. */
enum SyncResult: string
{
    /** A different version was loaded, and all processes on this host are now using it. */
    case Switched = 'switched';
    /**
     * The store was queried, and this host already serves the published version with all keys of its
     * journal.
     */
    case Current = 'current';
    /** The last sync was less than $ttl seconds ago, so the store was not queried. */
    case NotDue = 'not due';
    /**
     * The last sync just failed (info()->lastError) and the store was not queried, or the published
     * version just failed to load (info()->loadError). If the filter was never loaded on this host, it
     * still isn't.
     */
    case Paused = 'paused';
    /**
     * Another process is already syncing this filter and its journal. During the first sync, the filter
     * does not exist yet.
     */
    case Busy = 'busy';
}

/** The result of Filter::health(). The command line prints these values in its JSON. */
enum HealthStatus: string
{
    case Ok = 'ok';
    /** The filter works, but something needs attention. */
    case Warning = 'warning';
    /** The filter is not loaded, is not working as requested, or exceeds one of the limits you passed. */
    case Critical = 'critical';
    /** The store could not be read, and nothing worse was found. */
    case Unknown = 'unknown';
}

/**
 * The base class of what info() methods return. json_encode() writes the properties in the order they are
 * declared. Times are Unix time in seconds, sizes are in bytes, and rates are between 0 and 1.
 *
 * A blob's source and a store's exception message can contain any bytes, so strings are not always valid
 * UTF-8. In JSON, invalid bytes are replaced with U+FFFD.
 *
 * @strict-properties
 * @not-serializable
 */
abstract class Info implements \JsonSerializable
{
    private function __construct()
    {
    }

    /**
     * @return array<string, mixed> the properties by name. $seed is a decimal string, because many JSON
     * parsers round large numbers
     */
    final public function jsonSerialize(): array
    {
    }
}

/**
 * The parameters of a builder, and what has been added so far.
 *
 * @strict-properties
 * @not-serializable
 */
final class BuilderInfo extends Info
{
    public readonly Scheme $scheme;
    /** 64-slot stripes per shard; null: not a ribbon filter or a map */
    public readonly ?int $stripes;
    /** The bits of a map's values; null: not a map */
    public readonly ?int $valueBits;
    /** The system that the filter is built for; null: this extension. */
    public readonly ?ForeignFormat $format;
    public readonly int $capacity;
    /** The requested rate. */
    public readonly float $falsePositiveRate;
    /**
     * The rate at capacity, using the formula in section 3 of Putze, Sanders & Singler, "Cache-, hash-
     * and space-efficient Bloom filters" (2007).
     */
    public readonly float $predictedFalsePositiveRate;
    /** Keys that were definitely new. In a ribbon builder, this may include repeated keys. */
    public readonly int $keys;
    /** All added keys. */
    public readonly int $added;
    public readonly int $bytes;
    /** Bits per key at capacity. */
    public readonly float $bitsPerKey;
    public readonly int $shards;
    public readonly int $shardBytes;
    public readonly int $blockBytes;
    public readonly int $probes;
    public readonly int $seed;
    /** The hash function: XXH3-64, or SipHash-2-4 if keyed. */
    public readonly string $digest;
    /** The fingerprint of the secret in hexadecimal. */
    public readonly ?string $keyedBy;
    /** Only set for a reverse index, like the next three properties. */
    public readonly ?int $groups;
    public readonly ?int $fanOut;
    public readonly ?int $levels;
    public readonly ?float $expectedWrongGroups;
    public readonly int $chunkBytes;
    public readonly string $source;
}

/**
 * The fields in the head of a blob, and values computed from them.
 *
 * @strict-properties
 * @not-serializable
 */
final class BlobInfo extends Info
{
    public readonly Scheme $scheme;
    /** 64-slot stripes per shard; null: not a ribbon filter or a map */
    public readonly ?int $stripes;
    /** The bits of a map's values; null: not a map */
    public readonly ?int $valueBits;
    /** Which system wrote the filter; null: not an imported filter. */
    public readonly ?ForeignFormat $format;
    /**
     * The layers of an imported filter. RedisBloom and valkey-bloom append a layer whenever the last one
     * is full.
     */
    public readonly ?int $layers;
    /** Keys that were definitely new when they were added. In a reverse index, a value counts as one key per level. */
    public readonly int $keys;
    /**
     * The number of keys estimated from the set bits (Swamidass & Baldi, "Mathematical Correction for
     * Fingerprint Similarity Measures", 2007). In a ribbon filter, this is the number of distinct keys.
     */
    public readonly int $estimatedKeys;
    public readonly int $capacity;
    /** The requested rate. */
    public readonly float $falsePositiveRate;
    /** The rate computed from the bits that are actually set. */
    public readonly float $measuredFalsePositiveRate;
    /** The rate predicted for the estimated number of keys, using the same formula as BuilderInfo. */
    public readonly float $predictedFalsePositiveRate;
    /**
     * The fraction of bits that are set. In a ribbon filter, the fraction of slots that contain a key.
     */
    public readonly float $fill;
    /** null: a ribbon filter */
    public readonly ?int $setBits;
    public readonly int $bytes;
    public readonly float $bitsPerKey;
    public readonly int $shards;
    public readonly int $shardBytes;
    public readonly int $blockBytes;
    /** In a ribbon filter, this is the number of bits per key, although some keys use one more. */
    public readonly int $probes;
    public readonly int $seed;
    /**
     * The hash function: XXH3-64, or SipHash-2-4 if keyed. An imported filter keeps the hash function of
     * its system.
     */
    public readonly string $digest;
    /** The fingerprint of the secret in hexadecimal. */
    public readonly ?string $keyedBy;
    /** Only set for a reverse index, like the next three properties. */
    public readonly ?int $groups;
    public readonly ?int $fanOut;
    public readonly ?int $levels;
    public readonly ?float $expectedWrongGroups;
    public readonly int $chunks;
    public readonly int $chunkBytes;
    public readonly string $source;
    public readonly float $builtAt;
    public readonly int $formatVersion;
    /** The checksum of the head in hexadecimal. Identical blobs have the same checksum. */
    public readonly string $checksum;
    /**
     * The fingerprint of the signing key, copied from the head. info() does not verify the signature, but
     * load(), sync() and publish() do.
     */
    public readonly ?string $signedBy;
    /** The journal position that was passed to build(). */
    public readonly ?string $mark;
}

/**
 * A version of a filter in a store.
 *
 * @strict-properties
 * @not-serializable
 */
final class Version extends Info
{
    /**
     * `current` (published last), `previous` (the version before it) or `earlier` (any version before
     * that). null: only the pin or the rollback has this version
     */
    public readonly ?string $label;
    /**
     * Whether hosts should serve this version. A host that doesn't serve it yet loads it at its next
     * sync.
     */
    public readonly bool $isServed;
    /** When hosts were pinned to this version; null: they are not */
    public readonly ?float $pinnedSince;
    /** When the current version was rolled back to this one; null: it wasn't */
    public readonly ?float $rolledBackAt;
    /** The head's checksum in hexadecimal, as in Filter::info(). */
    public readonly string $checksum;
    public readonly float $builtAt;
    public readonly int $keys;
    public readonly int $bytes;
    /** The requested rate. */
    public readonly float $falsePositiveRate;
    public readonly int $seed;
    public readonly int $shards;
    public readonly int $shardBytes;
    /** The fingerprint of the secret; null: the filter is not keyed. */
    public readonly ?string $keyedBy;
    public readonly int $chunks;
    public readonly int $chunkBytes;
    /** Chunks that this version shares with others in the list. */
    public readonly int $sharedChunks;
    /**
     * Chunks that this host would fetch to sync to this version, because the filter it serves doesn't
     * have them. Identical chunks count once. null: this host has no filter with this name that was
     * loaded from a complete blob, or cannot open it
     */
    public readonly ?int $fetchChunks;
    /** The total size of these chunks in bytes. */
    public readonly ?int $fetchBytes;
    /** The fingerprint of the signing key, copied from the head. The signature is not verified. */
    public readonly ?string $signedBy;
    /** null: not verified */
    public readonly ?int $missingChunks;
    /** Chunks whose bytes do not match their digest. */
    public readonly ?int $damagedChunks;
    /** @var list<string> the store's keys of the missing and damaged chunks */
    public readonly array $badChunks;
    /**
     * Why the head, the pin or the rollback cannot be used. If this is set, the other values are 0 or
     * empty.
     */
    public readonly ?string $error;
}

/**
 * Statistics about the generation of a filter that is being served.
 *
 * @strict-properties
 * @not-serializable
 */
abstract class FilterInfo extends Info
{
    public readonly string $name;
    public readonly Kind $kind;
    public readonly int $generation;
    /**
     * The number of keys that were definitely new when they were added. In a counting filter, this is the
     * number of add() calls minus the number of remove() calls, because a key that was added twice must
     * be removed twice. It is never extrapolated, unlike other values of a live filter (see
     * Filter::info()).
     */
    public readonly int $keys;
    public readonly int $estimatedKeys;
    public readonly int $capacity;
    /** The requested rate. */
    public readonly float $falsePositiveRate;
    /** The rate computed from the bits that are actually set. */
    public readonly float $measuredFalsePositiveRate;
    /** The rate predicted for the estimated number of keys, using the same formula as BuilderInfo. */
    public readonly float $predictedFalsePositiveRate;
    /**
     * The fraction of bits that are set. In a sliding filter, only the slot that lookups use is counted.
     */
    public readonly float $fill;
    /** null: a ribbon filter */
    public readonly ?int $setBits;
    public readonly int $bytes;
    public readonly float $bitsPerKey;
    public readonly int $shards;
    public readonly int $shardBytes;
    public readonly int $blockBytes;
    public readonly int $probes;
    public readonly int $seed;
    public readonly string $digest;
    public readonly ?string $keyedBy;
    /** Only set for a reverse index, like the next three properties. */
    public readonly ?int $groups;
    public readonly ?int $fanOut;
    public readonly ?int $levels;
    public readonly ?float $expectedWrongGroups;
    /**
     * Why the filter needs attention. For example, the measured rate may be higher than requested by more
     * than chance can explain.
     */
    public readonly ?string $warning;
    public readonly float $loadedAt;
    public readonly int $loads;
    /** The path of the segment. */
    public readonly string $segment;
    /**
     * The size of all files in the segment, in bytes. It may lag behind changes by other processes for up
     * to one second.
     */
    public readonly int $segmentBytes;
    /** `bloom.memory_limit`; 0: none */
    public readonly int $memoryLimit;
    /** Lookups in this process that returned true because the generation could not be mapped. */
    public readonly int $mapFailures;
    public readonly CountersInfo $counters;
}

/**
 * The counters of a filter, totaled over all processes on this host since the filter was created. Reloads
 * do not reset them. To keep lookups fast, a process adds its own numbers only at the end of a request,
 * when it calls info(), and at most once a second during a long request. If a process is killed, the
 * lookups it has not added yet are lost.
 *
 * @strict-properties
 * @not-serializable
 */
final class CountersInfo extends Info
{
    /** Keys that were looked up. In a reverse index, values that were passed to groups(). */
    public readonly int $lookups;
    /** Lookups that answered "definitely not", each of which saved a query. */
    public readonly int $absent;
    /** Lookups that answered "maybe". */
    public readonly int $maybes;
    /** The total of all $looked values passed to confirm(). */
    public readonly int $confirmed;
    /** The total of all $found values passed to confirm(). */
    public readonly int $found;
    /**
     * The fraction of absent keys for which lookups answered "maybe", extrapolated from the candidates
     * passed to confirm(). null: confirm() was never called
     */
    public readonly ?float $observedFalsePositiveRate;
    /** The total of all $checked values passed to confirm(). */
    public readonly int $checked;
    /** The total of all $denied values passed to confirm(). This should always be 0. */
    public readonly int $denied;
    /** When $denied last increased. null: never */
    public readonly ?float $deniedAt;
    /** Bytes of chunks that were fetched from a store. */
    public readonly int $bytesFetched;
    /** Bytes of chunks that a sync did not need to fetch, because this host already had them. */
    public readonly int $bytesSaved;
    /** @var array<string, int> failed loads, syncs, verifications and store calls, by the name of the Status */
    public readonly array $failures;
    /**
     * How long the last load took, from the start of staging to the switch, including fetches. null: no
     * load
     */
    public readonly ?float $lastLoadSeconds;
    /** The total for all loads. */
    public readonly float $loadSeconds;
    /** How long the last load held the write lock. Lookups do not wait for this lock. null: no load */
    public readonly ?float $lastSwitchSeconds;
    /** The total for all loads. */
    public readonly float $switchSeconds;
    /** When counting began. */
    public readonly float $since;
}

/**
 * A filter that was loaded from a blob.
 *
 * @strict-properties
 * @not-serializable
 */
class LoadedInfo extends FilterInfo
{
    public readonly Scheme $scheme;
    /** 64-slot stripes per shard; null: not a ribbon filter or a map */
    public readonly ?int $stripes;
    /** The bits of a map's values; null: not a map */
    public readonly ?int $valueBits;
    /** Which system wrote the filter; null: not an imported filter. */
    public readonly ?ForeignFormat $format;
    /** The layers of an imported filter. */
    public readonly ?int $layers;
    public readonly int $chunks;
    public readonly int $chunkBytes;
    public readonly string $source;
    public readonly float $builtAt;
    public readonly int $formatVersion;
    public readonly string $checksum;
    public readonly ?string $signedBy;
    public readonly ?string $mark;
    /** The state of the journal. null: the blob has no mark */
    public readonly ?JournalInfo $journal;
    /** The rate of a lookup, which tests both the filter and the journal's keys. */
    public readonly float $lookupFalsePositiveRate;
    public readonly int $syncs;
    public readonly int $syncFailures;
    public readonly int $syncFailuresInRow;
    public readonly ?float $syncedSecondsAgo;
    public readonly ?string $lastError;
    public readonly ?float $lastErrorAt;
    /**
     * Failed attempts to load the published version. If the filter follows a journal, syncs can still
     * succeed, because they keep reading the journal of the served version.
     */
    public readonly int $loadFailures;
    public readonly int $loadFailuresInRow;
    /** Why the last load failed. */
    public readonly ?string $loadError;
    public readonly ?float $loadErrorAt;
    /** When the served file was last completely verified, either when it was loaded or by later syncs. */
    public readonly float $verifiedAt;
    /** How much of the next verification is done, as a fraction. */
    public readonly float $verifyProgress;
    /** Damaged shards or chunks found by syncs since the filter was created. */
    public readonly int $damages;
    public readonly ?float $damagedAt;
    /** When hosts were pinned to this version (Blob::pin()); null: they were not */
    public readonly ?float $pinnedSince;
    /** When a newer version was rolled back to this one (Blob::rollback()); null: it wasn't */
    public readonly ?float $rolledBackAt;
}

/**
 * Statistics about an on-demand filter. The counts cover all processes on this host, and they start at
 * attach(), so they include earlier versions.
 *
 * @strict-properties
 * @not-serializable
 */
final class OnDemandInfo extends LoadedInfo
{
    /** Bytes in use. */
    public readonly int $memory;
    /** The $memory that was passed to attach(). */
    public readonly int $memoryAsked;
    /** Resident chunks. */
    public readonly int $chunksHere;
    /** Chunks that fit in memory. */
    public readonly int $chunksRoom;
    /** Lookups of keys whose chunk was not resident. */
    public readonly int $misses;
    /** Misses that returned true because the chunk was not available. */
    public readonly int $untold;
    /** Fetched chunks. */
    public readonly int $fetched;
    /** Evicted chunks. */
    public readonly int $evicted;
    /** Failed store calls, plus chunks that the store didn't have or that failed verification. */
    public readonly int $fetchFailures;
    /** Failures since the last chunk was fetched successfully. */
    public readonly int $fetchFailuresInRow;
    /** Seconds until the next fetch is attempted. */
    public readonly float $fetchPause;
}

/**
 * Statistics about a live filter, which gets its keys on this host. Properties that do not apply to its
 * kind are null.
 *
 * @strict-properties
 * @not-serializable
 */
final class LiveInfo extends FilterInfo
{
    public readonly float $created;
    /** null: the filter has no time to live */
    public readonly ?float $expiresAt;
    /** true: new keys are refused once `keys` reaches `capacity` */
    public readonly bool $bounded;
    /** Only set for a scalable filter, like the next three properties. */
    public readonly ?float $growth;
    public readonly ?float $tightening;
    /** Failed attempts to add a layer. */
    public readonly ?int $growthFailures;
    /**
     * The oldest first; empty: not a scalable filter
     *
     * @var list<array{capacity: int, keys: int, falsePositiveRate: float, measuredFalsePositiveRate: float, fill: float, shards: int, probes: int}>
     */
    public readonly array $layers;
    /** In seconds. Only set for a sliding filter, like the next two properties. */
    public readonly ?float $window;
    public readonly ?float $rotatesAt;
    /** The fraction of bits that are set in the slot that lookups will use after $rotatesAt. */
    public readonly ?float $nextFill;
}

/**
 * Statistics about the journal that a loaded filter follows.
 *
 * @strict-properties
 * @not-serializable
 */
final class JournalInfo extends Info
{
    /** This host has read the journal up to this position. */
    public readonly string $position;
    /** Seconds since this host last caught up with the journal. */
    public readonly float $lag;
    /** In seconds; see Filter::sync(). */
    public readonly float $maxLag;
    /**
     * false: $lag exceeds $maxLag or $mayLackKeys is true. Every lookup then returns true
     */
    public readonly bool $isComplete;
    /**
     * Whether the store has lost journal records since the mark. If so, build and publish a new version.
     */
    public readonly bool $recordsLost;
    /**
     * Whether this host may have missed the lost records. This stays true until the host serves a version
     * with a new mark.
     */
    public readonly bool $mayLackKeys;
    /** Records since the mark. */
    public readonly int $records;
    public readonly int $keys;
    public readonly int $capacity;
    public readonly int $bytes;
    public readonly float $falsePositiveRate;
    public readonly float $measuredFalsePositiveRate;
}

/**
 * The health of a filter, as returned by Filter::health().
 *
 * @strict-properties
 * @not-serializable
 */
final class Health extends Info
{
    public readonly string $name;
    /**
     * The worst status of all reasons, where critical is worse than warning, and warning is worse than
     * unknown.
     */
    public readonly HealthStatus $status;
    /** @var list<string> why the status is not Ok, worst first */
    public readonly array $reasons;
    /**
     * @var list<string> facts that don't affect the status, such as a pin or a rollback to the served
     * version
     */
    public readonly array $notes;
    /**
     * Whether the filter is loaded and lookups can use it. Warnings, ages and rates have no effect on
     * this.
     */
    public readonly bool $isReady;
    /** null: the filter is not loaded or cannot be opened */
    public readonly ?FilterInfo $info;
    /** Seconds since the blob was built. null: a live filter */
    public readonly ?float $buildAge;
    /** Seconds since the last successful sync. null: never synced */
    public readonly ?float $syncAge;
    /**
     * How many versions this host is behind the store. null: you passed no store, or the store no longer
     * has the served version
     */
    public readonly ?int $behind;
    /**
     * Free bytes needed for the next reload, or for the next layer of a scalable filter. null: none are
     * needed
     */
    public readonly ?int $reloadBytes;
    /**
     * Free bytes in the segment, which its file system or `bloom.memory_limit` may limit. null: unlimited
     */
    public readonly ?int $freeBytes;
    /** @var list<string> files in the filter's directory that the extension did not create */
    public readonly array $foreignFiles;
}

/**
 * A set of keys that you can query. Every Filter and Blob implements this interface. If you use it as the
 * type of your parameters, your tests can pass a fake.
 */
interface Membership
{
    /**
     * Returns whether a key might have been added.
     *
     * @return bool false: the key was definitely not added
     */
    public function mightContain(string|int $key): bool;

    /**
     * Returns the keys that might have been added, in the same order. If $keys is an array, they keep
     * their array keys. If it is a Traversable, the result is a list.
     *
     * @template TKey of array-key
     * @template TValue of string|int
     *
     * @param array<TKey, TValue>|\Traversable<mixed, TValue> $keys
     *
     * @return ($keys is array ? array<TKey, TValue> : list<TValue>)
     */
    public function candidates(iterable $keys): array;
}

/**
 * The memory layout of a filter. The defaults work well for most filters. Try smaller chunks if few keys
 * change between versions or if you use on-demand filters, because then hosts only transfer the chunks
 * they need. The constructor of Builder checks whether the values fit together and throws a ValueError
 * that names the wrong one.
 *
 * @strict-properties
 * @not-serializable
 */
final class Layout
{
    public readonly ?int $shardBytes;
    public readonly ?int $blockBytes;
    public readonly ?int $probes;
    public readonly ?int $chunkBytes;

    /**
     * @param int|null $shardBytes power of two, 1024 to 65536; null: 8192, or less for small filters. In
     *        a ribbon filter, null selects the size that makes the blob smallest
     * @param int|null $blockBytes power of two, 8 to $shardBytes. All probes of a key stay within one
     *        block. null: 64 (one cache line) for rates above 1 in 1,000, otherwise 256. Pass $shardBytes
     *        for the classic Bloom layout, which is slower but needs 3 % less memory at a rate of 1 %
     * @param int|null $probes bits tested per key (k), 1 to 32; null: whatever needs the least memory
     * @param int|null $chunkBytes size of published chunks: a multiple of the shard size, up to 1 GiB;
     *        null: 65536
     */
    public function __construct(
        ?int $shardBytes = null,
        ?int $blockBytes = null,
        ?int $probes = null,
        ?int $chunkBytes = null
    ) {
    }
}

/**
 * Builds a Blob from keys. The builder is private to the process that created it. Other processes see the
 * keys only after you load the finished blob.
 *
 * @strict-properties
 * @not-serializable
 */
final class Builder
{
    /**
     * Creates an empty filter for $capacity keys.
     *
     * Memory: the size of the filter, or about 10 bits per key at a rate of 1 %. This doesn't count
     * toward memory_limit, and pages are only allocated when they are first written. You can therefore
     * create a builder that is larger than the machine's memory, but all you can call on it is info().
     *
     * @param int $capacity number of distinct keys, 1 to 10^12. You can add more, but the rate then
     *        rises, and build() throws if it exceeds the limit
     * @param float $falsePositiveRate the rate at capacity, 0.000000001 to 0.5
     * @param int|null $seed hash seed, any 64 bits; null: random. You should leave it random, because
     *        anyone who knows the seed can come up with keys that are false positives. like() keeps the
     *        seed of an earlier blob
     * @param Layout|null $layout the memory layout; null: use the defaults
     * @param float|null $bitsPerKey sets the size of the filter directly, 1 to 1024 bits per key. The
     *        rate then depends on this size, and $falsePositiveRate has no effect on the layout
     * @param string $source a description of the keys, up to 128 bytes, which is stored in the blob
     * @param bool $keyed hash keys with the current secret from `bloom.secret_file`, so that nobody can
     *        come up with false positives without knowing the secret
     * @param string|null $secret 32 bytes to use instead of the configured secret; null: $keyed decides
     * @param Scheme|null $scheme Bloom or Ribbon. At a rate of 1 %, a ribbon filter needs 6.8 bits per
     *        key instead of 9.9. However, its lookups are slower, it cannot be merged, and its layout has
     *        no blocks or probes. null: whichever makes the smaller blob, or Bloom if you pass blocks,
     *        probes or $bitsPerKey
     * @param int $jobs number of threads for addFile(), and in a ribbon builder also for build(), 1 to
     *        64. You get the same blob and the same counts with any number of threads. They only exist
     *        during these calls, and never while a callback runs
     * @param ForeignFormat|null $format ValkeyProb or RedisBloom: build the filter that this system would
     *        create for the same capacity and rate, so you can move it there with Blob::export(). For
     *        RedisBloom, this is what BF.RESERVE with NONSCALING creates. Lookups work as usual, but each
     *        probe costs a cache line, and the hash is not keyed. You cannot combine this with a seed,
     *        $scheme, $bitsPerKey, a secret, blocks or probes, and $jobs has no effect. null: a filter
     *        for this extension
     *
     * @throws SecretException if $keyed is true and there is no secret
     * @throws \ValueError if an argument is out of range, or if the filter would be larger than 4 TiB
     * @throws BloomException if there is not enough memory
     */
    public function __construct(
        int $capacity,
        float $falsePositiveRate = 0.01,
        ?int $seed = null,
        ?Layout $layout = null,
        ?float $bitsPerKey = null,
        string $source = '',
        bool $keyed = false,
        #[\SensitiveParameter] ?string $secret = null,
        ?Scheme $scheme = Scheme::Bloom,
        int $jobs = 1,
        ?ForeignFormat $format = null
    ) {
    }

    /**
     * Creates an empty builder for the next version of a blob. Keys that are in both versions set the
     * same bits, so publishing the next version only transfers the chunks that have changed.
     *
     * The seed, capacity, rate, scheme, layout, chunk size and source are copied from the earlier blob
     * unless you pass your own. If you change the capacity, rate, scheme, layout or seed, every bit
     * moves, and the whole filter is transferred once. Changing only the seed keeps the layout. If you
     * change any of the others, the filter is sized as in the constructor, except that the chunk size
     * stays the same. The shard size also stays the same if shards would otherwise be larger than chunks.
     *
     * When your keys outgrow the capacity, build() throws a RateException. Pass a larger capacity to
     * like() once, and later versions will keep it.
     *
     * Unlike Blob::find() and fetch(), like() doesn't know the filter's name, so it does not check
     * signatures.
     *
     * @param Blob $previous any blob except a reverse index (see ReverseIndexBuilder::like())
     * @param bool|null $keyed null: keyed if the earlier blob is keyed. A keyed builder uses the current
     *        secret from `bloom.secret_file`, so every bit moves if the secret has changed in the
     *        meantime
     * @param string|null $secret 32 bytes to use instead of the configured secret, as in the constructor.
     *        If the earlier blob was built with such a $secret, pass the same bytes again
     * @param int $jobs number of threads, as in the constructor. This is not copied from the blob
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
        ?Layout $layout = null,
        ?float $bitsPerKey = null,
        ?string $source = null,
        ?bool $keyed = null,
        #[\SensitiveParameter] ?string $secret = null,
        ?Scheme $scheme = null,
        int $jobs = 1
    ): Builder {
    }

    /**
     * Cost: one hash and one cache line. A ribbon builder keeps 8 bytes per key until build(). Its buffer
     * doubles in size when it is full of distinct keys.
     *
     * @return bool true: the key is definitely new; false: it was added before, or is a false positive. A
     *         ribbon builder doesn't find repeated keys until build(), so add() returns false only if the
     *         key is the same as the previous one
     *
     * @throws BloomException after build(), if the filter is larger than the machine's memory, or if a
     *         ribbon builder runs out of memory. You can't use the ribbon builder after that
     */
    public function add(string|int $key): bool
    {
    }

    /**
     * Adds every value of an array or Traversable. Array keys are ignored.
     *
     * Cost: a fifth of the time of add() if the filter is larger than the CPU cache. Array values are
     * added in batches, so the CPU can fetch cache lines for some keys while it hashes others.
     *
     * @param iterable<mixed, string|int> $keys
     *
     * @return int the number of keys that were definitely new. In a ribbon builder, the number of keys
     *         for which add() would return true
     *
     * @throws \TypeError if a value is not a string or int. The message gives its position, and the
     *         values before it have been added
     * @throws BloomException after build()
     */
    public function addMany(iterable $keys): int
    {
    }

    /**
     * Adds each line of a file, or one field of it, as a key. Lines end with LF or CR LF, but the last
     * line may also end with CR or nothing. An empty line adds the empty key. A line can be up to 1 MiB
     * long, so use add() for longer keys.
     *
     * Memory: 256 KiB. With several jobs, each job uses a buffer of 4 MiB and 8 bytes for every line in
     * the buffer. This adds up to 8 MB for 8-byte keys, and 38 MB at most. A line longer than the buffer
     * needs up to 2 MiB more. This memory doesn't count toward memory_limit, and it is freed at the end
     * of the call.
     *
     * PHP doesn't report an error if a network stream or a compressed stream is truncated. In that case,
     * addFile() adds the keys it could read and does not throw. You should download and verify these
     * files first.
     *
     * @param string|resource $file a path, the URL of any PHP stream wrapper, or an open stream, which is
     *        read from its current position to the end
     * @param (callable(int, int): mixed)|null $progress called with the bytes and keys so far, about
     *        every 4 MiB. With several jobs, it is called every 4 MiB per job
     * @param int|null $field the number of the field that is the key, 1 to 1,000; null: the whole line
     * @param string $delimiter the byte that ends a field, but neither CR nor LF. Only a tab may be passed
     *        without $field
     *
     * @return int number of lines read
     *
     * @throws BloomException if the file cannot be opened or read, or if a line is too long or has fewer
     *         fields. The lines before the error have been added. Also thrown in a child process that was
     *         forked during the call, while the parent process continues
     */
    public function addFile(
        $file,
        ?callable $progress = null,
        ?int $field = null,
        string $delimiter = "\t"
    ): int
    {
    }

    /**
     * Finishes the filter. The blob takes over the builder's memory, so you can't use the builder
     * afterwards.
     *
     * Cost: one pass over the filter. A ribbon builder sorts its keys and solves equations, which takes
     * about 0.1 seconds per million keys with one job.
     *
     * @param float|null $maxFalsePositiveRate the highest measured rate to accept, above 0 and up to 1.
     *        null: no limit if at most $capacity keys were added. Otherwise, the limit is 1.5 times the
     *        requested rate, or the highest rate that chance can explain (see Filter::health()),
     *        whichever is higher. This allows about 10 % more keys than the capacity, or 1 % more in a
     *        large ribbon filter, where the rate rises by about the share of keys that don't fit
     * @param float|null $builtAt Unix time in seconds, stored in the blob; null: now. Of two blobs, the
     *        one with the later time is the newer version. Hosts refuse to publish or load a blob if this
     *        is more than a day ahead of their clock
     * @param string|null $mark a position in the filter's journal, which you got from Journal::mark() a
     *        while before you read the keys. Hosts that load the blob also find all keys added to the
     *        journal after the mark. null: the blob has no journal
     *
     * @throws KindException if a mark is given for a reverse index
     * @throws \ValueError if an argument is out of range
     * @throws RateException if the measured rate exceeds the limit. The builder is not changed
     * @throws FormatException if more than 15 of 16 bits of a shard are set, regardless of the limit
     */
    public function build(
        ?float $maxFalsePositiveRate = null,
        ?float $builtAt = null,
        ?string $mark = null
    ): Blob {
    }

    public function info(): BuilderInfo
    {
    }
}

/**
 * A finished filter in the memory of this process. Blobs are immutable, and their bytes are verified when
 * the object is created. This memory does not count toward memory_limit.
 *
 * @strict-properties
 * @not-serializable
 */
final class Blob implements Membership
{
    private function __construct()
    {
    }

    /**
     * Reads and verifies a blob. This checks the head, the geometry, the checksum and set bits of every
     * shard, and the digest of every chunk.
     *
     * @param string|resource $file a path, the URL of any PHP stream wrapper, or an open stream, which is
     *        read from its current position. Nothing may follow the blob
     * @param (callable(int, int): mixed)|null $progress called with the bytes read so far and in total,
     *        about every 4 MiB
     *
     * @throws FormatException if a check fails. The message says which one
     * @throws BloomException if the file cannot be opened or read
     */
    public static function open($file, ?callable $progress = null): Blob
    {
    }

    /**
     * Works like open(), but takes the bytes as a string, for example from a store of your own.
     *
     * @throws FormatException in the same cases as open()
     */
    public static function fromString(string $bytes): Blob
    {
    }

    /**
     * Imports a filter that was written by another system. The bits and the hash function don't change,
     * so lookups return the same results as in that system. You can publish, load, sync and sign the
     * blob. However, you cannot add keys to it, merge it, attach to it on demand, or use a journal with
     * it.
     *
     * A valkeyprob string doesn't include its capacity and rate. If you pass the wrong ones, the filter
     * denies keys that it contains. If they don't match the length of the string, import() throws, but
     * it cannot detect values that are only slightly wrong. Before you publish the blob, you should look
     * up a few keys that must be in it, as `bloom import --check` does.
     *
     * Cost: one pass over the bytes. Memory: the size of the blob, which is up to 128 times the size of
     * $bytes plus 2 MiB, because the server compresses sparse filters. This does not count toward
     * memory_limit.
     *
     * @param string $bytes see ForeignFormat
     * @param ForeignFormat|null $format null: detect the format, which only works for DUMP payloads
     * @param int|null $capacity the capacity that the filter was created with. Required for a valkeyprob
     *        string, not allowed otherwise
     * @param float|null $falsePositiveRate the rate that the filter was created with. Also only for
     *        valkeyprob strings
     * @param string $source where the keys came from, up to 128 bytes, which is stored in the blob
     * @param float|null $builtAt when the bytes were read, as Unix time in seconds; null: now. See
     *        Builder::build()
     *
     * @throws FormatException if the bytes are not a complete filter in this format, if no bit is set, or
     *         if the capacity and rate don't match the length of a valkeyprob string
     * @throws \ValueError if an argument is out of range, missing or not allowed for this format
     * @throws BloomException if there is not enough memory
     */
    public static function import(
        string $bytes,
        ?ForeignFormat $format = null,
        ?int $capacity = null,
        ?float $falsePositiveRate = null,
        string $source = '',
        ?float $builtAt = null
    ): Blob {
    }

    /**
     * Returns the filter in the format of another system. This works if the blob was imported from that
     * system, or built for it with the $format parameter of Builder. To get commands that store these
     * bytes in a server, run `bloom export --to=redis`.
     *
     * For ValkeyProb, store the result under the key {NAME}, and info()->keys under the key {NAME}:c.
     *
     * For RedisBloom, the result is the complete output of BF.SCANDUMP, the header followed by the bits,
     * as BF.LOADCHUNK expects it. Because a blob only contains totals for all layers, export() computes
     * the header from the rules RedisBloom uses to append layers. If the layers follow these rules, the
     * header is the same as on the original server. Otherwise, export() throws. A blob doesn't store
     * EXPANSION, so a growing filter with a single layer gets the server's default of 2. Filters that
     * were built here cannot grow, as if they were created by BF.RESERVE with NONSCALING.
     *
     * Cost: one copy of the filter, which counts toward memory_limit.
     *
     * @throws KindException if no other system can read this filter, or the layers do not follow
     *         RedisBloom's rules
     */
    public function export(): string
    {
    }

    /**
     * Fetches the published version of a filter without loading it. If it might not be published yet, use
     * find() instead.
     *
     * @param (callable(int, int): mixed)|null $progress called with the bytes so far and in total
     *
     * @throws StoreException if the store fails, or does not have the name or a chunk
     * @throws FormatException if the published bytes are not a valid blob
     * @throws SignatureException if signing keys are configured, and the blob is not signed for this name
     *         with one of them
     * @throws SecretException if `bloom.signing_key_file` cannot be read
     * @throws BloomException if memory_limit doesn't leave enough memory for the filter
     * @throws \ValueError if the name is invalid
     */
    public static function fetch(Store $store, string $name, ?callable $progress = null): Blob
    {
    }

    /**
     * Works like fetch(), but returns null if nothing has been published under this name yet, as on the
     * first run of a nightly job.
     *
     * @param (callable(int, int): mixed)|null $progress called with the bytes so far and in total
     *
     * @throws StoreException if the store fails, or does not have a chunk
     * @throws FormatException in the same cases as fetch()
     * @throws SignatureException in the same cases as fetch()
     * @throws SecretException in the same cases as fetch()
     * @throws BloomException in the same cases as fetch()
     * @throws \ValueError if the name is invalid
     */
    public static function find(Store $store, string $name, ?callable $progress = null): ?Blob
    {
    }

    /** Returns a copy of the blob as a string. docs/dev/blob.md describes the format. */
    public function toString(): string
    {
    }

    /**
     * Writes the blob to a file atomically, using a temporary file in the same directory that is synced
     * and then renamed.
     *
     * New files are created with mode 0666 minus the umask. If you replace your own file, its mode and
     * group stay the same. If you replace another user's file, the new file never has more permissions
     * than the old one. If root replaces a file owned by the directory's owner, the owner stays the same.
     *
     * If the path is a symbolic link, its target is replaced. However, in a sticky, world-writable
     * directory such as /tmp, save() only follows links that belong to you or to the directory's owner.
     *
     * @throws BloomException if writing fails, or if a link is refused. An existing file is not changed
     */
    public function save(string $path): void
    {
    }

    /**
     * Publishes the blob under a name. This first writes the chunks that the store doesn't have yet, and
     * then the head, which makes the new version visible to hosts. Finally, it deletes chunks that are
     * only used by versions older than the last $retain. If deleting fails, the version is still
     * published, `warning` tells you why, and the next publish under the same name tries again.
     *
     * @param (callable(int, int, string=): mixed)|null $progress called with the bytes written so far and
     *        in total. If another publisher holds the lock, publish() waits until it finishes or shows no
     *        sign of life for one minute (one second if it was killed on this host). While waiting, it
     *        calls $progress every second, with the reason as a third argument
     * @param bool $force write all chunks, even if the store already has them. This repairs damaged
     *        chunks
     * @param bool $endJournal end the filter's journal, because neither this blob nor later ones will
     *        have a mark. Journal::add() then throws, and hosts stop following the journal when they
     *        switch to this version. Without this option, publish() refuses a blob without a mark as long
     *        as keys can be added to the journal
     * @param int $retain how many versions the store keeps, including this one, 1 to 100. You can roll
     *        back to any of them, and hosts that are behind can still load them. The journal keeps the
     *        keys that these versions need. If their heads don't fit into 1 MiB, MemcachedStore keeps
     *        fewer, and `warning` says so
     *
     * @return array{chunks: int, chunksWritten: int, bytesWritten: int, warning: ?string}
     *
     * @throws StoreException if the store fails. The previously published version stays published. Also
     *         thrown if the store is full and evicts a value that was just written. In that case, hosts
     *         keep serving their current version
     * @throws FormatException if the blob's build time is more than a day ahead of this host's clock
     * @throws SignatureException if `bloom.signing_key_file` is set and the blob is not signed for this
     *         name
     * @throws KindException if keys can be added to the filter's journal, but the blob has no mark. With
     *         $endJournal, if the blob is missing keys from the journal. In that case the journal has
     *         ended anyway, so read the keys again, build and publish
     * @throws \ValueError if the name or $retain is invalid, or if $endJournal is true and the blob has a
     *         mark
     */
    public function publish(
        Store $store,
        string $name,
        ?callable $progress = null,
        bool $force = false,
        bool $endJournal = false,
        int $retain = 3
    ): array {
    }

    /**
     * Returns the versions of a filter in a store, newest first. A version that was rolled back comes
     * last among the earlier ones. If hosts are pinned to a version that isn't one of these, it comes at
     * the end. The list is empty if nothing is published. It may also include versions whose chunks have
     * been partly deleted, or that could not be deleted.
     *
     * Cost: one request to the store. This also reads the chunks on this host that belong to any of the
     * versions.
     *
     * @param bool $verify fetch and verify all chunks of these versions
     *
     * @return list<Version>
     *
     * @throws StoreException if the store fails. A head that cannot be read does not throw (see
     *         Version::$error)
     * @throws \ValueError if the name is invalid
     */
    public static function versions(Store $store, string $name, bool $verify = false): array
    {
    }

    /**
     * Rolls back to an earlier version, which hosts serve after their next sync. The rollback ends when
     * you publish the next version or call unpin(). If the current version has already been rolled back,
     * calling rollback() without $checksum does nothing.
     *
     * Hosts still find the keys in the filter's journal, unless the earlier version has no mark. In that
     * case, hosts stop following the journal and no longer find these keys, and Journal::add() refuses
     * new ones.
     *
     * If `bloom.signing_key_file` is set, the rollback is signed with the current key. Hosts that have
     * signing keys refuse a rollback without a valid signature.
     *
     * @param string|null $checksum Version::$checksum of an earlier version; null: the previous version
     *
     * @throws StoreException if the store fails, doesn't have the version or one of its chunks, or if the
     *         filter is pinned
     * @throws SignatureException if the version is not signed with a key of this host
     * @throws SecretException if there is no signing key
     * @throws BusyException if another process has changed the filter in the meantime
     * @throws \ValueError if the name or the checksum is invalid
     */
    public static function rollback(Store $store, string $name, ?string $checksum = null): void
    {
    }

    /**
     * Pins all hosts to one version, which they serve after their next sync until you call unpin().
     * Versions published in the meantime are stored but not loaded. Pins are signed in the same way as
     * rollbacks.
     *
     * @param string|null $checksum Version::$checksum of the version; null: the one that hosts serve now
     *
     * @throws StoreException if the store fails, or doesn't have the version or one of its chunks
     * @throws SignatureException if the version is not signed with a key of this host
     * @throws SecretException if there is no signing key
     * @throws BusyException in the same cases as rollback()
     * @throws \ValueError if the name or the checksum is invalid
     */
    public static function pin(Store $store, string $name, ?string $checksum = null): void
    {
    }

    /**
     * Ends a pin or a rollback, so hosts load the current version at their next sync. If the filter is
     * neither pinned nor rolled back, this does nothing.
     *
     * @throws StoreException if the store fails
     * @throws BusyException in the same cases as rollback()
     * @throws \ValueError if the name is invalid
     */
    public static function unpin(Store $store, string $name): void
    {
    }

    /**
     * Returns a copy of the blob, signed for one filter name with the current key from
     * `bloom.signing_key_file`. The chunk digests of a signed blob cannot be forged, so it shares no
     * chunks with unsigned blobs in a store.
     *
     * Cost: one copy of the blob, and one pass over it at about 1 GB/s.
     *
     * @throws SecretException if there is no signing key
     * @throws \ValueError if the name is invalid
     */
    public function sign(string $name): Blob
    {
    }

    /**
     * Returns false if the key is definitely not in the blob, or true if it might be. For a reverse
     * index, it returns true if any group might contain the key.
     *
     * @throws SecretException if the blob is keyed with a secret that this process does not have
     */
    public function mightContain(string|int $key): bool
    {
    }

    /**
     * See Filter::candidates().
     *
     * @template TKey of array-key
     * @template TValue of string|int
     *
     * @param array<TKey, TValue>|\Traversable<mixed, TValue> $keys
     *
     * @return ($keys is array ? array<TKey, TValue> : list<TValue>)
     *
     * @throws \TypeError if a value is not a string or int. The message gives its position
     * @throws SecretException if the blob is keyed with a secret that this process does not have
     */
    public function candidates(iterable $keys): array
    {
    }

    /**
     * Returns the groups that may contain a value. See ReverseIndex::groups().
     *
     * @return list<int> in ascending order
     *
     * @throws KindException if the blob is not a reverse index
     * @throws BloomException if more than $limit groups may contain the value
     * @throws \ValueError if $limit is below 1
     */
    public function groups(string|int $value, int $limit = 100_000): array
    {
    }

    /**
     * Returns the value of a key. See LoadedMap::get().
     *
     * @throws KindException if the blob is not a map
     * @throws SecretException if the blob is keyed with a secret that this process does not have
     */
    public function get(string|int $key): ?int
    {
    }

    /**
     * Returns a blob with all keys of this blob and the others. It has the same bits as if a single
     * builder had added all keys, so you can build parts of a filter in parallel and merge them. All
     * parts must have the same geometry and seed, so create all builders with the same capacity, rate and
     * seed.
     *
     * The capacity, rate, chunk size and source are copied from this blob, and `builtAt` is the latest of
     * all blobs. The number of keys is estimated from the set bits. It is always between the largest
     * `keys` of the merged blobs and the sum of all `keys`.
     *
     * @throws \ValueError if the geometry or seed differs. The message names the first difference
     * @throws KindException if a blob is a ribbon filter or a map
     * @throws FormatException if more than 15 of 16 bits of a shard would be set
     */
    public function merge(Blob ...$others): Blob
    {
    }

    public function info(): BlobInfo
    {
    }
}

/**
 * A named filter in the segment, shared by all processes of this user on this host. The object is just a
 * handle, so you can create one whenever you need it. Handles follow every reload automatically. Except
 * for info(), each method call uses a single generation from start to finish.
 *
 * If the filter is dropped, its handles throw NotFoundException. If a filter with the same name is
 * created again, they switch to the new one. However, if the new filter has a different class, methods
 * that it doesn't have throw KindException.
 *
 * If the segment's directory is deleted and created again, the first open() or find() of a request
 * notices immediately, and later calls notice within a second. A handle that you keep notices after a
 * second or 64 calls, whichever comes later.
 *
 * Do not extend this class. If you call open(), find(), load(), restore() or drop() on a class of your
 * own, they throw KindException and change nothing.
 *
 * @strict-properties
 * @not-serializable
 */
abstract class Filter implements Membership
{
    private function __construct()
    {
    }

    /**
     * Opens the filter with this name. Call it on Filter to open a filter of any class, or on a subclass
     * to accept only that class.
     *
     * Cost: little more than creating an object, so there is no need to keep the handle. The first call
     * in a request makes one system call, and so does the first call in each second after that. The first
     * call in a process also maps the filter.
     *
     * @param string $name 1 to 128 characters from A-Z a-z 0-9 . _ - and it cannot start with . or -
     *
     * @throws NotFoundException if no filter with this name is loaded
     * @throws KindException if the filter is not an instance of the class you called this on
     * @throws SegmentException if the segment was refused or cannot be read
     * @throws \ValueError if the name is invalid
     */
    public static function open(string $name): static
    {
    }

    /**
     * Works like open(), but returns null if no filter with this name is loaded.
     *
     * @throws KindException in the same cases as open()
     * @throws SegmentException in the same cases as open()
     * @throws \ValueError if the name is invalid
     */
    public static function find(string $name): ?static
    {
    }

    /**
     * Returns the names of all filters in the segment, sorted. This always includes every filter, even if
     * you call it on a subclass or if a filter cannot be opened.
     *
     * @return list<string>
     *
     * @throws SegmentException in the same cases as open()
     */
    public static function list(): array
    {
    }

    /**
     * Checks the health of a filter, for monitoring and readiness probes. See docs/monitoring.md for the
     * rules. A broken filter or a failing store is reported in the result and never throws.
     *
     * Cost: info() and a few system calls. With a store, it also makes one request for the published head
     * and any pin or rollback. If the served version is neither of these, a second request fetches the
     * earlier heads.
     *
     * @param string $name a filter of any class
     * @param float|null $maxBuildAge maximum age of the blob in seconds since it was built
     * @param float|null $maxSyncAge maximum time in seconds since the last successful sync. A filter that
     *        was loaded from a blob and has never been synced exceeds any limit
     * @param float|null $maxRate maximum rate of a lookup, including the journal's keys. null: 1.5 times
     *        the requested rate of the blob and of the journal's keys, or the highest rate that chance
     *        can explain, whichever is higher. Chance explains more when the rate is low and there are
     *        few keys. At a rate of 10^-6, it explains 2.2 times the rate with 10^4 keys, but only 1.1
     *        times with 10^6 keys
     * @param int $maxFailures maximum number of failed syncs or fetches in a row
     * @param Store|null $store the store that the filter is synced from; pass it to also compare versions
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
    }

    /**
     * Returns statistics about all filters in the segment, in the OpenMetrics text format that Prometheus
     * understands. docs/reference/metrics.md lists the metrics. If you serve the text over HTTP, send the
     * header `Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8`.
     *
     * If a filter is damaged or cannot be opened, its only metric is `bloom_filter_up` with the value 0.
     *
     * Cost: the same as open() and info() for each filter.
     *
     * @throws SegmentException in the same cases as open()
     */
    public static function metrics(): string
    {
    }

    /**
     * Drops the filter with this name. Call it on Filter to drop a filter of any class, or on a subclass
     * to drop only a filter of that class. Handles to a dropped filter throw NotFoundException. Its
     * memory is freed when no process has it mapped anymore.
     *
     * @return bool whether the filter existed
     *
     * @throws KindException if you call this on a subclass and the filter has a different class
     * @throws SegmentException in the same cases as open()
     * @throws \ValueError if the name is invalid
     */
    public static function drop(string $name): bool
    {
    }

    /**
     * Restores a live filter from a snapshot written by save(). The filter gets the same kind,
     * parameters, layers, counters and number of keys. Other processes cannot see it until the whole
     * snapshot has been verified. Call it on Filter to restore a snapshot of any kind, or on a subclass
     * to accept only that kind.
     *
     * restore() never replaces an existing filter, because a key that another process adds at the same
     * time could get lost. At boot, you should therefore restore your filters before you start the
     * processes that create them.
     *
     * The keys of a sliding filter age by the time since the snapshot was saved. After a reboot, only the
     * wall clock can tell how long that was. If the result is implausible (negative, over a year, or
     * shorter than the host has been up), the keys age by the host's uptime instead, so that no key is
     * forgotten early. If the host has been up for less than half a window, lookups may find keys for up
     * to half a window longer than usual.
     *
     * @param string $name the name of the new filter. It can differ from the name of the saved filter,
     *        unless you restore from a store, or the snapshot is signed and signing keys are configured
     * @param string|Store $source the path of the snapshot, or the store that contains it
     *
     * @throws KindException if a filter with this name exists, or if the snapshot has a different class
     * @throws FormatException if the snapshot is damaged, or was saved by a version with a different
     *         layout or on a machine with a different byte order
     * @throws SecretException if the filter is keyed and this process does not have the secret
     * @throws SignatureException if signing keys are configured, and the snapshot is not signed for this
     *         name with one of them
     * @throws StoreException if the store fails or doesn't have the snapshot
     * @throws SegmentException if the segment was refused, is full or would exceed `bloom.memory_limit`
     * @throws BloomException if the file cannot be read
     * @throws \ValueError if an argument is invalid
     */
    public static function restore(string $name, string|Store $source): static
    {
    }

    /**
     * Loads a blob under this name on this host. The blob is written to the segment and verified there,
     * and then all processes switch to it at once. If anything fails, the previous version stays in use.
     * The segment needs room for both versions during the call.
     *
     * @param (callable(int, int): mixed)|null $progress called with the bytes so far and in total
     * @param JournalStore|null $journal the store with the filter's journal, required if the blob has a
     *        mark and not allowed otherwise. load() also reads all keys after the mark, and processes
     *        switch to the blob and these keys at once
     * @param float|null $maxLag see sync(). Only used if the blob has a mark
     *
     * @return LoadedFilter|ReverseIndex|LoadedMap depending on the blob
     *
     * @throws KindException if a live filter has this name, or if only one of the served filter and the
     *         blob is a reverse index. Drop the filter first
     * @throws FormatException if the blob's build time is more than a day ahead of this host's clock
     * @throws SegmentException if the segment was refused, is full or would exceed `bloom.memory_limit`
     * @throws SignatureException if `bloom.signing_key_file` is set, and the blob is older than the
     *         served version or is not signed for this name with one of its keys
     * @throws SecretException if the blob is keyed with a secret that this process does not have
     * @throws BusyException if another process held the write lock for longer than `bloom.lock_timeout`
     * @throws NotFoundException if another process drops the filter before this call returns
     * @throws \ValueError if the name or $maxLag is invalid
     */
    public static function load(
        string $name,
        Blob $blob,
        ?callable $progress = null,
        ?JournalStore $journal = null,
        ?float $maxLag = null
    ): LoadedFilter|ReverseIndex|LoadedMap {
    }

    /**
     * Checks the store for a new version if a check is due, and loads it. On each host, only one process
     * does this at a time, and the others return immediately. Only chunks that this host doesn't already
     * have are fetched. You should call sync() after the response has been sent
     * (fastcgi_finish_request()), or run `bloom sync` instead.
     *
     * If the published blob has a mark, the filter follows its journal, and sync() also reads the keys
     * that were added since the last call. It then only reads the head if a new version was published, or
     * if 60 seconds have passed since it last did. The first sync, for example after a reboot, fetches
     * the blob and all keys since the mark, and switches to both at once.
     *
     * If syncs keep failing, the delay before the next attempt doubles from 1 second up to $ttl. If a
     * version cannot be loaded, a filter with a journal still gets new keys, because each sync starts by
     * reading the journal of the served version. The load is retried after 1, 2, 4 … up to 300 seconds.
     * It is retried immediately if $ttl is 0, if the journal has a new notice, or if another version is
     * published. Without a journal, the same delays apply to fetching the version, but the head is still
     * read.
     *
     * Cost: one read of shared memory if no check is due; one round trip if the filter follows a journal
     * without new keys.
     *
     * @param float $ttl seconds from a successful check to the next one; 0: always check, and always read
     *        the head
     * @param bool $force load the published version even if it is older than the served one. This also
     *        verifies the whole served file and replaces it if it is damaged. Signatures are still
     *        checked
     * @param (callable(int, int): mixed)|null $progress called with the bytes so far and in total
     * @param float|null $maxLag once this host has been behind the journal for this many seconds, every
     *        lookup returns true until a sync succeeds. 0: no limit. Processes on a host share the
     *        smallest value that any of them passed in the last hour, so a page cannot weaken what a
     *        service relies on. A larger value takes effect one to two hours after the last call with a
     *        smaller one. null: keep the current value, initially 60
     * @param (callable(string, string, array<string, mixed>): mixed)|object|null $logger a PSR-3 logger,
     *        or a callable with the same parameters as its log() method: level, message and context. It
     *        is called at the end if this sync switched to another version ("info"), failed ("error"),
     *        succeeded after failures ("notice"), or found that the store has lost journal records
     *        ("error", or "critical" if this host may lack keys). The context always has `event` and
     *        `name`. `switched` adds `generation`, `from` (the replaced generation, or null), `keys`,
     *        `bytesFetched` and `seconds`; `failed` adds `status` (the name of a Status case), `failures`
     *        (in a row; null if the segment cannot be opened), `error` and `exception`; `recovered` adds
     *        `generation` and `failures`; `lost` adds `mayLackKeys`. If the logger throws, sync() throws
     *        that exception, but the sync itself has been completed
     *
     * @return SyncResult what this call did. Switched is also returned if a damaged copy was replaced.
     *         Only the call that fails throws, and later calls return Paused until the next attempt is
     *         due. With a $ttl of 0, every call checks the store and throws if that fails
     *
     * @throws StoreException if the store fails, is missing the name or a chunk, or has an older version
     * @throws KindException if a live filter has this name, or if only one of the served filter and the
     *         published blob is a reverse index
     * @throws FormatException if the published bytes are not a valid blob, or the blob was built more
     *         than a day ahead of this host's clock
     * @throws SegmentException in the same cases as load(), or if the new head of an on-demand filter
     *         doesn't fit into its memory
     * @throws SignatureException in the same cases as load()
     * @throws SecretException in the same cases as load()
     * @throws BusyException in the same cases as load(), or if other processes keep loading other
     *         versions during the call
     * @throws \ValueError if the name or ttl is invalid
     * @throws \TypeError if $logger is not callable and has no log() method
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
    }

    /**
     * Attaches to a published filter that is too large to load. Only the head is loaded at first. When a
     * lookup needs a chunk, it fetches the chunk from the store and keeps it for all processes on the
     * host. If the memory is full, this evicts chunks that were not used recently. While a chunk isn't
     * available, lookups of its keys return true.
     *
     * You should build these blobs with small chunks (a Layout with shardBytes: 1024 and chunkBytes:
     * 1024), so more of the chunks in use fit into memory. When sync() switches to a new version, it only
     * fetches the head, and it keeps resident chunks that have not changed. To change $memory, drop() the
     * filter and attach again.
     *
     * Cost: the first attach() on a host reads from the store once and allocates a file of $memory bytes,
     * or less if that's enough for all chunks. Later calls cost the same as open().
     *
     * @param Store $store the store where the filter is published under this name. The object is only
     *        used by this handle. Lookups call the store, so its client should have short timeouts
     * @param int $memory maximum size of the filter in the segment in bytes, including its head and
     *        tables. All processes on a host must pass the same value. While sync() replaces the head,
     *        the segment contains two files of this size
     *
     * @throws StoreException if the filter does not exist on this host yet, and the store fails or
     *         doesn't have it
     * @throws FormatException if the published head is not valid, or the blob was built more than a day
     *         ahead of this host's clock
     * @throws KindException if the filter with this name has a different kind or a different memory size,
     *         or if the published blob is a reverse index
     * @throws SignatureException in the same cases as load()
     * @throws SecretException in the same cases as load()
     * @throws SegmentException if the segment was refused, is full or would exceed `bloom.memory_limit`.
     *         Also thrown if $memory is too small for the published head and one chunk, in which case the
     *         message tells you the minimum
     * @throws BusyException in the same cases as load()
     * @throws \ValueError if the name is invalid, or if $memory is not positive
     */
    public static function attach(string $name, Store $store, int $memory): OnDemandFilter
    {
    }

    final public function name(): string
    {
    }

    /**
     * Returns whether a key might have been added. If it returns false, the key was definitely not added.
     * For an absent key, it returns true with a probability equal to the false-positive rate. If the
     * served generation cannot be mapped, it always returns true.
     *
     * Cost: one hash and one cache line. Lookups take no locks and allocate no memory. Once a second, a
     * lookup also makes a system call to check that the name still refers to the same filter.
     *
     * @throws NotFoundException if the filter was dropped
     */
    final public function mightContain(string|int $key): bool
    {
    }

    /**
     * Returns the keys that might have been added, in the same order, so you only need to query the
     * database for these. If $keys is an array, they keep their array keys. If it is a Traversable, the
     * result is a list, because the keys of an iterator can repeat.
     *
     * Cost: less per key than mightContain() if the filter is larger than the CPU cache, because the CPU
     * fetches the cache lines of up to 64 keys in parallel. The values of a Traversable are collected
     * first.
     *
     * @template TKey of array-key
     * @template TValue of string|int
     *
     * @param array<TKey, TValue>|\Traversable<mixed, TValue> $keys
     *
     * @return ($keys is array ? array<TKey, TValue> : list<TValue>)
     *
     * @throws \TypeError if a value is not a string or int. The message gives its position
     * @throws NotFoundException if the filter was dropped
     */
    public function candidates(iterable $keys): array
    {
    }

    /**
     * Returns whether this filter can currently answer "definitely not". If it returns false, every
     * lookup answers "maybe", and info() tells you why. This happens if the served version is damaged or
     * cannot be mapped, or if the store has lost journal records that this host may not have read. It
     * also happens if this host has been behind the filter's journal for $maxLag seconds, for example
     * after it was suspended. An on-demand filter also answers "maybe" for keys whose chunk is not
     * available, even if it is complete.
     *
     * The result can change between two calls if another process syncs the filter. You can safely use it
     * to decide how to handle "maybe", because "definitely not" is always reliable.
     *
     * Cost: a lookup without hashing a key.
     *
     * @throws NotFoundException if the filter was dropped
     */
    final public function isComplete(): bool
    {
    }

    /**
     * Returns whether the served version follows a journal. If it does and isComplete() returns true,
     * "definitely not" also takes into account all keys that any host added to the journal more than
     * $maxLag seconds ago. Live filters don't follow a journal, so this returns false for them, and also
     * if the served version cannot be mapped.
     *
     * Cost: the same as isComplete().
     *
     * @throws NotFoundException if the filter was dropped
     */
    final public function followsJournal(): bool
    {
    }

    /**
     * Returns the source of the served blob (see Builder::__construct()). For example, your application
     * can check on each lookup that the keys in this version were made the same way it makes them.
     *
     * Cost: the same as isComplete(), plus a short string.
     *
     * @return string|null null: this is a live filter, or the served version cannot be mapped
     *
     * @throws NotFoundException if the filter was dropped
     */
    final public function source(): ?string
    {
    }

    /**
     * Returns statistics about the served generation.
     *
     * Cost: 3 µs for a loaded filter of any size, because its counts are stored. `segmentBytes` takes
     * another 10 µs for each filter in the segment, but it is only computed once a second and after
     * changes by this process. The rate of a journal's keys is measured once a second, and when there are
     * new keys.
     *
     * For a live filter, info() reads up to 1 MiB of the bits of each layer (256 KiB for a reverse
     * index). If a layer is larger, `setBits`, `fill`, `estimatedKeys`, and the measured and predicted
     * rates are extrapolated from this sample. `keys` is never extrapolated.
     *
     * @throws NotFoundException if the filter was dropped
     */
    public function info(): FilterInfo
    {
    }

    /**
     * Returns statistics for each shard, so you can see whether some are fuller than others. For a
     * scalable filter, the result has the shards of all layers, oldest layer first. For a sliding filter,
     * it has the shards of the slot that lookups use.
     *
     * Cost: one pass over the bits.
     *
     * @return list<array{setBits: int|null, fill: float, estimatedKeys: float,
     *         measuredFalsePositiveRate: float}> estimatedKeys is capped at 10^15, the value for a shard
     *         with all bits set
     *
     * @throws NotFoundException if the filter was dropped
     */
    final public function shards(): array
    {
    }

    /**
     * Reports how many candidates you looked up in your database, and how many of them you found. From
     * this sample, info() computes the observed false-positive rate.
     *
     * If you don't trust a filter yet, you can also query the database for keys that were "definitely
     * not" in the filter, and report the results here. If any of them exists, health() is critical for a
     * day. Bloom\Kit\ShadowFilter in packages/kit does this for you.
     *
     * Cost: four additions. The counters in shared memory are updated at the end of the request.
     *
     * @param int $looked "maybe" answers, 0 or more
     * @param int $found how many of these keys existed, from 0 to $looked
     * @param int $checked "definitely not" answers, 0 or more
     * @param int $denied how many of these keys existed anyway, from 0 to $checked
     *
     * @throws \ValueError if a number is out of range
     * @throws NotFoundException if the filter was dropped
     */
    final public function confirm(int $looked, int $found, int $checked = 0, int $denied = 0): void
    {
    }

    /**
     * Returns up to 12 of the most recent loads, newest first. For a live filter, the only entry is its
     * creation.
     *
     * @return list<array{generation: int, loadedAt: float, builtAt: float|null, keys: int, bytes: int,
     *         seconds: float, switchSeconds: float, bytesFetched: int}> builtAt is null for a live
     *         filter; seconds includes the fetches
     *
     * @throws NotFoundException if the filter was dropped
     */
    final public function history(): array
    {
    }

    /**
     * Returns the number of lookups on this host for each of the last 60 minutes, oldest first. Minutes
     * without lookups are left out. Lookups are counted in the minute when their request ends.
     *
     * @return list<array{at: int, lookups: int, absent: int}> at is the minute's first second (Unix
     *         time); absent counts the answers "definitely not"
     *
     * @throws NotFoundException if the filter was dropped
     */
    final public function activity(): array
    {
    }
}

/**
 * A filter that was loaded from a blob. It doesn't change until the next load() or sync().
 *
 * @strict-properties
 * @not-serializable
 */
final class LoadedFilter extends Filter
{
    /**
     * See Filter::load().
     *
     * @param (callable(int, int): mixed)|null $progress called with the bytes so far and in total
     *
     * @implementation-alias Bloom\Filter::load
     */
    public static function load(
        string $name,
        Blob $blob,
        ?callable $progress = null,
        ?JournalStore $journal = null,
        ?float $maxLag = null
    ): LoadedFilter {
    }

    /**
     * See Filter::info().
     *
     * @implementation-alias Bloom\Filter::info
     */
    public function info(): LoadedInfo
    {
    }
}

/**
 * A map from keys to values that was loaded from a blob. It tells you not only whether a key exists, but
 * also what its value is. Maps are always replaced as a whole by load() or sync(), so they cannot follow
 * a journal or be used on demand.
 *
 * @strict-properties
 * @not-serializable
 */
final class LoadedMap extends Filter
{
    /**
     * See Filter::load().
     *
     * @param (callable(int, int): mixed)|null $progress called with the bytes so far and in total
     *
     * @implementation-alias Bloom\Filter::load
     */
    public static function load(
        string $name,
        Blob $blob,
        ?callable $progress = null,
        ?JournalStore $journal = null,
        ?float $maxLag = null
    ): LoadedMap {
    }

    /**
     * Returns the value of a key, or null if the key is definitely absent. If the key was set, the value
     * is exact. If it was not set, get() can still return some arbitrary value, with a probability equal
     * to the false-positive rate. If that rate is 1, you should only look up keys that you have set.
     *
     * If this process cannot map the served generation, get() throws instead of making up a value. You
     * can then query the database as if there were no map.
     *
     * Cost: one hash, and the words of two stripes, which are 2 · 8 · (value bits + check bits)
     * consecutive bytes. For an absent key, only the check bits are read. No lock is taken.
     *
     * @return int|null 0 to 2^valueBits − 1, or any int if the map has 64 value bits
     *
     * @throws SegmentException if this process cannot map the served generation. Query the database
     *         instead
     * @throws NotFoundException if the map was dropped
     * @throws KindException if this name now belongs to a filter of another kind
     */
    public function get(string|int $key): ?int
    {
    }

    /**
     * Returns the values of several keys, all from the same generation. Absent keys are left out.
     *
     * Cost: less per key than get() if the map is larger than the CPU cache, as with candidates().
     *
     * @template TKey of array-key
     *
     * @param array<TKey, string|int> $keys
     *
     * @return array<TKey, int> the values, with the array keys from $keys
     *
     * @throws \TypeError if an element of $keys is not a string or int. The message gives its position
     * @throws SegmentException in the same cases as get()
     * @throws NotFoundException if the map was dropped
     * @throws KindException in the same cases as get()
     */
    public function getMany(array $keys): array
    {
    }

    /**
     * Returns the keys that may be in the map, like Filter::candidates(). If you pass a mask, it only
     * returns keys whose value has at least one bit in common with the mask. This way, one map can store
     * up to 64 sets of keys, using one bit of the value for each.
     *
     * If the served generation cannot be mapped, it returns all of $keys, no matter what the mask is.
     *
     * @template TKey of array-key
     * @template TValue of string|int
     *
     * @param array<TKey, TValue>|\Traversable<mixed, TValue> $keys
     * @param int|null $mask any int except 0; null: all keys that may be in the map
     *
     * @return ($keys is array ? array<TKey, TValue> : list<TValue>)
     *
     * @throws \TypeError if a value is not a string or int. The message gives its position
     * @throws \ValueError if the mask is 0
     * @throws NotFoundException if the map was dropped
     * @throws KindException in the same cases as get()
     */
    public function candidates(iterable $keys, ?int $mask = null): array
    {
    }

    /**
     * See Filter::info().
     *
     * @implementation-alias Bloom\Filter::info
     */
    public function info(): LoadedInfo
    {
    }
}

/**
 * Builds a Blob for LoadedMap from keys and values. The map is a Bloomier filter (Chazelle, Kilian,
 * Rubinfeld & Tal, "The Bloomier Filter", SODA 2004) that is solved like a ribbon filter.
 *
 * Memory: the map itself, and 16 bytes per key in a buffer that doubles in size. build() needs the same
 * amount again for sorting. None of this counts toward memory_limit.
 *
 * @strict-properties
 * @not-serializable
 */
final class MapBuilder
{
    /**
     * Creates an empty map. The finished map needs about 1.03 · (valueBits + log2(1 / falsePositiveRate))
     * bits per key.
     *
     * @param int $capacity number of distinct keys, 1 to 10^12. The map has room for this many keys, and
     *        build() throws if you set more keys than fit
     * @param int $valueBits number of bits per value, 1 to 64. Values are ints from 0 to 2^valueBits − 1,
     *        or any int if there are 64 bits
     * @param float $falsePositiveRate the probability that a lookup returns a value for a key that was
     *        not set, 10^-9 to 0.5. If you only look up keys that were set, use 1.0. The map then has no
     *        check bits, except in space that would otherwise be unused
     * @param int|null $seed see Builder::__construct()
     * @param Layout|null $layout only $shardBytes and $chunkBytes are allowed. null: use the shard size
     *        that makes the blob smallest
     * @param string $source a description of the keys, up to 128 bytes, which is stored in the blob
     * @param bool $keyed see Builder::__construct()
     * @param string|null $secret see Builder::__construct()
     * @param string $onDuplicate what build() does if a key was set to different values: 'refuse' throws,
     *        'last' keeps the last value
     * @param int $jobs number of threads for build(), 1 to 64. It has no effect on the blob
     *
     * @throws SecretException if $keyed is true and there is no secret
     * @throws \ValueError if an argument is out of range
     * @throws BloomException if there is not enough memory
     */
    public function __construct(
        int $capacity,
        int $valueBits,
        float $falsePositiveRate = 0.01,
        ?int $seed = null,
        ?Layout $layout = null,
        string $source = '',
        bool $keyed = false,
        #[\SensitiveParameter] ?string $secret = null,
        string $onDuplicate = 'refuse',
        int $jobs = 1
    ) {
    }

    /**
     * Creates an empty builder for the next version of a map (see Builder::like()). Changing the value of
     * a key then changes one shard, and adding or removing a key changes one or two.
     *
     * @param Blob $previous a map
     *
     * @throws SecretException if the map is keyed and there is no secret
     * @throws \ValueError if an argument is out of range, or if the blob is not a map
     * @throws BloomException if there is not enough memory
     */
    public static function like(
        Blob $previous,
        ?int $capacity = null,
        ?int $valueBits = null,
        ?float $falsePositiveRate = null,
        ?int $seed = null,
        ?Layout $layout = null,
        ?string $source = null,
        ?bool $keyed = null,
        #[\SensitiveParameter] ?string $secret = null,
        string $onDuplicate = 'refuse',
        int $jobs = 1
    ): MapBuilder {
    }

    /**
     * Cost: one hash.
     *
     * @throws \ValueError if the value does not fit into the value bits
     * @throws BloomException after build(), or if memory runs out. You can't use the builder after that
     */
    public function set(string|int $key, int $value): void
    {
    }

    /**
     * @param iterable<string|int, int> $values
     *
     * @return int the number of elements
     *
     * @throws \TypeError if a key is not a string or int, or a value is not an int. The message gives its
     *         position, and the elements before it have been set
     * @throws \ValueError if a value does not fit. The elements before it have been set
     * @throws BloomException in the same cases as set()
     */
    public function setMany(iterable $values): int
    {
    }

    /**
     * Sets one key for each line of a file. A line consists of the key, a TAB, and the value in decimal.
     * Keys may contain TABs, because only the last TAB in a line counts. Otherwise, lines are read as in
     * Builder::addFile().
     *
     * @param string|resource $file a path, the URL of any PHP stream wrapper, or an open stream, which is
     *        read from its current position to the end
     * @param (callable(int, int): mixed)|null $progress called with the bytes and keys so far, about
     *        every 4 MiB
     *
     * @return int number of lines read
     *
     * @implementation-alias Bloom\Builder::addFile
     *
     * @throws BloomException if the file cannot be opened or read, or if a line has no TAB or no valid
     *         value. The message gives the line number, and the lines before it have been set
     */
    public function addFile($file, ?callable $progress = null): int
    {
    }

    /**
     * Finishes the map. The blob takes over the builder's memory, so you can't use the builder
     * afterwards.
     *
     * Cost: build() sorts the keys and solves equations, which takes about 0.2 seconds per million keys
     * with one job.
     *
     * @param float|null $builtAt Unix time in seconds, stored in the blob; see Builder::build()
     *
     * @throws BloomException if a key was set to different values (Status::MapDuplicate; the message
     *         gives the key's digest and two of the values), if there are more keys than the map has room
     *         for (Status::MapPlaces), or if memory runs out. In the first two cases, the builder is not
     *         changed
     */
    public function build(?float $builtAt = null): Blob
    {
    }

    /**
     * See Builder::info().
     *
     * @implementation-alias Bloom\Builder::info
     */
    public function info(): BuilderInfo
    {
    }
}

/**
 * A live filter. All processes of one user on this host can add keys to it while others look up keys.
 * Once add() has returned, the key is never lost, even if other processes add keys at the same time or
 * are killed.
 *
 * @strict-properties
 * @not-serializable
 */
abstract class WritableFilter extends Filter
{
    /**
     * Adds a key.
     *
     * Cost: a lookup, and one write for each bit that was not set. A CountingFilter also needs two system
     * calls, or about a dozen if it isn't one of the eight filters that this thread locked most recently.
     *
     * @return bool true: the key was definitely not in the filter. If several processes add the same new
     *         key at the same time, more than one of them can get true. A CountingFilter takes a lock, so
     *         only one process gets true
     *
     * @throws NotFoundException if the filter was dropped
     * @throws KindException if the filter was dropped, and this name now belongs to a filter of a
     *         different class
     * @throws RateException if the filter is bounded and full
     * @throws BusyException if another process held the lock of a CountingFilter, or the lock that a
     *         SlidingFilter needs to rotate, for longer than `bloom.lock_timeout`, for example because it
     *         was stopped. Nothing was added
     * @throws SegmentException if this process cannot map the filter, or if there is no file descriptor
     *         left for the lock of a CountingFilter. Nothing was added
     */
    final public function add(string|int $key): bool
    {
    }

    /**
     * @param iterable<mixed, string|int> $keys
     *
     * @return int the number of keys that were definitely not in the filter
     *
     * @throws \TypeError if a value is not a string or int. The values before it have been added
     */
    final public function addMany(iterable $keys): int
    {
    }

    /**
     * Adds several keys, and returns whether each of them was definitely new. The result has the same
     * array keys as $keys. For a Traversable, it is a list.
     *
     * @template TKey of array-key
     *
     * @param array<TKey, string|int>|\Traversable<mixed, string|int> $keys
     *
     * @return ($keys is array ? array<TKey, bool> : list<bool>)
     *
     * @throws \TypeError if a value is not a string or int. The values before it have been added
     */
    final public function addEach(iterable $keys): array
    {
    }

    /**
     * Saves a snapshot of the filter, so you can restore() it later, for example after a reboot. The
     * snapshot includes all layers, counters and times, and every key whose add() returned before this
     * call. Other processes can keep adding keys in the meantime, but the snapshot may not include those
     * keys. Memory: up to 1 MiB, regardless of the size of the filter.
     *
     * If $target is a path, the snapshot is written to "<path>.tmp" with mode 0600, synced and then
     * renamed. An earlier snapshot therefore stays in place until the new one is complete. Symbolic links
     * are handled as in Blob::save().
     *
     * If $target is a store, the head is written last, under the key "<name>:snapshot". Every host needs
     * its own store or key prefix, because each host has different keys in its live filters. If signing
     * keys are configured, the snapshot is signed.
     *
     * @param string|Store $target a path, or a store
     *
     * @throws BusyException if another process is saving the filter to the same target or held a counting
     *         filter's lock for longer than `bloom.lock_timeout`, or if a sliding filter rotated during
     *         each of ten attempts
     * @throws NotFoundException if the filter was dropped
     * @throws KindException if the filter is not live
     * @throws SecretException if the signing keys cannot be read
     * @throws SegmentException if the file system is full, or if this process cannot map the filter
     * @throws StoreException if the store failed
     * @throws BloomException if the file cannot be written
     */
    final public function save(string|Store $target): void
    {
    }

    /**
     * See Filter::info().
     *
     * @implementation-alias Bloom\Filter::info
     */
    public function info(): LiveInfo
    {
    }
}

/**
 * The smallest and fastest live filter. Use it if you know roughly how many keys you will add.
 *
 * @strict-properties
 * @not-serializable
 */
final class LiveFilter extends WritableFilter
{
    /**
     * Returns the live filter with this name. If it doesn't exist, it is created.
     *
     * Cost: the same as open() if the filter exists. Creating it takes up to a few milliseconds.
     *
     * @param int $capacity number of distinct keys, 1 to 10^12. You can add more, but the rate then
     *        rises, and info() shows a warning
     * @param float $falsePositiveRate the rate at capacity, 10^-9 to 0.5
     * @param int|null $seed hash seed; null: the seed of the existing filter, or a random one
     * @param bool $keyed hash keys with the current secret from `bloom.secret_file` (see Builder). If the
     *        secret is rotated, an existing filter keeps using its original secret
     * @param float|null $ttl time to live of a new filter in seconds, 0.01 to 1,000,000,000; null:
     *        forever. The filter is then dropped as if you called drop(). Processes that use it notice
     *        within a second, and its memory is freed the next time a process opens, creates or lists it.
     *        An existing filter keeps its time to live
     * @param bool $exclusive throw if the filter exists
     * @param bool $bounded if the filter has $capacity keys, add() throws RateException for new keys, so
     *        the rate never exceeds the requested rate. Processes that add keys at the same time can each
     *        exceed the capacity by one key
     *
     * @throws KindException if the existing filter has a different kind or different parameters, or if it
     *         exists and $exclusive is true
     * @throws SecretException if the filter is or should be keyed, but this process doesn't have the
     *         secret
     * @throws SegmentException if the segment was refused, is full or would exceed `bloom.memory_limit`
     * @throws \ValueError if an argument is out of range
     */
    public static function create(
        string $name,
        int $capacity,
        float $falsePositiveRate = 0.01,
        ?int $seed = null,
        bool $keyed = false,
        ?float $ttl = null,
        bool $exclusive = false,
        bool $bounded = false
    ): LiveFilter {
    }

    /**
     * Creates a live filter from a blob, with the same geometry and keys.
     *
     * @throws KindException if a filter with this name exists, if the blob is a reverse index or a ribbon
     *         filter, or if it has a mark, because live filters cannot follow a journal
     * @throws SegmentException in the same cases as create()
     */
    public static function import(string $name, Blob $blob): LiveFilter
    {
    }

    /**
     * Adds all keys of the given blobs and live filters. They must have the same geometry, seed and
     * secret, so create all of them with the same parameters and seed. From then on, `keys` of info() is
     * an estimate.
     *
     * Cost: one pass over both filters for each argument. Other processes can look up and add keys in the
     * meantime.
     *
     * @throws \ValueError if the geometry, seed or secret differs. The message names the first difference
     * @throws KindException if a blob is a ribbon filter or has a mark
     * @throws RateException if a bounded filter might become too full
     * @throws SignatureException if `bloom.signing_key_file` is set, and a blob is not signed for this
     *         name with one of its keys
     */
    public function merge(Blob|LiveFilter ...$others): void
    {
    }

    /**
     * Returns a blob with all keys added so far. You can save or publish the blob, or load it on other
     * hosts.
     *
     * @param string $source a description of the keys, up to 128 bytes, which is stored in the blob
     *
     * @throws FormatException if more than 15 of 16 bits of a shard are set
     */
    public function export(string $source = ''): Blob
    {
    }
}

/**
 * A live filter that supports removing keys (Fan, Cao, Almeida & Broder, "Summary Cache", 2000). It needs
 * five times as much memory as a LiveFilter, because it has a 4-bit counter for each bit. If you add a
 * key again, it is counted again.
 *
 * @strict-properties
 * @not-serializable
 */
final class CountingFilter extends WritableFilter
{
    /**
     * Returns the counting filter with this name. If it doesn't exist, it is created. See
     * LiveFilter::create().
     */
    public static function create(
        string $name,
        int $capacity,
        float $falsePositiveRate = 0.01,
        ?int $seed = null,
        bool $keyed = false,
        ?float $ttl = null,
        bool $exclusive = false,
        bool $bounded = false
    ): CountingFilter {
    }

    /**
     * Removes a key, which undoes one add(). You should only remove keys that you have added. Removing a
     * false positive decreases the counters of other keys, so lookups may then deny keys that were
     * added.
     *
     * @return bool false: the key was definitely not in the filter, and nothing was changed
     *
     * @throws BusyException in the same cases as add()
     */
    public function remove(string|int $key): bool
    {
    }

    /**
     * Returns how many times a key has been added, minus how many times it has been removed. The result
     * may be too high, but 0 means the key is definitely absent. 15 means 15 or more, because a counter
     * never changes again once it reaches 15. Keys that only have such counters cannot be removed.
     *
     * @throws BusyException in the same cases as add()
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
 * A live filter that grows as you add keys, by adding layers, without exceeding its rate (Almeida et al.,
 * "Scalable Bloom Filters", 2007). Use it if you don't know how many keys there will be. Otherwise, a
 * LiveFilter is smaller and faster.
 *
 * When the newest layer is full, add() first creates another one. This can fail because of the memory
 * limit, because the file system is full, or because there are already 64 layers. In that case, the key
 * is added to the newest layer anyway, and `warning` and `growthFailures` of info() report the failure.
 * The next attempt is made after one second, or after ten times as long as the failed attempt took,
 * whichever is longer.
 *
 * @strict-properties
 * @not-serializable
 */
final class ScalableFilter extends WritableFilter
{
    /**
     * Returns the scalable filter with this name. If it doesn't exist, it is created. See
     * LiveFilter::create() for the other parameters.
     *
     * @param int $initialCapacity number of distinct keys in the first layer, 1 to 10^12
     * @param float $falsePositiveRate the rate of the whole filter no matter how large it grows, 10^-9 to
     *        0.5
     * @param float $growth capacity of a layer divided by the capacity of the previous layer, 1.1 to 16
     * @param float $tightening rate of a layer divided by the rate of the previous layer, 0.1 to 0.99.
     *        The rate of the first layer is $falsePositiveRate · (1 − $tightening). With 0.8 instead of
     *        0.9, the first layer needs 6 % fewer bits, but twelve layers need 6 % more and have a higher
     *        rate
     *
     * @throws KindException in the same cases as LiveFilter::create()
     * @throws SecretException in the same cases as LiveFilter::create()
     * @throws SegmentException in the same cases as LiveFilter::create()
     * @throws \ValueError if an argument is out of range
     */
    public static function create(
        string $name,
        int $initialCapacity,
        float $falsePositiveRate = 0.01,
        float $growth = 2.0,
        float $tightening = 0.9,
        ?int $seed = null,
        bool $keyed = false,
        ?float $ttl = null,
        bool $exclusive = false
    ): ScalableFilter {
    }
}

/**
 * A live filter that forgets old keys. After you add a key, lookups find it for between half a window and
 * a whole window. Adding the key again restarts this time.
 *
 * @strict-properties
 * @not-serializable
 */
final class SlidingFilter extends WritableFilter
{
    /**
     * Returns the sliding filter with this name. If it doesn't exist, it is created. See
     * LiveFilter::create() for the other parameters.
     *
     * @param int $capacity number of distinct keys added within one window, 1 to 10^12
     * @param float $falsePositiveRate the rate at capacity, 10^-9 to 0.5
     * @param float $window length of the window in seconds, 0.01 to 1,000,000,000. A key is always found
     *        for the first half of the window, and always forgotten by the end of it. Changing the host's
     *        clock has no effect
     *
     * @throws KindException in the same cases as LiveFilter::create()
     * @throws SecretException in the same cases as LiveFilter::create()
     * @throws SegmentException in the same cases as LiveFilter::create()
     * @throws \ValueError if an argument is out of range
     */
    public static function create(
        string $name,
        int $capacity,
        float $falsePositiveRate,
        float $window,
        ?int $seed = null,
        bool $keyed = false,
        ?float $ttl = null,
        bool $exclusive = false
    ): SlidingFilter {
    }

    /**
     * Returns a blob with the keys that lookups currently find. See LiveFilter::export().
     *
     * @implementation-alias Bloom\LiveFilter::export
     */
    public function export(string $source = ''): Blob
    {
    }
}

/**
 * An index that tells you which groups may contain a value. It is a tree of Bloom filters. The filters of
 * a node's children are interleaved, so a single test covers all of them, and a lookup only descends into
 * children that match.
 *
 * If you use create() or import(), the index is live. If you load a blob from ReverseIndexBuilder, the
 * index is read-only.
 *
 * @strict-properties
 * @not-serializable
 */
final class ReverseIndex extends Filter
{
    /**
     * See Filter::load().
     *
     * @param (callable(int, int): mixed)|null $progress called with the bytes so far and in total
     *
     * @implementation-alias Bloom\Filter::load
     */
    public static function load(
        string $name,
        Blob $blob,
        ?callable $progress = null,
        ?JournalStore $journal = null,
        ?float $maxLag = null
    ): ReverseIndex {
    }

    /**
     * Returns the live index with this name. If it doesn't exist, it is created. See LiveFilter::create()
     * for the other parameters.
     *
     * @param int $groups number of groups, 1 to 2^32. Groups are numbered from 0 to $groups − 1
     * @param int $capacity total number of values in all groups. A value in two groups counts twice
     * @param float $falsePositiveRate the rate of each filter in the tree, 10^-9 to 0.5. The rate of a
     *        single group is never higher than this. See `expectedWrongGroups` of info() for how many
     *        wrong groups to expect per lookup
     * @param int $fanOut number of children per node, a power of two, 64 to 1024
     *
     * @throws KindException in the same cases as LiveFilter::create()
     * @throws SecretException in the same cases as LiveFilter::create()
     * @throws SegmentException in the same cases as LiveFilter::create()
     * @throws \ValueError if an argument is out of range
     */
    public static function create(
        string $name,
        int $groups,
        int $capacity,
        float $falsePositiveRate = 0.001,
        int $fanOut = 256,
        ?int $seed = null,
        bool $keyed = false,
        ?float $ttl = null,
        bool $exclusive = false
    ): ReverseIndex {
    }

    /**
     * Creates a live index with the contents of a blob.
     *
     * @throws KindException if a filter with this name exists, or if the blob is not a reverse index
     */
    public static function import(string $name, Blob $blob): ReverseIndex
    {
    }

    /**
     * @return bool true: the value was definitely not in that group. More than one process can get true
     *         (see WritableFilter::add())
     *
     * @throws KindException if the index was loaded from a blob
     * @throws \ValueError if the group does not exist
     */
    public function add(int $group, string|int $value): bool
    {
    }

    /**
     * @param iterable<mixed, string|int> $values
     *
     * @return int the number of values that were definitely not in the group
     */
    public function addMany(int $group, iterable $values): int
    {
    }

    /**
     * Returns all groups that contain a value, and possibly a few that do not.
     *
     * @param int $limit maximum number of groups to return. The list is never truncated, so groups that
     *        aren't in it definitely do not contain the value. A list of 100,000 groups needs 2 MB
     *
     * @return list<int> in ascending order
     *
     * @throws BloomException if more than $limit groups may contain the value (Status::GroupsLimit). Pass
     *         a higher limit
     * @throws SegmentException if this process cannot map the index, so that any group may contain the
     *         value
     * @throws NotFoundException if the index was dropped
     * @throws \ValueError if $limit is below 1
     */
    public function groups(string|int $value, int $limit = 100_000): array
    {
    }

    /**
     * Exports a live index. See LiveFilter::export().
     *
     * @implementation-alias Bloom\LiveFilter::export
     */
    public function export(string $source = ''): Blob
    {
    }

    /**
     * Saves a snapshot. See WritableFilter::save().
     *
     * @implementation-alias Bloom\WritableFilter::save
     */
    public function save(string|Store $target): void
    {
    }

    /**
     * See Filter::info().
     *
     * @implementation-alias Bloom\Filter::info
     */
    public function info(): LoadedInfo|LiveInfo
    {
    }
}

/**
 * Builds a Blob for ReverseIndex from groups and their values.
 *
 * @strict-properties
 * @not-serializable
 */
final class ReverseIndexBuilder
{
    /**
     * @param int $groups see ReverseIndex::create()
     * @param int $capacity total number of values in all groups
     * @param float $falsePositiveRate the rate of each filter in the tree, 10^-9 to 0.5
     * @param int $fanOut number of children per node, a power of two, 64 to 1024
     * @param int|null $seed hash seed; null: random. like() keeps the seed of an earlier blob
     * @param string $source a description of the keys, up to 128 bytes, which is stored in the blob
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
        string $source = '',
        bool $keyed = false,
        #[\SensitiveParameter] ?string $secret = null
    ) {
    }

    /**
     * Creates an empty builder for the next version of an index (see Builder::like()).
     *
     * If you change the number of groups, no bits move as long as the tree has the same number of levels.
     * With 256 children per node, it has one level for up to 256 groups, two for up to 65,536 and three
     * for up to 16,777,216.
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
        ?string $source = null,
        ?bool $keyed = null,
        #[\SensitiveParameter] ?string $secret = null
    ): ReverseIndexBuilder {
    }

    /**
     * @return bool true: the value was definitely not in that group
     *
     * @throws \ValueError if the group does not exist
     */
    public function add(int $group, string|int $value): bool
    {
    }

    /**
     * @param iterable<mixed, string|int> $values
     *
     * @return int the number of values that were definitely not in the group
     *
     * @throws \TypeError if a value is not a string or int. The values before it have been added
     */
    public function addMany(int $group, iterable $values): int
    {
    }

    /**
     * See Builder::build().
     *
     * @implementation-alias Bloom\Builder::build
     */
    public function build(
        ?float $maxFalsePositiveRate = null,
        ?float $builtAt = null,
        ?string $mark = null
    ): Blob {
    }

    /**
     * See Builder::info().
     *
     * @implementation-alias Bloom\Builder::info
     */
    public function info(): BuilderInfo
    {
    }
}

/**
 * A published filter that only loads the chunks that lookups on this host need. See Filter::attach(). If
 * a chunk is missing, mightContain() fetches it from the store. candidates() fetches all missing chunks
 * for its keys, about 4 MiB per store call, but no more chunks than fit into the filter's memory.
 *
 * Lookups never throw if the store fails. If a key's chunk is not available, the lookup returns true and
 * is counted in `untold` of info(). This can have three causes, all of them temporary:
 *  - Another process is already fetching the chunk. After 5 seconds, a second process may try.
 *  - The store doesn't have the chunk, or the chunk failed verification. No process tries to fetch it
 *    again for 5 seconds.
 *  - The store failed, or eight chunks in a row were missing. All processes stop using the store for 1,
 *    2, 4 … 30 seconds, and then one process tries again. In info(), `lastError` contains the reason and
 *    `fetchPause` the number of seconds left.
 *
 * Cost: if the chunk is resident, a lookup costs two memory reads more than in a loaded filter.
 * Otherwise, mightContain() calls the store's getMultiple() once, without holding a lock. The request
 * waits for that call, so you should set a short timeout on the store's client.
 *
 * There is no limit on the number of store calls. For example, if only a fifth of the chunks fit into
 * memory, 4 out of 5 lookups of random keys call the store and evict a chunk. You should therefore not
 * look up keys that visitors choose, unless all chunks fit into memory (`chunksRoom` of info() equals
 * `chunks`).
 *
 * Handles from Filter::open() don't have a store, so they return true for any chunk that is not resident.
 *
 * @strict-properties
 * @not-serializable
 */
final class OnDemandFilter extends Filter
{
    /**
     * See Filter::info().
     *
     * @implementation-alias Bloom\Filter::info
     */
    public function info(): OnDemandInfo
    {
    }
}

/**
 * A key-value store with binary strings as values. Chunks are never larger than the blob's chunk size,
 * and heads are 4 KiB or more. Any method may throw, and the extension then wraps the exception in a
 * StoreException.
 *
 * If your store knows the size of a value before reading it, it should refuse values larger than 1 GiB,
 * the largest chunk size. The extension discards oversized values, but only after they are in memory.
 */
interface Store
{
    /**
     * Returns the values of several keys. For a key that does not exist, return null or leave it out.
     *
     * @param list<string> $keys
     *
     * @return array<string, string|null>
     */
    public function getMultiple(array $keys): array;

    /**
     * Returns the keys that do not exist.
     *
     * @param list<string> $keys
     *
     * @return list<string>
     */
    public function missing(array $keys): array;

    /**
     * Stores a value atomically. Concurrent readers must get either the old value or the new one.
     */
    public function set(string $key, string $value): void;

    /**
     * Stores a value only if the current value of the key is exactly $expected. If two processes call
     * this at the same time with the same $expected and different values, only one of them may succeed.
     * Otherwise, a slow publisher could overwrite a head that it hasn't seen.
     *
     * The comparison must happen where values are written, for example in a transaction, and never on a
     * replica that might lag. You don't need to handle concurrent calls to set() or deleteMultiple() for
     * the same key.
     *
     * @param string|null $expected null: the key must not exist
     *
     * @return bool false: the key has a different value, and nothing was stored
     */
    public function replace(string $key, ?string $expected, string $value): bool;

    /**
     * Deletes several keys. Ignore keys that don't exist. If a key cannot be deleted, delete the others
     * before you throw. In that case, publish() reports the exception as a warning, and the next publish
     * tries again.
     *
     * @param list<string> $keys
     */
    public function deleteMultiple(array $keys): void;
}

/**
 * A store that can also keep journals. A journal is a sequence of records, and any host can append to it.
 * A record is a binary string of 48 bytes to 1 MiB. missing() must also work for the names of journals.
 *
 * A *position* marks the end of a record, written as "EPOCH-OFFSET-CHECK". EPOCH is a decimal number
 * above 0 that identifies the journal. If a journal is lost and created again, it must get a different
 * number. OFFSET is a decimal number that increases with each record and is 0 before the first one. CHECK
 * is the last 8 bytes of the record in hexadecimal, or zeros before the first record.
 *
 * The *kind* of a record is the little-endian number in bytes 8 to 11. A journal is *open* if it has any
 * records and the last one is not of kind 4. If the journal is not open, append() must refuse records of
 * kinds 1 to 3, because hosts would never find the keys in them:
 *
 *     $kind = unpack('V', $records[0], 8)[1];
 *     $isOpen = $last !== '' && unpack('V', $last, 8)[1] !== 4;
 *     if ($kind >= 1 && $kind <= 3 && !$isOpen) {
 *         return null;
 *     }
 *
 * Your store must follow three rules. Otherwise, hosts may deny keys that were added:
 *  - Each call returns its own result, computed after the call began.
 *  - Once append() has returned, every later read() returns the records in the order they were appended,
 *    until trim() removes them. If your store loses records, the positions after them must no longer
 *    exist, so that hosts notice the loss.
 *  - All bytes are returned unchanged.
 *
 * See "What a store must do" in docs/dev/design.md for the reasons.
 */
interface JournalStore extends Store
{
    /**
     * Appends records to the journal, in order and atomically. No other record may come between them, and
     * a process that is killed must append either all of them or none. If the journal doesn't exist and
     * may begin with the first record, append() creates it.
     *
     * @param list<string> $records
     * @param string|null $after only append if the journal ends at this position
     *
     * @return string|null the position of the new end. null: nothing was appended, because the journal
     *         does not end at $after, or because it is not open and the first record is of kind 1 to 3
     */
    public function append(string $journal, array $records, ?string $after = null): ?string;

    /**
     * Returns the position of the journal's end and the last record. If the journal doesn't exist, it is
     * created. If it has no records, OFFSET is 0 and the record is an empty string.
     *
     * @return array{string, string}
     */
    public function last(string $journal): array;

    /**
     * Returns all records after the given positions, including any record whose append() returned before
     * this call. If your store might not have the newest records, for example on a lagging replica, it
     * must throw. Otherwise, the host would deny keys in the missing records. If the client supports
     * it, read all journals in one round trip.
     *
     * @param array<string, string> $positions by journal
     * @param int $limit return the records of each journal until they add up to at least this many bytes.
     *        If they add up to less, the caller assumes that it has reached the end of the journal
     *
     * @return array<string, array<string, string>|null> the records of each journal in order, with the
     *         position of a record's end as its array key. null: the journal doesn't exist or doesn't
     *         continue from the given position, because it has a different EPOCH, was trimmed beyond the
     *         position, ends before it, or has a different CHECK there
     */
    public function read(array $positions, int $limit): array;

    /**
     * Removes the records before a position, but keeps the record that ends there. Positions do not
     * change. If the journal doesn't have this position, do nothing.
     */
    public function trim(string $journal, string $position): void;
}

/**
 * The journal of a filter contains the keys that were added since the last build. It is kept in the same
 * store as the published filter, so every host finds these keys, even after a reboot.
 *
 *     $journal->add('new-tag');                 // on any host, in the transaction, before it commits
 *     $database->commit();
 *     Filter::sync('tags', $store, 1.0);        // on every host, once a second
 *
 *     $mark = $journal->mark();                 // in the build
 *     sleep(60);                                // until the transactions from before the mark have ended
 *     $builder->addMany(keysOfTheDatabase());
 *     $builder->build(mark: $mark)->publish($store, 'tags');
 *
 * If `bloom.signing_key_file` is set, each record is signed and includes the signature of the previous
 * record. Hosts with this setting refuse all other records.
 *
 * @strict-properties
 * @not-serializable
 */
final class Journal
{
    /**
     * @param string $name the name of the filter
     *
     * @throws \TypeError if the store does not implement JournalStore
     * @throws \ValueError if the name is invalid
     */
    public function __construct(string $name, Store $store)
    {
    }

    public function name(): string
    {
    }

    /**
     * Adds keys to the journal. Other hosts find them after their next sync. This works even if the
     * filter is not loaded on this host. If it is loaded for this user, lookups find the keys
     * immediately.
     *
     * Call add() inside the transaction that writes the key, right before the commit. Don't call it after
     * the commit. If the process were killed in between, every host would deny the key until the next
     * build. If add() throws, roll back. If you roll back after adding a key, the key is a false positive
     * until the next build.
     *
     * You can add keys before you publish the first version, but hosts only find them once you publish a
     * version with a mark. After that, add() refuses keys that hosts could not find, because the
     * published version has no mark, or because the journal has ended or was lost.
     *
     * Cost: one round trip for any number of keys, and about ten system calls. This takes 23 to 200 µs
     * with Redis on the same host. A directory needs one fdatasync, which takes 0.3 to 10 ms. The first
     * call for a name needs three more system calls. With a signing key, the first call on each object
     * needs a second round trip. If another writer has appended since the object's last call, the call
     * needs three. All keys are copied in memory, in records of about 64 KiB.
     *
     * @param iterable<mixed, string|int>|string|int $keys one key or several. A key can be up to
     *        1,048,460 bytes long
     *
     * @return int the number of keys
     *
     * @throws StoreException if the store fails. Lookups on this host find the keys only until the next
     *         version is loaded, so add them again
     * @throws KindException if the published version does not follow the journal. Nothing has been added.
     *         Take a mark, read the keys, build with that mark and publish
     * @throws SegmentException if the keys are in the journal, but could not be added on this host.
     *         Lookups here find them after the next sync
     * @throws SecretException if `bloom.signing_key_file` cannot be read
     * @throws \TypeError if a value is not a string or int. Nothing has been added
     * @throws \ValueError if a key is too long. Nothing has been added
     */
    public function add(\Traversable|array|string|int $keys): int
    {
    }

    /**
     * Returns the position of the journal's end, for Builder::build(). After calling this, wait for as
     * long as your longest transaction can take from add() to its commit. If you read from a replica, add
     * its lag to that time. Only then start the database transaction that reads the keys.
     *
     * If the journal doesn't exist or has ended, mark() starts it. This means you can add keys while you
     * build, but hosts won't find them until you publish the blob.
     *
     * Cost: one round trip, or three if it starts the journal.
     *
     * @throws StoreException if the store fails
     */
    public function mark(): string
    {
    }

    /**
     * Reads new keys from the journals of several filters. If there are none, this takes one round trip.
     * Call it often, for example once a second, and then call Filter::sync() for each name it returns.
     * These syncs are always due, regardless of $ttl. `bloom sync --every` does both.
     *
     * @param list<string> $names
     * @param float|null $maxLag see Filter::sync()
     *
     * @return list<string> the filters that need a sync. A filter needs one if it is not loaded or does
     *         not follow a journal, if a version was published, a record was refused, or the journal does
     *         not continue from the last record read, if its head was last read 60 seconds ago, or if it
     *         is time to retry a version that failed to load. Filters that another process is syncing are
     *         skipped
     *
     * @throws StoreException if the store fails
     */
    public static function pull(JournalStore $store, array $names, ?float $maxLag = null): array
    {
    }
}

/**
 * The base class of the stores that come with this extension. Do not extend it, because the methods of
 * your class would throw. Implement Store or JournalStore instead.
 *
 * @strict-properties
 * @not-serializable
 */
abstract class BuiltInStore implements Store
{
    /**
     * @throws StoreException if the store fails, or a value is larger than allowed
     * @throws \ValueError if a key is not valid for this store
     */
    final public function getMultiple(array $keys): array
    {
    }

    /**
     * @throws StoreException if the store fails
     * @throws \ValueError if a key is not valid for this store
     */
    final public function missing(array $keys): array
    {
    }

    /**
     * @throws StoreException if the store fails or refuses the value
     * @throws \ValueError if the key is not valid for this store
     */
    final public function set(string $key, string $value): void
    {
    }

    /**
     * @throws StoreException if the store fails or refuses the value
     * @throws \ValueError if the key is not valid for this store
     */
    final public function replace(string $key, ?string $expected, string $value): bool
    {
    }

    /**
     * @throws StoreException if the store fails
     * @throws \ValueError if a key is not valid for this store
     */
    final public function deleteMultiple(array $keys): void
    {
    }
}

/**
 * The base class of the built-in stores that can also keep journals. See BuiltInStore.
 *
 * @strict-properties
 * @not-serializable
 */
abstract class BuiltInJournalStore extends BuiltInStore implements JournalStore
{
    /**
     * @throws StoreException if the store fails, or if its data is not a valid journal
     * @throws \ValueError if a record or the position is invalid
     */
    final public function append(string $journal, array $records, ?string $after = null): ?string
    {
    }

    /** @throws StoreException in the same cases as append() */
    final public function last(string $journal): array
    {
    }

    /**
     * @throws StoreException in the same cases as append()
     * @throws \ValueError if a position is invalid
     */
    final public function read(array $positions, int $limit): array
    {
    }

    /**
     * @throws StoreException in the same cases as append()
     * @throws \ValueError if the position is invalid
     */
    final public function trim(string $journal, string $position): void
    {
    }
}

/**
 * A store in a plain directory, without a server. Heads are stored in `<name>`, and chunks in
 * `<name>:chunks/<first 2 hex digits>/<32 hex digits>`. Each file is written under a temporary name in
 * the same directory, synced and then renamed. On Windows, and in a directory that has an entry named
 * `.portable`, names are percent-encoded where Windows requires it (docs/dev/store.md).
 *
 * Files that are too large are refused before they are read. The first 512 bytes of a head determine how
 * large it may be. Chunks can be as large as the chunk size in their head, and any other value can be up
 * to 1 GiB. A file must also fit into the memory left by memory_limit.
 *
 * replace() locks the file `<name>:lock`, compares the value, and renames the new file. The lock file
 * stays in the directory. append() locks the file `<name>:journal`. Both throw StoreException if another
 * process holds the lock for longer than `bloom.lock_timeout`. If a process is killed during append(),
 * readers never see part of a record. append() takes about 10 system calls, and two of them wait for the
 * disk.
 *
 * New journal and lock files get mode 0600, because journals contain keys, and anyone who can read a file
 * can also lock it. If the directory's group can write to the directory, and you are in that group, they
 * get mode 0660 and that group instead. Files created by root belong to the directory's owner. Existing
 * files keep their mode.
 *
 * trim() copies the remaining records to a new file with the same owner, group and mode, and replaces the
 * old file with it. If you aren't allowed to set the owner, the new file belongs to you. This requires
 * that the group stays the same and has the same access as the owner, and trim() throws if that isn't
 * possible.
 *
 * @strict-properties
 * @not-serializable
 */
final class DirectoryStore extends BuiltInJournalStore
{
    /**
     * @param string $directory path of the directory. It only has to be writable for publishing, or if a
     *        journal doesn't exist yet. While the directory doesn't exist, for example because a share is
     *        not mounted, methods throw StoreException. A relative path is resolved against the working
     *        directory of this call. Symbolic links are followed on every method call, so you can change
     *        a link while processes are using the store
     *
     * @throws \ValueError if the path is invalid
     */
    public function __construct(string $directory)
    {
    }
}

/**
 * A store in Redis or Valkey. It uses your own client with its connection, timeouts, TLS and ACL, but
 * ignores the client's prefix, serializer and compression. Keys in Redis only have this store's prefix,
 * and values are plain bytes. The server's `proto-max-bulk-len` limits the size of a value, 512 MB by
 * default.
 *
 * Each operation is a script that returns a random number, so the store notices if a reply belongs to an
 * earlier request. It then throws a StoreException and never uses that connection again. The same happens
 * if the client throws an exception, for example because of a timeout. If you passed a closure, the next
 * call asks it for a new client. If you passed a client, the store closes it so that it reconnects if it
 * can. After that, ext-redis 5 selects database 0. The store keeps using your database, but your own code
 * may not, so you should prefer a closure with ext-redis 5. Clients inside MULTI or PIPELINE are refused.
 *
 * A client that resends requests, like Predis on a cluster, may append a record twice. This does no harm.
 *
 * One script can request up to 1,000 keys or read up to 64 journals. On a cluster, the client sends a
 * separate script to the right server for each key or journal. For 2,000 keys, this takes 0.1 seconds if
 * a round trip takes 0.05 ms. If you use a prefix with a hash tag (`bloom:{tags}:`), all keys are on the
 * same server, so one script can request many keys on a cluster as well.
 *
 * Journals are streams, so they need Redis 5.0 or Valkey. They are only read from the master. If
 * `min-replicas-to-write` is set on the master, read() throws a StoreException unless at least one
 * replica is keeping up.
 *
 * @strict-properties
 * @not-serializable
 */
final class RedisStore extends BuiltInJournalStore
{
    /**
     * @param object $client a connected \Redis, \RedisCluster or \Predis\ClientInterface (also for a
     *        cluster), or preferably a \Closure that connects and returns a new one. The store only calls
     *        the closure when it needs a client, so a web request never connects if its filter is
     *        current. If the server is down, only the sync or fetch fails. The closure is called again
     *        after a failure, and in a child process after a fork, where the store refuses clients that
     *        were connected before the fork. If a fiber uses the store while the closure is suspended in
     *        another fiber, both fibers call the closure, and the store keeps the client that is returned
     *        first
     * @param string $prefix prepended to every key. It should end with a colon, because names cannot
     *        contain one. Otherwise, filters with different prefixes could end up with the same keys
     *
     * @throws \TypeError if the object has any other class
     */
    public function __construct(object $client, string $prefix = 'bloom:')
    {
    }
}

/**
 * A store in Memcached. It uses your own ext-memcached client with its servers and timeouts.
 *
 * Memcached doesn't run scripts, so unlike RedisStore, this store cannot prove that a reply belongs to
 * its request. It therefore refuses values of keys that it didn't request. After any failure, it closes
 * all connections or asks your closure for a new client. However, it cannot detect an older value of the
 * same key, which a proxy or a server that was unreachable for a while may return. This only affects
 * heads, because chunks are verified by their digests. A head that is older than the served one is
 * refused.
 *
 * Memcached may evict values at any time, and it loses all of them when it restarts. Hosts keep serving
 * the filters they have loaded, but a sync that needs a lost value fails. To write the missing values,
 * publish the blob again. Journal records could not be restored this way, so this store doesn't support
 * journals.
 *
 * getMultiple() sends one get for all keys. It throws if the server of any key fails, even if the other
 * servers reply. Memcached has no command to check if a key exists, so missing() fetches all values, 16
 * at a time, and discards them. To compare and set, replace() sends get followed by cas with the token
 * from the reply, or add if $expected is null.
 *
 * The server's -I option limits the size of an item, 1 MB by default. This limits the chunk size (64 KiB
 * by default) and the size of the head, which needs 16 bytes per shard and per chunk. With items of 1 MB,
 * the largest possible filters are:
 *  - 453 MiB with the default sizes, shards of 8 KiB and chunks of 64 KiB
 *  - 1.99 GiB with shards and chunks of 64 KiB
 *  - 31.8 MiB with shards and chunks of 1 KiB
 *
 * @strict-properties
 * @not-serializable
 */
final class MemcachedStore extends BuiltInStore
{
    /**
     * @param object $client a \Memcached object with its servers, or preferably a \Closure that returns a
     *        new one (see RedisStore). OPT_NOREPLY and OPT_BUFFER_WRITES must be off, because the store
     *        needs the server's replies, and OPT_PREFIX_KEY must be empty. Values are stored without
     *        compression, because it would not make filters smaller. The serializer is not used.
     *        Publishers and readers must use the same servers, hash and distribution
     * @param string $prefix prepended to every key, up to 89 bytes of printable ASCII without spaces
     *
     * @throws \TypeError if the object has any other class
     * @throws \ValueError if this prefix does not make valid Memcached keys
     */
    public function __construct(object $client, string $prefix = 'bloom:')
    {
    }
}
