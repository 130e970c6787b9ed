/* A view is a filter as a lookup sees it. It knows where the blocks are, and which block a digest
 * selects.
 *
 * Create a bloom_view only for verified bytes of the size that the geometry implies, because the
 * functions that use it check nothing.
 */
#ifndef BLOOM_VIEW_H
#define BLOOM_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/compiler.h"
#include "filter/digest.h"
#include "filter/geometry.h"

/* The part of a geometry that a lookup needs, with derived values. */
typedef struct bloom_view {
	const unsigned char *bits; /* block 0; bloom_geometry_bytes() bytes */
	uint64_t blocks;
	uint64_t seed;
	uint32_t block_bytes;
	uint32_t lane_mask;  /* bits per lane − 1; in a plain filter the lane is the block */
	uint32_t field_bits; /* log2(bits per lane): digest bits per probe */
	uint32_t fields;     /* probes per 64-bit word */
	uint32_t probes;
	/* All bits of a key are in one line of 64 bytes, and word 0 selects them (probe_line.h). */
	bool is_line;
} bloom_view;

/* The geometry must be checked, and `bits` must be verified against it. */
static inline bloom_view bloom_view_of(const bloom_geometry *geometry, const unsigned char *bits)
{
	uint32_t lane_bits = bloom_geometry_lane_bits(geometry);
	uint32_t field_bits = bloom_trailing_zeros(lane_bits);

	return (bloom_view){
		.bits = bits,
		.blocks = bloom_geometry_blocks(geometry),
		.seed = geometry->seed,
		.block_bytes = geometry->block_bytes,
		.lane_mask = lane_bits - 1,
		.field_bits = field_bits,
		.fields = 64 / field_bits,
		.probes = geometry->probes,
		.is_line = lane_bits == 512 && geometry->probes <= 7,
	};
}

/* Maps a hash to 0 … range − 1: ⌊hash · range / 2^64⌋ (Lemire, "Fast random integer generation in
 * an interval", 2019). This takes a single multiplication, where a modulo needs a division. Unlike
 * a mask, it works for ranges that are not powers of two. */
static inline uint64_t bloom_fast_range(uint64_t hash, uint64_t range)
{
	return bloom_multiply_high(hash, range);
}

static inline const unsigned char *bloom_view_block(const bloom_view *view, bloom_digest digest)
{
	return view->bits + bloom_fast_range(digest, view->blocks) * view->block_bytes;
}

#endif
