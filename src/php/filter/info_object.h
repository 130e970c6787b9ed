/* Makes the readonly objects that info() returns from their entries (php/info_array.h).
 *
 *     entries  keys: 5, fill: 0.1   ──►   object of a class  $keys = 5, $fill = 0.1, $groups = null
 */
#ifndef PHP_BLOOM_INFO_OBJECT_H
#define PHP_BLOOM_INFO_OBJECT_H

#include "php/engine.h"

/* Replaces an array of entries with an object. A property without an entry becomes null, and an
 * entry without a property is left out. */
void php_bloom_info_object(zval *value, zend_class_entry *class);

/* Sets an entry to the case of an enum with this value. */
void php_bloom_info_case(
	HashTable *info, const char *key, zend_class_entry *class, const char *value);

#endif
