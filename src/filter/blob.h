/* The byte format, version 1: a head and the shards. The file a job writes, the bytes a store holds
 * and the file every worker maps are the same bytes. docs/format.md is the specification; this is
 * its short form. All numbers are little-endian.
 *
 *     0        512                        head_bytes                              file_bytes
 *     ├ fixed ─┼ shard rows ┼ chunk rows ─┼ shard 0 │ shard 1 │ …                 ┤
 *     └───────────── head, a multiple of 4096 bytes, its last 8 its checksum
 *
 *     fixed part: offset, type, field
 *       0  u8×8  magic 89 42 4C 4F 4F 4D 0D 0A      72  u64  keys
 *       8  u32   format version, 1                  80  u64  set bits
 *      12  u32   0                                  88  u64  capacity in keys
 *      16  u64   head_bytes                         96  u64  asked rate,    units of 10^-15
 *      24  u64   file_bytes                        104  u64  measured rate, units of 10^-15
 *      32  u64   shards                            112  u64  built at, ms since 1970
 *      40  u32   shard_bytes                       120  u32  chunk_bytes
 *      44  u32   block_bytes                       124  u32  source_bytes, 0 to 128
 *      48  u32   probes                            128  u8×128  source name, zero-padded
 *      52  u32   scheme, 1: blocked Bloom,         256  u64  groups   of a reverse index; else 0
 *                2: reverse index, 3: ribbon       264  u32  fan-out  likewise
 *                                                  256  u32  stripes  of a ribbon filter
 *      56  u32   digest, 1: XXH3-128, seeded,      268  u32  0
 *                2: SipHash, keyed                 272  u64  fingerprint of the secret; 0: digest 1
 *      60  u32   chunk digest, 1: XXH3-128,        280  u64  fingerprint of the signer; 0: unsigned
 *                2: BLAKE2b-128, if signed         288  u8×32   signature (signature.h); else 0
 *      64  u64   seed                              320  u8×192  0
 *     shard row (16 bytes): u32 keys, u32 set bits (of a ribbon filter: the number, see ribbon.h),
 *                           u64 XXH3-64 of the shard's bytes
 *     chunk row (16 bytes): the chunk digest of the chunk's bytes
 *
 * Pure functions: bytes in, bytes or a status out. Nothing is allocated, and nothing beyond the
 * given count is read, whatever the bytes say. Parsing gives valid or nothing: a bloom_head exists
 * only for a head that passed every check; that the shards are what the head says is told by
 * bloom_body_verify(), and only then may a bloom_view be made of them.
 */
#ifndef BLOOM_BLOB_H
#define BLOOM_BLOB_H

#include <stddef.h>
#include <stdint.h>

#include "filter/digest.h"
#include "filter/geometry.h"
#include "filter/status.h"

enum {
	BLOOM_FORMAT_VERSION = 1,
	BLOOM_HEAD_FIXED_BYTES = 512,
	BLOOM_HEAD_ALIGN_BYTES = 4096,
	BLOOM_ROW_BYTES = 16,
	BLOOM_SOURCE_BYTES_MAX = 128,
	BLOOM_CHUNK_BYTES_DEFAULT = 65536,
	BLOOM_CHUNK_BYTES_MAX = 1 << 30,
	BLOOM_HEAD_CHECKSUM_BYTES = 8,
	BLOOM_RIBBON_ATTEMPT_MAX = 63,
	/* what signing writes */
	BLOOM_AT_CHUNK_DIGEST = 60,
	BLOOM_AT_SIGNER = 280,
	BLOOM_AT_SIGNATURE = 288,
};

/* Rates are stored as whole numbers of 10^-15: no floating-point number is in the format. */
#define BLOOM_RATE_UNIT 1e15

/* What a blob says of itself beside its geometry. */
typedef struct bloom_meta {
	uint64_t capacity_keys;
	uint64_t built_ms; /* since 1970-01-01 UTC */
	double target_rate;
	double measured_rate; /* over the bits as built; set by bloom_head_write() */
	uint32_t chunk_bytes;
	uint32_t source_bytes;
	char source[BLOOM_SOURCE_BYTES_MAX]; /* any bytes, UTF-8 by convention; not 0-terminated */
} bloom_meta;

/* A head that passed every check. `rows` and `digests` point into the caller's bytes. */
typedef struct bloom_head {
	bloom_geometry geometry;
	bloom_meta meta;
	uint64_t keys;
	uint64_t set_bits; /* of a ribbon filter: the sum of the shards' numbers */
	uint64_t head_bytes;
	uint64_t file_bytes;
	uint64_t chunks;
	uint64_t checksum; /* of the head: two blobs with equal heads have equal shards */
	uint64_t signer;   /* fingerprint of the key that it says it is signed with; 0: unsigned */
	uint32_t chunk_digest; /* which kind names the chunks */
	const unsigned char *rows;
	const unsigned char *digests;
} bloom_head;

typedef struct bloom_shard_row {
	uint32_t keys;
	uint32_t set_bits; /* of a ribbon filter: the number that its equations were solved with */
	uint64_t checksum;
} bloom_shard_row;

/* Bytes of the head of such a filter. */
uint64_t bloom_head_bytes(const bloom_geometry *geometry, uint32_t chunk_bytes);

/* The gate for chunk sizes.  Fails BLOOM_E_CHUNK_BYTES. */
bloom_status bloom_chunk_bytes_check(const bloom_geometry *geometry, uint64_t chunk_bytes);

