#include "filter/ribbon.h"

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
