#include "filter/value_map.h"

#include "filter/compiler.h"
#include "filter/probe.h"
#include "filter/ribbon_equation.h"

/* Finds the shard and the start of a key that the first level of its home shard bumps. The last
 * level of the last shard is not asked. */
BLOOM_NOINLINE static uint32_t find_bumped(
	const bloom_value_map *map, bloom_digest digest, const unsigned char **bytes)
{
	const bloom_ribbon *ribbon = &map->ribbon;
	uint32_t first = 0, level, start;

	for (level = 1;; level++) {
		if (level == BLOOM_RIBBON_LEVELS) {
			*bytes = map->spill;
			first = BLOOM_RIBBON_LEVELS;
			level = 0;
		}
		start = bloom_ribbon_start(
			digest, ribbon->shards, first + level, ribbon->level[level]);
		if ((level == BLOOM_RIBBON_LEVELS - 1 && *bytes == map->spill) ||
			!bloom_ribbon_is_bumped(*bytes, start)) {
			return start;
		}
	}
}

/* Locates the value columns of a key's equation. */
BLOOM_INLINE bloom_equation_at find(const bloom_value_map *map, bloom_digest digest)
{
	const bloom_ribbon *ribbon = &map->ribbon;
	const unsigned char *bytes =
		ribbon->bits + bloom_fast_range(digest, ribbon->shards) * ribbon->shard_bytes;
	uint32_t start = bloom_ribbon_start(digest, ribbon->shards, 0, ribbon->level[0]);

	if (BLOOM_UNLIKELY(bloom_ribbon_is_bumped(bytes, start))) {
		start = find_bumped(map, digest, &bytes);
	}
	return bloom_equation_find(ribbon, bytes, start, bloom_ribbon_coefficients(digest),
		bloom_digest_probes(digest));
}

/* Returns the check columns of an equation, which follow the value columns. */
BLOOM_INLINE bloom_equation_at checks_of(const bloom_value_map *map, const bloom_equation_at *at)
{
	bloom_equation_at checks = *at;

	checks.words += 8 * (size_t)map->value_bits;
	checks.columns -= map->value_bits;
	return checks;
}

/* ---- portable ---- */

BLOOM_INLINE bool holds_plain(const bloom_value_map *map, const bloom_equation_at *at)
{
	bloom_equation_at checks = checks_of(map, at);

	return checks.columns == 0 ||
		bloom_equation_holds(map->ribbon.width - map->value_bits, &checks);
}

BLOOM_INLINE uint64_t value_plain(const bloom_value_map *map, const bloom_equation_at *at)
{
	uint64_t value = 0;
	uint32_t column;

	for (column = 0; column < map->value_bits; column++) {
		value |= bloom_equation_bit(at, column) << column;
	}
	return value;
}

/* ---- AVX2 ---- */

#ifdef BLOOM_AVX2

BLOOM_TARGET_AVX2 BLOOM_INLINE bool holds_avx2(
	const bloom_value_map *map, const bloom_equation_at *at)
{
	bloom_equation_at checks = checks_of(map, at);

	return bloom_equation_holds_avx2(map->ribbon.width - map->value_bits, &checks);
}

/* XORs the masked words of four columns. */
BLOOM_TARGET_AVX2 BLOOM_INLINE __m256i four_columns(const bloom_equation_at *at, uint32_t first)
{
	const unsigned char *words = at->words + 8 * (size_t)first;
	__m256i one = _mm256_loadu_si256((const __m256i *)(const void *)words);
	__m256i other =
		_mm256_loadu_si256((const __m256i *)(const void *)(words + 8 * (size_t)at->stride));

	return _mm256_xor_si256(
		_mm256_and_si256(one, _mm256_set1_epi64x((long long)at->first_mask)),
		_mm256_and_si256(other, _mm256_set1_epi64x((long long)at->second_mask)));
}

/* Does the same. Columns from `end` on read no memory and yield 0. */
BLOOM_TARGET_AVX2 BLOOM_INLINE __m256i columns_before(
	const bloom_equation_at *at, uint32_t first, uint32_t end)
{
	const long long *words = (const long long *)(const void *)(at->words + 8 * (size_t)first);
	__m256i used = _mm256_cmpgt_epi64(_mm256_set1_epi64x(end),
		_mm256_setr_epi64x(first, first + 1, first + 2, first + 3));

	return _mm256_xor_si256(_mm256_and_si256(_mm256_maskload_epi64(words, used),
					_mm256_set1_epi64x((long long)at->first_mask)),
		_mm256_and_si256(_mm256_maskload_epi64(words + at->stride, used),
			_mm256_set1_epi64x((long long)at->second_mask)));
}

/* The next three functions pack two vectors into one. The parity of a word is that of its halves'
 * XOR, and so on. */

BLOOM_TARGET_AVX2 BLOOM_INLINE __m256i pack_halves(__m256i one, __m256i other)
{
	return _mm256_blend_epi32(_mm256_xor_si256(one, _mm256_srli_epi64(one, 32)),
		_mm256_xor_si256(other, _mm256_slli_epi64(other, 32)), 0xAA);
}

