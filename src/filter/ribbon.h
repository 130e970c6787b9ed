/* A ribbon filter is a static filter whose bits are the solution of a system of linear equations.
 *
 * A ribbon filter takes 1.03 times the theoretical minimum of bits, and a Bloom filter 1.44 times.
 * In return, no key can be added to a ribbon filter later, and two ribbon filters cannot be merged.
 *
 * Source: Dillinger, Hübschle-Schneider, Sanders & Walzer, "Fast Succinct Retrieval and Approximate
 * Membership Using Ribbon", SEA 2022, arXiv 2109.01892. This file implements the paper's bumped
 * ribbon with a band of 64 and thresholds of 2 bits. Unlike there, keys are bumped within their
 * shard, so that one changed key changes one shard.
 *
 *      slots    0 … start … start+63 …            64 · stripes slots per shard, r bits each
 *      key          1 c c … c                     its equation: the XOR of the slots with
 *                                                 coefficient 1 equals the key's result, r bits
 *
 *      shard    │ thresholds │ stripe 0  │ stripe 1  │ …
 *      stripe   │ word of bit 0 │ word of bit 1 │ … │ word of bit r−1 │     64 slots, by columns
 *
 * A lookup reads the 2 r words of two stripes. Each word holds one bit of 64 slots.
 *
 * Mixed widths: the words after the thresholds are divided among the stripes as evenly as possible.
 * The first `narrow` stripes have r words and the others r + 1. A key that starts in a wide stripe
 * is compared in r + 1 bits. A mix of both widths can therefore meet any rate, not only powers of
 * two. A key that starts in the last narrow stripe uses only the first r words of the wide stripe
 * after it.
 *
 * Levels: the stripes are divided into three levels and a last stripe in which nothing starts. A
 * level is divided into buckets of two stripes, and each bucket has a threshold:
 *
 *      │ level 1: buckets │ │ │ … │ level 2: about 3 % │ level 3: one stripe │ last stripe │
 *      bucket   0 ····· 24 ········ 56 ······················ 127    starts in the bucket
 *      threshold value 0: nothing is bumped; 1: starts below 24; 2: below 56; 3: the whole bucket
 *
 * A key starts in level 1, unless its start there is below its bucket's threshold. Then the key is
 * *bumped*: it starts in level 2 instead, or likewise in level 3. For a key that is bumped from
 * level 3, the filter has no equation, so the answer is "maybe". With a key set within the
 * capacity this practically never happens. Beyond the capacity, such keys only raise the rate, and
 * never make a shard fail.
 *
 * What the digest decides:
 *
 *   shard         the high half of the 128-bit product digest · shards
 *   start         from the low half of that product, the fraction:
 *                 ⌊(fraction · (1 + (level − 1) · BLOOM_RIBBON_STEP) mod 2^64) · starts / 2^64⌋
 *                 for the number of starts of the level
 *   result        the lowest 33 bits of word 0 of the probe stream, bit c for column c
 *   coefficients  word 1 of the probe stream, with bit 0 set
 *
 * Shard and start depend on the high bits of the digest, and the result only on its low bits.
 *
 * The solution is canonical, because neither the thresholds nor the pivots depend on the order of
 * the keys, and every slot without a pivot is 0. A shard's bytes therefore follow from its set of
 * keys, and a nightly rebuild reproduces every unchanged shard.
 *
 * All functions are pure and use only the caller's memory.
 */
#ifndef BLOOM_RIBBON_H
#define BLOOM_RIBBON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/ribbon_layout.h"

/* Tests one key in one shard. Returns false if the key was definitely not added.
 *
 *   bytes   the contents of the shard that the digest selects, at any address
 *
 * Cost: reads a threshold and 2 r consecutive words, 112 bytes at a rate of 1 %. For one key in 30,
 * it reads another threshold.
 */
bool bloom_ribbon_test_shard(
	const bloom_ribbon *ribbon, const unsigned char *bytes, bloom_digest digest);

/* The portable implementation of bloom_ribbon_test_shard(). */
bool bloom_ribbon_test_plain(
	const bloom_ribbon *ribbon, const unsigned char *bytes, bloom_digest digest);

/* Tests one key in a filter whose shards are contiguous. */
static inline bool bloom_ribbon_test(const bloom_ribbon *ribbon, bloom_digest digest)
{
	uint64_t shard = bloom_fast_range(digest, ribbon->shards);

	return bloom_ribbon_test_shard(ribbon, ribbon->bits + shard * ribbon->shard_bytes, digest);
}

/* Tests many keys. Bit i of the result is bloom_ribbon_test() of digests[i]. The function
 * prefetches the words of all keys before it tests the first one.
 *
 *   count   at most BLOOM_BATCH_MAX
 */
uint64_t bloom_ribbon_test_many(
	const bloom_ribbon *ribbon, const bloom_digest *digests, uint32_t count);

#endif
