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
 * Lookups take no lock. One that finds its chunk RESIDENT, in a slot whose owner is that chunk, looks at the
 * bits and then at the entry again: still the same word, so the slot was not given to another chunk
 * meanwhile. No word is stored twice: each filling has a number of its own, taken before a byte is
 * written. (It has 30 bits: a reader would have to sleep between its two looks through exactly 2^30 fillings.)
 * A chunk that is not here makes the answer "maybe"; the caller may fetch it and ask again. So does an entry
 * that does not fit its owner, however that came: it is fetched and filled anew.
 *
 * Who wants to fetch a chunk claims it first, for BLOOM_CLAIM_MS, so that the others leave it to him; a
 * claim whose holder died ends by itself. Bytes that are not the chunk's cost no other chunk its slot. Filling a
 * slot happens under the file's lock: the victim's entry becomes ABSENT, the bytes are written and verified
 * where they are, then the new entry names the slot. Whoever is killed in between leaves a slot that no
 * entry names, which is the next to be filled.
 *
 * A store that fails is left alone for a while, by all processes. After that one of them tries, and the others
 * follow when it was answered.
 */
#ifndef BLOOM_ONDEMAND_H
#define BLOOM_ONDEMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter/blob.h"
#include "segment/filelock.h"
#include "filter/probe.h"
#include "filter/ribbon.h"
#include "segment/stage.h"

enum {
	BLOOM_CACHE_LAYOUT = 1,
	BLOOM_CACHE_HEAD_BYTES = 4096,
	BLOOM_CLAIM_MS = 5000,
	/* For the others' fillings, which take microseconds each. */
	BLOOM_PUT_WAIT_MS = 200,
	BLOOM_FETCH_PAUSE_MS_MIN = 1000, /* after a failed fetch; doubles */
	BLOOM_FETCH_PAUSE_MS_MAX = 30000,
	/* Chunks in a row that a store may lack before that is a failure. */
	BLOOM_LACKING_MAX = 8,
};

#define BLOOM_CACHE_MAGIC UINT64_C(0x63616368C3000A0D)

typedef struct bloom_cache_head {
	uint64_t magic;
	uint64_t layout;
	uint64_t memory_bytes; /* asked for: the most that the file may take */
	uint64_t slots;
	/* atomic */
	uint64_t hand;        /* the clock's */
	uint64_t misses;      /* keys whose chunk was not here when they were asked for */
	uint64_t unavailable; /* those of them that were therefore answered "maybe" */
	uint64_t fetched;     /* chunks */
	uint64_t evicted;
	/* Calls that failed, and chunks that a store lacks or has wrong. */
	uint64_t fetch_failures;
	uint64_t failures_in_row; /* calls */
	uint64_t lacking_in_row;  /* chunks */
	uint64_t retry_at_ms;     /* monotonic; no fetch before. 0: the last one succeeded */
	uint64_t fillings;        /* begun */
	uint64_t id;              /* fixed: of this file and no other */
	unsigned char unused[BLOOM_CACHE_HEAD_BYTES - 15 * 8];
} bloom_cache_head;

_Static_assert(sizeof(bloom_cache_head) == BLOOM_CACHE_HEAD_BYTES, "the cache head is one page");

/* Where everything is, in any build: another layout must have another number. */
#define BLOOM_AT(field, offset) \
	_Static_assert(         \
		offsetof(bloom_cache_head, field) == (offset), "another layout of the cache head")
BLOOM_AT(magic, 0);
BLOOM_AT(layout, 8);
BLOOM_AT(memory_bytes, 16);
BLOOM_AT(slots, 24);
BLOOM_AT(hand, 32);
BLOOM_AT(misses, 40);
BLOOM_AT(unavailable, 48);
BLOOM_AT(fetched, 56);
BLOOM_AT(evicted, 64);
BLOOM_AT(fetch_failures, 72);
BLOOM_AT(failures_in_row, 80);
BLOOM_AT(lacking_in_row, 88);
BLOOM_AT(retry_at_ms, 96);
BLOOM_AT(fillings, 104);
BLOOM_AT(id, 112);
BLOOM_AT(unused, 120);
#undef BLOOM_AT

/* A thread's mapping of such a generation. */
typedef struct bloom_cache bloom_cache;
struct bloom_cache {
	bloom_cache_head *head; /* the mapping's first bytes; NULL: none */
	uint64_t map_bytes;
	/* The head's fixed words as they were when it was mapped: read them here. */
	uint64_t id;
	uint64_t slot_count;
	uint64_t memory_bytes;
	bloom_head blob;     /* the published head */
	bloom_view view;     /* of its geometry; `bits` are not here */
	bloom_ribbon ribbon; /* of a ribbon blob, likewise; `view` then only places shards */
	/* Whether the bits at an offset may hold the key, as the blob's scheme has it. */
	bool (*test)(const bloom_cache *cache, uint64_t offset, const unsigned char *bytes,
		bloom_digest digest);
	bloom_hasher hasher;
	uint64_t *entries;
	uint64_t *owners;
	unsigned char *marks;
	unsigned char *slots;
	bloom_filelock lock;
};

