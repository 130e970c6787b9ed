/* One sync of a filter, and its two halves.
 *
 *     sync.c: due? elected? ─► sync_journal.c: new records of the served version's journal
 *                           ─► sync_version.c: head ─► chunks ─► additions ─► switch
 *                                                        └ the journal, once a second
 */
#ifndef PHP_BLOOM_SYNC_ATTEMPT_H
#define PHP_BLOOM_SYNC_ATTEMPT_H

#include "php/engine.h"

#include "filter/status.h"
#include "php/progress.h"
#include "php/protocol/staged_additions.h"
#include "php/protocol/sync_log.h"
#include "segment/segment.h"

typedef struct php_bloom_syncing {
	const bloom_segment *segment;
	zend_object *store;
	const char *name;
	bool force;
	bool always; /* read the head even if it is not due, and load it even if it is paused */
	uint64_t max_lag_ms;
	php_bloom_progress *progress;
	php_bloom_job *job;
	bool is_switched;
	bool obeys_override; /* the store says to serve this version, although it may be older */
	const char *result;  /* if it did not switch: the name of a case of SyncResult */
	uint64_t generation; /* the one that serves the store's version */
	uint64_t replaces;   /* the generation that this attempt found served */
	/* The mapped generation is damaged, and the generation number `replaces` withdrew it. */
	bool damaged;
	bloom_status unmapped; /* why that generation could not be attached, or OK */
	/* The served version has a journal, and its additions are up to date. */
	bool has_followed;
	uint64_t followed_ms; /* the last time when the journal was read; bloom_monotonic_ms() */
	/* The served additions cannot be brought up to date, because the journal does not continue
	 * from their read position. */
	bool is_lost;
	bloom_error refused; /* why they cannot be brought up to date although the store answered */
	uint64_t version;    /* the checksum of the head that was read; 0: none */
	bool is_paused;      /* that version failed a moment ago, and was not tried */
	uint64_t trying;     /* the version for which bloom_sync_load_begin() was called; 0: none */
	/* Why an attempt that failed without an exception should be repeated, or OK. */
	bloom_status again;
	/* A version that lacked a chunk or a record. If the head is still the same, the version is
	 * broken, and is not fetched again. */
	uint64_t incomplete;
	bloom_status lacking;
	php_bloom_sync_outcome outcome;
} php_bloom_syncing;

/* ---- sync_journal.c ---- */

/* Attaches to the served generation, with which this attempt compares the store's version and which
 * it may replace. If that generation cannot be mapped, sync->unmapped says why, and the attempt can
 * still replace it. */
void php_bloom_sync_attach(php_bloom_syncing *sync, bloom_error *error);

/* Returns whether the served version has additions. */
bool php_bloom_sync_has_journal(const php_bloom_syncing *sync);

/* Follows the served version's journal. Other processes may load versions while the store is
 * called. */
bool php_bloom_sync_follow(php_bloom_syncing *sync);

/* Follows the served version's journal while a version is fetched, because that may take minutes.
 * The journal is read about once a second, or more often if the maximum lag is short. A failure is
 * reported only after the fetch.
 *
 *   context  the php_bloom_syncing */
bool php_bloom_sync_follow_between(void *context);

/* Tells other hosts of a loss if an earlier sync could not. Call this function after the head was
 * read, because a version that was built after the loss makes the notice unnecessary. */
bool php_bloom_sync_tell_again(const php_bloom_syncing *sync);

/* Reports that the store has lost records, unless a sync has reported this before. */
void php_bloom_sync_report_loss(php_bloom_syncing *sync);

/* ---- sync_version.c ---- */

/* Reads the published head, chooses between its version and that of an override, and loads it. */
bool php_bloom_sync_load_head(php_bloom_syncing *sync);

#endif
