/* Snapshots: images of live files, from which filters are restored after a reboot.
 *
 *     0         112         4208        4240       4248                        file end
 *     ├ origin  ┼ live head ┼ signature ┼ checksum ┼ piece 0 │ piece 1 │ … ────┤
 *     └──────────────────── head ──────────────────┘└─── image: the live file ─┘
 *                                                        from its first layer on
 *
 *     kind       image
 *     counting   the counters. The bits follow from them, and the intents belong to processes that
 *                run, so a restore computes the bits and leaves the intents empty
 *     others     the bits of all layers
 *
 * The words are those of the live file (live.h), so a snapshot needs no format of its own, and the
 * function that checks a live file when it is mapped also checks a snapshot. The price is that only
 * a build with the same BLOOM_LIVE_LAYOUT and byte order can restore it. The head contains both,
 * and other builds refuse it with BLOOM_E_SNAPSHOT_VERSION. Nothing else differs between machines,
 * because all words have fixed sizes and offsets.
 *
 * Contract: a key whose add() returned before the save began is in the snapshot, and a key whose
 * remove() returned before is not. Keys that are added or removed during the save may or may not be
 * in it. All counters of a block are from the same moment. Why a copy is consistent although other
 * processes write to the file:
 *
 *   live, reverse   bits are only set. A bit that was set before the save is copied
 *   scalable        the number of layers is read first. A key that was added before is in one of
 *                   these layers. Layers that are appended later are not saved
 *   counting        a block is copied under its lock, after the intent of a killed process has been
 *                   replayed
 *   sliding         if the turn changes, the save begins again with the first piece
 *
 * A restore creates a filter and never replaces one. Otherwise a process that has mapped a live
 * generation could set bits in it after the switch: its add() would return, but no other process
 * would find the key. Every byte is verified in the file that processes will map, and one store
 * makes the filter exist. If the process is killed earlier, no filter exists, and the next writer
 * removes the staged file.
 *
 * Files and stores contain the same head and the same pieces. In a store they are separate values
 * (php/protocol/save_restore.c).
 *
 * Lifetime: a saving has its own mapping, so the filter may be dropped meanwhile. A restoring
 * borrows its stage. Both are too large for a fiber's stack.
 * Locks: those of the kind's save(), within one call, and those of the stage. */
#ifndef BLOOM_SNAPSHOT_H
#define BLOOM_SNAPSHOT_H

#include "filter/digest.h"
#include "filter/secret.h"
#include "kinds/attachment.h"
#include "kinds/live.h"
#include "segment/stage.h"

enum {
	BLOOM_SNAPSHOT_VERSION = 3,
	/* All pieces have this size, except that the last one may be shorter. It is a multiple of
	 * any block's counters. Memcached stores values of up to 1 MiB. */
	BLOOM_SNAPSHOT_PIECE_BYTES = 512 * 1024,
};

#define BLOOM_SNAPSHOT_BYTE_ORDER UINT64_C(0x0102030405060708)

/* The pieces of a snapshot in a store are named by an id of 12 hexadecimal digits. */
#define BLOOM_SNAPSHOT_ID_MAX UINT64_C(0xFFFFFFFFFFFF)

/* Snapshots older than this do not age by the wall clock, because that clock was probably wrong. */
#define BLOOM_SNAPSHOT_AGE_MS_MAX (UINT64_C(366) * 24 * 60 * 60 * 1000)

/* The pieces of a snapshot in a store. */
typedef struct bloom_snapshot_pieces {
	uint64_t id; /* 0: none, or the snapshot is in a file */
	uint64_t count;
} bloom_snapshot_pieces;

typedef struct bloom_snapshot_ids {
	bloom_snapshot_pieces own;
	bloom_snapshot_pieces replaced; /* by this snapshot, in the same store */
} bloom_snapshot_ids;

/* The head, as it is stored. */
typedef struct bloom_snapshot {
	unsigned char magic[8];
	unsigned char version[4]; /* little-endian on all machines */
	unsigned char layout[4];  /* BLOOM_LIVE_LAYOUT, little-endian on all machines */
	uint64_t byte_order;      /* BLOOM_SNAPSHOT_BYTE_ORDER as the machine stores it */
	bloom_snapshot_ids ids;
	uint64_t saved_ms;           /* wall clock: when the save began */
	uint64_t saved_monotonic_ms; /* the same moment on the clock of that boot */
	uint64_t saved_boot;         /* bloom_boot_id(); 0: unknown */
	uint64_t ttl_ms; /* the time to live that was left at that moment; 0: unlimited */
	uint64_t signer; /* fingerprint of the signing key; 0: unsigned */
	/* Begins with zeros. Each piece replaces it by the digest of its previous value and the
	 * piece's digest: BLAKE2b-128 if the snapshot is signed, otherwise XXH3-128. */
	unsigned char image[BLOOM_CHUNK_DIGEST_BYTES];
	bloom_live_head live;
	unsigned char signature[BLOOM_SIGNATURE_BYTES]; /* of the name and all bytes before */
	unsigned char checksum[8];                      /* of all bytes before */
} bloom_snapshot;

_Static_assert(offsetof(bloom_snapshot, live) == 112 &&
		offsetof(bloom_snapshot, signature) == 112 + BLOOM_LIVE_HEAD_BYTES &&
		sizeof(bloom_snapshot) == 152 + BLOOM_LIVE_HEAD_BYTES,
	"the layout of a snapshot's head is fixed");

