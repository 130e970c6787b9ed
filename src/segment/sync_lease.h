/* The lease elects the one process of a host that queries the store.
 *
 * The lease is a time, not a lock, so no process waits for it, and it expires if its holder dies.
 * If two processes ever hold it at once, they merely do the same work twice. Because only the
 * holder of a filter's lease queries the store, a store that hangs stops only one process. While
 * the holder fetches a version, it also follows the served version's journal.
 *
 * Times are bloom_monotonic_ms(), as in sync_due.h.
 */
#ifndef BLOOM_SYNC_LEASE_H
#define BLOOM_SYNC_LEASE_H

#include <stdbool.h>
#include <stdint.h>

#include "segment/control.h"

enum { BLOOM_LEASE_MS = 30000 }; /* renewed after each batch of chunks */

/* Tries to make this process the fetcher. Returns false if another process holds the lease.
 *
 *   *lease  the time at which the lease ends; pass it to the two functions below */
bool bloom_lease_take(bloom_control *control, uint64_t now_ms, uint64_t *lease);
void bloom_lease_renew(bloom_control *control, uint64_t now_ms, uint64_t *lease);
void bloom_lease_release(bloom_control *control, uint64_t lease);

#endif
