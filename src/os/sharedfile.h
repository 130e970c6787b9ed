/* Files at paths that other users and hosts may share: blobs, and the files of a directory store.
 *
 *     replace    bloom_shared_resolve(path) ─► bloom_shared_create_for(path) ─► _write ─► _sync
 *                ─► bloom_shared_replace(path)
 *     publish    bloom_shared_create(temporary) ─► _write ─► _sync ─► bloom_shared_name(path)
 *     append     bloom_shared_open(path) ─► bloom_lock() ─► _write ─► _sync_data
 *
 * Unlike the files in files.h, these files may belong to any user. A new file gets the access that
 * the process and its directory give by default: on POSIX the umask, on Windows the inherited
 * access control list.
 *
 * A handle is the same as in files.h, and bloom_close() closes it. Each function that returns an
 * int returns 0 or an errno. No function allocates memory or waits for another process, except
 * where its comment says so. */
#ifndef BLOOM_SHAREDFILE_H
#define BLOOM_SHAREDFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns true if file names must follow the rules of Windows. filter/filename.h then encodes
 * them. */
bool bloom_shared_is_windows(void);

typedef struct bloom_shared_info {
	bool is_regular;
	bool is_directory;
	uint64_t bytes; /* the length of a regular file */
} bloom_shared_info;

/* Describe the entry at a path, or an open file. A symbolic link is followed. */
int bloom_shared_look(const char *path, bloom_shared_info *found);
int bloom_shared_look_open(int file, bloom_shared_info *found);

/* Returns true if a path leads to an open file. A symbolic link is followed. */
bool bloom_shared_leads_to(const char *path, int file);

/* Opens an existing entry, of any type. Opening a FIFO does not wait. */
int bloom_shared_open(const char *path, bool writable, int *file);

/* Creates a file, and opens it for reading and writing.
 *
 *   is_private  on POSIX, only this process's user has access; ignored on Windows
 *
 * Errors: EEXIST if the name is in use. */
int bloom_shared_create(const char *path, bool is_private, int *file);

/* Creates a directory, but not its parent.
 *
 * Errors: EEXIST if the name is in use. */
int bloom_shared_make_directory(const char *path);

/* Creates `temporary`, which is to replace the file `path`, in the same directory. If that file
 * exists and is not a symbolic link, the new one gets its access, as far as this user may decide
 * about it:
 *
 *   this user's file     its mode and, if this user is in it, its group
 *   for root, a file of  also its owner, who could replace the file anyway
 *   the directory's owner
 *   any other file       the default mode without the bits that the file does not have
 *
 * If the new file has a different group, that group gets only the permissions that the old file
 * gave to others. On Windows, the new file inherits the access of its directory.
 *
 * Errors: EEXIST if the name `temporary` is in use. */
int bloom_shared_create_for(const char *path, const char *temporary, int *file);

/* Gives access to a new file to the users who may write to its directory, and to no other user,
 * because any user who can open a file can lock it. If root has created the file, it belongs to the
 * directory's owner and group. If the group may write to the directory, and this user is in that
 * group, the file gets the group and mode 0660, and otherwise mode 0600. On Windows, the
 * function does nothing.
 *
 *   path  the path that the file will have */
int bloom_shared_give_to_writers(const char *path, int file);

/* Opens a file for reading and writing, to which only this process's user has access. Creates it if
 * it does not exist. A symbolic link is not followed. The caller then calls bloom_file_check_own(),
 * because another user may have created the file. */
int bloom_shared_open_own(const char *path, int *file);

/* Reads `count` bytes at an offset, or fewer if the file ends before.
 *
 *   *got  the number of bytes that were read */
int bloom_shared_read_some(
	int file, uint64_t offset, unsigned char *bytes, size_t count, size_t *got);

/* Read or write exactly `count` bytes at an offset.
 *
 * Errors: EIO if the file is shorter; EFBIG instead of a signal if the process may not write files
 * of this size. */
int bloom_shared_read(int file, uint64_t offset, unsigned char *bytes, size_t count);
int bloom_shared_write(int file, uint64_t offset, const unsigned char *bytes, size_t count);

int bloom_shared_truncate(int file, uint64_t bytes);

/* Wait until the contents are on the disk. bloom_shared_sync_data() may omit metadata that readers
 * do not need, such as times. */
int bloom_shared_sync(int file);
int bloom_shared_sync_data(int file);

/* Wait until the names in a directory, or in the directory of a file, are on the disk. Errors are
 * ignored, because file systems that cannot sync a directory write names without a sync. On
 * Windows, these functions do nothing, because NTFS logs changes of names in their order. */
void bloom_shared_sync_directory(const char *path);
void bloom_shared_sync_parent(const char *path);

/* Gives `to` the owner, group and permissions of `from`, or on Windows its access control list.
 * Only root may give a file to another user. Otherwise this process's user becomes the owner,
 * provided that the group stays the same and can read and write as the owner can.
 *
 * Errors: EPERM if an owner or group would change. */
int bloom_shared_copy_access(int from, int to);

/* An error that is no errno: see bloom_shared_resolve(). */
enum { BLOOM_SHARED_FOREIGN_LINK = -1 };

/* Finds the file that an absolute path leads to if its last component is a symbolic link, and so
 * on. In a directory where every user can create links (sticky and writable by all), the function
 * follows only links of this process's user and of the directory's owner. Linux has the same rule
 * (fs.protected_symlinks), but it sees only links that it follows itself. On Windows, all links are
 * followed.
 *
 *   *resolved  its path; the caller frees it
 *
 * Errors: ENOENT if there is no file, BLOOM_SHARED_FOREIGN_LINK. */
int bloom_shared_resolve(const char *path, char **resolved);

/* Gives a file a name that is not in use. After an error, the file keeps its name.
 *
 * Errors: EEXIST. */
int bloom_shared_name(const char *from, const char *to);

/* Renames a file, atomically. A file that already has the new name is replaced. Processes may have
 * that file open.
 *
 * Errors: EBUSY if a process, which may be this one, has the replaced file open, and the file
 * system cannot replace open files; only on Windows. NTFS can since Windows 10 version 1607.
 * Cost: on Windows, a second of waiting before this error. */
int bloom_shared_replace(const char *from, const char *to);

/* Removes a file. On Windows, the name may remain until no process has the file open.
 *
 * Errors: EBUSY if a process does not share the file or maps it; only on Windows.
 * Cost: on Windows, a second of waiting before this error. */
int bloom_shared_remove(const char *path);

#endif
