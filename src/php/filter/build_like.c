/* like() of Builder, ReverseIndexBuilder and MapBuilder: a builder for the next version of a blob.
 *
 * A new version should change only the bytes of changed keys, because hosts fetch only changed
 * chunks. All bits must therefore keep their positions, so the new builder copies the blob's seed
 * and geometry, unless an argument requests different ones.
 */
#include "php/engine.h"

#include <math.h>

#include "filter/secret.h"
#include "kinds/loaded.h"
#include "php/arguments.h"
#include "php/filter/blob_object.h"
#include "php/filter/build.h"
#include "php/classes.h"
#include "php/filter/build_map.h"
#include "php/filter/build_reverse.h"
#include "php/filter/layout.h"
#include "php/keyrings.h"

/* ---- the previous blob ---- */

/* Returns the head of the blob that was passed to like().
 *
 *   kind   INDEX or MAP: the blob must be of this kind; LOADED: it must be neither
 */
static const bloom_head *previous_head(zend_object *object, bloom_kind kind)
{
	bloom_kind found;
	const php_bloom_blob *blob = php_bloom_blob_from(object);

	if (blob == NULL) {
		return NULL;
	}
	found = bloom_loaded_kind(&blob->head.geometry);
	if (found != kind &&
		(kind != BLOOM_KIND_LOADED || found == BLOOM_KIND_INDEX ||
			found == BLOOM_KIND_MAP)) {
		zend_argument_value_error(1, "must be %s (for %s use Bloom\\%s::like())",
			kind == BLOOM_KIND_LOADED          ? "neither a reverse index nor a map"
				: kind == BLOOM_KIND_INDEX ? "a reverse index"
							   : "a map",
			found == BLOOM_KIND_INDEX         ? "a reverse index"
				: found == BLOOM_KIND_MAP ? "a map"
							  : "other blobs",
			found == BLOOM_KIND_INDEX         ? "ReverseIndexBuilder"
				: found == BLOOM_KIND_MAP ? "MapBuilder"
							  : "Builder");
		return NULL;
	}
	if (blob->head.geometry.layers != 0) {
		zend_argument_value_error(1, "must not be an imported filter (build a new one)");
		return NULL;
	}
	return &blob->head;
}

/* Returns the blob's rate within the range of the constructor. A rate that was computed from bits
 * per key may be outside this range. */
static double previous_rate(const bloom_head *previous)
{
	return fmax(BLOOM_RATE_MIN, fmin(BLOOM_RATE_MAX, previous->meta.target_rate));
}

/* Returns whether a rate equals the blob's requested rate, to the digits that a head stores. */
static bool is_previous_rate(bool is_null, double rate, const bloom_head *previous)
{
	return is_null || fabs(rate - previous->meta.target_rate) * BLOOM_RATE_UNIT < 0.5;
}

/* Keeps the chunk size in a filter of a new size. If the chunks are smaller than the shards that
 * the new size would get, the shard size is kept as well. */
static void keep_chunk_size(bloom_params *params, const bloom_head *previous)
{
	bloom_geometry geometry;

	if (params->shard_bytes == 0 && bloom_geometry_choose(params, 0, &geometry) == BLOOM_OK &&
		bloom_chunk_bytes_check(&geometry, previous->meta.chunk_bytes) != BLOOM_OK) {
		params->shard_bytes = previous->geometry.shard_bytes;
	}
}

/* The arguments, other than sizes, that like() has in all builders. */
typedef struct likeness {
	const bloom_head *previous;
	bool no_seed;
	zend_long seed;
	uint32_t chunk_bytes; /* 0: those of the blob */
	zend_string *source;  /* NULL: use the source of the blob */
	bool no_keyed;
	bool keyed;
	zend_string *secret; /* NULL: none */
} likeness;

/* Makes the builder.
 *
 *   construction   contains the parameters, the jobs and the argument numbers, and `like` if the
 *                  blob's geometry is copied
 */
static void make_builder(zval *value, zend_class_entry *class, const likeness *given,
	php_bloom_construction *construction, uint32_t secret_argument)
{
	const bloom_head *previous = given->previous;
	bool keyed = given->no_keyed ? previous->geometry.fingerprint != 0 : given->keyed;
	bloom_secret given_secret;

	construction->seed = given->no_seed ? previous->geometry.seed : (uint64_t)given->seed;
	construction->chunk_bytes = given->chunk_bytes;
	if (given->chunk_bytes == 0) {
		construction->chunk_bytes = previous->meta.chunk_bytes;
		if (construction->like == NULL) {
			keep_chunk_size(&construction->params, previous);
		}
	}
	construction->source = given->source != NULL
		? zend_string_copy(given->source)
		: zend_string_init(previous->meta.source, previous->meta.source_bytes, false);
	if (php_bloom_choose_secret(keyed, given->secret, secret_argument, &given_secret,
		    &construction->params.secret)) {
		object_init_ex(value, class);
		php_bloom_builder_construct(Z_OBJ_P(value), construction);
		if (EG(exception)) {
			zval_ptr_dtor(value);
			ZVAL_NULL(value);
		}
	}
	bloom_wipe(&given_secret, sizeof given_secret);
	zend_string_release(construction->source);
}

