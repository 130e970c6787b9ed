/* Directories and files that are ours alone.
 *
 * "Ours" means, for whatever is opened here: the type that was asked for (never a symbolic link, a
 * FIFO or a device, and no file with a second hard link), the expected owner, and no access for
 * group or others. Every descriptor is close-on-exec.
 *
 * Handles are descriptors, −1 for none. A failing call fills `error` with errno and a subject, and
 * leaves its out-parameters untouched.
 *
 * The only files that know the operating system are *_posix.c; they know nothing of filters.
 */
#ifndef BLOOM_FILES_H
#define BLOOM_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/status.h"

/* Fails with what errno says: BLOOM_E_NOT_FOUND, _REFUSED_TYPE (a link, no directory, nobody at the FIFO's other end),
 * _SPACE, _FILE_LIMIT, _MEMORY, else _SYSTEM. */
bloom_status bloom_fail_system(bloom_error *error, const char *subject);

enum { BLOOM_FILE_NAME_MAX = 192 };

/* Who must own what is opened, and to whom a created file is given. */
typedef struct bloom_owner {
	uint32_t user;
	uint32_t group;
} bloom_owner;

/* Which file a path names now; differs when the path was replaced. */
typedef struct bloom_identity {
	uint64_t device;
	uint64_t inode;
} bloom_identity;

/* Opens the directory `path`, made 0700 first when `create` and it is missing (its parent must be
 * there). A process of user 0 accepts any owner and then acts for it; another process accepts its
 * own directories only.
 *
 * Fails   BLOOM_E_NOT_FOUND, _REFUSED_TYPE, _REFUSED_OWNER, _REFUSED_MODE, _SYSTEM.
 */
bloom_status bloom_directory_open(
	const char *path, bool create, int *directory, bloom_owner *owner, bloom_error *error);

/* True when this process acts for itself, and not as root for another user. */
bool bloom_owner_is_self(bloom_owner owner);

/* The same for the entry `name` of an open directory, which must belong to `owner`. */
bloom_status bloom_directory_open_at(int parent, const char *name, bool create, bloom_owner owner,
	int *directory, bloom_error *error);

/* Whether an errno says that this process may not: an entry of another user's, say. */
bool bloom_is_permission_error(int os_error);

/* Removes a directory if it is empty, or the file `name`. Missing is no failure, nor is a directory
 * that holds something. */
bloom_status bloom_directory_remove(int parent, const char *name, bloom_error *error);
bloom_status bloom_file_remove(int directory, const char *name, bloom_error *error);

/* Keeps a file in being while it is removed; -1: it cannot be kept. To be closed. */
int bloom_file_pin(int directory, const char *name);

/* Whether `name` in `parent` is still the directory behind `directory`.  Fails BLOOM_E_GONE, _SYSTEM. */
bloom_status bloom_directory_check_name(
	int parent, const char *name, int directory, bloom_error *error);

/* Calls `visit` with each entry name but "." and "..", until it returns false. */
typedef bool (*bloom_visit)(void *context, const char *name);
bloom_status bloom_directory_each(
	int directory, bloom_visit visit, void *context, bloom_error *error);

/* Bytes that a file may still grow by on that file system; UINT64_MAX when it does not tell. */
uint64_t bloom_directory_free_bytes(int directory);

/* Opens an existing file, for reading or for both. */
bloom_status bloom_file_open(int directory, const char *name, bool writable, bloom_owner owner,
	int *file, uint64_t *bytes, bloom_error *error);

/* Makes a file that must not exist yet, mode 0600 whatever the umask, owned by `owner`. */
bloom_status bloom_file_create(
	int directory, const char *name, bloom_owner owner, int *file, bloom_error *error);

/* Makes a file as long as that, of a hole where nothing was written; not beyond bloom_process_file_bytes_max().
 * A tmpfs with huge=within_size gives huge pages only to what lies within the file's length when it is written.
 * Fails BLOOM_E_FILE_LIMIT, _SPACE, _SYSTEM. */
bloom_status bloom_file_extend(int file, uint64_t bytes, bloom_error *error);

/* Writes all bytes behind those that were written before by this handle. Fails BLOOM_E_SPACE for a full file system or quota, BLOOM_E_SYSTEM. */
bloom_status bloom_file_write(
	int file, const unsigned char *bytes, uint64_t count, bloom_error *error);

/* Gives a file capacity for `bytes` bytes from `offset` on, zeros as far as there were none, so that writing
 * to a mapping of them cannot run out of it. Fails BLOOM_E_FILE_LIMIT, _SPACE, _SYSTEM. */
bloom_status bloom_file_allocate(int file, uint64_t offset, uint64_t bytes, bloom_error *error);

/* Reads a whole file of secrets: one that is regular, of root or this process's user, and that neither group
 * nor others can write, nor others read.
 *
 *   path    absolute; a symbolic link is followed
 *   text    `capacity` bytes
 *   *count  how many were read
 *
 * Fails   BLOOM_E_SECRET_FILE, also when it is longer; _SECRET_MODE.
 */
bloom_status bloom_secret_file_read(
	const char *path, unsigned char *text, size_t capacity, size_t *count, bloom_error *error);

bloom_status bloom_file_rename(int directory, const char *from, const char *to, bloom_error *error);

/* Size of `name`; 0 of what is no file.  Fails BLOOM_E_NOT_FOUND, _SYSTEM. */
bloom_status bloom_file_bytes(int directory, const char *name, uint64_t *bytes, bloom_error *error);

/* True when what is in the directory is gone after a reboot. */
bool bloom_directory_is_memory(int directory);

/* True when other hosts may change what is in the directory: NFS, SMB, AFS, Coda, Ceph, 9P, Lustre, GPFS, GFS2, OCFS2.
 * One made by FUSE is not told from a local one. */
bool bloom_directory_is_network(int directory);

static inline bool bloom_is_same_file(const bloom_identity *a, const bloom_identity *b)
{
	return a->device == b->device && a->inode == b->inode;
}

/* Identity of a path.  Fails BLOOM_E_NOT_FOUND, _SYSTEM.  Cost: one system call. */
bloom_status bloom_path_identity(const char *path, bloom_identity *identity, bloom_error *error);
bloom_status bloom_file_identity(int file, bloom_identity *identity, bloom_error *error);

bloom_status bloom_open_file_bytes(int file, uint64_t *bytes, bloom_error *error);

/* Fails BLOOM_E_HOLES if a file in memory has holes: reading or writing one takes memory, and raises SIGBUS where there is
 * none left. Other file systems may compress files or keep them elsewhere, so their blocks tell nothing. */
bloom_status bloom_file_check_holes(int file, const char *name, bloom_error *error);

/* Whether the open file still has a name.  Fails BLOOM_E_GONE, _SYSTEM. */
bloom_status bloom_file_check_linked(int file, bloom_error *error);

/* The largest file that this process may write (RLIMIT_FSIZE); asking beyond it would kill it. */
uint64_t bloom_process_file_bytes_max(void);

void bloom_close(int *handle); /* and sets it to −1 */

#endif
