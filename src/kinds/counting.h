/* A counting filter is a filter from which you can remove keys again (Fan, Cao, Almeida & Broder,
 * "Summary Cache", 2000).
 *
 *     4096        intents   64 × 256 bytes, one for each lock
 *     layer 0     bits      ..1....1..      what lookups read, as in any other filter
 *                 counters  ..2....1..      4 bits for each bit: how many keys set it; 15 means 15
 *                                           or more and is never decremented
 *
 * A key's counters are changed under a lock, so that no process clears a bit while another process
 * increments the bit's counter. The key's block selects one of BLOOM_STRIPES locks.
 *
 * The lock holder first writes an intent, which contains the new values of the counters. If the
 * holder is killed, the next holder of the lock replays the intent. Replaying an intent is
 * idempotent, because an intent contains values, not increments. So a remove happens completely or
 * not at all. A caller may retry a remove that was interrupted by a kill. If the intent has been
 * replayed in the meantime, the key is already gone. The second remove then changes nothing,
 * unless the key is now a false positive.
 *
 * Remove only keys that were added, and remove no key more often than it was added. A key that was
 * never added but is answered "maybe" shares its bits with other keys, so removing it could remove
 * those keys as well.
 *
 * A snapshot (snapshot.h) contains the counters, from which a restore computes the bits. A block is
 * copied under its lock, so its counters are those of one moment.
 *
 * Locks: byte n of the file for stripe n. Lookups only test bits and take no lock. */
#ifndef BLOOM_COUNTING_H
#define BLOOM_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "kinds/live.h"

enum {
	BLOOM_COUNTER_MAX = 15,
	BLOOM_STRIPES = 64, /* the number of locks and of intents */
	BLOOM_INTENT_BYTES = 256,
};

/* Adds a key, or counts it once more.
 *
 *   *is_new  true if the filter definitely did not contain the key
 *
 * Errors: BLOOM_E_BUSY (another process held the lock for longer than the segment's lock timeout),
 * _GONE, _SYSTEM. After an error nothing has changed.
 * Cost: two system calls. */
bloom_status bloom_counting_add(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, bool *is_new, bloom_error *error);

/* Undoes one add of a key.
 *
 *   *removed  false if the filter definitely did not contain the key; then nothing has changed
 *
 * Errors and cost: the same as for bloom_counting_add(). */
bloom_status bloom_counting_remove(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, bool *removed, bloom_error *error);

/* Stores a key's smallest counter. It is at least the number of times that the key was added, minus
 * the number of times that it was removed. BLOOM_COUNTER_MAX stands for BLOOM_COUNTER_MAX or more.
 *
 * Errors and cost: the same as for bloom_counting_add(). */
bloom_status bloom_counting_count(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, uint32_t *count, bloom_error *error);

#endif