BLOOM_TARGET_AVX2 BLOOM_INLINE __m256i pack_quarters(__m256i one, __m256i other)
{
	return _mm256_blend_epi16(_mm256_xor_si256(one, _mm256_srli_epi32(one, 16)),
		_mm256_xor_si256(other, _mm256_slli_epi32(other, 16)), 0xAA);
}

BLOOM_TARGET_AVX2 BLOOM_INLINE __m256i pack_bytes(__m256i one, __m256i other)
{
	return _mm256_blendv_epi8(_mm256_xor_si256(one, _mm256_srli_epi16(one, 8)),
		_mm256_xor_si256(other, _mm256_slli_epi16(other, 8)), _mm256_set1_epi16(-256));
}

/* Computes the parity of 32 columns, of which vector i holds columns 4i to 4i + 3:
 *
 *     8 vectors of 4 words ─► 4 of 8 half words ─► 2 of 16 quarters ─► 1 of 32 bytes ─► 32 bits
 *
 * Packing reverses the bits of a vector's number, so the vectors are packed in this order. */
BLOOM_TARGET_AVX2 BLOOM_INLINE uint32_t parities(const __m256i v[8])
{
	const __m256i odd = _mm256_setr_epi8(0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1,
		1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0);
	/* Bytes p and 8 + p of a half hold columns 4p and 4p + 1, or 4p + 2 and 4p + 3. */
	const __m256i pairs = _mm256_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15,
		0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
	__m256i all = pack_bytes(pack_quarters(pack_halves(v[0], v[4]), pack_halves(v[2], v[6])),
		pack_quarters(pack_halves(v[1], v[5]), pack_halves(v[3], v[7])));
	__m128i low, high;

	all = _mm256_xor_si256(all, _mm256_srli_epi16(all, 4));
	all = _mm256_shuffle_epi8(odd, _mm256_and_si256(all, _mm256_set1_epi8(15)));
	all = _mm256_slli_epi16(_mm256_shuffle_epi8(all, pairs), 7);
	low = _mm256_castsi256_si128(all);
	high = _mm256_extracti128_si256(all, 1);
	return (uint32_t)_mm_movemask_epi8(_mm_unpacklo_epi16(low, high)) |
		(uint32_t)_mm_movemask_epi8(_mm_unpackhi_epi16(low, high)) << 16;
}

/* Computes up to 32 columns, bit i for column first + i. Bits from `end` on are undefined, because
 * the last vector may read columns of the check bits: it then needs no mask. */
BLOOM_TARGET_AVX2 BLOOM_INLINE uint32_t up_to_32_columns(
	const bloom_equation_at *at, uint32_t first, uint32_t end)
{
	uint32_t vectors = end - first >= 32 ? 8 : (end - first + 3) / 4;
	__m256i v[8];

	if (BLOOM_UNLIKELY(first + 4 * vectors > at->columns)) {
#define READ(i) v[i] = columns_before(at, first + 4 * (i), end)
		READ(0), READ(1), READ(2), READ(3), READ(4), READ(5), READ(6), READ(7);
#undef READ
		return parities(v);
	}
	v[0] = v[1] = v[2] = v[3] = v[4] = v[5] = v[6] = v[7] = _mm256_setzero_si256();
	switch (vectors) {
#define READ(i)                                           \
	case (i) + 1:                                     \
		v[i] = four_columns(at, first + 4 * (i)); \
		BLOOM_FALLTHROUGH
		READ(7);
		READ(6);
		READ(5);
		READ(4);
		READ(3);
		READ(2);
		READ(1);
		READ(0);
#undef READ
	default:
		break;
	}
	return parities(v);
}

BLOOM_TARGET_AVX2 BLOOM_INLINE uint64_t value_avx2(
	const bloom_value_map *map, const bloom_equation_at *at)
{
	uint64_t value = up_to_32_columns(at, 0, map->value_bits);

	if (map->value_bits > 32) {
		value |= (uint64_t)up_to_32_columns(at, 32, map->value_bits) << 32;
	}
	return value & UINT64_MAX >> (BLOOM_VALUE_BITS_MAX - map->value_bits);
}

#endif

/* ---- looking up ---- */

BLOOM_INLINE bool get_plain(const bloom_value_map *map, bloom_digest digest, uint64_t *value)
{
	bloom_equation_at at = find(map, digest);

	if (!holds_plain(map, &at)) {
		return false;
	}
	*value = value_plain(map, &at);
	return true;
}

BLOOM_TARGET_POPCOUNT static bool get_popcount(
	const bloom_value_map *map, bloom_digest digest, uint64_t *value)
{
	return get_plain(map, digest, value);
}

