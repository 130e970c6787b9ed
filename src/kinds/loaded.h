/* A loaded generation: a blob, mapped read-only. It never changes.
 *
 *     <generation>.bloom   ├ head ┼ shard 0 ┼ shard 1 ┼ … ┤
 *
 * The blob's head determines its kind:
 *
 *     scheme bloom     LOADED   lookups read blocks, through the attachment's view
 *     scheme ribbon    RIBBON   lookups read equations, through `ribbon`
 *     scheme reverse   INDEX    lookups walk a tree of groups, through `reverse`
 *     scheme foreign   FOREIGN  lookups read the bits of another system, through `foreign`
 *
 * A LOADED or RIBBON filter may have additions (additions.h), which follow the filter's journal.
 *
 * Lifetime: the mapping remains valid after a switch, until the attachment unmaps it.
 * Locks: none. */
#ifndef BLOOM_LOADED_H
#define BLOOM_LOADED_H

#include "filter/blob.h"
#include "filter/foreign.h"
#include "filter/reverse.h"
#include "filter/ribbon.h"
#include "segment/kinds.h"

/* The state that an attachment keeps for a mapped blob. */
typedef struct bloom_loaded {
	const unsigned char *map;
	bloom_head head;       /* parsed from `map` */
	bloom_ribbon ribbon;   /* set only for a RIBBON filter */
	bloom_reverse reverse; /* set only for an INDEX */
	bloom_foreign foreign; /* set only for a FOREIGN filter */
	/* The journal's keys after the blob's mark (additions.h); NULL: the blob has no mark. */
	struct bloom_live *additions;
	/* Lookups trust the additions for `trusted_ms` from this time of bloom_coarse_ms() on. */
	uint64_t checked_ms;
	uint64_t trusted_ms;
} bloom_loaded;

/* Returns true if lookups may trust the additions at the time `coarse_ms`. */
bool bloom_loaded_is_trusted(bloom_loaded *loaded, uint64_t coarse_ms);

/* Returns the kind of a blob with this geometry: LOADED, RIBBON, INDEX or
 * FOREIGN. */
bloom_kind bloom_loaded_kind(const bloom_geometry *geometry);

#endif
