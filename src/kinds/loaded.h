/* A loaded generation: a blob, mapped read-only and never changed.
 *
 *     <generation>.bloom   ├ head ┼ shard 0 ┼ shard 1 ┼ … ┤
 *
 * Its head determines which of three kinds it is:
 *
 *     scheme bloom    LOADED   lookups read blocks, through the attachment's view
 *     scheme ribbon   RIBBON   lookups read equations, through `ribbon`
 *     scheme reverse  INDEX    lookups walk a tree of groups, through `reverse`
 *
 * A LOADED or RIBBON generation may have an overlay (overlay.h), which takes new keys.
 */
#ifndef BLOOM_LOADED_H
#define BLOOM_LOADED_H

#include "filter/blob.h"
#include "filter/reverse.h"
#include "filter/ribbon.h"
#include "segment/kinds.h"

/* An attachment's data of a mapped blob. */
typedef struct bloom_loaded {
	const unsigned char *map;
	bloom_head head; /* parsed from it */
	bloom_ribbon ribbon;
	bloom_reverse reverse;
} bloom_loaded;

/* Returns which of the three kinds a blob with this geometry is. */
bloom_kind bloom_loaded_kind(const bloom_geometry *geometry);

#endif
