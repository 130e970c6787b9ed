/* From a bloom_status to a PHP exception: the one place where the two meet. */
#ifndef PHP_BLOOM_ERRORS_H
#define PHP_BLOOM_ERRORS_H

#include "php/engine.h"
#include "filter/status.h"

/* Throws what `error` says, as the class that status.h gives it. */
void php_bloom_throw(const bloom_error *error);

/* The same for what arguments were refused for: a ValueError for argument `argument`, of 1 and so on. */
void php_bloom_throw_argument(const bloom_error *error, uint32_t argument);

/* Writes the message that php_bloom_throw() would give. */
zend_string *php_bloom_error_text(const bloom_error *error);

#endif
