/* Writing: a generation on its way into the segment.
 *
 *     bloom_stage_begin ──► bloom_stage_write … ──► bloom_stage_commit     (or _abort, at any time)
 *       a .tmp of ours       appends, and verifies       lock, rename, switch
 *                            in place as it goes
 *
 * What was not written to its end and verified to its end cannot be committed.
 */
#ifndef BLOOM_STAGE_H
#define BLOOM_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/blob.h"
#include "segment/marker.h"
#include "segment/segment.h"

/* Of an on-demand generation (ondemand.h), before the head that it holds. */
enum { BLOOM_CACHE_HEAD_BYTES = 4096 };

/* A generation being written: a file of ours that nobody serves. */
typedef struct bloom_stage {
	bool begun;
	bloom_place place; /* borrows the segment, and `name` below */
	bloom_marker marker;
	/* Closed in a child that this process forks: there it is to be set to -1. */
	int file;
	uint64_t file_bytes; /* announced */
	uint64_t written;
	uint64_t verified_shards;
	uint64_t verified_chunks; /* of a signed blob */
	uint64_t built_ms;        /* of the blob, or of the published head of an on-demand filter */
	bool allow_older;         /* than what is served, although signing keys are configured */
	uint64_t replaces; /* what must be served at the switch; set to BLOOM_GENERATION_ANY by
				   * bloom_stage_begin(), the caller may say more */
	const bloom_control
		*page;   /* that said so, and must not have been dropped: after a drop numbers
				    * begin anew. Borrowed from the caller; NULL: any */
	bloom_kind kind; /* of the generation: loaded, unless it was allocated */
	bool has_head;
	bloom_head head; /* borrows `map` */
	unsigned char *map;
	char name[BLOOM_NAME_BYTES_MAX + 1];
	char file_name[BLOOM_FILE_NAME_MAX];
} bloom_stage;

/* Begins a generation of `file_bytes` bytes in *stage, which must stay where it is. The segment and the filter's directory are made when
 * they are missing. No lock is held between this call and the next; any time may pass.
 *
 * Fails   BLOOM_E_FILE_LIMIT, _SPACE, _LIMIT before anything is written; _NAME, _REFUSED_…, _SYSTEM.
 */
bloom_status bloom_stage_begin(const bloom_segment *segment, const char *name, uint64_t file_bytes,
	bloom_stage *stage, bloom_error *error);

/* Appends the blob's next bytes, and verifies where they will be served from what is now complete:
 * the head, then shard by shard.
 *
 * With signing keys configured, the head must be signed for the filter's name by one of them. Of a signed blob each
 * chunk is compared with its digest, too.
 *
 * Fails   as bloom_head_parse(), bloom_signature_check(), bloom_body_verify() and bloom_chunks_verify();
 *         BLOOM_E_SECRET for a blob keyed with a secret that this process does not have; BLOOM_E_LENGTH for more than was announced;
 *         BLOOM_E_SPACE. The stage can then only be aborted.
 */
bloom_status bloom_stage_write(
	bloom_stage *stage, const unsigned char *bytes, uint64_t count, bloom_error *error);

/* Whether a head may be served on this host: rightly signed, where that is demanded, and not keyed with a secret that
 * is not here. For those that do not write a blob.
 *
 * Fails   as bloom_signature_check() and bloom_hasher_find().
 */
bloom_status bloom_stage_admit(
	bloom_stage *stage, const bloom_head *head, const unsigned char *bytes, bloom_error *error);

/* Instead of writing a blob: gives the file all its room at once, zeroed, and maps it for the caller to
 * fill. For kinds other than loaded.
 *
 *   *bytes  the file's, until the stage ends
 *
 * Fails   BLOOM_E_SPACE, _FILE_LIMIT, _SYSTEM. The stage can then only be aborted.
 */
bloom_status bloom_stage_allocate(
	bloom_stage *stage, bloom_kind kind, unsigned char **bytes, bloom_error *error);

/* Makes the staged file the served generation, for all processes at one instant, and ends the stage
 * (also when it fails).
 *
 *   *generation  its number, on success
 *
 * Fails   BLOOM_E_INCOMPLETE, _BUSY, _REPLAY (with signing keys: older than what
 *         is served), _OVERTAKEN (another than stage->replaces is served, or stage->page
 *         was dropped),
 *         _KIND, _LIMIT, _GONE (dropped meanwhile), _CONTROL_VERSION, _SPACE,
 *         _SYSTEM: what was served is untouched.
 */
bloom_status bloom_stage_commit(bloom_stage *stage, uint64_t *generation, bloom_error *error);

/* Makes an allocated file the filter's overlay instead of a generation, and ends the stage likewise.
 *
 * Fails   BLOOM_E_OVERTAKEN (there is one), _KIND, _BUSY, _LIMIT, _GONE, _CONTROL_VERSION, _SPACE,
 *         _SYSTEM.
 */
bloom_status bloom_stage_commit_overlay(bloom_stage *stage, bloom_error *error);

/* Ends a stage without a trace. A zeroed or ended stage is fine. */
void bloom_stage_abort(bloom_stage *stage);

#endif
