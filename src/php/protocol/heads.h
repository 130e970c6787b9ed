/* The heads of a filter's versions in a store.
 *
 *     <name>           the current version
 *     <name>:versions  the earlier versions, newest first: heads end to end, each of which contains
 *                      its own size. A version that was rolled back comes after the others. May be
 *                      empty, and may contain the current version, if it was published again or a
 *                      publisher was killed
 *     <name>:override  the version that hosts serve instead
 *
 * Each chunk that was published belongs to a head in one of these values, and each writer that
 * takes a version out of one of them adds it to the list first. So a publisher finds there which
 * chunks to delete, even if another one was killed while it deleted them.
 */
#ifndef PHP_BLOOM_HEADS_H
#define PHP_BLOOM_HEADS_H

#include "php/protocol/effective_version.h"
#include "php/protocol/publish_lock.h"

/* A list of versions without duplicates. Blobs with equal heads are the same version. */
typedef struct php_bloom_version {
	bloom_head head;
	const unsigned char *bytes; /* head.head_bytes of them, borrowed */
} php_bloom_version;

typedef struct php_bloom_version_list {
	php_bloom_version *items;
	uint32_t count;
	zend_string *value; /* the value in the store that the items borrow from; or NULL */
} php_bloom_version_list;

bool php_bloom_is_same_version(const bloom_head *one, const bloom_head *other);

/* Adds a version to the end of the list, unless the list has it. */
void php_bloom_version_list_add(
	php_bloom_version_list *list, const bloom_head *head, const unsigned char *bytes);
void php_bloom_version_list_add_all(
	php_bloom_version_list *list, const php_bloom_version_list *others);
bool php_bloom_version_list_has(const php_bloom_version_list *list, const bloom_head *head);

/* Fills an empty list from list->value, which may be NULL.
 *
 * Errors: those of bloom_head_parse(). The list then has the versions before the invalid bytes. */
bloom_status php_bloom_version_list_parse(php_bloom_version_list *list, bloom_error *error);

/* Returns the value that contains these versions. */
zend_string *php_bloom_version_list_join(const php_bloom_version_list *list);

/* Frees the list and releases its value. */
void php_bloom_version_list_free(php_bloom_version_list *list);

/* Adds the keys of the chunks from `first` up to, but excluding, `end` to a set. */
void php_bloom_add_chunk_keys(
	HashTable *set, const char *name, const bloom_head *head, uint64_t first, uint64_t end);

/* ---- all of a filter ---- */

/* A head in a store, which may be unreadable. */
typedef struct php_bloom_stored {
	zend_string *value;        /* what replace() compares with; NULL: the key does not exist */
	php_bloom_published found; /* bytes NULL: there is no valid head */
} php_bloom_stored;

typedef struct php_bloom_heads {
	php_bloom_stored current;
	php_bloom_version_list earlier;
	php_bloom_stored_override override;
} php_bloom_heads;

/* Gets the published head. An unreadable head must not prevent a valid head from being published,
 * so it counts as missing. The caller releases the head in either case. */
bool php_bloom_get_valid_head(zend_object *store, const char *name, php_bloom_published *found);

/* Gets the list of earlier versions, up to the first one that is unreadable. The caller frees it in
 * either case. */
bool php_bloom_get_earlier(zend_object *store, const char *name, php_bloom_version_list *list);

/* Gets all heads, with the same rules. Only the process that holds the lock may call this, because
 * it deletes a head that is too long to be compared with, which no host can read. The caller
 * releases the heads in either case. */
bool php_bloom_heads_get(zend_object *store, const char *name, php_bloom_heads *found);
void php_bloom_heads_release(php_bloom_heads *found);

/* Throws if the journal does not continue from the mark of a version, because hosts then cannot
 * load it. */
bool php_bloom_require_journal(zend_object *store, const char *name, const bloom_head *head);

/* Replaces the list of earlier versions in the store, unless it has this value.
 *
 *   before    the value that was read or written last; NULL: none
 *   *is_done  false: the store has a different list */
bool php_bloom_set_earlier(
	const php_bloom_publish_lock *lock, zend_string *before, zend_string *value, bool *is_done);

/* Deletes the chunks of versions, except for those that other versions need. Renews the lock before
 * each call of the store.
 *
 *   *is_held  false: another process has taken the lock over, and may need the rest */
bool php_bloom_delete_chunks(php_bloom_publish_lock *lock, const php_bloom_version_list *unneeded,
	const php_bloom_version_list *needed, bool *is_held);

#endif