/* Returns the number of the piece at an offset in the snapshot. */
static inline uint64_t bloom_snapshot_piece_at(uint64_t at)
{
	return (at - sizeof(bloom_snapshot)) / BLOOM_SNAPSHOT_PIECE_BYTES;
}

/* Writes the checksum of a head. */
void bloom_snapshot_seal(bloom_snapshot *head);

/* ---- saving ---- */

typedef struct bloom_saving {
	bloom_attachment from;
	bloom_snapshot head;
	unsigned char *piece;
	uint64_t image_at; /* the image's offset in the live file */
	uint64_t image_bytes;
} bloom_saving;

/* Writes bytes of the snapshot: a piece, or the head. The file or store must accept that pieces are
 * written again.
 *
 *   at  the offset in the snapshot; 0: the head */
typedef bloom_status (*bloom_snapshot_write)(
	void *context, uint64_t at, const unsigned char *bytes, uint64_t count, bloom_error *error);

/* Maps a filter in order to save it.
 *
 *   segment   borrowed; if it has signing keys, the snapshot is signed with the current one
 *   id        stored in the head; 0 for a file
 *   *saving   release it with bloom_saving_end(), even after an error
 *
 * Errors: those of bloom_attach(); BLOOM_E_NOT_LIVE; BLOOM_E_MEMORY; those of
 * bloom_ring_current(). */
bloom_status bloom_saving_begin(const bloom_segment *segment, const char *name, uint64_t id,
	bloom_saving *saving, bloom_error *error);

/* Writes all pieces in order, and then the head. The save begins here.
 *
 * Errors: those of `write`; BLOOM_E_BUSY (a lock, or a sliding filter that rotated during every
 * attempt), _GONE (the filter was dropped in the meantime), _SIGNER, _MEMORY, _SYSTEM. */
bloom_status bloom_saving_run(
	bloom_saving *saving, bloom_snapshot_write write, void *context, bloom_error *error);

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

/* ---- restoring ---- */

typedef struct bloom_restoring {
	bloom_snapshot head;  /* a copy */
	bloom_live_head live; /* of the restored file, checked */
	bloom_stage *stage;
	uint64_t image_at;
	uint64_t image_bytes;
} bloom_restoring;

/* Reads a piece into the staged file.
 *
 *   at  its offset in the snapshot */
typedef bloom_status (*bloom_snapshot_read)(
	void *context, uint64_t at, unsigned char *bytes, uint64_t count, bloom_error *error);

/* Copies a head, and checks that this build can read its words and that none is damaged.
 *
 *   bytes, count  exactly the head
 *
 * Errors: BLOOM_E_SNAPSHOT, _SNAPSHOT_VERSION, _LENGTH, _HEAD_CHECKSUM. */
bloom_status bloom_snapshot_parse(
	const unsigned char *bytes, uint64_t count, bloom_snapshot *snapshot, bloom_error *error);

/* Checks everything in a head and stages a file for the filter.
 *
 *   kinds         the sum of 1 << kind of those that the caller accepts, or BLOOM_KINDS_ANY
 *   head, count   exactly the head; not needed after the call
 *   *stage        zeroed; must not move in memory. The caller ends it with bloom_stage_abort(),
 *                 which ignores a stage that was committed
 *
 * Errors: those of bloom_snapshot_parse() and bloom_stage_begin(); BLOOM_E_SNAPSHOT_KIND (unknown),
 * _SNAPSHOT_PARAMS (no live file of this kind has such a head), _SNAPSHOT_OTHER (the snapshot is of
 * a different kind); _UNSIGNED, _SIGNER, _SIGNATURE (signing keys are configured); _SECRET (the
 * filter is keyed, and this process lacks its secret); _EXISTS. */
bloom_status bloom_restoring_begin(const bloom_segment *segment, const char *name, uint32_t kinds,
	const unsigned char *head, uint64_t count, bloom_stage *stage, bloom_restoring *restoring,
	bloom_error *error);

/* Reads all pieces, verifies them, and makes the filter exist, for all processes at the same
 * instant. Ends the stage on success.
 *
 * Errors: those of `read` and bloom_stage_commit(); BLOOM_E_SNAPSHOT_PIECE (the pieces do not match
 * the head); _EXPIRED; _EXISTS (another process has created the filter in the meantime). */
bloom_status bloom_restoring_run(
	bloom_restoring *restoring, bloom_snapshot_read read, void *context, bloom_error *error);

/* Restores a filter from a file.
 *
 * Errors: those of the functions above; BLOOM_E_FILE (the file cannot be read); BLOOM_E_LENGTH (its
 * size does not match the head). */
bloom_status bloom_restore_file(const bloom_segment *segment, const char *name, uint32_t kinds,
	const char *path, bloom_error *error);

/* The clocks of the host that restores a snapshot. */
typedef struct bloom_snapshot_clocks {
	uint64_t wall_ms;
	uint64_t monotonic_ms;
	uint64_t boot; /* 0: unknown */
} bloom_snapshot_clocks;

/* Estimates the time that has passed since the snapshot was saved:
 *
 *   - in the same boot, the time on the monotonic clock
 *   - after a reboot, the difference of the wall clock, unless it is shorter than this boot or
 *     longer than BLOOM_SNAPSHOT_AGE_MS_MAX; then the duration of this boot
 *   - if the boots cannot be compared, the difference of the wall clock within the same limit;
 *     otherwise 0
 *
 * The result is never too long, unless the wall clock was set ahead in the meantime. */
uint64_t bloom_snapshot_elapsed_ms(
	const bloom_snapshot *snapshot, const bloom_snapshot_clocks *clocks);

#endif
