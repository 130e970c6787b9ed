/* A live reverse index: values are added to groups, in place.
 *
 *     layer 0   the tree of filter/reverse.h, whose bits processes set while others read them
 *
 * Values are never removed and layers are never added, so a plain live file (live.h) is enough.
 */
#ifndef BLOOM_REVERSE_LIVE_H
#define BLOOM_REVERSE_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "kinds/live.h"

/* Adds a value to a group of the index. Returns true if the group certainly did not hold it. */
bool bloom_live_add_to_group(bloom_live *live, uint64_t group, bloom_digest value);

#endif
