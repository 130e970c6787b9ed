/* Blobs in many small chunks, and on-demand filters of them, for the tests that fetch, fill and
 * evict chunks. All filters are named "tags".
 */
#ifndef BLOOM_TEST_CACHES_H
#define BLOOM_TEST_CACHES_H

#include "support.h"

#include "kinds/ondemand.h"

enum { KEYS = SANITIZED ? 12000 : 20000, CHUNK_BYTES = 1024, NOW = 1000000 };

/* The bit of a cache's entry that says that its chunk is in a slot. */
#define RESIDENT (UINT64_C(1) << 63)

typedef struct whole {
	test_blob blob;
	bloom_head head;
	bloom_view view;
} whole;

/* A blob of KEYS keys of the family "in" and some more of the family "more". blob_free() frees its
 * bytes. */
whole whole_of(uint32_t chunk_bytes, uint64_t more_keys);
const unsigned char *chunk_of(const whole *it, uint64_t chunk);
bloom_digest digest_of(const whole *it, const char *family, uint64_t i);

/* The exact memory for a number of slots. */
uint64_t memory_for(const bloom_head *head, uint64_t slots);

/* Stages and commits an on-demand filter without chunks, or with those of `before`. */
bloom_status stage_and_commit(
	const bloom_segment *segment, const whole *it, uint64_t memory, const bloom_cache *before);

/* Creates an on-demand filter without chunks, and attaches to it. */
void make_cache(const bloom_segment *segment, const whole *it, uint64_t slots,
	bloom_attachment *attachment);

/* Stores a chunk: the given bytes, or the right ones. */
bloom_status put_bytes(bloom_attachment *attachment, uint64_t chunk, const unsigned char *bytes);
bloom_status put(bloom_attachment *attachment, const whole *it, uint64_t chunk);

/* An answer other than "not here" must equal the answer of the whole blob. */
bool is_right(bloom_cache *cache, const whole *it, bloom_digest digest);
void assert_all_right(bloom_cache *cache, const whole *it);

/* No two chunks share a slot, and no more chunks are resident than there are slots. */
void assert_tables_fit(const bloom_cache *cache);

/* Each chunk can be fetched, and lookups then use it: no entry is stuck. */
void assert_heals(bloom_attachment *attachment, const whole *it);

#endif
