/* A map has a value for each key. It is a ribbon filter (ribbon.h) whose equations also yield a
 * value. Such a static function is known as a Bloomier filter.
 *
 *     stripe   │ value bit 0 │ … │ value bit V−1 │ check bit 0 │ … │      64 slots, by columns
 *     answer     the value's bits                  as in a ribbon filter: absent, or a value
 *
 * The check bits are those of a ribbon filter with the same rate. There may be none; then every key
 * has a value.
 *
 * A ribbon filter answers "maybe" for a key that no level has a place for. A map must not invent a
 * value, so these keys move to the last shard, the spill shard, which no key selects otherwise:
 *
 *     │ home shard 0 │ home shard 1 │ … │ spill shard │      a map of a single shard has no spill
 *        level 1 ► 2 ► 3 ──────────────────► 4 ► 5 ► 6
 *
 * It also takes the keys by which a home shard is fuller than most. So home shards can be as full
 * as the average requires, not the fullest, and they may be small. The last level of the last
 * shard bumps nothing, because a map is built only if every key has a place.
 *
 * Sources: Chazelle, Kilian, Rubinfeld & Tal, "The Bloomier Filter", SODA 2004; for the solution,
 * those of ribbon.h.
 *
 * All functions are pure and use only the caller's memory. */
#ifndef BLOOM_VALUE_MAP_H
#define BLOOM_VALUE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/ribbon_layout.h"

/* The part of a geometry that a lookup needs. */
typedef struct bloom_value_map {
	bloom_ribbon ribbon;        /* its shards are the home shards */
	const unsigned char *spill; /* the last shard */
	uint32_t value_bits;
} bloom_value_map;

/* The geometry must be checked and have value bits, and `bits` must be verified. */
static inline bloom_value_map bloom_value_map_of(
	const bloom_geometry *geometry, const unsigned char *bits)
{
	return (bloom_value_map){
		.ribbon = bloom_ribbon_of(geometry, bits),
		.spill = bits + (geometry->shards - 1) * geometry->shard_bytes,
		.value_bits = geometry->value_bits,
	};
}

/* Returns false if the key is definitely absent. Otherwise, *value is its value.
 *
 * Cost: an absent key reads the 2 r words of its check bits. A present one also reads the 2 V words
 * of its value, next to them. */
bool bloom_value_map_get(const bloom_value_map *map, bloom_digest digest, uint64_t *value);

/* The portable implementation of bloom_value_map_get(). */
bool bloom_value_map_get_plain(const bloom_value_map *map, bloom_digest digest, uint64_t *value);

/* Looks up many keys. Bit i of the result is that of digests[i], and values[i] is its value, or
 * undefined if the key is absent. The function prefetches the words of all keys before it tests the
 * first one.
 *
 *   count   at most BLOOM_BATCH_MAX
 *   values  NULL: only the result is wanted */
uint64_t bloom_value_map_get_many(
	const bloom_value_map *map, const bloom_digest *digests, uint32_t count, uint64_t *values);

/* Returns true if a value fits into the value bits. */
static inline bool bloom_value_fits(uint64_t value, uint32_t value_bits)
{
	return value_bits == BLOOM_VALUE_BITS_MAX || value >> value_bits == 0;
}

/* Returns true if the last level of the last shard bumps no key, as in every map. `shard` is the
 * last shard. */
bool bloom_value_map_has_places(const bloom_geometry *geometry, const unsigned char *shard);

#endif
