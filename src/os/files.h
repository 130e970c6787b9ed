/* Directories and files that belong to a single user.
 *
 * These functions open an entry only if it meets all of these conditions:
 *
 *     type     a directory or a regular file, depending on the function; never a symbolic link or
 *              a device
 *     links    a regular file has one hard link
 *     owner    the expected user
 *     access   for no other user. On POSIX, the mode has no bits for the group or for others. On
 *              Windows, the access control list allows only the owner, SYSTEM and Administrators
 *
 * Because the checks apply to the open handle, it has no effect if somebody replaces the entry
 * afterwards. Programs that this process starts inherit no handle.
 *
 * On POSIX, a handle is a file descriptor. On Windows, it is a HANDLE, of which only 32 bits are
 * significant. -1 means that no file is open. A function that fails stores errno and a subject in
 * `error` and leaves its output parameters unchanged. On Windows, these functions also report their
 * errors as an errno. A `name` contains no slash, except in bloom_file_remove(). It refers to an
 * entry of the directory that precedes it in the parameter list.
 *
 * Only the *_posix.c and *_windows.c files depend on the operating system, and they know nothing
 * about filters.
 */
#ifndef BLOOM_FILES_H
#define BLOOM_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/status.h"

enum { BLOOM_FILE_NAME_MAX = 192 };

/* The owner of the entries in a segment. New files and directories are given this owner. On
 * Windows, the owner is always this process's user, and `user` is the last part of the user's
 * security identifier, for messages. */
typedef struct bloom_owner {
	uint32_t user;
	uint32_t group;
} bloom_owner;

/* Identifies a file independently of its name. A different file with the same name has a different
 * identity. */
typedef struct bloom_identity {
	uint64_t device;
	uint64_t inode;
} bloom_identity;

/* ---- errors ---- */

/* Converts errno to a status and fills *error.
 *
 * Errors: BLOOM_E_NOT_FOUND, _REFUSED_TYPE (a symbolic link, not a directory, or a FIFO without a
 * reader), _SPACE (or quota), _FILE_LIMIT, _MEMORY; _SYSTEM for every other errno. */
bloom_status bloom_fail_system(bloom_error *error, const char *subject);

/* Returns true for an errno that means that a directory does not exist and cannot be created: its
 * parent is missing, read-only or forbidden. */
bool bloom_is_unusable_error(int os_error);

/* Returns true for an errno that means "permission denied", for example for another user's
 * entry. */
bool bloom_is_permission_error(int os_error);

/* Returns true if a status says nothing about the entry itself, because the process ran out of a
 * resource. Such an entry must not be treated as missing or foreign. */
static inline bool bloom_is_inconclusive(bloom_status status, const bloom_error *error)
{
	return status == BLOOM_E_MEMORY || status == BLOOM_E_SPACE ||
		(status == BLOOM_E_SYSTEM && !bloom_is_permission_error(error->os_error));
}

/* Returns true for an errno that means that the file system is full or the quota is used up. */
bool bloom_is_space_error(int os_error);

/* ---- directories ---- */

/* Returns true if a path does not depend on the current directory. On POSIX, it begins with a
 * slash. On Windows, it begins with a drive and a slash or with two slashes; a backslash counts as
 * a slash. */
bool bloom_path_is_absolute(const char *path);

/* Writes the path that this user's segment has if no other one is configured. It is in /dev/shm, or
 * on Windows in the user's local application data (LOCALAPPDATA). Returns false if the path is
 * unknown or longer than the buffer. */
bool bloom_path_default(char *path, size_t capacity);

/* Opens the directory `path`. If `create` is set, a missing directory is created, with access for
 * its owner only. Its parent must exist. Root may open any user's directory and then acts on behalf
 * of that user. Other users can open only their own directories.
 *
 *   *owner  the directory's owner; may be NULL
 *
 * Errors: BLOOM_E_NOT_FOUND, _REFUSED_TYPE, _REFUSED_OWNER, _REFUSED_MODE, _SYSTEM. */
bloom_status bloom_directory_open(
	const char *path, bool create, int *directory, bloom_owner *owner, bloom_error *error);

