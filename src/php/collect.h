/* What a publisher deletes: chunks of the version before the last.
 *
 * Two publishers at once. One may find a chunk in the store, and the other delete it as nobody's before the
 * first one's head names it. Therefore who deletes first leaves a mark, "<name>:collecting", and then
 * looks at the heads once more; and who has published a head waits for a mark to go and then looks for its
 * chunks once more. Either the one sees the other's head and keeps its chunks, or the other sees the mark
 * and writes again what was deleted. Whoever sets the head last has published the version.
 *
 * The mark says what is to be deleted. When that fails, as with files of another user, or the publisher dies, it
 * stays: the version is published all the same, and the next publish tries again.
 */
#ifndef PHP_BLOOM_COLLECT_H
#define PHP_BLOOM_COLLECT_H

#include "php/progress.h"
#include "php/store.h"
#include "segment/place.h"

enum { PHP_BLOOM_SIDE_KEY_BYTES = BLOOM_NAME_BYTES_MAX + sizeof ":collecting" };

/* Writes the key of what a publisher keeps beside the head: "<name>:<what>". */
void php_bloom_side_key(const char *name, const char *what, char key[PHP_BLOOM_SIDE_KEY_BYTES]);

/* The heads that a publisher finds and leaves behind. */
typedef struct php_bloom_heads {
	php_bloom_published current;
	php_bloom_published previous;
} php_bloom_heads;

/* Get a head. One that cannot be read is no reason not to publish a good one: it counts as none. Each
 * false: thrown. What was found is to be released in any case. */
bool php_bloom_get_valid_head(zend_object *store, const char *key, php_bloom_published *found);
bool php_bloom_heads_get_current(zend_object *store, const char *name, php_bloom_heads *found);
bool php_bloom_heads_get_previous(zend_object *store, const char *name, php_bloom_heads *found);
void php_bloom_heads_release(php_bloom_heads *found);

/* Adds the keys of chunks `first` to `end` of a head to a set. */
void php_bloom_add_chunk_keys(
	HashTable *set, const char *name, const bloom_head *head, uint64_t first, uint64_t end);

typedef struct php_bloom_collecting {
	zend_object *store;
	const char *name;
	const bloom_head *head;       /* of the version that is being published */
	php_bloom_progress *progress; /* told of what is waited for */
	zend_string *mark;            /* that nobody works at any more, as it was found; or NULL */
	zend_string *warning;         /* why something old was not deleted; or NULL */
} php_bloom_collecting;

/* Waits until no other publisher is collecting, for a minute at most. One that was killed on this host is waited for
 * a second. What it left is kept for _collect(). False: thrown. */
bool php_bloom_wait_for_collector(php_bloom_collecting *work);

/* Deletes the chunks of the version before the last, and what was left before, but for what the heads name.
 * False: thrown, and not by the store. */
bool php_bloom_collect(php_bloom_collecting *work, const php_bloom_published *old);

/* Keeps in mind what the store has thrown: what is published is published. False: it is something else, as the
 * end of the script, and stays thrown. */
bool php_bloom_collect_forgive(php_bloom_collecting *work);

/* Releases the mark and the warning. */
void php_bloom_collect_end(php_bloom_collecting *work);

#endif
