/* Where a named filter is: its directory in the segment's, place only when it is its owner's
 * alone; the writers' lock; its control page. What the files mean is told in segment.h.
 */
#ifndef BLOOM_PLACE_H
#define BLOOM_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/atomic.h"
#include "segment/control.h"
#include "os/files.h"
#include "filter/secret.h"
#include "filter/status.h"

/* The segment's directory of its own: account.h, marker.h. No filter has such a name. */
#define BLOOM_INTERNAL_NAME ".bloom"

enum {
	BLOOM_PATH_BYTES_MAX = 4000,
	BLOOM_NAME_BYTES_MAX = 128,
};

/* Where filters are, and the limits of writing there. */
typedef struct bloom_segment {
	char path[BLOOM_PATH_BYTES_MAX];
	uint64_t memory_limit_bytes; /* all files of the segment together; 0: no limit of its own */
	uint64_t lock_timeout_ms;
	bool same_owner_only; /* root must own it too: for a path that nobody chose */
	bool defers_unmap; /* who attaches also calls bloom_attachment_trim(), soon and again and again */
	const bloom_ring *secrets; /* of keyed filters; NULL: none */
	const bloom_ring *signers; /* whose signature every blob must have; NULL: none needed */
} bloom_segment;

/* Fails BLOOM_E_NAME: 1 to 128 of A-Z a-z 0-9 . _ -, not starting with . or - */
bloom_status bloom_name_check(const char *name, uint64_t name_bytes, bloom_error *error);

/* Sets the path.  Fails BLOOM_E_PATH unless it is absolute, without NUL, and short enough. */
bloom_status bloom_segment_init(
	bloom_segment *segment, const char *path, uint64_t path_bytes, bloom_error *error);

/* Writes the file name of a generation. */
void bloom_generation_name(uint64_t generation, char name[BLOOM_FILE_NAME_MAX]);

/* Opens the segment's directory alone, made 0700 when `create` and it is missing.
 *
 *   *owner  whose it is, and whose all in it must be
 *
 * Fails   BLOOM_E_NOT_FOUND (unless `create`), _REFUSED_…, _SYSTEM.
 */
bloom_status bloom_segment_open(const bloom_segment *segment, bool create, int *directory,
	bloom_owner *owner, bloom_error *error);

/* A filter's directory and the segment's, both open. */
typedef struct bloom_place {
	const bloom_segment *segment;
	const char *name; /* the filter's; borrowed */
	int segment_directory;
	int directory;
	bloom_owner owner;
	/* The directory once more, by a handle that no child has; −1: not locked. */
	int lock;
} bloom_place;

/* Opens both, made likewise.
 * Fails BLOOM_E_NAME, _NOT_FOUND (unless `create`), _REFUSED_…, _SYSTEM. */
bloom_status bloom_place_open(const bloom_segment *segment, const char *name, bool create,
	bloom_place *place, bloom_error *error);

void bloom_place_close(bloom_place *place);

/* Opens the segment's own directory, made when it is missing.  Fails BLOOM_E_SPACE, _REFUSED_…, _SYSTEM. */
bloom_status bloom_place_open_internal(
	const bloom_place *place, int *directory, bloom_error *error);

/* Takes the writers' lock; bloom_place_unlock() and bloom_place_close() free it. A directory that was dropped while we
 * waited is no use.  Fails BLOOM_E_BUSY, _GONE, _MEMORY, _SYSTEM. */
bloom_status bloom_place_lock(bloom_place *place, bloom_error *error);
bool bloom_place_try_lock(bloom_place *place); /* false: not at once */
void bloom_place_unlock(bloom_place *place);

/* Maps the control page.  Fails BLOOM_E_NOT_FOUND, _CONTROL, _CONTROL_VERSION, _REFUSED_…, _SYSTEM.
 * `identity` may be NULL. */
bloom_status bloom_place_control(const bloom_place *place, bloom_control **control,
	bloom_identity *identity, bloom_error *error);

/* Maps a file of the filter's directory. No descriptor stays open. The file is place for the mapping alone, because a
 * mapping keeps its open file in being, in forked children too: a lock of that open file would live as long.
 *
 *   writable   and without holes. What is only read here is a file being staged, which has holes until it is written
 *   *bytes     how many to map; 0: as many as the file has, which is then stored here
 *   *identity  NULL, or where the file's identity is stored
 *
 * Fails   BLOOM_E_NOT_FOUND, _SHORT (an empty file), _HOLES, _REFUSED_…, _MEMORY, _SYSTEM.
 */
bloom_status bloom_place_map(const bloom_place *place, const char *file_name, bool writable,
	uint64_t *bytes, unsigned char **map, bloom_identity *identity, bloom_error *error);

/* The control page for a writer that holds the lock: a missing, dropped or foreign one is replaced, as is one
 * that a disk has kept over a reboot, which counts as missing.
 * One of another layout is not: an older or newer build of this extension may be serving by it.
 *
 * Fails   BLOOM_E_CONTROL_VERSION, _FILE_LIMIT, _SPACE, _REFUSED_…, _SYSTEM.
 */
bloom_status bloom_place_ensure_control(
	const bloom_place *place, bloom_control **control, bloom_error *error);

/* Puts the filter's path before an error's subject, so that people see what is meant. */
bloom_status bloom_fail_at(const bloom_place *place, bloom_status status, bloom_error *error);

#endif
