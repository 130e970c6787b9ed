/* Markers: files that name the filters that writers are working on.
 *
 *     <segment>/.bloom/5fd09c1e22d4a7b0.booth_tags     empty; its writer holds a flock on it
 *
 * With markers, a writer can clean up after killed writers without visiting every filter.
 *
 * Lifetime: a writer creates its marker before it changes a filter's directory, and removes the
 * marker as its last step. Locks: the kernel frees the lock when the writer dies. So an unlocked
 * marker is an orphan: its writer has died and may have left files in that filter's directory.
 */
#ifndef BLOOM_MARKER_H
#define BLOOM_MARKER_H

#include <stdint.h>

#include "segment/filter_dir.h"

typedef struct bloom_marker {
	int file;
	uint64_t process; /* bloom_process_id() of the creator; 0: there is no marker */
	char file_name[BLOOM_FILE_NAME_MAX];
} bloom_marker;

/* Creates and locks a marker for the filter of `dir`.
 *
 * Errors: BLOOM_E_SPACE, _MEMORY, _REFUSED_…, _SYSTEM. */
bloom_status bloom_marker_begin(
	const bloom_filter_dir *dir, bloom_marker *marker, bloom_error *error);

/* Removes a marker. In a forked child it does nothing, because the parent still needs the marker. A
 * zeroed marker is ignored. */
void bloom_marker_end(const bloom_filter_dir *dir, bloom_marker *marker);

/* Creates an orphaned marker for the filter `name`, so that later writers clean up that filter.
 * Failures are not reported. */
void bloom_marker_create_orphan(const bloom_filter_dir *dir, const char *name);

/* Calls `tidy` with the filter names of at most `max_filters` orphans. If `tidy` returns true, the
 * orphan is removed; otherwise a later writer tries again. Also removes the files that
 * bloom_filter_dir_remove() has moved, unless a process still maps them. */
void bloom_marker_each_orphan(
	const bloom_filter_dir *dir, unsigned max_filters, bloom_visit tidy, void *context);

#endif
