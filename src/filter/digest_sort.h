/* Sorts digests, for filters that are solved rather than filled (ribbon_solve.h).
 *
 * All functions are pure. */
#ifndef BLOOM_DIGEST_SORT_H
#define BLOOM_DIGEST_SORT_H

#include <stddef.h>

#include "filter/digest.h"

/* Sorts digests in place, in ascending order. The digests of a shard are then contiguous, and keys
 * with nearby starts are close to each other.
 *
 * Cost: about 30 ns per digest for 10^6 digests and 50 ns for 10^7, whatever their values.
 */
void bloom_digests_sort(bloom_digest *digests, size_t count);

/* These functions do the same sort in two steps, so that several threads can share the second step.
 * bloom_digests_partition() partitions the digests into buckets, of which bucket b extends from
 * start[b] to start[b + 1], and bloom_digests_sort_bucket() sorts one bucket. */
enum { BLOOM_BUCKETS = 256 };
void bloom_digests_partition(bloom_digest *digests, size_t count, size_t start[BLOOM_BUCKETS + 1]);
void bloom_digests_sort_bucket(bloom_digest *bucket, size_t count);

/* A key of a map and its value. */
typedef struct bloom_pair {
	bloom_digest digest;
	uint64_t value;
} bloom_pair;

/* Sorts pairs by their digests. Pairs with equal digests keep their order.
 *
 *   spare  space for as many pairs; its contents are lost
 *
 * Cost: about 60 ns per pair. */
void bloom_pairs_sort(bloom_pair *pairs, bloom_pair *spare, size_t count);

/* Removes duplicates from sorted digests. Returns the number of digests that remain. */
size_t bloom_digests_unique(bloom_digest *digests, size_t count);

#endif
