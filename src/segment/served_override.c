#include "segment/served_override.h"

#include "filter/atomic.h"

enum { KINDS = 4 }; /* the word is the time times 4, plus the kind */

bool bloom_served_override_admits(const bloom_control *control, uint64_t since_ms)
{
	return since_ms >= bloom_load_relaxed(&control->override_from_ms);
}

/* Remembers that overrides before this time are refused. */
static void refuse_before(bloom_control *control, uint64_t from_ms)
{
	if (from_ms > bloom_load_relaxed(&control->override_from_ms)) {
		bloom_store_relaxed(&control->override_from_ms, from_ms);
	}
}

void bloom_served_override_note(bloom_control *control, uint64_t generation,
	bloom_override_kind kind, uint64_t since_ms, uint64_t now_ms)
{
	const uint64_t latest_ms = now_ms + UINT64_C(86400000);
	uint64_t before = bloom_load_relaxed(&control->override);
	uint64_t word = kind == BLOOM_OVERRIDE_NONE ? 0 : since_ms * KINDS + (uint64_t)kind;

	if (kind != BLOOM_OVERRIDE_NONE) {
		refuse_before(control, since_ms < latest_ms ? since_ms : latest_ms);
	} else if (before != 0) {
		refuse_before(control, before / KINDS < latest_ms ? before / KINDS + 1 : latest_ms);
	}
	if (before != word || bloom_load_relaxed(&control->override_generation) != generation) {
		bloom_store_relaxed(&control->override_generation, BLOOM_GENERATION_NONE);
		bloom_store_release(&control->override, word);
		bloom_store_release(&control->override_generation, generation);
	}
}

bloom_override_kind bloom_served_override(
	const bloom_control *control, uint64_t generation, uint64_t *since_ms)
{
	uint64_t word = bloom_load_acquire(&control->override_generation) == generation
		? bloom_load_relaxed(&control->override)
		: 0;

	*since_ms = word / KINDS;
	return word % KINDS <= BLOOM_OVERRIDE_ROLLBACK ? (bloom_override_kind)(word % KINDS)
						       : BLOOM_OVERRIDE_NONE;
}
