#include "php/arguments.h"

#include <math.h>

#include "filter/geometry.h"
#include "kinds/additions.h"
#include "os/clock.h"
#include "segment/filter_dir.h"

const char *php_bloom_name(const zend_string *name, uint32_t argument)
{
	if (bloom_name_check(ZSTR_VAL(name), ZSTR_LEN(name), NULL) != BLOOM_OK) {
		zend_argument_value_error(argument, "%s", bloom_status_requirement(BLOOM_E_NAME));
		return NULL;
	}
	return ZSTR_VAL(name);
}

uint64_t php_bloom_count(zend_long number)
{
	return number > 0 ? (uint64_t)number : 0;
}

uint64_t php_bloom_window_ms(double seconds)
{
	return seconds >= 0.01 && seconds <= 1e9 ? (uint64_t)llround(seconds * 1000) : 0;
}

uint64_t php_bloom_ttl_ms(bool is_null, double seconds)
{
	return is_null                              ? 0
		: seconds >= 0.01 && seconds <= 1e9 ? (uint64_t)llround(seconds * 1000)
						    : UINT64_MAX;
}

uint64_t php_bloom_fan_out(zend_long fan_out)
{
	return fan_out > 0 && fan_out <= BLOOM_FAN_OUT_MAX ? (uint64_t)fan_out : UINT32_MAX;
}

uint32_t php_bloom_optional_uint32(bool is_null, zend_long number)
{
	if (is_null) {
		return 0;
	}
	return number > 0 && (uint64_t)number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

double php_bloom_optional_bits(bool is_null, double bits_per_key)
{
	if (is_null) {
		return 0;
	}
	return bits_per_key != 0 ? bits_per_key : NAN;
}

bool php_bloom_built_ms(bool is_null, double seconds, uint32_t argument, uint64_t *built_ms)
{
	if (!is_null && !(seconds >= 0 && seconds < 1e12)) {
		zend_argument_value_error(
			argument, "must be a Unix time in seconds, from 0 to 10^12");
		return false;
	}
	*built_ms = is_null ? bloom_clock_ms() : (uint64_t)llround(seconds * 1000);
	return true;
}

bool php_bloom_max_lag_ms(bool is_null, double seconds, uint32_t argument, uint64_t *max_lag_ms)
{
	if (is_null) {
		*max_lag_ms = BLOOM_MAX_LAG_KEEP;
		return true;
	}
	if (!(seconds >= 0 && seconds <= 1e9)) {
		zend_argument_value_error(argument,
			"must be null (keep), 0 (any age), or from 0.001 to 1,000,000,000 seconds");
		return false;
	}
	*max_lag_ms = (uint64_t)ceil(seconds * 1000);
	return true;
}
