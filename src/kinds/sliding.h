/* A sliding filter: it forgets keys when their time has passed.
 *
 *     slots        ┌───────────┬───────────┬───────────┐
 *                  │  current  │   next    │  (spare)  │    adds set bits in current and next,
 *                  └───────────┴───────────┴───────────┘    lookups read current
 *     half a window later
 *                  │  (spare)  │  current  │   next    │
 *
 * A key is found for at least half a window and at most a whole one. To find keys for a certain
 * time, request a window of twice that time. The time starts at the last reading of the clock in
 * add(). If the process is stopped there, that may be long before add() returns.
 *
 * The turn is one word: when its half window began, and which slot is current. A process that adds
 * ends a turn: it takes the lock, clears the spare slot, and stores the next turn. No lookup relies
 * on a slot while it is cleared. The spare slot was current one turn earlier, and a process that
 * read the turn then reads it again afterwards. A lookup that finds nothing, and an add, count only
 * if the turn is unchanged at the end; otherwise they are repeated.
 *
 * Lookups do not end turns. Half a window after the start of the turn they read the next slot, and
 * a whole window after it they answer "no". So after a pause the filter is empty, whichever process
 * uses it first.
 *
 * The clock is monotonic, so setting the wall clock has no effect. If the clock is before the start
 * of the turn (the segment survived a reboot), the next add restarts the turn, and keys stay until
 * then and up to half a window longer. If the clock has jumped ahead, keys expire earlier. In both
 * cases an add clears at most two slots.
 *
 * Clearing a slot may take longer than half a window. Then all keys have expired, and the next turn
 * begins at that time. A turn that began where the last one ended would be over before any add.
 *
 * The functions take the time as a parameter, so tests need no clock.
 *
 * Locks: byte 0 of the file to end a turn. Lookups take none. */
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
 *   *is_new  true if the filter certainly did not contain the key
 *
 * Errors: BLOOM_E_BUSY, _GONE, _SYSTEM if a turn cannot be ended; nothing was added.
 * Cost: two adds. Once per half window, one of the adds clears a slot. */
bloom_status bloom_sliding_add(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_digest digest, uint64_t (*now_ms)(void), bool *is_new, bloom_error *error);

/* A turn, as seen at a certain time. */
typedef struct bloom_turn {
	uint32_t current; /* the slot that lookups read */
	uint32_t next;    /* the slot that becomes current */
	bool is_empty;    /* a whole window has passed since the turn began */
	uint64_t left_ms; /* until the slots change; 0: at the next add */
} bloom_turn;

bloom_turn bloom_sliding_turn(const bloom_live *live, uint64_t now_ms);

#endif
