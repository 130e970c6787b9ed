/* The client of MemcachedStore.
 *
 * Memcached has no scripts, so an answer cannot carry a nonce. The client itself closes a
 * connection whose time-out expired. In addition, this store closes all connections after any
 * failure, and accepts no value of a key that it did not ask for, although it cannot notice an old
 * value of the same key.
 */
#ifndef PHP_BLOOM_MEMCACHED_CLIENT_H
#define PHP_BLOOM_MEMCACHED_CLIENT_H

#include "php/store/client.h"

/* Returns the value of a constant of the client's class, or -1, which is not the value of any
 * constant. */
zend_long php_bloom_memcached_constant(const php_bloom_client *client, const char *name);

/* Throws an exception with the client's error message. Always returns false, so that callers can
 * return the result.
 *
 *   method  getResultMessage, or getLastErrorMessage if one of several servers may have failed
 */
bool php_bloom_memcached_throw(
	const php_bloom_client *client, const char *command, const char *method);

/* Returns whether the last call succeeded or found nothing. */
bool php_bloom_memcached_is_well(const php_bloom_client *client, const char *code_method);

/* Begins an operation, which php_bloom_client_end() ends. Throws if the client has an option that
 * changes keys, or with which it does not wait for the answer to a write. */
bool php_bloom_memcached_begin(zend_object *self, php_bloom_client *client, bool is_write);

/* Begins a write. It stores plain bytes, because the client's compression is off until the write
 * ends. */
typedef struct php_bloom_memcached_write {
	php_bloom_client client;
	zend_long option;
	zval compression; /* as it was before */
} php_bloom_memcached_write;

/* Begins a write. */
bool php_bloom_memcached_begin_write(zend_object *self, php_bloom_memcached_write *write);

/* Ends a write.
 *
 *   ok  false: an exception is pending, which becomes a StoreException */
void php_bloom_memcached_end_write(php_bloom_memcached_write *write, bool ok);

#endif
