#include "filter/probe.h"

/* BLOOM_PORTABLE disables the vector code, for tests and for compilers without these intrinsics. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(BLOOM_PORTABLE)
#define BLOOM_AVX2 1
#include <immintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON) && defined(__GNUC__) && !defined(BLOOM_PORTABLE)
#define BLOOM_NEON 1 /* part of every AArch64 processor */
#include <arm_neon.h>
#endif

uint64_t bloom_view_test_each(const bloom_view *view, const bloom_digest *digests, uint32_t count)
{
	uint64_t found = 0;
	uint32_t i;

	for (i = 0; i < count; i++) {
		found |= (uint64_t)bloom_view_test(view, digests[i]) << i;
	}
	return found;
}

bool bloom_view_set_any(const bloom_view *view, unsigned char *block, bloom_digest digest)
{
	bloom_probe_walk walk = bloom_probe_walk_of(view, digest);
	unsigned all = 1;
	uint32_t i, bit;

	for (i = 0; i < view->probes; i++) {
		bit = bloom_probe_next(&walk, view);
		all &= bloom_own_bit_set(block + (bit >> 3), bit & 7);
	}
	return (all & 1) == 0;
}

#ifdef BLOOM_AVX2

/* Row n contains 1 in the lanes whose fields n probes use, in the lane order of word_fields(). */
static const uint32_t fields_used[8][8] = {
	{0},
	{1},
	{1, 1},
	{1, 1, 0, 0, 1},
	{1, 1, 0, 0, 1, 1},
	{1, 1, 1, 0, 1, 1},
	{1, 1, 1, 1, 1, 1},
	{1, 1, 1, 1, 1, 1, 1},
};

__attribute__((target("avx2"))) static inline __m256i load(const void *bytes)
{
	return _mm256_loadu_si256((const __m256i *)bytes);
}

/* Extracts the fields of a word into eight 32-bit lanes, in the order 0 1 4 5 2 3 6 7. The lowest
 * nine bits of a lane are its field; the bits above them are not used. Lane 7 holds the one
 * remaining bit. */
__attribute__((target("avx2"))) static inline __m256i word_fields(uint64_t word)
{
	__m256i all = _mm256_set1_epi64x((long long)word);
	__m256i first = _mm256_srlv_epi64(all, _mm256_setr_epi64x(0, 9, 18, 27));
	__m256i last = _mm256_srlv_epi64(all, _mm256_setr_epi64x(36, 45, 54, 63));

	return _mm256_castps_si256(
		_mm256_shuffle_ps(_mm256_castsi256_ps(first), _mm256_castsi256_ps(last), 0x88));
}

/* Gathers, for each field, the 32-bit word of the block that the field selects. Bit 8 of a field
 * selects a half of the block, and bits 5 to 7 select a word in this half. */
__attribute__((target("avx2"))) static inline __m256i block_words(
	const unsigned char *block, __m256i fields)
{
	/* The permutation uses only the low 3 bits of an index, and the blend only the sign bit. */
	__m256i index = _mm256_srli_epi32(fields, 5);
	__m256i low = _mm256_permutevar8x32_epi32(load(block), index);
	__m256i high = _mm256_permutevar8x32_epi32(load(block + 32), index);

	return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(low),
		_mm256_castsi256_ps(high), _mm256_castsi256_ps(_mm256_slli_epi32(fields, 23))));
}

/* Tests all probes of a key at once, for 64-byte blocks with up to 7 probes. Two permutations in
 * registers replace a gather instruction. */
__attribute__((target("avx2"))) static uint64_t test_many_avx2(
	const bloom_view *view, const bloom_digest *digests, uint32_t count)
{
	__m256i used = load(fields_used[view->probes]);
	__m256i fields, wanted;
	uint64_t found = 0;
	uint32_t i;

	for (i = 0; i < count; i++) {
		fields = word_fields(bloom_digest_probes(digests[i]));
		/* The low 5 bits of a field select the bit that its lane tests. */
		wanted = _mm256_sllv_epi32(used, _mm256_and_si256(fields, _mm256_set1_epi32(31)));
		found |= (uint64_t)_mm256_testc_si256(
				 block_words(bloom_view_block(view, digests[i]), fields), wanted)
			<< i;
	}
	return found;
}

#endif

#ifdef BLOOM_NEON

/* Shifts fields `first` and `first` + 1 to the lowest bits of two lanes. Later fields remain
 * above. */
#define FIELDS(word, first) vshlq_u64(word, (int64x2_t){-9 * (first), -9 * (first)-9})

/* Extracts the fields of a word into eight 16-bit lanes. The lowest nine bits of a lane are its
 * field; the bits above them are not used. Lane 7 holds the one remaining bit. */
static inline uint16x8_t word_fields(uint64_t bits)
{
	uint64x2_t word = vdupq_n_u64(bits);
	uint32x4_t low = vuzp1q_u32(
		vreinterpretq_u32_u64(FIELDS(word, 0)), vreinterpretq_u32_u64(FIELDS(word, 2)));
	uint32x4_t high = vuzp1q_u32(
		vreinterpretq_u32_u64(FIELDS(word, 4)), vreinterpretq_u32_u64(FIELDS(word, 6)));

	return vuzp1q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high));
}

/* Tests all probes of a key at once, for 64-byte blocks with up to 7 probes. A block fits in four
 * registers, which is the largest table that the TBL instruction looks up. */
static uint64_t test_many_neon(const bloom_view *view, const bloom_digest *digests, uint32_t count)
{
	uint8x8_t used = vcreate_u8((UINT64_C(1) << 8 * view->probes) - 1);
	const unsigned char *block;
	uint8x8_t bytes, masks;
	uint16x8_t fields;
	uint8x16x4_t table;
	uint64_t found = 0;
	uint32_t i;

	for (i = 0; i < count; i++) {
		block = bloom_view_block(view, digests[i]);
		table.val[0] = vld1q_u8(block);
		table.val[1] = vld1q_u8(block + 16);
		table.val[2] = vld1q_u8(block + 32);
		table.val[3] = vld1q_u8(block + 48);
		fields = word_fields(bloom_digest_probes(digests[i]));
		bytes = vqtbl4_u8(table, vand_u8(vshrn_n_u16(fields, 3), vdup_n_u8(63)));
		masks = vshl_u8(
			vdup_n_u8(1), vreinterpret_s8_u8(vand_u8(vmovn_u16(fields), vdup_n_u8(7))));
		/* Mark the used lanes whose bit is clear. */
		bytes = vand_u8(vceqz_u8(vand_u8(bytes, masks)), used);
		found |= (uint64_t)(vget_lane_u64(vreinterpret_u64_u8(bytes), 0) == 0) << i;
	}
	return found;
}

#endif

uint64_t bloom_view_test_many(const bloom_view *view, const bloom_digest *digests, uint32_t count)
{
#ifdef BLOOM_NEON
	if (view->lane_mask == 511 && view->probes <= 7) {
		return test_many_neon(view, digests, count);
	}
#endif
#ifdef BLOOM_AVX2
	/* The vector code handles 512-bit lanes whose probes all come from word 0. */
	if (view->lane_mask == 511 && view->probes <= 7 && __builtin_cpu_supports("avx2")) {
		return test_many_avx2(view, digests, count);
	}
#endif
	return bloom_view_test_each(view, digests, count);
}
