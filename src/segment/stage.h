/* Staging means writing and verifying a file in the segment before it is served.
 *
 *     bloom_stage_begin ──► bloom_stage_write … ──► bloom_stage_commit     (or _abort, at any time)
 *       creates a locked     appends, and verifies       locks the filter, renames the file,
 *       .tmp file            the bytes in place          and switches to it
 *
 * A file can be committed only after it has been completely written and verified.
 *
 * Lifetime: a stage lasts until it is committed or aborted. There is no time limit.
 * Locks: the stage holds the lock on its own .tmp file, which shows other writers that its process
 * is alive. It takes the filter's lock only during the commit.
 */
#ifndef BLOOM_STAGE_H
#define BLOOM_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/blob.h"
#include "segment/control.h"
#include "segment/filter_dir.h"

/* A file that is being written and is not yet served. */
typedef struct bloom_stage {
	bool begun;
	bloom_filter_dir dir; /* borrows the segment and `name` below */
	/* This handle is closed in forked children, so a child that keeps the stage must set `file`
	 * to -1. */
	int file;
	uint64_t file_bytes; /* the length passed to bloom_stage_begin() */
	uint64_t written;
	uint64_t verified_shards;
	uint64_t verified_chunks; /* of a signed blob */
	bool is_published;        /* bloom_stage_admit() has accepted the blob's head in the file */
	uint64_t head_at;         /* the head's offset, the same in all files of this kind */
	uint64_t built_ms;        /* wall clock: when the blob was built */
	bool allow_older; /* with signing keys: accept a blob that is older than the served one */
	/* The generation that must be served when the switch happens. bloom_stage_begin() sets this
	 * to BLOOM_GENERATION_ANY, and the caller may then set a different value. */
	uint64_t replaces;
	/* The control page from which the caller took `replaces`, or NULL. If this page is dropped
	 * before the switch, the commit fails, because numbering restarts after a drop.
	 * Borrowed. */
	const bloom_control *page;
	/* BLOOM_KIND_LOADED or _INDEX, as the head says, unless bloom_stage_allocate() sets a
	 * different kind. */
	bloom_kind kind;
	bool is_allocated;
	bool has_head;
	bloom_head head; /* borrows `map` */
	unsigned char *map;
	/* The staged additions that become served together with this blob, or NULL. A blob with a
	 * mark needs them. Borrowed. */
	struct bloom_stage *additions;
	/* The time to live of a filter that the commit creates. 0, which bloom_stage_begin() sets,
	 * means that it is unlimited. */
	uint64_t ttl_ms;
	uint64_t began_us; /* bloom_monotonic_us() */
	/* How many bytes of chunks the caller has fetched from a store, and how many it has copied
	 * from the served generation. Only for the counters. */
	uint64_t fetched_bytes;
	uint64_t saved_bytes;
	uint64_t number; /* in the name of the .tmp file */
	char name[BLOOM_NAME_BYTES_MAX + 1];
	char file_name[BLOOM_FILE_NAME_MAX];
} bloom_stage;

/* Begins staging a file of `file_bytes` bytes. Creates missing directories.
 *
 *   *stage  must not move in memory until the stage ends
 *
 * Errors: BLOOM_E_FILE_LIMIT, _SPACE, _LIMIT (before anything is written); _NAME, _REFUSED_…,
 * _SYSTEM. */
bloom_status bloom_stage_begin(const bloom_segment *segment, const char *name, uint64_t file_bytes,
	bloom_stage *stage, bloom_error *error);

/* Appends the blob's next bytes and verifies the head, and later each shard, as soon as it is
 * complete. The verification reads the mapped file, because readers will map the same bytes.
 *
 * If signing keys are configured, the head must be signed with one of them for this filter's name.
 * Each chunk of a signed blob is also checked against its digest.
 *
 * Errors: those of bloom_head_parse(), bloom_signature_check(), bloom_head_check_built(),
 * bloom_body_verify() and bloom_chunks_verify(); BLOOM_E_SECRET (this process does not have the
 * secret of a keyed blob); BLOOM_E_LENGTH (more bytes than announced); BLOOM_E_SPACE. After an
 * error the stage can only be aborted. */
bloom_status bloom_stage_write(
	bloom_stage *stage, const unsigned char *bytes, uint64_t count, bloom_error *error);

/* Checks that this host may serve a blob with this head: its signature, if signing keys are
 * configured, its build time, and its secret, if the blob is keyed. Call this function for files
 * that are not written with bloom_stage_write().
 *
 *   head_at  the head's offset in the staged file
 *
 * Errors: those of bloom_signature_check(), bloom_head_check_built() and bloom_hasher_find(). */
bloom_status bloom_stage_admit(bloom_stage *stage, const bloom_head *head,
	const unsigned char *bytes, uint64_t head_at, bloom_error *error);

/* Allocates the whole file, zeroed, and maps it for the caller to fill. Call this function instead
 * of bloom_stage_write().
 *
 *   *bytes  the mapped file; valid until the stage ends
 *
 * Errors: BLOOM_E_SPACE, _FILE_LIMIT, _SYSTEM. After an error the stage can only be aborted. */
bloom_status bloom_stage_allocate(
	bloom_stage *stage, bloom_kind kind, unsigned char **bytes, bloom_error *error);

/* Makes the staged file the served generation, for all processes at the same instant, together with
 * stage->additions. Both stages end even if the call fails. A failed call leaves the served
 * generation unchanged.
 *
 *   *generation  the new number, on success
 *
 * Errors: BLOOM_E_INCOMPLETE, _BUSY, _KIND, _LIMIT, _OTHER_VERSION, _SPACE, _SYSTEM; _NO_JOURNAL
 * (the blob has a mark, but there are no additions); _GONE (the filter was dropped); _REPLAY
 * (signing keys are configured, and the served blob is newer); _OVERTAKEN (a generation other than
 * stage->replaces is served, or stage->page was dropped). */
bloom_status bloom_stage_commit(bloom_stage *stage, uint64_t *generation, bloom_error *error);

/* Ends a stage and removes its files. It does nothing if the stage is zeroed or has already
 * ended. */
void bloom_stage_abort(bloom_stage *stage);

#endif
