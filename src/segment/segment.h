/* The segment: the directory of all filters that the processes of one user share, its settings, and
 * the names in it. switch.h explains the files and the protocol.
 */
#ifndef BLOOM_SEGMENT_H
#define BLOOM_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/secret.h"
#include "filter/status.h"
#include "os/files.h"

/* The segment's internal directory. It cannot be a filter's name, because filter names do not begin
 * with a dot. A flock on it is the lock of memory_limit.h. */
#define BLOOM_INTERNAL_NAME ".bloom"

/* The suffix of a file in the internal directory that waits for its removal. */
#define BLOOM_REMOVED_SUFFIX "-removed"

/* The file in the internal directory that contains the time of the last sweep (tidy.h). */
#define BLOOM_SWEPT_NAME "swept"

/* On Windows: the file in the internal directory whose bytes are the writers' locks. */
#define BLOOM_LOCKS_NAME "locks"

enum {
	BLOOM_PATH_BYTES_MAX = 4000,
	BLOOM_NAME_BYTES_MAX = 128,
};

/* The directory that contains all of a user's filters, and the settings that apply to it. */
typedef struct bloom_segment {
	char path[BLOOM_PATH_BYTES_MAX];
	uint64_t memory_limit_bytes; /* for all the segment's files together; 0: no limit */
	uint64_t lock_timeout_ms;    /* how long a writer waits for a lock */
	bool same_owner_only;        /* default path: root may not open other users' directories */
	/* The caller calls bloom_attachment_trim() regularly, so lookups need not unmap files. */
	bool defers_unmap;
	const bloom_ring *secrets; /* for keyed filters; NULL: none */
	const bloom_ring *signers; /* blobs must be signed with one of them; NULL: not required */
} bloom_segment;

/* Fails with BLOOM_E_NAME unless the name consists of 1 to 128 of the characters A-Z a-z 0-9 . _ -
 * and does not begin with . or - */
bloom_status bloom_name_check(const char *name, uint64_t name_bytes, bloom_error *error);

/* Sets the path, without any "/" and "/." at its end. Fails with BLOOM_E_PATH if the path is
 * relative, contains a NUL byte, or is too long. */
bloom_status bloom_segment_init(
	bloom_segment *segment, const char *path, uint64_t path_bytes, bloom_error *error);

/* Write file names: of a generation, "<16 hex digits>.bloom"; of a staged file,
 * "<16 hex digits>.tmp"; and of additions, "<16 hex digits>.added". Additions keep the number that
 * they had while they were staged. */
void bloom_generation_name(uint64_t generation, char name[BLOOM_FILE_NAME_MAX]);
void bloom_stage_name(uint64_t number, char name[BLOOM_FILE_NAME_MAX]);
void bloom_additions_name(uint64_t number, char name[BLOOM_FILE_NAME_MAX]);

/* Write and parse the name of the directory that contains a filter, "<filter name>@<layout>". Each
 * layout (control.h) has its own directories, so builds with different layouts share a segment. */
void bloom_entry_name(const char *name, uint64_t layout, char entry[BLOOM_FILE_NAME_MAX]);
bool bloom_entry_parse(const char *entry, char name[BLOOM_NAME_BYTES_MAX + 1], uint64_t *layout);

/* Parse the file names above. The first two return 0 for any other name. */
uint64_t bloom_generation_of(const char *name);
uint64_t bloom_additions_of(const char *name);
bool bloom_is_stage_name(const char *name);

/* Opens the segment's directory. If `create` is set, a missing directory is created with mode 0700.
 *
 *   *owner  the directory's owner, to whom everything in the directory must belong
 *
 * Errors: BLOOM_E_NOT_FOUND (unless `create`), _REFUSED_…, _SYSTEM. */
bloom_status bloom_segment_open(const bloom_segment *segment, bool create, int *directory,
	bloom_owner *owner, bloom_error *error);

#endif
