/* Stages a generation's additions, so that the switch to it forgets no key.
 *
 *     the blob's mark ─► stage ─► the journal's records ─► announce ─► compare with what this host
 *                                                                      serves ─► copy its keys, if
 *                                                                                the journal lacks
 *                                                                                some; tell the
 *                                                                                other hosts
 */
#ifndef PHP_BLOOM_STAGED_ADDITIONS_H
#define PHP_BLOOM_STAGED_ADDITIONS_H

#include "kinds/additions.h"
#include "kinds/loaded.h"
#include "php/engine.h"
#include "php/job.h"

/* Stages the additions of job->stage's blob, fills them from the journal, announces them, and reads
 * the journal's end again. The commit of job->stage then includes them.
 *
 * Copies the keys of the additions that this host serves if the new ones might lack some of them.
 * If the store has lost records, appends a notice of the loss, so that other hosts know.
 *
 *   keys          the expected number of keys
 *   *is_lost      true, without an exception: the journal does not continue from the blob's mark
 *   *has_version  another version than the blob was published, or overridden */
bool php_bloom_additions_prepare(const bloom_segment *segment, zend_object *store, const char *name,
	const bloom_head *head, uint64_t keys, uint64_t max_lag_ms, php_bloom_job *job,
	bool *is_lost, bool *has_version);

/* Tells other hosts that the journal does not continue from the served additions, if that is
 * because the store has lost records. Call this function before the version to serve is read, which
 * may not be loadable. This does nothing if the other hosts have been told already. Returns false
 * if the script is ending.
 *
 *   served  the blob and the additions that this host serves */
bool php_bloom_loss_tell(const bloom_segment *segment, zend_object *store, const char *name,
	const bloom_loaded *served, php_bloom_job *job);

#endif
