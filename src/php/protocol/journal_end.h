/* Guards the publishing of a version without a mark. Its hosts follow no journal, so they would
 * reject keys that are added later, or that were added after the blob's keys were read.
 *
 *     keys can be added? ─ no ──────────────────────────────► set the head ─► still none can? warn
 *        │ yes
 *        └► endJournal? ─ no ─► refuse
 *              │ yes
 *              └► end the journal ─► the blob has its keys? ─ no ─► refuse
 *                                       │ yes
 *                                       └► set the head ─► end it again, as a notice to hosts
 *
 * The journal ends before its keys are compared, so add() either returns before the comparison or
 * refuses. If keys are missing, the next attempt finds an ended journal. It may then publish
 * another blob, whose keys were read after the end, but not the same one. Keys that were removed
 * from the database in the meantime cannot be told from those that the build missed, so a blob is
 * compared only once. A blob whose keys were read before another publisher ended the journal goes
 * unnoticed, because nothing in it says when its keys were read.
 */
#ifndef PHP_BLOOM_JOURNAL_END_H
#define PHP_BLOOM_JOURNAL_END_H

#include "php/filter/blob_object.h"
#include "php/protocol/heads.h"
#include "php/protocol/journal_notice.h"

typedef struct php_bloom_ending {
	zend_object *store;
	const char *name;
	php_bloom_blob *blob;
	bool may_end; /* the caller wants the journal to end */
	bool follows; /* internal: hosts follow the journal, or did until now */
} php_bloom_ending;

/* Checks that the blob may become the published version.
 *
 *   before  the published head, and the override if it is known
 *   *state  what was found; all zero if the blob has a mark */
bool php_bloom_ending_check(
	php_bloom_ending *ending, const php_bloom_heads *before, php_bloom_journal_state *state);

/* Checks it again immediately before the head is set, and may end the journal. Does nothing if the
 * blob has a mark.
 *
 *   before  the published head, and the override */
bool php_bloom_ending_begin(php_bloom_ending *ending, const php_bloom_heads *before);

/* Tells the hosts that follow the journal about the version, after the head was set.
 *
 *   *is_followed_by_none  whether keys could be added nevertheless: the journal was begun since
 *                         php_bloom_ending_begin() */
bool php_bloom_ending_finish(const php_bloom_ending *ending, bool *is_followed_by_none);

#endif
