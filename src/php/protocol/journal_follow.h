/* Reads the new records of filters' journals from a store into additions (kinds/additions.h).
 *
 *     read position ──► read() of the store ──► check each record ──► add its keys ──► advance it
 *       ▲                   └ all filters in one call                                      │
 *       └──────────────────────────── until the journal's end ◄───────────────────────────┘
 *
 * A store is userland code, and php/store/store.h says what that means.
 */
#ifndef PHP_BLOOM_JOURNAL_FOLLOW_H
#define PHP_BLOOM_JOURNAL_FOLLOW_H

#include "kinds/additions.h"
#include "kinds/loaded.h"
#include "php/engine.h"
#include "php/job.h"

/* The additions of one filter. */
typedef struct php_bloom_follow {
	const char *name;
	bloom_live *live; /* mapped by the job, so that userland cannot unmap it */
	const php_bloom_job *job;
	uint64_t own; /* a notice of the version with this checksum is no news; 0: none */
	/* Positions that are looked for. The journal has them, or a notice of their loss, which
	 * ends at `found`. */
	bloom_mark sought[2], found[2];
	bool passed[2];
	bloom_read_to asked; /* internal: what the additions had when the store was asked */
	/* Results: */
	/* The journal does not continue from the additions' read position, or lacks a record that
	 * this host has appended. */
	bool is_lost;
	bool has_version;   /* a version of the filter was published, or overridden */
	bool is_done;       /* the end was reached, or is_lost */
	bool is_gone;       /* php_bloom_follow_one(): the additions were replaced or dropped */
	bloom_error failed; /* why the filter's records were refused; status OK: they were not */
} php_bloom_follow;

/* Reads all journals to their ends. A refused record does not throw but sets `failed`, and the
 * records before it are in the additions.
 *
 *   store  implements JournalStore */
bool php_bloom_follow_all(
	const bloom_segment *segment, zend_object *store, php_bloom_follow *follows, size_t count);

/* Reads one journal to its end. Here, a refused record throws. If the additions were replaced or
 * dropped in the meantime, this sets `is_gone` instead. */
bool php_bloom_follow_one(
	const bloom_segment *segment, zend_object *store, php_bloom_follow *follow);

#endif
