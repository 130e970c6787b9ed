/* The additions of a loaded filter are the keys that were added since its blob's mark, according to
 * the filter's journal (filter/journal_record.h).
 *
 *     journal    ─────┬── mark ──┬───────────────┬─────────► end
 *                     │          │               │
 *     <gen>.bloom   all keys before              │
 *     <n>.added                  └─ keys after ──┘
 *                                              read position: all records up to here are in the
 *                                              additions, and the last time when the journal ended
 *                                              here
 *
 * The additions of a generation are a scalable filter in its own file. A switch makes both files
 * current with one store, so no process serves a generation without its additions.
 *
 * Who writes
 *
 *   - The process that stages a new generation fills its additions from the mark to the end.
 *   - A sync reads the journal's new records, adds their keys, and only then advances the read
 *     position.
 *   - A process that appends to the journal also inserts its keys into the additions, so that this
 *     host finds them immediately. These keys may be ahead of the read position.
 *
 * Because a switch may occur while a process inserts keys, a process that stages additions
 * announces them in the control page (`successor`) before it reads the end of the journal for the
 * last time:
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
 * A host never unlearns
 *
 * If a version is loaded again, or if the store has lost records that the old additions contain,
 * the new additions start from a copy of the old ones. The copy is made after the announcement, so
 * a key that was inserted only into the old additions is already in them when they are copied:
 *
 *     announce ─► is a copy needed? ─► read the journal's end ─► copy ─► switch
 *
 * No copy is needed if the journal still has all records of the old additions, or if the blob's
 * mark is after them, because each record is then either read again or in the blob.
 *
 * Two positions show that records were lost: the read position, and `own`, the end of the newest
 * record that this host has appended. If one of them has disappeared from the journal, and was not
 * trimmed, the host appends a notice with this position (BLOOM_RECORD_LOSS). Hosts whose additions
 * have all records up to exactly this position hold the lost keys. All others answer "maybe" until
 * they load a version whose mark is after the notice. If the append fails, the host loads the
 * version nevertheless, and its additions remember the position (`untold`) for the next sync.
 *
 * A store may also lose a whole journal for a while, as a mount that is gone does. If a host then
 * adds a key, it begins another journal, which disappears when the old one comes back. So the
 * additions remember that a key has strayed to a journal of another epoch than theirs. The next
 * sync that catches up with their own journal appends a notice there. If this host loads a version
 * of the other journal first, nothing is lost, because the key is in its blob or its records.
 *
 * Lookups trust the additions for `max_lag_ms` after the last time when they were complete. After
 * that, every lookup answers "maybe" until a sync succeeds.
 *
 * The seed and the secret are those of the blob, so a lookup hashes a key only once.
 *
 * Locks: byte 0 of the file to grow (scalable.h), and byte 1 to advance the read position. Lookups
 * take no lock. */
#ifndef BLOOM_ADDITIONS_H
#define BLOOM_ADDITIONS_H

#include "filter/journal_record.h"
#include "kinds/create.h"

enum { BLOOM_MAX_LAG_MS_DEFAULT = 60000 };

/* A request that leaves the maximum lag as it is. */
#define BLOOM_MAX_LAG_KEEP UINT64_MAX

/* Stages empty additions for a blob. Their read position is the blob's mark.
 *
 *   head        the blob's head, which has a mark
 *   keys        the expected number of keys; more can be added
 *   like        additions that will be copied, see bloom_additions_fits(); NULL: none. The new ones
 *               get their size, and know the same losses
 *   *stage      ready to be committed with the blob (segment/stage.h)
 *   *live       the mapped file; release it with bloom_live_free() before the stage ends. Its
 *               maximum lag is BLOOM_MAX_LAG_MS_DEFAULT
 *
 * Errors: those of bloom_live_stage() and bloom_live_map(). */
bloom_status bloom_additions_stage(const bloom_segment *segment, const char *name,
	const bloom_head *head, uint64_t keys, const bloom_live *like, bloom_stage *stage,
	bloom_live **live, bloom_error *error);

/* Returns whether additions can be copied into those of a blob, which must have the same seed and
 * secret. */
bool bloom_additions_fits(const bloom_live *like, const bloom_head *head);

/* Returns whether additions belong to a blob with this mark. */
bool bloom_additions_is_of(const bloom_live *live, const bloom_mark *mark);

/* Maps the additions that this host serves. A generation that was withdrawn still has them. If
 * there are none or they cannot be mapped, *live is NULL, and the host is like one that has
 * rebooted. */
