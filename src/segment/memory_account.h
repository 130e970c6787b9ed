/* The account: the sum of a segment's file sizes, recorded so that writers and info() need not
 * visit every filter.
 *
 *     <segment>/.bloom/account     4 KiB, shared: bytes, changes begun, changes ended
 *
 *     begin:  lock, "begun" + 1
 *             create, extend or remove one file
 *     end:    "bytes" + change, "ended" + 1, unlock
 *
 * The sum includes all files that belong to filters. It excludes the account itself and the busy
 * files (busy_file.h).
 *
 * Locks
 *
 *   - The lock prevents changes and recounts from overlapping. A change holds the lock for
 *     microseconds.
 *   - If a process dies during a change, "begun" stays greater than "ended". The next holder of the
 *     lock then counts all files.
 *   - If a process is stopped during a change and there is no memory limit, other processes proceed
 *     without the lock after 50 ms. A change without the lock leaves "begun" and "ended" unequal,
 *     so the next holder of the lock counts all files.
 *   - If there is a memory limit, only removals proceed without the lock. Any other change fails
 *     with BLOOM_E_BUSY, because it could exceed the limit.
 */
#ifndef BLOOM_MEMORY_ACCOUNT_H
#define BLOOM_MEMORY_ACCOUNT_H

#include <stdint.h>

#include "segment/filter_dir.h"

typedef struct bloom_account_page bloom_account_page;

/* A change in progress. */
typedef struct bloom_account {
	bloom_account_page *page; /* NULL: there is no account, and nothing is recorded */
	const bloom_filter_dir *dir;
	int file; /* the handle that holds the lock; -1: the change runs without the lock */
} bloom_account;

/* Begins a change that enlarges a file by `more_bytes`.
 *
 * Errors: BLOOM_E_LIMIT (the segment would exceed its memory limit); _BUSY (there is a memory
 * limit, and a stopped process holds the lock); _SPACE, _MEMORY, _REFUSED_…, _SYSTEM. After an
 * error no change has begun. Cost: ten system calls. If a process has died during a change, the
 * call also visits every filter. */
bloom_status bloom_account_begin(const bloom_filter_dir *dir, uint64_t more_bytes,
	bloom_account *account, bloom_error *error);

/* Ends a change.
 *
 *   bytes  how much the file's length changed; 0 if the change failed */
void bloom_account_end(bloom_account *account, int64_t bytes);

/* Abandons a change whose effect on the file's length is unknown. The account then looks as if the
 * process had died, so the next writer counts all files. */
void bloom_account_abandon(bloom_account *account);

/* Removes a file from the filter's directory, even if the account is unusable. A missing file is
 * not an error. */
bloom_status bloom_account_remove(
	const bloom_filter_dir *dir, const char *file_name, bloom_error *error);

/* Stores the sum in *bytes, or 0 if the segment does not exist.
 *
 * Errors: BLOOM_E_SYSTEM, _MEMORY, _REFUSED_…
 * Cost: eight system calls. While "begun" and "ended" differ, the call visits every filter. */
bloom_status bloom_account_read(const bloom_segment *segment, uint64_t *bytes, bloom_error *error);

/* Stores in *bytes how many bytes new files may have: the free bytes of the file system, or the
 * rest of the memory limit if that is less. UINT64_MAX means that nothing limits them.
 *
 * Errors and cost: those of bloom_account_read(), and _NOT_FOUND. */
bloom_status bloom_account_free(const bloom_segment *segment, uint64_t *bytes, bloom_error *error);

#endif
