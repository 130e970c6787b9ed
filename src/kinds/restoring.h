/* Restoring: creating a live filter from a snapshot (snapshot.h), piece by piece.
 *
 *     bloom_restoring_begin ─► bloom_restoring_room, _accept … ─► bloom_restoring_commit
 *       checks the head,         the caller writes a piece into      switches to the file
 *       stages a file            the staged file; it is verified
 *                                there
 *
 * A restore creates a filter and never replaces one. Otherwise a process that has mapped a live
 * generation could set bits in it after the switch: its add() would return, but no other process
 * would find the key. To prevent that, every add() would need a check after its last bit. So a
 * restore fails if a filter with the name exists, with any parameters and of any kind.
 *
 * Every byte is verified in the file that processes will map, and one store makes the filter exist.
 * If the process is killed earlier, no filter exists, and the next writer removes the staged file.
 *
 * Lifetime: a restoring borrows its stage, which the caller ends with bloom_stage_abort() or
 * bloom_restoring_commit().
 * Locks: those of the stage (segment/stage.h). */
#ifndef BLOOM_RESTORING_H
#define BLOOM_RESTORING_H

#include "kinds/snapshot.h"
#include "segment/stage.h"

typedef struct bloom_restoring {
	bloom_snapshot snapshot; /* borrows `head` */
	unsigned char *head;     /* a copy */
	bloom_stage *stage;
	uint64_t next; /* the next piece */
} bloom_restoring;

/* Checks the head and stages a file for the filter.
 *
 *   kind          the expected kind, or BLOOM_KIND_COUNT for any
 *   head, count   exactly the head; not needed after the call
 *   *stage        zeroed; must not move in memory
 *   *restoring    release it with bloom_restoring_end(), even after an error
 *
 * Errors: those of bloom_snapshot_parse(), bloom_snapshot_check_signature() and
 * bloom_stage_begin(); BLOOM_E_SNAPSHOT_OTHER (the snapshot is of a different kind); _SECRET (the
 * filter is keyed, and this process lacks its secret); _EXISTS; _MEMORY. */
bloom_status bloom_restoring_begin(const bloom_segment *segment, const char *name, uint64_t kind,
	const unsigned char *head, uint64_t count, bloom_stage *stage, bloom_restoring *restoring,
	bloom_error *error);

/* Returns where the caller must write the next piece, or NULL if all pieces were accepted. */
unsigned char *bloom_restoring_room(const bloom_restoring *restoring, bloom_snapshot_piece *piece);

/* Verifies the piece that the caller has written.
 *
 * Errors: BLOOM_E_SNAPSHOT_PIECE. After an error the stage can only be aborted. */
bloom_status bloom_restoring_accept(bloom_restoring *restoring, bloom_error *error);

/* Makes the filter exist, for all processes at the same instant. Ends the stage.
 *
 * Errors: BLOOM_E_EXISTS (another process has created the filter in the meantime), _INCOMPLETE, and
 * those of bloom_stage_commit(). */
bloom_status bloom_restoring_commit(bloom_restoring *restoring, bloom_error *error);

/* Releases the memory, but not the stage. Ignores a zeroed restoring, and a second call. */
void bloom_restoring_end(bloom_restoring *restoring);

/* Restores a filter from a file.
 *
 * Errors: those of the functions above; BLOOM_E_FILE (the file cannot be read); BLOOM_E_LENGTH (its
 * size does not match the head). */
bloom_status bloom_restore_file(const bloom_segment *segment, const char *name, uint64_t kind,
	const char *path, bloom_error *error);

#endif
