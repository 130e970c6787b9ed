/* An overlay: a small sliding filter beside a loaded one, for keys added since its blob's snapshot.
 *
 *     02:00 snapshot    02:30 add(key)    03:00 load          03:01 the key is not in the new blob,
 *     ─────┴────────────────┴─────────────────┴──────────────►      but in the overlay
 *
 * The first load that requests an overlay creates it. It stays until the filter is dropped, and
 * loads and syncs leave it unchanged. It is used together with the generations that are switched to
 * after its creation. A process that mapped an earlier generation does not look for the overlay, so
 * no process may add to it until a later generation is served.
 *
 * Lookups find a key for at least the requested window and at most twice as long. So the underlying
 * sliding filter has twice the window, and the capacity for all keys added in that time.
 */
#ifndef BLOOM_OVERLAY_H
#define BLOOM_OVERLAY_H

#include "kinds/create.h"

/* Returns the params of the sliding filter for a requested overlay. It is not keyed unless the
 * caller sets its fingerprint.
 *
 *   window_ms      how long a key must be found, at least
 *   capacity_keys  keys that may be added in that time
 *   rate           the overlay's false-positive rate, which adds to the filter's
 */
bloom_live_params bloom_overlay_params(uint64_t window_ms, uint64_t capacity_keys, double rate);

/* Creates a filter's overlay unless it has one. The filter need not be loaded yet.
 *
 * Fails BLOOM_E_EXISTS (it has one with another window or capacity), _KIND (not a loaded filter),
 * and
 *         as bloom_live_stage() and bloom_stage_commit_overlay().
 */
bloom_status bloom_overlay_create(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, bloom_error *error);

#endif
