/* Ribbon filters: static filters whose bits are the solution of a system of linear equations.
 *
 * A ribbon filter takes 1.1 times the theoretical minimum of bits, and a Bloom filter 1.44 times.
 * In return, no key can be added to a ribbon filter later, and two ribbon filters cannot be merged.
 *
 * Source: Dillinger & Walzer, "Ribbon filter: practically smaller than Bloom and Xor", 2021, arXiv
 * 2103.02515. This file implements the paper's standard ribbon with a band of 64. Section 2 of the
 * paper describes the elimination and section 4 the layout. sizing.h lists the measured overhead.
 *
 *      slots    0 … start … start+63 …            64 · stripes slots per shard, r bits each
 *      key          1 c c … c                     its equation: the XOR of the slots with
 *                                                 coefficient 1 equals the key's result, r bits
 *
 *      shard    │ stripe 0  │ stripe 1  │ …       64 slots each, stored column by column:
 *      stripe   │ word of bit 0 │ word of bit 1 │ … │ word of bit r−1 │
 *
 * A lookup reads the 2 r words of two stripes. Each word holds one bit of 64 slots.
 *
 * Mixed widths: a shard divides its words among the stripes as evenly as possible. The first
 * `narrow` stripes have r words and the others r + 1. A key that starts in a wide stripe is
 * compared in r + 1 bits. A mix of both widths can therefore meet any rate, not only powers of two.
 * A key that starts in the last narrow stripe uses only the first r words of the wide stripe after
 * it.
 *
 * What the digest decides:
 *
 *   shard         the high half of the 128-bit product digest · shards
 *   start         from the low half of that product, the fraction:
 *                 ⌊(fraction · (1 + attempt · BLOOM_RIBBON_STEP) mod 2^64) · starts / 2^64⌋
 *   result        the lowest 33 bits of word 0 of the probe stream, bit c for column c
 *   coefficients  word attempt + 1 of the probe stream, with bit 0 set
 *
 * Shard and start depend on the high bits of the digest, and the result only on its low bits.
 *
 * Attempts, numbered 0 to BLOOM_RIBBON_ATTEMPT_MAX: if the equations of a shard contradict each
 * other, the builder makes another attempt, with other starts and coefficients for all keys. The
 * shard's row stores the successful attempt.
 *
 * The solution is canonical: its pivots do not depend on the order of the keys, and every slot
 * without a pivot is 0. A shard's bytes therefore follow from its set of keys, and a nightly
 * rebuild reproduces every unchanged shard.
 *
 * All functions are pure and use only the caller's memory.
 */
#ifndef BLOOM_RIBBON_H
#define BLOOM_RIBBON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/blob.h"
#include "filter/bytes.h"
#include "filter/digest.h"
#include "filter/geometry.h"
#include "filter/probe.h"

/* 2 · 0x9E3779B97F4A7C15 mod 2^64. It is even, so 1 + attempt · BLOOM_RIBBON_STEP is odd, and
 * multiplying by an odd number mod 2^64 loses no bit of the fraction. */
#define BLOOM_RIBBON_STEP UINT64_C(0x3C6EF372FE94F82A)

/* The part of a head that a lookup needs. `bits` is NULL if the shards are not contiguous; then
 * only bloom_ribbon_test_shard() works. */
typedef struct bloom_ribbon {
	const unsigned char *bits; /* shard 0 */
	const unsigned char *rows; /* shard rows of the head */
	uint64_t shards;
	uint64_t seed;
	uint32_t shard_bytes;
	uint32_t starts;
	uint32_t width;  /* words of a narrow stripe */
	uint32_t narrow; /* number of narrow stripes */
} bloom_ribbon;

/* The head must be parsed and have stripes, and `bits` must be verified against it. */
static inline bloom_ribbon bloom_ribbon_of(const bloom_head *head, const unsigned char *bits)
{
	return (bloom_ribbon){
		.bits = bits,
		.rows = head->rows,
		.shards = head->geometry.shards,
		.seed = head->geometry.seed,
		.shard_bytes = head->geometry.shard_bytes,
		.starts = bloom_ribbon_starts(&head->geometry),
		.width = head->geometry.probes,
		.narrow = bloom_ribbon_narrow(&head->geometry),
	};
}

