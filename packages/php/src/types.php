<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/** The base class of all exceptions in this extension. */
class BloomException extends \Exception
{
}

/** No filter with this name is loaded on this host. */
class NotFoundException extends BloomException
{
}

/** The filter with this name has a different kind or different parameters, or does not support the operation. */
class KindException extends BloomException
{
}

/** The bytes are not a valid blob. */
class FormatException extends BloomException
{
}

/** The filter has too many keys for its size. */
class RateException extends BloomException
{
}

/** The segment could not be used. */
class SegmentException extends BloomException
{
}

/** Another process held the write lock for longer than `bloom.lock_timeout`. */
class BusyException extends SegmentException
{
}

/** The store failed, returned a value of the wrong type, or doesn't have the requested value. */
class StoreException extends BloomException
{
}

/** A required secret or signing key is not available. */
class SecretException extends BloomException
{
}

/** `bloom.signing_key_file` is set, but the blob has no valid signature or is older than the version being served. */
class SignatureException extends BloomException
{
}

/** The codes of BloomException. */
enum Status: int
{
    case Budget = 14;
    case Path = 19;
    case Short = 20;
    case Magic = 21;
    case Version = 22;
    case HeadBytes = 23;
    case HeadChecksum = 24;
    case Reserved = 25;
    case Scheme = 26;
    case Geometry = 27;
    case Length = 28;
    case Totals = 29;
    case Meta = 30;
    case ShardChecksum = 31;
    case ShardBits = 32;
    case ShardKeys = 33;
    case Saturated = 34;
    case ChunkDigest = 35;
    case OverRate = 36;
    case Full = 37;
    case NotFound = 38;
    case Gone = 39;
    case Expired = 40;
    case Exists = 41;
    case Kind = 42;
    case Immutable = 43;
    case Unmapped = 44;
    case Cache = 45;
    case Live = 46;
    case RefusedType = 47;
    case RefusedOwner = 48;
    case RefusedMode = 49;
    case NoDirectory = 50;
    case Control = 51;
    case OtherVersion = 52;
    case Limit = 53;
    case FileLimit = 54;
    case Space = 55;
    case Incomplete = 56;
    case System = 57;
    case Memory = 58;
    case Overtaken = 59;
    case Busy = 60;
    case Store = 61;
    case StoreType = 62;
    case StoreMissing = 63;
    case Stale = 64;
    case Sodium = 65;
    case SecretFile = 66;
    case SecretMode = 67;
    case SecretText = 68;
    case NoSecret = 69;
    case Secret = 70;
    case NoSigningKey = 71;
    case Unsigned = 72;
    case Signer = 73;
    case Signature = 74;
    case Replay = 75;
    case Solved = 80;
    case RefusedNetwork = 81;
    case Holes = 82;
    case Damaged = 83;
    case StoreSize = 84;
    case WrongGroups = 86;
    case GroupsLimit = 87;
    case BuiltAhead = 89;
    case Record = 91;
    case RecordName = 92;
    case RecordUnsigned = 93;
    case RecordSigner = 94;
    case RecordSignature = 95;
    case RecordChain = 96;
    case Position = 97;
    case JournalLost = 98;
    case NoJournal = 99;
    case NoMark = 100;
    case JournalKind = 101;
    case Snapshot = 102;
    case SnapshotVersion = 103;
    case SnapshotKind = 104;
    case SnapshotParams = 105;
    case SnapshotPiece = 106;
    case SnapshotOther = 107;
    case NotLive = 108;
    case Saving = 109;
    case File = 110;
    case Override = 111;
    case OverrideUnsigned = 112;
    case OverrideSigner = 113;
    case OverrideSignature = 114;
    case OverrideReplay = 115;
    case Pinned = 116;
    case Line = 117;
    case NoPrevious = 118;
    case RefusedLink = 119;
    case RecordKind = 120;
    case RecordsLost = 121;
    case JournalClosed = 122;
    case MarkRequired = 123;
    case BlobLacks = 124;
    case Marked = 125;
    case StoreClient = 126;
    case StoreAltered = 127;
    case Foreign = 129;
    case ForeignFormat = 130;
    case ForeignSize = 131;
    case ForeignEmpty = 132;
    case Imported = 133;
    case NoExport = 137;
    case ExportLayers = 138;
    case RecordVersion = 139;
    case MapDuplicate = 143;
    case MapPlaces = 144;
    case MapSpill = 145;
    case MapLine = 146;
    case MapWhole = 147;
    case Field = 148;
}

