#include "filter/ribbon.h"

#include "filter/compiler.h"
#include "filter/ribbon_equation.h"

/* ---- looking up ---- */

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

BLOOM_INLINE bloom_equation_at find(
	const bloom_ribbon *ribbon, const unsigned char *bytes, bloom_digest digest)
{
	uint64_t coefficients = bloom_ribbon_coefficients(digest);
	uint64_t result = bloom_digest_probes(digest);
	uint32_t start = bloom_ribbon_start(digest, ribbon->shards, 0, ribbon->level[0]);
	bool is_lost;

	if (BLOOM_UNLIKELY(bloom_ribbon_is_bumped(bytes, start))) {
		start = find_bumped(ribbon, bytes, digest, &is_lost);
		/* Without coefficients, every column is 0, like this result, so the answer is
		 * "maybe". */
		coefficients = is_lost ? 0 : coefficients;
		result = is_lost ? 0 : result;
	}
	return bloom_equation_find(ribbon, bytes, start, coefficients, result);
}

BLOOM_INLINE bool test_plain(
	const bloom_ribbon *ribbon, const unsigned char *bytes, bloom_digest digest)
{
	bloom_equation_at at = find(ribbon, bytes, digest);

	return bloom_equation_holds(ribbon->width, &at);
}

BLOOM_TARGET_POPCOUNT static bool test_popcount(
	const bloom_ribbon *ribbon, const unsigned char *bytes, bloom_digest digest)
{
	return test_plain(ribbon, bytes, digest);
}

#ifdef BLOOM_AVX2

BLOOM_TARGET_AVX2 static bool test_avx2(
	const bloom_ribbon *ribbon, const unsigned char *bytes, bloom_digest digest)
{
	bloom_equation_at at = find(ribbon, bytes, digest);

	return bloom_equation_holds_avx2(ribbon->width, &at);
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
BLOOM_INLINE void find_many(const bloom_ribbon *ribbon, const bloom_digest *digests, uint32_t count,
	bloom_equation_at *at)
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
	bloom_equation_at at[BLOOM_BATCH_MAX];
	uint64_t found = 0;
	uint32_t i;

	find_many(ribbon, digests, count, at);
	for (i = 0; i < count; i++) {
		found |= (uint64_t)bloom_equation_holds(ribbon->width, &at[i]) << i;
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
	bloom_equation_at at[BLOOM_BATCH_MAX];
	uint64_t found = 0;
	uint32_t i;

	find_many(ribbon, digests, count, at);
	for (i = 0; i < count; i++) {
		found |= (uint64_t)bloom_equation_holds_avx2(ribbon->width, &at[i]) << i;
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
