/* Files at paths that the user chooses, outside of a segment.
 *
 *     bloom_userfile_begin ─► bloom_userfile_write … ─► bloom_userfile_commit     (or _abort)
 *       locks <path>.tmp        at any offsets            syncs the file, renames it to <path>,
 *                                                         syncs the directory
 *
 * A process that is killed before the rename leaves <path>.tmp. The next writer of <path> empties
 * and uses it, so killed writers do not accumulate files.
 *
 * Because the temporary file has a predictable name, a process uses an existing one only if it is
 * a regular file of the process's user, with one link, to which no other user has access.
 *
 * Locks: bloom_lock() on <path>.tmp. It excludes other writers of the same path. */
#ifndef BLOOM_USERFILE_H
#define BLOOM_USERFILE_H

#include "os/files.h"

/* A file that is being written. */
typedef struct bloom_userfile {
	int file; /* a handle; -1: none */
	char *path;
	char *temporary;
} bloom_userfile;

/* Begins to write a file.
 *
 *   path     absolute; a symbolic link is followed as bloom_shared_resolve() does. An existing file
 *            must be regular
 *   bytes    the size that the file will have
 *
 * Errors: BLOOM_E_FILE, with errno; BLOOM_E_FILE_LIMIT; BLOOM_E_SAVING (another process is writing
 * this file); BLOOM_E_REFUSED_…; BLOOM_E_MEMORY. */
bloom_status bloom_userfile_begin(
	const char *path, uint64_t bytes, bloom_userfile *file, bloom_error *error);

/* Writes bytes at an offset.
 *
 * Errors: BLOOM_E_SPACE (full file system or quota), BLOOM_E_FILE. */
bloom_status bloom_userfile_write(bloom_userfile *file, uint64_t offset, const unsigned char *bytes,
	uint64_t count, bloom_error *error);

/* Makes the file visible under its path. An error after the rename is not reported, because some
 * file systems cannot sync a directory.
 *
 * Errors: BLOOM_E_SPACE, BLOOM_E_FILE. */
bloom_status bloom_userfile_commit(bloom_userfile *file, bloom_error *error);

/* Removes the temporary file. Ignores a file that was committed, aborted, or never begun. */
void bloom_userfile_abort(bloom_userfile *file);

/* Opens a regular file for reading.
 *
 *   *file   the caller closes it with bloom_close()
 *   *bytes  the file's length
 *
 * Errors: BLOOM_E_FILE, with errno. */
bloom_status bloom_userfile_open(const char *path, int *file, uint64_t *bytes, bloom_error *error);

/* Reads exactly `count` bytes at an offset.
 *
 *   path   for the error
 *
 * Errors: BLOOM_E_FILE, with errno; BLOOM_E_LENGTH (the file was truncated in the meantime). */
bloom_status bloom_userfile_read(int file, const char *path, uint64_t offset, unsigned char *bytes,
	uint64_t count, bloom_error *error);

#endif
