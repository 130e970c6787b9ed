/* Knows the keys of chunks in a store, and which chunks a host already serves. */
#ifndef BLOOM_CHUNK_H
#define BLOOM_CHUNK_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/blob.h"

/* A filter's name, a colon, the digest, and a null byte. */
enum { BLOOM_CHUNK_KEY_BYTES = 128 + 1 + 2 * BLOOM_CHUNK_DIGEST_BYTES + 1 };

/* Returns true if the served blob contains chunk `chunk` of a published blob at the same position.
 * Because the served bytes are hashed, a damaged chunk counts as different and is fetched again.
 *
 *   served       the head of the served blob
 *   served_body  the first shard of that blob, in the mapping */
bool bloom_chunk_is_served(const bloom_head *published, uint64_t chunk, const bloom_head *served,
	const unsigned char *served_body);

/* Writes the key under which the store holds a chunk: "<name>:<32 hex digits>". */
void bloom_chunk_key(
	const char *name, const unsigned char *digest, char key[BLOOM_CHUNK_KEY_BYTES]);

#endif
