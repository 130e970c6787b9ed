#include "filter/digest_sort.h"

#include <stdbool.h>
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

/* ---- pairs ---- */

/* Sorts a few pairs of `from` to `to`, which may be the same array. */
static void insert_pairs(const bloom_pair *from, bloom_pair *to, size_t count)
{
	size_t i, hole;

	for (i = 0; i < count; i++) {
		bloom_pair moved = from[i];

		for (hole = i; hole > 0 && moved.digest < to[hole - 1].digest; hole--) {
			to[hole] = to[hole - 1];
		}
		to[hole] = moved;
	}
}

/* Sorts pairs by their bytes from `depth` on. The sort is stable, because each pass copies the
 * pairs to the other array, in their order. The result is in `from` or, if `ends_in_to`, in `to`.
 */
static void sort_pairs_from(
	bloom_pair *from, bloom_pair *to, size_t count, uint32_t depth, bool ends_in_to)
{
	size_t end[BLOOM_BUCKETS] = {0}, i, start;
	unsigned bucket;

	if (count <= INSERTION_SORT_MAX || depth == DIGEST_BYTES) {
		insert_pairs(from, ends_in_to ? to : from, count);
		return;
	}
	for (i = 0; i < count; i++) {
		end[byte_of(from[i].digest, depth)]++;
	}
	for (bucket = 0, start = 0; bucket < BLOOM_BUCKETS; bucket++) {
		i = end[bucket];
		end[bucket] = start;
		start += i;
	}
	for (i = 0; i < count; i++) {
		to[end[byte_of(from[i].digest, depth)]++] = from[i];
	}
	for (bucket = 0, start = 0; bucket < BLOOM_BUCKETS; start = end[bucket], bucket++) {
		sort_pairs_from(
			to + start, from + start, end[bucket] - start, depth + 1, !ends_in_to);
	}
}

void bloom_pairs_sort(bloom_pair *pairs, bloom_pair *spare, size_t count)
{
	sort_pairs_from(pairs, spare, count, 0, false);
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
