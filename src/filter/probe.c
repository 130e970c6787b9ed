#include "filter/probe.h"

#include "filter/probe_line.h"

uint64_t bloom_view_test_each(const bloom_view *view, const bloom_digest *digests, uint32_t count)
{
	uint64_t found = 0;
	uint32_t i;

	for (i = 0; i < count; i++) {
		found |= (uint64_t)bloom_view_test(view, digests[i]) << i;
	}
	return found;
}

bool bloom_view_set_any(const bloom_view *view, unsigned char *block, bloom_digest digest)
{
	bloom_probe_walk walk = bloom_probe_walk_of(view, digest);
	unsigned all = 1;
	uint32_t i, bit;

	for (i = 0; i < view->probes; i++) {
		bit = bloom_probe_next(&walk, view);
		all &= bloom_own_bit_set(block + (bit >> 3), bit & 7);
	}
	return (all & 1) == 0;
}

#ifdef BLOOM_LINE

BLOOM_TARGET_LINE static uint64_t test_many_lines(
	const bloom_view *view, const bloom_digest *digests, uint32_t count)
{
	uint64_t found = 0;
	uint32_t i;

	for (i = 0; i < count; i++) {
		found |= (uint64_t)bloom_line_test(view, digests[i]) << i;
	}
	return found;
}

#endif

/* Implements bloom_view_test_many() for blocks of several cache lines.
 *
 * A processor can fetch only about ten lines at the same time, so the lines of a digest are
 * prefetched shortly before they are tested. With 10 million keys, batches of 64 took 0.6 times as
 * long as when only the first line was prefetched, and 0.7 times as long as when all lines were
 * prefetched at the start.
 *
 * The function is not inline, because its variables would occupy registers that the common case
 * needs. */
BLOOM_NOINLINE static uint64_t test_many_blocks(
	const bloom_view *view, const bloom_digest *digests, uint32_t count)
{
	enum { AHEAD = 8 }; /* prefetch distance, in digests */
	uint64_t found = 0;
	uint32_t i;

	for (i = 0; i < count && i < AHEAD; i++) {
		bloom_view_prefetch_lines(view, digests[i]);
	}
	for (i = 0; i < count; i++) {
		if (i + AHEAD < count) {
			bloom_view_prefetch_lines(view, digests[i + AHEAD]);
		}
		found |= (uint64_t)bloom_view_test(view, digests[i]) << i;
	}
	return found;
}

uint64_t bloom_view_test_many(const bloom_view *view, const bloom_digest *digests, uint32_t count)
{
#ifdef BLOOM_LINE
	if (view->is_line && bloom_line_is_supported()) {
		return test_many_lines(view, digests, count);
	}
#endif
	return view->block_bytes > 64 ? test_many_blocks(view, digests, count)
				      : bloom_view_test_each(view, digests, count);
}
