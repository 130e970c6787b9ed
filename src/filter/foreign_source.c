#include "filter/foreign_source.h"

#include <math.h>

#include "filter/bytes.h"
#include "filter/foreign_size.h"

/* A filter whose bits would be as they are with a lower probability is damaged. */
static const double damage_chance = 1e-9;

bloom_status bloom_foreign_check_count(uint64_t layers, bloom_error *error)
{
	return layers >= 1 && layers <= BLOOM_FOREIGN_LAYERS_MAX
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_FOREIGN, 0, "%llu layers, but 1 to %d are allowed",
			  (unsigned long long)layers, BLOOM_FOREIGN_LAYERS_MAX);
}

bloom_status bloom_foreign_add_capacity(
	bloom_foreign_source *source, uint64_t capacity, bloom_error *error)
{
	if (capacity < 1 || capacity > BLOOM_CAPACITY_MAX - source->capacity) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"layer %u: capacity %llu, but each layer needs at least 1, and all of them "
			"at most %llu",
			source->geometry.layers, (unsigned long long)capacity,
			(unsigned long long)BLOOM_CAPACITY_MAX);
	}
	source->capacity += capacity;
	return BLOOM_OK;
}

bloom_status bloom_foreign_look(bloom_foreign_source *source, const bloom_dump_string *string,
	uint64_t keys, unsigned char *head, uint64_t head_bytes, bloom_error *error)
{
	bool is_set;

	if (!bloom_dump_look(string, head, head_bytes, source->window, &is_set)) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"layer %u: %llu packed bytes do not unpack to exactly %llu",
			source->geometry.layers, (unsigned long long)string->count,
			(unsigned long long)string->length);
	}
	if (keys > 0 && !is_set) {
		return bloom_fail(error, BLOOM_E_FOREIGN, 0,
			"the bits of layer %u are missing: it has %llu keys, but no bit is set",
			source->geometry.layers, (unsigned long long)keys);
	}
	source->is_set |= is_set;
	return BLOOM_OK;
}

/* Returns how many whole words in a row are 0. */
static uint64_t longest_run(const unsigned char *bytes, uint64_t count)
{
	uint64_t longest = 0, run = 0, at;

	for (at = 0; at + 8 <= count; at += 8) {
		run = bloom_get64(bytes + at) == 0 ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

/* Returns the probability of the least probable bit, relative to that of all bits on average.
 * MURMUR128_MITZ_32 has only 2^31 different probes, which m does not divide evenly. */
static double evenness(const bloom_foreign_source *source, uint64_t bits)
{
	const uint64_t probes = UINT64_C(1) << 31;
	uint64_t multiple = probes / bits * bits;

	return source->geometry.foreign == BLOOM_FOREIGN_GUAVA_32
		? (double)multiple / (double)probes
		: 1;
}

bloom_status bloom_foreign_check_holes(const bloom_foreign_source *source,
	const unsigned char *bytes, uint64_t count, const bloom_foreign_layer *layer,
	uint64_t set_bits, bloom_error *error)
{
	uint64_t whole = layer->bits / 64 * 8;
	uint64_t longest = longest_run(bytes, count < whole ? count : whole) * 8;
	uint64_t places = count / 8 + 1;
	uint64_t keys = (set_bits + layer->probes - 1) / layer->probes;
	double chance = log(damage_chance / (double)places);
	double even = evenness(source, layer->bits);
	double part = keys > 0 && even > 0 ? -expm1(chance / (double)keys) / even : 1;
	double most = part * (double)layer->bits / 8;

	return (double)longest <= most
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_FOREIGN, 0,
			  "layer %u: %llu bytes in a row are 0, but at most %.0f are probable when "
			  "%llu of %llu bits are set: a part of the filter is missing",
			  source->geometry.layers, (unsigned long long)longest, floor(most),
			  (unsigned long long)set_bits, (unsigned long long)layer->bits);
}

/* Returns how many bits that many keys have set at least.
 *
 * Each counted key has set a new bit. Besides, a key with k probes sets at least k − k³/6m
 * different bits on average, because probes i and j are equal with the probability |i − j|/m at
 * most. One key changes the number of set bits by at most k. So by McDiarmid's inequality, it is
 * lower than the mean by more than k·√(−n · ln(chance) / 2) with that chance. */
static double least_bits(uint64_t keys, const bloom_foreign_layer *layer)
{
	double n = (double)keys, bits = (double)layer->bits, probes = layer->probes;
	double each = fmax(1, probes - probes * probes * probes / (6 * bits));
	double mean = -expm1(n * log1p(-each / bits)) * bits;
	double spread = probes * sqrt(-n * log(damage_chance) / 2);

	return fmax(n, mean - spread);
}

bloom_status bloom_foreign_check_fill(const bloom_foreign_source *source, uint64_t keys,
	const bloom_foreign_layer *layer, uint64_t set_bits, bloom_error *error)
{
	double least = least_bits(keys, layer);

	return (double)set_bits >= least
		? BLOOM_OK
		: bloom_fail(error, BLOOM_E_FOREIGN, 0,
			  "layer %u: %llu bits are set, but its %llu keys set at least %.0f: the "
			  "bits are from another time than the header",
			  source->geometry.layers, (unsigned long long)set_bits,
			  (unsigned long long)keys, ceil(least));
}

void bloom_foreign_append(bloom_foreign_source *source, uint64_t bits, uint32_t probes,
	const bloom_dump_string *string, uint32_t skip)
{
	uint32_t layer = source->geometry.layers++;

	source->layers[layer] = (bloom_foreign_layer){.bits = bits, .probes = probes};
	source->parts[layer] = (bloom_foreign_part){.string = *string, .skip = skip};
}

static uint64_t layer_bytes(const bloom_foreign_layer *layer)
{
	return (layer->bits + 7) / 8;
}

bloom_status bloom_foreign_finish(bloom_foreign_source *source, bloom_error *error)
{
	bloom_geometry *geometry = &source->geometry;
	uint64_t total = 0, bytes;
	bloom_foreign_layer *layer;
	bloom_status status;
	uint32_t i;

	if (!source->is_set) {
		return bloom_fail(error, BLOOM_E_FOREIGN_EMPTY, 0, "a filter without keys");
	}
	/* Each layer's size is bounded by the input's, so the sum cannot overflow. */
	for (i = 0; i < geometry->layers; i++) {
		total += layer_bytes(&source->layers[i]);
	}
	bytes = bloom_foreign_shard_bytes(total, geometry->layers);
	geometry->shard_bytes = geometry->block_bytes = (uint32_t)bytes;
	if (total > BLOOM_FILTER_BYTES_MAX) {
		return bloom_fail(
			error, BLOOM_E_TOO_LARGE, 0, "%llu bytes", (unsigned long long)total);
	}
	for (i = 0; i < geometry->layers; i++) {
		layer = &source->layers[i];
		layer->shards = (uint32_t)((layer_bytes(layer) + bytes - 1) / bytes);
		geometry->shards += layer->shards;
		if (layer->probes > geometry->probes) {
			geometry->probes = layer->probes;
		}
	}
	status = bloom_geometry_check(geometry);
	return status == BLOOM_OK ? BLOOM_OK : bloom_fail(error, status, 0, "filter");
}
