/* Signatures: that a blob's every byte, and its name, come from someone who has the signing key.
 *
 * A signed head names the key by its fingerprint and has chunk digest 2, BLAKE2b-128 of each chunk, which
 * XXH3 cannot be in its place: it finds accidents, and whoever can write into the store can make bytes
 * that have the same one. The signature is of
 *
 *     u64 length of the filter's name │ the name │ the head up to its checksum, with 32 zeros where the
 *                                                  signature stands
 *
 * so the head vouches for the chunks, and the name keeps one filter's blob from being served as another's. The
 * time at which the blob was built is in the head, too: what is older than the version served is refused
 * by the switch (stage.h).
 *
 * The key is symmetric: whoever can verify can sign.
 */
#ifndef BLOOM_SIGNATURE_H
#define BLOOM_SIGNATURE_H

#include "filter/blob.h"
#include "filter/secret.h"

/* Signs a whole verified blob in place: its chunk rows, the signature and the head's checksum change.
 *
 *   bytes   the blob that `head` was parsed from; head borrows other bytes or these
 *   head    parsed anew on success
 */
bloom_status bloom_sign(unsigned char *bytes, const char *name, const bloom_secret *key,
	bloom_head *head, bloom_error *error);

/* Whether a head may be served, or published, under a name. Without a configured ring everything may.
 *
 *   bytes   that `head` was parsed from
 *   ring    of signing keys, or NULL
 *
 * Fails   BLOOM_E_UNSIGNED, _SIGNER, _SIGNATURE; or why the ring could not be read.
 * Cost    one pass over the head.
 */
bloom_status bloom_signature_check(const bloom_head *head, const unsigned char *bytes,
	const char *name, const bloom_ring *ring, bloom_error *error);

#endif
