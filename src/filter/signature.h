/* Signatures prove that a holder of the signing key published this blob under this name.
 *
 *     signature ──► head ──► chunk digests ──► every byte of the shards
 *        └────────► name
 *
 * A signed head names its key by a fingerprint and uses BLAKE2b for the chunk digests. XXH3 would
 * not be secure, because an attacker with write access to the store could construct different
 * bytes with the same XXH3 digest. The signed message is
 *
 *     length of the name, u64 │ name │ head without its checksum, with a zero signature
 *
 * The head contains the chunk digests, so each chunk can be verified independently. An on-demand
 * filter verifies each chunk when it arrives. Because the name is signed, an attacker cannot pass
 * off one filter's blob as that of a different filter. The head also contains the build time, so
 * that the switch can reject a blob that is older than the served one (stage.h).
 *
 * The key is symmetric, so every host that can verify signatures can also create them.
 */
#ifndef BLOOM_SIGNATURE_H
#define BLOOM_SIGNATURE_H

#include "filter/blob.h"
#include "filter/secret.h"

/* Signs a verified blob in place. Changes the chunk rows, the signature and the head's checksum.
 *
 *   bytes   the whole blob; `head` must have been parsed from these bytes or from a copy of them
 *   *head   on success, describes the signed blob and borrows `bytes`
 */
bloom_status bloom_sign(unsigned char *bytes, const char *name, const bloom_secret *key,
	bloom_head *head, bloom_error *error);

/* Checks whether a head may be served or published under a name. If no ring is configured, every
 * head is accepted.
 *
 *   bytes   the bytes that `head` was parsed from
 *   ring    the signing keys; may be NULL
 *
 * Errors: BLOOM_E_UNSIGNED, _SIGNER, _SIGNATURE; ring->failure if the ring's file could not be
 * read.
 * Cost: one pass over the head.
 */
bloom_status bloom_signature_check(const bloom_head *head, const unsigned char *bytes,
	const char *name, const bloom_ring *ring, bloom_error *error);

#endif