/* The head's size as its first bytes claim it, for a caller that reads a head piecewise. The claim is
 * bounded by `file_bytes`, the size of the whole file, and nothing else of the head is believed.
 *
 *   bytes        the first BLOOM_HEAD_FIXED_BYTES of the file
 *   *head_bytes  set on success
 *
 * Fails   BLOOM_E_MAGIC, _VERSION, _LENGTH, _HEAD_BYTES.
 */
bloom_status bloom_head_peek(
	const unsigned char *bytes, uint64_t file_bytes, uint64_t *head_bytes, bloom_error *error);

/* How long a head and its chunks are, as the head's first bytes claim. */
typedef struct bloom_head_sizes {
	uint64_t head_bytes;
	uint32_t chunk_bytes; /* of each chunk but the last, which may be shorter */
} bloom_head_sizes;

/* Reads the claim of a head of which there is no more than the first bytes, for a caller that bounds what it
 * reads by it. The numbers that it is made of are checked: each is in range, and they fit each other.
 *
 *   bytes  the first BLOOM_HEAD_FIXED_BYTES of the file
 *
 * Fails   BLOOM_E_MAGIC, _VERSION, _HEAD_BYTES, _GEOMETRY.
 */
bloom_status bloom_head_peek_sizes(
	const unsigned char *bytes, bloom_head_sizes *sizes, bloom_error *error);

/* When the blob was built, of a fixed part that was checked before. */
uint64_t bloom_head_built_ms(const unsigned char *bytes);

/* Parses and checks a head.
 *
 *   bytes   `count` bytes; may be longer than the head, 8-byte alignment is not needed
 *   *head   filled on success; borrows `bytes`
 *
 * Fails   with the code of the first check that does not hold; the subject names field or shard.
 * Cost    proportional to the number of shards.
 */
bloom_status bloom_head_parse(
	const unsigned char *bytes, uint64_t count, bloom_head *head, bloom_error *error);

/* Parses a head and requires that `count` is exactly the file it promises. */
bloom_status bloom_blob_parse(
	const unsigned char *bytes, uint64_t count, bloom_head *head, bloom_error *error);

/* Checks shards against their rows: checksum, and the set bits counted anew (a right checksum proves
 * nothing about bytes that an enemy wrote). Of a ribbon filter any bits are some solution, so there only checksums,
 * and the digests of a signed blob, tell.
 *
 *   body         the first byte of shard 0
 *   first, count which shards; first + count ≤ head->geometry.shards
 *
 * Fails   BLOOM_E_SHARD_CHECKSUM, _SHARD_BITS; the subject is the shard.
 * Cost    one pass over those shards.
 */
bloom_status bloom_body_verify(const bloom_head *head, const unsigned char *body, uint64_t first,
	uint64_t count, bloom_error *error);

/* The same for shards wherever they are.
 *
 *   bytes   the first byte of shard `first`
 */
bloom_status bloom_shards_verify(const bloom_head *head, const unsigned char *bytes, uint64_t first,
	uint64_t count, bloom_error *error);

/* Checks chunks against their digests. Readers of an unsigned blob need it not, for shards have checksums of their
 * own; whoever publishes does, because a chunk under a wrong name could never be fetched. Of a signed one only
 * these digests prove anything.
 *
 *   first, count which chunks, of the second function; first + count ≤ head->chunks
 *
 * Fails   BLOOM_E_CHUNK_DIGEST; the subject is the chunk.
 */
bloom_status bloom_chunks_verify(
	const bloom_head *head, const unsigned char *body, bloom_error *error);
bloom_status bloom_chunk_range_verify(const bloom_head *head, const unsigned char *body,
	uint64_t first, uint64_t count, bloom_error *error);

/* Whether these bytes, as many as chunk `chunk` has, are that chunk. */
bool bloom_chunk_matches(const bloom_head *head, uint64_t chunk, const unsigned char *bytes);

/* Row of a shard (shard < head->geometry.shards). */
bloom_shard_row bloom_head_row(const bloom_head *head, uint64_t shard);

/* Digest of a chunk (chunk < head->chunks): BLOOM_CHUNK_DIGEST_BYTES bytes. */
const unsigned char *bloom_head_chunk(const bloom_head *head, uint64_t chunk);

/* Offset of a chunk within the body, and its length in bytes. */
uint64_t bloom_head_chunk_offset(const bloom_head *head, uint64_t chunk);
uint64_t bloom_head_chunk_length(const bloom_head *head, uint64_t chunk);

/* Writes the head of finished shards, and says through `meta->measured_rate` what their bits give:
 * the mean over all blocks of (set bits / bits)^probes, which is exactly the chance that a random
 * absent key answers "maybe".
 *
 *   shard_keys  keys of each shard: those that set at least one new bit when they were added
 *   body        the shards
 *   head        bloom_head_bytes() bytes to fill
 *
 * Cost    one pass over the shards.
 */
void bloom_head_write(const bloom_geometry *geometry, bloom_meta *meta, const uint32_t *shard_keys,
	const unsigned char *body, unsigned char *head);

/* The same of a ribbon filter's shards, whose rate is known beforehand.
 *
 *   numbers  those that the shards were solved with
 */
void bloom_head_write_solved(const bloom_geometry *geometry, bloom_meta *meta,
	const uint32_t *shard_keys, const uint32_t *attempts, const unsigned char *body,
	unsigned char *head);

/* Writes the chunk rows, digests of that kind. */
void bloom_chunk_rows_write(const bloom_geometry *geometry, uint32_t chunk_bytes, uint32_t kind,
	const unsigned char *body, unsigned char *rows);

#endif
