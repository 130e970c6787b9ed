/* When a host looks at a store again, who of its processes does, and what it need not fetch.
 *
 *     due? ──► take the lease ──► head ──► same as served? ──► done
 *      no: return   no: return              └► chunks: served already ─► copy
 *                                                      else           ─► fetch ──► stage, commit
 *
 * The flow itself calls the user's store between these steps, so it lives in the PHP layer; here
 * are the decisions, over the control page. The lease is a time, not a lock: nobody waits for it, and
 * one whose holder died ends by itself. Two fetchers at once would waste work and harm nothing.
 *
 * Times are bloom_monotonic_ms(). A time far in the future (the page outlived a boot) counts as long
 * ago, so no clock can stop a host from looking. One a little ahead was stored by a process that read
 * the clock after this one did.
 */
#ifndef BLOOM_SYNC_H
#define BLOOM_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/blob.h"
#include "segment/control.h"
#include "filter/probe.h"

enum {
	BLOOM_LEASE_MS = 30000,    /* renewed after each batch of chunks */
	BLOOM_RETRY_MS_MIN = 1000, /* after the first failure; doubles up to the ttl */
	BLOOM_CHUNK_KEY_BYTES = 128 + 1 + 2 * BLOOM_CHUNK_DIGEST_BYTES + 1,
};

/* Whether a store should be looked at: `ttl_ms` after the last success, or, after n failures in a
 * row, 2^(n−1) seconds after the last of them, but no longer than the ttl. One read of shared memory. */
bool bloom_sync_is_due(const bloom_control *control, uint64_t ttl_ms, uint64_t now_ms);

/* Elects this process.  True: it is the fetcher until *lease, which is to be renewed or released. */
bool bloom_sync_lease_take(bloom_control *control, uint64_t now_ms, uint64_t *lease);
void bloom_sync_lease_renew(bloom_control *control, uint64_t now_ms, uint64_t *lease);
void bloom_sync_lease_release(bloom_control *control, uint64_t lease);

/* Notes how an attempt ended, for the next decision and for people. Of `text` is kept what
 * fits, as one line of UTF-8: ASCII's control characters become spaces, other ones and what is no character "?". */
void bloom_sync_succeeded(bloom_control *control, uint64_t now_ms);
void bloom_sync_failed(
	bloom_control *control, uint64_t now_ms, bloom_status status, const char *text);

/* Notes an error for people, without a say in when to look again. */
void bloom_sync_note(bloom_control *control, bloom_status status, const char *text);

/* Whether chunk `chunk` of a published head is what the served blob has in the same place. The bytes
 * themselves are hashed, so a served chunk that is not what its row says is fetched anew.
 *
 *   served       head and first shard of the mapped generation
 */
bool bloom_sync_chunk_is_served(const bloom_head *published, uint64_t chunk,
	const bloom_head *served, const unsigned char *served_body);

/* Writes the store's key of a chunk: "<name>:<32 hex digits>". */
void bloom_sync_chunk_key(
	const char *name, const unsigned char *digest, char key[BLOOM_CHUNK_KEY_BYTES]);

#endif
