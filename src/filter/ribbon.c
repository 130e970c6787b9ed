#include "filter/ribbon.h"

#include <math.h>
#include <string.h>

#include "filter/compiler.h"

#ifdef BLOOM_AVX2
#include <immintrin.h>
#endif

/* ---- looking up ---- */

/* The location and the coefficients of a key's slots. */
typedef struct equation_at {
	const unsigned char *words; /* first word of the stripe where the equation starts */
	uint32_t columns;
	/* Coefficients of the slots in this stripe and in the next stripe. */
	uint64_t first_mask;
	uint64_t second_mask;
	uint64_t result;
} equation_at;

/* Returns the start of a key that level 1 bumps. Sets *is_lost to whether level 3 bumps it, too. */
BLOOM_NOINLINE static uint32_t find_bumped(
	const bloom_ribbon *ribbon, const unsigned char *bytes, bloom_digest digest, bool *is_lost)
{
	uint32_t level, start = 0;
	bool is_bumped = true;

	for (level = 1; level < BLOOM_RIBBON_LEVELS && is_bumped; level++) {
		start = bloom_ribbon_start(digest, ribbon->shards, level, ribbon->level[level]);
		is_bumped = bloom_ribbon_is_bumped(bytes, start);
	}
	*is_lost = is_bumped;
	return start;
}

BLOOM_INLINE equation_at find(
	const bloom_ribbon *ribbon, const unsigned char *bytes, bloom_digest digest)
{
	uint64_t coefficients = bloom_ribbon_coefficients(digest);
	uint64_t result = bloom_digest_probes(digest);
	uint32_t start = bloom_ribbon_start(digest, ribbon->shards, 0, ribbon->level[0]);
	uint32_t stripe, shift;
	bool is_lost;

	if (BLOOM_UNLIKELY(bloom_ribbon_is_bumped(bytes, start))) {
		start = find_bumped(ribbon, bytes, digest, &is_lost);
		/* Without coefficients, every column is 0, like this result, so the answer is
		 * "maybe". */
		coefficients = is_lost ? 0 : coefficients;
		result = is_lost ? 0 : result;
	}
	stripe = start / BLOOM_RIBBON_BAND;
	shift = start % BLOOM_RIBBON_BAND;
	return (equation_at){
		.words = bytes + 8 * (size_t)bloom_ribbon_word(ribbon, stripe),
		.columns = ribbon->width + (stripe >= ribbon->narrow),
		.first_mask = coefficients << shift,
		/* Two shifts, because a shift by 64 is undefined in C. */
		.second_mask = coefficients >> 1 >> (63 - shift),
		.result = result,
	};
}

/* Computes one bit of the XOR over a key's slots: the parity of the masked words of both
 * stripes. */
BLOOM_INLINE uint64_t column_bit(const equation_at *at, uint32_t column)
{
	const unsigned char *word = at->words + 8 * (size_t)column;

	return bloom_parity((bloom_get64(word) & at->first_mask) ^
		(bloom_get64(word + 8 * (size_t)at->columns) & at->second_mask));
}

/* Compares all columns of a key with its result. This function is inlined into two others, so the
 * compiler builds it once with POPCNT and once without.
 *
 * The loop runs `width` times for every key of a filter, so its branch is predictable. A key in a
 * wide stripe has one more column, which is tested before the loop. For a key in a narrow stripe,
 * column 0 is tested there and again in the loop. */
BLOOM_INLINE bool test_at(uint32_t width, const equation_at *at)
{
	uint32_t last = at->columns == width ? 0 : width;
	uint64_t low = at->result;
	uint64_t differ = column_bit(at, last) ^ low >> last;
	uint32_t column;

	for (column = 0; column < width; column++) {
		differ |= column_bit(at, column) ^ low >> column;
	}
	return (differ & 1) == 0;
}

BLOOM_INLINE bool test_plain(
	const bloom_ribbon *ribbon, const unsigned char *bytes, bloom_digest digest)
{
	equation_at at = find(ribbon, bytes, digest);

	return test_at(ribbon->width, &at);
}

BLOOM_TARGET_POPCOUNT static bool test_popcount(
	const bloom_ribbon *ribbon, const unsigned char *bytes, bloom_digest digest)
{
	return test_plain(ribbon, bytes, digest);
}

#ifdef BLOOM_AVX2

/* Computes four columns at once, starting with column `first`. Bit 0 of each lane is 1 if the
 * column differs from the result. Lanes beyond the key's columns are masked: they read no memory
 * and yield 0. */