void bloom_additions_served(const bloom_segment *segment, const char *name, bloom_live **live);

/* Adds the keys of other additions to additions that were staged like them.
 *
 * Errors: those of bloom_scalable_merge(). */
bloom_status bloom_additions_copy(bloom_live *live, const bloom_segment *segment, const char *name,
	bloom_live *from, bloom_error *error);

/* Maps the additions of a generation.
 *
 * Errors: BLOOM_E_NOT_FOUND (the generation has none), and those of bloom_live_map(). */
bloom_status bloom_additions_map(const bloom_filter_dir *dir, const bloom_control *control,
	uint64_t generation, bloom_live **live, bloom_error *error);

/* Adds the keys of a record. Records of other kinds than BLOOM_RECORD_KEYS are ignored.
 *
 * Errors: those of bloom_scalable_add(). */
bloom_status bloom_additions_add(bloom_live *live, const bloom_segment *segment, const char *name,
	const bloom_record *record, bloom_error *error);

/* Tests a digest that the blob's lookup has computed. The result is also true if a new layer cannot
 * be mapped. Additions without keys need no test. */
bool bloom_additions_test(bloom_live *live, bloom_digest digest);

/* Tests many digests. Bit i of the result is bloom_additions_test() of digests[i].
 *
 *   count  at most BLOOM_BATCH_MAX, and at least 1 */
uint64_t bloom_additions_test_many(bloom_live *live, const bloom_digest *digests, uint32_t count);

/* Returns read_to.basis (live.h). While it stays the same, so does the result of the last
 * bloom_additions_trusted_ms(), apart from the time that has passed. */
static inline uint64_t bloom_additions_basis(const bloom_live *live)
{
	return bloom_load_acquire(&live->head->read_to.basis);
}

/* Maps new layers. Returns true if all layers that this basis counts are mapped. */
bool bloom_additions_map_layers(bloom_live *live, uint64_t basis);

/* Whether the store has lost journal records. */
typedef enum bloom_loss {
	BLOOM_LOSS_NONE,
	BLOOM_LOSS_HELD,    /* yes, but the additions contain their keys */
	BLOOM_LOSS_LACKING, /* yes, and they may lack their keys, so lookups answer "maybe" */
} bloom_loss;

/* What the additions contain. A position whose epoch is 0 is unknown. */
typedef struct bloom_read_to {
	bloom_mark mark;     /* every record up to here */
	bloom_mark own;      /* the newest record of this host, if `mark` has not passed it */
	bloom_mark held[2];  /* lost positions: also every record up to each of them */
	bloom_mark notice;   /* the notice that this host has appended for `mark` or `own` */
	bloom_mark untold;   /* a lost position whose notice the store has not taken yet */
	uint64_t untold_end; /* the offset at which the journal ended when this was noticed */
	bloom_loss loss;
	uint64_t complete_ms; /* bloom_uptime_ms(): a time at which the journal ended at `mark` */
	uint64_t records;     /* the number of records from the blob's mark to `mark` */
} bloom_read_to;

bloom_read_to bloom_additions_read_to(const bloom_live *live);

/* Advances the read position after the keys have been added. If another process has moved it, it
 * stays where it is, because `mark` may be after it in a journal that has lost it and has grown
 * again.
 *
 *   from         the read position after which the records were read
 *   complete_ms  a time at which the journal ended at `mark`, or 0 if `mark` may not be the end
 *   records      the number of records from `from` to `mark`
 *   passed       `own`, if the journal has it up to `mark`; otherwise NULL
 *
 * Errors: BLOOM_E_BUSY, _GONE, _SYSTEM; the read position is unchanged. */
bloom_status bloom_additions_advance(bloom_live *live, const bloom_segment *segment,
	const char *name, const bloom_mark *from, const bloom_mark *mark, uint64_t complete_ms,
	uint64_t records, const bloom_mark *passed, bloom_error *error);

/* Records that the store has lost the records up to a position. Unless they are known to be in the
 * additions, no lookup trusts the additions any more. If the position was `untold`, that is
 * forgotten.
 *
 *   notice  where this host's own notice of this loss ends; NULL: it has not appended one
 *
 * Errors: those of bloom_additions_advance(). */
bloom_status bloom_additions_note_loss(bloom_live *live, const bloom_segment *segment,
	const char *name, const bloom_mark *lost, const bloom_mark *notice, bloom_error *error);