/** The kind of a filter in the segment. */
enum Kind: string
{
    case Loaded = 'loaded';
    case Live = 'live';
    case Counting = 'counting';
    case Scalable = 'scalable';
    case Sliding = 'sliding';
    case Reverse = 'reverse';
    case OnDemand = 'on-demand';
    case Map = 'map';
}

/** The data structure inside a blob. */
enum Scheme: string
{
    case Bloom = 'bloom';
    case Ribbon = 'ribbon';
    case Reverse = 'reverse';
    case Foreign = 'foreign';
    case Map = 'map';
}

/** The formats that Blob::import() can read. */
enum ForeignFormat: string
{
    case ValkeyProb = 'valkeyprob';
    case RedisBloom = 'redisbloom';
    case ValkeyBloom = 'valkey-bloom';
    case Guava = 'guava';
}

/** What Filter::sync() did. */
enum SyncResult: string
{
    case Switched = 'switched';
    case Current = 'current';
    case NotDue = 'not due';
    case Paused = 'paused';
    case Busy = 'busy';
}

/** The parameters of a builder, and what has been added so far. */
final class BuilderInfo extends Info
{
}

/** The fields in the head of a blob, and values computed from them. */
final class BlobInfo extends Info
{
}

/** A version of a filter in a store. */
final class Version extends Info
{
}

/** Statistics about the generation of a filter that is being served. */
abstract class FilterInfo extends Info
{
}

/** A filter that was loaded from a blob. */
class LoadedInfo extends FilterInfo
{
}

/** Statistics about an on-demand filter. */
final class OnDemandInfo extends LoadedInfo
{
}

/** Statistics about a live filter, which gets its keys on this host. */
final class LiveInfo extends FilterInfo
{
}

/** Statistics about the journal that a loaded filter follows. */
final class JournalInfo extends Info
{
}

/** The health of a filter, as returned by Filter::health(). */
final class Health extends Info
{
}

/** A set of keys that you can query. */
interface Membership
{
    /** Returns whether a key might have been added. */
    public function mightContain(string|int $key): bool;

    /**
     * Returns the keys that might have been added, in the same order.
     * @template TKey of array-key
     * @template TValue of string|int
     * @param array<TKey, TValue>|\Traversable<mixed, TValue> $keys
     * @return ($keys is array ? array<TKey, TValue> : list<TValue>)
     */
    public function candidates(iterable $keys): array;
}

/** A key-value store with binary strings as values. */
interface Store
{
    /**
     * Returns the values of several keys.
     * @param list<string> $keys
     * @return array<string, string|null>
     */
    public function getMultiple(array $keys): array;

    /**
     * Returns the keys that do not exist.
     * @param list<string> $keys
     * @return list<string>
     */
    public function missing(array $keys): array;

    /** Stores a value atomically. */
    public function set(string $key, string $value): void;

    /** Stores a value only if the current value of the key is exactly $expected. */
    public function replace(string $key, ?string $expected, string $value): bool;

    /**
     * Deletes several keys.
     * @param list<string> $keys
     */
    public function deleteMultiple(array $keys): void;
}

/** A store that can also keep journals. */
interface JournalStore extends Store
{
    /**
     * Appends records to the journal, in order and atomically.
     * @param list<string> $records
     */
    public function append(string $journal, array $records, ?string $after = null): ?string;

    /**
     * Returns the position of the journal's end and the last record.
     * @return array{string, string}
     */
    public function last(string $journal): array;

    /**
     * Returns all records after the given positions, including any record whose append() returned before this call.
     * @param array<string, string> $positions
     * @return array<string, array<string, string>|null>
     */
    public function read(array $positions, int $limit): array;

    /** Removes the records before a position, but keeps the record that ends there. */
    public function trim(string $journal, string $position): void;
}
