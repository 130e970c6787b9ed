/* Writes the heads of blobs, whose format blob.h describes. All functions are pure and allocate no
 * memory. */
#ifndef BLOOM_BLOB_WRITE_H
#define BLOOM_BLOB_WRITE_H

#include "filter/blob.h"

/* Writes the head of a blob whose shards are finished.
 *
 * The function sets meta->measured_rate to the mean of (set bits / bits)^probes over all lanes.
 * This mean is exactly the probability that a lookup of a random absent key returns "maybe".
 *
 *   shard_keys  number of keys per shard that set at least one new bit when they were added
 *   body        the shards
 *   head        receives bloom_head_bytes() bytes
 *
 * Cost: one pass over the shards.
 */
void bloom_head_write(const bloom_geometry *geometry, bloom_meta *meta, const uint32_t *shard_keys,
	const unsigned char *body, unsigned char *head);

/* Writes the head of a ribbon filter or a map, and sets meta->measured_rate to the probability that
 * a random absent key passes, which follows from the thresholds of the shards.
 *
 *   shard_keys  keys per shard; in a map, keys that have their equation in the shard
 */
void bloom_head_write_solved(const bloom_geometry *geometry, bloom_meta *meta,
	const uint32_t *shard_keys, const unsigned char *body, unsigned char *head);

/* Writes the head of a foreign filter, whose geometry must be checked. The layers must fill the
 * shards, and no bits beyond a layer's may be set.
 *
 *   layers       geometry->layers of them
 *   foreign_key  BLOOM_FOREIGN_KEY_BYTES bytes, 0 unless the format has keys
 */
void bloom_head_write_foreign(const bloom_geometry *geometry, bloom_meta *meta,
	const bloom_foreign_layer *layers, const unsigned char *foreign_key, uint64_t keys,
	const unsigned char *body, unsigned char *head);

/* Writes the chunk rows. `kind` selects the digest function, BLOOM_CHUNK_DIGEST_…. */
void bloom_chunk_rows_write(const bloom_geometry *geometry, uint32_t chunk_bytes, uint32_t kind,
	const unsigned char *body, unsigned char *rows);

#endif
