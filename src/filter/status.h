/* All failures that the core can report, one row each.
 *
 * A function that can fail returns a bloom_status. If the code alone is not specific enough, the
 * function also stores details such as the file, the shard or errno in the caller's bloom_error. No
 * function in this header prints, allocates or aborts. The PHP layer turns the code, the subject
 * and errno into a typed exception.
 *
 * BLOOM_STATUS_TABLE lists all codes in the order of their numbers. The numbers are public, so new
 * codes are appended at the end. The table has two kinds of rows:
 *
 *     ARGUMENT(code, what, requirement)       A parameter is rejected. The sentence is "what
 *                                             requirement". A caller that already names the
 *                                             parameter uses only the requirement.
 *     FAILURE(code, class, group, sentence)   Any other failure. `class` is the name of the
 *                                             exception class, without the namespace and the suffix
 *                                             "Exception".
 *
 * The table is the source of the enum, the sentences, the groups, the exception classes,
 * docs/reference/errors.md (scripts/errors) and the unit test that triggers each code. A sentence
 * has at most 120 characters. It names neither PHP parameters nor settings, because
 * src/php/errors.c adds the remedy.
 */
#ifndef BLOOM_STATUS_H
#define BLOOM_STATUS_H

#include "filter/compiler.h"

/* What a caller can do about a failure. */
typedef enum bloom_status_group {
	BLOOM_GROUP_OTHER,
	BLOOM_GROUP_ARGUMENT,  /* pass a different value */
	BLOOM_GROUP_FORMAT,    /* obtain the blob again: this build cannot read these bytes */
	BLOOM_GROUP_SIGNATURE, /* sign the blob, or configure its key */
	BLOOM_GROUP_STORE,     /* query the store again: its response is incomplete or invalid */
	BLOOM_GROUP_RETRY,     /* look up the filter and retry: another process has changed it */
} bloom_status_group;

