/* Exclusive locks on open files and directories.
 *
 * A lock belongs to an open file, which on POSIX means to the open file description. The kernel
 * releases the lock when the last handle of the open file is closed. The lock is therefore
 * released no matter how its holder dies. This also works across PID namespaces. The ownership has
 * two consequences:
 *
 *     threads   two handles in the same process exclude each other
 *     fork      a child inherits its parent's handles and so keeps the parent's locks. process.h
 *               closes such handles in children
 *
 * filelock.h implements the locks of mapped live files.
 */
#ifndef BLOOM_LOCK_H
#define BLOOM_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/status.h"

/* Locks an open file, or a directory where bloom_lock_has_directories() returns true.
 *
 *   timeout_ms  0: fail immediately if another handle holds the lock
 *
 * Errors: BLOOM_E_BUSY, BLOOM_E_SYSTEM. */
bloom_status bloom_lock(int handle, uint64_t timeout_ms, bloom_error *error);

/* Releases the lock immediately, even if a child that was forked a moment ago still has the
 * handle. */
void bloom_unlock(int handle);

/* Locks one byte of a file. The byte may be beyond the end of the file, so one file can provide any
 * number of locks. Where bloom_lock_has_bytes() returns false, the locks of a file exclude each
 * other and the lock of bloom_lock(). A thread must therefore not take a second lock of the file.
 *
 * Errors: the same as for bloom_lock(). */
bloom_status bloom_lock_byte(int file, uint64_t offset, uint64_t timeout_ms, bloom_error *error);
void bloom_unlock_byte(int file, uint64_t offset);

/* Returns true if the locks of bytes are independent of each other and of bloom_lock(), as on Linux
 * and Windows. */
bool bloom_lock_has_bytes(void);

/* Returns true if directories can be locked, as on POSIX. Otherwise bloom_lock_has_bytes() returns
 * true. */
bool bloom_lock_has_directories(void);

#endif
