/* An overlay: a small sliding filter beside a loaded one, for keys added since its blob's snapshot.
 *
 *     02:00 snapshot    02:30 add(key)    03:00 load          03:01 the key is not in the new blob,
 *     ─────┴────────────────┴─────────────────┴──────────────►      but in the overlay
 *
 * It is made with the first load that asks for one, and stays for as long as the filter does: loads and
 * syncs leave it alone. It is beside generations that are switched to after it was made: who has
 * mapped one before does not look for it, so nobody may add to it until all will.
 *
 * Its key is found for at least the window that was asked for and at most twice as long, so the sliding
 * filter behind it has twice the window, and room for all that is added in that.
 */
#ifndef BLOOM_OVERLAY_H
#define BLOOM_OVERLAY_H

#include "kinds/create.h"

/* The overlay that is asked for, as a sliding filter; not keyed, unless the caller sets its fingerprint.
 *
 *   window_ms      for which a key must be found
 *   capacity_keys  keys that may be added in that time
 *   rate           its false-positive rate, which adds to that of the filter
 */
bloom_live_params bloom_overlay_params(uint64_t window_ms, uint64_t capacity_keys, double rate);

/* Gives a filter an overlay, made unless it has one. The filter need not be loaded yet.
 *
 * Fails   BLOOM_E_EXISTS (it has one with another window or capacity), _KIND (not a loaded filter), and
 *         as bloom_live_stage() and bloom_stage_commit_overlay().
 */
bloom_status bloom_overlay_create(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, bloom_error *error);

#endif
