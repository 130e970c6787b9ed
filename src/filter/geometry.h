/* The geometry of a filter consists of every parameter that determines where a key's bits are.
 *
 *   filter   │ shard 0          │ shard 1          │ …            shards × shard_bytes
 *   shard    │ block 0 │ block 1 │ …                              1 to 64 KiB, a power of two
 *   block    │ 512 bits, one cache line by default                8 bytes to a whole shard
 *
 * Each key maps to one block, and all of its probes are in that block. If block_bytes equals
 * shard_bytes, each shard is a classic Bloom filter. The number of shards need not be a power of
 * two, so a filter is only as large as its rate requires.
 *
 * The probes of a key choose among the bits of one *lane*:
 *
 *   plain filter    the lane is the block
 *   reverse index   the block is a table with rows of `fan_out` bits (reverse.h); each of its
 *                   `fan_out` columns is a lane
 *
 * The rate formulas (rate.h) depend only on lanes, so they apply to both plain filters and reverse
 * indexes.
 *
 * A ribbon filter (ribbon.h) also has shards, but neither blocks nor probes. Its shards are divided
 * into `stripes` of 64 slots each. A map (value_map.h) is a ribbon filter with values. Its last
 * shard is the spill shard, unless it has only one.
 *
 * A foreign filter (foreign.h) keeps the bits that another system wrote. Its shards only divide
 * the bits for checksums, whereas its layers determine where a key's bits are.
 *
 * sizing.h chooses a geometry for a capacity and a rate, and rate.h computes the rate of a
 * geometry. The functions in all three headers are pure, which means that they open no files, read
 * no clock and allocate no memory.
 */
#ifndef BLOOM_GEOMETRY_H
#define BLOOM_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/status.h"

/* Limits of the blob format (docs/dev/blob.md). The limits also bound intermediate results. For
 * example, a filter has at most 2^39 blocks, so the product of a 64-bit hash and the number of
 * blocks fits in 104 bits. */
#define BLOOM_CAPACITY_MAX UINT64_C(1000000000000)
#define BLOOM_FILTER_BYTES_MAX (UINT64_C(1) << 42)
#define BLOOM_GROUPS_MAX (UINT64_C(1) << 32)

enum {
	BLOOM_SHARD_BYTES_MIN = 1024,
	BLOOM_SHARD_BYTES_MAX = 65536,
	BLOOM_BLOCK_BYTES_MIN = 8,
	BLOOM_PROBES_MAX = 32,
	BLOOM_FAN_OUT_MIN = 64,
	BLOOM_FAN_OUT_MAX = 1024,
	/* Minimum for a reverse index. With shorter lanes, the number of keys would vary more from
	 * lane to lane, so the filter would need more bits for the same rate. */
	BLOOM_LANE_BITS_MIN = 512,
	/* Number of slots that one equation of a ribbon filter spans. A stripe also has 64 slots,
	 * one per bit of a word. */
	BLOOM_RIBBON_BAND = 64,
	/* In smaller shards, the first of the three levels would be too small (ribbon.h). */
	BLOOM_RIBBON_STRIPES_MIN = 10,
	/* Maximum number of words in a narrow stripe. A wide stripe has one more word, so a result
	 * has at most 33 bits. */
	BLOOM_RIBBON_WIDTH_MAX = 32,
	BLOOM_VALUE_BITS_MAX = 64,
	/* Limits of a foreign filter. */
	BLOOM_FOREIGN_LAYERS_MAX = 1024,
	BLOOM_FOREIGN_PROBES_MAX = 255,
	BLOOM_FOREIGN_KEY_BYTES = 32,
};

/* The systems whose filters can be served. Blobs contain the numbers, so they must never change. */
typedef enum bloom_foreign_format {
	BLOOM_FOREIGN_NONE,
	BLOOM_FOREIGN_VALKEYPROB = 1,
	BLOOM_FOREIGN_REDISBLOOM = 2,
	BLOOM_FOREIGN_VALKEY_BLOOM = 3,
	BLOOM_FOREIGN_GUAVA_64 = 4,
	BLOOM_FOREIGN_GUAVA_32 = 5,
	BLOOM_FOREIGN_COUNT
} bloom_foreign_format;

typedef struct bloom_geometry {
	uint64_t seed;
	uint64_t shards;
	uint64_t groups; /* reverse index: number of groups; otherwise 0 */
	uint32_t shard_bytes;
	uint32_t block_bytes; /* equals shard_bytes in all but plain filters */
	/* Number of bits tested per key (k in the literature). In a ribbon filter: the number of
	 * words in a narrow stripe, which is also its number of bits per slot. In a map: the same,
	 * without the value bits. In a foreign filter: that of the layer with the most. */
	uint32_t probes;
	uint32_t fan_out;     /* reverse index: children of a node; otherwise 0 */
	uint32_t stripes;     /* ribbon filter and map: stripes of a shard; otherwise 0 */
	uint32_t value_bits;  /* map: bits of a value; otherwise 0 */
	uint32_t foreign;     /* foreign filter: a bloom_foreign_format; otherwise 0 */
	uint32_t layers;      /* foreign filter: number of layers; otherwise 0 */
	uint64_t fingerprint; /* secret of hash function 2; 0 selects hash function 1 */
} bloom_geometry;

