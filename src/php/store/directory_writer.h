/* Writing the values of Bloom\DirectoryStore. */
#ifndef PHP_BLOOM_DIRECTORY_WRITER_H
#define PHP_BLOOM_DIRECTORY_WRITER_H

#include "php/store/store_object.h"

/* The operations of php_bloom_store_ops. */
bool php_bloom_directory_set(zend_object *store, zend_string *key, zend_string *value);
bool php_bloom_directory_replace(zend_object *store, zend_string *key, zend_string *expected,
	zend_string *value, bool *is_replaced);

#endif
