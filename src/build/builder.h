/* Builds a blob from keys, in one process and in one buffer.
 *
 *     bloom_builder_init ──► bloom_builder_add, lines.h ──► bloom_builder_finish
 *       allocates the image:    sets bits                     writes the head;
 *       │ head │ shards │                                     the image is now the blob
 *
 * For a ribbon filter (ribbon.h), the builder first collects the digests of all keys, 8 bytes
 * each. bloom_builder_finish() then solves the filter shard by shard.
 *
 * For a map (value_map.h), the builder likewise collects digests and values (pairs.h).
 *
 * A foreign filter (foreign.h) has a hash function of its own, so there are no digests, and its
 * keys are added one by one.
 *
 * Concurrency: a builder belongs to one thread. If `jobs` is greater than 1, the functions that add
 * lines and finish the blob start threads and join them before they return (parallel.h). The
 * resulting bytes and counts do not depend on the number of threads.
 */
#ifndef BLOOM_BUILDER_H
#define BLOOM_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "build/pairs.h"
#include "filter/blob.h"
#include "filter/foreign.h"
#include "filter/probe.h"
#include "filter/reverse.h"
#include "filter/sizing.h"

typedef struct bloom_builder {
	bloom_geometry geometry;
	bloom_meta meta;
	bloom_view view;
	bloom_hasher hasher;   /* not set without the filter's secret; then no keys can be added */
	bloom_reverse reverse; /* set only for a filter with groups */
	bloom_foreign foreign; /* set only for a foreign filter; its layer row is in `image` */
	bloom_foreign_layer layer; /* likewise */
	unsigned char *image;      /* space for the head, then the shards */
	uint64_t image_bytes;
	unsigned char *bits;  /* shard 0, within `image` */
	uint32_t *shard_keys; /* per shard: number of keys that were definitely new */
	uint64_t keys;        /* sum of shard_keys; with groups, each value counts once per level */
	uint64_t added;       /* number of keys or values passed in, including duplicates */
	bloom_digest *digests; /* ribbon filter: `keys` digests */
	uint64_t digests_capacity;
	uint64_t digests_sorted; /* number of leading digests that are sorted and distinct */
	bloom_pairs pairs;       /* map: `keys` of them */
	bool keeps_last;         /* map: of two values of a key, the last one is kept */
	bool out_of_memory;      /* a digest was lost, so finishing fails */
	/* Number of threads for adding lines and finishing, at most BLOOM_JOBS_MAX. The caller sets
	 * it, and 0 means 1. */
	uint32_t jobs;
} bloom_builder;

/* Creates an empty builder. The size of the filter depends on `params`, not on the keys.
 *
 *   chunk_bytes  0: BLOOM_CHUNK_BYTES_DEFAULT, a multiple of every shard size
 *   *builder     set on success; release it with bloom_builder_free()
 *
 * If the filter is larger than the machine's memory, this fails with BLOOM_E_MEMORY. It sets
 * `image` to NULL but still fills in the geometry, so callers can use it for sizing.
 *
 * Errors: those of bloom_geometry_choose(); BLOOM_E_CHUNK_BYTES, _MEMORY.
 * Cost: memory for the whole filter, plus 4 bytes per shard. The pages of the filter are allocated
 * when they are first accessed.
 */
bloom_status bloom_builder_init(const bloom_params *params, uint64_t seed, uint32_t chunk_bytes,
	bloom_builder *builder, bloom_error *error);

/* Creates an empty builder for the next version of a blob, with the same geometry, capacity and
 * target rate.
 *
 *   params   only `groups`, `keeps_last` and `secret` are used; the tree must keep the same number
 *   of levels
 *
 * Errors: BLOOM_E_CHUNK_BYTES, _MEMORY.
 */
bloom_status bloom_builder_init_like(const bloom_head *like, const bloom_params *params,
	uint64_t seed, uint32_t chunk_bytes, bloom_builder *builder, bloom_error *error);

/* Creates a builder from the bits of a live filter or a blob. The number of keys in each shard is
 * estimated from its bits.
 *
 *   bits   copied; NULL for an empty filter
 *
 * Errors: BLOOM_E_CHUNK_BYTES, _MEMORY; those of bloom_geometry_check_open().
 */
bloom_status bloom_builder_start(const bloom_geometry *geometry, const bloom_meta *meta,
	const unsigned char *bits, bloom_builder *builder, bloom_error *error);

/* Adds the bits of a blob of the same geometry. They then equal those of a single builder to which
 * all keys were added, so a parallel build can merge its parts.
 *
 *   head, body  the head and the shards of the verified blob
 *
 * The number of keys is only estimated, as a number between the larger of the two key counts and
 * their sum.
 *
 * Errors: BLOOM_E_DIFFERENT, whose subject names the first difference; those of
 * bloom_geometry_check_open().
 */
bloom_status bloom_builder_merge(bloom_builder *builder, const bloom_head *head,
	const unsigned char *body, bloom_error *error);

/* Releases all memory of a builder. The builder may be zeroed or already freed. */
void bloom_builder_free(bloom_builder *builder);

/* Adds a key to a builder without groups. Returns true if the key was definitely new.
 *
 * For a ribbon filter, a duplicate is detected only if it equals the previous key, and sometimes
 * not even then, so this returns true for all other keys. The remaining duplicates are removed
 * when the digests are sorted. The buffer for the digests doubles as needed, although once it has
 * reached the filter's capacity, duplicates are removed before it grows. If memory runs out,
 * `out_of_memory` is set permanently and finishing fails. */
bool bloom_builder_add(bloom_builder *builder, const unsigned char *key, size_t key_bytes);

/* Adds keys by their digests, in order. Returns the number of keys that were definitely new. A
 * foreign filter has no such digests.
 *
 * This is faster than adding keys one at a time, because blocks are prefetched. With 64 keys or
 * more, most blocks are prefetched in time.
 */
uint64_t bloom_builder_add_digests(
	bloom_builder *builder, const bloom_digest *digests, size_t count);

/* Performs the part of bloom_builder_add_digests() that several threads may run concurrently, if
 * each thread passes digests of different shards. It sets bits and updates `shard_keys`, but leaves
 * `keys` and `added` to the caller. Do not use it for ribbon filters.
 */
uint64_t bloom_builder_set_digests(
	bloom_builder *builder, const bloom_digest *digests, size_t count);

/* Sets the value of a key in a builder of a map. The value must fit into the value bits. If memory
 * runs out, `out_of_memory` is set permanently and finishing fails. */
void bloom_builder_set(
	bloom_builder *builder, const unsigned char *key, size_t key_bytes, uint64_t value);

/* Adds a value to a group of a builder with groups. Returns true if the value was definitely new to
 * the group. */
bool bloom_builder_add_to_group(
	bloom_builder *builder, uint64_t group, const unsigned char *value, size_t value_bytes);

/* Writes the head. On success, builder->image contains the blob, and no more keys may be added.
 *
 *   built_ms  build time for the head, ms since 1970
 *   limit     upper limit for meta.measured_rate
 *
 * An error leaves the builder unchanged, so the caller can add more keys or raise the limit and
 * try again.
 *
 * Errors: BLOOM_E_OVER_RATE or BLOOM_E_SATURATED if the filter contains too many keys for its size;
 * BLOOM_E_MEMORY; for a map, those of bloom_pairs_sorted() and
 * bloom_solve_shards().
 */
bloom_status bloom_builder_finish(
	bloom_builder *builder, uint64_t built_ms, double limit, bloom_error *error);

#endif
