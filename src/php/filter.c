/* Bloom\Filter, all that every kind has: but for sync(), which php_sync.c has, and info() and shards(),
 * which php_info.c has. What only some kinds have is in php_live.c and php_reverse.c. */
#include "php/classes.h"

#include <zend_exceptions.h>

#include "kinds/overlay.h"

static zend_object_handlers handlers;

/* ---- handles ---- */

static zend_object *create(zend_class_entry *class)
{
	php_bloom_filter *self = zend_object_alloc(sizeof *self, class);

	zend_object_std_init(&self->std, class);
	object_properties_init(&self->std, class);
	self->std.handlers = &handlers;
	ZVAL_UNDEF(&self->store);
	return &self->std;
}

/* The store is the user's, and may hold this filter in turn. */
static HashTable *collect(zend_object *object, zval **table, int *count)
{
	php_bloom_filter *self = php_bloom_filter_of(object);

	*table = &self->store;
	*count = Z_TYPE(self->store) == IS_OBJECT ? 1 : 0;
	return zend_std_get_properties(object);
}

static void destroy(zend_object *object)
{
	php_bloom_filter *self = php_bloom_filter_of(object);

	if (self->held != NULL) {
		php_bloom_attachment_release(self->held);
	}
	zval_ptr_dtor(&self->store);
	zend_object_std_dtor(object);
}

void php_bloom_filter_startup(void)
{
	zend_class_entry *const classes[] = {php_bloom_ce_filter, php_bloom_ce_loaded_filter,
		php_bloom_ce_live_filter, php_bloom_ce_counting_filter,
		php_bloom_ce_scalable_filter, php_bloom_ce_sliding_filter,
		php_bloom_ce_reverse_index, php_bloom_ce_on_demand_filter};
	size_t i;

	for (i = 0; i < sizeof classes / sizeof *classes; i++) {
		classes[i]->create_object = create;
	}
	handlers = *zend_get_std_object_handlers();
	handlers.offset = offsetof(php_bloom_filter, std);
	handlers.free_obj = destroy;
	handlers.get_gc = collect;
	handlers.clone_obj = NULL;
}

static zend_class_entry *class_of(const bloom_attachment *attachment)
{
	switch (attachment->kind) {
	case BLOOM_KIND_LIVE:
		return php_bloom_ce_live_filter;
	case BLOOM_KIND_COUNTING:
		return php_bloom_ce_counting_filter;
	case BLOOM_KIND_SCALABLE:
		return php_bloom_ce_scalable_filter;
	case BLOOM_KIND_SLIDING:
		return php_bloom_ce_sliding_filter;
	case BLOOM_KIND_REVERSE:
		return php_bloom_ce_reverse_index;
	case BLOOM_KIND_ON_DEMAND:
		return php_bloom_ce_on_demand_filter;
	default:
		return attachment->head.geometry.groups != 0 ? php_bloom_ce_reverse_index
							     : php_bloom_ce_loaded_filter;
	}
}

const char *php_bloom_kind_text(const bloom_attachment *attachment)
{
	return bloom_kind_text(attachment->kind,
		attachment->kind == BLOOM_KIND_LOADED ? attachment->head.geometry.groups : 0);
}

void php_bloom_make_handle(zval *value, php_bloom_attachment *held)
{
	object_init_ex(value, class_of(&held->attachment));
	php_bloom_filter_of(Z_OBJ_P(value))->held = held;
	php_bloom_attachment_hold(held);
}

/* A filter is there, but not one of the class. */
static ZEND_COLD void throw_kind(const bloom_attachment *attachment, const zend_class_entry *class)
{
	bloom_error error = {0};
	char asked[64];

	(void)snprintf(asked, sizeof asked, "a %s", ZSTR_VAL(class->name));
	(void)bloom_fail_kind(&error, attachment->name, php_bloom_kind_text(attachment), asked);
	php_bloom_throw(&error);
}

static ZEND_COLD void throw_about(const bloom_attachment *attachment, bloom_status status)
{
	bloom_error error = {0};

	(void)bloom_fail(&error, status, 0, "%.60s", attachment->name);
	php_bloom_throw(&error);
}

/* The handle's attachment, up to date, and whether it can tell. NULL: thrown. */
static zend_always_inline bloom_attachment *current(zend_object *object, bloom_presence *presence)
{
	php_bloom_attachment *held = php_bloom_filter_of(object)->held;

	if (UNEXPECTED(held == NULL)) {
		zend_throw_exception(php_bloom_ce_Bloom, "This filter was never opened", 0);
		return NULL;
	}
	*presence = bloom_attachment_check(&held->attachment);
	if (UNEXPECTED(*presence == BLOOM_ABSENT)) {
		throw_about(&held->attachment, BLOOM_E_GONE);
		return NULL;
	}
	return &held->attachment;
}

