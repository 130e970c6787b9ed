/* The layout of ribbon filters (ribbon.h) and maps (value_map.h): levels, buckets, starts and
 * stripes, as ribbon.h describes them. */
#ifndef BLOOM_RIBBON_LAYOUT_H
#define BLOOM_RIBBON_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/digest.h"
#include "filter/geometry.h"
#include "filter/probe.h"

/* 2 · 0x9E3779B97F4A7C15 mod 2^64. It is even, so 1 + n · BLOOM_RIBBON_STEP is odd, and multiplying
 * by an odd number mod 2^64 loses no bit of the fraction. */
#define BLOOM_RIBBON_STEP UINT64_C(0x3C6EF372FE94F82A)

enum {
	BLOOM_RIBBON_LEVELS = 3,
	/* Number of starts in a bucket, which consists of two stripes. */
	BLOOM_RIBBON_BUCKET = 2 * BLOOM_RIBBON_BAND,
};

/* The thresholds 0, 24, 56 and 128: byte v for the value v. */
#define BLOOM_RIBBON_THRESHOLDS UINT32_C(0x80381800)

/* The starts of one level. */
typedef struct bloom_ribbon_level {
	uint32_t first; /* the first slot of the level */
	uint32_t starts;
} bloom_ribbon_level;

/* Returns level 0 to BLOOM_RIBBON_LEVELS − 1; the comment above and docs/dev/blob.md count
 * from 1. */
static inline bloom_ribbon_level bloom_ribbon_level_of(
	const bloom_geometry *geometry, uint32_t level)
{
	uint32_t first = bloom_ribbon_first(geometry), second = bloom_ribbon_second(geometry);

	return level == 0 ? (bloom_ribbon_level){0, first * BLOOM_RIBBON_BAND}
		: level == 1
		? (bloom_ribbon_level){first * BLOOM_RIBBON_BAND, second * BLOOM_RIBBON_BAND}
		: (bloom_ribbon_level){(first + second) * BLOOM_RIBBON_BAND, BLOOM_RIBBON_BAND};
}

/* The part of a geometry that a lookup needs. `bits` is NULL if the shards are not contiguous; then
 * only bloom_ribbon_test_shard() works. */
typedef struct bloom_ribbon {
	const unsigned char *bits; /* shard 0 */
	uint64_t shards;           /* home shards: those among which digests choose */
	uint64_t seed;
	uint32_t shard_bytes;
	uint32_t thresholds; /* words of the thresholds */
	uint32_t width;      /* words of a narrow stripe */
	uint32_t narrow;     /* number of narrow stripes */
	bloom_ribbon_level level[BLOOM_RIBBON_LEVELS];
} bloom_ribbon;

/* The geometry must be checked and have stripes, and `bits` must be verified. */
static inline bloom_ribbon bloom_ribbon_of(
	const bloom_geometry *geometry, const unsigned char *bits)
{
	return (bloom_ribbon){
		.bits = bits,
		.shards = bloom_geometry_home_shards(geometry),
		.seed = geometry->seed,
		.shard_bytes = geometry->shard_bytes,
		.thresholds = bloom_ribbon_threshold_words(geometry),
		.width = bloom_ribbon_width(geometry),
		.narrow = bloom_ribbon_narrow(geometry),
		.level = {bloom_ribbon_level_of(geometry, 0), bloom_ribbon_level_of(geometry, 1),
			bloom_ribbon_level_of(geometry, 2)},
	};
}

/* The slot in its shard where a key's equation starts on one level.
 *
 *   level  counted from 0; the levels of a map's spill shard follow those of the home shards
 *   at     the starts of this level */
static inline uint32_t bloom_ribbon_start(
	bloom_digest digest, uint64_t shards, uint32_t level, bloom_ribbon_level at)
{
	uint64_t fraction = digest * shards; /* low half of the product */

	return at.first +
		(uint32_t)bloom_fast_range(fraction * (1 + level * BLOOM_RIBBON_STEP), at.starts);
}

/* Returns true if the keys that start in this slot are bumped. `bytes` is the shard. */
static inline bool bloom_ribbon_is_bumped(const unsigned char *bytes, uint32_t start)
{
	uint32_t stripe = start / BLOOM_RIBBON_BAND;
	uint32_t value = bytes[stripe / 8] >> (stripe & 6) & 3;

	return start % BLOOM_RIBBON_BUCKET < (BLOOM_RIBBON_THRESHOLDS >> 8 * value & 255);
}

/* The coefficients of a key's equation. Bit 0 belongs to the start slot and is always 1. */
static inline uint64_t bloom_ribbon_coefficients(bloom_digest digest)
{
	return bloom_digest_word(bloom_digest_probes(digest), 1) | 1;
}

/* Index of a stripe's first word within its shard. */
static inline uint32_t bloom_ribbon_word(const bloom_ribbon *ribbon, uint32_t stripe)
{
	return ribbon->thresholds + stripe * ribbon->width +
		(stripe > ribbon->narrow ? stripe - ribbon->narrow : 0);
}

#endif
