/* The cases of Bloom\ForeignFormat are the systems whose filters we can read. */
#ifndef PHP_BLOOM_FOREIGN_FORMAT_H
#define PHP_BLOOM_FOREIGN_FORMAT_H

#include "filter/geometry.h"
#include "php/engine.h"

/* Returns the value of the case for a format, such as "redisbloom". */
const char *php_bloom_foreign_case(uint32_t format);

/* Returns the format of a case. GUAVA_64 stands for both formats of Guava. */
bloom_foreign_format php_bloom_foreign_format(zend_object *object);

#endif
