/* This process, and the children that it forks.
 *
 *     parent   own(file) ── lock ── killed: the kernel frees the lock, as nobody else has the file open
 *     child                  └ forked here: has closed it before fork() returns to its caller
 *
 * A lock (lock.h) belongs to an open file, and a forked child has the open files of its parent. Without this a
 * child that never looks at a filter would hold the lock of a parent that was killed for as long as it lives.
 */
#ifndef BLOOM_PROCESS_H
#define BLOOM_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/status.h"

/* A number that differs between this process and all that it was forked from, also where they have the same PID in
 * namespaces within each other: what carries the number of another was inherited. Means nothing to other processes. */
uint64_t bloom_process_id(void);

enum { BLOOM_PROCESS_NAME_BYTES = 128 };

/* Writes a name of this process that other processes can look it up by: of the boot of the host, the namespaces, the
 * PID and the time at which the process began. Empty where it cannot be told, as without /proc. */
void bloom_process_name(char name[BLOOM_PROCESS_NAME_BYTES]);

/* Whether the process of that name certainly runs no longer.  False also where it cannot be told: it is one of another
 * host or namespace, or the text is no such name. */
bool bloom_process_is_gone(const char *name);

/* Between these two no other thread forks: what is opened there, and owned, no child has. */
void bloom_fork_block(void);
void bloom_fork_unblock(void);

/* Has an open file closed in each child that this process forks from now on. Between the two above.
 *
 *   file  to be closed with bloom_process_close(). In a child it is closed already, and its number may be another
 *         file's: who keeps it keeps bloom_process_id() beside it.
 *
 * Fails   BLOOM_E_MEMORY; the file is then as it was.
 */
bloom_status bloom_process_close_on_fork(int file, bloom_error *error);
void bloom_process_close(int *file);

#endif
