/* Implements Bloom\Builder, except like() (build_like.c) and addFile() (add_file.c). */
#include "php/filter/build.h"

#include <math.h>
#include <string.h>

#include <zend_enum.h>
#include <zend_exceptions.h>

#include "filter/compiler.h"
#include "filter/rate.h"
#include "filter/geometry.h"
#include "filter/secret.h"
#include "kinds/ondemand.h"
#include "os/clock.h"
#include "os/mapping.h"
#include "os/parallel.h"
#include "php/arguments.h"
#include "php/filter/blob_object.h"
#include "php/filter/foreign_format.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/info_array.h"
#include "php/filter/info_blob.h"
#include "php/filter/info_object.h"
#include "php/filter/layout.h"
#include "php/keys.h"
#include "php/object.h"
#include "php/keyrings.h"

typedef struct php_bloom_builder {
	bloom_builder builder; /* image NULL: never initialized, built, or too large to be filled */
	bool built;
	zend_object std;
} php_bloom_builder;

static zend_object_handlers handlers;

static php_bloom_builder *builder_of(zend_object *object)
{
	return PHP_BLOOM_OBJECT_OF(php_bloom_builder, object);
}

static zend_object *create(zend_class_entry *class)
{
	php_bloom_builder *self = zend_object_alloc(sizeof *self, class);

	return php_bloom_object_init(&self->std, class, &handlers);
}

static void destroy(zend_object *object)
{
	bloom_builder_free(&builder_of(object)->builder);
	zend_object_std_dtor(object);
}

void php_bloom_builder_startup(void)
{
	php_bloom_ce_builder->create_object = create;
	php_bloom_ce_reverse_index_builder->create_object = create;
	php_bloom_ce_map_builder->create_object = create;
	php_bloom_object_handlers(&handlers, offsetof(php_bloom_builder, std), destroy);
}

/* This is a separate function because add() checks the image for each key. If add() had a
 * bloom_error on its own stack, it would have to clear the bloom_error for each key. */
