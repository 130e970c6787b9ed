/* When a host checks its store, and when it pauses. sync_lease.h decides which process does the
 * check, and filter/chunk.h which chunks the process fetches.
 *
 *     due? ──► take the lease ──► journal ──► head due? ──► same as served? ──► done
 *      no: return   no: return                 no: done     └► in a pause? ─► done
 *                                                           └► chunks: already served ─► copy
 *                                                              otherwise ─► fetch ──► commit
 *
 * This file only makes the decisions and keeps the state of the syncs in the control page. The PHP
 * layer performs the steps, because the sync calls the user's store between them.
 *
 * Times are bloom_monotonic_ms(). Because times from before a reboot (os/clock.h explains how they
 * are recognized) are treated as long past, no stored time can stop a host from syncing.
 */
#ifndef BLOOM_SYNC_DUE_H
#define BLOOM_SYNC_DUE_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/status.h"
#include "segment/control.h"

enum {
	BLOOM_RETRY_MS_MIN = 1000, /* the pause after the first failure; doubles up to the TTL */
	BLOOM_LOAD_RETRY_MS_MAX = 300000, /* the longest pause before a version is tried again */
	/* Syncs of a filter that follows a journal read the published head at least this often.
	 * Publishing adds a notice to the journal, so this matters only if the notice was lost. */
	BLOOM_HEAD_MS = 60000,
};

/* Returns true if a sync is due. After a success, the next sync is due `ttl_ms` later, or at once
 * if the head is due. After n consecutive failures, it is due 2^(n-1) seconds or `ttl_ms` after the
 * last failure, whichever is sooner.
 *
 * Cost: a few relaxed loads of the control page. */
bool bloom_sync_is_due(const bloom_control *control, uint64_t ttl_ms, uint64_t now_ms);

/* Record the result of an attempt, for bloom_sync_is_due() and for info().
 *
 *   text  any bytes; the page stores as much as fits, see readable_text.h */
void bloom_sync_succeeded(bloom_control *control, uint64_t now_ms);
void bloom_sync_failed(
	bloom_control *control, uint64_t now_ms, bloom_status status, const char *text);

/* Records an attempt that did nothing because the published version is paused. Although it is not
 * counted as a failure, the next attempt is due as late as after one. */
void bloom_sync_postponed(bloom_control *control, uint64_t now_ms);

/* ---- the published head ---- */

/* Special values of control->head_ms. The first one also makes a sync due, whatever its TTL is. A
 * process that dies leaves the second one, which also means that the head must be read. */
enum { BLOOM_HEAD_DUE = 0, BLOOM_HEAD_READING = 1 };

/* Returns whether a sync that follows a journal must also read the head. */
bool bloom_sync_head_is_due(const bloom_control *control, uint64_t now_ms);

/* Makes the head due. Without this, the next sync might not be due yet, because the process that
 * found something in the journal has recorded a success. */
void bloom_sync_head_request(bloom_control *control);

/* Makes the head due, because a notice in the journal says that a version was published. A host
 * reads each notice only once, so it must be remembered before anything else can fail. Also ends a
 * pause, because something has changed in the store. */
void bloom_sync_head_notify(bloom_control *control);

/* Call these functions before and after the head is read. The second one returns false if the head
 * became due again in between. */
void bloom_sync_head_begin(bloom_control *control);
bool bloom_sync_head_end(bloom_control *control, uint64_t now_ms);

/* A version that could not be loaded is tried again after a pause: 1, 2, 4 … up to 300 s, each a
 * quarter longer or shorter at random, so that hosts do not fetch at the same time. Another version
 * is tried at once.
 *
 *   version  the checksum of the published head; 0: it could not be read
 *   text     as in bloom_sync_failed()
 *
 * bloom_sync_load_begin() counts the attempt before it is made, so that a version whose load kills
 * the process is paused as well. */
bool bloom_sync_load_is_paused(const bloom_control *control, uint64_t version, uint64_t now_ms);
void bloom_sync_load_begin(bloom_control *control, uint64_t version, uint64_t now_ms);
void bloom_sync_load_failed(
	bloom_control *control, uint64_t now_ms, bloom_status status, const char *text);
void bloom_sync_load_succeeded(bloom_control *control);

/* Records an error only for info(), so it does not affect when the next sync is due. */
void bloom_sync_note(bloom_control *control, bloom_status status, const char *text);

#endif
