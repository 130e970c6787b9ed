/* Tells other hosts that a store has lost records of a journal. The notice is a record in that
 * journal, so every host that follows it reads the notice (filter/journal_record.h).
 *
 *     the journal lacks a position ─► append the notice ─┬► told
 *     (staged_additions.h)                               ├► refused: the journal ends elsewhere
 *                                                        └► failed: a later sync tells it again
 */
#ifndef PHP_BLOOM_JOURNAL_LOSS_H
#define PHP_BLOOM_JOURNAL_LOSS_H

#include "kinds/additions.h"
#include "kinds/loaded.h"
#include "php/engine.h"
#include "php/job.h"

/* What has become of the notice of a loss. */
typedef enum php_bloom_telling {
	PHP_BLOOM_TELL_NOTHING, /* the journal has the position after all */
	PHP_BLOOM_TELL_REFUSED, /* the journal ends elsewhere */
	PHP_BLOOM_TOLD,
	PHP_BLOOM_TELL_FAILED, /* the store has failed */
} php_bloom_telling;

/* Appends the notice of a loss to the journal, if the journal still lacks the position. Returns
 * false if it throws, or if the job belongs to the parent process.
 *
 *   *end  the end of the journal that shows the loss, with its link. If the notice has been
 *         appended, set to its end */
bool php_bloom_loss_append(zend_object *store, const char *name, const php_bloom_job *job,
	const bloom_mark *lost, bloom_mark *end, php_bloom_telling *outcome);

/* Clears an exception of the store, because a host that cannot append, or not even query the
 * journal's end, can still load versions, although it cannot tell other hosts of a loss now.
 * Returns false if any other exception is pending. */
bool php_bloom_loss_clear_failure(void);

/* Tells other hosts of a loss if an earlier sync could not, because the store had failed. Call this
 * function only when the host has caught up with the journal, because the notice is appended at the
 * end. If the store fails again, the call succeeds, and the next one tries again. Returns false if
 * it throws. */
bool php_bloom_loss_tell_again(const bloom_segment *segment, zend_object *store, const char *name,
	const bloom_loaded *served, php_bloom_job *job);

/* Tells other hosts of keys that this host has added to another journal, which the store had for a
 * while. Unlike a loss, this needs no proof, so the notice may be appended at any end. Call this
 * function once the journal was read. If the store fails, the call succeeds, and the next one tries
 * again. Returns false if it throws, or if the job belongs to the parent process. */
bool php_bloom_loss_tell_strayed(const bloom_segment *segment, zend_object *store, const char *name,
	const bloom_loaded *served, php_bloom_job *job);

/* Reports the loss of records in lastError, once for each host. Returns the loss if it was reported
 * now.
 *
 *   live     the served additions; NULL: there are none */
bloom_loss php_bloom_loss_report(const char *name, bloom_live *live, bloom_control *control);

#endif
