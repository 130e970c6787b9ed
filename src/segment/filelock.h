/* Byte-range locks on mapped files.
 *
 *     mapped file     identity and file name only, no descriptor
 *     take() ───────► this thread's handle to the file, opened if necessary ──► byte lock
 *
 * A live file has several locks. Each lock is one byte of the file, and the file's kind determines
 * what the lock protects. A process may map thousands of files, but it has few descriptors. Each
 * thread therefore keeps at most BLOOM_LOCK_HANDLES_MAX handles open, for the files that it locked
 * most recently. As a result, repeated adds to one filter do not open any file.
 *
 * Lifetime: a handle is closed when its file is unmapped, when another file needs its slot, and by
 * bloom_filelock_close_all().
 * Locks: the kernel frees a lock when its process dies. A forked child closes its parent's handles
 * (process.h) and opens the files again. If the system cannot lock single bytes (os/lock.h), all
 * locks of a filter are one lock, on the file BLOOM_LOCKS_NAME.
 */
#ifndef BLOOM_FILELOCK_H
#define BLOOM_FILELOCK_H

#include <stdint.h>

#include "segment/filter_dir.h"

enum { BLOOM_LOCK_HANDLES_MAX = 8 };

/* Identifies the file whose bytes are locked. This struct is plain data and may be copied. */
typedef struct bloom_filelock {
	bloom_identity identity; /* of the mapped file */
	char file_name[BLOOM_FILE_NAME_MAX];
} bloom_filelock;

bloom_filelock bloom_filelock_of(const char *file_name, bloom_identity identity);

/* Takes the lock `lock_index`, which excludes other processes and other threads. A thread holds at
 * most one such lock at a time.
 *
 *   segment, name  the filter that the file belongs to
 *   lock_index     the byte to lock
 *   timeout_ms     0: the call fails immediately if another holder has the lock
 *   *file          the file, open for writing; valid until the release
 *
 * Errors: BLOOM_E_BUSY, _GONE (the name leads to a different file or to none), _MEMORY, _REFUSED_…,
 * _SYSTEM.
 * Cost: two system calls; ten more if the file must be opened. */
bloom_status bloom_filelock_take(const bloom_filelock *lock, const bloom_segment *segment,
	const char *name, uint64_t lock_index, uint64_t timeout_ms, int *file, bloom_error *error);
void bloom_filelock_release(int file, uint64_t lock_index);

/* Closes this thread's handle to the file, if it has one. Call it when the file is unmapped. */
void bloom_filelock_close(const bloom_filelock *lock);

/* Closes all of this thread's handles. The thread must not hold any lock through them. */
void bloom_filelock_close_all(void);

#endif
