/* groups(), of a blob and of an index in the segment. */
#ifndef PHP_BLOOM_GROUPS_H
#define PHP_BLOOM_GROUPS_H

#include "filter/reverse.h"
#include "php/engine.h"

/* What groups() takes: the value and the limit. False: thrown. */
bool php_bloom_groups_arguments(
	INTERNAL_FUNCTION_PARAMETERS, zend_string **string, zend_long *number, uint64_t *limit);

/* Makes the list of the groups that may hold a value. Thrown when there are more than `limit`. */
void php_bloom_groups(zval *list, const bloom_reverse *reverse, bloom_digest value, uint64_t limit);

#endif
