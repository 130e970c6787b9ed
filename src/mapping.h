/* The operating system, and nothing of filters: directories and files that are ours alone, maps,
 * file locks, clocks, random numbers. The only files that know the system are mapping_*.c, and parallel_*.c for threads.
 *
 * "Ours" means, for whatever is opened here: the type that was asked for (never a symbolic link, a
 * FIFO or a device, and no file with a second hard link), the expected owner, and no access for
 * group or others. Every descriptor is close-on-exec.
 *
 * Handles are descriptors, −1 for none. A failing call fills `error` with errno and a subject, and
 * leaves its out-parameters untouched.
 */
#ifndef BLOOM_MAPPING_H
#define BLOOM_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

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
bool bloom_is_denial(int os_error);

/* Removes a directory if it is empty, or the file `name`. Missing is no failure, nor is a directory
 * that holds something. */
bloom_status bloom_directory_remove(int parent, const char *name, bloom_error *error);
bloom_status bloom_file_remove(int directory, const char *name, bloom_error *error);

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

/* Appends all bytes. Fails BLOOM_E_SPACE for a full file system or quota, BLOOM_E_SYSTEM. */
bloom_status bloom_file_append(
	int file, const unsigned char *bytes, uint64_t count, bloom_error *error);

/* Gives a file room for `bytes` bytes from `offset` on, zeros as far as there were none, so that writing
 * to a mapping of them cannot run out of it. Fails BLOOM_E_FILE_LIMIT, _SPACE, _SYSTEM. */
bloom_status bloom_file_allocate(int file, uint64_t offset, uint64_t bytes, bloom_error *error);

/* Reads a whole file of secrets: one that is regular, of root or this process's user, and that neither group
 * nor others can write, nor others read.
 *
 *   path    absolute; a symbolic link is followed
 *   text    `room` bytes
 *   *count  how many were read
 *
 * Fails   BLOOM_E_SECRET_FILE, also when it is longer; _SECRET_MODE.
 */
bloom_status bloom_secret_file_read(
	const char *path, unsigned char *text, size_t room, size_t *count, bloom_error *error);

bloom_status bloom_file_rename(int directory, const char *from, const char *to, bloom_error *error);

/* Size of `name`; 0 of what is no file.  Fails BLOOM_E_NOT_FOUND, _SYSTEM. */
bloom_status bloom_file_bytes(
	int directory, const char *name, uint64_t *bytes, bloom_error *error);

/* True when what is in the directory is gone after a reboot. */
bool bloom_directory_is_memory(int directory);

/* True when other hosts may change what is in the directory: NFS, SMB, AFS, Coda, Ceph, 9P, Lustre, GPFS, GFS2, OCFS2.
 * One made by FUSE is not told from a local one. */
bool bloom_directory_is_network(int directory);

/* A number of this boot of the host, the same in all its processes; 0: the system does not tell. */
uint64_t bloom_boot(void);

/* Identity of a path; false when there is nothing. One system call. */
bool bloom_path_identity(const char *path, bloom_identity *identity);
bloom_status bloom_file_identity(int file, bloom_identity *identity, bloom_error *error);

bloom_status bloom_open_file_bytes(int file, uint64_t *bytes, bloom_error *error);

/* Whether the open file still has a name.  Fails BLOOM_E_GONE, _SYSTEM. */
bloom_status bloom_file_check_linked(int file, bloom_error *error);

/* The largest file that this process may write (RLIMIT_FSIZE); asking beyond it would kill it. */
uint64_t bloom_process_file_bytes_max(void);

void bloom_close(int *handle); /* and sets it to −1 */

/* Maps a file, shared. Reading beyond the file's end raises SIGBUS: map only what has been written,
 * or touch only that. */
bloom_status bloom_map(
	int file, uint64_t bytes, bool writable, unsigned char **map, bloom_error *error);

/* Makes a mapping of a file larger, at its old address or another. A failure leaves it as it is. */
bloom_status bloom_map_grow(
	unsigned char **map, uint64_t bytes, uint64_t bytes_wanted, bloom_error *error);

/* The machine's physical memory; UINT64_MAX when it does not tell. */
uint64_t bloom_machine_memory_bytes(void);

/* Private zeroed memory, page-aligned, for images of any size. */
bloom_status bloom_map_private(uint64_t bytes, unsigned char **map, bloom_error *error);

void bloom_unmap(const unsigned char *map, uint64_t bytes); /* NULL is fine */

/* Takes the exclusive lock of an open file or directory. The kernel frees it when the handle is
 * closed or the process dies, in whichever PID namespace. Two handles of one process exclude each
 * other too.
 *
 * Fails   BLOOM_E_BUSY after `timeout_ms` (0: at once), BLOOM_E_SYSTEM.
 */
bloom_status bloom_lock(int handle, uint64_t timeout_ms, bloom_error *error);

/* The same for one byte of a file, which need not exist: as many locks as one needs. Held by the handle,
 * so that two handles of one process exclude each other; but a forked child has its parent's handles,
 * and so its locks. Fails likewise. */
bloom_status bloom_lock_byte(int file, uint64_t offset, uint64_t timeout_ms, bloom_error *error);
void bloom_unlock_byte(int file, uint64_t offset);

int64_t bloom_process(void);       /* the number of this process */

uint64_t bloom_clock_ms(void);     /* wall clock, ms since 1970-01-01 UTC; 0 before */
uint64_t bloom_monotonic_ms(void); /* the same in all processes of a host, in whatever containers; never jumps */
uint64_t bloom_random(void);       /* from the kernel, if it gives any */

#endif
