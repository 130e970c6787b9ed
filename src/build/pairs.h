/* While a map is built, its keys and values are kept in a list, which is sorted at the end. */
#ifndef BLOOM_PAIRS_H
#define BLOOM_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/digest_sort.h"
#include "filter/ribbon_solve.h"
#include "filter/status.h"

typedef struct bloom_pairs {
	bloom_pair *pairs; /* in the order in which they were added, with duplicates */
	uint64_t count;
	uint64_t capacity;
} bloom_pairs;

/* Adds a key and its value. Returns false if memory is exhausted.
 *
 * Memory: 16 bytes, in a buffer that doubles. */
bool bloom_pairs_add(bloom_pairs *pairs, bloom_digest digest, uint64_t value);

/* Sorts the pairs, and copies them to an array of digests and one of values, without duplicates.
 *
 *   keeps_last  of several values of a key, the last one is kept
 *   *keys       set on success; free(keys->digests) releases both arrays
 *
 * Errors: BLOOM_E_MAP_DUPLICATE if a key has two values and keeps_last is false; BLOOM_E_MEMORY.
 * The pairs then remain.
 * Memory: 16 bytes for each pair. */
bloom_status bloom_pairs_sorted(
	bloom_pairs *pairs, bool keeps_last, bloom_ribbon_keys *keys, bloom_error *error);

void bloom_pairs_free(bloom_pairs *pairs);

#endif