/* Opens the directory `name` in an open directory. The directory `name` must belong to `owner`.
 *
 * Windows ignores case. If an entry's name differs from `name` only in case, the directory counts
 * as missing, and it cannot be created.
 *
 * Errors: the same as for bloom_directory_open(); BLOOM_E_EXISTS (names differ in case). */
bloom_status bloom_directory_open_at(int parent, const char *name, bool create, bloom_owner owner,
	int *directory, bloom_error *error);

/* Returns true if `owner` is this process's user. Returns false if root acts on behalf of another
 * user. */
bool bloom_owner_is_self(bloom_owner owner);

/* Removes the directory `name` if it is empty. It is no error if the directory is missing or has
 * entries. */
bloom_status bloom_directory_remove(int parent, const char *name, bloom_error *error);

/* Checks that `name` still refers to the open directory.
 *
 * Errors: BLOOM_E_GONE, _SYSTEM. */
bloom_status bloom_directory_check_name(
	int parent, const char *name, int directory, bloom_error *error);

/* Calls `visit` with each entry name except "." and "..", until `visit` returns false. */
typedef bool (*bloom_visit)(void *context, const char *name);
bloom_status bloom_directory_each(
	int directory, bloom_visit visit, void *context, bloom_error *error);

/* Returns the number of free bytes on the directory's file system; UINT64_MAX if the file system
 * has no size limit or does not report one. */
uint64_t bloom_directory_free_bytes(int directory);

/* Returns true if the directory is on a file system whose contents do not survive a reboot: tmpfs
 * on Linux. On other systems, the answer is always false. */
bool bloom_directory_is_memory(int directory);

/* Returns true if other hosts may change the directory. On Linux, these file systems count: NFS,
 * SMB, AFS, Coda, Ceph, 9P, Lustre, GPFS, GFS2 and OCFS2. FUSE file systems do not count, because
 * the kernel does not report which of them are remote. On Windows, every remote file system counts.
 * On other systems, the answer is always false. */
bool bloom_directory_is_network(int directory);

/* ---- files ---- */

/* Opens an existing file for reading, or for reading and writing.
 *
 *   *bytes  the file's length
 *
 * Errors: BLOOM_E_NOT_FOUND, _REFUSED_TYPE, _REFUSED_OWNER, _REFUSED_MODE, _SYSTEM. */
bloom_status bloom_file_open(int directory, const char *name, bool writable, bloom_owner owner,
	int *file, uint64_t *bytes, bloom_error *error);

/* Creates a file that belongs to `owner`. No other user has access, whatever the process's or the
 * directory's defaults are. Fails if the name already exists. */
bloom_status bloom_file_create(
	int directory, const char *name, bloom_owner owner, int *file, bloom_error *error);

/* Sets the file's length. New bytes may form a hole until they are written. `bytes` must not exceed
 * bloom_process_file_bytes_max(). Staging sets the length before it writes, because a tmpfs mounted
 * with huge=within_size uses huge pages only within a file's current length.
 *
 * Errors: BLOOM_E_FILE_LIMIT, _SPACE, _SYSTEM. */
bloom_status bloom_file_extend(int file, uint64_t bytes, bloom_error *error);

/* Writes all bytes at `offset`. Mappings of the file show the bytes at once. After an error, the
 * caller may write the same bytes again.
 *
 * Errors: BLOOM_E_SPACE (full file system or quota), BLOOM_E_SYSTEM. */
bloom_status bloom_file_write(
	int file, uint64_t offset, const unsigned char *bytes, uint64_t count, bloom_error *error);

/* Allocates `bytes` bytes, starting at `offset`. New bytes are zero. Afterwards, writing to a
 * mapping of this range cannot fail for lack of space.
 *
 * Errors: BLOOM_E_FILE_LIMIT, _SPACE, _SYSTEM. */
bloom_status bloom_file_allocate(int file, uint64_t offset, uint64_t bytes, bloom_error *error);

/* Gives a file a new name, atomically. If there is already a file of this name, it is replaced.
 *
 * Errors: BLOOM_E_BUSY (a process uses one of the files, and the system cannot rename or replace
 * it; only on Windows), _NOT_FOUND, _SYSTEM. */
