/* The objects of the stores in PHP_BLOOM_STORE_CLASSES.
 *
 * The values that were passed to the constructor are in the struct, not in private properties. PHP
 * lets any code write properties without checks, for example through ArrayObject, or turn them into
 * references, as array_walk() does.
 */
#ifndef PHP_BLOOM_STORE_OBJECT_H
#define PHP_BLOOM_STORE_OBJECT_H

#include "filter/journal_mark.h"
#include "php/engine.h"
#include "php/object.h"

/* What a kind of store does. The methods of BuiltInStore and BuiltInJournalStore have checked the
 * arguments. The keys are copies, because the elements of the caller's array may be references, and
 * a client may change the values behind them. The array `answer` is empty at first.
 *
 * Errors: each function throws a StoreException, or an error for a key that is invalid in this kind
 * of store, which is always the method's first argument. */
typedef struct php_bloom_store_ops {
	/* Adds the values of the keys that exist to `answer`, by key. */
	bool (*get)(zend_object *store, const zval *keys, uint32_t count, zval *answer);
	/* Adds the keys that do not exist to `answer`. */
	bool (*missing)(zend_object *store, const zval *keys, uint32_t count, zval *answer);
	bool (*set)(zend_object *store, zend_string *key, zend_string *value);
	/* See Store::replace().
	 *
	 *   *is_replaced  false unless the function sets it */
	bool (*replace)(zend_object *store, zend_string *key, zend_string *expected,
		zend_string *value, bool *is_replaced);
	bool (*delete_keys)(zend_object *store, const zval *keys, uint32_t count);

	/* Those of journals are NULL if the class does not extend BuiltInJournalStore. */

	/* See JournalStore::append().
	 *
	 *   records  not empty, and each begins with its length
	 *   after    NULL: any
	 *   *end     set to the position of the end unless *is_refused, which is false at first */
	bool (*append)(zend_object *store, zend_string *journal, HashTable *records,
		const bloom_mark *after, bloom_mark *end, bool *is_refused);
	/* Sets *answer to the result of JournalStore::last(). */
	bool (*last)(zend_object *store, zend_string *journal, zval *answer);
	/* Adds the result of JournalStore::read() to `answer`.
	 *
	 *   limit  at least 1 */
	bool (*read)(zend_object *store, const zval *journals, const bloom_mark *positions,
		uint32_t count, size_t limit, zval *answer);
	bool (*trim)(zend_object *store, zend_string *journal, const bloom_mark *position);
} php_bloom_store_ops;

/* Indices of php_bloom_store_object.clients */
enum { PHP_BLOOM_CLIENT_GIVEN, PHP_BLOOM_CLIENT_MADE, PHP_BLOOM_CLIENTS };

typedef struct php_bloom_store_object {
	const php_bloom_store_ops *ops; /* NULL: never constructed */
	/* GIVEN: the client that was passed to the constructor, or the closure that makes one.
	 * MADE: the client that the closure made. Both are undefined in a DirectoryStore. */
	zval clients[PHP_BLOOM_CLIENTS];
	uint64_t process;  /* bloom_process_id() of the process whose client it is */
	uint32_t turn;     /* how many clients the store has closed or forgotten */
	zend_string *text; /* the directory, or the prefix of all keys */
	/* The size of the largest value that set() has written to this directory. Reads accept as
	 * much, because a publisher reads its chunks back before a head contains their size. */
	uint64_t largest_bytes;
	zend_object std;
} php_bloom_store_object;

static inline php_bloom_store_object *php_bloom_store_object_of(zend_object *object)
{
	return PHP_BLOOM_OBJECT_OF(php_bloom_store_object, object);
}

/* Fills a new object, which takes over the reference to `text`. Throws if the object is already
 * constructed.
 *
 *   client  NULL: none */
bool php_bloom_store_object_construct(
	zend_object *object, const php_bloom_store_ops *ops, zval *client, zend_string *text);

/* Returns the object's struct. Throws if the object was never constructed. */
php_bloom_store_object *php_bloom_store_object_made(zend_object *object);

/* Sets the handlers of these classes. MINIT calls it once, after the class entries exist. */
void php_bloom_store_object_startup(void);

#endif