BLOOM_TARGET_AVX2 BLOOM_INLINE __m256i four_columns(const equation_at *at, uint32_t first)
{
	const __m256i odd = _mm256_setr_epi8(0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1,
		1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0);
	const long long *words = (const long long *)(const void *)(at->words + 8 * (size_t)first);
	__m256i column = _mm256_setr_epi64x(first, first + 1, first + 2, first + 3);
	__m256i used = _mm256_cmpgt_epi64(_mm256_set1_epi64x(at->columns), column);
	__m256i bits = _mm256_xor_si256(_mm256_and_si256(_mm256_maskload_epi64(words, used),
						_mm256_set1_epi64x((long long)at->first_mask)),
		_mm256_and_si256(_mm256_maskload_epi64(words + at->columns, used),
			_mm256_set1_epi64x((long long)at->second_mask)));
	__m256i result = _mm256_srlv_epi64(_mm256_set1_epi64x((long long)at->result), column);

	bits = _mm256_xor_si256(bits, _mm256_and_si256(result, _mm256_srli_epi64(used, 63)));
	/* Parity of a word: XOR the nibbles of each byte, look up the parity of each nibble, and
	 * add the bytes. `odd` is the lookup table. */
	bits = _mm256_xor_si256(bits, _mm256_srli_epi64(bits, 4));
	bits = _mm256_shuffle_epi8(odd, _mm256_and_si256(bits, _mm256_set1_epi8(15)));
	return _mm256_sad_epu8(bits, _mm256_setzero_si256());
}

BLOOM_TARGET_AVX2 BLOOM_INLINE bool test_at_avx2(uint32_t width, const equation_at *at)
{
	__m256i differ = _mm256_or_si256(four_columns(at, 0), four_columns(at, 4));
	uint32_t first;

	/* Eight columns are enough for every rate above 2^−8. */
	for (first = 8; BLOOM_UNLIKELY(first <= width); first += 4) {
		differ = _mm256_or_si256(differ, four_columns(at, first));
	}
	return _mm256_testz_si256(differ, _mm256_set1_epi64x(1));
}

BLOOM_TARGET_AVX2 static bool test_avx2(
	const bloom_ribbon *ribbon, const unsigned char *bytes, bloom_digest digest)
{
	equation_at at = find(ribbon, bytes, digest);

	return test_at_avx2(ribbon->width, &at);
}

#endif

bool bloom_ribbon_test_shard(
	const bloom_ribbon *ribbon, const unsigned char *bytes, bloom_digest digest)
{
#ifdef BLOOM_AVX2
	if (bloom_cpu_has_avx2()) {
		return test_avx2(ribbon, bytes, digest);
	}
#endif
	return bloom_cpu_has_popcount() ? test_popcount(ribbon, bytes, digest)
					: test_plain(ribbon, bytes, digest);
}

bool bloom_ribbon_test_plain(
	const bloom_ribbon *ribbon, const unsigned char *bytes, bloom_digest digest)
{
	return test_plain(ribbon, bytes, digest);
}

/* ---- looking up many ---- */

/* Locates the equations of all keys and prefetches their words. At the common widths, the words of
 * a key span at most three cache lines: the line of the first byte, the next line, and the line of
 * the last byte. */
BLOOM_INLINE void find_many(
	const bloom_ribbon *ribbon, const bloom_digest *digests, uint32_t count, equation_at *at)
{
	const unsigned char *last;
	uint64_t shard;
	uint32_t i;

	for (i = 0; i < count; i++) {
		shard = bloom_fast_range(digests[i], ribbon->shards);
		at[i] = find(ribbon, ribbon->bits + shard * ribbon->shard_bytes, digests[i]);
		last = at[i].words + 16 * (size_t)at[i].columns - 1;
		bloom_prefetch(at[i].words);
		bloom_prefetch(at[i].words + 64 < last ? at[i].words + 64 : last);
		bloom_prefetch(last);
	}
}

BLOOM_INLINE uint64_t many_plain(
	const bloom_ribbon *ribbon, const bloom_digest *digests, uint32_t count)
{
	equation_at at[BLOOM_BATCH_MAX];
	uint64_t found = 0;
	uint32_t i;

	find_many(ribbon, digests, count, at);
	for (i = 0; i < count; i++) {
		found |= (uint64_t)test_at(ribbon->width, &at[i]) << i;
	}
	return found;
}

BLOOM_TARGET_POPCOUNT static uint64_t many_popcount(
	const bloom_ribbon *ribbon, const bloom_digest *digests, uint32_t count)
{
	return many_plain(ribbon, digests, count);
}

#ifdef BLOOM_AVX2

BLOOM_TARGET_AVX2 static uint64_t many_avx2(
	const bloom_ribbon *ribbon, const bloom_digest *digests, uint32_t count)
{
	equation_at at[BLOOM_BATCH_MAX];
	uint64_t found = 0;
	uint32_t i;

	find_many(ribbon, digests, count, at);
	for (i = 0; i < count; i++) {
		found |= (uint64_t)test_at_avx2(ribbon->width, &at[i]) << i;
	}
	return found;
}

#endif

uint64_t bloom_ribbon_test_many(
	const bloom_ribbon *ribbon, const bloom_digest *digests, uint32_t count)
{
#ifdef BLOOM_AVX2
	if (bloom_cpu_has_avx2()) {
		return many_avx2(ribbon, digests, count);
	}
#endif
	return bloom_cpu_has_popcount() ? many_popcount(ribbon, digests, count)
					: many_plain(ribbon, digests, count);
}

/* ---- sorting ---- */

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

/* ---- solving ---- */

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
