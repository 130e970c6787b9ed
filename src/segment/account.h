/* The sum of a segment's file sizes, kept so that neither a writer nor info() has to visit every filter.
 *
 *     <segment>/.bloom/account     4 KiB, shared: bytes, changes begun, changes ended
 *
 *     begin ── lock, "begun" ── make, lengthen or remove one file ── end: add to "bytes", "ended", unlock
 *
 * The lock separates changes from a recount and is held for microseconds. If a process dies during a change, "begun"
 * stays greater than "ended", and the next holder of the lock counts all files again. If a process is stopped during a
 * change and there is no memory limit, other processes proceed without the lock after 50 ms. Such a change always leaves
 * the two numbers unequal, so the next holder of the lock counts. With a memory limit, additions fail, because the limit
 * must hold; removals proceed.
 *
 * The sum counts the files of filters, by their length. The account and the markers (marker.h) do not count.
 */
#ifndef BLOOM_ACCOUNT_H
#define BLOOM_ACCOUNT_H

#include <stdint.h>

#include "segment/place.h"

typedef struct bloom_account_page bloom_account_page;

/* A change under way. */
typedef struct bloom_account {
	bloom_account_page *page; /* NULL: the account cannot be had; nothing is noted */
	const bloom_place *place;
	int file; /* that the lock is held on; −1: without the lock */
} bloom_account;

/* Begins a change, which makes the file larger by `more_bytes` in the end.
 *
 * Fails   BLOOM_E_LIMIT when the segment may not hold so much more; _BUSY when there is a memory limit and another
 *         holder of the lock is stopped; _SPACE, _MEMORY, _REFUSED_…, _SYSTEM. Then nothing has begun.
 * Cost    ten system calls; after a process was killed in the middle of a change, a visit to every filter.
 */
bloom_status bloom_account_begin(
	const bloom_place *place, uint64_t more_bytes, bloom_account *account, bloom_error *error);

/* Ends it. `bytes` is the change of the file's length: 0 when it failed. */
void bloom_account_end(bloom_account *account, int64_t bytes);

/* Leaves it without an end, as a death would: what became of the file cannot be told. The next writer counts. */
void bloom_account_abandon(bloom_account *account);

/* Removes a file of the filter's directory. A missing one is no failure, nor is an account that cannot be had. */
bloom_status bloom_account_remove(
	const bloom_place *place, const char *file_name, bloom_error *error);

/* The sum; 0 for a segment that does not exist.
 *
 * Fails   BLOOM_E_SYSTEM, _MEMORY, _REFUSED_…
 * Cost    eight system calls; a visit to every filter while changes have begun that did not end.
 */
bloom_status bloom_account_read(const bloom_segment *segment, uint64_t *bytes, bloom_error *error);

#endif
