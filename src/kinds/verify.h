/* Verifying the served file again: a part of it at each sync, so that a pass takes about a day.
 *
 *     part ──► does it match its row? ──► the position advances
 *                 └ no ──► noted, and withdrawn: readers answer "maybe" ──► the sync stages the
 *                          version again
 *
 * Every generation was verified when it was written. This check finds damage that happened since:
 * another process of the same user overwrote the file, or memory failed. Until the damage is found,
 * lookups of keys in the damaged shards may return "no".
 *
 * If a chunk of an on-demand filter is damaged, only that chunk is discarded, and the next lookup
 * fetches it again.
 *
 * The position is in the control page, and no lock is held while the file is read. The sync's lease
 * elects the process. Two processes that verify at once waste work but do no harm.
 */
#ifndef BLOOM_VERIFY_H
#define BLOOM_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "kinds/attachment.h"
#include "segment/control.h"

enum {
	BLOOM_PASS_MS = 86400000,                /* the approximate time of a pass over the file */
	BLOOM_PART_BYTES_MIN = 1024 * 1024,      /* about 0.5 ms */
	BLOOM_PART_BYTES_MAX = 32 * 1024 * 1024, /* about 20 ms */
};

/* Consecutive shards, or chunks of an on-demand filter. */
typedef struct bloom_part {
	uint64_t first;
	uint64_t count;
} bloom_part;

/* Returns the part that is due. Its share of the file is the share of BLOOM_PASS_MS that has passed
 * since the last part, within the limits above. It has at least one piece and never goes beyond the
 * end of the file.
 *
 *   generation   the served one; a position that was saved for another generation is ignored
 *   pieces       shards or chunks of the file, of `piece_bytes` each
 *   now_ms       bloom_monotonic_ms()
 */
bloom_part bloom_verify_due(const bloom_control *control, uint64_t generation, uint64_t pieces,
	uint64_t piece_bytes, uint64_t now_ms);

/* Moves the position past a part that was found undamaged. */
void bloom_verify_passed(bloom_control *control, uint64_t generation, uint64_t pieces,
	bloom_part part, uint64_t now_ms);

/* Verifies the part that is due, or all parts, of the mapped generation. Filters that are neither
 * loaded nor on-demand pass.
 *
 *   leased, lease   the sync's, renewed every 32 MiB
 *
 * Returns false if a loaded generation is damaged. The damage is noted in the control page, and the
 * generation is withdrawn (bloom_segment_withdraw()) unless the lock cannot be taken in time. The
 * mapping stays usable, so the sync need not fetch its undamaged chunks.
 */
bool bloom_verify_served(
	bloom_attachment *served, bool all, bloom_control *leased, uint64_t *lease);

/* Handles a loaded generation that could not be attached to. If the error says that its file is
 * damaged, the damage is noted and the generation withdrawn.
 *
 *   generation  the one that was served before the attempt; one loaded since then is not withdrawn
 */
void bloom_verify_unmappable(const bloom_segment *segment, const char *name, bloom_control *control,
	uint64_t generation, const bloom_error *error);

/* The completed part of the current pass, from 0 to 1. */
double bloom_verify_progress(const bloom_attachment *served);

/* The end of the last full pass over the served generation, in ms of the wall clock. Loading counts
 * as a pass. */
uint64_t bloom_verify_last_ms(const bloom_attachment *served);

#endif
