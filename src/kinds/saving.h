/* Saving: copying a live filter to a snapshot (snapshot.h), piece by piece.
 *
 *     bloom_saving_begin ─► bloom_saving_next … ─► bloom_saving_finish ─► bloom_saving_end
 *       maps the filter      copies the next         writes the head        (at any time)
 *                            piece to a buffer
 *
 * The caller writes the pieces to a file or to a store, and the head after all pieces. Other
 * processes may add, remove and look up keys in the meantime. Why the copy is consistent:
 *
 *   live, reverse   bits are only set. A bit that was set before the save is copied
 *   scalable        the number of layers is read first. A key that was added before is in one of
 *                   these layers. Layers that are appended later are not saved
 *   counting        a block is copied under its lock, after the intent of a killed process has been
 *                   replayed
 *   sliding         if the turn changes, the save begins again with the first piece
 *
 * Memory: the head, and one piece. The filter itself is mapped.
 * Lifetime: a saving has its own mapping, so the filter may be dropped between two calls.
 * Locks: those of the kind's save(), within one call of bloom_saving_next(). */
#ifndef BLOOM_SAVING_H
#define BLOOM_SAVING_H

#include "kinds/attachment.h"
#include "kinds/snapshot.h"

typedef struct bloom_saving {
	bloom_attachment from;
	bloom_snapshot snapshot; /* of the head that is being written */
	unsigned char *head;     /* the digests of the pieces that were read, in their place */
	unsigned char *piece;    /* BLOOM_SNAPSHOT_PIECE_BYTES */
	uint64_t next;           /* the next piece */
	uint64_t turn;           /* sliding: at the start of this attempt */
	uint32_t attempts;
} bloom_saving;

/* Begins to save a filter.
 *
 *   segment   borrowed; if it has signing keys, the snapshot is signed with the current one
 *   id        stored in the head; 0 for a file
 *   *saving   release it with bloom_saving_end(), even after an error
 *
 * Errors: those of bloom_attach(); BLOOM_E_NOT_LIVE; BLOOM_E_MEMORY; those of
 * bloom_ring_current(). */
bloom_status bloom_saving_begin(const bloom_segment *segment, const char *name, uint64_t id,
	bloom_saving *saving, bloom_error *error);

/* Copies the next piece. If a sliding filter rotates, the pieces are copied again from the first,
 * and the caller must overwrite those that it has written.
 *
 *   *piece   which piece
 *   *bytes   the copy, valid until the next call; NULL: all pieces have been copied
 *
 * Errors: BLOOM_E_BUSY (a lock, or a sliding filter that rotated during every attempt), _GONE,
 * _MEMORY, _SYSTEM. */
bloom_status bloom_saving_next(bloom_saving *saving, bloom_snapshot_piece *piece,
	const unsigned char **bytes, bloom_error *error);

/* Writes the head, after bloom_saving_next() has returned NULL. The head is saving->head, of
 * saving->snapshot.head_bytes bytes.
 *
 * Errors: BLOOM_E_GONE (the filter was dropped in the meantime). */
bloom_status bloom_saving_finish(bloom_saving *saving, bloom_error *error);

/* Releases the mapping and the memory. Ignores a zeroed saving, and a second call. */
void bloom_saving_end(bloom_saving *saving);

/* Saves a filter to a file. An existing snapshot is replaced only by a complete one, even if the
 * process is killed or the host loses power. A killed save leaves at most one temporary file, which
 * the next save to this path uses (os/userfile.h).
 *
 * Errors: those of the functions above; BLOOM_E_FILE; BLOOM_E_SPACE, _FILE_LIMIT; BLOOM_E_SAVING
 * (another process is saving to this path); BLOOM_E_REFUSED_… (the temporary file). */
bloom_status bloom_save_file(
	const bloom_segment *segment, const char *name, const char *path, bloom_error *error);

#endif
