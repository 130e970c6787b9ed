/* Verifies the served file again, part by part. Each sync verifies one part. A pass over the whole
 * file takes about a day.
 *
 *     part ──► does it match its rows? ──► yes: the position advances
 *                 └► no: recorded, and the generation is withdrawn: readers answer "maybe"
 *                        └► the sync stages the version again
 *
 * Every generation is verified when it is written, so any damage found here happened later: another
 * process of the same user wrote to the file, or memory failed. Until the damage is found, lookups
 * of keys in the damaged shards may answer "no".
 *
 * In an on-demand filter, only the damaged chunk is discarded, and a later lookup fetches it again.
 *
 * Locks: none while the file is read; withdrawing takes the filter's lock. The position is in the
 * control page. The process that holds the sync's lease performs the verification. Two processes
 * that verify concurrently merely do the same work twice. */
#ifndef BLOOM_VERIFY_H
#define BLOOM_VERIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "kinds/attachment.h"
#include "segment/control.h"

enum {
	BLOOM_PASS_MS = 86400000,                /* the duration of a pass over the file */
	BLOOM_PART_BYTES_MIN = 1024 * 1024,      /* about 0.5 ms */
	BLOOM_PART_BYTES_MAX = 32 * 1024 * 1024, /* about 20 ms */
};

/* Consecutive shards, or chunks of an on-demand filter. */
typedef struct bloom_part {
	uint64_t first;
	uint64_t count;
} bloom_part;

/* Returns the part that is due. The size of the part, as a fraction of the file, is the time since
 * the last part divided by BLOOM_PASS_MS, within the limits above. The part contains at least one
 * piece and never extends beyond the end of the file.
 *
 *   generation  the served generation; a position in a different one is ignored
 *   pieces      the number of shards or chunks in the file, each `piece_bytes` long
 *   now_ms      bloom_monotonic_ms() */
bloom_part bloom_verify_due(const bloom_control *control, uint64_t generation, uint64_t pieces,
	uint64_t piece_bytes, uint64_t now_ms);

/* Advances the position after a part without damage. */
void bloom_verify_passed(bloom_control *control, uint64_t generation, uint64_t pieces,
	bloom_part part, uint64_t now_ms);

/* Verifies the part that is due, or the whole file. Does nothing for kinds whose files have no
 * checksums.
 *
 *   all            verify the whole file
 *   leased, lease  the sync's lease, renewed every 32 MiB
 *
 * Returns false if a loaded generation is damaged. The damage is recorded in the control page, and
 * the generation is withdrawn (bloom_segment_withdraw()), unless the lock is busy for too long. The
 * mapping remains usable, so the sync can copy its undamaged chunks instead of fetching them. */
bool bloom_verify_served(
	bloom_attachment *served, bool all, bloom_control *leased, uint64_t *lease);

/* If the error of a failed attach means that the file of a loaded generation is damaged, records
 * the damage and withdraws the generation.
 *
 *   generation  the generation served before the attempt; a newer one is not withdrawn */
void bloom_verify_unmappable(const bloom_segment *segment, const char *name, bloom_control *control,
	uint64_t generation, const bloom_error *error);

/* Returns the progress of the current pass, from 0 to 1. */
double bloom_verify_progress(const bloom_attachment *served);

/* Returns the wall-clock time in milliseconds when the last full pass over the served generation
 * ended. Loading counts as a pass. */
uint64_t bloom_verify_last_ms(const bloom_attachment *served);

#endif
