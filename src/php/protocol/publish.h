/* What one publish knows and changes, and the steps around the head.
 *
 *     publish.c: chunks ─► lock ─► heads ─► publish_versions.c: which versions stay in the list
 *                                  head ─► publish_finish.c: rollback, journal, old chunks */
#ifndef PHP_BLOOM_PUBLISH_H
#define PHP_BLOOM_PUBLISH_H

#include "php/engine.h"

#include "php/protocol/heads.h"
#include "php/protocol/journal_end.h"
#include "php/protocol/publish_chunks.h"

typedef struct php_bloom_publishing {
	zend_object *store;
	const char *name;
	const php_bloom_blob *blob;
	uint32_t retain;    /* versions to keep, counted with the current one */
	zend_string *first; /* the head before this publish; NULL: none */
	bool is_set;        /* this publish has set the head */
	bool is_overtaken;  /* a newer version was published during this publish */
	php_bloom_publish_lock lock;
	php_bloom_chunk_writer writer;
	php_bloom_ending ending;
	zend_string *warning; /* why something was not done after the publish; or NULL */
} php_bloom_publishing;

/* What a publish changes, besides the head. */
typedef struct php_bloom_publish_plan {
	/* The list of earlier versions before the head is set. It begins with the version that
	 * hosts serve now, continues with the former earlier ones, and ends with those that no
	 * value contains any more. */
	php_bloom_version_list earlier;
	zend_string *value; /* of this list in the store */
	bool ends_rollback;
} php_bloom_publish_plan;

/* ---- publish_versions.c ---- */

/* Adds a sentence to the warning of the result. */
void php_bloom_publish_warn(php_bloom_publishing *publish, zend_string *text);

/* Determines the list. If the current version was rolled back, hosts serve another one instead, and
 * the current one comes last. */
void php_bloom_publish_plan_make(const php_bloom_publishing *publish, const php_bloom_heads *found,
	php_bloom_publish_plan *next);

/* Frees what php_bloom_publish_plan_make() has allocated. */
void php_bloom_publish_plan_free(php_bloom_publish_plan *next);

/* Divides the earlier versions into those to keep and the others. If the new version is in the
 * list, it stays there, because a process that has lost the lock may have put it there and may be
 * about to replace the head with its own. */
void php_bloom_publish_divide(const php_bloom_publishing *publish,
	const php_bloom_version_list *earlier, php_bloom_version_list *retained,
	php_bloom_version_list *dropped);

/* Removes the last versions from the list if its value would be too long for the store. Their
 * chunks are deleted first, because no value will contain them.
 *
 *   *is_held  false: another process has taken the lock over */
bool php_bloom_publish_make_room(php_bloom_publishing *publish, const php_bloom_heads *found,
	php_bloom_publish_plan *next, bool *is_held);

/* Deletes the chunks of the versions that are not kept, and then takes these versions out of the
 * list. The version is already published, so a failure of the store is only a warning. The list
 * then still has these versions, and the next publish deletes their chunks. The same happens if
 * another process takes the lock over, because its head may need the list as it is.
 *
 *   keeps_override  hosts may still be told to serve the override's version */
bool php_bloom_publish_delete_old(php_bloom_publishing *publish, const php_bloom_heads *found,
	const php_bloom_publish_plan *next, bool keeps_override);

/* Deletes the chunks that only the new version has, which will not be published.
 *
 *   *is_held  false: another process has taken the lock over */
bool php_bloom_publish_delete_new(php_bloom_publishing *publish, const php_bloom_heads *found,
	const php_bloom_version_list *earlier, bool *is_held);

/* ---- publish_finish.c ---- */

/* Says that hosts do not serve this version, because the filter is pinned or this version was
 * rolled back. */
void php_bloom_publish_warn_of_override(
	php_bloom_publishing *publish, const php_bloom_heads *found);

/* Ends the rollback that the version replaces, notifies the journal's hosts, trims the journal, and
 * deletes the chunks of versions that are no longer kept. Once the version is published, a failure
 * of the store is only a warning.
 *
 *   *is_done  false: the lock is lost, and the process that took it over may have deleted chunks
 *             before it saw the new head, so look again */
bool php_bloom_publish_finish(php_bloom_publishing *publish, const php_bloom_heads *found,
	const php_bloom_publish_plan *next, bool *is_done);

#endif
