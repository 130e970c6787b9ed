/* Solving the equations of ribbon filters (ribbon.h) and maps (value_map.h), one shard after
 * another.
 *
 *     keys of a shard ─► levels: equations ─► back substitution ─► the shard's bytes
 *                          └ bumped keys to the next level;  └ keys without a place: lost
 *
 * All functions are pure and use only the caller's memory. */
#ifndef BLOOM_RIBBON_SOLVE_H
#define BLOOM_RIBBON_SOLVE_H

#include "filter/ribbon_layout.h"

/* The equation that has its pivot at a given slot after elimination. A map keeps the value bits of
 * its result separately. */
typedef struct bloom_equation {
	uint64_t coefficients; /* bit 0 is the slot itself; 0: no equation */
	uint64_t result;
} bloom_equation;

/* The keys to be solved have no duplicates and may be in any order, although sorted keys are solved
 * faster. */
typedef struct bloom_ribbon_keys {
	bloom_digest *digests;
	uint64_t *values; /* NULL: a ribbon filter */
	size_t count;
} bloom_ribbon_keys;

/* Work space for solving one shard after another. Its contents before a call do not matter. The
 * arrays of values are NULL for a ribbon filter. */
typedef struct bloom_ribbon_work {
	bloom_equation *equations; /* bloom_ribbon_slots() of them */
	uint64_t *values;          /* as many: the value bits of their results */
	size_t *groups;            /* bloom_ribbon_groups() of them */
	/* Each has space for the keys of the fullest shard. */
	bloom_ribbon_keys ordered;
	bloom_ribbon_keys bumped; /* after a call: the keys that were lost */
} bloom_ribbon_work;

/* Returns the number of counters that bloom_ribbon_solve() needs. */
size_t bloom_ribbon_groups(const bloom_geometry *geometry);

/* Solves one shard.
 *
 *   keys      not changed
 *   is_spill  the shard is the spill shard of a map with several shards
 *   bytes     receives the shard
 *
 * On each level, the buckets are processed in ascending order. In a bucket, the keys that start at
 * 56 and above come first, then those at 24 and above, then the others. If the equations of such a
 * group contradict those before, the group and the rest of the bucket are bumped. In a map, the
 * group is bumped even if its equations only follow from those before. So the thresholds and the
 * pivots do not depend on the values, and a changed value changes only the shard of its key.
 *
 * Returns the number of keys that were bumped from the last level. They are in work->bumped.
 *
 * Cost: about 60 ns per key, and 1.5 ns more for each value bit.
 */
size_t bloom_ribbon_solve(const bloom_geometry *geometry, const bloom_ribbon_keys *keys,
	bool is_spill, bloom_ribbon_work *work, unsigned char *bytes);

/* Returns the probability that a random absent key has an equation in this shard and passes it. It
 * follows from the geometry and from the thresholds.
 *
 *   *lost  receives the probability that such a key has no equation in this shard */
double bloom_ribbon_shard_rate(
	const bloom_geometry *geometry, const unsigned char *bytes, double *lost);

#endif
