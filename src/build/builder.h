/* Keys → blob: one flow, in one process, from an empty filter to its finished image.
 *
 *     bloom_builder_init ──► bloom_builder_add, lines.h ──► bloom_builder_finish
 *       one allocation:         sets bits                          writes the head before them
 *       │ head │ shards │                                          the image is the blob
 *
 * Of a ribbon filter (ribbon.h) adding only keeps digests, 16 bytes each, and finishing solves shard by shard.
 *
 * A builder belongs to one thread. Nothing is shared, nothing touches a file. With `jobs` others help it inside of
 * adding lines and finishing (parallel.h): the bytes and counts are the same.
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
	bloom_hasher hasher;   /* a keyed one that begins with bits has none, and takes no keys */
	bloom_reverse reverse; /* with groups */
	unsigned char *image;  /* the head's room, then the shards */
	uint64_t image_bytes;
	unsigned char *bits;   /* shard 0, in `image` */
	uint32_t *shard_keys;  /* per shard: keys that were certainly new */
	uint64_t keys;         /* their sum; with groups, a value is a key a level */
	uint64_t added;        /* keys or values given, repeated ones too */
	bloom_digest *digests; /* of a ribbon filter's keys; `keys` of them */
	uint64_t digests_capacity;
	uint64_t digests_sorted; /* the first so many are, and have no equals */
	bool out_of_memory;      /* of memory: a digest was lost, and so is the builder */
	/* Threads that add lines and finish: the caller's to set, up to BLOOM_JOBS_MAX; 0: 1. */
	uint32_t jobs;
} bloom_builder;

/* An empty builder.
 *
 *   params         what is asked of the filter; its size follows from that, not from what is added
 *   chunk_bytes  0: the default, or the shard's size if that is larger
 *   *builder     filled on success; give it back with bloom_builder_free(). Of one that is larger than the
 *                machine's memory there is what was chosen, for who only wants to know: the image is NULL
 *
 * Fails   as bloom_geometry_choose(); BLOOM_E_CHUNK_BYTES; BLOOM_E_MEMORY.
 * Cost    memory for the whole filter (zero pages, taken as they are touched) and 4 bytes a shard.
 */
bloom_status bloom_builder_init(const bloom_params *params, uint64_t seed, uint32_t chunk_bytes,
	bloom_builder *builder, bloom_error *error);

/* An empty builder of a blob's geometry, capacity and rate, for its next version.
 *
 *   params   of it only the groups, which need as many levels as the blob's, and the secret
 *
 * Fails   BLOOM_E_CHUNK_BYTES, _MEMORY.
 */
bloom_status bloom_builder_init_like(const bloom_head *like, const bloom_params *params,
	uint64_t seed, uint32_t chunk_bytes, bloom_builder *builder, bloom_error *error);

/* A builder that begins with bits that are there already, copied: of a live filter, or of a blob; or with
 * none, for NULL. How many keys they hold is estimated, shard by shard.
 *
 * Fails   BLOOM_E_CHUNK_BYTES, _MEMORY, _SOLVED (a ribbon filter).
 */
bloom_status bloom_builder_start(const bloom_geometry *geometry, const bloom_meta *meta,
	const unsigned char *bits, bloom_builder *builder, bloom_error *error);

/* Adds, or takes away all but, what a blob of the same geometry has: of the shards' bits the union, or
 * the intersection.
 *
 *   head, body  of the verified blob
 *
 * Union: the very bits that one builder would have that was given all the keys, so a parallel build's
 * parts become one.
 * Intersection: every key that both have is still found. More bits are set than by those keys alone, so
 * the rate is above that of a filter built of them: a key of neither passes where both filters pass
 * it, so at most at the smaller of their rates, and a key of one at the rate of the other (Broder &
 * Mitzenmacher, "Network Applications of Bloom Filters: A Survey", 2004).
 *
 * Keys are estimated again, between the larger and the sum of both, or up to the smaller.
 *
 * Fails   BLOOM_E_DIFFERENT, the subject names the first difference; BLOOM_E_SOLVED of a ribbon filter.
 */
bloom_status bloom_builder_merge(bloom_builder *builder, const bloom_head *head,
	const unsigned char *body, bloom_error *error);
bloom_status bloom_builder_intersect(bloom_builder *builder, const bloom_head *head,
	const unsigned char *body, bloom_error *error);

void bloom_builder_free(bloom_builder *builder); /* a zeroed or freed builder is fine */

/* Adds a key. True: it was certainly new. For a builder without groups.
 *
 * Of a ribbon filter true says nothing: false is the answer for the key that was added just before, and mostly for no other;
 * whether it is new shows when the digests are sorted. Memory for them grows by doubling, but beyond the capacity repeated keys are dropped first. When there is none,
 * `out_of_memory` is set for good, and finishing fails. */
bool bloom_builder_add(bloom_builder *builder, const unsigned char *key, size_t key_bytes);

/* The same of many keys whose digests were made before, in that order. Returns how many were certainly new. A key alone
 * is waited for (probe.h); of 64 and more most are fetched meanwhile. */
uint64_t bloom_builder_add_digests(
	bloom_builder *builder, const bloom_digest *digests, size_t count);

/* The part of it that threads may do at once, each with digests of other shards: bits and the shards' counts, and not
 * the sums of the builder. For a builder that is no ribbon's. */
uint64_t bloom_builder_set_digests(
	bloom_builder *builder, const bloom_digest *digests, size_t count);

/* Adds a value to a group. True: it was certainly not in it. For a builder with groups. */
bool bloom_builder_add_to_group(
	bloom_builder *builder, uint64_t group, const unsigned char *value, size_t value_bytes);

/* Writes the head: from now on builder->image is the blob, and nothing may be added.
 *
 *   built_ms  stands in the head
 *   limit     what builder->meta.measured_rate may be at most
 *
 * Fails   BLOOM_E_OVER_RATE, BLOOM_E_SATURATED: too many keys for this size. The builder is as it
 *         was before the call: adding, or finishing with a higher limit, is still possible. Of a ribbon filter
 *         BLOOM_E_OVERFULL, likewise; BLOOM_E_MEMORY.
 */
bloom_status bloom_builder_finish(
	bloom_builder *builder, uint64_t built_ms, double limit, bloom_error *error);

#endif
