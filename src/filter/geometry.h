/* Capacity and rate → shards, blocks, probes; the formulas of the rate; the one gate.
 *
 *   filter   │ shard 0          │ shard 1          │ …            shards × shard_bytes
 *   shard    │ block 0 │ block 1 │ …                              1 to 64 KiB, a power of two
 *   block    │ 512 bits, one cache line, by default               8 bytes to the whole shard
 *
 * A key lands in one block; all its probes stay there. With block_bytes == shard_bytes the layout is
 * the classic Bloom filter's, a shard at a time. The number of shards is any number, so a filter is
 * as large as it must be and no power of two larger.
 *
 * The bits that a key's probes choose among are its lane. In a plain filter a lane is a block. In a
 * reverse index (reverse.h) a block is a table of rows, `fan_out` bits each, and a lane is a column
 * of it, so there are fan_out lanes in a block. The formulas of the rate know lanes only.
 *
 * A ribbon filter (ribbon.h) has shards, too, but neither blocks nor probes in them: a shard's 64-bit words are
 * dealt to `stripes`, as evenly as can be, and the words of a stripe are the bits that a key is told by.
 *
 * Pure functions of their arguments: no files, no clock, no allocation.
 */
#ifndef BLOOM_GEOMETRY_H
#define BLOOM_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/secret.h"
#include "filter/status.h"

#define BLOOM_CAPACITY_MAX UINT64_C(1000000000000)
#define BLOOM_FILTER_BYTES_MAX (UINT64_C(1) << 42)

enum {
	BLOOM_SHARD_BYTES_MIN = 1024,
	BLOOM_SHARD_BYTES_DEFAULT = 8192,
	BLOOM_SHARD_BYTES_MAX = 65536,
	BLOOM_SHARDS_FINE = 256, /* from so many on, rounding up to whole shards costs < 0.4 % */
	BLOOM_SHARDS_FINE_REVERSE = 16, /* the same where shards are up to 64 KiB: < 7 % */
	BLOOM_BLOCK_BYTES_MIN = 8,
	BLOOM_BLOCK_BYTES_DEFAULT = 64,
	BLOOM_PROBES_MAX = 32,
	BLOOM_FAN_OUT_MIN = 64,
	BLOOM_FAN_OUT_DEFAULT = 256,
	BLOOM_FAN_OUT_MAX = 1024,
	BLOOM_LANE_BITS_LEAST = 512, /* of a reverse index; shorter lanes waste bits */
	BLOOM_RIBBON_BAND = 64,      /* slots that a key's equation may touch; slots a stripe */
	BLOOM_RIBBON_STRIPES_MIN = 2,
	BLOOM_RIBBON_WIDTH_MAX = 32, /* bits a slot; one more in the wide stripes */
	BLOOM_RIBBON_FINE = 16,      /* shards, where the size is asked for */
};

#define BLOOM_GROUPS_MAX (UINT64_C(1) << 32)

#define BLOOM_RATE_MIN 1e-9
#define BLOOM_RATE_MAX 0.5

/* Everything that decides where a key's bits are. */
typedef struct bloom_geometry {
	uint64_t seed;
	uint64_t shards;
	uint64_t groups; /* of a reverse index; 0: a plain filter */
	uint32_t shard_bytes;
	uint32_t block_bytes;
	uint32_t probes;  /* bits tested a key; the literature's k */
	uint32_t fan_out; /* of a reverse index: children a node; 0: a plain filter */
	uint32_t
		stripes; /* of a ribbon filter, whose block is the shard and whose `probes` are the bits a
			   * slot in the narrow stripes; 0: a Bloom filter */
	uint64_t fingerprint; /* of the secret that digest 2 is keyed with; 0: digest 1 */
} bloom_geometry;

/* What a user asks for. Zero means "choose for me" in all but the first two. */
typedef struct bloom_params {
	uint64_t capacity_keys;
	double rate; /* false-positive rate at capacity */
	uint32_t shard_bytes;
	uint32_t block_bytes;
	uint32_t probes;
	double bits_per_key; /* fixes the size; the rate then follows, and `rate` has no say */
	uint64_t groups;     /* of a reverse index, whose keys are its values; 0: a plain filter */
	uint32_t fan_out;    /* only with groups */
	bool ribbon;         /* without groups, block_bytes and probes */
	const bloom_secret *secret; /* NULL: not keyed */
} bloom_params;

/* The smallest geometry that keeps the asked rate at capacity, with the probes that need the fewest
 * bytes. Shards are 8 KiB; a filter of less than 256 such shards gets smaller ones, down to 1
 * KiB, so that rounding up to whole shards costs little. A reverse index has blocks as large as its
 * shards, of 64 KiB down to what lanes of 512 bits need. For a ribbon filter all sizes of shards are tried: in
 * large ones the numbers of keys differ less, small ones leave less room over.
 *
 *   seed       copied
 *   *geometry  filled on success
 *
 * Fails   BLOOM_E_CAPACITY, _RATE, _SHARD_BYTES, _BLOCK_BYTES, _PROBES, _BITS_PER_KEY, _GROUPS, _FAN_OUT,
 *         _GROUPS_RATE, _NOT_BLOOM, _RIBBON_BITS:
 *         that params is out of range.  BLOOM_E_TOO_LARGE: nothing below the limit keeps the rate.
 * Cost    a few ms of arithmetic.
 */
