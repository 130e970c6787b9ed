/* The counters of a filter are the second page of its control file.
 *
 *     lookups ──► tally of the attachment ──────► counters ◄── syncs, loads
 *                 plain additions, one thread     shared by all processes; atomic additions
 *                       at the end of a request, and once a second
 *
 * Nothing here decides what is served, so it is enough if the counters are nearly right: a process
 * that is killed loses the lookups of its current request, or of the last second. The counters
 * survive reloads, but not a drop of the filter or a reboot of the host.
 *
 * Locks: none. `history` changes only under the filter's lock.
 */
#ifndef BLOOM_COUNTERS_H
#define BLOOM_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/status.h"

enum {
	BLOOM_COUNTERS_BYTES = 4096,
	BLOOM_FAILURES_ROWS = 160, /* one per status */
	BLOOM_HISTORY_ROWS = 12,
	BLOOM_ACTIVITY_ROWS = 60, /* one per minute */
	BLOOM_MINUTE_MS = 60000,
};

/* What one thread has counted since its last call of bloom_counters_add(). A lookup changes
 * `lookups` and `maybes`. They are not adjacent because GCC would otherwise add to both in one
 * vector, which takes three instructions more. */
typedef struct bloom_tally {
	uint64_t lookups;
	uint64_t confirmed; /* candidates that the application has looked up */
	uint64_t found;     /* those that existed */
	uint64_t maybes;
	uint64_t checked; /* "definitely not" answers that the application has looked up */
	uint64_t denied;  /* those whose keys existed */
} bloom_tally;

/* One load: a switch to a generation. */
typedef struct bloom_load_record {
	uint64_t generation; /* 0: the row is not in use, or is being written */
	uint64_t loaded_ms;  /* wall clock */
	uint64_t built_ms;   /* wall clock; 0: a live filter */
	uint64_t keys;
	uint64_t bytes;
	uint64_t load_us;       /* from the beginning of the staging to the switch */
	uint64_t switch_us;     /* how long the filter's lock was held until the switch */
	uint64_t fetched_bytes; /* of chunks that came from a store */
} bloom_load_record;

/* The lookups of one minute. Both words contain the minute, so that a thread can replace a word of
 * an hour ago in one step: bits 40 to 63 are the minute since 1970 modulo 2^24, and bits 0 to 39
 * the count. */
typedef struct bloom_activity_row {
	uint64_t lookups;
	uint64_t absent;
} bloom_activity_row;

typedef struct bloom_counters {
	uint64_t since_ms; /* wall clock: when the counting began */
	uint64_t lookups;
	uint64_t absent; /* lookups that answered "definitely not" */
	uint64_t confirmed;
	uint64_t found;
	uint64_t fetched_bytes; /* of chunks that came from a store */
	uint64_t saved_bytes;   /* of chunks that a sync copied from the served generation */
	uint64_t load_us;       /* the sums over all loads */
	uint64_t switch_us;
	uint64_t last_load_us;
	uint64_t last_switch_us;
	uint64_t failures[BLOOM_FAILURES_ROWS];        /* of loads and syncs, by bloom_status */
	bloom_load_record history[BLOOM_HISTORY_ROWS]; /* generation g is in row g % ROWS */
	bloom_activity_row activity[BLOOM_ACTIVITY_ROWS];
	uint64_t checked;
	uint64_t denied;
	uint64_t denied_ms; /* wall clock: when `denied` was last added to; 0: never */
	uint64_t unused[512 - 14 - BLOOM_FAILURES_ROWS - 8 * BLOOM_HISTORY_ROWS -
		2 * BLOOM_ACTIVITY_ROWS];
} bloom_counters;

_Static_assert(sizeof(bloom_counters) == BLOOM_COUNTERS_BYTES, "the counters are one page");
_Static_assert((int)BLOOM_STATUS_COUNT <= (int)BLOOM_FAILURES_ROWS, "each status has a row");

/* Adds a tally to the counters and zeroes it.
 *
 *   now_ms  the wall clock; the lookups count in its minute
 *
 * Cost: two to eight atomic additions. */
void bloom_counters_add(bloom_counters *counters, bloom_tally *tally, uint64_t now_ms);

/* Records a load, and the bytes that it did not have to fetch. The caller holds the filter's
 * lock. */
void bloom_counters_loaded(
	bloom_counters *counters, const bloom_load_record *load, uint64_t saved_bytes);

/* Counts a load or sync that failed. */
void bloom_counters_failed(bloom_counters *counters, bloom_status status);

/* Reads the record of the load of a generation. Returns false if there is none, or if it is being
 * replaced. */
bool bloom_counters_load_of(
	const bloom_counters *counters, uint64_t generation, bloom_load_record *load);

/* Reads the lookups of a minute. Returns false if there were none.
 *
 *   minute  since 1970, at most BLOOM_ACTIVITY_ROWS - 1 minutes ago */
bool bloom_counters_minute(
	const bloom_counters *counters, uint64_t minute, uint64_t *lookups, uint64_t *absent);

/* Returns the false-positive rate that the application has observed, or -1 if it has confirmed no
 * candidates. The confirmed candidates are a sample of all: the share of them that did not exist is
 * the share of false positives among the maybes. */
double bloom_counters_observed_rate(const bloom_counters *counters);

#endif
