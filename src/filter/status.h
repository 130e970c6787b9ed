/* The core's errors, one line each: code, class, sentence.
 *
 * A function that can fail returns a bloom_status. If the code alone does not say enough, the
 * function also fills the caller's bloom_error: which file, which shard, which errno. No function
 * of the core prints, aborts or throws.
 *
 * The PHP layer turns code, subject and errno into one typed exception. Column two of the table
 * names its class, without the namespace and without the suffix "Exception". Value stands for PHP's
 * own ValueError, which reports an invalid argument.
 *
 * The table also generates the enum, the sentences, docs/errors.md and the list of codes that the
 * tests must provoke.
 */
#ifndef BLOOM_STATUS_H
#define BLOOM_STATUS_H

/* clang-format off */
#define BLOOM_STATUS_TABLE(X)                                                                      \
	/*  code             class       sentence                                                  */ \
	X(OK,                Bloom,     "no error")                                                \
	/* arguments: the geometry gate and the names */                                           \
	X(E_CAPACITY,        Value,     "capacity must be from 1 to 1,000,000,000,000 keys")       \
	X(E_RATE,            Value,     "false-positive rate must be from 0.000000001 to 0.5")     \
	X(E_SHARD_BYTES,     Value,     "shard bytes must be a power of two from 1024 to 65536")   \
	X(E_BLOCK_BYTES,     Value,     "block bytes must be a power of two from 8 to the shard bytes") \
	X(E_PROBES,          Value,     "probes must be from 1 to 32")                             \
	X(E_BITS_PER_KEY,    Value,     "bits per key must be from 1 to 1024")                     \
	X(E_GROUPS,          Value,     "groups must be from 1 to 4,294,967,296")                   \
	X(E_FAN_OUT,         Value,     "fan-out must be a power of two from 64 to 1024")          \
	X(E_GROWTH,          Value,     "growth must be from 1.1 to 16")                           \
	X(E_TIGHTENING,      Value,     "tightening must be from 0.1 to 0.99")                     \
	X(E_WINDOW,          Value,     "window must be from 0.01 to 1,000,000,000 seconds")       \
	X(E_BUDGET,          Segment,   "the memory must hold the filter's head and a chunk at least") \
	X(E_DIFFERENT,       Value,     "blobs can be combined only when they have the same geometry, seed and secret") \
	X(E_TOO_LARGE,       Value,     "the filter would be larger than 4 TiB")                   \
	X(E_CHUNK_BYTES,     Value,     "chunk bytes must be a multiple of the shard bytes, up to 1 GiB") \
	X(E_NAME,            Value,     "a filter name is 1 to 128 of A-Z a-z 0-9 . _ - and starts with none of . and -") \
	X(E_PATH,            Segment,   "a segment path is absolute and shorter than 4,000 bytes")  \
	/* blobs: one code a check */                                                              \
	X(E_SHORT,           Format,    "shorter than a blob's head")                              \
	X(E_MAGIC,           Format,    "not a bloom blob: the magic bytes differ")                \
	X(E_VERSION,         Format,    "a blob of a format version that this build cannot read (it reads version 1)") \
	X(E_HEAD_BYTES,      Format,    "the head's size does not fit its tables")                 \
	X(E_HEAD_CHECKSUM,   Format,    "the head's checksum differs")                             \
	X(E_RESERVED,        Format,    "a reserved byte is not zero")                             \
	X(E_SCHEME,          Format,    "a filter scheme, digest or chunk digest that this build does not know") \
	X(E_GEOMETRY,        Format,    "the head's geometry is out of range")                     \
	X(E_LENGTH,          Format,    "the length differs from what the head promises")          \
	X(E_TOTALS,          Format,    "the head's totals differ from its shard rows")            \
	X(E_META,            Format,    "the head's capacity, rate or source name is out of range") \
	X(E_SHARD_CHECKSUM,  Format,    "the shard's checksum differs")                            \
	X(E_SHARD_BITS,      Format,    "the shard's set bits differ from its row")                \
	X(E_SHARD_KEYS,      Format,    "the shard's keys and set bits contradict each other: a key sets from 1 to `probes` bits") \
	X(E_SATURATED,       Format,    "more than 15 of 16 bits are set: nearly every answer would be maybe") \
	X(E_CHUNK_DIGEST,    Format,    "the chunk's bytes differ from its digest")                \
	/* building */                                                                             \
	X(E_OVER_RATE,       Rate,      "the measured false-positive rate is over the limit")      \
	/* the segment */                                                                          \
	X(E_NOT_FOUND,       NotFound,  "no such filter is loaded")                                \
	X(E_GONE,            NotFound,  "the filter was dropped")                                  \
	X(E_EXISTS,          Kind,      "there is a filter of that name: drop it first, or use it as it is") \
	X(E_KIND,            Kind,      "there is a filter of another kind under that name; drop it first, or take another name") \
	X(E_IMMUTABLE,       Kind,      "a reverse index that was loaded from a blob takes no values") \
	X(E_NO_OVERLAY,      Kind,      "a loaded filter takes new keys only into an overlay: load it with overlayWindow and overlayCapacity") \
	X(E_UNMAPPED,        Segment,   "the filter cannot be mapped into this process now")       \
	X(E_CACHE,           Segment,   "not an on-demand filter of this build")                   \
	X(E_LIVE,            Segment,   "not a live filter of this build")               \
	X(E_REFUSED_TYPE,    Segment,   "refused: not a plain directory or file of its own")       \
	X(E_REFUSED_OWNER,   Segment,   "refused: belongs to another user")                        \
	X(E_REFUSED_MODE,    Segment,   "refused: group or others may access it (directories must be 0700, files 0600)") \
	X(E_CONTROL,         Segment,   "the control page is not one of ours")                     \
	X(E_CONTROL_VERSION, Segment,   "the control page belongs to another version of this extension") \
	X(E_LIMIT,           Segment,   "the segment would hold more than its memory limit")       \
	X(E_FILE_LIMIT,      Segment,   "larger than the process's file size limit (RLIMIT_FSIZE)") \
	X(E_SPACE,           Segment,   "the file system has too little room left")                \
	X(E_INCOMPLETE,      Segment,   "the staged file was not written and verified to its end") \
	X(E_SYSTEM,          Segment,   "the operating system refused")                            \
	X(E_MEMORY,          Bloom,     "out of memory")                                           \
	X(E_OVERTAKEN,       Busy,      "another version was loaded meanwhile")                    \
	X(E_BUSY,            Busy,      "another writer holds the lock; gave up after the lock timeout") \
	/* the store, as the PHP layer met it */                                                   \
	X(E_STORE,           Store,     "the store failed")                                        \
	X(E_STORE_TYPE,      Store,     "the store answered with a value of the wrong type")       \
	X(E_STORE_MISSING,   Store,     "the store does not have it")                              \
	X(E_STALE,           Store,     "the store's version is older than the one served")        \
	/* secrets and signatures */                                                               \
	X(E_SODIUM,          Secret,    "this build has no libsodium, which keyed filters and signed blobs need") \
	X(E_SECRET_FILE,     Secret,    "the secrets cannot be read (from an absolute path, of 16 KiB at most)") \
	X(E_SECRET_MODE,     Secret,    "secrets must be in a plain file of root's or one's own, closed to others and to the group's writing") \
	X(E_SECRET_TEXT,     Secret,    "a file of secrets has 1 to 8 different ones, a line each of 64 hexadecimal digits") \
	X(E_NO_SECRET,       Secret,    "no secret is configured: set bloom.secret_file")          \
	X(E_SECRET,          Secret,    "the filter is keyed with a secret that is not in bloom.secret_file") \
	X(E_NO_SIGNING_KEY,  Secret,    "no signing key is configured: set bloom.signing_key_file") \
	X(E_UNSIGNED,        Signature, "the blob is not signed, and bloom.signing_key_file demands it") \
	X(E_SIGNER,          Signature, "the blob is signed with a key that is not in bloom.signing_key_file") \
	X(E_SIGNATURE,       Signature, "the signature does not fit: the head was altered, or signed for another name") \
	X(E_REPLAY,          Signature, "the blob is older than the version served, and bloom.signing_key_file is set") \
	/* ribbon filters */                                                                       \
	X(E_STRIPES,         Value,     "the stripes of a ribbon filter must be from 2 to as many as a shard has 64-bit words") \
	X(E_RIBBON_BITS,     Value,     "bits per key of a ribbon filter must be more, for its keys to have room") \
	X(E_NOT_BLOOM,       Value,     "the scheme must be bloom where block bytes, probes or groups are given") \
	X(E_SOLVED,          Kind,      "the bits of a ribbon filter are the solution of equations: it takes no keys, and cannot be merged or intersected") \
	X(E_SHARD_ROW,       Format,    "the shard's number is over 63, or it has more keys than slots") \
	X(E_OVERFULL,        Rate,      "a shard has too many keys for a ribbon filter of this size: raise the capacity") \
	/* the segment's file system */                                                            \
	X(E_REFUSED_NETWORK, Segment,   "refused: on a network file system, which other hosts change under mapped files (use tmpfs, as /dev/shm)") \
	X(E_HOLES,           Segment,   "refused: the file has holes, which can end the process on a full file system (load it again, or drop a live one)") \
	/* the served file */                                                                      \
	X(E_DAMAGED,         Segment,   "the served file was damaged and nothing has replaced it: lookups answer maybe until a sync or a load succeeds") \
	/* the store, again */                                                                     \
	X(E_STORE_SIZE,      Store,     "the store's value is larger than it may be (publish the filter again; for a chunk, with force)") \
	/* reverse indexes */                                                                      \
	X(E_GROUPS_RATE,     Value,     "the rate must be lower for so many groups: for a value of no group, the answer would name more than 10,000 of them") \
	X(E_WRONG_GROUPS,    Format,    "a value of no group would get over 10,000 groups on average: build the index for more values, or at a lower rate") \
	X(E_GROUPS_LIMIT,    Bloom,     "more groups than the limit may hold the value: raise the limit")
