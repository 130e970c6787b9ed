/* Which override the served generation obeys, and which overrides are too old to be obeyed
 * (filter/override.h). Both are kept in the control page, so that a replayed override cannot bring
 * back a version that was rolled back or pinned earlier.
 */
#ifndef BLOOM_SERVED_OVERRIDE_H
#define BLOOM_SERVED_OVERRIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/override.h"
#include "segment/control.h"

/* Returns whether an override with this time may be applied here, that is, whether it has not ended
 * and no newer one has been accepted. A page of another boot remembers nothing. */
bool bloom_served_override_admits(const bloom_control *control, uint64_t since_ms);

/* Records which override a generation serves. BLOOM_OVERRIDE_NONE records that the last override
 * has ended.
 *
 *   now_ms  wall clock. A time more than a day ahead of it is remembered as a day ahead, so that
 *           one wrong clock does not block later overrides for longer */
void bloom_served_override_note(bloom_control *control, uint64_t generation,
	bloom_override_kind kind, uint64_t since_ms, uint64_t now_ms);

/* Returns the override that a generation serves.
 *
 *   *since_ms  when it began; ms since 1970 */
bloom_override_kind bloom_served_override(
	const bloom_control *control, uint64_t generation, uint64_t *since_ms);

#endif
