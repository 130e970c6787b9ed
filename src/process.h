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

#include <stdint.h>

#include "status.h"

/* A number that differs between this process and all that it was forked from, also where they have the same PID in
 * namespaces within each other: what carries the number of another was inherited. Means nothing to other processes. */
uint64_t bloom_process(void);

/* Between these two no other thread forks: what is opened there, and owned, no child has. */
void bloom_process_hold(void);
void bloom_process_release(void);

/* Has an open file closed in each child that this process forks from now on. Between the two above.
 *
 *   file  to be closed with bloom_process_close(). In a child it is closed already, and its number may be another
 *         file's: who keeps it keeps bloom_process() beside it.
 *
 * Fails   BLOOM_E_MEMORY; the file is then as it was.
 */
bloom_status bloom_process_own(int file, bloom_error *error);
void bloom_process_close(int *file);

#endif
