#include "filter/probe.h"

#include "filter/line.h"

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

uint64_t bloom_view_test_many(const bloom_view *view, const bloom_digest *digests, uint32_t count)
{
#ifdef BLOOM_LINE
	if (view->is_line && bloom_line_is_supported()) {
		return test_many_lines(view, digests, count);
	}
#endif
	return bloom_view_test_each(view, digests, count);
}
