/* What MapBuilder::like() shares with the constructor. */
#ifndef PHP_BLOOM_BUILD_MAP_H
#define PHP_BLOOM_BUILD_MAP_H

#include "filter/status.h"
#include "php/engine.h"

/* Returns the number of the argument of MapBuilder::__construct() that caused a status. */
uint32_t php_bloom_map_builder_blamed(bloom_status status);

/* Converts the number of value bits. If it is out of range, the core rejects the result. */
uint32_t php_bloom_value_bits(zend_long given);

/* Converts $onDuplicate. Throws a ValueError if it is neither 'refuse' nor 'last'.
 *
 *   given  NULL: 'refuse' */
bool php_bloom_on_duplicate(const zend_string *given, uint32_t argument, bool *keeps_last);

#endif
