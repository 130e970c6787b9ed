#include "filter/ribbon_solve.h"

#include <math.h>
#include <string.h>

#include "filter/compiler.h"

enum {
	GROUPS_PER_BUCKET = 3,
	/* The equations of a group span at most that many slots, so no more are independent. */
	GROUP_PIVOTS_MAX = BLOOM_RIBBON_BUCKET + BLOOM_RIBBON_BAND,
};

/* Results of eliminate() that are not slots. */
static const uint32_t NOTHING_LEFT = UINT32_MAX - 1, CONTRADICTION = UINT32_MAX;

/* Adds one equation by Gaussian elimination. While another equation has its pivot at the first slot
 * of the added equation, the function subtracts that equation, and the difference starts at a later
 * slot. The pivot of the remaining equation is its first slot.
 *
 * Returns the pivot, NOTHING_LEFT if the equation follows from the others, or CONTRADICTION if all
 * coefficients cancel, but the result is not 0. */
static uint32_t eliminate(bloom_equation *equations, uint32_t slot, bloom_equation added)
{
	uint32_t zeros;

	while (equations[slot].coefficients != 0) {
		added.coefficients ^= equations[slot].coefficients;
		added.result ^= equations[slot].result;
		if (added.coefficients == 0) {
			return added.result == 0 ? NOTHING_LEFT : CONTRADICTION;
		}
		zeros = bloom_trailing_zeros(added.coefficients);
		added.coefficients >>= zeros;
		slot += zeros;
	}
	equations[slot] = added;
	return slot;
}

/* Adds the equations of a group. If they contradict the equations before, the function removes them
 * and returns false. Whether they do does not depend on their order. */
static bool add_group(const bloom_geometry *geometry, uint32_t level, const bloom_digest *digests,
	size_t count, bloom_equation *equations)
{
	bloom_ribbon_level at = bloom_ribbon_level_of(geometry, level);
	uint64_t results = (UINT64_C(1) << (geometry->probes + 1)) - 1;
	uint32_t pivots[GROUP_PIVOTS_MAX];
	size_t used = 0, i;

	for (i = 0; i < count; i++) {
		bloom_equation added = {bloom_ribbon_coefficients(digests[i]),
			bloom_digest_probes(digests[i]) & results};
		uint32_t pivot = eliminate(equations,
			bloom_ribbon_start(digests[i], geometry->shards, level, at), added);

		if (pivot == CONTRADICTION) {
			while (used > 0) {
				/* Without an equation, the slot becomes the result. */
				equations[pivots[--used]] = (bloom_equation){0};
			}
			return false;
		}
		if (pivot != NOTHING_LEFT) {
			pivots[used++] = pivot;
		}
	}
	return true;
}

/* Returns the number of a start's group within its level, in the order in which the groups are
 * added. */
BLOOM_INLINE size_t group_of(uint32_t start)
{
	uint32_t offset = start % BLOOM_RIBBON_BUCKET;

	return (size_t)start / BLOOM_RIBBON_BUCKET * GROUPS_PER_BUCKET +
		(offset < (BLOOM_RIBBON_THRESHOLDS >> 16 & 255)) +
		(offset < (BLOOM_RIBBON_THRESHOLDS >> 8 & 255));
}

size_t bloom_ribbon_groups(const bloom_geometry *geometry)
{
	return (size_t)bloom_ribbon_first(geometry) / 2 * GROUPS_PER_BUCKET + 1;
}

/* Sorts digests by their groups. groups[g] becomes the end of group g. Returns the number of
 * groups. */
static size_t order_by_group(const bloom_geometry *geometry, uint32_t level,
	const bloom_digest *digests, size_t count, bloom_ribbon_work *work)
{
	bloom_ribbon_level at = bloom_ribbon_level_of(geometry, level);
	size_t groups = group_of(at.starts - 1 + BLOOM_RIBBON_BUCKET) / GROUPS_PER_BUCKET *
		GROUPS_PER_BUCKET;
	size_t i;

	at.first = 0;
	memset(work->groups, 0, (groups + 1) * sizeof *work->groups);
	for (i = 0; i < count; i++) {
		work->groups[group_of(bloom_ribbon_start(digests[i], geometry->shards, level, at)) +
			1]++;
	}
	for (i = 0; i < groups; i++) {
		work->groups[i + 1] += work->groups[i];
	}
	for (i = 0; i < count; i++) {
		work->ordered[work->groups[group_of(bloom_ribbon_start(
			digests[i], geometry->shards, level, at))]++] = digests[i];
	}
	return groups;
}

/* Adds the equations of one level and sets its thresholds. Copies the digests that are bumped to
 * work->bumped and returns their number. `digests` may be work->bumped. */
