/* An attachment is a thread's access to one filter of any kind, and is kept across requests.
 *
 *     bloom_attach ──► check, use, check, use, … ──► bloom_detach
 *                        └ one load and one comparison; maps a file only after a switch
 *
 *     bloom_attachment ─┬─ ops ────────────────► the row of the mapped generation's kind
 *       what all kinds  ├─ loaded, live, cache ► the kind's own state, allocated separately
 *       have            └─ tally ──────────────► counts lookups until the counters get them
 *
 * Lifetime: until bloom_detach(). Each attachment belongs to one thread and may be moved in memory.
 * Locks: none. switch.h explains why the protocol works without locks. */
#ifndef BLOOM_ATTACHMENT_H
#define BLOOM_ATTACHMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/atomic.h"
#include "filter/compiler.h"
#include "filter/probe.h"
#include "kinds/attachment_state.h"
#include "kinds/live.h"
#include "kinds/loaded.h"
#include "kinds/ondemand.h"
#include "kinds/ops.h"
#include "segment/segment.h"

/* Returns true if every lookup must answer "maybe". */
static inline bool bloom_presence_is_maybe(bloom_presence presence)
{
	return presence == BLOOM_PRESENCE_BEHIND || presence == BLOOM_PRESENCE_UNMAPPED;
}

/* After BLOOM_NAME_CHECK_MS and at most BLOOM_ROUND_CHECKS_MAX further checks, the attachment looks
 * up the name again. */
enum { BLOOM_NAME_CHECK_MS = 1000, BLOOM_ROUND_CHECKS_MAX = 64 };

/* Attaches to a filter and maps its served generation.
 *
 *   segment      borrowed
 *   *attachment  filled on success, zeroed after an error; release it with bloom_detach()
 *
 * Errors: BLOOM_E_NOT_FOUND (no generation), _DAMAGED (withdrawn), _SECRET (the filter is keyed,
 * and the ring lacks its secret), and the errors of mapping the file and checking its head. */
bloom_status bloom_attach(const bloom_segment *segment, const char *name,
	bloom_attachment *attachment, bloom_error *error);

/* Unmaps everything, which does not change the filter itself. A zeroed attachment is ignored. */
void bloom_detach(bloom_attachment *attachment);

/* The slow part of bloom_attachment_check(), which maps the served generation. It also looks up the
 * filter's name if BLOOM_NAME_CHECK_MS have passed. If segment->defers_unmap is set, the replaced
 * blob stays mapped until bloom_attachment_trim(). */
bloom_presence bloom_attachment_refresh(bloom_attachment *attachment);

/* The fast part of bloom_attachment_check(). Returns true if the mapped generation is still served
 * and the clock need not be read. Otherwise the caller must call bloom_attachment_refresh(). */
static inline bool bloom_attachment_is_current(bloom_attachment *attachment)
{
	uint64_t generation = bloom_load_acquire(&attachment->control->generation);

	/* The count stays near 0, because a caller that gets false calls
	 * bloom_attachment_refresh(), perhaps after a second call of this function. */
	return BLOOM_LIKELY(generation == attachment->generation) &&
		BLOOM_LIKELY(--attachment->checks_left >= 0);
}

/* Brings the attachment up to date. Call this function before each use of the mapping. The mapping
 * then remains valid until the next call.
 *
 * If an administrator deletes the segment and creates it again, the control page that this
 * attachment watches never changes again. That is why the check looks up the filter's name once a
 * second. To save time, it reads the clock only once in 64 checks, or more often if checks are
 * rare. If the filter has additions, every check reads a clock, because lookups trust additions
 * only for a limited time (loaded.h).
 *
 * Cost: one load, one comparison and a decrement if the generation has not changed. */
static inline bloom_presence bloom_attachment_check(bloom_attachment *attachment)
{
	return bloom_attachment_is_current(attachment) ? (bloom_presence)attachment->presence
						       : bloom_attachment_refresh(attachment);
}

/* Returns true if a mapped filter of any kind may contain the key. In an on-demand filter, also
 * returns true if the key's chunk is not resident.
 *
 * Concurrency: takes no lock. Makes no system call, except to map a new layer of a scalable
 * filter. */
static inline bool bloom_attachment_test(
	bloom_attachment *attachment, const unsigned char *key, size_t key_bytes)
{
	return attachment->ops->test(attachment, key, key_bytes);
}

/* Counts a lookup. Both additions have fixed addresses, because if the answer selected the address,
 * the next lookup would wait for this one's answer, which doubles the time of a lookup. */
static inline void bloom_attachment_count(bloom_attachment *attachment, bool answer)
{
	attachment->tally.lookups++;
	attachment->tally.maybes += answer;
}

/* Counts lookups, of which `maybes` answered "maybe". */
static inline void bloom_attachment_count_many(
	bloom_attachment *attachment, uint64_t lookups, uint64_t maybes)
{
	attachment->tally.lookups += lookups;
	attachment->tally.maybes += maybes;
}

/* Adds the tally to the filter's counters. Call this function at the end of a request, and before a
 * fork, because otherwise both processes would count the same lookups. In a long request, checks
 * call it once a second.
 *
 * Cost: two loads if nothing was counted; otherwise see bloom_counters_add(). */
void bloom_attachment_flush(bloom_attachment *attachment);

/* Adds the tally to the counters. Unmaps a replaced blob, and the mapped generation if it is no
 * longer served. Call this function at the end of a request. When the last process unmaps a blob,
 * its memory is freed, which takes hundreds of milliseconds for a gigabyte, so no lookup should
 * have to wait for it.
 *
 * Cost: a few loads if nothing was counted or replaced. */
void bloom_attachment_trim(bloom_attachment *attachment);

/* What the filter's name refers to. */
typedef enum bloom_naming {
	BLOOM_NAMING_SAME,    /* to the control page that the attachment watches */
	BLOOM_NAMING_OTHER,   /* to a different control page: attach again */
	BLOOM_NAMING_NONE,    /* to nothing: the page was deleted, or the root directory changed */
	BLOOM_NAMING_UNKNOWN, /* the lookup failed */
} bloom_naming;

/* Looks up the filter's name. Cost: one system call. */
bloom_naming bloom_attachment_naming(const bloom_attachment *attachment);

/* Attaches to the filter that now has the name. After an error the attachment is unchanged.
 *
 * Errors: those of bloom_attach(). */
bloom_status bloom_attachment_renew(bloom_attachment *attachment, bloom_error *error);

#endif
