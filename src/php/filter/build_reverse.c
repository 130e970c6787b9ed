/* Implements Bloom\ReverseIndex and Bloom\ReverseIndexBuilder.
 *
 * Other files contain create() (create_filter.c), import() (live_filter.c), like() (build_like.c)
 * and the part of groups() that Blob also uses (list_groups.c).
 */
#include "php/filter/build_reverse.h"

#include "build/builder.h"
#include "kinds/live.h"
#include "os/clock.h"
#include "php/arguments.h"
#include "php/filter/build.h"
#include "php/errors.h"
#include "php/filter/list_groups.h"
#include "php/filter/handle.h"
#include "php/keys.h"
#include "php/keyrings.h"

static bool check_group(zend_long group, uint64_t groups)
{
	if (group >= 0 && (uint64_t)group < groups) {
		return true;
	}
	zend_argument_value_error(
		1, "must be between 0 and " ZEND_LONG_FMT, (zend_long)(groups - 1));
	return false;
}

/* ---- the index ---- */

typedef struct adding {
	zend_object *object;
	zend_long group;
	zend_long added_new;
} adding;

/* Userland may have run since the previous value, so the function checks the index for each
 * value. */
static bool add_to_index(void *context, const php_bloom_key *value)
{
	adding *target = context;
	bloom_attachment *attachment = php_bloom_present(target->object);
	bloom_error error = {0};
	bool is_new = false;

	if (attachment == NULL) {
		return false;
	}
	if (attachment->ops->add_to_group == NULL) {
		(void)bloom_fail(&error, BLOOM_E_IMMUTABLE, 0, "%.128s", attachment->name);
		php_bloom_throw(&error);
		return false;
	}
	if (!check_group(target->group, attachment->ops->reverse(attachment)->groups)) {
		return false;
	}
	if (attachment->ops->add_to_group(attachment, (uint64_t)target->group, value->bytes,
		    value->count, &is_new, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	target->added_new += is_new;
	return true;
}

/* Implements add() for the index and the builder. */
static void add_one(INTERNAL_FUNCTION_PARAMETERS, php_bloom_take_key take)
{
	adding target = {.object = Z_OBJ_P(ZEND_THIS)};
	zend_string *string;
	zend_long number;
	php_bloom_key value;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_LONG(target.group)
		PHP_BLOOM_PARAM_KEY(string, number)
	ZEND_PARSE_PARAMETERS_END();

	php_bloom_key_of(&value, string, number);
	if (!take(&target, &value)) {
		RETURN_THROWS();
	}
	RETURN_BOOL(target.added_new != 0);
}

/* Implements addMany() for the index and the builder. */
static void add_many(INTERNAL_FUNCTION_PARAMETERS, php_bloom_take_key take)
{
	adding target = {.object = Z_OBJ_P(ZEND_THIS)};
	zval *values;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_LONG(target.group)
		Z_PARAM_ITERABLE(values)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_bloom_each_key(values, 2, take, &target)) {
		RETURN_THROWS();
	}
	RETURN_LONG(target.added_new);
}

ZEND_METHOD(Bloom_ReverseIndex, add)
{
	add_one(INTERNAL_FUNCTION_PARAM_PASSTHRU, add_to_index);
}

ZEND_METHOD(Bloom_ReverseIndex, addMany)
{
	add_many(INTERNAL_FUNCTION_PARAM_PASSTHRU, add_to_index);
}

ZEND_METHOD(Bloom_ReverseIndex, groups)
{
	bloom_attachment *attachment;
	zend_string *string = NULL;
	zend_long number = 0;
	php_bloom_key value;
	uint64_t limit;

	if (!php_bloom_groups_arguments(
		    INTERNAL_FUNCTION_PARAM_PASSTHRU, &string, &number, &limit)) {
		RETURN_THROWS();
	}
	attachment = php_bloom_present(Z_OBJ_P(ZEND_THIS));
	if (attachment == NULL) {
		RETURN_THROWS();
	}
	php_bloom_key_of(&value, string, number);
	php_bloom_groups(return_value, attachment->ops->reverse(attachment),
		bloom_hash(&attachment->hasher, value.bytes, value.count), limit);
	if (EG(exception) == NULL) {
		bloom_attachment_count(
			attachment, zend_hash_num_elements(Z_ARRVAL_P(return_value)) != 0);
	}
}

/* ---- the builder ---- */

static bool add_to_builder(void *context, const php_bloom_key *value)
{
	adding *target = context;
	bloom_builder *builder = php_bloom_builder_from(target->object);

	if (builder == NULL || !check_group(target->group, builder->geometry.groups)) {
		return false;
	}
	target->added_new += bloom_builder_add_to_group(
		builder, (uint64_t)target->group, value->bytes, value->count);
	return true;
}

uint32_t php_bloom_reverse_builder_blamed(bloom_status status)
{
	switch (status) {
	case BLOOM_E_GROUPS:
		return 1;
	case BLOOM_E_RATE:
	case BLOOM_E_RATE_FLOOR:
	case BLOOM_E_GROUPS_RATE:
		return 3;
	case BLOOM_E_FAN_OUT:
		return 4;
	default:
		return 2;
	}
}

ZEND_METHOD(Bloom_ReverseIndexBuilder, __construct)
{
	zend_long groups, capacity, fan_out = BLOOM_FAN_OUT_DEFAULT, seed = 0;
	zend_string *given = NULL;
	bool no_seed = true, keyed = false;
	double rate = 0.001;
	bloom_secret given_secret;
	php_bloom_construction construction = {
		.jobs = 1, .source_argument = 6, .blamed = php_bloom_reverse_builder_blamed};

	ZEND_PARSE_PARAMETERS_START(2, 8)
		Z_PARAM_LONG(groups)
		Z_PARAM_LONG(capacity)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE(rate)
		Z_PARAM_LONG(fan_out)
		Z_PARAM_LONG_OR_NULL(seed, no_seed)
		Z_PARAM_STR(construction.source)
		Z_PARAM_BOOL(keyed)
		Z_PARAM_STR_OR_NULL(given)
	ZEND_PARSE_PARAMETERS_END();

	construction.params = (bloom_params){
		.capacity_keys = php_bloom_count(capacity),
		.rate = rate,
		/* 0 would mean a plain filter. */
		.groups = groups > 0 ? (uint64_t)groups : UINT64_MAX,
		.fan_out = (uint32_t)php_bloom_fan_out(fan_out),
	};
	construction.seed = no_seed ? bloom_random() : (uint64_t)seed;
	if (php_bloom_choose_secret(keyed, given, 8, &given_secret, &construction.params.secret)) {
		php_bloom_builder_construct(Z_OBJ_P(ZEND_THIS), &construction);
	}
	bloom_wipe(&given_secret, sizeof given_secret);
}

ZEND_METHOD(Bloom_ReverseIndexBuilder, add)
{
	add_one(INTERNAL_FUNCTION_PARAM_PASSTHRU, add_to_builder);
}

ZEND_METHOD(Bloom_ReverseIndexBuilder, addMany)
{
	add_many(INTERNAL_FUNCTION_PARAM_PASSTHRU, add_to_builder);
}
