/* Chooses the smallest geometry that achieves a given false-positive rate at a given capacity.
 *
 *     bloom_params ──► shard size, block size ──► probes ──► fewest shards ──► bloom_geometry
 *
 * All functions are pure.
 */
#ifndef BLOOM_SIZING_H
#define BLOOM_SIZING_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/geometry.h"
#include "filter/secret.h"
#include "filter/status.h"

#define BLOOM_RATE_MIN 1e-9
#define BLOOM_RATE_MAX 0.5

enum {
	BLOOM_SHARD_BYTES_DEFAULT = 8192,
	BLOOM_BLOCK_BYTES_DEFAULT = 64,   /* one cache line */
	BLOOM_BLOCK_BYTES_LOW_RATE = 256, /* for rates of BLOOM_LOW_RATE and below */
	BLOOM_FAN_OUT_DEFAULT = 256,
};

/* The highest rate for which the default block has 256 bytes. */
#define BLOOM_LOW_RATE 1e-3

/* The filter that a user requests. In every field except the first two, 0 lets
 * bloom_geometry_choose() decide. */
typedef struct bloom_params {
	uint64_t capacity_keys; /* reverse index: values, each counted once per group */
	double rate;            /* false-positive rate at capacity */
	uint32_t shard_bytes;
	uint32_t block_bytes;
	uint32_t probes;
	double bits_per_key; /* fixes the size; only the range of `rate` is then checked */
	uint64_t groups;     /* number of groups of a reverse index */
	uint32_t fan_out;    /* only with groups */
	bool ribbon;         /* excludes groups, block_bytes and probes */
	/* A map: bits of a value. Excludes block_bytes, probes, bits_per_key and groups. The rate
	 * may be 1, for a map without check bits. */
	uint32_t value_bits;
	bool keeps_last; /* map: of several values of a key, the last one is kept */
	/* The filter of another system, VALKEYPROB or REDISBLOOM (foreign_size.h). Excludes all
	 * other fields except shard_bytes, and a seed. 0: a filter of our own */
	bloom_foreign_format foreign;
	bool is_layer; /* of a filter with several: the rate may be below BLOOM_RATE_MIN */
	const bloom_secret *secret; /* NULL: hash function 1 */
} bloom_params;

/* Chooses the smallest geometry that keeps the rate at capacity.
 *
 *   plain filter    8 KiB per shard; down to 1 KiB if the filter has fewer than 256 shards.
 *                   64 bytes per block if the rate is above 1 in 1,000, otherwise 256 bytes. If the
 *                   bits per key are fixed, the block size depends on 2^(−bits · ln 2), the rate of
 *                   a classic filter with this number of bits per key
 *   reverse index   the block is the shard; 64 KiB, or less if the filter has fewer than 16 shards
 *   ribbon filter   every shard size is tried: the number of keys varies less in large shards, but
 *                   rounding costs less with small ones
 *
 *   seed       copied into the geometry
 *   *geometry  set on success
 *
 * Errors: BLOOM_E_CAPACITY, _RATE, _SHARD_BYTES, _BLOCK_BYTES, _PROBES, _BITS_PER_KEY, _GROUPS,
 * _FAN_OUT, _RATE_FLOOR, _GROUPS_RATE, _NOT_BLOOM, _RIBBON_BITS, _RIBBON_SHARD, _FOREIGN_BITS for a
 * parameter that is out of range; BLOOM_E_FOREIGN_BUILD for a format that cannot be built;
 * BLOOM_E_FOREIGN_PARAMS if a parameter or a seed is given of which the format leaves no choice;
 * BLOOM_E_TOO_LARGE if no filter of up to BLOOM_FILTER_BYTES_MAX keeps the rate.
 * Cost: a few ms of arithmetic.
 */
bloom_status bloom_geometry_choose(
	const bloom_params *params, uint64_t seed, bloom_geometry *geometry);

/* Returns the largest number of keys that one ribbon shard is planned to hold. With as many, keys
 * practically never leave its last level (ribbon.h).
 *
 * For m stripes, this is slots · (1 − 0.002 − 0.55 / m^0.6 − 1300 / m^4), a fit to simulations with
 * random keys. Keys left the last level in that many shards:
 *
 *     stripes   capacity        simulated loads, in keys per slot
 *          10   0.73 of slots   0.75: 0 of 40,000    0.80: 9      0.85: 570
 *          18   0.889           0.90: 0 of 100,000   0.92: 2      0.94: 82     0.96: 7,125
 *          76   0.957           0.96: 0 of 4,000     0.97: 0
 *         300   0.980           0.985: 0 of 1,000    0.99: 0
 *       1,214   0.990           0.99: 0 of 200       0.995: 1
 *       4,096   0.994           0.9925: 0 of 60      0.995: 0
 */
double bloom_ribbon_capacity(const bloom_geometry *geometry);

#endif
