/* Declares the parts of groups() that Blob and ReverseIndex share. */
#ifndef PHP_BLOOM_LIST_GROUPS_H
#define PHP_BLOOM_LIST_GROUPS_H

#include "filter/reverse.h"
#include "php/engine.h"

/* Parses the arguments of groups(), which are the value, as *string or *number, and the limit. */
bool php_bloom_groups_arguments(
	INTERNAL_FUNCTION_PARAMETERS, zend_string **string, zend_long *number, uint64_t *limit);

/* Makes the list of the groups that may contain a value. Throws if there are more than `limit`
 * groups. If the script's time limit passes during the call, PHP ends the script. */
void php_bloom_groups(zval *list, const bloom_reverse *reverse, bloom_digest value, uint64_t limit);

#endif
