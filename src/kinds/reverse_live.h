/* A live reverse index is a file in which processes add values to groups, in place.
 *
 *     layer 0   the tree of filter/reverse.h
 *
 * Values are never removed and layers are never added, so a plain live file (live.h) is enough.
 *
 * Locks: none. Bits are set atomically. */
#ifndef BLOOM_REVERSE_LIVE_H
#define BLOOM_REVERSE_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "kinds/live.h"

/* Adds a value to a group. Returns true if the group definitely did not contain the value. */
bool bloom_live_add_to_group(bloom_live *live, uint64_t group, bloom_digest value);

#endif