/* The slot in its shard where a key's equation starts. */
static inline uint32_t bloom_ribbon_start(
	bloom_digest digest, uint64_t shards, uint32_t attempt, uint32_t starts)
{
	uint64_t fraction = digest * shards; /* low half of the product */

	return (uint32_t)bloom_fast_range(fraction * (1 + attempt * BLOOM_RIBBON_STEP), starts);
}

/* The coefficients of a key's equation. Bit 0 belongs to the start slot and is always 1. */
static inline uint64_t bloom_ribbon_coefficients(bloom_digest digest, uint32_t attempt)
{
	return bloom_digest_word(bloom_digest_probes(digest), attempt + 1) | 1;
}

/* The attempt that solved a shard, from its row. */
static inline uint32_t bloom_ribbon_row_attempt(const bloom_ribbon *ribbon, uint64_t shard)
{
	return bloom_get32(ribbon->rows + shard * BLOOM_ROW_BYTES + 4);
}

/* Index of a stripe's first word within its shard. */
static inline uint32_t bloom_ribbon_word(uint32_t width, uint32_t narrow, uint32_t stripe)
{
	return stripe * width + (stripe > narrow ? stripe - narrow : 0);
}

/* Tests one key in one shard. Returns false if the key was definitely not added.
 *
 *   shard   the shard that the digest selects
 *   bytes   the contents of this shard, at any address
 *
 * Cost: reads 2 r consecutive words, 112 bytes at a rate of 1 %, and the shard's row. No branch
 * depends on the key.
 */
bool bloom_ribbon_test_shard(const bloom_ribbon *ribbon, uint64_t shard, const unsigned char *bytes,
	bloom_digest digest);

/* The portable implementation of bloom_ribbon_test_shard(). */
bool bloom_ribbon_test_plain(const bloom_ribbon *ribbon, uint64_t shard, const unsigned char *bytes,
	bloom_digest digest);

/* Tests one key in a filter whose shards are contiguous. */
static inline bool bloom_ribbon_test(const bloom_ribbon *ribbon, bloom_digest digest)
{
	uint64_t shard = bloom_fast_range(digest, ribbon->shards);

	return bloom_ribbon_test_shard(
		ribbon, shard, ribbon->bits + shard * ribbon->shard_bytes, digest);
}

/* Tests many keys. Bit i of the result is bloom_ribbon_test() of digests[i]. The function
 * prefetches the words of all keys before it tests the first one.
 *
 *   count   at most BLOOM_BATCH_MAX
 */
uint64_t bloom_ribbon_test_many(
	const bloom_ribbon *ribbon, const bloom_digest *digests, uint32_t count);

/* ---- building ---- */

/* Sorts digests in place, in ascending order. The digests of a shard are then contiguous, and keys
 * with nearby starts are close to each other.
 *
 * Cost: about 30 ns per digest for 10^6 digests and 50 ns for 10^7, whatever their values.
 */
void bloom_digests_sort(bloom_digest *digests, size_t count);

/* Do the same sort in two steps, so that several threads can share the second step.
 * bloom_digests_partition() partitions the digests into buckets; bucket b extends from start[b] to
 * start[b + 1]. bloom_digests_sort_bucket() sorts one bucket. */
enum { BLOOM_BUCKETS = 256 };
void bloom_digests_partition(bloom_digest *digests, size_t count, size_t start[BLOOM_BUCKETS + 1]);
void bloom_digests_sort_bucket(bloom_digest *bucket, size_t count);

/* Removes duplicates from sorted digests. Returns the number of digests that remain. */
size_t bloom_digests_unique(bloom_digest *digests, size_t count);

/* The equation that has its pivot at a given slot after elimination. */
typedef struct bloom_equation {
	uint64_t coefficients; /* bit 0 is the slot itself; 0: no equation */
	uint64_t result;
} bloom_equation;

/* Tries to solve one shard.
 *
 *   attempt    0 to BLOOM_RIBBON_ATTEMPT_MAX
 *   digests    the shard's digests, without duplicates, in any order; faster if sorted
 *   count      number of digests
 *   equations  work space of bloom_ribbon_slots() entries; previous contents do not matter
 *   bytes      receives the shard; unchanged if the function returns false
 *
 * Returns false if the equations of this attempt contradict each other.
 *
 * Cost: about 40 ns per key.
 */
bool bloom_ribbon_solve(const bloom_geometry *geometry, uint32_t attempt,
	const bloom_digest *digests, size_t count, bloom_equation *equations, unsigned char *bytes);

#endif
