/* Declares the functions that files_posix.c, directories_posix.c and sharedfile_posix.c share. No
 * other file includes this header. */
#ifndef BLOOM_FILES_POSIX_H
#define BLOOM_FILES_POSIX_H

#include <stdbool.h>
#include <sys/stat.h>

#include "os/files.h"

/* Checks that an open file or directory meets the conditions in files.h.
 *
 *   type    S_IFREG or S_IFDIR
 *   owner   the expected owner; NULL: this process's user, or any user if this process is root
 *   *found  on success, the result of fstat() for the entry
 *
 * Errors: BLOOM_E_REFUSED_TYPE, _REFUSED_OWNER, _REFUSED_MODE, _SYSTEM. */
bloom_status bloom_entry_check(int handle, mode_t type, const bloom_owner *owner,
	struct stat *found, const char *subject, bloom_error *error);

/* Changes the owner of an entry that root has just created. Returns false and sets errno on
 * failure. */
bool bloom_entry_chown(int handle, const bloom_owner *owner);

/* Calls openat() and retries if a signal interrupts the call. Returns -1 and sets errno on
 * failure. */
int bloom_entry_open(int parent, const char *name, int flags, mode_t mode);

/* Calls unlinkat(). A missing entry or a non-empty directory is not an error. */
bloom_status bloom_entry_remove(int parent, const char *name, int flags, bloom_error *error);

#endif
