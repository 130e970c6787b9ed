/* digest × geometry → bits: the hot loop.
 *
 *      block (64 bytes)          bit j of a block is bit (j & 7) of byte (j >> 3)
 *      ┌────────────────────┐
 *      │..1....1.......1....│    a key's probes all lie in one block: one cache line to fetch
 *      └────────────────────┘
 *
 * Bytes, not words, are addressed: the layout is then the same on every machine. The loops have no
 * early exit on purpose: for a key that is absent, the exit's branch is taken after one or two
 * probes at random, and mispredicting it costs more than the four bit tests that it saves.
 *
 * Live filters are read while other processes set bits in them. A byte is loaded whole, and bits are
 * only ever added (counting.h alone takes some away, and says why that is safe), so a lookup sees every
 * key whose adding had ended before.
 *
 * The bit budget stands in digest.h. Nothing here checks anything: a bloom_view is proof that the
 * bytes were verified and that they are as many as the geometry says. The functions below are for
 * plain filters; reverse.h has those of a reverse index.
 */
#ifndef BLOOM_PROBE_H
#define BLOOM_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/atomic.h"
#include "filter/digest.h"
#include "filter/geometry.h"

/* What a lookup needs of a filter, ready for use. */
typedef struct bloom_view {
	const unsigned char *bits; /* block 0; bloom_geometry_bytes() of them */
	uint64_t blocks;
	uint64_t seed;
	uint32_t block_bytes;
	uint32_t lane_mask;  /* bits in a lane − 1; a plain filter's lane is its block */
	uint32_t field_bits; /* log2(bits in a lane): digest bits a probe uses */
	uint32_t fields;     /* probes that one 64-bit word serves */
	uint32_t probes;
} bloom_view;

/* Only for a geometry that passed the gate, and bits that were verified against it. */
static inline bloom_view bloom_view_of(const bloom_geometry *geometry, const unsigned char *bits)
{
	uint32_t lane_bits = bloom_geometry_lane_bits(geometry);
	uint32_t field_bits = (uint32_t)__builtin_ctz(lane_bits);

	return (bloom_view){
		.bits = bits,
		.blocks = bloom_geometry_blocks(geometry),
		.seed = geometry->seed,
		.block_bytes = geometry->block_bytes,
		.lane_mask = lane_bits - 1,
		.field_bits = field_bits,
		.fields = 64 / field_bits,
		.probes = geometry->probes,
	};
}

/* Index of the block that a digest's place chooses: ⌊place · blocks / 2^64⌋. */
static inline uint64_t bloom_fast_range(uint64_t hash, uint64_t range)
{
#if defined(__SIZEOF_INT128__)
	return (uint64_t)(((unsigned __int128)hash * range) >> 64);
#else
	/* 64 × 64 → high 64 bits, by 32-bit halves. `range` has at most 40 bits, so no sum carries. */
	uint64_t low = (hash & UINT32_MAX) * (range & UINT32_MAX);
	uint64_t cross = (hash >> 32) * (range & UINT32_MAX);
	uint64_t other = (hash & UINT32_MAX) * (range >> 32);
	uint64_t middle = (low >> 32) + (cross & UINT32_MAX) + (other & UINT32_MAX);

	return (hash >> 32) * (range >> 32) + (cross >> 32) + (other >> 32) + (middle >> 32);
#endif
}

/* Whether all the probes of one word are set. `probes` ≤ view->fields. */
static inline unsigned bloom_word_set(
	const bloom_view *view, const unsigned char *block, uint64_t word, uint32_t probes)
{
	/* Read once: an atomic load makes the compiler read what is in memory again. */
	uint32_t lane_mask = view->lane_mask, field_bits = view->field_bits, bit;
	unsigned all = 1;

	for (; probes > 0; probes--) {
		bit = (uint32_t)word & lane_mask;
		word >>= field_bits;
		all &= (unsigned)bloom_load_byte(block + (bit >> 3)) >> (bit & 7);
	}
	return all;
}

/* The same in 64-byte blocks, where a field has nine bits and a word seven fields. The constants let all the
 * probes start at once; above, each waits for the shift before it. */
static inline unsigned bloom_word_set_64(const unsigned char *block, uint64_t word, uint32_t probes)
{
	unsigned all = 1;

#define BLOOM_PROBE(field)                                                            \
	all &= (unsigned)bloom_load_byte(block + (word >> (9 * (field) + 3) & 63)) >> \
		(word >> (9 * (field)) & 7)
	switch (probes) {
	case 7:
		BLOOM_PROBE(6); /* fallthrough */
	case 6:
		BLOOM_PROBE(5); /* fallthrough */
	case 5:
		BLOOM_PROBE(4); /* fallthrough */
	case 4:
		BLOOM_PROBE(3); /* fallthrough */
	case 3:
		BLOOM_PROBE(2); /* fallthrough */
	case 2:
		BLOOM_PROBE(1); /* fallthrough */
	case 1:
		BLOOM_PROBE(0);
	}
#undef BLOOM_PROBE
	return all & 1;
}

static inline const unsigned char *bloom_view_block(const bloom_view *view, bloom_digest digest)
{
	return view->bits + bloom_fast_range(digest.hash_hi, view->blocks) * view->block_bytes;
}

