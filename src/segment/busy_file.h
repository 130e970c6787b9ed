/* Busy files: files that name the filters that writers are working on.
 *
 *     <segment>/.bloom/5fd09c1e22d4a7b0.booth_tags     empty; its writer holds a flock on it
 *
 * With busy files, a writer can clean up after killed writers without visiting every filter.
 *
 * Lifetime: a writer creates its busy file before it changes a filter's directory, and removes the
 * busy file as its last step. Locks: the kernel frees the lock when the writer dies. So an unlocked
 * busy file is an orphan: its writer has died and may have left files in that filter's directory.
 */
#ifndef BLOOM_BUSY_FILE_H
#define BLOOM_BUSY_FILE_H

#include <stdint.h>

#include "segment/filter_dir.h"

typedef struct bloom_busy_file {
	int file;
	uint64_t process; /* bloom_process_id() of the creator; 0: there is no busy file */
	char file_name[BLOOM_FILE_NAME_MAX];
} bloom_busy_file;

/* Creates and locks a busy file for the filter of `dir`.
 *
 * Errors: BLOOM_E_SPACE, _MEMORY, _REFUSED_…, _SYSTEM. */
bloom_status bloom_busy_file_begin(
	const bloom_filter_dir *dir, bloom_busy_file *busy, bloom_error *error);

/* Removes a busy file. In a forked child it does nothing, because the parent still needs it. A
 * zeroed busy file is ignored. */
void bloom_busy_file_end(const bloom_filter_dir *dir, bloom_busy_file *busy);

/* Creates an orphaned busy file for the filter `name`, so that later writers clean up that filter.
 * Failures are not reported. */
void bloom_busy_file_create_orphan(const bloom_filter_dir *dir, const char *name);

/* Calls `tidy` with the filter names of at most `max_filters` orphans. If `tidy` returns true, the
 * orphan is removed; otherwise a later writer tries again. Also removes the files that
 * bloom_filter_dir_remove() has moved, unless a process still maps them. */
void bloom_busy_file_each_orphan(
	const bloom_filter_dir *dir, unsigned max_filters, bloom_visit tidy, void *context);

#endif
