/* The journals of Bloom\DirectoryStore. */
#ifndef PHP_BLOOM_DIRECTORY_JOURNAL_H
#define PHP_BLOOM_DIRECTORY_JOURNAL_H

#include "php/store/store_object.h"

/* The operations of php_bloom_store_ops. */
bool php_bloom_directory_append(zend_object *store, zend_string *journal, HashTable *records,
	const bloom_mark *after, bloom_mark *end, bool *is_refused);
bool php_bloom_directory_last(zend_object *store, zend_string *journal, zval *answer);
bool php_bloom_directory_read(zend_object *store, const zval *journals, const bloom_mark *positions,
	uint32_t count, size_t limit, zval *answer);

#endif