/* Remembers a lost position, because the notice of the loss could not be appended. The epoch must
 * be that of the read position.
 *
 *   lost  an epoch of 0: forgets the position
 *   end   the offset at which the journal ended. A blob whose mark is after it was built after the
 *         loss
 *
 * Errors: those of bloom_additions_advance(). */
bloom_status bloom_additions_note_untold(bloom_live *live, const bloom_segment *segment,
	const char *name, const bloom_mark *lost, uint64_t end, bloom_error *error);

/* What additions remember of keys that strayed to another journal: the epoch of that journal, or
 * one of these values. */
#define BLOOM_STRAYED_NONE UINT64_C(0)
#define BLOOM_STRAYED_TOLD (UINT64_MAX - 1) /* a notice is being appended, or its process died */
#define BLOOM_STRAYED_SEVERAL UINT64_MAX    /* to several journals */

uint64_t bloom_additions_strayed(const bloom_live *live);

/* Remembers that keys have strayed to the journal with this epoch. */
void bloom_additions_note_strayed(bloom_live *live, uint64_t epoch);

/* Replaces what is remembered if it is still `before`, because more keys may have strayed in the
 * meantime. */
bool bloom_additions_set_strayed(bloom_live *live, uint64_t before, uint64_t after);

/* Returns whether there is a loss that no process has reported. */
bool bloom_additions_has_news(const bloom_live *live);

/* Returns the loss if no process has reported it before, and BLOOM_LOSS_NONE otherwise. */
bloom_loss bloom_additions_report_loss(bloom_live *live);

/* Returns the number of keys in the additions. A key that was "maybe" when it was added does not
 * count. */
uint64_t bloom_additions_keys(const bloom_live *live);

/* Returns for how long lookups may still trust the additions: 0 if they may not, UINT64_MAX if they
 * always may.
 *
 *   now_ms  bloom_uptime_ms(), because a suspended host also falls behind */
uint64_t bloom_additions_trusted_ms(const bloom_live *live, uint64_t now_ms);

/* Returns the time for which lookups trust additions. 0 means always. */
uint64_t bloom_additions_max_lag(const bloom_live *live);

/* Takes part in the choice of that time. The shortest time that a caller has asked for lately wins
 * (bloom_lag in live.h). The first function only computes it.
 *
 *   max_lag_ms  0: any age; BLOOM_MAX_LAG_KEEP: asks for nothing
 *   now_ms      bloom_uptime_ms()
 *
 * Errors: BLOOM_E_BUSY, _GONE, _SYSTEM; nothing has changed. */
void bloom_lag_ask(bloom_lag *lag, uint64_t max_lag_ms, uint64_t now_ms);
bloom_status bloom_additions_ask_max_lag(bloom_live *live, const bloom_segment *segment,
	const char *name, uint64_t max_lag_ms, uint64_t now_ms, bloom_error *error);

/* Copies the requests for a maximum lag from the served additions to staged ones, which no other
 * process changes. */
void bloom_additions_keep_max_lag(bloom_live *staged, const bloom_live *served);

/* Announces staged additions, so that other processes also insert keys into them. Call this
 * function before the last read of the journal's end. The switch fails with BLOOM_E_OVERTAKEN if
 * another process has announced other additions in the meantime.
 *
 * Errors: BLOOM_E_BUSY, _GONE, _SPACE, _SYSTEM. */
bloom_status bloom_additions_announce(bloom_stage *stage, bloom_error *error);

/* Records for health() that keys were added to the journal although this host serves a generation
 * that does not follow it. This does nothing if the host serves no generation. */
void bloom_additions_note_unfollowed(const bloom_segment *segment, const char *name, uint64_t keys);

/* Returns the number of such keys for a generation. */
uint64_t bloom_additions_unfollowed(const bloom_control *control, uint64_t generation);

/* Inserts keys into the served additions and into announced ones, so that lookups on this host find
 * the keys at once. Does nothing if this host serves no generation with additions.
 *
 *   records    checked records of keys
 *   end        the journal's position after them; NULL: unknown
 *   *inserted  true if this host has additions
 *
 * Errors: those of bloom_live_map() and bloom_scalable_add(); BLOOM_E_OVERTAKEN (other processes
 * switched again and again). Some keys may have been inserted.
 * Cost: about ten system calls, and an add for each key. */
bloom_status bloom_additions_insert(const bloom_segment *segment, const char *name,
	const bloom_record *records, size_t count, const bloom_mark *end, bool *inserted,
	bloom_error *error);

#endif
