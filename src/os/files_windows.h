/* Declares what files_windows.c, contents_windows.c, directories_windows.c, security_windows.c and
 * sharedfile_windows.c share. No other file includes this header. */
#ifndef BLOOM_FILES_WINDOWS_H
#define BLOOM_FILES_WINDOWS_H

#include "os/system_windows.h"

#include "os/files.h"

/* While an entry is open, other handles may do everything with it: read, write, rename and
 * remove. */
enum { BLOOM_SHARE_ALL = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

/* ---- opening ---- */

typedef struct bloom_entry_mode {
	ACCESS_MASK access;
	ULONG share;
	ULONG disposition; /* FILE_OPEN or FILE_CREATE */
	ULONG options;     /* FILE_DIRECTORY_FILE or FILE_NON_DIRECTORY_FILE; 0: any entry */
} bloom_entry_mode;

/* Opens the entry `name` of an open directory; an empty name opens the directory again. If the
 * entry is a link, the link itself is opened. A new entry belongs to this process's user, and no
 * other user has access. Returns -1 and sets errno on failure. */
int bloom_entry_open(int parent, const char *name, bloom_entry_mode mode);

/* Opens or creates the entry at a path, as CreateFileW() does. Returns -1 and sets errno on
 * failure.
 *
 *   security  descriptor of a new entry; NULL: the default of its directory */
int bloom_path_open(const char *path, DWORD access, DWORD disposition, DWORD flags,
	PSECURITY_DESCRIPTOR security);

/* Removes an entry. With POSIX semantics, the name disappears at once. Otherwise it disappears when
 * no process has the entry open. If `may_linger` is not set, the function fails instead of leaving
 * the name. Returns false and sets errno on failure: EBUSY if a process maps the file, or if the
 * name would remain because a process has the file open. */
bool bloom_entry_remove(int parent, const char *name, ULONG options, bool may_linger);

/* ---- owners and access ---- */

/* Creates the security descriptor of new entries: this process's user is the owner, and no other
 * user has access. Entries below a directory inherit this. Release it with LocalFree(). Returns
 * NULL and sets errno on failure. */
PSECURITY_DESCRIPTOR bloom_security_new(void);

/* Gets the last part of the security identifier of this process's user. Returns false and sets
 * errno on failure. */
bool bloom_security_user(uint32_t *user);

/* Checks that an open entry meets the conditions in files.h.
 *
 * Errors: BLOOM_E_REFUSED_TYPE, _REFUSED_OWNER, _REFUSED_MODE, _SYSTEM. */
bloom_status bloom_entry_check(
	int handle, bool is_directory, const char *subject, bloom_error *error);

/* Checks the owner and the access list of a secrets file.
 *
 * Errors: BLOOM_E_SECRET_MODE, _SECRET_FILE. */
bloom_status bloom_security_check_secret(int file, const char *path, bloom_error *error);

#endif