bloom_status bloom_file_rename(int directory, const char *from, const char *to, bloom_error *error);

/* Moves a file to another directory of the same file system, where its name is new.
 *
 * Errors: BLOOM_E_BUSY (a process uses the file, and the system cannot move it; only on Windows),
 * _NOT_FOUND, _SYSTEM. */
bloom_status bloom_file_move(
	int directory, const char *from, int target, const char *to, bloom_error *error);

/* Removes the file `name`, if there is one. Processes that use the file keep its contents.
 *
 * Errors: BLOOM_E_BUSY (a process uses the file, and the system cannot remove its name; only on
 * Windows), _SYSTEM. */
bloom_status bloom_file_remove(int directory, const char *name, bloom_error *error);

/* Removes a file whose name is not used again. On Windows, the name may remain until no process has
 * the file open, and a file that a process maps may remain as well, so call this function again
 * later. */
void bloom_file_discard(int directory, const char *name);

/* Get the length of the file `name` or of an open file. If the entry `name` is not a regular file,
 * its length is reported as 0.
 *
 * Errors: BLOOM_E_NOT_FOUND, _SYSTEM. */
bloom_status bloom_file_bytes(int directory, const char *name, uint64_t *bytes, bloom_error *error);
bloom_status bloom_open_file_bytes(int file, uint64_t *bytes, bloom_error *error);

/* Fails if a file has holes, because a process that accesses a hole in a mapped file is killed if
 * there is no space left. On Linux, the check covers only tmpfs. Files on other file systems always
 * pass, because a file system may compress a file or store it elsewhere, so the number of its
 * blocks proves nothing. On Windows, a sparse or compressed file fails. On other systems, all files
 * pass.
 *
 * Errors: BLOOM_E_HOLES, _SYSTEM. */
bloom_status bloom_file_check_holes(int file, const char *name, bloom_error *error);

/* Checks that the open file still has a name.
 *
 * Errors: BLOOM_E_GONE, _SYSTEM. */
bloom_status bloom_file_check_linked(int file, bloom_error *error);

/* Returns whether another process may have the file open for writing or map it writable. The file
 * must be open for reading only. Only Linux can tell, on tmpfs, and only to the file's owner;
 * otherwise the answer is true. */
bool bloom_file_may_have_writers(int file);

/* Gets the identity of the entry at `path`. A symbolic link is not followed.
 *
 * Errors: BLOOM_E_NOT_FOUND, _SYSTEM.
 * Cost: one system call. */
bloom_status bloom_path_identity(const char *path, bloom_identity *identity, bloom_error *error);
bloom_status bloom_file_identity(int file, bloom_identity *identity, bloom_error *error);

static inline bool bloom_is_same_file(const bloom_identity *a, const bloom_identity *b)
{
	return a->device == b->device && a->inode == b->inode;
}

/* Checks that an open file meets the conditions at the top of this header, and belongs to this
 * process's user.
 *
 * Errors: BLOOM_E_REFUSED_TYPE, _REFUSED_OWNER, _REFUSED_MODE, _SYSTEM. */
bloom_status bloom_file_check_own(int file, const char *subject, bloom_error *error);

/* Reads an entire secrets file. An administrator manages this file, so the conditions at the top of
 * this header do not apply. The file must be a regular file that belongs to root (on Windows, to
 * SYSTEM or Administrators) or to this process's user. The group may have read access but no write
 * access. Others must have no access.
 *
 *   path    absolute; a symbolic link is followed
 *   text    a buffer of `capacity` bytes; the file must be shorter than the buffer
 *   *count  the number of bytes read
 *
 * Errors: BLOOM_E_SECRET_FILE (also if the file is too long), _SECRET_MODE. */
bloom_status bloom_secret_file_read(
	const char *path, unsigned char *text, size_t capacity, size_t *count, bloom_error *error);

/* Returns the size limit for files that this process writes; UINT64_MAX if there is none. Exceeding
 * it kills the process (RLIMIT_FSIZE on POSIX). */
uint64_t bloom_process_file_bytes_max(void);

/* Closes a handle and sets it to -1. A handle of -1 is ignored. The function preserves errno. */
void bloom_close(int *handle);

#endif
