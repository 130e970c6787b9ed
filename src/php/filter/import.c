/* Bloom\Blob::import(): blobs from filters that other systems wrote. */
#include "filter/foreign_read.h"
#include "os/clock.h"
#include "os/mapping.h"
#include "php/arguments.h"
#include "php/classes.h"
#include "php/engine.h"
#include "php/errors.h"
#include "php/filter/blob_object.h"
#include "php/filter/foreign_format.h"

typedef struct import {
	zend_string *bytes, *source;
	bloom_foreign_hint hint;
	uint64_t built_ms;
} import;

/* Checks the arguments that only the string of valkeyprob needs. */
static bool check_size(const import *from, bool no_capacity, bool no_rate)
{
	bool is_bare = from->hint.format == BLOOM_FOREIGN_VALKEYPROB;
	bloom_status status;

	if (no_capacity == is_bare || no_rate == is_bare) {
		zend_argument_value_error(no_capacity == is_bare ? 3 : 4,
			is_bare ? "must be given for a valkeyprob string, which does not contain it"
				: "must be null for this format, whose bytes contain it");
		return false;
	}
	if (is_bare && (from->hint.capacity < 1 || from->hint.capacity > BLOOM_CAPACITY_MAX)) {
		status = BLOOM_E_CAPACITY;
		zend_argument_value_error(3, "%s", bloom_status_requirement(status));
		return false;
	}
	if (is_bare && !(from->hint.rate > 0 && from->hint.rate < 1)) {
		zend_argument_value_error(4, "must be above 0 and below 1");
		return false;
	}
	return true;
}

/* Writes the blob into memory of its own, and verifies it like every other blob. */
static bool make_blob(const import *from, const bloom_foreign_source *source, zval *value)
{
	uint64_t count = bloom_foreign_blob_bytes(source);
	php_bloom_progress silent = {0};
	bloom_hasher unknown = {0};
	unsigned char *bytes = NULL;
	bloom_error error = {0};
	bloom_head head;
	bloom_status status = bloom_map_private(count, &bytes, &error);

	if (status == BLOOM_OK) {
		status = bloom_foreign_write(source, from->built_ms, ZSTR_VAL(from->source),
			(uint32_t)ZSTR_LEN(from->source), bytes, &error);
	}
	if (status == BLOOM_OK) {
		status = bloom_blob_parse(bytes, count, &head, &error);
	}
	if (status != BLOOM_OK) {
		bloom_unmap(bytes, count);
		php_bloom_throw(&error);
		return false;
	}
	php_bloom_blob_take(value, bytes, count, &head, &unknown);
	return php_bloom_blob_verify(php_bloom_blob_of(Z_OBJ_P(value)), &silent);
}

ZEND_METHOD(Bloom_Blob, import)
{
import from = {.source = zend_empty_string };
	bool no_capacity = true, no_rate = true, no_time = true, ok;
	zend_object *format = NULL;
	bloom_foreign_source *source;
	bloom_error error = {0};
	zend_long capacity = 0;
	double time = 0;

	ZEND_PARSE_PARAMETERS_START(1, 6)
		Z_PARAM_STR(from.bytes)
		Z_PARAM_OPTIONAL
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(format, php_bloom_ce_foreign_format)
		Z_PARAM_LONG_OR_NULL(capacity, no_capacity)
		Z_PARAM_DOUBLE_OR_NULL(from.hint.rate, no_rate)
		Z_PARAM_STR(from.source)
		Z_PARAM_DOUBLE_OR_NULL(time, no_time)
	ZEND_PARSE_PARAMETERS_END();

	from.hint.format = format != NULL ? php_bloom_foreign_format(format) : BLOOM_FOREIGN_NONE;
	from.hint.capacity = php_bloom_count(capacity);
	if (!check_size(&from, no_capacity, no_rate)) {
		RETURN_THROWS();
	}
	if (ZSTR_LEN(from.source) > BLOOM_SOURCE_BYTES_MAX) {
		zend_argument_value_error(5, "must be at most %d bytes", BLOOM_SOURCE_BYTES_MAX);
		RETURN_THROWS();
	}
	if (!php_bloom_built_ms(no_time, time, 6, &from.built_ms)) {
		RETURN_THROWS();
	}
	source = safe_emalloc(1, sizeof *source, 0);
	if (bloom_foreign_read((const unsigned char *)ZSTR_VAL(from.bytes), ZSTR_LEN(from.bytes),
		    &from.hint, source, &error) == BLOOM_OK) {
		ok = make_blob(&from, source, return_value);
	} else {
		php_bloom_throw(&error);
		ok = false;
	}
	efree(source);
	if (!ok) {
		zval_ptr_dtor(return_value);
		ZVAL_NULL(return_value);
		RETURN_THROWS();
	}
}
