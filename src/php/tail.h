/* Reads the new records of filters' journals from a store into additions (kinds/additions.h).
 *
 *     reach ──► read() of the store ──► check each record ──► add its keys ──► advance the reach
 *       ▲            └ all filters in one call                                        │
 *       └──────────────────────────── until the journal's end ◄──────────────────────┘
 *
 * A store is userland code: php/store.h says what that means.
 */
#ifndef PHP_BLOOM_TAIL_H
#define PHP_BLOOM_TAIL_H

#include "kinds/additions.h"
#include "php/engine.h"
#include "php/job.h"

/* The additions of one filter. */
typedef struct php_bloom_tail {
	const char *name;
	bloom_live *live; /* mapped by the job, so that userland cannot unmap it */
	const php_bloom_job *job;
	bloom_mark asked; /* internal: the position from which the store was asked to read */
	/* Results: */
	bool is_lost;       /* the journal does not continue from the additions' reach */
	bool has_version;   /* a version of the filter was published */
	bool is_done;       /* the end was reached, or is_lost */
	bool is_gone;       /* php_bloom_tail_read(): the additions were replaced or dropped */
	bloom_error failed; /* why the filter's records were refused; status OK: they were not */
} php_bloom_tail;

/* Reads all journals to their ends. Returns false if it throws. A refused record does not throw; it
 * sets `failed`. The records before it are in the additions.
 *
 *   store  implements JournalStore */
bool php_bloom_tails_read(
	const bloom_segment *segment, zend_object *store, php_bloom_tail *tails, size_t count);

/* Reads one journal. A refused record throws, too. If the additions were replaced or dropped in the
 * meantime, the function sets `is_gone` instead. */
bool php_bloom_tail_read(const bloom_segment *segment, zend_object *store, php_bloom_tail *tail);

/* Stages the additions of job->stage's blob, fills them from the journal, announces them, and reads
 * the journal's end again. The commit of job->stage then includes them. Returns false if it throws.
 *
 *   keys      the expected number of keys
 *   *is_lost  true, without an exception: the journal does not continue from the blob's mark */
bool php_bloom_additions_prepare(const bloom_segment *segment, zend_object *store, const char *name,
	const bloom_head *head, uint64_t keys, uint64_t max_lag_ms, php_bloom_job *job,
	bool *is_lost);

/* Converts a maximum lag from seconds to milliseconds. Returns false if it throws a ValueError. */
bool php_bloom_max_lag(double seconds, uint32_t argument, uint64_t *max_lag_ms);

#endif
