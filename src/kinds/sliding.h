/* A sliding filter: keys are forgotten when their time has passed.
 *
 *     slots        ┌───────────┬───────────┬───────────┐
 *                  │  current  │   next    │  (spare)  │    adds go to current and next,
 *                  └───────────┴───────────┴───────────┘    lookups to current
 *     half a window later
 *                  │  (spare)  │  current  │   next    │
 *
 * So a key is found for at least half a window and at most a whole one: whoever needs it for a certain
 * time asks for a window twice as long. It counts from the last look at the clock of the add, which is
 * after its beginning and may be long before its end, if the process is stopped just then.
 *
 * The turn is one word: the time at which its half window began, and which slot is current. A turn is
 * ended by a process that adds: it takes the lock, clears the spare slot, and stores the next turn.
 * Nobody reads a slot while it is cleared: it was the current one a turn before, and whoever looked at
 * the turn then looks at it again afterwards. A lookup that finds nothing, and an add, count only if
 * the turn is still the same when they are done; otherwise they are repeated.
 *
 * Lookups end no turn and need not: half a window after its beginning they read the next slot, a whole
 * one after it they answer no. So after a silence nothing is left, whoever comes first.
 *
 * Time is the monotonic clock, which setting the wall clock does not move. Should it stand before the
 * turn's beginning (a segment kept over a reboot), the turn begins anew at the next add, and
 * keys stay until then and for up to half a window more. Should it have leapt ahead, keys are gone
 * earlier. Either way an add clears two slots at most.
 *
 * Clearing a slot may take longer than half a window. Then nothing is left when it is done, and the next
 * turn begins at that time: were it reckoned from the last one, it would be over before anything could be
 * added, and so would be all that follow.
 *
 * Time is a parameter of the functions, so that tests need no clock.
 */
#ifndef BLOOM_SLIDING_H
#define BLOOM_SLIDING_H

#include <stdbool.h>
#include <stdint.h>

#include "kinds/live.h"

enum { BLOOM_SLOTS = 3 };

#define BLOOM_WINDOW_MS_MIN UINT64_C(10)
#define BLOOM_WINDOW_MS_MAX UINT64_C(1000000000000)

/* Whether the key may have been added in the window before `now_ms`. */
bool bloom_sliding_test(const bloom_live *live, bloom_digest digest, uint64_t now_ms);

/* Adds a key, after ending turns that are over.
 *
 *   now_ms   the clock, asked anew as often as the turn changes
 *   *is_new  it was certainly not there
 *
 * Fails   BLOOM_E_BUSY, _GONE, _SYSTEM when a turn is over and its end fails: nothing was added.
 * Cost    two adds; every half window one of the adds clears a slot.
 */
bloom_status bloom_sliding_add(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, uint64_t (*now_ms)(void), bool *is_new, bloom_error *error);

/* What a turn says at a time. */
typedef struct bloom_turn {
	uint32_t current; /* slots that lookups and adds use */
	uint32_t next;
	bool is_empty;    /* a whole window has passed since it began */
	uint64_t left_ms; /* until the slots change; 0: at the next add */
} bloom_turn;

bloom_turn bloom_sliding_turn(const bloom_live *live, uint64_t now_ms);

#endif
