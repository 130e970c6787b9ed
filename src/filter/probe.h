/* The hot loop: tests and sets the bits of a digest.
 *
 *      block (64 bytes)          bit j of a block is bit (j & 7) of byte (j >> 3)
 *      ┌────────────────────┐
 *      │..1....1.......1....│    all probes of a key lie in one block: one cache line to fetch
 *      └────────────────────┘
 *
 * The code addresses bytes, not words, so the layout is the same on every machine. digest.h defines
 * which bits of a digest choose which bit of the block.
 *
 * The loop over the probes of one word has no early exit. For an absent key such an exit would
 * happen after one or two probes, at random, and its misprediction costs more than the four bit
 * tests that it saves. Filters whose probes need several words exit between words.
 *
 * Concurrency: other processes set bits of live filters during a lookup. Each byte is loaded
 * atomically, and only counting filters clear bits; counting.h explains why this is safe. A lookup
 * therefore sees every key whose add() returned before the lookup started.
 *
 * These functions check nothing. Create a bloom_view only for verified bytes of the size that the
 * geometry implies. The functions below are for plain filters, and reverse.h has those for reverse
 * indexes.
 */
#ifndef BLOOM_PROBE_H
#define BLOOM_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/atomic.h"
#include "filter/compiler.h"
#include "filter/digest.h"
#include "filter/geometry.h"
#include "filter/view.h"

/* Expands to `probe(field)` for the lowest `count` fields of a word, at most 7. The jump into the
 * sequence depends only on the filter, so the processor predicts the jump. */
#define BLOOM_EACH_FIELD(probe, count) \
	switch (count) {               \
	case 7:                        \
		probe(6);              \
		BLOOM_FALLTHROUGH;     \
	case 6:                        \
		probe(5);              \
		BLOOM_FALLTHROUGH;     \
	case 5:                        \
		probe(4);              \
		BLOOM_FALLTHROUGH;     \
	case 4:                        \
		probe(3);              \
		BLOOM_FALLTHROUGH;     \
	case 3:                        \
		probe(2);              \
		BLOOM_FALLTHROUGH;     \
	case 2:                        \
		probe(1);              \
		BLOOM_FALLTHROUGH;     \
	case 1:                        \
		probe(0);              \
	}

/* Tests the first `probes` fields of one word, at most view->fields. Returns 1 if all bits are set,
 * otherwise 0. */
static inline unsigned bloom_word_set(
	const bloom_view *view, const unsigned char *block, uint64_t word, uint32_t probes)
{
	/* Copy the fields to local variables, because the compiler would reload the fields after
	 * each atomic load. */
	uint32_t lane_mask = view->lane_mask, field_bits = view->field_bits, bit;
	unsigned all = 1;

	for (; probes > 0; probes--) {
		bit = (uint32_t)word & lane_mask;
		word >>= field_bits;
		all &= (unsigned)bloom_load_byte(block + (bit >> 3)) >> (bit & 7);
	}
	return all;
}

/* Implements bloom_word_set() for 64-byte blocks, which have 9-bit fields and 7 fields per word.
 * With constant shifts all probes are independent. In the loop of bloom_word_set(), each probe
 * waits for the previous shift. */
static inline unsigned bloom_word_set_64(const unsigned char *block, uint64_t word, uint32_t probes)
{
	unsigned all = 1;

#define BLOOM_PROBE(field)                                                            \
	all &= (unsigned)bloom_load_byte(block + (word >> (9 * (field) + 3) & 63)) >> \
		(word >> (9 * (field)) & 7)
	BLOOM_EACH_FIELD(BLOOM_PROBE, probes)
#undef BLOOM_PROBE
	return all & 1;
}

/* Tests whether all bits of the digest are set in `block`, which need not lie in view->bits. */
static inline bool bloom_block_test(
	const bloom_view *view, const unsigned char *block, bloom_digest digest)
{
	uint64_t first = bloom_digest_probes(digest), word = first;
	uint32_t left = view->probes;
	uint32_t j;

	if (view->is_line) {
		return bloom_word_set_64(block, word, left);
	}
	for (j = 1; left > view->fields; j++) {
		if (!bloom_word_set(view, block, word, view->fields)) {
			return false;
		}
		left -= view->fields;
		word = bloom_digest_word(first, j);
	}
	return bloom_word_set(view, block, word, left);
}

/* Returns false if the key of this digest was definitely not added, and true if it may have been.
 *
 * Cost: one cache line. In 64-byte blocks with up to 7 probes, no branch depends on the key.
 */
static inline bool bloom_view_test(const bloom_view *view, bloom_digest digest)
{
	return bloom_block_test(view, bloom_view_block(view, digest), digest);
}

enum { BLOOM_BATCH_MAX = 64 };

/* Tests many digests. Bit i of the result is bloom_view_test() of digests[i].
 *
 *   count   at most BLOOM_BATCH_MAX
 *
 * A single lookup waits for its hash, then its block, then its bits. For a batch, the caller
 * computes all digests first and calls bloom_view_prefetch() for each. The processor then fetches
 * all blocks concurrently, so the batch waits only once. If blocks have several cache lines, this
 * function prefetches the other lines of a block shortly before it tests them.
 *
 * Concurrency: as for bloom_view_test(). A vector instruction may load many bytes at once, but it
 * loads each single byte atomically.
 */
