#include "filter/foreign_size.h"

#include <math.h>

/* The zeros after the layers take at most this part of the filter, as long as its shards are not
 * the smallest ones. */
enum { PADDING_PART = 16 };

double bloom_redisbloom_bits_per_key(double rate)
{
	return -(log(rate) / 0.480453013918201);
}

void bloom_valkeyprob_size(double keys, double rate, double *bits, double *probes)
{
	*bits = ceil(-keys * log(rate) / pow(log(2), 2));
	*probes = round(*bits / keys * log(2));
}

static void size_redisbloom(double keys, double rate, double *bits, double *probes)
{
	double per_key = bloom_redisbloom_bits_per_key(rate);

	*bits = ceil(fmax(1, floor(keys * per_key)) / 64) * 64;
	*probes = ceil(0.693147180559945 * per_key);
}

bool bloom_foreign_layer_size(
	bloom_foreign_format format, uint64_t keys, double rate, bloom_foreign_layer *layer)
{
	bool is_bitmap = format == BLOOM_FOREIGN_VALKEYPROB;
	uint64_t most = is_bitmap ? BLOOM_VALKEYPROB_BITS_MAX : BLOOM_FILTER_BYTES_MAX * 8;
	double bits, probes;

	(is_bitmap ? bloom_valkeyprob_size : size_redisbloom)((double)keys, rate, &bits, &probes);
	if (!(bits >= 1 && bits <= (double)most && probes >= 1 &&
		    probes <= (double)BLOOM_FOREIGN_PROBES_MAX)) {
		return false;
	}
	*layer = (bloom_foreign_layer){.bits = (uint64_t)bits, .probes = (uint32_t)probes};
	return true;
}

uint32_t bloom_foreign_shard_bytes(uint64_t bytes, uint32_t layers)
{
	uint64_t shard_bytes = BLOOM_SHARD_BYTES_MAX;

	while (shard_bytes > BLOOM_SHARD_BYTES_MIN && shard_bytes * layers > bytes / PADDING_PART) {
		shard_bytes /= 2;
	}
	return (uint32_t)shard_bytes;
}

double bloom_foreign_expected_rate(const bloom_foreign_layer *layer, uint64_t keys)
{
	double fill = -expm1(-(double)layer->probes * (double)keys / (double)layer->bits);

	return pow(fill, layer->probes);
}

double bloom_foreign_estimated_keys(const bloom_foreign_layer *layer, uint64_t set_bits)
{
	double fill = (double)set_bits / (double)layer->bits;

	return -(double)layer->bits / layer->probes * log1p(-fill);
}
