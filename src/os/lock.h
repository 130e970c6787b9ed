/* Locks of open files. The kernel holds them and frees them with their holder, however it dies. filelock.h has those that
 * a mapped live file needs.
 */
#ifndef BLOOM_LOCK_H
#define BLOOM_LOCK_H

#include <stdint.h>

#include "filter/status.h"

/* Takes the exclusive lock of an open file or directory. The kernel frees it when the handle is
 * closed or the process dies, in whichever PID namespace. Two handles of one process exclude each
 * other too; a forked child has its parent's handles, and so its locks, unless process.h closes them.
 *
 * Fails   BLOOM_E_BUSY after `timeout_ms` (0: at once), BLOOM_E_SYSTEM.
 */
bloom_status bloom_lock(int handle, uint64_t timeout_ms, bloom_error *error);
/* At once, also where a child that is just being forked has not closed it yet. */
void bloom_unlock(int handle);

/* The same for one byte of a file, which need not exist: as many locks as one needs. Held by the handle,
 * with what that means for threads and forked children. Fails likewise. */
bloom_status bloom_lock_byte(int file, uint64_t offset, uint64_t timeout_ms, bloom_error *error);
void bloom_unlock_byte(int file, uint64_t offset);

#endif
