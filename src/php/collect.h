/* Deletes the chunks that only the version before the last one needs.
 *
 * Two publishers may run at the same time. Publisher A may find a chunk in the store, and publisher
 * B may delete it as unused before A's head names it. The following protocol prevents that:
 *
 *     a publisher that deletes chunks   waits until there is no mark, sets the mark
 *                                       "<name>:collecting", reads the heads again, and keeps the
 *                                       chunks that they name; starts again if the mark is no
 *                                       longer its own, and never deletes another publisher's mark
 *     a publisher that has set a head   waits until there is no mark, then looks for its chunks
 *                                       again and writes the missing ones, until none is missing
 *
 * Either B sees A's head and keeps A's chunks, or A sees B's mark and writes again what B deleted.
 * The publisher that sets its head last has published the version.
 *
 * A store has no atomic "replace if unchanged". If two publishers have read version X and both set
 * a head, first A and then B, B's publisher deletes the version before X, and only A's publisher
 * knows of the chunks of A. So a publisher that is overtaken deletes the chunks of its own version,
 * and a publisher reads the current head again just before it sets its own. The chunks of A
 * remain only if B was built before A, because B may then come from a replica that lags, or if B's
 * publisher stalls between these two calls until A's publisher has finished.
 *
 * A store has no atomic "set if missing", so two publishers may set the mark at the same time.
 * get_heads() in collect.c explains why only one of them then deletes chunks. Publishers that stall
 * can defeat the protocol. The store then lacks a chunk of a version until that version is
 * published again:
 *
 *   - a publisher stalls for more than 30 seconds in the store call that deletes chunks, and
 *     another publisher sets a head that names these chunks
 *   - a publisher stalls for more than 200 ms between reading and setting the mark, a second
 *     publisher stalls between its last check of the mark and the deletion, and a third publisher
 *     sets a head in between
 *
 * The mark lists the chunks to delete. If deleting fails or the publisher dies, the mark remains in
 * the store. The version is still published, and the next publisher deletes the chunks. */
#ifndef PHP_BLOOM_COLLECT_H
#define PHP_BLOOM_COLLECT_H

#include "php/override.h"
#include "php/progress.h"
#include "php/store.h"
#include "segment/place.h"

enum { PHP_BLOOM_SIDE_KEY_BYTES = BLOOM_NAME_BYTES_MAX + sizeof ":collecting" };

/* Writes to `key` the store key of a value that a publisher stores next to the head:
 * "<name>:<what>". */
void php_bloom_side_key(const char *name, const char *what, char key[PHP_BLOOM_SIDE_KEY_BYTES]);

/* The heads that were published before this publisher's head, and the override. Chunks that one of
 * them names are kept. */
typedef struct php_bloom_heads {
	php_bloom_published current;
	php_bloom_published previous;
	php_bloom_overriding override;
} php_bloom_heads;

/* These functions get a head. An unreadable head must not prevent a valid head from being
 * published, so it counts as missing. They return false after an exception. The caller releases the
 * heads in either case. */
bool php_bloom_get_valid_head(zend_object *store, const char *key, php_bloom_published *found);
bool php_bloom_heads_get_current(zend_object *store, const char *name, php_bloom_heads *found);
bool php_bloom_heads_get_previous(zend_object *store, const char *name, php_bloom_heads *found);
bool php_bloom_heads_get_override(zend_object *store, const char *name, php_bloom_heads *found);
void php_bloom_heads_release(php_bloom_heads *found);

/* Adds the keys of the chunks from `first` up to, but excluding, `end` to a set. */
void php_bloom_add_chunk_keys(
	HashTable *set, const char *name, const bloom_head *head, uint64_t first, uint64_t end);

typedef struct php_bloom_collecting {
	zend_object *store;
	const char *name;
	const bloom_head *head; /* of the version being published */
	/* That head's bytes, once this publisher has set it as the current head; NULL before. */
	const unsigned char *head_bytes;
	const zend_string *replaced;  /* the head that it replaced; NULL: none */
	const bloom_head *superseded; /* of an override that was deleted; NULL: none */
	php_bloom_progress *progress; /* reports that the call is waiting */
	zend_string *mark;            /* a mark whose publisher is gone; or NULL */
	zend_string *expired;         /* the mark for which it waited last; or NULL */
	zend_string *own;             /* the mark that this publisher set; or NULL */
	uint64_t own_ms;              /* the monotonic time when it set this mark */
	uint64_t looked_ms;           /* the monotonic time when it last looked for a mark */
	bool has_waited;              /* it has waited for another publisher */
	bool is_overtaken;            /* another publisher has replaced its head */
	zend_string *warning;         /* why old chunks were not deleted; or NULL */
} php_bloom_collecting;

/* Waits until no other publisher is deleting chunks: at most a minute, or at most a second if the
 * other publisher was killed on this host. Keeps an abandoned mark for php_bloom_collect(). Returns
 * false after an exception. */
bool php_bloom_wait_for_collector(php_bloom_collecting *work);

/* Deletes the chunks of the version before the last one, those of an abandoned mark and, if another
 * publisher has replaced the new head, those of the new version. Chunks that the current heads name
 * are kept. Returns false if it throws an exception that does not come from the store. */
bool php_bloom_collect(php_bloom_collecting *work, const php_bloom_published *old);

/* Leaves the chunks of a version that hosts may still use to the next publisher: sets a mark that
 * lists those that neither the current heads nor, if `keep_override` is true, the override names.
 * Returns false if it throws. */
bool php_bloom_collect_later(php_bloom_collecting *work, const bloom_head *old, bool keep_override);

/* Turns a pending StoreException into work->warning, because the version is already published.
 * Returns false, and leaves the exception pending, if it is of another class or the script is
 * ending. */
bool php_bloom_collect_forgive(php_bloom_collecting *work);

/* Releases the mark and the warning. */
void php_bloom_collect_end(php_bloom_collecting *work);

#endif
