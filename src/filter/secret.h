/* Secrets: the keys for keyed filters and for signatures. Only secret.c calls libsodium.
 *
 *     ring file ─► bloom_ring ─┬─ secret ─► fingerprint       identifies the secret in a blob
 *       64 hex digits a line   ├─ secret + seed ─► key of hash function 2 (digest.h)
 *       current, previous, …   └─ signing key ─► signature of a blob (signature.h)
 *
 * A process uses two rings: one contains the secrets of keyed filters, and the other contains the
 * signing keys. The first entry of a ring is the current secret, which new filters and new
 * signatures use. The other entries are earlier secrets, which the process accepts as long as the
 * file lists them.
 *
 * Programs in other languages read the same blobs, so these definitions are part of the format
 * (docs/dev/blob.md):
 *
 *   fingerprint   bytes 0 to 7, little-endian, of BLAKE2b-128(key: secret, personalization:
 *                 "bloom fingerprnt", message: empty). The value 0 is replaced by 1.
 *   digest key    BLAKE2b-128(key: secret, personalization: "bloom digest key", message: the seed,
 *                 8 bytes little-endian)
 *   digest        SipHash-2-4(key: digest key, message: the key of the filter)
 *   chunk digest  BLAKE2b-128(message: the chunk), the output of `b2sum -l 128`
 *   signature     BLAKE2b-256(key: signing key, personalization: "bloom signature ", message:
 *                 see signature.h). For a record of a journal: "bloom journal   ", see
 *                 journal_record.h. For an override: "bloom override  ", see override.h
 *
 * Sources: Aumasson & Bernstein, "SipHash: a fast short-input PRF", 2012; RFC 7693 for BLAKE2.
 *
 * A build without libsodium does not define BLOOM_SODIUM. In such a build, every function that
 * needs a secret fails with BLOOM_E_SODIUM.
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
	bloom_secret secret[BLOOM_RING_SECRETS_MAX]; /* entry 0 is current */
	uint32_t count;
	/* True if a ring file is configured. Without a ring file the ring is empty. */
	bool configured;
	bloom_error failure; /* why the file could not be read; in that case `count` is 0 */
} bloom_ring;

/* bloom_has_sodium() returns true if this build has libsodium. bloom_sodium_version() returns the
 * version of libsodium, or NULL in a build without libsodium. */
bool bloom_has_sodium(void);
const char *bloom_sodium_version(void);

/* Makes a secret from 32 bytes and computes its fingerprint. Errors: BLOOM_E_SODIUM. */
bloom_status bloom_secret_make(
	const unsigned char bytes[BLOOM_SECRET_BYTES], bloom_secret *secret, bloom_error *error);

/* Parses the text of a ring file. Each line contains one secret, written as 64 hexadecimal digits.
 * Blank lines and lines that start with # are ignored.
 *
 *   what    the name of the file for error messages, which never quote the file's contents
 *   *ring   set on success
 *
 * Errors: BLOOM_E_SECRET_TEXT, with the line number; BLOOM_E_SODIUM.
 */
bloom_status bloom_ring_parse(const unsigned char *text, size_t count, const char *what,
	bloom_ring *ring, bloom_error *error);

/* Returns the current secret of a ring. If the ring is empty, returns NULL and fills `error`.
 *
 *   ring  may be NULL
 *   none  the status to report if no ring is configured
 *
 * Errors: `none`; ring->failure if the ring's file could not be read.
 */
const bloom_secret *bloom_ring_current(
	const bloom_ring *ring, bloom_status none, bloom_error *error);

/* Looks up a secret by its fingerprint. Returns NULL and fills `error` if the ring does not contain
 * that secret.
 *
 *   ring     may be NULL
 *   unknown  the status to report if the ring does not contain the secret
 *
 * Errors: `unknown`; ring->failure if the ring's file could not be read.
 */
const bloom_secret *bloom_ring_find(
	const bloom_ring *ring, uint64_t fingerprint, bloom_status unknown, bloom_error *error);

/* Overwrites memory that contained a secret. The compiler cannot optimize this write away. */
void bloom_wipe(void *bytes, size_t count);

/* ---- keyed digests ---- */

/* Derives the SipHash key for filters with this secret and seed. */
void bloom_digest_key(
	const bloom_secret *secret, uint64_t seed, unsigned char key[BLOOM_DIGEST_KEY_BYTES]);

/* Computes SipHash-2-4. Returns its 8 bytes of output as a little-endian number. */
uint64_t bloom_siphash(
	const unsigned char key[BLOOM_DIGEST_KEY_BYTES], const unsigned char *bytes, size_t count);

/* ---- chunks and signatures ---- */

/* Computes BLAKE2b-128 without a key. */
void bloom_blake_chunk(
	const unsigned char *bytes, size_t count, unsigned char digest[BLOOM_BLAKE_CHUNK_BYTES]);

/* One part of a message that is not contiguous in memory. */
typedef struct bloom_piece {
	const unsigned char *bytes;
	size_t count;
} bloom_piece;

/* What is signed. A signature for one purpose is never valid for another. */
typedef enum bloom_authenticated {
	BLOOM_AUTHENTICATE_HEAD,     /* of a blob: signature.h */
	BLOOM_AUTHENTICATE_RECORD,   /* of a journal: journal_record.h */
	BLOOM_AUTHENTICATE_OVERRIDE, /* override.h */
} bloom_authenticated;

/* Computes the signature of the concatenated pieces. */
void bloom_authenticate(const bloom_secret *key, bloom_authenticated what,
	const bloom_piece *pieces, size_t count, unsigned char signature[BLOOM_SIGNATURE_BYTES]);

/* Compares two signatures in constant time, so an attacker learns nothing from the timing. */
bool bloom_signature_equals(const unsigned char one[BLOOM_SIGNATURE_BYTES],
	const unsigned char other[BLOOM_SIGNATURE_BYTES]);

#endif