/* ---- Bloom\Builder ---- */

/* like() has one additional argument before those of the constructor. */
static uint32_t blamed_argument(bloom_status status)
{
	return php_bloom_builder_blamed(status) + 1;
}

/* Returns whether a layout has a value that differs from the blob's. A ribbon filter has no choice
 * of blocks or probes, so any such value differs, and is rejected later. */
static bool is_other_layout(const php_bloom_layout *layout, const bloom_geometry *previous)
{
	bool is_ribbon = previous->stripes != 0;

	return (layout->shard_bytes != 0 && layout->shard_bytes != previous->shard_bytes) ||
		(layout->block_bytes != 0 &&
			(is_ribbon || layout->block_bytes != previous->block_bytes)) ||
		(layout->probes != 0 && (is_ribbon || layout->probes != previous->probes));
}

static bool has_previous_size(const bloom_params *params, const bloom_head *previous)
{
	return params->ribbon == (previous->geometry.stripes != 0) &&
		params->capacity_keys == previous->meta.capacity_keys;
}

ZEND_METHOD(Bloom_Builder, like)
{
	zend_long capacity = 0, jobs = 1;
	bool no_capacity = true, no_rate = true, no_bits = true;
	likeness given = {.no_seed = true, .no_keyed = true};
	php_bloom_construction construction = {
		.source_argument = 7, .blamed = blamed_argument, .has_layout = true};
	double rate = 0, bits_per_key = 0;
	zend_object *object, *scheme = NULL, *layout_object = NULL;
	php_bloom_layout layout;

	ZEND_PARSE_PARAMETERS_START(1, 11)
		Z_PARAM_OBJ_OF_CLASS(object, php_bloom_ce_blob)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG_OR_NULL(capacity, no_capacity)
		Z_PARAM_DOUBLE_OR_NULL(rate, no_rate)
		Z_PARAM_LONG_OR_NULL(given.seed, given.no_seed)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(layout_object, php_bloom_ce_layout)
		Z_PARAM_DOUBLE_OR_NULL(bits_per_key, no_bits)
		Z_PARAM_STR_OR_NULL(given.source)
		Z_PARAM_BOOL_OR_NULL(given.keyed, given.no_keyed)
		Z_PARAM_STR_OR_NULL(given.secret)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(scheme, php_bloom_ce_scheme)
		Z_PARAM_LONG(jobs)
	ZEND_PARSE_PARAMETERS_END();

	given.previous = previous_head(object, BLOOM_KIND_LOADED);
	if (given.previous == NULL || !php_bloom_check_jobs(jobs, 11, &construction.jobs)) {
		RETURN_THROWS();
	}
	layout = php_bloom_layout_of(layout_object);
	given.chunk_bytes = layout.chunk_bytes;
	construction.params = (bloom_params){
		.capacity_keys = no_capacity ? given.previous->meta.capacity_keys
					     : php_bloom_count(capacity),
		.rate = no_rate ? previous_rate(given.previous) : rate,
		.shard_bytes = layout.shard_bytes,
		.block_bytes = layout.block_bytes,
		.probes = layout.probes,
		.bits_per_key = php_bloom_optional_bits(no_bits, bits_per_key),
		.ribbon = given.previous->geometry.stripes != 0,
	};
	if (scheme != NULL &&
		!php_bloom_choose_scheme(
			scheme, 10, given.previous->meta.chunk_bytes, &construction.params)) {
		RETURN_THROWS();
	}
	if (!is_other_layout(&layout, &given.previous->geometry) && no_bits &&
		has_previous_size(&construction.params, given.previous) &&
		is_previous_rate(no_rate, rate, given.previous)) {
		construction.like = given.previous;
	}
	make_builder(return_value, php_bloom_ce_builder, &given, &construction, 9);
}

/* ---- Bloom\ReverseIndexBuilder ---- */

static uint32_t blamed_reverse_argument(bloom_status status)
{
	return php_bloom_reverse_builder_blamed(status) + 1;
}

/* Returns whether a tree with `groups` groups has as many levels as the blob's tree. In that case,
 * changing the number of groups moves no bit. */
static bool has_levels_of(const bloom_geometry *previous, uint64_t groups)
{
	bloom_geometry other = *previous;

	other.groups = groups;
	return bloom_geometry_check(&other) == BLOOM_OK &&
		bloom_geometry_levels(&other) == bloom_geometry_levels(previous);
}

