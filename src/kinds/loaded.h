/* A loaded generation: a blob, mapped read-only and never changed.
 *
 *     <generation>.bloom   ├ head ┼ shard 0 ┼ shard 1 ┼ … ┤
 *
 * Its head says which of three kinds it is:
 *
 *     scheme bloom    LOADED   lookups read blocks, by the attachment's view
 *     scheme ribbon   RIBBON   lookups read equations, by `ribbon`
 *     scheme reverse  INDEX    lookups walk a tree of groups, by `reverse`
 *
 * Beside a LOADED or RIBBON generation there may be an overlay (overlay.h), which takes keys.
 */
#ifndef BLOOM_LOADED_H
#define BLOOM_LOADED_H

#include "filter/blob.h"
#include "filter/reverse.h"
#include "filter/ribbon.h"
#include "segment/kinds.h"

/* What an attachment keeps of a mapped blob. */
typedef struct bloom_loaded {
	const unsigned char *map;
	bloom_head head; /* parsed from it */
	bloom_ribbon ribbon;
	bloom_reverse reverse;
} bloom_loaded;

/* Which of the three kinds a blob of that geometry is. */
bloom_kind bloom_loaded_kind(const bloom_geometry *geometry);

#endif
