/* Implements Bloom\MapBuilder, except like() (build_like.c) and addFile() (add_file.c). */
#include "php/filter/build_map.h"

#include "build/builder.h"
#include "filter/secret.h"
#include "filter/value_map.h"
#include "os/clock.h"
#include "php/arguments.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/filter/blob_object.h"
#include "php/filter/build.h"
#include "php/filter/layout.h"
#include "php/keyrings.h"
#include "php/keys.h"

uint32_t php_bloom_map_builder_blamed(bloom_status status)
{
	switch (status) {
	case BLOOM_E_VALUE_BITS:
		return 2;
	case BLOOM_E_MAP_RATE:
	case BLOOM_E_RATE_FLOOR:
		return 3;
	case BLOOM_E_MAP_LAYOUT:
	case BLOOM_E_SHARD_BYTES:
	case BLOOM_E_RIBBON_SHARD:
	case BLOOM_E_CHUNK_BYTES:
		return 5;
	default:
		return 1;
	}
}

uint32_t php_bloom_value_bits(zend_long given)
{
	return given >= 1 && given <= BLOOM_VALUE_BITS_MAX ? (uint32_t)given : UINT32_MAX;
}

bool php_bloom_on_duplicate(const zend_string *given, uint32_t argument, bool *keeps_last)
{
	*keeps_last = given != NULL && zend_string_equals_literal(given, "last");
	if (given == NULL || *keeps_last || zend_string_equals_literal(given, "refuse")) {
		return true;
	}
	zend_argument_value_error(
		argument, "must be \"refuse\" or \"last\", \"%.64s\" given", ZSTR_VAL(given));
	return false;
}

ZEND_METHOD(Bloom_MapBuilder, __construct)
{
	zend_long capacity, value_bits, seed = 0, jobs = 1;
	zend_string *given = NULL, *on_duplicate = NULL;
	zend_object *layout_object = NULL;
	bool no_seed = true, keyed = false;
	double rate = 0.01;
	bloom_secret given_secret;
	php_bloom_layout layout;
	php_bloom_construction construction = {
		.source_argument = 6, .blamed = php_bloom_map_builder_blamed, .has_layout = true};

	ZEND_PARSE_PARAMETERS_START(2, 10)
		Z_PARAM_LONG(capacity)
		Z_PARAM_LONG(value_bits)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE(rate)
		Z_PARAM_LONG_OR_NULL(seed, no_seed)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(layout_object, php_bloom_ce_layout)
		Z_PARAM_STR(construction.source)
		Z_PARAM_BOOL(keyed)
		Z_PARAM_STR_OR_NULL(given)
		Z_PARAM_STR(on_duplicate)
		Z_PARAM_LONG(jobs)
	ZEND_PARSE_PARAMETERS_END();

	layout = php_bloom_layout_of(layout_object);
	construction.params = (bloom_params){
		.capacity_keys = php_bloom_count(capacity),
		.rate = rate,
		.value_bits = php_bloom_value_bits(value_bits),
		.shard_bytes = layout.shard_bytes,
		.block_bytes = layout.block_bytes,
		.probes = layout.probes,
	};
	construction.chunk_bytes = layout.chunk_bytes;
	construction.seed = no_seed ? bloom_random() : (uint64_t)seed;
	if (!php_bloom_check_jobs(jobs, 10, &construction.jobs) ||
		!php_bloom_on_duplicate(on_duplicate, 9, &construction.params.keeps_last)) {
		RETURN_THROWS();
	}
	if (php_bloom_choose_secret(keyed, given, 8, &given_secret, &construction.params.secret)) {
		php_bloom_builder_construct(Z_OBJ_P(ZEND_THIS), &construction);
	}
	bloom_wipe(&given_secret, sizeof given_secret);
}

/* Throws because a value does not fit.
 *
 *   place  position of the value in an iterable, or -1 */
static ZEND_COLD void throw_value(
	const bloom_builder *builder, zend_long value, uint32_t argument, zend_long place)
{
	uint64_t most = (UINT64_C(1) << builder->geometry.value_bits) - 1;

	if (place < 0) {
		zend_argument_value_error(argument,
			"must be between 0 and %llu for %u value bits, " ZEND_LONG_FMT " given",
			(unsigned long long)most, builder->geometry.value_bits, value);
	} else {
		zend_argument_value_error(argument,
			"must contain only values between 0 and %llu for %u value "
			"bits, " ZEND_LONG_FMT " given at position " ZEND_LONG_FMT,
			(unsigned long long)most, builder->geometry.value_bits, value, place);
	}
}

