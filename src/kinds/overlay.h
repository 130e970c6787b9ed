/* An overlay: a small sliding filter beside a loaded filter, for keys that were added after the
 * blob's snapshot.
 *
 *     02:00 snapshot    02:30 add(key)    03:00 load          03:01 the key is not in the new blob,
 *     ─────┴────────────────┴─────────────────┴──────────────►      but in the overlay
 *
 * The first load that requests an overlay creates it. The overlay exists until the filter is
 * dropped; loads and syncs do not change it. Processes use the overlay only together with
 * generations that were loaded after its creation. A process that has mapped an earlier generation
 * neither reads the overlay nor adds to it. So no process adds a key to an overlay that another
 * process ignores.
 *
 * A key in the overlay is found for at least the requested window and at most twice as long. So the
 * sliding filter has twice the requested window and twice the capacity.
 *
 * Locks: those of a sliding filter (sliding.h). */
#ifndef BLOOM_OVERLAY_H
#define BLOOM_OVERLAY_H

#include "kinds/create.h"

/* Returns the parameters of the sliding filter. That filter is not keyed unless the caller sets
 * `fingerprint`.
 *
 *   window_ms      how long a key must be found
 *   capacity_keys  the number of keys that may be added in one window
 *   rate           the overlay's false-positive rate, which adds to the rate of the loaded
 *                  filter */
bloom_live_params bloom_overlay_params(uint64_t window_ms, uint64_t capacity_keys, double rate);

/* Creates the overlay of a filter if it does not exist. The filter need not be loaded yet.
 *
 * Errors: BLOOM_E_EXISTS (the overlay has a different window or capacity), _KIND (not a loaded
 * filter), and those of bloom_live_stage() and bloom_stage_commit_overlay(). */
bloom_status bloom_overlay_create(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, bloom_error *error);

#endif
