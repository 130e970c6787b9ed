/* A filter's control page is a file named "control", which all its processes map writable.
 *
 *     4 KiB   the served generation, and the state of syncs and verification
 *     4 KiB   counters (counters.h), away from the cache line that every lookup reads
 *
 * Every word is read and written with one atomic instruction (atomic.h), so a process that is
 * killed at any point leaves no half-written word. `generation`, `kind`, `groups`, `additions` and
 * `expires_ms` decide what is served. `successor` protects the keys that are added during a
 * switch, and `override_from_ms` protects against replays. All other words only serve info() and
 * decide when the next sync is due, so it does no harm if their values are lost.
 *
 * Lifetime: the page belongs to one host and one boot, so its numbers are in native byte order. A
 * page on a disk may survive a reboot, although the generation files were never synced to that
 * disk. That is why a page from before the last reboot is treated as missing.
 * Locks: `generation` and the words that describe it change only under the filter's lock. Syncs
 * update their own words without the lock.
 */
#ifndef BLOOM_CONTROL_H
#define BLOOM_CONTROL_H

#include <stddef.h>
#include <stdint.h>

#include "filter/atomic.h"
#include "os/clock.h"
#include "segment/counters.h"
#include "segment/kinds.h"

enum {
	BLOOM_CONTROL_PAGE_BYTES = 4096,
	BLOOM_CONTROL_BYTES = BLOOM_CONTROL_PAGE_BYTES + BLOOM_COUNTERS_BYTES,
	BLOOM_CONTROL_LAYOUT = 5,
	BLOOM_CONTROL_TEXT_BYTES = 512,
};

#define BLOOM_CONTROL_MAGIC UINT64_C(0x6C746362C3000A0D)

#define BLOOM_CONTROL_NAME "control"

/* Special values of `generation`. */
#define BLOOM_GENERATION_NONE UINT64_C(0)       /* nothing has been loaded yet */
#define BLOOM_GENERATION_DROPPED (~UINT64_C(0)) /* dropped: readers look the name up again */

/* As an argument, this means "any generation". It is never stored in a page. */
#define BLOOM_GENERATION_ANY (~UINT64_C(0) - 2)

/* Real generation numbers never get this high. A page or file name that contains this number or a
 * higher one is damaged. The only exception is a page that contains BLOOM_GENERATION_DROPPED. */
#define BLOOM_GENERATION_MAX (~UINT64_C(0) >> 1)

/* Assigns additions to a generation: the file "<16 hex digits of number>.added". */
typedef struct bloom_control_row {
	uint64_t generation; /* 0: the row is not in use */
	uint64_t number;
} bloom_control_row;

typedef struct bloom_control {
	uint64_t magic;
	uint64_t layout;
	uint64_t generation; /* the file to serve: "<16 hex digits>.bloom" */
	uint64_t loaded_ms;  /* wall clock: when the last switch happened */
	uint64_t loads;      /* switches since the page was created */
	/* Sync: which process asks the store, and when the next sync is due. Monotonic clock. */
	uint64_t lease_until_ms; /* the end of the fetcher's lease; 0: none */
	uint64_t checked_ms;     /* the last successful comparison with the store; 0: never */
	uint64_t failed_ms;      /* the last attempt, if it failed; otherwise 0 */
	uint64_t failures_in_row;
	uint64_t syncs; /* successful attempts, including those that changed nothing */
	uint64_t sync_failures;
	/* The last error. A later success does not clear it. */
	uint64_t error_status; /* a bloom_status; 0: none yet */
	uint64_t error_at_ms;  /* wall clock */
	char error_text
		[BLOOM_CONTROL_TEXT_BYTES]; /* may mix parts of two messages; NUL-terminated */
	uint64_t kind; /* bloom_kind_stored(); valid once the filter has a generation */
	/* bloom_boot_id() when the page was created; 0: on tmpfs, which a reboot empties. */
	uint64_t boot;
	/* The groups of the last loaded blob, or 0 if it is not a reverse index. A reload never
	 * changes this word from zero to nonzero or vice versa, because the kind is fixed. */
	uint64_t groups;
	/* Results of verifying the served file (verify.h). All zero: nothing has been verified
	 * yet. */
	uint64_t verify_generation; /* the generation that the next three words describe */
	/* The first shard that this pass has not yet verified, or in an on-demand filter the first
	 * chunk. */
	uint64_t verify_next;
	uint64_t verify_ms;   /* monotonic clock: when the last part was verified */
	uint64_t verified_ms; /* wall clock: the end of the last complete pass; 0: none */
	uint64_t damages;     /* the number of damaged parts found so far */
	uint64_t damaged_ms;  /* wall clock: when the last damaged part was found */
	/* The generation number without a file that withdraws a damaged generation, or 0. */
	uint64_t withdrawn;
	/* The number of the additions that were announced because they are about to be served
	 * (additions.h), or 0. The process that announced them may have died. */
	uint64_t successor;
	/* Which additions belong to which generation. The served generation's row never changes. */
	bloom_control_row additions[2];
	/* When a sync last read the published head, on the monotonic clock, or one of the smaller
	 * numbers BLOOM_HEAD_DUE and BLOOM_HEAD_READING (sync_due.h). */
	uint64_t head_ms;
	/* bloom_uptime_ms() from which on the filter counts as dropped; 0: never. The first
	 * generation sets it. */
	uint64_t expires_ms;
	/* Pins and rollbacks (filter/override.h). The generation that the next word describes. */
	uint64_t override_generation;
	/* The override's time in ms since 1970, times 4, plus its kind. */
	uint64_t override;
	/* Overrides before this time are refused if signing keys are configured. ms since 1970. */
	uint64_t override_from_ms;
	/* Keys that processes of this host have added to the filter's journal while they served a
	 * generation that does not follow it, and that generation. */
	uint64_t unfollowed_generation;
	uint64_t unfollowed_keys;
	/* Attempts to load the published version. They are counted apart from syncs, which succeed
	 * if the served version follows its journal. */
	uint64_t load_failures;
	uint64_t load_failures_in_row;
	uint64_t load_version;  /* the checksum of the head that was tried last; 0: none was read */
	uint64_t load_tries;    /* of that version, since the last success */
	uint64_t load_retry_ms; /* monotonic clock: when it may be tried again */
	uint64_t load_error_status;                     /* a bloom_status; 0: none yet */
	uint64_t load_error_at_ms;                      /* wall clock */
	char load_error_text[BLOOM_CONTROL_TEXT_BYTES]; /* like error_text */
	unsigned char unused[BLOOM_CONTROL_PAGE_BYTES - 42 * 8 - 2 * BLOOM_CONTROL_TEXT_BYTES];
	bloom_counters counters;
} bloom_control;

