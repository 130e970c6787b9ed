/* What set bits say: fill, number of keys, false-positive rate now.
 *
 * Pure functions of bytes. The bytes may be those of a live filter that others add to meanwhile; what
 * comes out then lies between the figures before and after.
 */
#ifndef BLOOM_MEASURE_H
#define BLOOM_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/geometry.h"

enum {
	/* Common lanes are a cache line each. Larger ones are worked out one by one, because a table of their rates would
	 * overflow the stack of a fiber. */
	BLOOM_METER_LANE_BITS_MAX = 512,
	BLOOM_SAMPLE_BYTES = 1024 * 1024,
	BLOOM_SAMPLE_BYTES_REVERSE = 256 * 1024, /* counting columns takes longer */
};

/* The rate of a lane by its set bits, worked out once for many shards. */
typedef struct bloom_meter {
	bloom_geometry geometry;
	uint32_t lane_bits;
	double rate_of_bits[BLOOM_METER_LANE_BITS_MAX + 1]; /* only up to lanes of that size */
} bloom_meter;

typedef struct bloom_measure {
	uint64_t set_bits;
	double fill; /* share of set bits */
	double keys; /* the number that the set bits speak for; infinite when all are set */
	double rate; /* mean over the lanes of (set bits / bits)^probes: exactly the chance that a random
		       * absent key finds all its bits set */
} bloom_measure;

void bloom_meter_init(bloom_meter *meter, const bloom_geometry *geometry);

/* The sum of the lanes' rates of one shard, and its set bits. */
double bloom_meter_shard(const bloom_meter *meter, const unsigned char *shard, uint32_t *set_bits);

/* Measures `count` shards from `first` on.
 *
 * Cost    one pass over them.
 */
bloom_measure bloom_measure_shards(
	const bloom_meter *meter, const unsigned char *bits, uint64_t first, uint64_t count);

/* Measures the whole filter by a sample of whole shards, evenly spread, of BLOOM_SAMPLE_BYTES (of a reverse index
 * BLOOM_SAMPLE_BYTES_REVERSE). A filter that is not larger is measured exactly. `set_bits` is scaled up.
 *
 * Blocks fill independently of each other, so the standard error is the deviation of one block, divided by the root of
 * their number: 16,384 blocks of 64 bytes. In a full filter of 1 % the deviation of one block is 10 % of the fill, 14 % of
 * the keys and 69 % of the rate. So the standard error is 0.08 % of the fill, 0.11 % of the keys and 0.5 % of the rate.
 *
 * Cost    one pass over the sample: it does not grow with the filter.
 */
bloom_measure bloom_measure_sample(const bloom_meter *meter, const unsigned char *bits);

/* A shard row's number of keys, estimated from its set bits where nobody counted: from `least` to
 * `most`, and never what the gate for rows refuses. */
uint32_t bloom_row_keys(
	const bloom_geometry *geometry, uint32_t set_bits, uint64_t least, uint64_t most);

/* Set bits of `count` bytes (a multiple of 8). */
uint64_t bloom_set_bits(const unsigned char *bytes, uint64_t count);

#endif
