/* A counting filter: keys can be removed again (Fan, Cao, Almeida & Broder, "Summary Cache", 2000).
 *
 *     bits      ..1....1..      what lookups read, as in any other filter
 *     counters  ..2....1..      4 bits per bit: how many keys set it. 15 means 15 or more, and is
 *                               never lowered again
 *
 * A process changes a key's counters under one of BLOOM_STRIPES locks, which the key's block
 * selects. So no process clears a bit while another one raises its counter. The lock holder first
 * logs the new counter values as an intent. If the holder is killed, the next process that takes
 * the lock replays the intent. Replaying an intent is idempotent, so a remove takes effect
 * completely or not at all.
 *
 * A caller may retry a remove after a kill. If the killed process had already logged its intent,
 * the retry finds the key gone and changes nothing. The exception is a key that is now a false
 * positive: it is removed like any other false positive.
 *
 * Lookups take no lock: bloom_view_test() on the bits.
 *
 * Only a key that was added may be removed, once for each time it was added. A key that was never
 * added but answers "maybe" shares its bits with other keys. Removing it would remove their bits.
 */
#ifndef BLOOM_COUNTING_H
#define BLOOM_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "kinds/live.h"

enum {
	BLOOM_COUNTER_MAX = 15,
	BLOOM_STRIPES = 64,       /* locks */
	BLOOM_INTENT_BYTES = 256, /* one intent per lock, between the live head and the bits */
};

/* Adds one occurrence of a key.
 *
 *   *is_new  true if the filter certainly did not hold the key
 *
 * Fails BLOOM_E_BUSY (another process held the lock beyond the segment's lock timeout), _GONE,
 *         _SYSTEM: nothing was changed.
 * Cost two system calls.
 */
bloom_status bloom_counting_add(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, bool *is_new, bloom_error *error);

/* Removes one occurrence of a key. Sets *removed to false if the filter certainly did not hold the
 * key; then nothing was changed. Fails as bloom_counting_add(). */
bloom_status bloom_counting_remove(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, bool *removed, bloom_error *error);

/* Computes an upper bound of how often a key was added: its lowest counter. BLOOM_COUNTER_MAX means
 * that many or more. Fails as bloom_counting_add(). */
bloom_status bloom_counting_count(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, uint32_t *count, bloom_error *error);

#endif
