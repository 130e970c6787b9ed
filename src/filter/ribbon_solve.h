/* Solving the equations of a ribbon filter (ribbon.h), one shard after another.
 *
 * All functions are pure and use only the caller's memory. */
#ifndef BLOOM_RIBBON_SOLVE_H
#define BLOOM_RIBBON_SOLVE_H

#include "filter/ribbon.h"

/* The equation that has its pivot at a given slot after elimination. */
typedef struct bloom_equation {
	uint64_t coefficients; /* bit 0 is the slot itself; 0: no equation */
	uint64_t result;
} bloom_equation;

/* Work space for solving one shard after another. */
typedef struct bloom_ribbon_work {
	bloom_equation *equations; /* bloom_ribbon_slots() of them */
	size_t *groups;            /* bloom_ribbon_groups() of them */
	/* Each has space for the keys of the fullest shard. */
	bloom_digest *ordered;
	bloom_digest *bumped;
} bloom_ribbon_work;

/* Returns the number of counters that bloom_ribbon_solve() needs. */
size_t bloom_ribbon_groups(const bloom_geometry *geometry);

/* Solves one shard.
 *
 *   digests  the shard's digests, without duplicates, in any order; faster if sorted
 *   work     previous contents do not matter
 *   bytes    receives the shard
 *
 * On each level, the buckets are processed in ascending order. In a bucket, the keys that start at
 * 56 and above come first, then those at 24 and above, then the others. If the equations of such a
 * group contradict those before, the group and the rest of the bucket are bumped.
 *
 * Cost: about 60 ns per key.
 */
void bloom_ribbon_solve(const bloom_geometry *geometry, const bloom_digest *digests, size_t count,
	bloom_ribbon_work *work, unsigned char *bytes);

/* Returns the probability that a random absent key passes a shard. It follows from the geometry and
 * from the thresholds. */
double bloom_ribbon_shard_rate(const bloom_geometry *geometry, const unsigned char *bytes);

#endif