ZEND_METHOD(Bloom_ReverseIndexBuilder, like)
{
	bool no_groups = true, no_capacity = true, no_rate = true, no_fan_out = true;
	likeness given = {.no_seed = true, .no_keyed = true};
	php_bloom_construction construction = {
		.source_argument = 7, .blamed = blamed_reverse_argument};
	zend_long groups = 0, capacity = 0, fan_out = 0;
	const bloom_geometry *geometry;
	zend_object *object;
	double rate = 0;

	ZEND_PARSE_PARAMETERS_START(1, 9)
		Z_PARAM_OBJ_OF_CLASS(object, php_bloom_ce_blob)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG_OR_NULL(groups, no_groups)
		Z_PARAM_LONG_OR_NULL(capacity, no_capacity)
		Z_PARAM_DOUBLE_OR_NULL(rate, no_rate)
		Z_PARAM_LONG_OR_NULL(fan_out, no_fan_out)
		Z_PARAM_LONG_OR_NULL(given.seed, given.no_seed)
		Z_PARAM_STR_OR_NULL(given.source)
		Z_PARAM_BOOL_OR_NULL(given.keyed, given.no_keyed)
		Z_PARAM_STR_OR_NULL(given.secret)
	ZEND_PARSE_PARAMETERS_END();

	given.previous = previous_head(object, BLOOM_KIND_INDEX);
	if (given.previous == NULL) {
		RETURN_THROWS();
	}
	geometry = &given.previous->geometry;
	construction.params = (bloom_params){
		.capacity_keys = no_capacity ? given.previous->meta.capacity_keys
					     : php_bloom_count(capacity),
		.rate = no_rate ? previous_rate(given.previous) : rate,
		.groups = no_groups  ? geometry->groups
			: groups > 0 ? (uint64_t)groups
				     : UINT64_MAX,
		.fan_out = no_fan_out ? geometry->fan_out : (uint32_t)php_bloom_fan_out(fan_out),
	};
	if (construction.params.capacity_keys == given.previous->meta.capacity_keys &&
		is_previous_rate(no_rate, rate, given.previous) &&
		construction.params.fan_out == geometry->fan_out &&
		has_levels_of(geometry, construction.params.groups)) {
		construction.like = given.previous;
	}
	make_builder(return_value, php_bloom_ce_reverse_index_builder, &given, &construction, 9);
}

/* ---- Bloom\MapBuilder ---- */

static uint32_t blamed_map_argument(bloom_status status)
{
	return php_bloom_map_builder_blamed(status) + 1;
}

ZEND_METHOD(Bloom_MapBuilder, like)
{
	bool no_capacity = true, no_bits = true, no_rate = true;
	likeness given = {.no_seed = true, .no_keyed = true};
	php_bloom_construction construction = {
		.source_argument = 7, .blamed = blamed_map_argument, .has_layout = true};
	zend_long capacity = 0, value_bits = 0, jobs = 1;
	zend_object *object, *layout_object = NULL;
	zend_string *on_duplicate = NULL;
	const bloom_geometry *geometry;
	php_bloom_layout layout;
	double rate = 0;

	ZEND_PARSE_PARAMETERS_START(1, 11)
		Z_PARAM_OBJ_OF_CLASS(object, php_bloom_ce_blob)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG_OR_NULL(capacity, no_capacity)
		Z_PARAM_LONG_OR_NULL(value_bits, no_bits)
		Z_PARAM_DOUBLE_OR_NULL(rate, no_rate)
		Z_PARAM_LONG_OR_NULL(given.seed, given.no_seed)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(layout_object, php_bloom_ce_layout)
		Z_PARAM_STR_OR_NULL(given.source)
		Z_PARAM_BOOL_OR_NULL(given.keyed, given.no_keyed)
		Z_PARAM_STR_OR_NULL(given.secret)
		Z_PARAM_STR(on_duplicate)
		Z_PARAM_LONG(jobs)
	ZEND_PARSE_PARAMETERS_END();

	given.previous = previous_head(object, BLOOM_KIND_MAP);
	if (given.previous == NULL || !php_bloom_check_jobs(jobs, 11, &construction.jobs) ||
		!php_bloom_on_duplicate(on_duplicate, 10, &construction.params.keeps_last)) {
		RETURN_THROWS();
	}
	geometry = &given.previous->geometry;
	layout = php_bloom_layout_of(layout_object);
	given.chunk_bytes = layout.chunk_bytes;
	construction.params.capacity_keys =
		no_capacity ? given.previous->meta.capacity_keys : php_bloom_count(capacity);
	construction.params.rate = no_rate ? given.previous->meta.target_rate : rate;
	construction.params.value_bits =
		no_bits ? geometry->value_bits : php_bloom_value_bits(value_bits);
	construction.params.shard_bytes = layout.shard_bytes;
	construction.params.block_bytes = layout.block_bytes;
	construction.params.probes = layout.probes;
	if (construction.params.capacity_keys == given.previous->meta.capacity_keys &&
		construction.params.value_bits == geometry->value_bits &&
		is_previous_rate(no_rate, rate, given.previous) && layout.block_bytes == 0 &&
		layout.probes == 0 &&
		(layout.shard_bytes == 0 || layout.shard_bytes == geometry->shard_bytes)) {
		construction.like = given.previous;
	}
	make_builder(return_value, php_bloom_ce_map_builder, &given, &construction, 9);
}
