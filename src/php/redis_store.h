/* What the methods of Bloom\RedisStore share. Each function "returns false after an exception",
 * too. */
#ifndef PHP_BLOOM_REDIS_STORE_H
#define PHP_BLOOM_REDIS_STORE_H

#include "php/engine.h"

/* Returns whether the client is Predis. */
bool php_bloom_redis_is_predis(zend_object *store);

/* Returns whether the client can send a pipeline: phpredis or Predis on a single server. Throws if
 * a phpredis client is inside MULTI or PIPELINE. */
bool php_bloom_redis_has_pipeline(zend_object *store);

/* phpredis keeps the last error of the server: has_error() returns whether there is one, and
 * forget_error() clears it. Predis returns errors as objects. */
bool php_bloom_redis_has_error(zend_object *store);
void php_bloom_redis_forget_error(zend_object *store);

/* Returns whether the last call failed with an error whose text begins with `prefix`, and forgets
 * that error: an exception, an error object in *answer (NULL: none), or phpredis's last error. */
bool php_bloom_redis_failed_with(zend_object *store, const char *prefix, const zval *answer);

/* Throws a StoreException for an unexpected answer to a command. */
void php_bloom_redis_throw(zend_object *store, const char *command, zval *answer);

#endif
