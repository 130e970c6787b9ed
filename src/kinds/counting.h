/* A counting filter: keys can be removed again (Fan, Cao, Almeida & Broder, "Summary Cache", 2000).
 *
 *     bits      ..1....1..      what lookups read, as in any other filter
 *     counters  ..2....1..      4 bits for each: how many keys set it. 15 means 15 or more, and is
 *                               never lowered again
 *
 * A key's counters are changed under a lock, one of BLOOM_STRIPES by its block, so that no bit is
 * cleared while another process raises its counter. What a holder is about to do it first writes
 * down as an intent, as the counters' new values: whoever takes the lock next finishes what a killed
 * one began, and doing it twice is doing it once. So a remove is done whole or not at all. One that is
 * tried again after a kill, and had been done, finds the key gone and changes nothing; unless the key is a
 * false positive by now, like any other key that is not there.
 *
 * Lookups take no lock: bloom_view_test() on the bits.
 *
 * Only a key that was added may be removed, once for each time it was added. A key that was never added
 * but answers "maybe" shares its bits with others; removing it would take theirs.
 */
#ifndef BLOOM_COUNTING_H
#define BLOOM_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "kinds/live.h"

enum {
	BLOOM_COUNTER_MAX = 15,
	BLOOM_STRIPES = 64,       /* locks */
	BLOOM_INTENT_BYTES = 256, /* an intent a lock, between the live head and the bits */
};

/* Adds a key once more.
 *
 *   *is_new  it was certainly not there
 *
 * Fails   BLOOM_E_BUSY (another holds the lock; gave up after the segment's lock timeout), _GONE,
 *         _SYSTEM: nothing was changed.
 * Cost    two system calls.
 */
bloom_status bloom_counting_add(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, bool *is_new, bloom_error *error);

/* Takes back one add of a key. *removed false: it was certainly not there, and nothing was changed. Fails
 * likewise. */
bloom_status bloom_counting_remove(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, bool *removed, bloom_error *error);

/* How often a key was added at most: the least of its counters, so never too low, unless it is
 * BLOOM_COUNTER_MAX, which means that or more. Fails likewise. */
bloom_status bloom_counting_count(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, uint32_t *count, bloom_error *error);

#endif
