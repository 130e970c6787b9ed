/* The lock of a filter's publishers, and the deletion of chunks that no version needs any more.
 *
 * While a process changes the head, the previous head or the override, or deletes chunks, it holds
 * a lock: the value "<name>:collecting", the *claim*, which processes take, renew and take over
 * with Store::replace(). So chunks that a process has found under the lock are still there when it
 * sets a head that names them, and nobody else deletes them.
 *
 *     the claim  lists the chunks that the process will have made superfluous. It is written before
 *                the head is, so whoever takes over after a crash deletes what the dead process did
 *                not. Whoever deletes keeps the chunks that a head or the override names
 *     a lease    the claim counts for a minute, or for a second if its process was killed on this
 *                host. A process that stalls for longer loses the lock, and notices when it renews
 *                the claim, which it does before each step that others must not see half done
 *     the rest   a process that loses the lock after it has set a head looks for its chunks again
 *                and writes the missing ones. Heads themselves are replaced by comparison, so a
 *                process that was overtaken changes none
 *
 * What remains: a process stalls for more than a minute in the store call that deletes chunks, just
 * after it has renewed the claim, and another one publishes a version that names these chunks. That
 * version then lacks chunks until it is published again. */
#ifndef PHP_BLOOM_COLLECT_H
#define PHP_BLOOM_COLLECT_H

#include <zend_smart_str.h>

#include "php/protocol/effective_version.h"
#include "php/progress.h"
#include "php/store/store.h"
#include "segment/filter_dir.h"

/* A head in a store, which may be unreadable. */
typedef struct php_bloom_stored {
	zend_string *value;        /* what replace() compares with; NULL: the key does not exist */
	php_bloom_published found; /* bytes NULL: there is no valid head */
} php_bloom_stored;

/* The heads and the override of a filter. Chunks that one of them names are kept. */
typedef struct php_bloom_heads {
	php_bloom_stored current;
	php_bloom_stored previous;
	php_bloom_stored_override override;
} php_bloom_heads;

/* Gets a head. An unreadable head must not prevent a valid head from being published, so it counts
 * as missing. The caller releases the head in either case. */
bool php_bloom_get_valid_head(zend_object *store, const char *key, php_bloom_published *found);

/* Gets a value that this process is about to replace, under the lock. Deletes one that is too long
 * to be compared with. */
bool php_bloom_stored_get(zend_object *store, const char *key, zend_string **value);

/* Gets the heads and the override, with the same rule. For the process that holds the lock: deletes
 * a head that is too long to be compared with, which no host can read. The caller releases the
 * heads in either case. */
bool php_bloom_heads_get(zend_object *store, const char *name, php_bloom_heads *found);
void php_bloom_heads_release(php_bloom_heads *found);

/* Throws if the journal does not continue from the mark of a version, because hosts then cannot
 * load it. */
bool php_bloom_require_journal(zend_object *store, const char *name, const bloom_head *head);

/* Adds the keys of the chunks from `first` up to, but excluding, `end` to a set. */
void php_bloom_add_chunk_keys(
	HashTable *set, const char *name, const bloom_head *head, uint64_t first, uint64_t end);

typedef struct php_bloom_collecting {
	zend_object *store;
	const char *name;
	uint64_t bytes;               /* of the filter, for the callback */
	php_bloom_progress *progress; /* reports that the call is waiting */
	zend_string *own;     /* the claim, while this process holds the lock; otherwise NULL */
	smart_str list;       /* the digests of the chunks in the claim */
	bool has_staged;      /* "<name>:staged" exists, or an earlier process may have left it */
	zend_string *warning; /* why something was not done after the publish; or NULL */
} php_bloom_collecting;

/* Waits for other processes and takes the lock. collect->list then has the chunks that an earlier
 * process has left. Waits at most a minute for a process that does not renew its claim. */
bool php_bloom_lock(php_bloom_collecting *collect);

/* Renews the claim, with the present list.
 *
 *   *is_held  false: another process has taken the lock over; then `own` is NULL */
bool php_bloom_lock_renew(php_bloom_collecting *collect, bool *is_held);

/* Adds the chunks of a head to the list. */
void php_bloom_collect_add(php_bloom_collecting *collect, const bloom_head *head);

/* Removes the chunks of a head from the list. */
void php_bloom_collect_keep(php_bloom_collecting *collect, const bloom_head *head);

/* Deletes the listed chunks, while this process holds the lock. The version is already published,
 * so a failure of the store is only a warning, and the chunks stay in the list. Returns false if it
 * throws an exception that does not come from the store. */
bool php_bloom_collect(php_bloom_collecting *collect);

/* Ends the lock if this process holds it. If the list is not empty, the claim stays, so that the
 * next process deletes these chunks. A pending exception stays the pending one, and failures here
 * are ignored: the lock then ends after a minute. Also frees the list. */
void php_bloom_unlock(php_bloom_collecting *collect);

/* Turns a pending StoreException into collect->warning, because the version is already published.
 * Returns false, and leaves the exception pending, if it is of another class or the script is
 * ending. */
bool php_bloom_collect_warn(php_bloom_collecting *collect);

#endif
