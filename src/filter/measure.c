#include "filter/measure.h"

#include <math.h>
#include <string.h>

#include "filter/atomic.h"
#include "filter/compiler.h"
#include "filter/rate.h"

/* This function is inlined into two other functions, so the compiler generates code for it once
 * with POPCNT and once without. */
BLOOM_INLINE uint64_t count_bits(const unsigned char *bytes, uint64_t count)
{
	uint64_t word, i, bits = 0;

	for (i = 0; i < count; i += sizeof word) {
		memcpy(&word, bytes + i, sizeof word);
		bits += bloom_popcount(word);
	}
	return bits;
}

BLOOM_TARGET_POPCOUNT static uint64_t count_bits_fast(const unsigned char *bytes, uint64_t count)
{
	return count_bits(bytes, count);
}

uint64_t bloom_set_bits(const unsigned char *bytes, uint64_t count)
{
	return bloom_cpu_has_popcount() ? count_bits_fast(bytes, count) : count_bits(bytes, count);
}

void bloom_meter_init(bloom_meter *meter, const bloom_geometry *geometry)
{
	uint32_t bits;

	meter->geometry = *geometry;
	meter->lane_bits = bloom_geometry_lane_bits(geometry);
	for (bits = 0; meter->lane_bits <= BLOOM_METER_LANE_BITS_MAX && bits <= meter->lane_bits;
		bits++) {
		meter->rate_of_bits[bits] =
			bloom_lane_rate(bits, meter->lane_bits, geometry->probes);
	}
}

static double lane_rate(const bloom_meter *meter, uint32_t bits)
{
	return meter->lane_bits <= BLOOM_METER_LANE_BITS_MAX
		? meter->rate_of_bits[bits]
		: bloom_lane_rate(bits, meter->lane_bits, meter->geometry.probes);
}

/* Measures a shard of a reverse index. The shard is one block, a table whose columns are the
 * lanes. */
static double meter_columns(
	const bloom_meter *meter, const unsigned char *shard, uint32_t *set_bits)
{
	uint32_t in_column[BLOOM_FAN_OUT_MAX] = {0};
	uint32_t row_bytes = meter->geometry.fan_out / 8;
	uint32_t at, column, total = 0;
	unsigned byte;
	double sum = 0;

	for (at = 0; at < meter->geometry.shard_bytes; at++) {
		/* byte & (byte − 1) clears the lowest set bit, so the loop visits only set bits. */
		for (byte = bloom_load_byte(shard + at); byte != 0; byte &= byte - 1) {
			/* The fan-out is at least 64.
			 * NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
			in_column[at % row_bytes * 8 + bloom_trailing_zeros(byte)]++;
		}
	}
	for (column = 0; column < meter->geometry.fan_out; column++) {
		total += in_column[column];
		sum += lane_rate(meter, in_column[column]);
	}
	*set_bits = total;
	return sum;
}

double bloom_meter_shard(const bloom_meter *meter, const unsigned char *shard, uint32_t *set_bits)
{
	uint32_t block_bytes = meter->geometry.block_bytes;
	uint32_t at, bits, total = 0;
	double sum = 0;

	if (meter->geometry.fan_out != 0) {
		return meter_columns(meter, shard, set_bits);
	}
	for (at = 0; at < meter->geometry.shard_bytes; at += block_bytes) {
		bits = (uint32_t)bloom_set_bits(shard + at, block_bytes);
		total += bits;
		sum += lane_rate(meter, bits);
	}
	*set_bits = total;
	return sum;
}

/* Measures `count` shards that are spread evenly over a range of `span` shards, starting with shard
 * `first`. */
static bloom_measure measure_spread(const bloom_meter *meter, const unsigned char *bits,
	uint64_t first, uint64_t span, uint64_t count)
{
	bloom_geometry measured = meter->geometry;
	uint64_t i, shard, set_bits = 0;
	double rates = 0;
	uint32_t some;

	measured.shards = count;
	for (i = 0; i < count; i++) {
		shard = first + i * span / count;
		rates += bloom_meter_shard(meter, bits + shard * measured.shard_bytes, &some);
		set_bits += some;
	}
	return (bloom_measure){
		.set_bits = set_bits,
		.fill = (double)set_bits / ((double)bloom_geometry_bytes(&measured) * 8),
		.keys = bloom_geometry_estimated_keys(&measured, set_bits),
		.rate = rates / (double)bloom_geometry_lanes(&measured),
	};
}

bloom_measure bloom_measure_shards(
	const bloom_meter *meter, const unsigned char *bits, uint64_t first, uint64_t count)
{
	return measure_spread(meter, bits, first, count, count);
}

uint64_t bloom_measure_sample_shards(const bloom_geometry *geometry)
{
	uint64_t most = geometry->fan_out != 0 ? BLOOM_SAMPLE_BYTES_REVERSE : BLOOM_SAMPLE_BYTES;
	uint64_t count = most / geometry->shard_bytes;

	return geometry->shards < count ? geometry->shards : count;
}

bloom_measure bloom_measure_sample(const bloom_meter *meter, const unsigned char *bits)
{
	const bloom_geometry *geometry = &meter->geometry;
	uint64_t shards = geometry->shards, count = bloom_measure_sample_shards(geometry);
	bloom_measure found;

	if (shards == count) {
		return bloom_measure_shards(meter, bits, 0, shards);
	}
	found = measure_spread(meter, bits, 0, shards, count);
	/* Fill and rate are means, so they need no scaling. Only the counts are scaled to the whole
	 * filter. */
	found.set_bits =
		(uint64_t)llround((double)found.set_bits * ((double)shards / (double)count));
	found.keys = bloom_geometry_estimated_keys(geometry, found.set_bits);
	return found;
}

uint32_t bloom_row_keys(
	const bloom_geometry *geometry, uint32_t set_bits, uint64_t least, uint64_t most)
{
	bloom_geometry shard = *geometry;
	uint64_t fewest = (set_bits + geometry->probes - 1) / geometry->probes;
	uint64_t keys = set_bits;
	double estimate;

	shard.shards = 1;
	estimate = bloom_geometry_estimated_keys(&shard, set_bits);
	if (estimate < (double)set_bits) {
		keys = (uint64_t)llround(estimate);
	}
	/* Apply the limits of a shard row last, because the parser rejects a row outside these
	 * limits. */
	keys = keys < least ? least : keys > most ? most : keys;
	keys = keys < fewest ? fewest : keys > set_bits ? set_bits : keys;
	return (uint32_t)keys;
}
