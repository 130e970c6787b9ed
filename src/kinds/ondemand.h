/* An on-demand filter is a cache of chunks, for a filter that is larger than the memory it may use.
 * The host keeps the blob's head and as many chunks as fit, and the other chunks remain in the
 * store.
 *
 *     0         4096                                                  slot 0     slot 1
 *     ├ cache ──┼ the published head ┼ entries ┼ owners ┼ used ─┼ … ──┼ a chunk ─┼ a chunk ─┤
 *       head      of a verified blob   1 per     1 per    1 per
 *                                      chunk     slot     slot
 *
 * The file is a generation like any other. A new version of the filter is a new file, into which
 * the unchanged chunks are copied. Within one file a chunk never changes.
 *
 *   entry   atomic: ABSENT, or FETCHING until a time, or RESIDENT in a slot with a filling number
 *   owner   atomic: the chunk that the slot was last filled with
 *   used    atomic: a lookup has used the slot since the clock hand last passed it (the CLOCK
 *           policy: Corbató, "A Paging Experiment with the Multics System", 1968)
 *
 * Lookup: If the entry is RESIDENT and the slot's owner is the chunk, the lookup tests the bits and
 * then reads the entry again. If the entry is unchanged, the slot still belonged to the chunk
 * during the test. No entry value is ever used twice, because each filling takes a new number
 * before it writes a byte. (The number has 30 bits. To see the same value again, a lookup would
 * have to sleep between its two reads for exactly 2^30 fillings.) If the chunk is not resident, the
 * answer is "maybe", and the caller may fetch the chunk and repeat the lookup. A chunk whose entry
 * does not match the slot's owner counts as not resident.
 *
 * Fetching: A process claims a chunk for BLOOM_CLAIM_MS before it fetches it, so that other
 * processes do not fetch it too. If the process dies, the claim expires. Bytes that do not match
 * the chunk's digest are rejected before another chunk loses its slot.
 *
 * Filling: The process holds the file's lock. It sets the victim's entry to ABSENT, writes and
 * verifies the bytes in the slot, and then stores the new entry. A process that is killed in
 * between leaves a slot that no entry refers to. A later filling reuses this slot.
 *
 * After a failure, no process calls the store for a while. Then one process tries again, and if
 * the store answers, all processes may call it again.
 *
 * Lifetime: a bloom_cache is valid until bloom_cache_unmap(), even after a switch.
 * Locks: byte 0 of the file for filling. Lookups take no lock. */
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
	/* How long bloom_cache_put() waits for other fillings, which take microseconds each. */
	BLOOM_PUT_WAIT_MS = 200,
	BLOOM_FETCH_PAUSE_MS_MIN = 1000, /* after a failed fetch; doubles each time */
	BLOOM_FETCH_PAUSE_MS_MAX = 30000,
	/* This many consecutive missing chunks count as a failure of the store. */
	BLOOM_LACKING_MAX = 8,
};

#define BLOOM_CACHE_MAGIC UINT64_C(0x63616368C3000A0D)

typedef struct bloom_cache_head {
	uint64_t magic;
	uint64_t layout;
	uint64_t memory_bytes; /* the requested limit on the file's size */
	uint64_t slots;
	/* atomic */
	uint64_t hand;        /* the CLOCK policy's position */
	uint64_t misses;      /* lookups whose chunk was not resident */
	uint64_t unavailable; /* misses that were answered "maybe" */
	uint64_t fetched;     /* chunks fetched */
	uint64_t evicted;
	/* Failed calls, plus chunks that were missing from the store or invalid. */
	uint64_t fetch_failures;
	uint64_t failures_in_row; /* consecutive failed calls */
	uint64_t lacking_in_row;  /* consecutive missing chunks */
	uint64_t retry_at_ms;     /* monotonic clock: earliest next fetch; 0: the last succeeded */
	uint64_t fillings;        /* the number of fillings started */
	uint64_t id;              /* fixed: identifies this file */
	unsigned char unused[BLOOM_CACHE_HEAD_BYTES - 15 * 8];
} bloom_cache_head;

_Static_assert(sizeof(bloom_cache_head) == BLOOM_CACHE_HEAD_BYTES, "the cache head is one page");

/* The offsets are the same in every build. Changing one requires a new BLOOM_CACHE_LAYOUT. */
#define BLOOM_AT(field, offset)                                       \
	_Static_assert(offsetof(bloom_cache_head, field) == (offset), \
		"the layout of the cache head has changed")
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

/* A thread's mapping of a cache file. */
typedef struct bloom_cache bloom_cache;
struct bloom_cache {
	bloom_cache_head *head; /* the first page of the mapping; NULL: not mapped */
	uint64_t map_bytes;
	/* Copies of the head's fixed words. Use these copies, because the mapped words may be
	 * damaged later. */
	uint64_t id;
	uint64_t slot_count;
	uint64_t memory_bytes;
	bloom_head blob;     /* the published head */
	bloom_view view;     /* describes the blob's geometry; `bits` is NULL */
	bloom_ribbon ribbon; /* set only for a ribbon blob; `view` then only selects shards */
	/* Tests the bits of a key's block or shard, according to the blob's scheme. */
	bool (*test)(const bloom_cache *cache, const unsigned char *bytes, bloom_digest digest);
	bloom_hasher hasher;
	uint64_t *entries;
	uint64_t *owners;
	unsigned char *used;
	unsigned char *slots;
	bloom_filelock lock;
};

