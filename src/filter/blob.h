/* In version 2 of the format, a blob is a head followed by the shards.
 *
 * The job's output file, the copy in the store and the file that every worker maps all contain the
 * same bytes. docs/dev/blob.md is the specification; this is a summary. All numbers are
 * little-endian.
 *
 *     0        512                        head_bytes                              file_bytes
 *     ├ fixed ─┼ shard rows ┼ chunk rows ─┼ shard 0 │ shard 1 │ …                 ┤
 *     └───────────── head: a multiple of 4096 bytes; the last 8 are its checksum
 *
 *     fixed part: offset, type, field
 *       0  u8×8  magic 89 42 4C 4F 4F 4D 0D 0A      72  u64  keys
 *       8  u32   format version, 2                  80  u64  set bits (ribbon, map: 0)
 *      12  u32   0                                  88  u64  capacity in keys
 *      16  u64   head_bytes                         96  u64  target rate,   units of 10^-15
 *      24  u64   file_bytes                        104  u64  measured rate, units of 10^-15
 *      32  u64   shards                            112  u64  build time, ms since 1970
 *      40  u32   shard_bytes                       120  u32  chunk_bytes
 *      44  u32   block_bytes                       124  u32  source_bytes, 0 to 128
 *      48  u32   probes                            128  u8×128  source name, zero-padded
 *      52  u32   scheme                            256  u64  reverse index: groups
 *                  1: blocked Bloom                256  u32  ribbon filter: stripes
 *                  2: reverse index                264  u32  reverse index: fan-out
 *                  3: ribbon                       268  u32  0
 *                  4: foreign                      256  u32  foreign filter: format (geometry.h)
 *                  5: map                          260  u32  foreign filter: layers
 *                                                  256  u32  map: stripes
 *                                                  260  u32  map: value bits
 *      56  u32   digest                            272  u64  fingerprint of the secret, or 0
 *                  1: XXH3-64, seeded              280  u64  fingerprint of the signing key, or 0
 *                  2: SipHash, keyed               288  u8×32   signature (signature.h), or 0
 *                  3: that of the foreign format   376  u8×32   valkey-bloom: keys of its digest
 *      60  u32   chunk digest                      320  u8×56   mark (journal_mark.h), or 0
 *                  1: XXH3-128
 *                  2: BLAKE2b-128 (signed blobs)   408  u8×104  0
 *      64  u64   seed
 *     Fields that a scheme does not use are 0.
 *
 *     shard row, 16 bytes: u32 keys, u32 set bits (ribbon: 0),
 *                          u64 XXH3-64 of the shard's bytes
 *     chunk row, 16 bytes: the chunk digest of the chunk's bytes
 *     A foreign filter also has layer rows, 16 bytes each, after the chunk rows (foreign.h). The
 *     keys in its shard rows are 0, because nobody knows in which shard a key counts.
 *
 * All functions are pure and allocate no memory. They never read beyond the given number of bytes,
 * no matter what those bytes contain.
 *
 * A bloom_head is filled in only if the head passes every check. bloom_body_verify() then checks
 * the shards, and only after both steps have succeeded may a caller create a bloom_view of the
 * shards.
 */
#ifndef BLOOM_BLOB_H
#define BLOOM_BLOB_H

#include <stddef.h>
#include <stdint.h>

#include "filter/digest.h"
#include "filter/foreign_layer.h"
#include "filter/geometry.h"
#include "filter/journal_mark.h"
#include "filter/status.h"

enum {
	/* Whenever a field changes its meaning, this number changes, too, so that no build misreads
	 * the blob of another. */
	BLOOM_FORMAT_VERSION = 2,
	BLOOM_HEAD_FIXED_BYTES = 512,
	BLOOM_HEAD_ALIGN_BYTES = 4096,
	BLOOM_ROW_BYTES = 16,
	BLOOM_SOURCE_BYTES_MAX = 128,
	BLOOM_CHUNK_BYTES_DEFAULT = 65536,
	BLOOM_CHUNK_BYTES_MAX = 1 << 30,
	BLOOM_HEAD_CHECKSUM_BYTES = 8,
	/* fields that signing changes */
	BLOOM_AT_CHUNK_DIGEST = 60,
	BLOOM_AT_SIGNER = 280,
	BLOOM_AT_SIGNATURE = 288,
	/* A blob's build time may be at most one day ahead of the clock of a host that serves it,
	 * because a clock that has been set at all is never off by that much. */
	BLOOM_BUILT_AHEAD_MS_MAX = 24 * 60 * 60 * 1000,
};

