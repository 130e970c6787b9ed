/* A snapshot: the bytes of a live filter of any kind, from which it can be restored after a reboot.
 *
 *     0       256            + 48·L            + 16·P       head_bytes            file_bytes
 *     ├ fixed ┼ L layer rows ┼ P piece digests ┼ checksum ─┤ piece 0 │ piece 1 │ … ┤
 *     └───────────────────── head ────────────────────────┘└──────── layers ───────┘
 *
 * A blob contains the bits of one filter of fixed geometry. A snapshot contains everything that a
 * kind needs to continue: all layers of a scalable filter, the counters of a counting filter, and
 * the age of a sliding filter's turn. docs/format.md specifies the bytes; all numbers are
 * little-endian. Files and stores contain the same pieces.
 *
 *     kind               layers in the snapshot               bytes of a layer
 *     live, reverse      the only one                         its bits
 *     scalable           all                                  its bits
 *     counting           the only one                         its counters; a bit is set if its
 *                                                             counter is not 0
 *     sliding            current, next                        its bits; no lookup reads the spare
 *                                                             slot
 *
 * Contract: a key whose add() returned before the save began is in the snapshot, and a key whose
 * remove() returned before is not. Keys that are added or removed during the save may or may not be
 * in it. All counters of a block are from the same moment.
 *
 * saving.h writes snapshots and restoring.h reads them. This file only knows the head. Its
 * functions are pure, allocate nothing and never read beyond the given number of bytes. */
#ifndef BLOOM_SNAPSHOT_H
#define BLOOM_SNAPSHOT_H

#include "filter/secret.h"
#include "kinds/live.h"

enum {
	BLOOM_SNAPSHOT_VERSION = 1,
	BLOOM_SNAPSHOT_FIXED_BYTES = 256,
	BLOOM_SNAPSHOT_ROW_BYTES = 48,
	BLOOM_SNAPSHOT_DIGEST_BYTES = 16,
	BLOOM_SNAPSHOT_CHECKSUM_BYTES = 8,
	/* The size of a piece. Only the last piece of a layer may be shorter. Memcached stores
	 * values of up to 1 MiB. */
	BLOOM_SNAPSHOT_PIECE_BYTES = 512 * 1024,
};

/* The pieces of a snapshot in a store are named by an id of 12 hexadecimal digits. */
#define BLOOM_SNAPSHOT_ID_MAX UINT64_C(0xFFFFFFFFFFFF)

/* Snapshots older than this do not age by the wall clock, because that clock was probably wrong. */
#define BLOOM_SNAPSHOT_AGE_MS_MAX (UINT64_C(366) * 24 * 60 * 60 * 1000)

/* A parsed head, or the head of a snapshot that is being written. */
typedef struct bloom_snapshot {
	bloom_live_params params;
	uint64_t seed;
	uint64_t created_ms;         /* wall clock: when the filter was created */
	uint64_t saved_ms;           /* wall clock: when the save began */
	uint64_t saved_monotonic_ms; /* the same moment on the clock of that boot */
	uint64_t saved_boot;         /* bloom_boot_id(); 0: unknown */
	uint64_t turn_age_ms;        /* sliding: time since the turn began, at that moment */
	uint64_t id;                 /* names the pieces in a store; 0: not in a store */
	uint64_t signer;             /* fingerprint of the signing key; 0: unsigned */
	uint64_t ttl_ms; /* the time to live that was left at that moment; 0: unlimited */
	uint64_t head_bytes;
	uint64_t file_bytes;
	uint64_t pieces;
	uint32_t piece_digest; /* BLOOM_CHUNK_DIGEST_… */
	uint32_t layers;
	const unsigned char *digests; /* borrows the parsed bytes; NULL while writing */
	/* `offset` is the position of the layer's bytes in the snapshot file. */
	bloom_layer layer[BLOOM_LAYERS_MAX];
} bloom_snapshot;