/* Returns the minimum memory for an on-demand filter of this blob: its head and one chunk. */
uint64_t bloom_cache_bytes_least(const bloom_head *blob);

/* Writes a new cache file to a stage (segment/stage.h), ready to be committed.
 *
 *   blob, bytes  a published head, in parsed form and as bytes
 *   before       the replaced generation, whose unchanged chunks are copied; NULL: none
 *
 * Errors: BLOOM_E_BUDGET (`memory_bytes` is less than bloom_cache_bytes_least()), _KIND (the blob
 * is a reverse index), and those of bloom_stage_begin(), bloom_stage_admit() and
 * bloom_stage_allocate(). */
bloom_status bloom_cache_stage(const bloom_segment *segment, const char *name,
	uint64_t memory_bytes, const bloom_head *blob, const unsigned char *bytes,
	const bloom_cache *before, bloom_stage *stage, bloom_error *error);

/* Maps a cache file. If signing keys are configured, the head's signature is checked again, because
 * the head authenticates every chunk that is fetched later.
 *
 *   *cache  filled on success; release it with bloom_cache_unmap()
 *
 * Errors: BLOOM_E_NOT_FOUND, _CACHE (damaged, or written by a different build), _HOLES, _REFUSED_…,
 * _SYSTEM, and those of bloom_head_parse(), bloom_signature_check() and bloom_hasher_find(). */
bloom_status bloom_cache_map(
	const bloom_filter_dir *dir, const char *file_name, bloom_cache *cache, bloom_error *error);
void bloom_cache_unmap(bloom_cache *cache); /* a zeroed bloom_cache is ignored */

/* ---- lookups ---- */

typedef enum bloom_answer { BLOOM_NO, BLOOM_MAYBE, BLOOM_NOT_HERE } bloom_answer;

/* Returns the chunk that contains a digest's bits. */
uint64_t bloom_cache_chunk(const bloom_cache *cache, bloom_digest digest);

/* Looks up a key. Returns BLOOM_NOT_HERE if its chunk is not resident or was evicted during the
 * lookup.
 *
 * Concurrency: takes no lock. Sets the slot's used bit if it is clear. */
bloom_answer bloom_cache_test(bloom_cache *cache, bloom_digest digest);

/* Returns true if a chunk is resident. */
bool bloom_cache_has(const bloom_cache *cache, uint64_t chunk);

/* If a chunk is resident, notes its use, so that it is not evicted next, and returns true. */
bool bloom_cache_keep(bloom_cache *cache, uint64_t chunk);

/* Counts the resident chunks. Cost: one pass over the entries. */
uint64_t bloom_cache_resident(const bloom_cache *cache);

/* ---- fetching ---- */

/* Claims a chunk that is not resident. Returns the claim, or 0 if the chunk is resident or another
 * process has claimed it. */
uint64_t bloom_cache_claim(bloom_cache *cache, uint64_t chunk, uint64_t now_ms);

/* Releases a claim. This changes nothing if the claim has expired and another process has claimed
 * the chunk.
 */
void bloom_cache_unclaim(bloom_cache *cache, uint64_t chunk, uint64_t claim);

/* Puts a chunk into a free slot, or into a slot that the CLOCK policy selects. Then verifies the
 * digest, the checksums and the numbers of set bits of the copy in the slot.
 *
 *   bytes  bloom_head_chunk_length() bytes
 *
 * Errors: BLOOM_E_CHUNK_DIGEST, _SHARD_CHECKSUM, _SHARD_BITS (the bytes are not this chunk); _BUSY
 * (the lock holder was stopped for longer than BLOOM_PUT_WAIT_MS); _GONE, _SYSTEM. */
bloom_status bloom_cache_put(bloom_cache *cache, const bloom_segment *segment, const char *name,
	uint64_t chunk, const unsigned char *bytes, bloom_error *error);

/* Checks a resident chunk against its digest again. If it is damaged, it is discarded, and lookups
 * of its keys answer "maybe" until the chunk is fetched again.
 *
 * Errors: BLOOM_E_CHUNK_DIGEST (the chunk was damaged).
 * Concurrency: takes no lock. */
bloom_status bloom_cache_verify(bloom_cache *cache, uint64_t chunk, bloom_error *error);

/* ---- pauses after failures (ondemand_pause.c) ---- */

/* Returns how long the current pause will still last, or 0 if there is none. No process calls the
 * store during a pause. */
uint64_t bloom_cache_pause_ms(const bloom_cache *cache, uint64_t now_ms);

/* Returns true if this process may call the store now. No process may call it during a pause, and
 * after the pause only one process may, until the store has answered.
 *
 *   *attempt  pass it to one of the next two functions within BLOOM_CLAIM_MS; after that time
 *             another process may try */
bool bloom_cache_may_ask(bloom_cache *cache, uint64_t now_ms, uint64_t *attempt);

/* Records an answer from the store.
 *
 *   got      the number of valid chunks
 *   lacking  the number of chunks that were missing or invalid */
void bloom_cache_answered(
	bloom_cache *cache, uint64_t got, uint64_t lacking, uint64_t now_ms, uint64_t attempt);

/* Records a failed call. If another process has started a pause during the call, that pause is not
 * extended. */
void bloom_cache_failed(bloom_cache *cache, uint64_t now_ms, uint64_t attempt);

#endif
