#include "filter/ribbon_solve.h"

#include <math.h>
#include <string.h>

#include "filter/bytes.h"
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
 *   values  those of the equations; NULL: a ribbon filter
 *
 * Returns the pivot, NOTHING_LEFT if the equation follows from the others, or CONTRADICTION if all
 * coefficients cancel, but the result is not 0, or has a value. */
BLOOM_INLINE uint32_t eliminate(bloom_equation *equations, uint64_t *values, uint32_t slot,
	bloom_equation added, uint64_t value)
{
	uint32_t zeros;

	while (equations[slot].coefficients != 0) {
		added.coefficients ^= equations[slot].coefficients;
		added.result ^= equations[slot].result;
		if (values != NULL) {
			value ^= values[slot];
		}
		if (added.coefficients == 0) {
			return added.result == 0 && values == NULL ? NOTHING_LEFT : CONTRADICTION;
		}
		zeros = bloom_trailing_zeros(added.coefficients);
		added.coefficients >>= zeros;
		slot += zeros;
	}
	equations[slot] = added;
	if (values != NULL) {
		values[slot] = value;
	}
	return slot;
}

/* A level of the shard that is being solved. */
typedef struct solved_level {
	const bloom_geometry *geometry;
	uint64_t home_shards;
	uint32_t number; /* from 0; those of a spill shard follow */
	bloom_ribbon_level at;
} solved_level;

static uint32_t start_of(const solved_level *level, bloom_digest digest)
{
	return bloom_ribbon_start(digest, level->home_shards, level->number, level->at);
}

/* Adds the equations of a group: the ordered keys from `begin` to `end`. If they contradict the
 * equations before, the function removes them and returns false. Whether they do does not depend on
 * their order. */
BLOOM_INLINE bool add_group(const solved_level *level, size_t begin, size_t end,
	const bloom_ribbon_work *work, uint64_t *values)
{
	uint64_t results = (UINT64_C(1) << (level->geometry->probes + 1)) - 1;
	bloom_equation *equations = work->equations;
	uint32_t pivots[GROUP_PIVOTS_MAX];
	size_t used = 0, i;

	for (i = begin; i < end; i++) {
		bloom_digest digest = work->ordered.digests[i];
		bloom_equation added = {
			bloom_ribbon_coefficients(digest), bloom_digest_probes(digest) & results};
		uint32_t pivot = eliminate(equations, values, start_of(level, digest), added,
			values != NULL ? work->ordered.values[i] : 0);

		if (pivot == CONTRADICTION) {
			while (used > 0) {
				/* Without an equation, the slot becomes the result and the value.
				 */
				equations[pivots[--used]] = (bloom_equation){0};
				if (values != NULL) {
					values[pivots[used]] = 0;
				}
			}
			return false;
		}
		if (pivot != NOTHING_LEFT) {
			pivots[used++] = pivot;
		}
	}
	return true;
}

static bool add_group_to_filter(
	const solved_level *level, size_t begin, size_t end, const bloom_ribbon_work *work)
{
	return add_group(level, begin, end, work, NULL);
}

