#include "filter/signature.h"

#include <string.h>

#include "filter/blob_write.h"
#include "filter/bytes.h"

static void make_signature(const unsigned char *bytes, uint64_t head_bytes, const char *name,
	const bloom_secret *key, unsigned char signature[BLOOM_SIGNATURE_BYTES])
{
	static const unsigned char zeros[BLOOM_SIGNATURE_BYTES];
	const uint64_t after = BLOOM_AT_SIGNATURE + BLOOM_SIGNATURE_BYTES;
	unsigned char length[8];
	const bloom_piece pieces[] = {
		{length, sizeof length},
		{(const unsigned char *)name, strlen(name)},
		{bytes, BLOOM_AT_SIGNATURE},
		{zeros, sizeof zeros},
		{bytes + after, (size_t)(head_bytes - BLOOM_HEAD_CHECKSUM_BYTES - after)},
	};

	bloom_put64(length, strlen(name));
	bloom_authenticate(
		key, BLOOM_AUTHENTICATE_HEAD, pieces, sizeof pieces / sizeof *pieces, signature);
}

bloom_status bloom_sign(unsigned char *bytes, const char *name, const bloom_secret *key,
	bloom_head *head, bloom_error *error)
{
	uint64_t head_bytes = head->head_bytes, file_bytes = head->file_bytes;

	/* The order matters: the signature covers the chunk rows, and the checksum covers both. */
	bloom_put32(bytes + BLOOM_AT_CHUNK_DIGEST, BLOOM_CHUNK_DIGEST_BLAKE2B);
	bloom_put64(bytes + BLOOM_AT_SIGNER, key->fingerprint);
	bloom_chunk_rows_write(&head->geometry, head->meta.chunk_bytes, BLOOM_CHUNK_DIGEST_BLAKE2B,
		bytes + head_bytes,
		bytes + BLOOM_HEAD_FIXED_BYTES + head->geometry.shards * BLOOM_ROW_BYTES);
	make_signature(bytes, head_bytes, name, key, bytes + BLOOM_AT_SIGNATURE);
	bloom_put64(bytes + head_bytes - BLOOM_HEAD_CHECKSUM_BYTES,
		bloom_checksum(bytes, (size_t)(head_bytes - BLOOM_HEAD_CHECKSUM_BYTES)));
	return bloom_blob_parse(bytes, file_bytes, head, error);
}

bloom_status bloom_signature_check(const bloom_head *head, const unsigned char *bytes,
	const char *name, const bloom_ring *ring, bloom_error *error)
{
	unsigned char expected[BLOOM_SIGNATURE_BYTES];
	const bloom_secret *key;
	bloom_error unknown;
	bool fits;

	if (ring == NULL || !ring->configured) {
		return BLOOM_OK;
	}
	/* If the key file could not be read, report that first, even for an unsigned blob: no blob
	 * can be accepted until the file can be read. */
	if (ring->failure.status != BLOOM_OK || head->signer != 0) {
		key = bloom_ring_find(ring, head->signer, BLOOM_E_SIGNER, &unknown);
		if (key == NULL) {
			return bloom_fail(
				error, unknown.status, unknown.os_error, "%s", unknown.subject);
		}
	} else {
		return bloom_fail(error, BLOOM_E_UNSIGNED, 0, "%s", name);
	}
	make_signature(bytes, head->head_bytes, name, key, expected);
	fits = bloom_signature_equals(expected, bytes + BLOOM_AT_SIGNATURE);
	/* For a forged head, `expected` is the signature that the attacker needs. Do not leave it
	 * in memory. */
	bloom_wipe(expected, sizeof expected);
	return fits ? BLOOM_OK : bloom_fail(error, BLOOM_E_SIGNATURE, 0, "%s", name);
}