#ifdef BLOOM_AVX2
BLOOM_TARGET_AVX2 static bool get_avx2(
	const bloom_value_map *map, bloom_digest digest, uint64_t *value)
{
	bloom_equation_at at = find(map, digest);

	if (!holds_avx2(map, &at)) {
		return false;
	}
	*value = value_avx2(map, &at);
	return true;
}
#endif

bool bloom_value_map_get(const bloom_value_map *map, bloom_digest digest, uint64_t *value)
{
#ifdef BLOOM_AVX2
	if (bloom_cpu_has_avx2()) {
		return get_avx2(map, digest, value);
	}
#endif
	return bloom_cpu_has_popcount() ? get_popcount(map, digest, value)
					: get_plain(map, digest, value);
}

bool bloom_value_map_get_plain(const bloom_value_map *map, bloom_digest digest, uint64_t *value)
{
	return get_plain(map, digest, value);
}

/* ---- looking up many ---- */

BLOOM_INLINE void prefetch_words(const unsigned char *words, size_t count)
{
	const unsigned char *last = words + 8 * count - 1, *line;

	for (line = words; line < last; line += 64) {
		bloom_prefetch(line);
	}
	bloom_prefetch(last);
}

/* Locates the equations of all keys and prefetches their check columns. At the common rates, those
 * of a stripe span at most two cache lines. */
BLOOM_INLINE void find_many(const bloom_value_map *map, const bloom_digest *digests, uint32_t count,
	bloom_equation_at *at)
{
	const unsigned char *words, *next;
	uint32_t i, checks;

	for (i = 0; i < count; i++) {
		at[i] = find(map, digests[i]);
		checks = at[i].columns - map->value_bits;
		words = at[i].words + 8 * (size_t)map->value_bits;
		next = words + 8 * (size_t)at[i].stride;
		if (BLOOM_UNLIKELY(checks > 8)) {
			prefetch_words(words, checks);
			prefetch_words(next, checks);
		} else {
			bloom_prefetch(words);
			bloom_prefetch(words + 8 * (size_t)checks - 1);
			bloom_prefetch(next);
			bloom_prefetch(next + 8 * (size_t)checks - 1);
		}
	}
}

/* Prefetches the value columns of the keys that have passed. */
BLOOM_INLINE void prefetch_values(
	const bloom_value_map *map, const bloom_equation_at *at, uint64_t found)
{
	uint32_t i;

	for (; found != 0; found &= found - 1) {
		i = bloom_trailing_zeros(found);
		prefetch_words(at[i].words, map->value_bits);
		prefetch_words(at[i].words + 8 * (size_t)at[i].stride, map->value_bits);
	}
}

BLOOM_INLINE uint64_t get_many_plain(
	const bloom_value_map *map, const bloom_digest *digests, uint32_t count, uint64_t *values)
{
	bloom_equation_at at[BLOOM_BATCH_MAX];
	uint64_t found = 0, left;
	uint32_t i;

	find_many(map, digests, count, at);
	for (i = 0; i < count; i++) {
		found |= (uint64_t)holds_plain(map, &at[i]) << i;
	}
	if (values != NULL) {
		prefetch_values(map, at, found);
		for (left = found; left != 0; left &= left - 1) {
			i = bloom_trailing_zeros(left);
			values[i] = value_plain(map, &at[i]);
		}
	}
	return found;
}

BLOOM_TARGET_POPCOUNT static uint64_t get_many_popcount(
	const bloom_value_map *map, const bloom_digest *digests, uint32_t count, uint64_t *values)
{
	return get_many_plain(map, digests, count, values);
}

#ifdef BLOOM_AVX2
BLOOM_TARGET_AVX2 static uint64_t get_many_avx2(
	const bloom_value_map *map, const bloom_digest *digests, uint32_t count, uint64_t *values)
{
	bloom_equation_at at[BLOOM_BATCH_MAX];
	uint64_t found = 0, left;
	uint32_t i;

	find_many(map, digests, count, at);
	for (i = 0; i < count; i++) {
		found |= (uint64_t)holds_avx2(map, &at[i]) << i;
	}
	if (values != NULL) {
		prefetch_values(map, at, found);
		for (left = found; left != 0; left &= left - 1) {
			i = bloom_trailing_zeros(left);
			values[i] = value_avx2(map, &at[i]);
		}
	}
	return found;
}
#endif

uint64_t bloom_value_map_get_many(
	const bloom_value_map *map, const bloom_digest *digests, uint32_t count, uint64_t *values)
{
#ifdef BLOOM_AVX2
	if (bloom_cpu_has_avx2()) {
		return get_many_avx2(map, digests, count, values);
	}
#endif
	return bloom_cpu_has_popcount() ? get_many_popcount(map, digests, count, values)
					: get_many_plain(map, digests, count, values);
}

bool bloom_value_map_has_places(const bloom_geometry *geometry, const unsigned char *shard)
{
	bloom_ribbon_level last = bloom_ribbon_level_of(geometry, BLOOM_RIBBON_LEVELS - 1);

	/* The lowest start is bumped if any is. */
	return !bloom_ribbon_is_bumped(shard, last.first);
}
