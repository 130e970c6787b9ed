/* Secrets: what hostile keys and hostile stores cannot know. The only file that calls libsodium.
 *
 *     ring file ─► bloom_ring ─┬─ secret ─► fingerprint   names it in a blob, tells nothing of it
 *       64 hex digits a line   ├─ secret + a filter's seed ─► key of digest 2 (digest.h)
 *       current, previous, …   └─ signing key ─► signature of a blob (signature.h)
 *
 * Two rings are in use: one of secrets that filters are keyed with, one of keys that blobs are signed
 * with. The first of a ring is the current one, which new filters and signatures get; the others are
 * previous ones, which are still accepted while they stay in the file.
 *
 * The functions, exactly, because other languages read the same blobs (docs/format.md):
 *
 *   fingerprint   the first 8 bytes, little-endian, of BLAKE2b-128(key: secret, person: "bloom
 *                 fingerprnt", of nothing); 1 when that is 0
 *   digest key    BLAKE2b-128(key: secret, person: "bloom digest key", of the seed's 8 bytes)
 *   digest        SipHash-2-4-128(digest key, of the key's bytes)
 *   chunk digest  BLAKE2b-128(of the chunk), without key and person: what `b2sum -l 128` prints
 *   signature     BLAKE2b-256(key: signing key, person: "bloom signature ", of what signature.h says)
 *
 * (SipHash: Aumasson & Bernstein, "SipHash: a fast short-input PRF", 2012. BLAKE2: RFC 7693.)
 *
 * Without libsodium (BLOOM_SODIUM is not defined) all that needs it fails BLOOM_E_SODIUM.
 */
#ifndef BLOOM_SECRET_H
#define BLOOM_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/status.h"

enum {
	BLOOM_SECRET_BYTES = 32,
	BLOOM_RING_SECRETS_MAX = 8,
	BLOOM_RING_FILE_BYTES_MAX = 16384,
	BLOOM_DIGEST_KEY_BYTES = 16,
	BLOOM_BLAKE_CHUNK_BYTES = 16,
	BLOOM_SIGNATURE_BYTES = 32,
};

typedef struct bloom_secret {
	unsigned char bytes[BLOOM_SECRET_BYTES];
	uint64_t fingerprint; /* never 0 */
} bloom_secret;

typedef struct bloom_ring {
	bloom_secret secret[BLOOM_RING_SECRETS_MAX]; /* 0: the current one */
	uint32_t count;
	/* There is a file to be read; without it nothing is signed or keyed here. */
	bool configured;
	bloom_error failure; /* why it could not be read, if so; count is then 0 */
} bloom_ring;

/* Whether this build has libsodium.  Its version, or NULL. */
bool bloom_has_sodium(void);
const char *bloom_sodium_version(void);

/* Makes a secret of 32 bytes.  Fails BLOOM_E_SODIUM. */
bloom_status bloom_secret_make(
	const unsigned char bytes[BLOOM_SECRET_BYTES], bloom_secret *secret, bloom_error *error);

/* Parses a ring file's text: a secret a line, 64 hexadecimal digits; blank lines and those that begin with
 * # mean nothing.
 *
 *   what    names the file in errors, which never hold a byte of its text
 *   *ring   filled on success
 *
 * Fails   BLOOM_E_SECRET_TEXT, naming the line; _SODIUM.
 */
bloom_status bloom_ring_parse(const unsigned char *text, size_t count, const char *what,
	bloom_ring *ring, bloom_error *error);

/* The ring's first.  NULL, with the error filled: nothing is configured, which is `none`, or the file
 * could not be read. `ring` may be NULL. */
const bloom_secret *bloom_ring_current(
	const bloom_ring *ring, bloom_status none, bloom_error *error);

/* The secret of that fingerprint.  NULL, with the error filled: the file could not be read, or it is
 * `unknown`. `ring` may be NULL. */
const bloom_secret *bloom_ring_find(
	const bloom_ring *ring, uint64_t fingerprint, bloom_status unknown, bloom_error *error);

/* Overwrites memory that held a secret, also where the compiler thinks that nobody looks any more. */
void bloom_wipe(void *bytes, size_t count);

/* ---- keyed digests ---- */

void bloom_digest_key(
	const bloom_secret *secret, uint64_t seed, unsigned char key[BLOOM_DIGEST_KEY_BYTES]);

/* SipHash-2-4 with 128 bits of output: its first 8 bytes, and its last 8, as little-endian numbers. */
void bloom_siphash(const unsigned char key[BLOOM_DIGEST_KEY_BYTES], const unsigned char *bytes,
	size_t count, uint64_t *first, uint64_t *last);

/* ---- chunks and signatures ---- */

void bloom_blake_chunk(
	const unsigned char *bytes, size_t count, unsigned char digest[BLOOM_BLAKE_CHUNK_BYTES]);

/* A keyed digest of several pieces, laid end to end. */
typedef struct bloom_piece {
	const unsigned char *bytes;
	size_t count;
} bloom_piece;

void bloom_authenticate(const bloom_secret *key, const bloom_piece *pieces, size_t count,
	unsigned char signature[BLOOM_SIGNATURE_BYTES]);

/* Compares signatures in a time that does not depend on where they differ. */
bool bloom_signature_equals(const unsigned char one[BLOOM_SIGNATURE_BYTES],
	const unsigned char other[BLOOM_SIGNATURE_BYTES]);

#endif
