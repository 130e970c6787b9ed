/* Helpers for the tests that fetch, fill and evict chunks: blobs with many small chunks, and
 * on-demand filters of these blobs. All filters are named "tags". */
#ifndef BLOOM_TEST_CACHES_H
#define BLOOM_TEST_CACHES_H

#include "support.h"

#include "kinds/ondemand.h"

enum { KEYS = SANITIZED ? 12000 : 20000, CHUNK_BYTES = 1024, NOW = 1000000 };

/* The bit of a cache entry that marks the chunk as resident. */
#define RESIDENT (UINT64_C(1) << 63)

typedef struct whole {
	test_blob blob;
	bloom_head head;
	bloom_view view;
} whole;

/* Builds a blob of KEYS keys of the family "in" and `more_keys` keys of the family "more". The
 * caller frees the bytes with blob_free(). */
whole whole_of(uint32_t chunk_bytes, uint64_t more_keys);
const unsigned char *chunk_of(const whole *it, uint64_t chunk);
bloom_digest digest_of(const whole *it, const char *family, uint64_t i);

/* Returns exactly the memory that a filter with this number of slots needs. */
uint64_t memory_for(const bloom_head *head, uint64_t slots);

/* Stages and commits an on-demand filter. The filter copies the chunks of `before`, or starts
 * without chunks if `before` is NULL. */
bloom_status stage_and_commit(
	const bloom_segment *segment, const whole *it, uint64_t memory, const bloom_cache *before);

/* Creates an on-demand filter without chunks and attaches to the filter. */
void make_cache(const bloom_segment *segment, const whole *it, uint64_t slots,
	bloom_attachment *attachment);

/* Puts a chunk into a slot. put_bytes() uses the given bytes, and put() uses the chunk's correct
 * bytes. */
bloom_status put_bytes(bloom_attachment *attachment, uint64_t chunk, const unsigned char *bytes);
bloom_status put(bloom_attachment *attachment, const whole *it, uint64_t chunk);

/* Returns whether a lookup's answer is right: either "not here" or the answer of the whole blob. */
bool is_right(bloom_cache *cache, const whole *it, bloom_digest digest);
void assert_all_right(bloom_cache *cache, const whole *it);

/* Asserts that no two chunks share a slot and that no more chunks are resident than the cache has
 * slots. */
void assert_tables_fit(const bloom_cache *cache);

/* Asserts that no entry is stuck: each chunk can be put into a slot, and lookups then use the
 * chunk. */
void assert_heals(bloom_attachment *attachment, const whole *it);

#endif
