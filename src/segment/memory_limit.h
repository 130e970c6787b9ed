/* Enforces the memory limit by adding up a segment's file sizes, under a lock that is also held
 * while a file becomes larger.
 *
 *     lock ─► add up all file sizes ─► check ─► create or extend one file ─► unlock
 *
 * The sum is never stored, so a process that is killed at any step cannot leave a wrong one. Adding
 * up 1,000 loaded filters takes about 10 ms, which is why only two calls do it: one that enlarges a
 * file while there is a limit, and one that reports the sum. Without a limit nothing is locked.
 *
 * The lock is a flock on the segment's internal directory, which the kernel releases when its
 * holder dies. If the holder is stopped, calls that enlarge a file fail with BLOOM_E_BUSY after
 * segment->lock_timeout_ms. Removing and renaming files needs no lock, because a removed file only
 * makes the sum smaller, and if a file disappears from a directory while it is added up, the
 * directory is added up again. So the limit holds among all processes that have one.
 *
 * The sum contains the files in the filters' directories, of all layouts, with their full lengths
 * from the moment they are staged. A control page counts but is never refused.
 */
#ifndef BLOOM_MEMORY_LIMIT_H
#define BLOOM_MEMORY_LIMIT_H

#include <stdint.h>

#include "segment/filter_dir.h"

/* Locks the segment and checks that its files may have `more_bytes` more. Without a memory limit it
 * does nothing. The caller enlarges its file and then calls bloom_filter_dir_close(lock), which it
 * may also do after an error. It must not wait for a filter's lock in between.
 *
 * Errors: BLOOM_E_LIMIT; _BUSY (a stopped process holds the lock); _NOT_FOUND (the segment was
 * removed); _GONE, _SPACE, _MEMORY, _REFUSED_…, _SYSTEM. */
bloom_status bloom_limit_lock(const bloom_segment *segment, uint64_t more_bytes,
	bloom_filter_dir *lock, bloom_error *error);

/* Adds up the file sizes. A segment that does not exist has 0 bytes.
 *
 * Errors: BLOOM_E_BUSY (the files of a filter changed again and again), _MEMORY, _REFUSED_…,
 * _SYSTEM. */
bloom_status bloom_segment_bytes(const bloom_segment *segment, uint64_t *bytes, bloom_error *error);

#endif
