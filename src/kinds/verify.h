/* Looking again at what is served: a part of the file at each sync, so that a pass over all of it takes about a day.
 *
 *     part ──► as its row says? ──► the position moves on
 *                 no ──► noted, and withdrawn: readers answer "maybe" ──► the sync stages the version anew
 *
 * A generation was verified when it was written. What this finds was done to the file since then: another process of
 * the same user wrote over it, or memory failed. Until it is found, keys in the damaged shards may be answered "no".
 *
 * A damaged chunk of an on-demand filter is given up by itself, and the next lookup fetches it anew.
 *
 * The position is in the control page, and no lock is held while the file is read. The sync's lease elects the process.
 * Two processes that verify at once waste work and harm nothing.
 */
#ifndef BLOOM_VERIFY_H
#define BLOOM_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "kinds/attachment.h"
#include "segment/control.h"

enum {
	BLOOM_PASS_MS = 86400000,                /* a pass over the file takes about so long */
	BLOOM_PART_BYTES_MIN = 1024 * 1024,      /* about 0.5 ms */
	BLOOM_PART_BYTES_MAX = 32 * 1024 * 1024, /* about 20 ms */
};

/* Consecutive shards, or chunks of an on-demand filter. */
typedef struct bloom_part {
	uint64_t first;
	uint64_t count;
} bloom_part;

/* The part that is due. Its share of the file is the share of BLOOM_PASS_MS that has passed since the last part, within
 * the limits above. It has at least one piece and never goes beyond the end of the file.
 *
 *   generation   the served one; a position that was saved for another generation is ignored
 *   pieces       shards or chunks of the file, of `piece_bytes` each
 *   now_ms       bloom_monotonic_ms()
 */
bloom_part bloom_verify_due(const bloom_control *control, uint64_t generation, uint64_t pieces,
	uint64_t piece_bytes, uint64_t now_ms);

/* Moves the position behind a part that was found whole. */
void bloom_verify_passed(bloom_control *control, uint64_t generation, uint64_t pieces,
	bloom_part part, uint64_t now_ms);

/* Verifies the part that is due, or all, of what is mapped. For loaded and on-demand filters; others pass.
 *
 *   leased, lease   the sync's, renewed every 32 MiB
 *
 * Returns false if a loaded generation is damaged: it is noted in the control page, and withdrawn
 * (bloom_segment_withdraw()) unless the lock cannot be had in time. The mapping stays usable: its whole chunks need not be
 * fetched.
 */
bool bloom_verify_served(
	bloom_attachment *served, bool all, bloom_control *leased, uint64_t *lease);

/* The same for a loaded generation that could not be attached to: it is noted and withdrawn if the error says that its
 * file is damaged.
 *
 *   generation  that was served before the attempt: one that was loaded since is another
 */
void bloom_verify_unmappable(const bloom_segment *segment, const char *name, bloom_control *control,
	uint64_t generation, const bloom_error *error);

/* How much of the current pass is done, 0 to 1. */
double bloom_verify_progress(const bloom_attachment *served);

/* When the last full pass over the served generation ended, in ms of the wall clock. Loading counts as a pass. */
uint64_t bloom_verify_last_ms(const bloom_attachment *served);

#endif
