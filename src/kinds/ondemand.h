/* A filter that is larger than the memory that the host allots to it. The file holds its head and
 * as many of its chunks as fit into the budget. The other chunks are in the store.
 *
 *     0         4096                                                  slot 0     slot 1
 *     ├ cache ──┼ the published head ┼ entries ┼ owners ┼ marks ┼ … ──┼ a chunk ─┼ a chunk ─┤
 *       head      a blob's, verified   a chunk   a slot   a slot
 *
 * It is a generation of the segment like any other. A new version of the filter is a new file,
 * which takes over the unchanged chunks. Within one file a chunk never changes.
 *
 *   entry   atomic: ABSENT, or FETCHING until a time, or RESIDENT in a slot with a filling number
 *   owner   atomic: the chunk that the slot was last filled with
 *   mark    atomic: the slot was used since the hand passed it (the CLOCK policy: Corbató, "A Paging
 *           Experiment with the Multics System", 1968)
 *
 * Lookups take no lock. If the chunk is RESIDENT, in a slot whose owner is that chunk, the lookup
 * reads the bits and then reads the entry again. If the entry is unchanged, the slot was not given
 * to another chunk meanwhile. RESIDENT entries do not repeat, because each filling takes a new
 * number before it writes the first byte. (The number has 30 bits. A reader would have to sleep
 * between its two reads for exactly 2^30 fillings.) If the chunk is not resident, the answer is
 * "maybe", and the caller may fetch the chunk and ask again. An entry that does not match its
 * slot's owner, for whatever reason, is treated the same way: the chunk is fetched and filled
 * again.
 *
 * A process claims a chunk for BLOOM_CLAIM_MS before it fetches it, so that the others do not fetch
 * it too. A claim whose holder died expires. Bytes that are not the chunk's never evict another
 * chunk.
 *
 * A slot is filled under the file's lock: the victim's entry becomes ABSENT, the bytes are written
 * and verified in place, and then the new entry names the slot. A process that is killed in between
 * leaves a slot that no entry names. Such a slot is filled before any chunk is evicted.
 *
 * If a store fails, all processes stop asking it for a while. After that one process tries, and the
 * others follow once the store has answered it.
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
	/* How long to wait for other processes' fillings, which take microseconds each. */
	BLOOM_PUT_WAIT_MS = 200,
	BLOOM_FETCH_PAUSE_MS_MIN = 1000, /* after a failed fetch; doubles */
	BLOOM_FETCH_PAUSE_MS_MAX = 30000,
	/* Missing chunks in a row that count as a failure of the store. */
	BLOOM_LACKING_MAX = 8,
};

#define BLOOM_CACHE_MAGIC UINT64_C(0x63616368C3000A0D)

typedef struct bloom_cache_head {
	uint64_t magic;
	uint64_t layout;
	uint64_t memory_bytes; /* the requested limit of the file's size */
	uint64_t slots;
	/* atomic */
	uint64_t hand;        /* of the CLOCK policy */
	uint64_t misses;      /* keys whose chunk was not resident when they were looked up */
	uint64_t unavailable; /* misses that were therefore answered "maybe" */
	uint64_t fetched;     /* chunks */
	uint64_t evicted;
	/* Failed calls, and chunks that the store lacks or has with wrong bytes. */
	uint64_t fetch_failures;
	uint64_t failures_in_row; /* calls */
	uint64_t lacking_in_row;  /* chunks */
	uint64_t retry_at_ms; /* no fetch before this monotonic time; 0: the last one succeeded */
	uint64_t fillings;    /* begun */
	uint64_t id;          /* fixed: unique to this file */
	unsigned char unused[BLOOM_CACHE_HEAD_BYTES - 15 * 8];
} bloom_cache_head;

_Static_assert(sizeof(bloom_cache_head) == BLOOM_CACHE_HEAD_BYTES, "the cache head is one page");

/* The offsets, the same in every build. A different layout must get a different number. */
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

/* A thread's mapping of an on-demand generation. */
typedef struct bloom_cache bloom_cache;
struct bloom_cache {
	bloom_cache_head *head; /* the mapping's first bytes; NULL: none */
	uint64_t map_bytes;
	/* Copies of the head's fixed words from when it was mapped. Code reads these. */
	uint64_t id;
	uint64_t slot_count;
	uint64_t memory_bytes;
	bloom_head blob;     /* the published head */
	bloom_view view;     /* of the blob's geometry, without `bits` */
	bloom_ribbon ribbon; /* of a ribbon blob, likewise; `view` then only locates shards */
	/* Returns whether the bits at an offset may hold the key, according to the blob's scheme. */
	bool (*test)(const bloom_cache *cache, uint64_t offset, const unsigned char *bytes,
		bloom_digest digest);
	bloom_hasher hasher;
	uint64_t *entries;
	uint64_t *owners;
	unsigned char *marks;
	unsigned char *slots;
	bloom_filelock lock;
};

/* The least memory that holds the filter's head and one chunk. */
uint64_t bloom_cache_bytes_least(const bloom_head *blob);