/* clang-format on */

typedef enum bloom_status {
#define BLOOM_STATUS_ENUM(code, class, sentence) BLOOM_##code,
	BLOOM_STATUS_TABLE(BLOOM_STATUS_ENUM)
#undef BLOOM_STATUS_ENUM
		BLOOM_STATUS_COUNT
} bloom_status;

/* What a failing call says beside its code. Zero it before the call or not at all: it is only ever
 * read after a failure, which fills it whole. */
typedef struct bloom_error {
	bloom_status status;
	int os_error;      /* errno, or 0 */
	char subject[224]; /* what it is about: a path, "shard 12", … ; may be empty */
} bloom_error;

/* The sentence of a code. A static string, never NULL. */
const char *bloom_status_sentence(bloom_status status);

/* Fills `error` (may be NULL) and returns `status`, so that `return bloom_fail(…)` is one line.
 * `format` makes the subject; it is cut to fit. */
__attribute__((format(printf, 4, 5))) bloom_status bloom_fail(
	bloom_error *error, bloom_status status, int os_error, const char *format, ...);
#ifdef __clang_analyzer__
/* The analyzer reads one source file at a time. This tells it which status the call returns. */
#define bloom_fail(error, status, ...) ((void)(bloom_fail)(error, status, __VA_ARGS__), (status))
#endif

#endif
