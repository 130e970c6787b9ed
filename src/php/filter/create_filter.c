/* Implements create() for LiveFilter, CountingFilter, ScalableFilter, SlidingFilter and
 * ReverseIndex. */
#include "php/engine.h"

#include "kinds/create.h"
#include "php/arguments.h"
#include "php/filter/attachment_pool.h"
#include "php/errors.h"
#include "php/filter/handle.h"
#include "php/keyrings.h"
#include "php/settings.h"

/* The position of each argument of create(), for error messages. The order differs between
 * classes. */
typedef struct arguments {
	uint32_t capacity, rate, growth, tightening, window, groups, fan_out, ttl;
} arguments;

/* The arguments of create() that all classes have. */
typedef struct common {
	zend_string *name;
	zend_long seed;
	bool no_seed, is_keyed;
	double ttl;
	bool no_ttl, is_exclusive;
} common;

static uint32_t blamed_argument(const arguments *places, bloom_status status)
{
	switch (status) {
	case BLOOM_E_RATE:
	case BLOOM_E_RATE_FLOOR:
	case BLOOM_E_GROUPS_RATE:
		return places->rate;
	case BLOOM_E_GROWTH:
		return places->growth;
	case BLOOM_E_TIGHTENING:
		return places->tightening;
	case BLOOM_E_WINDOW:
		return places->window;
	case BLOOM_E_GROUPS:
		return places->groups;
	case BLOOM_E_FAN_OUT:
		return places->fan_out;
	case BLOOM_E_TTL:
		return places->ttl;
	default:
		return places->capacity;
	}
}

static bloom_status match(const bloom_attachment *attachment, const bloom_live_params *params,
	const uint64_t *seed, bloom_error *error)
{
	if (attachment->ops->kind != params->kind) {
		return bloom_fail_kind(error, attachment->name, php_bloom_kind_text(attachment),
			bloom_kind_text(params->kind));
	}
	return bloom_attachment_is_mapped(attachment)
		? bloom_live_match(attachment->live, params, seed, attachment->name, error)
		: bloom_fail(error, BLOOM_E_UNMAPPED, 0, "%.128s", attachment->name);
}

/* Opens the filter, or creates it. The documentation recommends that every process call create(),
 * so the filter usually exists already. The function therefore tries to open the filter first, so
 * that create() costs little more than open(). Another process may drop the filter between two
 * steps, so the steps are repeated. */
static bloom_status open_or_make(const bloom_segment *segment, const char *name,
	const bloom_live_params *params, const bloom_creation *how, php_bloom_attachment **held,
	bloom_error *error)
{
	enum { TRIES_MAX = 10 };
	bloom_status status = bloom_live_params_check_ranges(params, error);
	bool created = false;
	int i;

	if (status == BLOOM_OK && how->is_exclusive) {
		status = bloom_live_create(segment, name, params, how, &created, error);
	}
	for (i = 0; status == BLOOM_OK && i < TRIES_MAX; i++) {
		status = php_bloom_attach(segment, name, held, error);
		if (status == BLOOM_OK) {
			return match(&(*held)->attachment, params, how->seed, error);
		}
		/* bloom_live_create() replaces a file that is not a control page. */
		if (!how->is_exclusive &&
			(status == BLOOM_E_NOT_FOUND || status == BLOOM_E_CONTROL)) {
			status = bloom_live_create(segment, name, params, how, &created, error);
			php_bloom_segment_changed();
		}
		if (bloom_status_group_of(status) == BLOOM_GROUP_RETRY) {
			status = BLOOM_OK;
		}
	}
	return status == BLOOM_OK ? bloom_fail(error, BLOOM_E_GONE, 0, "%s", name) : status;
}

static void create(zval *value, const common *given, bloom_live_params params, arguments places)
{
	const bloom_segment *segment = php_bloom_segment_for(given->name, 1);
	uint64_t seed = (uint64_t)given->seed;
	const bloom_creation how = {
		.seed = given->no_seed ? NULL : &seed,
		.ttl_ms = php_bloom_ttl_ms(given->no_ttl, given->ttl),
		.is_exclusive = given->is_exclusive,
	};
	php_bloom_attachment *held = NULL;
	bloom_error error = {0};
	bloom_status status;

	if (segment == NULL ||
		!php_bloom_choose_fingerprint(given->is_keyed, &params.fingerprint)) {
		return;
	}
	status = how.ttl_ms <= BLOOM_TTL_MS_MAX
		? open_or_make(segment, ZSTR_VAL(given->name), &params, &how, &held, &error)
		: bloom_fail(&error, BLOOM_E_TTL, 0, "filter");
	if (status != BLOOM_OK) {
		php_bloom_throw_argument(&error, blamed_argument(&places, error.status));
		return;
	}
	php_bloom_make_handle(value, held);
}