static bool add_group_to_map(
	const solved_level *level, size_t begin, size_t end, const bloom_ribbon_work *work)
{
	return add_group(level, begin, end, work, work->values);
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

/* Sorts keys by their groups. groups[g] becomes the end of group g. Returns the number of
 * groups. */
static size_t order_by_group(
	const solved_level *level, const bloom_ribbon_keys *keys, bloom_ribbon_work *work)
{
	solved_level from_zero = *level;
	size_t groups = group_of(level->at.starts - 1 + BLOOM_RIBBON_BUCKET) / GROUPS_PER_BUCKET *
		GROUPS_PER_BUCKET;
	size_t i, to;

	from_zero.at.first = 0;
	memset(work->groups, 0, (groups + 1) * sizeof *work->groups);
	for (i = 0; i < keys->count; i++) {
		work->groups[group_of(start_of(&from_zero, keys->digests[i])) + 1]++;
	}
	for (i = 0; i < groups; i++) {
		work->groups[i + 1] += work->groups[i];
	}
	for (i = 0; i < keys->count; i++) {
		to = work->groups[group_of(start_of(&from_zero, keys->digests[i]))]++;
		work->ordered.digests[to] = keys->digests[i];
		if (keys->values != NULL) {
			work->ordered.values[to] = keys->values[i];
		}
	}
	return groups;
}

/* Appends the ordered keys from `begin` to `end` to those that are bumped. */
static void bump(size_t begin, size_t end, bloom_ribbon_work *work)
{
	bloom_ribbon_keys *bumped = &work->bumped;
	size_t count = end - begin;

	memcpy(bumped->digests + bumped->count, work->ordered.digests + begin,
		count * sizeof *bumped->digests);
	if (work->values != NULL) {
		memcpy(bumped->values + bumped->count, work->ordered.values + begin,
			count * sizeof *bumped->values);
	}
	bumped->count += count;
}

/* Adds the equations of one level, sets its thresholds, and leaves the keys that are bumped in
 * work->bumped. `keys` may be work->bumped. */
static void add_level(const solved_level *level, const bloom_ribbon_keys *keys,
	bloom_ribbon_work *work, unsigned char *bytes)
{
	size_t groups = order_by_group(level, keys, work);
	size_t bucket, group, begin = 0, end;
	uint32_t stripe = level->at.first / BLOOM_RIBBON_BAND;
	bool (*add)(const solved_level *, size_t, size_t, const bloom_ribbon_work *) =
		work->values != NULL ? add_group_to_map : add_group_to_filter;

	work->bumped.count = 0;
	for (bucket = 0; bucket < groups / GROUPS_PER_BUCKET; bucket++, stripe += 2) {
		for (group = 0; group < GROUPS_PER_BUCKET; group++, begin = end) {
			end = work->groups[bucket * GROUPS_PER_BUCKET + group];
			if (end > begin && !add(level, begin, end, work)) {
				break;
			}
		}
		if (group < GROUPS_PER_BUCKET) {
			end = work->groups[bucket * GROUPS_PER_BUCKET + GROUPS_PER_BUCKET - 1];
			bump(begin, end, work);
			begin = end;
			bytes[stripe / 8] |=
				(unsigned char)((GROUPS_PER_BUCKET - group) << (stripe & 6));
		}
	}
}

/* Shifts one column by one slot, and solves that slot. */
BLOOM_INLINE uint64_t next_slot(uint64_t state, uint64_t coefficients, uint64_t result)
{
	uint64_t later = state << 1;

	return later | ((bloom_parity(later & coefficients) ^ result) & 1);
}

/* Solves the 64 slots of one stripe, last slot first. state[c] holds bit c of the 64 slots after
 * the current one and is shifted by one slot per step. Each slot is the result of its equation
 * minus the later slots of this equation. A slot without an equation becomes 0. At the end,
 * state[c] is word c of the stripe.
 *
 *   values   those of the stripe's equations; NULL if there are no value bits
 *   columns  including the value bits */
BLOOM_INLINE void substitute(const bloom_equation *equations, const uint64_t *values,
	uint32_t value_bits, uint32_t columns, uint64_t *state)
{
	uint32_t slot, column;

	for (slot = BLOOM_RIBBON_BAND; slot-- > 0;) {
		for (column = 0; values != NULL && column < value_bits; column++) {
			state[column] = next_slot(state[column], equations[slot].coefficients,
				values[slot] >> column);
		}
		for (; column < columns; column++) {
			state[column] = next_slot(state[column], equations[slot].coefficients,
				equations[slot].result >> (column - value_bits));
		}
	}
}

/* Back substitution from the last stripe to the first, whatever the level. No equation reaches
 * beyond the last slot, so the state is initially 0.
 *
 * A slot depends only on later slots. Only wide stripes have the last column, and wide stripes come
 * last. So the last column is complete for every key that starts in a wide stripe. */
BLOOM_INLINE void back_substitute(
	const bloom_geometry *geometry, const bloom_ribbon_work *work, unsigned char *bytes)
{
	uint64_t state[BLOOM_VALUE_BITS_MAX + BLOOM_RIBBON_WIDTH_MAX + 1] = {0};
	uint32_t narrow = bloom_ribbon_narrow(geometry), stripe, columns, column;
	unsigned char *at = bytes + geometry->shard_bytes;
	size_t slot;

	for (stripe = geometry->stripes; stripe-- > 0;) {
		columns = bloom_ribbon_width(geometry) + (stripe >= narrow);
		slot = (size_t)stripe * BLOOM_RIBBON_BAND;
		substitute(work->equations + slot,
			work->values != NULL ? work->values + slot : NULL, geometry->value_bits,
			columns, state);
		at -= 8 * (size_t)columns;
		for (column = 0; column < columns; column++) {
			bloom_put64(at + 8 * (size_t)column, state[column]);
		}
	}
}

BLOOM_TARGET_POPCOUNT static void back_substitute_fast(
	const bloom_geometry *geometry, const bloom_ribbon_work *work, unsigned char *bytes)
{
	back_substitute(geometry, work, bytes);
}

size_t bloom_ribbon_solve(const bloom_geometry *geometry, const bloom_ribbon_keys *keys,
	bool is_spill, bloom_ribbon_work *work, unsigned char *bytes)
{
	size_t slots = bloom_ribbon_slots(geometry);
	uint32_t number;

	memset(work->equations, 0, slots * sizeof *work->equations);
	if (work->values != NULL) {
		memset(work->values, 0, slots * sizeof *work->values);
	}
	memset(bytes, 0, 8 * (size_t)bloom_ribbon_threshold_words(geometry));
	for (number = 0; number < BLOOM_RIBBON_LEVELS; number++) {
		solved_level level = {.geometry = geometry,
			.home_shards = bloom_geometry_home_shards(geometry),
			.number = is_spill ? BLOOM_RIBBON_LEVELS + number : number,
			.at = bloom_ribbon_level_of(geometry, number)};

		add_level(&level, number == 0 ? keys : &work->bumped, work, bytes);
	}
	if (bloom_cpu_has_popcount()) {
		back_substitute_fast(geometry, work, bytes);
	} else {
		back_substitute(geometry, work, bytes);
	}
	return work->bumped.count;
}

double bloom_ribbon_shard_rate(
	const bloom_geometry *geometry, const unsigned char *bytes, double *lost)
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
	*lost = reached;
	return rate;
}
