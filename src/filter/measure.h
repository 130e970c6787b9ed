/* Measures a filter's fill, number of keys and current false-positive rate from its set bits.
 *
 * All functions are pure.
 *
 * Concurrency: other processes may set bits of a live filter concurrently. In that case, the result
 * lies between the values before and after these changes.
 */
#ifndef BLOOM_MEASURE_H
#define BLOOM_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/geometry.h"

enum {
	/* For lanes of up to one cache line, the rates are looked up in a table. For larger lanes,
	 * the rate is computed each time, because a larger table would overflow the stack of a
	 * fiber. */
	BLOOM_METER_LANE_BITS_MAX = 512,
	BLOOM_SAMPLE_BYTES = 1024 * 1024,
	BLOOM_SAMPLE_BYTES_REVERSE = 256 * 1024, /* counting columns is slower */
};

/* The rate of a lane for each number of set bits, computed once for many shards. */
typedef struct bloom_meter {
	bloom_geometry geometry;
	uint32_t lane_bits;
	double rate_of_bits[BLOOM_METER_LANE_BITS_MAX + 1]; /* unused for larger lanes */
} bloom_meter;

typedef struct bloom_measure {
	uint64_t set_bits;
	double fill; /* fraction of the bits that are set, 0 to 1 */
	double keys; /* estimated from the set bits; infinity if all bits are set */
	/* Mean over all lanes of (set bits / bits)^probes. This is exactly the probability that all
	 * bits of a random absent key are set. */
	double rate;
} bloom_measure;

/* Prepares a meter for filters with this geometry. */
void bloom_meter_init(bloom_meter *meter, const bloom_geometry *geometry);

/* Measures one shard. Returns the sum of its lanes' rates.
 *
 *   *set_bits  receives the number of set bits
 */
double bloom_meter_shard(const bloom_meter *meter, const unsigned char *shard, uint32_t *set_bits);

/* Measures `count` shards, starting with shard `first`.
 *
 * Cost: one pass over these shards.
 */
bloom_measure bloom_measure_shards(
	const bloom_meter *meter, const unsigned char *bits, uint64_t first, uint64_t count);

/* Estimates the measurements of a whole filter from a sample of evenly spaced shards.
 *
 * The sample has BLOOM_SAMPLE_BYTES bytes, or BLOOM_SAMPLE_BYTES_REVERSE bytes for a reverse index.
 * A filter no larger than the sample is measured exactly. For a larger filter, `set_bits` is
 * extrapolated.
 *
 * Accuracy: blocks fill independently, so the standard error is the standard deviation of one block
 * divided by the square root of the number of blocks. The sample has 16,384 blocks of 64 bytes.
 * These are the standard errors for a full filter with a rate of 1 %:
 *
 *                           fill     keys     rate
 *     one block             10 %     14 %     69 %
 *     the sample            0.08 %   0.11 %   0.5 %
 *
 * Cost: one pass over the sample, regardless of the size of the filter.
 */
bloom_measure bloom_measure_sample(const bloom_meter *meter, const unsigned char *bits);

/* Returns the number of shards in that sample. */
uint64_t bloom_measure_sample_shards(const bloom_geometry *geometry);

/* Estimates the number of keys in one shard from its set bits. The result is limited to the range
 * from `least` to `most`, and then to the range that the blob parser accepts for a shard row. */
uint32_t bloom_row_keys(
	const bloom_geometry *geometry, uint32_t set_bits, uint64_t least, uint64_t most);

/* Counts the set bits in `count` bytes. `count` must be a multiple of 8. */
uint64_t bloom_set_bits(const unsigned char *bytes, uint64_t count);

#endif
