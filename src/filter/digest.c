#include "filter/digest.h"

#include <assert.h>
#include <string.h>

uint64_t bloom_checksum(const unsigned char *bytes, size_t count)
{
	return XXH3_64bits(bytes, count);
}

bloom_hasher bloom_hasher_of(uint64_t seed, const bloom_secret *secret)
{
	bloom_hasher hasher = {.seed = seed, .digest = BLOOM_DIGEST_XXH3_64};

	if (secret != NULL) {
		hasher.digest = BLOOM_DIGEST_SIPHASH;
		bloom_digest_key(secret, seed, hasher.key);
	}
	return hasher;
}

bloom_status bloom_hasher_find(uint64_t seed, uint64_t fingerprint, const bloom_ring *ring,
	bloom_hasher *hasher, bloom_error *error)
{
	const bloom_secret *secret = NULL;
	bloom_error unknown;

	if (fingerprint != 0) {
		secret = bloom_ring_find(ring, fingerprint, BLOOM_E_SECRET, &unknown);
		if (secret == NULL) {
			return bloom_fail(
				error, unknown.status, unknown.os_error, "%s", unknown.subject);
		}
	}
	*hasher = bloom_hasher_of(seed, secret);
	return BLOOM_OK;
}

bloom_digest bloom_digest_keyed(
	const bloom_hasher *hasher, const unsigned char *key, size_t key_bytes)
{
	/* Hashing with the wrong function would cause false negatives. */
	assert(hasher->digest == BLOOM_DIGEST_SIPHASH);
	return bloom_siphash(hasher->key, key, key_bytes);
}

void bloom_chunk_digest(uint32_t kind, const unsigned char *bytes, size_t count,
	unsigned char digest[BLOOM_CHUNK_DIGEST_BYTES])
{
	XXH128_canonical_t canonical;

	_Static_assert(sizeof canonical.digest == BLOOM_CHUNK_DIGEST_BYTES, "XXH3-128 is 16 bytes");
	_Static_assert((int)BLOOM_BLAKE_CHUNK_BYTES == (int)BLOOM_CHUNK_DIGEST_BYTES,
		"BLAKE2b-128 is 16 bytes");
	if (kind == BLOOM_CHUNK_DIGEST_BLAKE2B) {
		bloom_blake_chunk(bytes, count, digest);
		return;
	}
	XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, count));
	memcpy(digest, canonical.digest, BLOOM_CHUNK_DIGEST_BYTES);
}
