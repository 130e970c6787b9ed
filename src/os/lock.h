/* Exclusive locks on open files and directories.
 *
 * A lock belongs to an open file description. The kernel frees the lock when the last descriptor of
 * this description is closed. So a lock is freed however its holder dies, and in every PID
 * namespace. Two things follow:
 *
 *     threads   two handles of one process exclude each other
 *     fork      a child inherits its parent's descriptors and so keeps the parent's locks.
 *               process.h closes such descriptors in children
 *
 * filelock.h contains the locks of mapped live files.
 */
#ifndef BLOOM_LOCK_H
#define BLOOM_LOCK_H

#include <stdint.h>

#include "filter/status.h"

/* Takes the lock of an open file or directory.
 *
 *   timeout_ms  0: fails at once if another handle holds the lock
 *
 * Errors: BLOOM_E_BUSY, BLOOM_E_SYSTEM. */
bloom_status bloom_lock(int handle, uint64_t timeout_ms, bloom_error *error);

/* Releases the lock at once, even if a child that was forked a moment ago still has the
 * descriptor. */
void bloom_unlock(int handle);

/* Takes the lock of one byte of a file. The byte may lie beyond the file's end, so one file can
 * provide any number of locks.
 *
 * Errors: as bloom_lock(). */
bloom_status bloom_lock_byte(int file, uint64_t offset, uint64_t timeout_ms, bloom_error *error);
void bloom_unlock_byte(int file, uint64_t offset);

#endif
