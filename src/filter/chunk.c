#include "filter/chunk.h"

#include <stdio.h>
#include <string.h>

bool bloom_chunk_is_served(const bloom_head *published, uint64_t chunk, const bloom_head *served,
	const unsigned char *served_body)
{
	const unsigned char *wanted = bloom_head_chunk(published, chunk);
	uint64_t length;

	if (published->chunk_digest != served->chunk_digest ||
		published->meta.chunk_bytes != served->meta.chunk_bytes ||
		chunk >= served->chunks) {
		return false;
	}
	length = bloom_head_chunk_length(published, chunk);
	if (length != bloom_head_chunk_length(served, chunk) ||
		memcmp(wanted, bloom_head_chunk(served, chunk), BLOOM_CHUNK_DIGEST_BYTES) != 0) {
		return false;
	}
	return bloom_chunk_matches(
		published, chunk, served_body + bloom_head_chunk_offset(served, chunk));
}

void bloom_chunk_key(const char *name, const unsigned char *digest, char key[BLOOM_CHUNK_KEY_BYTES])
{
	int at = snprintf(key, BLOOM_CHUNK_KEY_BYTES, "%s:", name);
	int i;

	for (i = 0; i < BLOOM_CHUNK_DIGEST_BYTES; i++) {
		at += snprintf(key + at, (size_t)(BLOOM_CHUNK_KEY_BYTES - at), "%02x", digest[i]);
	}
}
