/* Serves filters that other systems wrote, with their bits as they are.
 *
 * Because the bits of a foreign filter do not contain the keys, they cannot be converted. This is
 * why each format keeps its own hash function, its own rule for the bits of a key and its own
 * order of bits:
 *
 *     key ──► pair of 64-bit hashes ──► index i of probe i, below the layer's bits ──► byte and bit
 *
 *     format        hashes h, g                      index of probe i (mod 2^64, then mod m)
 *     VALKEYPROB    MurmurHash3 x64_128, seed 0      h + i·g
 *     REDISBLOOM    MurmurHash64A, seed C6A4…E995,   h + i·g
 *                   then the seed h
 *     VALKEY_BLOOM  SipHash-1-3, two keys            i = 0: h;  i = 1: g;
 *                                                    i ≥ 2: (h + i·g) mod (2^64 − 59)
 *     GUAVA_64      MurmurHash3 x64_128, seed 0      (h + i·g) mod 2^63
 *     GUAVA_32      the halves of h, 32 bits each    low + (i + 1)·high mod 2^32; if that is
 *                                                    negative as an int32, its complement
 *
 *     bit order     VALKEYPROB: most significant bit of a byte first. GUAVA: bytes of a 64-bit word
 *                   in reverse order. Others: as in our own filters.
 *
 * A filter consists of 1 to BLOOM_FOREIGN_LAYERS_MAX layers, because RedisBloom and valkey-bloom
 * append a larger layer whenever one is full (foreign_layer.h). A key may be in any of them.
 *
 * Because MurmurHash is not keyed, users who choose keys can construct keys that collide. Only
 * VALKEY_BLOOM has a secret seed.
 *
 * Sources: MurmurHash2 and MurmurHash3 of Austin Appleby (public domain); SipHash of Aumasson and
 * Bernstein, 2012, with 1 and 3 rounds; the index rules from valkey-go 57e4802 (valkeyprob),
 * RedisBloom b28c294, the Rust crate bloomfilter 3.0.1, and Guava 31 (BloomFilterStrategies).
 *
 * All functions are pure.
 */
#ifndef BLOOM_FOREIGN_H
#define BLOOM_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/blob.h"
#include "filter/foreign_layer.h"

/* What a lookup needs. `rows` and `bits` are borrowed. */
typedef struct bloom_foreign {
	const unsigned char *rows; /* layer rows */
	const unsigned char *bits; /* shard 0 */
	uint64_t bytes;            /* of all shards */
	bloom_foreign_format format;
	uint32_t layers;
	uint32_t shard_bytes;
	unsigned char key[BLOOM_FOREIGN_KEY_BYTES]; /* VALKEY_BLOOM: the two keys of the hashes */
} bloom_foreign;

/* The head must be parsed and have a foreign format, and `bits` must be verified against it. */
bloom_foreign bloom_foreign_of(const bloom_head *head, const unsigned char *bits);

/* Returns the name of a format's hash function. */
const char *bloom_foreign_digest(uint32_t format);

/* Returns false if the key was definitely not added, and true if it may have been.
 *
 * Cost: one hash of the key, and per probe a division and one cache line. A batch of keys is no
 * faster than its keys one by one.
 */
bool bloom_foreign_test(const bloom_foreign *filter, const unsigned char *key, size_t key_bytes);

/* Sets the bits of a key in a filter of one layer, whose bits no other thread uses. Returns true if
 * a bit was clear before. */
bool bloom_foreign_add(const bloom_foreign *filter, unsigned char *bits, const unsigned char *key,
	size_t key_bytes);

#endif
