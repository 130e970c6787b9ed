/* The layers of a foreign filter (foreign.h).
 *
 *     shards     │ layer 0 │ zeros │ layer 1                │ zeros │ …
 *     layer row  u64 bits, u32 probes, u32 shards: 16 bytes, in the head after the chunk rows
 *
 * Each layer starts at a shard, so the shard rows tell how many bits of each layer are set. All
 * functions are pure.
 */
#ifndef BLOOM_FOREIGN_LAYER_H
#define BLOOM_FOREIGN_LAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/geometry.h"

typedef struct bloom_foreign_layer {
	uint64_t bits;   /* m in the literature: indexes are below it */
	uint32_t probes; /* k in the literature */
	uint32_t shards;
} bloom_foreign_layer;

/* Reads and writes a layer row. */
bloom_foreign_layer bloom_foreign_layer_get(const unsigned char *row);
void bloom_foreign_layer_put(const bloom_foreign_layer *layer, unsigned char *row);

/* Computes the rate of a filter, 1 − Π over all layers of (1 − (set bits / m)^k). This assumes that
 * the probes of a key are independent. In the formats of foreign.h they are not quite independent,
 * so layers of a few thousand bits have slightly more false positives.
 *
 *   layers, rows  the layer rows and the shard rows
 *
 * Returns false if more bits of a layer are set than it has. */
bool bloom_foreign_rate(const bloom_geometry *geometry, const unsigned char *layers,
	const unsigned char *rows, double *rate);

#endif
