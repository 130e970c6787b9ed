/* A counting filter: keys can be removed again (Fan, Cao, Almeida & Broder, "Summary Cache", 2000).
 *
 *     4096        intents   64 × 256 bytes, one for each lock
 *     layer 0     bits      ..1....1..      what lookups read, as in any other filter
 *                 counters  ..2....1..      4 bits for each bit: how many keys set it. 15 means 15
 *                                           or more, and is never decremented
 *
 * The counters of a key change under a lock, so that no process clears a bit while another
 * increments its counter. The key's block selects one of BLOOM_STRIPES locks.
 *
 * The lock holder first writes an intent: the new values of the counters. If the holder is killed,
 * the next holder of the lock replays the intent. Replaying an intent is idempotent, because an
 * intent contains values, not increments. So a remove happens completely or not at all. A caller
 * may retry a remove that a kill interrupted. If the intent was replayed in between, the key is
 * already gone, and the second remove changes nothing, unless the key is now a false positive.
 *
 * Only remove keys that were added, and at most as often as they were added. A key that was never
 * added but answers "maybe" shares its bits with other keys, so removing it would remove those
 * keys.
 *
 * Locks: byte n of the file for stripe n. Lookups only test bits and take no lock. */
#ifndef BLOOM_COUNTING_H
#define BLOOM_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "kinds/live.h"

enum {
	BLOOM_COUNTER_MAX = 15,
	BLOOM_STRIPES = 64, /* locks, and intents */
	BLOOM_INTENT_BYTES = 256,
};

/* Adds a key, or counts it once more.
 *
 *   *is_new  true if the filter certainly did not contain the key
 *
 * Errors: BLOOM_E_BUSY (another process held the lock for longer than the segment's lock timeout),
 * _GONE, _SYSTEM. After an error nothing has changed.
 * Cost: two system calls. */
bloom_status bloom_counting_add(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, bool *is_new, bloom_error *error);

/* Undoes one add of a key.
 *
 *   *removed  false if the filter certainly did not contain the key; then nothing has changed
 *
 * Errors and cost: as bloom_counting_add(). */
bloom_status bloom_counting_remove(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, bool *removed, bloom_error *error);

/* Stores the smallest counter of a key, which is at least the number of adds of this key minus the
 * number of its removals. BLOOM_COUNTER_MAX stands for any number from BLOOM_COUNTER_MAX up.
 *
 * Errors and cost: as bloom_counting_add(). */
bloom_status bloom_counting_count(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, uint32_t *count, bloom_error *error);

#endif
