/* A sliding filter: keys expire after a time.
 *
 *     slots        ┌───────────┬───────────┬───────────┐
 *                  │  current  │   next    │  (spare)  │    adds go to current and next,
 *                  └───────────┴───────────┴───────────┘    lookups to current
 *     half a window later
 *                  │  (spare)  │  current  │   next    │
 *
 * So lookups find a key for at least half a window and at most a whole window. A caller that needs
 * the key for a certain time requests a window twice as long. The time counts from the add's last
 * reading of the clock. If the process is stopped after that, add() may return much later.
 *
 * The turn is one word: the time at which the current half window began, and which slot is current.
 * A process that adds also ends a turn that is over: it takes the lock, clears the spare slot, and
 * stores the next turn. No result ever depends on a slot that is being cleared. The spare slot was
 * current one turn before, and a process that read that turn checks it again afterwards. An add,
 * and a lookup that finds nothing, are valid only if the turn is still the same at the end.
 * Otherwise they are repeated.
 *
 * Lookups never end a turn. Half a window after the turn began they read the next slot, and a whole
 * window after it they answer no. So keys expire even if no process adds.
 *
 * Time is the monotonic clock, which setting the wall clock does not move. If it is before the
 * turn's beginning (the segment survived a reboot), the turn begins again at the next add. Keys
 * then stay until that add, and up to half a window longer. If the clock jumped ahead, keys expire
 * earlier. In both cases an add clears two slots at most.
 *
 * Clearing a slot may take longer than half a window. If all keys have expired by then, the next
 * turn begins when the clearing ends. Counted from the previous turn, it would already be over
 * before a process could add anything, and so would every later turn.
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

/* Returns whether the key may have been added in the window before `now_ms`. */
bool bloom_sliding_test(const bloom_live *live, bloom_digest digest, uint64_t now_ms);

/* Ends the turns that are over, then adds a key.
 *
 *   now_ms   the clock; read again after each change of the turn
 *   *is_new  true if the filter certainly did not hold the key
 *
 * Fails BLOOM_E_BUSY, _GONE, _SYSTEM if a turn is over and cannot be ended: nothing was added. Cost
 * two adds; once every half window, an add clears a slot.
 */
bloom_status bloom_sliding_add(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, uint64_t (*now_ms)(void), bool *is_new, bloom_error *error);

/* The state of a turn at a given time. */
typedef struct bloom_turn {
	uint32_t current; /* the slot that lookups read; adds go to both */
	uint32_t next;
	bool is_empty;    /* a whole window has passed since the turn began */
	uint64_t left_ms; /* until the slots change; 0: they change at the next add */
} bloom_turn;

bloom_turn bloom_sliding_turn(const bloom_live *live, uint64_t now_ms);

#endif
