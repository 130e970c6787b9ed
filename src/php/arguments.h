/* Converts PHP arguments to the types that the core takes.
 *
 * A number that is out of range becomes a value that the core's own check rejects, so a conversion
 * must neither overflow to a valid number nor return 0 where 0 means that the core chooses the
 * value.
 */
#ifndef PHP_BLOOM_ARGUMENTS_H
#define PHP_BLOOM_ARGUMENTS_H

#include "php/engine.h"

/* Returns the bytes of a filter name. Returns NULL after a ValueError for argument `argument` if
 * the name is invalid. */
const char *php_bloom_name(const zend_string *name, uint32_t argument);

/* Convert a number of keys or groups, and a window. They return 0 if it is out of range. */
uint64_t php_bloom_count(zend_long number);
uint64_t php_bloom_window_ms(double seconds);

/* Converts a time to live. Returns 0 for null, and UINT64_MAX if it is out of range. */
uint64_t php_bloom_ttl_ms(bool is_null, double seconds);

/* Converts a fan-out. Returns UINT32_MAX if it is out of range. */
uint64_t php_bloom_fan_out(zend_long fan_out);

/* Convert a number that the core chooses if the argument is null. They return 0 for null, and
 * UINT32_MAX or NaN for 0, which is invalid. */
uint32_t php_bloom_optional_uint32(bool is_null, zend_long number);
double php_bloom_optional_bits(bool is_null, double bits_per_key);

/* Converts a build time from seconds to milliseconds, where null stands for the current time.
 * Throws a ValueError for argument `argument` if it is out of range. */
bool php_bloom_built_ms(bool is_null, double seconds, uint32_t argument, uint64_t *built_ms);

/* Converts a maximum lag from seconds to milliseconds, and null to BLOOM_MAX_LAG_KEEP. Throws a
 * ValueError for argument `argument` if it is out of range. */
bool php_bloom_max_lag_ms(bool is_null, double seconds, uint32_t argument, uint64_t *max_lag_ms);

#endif
