#include "filter/digest_sort.h"

#include <string.h>

enum { DIGEST_BYTES = 8, INSERTION_SORT_MAX = 80 };

static inline unsigned byte_of(bloom_digest digest, uint32_t depth)
{
	return (unsigned)(digest >> (56 - depth * 8)) & 255;
}

static void insertion_sort(bloom_digest *digests, size_t count)
{
	size_t i, hole;

	for (i = 1; i < count; i++) {
		bloom_digest moved = digests[i];

		for (hole = i; hole > 0 && moved < digests[hole - 1]; hole--) {
			digests[hole] = digests[hole - 1];
		}
		digests[hole] = moved;
	}
}

/* Partitions digests in place by one byte. Bucket b then starts at start[b].
 *
 * The textbook version follows cycles: each swap needs the digest that the previous swap loaded.
 * This version swaps each digest into its bucket and continues with the next position, so the
 * processor overlaps the loads. The function repeats such passes until every digest is in its
 * bucket. */
static void partition(
	bloom_digest *digests, size_t count, uint32_t depth, size_t start[BLOOM_BUCKETS + 1])
{
	size_t at[BLOOM_BUCKETS], i, sorted = 0;
	unsigned bucket;

	memset(start, 0, (BLOOM_BUCKETS + 1) * sizeof *start);
	for (i = 0; i < count; i++) {
		start[byte_of(digests[i], depth) + 1]++;
	}
	for (bucket = 0; bucket < BLOOM_BUCKETS; bucket++) {
		start[bucket + 1] += start[bucket];
		at[bucket] = start[bucket];
	}
	while (sorted < count) {
		sorted = 0;
		for (bucket = 0; bucket < BLOOM_BUCKETS; bucket++) {
			for (i = at[bucket]; i < start[bucket + 1]; i++) {
				bloom_digest moved = digests[i];
				size_t to = at[byte_of(moved, depth)]++;

				digests[i] = digests[to];
				digests[to] = moved;
			}
			sorted += at[bucket] - start[bucket];
		}
	}
}

/* American flag sort, from the highest byte down (McIlroy, Bostic & McIlroy, "Engineering radix
 * sort", 1993). No input makes the sort slow: even equal digests cost only 8 passes. */
static void sort_from(bloom_digest *digests, size_t count, uint32_t depth)
{
	size_t start[BLOOM_BUCKETS + 1];
	unsigned bucket;

	if (count <= INSERTION_SORT_MAX) {
		insertion_sort(digests, count);
		return;
	}
	partition(digests, count, depth, start);
	for (bucket = 0; bucket < BLOOM_BUCKETS && depth + 1 < DIGEST_BYTES; bucket++) {
		if (start[bucket + 1] - start[bucket] > 1) {
			sort_from(digests + start[bucket], start[bucket + 1] - start[bucket],
				depth + 1);
		}
	}
}

void bloom_digests_sort(bloom_digest *digests, size_t count)
{
	sort_from(digests, count, 0);
}

void bloom_digests_partition(bloom_digest *digests, size_t count, size_t start[BLOOM_BUCKETS + 1])
{
	partition(digests, count, 0, start);
}

void bloom_digests_sort_bucket(bloom_digest *bucket, size_t count)
{
	sort_from(bucket, count, 1);
}

size_t bloom_digests_unique(bloom_digest *digests, size_t count)
{
	size_t i, kept = 0;

	for (i = 0; i < count; i++) {
		if (kept == 0 || digests[kept - 1] < digests[i]) {
			digests[kept++] = digests[i];
		}
	}
	return kept;
}
