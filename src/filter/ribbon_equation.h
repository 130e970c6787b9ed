/* The equation of a key: reading and testing its columns. Ribbon filters and maps share it.
 *
 *     words ─► │ column 0 │ column 1 │ … │ column stride−1 │ column 0 │ … │
 *              └──────────── stripe of the start ──────────┴─ the next ─┘
 *
 * The functions are inlined, so that the compiler builds them for several processors. */
#ifndef BLOOM_RIBBON_EQUATION_H
#define BLOOM_RIBBON_EQUATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/bytes.h"
#include "filter/compiler.h"
#include "filter/ribbon_layout.h"

#ifdef BLOOM_AVX2
#include <immintrin.h>
#endif

/* The location and the coefficients of a key's slots. */
typedef struct bloom_equation_at {
	const unsigned char *words; /* the first column, in the stripe where the equation starts */
	uint32_t columns;
	uint32_t stride; /* words from a column to the same column of the next stripe */
	/* Coefficients of the slots in this stripe and in the next stripe. */
	uint64_t first_mask;
	uint64_t second_mask;
	uint64_t result;
} bloom_equation_at;

/* Locates the equation that starts in this slot. A result is that of the check columns. */
BLOOM_INLINE bloom_equation_at bloom_equation_find(const bloom_ribbon *ribbon,
	const unsigned char *bytes, uint32_t start, uint64_t coefficients, uint64_t result)
{
	uint32_t stripe = start / BLOOM_RIBBON_BAND, shift = start % BLOOM_RIBBON_BAND;
	uint32_t columns = ribbon->width + (stripe >= ribbon->narrow);

	return (bloom_equation_at){
		.words = bytes + 8 * (size_t)bloom_ribbon_word(ribbon, stripe),
		.columns = columns,
		.stride = columns,
		.first_mask = coefficients << shift,
		/* Two shifts, because a shift by 64 is undefined in C. */
		.second_mask = coefficients >> 1 >> (63 - shift),
		.result = result,
	};
}

/* Computes one bit of the XOR over a key's slots: the parity of the masked words of both
 * stripes. */
BLOOM_INLINE uint64_t bloom_equation_bit(const bloom_equation_at *at, uint32_t column)
{
	const unsigned char *word = at->words + 8 * (size_t)column;

	return bloom_parity((bloom_get64(word) & at->first_mask) ^
		(bloom_get64(word + 8 * (size_t)at->stride) & at->second_mask));
}

/* Compares all columns of a key with its result. The loop runs `width` times for every key of a
 * filter, so its branch is predictable. A key in a wide stripe has one more column, which is tested
 * before the loop. For a key in a narrow stripe, column 0 is tested there and again in the loop. */
BLOOM_INLINE bool bloom_equation_holds(uint32_t width, const bloom_equation_at *at)
{
	uint32_t last = at->columns == width ? 0 : width;
	uint64_t low = at->result;
	uint64_t differ = bloom_equation_bit(at, last) ^ low >> last;
	uint32_t column;

	for (column = 0; column < width; column++) {
		differ |= bloom_equation_bit(at, column) ^ low >> column;
	}
	return (differ & 1) == 0;
}

#ifdef BLOOM_AVX2

/* Computes four columns at once, starting with column `first`. Bit 0 of each lane is 1 if the
 * column differs from the result. Lanes beyond the key's columns are masked: they read no memory
 * and yield 0. */
BLOOM_TARGET_AVX2 BLOOM_INLINE __m256i bloom_equation_differences(
	const bloom_equation_at *at, uint32_t first)
{
	const __m256i odd = _mm256_setr_epi8(0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1,
		1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0);
	const long long *words = (const long long *)(const void *)(at->words + 8 * (size_t)first);
	__m256i column = _mm256_setr_epi64x(first, first + 1, first + 2, first + 3);
	__m256i used = _mm256_cmpgt_epi64(_mm256_set1_epi64x(at->columns), column);
	__m256i bits = _mm256_xor_si256(_mm256_and_si256(_mm256_maskload_epi64(words, used),
						_mm256_set1_epi64x((long long)at->first_mask)),
		_mm256_and_si256(_mm256_maskload_epi64(words + at->stride, used),
			_mm256_set1_epi64x((long long)at->second_mask)));
	__m256i result = _mm256_srlv_epi64(_mm256_set1_epi64x((long long)at->result), column);

	bits = _mm256_xor_si256(bits, _mm256_and_si256(result, _mm256_srli_epi64(used, 63)));
	/* Parity of a word: XOR the nibbles of each byte, look up the parity of each nibble, and
	 * add the bytes. `odd` is the lookup table. */
	bits = _mm256_xor_si256(bits, _mm256_srli_epi64(bits, 4));
	bits = _mm256_shuffle_epi8(odd, _mm256_and_si256(bits, _mm256_set1_epi8(15)));
	return _mm256_sad_epu8(bits, _mm256_setzero_si256());
}

BLOOM_TARGET_AVX2 BLOOM_INLINE bool bloom_equation_holds_avx2(
	uint32_t width, const bloom_equation_at *at)
{
	__m256i differ = _mm256_or_si256(
		bloom_equation_differences(at, 0), bloom_equation_differences(at, 4));
	uint32_t first;

	/* Eight columns are enough for every rate above 2^−8. */
	for (first = 8; BLOOM_UNLIKELY(first <= width); first += 4) {
		differ = _mm256_or_si256(differ, bloom_equation_differences(at, first));
	}
	return _mm256_testz_si256(differ, _mm256_set1_epi64x(1));
}

#endif

#endif
