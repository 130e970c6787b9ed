/* Writes the filter of a blob of scheme 4 as the bytes that the other system reads.
 *
 *     VALKEYPROB   the string of the key. It ends at the last byte that is not 0, as in the server
 *     REDISBLOOM   the data of BF.SCANDUMP: header, then the bits of each layer
 *
 *     REDISBLOOM header, packed and little-endian
 *      0  u64  keys                      20 + 53·j  u64  bytes of layer j
 *      8  u32  layers                          +8   u64  bits, 8 · bytes
 *     12  u32  options                        +16   u64  keys
 *     16  u32  growth                         +24   f64  rate
 *                                             +32   f64  bits per key
 *                                             +40   u32  probes
 *                                             +44   u64  capacity
 *                                             +52   u8   0
 *
 * A blob contains only the sums of a filter's keys and capacities, its requested rate, and the
 * bits and probes of its layers. The rest follows from the rules by which RedisBloom appends
 * layers: each one has `growth` times the capacity and half of the rate of the one before, and is
 * appended when that one is full. We search the growth that leads to the layers of the blob, so a
 * wrong header is never written. The growth of a filter with a single layer is unknown, so it
 * becomes 2, which is the server's default.
 *
 * Source: the layout of BF.SCANDUMP and the rules from RedisBloom b28c294.
 *
 * All functions are pure.
 */
#ifndef BLOOM_FOREIGN_EXPORT_H
#define BLOOM_FOREIGN_EXPORT_H

#include <stdint.h>

#include "filter/blob.h"

/* What is written about a filter. */
typedef struct bloom_foreign_export {
	uint64_t bytes; /* in total */
	/* REDISBLOOM: of the first layer */
	uint64_t capacity_keys;
	double rate;
	uint32_t options;
	uint32_t growth;
} bloom_foreign_export;

/* Plans the export of a verified blob, whose shard 0 is `body`.
 *
 * Errors: BLOOM_E_NO_EXPORT if no other system reads this filter; BLOOM_E_EXPORT_LAYERS if
 * RedisBloom would not have created its layers, so that no header would be true.
 */
bloom_status bloom_foreign_export_plan(const bloom_head *head, const unsigned char *body,
	bloom_foreign_export *plan, bloom_error *error);

/* Writes plan->bytes bytes. */
void bloom_foreign_export_write(const bloom_head *head, const unsigned char *body,
	const bloom_foreign_export *plan, unsigned char *bytes);

#endif