static size_t add_level(const bloom_geometry *geometry, uint32_t level, const bloom_digest *digests,
	size_t count, bloom_ribbon_work *work, unsigned char *bytes)
{
	size_t groups = order_by_group(geometry, level, digests, count, work), bumped = 0;
	size_t bucket, group, begin = 0, end;
	uint32_t stripe = bloom_ribbon_level_of(geometry, level).first / BLOOM_RIBBON_BAND;

	for (bucket = 0; bucket < groups / GROUPS_PER_BUCKET; bucket++, stripe += 2) {
		for (group = 0; group < GROUPS_PER_BUCKET; group++, begin = end) {
			end = work->groups[bucket * GROUPS_PER_BUCKET + group];
			if (end > begin &&
				!add_group(geometry, level, work->ordered + begin, end - begin,
					work->equations)) {
				break;
			}
		}
		if (group < GROUPS_PER_BUCKET) {
			end = work->groups[bucket * GROUPS_PER_BUCKET + GROUPS_PER_BUCKET - 1];
			memcpy(work->bumped + bumped, work->ordered + begin,
				(end - begin) * sizeof *work->bumped);
			bumped += end - begin;
			begin = end;
			bytes[stripe / 8] |=
				(unsigned char)((GROUPS_PER_BUCKET - group) << (stripe & 6));
		}
	}
	return bumped;
}

/* Solves the 64 slots of one stripe, last slot first. state[c] holds bit c of the 64 slots after
 * the current one and is shifted by one slot per step. Each slot is the result of its equation
 * minus the later slots of this equation. A slot without an equation becomes 0. At the end,
 * state[c] is word c of the stripe. */
BLOOM_INLINE void substitute(const bloom_equation *equations, uint32_t columns, uint64_t *state)
{
	uint32_t slot, column;
	uint64_t later;

	for (slot = BLOOM_RIBBON_BAND; slot-- > 0;) {
		for (column = 0; column < columns; column++) {
			later = state[column] << 1;
			state[column] = later |
				((bloom_parity(later & equations[slot].coefficients) ^
					 equations[slot].result >> column) &
					1);
		}
	}
}

/* Back substitution from the last stripe to the first, whatever the level. No equation reaches
 * beyond the last slot, so the state is initially 0.
 *
 * A slot depends only on later slots. Only wide stripes have the last column, and wide stripes come
 * last. So the last column is complete for every key that starts in a wide stripe. */
BLOOM_INLINE void back_substitute(
	const bloom_geometry *geometry, const bloom_equation *equations, unsigned char *bytes)
{
	uint64_t state[BLOOM_RIBBON_WIDTH_MAX + 1] = {0};
	uint32_t narrow = bloom_ribbon_narrow(geometry), stripe, columns, column;
	unsigned char *at = bytes + geometry->shard_bytes;

	for (stripe = geometry->stripes; stripe-- > 0;) {
		columns = geometry->probes + (stripe >= narrow);
		substitute(equations + (size_t)stripe * BLOOM_RIBBON_BAND, columns, state);
		at -= 8 * (size_t)columns;
		for (column = 0; column < columns; column++) {
			bloom_put64(at + 8 * (size_t)column, state[column]);
		}
	}
}

BLOOM_TARGET_POPCOUNT static void back_substitute_fast(
	const bloom_geometry *geometry, const bloom_equation *equations, unsigned char *bytes)
{
	back_substitute(geometry, equations, bytes);
}

void bloom_ribbon_solve(const bloom_geometry *geometry, const bloom_digest *digests, size_t count,
	bloom_ribbon_work *work, unsigned char *bytes)
{
	uint32_t level;

	memset(work->equations, 0, bloom_ribbon_slots(geometry) * sizeof *work->equations);
	memset(bytes, 0, 8 * (size_t)bloom_ribbon_threshold_words(geometry));
	for (level = 0; level < BLOOM_RIBBON_LEVELS; level++) {
		count = add_level(geometry, level, digests, count, work, bytes);
		digests = work->bumped;
	}
	if (bloom_cpu_has_popcount()) {
		back_substitute_fast(geometry, work->equations, bytes);
	} else {
		back_substitute(geometry, work->equations, bytes);
	}
}

double bloom_ribbon_shard_rate(const bloom_geometry *geometry, const unsigned char *bytes)
{
	uint32_t narrow = bloom_ribbon_narrow(geometry) * BLOOM_RIBBON_BAND, level, start,
		 in_narrow, in_wide;
	double rate = 0, reached = 1, starts;

	for (level = 0; level < BLOOM_RIBBON_LEVELS; level++) {
		bloom_ribbon_level at = bloom_ribbon_level_of(geometry, level);

		in_narrow = in_wide = 0;
		for (start = at.first; start < at.first + at.starts; start++) {
			if (!bloom_ribbon_is_bumped(bytes, start)) {
				in_narrow += start < narrow;
				in_wide += start >= narrow;
			}
		}
		starts = at.starts;
		rate += reached * ldexp(in_narrow + in_wide / 2.0, -(int)geometry->probes) / starts;
		reached *= (starts - in_narrow - in_wide) / starts;
	}
	return rate + reached;
}
