/* A sliding filter forgets each key after a window of time.
 *
 *     slots        ┌───────────┬───────────┬───────────┐
 *                  │  current  │   next    │  (spare)  │    adds set bits in current and next,
 *                  └───────────┴───────────┴───────────┘    lookups read current
 *     half a window later
 *                  │  (spare)  │  current  │   next    │
 *
 * A key is found for at least half a window and at most a whole window. To find keys for a certain
 * time, request a window of twice that time. A key's time starts at the last clock reading within
 * add(). If the process is stopped just after that reading, add() may return much
 * later.
 *
 * The turn is one word, which contains the start of the current half window and the number of the
 * current slot. When the half window is over, the next add ends the turn: the adding process takes
 * the lock, clears the spare slot, and stores the next turn. No process relies on a slot that is
 * being cleared. The spare slot was current one turn earlier, so a slow process may still be using
 * it. For this reason, adds and lookups read the turn again at the end. If the turn has changed,
 * they are repeated, except for a lookup that found the key.
 *
 * Lookups do not end turns. Once half a window has passed since the start of the turn, lookups read
 * the next slot. Once a whole window has passed, they answer "no". So after a long pause the filter
 * appears empty, even if no add has ended the turn.
 *
 * The clock is monotonic, so setting the wall clock has no effect. If the clock shows a time before
 * the start of the turn (the segment survived a reboot), the next add restarts the turn. No key
 * expires before that add, and afterwards keys may be found for up to half a window longer. If the
 * clock has jumped ahead, keys expire earlier. In both cases an add clears at most two slots.
 *
 * Clearing a slot may take longer than half a window. In that case all keys have expired, and the
 * next turn begins once the slot is clear. If the next turn began when the last one ended, it would
 * be over before any key could be added.
 *
 * A snapshot (snapshot.h) contains all slots and the turn. A restore moves the start of the turn,
 * so that its age includes the time since the save. So keys expire as if the filter had existed in
 * the meantime. The clock restarts at each boot: if the host has been up for less time than the age
 * of the turn, keys may be found for up to half a window longer.
 *
 * The functions take the time as a parameter, so tests need no clock.
 *
 * Locks: byte 0 of the file to end a turn. Lookups take no lock. */
#ifndef BLOOM_SLIDING_H
#define BLOOM_SLIDING_H

#include <stdbool.h>
#include <stdint.h>

#include "kinds/live.h"

enum { BLOOM_SLOTS = 3 };

#define BLOOM_WINDOW_MS_MIN UINT64_C(10)
#define BLOOM_WINDOW_MS_MAX UINT64_C(1000000000000)

/* Returns true if the key may have been added in the window before `now_ms`. */
bool bloom_sliding_test(const bloom_live *live, bloom_digest digest, uint64_t now_ms);

/* Ends turns that are over, then adds a key.
 *
 *   now_ms   reads the clock; called again whenever the turn changes
 *   *is_new  true if the filter definitely did not contain the key
 *
 * Errors: BLOOM_E_BUSY, _GONE, _SYSTEM if a turn cannot be ended; the key may then be missing.
 * Cost: sets the key's bits in two slots. Once per half window, one add also clears a slot. */
bloom_status bloom_sliding_add(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, uint64_t (*now_ms)(void), bool *is_new, bloom_error *error);

/* The state of the turn at a certain time. */
typedef struct bloom_turn {
	uint32_t current; /* the slot that lookups read */
	uint32_t next;    /* the slot that becomes current */
	bool is_empty;    /* a whole window has passed since the turn began */
	uint64_t left_ms; /* time until the slots change; 0: the next add changes them */
} bloom_turn;

bloom_turn bloom_sliding_turn(const bloom_live *live, uint64_t now_ms);

#endif