/* Rates are stored as integers in this unit. The format contains no floating-point numbers. */
#define BLOOM_RATE_UNIT 1e15

/* Metadata that does not affect lookups. */
typedef struct bloom_meta {
	uint64_t capacity_keys;
	uint64_t built_ms; /* build time, ms since 1970-01-01 UTC */
	double target_rate;
	double measured_rate; /* rate of the finished bits; set by bloom_head_write() */
	bloom_mark mark;      /* the journal's position when the keys were read; epoch 0: none */
	uint32_t chunk_bytes;
	uint32_t source_bytes;
	char source
		[BLOOM_SOURCE_BYTES_MAX]; /* any bytes, UTF-8 by convention; not NUL-terminated */
} bloom_meta;

/* A parsed and checked head. The pointers `rows` to `foreign_key` point into the parsed bytes, so
 * those bytes must outlive the struct. */
typedef struct bloom_head {
	bloom_geometry geometry;
	bloom_meta meta;
	uint64_t keys;
	uint64_t set_bits; /* ribbon filter and map: 0 */
	uint64_t head_bytes;
	uint64_t file_bytes;
	uint64_t chunks;
	uint64_t checksum;     /* checksum of the head; blobs with equal heads have equal shards */
	uint64_t signer;       /* fingerprint of the signing key in the head; 0: unsigned */
	uint32_t chunk_digest; /* BLOOM_CHUNK_DIGEST_… */
	const unsigned char *rows;
	const unsigned char *digests;
	const unsigned char *layers;      /* foreign filter: the layer rows */
	const unsigned char *foreign_key; /* BLOOM_FOREIGN_KEY_BYTES bytes */
} bloom_head;

typedef struct bloom_shard_row {
	uint32_t keys;
	uint32_t set_bits; /* ribbon filter and map: 0 */
	uint64_t checksum;
} bloom_shard_row;

/* Returns the size of the head for a filter with this geometry, in bytes. */
uint64_t bloom_head_bytes(const bloom_geometry *geometry, uint32_t chunk_bytes);

/* Returns the number of chunks for a filter with this geometry. The last chunk may be shorter. */
uint64_t bloom_chunk_count(const bloom_geometry *geometry, uint32_t chunk_bytes);

/* Checks that a chunk size is a multiple of the shard size and at most BLOOM_CHUNK_BYTES_MAX.
 *
 * Errors: BLOOM_E_CHUNK_BYTES.
 */
bloom_status bloom_chunk_bytes_check(const bloom_geometry *geometry, uint64_t chunk_bytes);

/* Reads a head's size from its first bytes, for callers that read the head in pieces. Only the
 * magic bytes, the version and this size are checked.
 *
 *   bytes        the first BLOOM_HEAD_FIXED_BYTES of the file
 *   file_bytes   size of the whole file; the head must not be larger
 *   *head_bytes  set on success
 *
 * Errors: BLOOM_E_MAGIC, _VERSION, _LENGTH, _HEAD_BYTES.
 */
bloom_status bloom_head_peek(
	const unsigned char *bytes, uint64_t file_bytes, uint64_t *head_bytes, bloom_error *error);

/* Sizes that are stated in the first bytes of a head. */
typedef struct bloom_head_sizes {
	uint64_t head_bytes;
	uint32_t chunk_bytes; /* size of every chunk except the last, which may be shorter */
} bloom_head_sizes;

/* Reads the head size and the chunk size from the first bytes of a head. Callers limit later reads
 * to these sizes, so the fields that determine them are checked here.
 *
 *   bytes   the first BLOOM_HEAD_FIXED_BYTES of the file
 *   *sizes  set on success
 *
 * Errors: BLOOM_E_MAGIC, _VERSION, _HEAD_BYTES, _GEOMETRY.
 */
bloom_status bloom_head_peek_sizes(
	const unsigned char *bytes, bloom_head_sizes *sizes, bloom_error *error);

/* Reads the build time, in ms since 1970, from the first bytes of a checked head. */
uint64_t bloom_head_built_ms(const unsigned char *bytes);

