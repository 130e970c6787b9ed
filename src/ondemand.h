/* A filter that is larger than the host wants to hold: its head is here, and as many of its chunks as the
 * budget allows; the others are in the store.
 *
 *     0         4096                                                  slot 0     slot 1
 *     ├ cache ──┼ the published head ┼ entries ┼ owners ┼ marks ┼ … ──┼ a chunk ─┼ a chunk ─┤
 *       head      a blob's, verified   a chunk   a slot   a slot
 *
 * It is a generation of the segment like any other; a new version of the filter is a new file, which
 * takes over the chunks that have not changed. In one file a chunk never changes.
 *
 *   entry   atomic: ABSENT, or FETCHING until a time, or RESIDENT in a slot at its nth filling
 *   owner   atomic: which chunk the slot was filled with last
 *   mark    atomic: somebody used the slot since the hand passed it (the CLOCK policy: Corbató, "A
 *           Paging Experiment with the Multics System", 1968)
 *
 * Lookups take no lock. One that finds its chunk RESIDENT looks at the bits and then at the entry again:
 * still the same word, so the slot was not given to another chunk meanwhile. A chunk that is not here
 * makes the answer "maybe"; the caller may fetch it and ask again.
 *
 * Who wants to fetch a chunk claims it first, for BLOOM_CLAIM_MS, so that the others leave it to him; a
 * claim whose holder died ends by itself. Filling a slot happens under the file's lock: the victim's entry
 * becomes ABSENT, the bytes are written and verified where they are, then the new entry names the slot.
 * Whoever is killed in between leaves a slot that no entry names, which is the next to be filled.
 */
#ifndef BLOOM_ONDEMAND_H
#define BLOOM_ONDEMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "blob.h"
#include "filelock.h"
#include "probe.h"
#include "stage.h"

enum {
	BLOOM_CACHE_HEAD_BYTES = 4096,
	BLOOM_CACHE_LAYOUT = 1,
	BLOOM_CLAIM_MS = 5000,
	BLOOM_FETCH_PAUSE_MS_MIN = 1000,  /* after a failed fetch; doubles */
	BLOOM_FETCH_PAUSE_MS_MAX = 30000,
};

#define BLOOM_CACHE_MAGIC UINT64_C(0x63616368C3000A0D)

typedef struct bloom_cache_head {
	uint64_t magic;
	uint64_t layout;
	uint64_t memory_bytes;    /* asked for: the most that the file may take */
	uint64_t slots;
	/* atomic */
	uint64_t hand;            /* the clock's */
	uint64_t misses;          /* lookups whose chunk was not here */
	uint64_t untold;          /* keys that were therefore answered "maybe" */
	uint64_t fetched;         /* chunks */
	uint64_t evicted;
	uint64_t fetch_failures;
	uint64_t failures_in_row;
	uint64_t retry_at_ms;     /* monotonic; no fetch before */
	unsigned char unused[BLOOM_CACHE_HEAD_BYTES - 12 * 8];
} bloom_cache_head;

_Static_assert(sizeof(bloom_cache_head) == BLOOM_CACHE_HEAD_BYTES, "the cache head is one page");

/* A thread's mapping of such a generation. */
typedef struct bloom_cache {
	bloom_cache_head *head;   /* the mapping's first bytes; NULL: none */
	uint64_t map_bytes;
	bloom_head blob;          /* the published head */
	bloom_view view;          /* of its geometry; `bits` are not here */
	uint64_t *entries;
	uint64_t *owners;
	unsigned char *marks;
	unsigned char *slots;
	bloom_filelock lock;
} bloom_cache;

/* The least memory that holds such a filter's head and one chunk. */
uint64_t bloom_cache_bytes_least(const bloom_head *blob);

/* Makes a generation with no chunks, ready to be committed, in *stage.
 *
 *   blob, bytes   a published head, parsed, and its bytes
 *   before        NULL, or the generation that it replaces: chunks that are the same are taken over
 *
 * Fails   BLOOM_E_BUDGET (less than bloom_cache_bytes_least()); as bloom_stage_begin().
 */
bloom_status bloom_cache_stage(const bloom_segment *segment, const char *name, uint64_t memory_bytes,
	const bloom_head *blob, const unsigned char *bytes, bloom_cache *before, bloom_stage *stage,
	bloom_error *error);

/* Maps one.  Fails BLOOM_E_NOT_FOUND, _CACHE, _REFUSED_…, _SYSTEM, and as bloom_head_parse(). */
bloom_status bloom_cache_map(
	const bloom_place *opened, const char *file_name, bloom_cache *cache, bloom_error *error);
void bloom_cache_unmap(bloom_cache *cache); /* a zeroed one is fine */

typedef enum bloom_answer { BLOOM_NO, BLOOM_MAYBE, BLOOM_NOT_HERE } bloom_answer;

/* Which chunk a digest's bits are in. */
uint64_t bloom_cache_chunk(const bloom_cache *cache, bloom_digest digest);

/* Looks a key up. BLOOM_NOT_HERE: its chunk is not, or was just replaced.
 *
 * Shared  no lock; sets the slot's mark if it is not set.
 */
bloom_answer bloom_cache_test(bloom_cache *cache, bloom_digest digest);

bool bloom_cache_has(const bloom_cache *cache, uint64_t chunk);

/* Whether the store should be asked now: not within the pause after failures. */
bool bloom_cache_may_fetch(const bloom_cache *cache, uint64_t now_ms);

/* Claims a chunk that is not here.  False: it is, or another is fetching it. */
bool bloom_cache_claim(bloom_cache *cache, uint64_t chunk, uint64_t now_ms);
void bloom_cache_unclaim(bloom_cache *cache, uint64_t chunk);

/* Puts a chunk's bytes (bloom_head_chunk_length() of them) into a slot, the coldest if none is free, and
 * verifies them there: digest, checksums, set bits.
 *
 * Fails   BLOOM_E_CHUNK_DIGEST, _SHARD_CHECKSUM, _SHARD_BITS: not this chunk.  _BUSY, _GONE, _SYSTEM.
 */
bloom_status bloom_cache_put(bloom_cache *cache, const bloom_segment *segment, const char *name,
	uint64_t chunk, const unsigned char *bytes, bloom_error *error);

/* Notes how a fetch ended. */
void bloom_cache_fetched(bloom_cache *cache);
void bloom_cache_failed(bloom_cache *cache, uint64_t now_ms);

/* Chunks that are here. One pass over the entries. */
uint64_t bloom_cache_resident(const bloom_cache *cache);

#endif
