#include "digest.h"

#include <string.h>

uint64_t bloom_checksum(const unsigned char *bytes, size_t count)
{
	return XXH3_64bits(bytes, count);
}

void bloom_chunk_digest(
	const unsigned char *bytes, size_t count, unsigned char digest[BLOOM_CHUNK_DIGEST_BYTES])
{
	XXH128_canonical_t canonical;

	_Static_assert(sizeof canonical.digest == BLOOM_CHUNK_DIGEST_BYTES, "XXH3-128 is 16 bytes");
	XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, count));
	memcpy(digest, canonical.digest, BLOOM_CHUNK_DIGEST_BYTES);
}
