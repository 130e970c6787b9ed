#include "filter/foreign_layer.h"

#include <math.h>

#include "filter/bytes.h"

enum { ROW_BYTES = 16 }; /* BLOOM_ROW_BYTES of blob.h */

bloom_foreign_layer bloom_foreign_layer_get(const unsigned char *row)
{
	return (bloom_foreign_layer){.bits = bloom_get64(row),
		.probes = bloom_get32(row + 8),
		.shards = bloom_get32(row + 12)};
}

void bloom_foreign_layer_put(const bloom_foreign_layer *layer, unsigned char *row)
{
	bloom_put64(row, layer->bits);
	bloom_put32(row + 8, layer->probes);
	bloom_put32(row + 12, layer->shards);
}

bool bloom_foreign_rate(const bloom_geometry *geometry, const unsigned char *layers,
	const unsigned char *rows, double *rate)
{
	bloom_foreign_layer layer;
	uint64_t set_bits;
	double miss = 1;
	uint32_t i, j;

	for (i = 0; i < geometry->layers; i++, layers += ROW_BYTES) {
		layer = bloom_foreign_layer_get(layers);
		for (set_bits = 0, j = 0; j < layer.shards; j++, rows += ROW_BYTES) {
			set_bits += bloom_get32(rows + 4);
		}
		if (set_bits > layer.bits) {
			return false;
		}
		miss *= 1 - pow((double)set_bits / (double)layer.bits, layer.probes);
	}
	*rate = 1 - miss;
	return true;
}
