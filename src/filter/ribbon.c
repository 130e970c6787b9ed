#include "filter/ribbon.h"

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
} equation_at;

BLOOM_INLINE equation_at find_with(const bloom_ribbon *ribbon, uint32_t attempt,
	const unsigned char *bytes, bloom_digest digest)
{
	uint64_t coefficients = bloom_ribbon_coefficients(digest, attempt);
	uint32_t start = bloom_ribbon_start(digest, ribbon->shards, attempt, ribbon->starts);
	uint32_t stripe = start / BLOOM_RIBBON_BAND, shift = start % BLOOM_RIBBON_BAND;

	return (equation_at){
		.words = bytes +
			8 * (size_t)bloom_ribbon_word(ribbon->width, ribbon->narrow, stripe),
		.columns = ribbon->width + (stripe >= ribbon->narrow),
		.first_mask = coefficients << shift,
		/* Two shifts, because a shift by 64 is undefined in C. */
		.second_mask = coefficients >> 1 >> (63 - shift),
	};
}

/* Attempt 0 solves nearly every shard, so this branch is predictable. The processor then waits
 * neither for the shard's row nor for the multiplications by the attempt. */
BLOOM_INLINE equation_at find(const bloom_ribbon *ribbon, uint32_t attempt,
	const unsigned char *bytes, bloom_digest digest)
{
	return BLOOM_LIKELY(attempt == 0) ? find_with(ribbon, 0, bytes, digest)
					  : find_with(ribbon, attempt, bytes, digest);
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
BLOOM_INLINE bool test_at(uint32_t width, const equation_at *at, uint64_t low)
{
	uint32_t last = at->columns == width ? 0 : width;
	uint64_t differ = column_bit(at, last) ^ low >> last;
	uint32_t column;

	for (column = 0; column < width; column++) {
		differ |= column_bit(at, column) ^ low >> column;
	}
	return (differ & 1) == 0;
}

BLOOM_INLINE bool test_plain(const bloom_ribbon *ribbon, uint32_t attempt,
	const unsigned char *bytes, bloom_digest digest)
{
	equation_at at = find(ribbon, attempt, bytes, digest);

	return test_at(ribbon->width, &at, bloom_digest_probes(digest));
}

BLOOM_TARGET_POPCOUNT static bool test_popcount(const bloom_ribbon *ribbon, uint32_t attempt,
	const unsigned char *bytes, bloom_digest digest)
{
	return test_plain(ribbon, attempt, bytes, digest);
}

#ifdef BLOOM_AVX2

/* Computes four columns at once, starting with column `first`. Bit 0 of each lane is 1 if the
 * column differs from the result. Lanes beyond the key's columns are masked: they read no memory
 * and yield 0. */
BLOOM_TARGET_AVX2 BLOOM_INLINE __m256i four_columns(
	const equation_at *at, uint64_t low, uint32_t first)
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
	__m256i result = _mm256_srlv_epi64(_mm256_set1_epi64x((long long)low), column);

	bits = _mm256_xor_si256(bits, _mm256_and_si256(result, _mm256_srli_epi64(used, 63)));
	/* Parity of a word: XOR the nibbles of each byte, look up the parity of each nibble, and
	 * add the bytes. `odd` is the lookup table. */
	bits = _mm256_xor_si256(bits, _mm256_srli_epi64(bits, 4));
	bits = _mm256_shuffle_epi8(odd, _mm256_and_si256(bits, _mm256_set1_epi8(15)));
	return _mm256_sad_epu8(bits, _mm256_setzero_si256());
}

BLOOM_TARGET_AVX2 BLOOM_INLINE bool test_at_avx2(
	uint32_t width, const equation_at *at, uint64_t low)
{
	__m256i differ = _mm256_or_si256(four_columns(at, low, 0), four_columns(at, low, 4));
	uint32_t first;

	/* Eight columns are enough for every rate above 2^−8. */
	for (first = 8; BLOOM_UNLIKELY(first <= width); first += 4) {
		differ = _mm256_or_si256(differ, four_columns(at, low, first));
	}
	return _mm256_testz_si256(differ, _mm256_set1_epi64x(1));
}

