/* The sizes that other systems choose for a filter of a given capacity and rate (foreign.h).
 *
 *     format       bits m                                     probes k
 *     VALKEYPROB   ⌈−n · ln p / ln²2⌉, at most 2^32           m/n · ln 2, rounded
 *     REDISBLOOM   ⌊n · b⌋, rounded up to a multiple of 64    ⌈b · ln 2⌉,  b = −ln p / ln²2
 *
 * A filter that is built here gets exactly these sizes, because the other system computes them
 * again when it reads the filter, or stores neither. So all formulas have the other system's order
 * of operations and its constants, which round the results equally.
 *
 * All functions are pure.
 */
#ifndef BLOOM_FOREIGN_SIZE_H
#define BLOOM_FOREIGN_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/foreign_layer.h"
#include "filter/geometry.h"

/* The length of the longest string of Redis and Valkey in bits, and so of a VALKEYPROB filter. */
#define BLOOM_VALKEYPROB_BITS_MAX (UINT64_C(1) << 32)

/* Compute the bits and probes of a VALKEYPROB filter, which may be out of range, and the bits per
 * key of a REDISBLOOM layer. */
void bloom_valkeyprob_size(double keys, double rate, double *bits, double *probes);
double bloom_redisbloom_bits_per_key(double rate);

/* Computes the layer that another system creates for `keys` keys. Returns false if it would have no
 * probes, too many of them, or more bits than the format or this build allows.
 *
 *   format  VALKEYPROB or REDISBLOOM
 *   rate    above 0 and below 1
 *   *layer  `shards` is set to 0 */
bool bloom_foreign_layer_size(
	bloom_foreign_format format, uint64_t keys, double rate, bloom_foreign_layer *layer);

/* Returns the size of the shards of a filter whose layers have `bytes` bytes together. They are as
 * large as possible, as long as the zeros after the layers stay below a sixteenth of the filter. */
uint32_t bloom_foreign_shard_bytes(uint64_t bytes, uint32_t layers);

/* Returns the expected rate of a layer with that many keys: (1 − e^(−kn/m))^k. */
double bloom_foreign_expected_rate(const bloom_foreign_layer *layer, uint64_t keys);

/* Estimates how many keys set that many bits of a layer, as bloom_geometry_estimated_keys() does.
 * Returns infinity if all bits are set. */
double bloom_foreign_estimated_keys(const bloom_foreign_layer *layer, uint64_t set_bits);

#endif