/* clang-format off */
#define BLOOM_STATUS_TABLE(ARGUMENT, FAILURE) \
	FAILURE(OK, Bloom, OTHER, "no error") \
	/* arguments: parameters of a filter, and names */ \
	ARGUMENT(E_CAPACITY, "capacity", "must be between 1 and 1,000,000,000,000 keys") \
	ARGUMENT(E_RATE, "false-positive rate", "must be between 0.000000001 and 0.5") \
	ARGUMENT(E_SHARD_BYTES, "shard bytes", "must be a power of two from 1024 to 65536") \
	ARGUMENT(E_BLOCK_BYTES, "block bytes", \
		"must be a power of two from 8 to the shard bytes") \
	ARGUMENT(E_PROBES, "probes", "must be between 1 and 32") \
	ARGUMENT(E_BITS_PER_KEY, "bits per key", "must be between 1 and 1024") \
	ARGUMENT(E_GROUPS, "groups", "must be between 1 and 4,294,967,296") \
	ARGUMENT(E_FAN_OUT, "fan-out", "must be a power of two from 64 to 1024") \
	ARGUMENT(E_GROWTH, "growth", "must be between 1.1 and 16") \
	ARGUMENT(E_TIGHTENING, "tightening", "must be between 0.1 and 0.99") \
	ARGUMENT(E_WINDOW, "window", "must be between 0.01 and 1,000,000,000 seconds") \
	ARGUMENT(E_TTL, "time to live", "must be between 0.01 and 1,000,000,000 seconds") \
	ARGUMENT(E_BOUND, "bounded", "must be false for this kind of filter") \
	FAILURE(E_BUDGET, Segment, OTHER, \
		"the memory must be large enough for the filter's head and one chunk") \
	ARGUMENT(E_DIFFERENT, "blobs to combine", "must have the same geometry, seed and secret") \
	ARGUMENT(E_TOO_LARGE, "capacity", \
		"must be smaller: the filter would be larger than 4 TiB") \
	ARGUMENT(E_CHUNK_BYTES, "chunk bytes", \
		"must be a multiple of the shard bytes, up to 1 GiB") \
	ARGUMENT(E_NAME, "a filter name", \
		"must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and must not start with " \
		". or -") \
	FAILURE(E_PATH, Segment, OTHER, \
		"a segment path must be absolute and shorter than 4,000 bytes") \
	/* blobs: one code for each check */ \
	FAILURE(E_SHORT, Format, FORMAT, "too short to be a blob") \
	FAILURE(E_MAGIC, Format, FORMAT, "this is not a bloom blob: the magic bytes do not match") \
	FAILURE(E_VERSION, Format, FORMAT, \
		"this build reads only blobs of format version 2") \
	FAILURE(E_HEAD_BYTES, Format, FORMAT, "the head's size does not match its tables") \
	FAILURE(E_HEAD_CHECKSUM, Format, FORMAT, "the head's checksum does not match") \
	FAILURE(E_RESERVED, Format, FORMAT, "a reserved byte is not zero") \
	FAILURE(E_SCHEME, Format, FORMAT, \
		"this build does not know the filter scheme, digest or chunk digest") \
	FAILURE(E_GEOMETRY, Format, FORMAT, "the head's geometry is out of range") \
	FAILURE(E_LENGTH, Format, FORMAT, "the length does not match the head") \
	FAILURE(E_TOTALS, Format, FORMAT, "the head's totals do not match its shard rows") \
	FAILURE(E_META, Format, FORMAT, \
		"the head's capacity, rate or source name is out of range") \
	FAILURE(E_SHARD_CHECKSUM, Format, FORMAT, "the shard's checksum does not match") \
	FAILURE(E_SHARD_BITS, Format, FORMAT, "the shard's set bits do not match its row") \
	FAILURE(E_SHARD_KEYS, Format, FORMAT, \
		"the shard has too few or too many set bits for its number of keys") \
	FAILURE(E_SATURATED, Format, FORMAT, \
		"more than 15 of 16 bits are set, so nearly every answer would be maybe") \
	FAILURE(E_CHUNK_DIGEST, Format, FORMAT, "the chunk's bytes do not match its digest") \
	/* building */ \
	FAILURE(E_OVER_RATE, Rate, OTHER, "the measured false-positive rate is over the limit") \
	FAILURE(E_FULL, Rate, OTHER, "the filter is full and does not accept more keys") \
	/* the segment */ \
	FAILURE(E_NOT_FOUND, NotFound, OTHER, "no such filter is loaded") \
	FAILURE(E_GONE, NotFound, RETRY, "the filter was dropped") \
	FAILURE(E_EXPIRED, NotFound, OTHER, "the time to live of the saved filter has expired") \
	FAILURE(E_EXISTS, Kind, OTHER, "a filter with that name already exists") \
	FAILURE(E_KIND, Kind, OTHER, "that name is taken by a filter of a different kind") \
	FAILURE(E_IMMUTABLE, Kind, OTHER, "a reverse index loaded from a blob is read-only") \
	FAILURE(E_UNMAPPED, Segment, OTHER, \
		"the filter cannot currently be mapped into this process") \
	FAILURE(E_CACHE, Segment, OTHER, \
		"this build cannot read this on-demand filter") \
	FAILURE(E_LIVE, Segment, OTHER, "this build cannot read this live filter") \
	FAILURE(E_REFUSED_TYPE, Segment, OTHER, \
		"refused: it is not a regular file or directory, or it has several hard links") \
	FAILURE(E_REFUSED_OWNER, Segment, OTHER, "refused: it belongs to another user") \
	FAILURE(E_REFUSED_MODE, Segment, OTHER, \
		"refused: group or others may access it (directories must be 0700, files 0600)") \
	FAILURE(E_NO_DIRECTORY, Segment, OTHER, "the segment's directory cannot be created") \
	FAILURE(E_CONTROL, Segment, OTHER, \
		"this file is not a control page of the bloom extension") \
	FAILURE(E_OTHER_VERSION, Segment, OTHER, \
		"a different version of this extension has a live filter with that name") \
	FAILURE(E_LIMIT, Segment, OTHER, "the segment would exceed its memory limit") \
	FAILURE(E_FILE_LIMIT, Segment, OTHER, \
		"the file would exceed the process's file size limit (RLIMIT_FSIZE)") \
	FAILURE(E_SPACE, Segment, OTHER, "the file system has too little free space") \
	FAILURE(E_INCOMPLETE, Segment, OTHER, \
		"the staged file was not completely written and verified") \
	FAILURE(E_SYSTEM, Segment, OTHER, "the operating system refused the operation") \
	FAILURE(E_MEMORY, Bloom, OTHER, "out of memory") \
	FAILURE(E_OVERTAKEN, Busy, RETRY, \
		"another process has changed the filter in the meantime") \
	FAILURE(E_BUSY, Busy, OTHER, "another writer held the lock for the whole lock timeout") \
	/* the store */ \
	FAILURE(E_STORE, Store, OTHER, "the store failed") \
	FAILURE(E_STORE_TYPE, Store, STORE, "the store returned a value of the wrong type") \
	FAILURE(E_STORE_MISSING, Store, STORE, "missing from the store") \
	FAILURE(E_STALE, Store, OTHER, "the store's version is older than the one served") \
	/* secrets and signatures */ \
	FAILURE(E_SODIUM, Secret, OTHER, \
		"this build has no libsodium, which keyed filters and signed blobs need") \
	FAILURE(E_SECRET_FILE, Secret, OTHER, \
		"the secret file cannot be read: its path must be absolute, and its size at most " \
		"16 KiB") \
	FAILURE(E_SECRET_MODE, Secret, OTHER, \
		"the secret file must be a regular file owned by this user or root, " \
		"inaccessible to others and not group-writable") \
	FAILURE(E_SECRET_TEXT, Secret, OTHER, \
		"the secret file must have 1 to 8 different lines of 64 hexadecimal digits") \
	FAILURE(E_NO_SECRET, Secret, OTHER, "no secret is configured") \
	FAILURE(E_SECRET, Secret, OTHER, \
		"the filter is keyed with a secret that is not configured") \
	FAILURE(E_NO_SIGNING_KEY, Secret, OTHER, "no signing key is configured") \
	FAILURE(E_UNSIGNED, Signature, SIGNATURE, \
		"the blob is not signed, but signing keys are configured") \
	FAILURE(E_SIGNER, Signature, SIGNATURE, \
		"the blob is signed with a key that is not configured") \
	FAILURE(E_SIGNATURE, Signature, SIGNATURE, \
		"the signature does not match: the head was altered, or signed for a " \
		"different name") \
	FAILURE(E_REPLAY, Signature, OTHER, \
		"the blob is older than the version served, but signing keys are configured") \
	/* ribbon filters */ \
	ARGUMENT(E_STRIPES, "the number of stripes of a ribbon filter", \
		"must be even, and from 10 to the number of 64-bit words in a shard") \
	ARGUMENT(E_RIBBON_BITS, "bits per key of a ribbon filter", \
		"must be higher: its keys do not fit") \
	ARGUMENT(E_RIBBON_SHARD, "shard bytes of a ribbon filter", \
		"must be larger: too few keys of so many bits fit into such a shard") \
	ARGUMENT(E_NOT_BLOOM, "the scheme", \
		"must be bloom if block bytes, probes or groups are given") \
	FAILURE(E_SOLVED, Kind, OTHER, \
		"a ribbon filter or a map cannot be extended or merged") \
	/* the segment's file system */ \
	FAILURE(E_REFUSED_NETWORK, Segment, OTHER, \
		"refused: it is on a network file system, where other hosts can change mapped " \
		"files") \
	FAILURE(E_HOLES, Segment, OTHER, \
		"refused: the file has holes, which can kill the process when the file system " \
		"is full") \
	/* the served file */ \
	FAILURE(E_DAMAGED, Segment, OTHER, \
		"the served file is damaged, so lookups answer maybe until a sync or a load " \
		"succeeds") \
	/* the store, continued */ \
	FAILURE(E_STORE_SIZE, Store, OTHER, "the store's value is larger than allowed") \
	/* reverse indexes */ \
	ARGUMENT(E_GROUPS_RATE, "the rate", \
		"must be lower for this many groups: a value in no group would match more than " \
		"10,000 of them") \
	FAILURE(E_WRONG_GROUPS, Format, FORMAT, \
		"a value in no group would match more than 10,000 groups on average") \
	FAILURE(E_GROUPS_LIMIT, Bloom, OTHER, \
		"more groups may hold the value than the limit allows") \
	/* digests */ \
	ARGUMENT(E_RATE_FLOOR, "the rate", \
		"must be above capacity / 2^64, the probability that an absent key has the same " \
		"64-bit digest as an added key") \
	/* blobs, continued */ \
	FAILURE(E_BUILT_AHEAD, Format, FORMAT, \
		"the blob's build time is more than a day ahead of this host's clock") \
	/* journals */ \
	ARGUMENT(E_MARK, "a mark", "must be the output of Journal::mark() or bloom mark") \
	FAILURE(E_RECORD, Format, FORMAT, \
		"a journal record is damaged or larger than 1 MiB") \
	FAILURE(E_RECORD_NAME, Format, FORMAT, \
		"a journal record belongs to a different filter") \
	FAILURE(E_RECORD_UNSIGNED, Signature, SIGNATURE, \
		"a journal record is not signed, but signing keys are configured") \
	FAILURE(E_RECORD_SIGNER, Signature, SIGNATURE, \
		"a journal record is signed with a key that is not configured") \
	FAILURE(E_RECORD_SIGNATURE, Signature, SIGNATURE, \
		"a journal record was altered: its signature does not match") \
	FAILURE(E_RECORD_CHAIN, Signature, SIGNATURE, \
		"a journal record was dropped, inserted or moved") \
	FAILURE(E_POSITION, Store, STORE, \
		"the store returned an invalid position in the journal") \
	FAILURE(E_JOURNAL_LOST, Store, OTHER, \
		"the journal does not continue from the blob's mark") \
	FAILURE(E_NO_JOURNAL, Kind, OTHER, \
		"the blob has a mark, so it can only be loaded together with its journal") \
	FAILURE(E_NO_MARK, Kind, OTHER, "the blob has no mark, so it has no journal") \
	FAILURE(E_JOURNAL_KIND, Kind, OTHER, \
		"an on-demand filter, a reverse index, a map or a filter of another system " \
		"cannot follow a journal") \
	/* snapshots of live filters */ \
	FAILURE(E_SNAPSHOT, Format, FORMAT, \
		"this is not a snapshot: the magic bytes do not match") \
	FAILURE(E_SNAPSHOT_VERSION, Format, FORMAT, \
		"this build cannot read the snapshot, because another extension version or " \
		"another kind of machine saved it") \
	FAILURE(E_SNAPSHOT_KIND, Format, FORMAT, \
		"this build does not know the kind of the filter in the snapshot") \
	FAILURE(E_SNAPSHOT_PARAMS, Format, FORMAT, \
		"the snapshot does not describe a live filter that this build could create") \
	FAILURE(E_SNAPSHOT_PIECE, Format, FORMAT, \
		"the snapshot's bytes do not match the digest in its head") \
	FAILURE(E_SNAPSHOT_OTHER, Kind, OTHER, \
		"the snapshot contains a filter of a different kind") \
	FAILURE(E_NOT_LIVE, Kind, OTHER, "only live filters can be saved") \
	FAILURE(E_SAVING, Busy, OTHER, "another process is saving a filter to this place") \
	FAILURE(E_FILE, Bloom, OTHER, "the file cannot be read or written") \
	/* overrides */ \
	FAILURE(E_OVERRIDE, Format, FORMAT, \
		"the store's pin or rollback is damaged, or this build cannot read it") \
	FAILURE(E_OVERRIDE_UNSIGNED, Signature, SIGNATURE, \
		"the pin or rollback is not signed, but signing keys are configured") \
	FAILURE(E_OVERRIDE_SIGNER, Signature, SIGNATURE, \
		"the pin or rollback is signed with a key that is not configured") \
	FAILURE(E_OVERRIDE_SIGNATURE, Signature, SIGNATURE, \
		"the signature of the pin or rollback does not match") \
	FAILURE(E_OVERRIDE_REPLAY, Signature, OTHER, \
		"the pin or rollback is older than one that this host has seen, or has ended") \
	FAILURE(E_PINNED, Store, OTHER, "the filter is pinned to a version") \
	/* files of keys */ \
	FAILURE(E_LINE, Bloom, OTHER, "a line can be at most 1,048,576 bytes long") \
	FAILURE(E_NO_PREVIOUS, Store, OTHER, "there is no earlier version to roll back to") \
	/* files at paths that the user chooses */ \
	FAILURE(E_REFUSED_LINK, Bloom, OTHER, \
		"refused: it is a symbolic link of another user, in a directory where every user " \
		"can create links") \
	/* journals, again */ \
	FAILURE(E_RECORD_KIND, Format, FORMAT, \
		"this build does not know the kind of a journal record") \
	FAILURE(E_RECORDS_LOST, Store, OTHER, \
		"the store has lost journal records") \
	/* journals that no published version follows */ \
	FAILURE(E_JOURNAL_CLOSED, Kind, OTHER, \
		"the published version does not follow the journal, so no host would find the " \
		"keys") \
	FAILURE(E_MARK_REQUIRED, Kind, OTHER, \
		"the filter has a journal, but the blob has no mark, so no host would find the " \
		"keys that are added") \
	FAILURE(E_BLOB_LACKS, Kind, OTHER, \
		"the journal has ended, but the blob lacks keys that were added to it before") \
	FAILURE(E_MARKED, Kind, OTHER, \
		"the blob has a mark, but a live filter cannot follow a journal") \
	/* clients of stores */ \
	FAILURE(E_STORE_CLIENT, Store, OTHER, "the store cannot use its client") \
	FAILURE(E_STORE_ALTERED, Store, OTHER, \
		"the store returned bytes that differ from what was stored") \
	/* filters of other systems */ \
	ARGUMENT(E_LAYERS, "the layers of an imported filter", \
		"must number 1 to 1024, have 1 to 255 probes each, and fill the shards") \
	FAILURE(E_FOREIGN, Format, FORMAT, \
		"this is not a filter of that format, or it cannot be imported") \
	FAILURE(E_FOREIGN_FORMAT, Format, FORMAT, \
		"the bytes do not show which system wrote them, so you must name the format") \
	FAILURE(E_FOREIGN_SIZE, Format, FORMAT, \
		"the length does not fit the capacity and the rate: both must be those with " \
		"which the filter was created") \
	FAILURE(E_FOREIGN_EMPTY, Format, FORMAT, \
		"no bit is set, so the filter would deny every key; the server's key may be " \
		"missing or reset") \
	FAILURE(E_IMPORTED, Kind, OTHER, \
		"an imported filter cannot be extended, merged or held on demand") \
	/* filters for other systems */ \
	ARGUMENT(E_FOREIGN_BUILD, "the format", \
		"must be ValkeyProb or RedisBloom: filters of other systems can only be imported") \
	ARGUMENT(E_FOREIGN_PARAMS, "the format", \
		"must be null if a seed, scheme, block bytes, probes, bits per key or secret is " \
		"given") \
	ARGUMENT(E_FOREIGN_BITS, "the capacity of a valkeyprob filter", \
		"must be smaller: a server key can hold at most 2^32 bits") \
	FAILURE(E_NO_EXPORT, Kind, OTHER, \
		"only filters in the format of RedisBloom or valkeyprob can be exported") \
	FAILURE(E_EXPORT_LAYERS, Kind, OTHER, \
		"RedisBloom would create different layers for this capacity and rate, so their " \
		"header is unknown") \
	/* records of other versions */ \
	FAILURE(E_RECORD_VERSION, Format, FORMAT, \
		"this build reads only records of version 2 in journals") \
	/* maps */ \
	ARGUMENT(E_VALUE_BITS, "value bits", "must be between 1 and 64") \
	ARGUMENT(E_MAP_RATE, "false-positive rate of a map", \
		"must be between 0.000000001 and 0.5, or 1 for a map without check bits") \
	ARGUMENT(E_MAP_LAYOUT, "the layout of a map", \
		"must have neither block bytes nor probes") \
	FAILURE(E_MAP_DUPLICATE, Bloom, OTHER, "a key was set to two values") \
	FAILURE(E_MAP_PLACES, Bloom, OTHER, "the map has no room for all keys") \
	FAILURE(E_MAP_SPILL, Format, FORMAT, \
		"the map's last shard has keys without a place") \
	FAILURE(E_MAP_LINE, Bloom, OTHER, \
		"a line must be a key, a TAB and a value that fits into the value bits") \
	FAILURE(E_MAP_WHOLE, Kind, OTHER, "a map cannot be held on demand") \
	FAILURE(E_FIELD, Bloom, OTHER, "each line must have the field that is the key")
