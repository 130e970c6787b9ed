/* key bytes + seed → digest: what the hash makes of a key, and the budget of its bits.
 *
 * There are two, and a filter has one of them. A bloom_hasher is the choice made.
 *
 *   1  XXH3-128 of the key with the seed. The fast one. Whoever knows the seed, which every blob shows, can
 *      make keys with the digest that he wants.
 *   2  SipHash-2-4-128 of the key with 16 bytes that a secret and the seed give (secret.h): for keys that
 *      an enemy chooses. Its first 8 bytes are place, its last 8 probes.
 *
 * Digest 1 is XXH3's 128-bit hash with a 64-bit seed (xxHash 0.8 specification). It is frozen: a
 * blob written today must be readable for ever, so another hash gets another number.
 *
 *        XXH3-128(key, seed)
 *   ┌──────────────┬──────────────┐
 *   │ high 64 bits │ low 64 bits  │
 *   └──────┬───────┴──────┬───────┘
 *          │              └─ probes: which bits inside the block
 *          └─ place: which block of the filter, and by that which shard
 *
 * The budget. No bit decides two things:
 *   place   block = ⌊place · blocks / 2^64⌋, so the high log2(blocks) bits, 40 at most;
 *           shard = block / blocks per shard, the highest of those.
 *   probes  word 0 is the low half itself; its lowest log2(block bits) bits are probe 0, the next
 *           ones probe 1, and so on while a whole field is left. Then word 1, word 2, … follow,
 *           each cut up the same way:
 *           word j = mix13(low + j · 0x9E3779B97F4A7C15)
 *           (SplitMix64: Steele, Lea & Flood, "Fast splittable pseudorandom number generators",
 *           OOPSLA 2014, with Stafford's variant 13 of the finalizer.)
 *           In 64-byte blocks word 0 serves 7 probes: a 1 % filter never needs word 1.
 * Of a ribbon filter (ribbon.h) place is the shard and the start in it, the lowest 33 bits of word 0 are the
 * result, and a later word is the coefficients.
 */
#ifndef BLOOM_DIGEST_H
#define BLOOM_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "filter/secret.h"

enum { BLOOM_DIGEST_XXH3_128 = 1, BLOOM_DIGEST_SIPHASH = 2 };

typedef struct bloom_digest {
	uint64_t hash_hi;
	uint64_t hash_lo;
} bloom_digest;

/* The digest of a key.
 *
 *   key     `key_bytes` bytes, any values; may be NULL when key_bytes is 0
 *   seed    the filter's
 *
 * Cost    about 10 ns for a short key, 10 GB/s for a long one; no allocation.
 */
static inline bloom_digest bloom_digest_of(
	const unsigned char *key, size_t key_bytes, uint64_t seed)
{
	XXH128_hash_t hash = XXH3_128bits_withSeed(key, key_bytes, seed);

	return (bloom_digest){.hash_hi = hash.high64, .hash_lo = hash.low64};
}

/* What makes digests of a filter's keys. With digest 2 it holds what its secret gave: wipe it. */
typedef struct bloom_hasher {
	uint64_t seed;
	uint32_t digest; /* 0: none yet */
	unsigned char key[BLOOM_DIGEST_KEY_BYTES];
} bloom_hasher;

/* Of a filter with that seed.
 *
 *   secret   NULL: digest 1
 */
bloom_hasher bloom_hasher_of(uint64_t seed, const bloom_secret *secret);

/* The same by the fingerprint that the filter names; 0: digest 1.
 *
 *   *hasher  filled on success
 *
 * Fails   BLOOM_E_SECRET: the ring has no such secret; or why the ring could not be read.
 */
bloom_status bloom_hasher_find(uint64_t seed, uint64_t fingerprint, const bloom_ring *ring,
	bloom_hasher *hasher, bloom_error *error);

/* The digest that is not inline. */
bloom_digest bloom_digest_keyed(
	const bloom_hasher *hasher, const unsigned char *key, size_t key_bytes);

/* The digest of a key, of whichever kind.
 *
 * Cost    as bloom_digest_of() for digest 1; 20 ns and 1.5 GB/s for digest 2.
 */
static inline bloom_digest bloom_hash(
	const bloom_hasher *hasher, const unsigned char *key, size_t key_bytes)
{
	return hasher->digest == BLOOM_DIGEST_XXH3_128
		? bloom_digest_of(key, key_bytes, hasher->seed)
		: bloom_digest_keyed(hasher, key, key_bytes);
}

static inline uint64_t bloom_mix13(uint64_t word)
{
	word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
	return word ^ (word >> 31);
}

/* Word j (j ≥ 1) of the probe stream that begins with `low`. */
static inline uint64_t bloom_digest_word(uint64_t low, uint32_t j)
{
	return bloom_mix13(low + j * UINT64_C(0x9E3779B97F4A7C15));
}

/* The digest of a value in node `node` of a reverse index: SplitMix64 again, with another odd step
 * for the probes, so that they follow another sequence than the words above. The budget is the same,
 * and the lowest 10 bits of place, which no filter of less than 2^54 blocks looks at, rotate the
 * columns (reverse.h). */
static inline bloom_digest bloom_digest_in_node(bloom_digest value, uint64_t node)
{
	return (bloom_digest){
		.hash_hi = bloom_mix13(value.hash_hi + (node + 1) * UINT64_C(0x9E3779B97F4A7C15)),
		.hash_lo = bloom_mix13(value.hash_lo + (node + 1) * UINT64_C(0xD1B54A32D192ED03)),
	};
}

/* Checksum of a head or a shard: XXH3-64, seed 0. Finds accidents, not forgeries. */
uint64_t bloom_checksum(const unsigned char *bytes, size_t count);

enum {
	BLOOM_CHUNK_DIGEST_XXH3_128 = 1,
	BLOOM_CHUNK_DIGEST_BLAKE2B = 2,
	BLOOM_CHUNK_DIGEST_BYTES = 16,
};

/* The name of a chunk.
 *
 *   kind    1: XXH3-128, seed 0, high half first, each half big-endian (xxHash's canonical form, so that its
 *           hexadecimal text is what `xxh128sum` prints). 2, of signed blobs: BLAKE2b-128, as
 *           `b2sum -l 128` prints it, which nobody can make other bytes for
 */
void bloom_chunk_digest(uint32_t kind, const unsigned char *bytes, size_t count,
	unsigned char digest[BLOOM_CHUNK_DIGEST_BYTES]);

#endif
