/* Additions: the keys that were added to a loaded filter since its blob's mark, according to the
 * filter's journal (filter/record.h).
 *
 *     journal    ─────┬── mark ──┬───────────────┬─────────► end
 *                     │          │               │
 *     <gen>.bloom   all keys before              │
 *     <n>.added                  └─ keys after ──┘
 *                                              reach: all records up to here are in the additions,
 *                                                     and the last time when the journal ended here
 *
 * The additions of a generation are a scalable filter in its own file. A switch makes both files
 * current with one store, so no process serves a generation without its additions.
 *
 * Who writes
 *
 *   - The process that stages a new generation fills its additions from the mark to the end.
 *   - A sync reads the journal's new records, adds their keys, and only then advances the reach.
 *   - A process that appends to the journal also inserts its keys into the additions, so that this
 *     host finds them immediately. These keys may be ahead of the reach.
 *
 * A switch may occur while a process inserts keys. So a process that stages additions announces
 * them in the control page (`successor`) before it reads the end of the journal for the last time:
 *
 *     stage                              insert
 *       fill from the mark                 append to the store
 *       successor = staged file            read generation, successor
 *       read the journal's new records     add the keys to both
 *       switch                             generation and successor unchanged? ─ no: again
 *
 * If the inserting process does not see the successor, its append was complete before the
 * announcement, so the last read returns the record. A process announces and switches under the
 * filter's lock, and the switch checks that its additions are still the announced ones. So if two
 * processes stage at the same time, only the last to announce can switch. tests/model/journal.pml
 * models this protocol, with processes that die at any step.
 *
 * Lookups trust the additions for `max_lag_ms` after the last time when they were complete. After
 * that, every lookup answers "maybe" until a sync succeeds.
 *
 * The seed and the secret are those of the blob, so a lookup hashes a key only once.
 *
 * Locks: byte 0 of the file to grow (scalable.h), and byte 1 to advance the reach. Lookups take no
 * lock. */
#ifndef BLOOM_ADDITIONS_H
#define BLOOM_ADDITIONS_H

#include "filter/record.h"
#include "kinds/create.h"

enum { BLOOM_MAX_LAG_MS_DEFAULT = 60000 };

/* Stages the additions of a blob: empty, with a reach that equals the blob's mark.
 *
 *   head        the blob's head, which has a mark
 *   keys        the expected number of keys; more can be added
 *   max_lag_ms  0: lookups trust the additions at any age
 *   *stage      ready to be committed with the blob (segment/stage.h)
 *   *live       the mapped file; release it with bloom_live_free() before the stage ends
 *
 * Errors: those of bloom_live_stage() and bloom_live_map(). */
bloom_status bloom_additions_stage(const bloom_segment *segment, const char *name,
	const bloom_head *head, uint64_t keys, uint64_t max_lag_ms, bloom_stage *stage,
	bloom_live **live, bloom_error *error);

/* Maps the additions of a generation.
 *
 * Errors: BLOOM_E_NOT_FOUND (the generation has none), and those of bloom_live_map(). */
bloom_status bloom_additions_map(const bloom_place *place, const bloom_control *control,
	uint64_t generation, bloom_live **live, bloom_error *error);

/* Adds the keys of a record. Ignores records of other kinds than BLOOM_RECORD_KEYS.
 *
 * Errors: those of bloom_scalable_add(). */
bloom_status bloom_additions_add(bloom_live *live, const bloom_segment *segment, const char *name,
	const bloom_record *record, bloom_error *error);

/* Tests digests in the additions of an unkeyed filter. Returns a mask: bit i is set if the
 * additions may contain digest i.
 *
 *   count  at most BLOOM_BATCH_MAX
 *   known  the bits of digests that need no test */
uint64_t bloom_additions_test_many(
	bloom_live *live, const bloom_digest *digests, uint32_t count, uint64_t known);

/* What the additions contain. */
typedef struct bloom_reach {
	bloom_mark mark;      /* every record up to here */
	uint64_t complete_ms; /* bloom_uptime_ms(): a time at which the journal ended at `mark` */
	uint64_t records;     /* the number of records from the blob's mark to `mark` */
} bloom_reach;

bloom_reach bloom_additions_reach(const bloom_live *live);

/* Advances the reach after the keys have been added. Does nothing if another process has advanced
 * it further.
 *
 *   complete_ms  a time at which the journal ended at `mark`, or 0 if `mark` may not be the end
 *   records      the number of records between the old reach and the new one
 *
 * Errors: BLOOM_E_BUSY, _GONE, _SYSTEM; the reach is unchanged. */
bloom_status bloom_additions_advance(bloom_live *live, const bloom_segment *segment,
	const char *name, const bloom_mark *mark, uint64_t complete_ms, uint64_t records,
	bloom_error *error);

/* Returns the number of keys in the additions. A key that was "maybe" when it was added does not
 * count. */
uint64_t bloom_additions_keys(const bloom_live *live);

/* Returns for how long lookups may still trust the additions: 0 if they may not, UINT64_MAX if they
 * always may.
 *
 *   now_ms  bloom_uptime_ms(): a suspended host falls behind, too */
uint64_t bloom_additions_trusted_ms(const bloom_live *live, uint64_t now_ms);

/* Return and set the time for which lookups trust additions; 0: always. */
uint64_t bloom_additions_max_lag(const bloom_live *live);
void bloom_additions_set_max_lag(bloom_live *live, uint64_t max_lag_ms);

/* Announces staged additions, so that other processes also insert keys into them. Call this
 * function before the last read of the journal's end. The switch fails with BLOOM_E_OVERTAKEN if
 * another process has announced other additions in the meantime.
 *
 * Errors: BLOOM_E_BUSY, _GONE, _CONTROL_VERSION, _SPACE, _SYSTEM. */
bloom_status bloom_additions_announce(bloom_stage *stage, bloom_error *error);

/* Inserts keys into the served additions and into announced ones, so that lookups on this host find
 * the keys at once. Does nothing if this host serves no generation with additions.
 *
 *   records    checked records of keys
 *   *inserted  true if this host has additions
 *
 * Errors: those of bloom_live_map() and bloom_scalable_add(); BLOOM_E_OVERTAKEN (other processes
 * switched again and again). Some keys may have been inserted.
 * Cost: about ten system calls, and an add for each key. */
bloom_status bloom_additions_insert(const bloom_segment *segment, const char *name,
	const bloom_record *records, size_t count, bool *inserted, bloom_error *error);

#endif