/* clang-format on */

typedef enum bloom_status {
#define BLOOM_STATUS_ENUM(code, ...) BLOOM_##code,
	BLOOM_STATUS_TABLE(BLOOM_STATUS_ENUM, BLOOM_STATUS_ENUM)
#undef BLOOM_STATUS_ENUM
		BLOOM_STATUS_COUNT
} bloom_status;

/* Details that a failing call reports in addition to its code. A callee that fails sets every
 * field. It never reads the struct, so the caller need not clear it. */
typedef struct bloom_error {
	bloom_status status;
	int os_error;      /* errno, or 0 */
	char subject[800]; /* what failed: a path, "shard 12", … ; may be empty */
} bloom_error;

/* Returns the sentence for a code, which is a static string and never NULL. */
const char *bloom_status_sentence(bloom_status status);

/* Returns the second half of an ARGUMENT row's sentence, such as "must be between 1 and 32".
 * Returns NULL for a FAILURE row. */
const char *bloom_status_requirement(bloom_status status);

/* Returns the group of a code. */
bloom_status_group bloom_status_group_of(bloom_status status);

/* Fills in *error, which may be NULL, and returns `status`, so that a caller can write `return
 * bloom_fail(…)`. `format` produces the subject, which is truncated if it is too long. */
BLOOM_PRINTF(4, 5)
bloom_status bloom_fail(
	bloom_error *error, bloom_status status, int os_error, const char *format, ...);
#ifdef __clang_analyzer__
/* The analyzer sees only one source file at a time. This macro tells it which status the call
 * returns. */
#define bloom_fail(error, status, ...) ((void)(bloom_fail)(error, status, __VA_ARGS__), (status))
#endif

enum { BLOOM_NUMBER_BYTES = 40 };

/* Writes a number for a message, like "%.*g", but always with a decimal point. If the application
 * has called setlocale(), printf() would write a comma in most of Europe. Returns `text`.
 *
 *   digits  significant digits, 1 to 17 */
const char *bloom_number_text(double value, int digits, char text[BLOOM_NUMBER_BYTES]);

#endif
