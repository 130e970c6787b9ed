/* Tests all probes of one key at once. It serves the common geometry: blocks of 64 bytes and up to
 * 7 probes, which are the fields of word 0 (digest.h). Such a block is one cache line, so a filter
 * with this geometry is called a line filter.
 *
 *     word 0 ──► 7 fields of 9 bits ──► 7 bits of the line, selected and compared at once
 *
 * BLOOM_LINE is defined where vector code exists. On x86-64 this code needs AVX2. A caller
 * therefore calls bloom_line_is_supported() first, and a function that inlines the test has the
 * attribute BLOOM_TARGET_LINE. Without BLOOM_LINE, bloom_view_test() is the only test.
 *
 * Concurrency: as bloom_view_test(). A vector instruction may load many bytes at once, but it loads
 * each single byte atomically. */
#ifndef BLOOM_PROBE_LINE_H
#define BLOOM_PROBE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/compiler.h"
#include "filter/digest.h"
#include "filter/view.h"

#if defined(BLOOM_AVX2)
#define BLOOM_LINE 1
#define BLOOM_TARGET_LINE BLOOM_TARGET_AVX2
#include <immintrin.h>
#elif defined(BLOOM_NEON)
#define BLOOM_LINE 1
#define BLOOM_TARGET_LINE
#include <arm_neon.h>
#endif

#ifdef BLOOM_LINE

static inline bool bloom_line_is_supported(void)
{
#ifdef BLOOM_AVX2
	return bloom_cpu_has_avx2();
#else
	return true;
#endif
}

#ifdef BLOOM_AVX2

/* Row n contains 1 in the lanes whose fields n probes use, in the lane order of
 * bloom_line_fields(). */
static const uint32_t bloom_line_fields_used[8][8] = {
	{0},
	{1},
	{1, 1},
	{1, 1, 0, 0, 1},
	{1, 1, 0, 0, 1, 1},
	{1, 1, 1, 0, 1, 1},
	{1, 1, 1, 1, 1, 1},
	{1, 1, 1, 1, 1, 1, 1},
};

BLOOM_TARGET_LINE static inline __m256i bloom_line_load(const void *bytes)
{
	return _mm256_loadu_si256((const __m256i *)bytes);
}

/* Extracts the fields of a word into eight 32-bit lanes, in the order 0 1 4 5 2 3 6 7. The lowest
 * nine bits of a lane are its field; the bits above them are not used. Lane 7 holds the one
 * remaining bit. */
BLOOM_TARGET_LINE static inline __m256i bloom_line_fields(uint64_t word)
{
	__m256i all = _mm256_set1_epi64x((long long)word);
	__m256i first = _mm256_srlv_epi64(all, _mm256_setr_epi64x(0, 9, 18, 27));
	__m256i last = _mm256_srlv_epi64(all, _mm256_setr_epi64x(36, 45, 54, 63));

	return _mm256_castps_si256(
		_mm256_shuffle_ps(_mm256_castsi256_ps(first), _mm256_castsi256_ps(last), 0x88));
}

/* Gathers, for each field, the 32-bit word of the block that the field selects. Bit 8 of a field
 * selects a half of the block, and bits 5 to 7 select a word in this half. */
BLOOM_TARGET_LINE static inline __m256i bloom_line_words(const unsigned char *block, __m256i fields)
{
	/* The permutation uses only the low 3 bits of an index, and the blend only the sign bit. */
	__m256i index = _mm256_srli_epi32(fields, 5);
	__m256i low = _mm256_permutevar8x32_epi32(bloom_line_load(block), index);
	__m256i high = _mm256_permutevar8x32_epi32(bloom_line_load(block + 32), index);

	return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(low),
		_mm256_castsi256_ps(high), _mm256_castsi256_ps(_mm256_slli_epi32(fields, 23))));
}

/* Returns the result of bloom_view_test() for a line filter. Two permutations in registers replace
 * a gather instruction. */
BLOOM_TARGET_LINE static inline bool bloom_line_test(const bloom_view *view, bloom_digest digest)
{
	__m256i fields = bloom_line_fields(bloom_digest_probes(digest));
	__m256i used = bloom_line_load(bloom_line_fields_used[view->probes]);
	/* The low 5 bits of a field select the bit that its lane tests. */
	__m256i wanted = _mm256_sllv_epi32(used, _mm256_and_si256(fields, _mm256_set1_epi32(31)));

	return _mm256_testc_si256(
		       bloom_line_words(bloom_view_block(view, digest), fields), wanted) != 0;
}

#else

/* Shifts fields `first` and `first` + 1 to the lowest bits of two lanes. Later fields remain
 * above. */
#define BLOOM_LINE_SHIFT(word, first) vshlq_u64(word, (int64x2_t){-9 * (first), -9 * (first)-9})

/* Extracts the fields of a word into eight 16-bit lanes. The lowest nine bits of a lane are its
 * field; the bits above them are not used. Lane 7 holds the one remaining bit. */
static inline uint16x8_t bloom_line_fields(uint64_t bits)
{
	uint64x2_t word = vdupq_n_u64(bits);
	uint32x4_t low = vuzp1q_u32(vreinterpretq_u32_u64(BLOOM_LINE_SHIFT(word, 0)),
		vreinterpretq_u32_u64(BLOOM_LINE_SHIFT(word, 2)));
	uint32x4_t high = vuzp1q_u32(vreinterpretq_u32_u64(BLOOM_LINE_SHIFT(word, 4)),
		vreinterpretq_u32_u64(BLOOM_LINE_SHIFT(word, 6)));

	return vuzp1q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high));
}

#undef BLOOM_LINE_SHIFT

/* Returns the result of bloom_view_test() for a line filter. A block fits in four registers, which
 * are the largest table that the TBL instruction accepts. */
static inline bool bloom_line_test(const bloom_view *view, bloom_digest digest)
{
	const unsigned char *block = bloom_view_block(view, digest);
	uint8x16x4_t table = {{vld1q_u8(block), vld1q_u8(block + 16), vld1q_u8(block + 32),
		vld1q_u8(block + 48)}};
	uint16x8_t fields = bloom_line_fields(bloom_digest_probes(digest));
	uint8x8_t used = vcreate_u8((UINT64_C(1) << 8 * view->probes) - 1);
	uint8x8_t bytes = vqtbl4_u8(table, vand_u8(vshrn_n_u16(fields, 3), vdup_n_u8(63)));
	uint8x8_t masks =
		vshl_u8(vdup_n_u8(1), vreinterpret_s8_u8(vand_u8(vmovn_u16(fields), vdup_n_u8(7))));

	/* Mark the used lanes whose bit is clear. */
	bytes = vand_u8(vceqz_u8(vand_u8(bytes, masks)), used);
	return vget_lane_u64(vreinterpret_u64_u8(bytes), 0) == 0;
}

#endif
#endif

#endif
