/* digests → a shard's bits by solving equations, and the test of one: a ribbon filter.
 *
 * What it is: a static filter of 1.1 times the bits that theory asks for, where a Bloom filter has 1.44 times.
 * Nothing can be added to it, nor can two be merged: its bits are the solution of a system of equations over
 * bits, one a key. (Dillinger & Walzer, "Ribbon filter: practically smaller than Bloom and Xor", 2021,
 * arXiv 2103.02515: the standard ribbon with a band of 64, section 2 for the elimination, section 4 for the
 * layout. The overhead is measured; bloom_ribbon_capacity() has it.)
 *
 *      slots    0 … start … start+63 …            64 · stripes of them, each of r bits: x[slot]
 *      key          1 c c … c                     its equation: the xor of the x[slot] where c is 1
 *                                                 is the key's result, r bits
 *
 *      shard    │ stripe 0  │ stripe 1  │ …       64 slots each, column by column:
 *      stripe   │ word of bit 0 │ word of bit 1 │ … │ word of bit r−1 │
 *
 * So a lookup reads 2 r words, and each answers for 64 slots at once. A shard's words are dealt to the stripes as
 * evenly as can be: the first `narrow` ones have r, the others r + 1. A key that begins in a wide one is told by
 * r + 1 bits: the mean is what rate was asked for, which need not be a power of two. A key that begins in the
 * last narrow one uses the first r words of the wide one behind it.
 *
 * The budget. No bit of a digest (digest.h) decides two things:
 *   place   product = place · shards, of 128 bits. Its high half is the shard. Its low half, times
 *           1 + number · STEP mod 2^64 and then ⌊· starts / 2^64⌋, is the start.
 *   low     its lowest 33 bits are the result, bit c for column c. Word number + 1 of its stream, with
 *           bit 0 set, is the 64 coefficients.
 *
 * A shard whose equations contradict each other gets the next number: 0, 1, 2, …, which moves all its keys and
 * mixes their coefficients anew. It stands in the shard's row.
 *
 * The solution is canonical: pivots are the first slots of the rows' span, which no order of adding changes,
 * and the slots that have none are 0. So a shard's bytes follow from its set of keys, and an unchanged shard of
 * the next night is the same bytes.
 *
 * Pure functions over the caller's memory.
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

/* 2 · 0x9E3779B97F4A7C15 mod 2^64: even, so that what the fraction is multiplied with is odd and loses nothing. */
#define BLOOM_RIBBON_STEP UINT64_C(0x3C6EF372FE94F82A)

/* What a lookup needs. `bits` NULL: shards are looked up wherever they are. */
typedef struct bloom_ribbon {
	const unsigned char *bits; /* shard 0 */
	const unsigned char *rows; /* the head's */
	uint64_t shards;
	uint64_t seed;
	uint32_t shard_bytes;
	uint32_t starts;
	uint32_t width;  /* words a narrow stripe */
	uint32_t narrow; /* stripes */
} bloom_ribbon;

/* Only for a head that passed every check, of a blob with stripes, and bits that were verified against it. */
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

/* Where a key begins in its shard. */
static inline uint32_t bloom_ribbon_start(
	uint64_t hash_hi, uint64_t shards, uint32_t attempt, uint32_t starts)
{
	uint64_t fraction = hash_hi * shards; /* the product's low half */

	return (uint32_t)bloom_fast_range(fraction * (1 + attempt * BLOOM_RIBBON_STEP), starts);
}

static inline uint64_t bloom_ribbon_coefficients(uint64_t hash_lo, uint32_t attempt)
{
	return bloom_digest_word(hash_lo, attempt + 1) | 1;
}

static inline uint32_t bloom_ribbon_row_attempt(const bloom_ribbon *ribbon, uint64_t shard)
{
	return bloom_get32(ribbon->rows + shard * BLOOM_ROW_BYTES + 4);
}

/* The first word of a stripe, counted from the shard's. */
static inline uint32_t bloom_ribbon_word(uint32_t width, uint32_t narrow, uint32_t stripe)
{
	return stripe * width + (stripe > narrow ? stripe - narrow : 0);
}

/* Whether the shard's bits give the digest's result. False: certainly not added.
 *
 *   shard   which one it is; must be the one that the digest's place chooses
 *   bytes   of it
 *
 * Cost    two runs of r words behind each other, 112 bytes at 1 %; the row; no branch that depends on the key.
 */
bool bloom_ribbon_test_shard(const bloom_ribbon *ribbon, uint64_t shard, const unsigned char *bytes,
	bloom_digest digest);

/* Its portable form. */
bool bloom_ribbon_test_plain(const bloom_ribbon *ribbon, uint64_t shard, const unsigned char *bytes,
	bloom_digest digest);

static inline bool bloom_ribbon_test(const bloom_ribbon *ribbon, bloom_digest digest)
{
	uint64_t shard = bloom_fast_range(digest.hash_hi, ribbon->shards);

	return bloom_ribbon_test_shard(
		ribbon, shard, ribbon->bits + shard * ribbon->shard_bytes, digest);
}

/* The same of many: bit i of the result is what bloom_ribbon_test() says of digests[i]. All words are asked for
 * before the first is waited for.
 *
 *   count   at most BLOOM_BATCH_MAX
 */
uint64_t bloom_ribbon_test_many(
	const bloom_ribbon *ribbon, const bloom_digest *digests, uint32_t count);

/* ---- building ---- */

/* Sorts digests by place, then by low, in place. What lies in one shard lies together then, and what begins near
 * each other, too.
 *
 * Cost    about 30 ns each of 10^6 and 50 ns each of 10^7, whatever the digests.
 */
void bloom_digests_sort(bloom_digest *digests, size_t count);

/* The same in two steps, so that threads may share the second: deals them into buckets, of which bucket h lies from
 * start[h] to start[h + 1]; and sorts one of these. */
enum { BLOOM_BUCKETS = 256 };
void bloom_digests_partition(bloom_digest *digests, size_t count, size_t start[BLOOM_BUCKETS + 1]);
void bloom_digests_sort_bucket(bloom_digest *bucket, size_t count);

/* Drops all but one of equal neighbours. Returns how many are left. */
size_t bloom_digests_unique(bloom_digest *digests, size_t count);

/* One slot's equation, after elimination. */
typedef struct bloom_equation {
	uint64_t coefficients; /* bit 0 is the slot's own; 0: the slot has none */
	uint64_t result;
} bloom_equation;

/* Solves a shard with one number.
 *
 *   digests    of that shard, without repetition, in any order (sorted ones are faster)
 *   equations  bloom_ribbon_slots() of them, whatever they hold
 *   bytes      the shard, to be filled; untouched when false
 *
 * False: with this number the equations contradict each other.
 *
 * Cost    about 40 ns a key.
 */
bool bloom_ribbon_solve(const bloom_geometry *geometry, uint32_t attempt,
	const bloom_digest *digests, size_t count, bloom_equation *equations, unsigned char *bytes);

#endif