/* The part of a layer that a piece contains. */
typedef struct bloom_snapshot_piece {
	uint32_t layer;
	uint64_t at;     /* offset in the layer's bytes */
	uint64_t offset; /* offset in the snapshot file */
	uint64_t bytes;
} bloom_snapshot_piece;

/* Returns the geometry of a layer, and the number of bytes that the snapshot contains of it. */
bloom_geometry bloom_snapshot_geometry(const bloom_snapshot *snapshot, uint32_t layer);
uint64_t bloom_snapshot_layer_bytes(const bloom_snapshot *snapshot, uint32_t layer);

/* Computes the sizes, the number of pieces and the offsets from the parameters and the layers.
 * Returns false if the sizes exceed 2^63. */
bool bloom_snapshot_measure(bloom_snapshot *snapshot);

/* Locates a piece. Requires piece < snapshot->pieces.
 * Cost: one step for each layer before the piece. */
bloom_snapshot_piece bloom_snapshot_locate(const bloom_snapshot *snapshot, uint64_t piece);

/* Checks the digest of a piece of a parsed snapshot.
 *
 * Errors: BLOOM_E_SNAPSHOT_PIECE; the error's subject names the piece. */
bloom_status bloom_snapshot_verify(const bloom_snapshot *snapshot, uint64_t piece,
	const unsigned char *bytes, bloom_error *error);

/* Reads the size of a head from its first bytes. Checks only the magic bytes, the version and that
 * the sizes are possible.
 *
 *   bytes        at least BLOOM_SNAPSHOT_FIXED_BYTES
 *   file_bytes   the size of the file; the head must not be larger
 *
 * Errors: BLOOM_E_SNAPSHOT, _SNAPSHOT_VERSION, _HEAD_BYTES, _LENGTH. */
bloom_status bloom_snapshot_peek(
	const unsigned char *bytes, uint64_t file_bytes, uint64_t *head_bytes, bloom_error *error);

/* Parses and checks a head.
 *
 *   bytes, count  exactly the head
 *   *snapshot     set on success; borrows `bytes`
 *
 * Errors: those of bloom_snapshot_peek(); BLOOM_E_LENGTH (the head is truncated, or followed by
 * more bytes), _HEAD_CHECKSUM, _RESERVED, _SNAPSHOT_KIND, _SNAPSHOT_PARAMS, _SCHEME, _GEOMETRY. */
bloom_status bloom_snapshot_parse(
	const unsigned char *bytes, uint64_t count, bloom_snapshot *snapshot, bloom_error *error);

/* Writes a head. The digests of the pieces must already be in their place, which begins at
 * bloom_snapshot_digests_at().
 *
 *   name   the filter's name, which a signature covers
 *   key    signs the head and matches snapshot->signer; NULL: unsigned
 *   bytes  receives snapshot->head_bytes bytes */
void bloom_snapshot_write_head(const bloom_snapshot *snapshot, const char *name,
	const bloom_secret *key, unsigned char *bytes);
uint64_t bloom_snapshot_digests_at(const bloom_snapshot *snapshot);

/* Checks whether a snapshot may be restored under a name. If no signing key is configured, every
 * snapshot is accepted.
 *
 *   bytes  the head that `snapshot` was parsed from
 *   ring   the signing keys; may be NULL
 *
 * Errors: BLOOM_E_UNSIGNED, _SIGNER, _SIGNATURE; ring->failure if the ring's file could not be
 * read. */
bloom_status bloom_snapshot_check_signature(const bloom_snapshot *snapshot,
	const unsigned char *bytes, const char *name, const bloom_ring *ring, bloom_error *error);

/* The clocks of the host that restores a snapshot. */
typedef struct bloom_snapshot_clocks {
	uint64_t wall_ms;
	uint64_t monotonic_ms;
	uint64_t boot; /* 0: unknown */
} bloom_snapshot_clocks;

bloom_snapshot_clocks bloom_snapshot_clocks_now(void);

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
