#include "filter/foreign_source.h"

#include "filter/foreign_size.h"

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
