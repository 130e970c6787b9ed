/* Trimming the journals of Bloom\DirectoryStore. */
#ifndef PHP_BLOOM_DIRECTORY_TRIM_H
#define PHP_BLOOM_DIRECTORY_TRIM_H

#include "php/store/store_object.h"

/* The operation of php_bloom_store_ops. */
bool php_bloom_directory_trim(zend_object *store, zend_string *journal, const bloom_mark *position);

#endif