bloom_status bloom_geometry_choose(
	const bloom_params *params, uint64_t seed, bloom_geometry *geometry);

/* The gate: what user arguments and blob heads alike must pass before any byte is touched.
 *
 * Fails   BLOOM_E_SHARD_BYTES, _BLOCK_BYTES, _PROBES, _GROUPS, _FAN_OUT, _STRIPES, _TOO_LARGE (also: no
 *         shard at all).
 */
bloom_status bloom_geometry_check(const bloom_geometry *geometry);

/* True if both have the same value in every field. Never compare the structs with memcmp(): they have padding, and
 * its bytes are undefined. */
bool bloom_geometry_is_equal(const bloom_geometry *one, const bloom_geometry *other);

/* Bytes of all shards. Only for a geometry that passed the gate. */
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

/* ---- of a reverse index ---- */

/* Expected number of wrong groups in the answer for a value that `holding` groups hold, at the filter's
 * `rate`. With R right and W wrong nodes visited at a level, and c children a node, the next level has
 *
 *     W' = rate · (c · (W + R) − R'),   R' = holding, at most one a node
 *
 * beginning with the root, R = 1 and W = 0. */
double bloom_geometry_false_groups(const bloom_geometry *geometry, double rate, uint64_t holding);

/* The most of them that a value of no group may have on average. Such an index is of no use, and each answer
 * would cost its reader memory and time: a forged one of 20 KB could promise billions. An index of as many
 * groups, or fewer, always has fewer. */
#define BLOOM_FALSE_GROUPS_MAX 10000

/* ---- of a ribbon filter ---- */

static inline uint32_t bloom_ribbon_slots(const bloom_geometry *geometry)
{
	return geometry->stripes * BLOOM_RIBBON_BAND;
}

/* Where a key's equation may begin: the last stripe is only ever a key's second one. */
static inline uint32_t bloom_ribbon_starts(const bloom_geometry *geometry)
{
	return (geometry->stripes - 1) * BLOOM_RIBBON_BAND;
}

/* How many stripes, from the first on, have `probes` words; the others have one more. */
static inline uint32_t bloom_ribbon_narrow(const bloom_geometry *geometry)
{
	return geometry->stripes - geometry->shard_bytes / 8 % geometry->stripes;
}

/* How many keys a shard can take for certain, as good as: at so many each number that a shard tries
 * (ribbon.h) succeeds at least every other time. Measured, with a band of 64: 0.980 of 1,024 slots, 0.975 of
 * 4,096, 0.963 of 16,384, 0.945 of 74,880, 0.942 of 128,000. */
double bloom_ribbon_capacity(const bloom_geometry *geometry);

/* Levels of a reverse index's tree, at least 1: the least L with fan_out^L ≥ groups. What a value adds
 * to the filter are as many keys. A plain filter has 1. */
uint32_t bloom_geometry_levels(const bloom_geometry *geometry);

/* The expected false-positive rate of a filter that holds `keys` distinct keys.
 *
 * A lane of B bits with i keys answers "maybe" to an absent key with
 *
 *     inner(i) = q^k · (1 + k(k−1)/2 · Var X / (B·q)²),   q = 1 − (1 − 1/B)^(k·i)
 *
 * q^k is Bloom's formula (Bloom 1970; Mitzenmacher & Upfal, "Probability and Computing", 5.5.3). It
 * is a little too low because the number X of set bits varies (Bose et al., "On the false-positive
 * rate of Bloom filters", 2008); the second factor is the second-order term of E[(X/B)^k], with the
 * exact variance of the occupancy problem. It matters in 512-bit blocks (+1 %), not in 64-kbit ones.
 *
 * Keys fall into b lanes at random, so the filter's rate is the sum over i of
 * Binomial(keys, 1/b)(i) · inner(i): for many blocks Poisson's law, which is the formula of Putze,
 * Sanders & Singler, "Cache-, hash- and space-efficient Bloom filters" (2007), section 3; for a
 * single lane the classic formula itself.
 *
 * A ribbon filter's rate does not depend on its keys: 2^-r, r being the bits of the stripe where the absent
 * key begins. The mean over all starts is exact, but for chance.
 */
double bloom_geometry_rate(const bloom_geometry *geometry, uint64_t keys);

/* The rate of one lane of `lane_bits` bits with `set_bits` of them set: (set/bits)^probes. */
double bloom_lane_rate(uint32_t set_bits, uint32_t lane_bits, uint32_t probes);

/* How many distinct keys leave `set_bits` of the filter's bits set, on average. The expected share of
 * clear bits after n keys is (1 − (1 − (1 − 1/B)^k) / b)^n, whatever the lanes' shares of keys are;
 * this solves it for n. (For one lane the estimate of Swamidass & Baldi, "Mathematical correction
 * for fingerprint similarity measures to improve chemical retrieval", 2007.) Infinity when all bits are
 * set. */
double bloom_geometry_estimated_keys(const bloom_geometry *geometry, uint64_t set_bits);

#endif