/* Memory of an on-demand filter, computed before its blob exists. */
typedef struct bloom_cache_plan {
	uint64_t least_bytes; /* with a slot for one chunk */
	uint64_t most_bytes;  /* with a slot for each chunk */
	uint64_t slots;       /* slots that fit into the given memory; 0: it is too small */
} bloom_cache_plan;

bloom_cache_plan bloom_cache_plan_for(
	const bloom_geometry *geometry, uint32_t chunk_bytes, uint64_t memory_bytes);

/* Prepares a generation in *stage, ready to be committed. It has no chunks except those it takes
 * over.
 *
 *   blob, bytes   a published head, parsed, and its bytes
 *   before        NULL, or the generation that it replaces, whose unchanged chunks are taken over
 *
 * Fails as bloom_stage_admit(); BLOOM_E_BUDGET (less than bloom_cache_bytes_least()), _KIND (a
 *         reverse index); as bloom_stage_begin() and bloom_stage_allocate().
 */
bloom_status bloom_cache_stage(const bloom_segment *segment, const char *name,
	uint64_t memory_bytes, const bloom_head *blob, const unsigned char *bytes,
	const bloom_cache *before, bloom_stage *stage, bloom_error *error);

/* Maps an on-demand generation. Chunks fetched later are trusted because of this head. So if
 * signatures are required, each mapping checks the head's signature.
 *
 * Fails BLOOM_E_NOT_FOUND, _CACHE, _HOLES, _REFUSED_…, _SYSTEM, and as bloom_head_parse(),
 *         bloom_signature_check() and bloom_hasher_find().
 */
bloom_status bloom_cache_map(
	const bloom_place *opened, const char *file_name, bloom_cache *cache, bloom_error *error);
void bloom_cache_unmap(bloom_cache *cache); /* accepts a zeroed one */

typedef enum bloom_answer { BLOOM_NO, BLOOM_MAYBE, BLOOM_NOT_HERE } bloom_answer;

/* Returns the chunk that holds a digest's bits. */
uint64_t bloom_cache_chunk(const bloom_cache *cache, bloom_digest digest);

/* Looks a key up. Returns BLOOM_NOT_HERE if its chunk is not resident or was just replaced.
 *
 * Shared no lock; sets the slot's mark if it is not set.
 */
bloom_answer bloom_cache_test(bloom_cache *cache, bloom_digest digest);

bool bloom_cache_has(const bloom_cache *cache, uint64_t chunk);

/* Returns whether a chunk is resident, and marks it, so that it is not evicted next. */
bool bloom_cache_keep(bloom_cache *cache, uint64_t chunk);

/* Claims a chunk that is not resident. Returns the claim, or 0 if the chunk is resident or another
 * process is fetching it. */
uint64_t bloom_cache_claim(bloom_cache *cache, uint64_t chunk, uint64_t now_ms);

/* Releases a claim. If the claim has expired and another process may hold a new one, this has no
 * effect. */
void bloom_cache_unclaim(bloom_cache *cache, uint64_t chunk, uint64_t claim);

/* Puts a chunk's bytes (bloom_head_chunk_length() of them) into a slot and verifies them there:
 * digest, checksums, set bits. If no slot is free, the CLOCK policy selects the chunk to evict.
 *
 * Fails BLOOM_E_CHUNK_DIGEST, _SHARD_CHECKSUM, _SHARD_BITS: the bytes are not this chunk's. _BUSY
 *         after BLOOM_PUT_WAIT_MS (the lock holder was stopped), _GONE, _SYSTEM.
 */
bloom_status bloom_cache_put(bloom_cache *cache, const bloom_segment *segment, const char *name,
	uint64_t chunk, const unsigned char *bytes, bloom_error *error);

/* Checks a resident chunk against its digest again. A damaged chunk is discarded: lookups of its
 * keys return "maybe" until it is fetched again.
 *
 * Fails BLOOM_E_CHUNK_DIGEST: the chunk was damaged. Shared no lock.
 */
bloom_status bloom_cache_verify(bloom_cache *cache, uint64_t chunk, bloom_error *error);

/* The remaining pause before the store may be asked; 0: it may be asked now. */
uint64_t bloom_cache_pause_ms(const bloom_cache *cache, uint64_t now_ms);

/* Returns whether this process may ask the store now. After a failure no process may ask during the
 * pause, and then only one process may at first.
 *
 *   *turn   pass it back with the result within BLOOM_CLAIM_MS; after that another process may try
 */
bool bloom_cache_may_ask(bloom_cache *cache, uint64_t now_ms, uint64_t *turn);

/* Records that the store answered.
 *
 *   lacking  chunks that the store lacks, or has with wrong bytes
 */
void bloom_cache_answered(
	bloom_cache *cache, uint64_t got, uint64_t lacking, uint64_t now_ms, uint64_t turn);

/* Records that the store failed. Requests that were already running when the pause began do not
 * extend it. */
void bloom_cache_failed(bloom_cache *cache, uint64_t now_ms, uint64_t turn);

/* Counts the resident chunks, in one pass over the entries. */
uint64_t bloom_cache_resident(const bloom_cache *cache);

#endif
