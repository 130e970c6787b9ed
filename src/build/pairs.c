#include "build/pairs.h"

#include <stdlib.h>

#include "os/mapping.h"

/* Doubles the buffer. Returns false if memory is exhausted. */
static bool reserve(bloom_pairs *pairs)
{
	enum { CAPACITY_FIRST = 1024 };
	uint64_t capacity = pairs->capacity != 0 ? pairs->capacity * 2 : CAPACITY_FIRST;
	bloom_pair *grown = NULL;

	if (capacity <= SIZE_MAX / sizeof *grown &&
		capacity <= bloom_machine_memory_bytes() / sizeof *grown) {
		grown = realloc(pairs->pairs, (size_t)capacity * sizeof *grown);
	}
	if (grown == NULL) {
		return false;
	}
	pairs->pairs = grown;
	pairs->capacity = capacity;
	return true;
}

bool bloom_pairs_add(bloom_pairs *pairs, bloom_digest digest, uint64_t value)
{
	if (pairs->count == pairs->capacity && !reserve(pairs)) {
		return false;
	}
	pairs->pairs[pairs->count++] = (bloom_pair){digest, value};
	return true;
}

/* Checks that no key has two values. The pairs are sorted. */
static bloom_status check_values(const bloom_pairs *pairs, bloom_error *error)
{
	const bloom_pair *pair = pairs->pairs;
	uint64_t i;

	for (i = 1; i < pairs->count; i++) {
		if (pair[i - 1].digest == pair[i].digest && pair[i - 1].value != pair[i].value) {
			return bloom_fail(error, BLOOM_E_MAP_DUPLICATE, 0,
				"%lld and %lld, for the key with the digest %016llx",
				(long long)pair[i - 1].value, (long long)pair[i].value,
				(unsigned long long)pair[i].digest);
		}
	}
	return BLOOM_OK;
}

/* Keeps the last of the sorted pairs of each key. */
static void remove_duplicates(bloom_pairs *pairs)
{
	uint64_t i, kept = 0;

	for (i = 0; i < pairs->count; i++) {
		if (i + 1 == pairs->count || pairs->pairs[i].digest != pairs->pairs[i + 1].digest) {
			pairs->pairs[kept++] = pairs->pairs[i];
		}
	}
	pairs->count = kept;
}

bloom_status bloom_pairs_sorted(
	bloom_pairs *pairs, bool keeps_last, bloom_ribbon_keys *keys, bloom_error *error)
{
	/* The pairs exist, so the product cannot overflow. */
	size_t count = (size_t)pairs->count, i;
	bloom_pair *spare = malloc((count > 0 ? count : 1) * sizeof *spare);
	bloom_status status;

	if (spare == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "builder");
	}
	if (count > 0) {
		bloom_pairs_sort(pairs->pairs, spare, count);
	}
	status = keeps_last ? BLOOM_OK : check_values(pairs, error);
	if (status != BLOOM_OK) {
		free(spare);
		return status;
	}
	remove_duplicates(pairs);
	*keys = (bloom_ribbon_keys){
		.digests = (bloom_digest *)(void *)spare, .count = (size_t)pairs->count};
	keys->values = keys->digests + keys->count;
	for (i = 0; i < keys->count; i++) {
		keys->digests[i] = pairs->pairs[i].digest;
		keys->values[i] = pairs->pairs[i].value;
	}
	return BLOOM_OK;
}

void bloom_pairs_free(bloom_pairs *pairs)
{
	free(pairs->pairs);
	*pairs = (bloom_pairs){0};
}