ZEND_METHOD(Bloom_MapBuilder, set)
{
	bloom_builder *builder;
	zend_string *string;
	zend_long number, value;
	php_bloom_key key;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		PHP_BLOOM_PARAM_KEY(string, number)
		Z_PARAM_LONG(value)
	ZEND_PARSE_PARAMETERS_END();

	/* The builder is checked only here, because a key's __toString() may already have called
	 * build(). */
	builder = php_bloom_builder_from(Z_OBJ_P(ZEND_THIS));
	if (builder == NULL) {
		RETURN_THROWS();
	}
	if (!bloom_value_fits((uint64_t)value, builder->geometry.value_bits)) {
		throw_value(builder, value, 2, -1);
		RETURN_THROWS();
	}
	php_bloom_key_of(&key, string, number);
	bloom_builder_set(builder, key.bytes, key.count, (uint64_t)value);
	if (php_bloom_throw_when_short(builder)) {
		RETURN_THROWS();
	}
}

/* Sets an element of an iterable. Userland may have run since the previous one, so the function
 * checks the builder each time. */
static bool set_element(
	zend_object *object, const php_bloom_key *key, const zval *value, zend_long place)
{
	bloom_builder *builder = php_bloom_builder_from(object);

	if (builder == NULL) {
		return false;
	}
	ZVAL_DEREF(value);
	if (Z_TYPE_P(value) != IS_LONG) {
		zend_argument_type_error(1,
			"must contain only values of type int, %s given at position " ZEND_LONG_FMT,
			zend_zval_type_name(value), place);
		return false;
	}
	if (!bloom_value_fits((uint64_t)Z_LVAL_P(value), builder->geometry.value_bits)) {
		throw_value(builder, Z_LVAL_P(value), 1, place);
		return false;
	}
	bloom_builder_set(builder, key->bytes, key->count, (uint64_t)Z_LVAL_P(value));
	return !php_bloom_throw_when_short(builder);
}

static zend_long set_array(zend_object *object, HashTable *values)
{
	zend_long place = 0;
	zend_string *string;
	php_bloom_key key;
	zend_ulong number;
	zval *value;

	ZEND_HASH_FOREACH_KEY_VAL(values, number, string, value) {
		php_bloom_key_of(&key, string, (zend_long)number);
		if (!set_element(object, &key, value, place)) {
			break;
		}
		place++;
	}
	ZEND_HASH_FOREACH_END();
	return place;
}

/* Sets the current element of an iterator. */
static bool set_current(zend_object *object, zend_object_iterator *iterator, zend_long place)
{
	zval *current = iterator->funcs->get_current_data(iterator);
	php_bloom_key key;
	bool ok = false;
	zval name, value;

	if (EG(exception) || current == NULL) {
		return false;
	}
	/* A key() of userland may advance the iterator, which then frees its current value. */
	ZVAL_COPY_DEREF(&value, current);
	ZVAL_LONG(&name, place);
	if (iterator->funcs->get_current_key != NULL) {
		iterator->funcs->get_current_key(iterator, &name);
	}
	if (EG(exception) == NULL) {
		if (php_bloom_key_of_value(&key, &name)) {
			ok = set_element(object, &key, &value, place);
		} else {
			zend_argument_type_error(1,
				"must contain only keys of type string|int, %s given at "
				"position " ZEND_LONG_FMT,
				zend_zval_type_name(&name), place);
		}
	}
	zval_ptr_dtor(&name);
	zval_ptr_dtor(&value);
	return ok;
}

static zend_long set_traversable(zend_object *object, zval *values)
{
	zend_class_entry *class = Z_OBJCE_P(values);
	zend_object_iterator *iterator = class->get_iterator(class, values, 0);
	zend_long place = 0;

	if (iterator == NULL || EG(exception)) {
		return 0;
	}
	if (iterator->funcs->rewind != NULL) {
		iterator->funcs->rewind(iterator);
	}
	while (!EG(exception) && iterator->funcs->valid(iterator) == SUCCESS && !EG(exception) &&
		set_current(object, iterator, place)) {
		place++;
		iterator->index++;
		iterator->funcs->move_forward(iterator);
	}
	zend_iterator_dtor(iterator);
	return place;
}

ZEND_METHOD(Bloom_MapBuilder, setMany)
{
	zend_object *object = Z_OBJ_P(ZEND_THIS);
	zend_long count;
	zval *values;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ITERABLE(values)
	ZEND_PARSE_PARAMETERS_END();

	if (php_bloom_builder_from(object) == NULL) {
		RETURN_THROWS();
	}
	count = Z_TYPE_P(values) == IS_ARRAY ? set_array(object, Z_ARRVAL_P(values))
					     : set_traversable(object, values);
	if (EG(exception)) {
		RETURN_THROWS();
	}
	RETURN_LONG(count);
}

ZEND_METHOD(Bloom_MapBuilder, build)
{
	bloom_builder *builder = php_bloom_builder_from(Z_OBJ_P(ZEND_THIS));
	uint64_t built_ms;
	bool no_time = true;
	double time = 0;

	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(time, no_time)
	ZEND_PARSE_PARAMETERS_END();

	if (builder == NULL || !php_bloom_built_ms(no_time, time, 1, &built_ms) ||
		/* No number of keys changes the rate of a map. */
		!php_bloom_blob_build(return_value, builder, built_ms, 1)) {
		RETURN_THROWS();
	}
	php_bloom_builder_is_built(Z_OBJ_P(ZEND_THIS));
}
