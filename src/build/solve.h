/* Solves the shards of a ribbon filter or a map, in several threads. */
#ifndef BLOOM_SOLVE_H
#define BLOOM_SOLVE_H

#include "filter/ribbon_solve.h"
#include "filter/status.h"

typedef struct bloom_solution {
	const bloom_geometry *geometry;
	bloom_ribbon_keys
		keys;        /* sorted, without duplicates; values if the geometry has value bits */
	unsigned char *bits; /* receives the shards */
	uint32_t *shard_keys; /* receives the numbers of keys in the shards' rows */
	uint32_t jobs;        /* threads; 0 means 1 */
	uint64_t lost;        /* map: receives the number of keys without a place */
} bloom_solution;

/* Solves all shards. In a map, the keys that home shards lose are solved in the spill shard.
 *
 * Errors: BLOOM_E_MEMORY; BLOOM_E_MAP_PLACES if keys of a map are lost in the last shard.
 * Cost: see bloom_ribbon_solve(); in addition, at most 64 bytes for each key of the fullest shard
 * and thread, and 48 for each slot. */
bloom_status bloom_solve_shards(bloom_solution *solution, bloom_error *error);

#endif
