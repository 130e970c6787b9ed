/* A user's store as the flows see it: its methods called, its answers checked, its failures turned
 * into StoreException; and the heads in it.
 *
 * A store is the user's code: it may throw, exit, call back into this extension or never return.
 * No lock is held while it runs; what a call must give back is in its php_bloom_job.
 *
 * Where "false: thrown" stands, an exception is pending, or the script ends and is left to end.
 */
#ifndef PHP_BLOOM_STORE_H
#define PHP_BLOOM_STORE_H

#include "filter/blob.h"
#include "php/engine.h"

enum { PHP_BLOOM_STORE_KEYS_MAX = 1000 }; /* in one call */

/* Throws what a status says of `subject`. Always false, for its callers to return. */
bool php_bloom_store_throw(bloom_status status, const char *subject);

/* Whether a store threw this exception because a value is larger than allowed. */
bool php_bloom_store_is_too_long(zend_object *thrown);

/* Gets the values of the list `keys`. False: thrown, *values undefined.
 *
 *   *values  an array, the caller's to free, of whatever the store gave: for _answer() to check
 */
bool php_bloom_store_get(zend_object *store, zval *keys, zval *values);

/* One of those values, borrowed. NULL with *ok: the store lacks it; NULL without: thrown. */
zend_string *php_bloom_store_answer(const zval *values, const char *key, bool *ok);

/* Gets one value. *value is NULL when the store does not have it, else the caller's to release. False:
 * thrown. */
bool php_bloom_store_get_one(zend_object *store, const char *key, zend_string **value);

/* Stores a value. False: thrown. */
bool php_bloom_store_set(
	zend_object *store, const char *key, const unsigned char *bytes, uint64_t count);

/* Adds those of `keys` that the store lacks to the set `missing`. False: thrown. */
bool php_bloom_store_missing(zend_object *store, zval *keys, HashTable *missing);

/* Deletes keys. False: thrown. */
bool php_bloom_store_delete(zend_object *store, zval *keys);

/* ---- heads ---- */

/* A head that a store has; to be released. */
typedef struct php_bloom_published {
	zend_string *bytes; /* NULL: the store has none */
	bloom_head head;    /* borrows `bytes` */
} php_bloom_published;

/* Gets and checks a head; none is no failure. False: thrown, and nothing to release. */
bool php_bloom_published_get(zend_object *store, const char *key, php_bloom_published *found);

/* The same, of a name that must be there. */
bool php_bloom_published_require(zend_object *store, const char *name, php_bloom_published *found);

/* Whether it is the head at `bytes`, byte for byte. */
bool php_bloom_published_is(
	const php_bloom_published *found, const unsigned char *bytes, uint64_t count);

void php_bloom_published_release(php_bloom_published *found); /* twice is fine */

#endif