/* Checks every field and every relation between fields. User arguments and blob heads must pass
 * this check before any byte of the filter is read.
 *
 * Errors: BLOOM_E_SHARD_BYTES, _BLOCK_BYTES, _PROBES, _GROUPS, _FAN_OUT, _STRIPES, _VALUE_BITS,
 * _LAYERS; _TOO_LARGE if the filter is larger than BLOOM_FILTER_BYTES_MAX or has no shard.
 */
bloom_status bloom_geometry_check(const bloom_geometry *geometry);

/* Returns whether a shard may have this size. */
bool bloom_shard_bytes_is_valid(uint32_t shard_bytes);

/* Returns true if all fields are equal. Do not compare geometries with memcmp(), because the struct
 * has padding bytes with undefined values. */
bool bloom_geometry_is_equal(const bloom_geometry *one, const bloom_geometry *other);

/* Checks that keys can be added to the bits of a filter.
 *
 * Errors: BLOOM_E_SOLVED for a ribbon filter or a map, BLOOM_E_IMPORTED for a foreign one. */
bloom_status bloom_geometry_check_open(const bloom_geometry *geometry, bloom_error *error);

/* Checks that the bits of two filters can be combined. Does not compare stripes.
 *
 * Errors: BLOOM_E_DIFFERENT, whose subject names the first difference. */
bloom_status bloom_geometry_check_same(
	const bloom_geometry *one, const bloom_geometry *other, bloom_error *error);

/* The functions below require a geometry that has passed bloom_geometry_check(). */

/* Returns the total size of all shards, in bytes. */
static inline uint64_t bloom_geometry_bytes(const bloom_geometry *geometry)
{
	return geometry->shards * geometry->shard_bytes;
}

static inline uint64_t bloom_geometry_blocks(const bloom_geometry *geometry)
{
	return geometry->shards * (geometry->shard_bytes / geometry->block_bytes);
}

static inline uint32_t bloom_geometry_lane_bits(const bloom_geometry *geometry)
{
	return geometry->block_bytes * 8 / (geometry->fan_out != 0 ? geometry->fan_out : 1);
}

static inline uint64_t bloom_geometry_lanes(const bloom_geometry *geometry)
{
	return bloom_geometry_blocks(geometry) * (geometry->fan_out != 0 ? geometry->fan_out : 1);
}

/* Returns the number of levels in a reverse index's tree, which is the smallest L ≥ 1 with
 * fan_out^L ≥ groups and at most 6. Each value adds one key per level to the filter. A plain filter
 * has 1 level. */
uint32_t bloom_geometry_levels(const bloom_geometry *geometry);

/* Returns whether additions (additions.h) can follow a blob of this geometry. They are a filter
 * with keys, so they have neither groups nor values, and they hash keys as we do. */
static inline bool bloom_geometry_has_journal(const bloom_geometry *geometry)
{
	return geometry->groups == 0 && geometry->layers == 0 && geometry->value_bits == 0;
}

/* ---- ribbon filters and maps ---- */

/* Returns the number of slots in one shard. */
static inline uint32_t bloom_ribbon_slots(const bloom_geometry *geometry)
{
	return geometry->stripes * BLOOM_RIBBON_BAND;
}

/* Returns the number of words at the start of a shard that hold its thresholds, one bit per
 * stripe. */
static inline uint32_t bloom_ribbon_threshold_words(const bloom_geometry *geometry)
{
	return (geometry->stripes + 63) / 64;
}

/* Returns the number of stripes of the first and of the second level. The third level has one
 * stripe. In the last stripe no equation starts, because an equation spans 64 slots. */
static inline uint32_t bloom_ribbon_second(const bloom_geometry *geometry)
{
	return 2 * bloom_ribbon_threshold_words(geometry);
}

static inline uint32_t bloom_ribbon_first(const bloom_geometry *geometry)
{
	return geometry->stripes - 2 - bloom_ribbon_second(geometry);
}

/* Returns the number of words in a narrow stripe. */
static inline uint32_t bloom_ribbon_width(const bloom_geometry *geometry)
{
	return geometry->value_bits + geometry->probes;
}

/* Returns the number of narrow stripes, which come first. The wide stripes follow and have one more
 * word each. Together, the stripes use every word of the
 * shard after the thresholds. */
static inline uint32_t bloom_ribbon_narrow(const bloom_geometry *geometry)
{
	return geometry->stripes -
		(geometry->shard_bytes / 8 - bloom_ribbon_threshold_words(geometry)) %
		geometry->stripes;
}

/* Returns the number of shards among which the digests of keys choose. */
static inline uint64_t bloom_geometry_home_shards(const bloom_geometry *geometry)
{
	return geometry->value_bits != 0 && geometry->shards > 1 ? geometry->shards - 1
								 : geometry->shards;
}

#endif
