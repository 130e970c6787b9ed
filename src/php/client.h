/* Functions for RedisStore and MemcachedStore. Both stores call the methods of a client object by
 * name, so this extension can be built without any client.
 *
 * A store may have been constructed with a closure instead of a client (store_object.h). The store
 * calls the closure at the first use to create the client.
 *
 * If a function "returns false after an exception", the cause may also be that the script is
 * ending. The caller must return in either case.
 */
#ifndef PHP_BLOOM_CLIENT_H
#define PHP_BLOOM_CLIENT_H

#include "php/engine.h"

/* Returns whether a class has the given name, or extends or implements the class of that name. Does
 * not load any class. */
bool php_bloom_is_a(const zend_class_entry *class, const char *name);

/* Constructs a store. Succeeds only once per store. A `prefix` of NULL means "bloom:". Returns
 * false after an exception, which is a TypeError if the store does not support the client's
 * class. */
bool php_bloom_client_construct(zend_object *store, zval *client, zend_string *prefix);

/* Returns the client. The caller releases it, because userland may release the store during a
 * call. Returns NULL if it throws if the store was never constructed or its closure
 * returned no client. In the latter case, the next use of the store calls the closure again. */
zend_object *php_bloom_client(zend_object *store);

/* Calls client->method(…). Returns false if it throws; *result is then undefined. */
bool php_bloom_client_call(
	zend_object *store, const char *method, uint32_t count, zval *arguments, zval *result);

/* Calls a method of the client that takes no arguments and returns an int. Returns 0 if the method
 * returns another type or throws; the exception is discarded. */
zend_long php_bloom_client_number(zend_object *store, const char *method);

/* Calls a method of the client that takes no arguments and returns a string. The caller releases
 * the string. Returns NULL if the method returns another type or throws. */
zend_string *php_bloom_client_text(zend_object *store, const char *method);

/* Prefixes a key. Returns false if it throws. */
bool php_bloom_client_key(zend_object *store, const zend_string *key, zval *full);

/* The keys that were passed to a method, without and with the prefix. The keys are copies: the
 * elements of the caller's array may be references, and the client's methods may change the values
 * behind them. */
typedef struct php_bloom_client_list {
	zval keys; /* packed arrays of strings, without holes */
	zval full;
} php_bloom_client_list;

/* Makes the list from a method's first argument. The caller frees it. Returns false after an
 * exception, with nothing to free. */
bool php_bloom_client_keys(zend_object *store, HashTable *keys, php_bloom_client_list *list);
void php_bloom_client_list_free(php_bloom_client_list *list);

/* Creates the array that getMultiple() returns: the values of `answer` under the keys without
 * prefix. Values that are false or null are left out.
 *
 *   answer   one value for each key, in the same order
 */
void php_bloom_client_answer(
	const php_bloom_client_list *list, HashTable *answer, zval *return_value);

#endif
