/* Calls the methods of a user's store, checks their answers, and converts their failures to
 * StoreException. Also reads the heads in a store.
 *
 * Because a store is userland code, it may throw, exit, call this extension or never return. That
 * is why no lock is held while the store runs, and all resources that the call must release are in
 * its php_bloom_job.
 */
#ifndef PHP_BLOOM_STORE_H
#define PHP_BLOOM_STORE_H

#include "filter/blob.h"
#include "php/engine.h"
#include "segment/filter_dir.h"

enum { PHP_BLOOM_STORE_KEYS_MAX = 1000 }; /* keys in one call */

/* Throws the exception of a status for `subject`. Always returns false, so that callers can return
 * the result. */
bool php_bloom_store_throw(bloom_status status, const char *subject);

/* Wraps the pending exception in a StoreException, which copies its message and returns it from
 * getPrevious(). Does nothing if it is one, or if the script is ending. Always returns false. */
bool php_bloom_store_wrap(void);

/* Throws because the store returned `found`, and not the bytes that it was given. If `found` is
 * NULL, the value is missing. Always returns false. */
bool php_bloom_store_throw_altered(
	const char *key, const unsigned char *bytes, uint64_t count, const zend_string *found);

/* Returns whether a store threw this exception because a value was larger than allowed. */
bool php_bloom_store_is_too_long(zend_object *thrown);

/* Returns whether a store threw this exception because a value was too long or of a wrong type. */
bool php_bloom_store_is_unusable(zend_object *thrown);

/* Gets the values of a list of keys.
 *
 *   *values  an array that the caller frees. php_bloom_store_answer() checks its values */
bool php_bloom_store_get(zend_object *store, zval *keys, zval *values);

/* Returns the value of a key, borrowed from `values`. Returns NULL with *ok true if the store does
 * not have the key, and NULL with *ok false after an exception. */
zend_string *php_bloom_store_answer(const zval *values, const char *key, bool *ok);

/* Gets one value, which the caller releases. *value is NULL if the store does not have it. */
bool php_bloom_store_get_one(zend_object *store, const char *key, zend_string **value);

bool php_bloom_store_set(
	zend_object *store, const char *key, const unsigned char *bytes, uint64_t count);

/* Stores a value if the key's present value is `expected`.
 *
 *   expected      NULL: the key must not exist
 *   *is_replaced  false: the key has a different value, and nothing was stored */
bool php_bloom_store_replace(zend_object *store, const char *key, zend_string *expected,
	const unsigned char *bytes, uint64_t count, bool *is_replaced);

/* Adds to the set `missing` those keys that the store does not have. */
bool php_bloom_store_missing(zend_object *store, zval *keys, HashTable *missing);

bool php_bloom_store_delete(zend_object *store, zval *keys);
bool php_bloom_store_delete_one(zend_object *store, const char *key);

/* Gets a value that this process is about to replace, under the publishers' lock. Deletes one that
 * is too long to be compared with. */
bool php_bloom_store_get_replaceable(zend_object *store, const char *key, zend_string **value);

/* Turns a pending StoreException into a warning, which is set to its message unless it is already
 * set. Returns false, and leaves the exception pending, if it is of another class or the script is
 * ending. */
bool php_bloom_store_warn(zend_string **warning);

/* Memcached's default for the size of an item, minus its overhead. */
enum { PHP_BLOOM_MEMCACHED_VALUE_BYTES_MAX = 1024 * 1024 - 512 };

/* Returns the size of the largest value that this store can be expected to accept. */
uint64_t php_bloom_store_value_bytes_max(const zend_object *store);

/* Returns the memory that memory_limit leaves. If there is no limit, returns the size of the
 * machine's memory. */
uint64_t php_bloom_memory_left(void);

/* ---- journals ----
 *
 * The store of these functions implements JournalStore. */

/* Reads the journals in the map `positions`.
 *
 *   *answers  an array that the caller frees; its values have not been checked */
bool php_bloom_store_read(zend_object *store, const zval *positions, uint64_t limit, zval *answers);

/* Appends a list of records to a filter's journal.
 *
 *   after        the position at which the journal must end; NULL: any
 *   *appended    the new end; unchanged if *is_refused
 *   *is_refused  true if the journal does not end at `after`, or is closed and the first record
 *                does not open it (filter/journal_record.h) */
bool php_bloom_store_append(zend_object *store, const char *name, zval *records,
	const bloom_mark *after, bloom_mark *appended, bool *is_refused);

/* Reads the end of a filter's journal, and creates a missing journal.
 *
 *   *mark    the position, without a link
 *   *record  the last record, which the caller releases; empty if there is none */
bool php_bloom_store_last(
	zend_object *store, const char *name, bloom_mark *mark, zend_string **record);

/* Removes the records before a position. */
bool php_bloom_store_trim(zend_object *store, const char *name, const bloom_mark *mark);

/* ---- heads ---- */

/* A head from a store. The caller releases it. */
typedef struct php_bloom_published {
	zend_string *bytes; /* NULL: the store does not have it */
	bloom_head head;    /* borrows `bytes` */
} php_bloom_published;

/* Checks found->bytes and fills found->head.
 *
 * Errors: BLOOM_E_LENGTH, and those of bloom_head_parse(). */
bloom_status php_bloom_published_check(php_bloom_published *found, bloom_error *error);

/* Does the same, and throws. The bytes may be NULL. If the function returns false
 * after an exception, it has released the bytes. */
bool php_bloom_published_parse(php_bloom_published *found);

/* Gets and checks a head. A missing head is not an error. If the function returns false after an
 * exception, there is nothing to release. */
bool php_bloom_published_get(zend_object *store, const char *key, php_bloom_published *found);

/* Gets and checks a head, and throws if it is missing. */
bool php_bloom_published_require(zend_object *store, const char *name, php_bloom_published *found);

/* Returns whether the head equals the head at `bytes`, byte for byte. */
bool php_bloom_published_is(
	const php_bloom_published *found, const unsigned char *bytes, uint64_t count);

/* Releases a head. The function may be called twice for the same head. */
void php_bloom_published_release(php_bloom_published *found);

enum { PHP_BLOOM_SIDE_KEY_BYTES = BLOOM_NAME_BYTES_MAX + sizeof ":publisher" };

/* Writes to `key` the store key of a value that a publisher stores next to the head:
 * "<name>:<what>". */
void php_bloom_side_key(const char *name, const char *what, char key[PHP_BLOOM_SIDE_KEY_BYTES]);

#endif
