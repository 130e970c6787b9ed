/* A live reverse index: values are added to groups, in place.
 *
 *     layer 0   the tree of filter/reverse.h, whose bits processes set while others read them
 *
 * Nothing is removed and no layer is added, so a live file (live.h) is all that it needs.
 */
#ifndef BLOOM_REVERSE_LIVE_H
#define BLOOM_REVERSE_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "kinds/live.h"

/* Adds a value to a group of the index. True: it was certainly not there. */
bool bloom_live_add_to_group(bloom_live *live, uint64_t group, bloom_digest value);

#endif
