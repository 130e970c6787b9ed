/* The identity of this process, and files that forked children must not keep.
 *
 *     parent   close_on_fork(file) ── lock ── killed: the kernel frees the lock, because no other
 *                                       │              process has the file open
 *     child                             └ forked: the file is closed before fork() returns here
 *
 * A lock (lock.h) belongs to an open file description, and a forked child shares its parent's
 * descriptions. Without this module, a child would keep the locks of a killed parent as long as the
 * child runs, even if the child never uses a filter.
 */
#ifndef BLOOM_PROCESS_H
#define BLOOM_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/status.h"

/* Returns a number that differs between this process and each of its ancestors. It differs even if
 * parent and child have the same PID in nested PID namespaces. Store the number with a resource to
 * detect that the resource was inherited. Other processes cannot interpret the number. */
uint64_t bloom_process_id(void);

/* ---- files that children must not keep ---- */

/* Between these two calls no other thread can fork. Open a file and register it between the calls,
 * so that no child can inherit the file before it is registered. Do not fork between the calls. */
void bloom_fork_block(void);
void bloom_fork_unblock(void);

/* Registers an open file, which is then closed in each child that this process forks. Call this
 * function between bloom_fork_block() and bloom_fork_unblock().
 *
 *   file  close it with bloom_process_close(). In a child the file is already closed, and its
 *         number may belong to another file. So store bloom_process_id() with the number, and
 *         compare the stored ID before each use.
 *
 * Errors: BLOOM_E_MEMORY; the file is then not registered. */
bloom_status bloom_process_close_on_fork(int file, bloom_error *error);

/* Unregisters a file, closes it, and sets it to -1. A file of -1 is ignored. */
void bloom_process_close(int *file);

/* ---- names ---- */

enum { BLOOM_PROCESS_NAME_BYTES = 128 };

/* Writes a name by which other processes can check whether this process still runs. It contains the
 * boot ID, the namespaces, the PID and the process's start time. The name is empty if these values
 * cannot be read, for example without /proc. */
void bloom_process_name(char name[BLOOM_PROCESS_NAME_BYTES]);

/* Returns true if the named process has certainly ended. Returns false if the process runs, and
 * also if its state is unknown: the process may belong to another host or namespace, or the text
 * may not be a name. */
bool bloom_process_is_gone(const char *name);

#endif