/* Parses the arguments that end every create(). */
#define PARAM_COMMON(given)                                 \
	Z_PARAM_LONG_OR_NULL((given).seed, (given).no_seed) \
	Z_PARAM_BOOL((given).is_keyed)                      \
	Z_PARAM_DOUBLE_OR_NULL((given).ttl, (given).no_ttl) \
	Z_PARAM_BOOL((given).is_exclusive)

#define COMMON_DEFAULT                          \
	{                                       \
		.no_seed = true, .no_ttl = true \
	}

/* Implements create() for LiveFilter and CountingFilter. */
static void create_fixed(INTERNAL_FUNCTION_PARAMETERS, bloom_kind kind)
{
	common given = COMMON_DEFAULT;
	bool is_bounded = false;
	zend_long capacity;
	double rate = 0.01;

	ZEND_PARSE_PARAMETERS_START(2, 8)
		Z_PARAM_STR(given.name)
		Z_PARAM_LONG(capacity)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE(rate)
		PARAM_COMMON(given)
		Z_PARAM_BOOL(is_bounded)
	ZEND_PARSE_PARAMETERS_END();

	create(return_value, &given,
		(bloom_live_params){.kind = kind,
			.capacity_keys = php_bloom_count(capacity),
			.rate = rate,
			.is_bounded = is_bounded},
		(arguments){.capacity = 2, .rate = 3, .ttl = 6});
}

ZEND_METHOD(Bloom_LiveFilter, create)
{
	create_fixed(INTERNAL_FUNCTION_PARAM_PASSTHRU, BLOOM_KIND_LIVE);
}

ZEND_METHOD(Bloom_CountingFilter, create)
{
	create_fixed(INTERNAL_FUNCTION_PARAM_PASSTHRU, BLOOM_KIND_COUNTING);
}

ZEND_METHOD(Bloom_ScalableFilter, create)
{
	double rate = 0.01, growth = 2, tightening = 0.9;
	common given = COMMON_DEFAULT;
	zend_long capacity;

	ZEND_PARSE_PARAMETERS_START(2, 9)
		Z_PARAM_STR(given.name)
		Z_PARAM_LONG(capacity)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE(rate)
		Z_PARAM_DOUBLE(growth)
		Z_PARAM_DOUBLE(tightening)
		PARAM_COMMON(given)
	ZEND_PARSE_PARAMETERS_END();

	create(return_value, &given,
		(bloom_live_params){.kind = BLOOM_KIND_SCALABLE,
			.capacity_keys = php_bloom_count(capacity),
			.rate = rate,
			.growth = growth,
			.tightening = tightening},
		(arguments){.capacity = 2, .rate = 3, .growth = 4, .tightening = 5, .ttl = 8});
}

ZEND_METHOD(Bloom_SlidingFilter, create)
{
	common given = COMMON_DEFAULT;
	zend_long capacity;
	double rate, window;

	ZEND_PARSE_PARAMETERS_START(4, 8)
		Z_PARAM_STR(given.name)
		Z_PARAM_LONG(capacity)
		Z_PARAM_DOUBLE(rate)
		Z_PARAM_DOUBLE(window)
		Z_PARAM_OPTIONAL
		PARAM_COMMON(given)
	ZEND_PARSE_PARAMETERS_END();

	create(return_value, &given,
		(bloom_live_params){.kind = BLOOM_KIND_SLIDING,
			.capacity_keys = php_bloom_count(capacity),
			.rate = rate,
			.window_ms = php_bloom_window_ms(window)},
		(arguments){.capacity = 2, .rate = 3, .window = 4, .ttl = 7});
}

ZEND_METHOD(Bloom_ReverseIndex, create)
{
	zend_long groups, capacity, fan_out = BLOOM_FAN_OUT_DEFAULT;
	common given = COMMON_DEFAULT;
	double rate = 0.001;

	ZEND_PARSE_PARAMETERS_START(3, 9)
		Z_PARAM_STR(given.name)
		Z_PARAM_LONG(groups)
		Z_PARAM_LONG(capacity)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE(rate)
		Z_PARAM_LONG(fan_out)
		PARAM_COMMON(given)
	ZEND_PARSE_PARAMETERS_END();

	create(return_value, &given,
		(bloom_live_params){.kind = BLOOM_KIND_REVERSE,
			.capacity_keys = php_bloom_count(capacity),
			.rate = rate,
			.groups = php_bloom_count(groups),
			.fan_out = php_bloom_fan_out(fan_out)},
		(arguments){.groups = 2, .capacity = 3, .rate = 4, .fan_out = 5, .ttl = 8});
}
