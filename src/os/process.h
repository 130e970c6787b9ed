/* The identity of this process, and files that forked children must not keep open.
 *
 *     parent   close_on_fork(file) ── lock ── killed: the kernel frees the lock, because no other
 *                                       │              process has the file open
 *     child                             └ forked: the file is closed before fork() returns here
 *
 * A lock (lock.h) belongs to an open file, and a forked child shares its parent's open files.
 * Without this module, the locks of a killed parent would remain held as long as one of its
 * children runs, even if that child never uses a filter. Windows does not fork, so there the
 * functions for forks do nothing.
 */
#ifndef BLOOM_PROCESS_H
#define BLOOM_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/status.h"

/* Returns a number that differs between this process and each of its ancestors. The numbers differ
 * even if parent and child have the same PID in nested PID namespaces. Store the number with a
 * resource to detect later that the resource was inherited. The number has no meaning in other
 * processes.
 *
 * Cost: one load. Where the kernel cannot clear a page in forked children, one system call. */
uint64_t bloom_process_id(void);

/* Registers a function that fork() calls in the forking thread before each fork of this process.
 * The process has one such function.
 *
 * Errors: false if the handlers of fork() cannot be installed. */
bool bloom_process_before_fork(void (*call)(void));

/* ---- files that children must not keep open ---- */

/* Prevent other threads from forking between these two calls. Open and register a file between the
 * calls, so that no child can inherit the file before it is registered. The calling thread must not
 * fork between the calls. */
void bloom_fork_block(void);
void bloom_fork_unblock(void);

/* Registers an open file so that it is closed in each child that this process forks. Call this
 * function between bloom_fork_block() and bloom_fork_unblock().
 *
 *   file  close it with bloom_process_close(). In a child, the file is already closed, and its
 *         number may refer to a different file. So store bloom_process_id() with the number and
 *         compare the stored ID before each use.
 *
 * Errors: BLOOM_E_MEMORY; in that case the file is not registered. */
bloom_status bloom_process_close_on_fork(int file, bloom_error *error);

/* Unregisters a file, closes it, and sets it to -1. A value of -1 is ignored. */
void bloom_process_close(int *file);

/* ---- names ---- */

enum { BLOOM_PROCESS_NAME_BYTES = 128 };

/* Writes a name that other processes can use to check whether this process is still running. The
 * name contains the boot ID, the PID and the process's start time; also the namespaces if the
 * system has them, and on Windows the host's name. The name is empty if these values cannot be
 * read, for example without /proc. */
void bloom_process_name(char name[BLOOM_PROCESS_NAME_BYTES]);

/* Returns true if the named process has definitely ended. Returns false if the process is still
 * running or its state is unknown. The state is unknown if the process belongs to a different host
 * or namespace, or if the text is not a valid name. */
bool bloom_process_is_gone(const char *name);

#endif
