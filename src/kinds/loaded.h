/* A loaded generation is a blob that never changes and is mapped read-only.
 *
 *     <generation>.bloom   ├ head ┼ shard 0 ┼ shard 1 ┼ … ┤
 *
 * The blob's head determines its kind:
 *
 *     scheme bloom     LOADED   lookups read blocks, through the attachment's view
 *     scheme ribbon    RIBBON   lookups read equations, through `ribbon`
 *     scheme reverse   INDEX    lookups walk a tree of groups, through `reverse`
 *     scheme foreign   FOREIGN  lookups read the bits of another system, through `foreign`
 *     scheme map       MAP      lookups read equations that also yield values, through `values`
 *
 * A LOADED or RIBBON filter may have additions (additions.h), which follow the filter's journal.
 *
 * Lifetime: the mapping remains valid after a switch, until the attachment unmaps it.
 * Locks: none. */
#ifndef BLOOM_LOADED_H
#define BLOOM_LOADED_H

#include "filter/atomic.h"
#include "filter/blob.h"
#include "filter/foreign.h"
#include "filter/reverse.h"
#include "filter/ribbon.h"
#include "filter/value_map.h"
#include "kinds/live.h"
#include "os/clock.h"
#include "segment/kinds.h"

/* The state that an attachment keeps for a mapped blob. */
typedef struct bloom_loaded {
	const unsigned char *map;
	bloom_head head;        /* parsed from `map` */
	bloom_ribbon ribbon;    /* set only for a RIBBON filter */
	bloom_reverse reverse;  /* set only for an INDEX */
	bloom_foreign foreign;  /* set only for a FOREIGN filter */
	bloom_value_map values; /* set only for a MAP */
	/* The journal's keys after the blob's mark (additions.h), or NULL if the blob has no
	 * mark. */
	bloom_live *additions;
	uint32_t presence; /* a bloom_presence, for lookups that trust the additions */
	/* Lookups trust the additions during this second of bloom_coarse_s(), as long as their
	 * basis (live.h) is `basis`, and these layers are mapped. */
	uint64_t trusted_s;
	uint64_t basis;
} bloom_loaded;

#define BLOOM_TRUSTED_NEVER (UINT64_C(1) << 63) /* no second has this number */

/* ---- trusting the additions ----
 *
 * Every lookup must know that the additions were complete less than the maximum lag ago. A process
 * may be stopped between any two lookups, so each of them reads a clock. To make that cheap, a
 * judgment holds for the rest of the second of the coarse wall clock, which includes the time while
 * the host is suspended:
 *
 *     second    ├──────── S ────────┼─────── S + 1 ───────┤
 *     lookups   judge, same, same … │ judge, same …
 *                 └ the exact time: are at least BLOOM_COARSE_S_MS of the maximum lag left?
 *
 * If less is left, nothing is remembered, and every lookup reads the exact time. A judgment also
 * ends when the additions get a first key, another layer, another maximum lag, or a loss, because
 * their basis changes then. tests/model/time.pml models this rule.
 *
 * A wall clock that is set back to the second of the judgment, after a process was stopped in it,
 * prolongs the judgment. */

/* Returns true if the last judgment holds, so that the additions may be trusted. */
static inline bool bloom_loaded_still_trusts(const bloom_loaded *loaded)
{
	return bloom_load_acquire(&loaded->additions->head->read_to.basis) == loaded->basis &&
		bloom_coarse_s() == loaded->trusted_s;
}

/* Judges again. Returns true if lookups may trust the additions now. */
bool bloom_loaded_is_trusted(bloom_loaded *loaded);

/* Returns the kind of a blob with this geometry: LOADED, RIBBON, INDEX, FOREIGN
 * or MAP. */
bloom_kind bloom_loaded_kind(const bloom_geometry *geometry);

#endif