bloom_attachment *php_bloom_current(zend_object *object, bloom_presence *presence)
{
	return current(object, presence);
}

bloom_attachment *php_bloom_present(zend_object *object)
{
	bloom_presence presence;
	bloom_attachment *attachment = current(object, &presence);

	if (attachment == NULL) {
		return NULL;
	}
	if (presence == BLOOM_UNAVAILABLE) {
		throw_about(attachment, BLOOM_E_UNMAPPED);
		return NULL;
	}
	/* It was dropped, and its name given to another, since this handle was made. */
	if (class_of(attachment) != object->ce) {
		throw_kind(attachment, object->ce);
		return NULL;
	}
	return attachment;
}

bool php_bloom_open_made(
	zval *value, const bloom_segment *segment, const char *name, const zend_class_entry *class)
{
	php_bloom_attachment *held = NULL;
	bloom_error error = {0};

	if (php_bloom_attach(segment, name, &held, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	if (class != NULL && class_of(&held->attachment) != class) {
		throw_kind(&held->attachment, class);
		return false;
	}
	php_bloom_make_handle(value, held);
	return true;
}

ZEND_METHOD(Bloom_Filter, __construct)
{
	ZEND_PARSE_PARAMETERS_NONE();
}

/* open() and find(). */
static void open_filter(INTERNAL_FUNCTION_PARAMETERS, bool throw_not_found)
{
	const bloom_segment *segment;
	php_bloom_attachment *held = NULL;
	const zend_class_entry *called;
	bloom_error error = {0};
	bloom_status status;
	zend_string *name;
	const char *checked;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	checked = php_bloom_name(name, 1);
	segment = checked != NULL ? php_bloom_segment() : NULL;
	if (segment == NULL) {
		RETURN_THROWS();
	}
	status = php_bloom_attach(segment, checked, &held, &error);
	if (status == BLOOM_OK) {
		/* LiveFilter::open() is this method, too, and must not give another kind. */
		called = zend_get_called_scope(execute_data);
		if (called->type == ZEND_INTERNAL_CLASS && called != php_bloom_ce_filter &&
			called != class_of(&held->attachment)) {
			throw_kind(&held->attachment, called);
			RETURN_THROWS();
		}
		php_bloom_make_handle(return_value, held);
	} else if (throw_not_found || status != BLOOM_E_NOT_FOUND) {
		php_bloom_throw(&error);
	}
}

ZEND_METHOD(Bloom_Filter, open)
{
	open_filter(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

ZEND_METHOD(Bloom_Filter, find)
{
	open_filter(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

/* Names one behind the other, each with its end, in memory that no PHP error can leave behind while the
 * directory is open. */
typedef struct name_list {
	char *names;
	size_t bytes;
	bool failed;
} name_list;

static bool list_name(void *context, const char *name)
{
	name_list *list = context;
	size_t count = strlen(name) + 1;
	char *grown = realloc(list->names, list->bytes + count);

	if (grown == NULL) {
		list->failed = true;
		return false;
	}
	memcpy(grown + list->bytes, name, count);
	list->names = grown;
	list->bytes += count;
	return true;
}

static int compare_names(Bucket *one, Bucket *other)
{
	return zend_binary_strcmp(
		Z_STRVAL(one->val), Z_STRLEN(one->val), Z_STRVAL(other->val), Z_STRLEN(other->val));
}

ZEND_METHOD(Bloom_Filter, list)
{
	const bloom_segment *segment;
	bloom_error error = {0};
	name_list list = {0};
	bloom_status status;
	size_t at;

	ZEND_PARSE_PARAMETERS_NONE();
	segment = php_bloom_segment();
	if (segment == NULL) {
		RETURN_THROWS();
	}
	status = bloom_segment_each(segment, list_name, &list, &error);
	if (status == BLOOM_OK && list.failed) {
		status = bloom_fail(&error, BLOOM_E_MEMORY, 0, "%.150s", segment->path);
	}
	if (status != BLOOM_OK) {
		free(list.names);
		php_bloom_throw(&error);
		RETURN_THROWS();
	}
	array_init(return_value);
	for (at = 0; at < list.bytes; at += strlen(list.names + at) + 1) {
		add_next_index_string(return_value, list.names + at);
	}
	free(list.names);
	zend_hash_sort(Z_ARRVAL_P(return_value), compare_names, true);
}

ZEND_METHOD(Bloom_Filter, drop)
{
	const bloom_segment *segment;
	bloom_error error = {0};
	bool existed = false;
	zend_string *name;
	const char *checked;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	checked = php_bloom_name(name, 1);
	segment = checked != NULL ? php_bloom_segment() : NULL;
	if (segment == NULL) {
		RETURN_THROWS();
	}
	if (bloom_segment_drop(segment, checked, &existed, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		RETURN_THROWS();
	}
	php_bloom_attachment_dropped(checked);
	RETURN_BOOL(existed);
}

/* Stages the blob and switches to it; the overlay that it may be given comes first, for the switch is what
 * makes readers look for one. False: thrown. */
static bool load_blob(const bloom_segment *segment, const char *name, const php_bloom_blob *blob,
	const bloom_live_params *overlay, php_bloom_job *job, php_bloom_progress *progress)
{
	enum { STEP_BYTES = 4 * 1024 * 1024 };
	bloom_stage *stage = &job->stage;
	bloom_error error = {0};
	uint64_t generation, step, at;
	bloom_status status;

	status = bloom_stage_begin(segment, name, blob->count, stage, &error);
	for (at = 0; status == BLOOM_OK && at < blob->count; at += step) {
		step = blob->count - at < STEP_BYTES ? blob->count - at : STEP_BYTES;
		status = bloom_stage_write(stage, blob->bytes + at, step, &error);
		if (status == BLOOM_OK &&
			(!php_bloom_progress_report(progress, at + step, blob->count) ||
				!php_bloom_job_is_ours(job))) {
			return false;
		}
	}
	if (status == BLOOM_OK && overlay != NULL) {
		status = bloom_overlay_create(segment, name, overlay, &error);
	}
	if (status == BLOOM_OK) {
		status = bloom_stage_commit(stage, &generation, &error);
	}
	if (status != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	return true;
}

/* The overlay that load() was asked for, of the blob's rate and secret. False: thrown. */
static bool overlay_params(double window, bool no_window, zend_long capacity, bool no_capacity,
	const bloom_head *head, bloom_live_params *params)
{
	double rate = head->meta.target_rate;
	bloom_error error = {0};

	if (no_window != no_capacity) {
		zend_argument_value_error(no_window ? 4 : 5,
			"must be given too: an overlay has both a window and a capacity");
		return false;
	}
	if (no_window) {
		return true;
	}
	if (head->geometry.groups != 0) {
		(void)bloom_fail(&error, BLOOM_E_IMMUTABLE, 0, "no overlay can be beside it");
		php_bloom_throw(&error);
		return false;
	}
	*params = bloom_overlay_params(php_bloom_window_ms(window),
		capacity > 0 ? (uint64_t)capacity : 0,
		rate < BLOOM_RATE_MIN ? BLOOM_RATE_MIN : rate);
	params->fingerprint = head->geometry.fingerprint;
	if (bloom_live_params_check(params, &error) != BLOOM_OK) {
		php_bloom_throw_argument(&error, error.status == BLOOM_E_WINDOW ? 4 : 5);
		return false;
	}
	return true;
}

ZEND_METHOD(Bloom_Filter, load)
{
	bool no_window = true, no_capacity = true, ok;
	php_bloom_progress progress = {0};
	const bloom_segment *segment;
	bloom_live_params params = {0};
	php_bloom_blob *blob = NULL;
	zend_object *blob_object;
	zend_long capacity = 0;
	zend_string *name;
	const char *checked;
	double window = 0;
	php_bloom_job *job;

	ZEND_PARSE_PARAMETERS_START(2, 5)
		Z_PARAM_STR(name)
		Z_PARAM_OBJ_OF_CLASS(blob_object, php_bloom_ce_blob)
		Z_PARAM_OPTIONAL
		Z_PARAM_FUNC_OR_NULL(progress.call, progress.cache)
		Z_PARAM_DOUBLE_OR_NULL(window, no_window)
		Z_PARAM_LONG_OR_NULL(capacity, no_capacity)
	ZEND_PARSE_PARAMETERS_END();

	checked = php_bloom_name(name, 1);
	segment = checked != NULL ? php_bloom_segment() : NULL;
	blob = segment != NULL ? php_bloom_blob_from(blob_object) : NULL;
	if (blob == NULL ||
		!overlay_params(window, no_window, capacity, no_capacity, &blob->head, &params)) {
		RETURN_THROWS();
	}
	job = php_bloom_job_begin();
	if (job == NULL) {
		RETURN_THROWS();
	}
	ok = load_blob(segment, checked, blob, no_window ? NULL : &params, job, &progress);
	php_bloom_job_end(job);
	if (!ok || !php_bloom_open_made(return_value, segment, checked, NULL)) {
		RETURN_THROWS();
	}
}

/* ---- lookups ---- */

static zend_always_inline bool test(const bloom_view *view, const php_bloom_key *key)
{
	return bloom_view_test(view, bloom_digest_of(key->bytes, key->count, view->seed));
}

/* Of filters that have more than one view, or none, or cannot be mapped now. */
static bool test_otherwise(
	bloom_attachment *attachment, bloom_presence presence, const php_bloom_key *key)
{
	return presence == BLOOM_UNAVAILABLE ||
		bloom_attachment_test(attachment, key->bytes, key->count);
}

/* mightContain() of those; what it needs would cost the common one registers. False also when thrown. */
static zend_never_inline bool might_contain_otherwise(
	zend_object *object, bloom_presence presence, zend_string *string, zend_long number)
{
	php_bloom_attachment *held = php_bloom_filter_of(object)->held;
	bloom_attachment *attachment;
	php_bloom_key key;
	bool answer;

	if (UNEXPECTED(held == NULL) || UNEXPECTED(presence == BLOOM_ABSENT)) {
		/* Which throws, unless the filter was made just now. */
		attachment = current(object, &presence);
		if (attachment == NULL) {
			return false;
		}
	} else {
		attachment = &held->attachment;
	}
	php_bloom_key_of(&key, string, number);
	if (BLOOM_LIKELY(presence == BLOOM_RIBBON)) {
		return bloom_ribbon_test(&attachment->ribbon,
			bloom_digest_of(key.bytes, key.count, attachment->ribbon.seed));
	}
	if (attachment->kind == BLOOM_KIND_ON_DEMAND && presence != BLOOM_UNAVAILABLE) {
		return php_bloom_ondemand_test(object, attachment, &key, &answer) && answer;
	}
	return test_otherwise(attachment, presence, &key);
}

__attribute__((flatten)) ZEND_METHOD(Bloom_Filter, mightContain)
{
	php_bloom_attachment *held = php_bloom_filter_of(Z_OBJ_P(ZEND_THIS))->held;
	bloom_presence presence = BLOOM_ABSENT;
	zend_string *string;
	zend_long number;
	php_bloom_key key;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		PHP_BLOOM_PARAM_KEY(string, number)
	ZEND_PARSE_PARAMETERS_END();

	if (UNEXPECTED(held == NULL) ||
		UNEXPECTED(
			(presence = bloom_attachment_check(&held->attachment)) != BLOOM_PRESENT)) {
		RETURN_BOOL(might_contain_otherwise(Z_OBJ_P(ZEND_THIS), presence, string, number));
	}
	php_bloom_key_of(&key, string, number);
	RETURN_BOOL(test(&held->attachment.view, &key));
}

static ZEND_COLD void throw_bad_key(const HashTable *keys, const zval *value)
{
	const Bucket *bucket = (const Bucket *)(const void *)value;
	zend_ulong index = HT_IS_PACKED(keys) ? (zend_ulong)(value - keys->arPacked) : bucket->h;

	if (!HT_IS_PACKED(keys) && bucket->key != NULL) {
		zend_argument_type_error(1,
			"must hold only values of type string|int, %s given at key \"%s\"",
			zend_zval_type_name(value), ZSTR_VAL(bucket->key));
	} else {
		zend_argument_type_error(1,
			"must hold only values of type string|int, %s given at key " ZEND_LONG_FMT,
			zend_zval_type_name(value), (zend_long)index);
	}
}

/* Adds one of an array's values to another, under its key. */
static void add_found(HashTable *found, const HashTable *keys, zval *value)
{
	zval *copy = value;
	const Bucket *bucket = (const Bucket *)(const void *)value;

	ZVAL_DEREF(copy);
	Z_TRY_ADDREF_P(copy);
	if (HT_IS_PACKED(keys)) {
		zend_hash_index_add_new(found, (zend_ulong)(value - keys->arPacked), copy);
	} else if (bucket->key != NULL) {
		zend_hash_add_new(found, bucket->key, copy);
	} else {
		zend_hash_index_add_new(found, bucket->h, copy);
	}
}

/* Keys on their way through a view, whose blocks the processor is fetching meanwhile. */
typedef struct batch {
	uint32_t count;
	bloom_digest digests[BLOOM_BATCH_MAX];
	zval *values[BLOOM_BATCH_MAX];
} batch;

static void end_batch(batch *work, const bloom_view *view, HashTable *found, const HashTable *keys)
{
	uint64_t left = bloom_view_test_many(view, work->digests, work->count);

	for (; left != 0; left &= left - 1) {
		add_found(found, keys, work->values[__builtin_ctzll(left)]);
	}
	work->count = 0;
}

/* candidates() of a view. False: thrown. */
__attribute__((flatten)) static bool find_in_view(
	const bloom_view *view, HashTable *keys, HashTable *found)
{
	uint64_t seed = view->seed;
	php_bloom_key key;
	zval *value;
	batch work;

	work.count = 0;
	ZEND_HASH_FOREACH_VAL(keys, value) {
		if (UNEXPECTED(!php_bloom_key_of_value(&key, value))) {
			throw_bad_key(keys, value);
			return false;
		}
		bloom_digest digest = bloom_digest_of(key.bytes, key.count, seed);
		bloom_view_prefetch(view, digest);
		work.digests[work.count] = digest;
		work.values[work.count] = value;
		if (++work.count == BLOOM_BATCH_MAX) {
			end_batch(&work, view, found, keys);
		}
	}
	ZEND_HASH_FOREACH_END();
	end_batch(&work, view, found, keys);
	return true;
}

static void end_ribbon_batch(
	batch *work, const bloom_ribbon *ribbon, HashTable *found, const HashTable *keys)
{
	uint64_t left = bloom_ribbon_test_many(ribbon, work->digests, work->count);

	for (; left != 0; left &= left - 1) {
		add_found(found, keys, work->values[__builtin_ctzll(left)]);
	}
	work->count = 0;
}

/* candidates() of a ribbon filter. False: thrown. */
__attribute__((flatten)) static bool find_in_ribbon(
	const bloom_ribbon *ribbon, HashTable *keys, HashTable *found)
{
	php_bloom_key key;
	zval *value;
	batch work;

	work.count = 0;
	ZEND_HASH_FOREACH_VAL(keys, value) {
		if (UNEXPECTED(!php_bloom_key_of_value(&key, value))) {
			throw_bad_key(keys, value);
			return false;
		}
		work.digests[work.count] = bloom_digest_of(key.bytes, key.count, ribbon->seed);
		work.values[work.count] = value;
		if (++work.count == BLOOM_BATCH_MAX) {
			end_ribbon_batch(&work, ribbon, found, keys);
		}
	}
	ZEND_HASH_FOREACH_END();
	end_ribbon_batch(&work, ribbon, found, keys);
	return true;
}

/* candidates() of all other filters, key by key. False: thrown. */
static bool find_otherwise(
	bloom_attachment *attachment, bloom_presence presence, HashTable *keys, HashTable *found)
{
	php_bloom_key key;
	zval *value;

	ZEND_HASH_FOREACH_VAL(keys, value) {
		if (UNEXPECTED(!php_bloom_key_of_value(&key, value))) {
			throw_bad_key(keys, value);
			return false;
		}
		if (test_otherwise(attachment, presence, &key)) {
			add_found(found, keys, value);
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

ZEND_METHOD(Bloom_Filter, candidates)
{
	bloom_attachment *attachment;
	bloom_presence presence;
	HashTable *keys;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(keys)
	ZEND_PARSE_PARAMETERS_END();

	attachment = current(Z_OBJ_P(ZEND_THIS), &presence);
	if (UNEXPECTED(attachment == NULL)) {
		RETURN_THROWS();
	}
	if (UNEXPECTED(attachment->kind == BLOOM_KIND_ON_DEMAND) && presence != BLOOM_UNAVAILABLE &&
		(!php_bloom_ondemand_fetch_all(Z_OBJ_P(ZEND_THIS), attachment, keys) ||
			(attachment = current(Z_OBJ_P(ZEND_THIS), &presence)) == NULL)) {
		RETURN_THROWS();
	}
	array_init(return_value);
	if (!(EXPECTED(presence == BLOOM_PRESENT)
			    ? find_in_view(&attachment->view, keys, Z_ARRVAL_P(return_value))
			    : presence == BLOOM_RIBBON
			    ? find_in_ribbon(&attachment->ribbon, keys, Z_ARRVAL_P(return_value))
			    : find_otherwise(
				      attachment, presence, keys, Z_ARRVAL_P(return_value)))) {
		RETURN_THROWS();
	}
}

ZEND_METHOD(Bloom_Filter, name)
{
	php_bloom_attachment *held = php_bloom_filter_of(Z_OBJ_P(ZEND_THIS))->held;

	ZEND_PARSE_PARAMETERS_NONE();
	if (held == NULL) {
		zend_throw_exception(php_bloom_ce_Bloom, "This filter was never opened", 0);
		RETURN_THROWS();
	}
	RETURN_STRING(held->attachment.name);
}
