/* The clients of RedisStore and MemcachedStore. Both stores call the methods of a client object by
 * name, so this extension can be built without any client.
 *
 *     begin ──► call, call … ──► end(sound) ──► the store keeps the client
 *                            └─► end(unsound) ► the client is closed, and forgotten if a closure
 *                                               made it
 *
 * A client whose call failed may still receive the answer later, and would take it for the answer
 * to its next request. That is why a store never uses such a connection again. It calls the
 * closure again, or closes the client that it was given, which then connects again. A forked child
 * shares its parent's connections and would read the parent's answers. So a child calls the
 * closure again, and refuses a client that was given.
 */
#ifndef PHP_BLOOM_CLIENT_H
#define PHP_BLOOM_CLIENT_H

#include "php/engine.h"
#include "php/store/store_object.h"

/* Returns whether a class has the given name, or extends or implements the class of that name. Does
 * not load any class. */
bool php_bloom_is_a(const zend_class_entry *class, const char *name);

/* Constructs a store. Succeeds only once per store. A `prefix` of NULL means "bloom:". Throws
 * a TypeError if the store does not support the client's class. */
bool php_bloom_client_construct(
	zend_object *store, const php_bloom_store_ops *ops, zval *client, zend_string *prefix);

/* ---- using the client ---- */

/* The client during one operation of its store. It stays alive until the operation ends, even if
 * the store is released or another fiber replaces the store's client. */
typedef struct php_bloom_client {
	zend_object *store;
	zend_object *object;
	uint32_t turn;
	zend_long database; /* that a Redis client must select again after it was closed; 0: none */
} php_bloom_client;

/* Fills *client. Throws if the client belongs to another process, or the closure fails or returns
 * no client. In the latter cases, the next use of the store calls the closure again. */
bool php_bloom_client_begin(zend_object *store, php_bloom_client *client);

/* Ends the operation. An exception may be pending, and stays.
 *
 *   is_sound  false: the connection may still receive an answer, so it is closed, unless another
 *             fiber has already closed it */
void php_bloom_client_end(php_bloom_client *client, bool is_sound);

/* Throws a StoreException that says why the client cannot be used. */
void php_bloom_client_refuse(const char *format, const char *subject, const char *remedy);

/* Returns whether the client is of a class. */
bool php_bloom_client_is(const php_bloom_client *client, const char *class);

/* Calls client->method(…). */
bool php_bloom_client_call(const php_bloom_client *client, const char *method, uint32_t count,
	zval *arguments, zval *result);

/* Calls a method of the client that takes no arguments and returns an int. Returns 0 if the method
 * returns another type or throws, and discards the exception. */
zend_long php_bloom_client_number(const php_bloom_client *client, const char *method);

/* Calls a method of the client that takes no arguments and returns a string. The caller releases
 * the string. Returns NULL if the method returns another type or throws. */
zend_string *php_bloom_client_text(const php_bloom_client *client, const char *method);

/* Turns an option of the client off with setOption(), and on again. An exception may be pending
 * when it is restored, and stays. Neither does anything if the option is off or empty.
 *
 *   *before  the value before; undefined: nothing is to be restored */
bool php_bloom_client_override(
	const php_bloom_client *client, zend_long option, zval *value, zval *before);
void php_bloom_client_restore(const php_bloom_client *client, zend_long option, zval *before);

/* ---- keys ---- */

/* Makes the key with the prefix. */
zend_string *php_bloom_client_key(zend_object *store, const zend_string *key);

/* Makes a packed array of the keys with the prefix, without holes. */
void php_bloom_client_keys(zend_object *store, const zval *keys, uint32_t count, zval *full);

#endif
