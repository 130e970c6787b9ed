/* The locks of a mapped file: one byte of the file each, numbered by the kind of file.
 *
 *     mapped file     identity and name only; it holds no descriptor
 *     take() ───────► a handle from the thread's few, place when none of them is the file's ──► byte lock
 *
 * A process may have many thousands of files mapped, and descriptors are few. So a thread keeps at most
 * BLOOM_LOCK_HANDLES_MAX open handles: those of the files that it locked last. Repeated adds to one filter
 * therefore open nothing. A handle is closed when its file is unmapped, when another file needs the place, and by
 * bloom_filelock_close_all().
 *
 * The kernel frees a lock when its process dies. Forked children have no part in a handle (process.h) and open
 * the file themselves.
 */
#ifndef BLOOM_FILELOCK_H
#define BLOOM_FILELOCK_H

#include <stdint.h>

#include "segment/place.h"

enum { BLOOM_LOCK_HANDLES_MAX = 8 };

/* Names the file whose bytes are locked. Plain data: it may be copied. */
typedef struct bloom_filelock {
	bloom_identity identity; /* of the file that is mapped */
	char file_name[BLOOM_FILE_NAME_MAX];
} bloom_filelock;

bloom_filelock bloom_filelock_of(const char *file_name, bloom_identity identity);

/* Takes lock lock_index `lock_index` from all other processes and threads. A thread holds one such lock at a time.
 *
 *   segment, name  the filter, whose directory has the file
 *   timeout_ms     0: fails at once if another holder has it
 *   *file          the open file, writable, until the release
 *
 * Fails   BLOOM_E_BUSY, _GONE (the name leads to another file, or to none), _MEMORY, _REFUSED_…, _SYSTEM.
 * Cost    two system calls; ten more when the file is place.
 */
bloom_status bloom_filelock_take(const bloom_filelock *lock, const bloom_segment *segment,
	const char *name, uint64_t lock_index, uint64_t timeout_ms, int *file, bloom_error *error);
void bloom_filelock_release(int file, uint64_t lock_index);

/* Closes this thread's handle of the file, if it has one: whoever unmaps the file calls it. */
void bloom_filelock_close(const bloom_filelock *lock);

/* Closes all handles of this thread. None of its locks may be held. */
void bloom_filelock_close_all(void);

#endif