BLOOM_TARGET_AVX2 static bool test_avx2(const bloom_ribbon *ribbon, uint32_t attempt,
	const unsigned char *bytes, bloom_digest digest)
{
	equation_at at = find(ribbon, attempt, bytes, digest);

	return test_at_avx2(ribbon->width, &at, bloom_digest_probes(digest));
}

#endif

bool bloom_ribbon_test_shard(
	const bloom_ribbon *ribbon, uint64_t shard, const unsigned char *bytes, bloom_digest digest)
{
	uint32_t attempt = bloom_ribbon_row_attempt(ribbon, shard);

#ifdef BLOOM_AVX2
	if (bloom_cpu_has_avx2()) {
		return test_avx2(ribbon, attempt, bytes, digest);
	}
#endif
	return bloom_cpu_has_popcount() ? test_popcount(ribbon, attempt, bytes, digest)
					: test_plain(ribbon, attempt, bytes, digest);
}

bool bloom_ribbon_test_plain(
	const bloom_ribbon *ribbon, uint64_t shard, const unsigned char *bytes, bloom_digest digest)
{
	return test_plain(ribbon, bloom_ribbon_row_attempt(ribbon, shard), bytes, digest);
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
		at[i] = find(ribbon, bloom_ribbon_row_attempt(ribbon, shard),
			ribbon->bits + shard * ribbon->shard_bytes, digests[i]);
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
		found |= (uint64_t)test_at(ribbon->width, &at[i], bloom_digest_probes(digests[i]))
			<< i;
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
		found |= (uint64_t)test_at_avx2(
				 ribbon->width, &at[i], bloom_digest_probes(digests[i]))
			<< i;
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

/* Adds one equation by Gaussian elimination. While another equation has its pivot at the first slot
 * of the added equation, the function subtracts that equation, and the difference starts at a later
 * slot. The pivot of the remaining equation is its first slot.
 *
 * Returns false if the equations contradict each other: all coefficients cancel, but the result is
 * not 0. */
static bool eliminate(bloom_equation *equations, uint32_t slot, bloom_equation added)
{
	uint32_t zeros;

	while (equations[slot].coefficients != 0) {
		added.coefficients ^= equations[slot].coefficients;
		added.result ^= equations[slot].result;
		if (added.coefficients == 0) {
			return added.result == 0;
		}
		zeros = bloom_trailing_zeros(added.coefficients);
		added.coefficients >>= zeros;
		slot += zeros;
	}
	equations[slot] = added;
	return true;
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

/* Back substitution from the last stripe to the first. No equation reaches beyond the last slot, so
 * the state is initially 0.
 *
 * A slot depends only on later slots. Only wide stripes have the last column, and wide stripes come
 * last. So the last column is complete for every key that starts in a wide stripe. */
BLOOM_INLINE void back_substitute(
	const bloom_geometry *geometry, const bloom_equation *equations, unsigned char *bytes)
{
	uint64_t state[BLOOM_RIBBON_WIDTH_MAX + 1] = {0};
	uint32_t narrow = bloom_ribbon_narrow(geometry), stripe, columns, column;
	unsigned char *at;

	for (stripe = geometry->stripes; stripe-- > 0;) {
		columns = geometry->probes + (stripe >= narrow);
		substitute(equations + (size_t)stripe * BLOOM_RIBBON_BAND, columns, state);
		at = bytes + 8 * (size_t)bloom_ribbon_word(geometry->probes, narrow, stripe);
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

bool bloom_ribbon_solve(const bloom_geometry *geometry, uint32_t attempt,
	const bloom_digest *digests, size_t count, bloom_equation *equations, unsigned char *bytes)
{
	uint32_t starts = bloom_ribbon_starts(geometry);
	uint64_t results = (UINT64_C(1) << (geometry->probes + 1)) - 1;
	size_t i;

	memset(equations, 0, bloom_ribbon_slots(geometry) * sizeof *equations);
	for (i = 0; i < count; i++) {
		bloom_equation added = {bloom_ribbon_coefficients(digests[i], attempt),
			bloom_digest_probes(digests[i]) & results};

		if (!eliminate(equations,
			    bloom_ribbon_start(digests[i], geometry->shards, attempt, starts),
			    added)) {
			return false;
		}
	}
	if (bloom_cpu_has_popcount()) {
		back_substitute_fast(geometry, equations, bytes);
	} else {
		back_substitute(geometry, equations, bytes);
	}
	return true;
}
