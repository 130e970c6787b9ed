/* Builds a blob from keys, in one process and in one buffer.
 *
 *     bloom_builder_init ──► bloom_builder_add, lines.h ──► bloom_builder_finish
 *       allocates the image:    sets bits                     writes the head;
 *       │ head │ shards │                                     the image is now the blob
 *
 * A ribbon filter (ribbon.h) first collects the digests of its keys, 16 bytes each.
 * bloom_builder_finish() then solves the filter shard by shard.
 *
 * Concurrency: a builder belongs to one thread. If `jobs` is above 1, adding lines and finishing
 * start threads and join them before they return (parallel.h). The resulting bytes and counts do
 * not depend on the number of threads.
 */
#ifndef BLOOM_BUILDER_H
#define BLOOM_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/blob.h"
#include "filter/probe.h"
#include "filter/reverse.h"
#include "filter/sizing.h"

typedef struct bloom_builder {
	bloom_geometry geometry;
	bloom_meta meta;
	bloom_view view;
	bloom_hasher hasher;   /* unset without the filter's secret; then no key can be added */
	bloom_reverse reverse; /* only with groups */
	unsigned char *image;  /* space for the head, then the shards */
	uint64_t image_bytes;
	unsigned char *bits;   /* shard 0, within `image` */
	uint32_t *shard_keys;  /* per shard: keys that were certainly new */
	uint64_t keys;         /* sum of shard_keys; with groups each value counts once per level */
	uint64_t added;        /* keys or values that were passed in, including repeated ones */
	bloom_digest *digests; /* ribbon filter: `keys` digests */
	uint64_t digests_capacity;
	uint64_t digests_sorted; /* number of leading digests that are sorted and distinct */
	bool out_of_memory;      /* a digest was lost: finishing fails */
	/* Threads for adding lines and finishing, up to BLOOM_JOBS_MAX; set by the caller. 0 means
	 * 1. */
	uint32_t jobs;
} bloom_builder;

/* Makes an empty builder. The size of the filter follows from `params`, not from the keys.
 *
 *   chunk_bytes  0: BLOOM_CHUNK_BYTES_DEFAULT, a multiple of every shard size
 *   *builder     set on success; release it with bloom_builder_free()
 *
 * If the filter is larger than the machine's memory, the function fails with BLOOM_E_MEMORY. It
 * still fills in the geometry, so that callers can use it for sizing, and sets `image` to NULL.
 *
 * Errors: as bloom_geometry_choose(); BLOOM_E_CHUNK_BYTES, _MEMORY.
 * Cost: memory for the whole filter, whose pages are allocated when they are first touched, and
 * 4 bytes per shard.
 */
bloom_status bloom_builder_init(const bloom_params *params, uint64_t seed, uint32_t chunk_bytes,
	bloom_builder *builder, bloom_error *error);

/* Makes an empty builder for the next version of a blob: same geometry, capacity and target rate.
 *
 *   params   only `groups` and `secret` are used; the tree must keep its number of levels
 *
 * Errors: BLOOM_E_CHUNK_BYTES, _MEMORY.
 */
bloom_status bloom_builder_init_like(const bloom_head *like, const bloom_params *params,
	uint64_t seed, uint32_t chunk_bytes, bloom_builder *builder, bloom_error *error);

/* Makes a builder from the bits of a live filter or a blob. The number of keys in each shard is
 * estimated from its bits.
 *
 *   bits   copied; NULL for an empty filter
 *
 * Errors: BLOOM_E_CHUNK_BYTES, _MEMORY; _SOLVED for a ribbon filter.
 */
bloom_status bloom_builder_start(const bloom_geometry *geometry, const bloom_meta *meta,
	const unsigned char *bits, bloom_builder *builder, bloom_error *error);

/* Combines the builder with a blob of the same geometry: the union or the intersection of the bits.
 *
 *   head, body  of the verified blob
 *
 * Union: the bits equal those of a single builder to which all keys were added. A parallel build
 * can therefore merge its parts.
 *
 * Intersection: every key that is in both filters is still found. More bits are set than these keys
 * alone would set, so the false-positive rate is higher than that of a filter built from these
 * keys. A key of neither filter passes only if it passes in both, so its rate is at most the
 * smaller of the two rates. A key of only one filter passes at the rate of the other filter (Broder
 * & Mitzenmacher, "Network Applications of Bloom Filters: A Survey", 2004).
 *
 * The number of keys is estimated. For a union the estimate lies between the larger of the two
 * numbers and their sum. For an intersection it lies between 0 and the smaller number.
 *
 * Errors: BLOOM_E_DIFFERENT, whose subject names the first difference; BLOOM_E_SOLVED for a ribbon
 * filter.
 */
bloom_status bloom_builder_merge(bloom_builder *builder, const bloom_head *head,
	const unsigned char *body, bloom_error *error);
bloom_status bloom_builder_intersect(bloom_builder *builder, const bloom_head *head,
	const unsigned char *body, bloom_error *error);

/* Releases everything. The builder may be zeroed or already freed. */
void bloom_builder_free(bloom_builder *builder);

/* Adds a key to a builder without groups. Returns true if the key was certainly new.
 *
 * For a ribbon filter the function detects a duplicate only if it equals the previous key, and not
 * always then. It returns true for all other keys. Duplicates are removed when the digests are
 * sorted. The memory for digests doubles as needed. Beyond the capacity, duplicates are removed
 * before the memory grows. If memory runs out, `out_of_memory` is set permanently and finishing
 * fails. */
bool bloom_builder_add(bloom_builder *builder, const unsigned char *key, size_t key_bytes);

/* Adds keys whose digests are already computed, in order. Returns how many were certainly new.
 *
 * This is faster than adding single keys, because blocks are prefetched: most of them with 64 keys
 * or more.
 */
uint64_t bloom_builder_add_digests(
	bloom_builder *builder, const bloom_digest *digests, size_t count);

/* Does the part of bloom_builder_add_digests() that several threads may run at once, each with
 * digests of different shards. The function sets bits and shard_keys, but does not update `keys`
 * and `added`. It must not be used for ribbon filters.
 */
uint64_t bloom_builder_set_digests(
	bloom_builder *builder, const bloom_digest *digests, size_t count);

/* Adds a value to a group of a builder with groups. Returns true if the value was certainly new in
 * the group. */
bool bloom_builder_add_to_group(
	bloom_builder *builder, uint64_t group, const unsigned char *value, size_t value_bytes);

/* Writes the head. On success builder->image is the blob, and no more keys may be added.
 *
 *   built_ms  build time for the head, ms since 1970
 *   limit     upper limit for meta.measured_rate
 *
 * After an error the builder is unchanged: the caller can add more keys or raise the limit.
 *
 * Errors: BLOOM_E_OVER_RATE, BLOOM_E_SATURATED or, for a ribbon filter, BLOOM_E_OVERFULL if the
 * filter holds too many keys for its size; BLOOM_E_MEMORY.
 */
bloom_status bloom_builder_finish(
	bloom_builder *builder, uint64_t built_ms, double limit, bloom_error *error);

#endif
