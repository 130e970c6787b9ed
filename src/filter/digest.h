/* A digest is the 64-bit hash of a key, and its bits decide where the key is in a filter.
 *
 * A filter uses one of two hash functions. A bloom_hasher records which one.
 *
 *   1  XXH3-64 of the key, seeded (xxHash 0.8 specification). It is fast, but every blob contains
 *      its seed, so an attacker can construct keys that collide.
 *   2  SipHash-2-4 of the key, 64 bits, keyed with 16 bytes that secret.h derives from a secret and
 *      the seed. An attacker without the secret cannot construct collisions.
 *
 * Both functions are frozen, because a blob that is written today must remain readable. A new hash
 * function gets a new number.
 *
 *     key ──► digest, 64 bits ─┬─► block = ⌊digest · blocks / 2^64⌋
 *                              └─► probe stream: words that choose bits within the block
 *
 *                                  word 0 = digest · 0xD1B54A32D192ED03  mod 2^64
 *                                  word j = mix13(word 0 + j · 0x9E3779B97F4A7C15),  j ≥ 1
 *
 * Each probe takes log2(block bits) bits from a word, lowest bits first. If the remaining bits are
 * too few for another probe, they are not used. In 64-byte blocks one word serves 7 probes, so a
 * filter with a rate of 1 % never computes word 1.
 *
 * Bit budget. The block depends on the highest log2(blocks) bits of the digest, at most 40. Bit i
 * of word 0 depends on bits 0 to i of the digest, because the product is taken mod 2^64. The low
 * bits of word 0 are therefore independent of the block. The multiplication is a bijection that
 * also spreads the low bits of the digest over the high bits of word 0, so the probes of two keys
 * in the same block rarely resemble each other. Measured rates agree with predictions that assume
 * independent probes (docs/dev/measurements.md).
 *
 * Two different keys have the same digest with a probability of 2^-64. No filter can distinguish
 * them, so no rate is below keys / 2^64 (rate.h).
 *
 * The words j ≥ 1 are SplitMix64 outputs (Steele, Lea & Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014) with variant 13 of Stafford's finalizer.
 *
 * A ribbon filter uses the bits differently (ribbon.h).
 */
#ifndef BLOOM_DIGEST_H
#define BLOOM_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "filter/secret.h"

enum { BLOOM_DIGEST_XXH3_64 = 1, BLOOM_DIGEST_SIPHASH = 2 };

typedef uint64_t bloom_digest;

/* Hashes a key with XXH3-64.
 *
 *   key        may be NULL if `key_bytes` is 0
 *   key_bytes  length in bytes; the key may contain any byte values
 *   seed       the filter's seed
 *
 * Cost: about 10 ns for a short key, 10 GB/s for a long key; no allocation.
 */
static inline bloom_digest bloom_digest_of(
	const unsigned char *key, size_t key_bytes, uint64_t seed)
{
	return XXH3_64bits_withSeed(key, key_bytes, seed);
}

/* The hash function of one filter, with its key. Wipe the struct after use, because for hash
 * function 2 it contains bytes derived from a secret. */
typedef struct bloom_hasher {
	uint64_t seed;
	uint32_t digest; /* BLOOM_DIGEST_…; 0: not set */
	unsigned char key[BLOOM_DIGEST_KEY_BYTES];
} bloom_hasher;

/* Makes the hasher of a filter. A `secret` of NULL selects hash function 1. */
bloom_hasher bloom_hasher_of(uint64_t seed, const bloom_secret *secret);

/* Makes the hasher of a filter whose secret is identified by a fingerprint.
 *
 *   fingerprint  0 selects hash function 1, and `ring` is not used
 *   *hasher      set on success
 *
 * Errors: BLOOM_E_SECRET if the ring lacks the secret; ring->failure if the ring's file could not
 * be read.
 */
bloom_status bloom_hasher_find(uint64_t seed, uint64_t fingerprint, const bloom_ring *ring,
	bloom_hasher *hasher, bloom_error *error);

/* Hashes a key with SipHash. */
bloom_digest bloom_digest_keyed(
	const bloom_hasher *hasher, const unsigned char *key, size_t key_bytes);

/* Hashes a key with the filter's hash function.
 *
 * Cost: that of bloom_digest_of() for hash function 1. Hash function 2 takes 20 ns for a short key
 * and processes 1.5 GB/s for a long key.
 */
static inline bloom_digest bloom_hash(
	const bloom_hasher *hasher, const unsigned char *key, size_t key_bytes)
{
	return hasher->digest == BLOOM_DIGEST_XXH3_64
		? bloom_digest_of(key, key_bytes, hasher->seed)
		: bloom_digest_keyed(hasher, key, key_bytes);
}

/* SplitMix64's finalizer, Stafford's variant 13. */
static inline uint64_t bloom_mix13(uint64_t word)
{
	word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
	return word ^ (word >> 31);
}

/* Word 0 of the probe stream. */
static inline uint64_t bloom_digest_probes(bloom_digest digest)
{
	return digest * UINT64_C(0xD1B54A32D192ED03);
}

/* Word j of the probe stream whose word 0 is `probes`; j ≥ 1. */
static inline uint64_t bloom_digest_word(uint64_t probes, uint32_t j)
{
	return bloom_mix13(probes + j * UINT64_C(0x9E3779B97F4A7C15));
}

/* Derives the digest of a value in one node of a reverse index with one SplitMix64 step. `node` is
 * the node's number. */
static inline bloom_digest bloom_digest_in_node(bloom_digest value, uint64_t node)
{
	return bloom_mix13(value + (node + 1) * UINT64_C(0x9E3779B97F4A7C15));
}

/* Checksum of a head or a shard: XXH3-64 with seed 0. It detects accidental damage, but not
 * forgery. */
uint64_t bloom_checksum(const unsigned char *bytes, size_t count);

enum {
	BLOOM_CHUNK_DIGEST_XXH3_128 = 1,
	BLOOM_CHUNK_DIGEST_BLAKE2B = 2,
	BLOOM_CHUNK_DIGEST_BYTES = 16,
};

/* Computes the name of a chunk, 16 bytes.
 *
 *   kind 1  XXH3-128 with seed 0 in xxHash's canonical form: both halves big-endian, the high half
 *           first. In hexadecimal it is the output of `xxh128sum`.
 *   kind 2  BLAKE2b-128, the output of `b2sum -l 128`. Signed blobs use it, because an attacker
 *           cannot find other bytes with the same digest.
 */
void bloom_chunk_digest(uint32_t kind, const unsigned char *bytes, size_t count,
	unsigned char digest[BLOOM_CHUNK_DIGEST_BYTES]);

#endif
