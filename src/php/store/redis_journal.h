/* The journals of Bloom\RedisStore. */
#ifndef PHP_BLOOM_REDIS_JOURNAL_H
#define PHP_BLOOM_REDIS_JOURNAL_H

#include "php/store/store_object.h"

/* The operations of php_bloom_store_ops. */
bool php_bloom_redis_append(zend_object *store, zend_string *journal, HashTable *records,
	const bloom_mark *after, bloom_mark *end, bool *is_refused);
bool php_bloom_redis_last(zend_object *store, zend_string *journal, zval *answer);
bool php_bloom_redis_read(zend_object *store, const zval *journals, const bloom_mark *positions,
	uint32_t count, size_t limit, zval *answer);
bool php_bloom_redis_trim(zend_object *store, zend_string *journal, const bloom_mark *position);

#endif
