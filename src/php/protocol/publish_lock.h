/* The lock of a filter's publishers.
 *
 * While a process changes the head, the list of earlier versions or the override, or deletes
 * chunks, it holds a lock: the value "<name>:publisher", the *claim*, which processes take, renew,
 * take over and give back with Store::replace(). So chunks that a process has found under the lock
 * are still there when it sets a head that contains them, because nobody else deletes them.
 *
 *     missing or empty     no process holds the lock
 *     PROCESS RANDOM       the process's name as in os/process.h, which may be empty, a space, and
 *                          a random number that distinguishes this claim from all others
 *
 * A process that waits takes the lock over once the claim has not changed for a minute of its own
 * monotonic clock, or for a second if the holder was killed on the same host. This means that a
 * process that stalls for longer loses the lock. It notices when it renews the claim, which it
 * does before each step that others must not see half done. Heads are replaced by comparison, so a
 * process that was overtaken changes none. If it loses the lock after it has set a head, it takes
 * the lock again and looks for its chunks again.
 *
 * What remains is a process that stalls for more than a minute in one store call, just after it has
 * renewed the claim:
 *
 *     the call deletes      another process publishes or pins a version that needs these chunks
 *     the call sets the     others publish until the list has the same value as before. The call
 *     earlier versions      then lists versions whose chunks they have deleted
 *     the call sets the     others delete chunks that only this head needs, and the process is
 *     head or the override  killed before it looks again
 *
 * That version then lacks chunks until it is published again. Hosts do not load it, and keep what
 * they serve. */
#ifndef PHP_BLOOM_PUBLISH_LOCK_H
#define PHP_BLOOM_PUBLISH_LOCK_H

#include "php/progress.h"
#include "php/store/store.h"

typedef struct php_bloom_publish_lock {
	zend_object *store;
	const char *name;
	uint64_t bytes;               /* of the filter, for the callback */
	php_bloom_progress *progress; /* reports that the call is waiting */
	zend_string *own; /* the claim, while this process holds the lock; otherwise NULL */
	bool has_staged;  /* "<name>:staged" exists, or an earlier process may have left it */
} php_bloom_publish_lock;

/* Waits for other processes and takes the lock. */
bool php_bloom_publish_lock_take(php_bloom_publish_lock *lock);

/* Renews the claim. Does nothing if this process does not hold the lock.
 *
 *   *is_held  false: another process has taken the lock over; then `own` is NULL */
bool php_bloom_publish_lock_renew(php_bloom_publish_lock *lock, bool *is_held);

/* Deletes the staged head and gives the lock back, if this process holds it. A pending exception
 * stays the pending one. Failures here are ignored, because the lock ends after a minute anyway. */
void php_bloom_publish_lock_release(php_bloom_publish_lock *lock);

/* Returns whether a process holds the lock, or has not given it back. */
bool php_bloom_publish_lock_is_taken(zend_object *store, const char *name, bool *is_taken);

#endif
