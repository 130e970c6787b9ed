#include "php/filter/foreign_format.h"

#include <string.h>

#include <zend_enum.h>

const char *php_bloom_foreign_case(uint32_t format)
{
	switch (format) {
	case BLOOM_FOREIGN_VALKEYPROB:
		return "valkeyprob";
	case BLOOM_FOREIGN_REDISBLOOM:
		return "redisbloom";
	case BLOOM_FOREIGN_VALKEY_BLOOM:
		return "valkey-bloom";
	default:
		return "guava";
	}
}

bloom_foreign_format php_bloom_foreign_format(zend_object *object)
{
	const zval *word = zend_enum_fetch_case_value(object);
	bloom_foreign_format format = BLOOM_FOREIGN_VALKEYPROB;

	while (format < BLOOM_FOREIGN_GUAVA_64 &&
		strcmp(Z_STRVAL_P(word), php_bloom_foreign_case(format)) != 0) {
		format++;
	}
	return format;
}