/* Whether all the digest's bits are set in its block, wherever that is. */
static inline bool bloom_block_test(
	const bloom_view *view, const unsigned char *block, bloom_digest digest)
{
	uint64_t word = digest.hash_lo;
	uint32_t left = view->probes;
	uint32_t j;

	if (view->lane_mask == 511 && left <= 7) {
		return bloom_word_set_64(block, word, left);
	}
	for (j = 1; left > view->fields; j++) {
		if (!bloom_word_set(view, block, word, view->fields)) {
			return false;
		}
		left -= view->fields;
		word = bloom_digest_word(digest.hash_lo, j);
	}
	return bloom_word_set(view, block, word, left);
}

/* False: the key of this digest was certainly not added. True: perhaps it was.
 *
 * Cost    one cache line; no allocation, no branch that depends on the key in blocks of 64 bytes
 *         with up to 7 probes.
 */
static inline bool bloom_view_test(const bloom_view *view, bloom_digest digest)
{
	return bloom_block_test(view, bloom_view_block(view, digest), digest);
}

enum { BLOOM_BATCH_MAX = 64 };

/* The same of many: bit i of the result is what bloom_view_test() says of digests[i].
 *
 *   count   at most BLOOM_BATCH_MAX
 *
 * A key alone is waited for: its hash, then its block, then its bits. Of a batch all hashes are made first, with
 * a bloom_view_prefetch() each, and meanwhile the blocks come; the waiting is once a batch.
 *
 * Shared  as bloom_view_test(). Vector instructions load many bytes at once, but each of them whole.
 */
uint64_t bloom_view_test_many(const bloom_view *view, const bloom_digest *digests, uint32_t count);

/* Its portable form. */
uint64_t bloom_view_test_each(const bloom_view *view, const bloom_digest *digests, uint32_t count);

static inline void bloom_view_prefetch(const bloom_view *view, bloom_digest digest)
{
	__builtin_prefetch(bloom_view_block(view, digest));
}

/* Sets a bit, and tells what it was. The caller's own bytes. */
static inline unsigned bloom_own_bit_set(unsigned char *byte, uint32_t bit)
{
	unsigned before = *byte;

	*byte = (unsigned char)(before | 1u << bit);
	return before >> bit;
}

/* bloom_word_set_64(), of which the bits are set afterwards. */
static inline unsigned bloom_own_word_set_64(unsigned char *block, uint64_t word, uint32_t probes)
{
	unsigned all = 1;

#define BLOOM_PROBE(field)        \
	all &= bloom_own_bit_set( \
		block + (word >> (9 * (field) + 3) & 63), (uint32_t)(word >> (9 * (field))) & 7)
	switch (probes) {
	case 7:
		BLOOM_PROBE(6); /* fallthrough */
	case 6:
		BLOOM_PROBE(5); /* fallthrough */
	case 5:
		BLOOM_PROBE(4); /* fallthrough */
	case 4:
		BLOOM_PROBE(3); /* fallthrough */
	case 3:
		BLOOM_PROBE(2); /* fallthrough */
	case 2:
		BLOOM_PROBE(1); /* fallthrough */
	case 1:
		BLOOM_PROBE(0);
	}
#undef BLOOM_PROBE
	return all & 1;
}

/* Sets the digest's bits in `bits`, which are the caller's own: no other thread reads or writes
 * them. True when at least one of them was not set before: the key is certainly new. */
static inline bool bloom_view_set(const bloom_view *view, unsigned char *bits, bloom_digest digest)
{
	unsigned char *block =
		bits + bloom_fast_range(digest.hash_hi, view->blocks) * view->block_bytes;
	uint64_t word = digest.hash_lo;
	uint32_t probe, bit;
	unsigned all = 1;

	if (view->lane_mask == 511 && view->probes <= 7) {
		return !bloom_own_word_set_64(block, word, view->probes);
	}
	for (probe = 0; probe < view->probes; probe++) {
		if (probe > 0 && probe % view->fields == 0) {
			word = bloom_digest_word(digest.hash_lo, probe / view->fields);
		}
		bit = (uint32_t)word & view->lane_mask;
		word >>= view->field_bits;
		all &= (unsigned)block[bit >> 3] >> (bit & 7);
		block[bit >> 3] |= (unsigned char)(1u << (bit & 7));
	}
	return !all;
}

/* The same in bits that other processes add to and look at meanwhile: no add is lost. Of processes that
 * add a new key at the same time, each may be told that it was new. */
static inline bool bloom_view_add(const bloom_view *view, unsigned char *bits, bloom_digest digest)
{
	unsigned char *block =
		bits + bloom_fast_range(digest.hash_hi, view->blocks) * view->block_bytes;
	uint64_t word = digest.hash_lo;
	bool is_new = false;
	uint32_t probe, bit;

	for (probe = 0; probe < view->probes; probe++) {
		if (probe > 0 && probe % view->fields == 0) {
			word = bloom_digest_word(digest.hash_lo, probe / view->fields);
		}
		bit = (uint32_t)word & view->lane_mask;
		word >>= view->field_bits;
		is_new |= bloom_set_bit(block + (bit >> 3), (unsigned char)(1u << (bit & 7)));
	}
	return is_new;
}

#endif
