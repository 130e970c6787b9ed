/* Locates a named filter, which has an open directory, a lock and a control page.
 *
 *     <segment path> / <filter name>@<layout> / control, generations, .tmp files
 *      bloom_segment     bloom_filter_dir        switch.h explains the files
 *
 * Lifetime: it is open between bloom_filter_dir_open() and bloom_filter_dir_close().
 * Locks: bloom_filter_dir_lock() takes the writers' lock. Readers need no lock.
 */
#ifndef BLOOM_FILTER_DIR_H
#define BLOOM_FILTER_DIR_H

#include <stdbool.h>
#include <stdint.h>

#include "os/files.h"
#include "segment/segment.h"
#include "filter/status.h"

/* A filter's directory and the segment's directory, both open. */
typedef struct bloom_filter_dir {
	const bloom_segment *segment;
	const char *name; /* the filter's name; borrowed */
	uint64_t layout;  /* BLOOM_CONTROL_LAYOUT, or another build's (other_layouts.h) */
	char entry[BLOOM_FILE_NAME_MAX]; /* the directory's name */
	int segment_handle;
	int handle;
	bloom_owner owner;
	/* A second handle to the directory, closed in forked children; -1: not locked. If the
	 * system cannot lock directories, a handle to the file BLOOM_LOCKS_NAME in the internal
	 * directory, in which the byte `lock_byte` is locked. */
	int lock;
	uint64_t lock_byte;
} bloom_filter_dir;

/* Stores the filter's name, which is borrowed, its layout, and the directory's name. */
void bloom_filter_dir_name(bloom_filter_dir *dir, const char *name, uint64_t layout);

/* Opens the segment's directory and the filter's directory of this build's layout. If `create` is
 * set, creates missing directories.
 *
 *   segment, name  borrowed until bloom_filter_dir_close()
 *
 * Errors: BLOOM_E_NAME, _NOT_FOUND (unless `create`), _REFUSED_…, _SYSTEM. */
bloom_status bloom_filter_dir_open(const bloom_segment *segment, const char *name, bool create,
	bloom_filter_dir *dir, bloom_error *error);

void bloom_filter_dir_close(bloom_filter_dir *dir);

/* Opens the segment's internal directory, creating it if necessary.
 *
 * Errors: BLOOM_E_SPACE, _REFUSED_…, _SYSTEM. */
bloom_status bloom_filter_dir_open_internal(
	const bloom_filter_dir *dir, int *directory, bloom_error *error);

/* Opens a file of the internal directory for reading and writing, creating it if necessary.
 *
 * Errors: BLOOM_E_SPACE, _REFUSED_…, _SYSTEM. */
bloom_status bloom_internal_file_open(
	int directory, const char *name, bloom_owner owner, int *file, bloom_error *error);

/* Takes the writers' lock, waiting for at most segment->lock_timeout_ms.
 * bloom_filter_dir_unlock() and bloom_filter_dir_close() release it.
 *
 * Errors: BLOOM_E_BUSY, _GONE (the filter was dropped while this process was waiting), _MEMORY,
 * _SYSTEM. */
bloom_status bloom_filter_dir_lock(bloom_filter_dir *dir, bloom_error *error);

/* The same, but waits for at most `timeout_ms`, and leaves the filter's path out of the error. */
bloom_status bloom_filter_dir_lock_within(
	bloom_filter_dir *dir, uint64_t timeout_ms, bloom_error *error);

/* Takes the writers' lock if it is free, and returns false if it is not. */
bool bloom_filter_dir_try_lock(bloom_filter_dir *dir);
void bloom_filter_dir_unlock(bloom_filter_dir *dir);

/* Removes a file of the filter. Where the system cannot remove a file in use, the file moves to the
 * internal directory, where it does not count toward the memory limit and a later sweep removes it.
 * If the system cannot move the file either, the file stays.
 *
 * Errors: BLOOM_E_BUSY (the file is in use and stays), _SPACE, _REFUSED_…, _SYSTEM. */
bloom_status bloom_filter_dir_remove(
	const bloom_filter_dir *dir, const char *file_name, bloom_error *error);

/* Renames a file of the filter. A file that has the new name is replaced. Where the system cannot
 * replace a file in use, the replaced file is removed first, as by bloom_filter_dir_remove(). Until
 * the rename, other processes then find no file with this name. The caller holds the filter's lock.
 *
 * Errors: BLOOM_E_BUSY (the replaced file is in use and stays), _SPACE, _REFUSED_…, _SYSTEM. */
bloom_status bloom_filter_dir_rename(
	const bloom_filter_dir *dir, const char *from, const char *to, bloom_error *error);

/* The purpose of mapping a file in a filter's directory. */
typedef enum bloom_map_use {
	BLOOM_MAP_STAGED, /* to read a file that is still being written and may have holes */
	BLOOM_MAP_READ,
	BLOOM_MAP_WRITE,
	BLOOM_MAP_GROW, /* to write, and to extend the mapping with bloom_map_grow() */
} bloom_map_use;

typedef struct bloom_mapped {
	unsigned char *map; /* release it with bloom_unmap() */
	uint64_t bytes;     /* of the mapping */
	uint64_t file_bytes;
	bloom_identity identity;
	int kept; /* with BLOOM_MAP_GROW: for bloom_map_grow(); release it with bloom_close() */
} bloom_mapped;

/* Opens a file in the filter's directory, checks it, maps it and closes the descriptor. With
 * BLOOM_MAP_GROW, some systems need to keep a descriptor (os/mapping.h).
 *
 * The mapping has its own open file description, on which no lock is taken. A mapping keeps its
 * description alive, even in forked children, so a lock on that description would last as long as
 * the mapping.
 *
 *   use      except with BLOOM_MAP_STAGED, the file must not have holes
 *   bytes    how many bytes to map; 0: the whole file
 *   *mapped  filled on success
 *
 * Errors: BLOOM_E_NOT_FOUND, _SHORT (the file is empty or shorter than `bytes`), _HOLES,
 *         _REFUSED_…, _MEMORY, _SYSTEM. */
bloom_status bloom_filter_dir_map(const bloom_filter_dir *dir, const char *file_name,
	bloom_map_use use, uint64_t bytes, bloom_mapped *mapped, bloom_error *error);

/* Prepends the filter's path to the subject of an error. Returns `status`. */
bloom_status bloom_fail_at(const bloom_filter_dir *dir, bloom_status status, bloom_error *error);

#endif
