<?php

// Copied from stubs/bloom.stub.php by scripts/polyfill.

namespace Bloom;

/**
 * The codes of BloomException: Status::tryFrom($exception->getCode()) returns null for code 0. Compare
 * with the cases, because another release may have other numbers. docs/errors.md explains each case.
 */
enum Status: int
{
    /** the memory must be large enough for the filter's head and one chunk */
    case Budget = 14;
    /** a segment path must be absolute and shorter than 4,000 bytes */
    case Path = 19;
    /** shorter than a blob's head */
    case Short = 20;
    /** not a bloom blob: the magic bytes do not match */
    case Magic = 21;
    /** this build cannot read the blob's format version (it reads version 1) */
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
    /** the shard's keys and set bits contradict each other: a key sets between 1 and `probes` bits */
    case ShardKeys = 33;
    /** more than 15 of 16 bits are set: nearly every answer would be maybe */
    case Saturated = 34;
    /** the chunk's bytes do not match its digest */
    case ChunkDigest = 35;
    /** the measured false-positive rate is over the limit */
    case OverRate = 36;
    /** the filter is full, and was created to refuse more keys */
    case Full = 37;
    /** no such filter is loaded */
    case NotFound = 38;
    /** the filter was dropped */
    case Gone = 39;
    /** the time to live of the saved filter has ended */
    case Expired = 40;
    /** a filter with that name already exists */
    case Exists = 41;
    /** a filter of a different kind has that name */
    case Kind = 42;
    /** a reverse index loaded from a blob is read-only */
    case Immutable = 43;
    /** the filter cannot currently be mapped into this process */
    case Unmapped = 44;
    /** not an on-demand filter that this build supports */
    case Cache = 45;
    /** not a live filter that this build supports */
    case Live = 46;
    /** refused: not a regular file or directory, or a file with several hard links */
    case RefusedType = 47;
    /** refused: belongs to another user */
    case RefusedOwner = 48;
    /** refused: group or others may access it (directories must be 0700, files 0600) */
    case RefusedMode = 49;
    /** the segment's directory cannot be created */
    case NoDirectory = 50;
    /** not a control page of this extension */
    case Control = 51;
    /** the control page belongs to a different version of this extension */
    case ControlVersion = 52;
    /** the segment would exceed its memory limit */
    case Limit = 53;
    /** larger than the process's file size limit (RLIMIT_FSIZE) */
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
    /** the secret file cannot be read: it needs an absolute path and at most 16 KiB */
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
    /** a ribbon filter cannot be extended or merged */
    case Solved = 79;
    /** the shard's attempt number is over 63, or it has more keys than slots */
    case ShardRow = 80;
    /** a shard has too many keys for a ribbon filter of this size */
    case Overfull = 81;
    /** refused: on a network file system, where other hosts can change mapped files */
    case RefusedNetwork = 82;
    /** refused: the file has holes, which can kill the process when the file system is full */
    case Holes = 83;
    /** the served file is damaged: lookups answer maybe until a sync or a load succeeds */
    case Damaged = 84;
    /** the store's value is larger than allowed */
    case StoreSize = 85;
    /** a value in no group would match more than 10,000 groups on average */
    case WrongGroups = 87;
    /** more groups may hold the value than the limit allows */
    case GroupsLimit = 88;
    /** the blob was built more than a day ahead of this host's clock */
    case BuiltAhead = 90;
    /** a record of the journal is damaged or larger than 1 MiB */
    case Record = 92;
    /** a record of the journal belongs to a different filter */
    case RecordName = 93;
    /** a record of the journal is not signed, but signing keys are configured */
    case RecordUnsigned = 94;
    /** a record of the journal is signed with a key that is not configured */
    case RecordSigner = 95;
    /** a record of the journal was altered: its signature does not match */
    case RecordSignature = 96;
    /** a record of the journal was dropped, inserted or moved */
    case RecordChain = 97;
    /** the store returned an invalid position in the journal */
    case Position = 98;
    /** the journal does not continue from the blob's mark: build and publish the filter again with a new mark */
    case JournalLost = 99;
    /** the blob has a mark, so loading it needs the store with its journal */
    case NoJournal = 100;
    /** the blob has no mark, so it has no journal */
    case NoMark = 101;
    /** an on-demand filter or a reverse index cannot follow a journal */
    case JournalKind = 102;
    /** not a snapshot: the magic bytes do not match */
    case Snapshot = 103;
    /** this build cannot read the snapshot's format version (it reads version 1) */
    case SnapshotVersion = 104;
    /** this build does not know the snapshot's kind, or the kind cannot have this number of layers */
    case SnapshotKind = 105;
    /** a parameter of the snapshot is out of range, or does not belong to its kind */
    case SnapshotParams = 106;
    /** the piece's bytes do not match their digest in the snapshot's head */
    case SnapshotPiece = 107;
    /** the snapshot is of a filter of a different kind */
    case SnapshotOther = 108;
    /** only live filters can be saved */
    case NotLive = 109;
    /** another process is saving a filter to this place */
    case Saving = 110;
    /** the file cannot be read or written */
    case File = 111;
    /** the store's pin or rollback is damaged, or this build cannot read it */
    case Override = 112;
    /** the pin or rollback is not signed, but signing keys are configured */
    case OverrideUnsigned = 113;
    /** the pin or rollback is signed with a key that is not configured */
    case OverrideSigner = 114;
    /** the signature of the pin or rollback does not match */
    case OverrideSignature = 115;
    /** the pin or rollback is older than one that this host has seen, or has ended */
    case OverrideReplay = 116;
    /** the filter is pinned to a version */
    case Pinned = 117;
    /** a line of keys must have at most 1,048,576 bytes */
    case Line = 118;
    /** there is no earlier version to roll back to */
    case NoPrevious = 119;
    /** refused: a symbolic link of another user, in a directory where every user can create links */
    case RefusedLink = 120;
    /** this build does not know the kind of a record of the journal */
    case RecordKind = 121;
    /** the store has lost records of the journal: build and publish the filter again with a new mark */
    case RecordsLost = 122;
    /** the published version does not follow the journal, so no host would find the keys */
    case JournalClosed = 123;
    /** the filter has a journal, but the blob has no mark, so no host would find the keys that are added */
    case MarkRequired = 124;
    /** the journal has ended, but the blob lacks keys that were added to it before */
    case BlobLacks = 125;
    /** the blob has a mark, but a live filter cannot follow a journal */
    case Marked = 126;
    /** the store cannot use its client */
    case StoreClient = 127;
    /** the store returned different bytes than were stored */
    case StoreAltered = 128;
}