uint64_t bloom_view_test_many(const bloom_view *view, const bloom_digest *digests, uint32_t count);

/* The portable implementation of bloom_view_test_many(). */
uint64_t bloom_view_test_each(const bloom_view *view, const bloom_digest *digests, uint32_t count);

/* Starts fetching the first cache line of the digest's block, which is the whole block if it has at
 * most 64 bytes. */
static inline void bloom_view_prefetch(const bloom_view *view, bloom_digest digest)
{
	bloom_prefetch(bloom_view_block(view, digest));
}

/* Starts fetching the cache lines that the probes of word 0 use. Later words are not worth the
 * instructions, because the 3 to 6 probes of word 0 reject at least 7 of 8 absent keys.
 *
 * Always inline, because gcc considers a function that only prefetches to have no effects, and
 * removes calls to it. */
BLOOM_INLINE void bloom_view_prefetch_lines(const bloom_view *view, bloom_digest digest)
{
	const unsigned char *block = bloom_view_block(view, digest);
	uint64_t word = bloom_digest_probes(digest);
	uint32_t probes = view->probes < view->fields ? view->probes : view->fields;

	for (; probes > 0; probes--) {
		bloom_prefetch(block + (((uint32_t)word & view->lane_mask) >> 3));
		word >>= view->field_bits;
	}
}

/* Iterates over the probes of a key. Each 64-bit word of the probe stream (digest.h) yields
 * view->fields probes, lowest bits first. The test functions above process whole words instead,
 * which is faster if no bit is written. */
typedef struct bloom_probe_walk {
	uint64_t first; /* word 0 of the stream */
	uint64_t word;  /* current word, without its used fields */
	uint32_t index; /* index of the current word */
	uint32_t left;  /* unused fields in `word` */
} bloom_probe_walk;

static inline bloom_probe_walk bloom_probe_walk_of(const bloom_view *view, bloom_digest digest)
{
	uint64_t first = bloom_digest_probes(digest);

	return (bloom_probe_walk){.first = first, .word = first, .left = view->fields};
}

/* Returns the next probe, which is the index of a bit in the lane. Call it at most view->probes
 * times. */
static inline uint32_t bloom_probe_next(bloom_probe_walk *walk, const bloom_view *view)
{
	uint32_t bit;

	if (walk->left == 0) {
		walk->word = bloom_digest_word(walk->first, ++walk->index);
		walk->left = view->fields;
	}
	bit = (uint32_t)walk->word & view->lane_mask;
	walk->word >>= view->field_bits;
	walk->left--;
	return bit;
}

/* Sets bit `bit` of a byte that no other thread uses. Returns the old bit in bit 0. */
static inline unsigned bloom_own_bit_set(unsigned char *byte, uint32_t bit)
{
	unsigned before = *byte;

	*byte = (unsigned char)(before | 1u << bit);
	return before >> bit;
}

/* Tests the bits like bloom_word_set_64() and also sets them. */
static inline unsigned bloom_own_word_set_64(unsigned char *block, uint64_t word, uint32_t probes)
{
	unsigned all = 1;

#define BLOOM_PROBE(field)        \
	all &= bloom_own_bit_set( \
		block + (word >> (9 * (field) + 3) & 63), (uint32_t)(word >> (9 * (field))) & 7)
	BLOOM_EACH_FIELD(BLOOM_PROBE, probes)
#undef BLOOM_PROBE
	return all & 1;
}

/* Implements bloom_view_set() for blocks of any size. The function is not inline, because its
 * variables would occupy registers that the common case needs. */
bool bloom_view_set_any(const bloom_view *view, unsigned char *block, bloom_digest digest);

/* Sets the bits of a digest in `bits`, which no other thread reads or writes.
 *
 * Returns true if a bit was clear before, which means that the key is definitely new. */
static inline bool bloom_view_set(const bloom_view *view, unsigned char *bits, bloom_digest digest)
{
	unsigned char *block = bits + bloom_fast_range(digest, view->blocks) * view->block_bytes;

	return view->is_line
		? !bloom_own_word_set_64(block, bloom_digest_probes(digest), view->probes)
		: bloom_view_set_any(view, block, digest);
}

/* Sets the bits of a digest in `bits`, which other processes read and write at the same time. No
 * update is lost, because each bit is set atomically.
 *
 * Returns true if a bit was clear before. If several processes add the same new key at once, each
 * of them may get true. */
static inline bool bloom_view_add(const bloom_view *view, unsigned char *bits, bloom_digest digest)
{
	unsigned char *block = bits + bloom_fast_range(digest, view->blocks) * view->block_bytes;
	bloom_probe_walk walk = bloom_probe_walk_of(view, digest);
	bool is_new = false;
	uint32_t i, bit;

	for (i = 0; i < view->probes; i++) {
		bit = bloom_probe_next(&walk, view);
		is_new |= bloom_set_bit(block + (bit >> 3), (unsigned char)(1u << (bit & 7)));
	}
	return is_new;
}

#endif