_Static_assert(sizeof(bloom_control) == BLOOM_CONTROL_BYTES, "the control file is two pages");

/* Different builds of the extension may map the same page, so each offset is fixed. Any change to
 * the layout of a file in the segment, or to the bits that a key sets, requires a new value of
 * BLOOM_CONTROL_LAYOUT, with which a filter's directory has another name.
 *
 * Builds also open the directories of other layouts, to count, drop and remove them
 * (other_layouts.h). So for them, the following must never change: the names and the locks of
 * directories and .tmp files; that the page is a file of at least BLOOM_CONTROL_BYTES bytes named
 * BLOOM_CONTROL_NAME, which all processes map writable; and the words magic, layout, generation,
 * kind, boot, groups and expires_ms, with their offsets and values. */
#define BLOOM_AT(field, offset)                                    \
	_Static_assert(offsetof(bloom_control, field) == (offset), \
		"the layout of the control page has changed")
BLOOM_AT(magic, 0);
BLOOM_AT(layout, 8);
BLOOM_AT(generation, 16);
BLOOM_AT(loaded_ms, 24);
BLOOM_AT(loads, 32);
BLOOM_AT(lease_until_ms, 40);
BLOOM_AT(checked_ms, 48);
BLOOM_AT(failed_ms, 56);
BLOOM_AT(failures_in_row, 64);
BLOOM_AT(syncs, 72);
BLOOM_AT(sync_failures, 80);
BLOOM_AT(error_status, 88);
BLOOM_AT(error_at_ms, 96);
BLOOM_AT(error_text, 104);
BLOOM_AT(kind, 616);
BLOOM_AT(boot, 624);
BLOOM_AT(groups, 632);
BLOOM_AT(verify_generation, 640);
BLOOM_AT(verify_next, 648);
BLOOM_AT(verify_ms, 656);
BLOOM_AT(verified_ms, 664);
BLOOM_AT(damages, 672);
BLOOM_AT(damaged_ms, 680);
BLOOM_AT(withdrawn, 688);
BLOOM_AT(successor, 696);
BLOOM_AT(additions, 704);
BLOOM_AT(head_ms, 736);
BLOOM_AT(expires_ms, 744);
BLOOM_AT(override_generation, 752);
BLOOM_AT(override, 760);
BLOOM_AT(override_from_ms, 768);
BLOOM_AT(unfollowed_generation, 776);
BLOOM_AT(unfollowed_keys, 784);
BLOOM_AT(load_failures, 792);
BLOOM_AT(load_failures_in_row, 800);
BLOOM_AT(load_version, 808);
BLOOM_AT(load_tries, 816);
BLOOM_AT(load_retry_ms, 824);
BLOOM_AT(load_error_status, 832);
BLOOM_AT(load_error_at_ms, 840);
BLOOM_AT(load_error_text, 848);
BLOOM_AT(unused, 1360);
BLOOM_AT(counters, BLOOM_CONTROL_PAGE_BYTES);
#undef BLOOM_AT

/* Returns whether the filter's time to live has ended.
 *
 * Cost: reads the clock if the filter has a time to live. */
static inline bool bloom_control_is_expired(const bloom_control *control)
{
	uint64_t expires_ms = bloom_load_relaxed(&control->expires_ms);

	return expires_ms != 0 && bloom_uptime_ms() >= expires_ms;
}

/* Returns the number of a generation's additions, or 0 if it has none. */
static inline uint64_t bloom_control_additions(const bloom_control *control, uint64_t generation)
{
	int i;

	for (i = 0; i < 2; i++) {
		if (bloom_load_acquire(&control->additions[i].generation) == generation) {
			return bloom_load_relaxed(&control->additions[i].number);
		}
	}
	return 0;
}

#endif