/* Checks that a blob was built at most BLOOM_BUILT_AHEAD_MS_MAX after `now_ms`.
 *
 * Because a sync accepts only blobs that are not older than the served blob, a blob from the far
 * future, for example with nanoseconds in the field, would block all later versions. The check is
 * not part of bloom_head_parse(), because the result depends on the host's clock and not only on
 * the bytes. Callers check a blob before they serve or publish it.
 *
 *   now_ms  the host's wall-clock time, in ms since 1970
 *   name    the filter's name, for the error
 *
 * Errors: BLOOM_E_BUILT_AHEAD; the subject contains the build time and the limit.
 */
bloom_status bloom_head_check_built(
	const bloom_head *head, uint64_t now_ms, const char *name, bloom_error *error);

/* Parses and checks a head.
 *
 *   bytes   at least the whole head, possibly followed by more bytes; need not be aligned
 *   count   number of bytes
 *   *head   set on success; borrows `bytes`
 *
 * Errors: the code of the first check that fails. The subject names the field or the shard.
 * Cost: proportional to the number of shards.
 */
bloom_status bloom_head_parse(
	const unsigned char *bytes, uint64_t count, bloom_head *head, bloom_error *error);

/* Parses a head and requires that `count` equals the file size in the head. */
bloom_status bloom_blob_parse(
	const unsigned char *bytes, uint64_t count, bloom_head *head, bloom_error *error);

/* Checks the checksum and the number of set bits of each shard against its row. The bits must be
 * counted, because an attacker can compute a matching checksum for any bytes.
 *
 * In a ribbon filter, every bit pattern is valid, so only the checksum is compared. In a map, the
 * last level of the last shard must also bump no key. Only the chunk digests of a signed blob
 * protect these two against an attacker.
 *
 *   body          the first byte of shard 0
 *   first, count  the shards to check; first + count ≤ head->geometry.shards
 *
 * Errors: BLOOM_E_SHARD_CHECKSUM, _SHARD_BITS, _MAP_SPILL; the subject names the shard.
 * Cost: one pass over these shards.
 */
bloom_status bloom_body_verify(const bloom_head *head, const unsigned char *body, uint64_t first,
	uint64_t count, bloom_error *error);

/* Performs the same check as bloom_body_verify() on shards in a separate buffer. `bytes` points to
 * the first byte of shard `first`. */
bloom_status bloom_shards_verify(const bloom_head *head, const unsigned char *bytes, uint64_t first,
	uint64_t count, bloom_error *error);

/* bloom_chunks_verify() checks all chunks against their digests. bloom_chunk_range_verify() checks
 * only `count` chunks, starting with `first`.
 *
 * Readers of unsigned blobs do not need this check, because shards have checksums. Publishers need
 * it, because a chunk that is stored under the wrong name could never be fetched. For a signed
 * blob, only these digests prove that the bytes are authentic.
 *
 *   body          the first byte of shard 0
 *   first, count  first + count ≤ head->chunks
 *
 * Errors: BLOOM_E_CHUNK_DIGEST; the subject names the chunk.
 */
bloom_status bloom_chunks_verify(
	const bloom_head *head, const unsigned char *body, bloom_error *error);
bloom_status bloom_chunk_range_verify(const bloom_head *head, const unsigned char *body,
	uint64_t first, uint64_t count, bloom_error *error);

/* Returns true if `bytes` matches the digest of the chunk. `bytes` must be as long as the chunk. */
bool bloom_chunk_matches(const bloom_head *head, uint64_t chunk, const unsigned char *bytes);

/* Returns the row of a shard. Requires shard < head->geometry.shards. */
bloom_shard_row bloom_head_row(const bloom_head *head, uint64_t shard);

/* Returns the digest of a chunk, BLOOM_CHUNK_DIGEST_BYTES bytes. Requires chunk < head->chunks. */
const unsigned char *bloom_head_chunk(const bloom_head *head, uint64_t chunk);

/* Return a chunk's offset from shard 0 and a chunk's length, in bytes. */
uint64_t bloom_head_chunk_offset(const bloom_head *head, uint64_t chunk);
uint64_t bloom_head_chunk_length(const bloom_head *head, uint64_t chunk);

#endif