static ZEND_COLD void throw_without_bits(const php_bloom_builder *self)
{
	bloom_error error = {0};

	if (bloom_memory_check(self->builder.image_bytes, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return;
	}
	zend_throw_exception(php_bloom_ce_Bloom,
		self->built ? "This builder has already built its blob: create a new one"
			    : "This builder was never constructed",
		0);
}

bloom_builder *php_bloom_builder_from(zend_object *object)
{
	php_bloom_builder *self = builder_of(object);

	if (EXPECTED(self->builder.image != NULL)) {
		return &self->builder;
	}
	throw_without_bits(self);
	return NULL;
}

void php_bloom_builder_is_built(zend_object *object)
{
	builder_of(object)->built = true;
}

ZEND_COLD zend_never_inline void php_bloom_throw_short(const bloom_builder *builder)
{
	bloom_error error = {0};

	(void)bloom_fail(&error, BLOOM_E_MEMORY, 0, "%llu keys", (unsigned long long)builder->keys);
	php_bloom_throw(&error);
}

uint32_t php_bloom_builder_blamed(bloom_status status)
{
	switch (status) {
	case BLOOM_E_RATE:
	case BLOOM_E_RATE_FLOOR:
		return 2;
	case BLOOM_E_SHARD_BYTES:
	case BLOOM_E_RIBBON_SHARD:
	case BLOOM_E_BLOCK_BYTES:
	case BLOOM_E_PROBES:
	case BLOOM_E_CHUNK_BYTES:
		return 4;
	case BLOOM_E_BITS_PER_KEY:
	case BLOOM_E_RIBBON_BITS:
		return 5;
	case BLOOM_E_NOT_BLOOM:
		return 9;
	case BLOOM_E_FOREIGN_BUILD:
	case BLOOM_E_FOREIGN_PARAMS:
		return 11;
	default:
		return 1;
	}
}

static void throw_blamed(const php_bloom_construction *construction, const bloom_error *error)
{
	const char *property =
		construction->has_layout ? php_bloom_layout_blamed(error->status) : NULL;
	uint32_t argument = construction->blamed(error->status);

	if (property != NULL) {
		zend_argument_value_error(argument, "has an invalid %s: it %s", property,
			bloom_status_requirement(error->status));
	} else {
		php_bloom_throw_argument(error, argument);
	}
}

void php_bloom_builder_construct(zend_object *object, const php_bloom_construction *construction)
{
	php_bloom_builder *self = builder_of(object);
	const zend_string *source = construction->source;
	bloom_error error = {0};
	bloom_status status;

	if (self->builder.image_bytes != 0 || self->built) {
		zend_throw_exception(php_bloom_ce_Bloom, "This builder is already constructed", 0);
		return;
	}
	if (source != NULL && ZSTR_LEN(source) > BLOOM_SOURCE_BYTES_MAX) {
		zend_argument_value_error(construction->source_argument, "must be at most %d bytes",
			BLOOM_SOURCE_BYTES_MAX);
		return;
	}
	status = construction->like != NULL
		? bloom_builder_init_like(construction->like, &construction->params,
			  construction->seed, construction->chunk_bytes, &self->builder, &error)
		: bloom_builder_init(&construction->params, construction->seed,
			  construction->chunk_bytes, &self->builder, &error);
	/* A builder that is too large for this machine still reports its size in info(). */
	if (status != BLOOM_OK && self->builder.image_bytes == 0) {
		throw_blamed(construction, &error);
		return;
	}
	if (source != NULL) {
		self->builder.meta.source_bytes = (uint32_t)ZSTR_LEN(source);
		memcpy(self->builder.meta.source, ZSTR_VAL(source), ZSTR_LEN(source));
	}
	self->builder.jobs = construction->jobs;
}

bool php_bloom_check_jobs(zend_long given, uint32_t argument, uint32_t *jobs)
{
	if (given < 1 || given > BLOOM_JOBS_MAX) {
		zend_argument_value_error(argument, "must be between 1 and %d", BLOOM_JOBS_MAX);
		return false;
	}
	*jobs = (uint32_t)given;
	return true;
}

/* Returns whether a ribbon filter with these parameters needs fewer bytes than a Bloom filter. The
 * scheme null chooses the smaller filter. */
static bool ribbon_is_smaller(const bloom_params *params, uint32_t chunk_bytes)
{
	bloom_params other = *params;
	bloom_geometry bloom, ribbon;

	other.ribbon = true;
	if (chunk_bytes == 0) {
		chunk_bytes = BLOOM_CHUNK_BYTES_DEFAULT;
	}
	return params->bits_per_key == 0 && bloom_geometry_choose(params, 0, &bloom) == BLOOM_OK &&
		bloom_geometry_choose(&other, 0, &ribbon) == BLOOM_OK &&
		bloom_chunk_bytes_check(&ribbon, chunk_bytes) == BLOOM_OK &&
		bloom_head_bytes(&ribbon, chunk_bytes) + bloom_geometry_bytes(&ribbon) <
		bloom_head_bytes(&bloom, chunk_bytes) + bloom_geometry_bytes(&bloom);
}

bool php_bloom_choose_scheme(
	zend_object *scheme, uint32_t argument, uint32_t chunk_bytes, bloom_params *params)
{
	const zend_string *value;
	bool is_foreign;

	if (scheme == NULL) {
		params->ribbon = ribbon_is_smaller(params, chunk_bytes);
		return true;
	}
	value = Z_STR_P(zend_enum_fetch_case_value(scheme));
	params->ribbon = zend_string_equals_literal(value, "ribbon");
	is_foreign = zend_string_equals_literal(value, "foreign");
	if (is_foreign ? params->foreign == BLOOM_FOREIGN_NONE
		       : !params->ribbon && !zend_string_equals_literal(value, "bloom")) {
		zend_argument_value_error(argument,
			is_foreign ? "must not be Bloom\\Scheme::Foreign without a $format: "
				     "Blob::import() makes other such blobs"
				: zend_string_equals_literal(value, "map")
				? "must not be Bloom\\Scheme::Map: MapBuilder builds maps"
				: "must not be Bloom\\Scheme::Reverse: ReverseIndexBuilder builds "
				  "reverse indexes");
		return false;
	}
	return true;
}

ZEND_METHOD(Bloom_Builder, __construct)
{
	zend_long capacity, seed = 0, jobs = 1;
	bool no_seed = true, no_bits = true, keyed = false;
	double rate = 0.01, bits_per_key = 0;
	zend_string *given = NULL;
	zend_object *scheme = NULL, *layout_object = NULL, *format = NULL;
	php_bloom_layout layout;
	bloom_secret given_secret;
	php_bloom_construction construction = {
		.source_argument = 6, .blamed = php_bloom_builder_blamed, .has_layout = true};

	ZEND_PARSE_PARAMETERS_START(1, 11)
		Z_PARAM_LONG(capacity)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE(rate)
		Z_PARAM_LONG_OR_NULL(seed, no_seed)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(layout_object, php_bloom_ce_layout)
		Z_PARAM_DOUBLE_OR_NULL(bits_per_key, no_bits)
		Z_PARAM_STR(construction.source)
		Z_PARAM_BOOL(keyed)
		Z_PARAM_STR_OR_NULL(given)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(scheme, php_bloom_ce_scheme)
		Z_PARAM_LONG(jobs)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(format, php_bloom_ce_foreign_format)
	ZEND_PARSE_PARAMETERS_END();

	layout = php_bloom_layout_of(layout_object);
	construction.params = (bloom_params){
		.capacity_keys = php_bloom_count(capacity),
		.rate = rate,
		.shard_bytes = layout.shard_bytes,
		.block_bytes = layout.block_bytes,
		.probes = layout.probes,
		.bits_per_key = php_bloom_optional_bits(no_bits, bits_per_key),
		.foreign = format != NULL ? php_bloom_foreign_format(format) : BLOOM_FOREIGN_NONE,
	};
	construction.chunk_bytes = layout.chunk_bytes;
	construction.seed = !no_seed ? (uint64_t)seed : format != NULL ? 0 : bloom_random();
	/* The core cannot tell a given seed 0 from none. */
	if (format != NULL && !no_seed) {
		zend_argument_value_error(
			11, "%s", bloom_status_requirement(BLOOM_E_FOREIGN_PARAMS));
		RETURN_THROWS();
	}
	if (!php_bloom_check_jobs(jobs, 10, &construction.jobs) ||
		(ZEND_NUM_ARGS() >= 9 &&
			!php_bloom_choose_scheme(
				scheme, 9, layout.chunk_bytes, &construction.params))) {
		RETURN_THROWS();
	}
	if (php_bloom_choose_secret(keyed, given, 8, &given_secret, &construction.params.secret)) {
		php_bloom_builder_construct(Z_OBJ_P(ZEND_THIS), &construction);
	}
	bloom_wipe(&given_secret, sizeof given_secret);
}

ZEND_METHOD(Bloom_Builder, add)
{
	bloom_builder *builder;
	zend_string *string;
	zend_long number;
	php_bloom_key key;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		PHP_BLOOM_PARAM_KEY(string, number)
	ZEND_PARSE_PARAMETERS_END();

	/* The builder is checked only here, because a key's __toString() may already have called
	 * build(). */
	builder = php_bloom_builder_from(Z_OBJ_P(ZEND_THIS));
	if (builder == NULL) {
		RETURN_THROWS();
	}
	php_bloom_key_of(&key, string, number);
	RETVAL_BOOL(bloom_builder_add(builder, key.bytes, key.count));
	if (php_bloom_throw_when_short(builder)) {
		RETURN_THROWS();
	}
}

typedef struct adding {
	zend_object *builder;
	zend_long added_new;
} adding;

/* Userland may have run since the previous key, so the function checks the builder for each key. */
static bool add_key(void *context, const php_bloom_key *key)
{
	adding *target = context;
	bloom_builder *builder = php_bloom_builder_from(target->builder);

	if (builder == NULL) {
		return false;
	}
	target->added_new += bloom_builder_add(builder, key->bytes, key->count);
	return !php_bloom_throw_when_short(builder);
}

/* Adds a key to a filter of another system, or collects the digests of a batch. */
static zend_always_inline void add_to_batch(bloom_builder *builder, const php_bloom_key *key,
	bloom_digest *batch, uint32_t *count, uint64_t *sum)
{
	if (UNEXPECTED(builder->geometry.layers != 0)) {
		*sum += bloom_builder_add(builder, key->bytes, key->count);
	} else {
		batch[(*count)++] = bloom_hash(&builder->hasher, key->bytes, key->count);
	}
}

/* Adds the values of an array, in batches, on behalf of addMany(). No userland runs between two
 * values of an array. */
BLOOM_FLATTEN static bool add_array(bloom_builder *builder, HashTable *keys, zend_long *added_new)
{
	bloom_digest batch[BLOOM_BATCH_MAX];
	zend_long place = 0;
	uint64_t sum = 0;
	uint32_t count = 0;
	php_bloom_key key;
	zval *value;

	ZEND_HASH_FOREACH_VAL(keys, value) {
		if (UNEXPECTED(!php_bloom_key_of_value(&key, value))) {
			php_bloom_throw_no_key(value, place, 1);
			break;
		}
		place++;
		add_to_batch(builder, &key, batch, &count, &sum);
		if (count == BLOOM_BATCH_MAX) {
			sum += bloom_builder_add_digests(builder, batch, count);
			count = 0;
			if (builder->out_of_memory) {
				break;
			}
		}
	}
	ZEND_HASH_FOREACH_END();
	sum += bloom_builder_add_digests(builder, batch, count);
	*added_new = (zend_long)sum;
	return !php_bloom_throw_when_short(builder) && EG(exception) == NULL;
}

ZEND_METHOD(Bloom_Builder, addMany)
{
	adding target = {.builder = Z_OBJ_P(ZEND_THIS)};
	bloom_builder *builder;
	zval *keys;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ITERABLE(keys)
	ZEND_PARSE_PARAMETERS_END();

	builder = php_bloom_builder_from(target.builder);
	if (builder == NULL) {
		RETURN_THROWS();
	}
	ok = Z_TYPE_P(keys) == IS_ARRAY ? add_array(builder, Z_ARRVAL_P(keys), &target.added_new)
					: php_bloom_each_key(keys, 1, add_key, &target);
	if (!ok) {
		RETURN_THROWS();
	}
	RETURN_LONG(target.added_new);
}

/* Returns the limit that applies if the caller does not pass one. By default, a key set within the
 * capacity must never be rejected. A set beyond the capacity is rejected only for a rate that
 * chance does not explain. */
static double default_limit(const bloom_builder *builder)
{
	uint64_t capacity_keys =
		builder->meta.capacity_keys * bloom_geometry_levels(&builder->geometry);
	double asked = builder->meta.target_rate;

	if (builder->keys <= capacity_keys) {
		return 1;
	}
	/* Chance matters in filters with blocks, where few full blocks cause most of a low rate. */
	if (builder->geometry.layers != 0) {
		return 1.5 * asked;
	}
	return fmax(1.5 * asked,
		bloom_rate_by_chance(
			asked, bloom_geometry_rate_variance(&builder->geometry, capacity_keys)));
}

/* The arguments of build(). */
typedef struct build_request {
	double limit;
	uint64_t built_ms;
	bloom_mark mark; /* epoch 0: none */
} build_request;

static bool parse_mark(const zend_string *text, const bloom_builder *builder, bloom_mark *mark)
{
	bloom_error error = {0};

	if (!bloom_geometry_has_journal(&builder->geometry)) {
		(void)bloom_fail(&error, BLOOM_E_JOURNAL_KIND, 0, "mark");
		php_bloom_throw(&error);
		return false;
	}
	if (bloom_mark_parse(ZSTR_VAL(text), ZSTR_LEN(text), mark, &error) != BLOOM_OK) {
		php_bloom_throw_argument(&error, 3);
		return false;
	}
	return true;
}

static bool build_arguments(
	INTERNAL_FUNCTION_PARAMETERS, const bloom_builder *builder, build_request *request)
{
	bool no_limit = true, no_time = true;
	double limit = 0, time = 0;
	zend_string *mark = NULL;

	ZEND_PARSE_PARAMETERS_START(0, 3)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(limit, no_limit)
		Z_PARAM_DOUBLE_OR_NULL(time, no_time)
		Z_PARAM_STR_OR_NULL(mark)
		ZEND_PARSE_PARAMETERS_END_EX(return false);

		if (!no_limit && !(limit > 0 && limit <= 1)) {
			zend_argument_value_error(1, "must be greater than 0 and at most 1");
			return false;
		}
		request->limit = no_limit ? default_limit(builder) : limit;
		return php_bloom_built_ms(no_time, time, 2, &request->built_ms) &&
			(mark == NULL || parse_mark(mark, builder, &request->mark));
}

ZEND_METHOD(Bloom_Builder, build)
{
	php_bloom_builder *self = builder_of(Z_OBJ_P(ZEND_THIS));
	bloom_builder *builder = php_bloom_builder_from(&self->std);
	build_request request = {0};

	if (builder == NULL ||
		!build_arguments(INTERNAL_FUNCTION_PARAM_PASSTHRU, builder, &request)) {
		RETURN_THROWS();
	}
	builder->meta.mark = request.mark;
	if (!php_bloom_blob_build(return_value, builder, request.built_ms, request.limit)) {
		RETURN_THROWS();
	}
	self->built = true;
}

ZEND_METHOD(Bloom_Builder, info)
{
	const bloom_builder *builder;

	ZEND_PARSE_PARAMETERS_NONE();
	builder = &builder_of(Z_OBJ_P(ZEND_THIS))->builder;
	if (builder->image_bytes == 0) {
		/* Even a builder that is too large to be filled knows its sizes. */
		builder = php_bloom_builder_from(Z_OBJ_P(ZEND_THIS));
	}
	if (builder == NULL) {
		RETURN_THROWS();
	}
	array_init(return_value);
	php_bloom_builder_info(Z_ARRVAL_P(return_value), builder);
	php_bloom_info_object(return_value, php_bloom_ce_builder_info);
}
