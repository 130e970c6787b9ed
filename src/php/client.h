/* What the stores over a client of the user's own share, RedisStore and MemcachedStore: two private
 * properties, `client` and `prefix`, and calls of the client's methods by name, so that no client is
 * needed to build. The client may be a closure that makes it, which is called when something is first asked of it.
 *
 * Where "false: thrown" stands, an exception is pending, or the script ends and is left to end.
 */
#ifndef PHP_BLOOM_CLIENT_H
#define PHP_BLOOM_CLIENT_H

#include "php/engine.h"

/* Whether a class is the named one, or extends or implements it. Loads no class. */
bool php_bloom_is_a(const zend_class_entry *class, const char *name);

/* Sets the properties, once.  prefix: NULL for "bloom:".  False: thrown; also for a client that is none of the
 * store's. */
bool php_bloom_client_construct(zend_object *store, zval *client, zend_string *prefix);

/* The client, which the caller releases: while it is called, userland may take it from the store.
 * NULL: thrown, because the store was never constructed or its closure gave no client. Such a closure is
 * called again the next time. */
zend_object *php_bloom_client(zend_object *store);

/* Calls client->method(…).  False: thrown, *result undefined. */
bool php_bloom_client_call(
	zend_object *store, const char *method, uint32_t count, zval *arguments, zval *result);

/* Calls the client's method that takes nothing and gives a number.  0 for anything else it gives, or
 * when it throws, which is forgotten. */
zend_long php_bloom_client_number(zend_object *store, const char *method);

/* The same for a text, to be released.  NULL: it gives none. */
zend_string *php_bloom_client_text(zend_object *store, const char *method);

/* Puts the prefix before a key.  False: thrown. */
bool php_bloom_client_key(zend_object *store, const zend_string *key, zval *full);

/* The keys that a method was given, with and without the prefix: copies, because the elements of the
 * caller's array may be references, and the client's methods are userland that may change them. */
typedef struct php_bloom_client_list {
	zval keys; /* packed arrays of strings without holes */
	zval full;
} php_bloom_client_list;

/* Makes the list of a method's first argument, to be freed.  False: thrown, and nothing to free. */
bool php_bloom_client_keys(zend_object *store, HashTable *keys, php_bloom_client_list *list);
void php_bloom_client_list_free(php_bloom_client_list *list);

/* The array that getMultiple() gives: the values of `answer` under the keys that they were asked for
 * by, without those that are false or null.
 *
 *   answer   as many values as there are keys, in their order
 */
void php_bloom_client_answer(
	const php_bloom_client_list *list, HashTable *answer, zval *return_value);

#endif