/* The least memory that holds such a filter's head and one chunk. */
uint64_t bloom_cache_bytes_least(const bloom_head *blob);

/* Memory of an on-demand filter, computed before its blob exists. */
typedef struct bloom_cache_plan {
	uint64_t least_bytes; /* with a slot for one chunk */
	uint64_t most_bytes;  /* with a slot for each chunk */
	uint64_t slots;       /* that fit into the given memory; 0: it is too small */
} bloom_cache_plan;

bloom_cache_plan bloom_cache_plan_for(
	const bloom_geometry *geometry, uint32_t chunk_bytes, uint64_t memory_bytes);

/* Makes a generation with no chunks, ready to be committed, in *stage.
 *
 *   blob, bytes   a published head, parsed, and its bytes
 *   before        NULL, or the generation that it replaces: chunks that are the same are taken over
 *
 * Fails   as bloom_stage_admit(); BLOOM_E_BUDGET (less than bloom_cache_bytes_least()), _KIND (a reverse index); as bloom_stage_begin()
 *         and bloom_stage_allocate().
 */
bloom_status bloom_cache_stage(const bloom_segment *segment, const char *name,
	uint64_t memory_bytes, const bloom_head *blob, const unsigned char *bytes,
	const bloom_cache *before, bloom_stage *stage, bloom_error *error);

/* Maps one. What comes of the store later is believed for the sake of this head, so it must be rightly signed, where
 * that is demanded, also when it was attached to before that.
 *
 * Fails BLOOM_E_NOT_FOUND, _CACHE, _HOLES, _REFUSED_…, _SYSTEM, and as bloom_head_parse() and bloom_stage_admit(). */
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

/* The same of a chunk that is about to be used: one that is here is not evicted next. */
bool bloom_cache_keep(bloom_cache *cache, uint64_t chunk);

/* Claims a chunk that is not here. Returns the claim; 0: it is here, or another is fetching it. */
uint64_t bloom_cache_claim(bloom_cache *cache, uint64_t chunk, uint64_t now_ms);

/* Gives a claim back; one that ended, and may be another's now, is left alone. */
void bloom_cache_unclaim(bloom_cache *cache, uint64_t chunk, uint64_t claim);

/* Puts a chunk's bytes (bloom_head_chunk_length() of them) into a slot, the coldest if none is free, and
 * verifies them there: digest, checksums, set bits.
 *
 * Fails   BLOOM_E_CHUNK_DIGEST, _SHARD_CHECKSUM, _SHARD_BITS: not this chunk.  _BUSY after BLOOM_PUT_WAIT_MS
 *         (who holds the lock was stopped), _GONE, _SYSTEM.
 */
bloom_status bloom_cache_put(bloom_cache *cache, const bloom_segment *segment, const char *name,
	uint64_t chunk, const unsigned char *bytes, bloom_error *error);

/* Checks a chunk that is here against its digest once more. A damaged one is given up: its keys are "maybe" until it is
 * fetched again.
 *
 * Fails   BLOOM_E_CHUNK_DIGEST: it was damaged.
 * Shared  no lock.
 */
bloom_status bloom_cache_verify(bloom_cache *cache, uint64_t chunk, bloom_error *error);

/* How long the store is left alone from now on; 0: it may be asked. */
uint64_t bloom_cache_pause_ms(const bloom_cache *cache, uint64_t now_ms);

/* Asks for leave to ask the store: not within the pause after a failure, and then for one process at first.
 *
 *   *turn   to be handed back with the result, within BLOOM_CLAIM_MS: then the next may try
 */
bool bloom_cache_may_ask(bloom_cache *cache, uint64_t now_ms, uint64_t *turn);

/* Notes that the store answered.
 *
 *   lacking  chunks that it does not have, or has wrong
 */
void bloom_cache_answered(
	bloom_cache *cache, uint64_t got, uint64_t lacking, uint64_t now_ms, uint64_t turn);

/* Notes that it did not. Those that were asking when the pause began do not make it longer. */
void bloom_cache_failed(bloom_cache *cache, uint64_t now_ms, uint64_t turn);

/* Chunks that are here. One pass over the entries. */
uint64_t bloom_cache_resident(const bloom_cache *cache);

#endif
