/* Arguments of PHP methods as the core takes them. */
#ifndef PHP_BLOOM_ARGUMENTS_H
#define PHP_BLOOM_ARGUMENTS_H

#include "php/engine.h"

/* A name that passed the check, or NULL after a ValueError for argument `argument`. */
const char *php_bloom_name(const zend_string *name, uint32_t argument);

/* Numbers as the core takes them. What is out of range becomes what no gate lets pass: it must neither
 * overflow into a good number nor mean "choose for me" when the user said 0. */
uint64_t php_bloom_count(zend_long number);
uint64_t php_bloom_window_ms(double seconds);
uint64_t php_bloom_fan_out(zend_long fan_out);
uint32_t php_bloom_optional_uint32(bool is_null, zend_long number);

#endif
