/* An overlay: a small sliding filter of a loaded filter, for keys that were added after the blob's
 * snapshot.
 *
 *     02:00 snapshot    02:30 add(key)    03:00 load          03:01 the key is not in the new blob,
 *     ─────┴────────────────┴─────────────────┴──────────────►      but in the overlay
 *
 * The first load that requests an overlay creates it. It exists until the filter is dropped; loads
 * and syncs do not change it. It is used only together with generations that were switched to after
 * it was created. A process that has mapped an earlier generation does not look for an overlay, so
 * no process adds to it before all of them look for it.
 *
 * Its keys are found for at least the requested window and at most twice as long. So the sliding
 * filter has twice the requested window, and twice the capacity.
 *
 * Locks: those of a sliding filter (sliding.h). */
#ifndef BLOOM_OVERLAY_H
#define BLOOM_OVERLAY_H

#include "kinds/create.h"

/* Returns the parameters of the sliding filter. It is not keyed unless the caller sets
 * `fingerprint`.
 *
 *   window_ms      how long a key must be found
 *   capacity_keys  keys that may be added in that time
 *   rate           its false-positive rate, which adds to the filter's */
bloom_live_params bloom_overlay_params(uint64_t window_ms, uint64_t capacity_keys, double rate);

/* Creates the overlay of a filter if it does not exist. The filter need not be loaded yet.
 *
 * Errors: BLOOM_E_EXISTS (the overlay has another window or capacity), _KIND (not a loaded filter),
 * and those of bloom_live_stage() and bloom_stage_commit_overlay(). */
bloom_status bloom_overlay_create(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, bloom_error *error);

#endif
