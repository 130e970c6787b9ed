/* Bloom\Filter and Bloom\LoadedFilter: but for sync(), which php_sync.c has. */
#include "php_classes.h"

#include <ext/standard/php_var.h>
#include <zend_exceptions.h>

static zend_object_handlers handlers;

/* ---- attachments: kept by the thread, over requests ---- */

static void free_attachment(zval *value)
{
	php_bloom_attachment *held = Z_PTR_P(value);

	bloom_detach(&held->attachment);
	free(held);
}

void php_bloom_attachments_startup(HashTable *attachments)
{
	zend_hash_init(attachments, 8, NULL, free_attachment, true);
}

php_bloom_attachment *php_bloom_attachment_find(const char *name)
{
	return zend_hash_str_find_ptr(&BLOOM_G(attachments), name, strlen(name));
}

void php_bloom_attachments_trim(void)
{
	php_bloom_attachment *held;

	ZEND_HASH_FOREACH_PTR(&BLOOM_G(attachments), held) {
		bloom_attachment_trim(&held->attachment);
	}
	ZEND_HASH_FOREACH_END();
}

static bloom_status attach_new(const bloom_segment *segment, const char *name,
	php_bloom_attachment **held, bloom_error *error)
{
	php_bloom_attachment *fresh = calloc(1, sizeof *fresh);
	bloom_status status;

	if (fresh == NULL) {
		return bloom_fail(error, BLOOM_E_MEMORY, 0, "%s", name);
	}
	status = bloom_attach(segment, name, &fresh->attachment, error);
	if (status != BLOOM_OK) {
		free(fresh);
		return status;
	}
	fresh->checked_request = BLOOM_G(request);
	zend_hash_str_update_ptr(&BLOOM_G(attachments), name, strlen(name), fresh);
	*held = fresh;
	return BLOOM_OK;
}

/* Once a request: has someone deleted or replaced the control page behind our back? */
static bloom_status check_name(php_bloom_attachment *held, bloom_error *error)
{
	bloom_attachment fresh;
	bloom_status status;

	if (held->checked_request == BLOOM_G(request)) {
		return BLOOM_OK;
	}
	if (!bloom_attachment_is_named(&held->attachment)) {
		status = bloom_attach(
			held->attachment.segment, held->attachment.name, &fresh, error);
		if (status != BLOOM_OK) {
			return status;
		}
		bloom_detach(&held->attachment);
		held->attachment = fresh;
	}
	held->checked_request = BLOOM_G(request);
	return BLOOM_OK;
}

void php_bloom_attachment_recheck(const char *name)
{
	php_bloom_attachment *held = php_bloom_attachment_find(name);

	if (held != NULL) {
		held->checked_request = 0;
		(void)check_name(held, NULL);
	}
}

/* The attachment to a filter that has a generation. */
static bloom_status attach(const bloom_segment *segment, const char *name,
	php_bloom_attachment **held, bloom_error *error)
{
	php_bloom_attachment *found = php_bloom_attachment_find(name);
	bloom_status status;

	if (found == NULL) {
		return attach_new(segment, name, held, error);
	}
	status = check_name(found, error);
	if (status == BLOOM_OK && bloom_attachment_check(&found->attachment) == BLOOM_ABSENT) {
		status = bloom_fail(error, BLOOM_E_NOT_FOUND, 0, "%.120s/%s", segment->path, name);
	}
	if (status == BLOOM_OK) {
		*held = found;
	} else if (status == BLOOM_E_NOT_FOUND && found->handles == 0) {
		(void)zend_hash_str_del(&BLOOM_G(attachments), name, strlen(name));
	}
	return status;
}

/* ---- handles ---- */

static zend_object *create(zend_class_entry *class)
{
	php_bloom_filter *self = zend_object_alloc(sizeof *self, class);

	zend_object_std_init(&self->std, class);
	object_properties_init(&self->std, class);
	self->std.handlers = &handlers;
	return &self->std;
}

static void destroy(zend_object *object)
{
	php_bloom_filter *self = php_bloom_filter_of(object);

	if (self->held != NULL) {
		self->held->handles--;
	}
	zend_object_std_dtor(object);
}

void php_bloom_filter_startup(void)
{
	php_bloom_ce_loaded_filter->create_object = create;
	php_bloom_ce_loaded_filter->parent->create_object = create;
	handlers = *zend_get_std_object_handlers();
	handlers.offset = offsetof(php_bloom_filter, std);
	handlers.free_obj = destroy;
	handlers.clone_obj = NULL;
}

static void make_handle(zval *value, php_bloom_attachment *held)
{
	object_init_ex(value, php_bloom_ce_loaded_filter);
	php_bloom_filter_of(Z_OBJ_P(value))->held = held;
	held->handles++;
}

static ZEND_COLD void throw_dropped(const bloom_attachment *attachment)
{
	bloom_error error = {0};

	(void)bloom_fail(&error, BLOOM_E_GONE, 0, "%.60s", attachment->name);
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
		throw_dropped(&held->attachment);
		return NULL;
	}
	return &held->attachment;
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
	status = attach(segment, checked, &held, &error);
	if (status == BLOOM_OK) {
		make_handle(return_value, held);
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
	return zend_binary_strcmp(Z_STRVAL(one->val), Z_STRLEN(one->val), Z_STRVAL(other->val),
		Z_STRLEN(other->val));
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
	RETURN_BOOL(existed);
}

/* Stages the blob and switches to it. False: thrown. */
static bool load_blob(const bloom_segment *segment, const char *name, const php_bloom_blob *blob,
	php_bloom_job *job, php_bloom_progress *progress)
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
	if (status == BLOOM_OK) {
		status = bloom_stage_commit(stage, &generation, &error);
	}
	if (status != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	return true;
}

ZEND_METHOD(Bloom_Filter, load)
{
	php_bloom_progress progress = {0};
	php_bloom_attachment *held = NULL;
	const bloom_segment *segment;
	php_bloom_blob *blob = NULL;
	zend_object *blob_object;
	bloom_error error = {0};
	zend_string *name;
	const char *checked;
	php_bloom_job *job;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR(name)
		Z_PARAM_OBJ_OF_CLASS(blob_object, php_bloom_ce_blob)
		Z_PARAM_OPTIONAL
		Z_PARAM_FUNC_OR_NULL(progress.call, progress.cache)
	ZEND_PARSE_PARAMETERS_END();

	checked = php_bloom_name(name, 1);
	segment = checked != NULL ? php_bloom_segment() : NULL;
	blob = segment != NULL ? php_bloom_blob_from(blob_object) : NULL;
	job = blob != NULL ? php_bloom_job_begin() : NULL;
	if (job == NULL) {
		RETURN_THROWS();
	}
	ok = load_blob(segment, checked, blob, job, &progress);
	php_bloom_job_end(job);
	if (!ok) {
		RETURN_THROWS();
	}
	php_bloom_attachment_recheck(checked);
	if (attach(segment, checked, &held, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		RETURN_THROWS();
	}
	make_handle(return_value, held);
}

/* ---- lookups ---- */

static zend_always_inline bool test(const bloom_view *view, const php_bloom_key *key)
{
	return bloom_view_test(view, bloom_digest_of(key->bytes, key->count, view->seed));
}

ZEND_METHOD(Bloom_Filter, mightContain)
{
	bloom_attachment *attachment;
	bloom_presence presence;
	zend_string *string;
	zend_long number;
	php_bloom_key key;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR_OR_LONG(string, number)
	ZEND_PARSE_PARAMETERS_END();

	attachment = current(Z_OBJ_P(ZEND_THIS), &presence);
	if (UNEXPECTED(attachment == NULL)) {
		RETURN_THROWS();
	}
	if (UNEXPECTED(presence == BLOOM_UNTOLD)) {
		RETURN_TRUE;
	}
	php_bloom_key_of(&key, string, number);
	RETURN_BOOL(test(&attachment->view, &key));
}

static ZEND_COLD void throw_bad_key(const zval *value, zend_string *name, zend_ulong index)
{
	if (name != NULL) {
		zend_argument_type_error(1,
			"must hold only values of type string|int, %s given at key \"%s\"",
			zend_zval_type_name(value), ZSTR_VAL(name));
	} else {
		zend_argument_type_error(1,
			"must hold only values of type string|int, %s given at key " ZEND_LONG_FMT,
			zend_zval_type_name(value), (zend_long)index);
	}
}

ZEND_METHOD(Bloom_Filter, candidates)
{
	bloom_attachment *attachment;
	bloom_presence presence;
	php_bloom_key key;
	HashTable *keys, *found;
	zend_string *name;
	zend_ulong index;
	zval *value;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(keys)
	ZEND_PARSE_PARAMETERS_END();

	attachment = current(Z_OBJ_P(ZEND_THIS), &presence);
	if (UNEXPECTED(attachment == NULL)) {
		RETURN_THROWS();
	}
	array_init(return_value);
	found = Z_ARRVAL_P(return_value);
	ZEND_HASH_FOREACH_KEY_VAL(keys, index, name, value) {
		if (UNEXPECTED(!php_bloom_key_of_value(&key, value))) {
			throw_bad_key(value, name, index);
			RETURN_THROWS();
		}
		if (presence == BLOOM_UNTOLD || test(&attachment->view, &key)) {
			ZVAL_DEREF(value);
			Z_TRY_ADDREF_P(value);
			if (name != NULL) {
				zend_hash_add_new(found, name, value);
			} else {
				zend_hash_index_add_new(found, index, value);
			}
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* ---- what is served ---- */

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

static void add_null(HashTable *info, const char *key)
{
	zval null;

	ZVAL_NULL(&null);
	zend_hash_str_update(info, key, strlen(key), &null);
}

/* What the control page knows of loads and syncs. */
static void control_info(HashTable *info, const bloom_control *control)
{
	uint64_t checked = bloom_load_relaxed(&control->checked_ms);
	uint64_t now = bloom_monotonic_ms();
	char text[BLOOM_CONTROL_TEXT_BYTES];

	php_bloom_info_double(
		info, "loadedAt", (double)bloom_load_relaxed(&control->loaded_ms) / 1000);
	php_bloom_info_long(info, "loads", bloom_load_relaxed(&control->loads));
	php_bloom_info_long(info, "syncs", bloom_load_relaxed(&control->syncs));
	php_bloom_info_long(info, "syncFailures", bloom_load_relaxed(&control->sync_failures));
	php_bloom_info_long(
		info, "syncFailuresInRow", bloom_load_relaxed(&control->failures_in_row));
	if (checked != 0 && checked <= now) {
		php_bloom_info_double(info, "syncedSecondsAgo", (double)(now - checked) / 1000);
	} else {
		add_null(info, "syncedSecondsAgo");
	}
	if (bloom_load_relaxed(&control->error_status) != BLOOM_OK) {
		memcpy(text, control->error_text, sizeof text);
		text[sizeof text - 1] = 0;
		php_bloom_info_string(info, "lastError", text, strlen(text));
		php_bloom_info_double(info, "lastErrorAt",
			(double)bloom_load_relaxed(&control->error_at_ms) / 1000);
	} else {
		add_null(info, "lastError");
		add_null(info, "lastErrorAt");
	}
}

ZEND_METHOD(Bloom_Filter, info)
{
	const bloom_segment *segment;
	bloom_attachment *attachment;
	bloom_presence presence;
	HashTable *info;

	ZEND_PARSE_PARAMETERS_NONE();
	attachment = current(Z_OBJ_P(ZEND_THIS), &presence);
	if (attachment == NULL) {
		RETURN_THROWS();
	}
	segment = attachment->segment;
	array_init(return_value);
	info = Z_ARRVAL_P(return_value);
	php_bloom_info_string(info, "name", attachment->name, strlen(attachment->name));
	php_bloom_info_string(info, "kind", "loaded", strlen("loaded"));
	php_bloom_info_long(info, "generation", attachment->generation);
	php_bloom_head_info(info, &attachment->head);
	control_info(info, attachment->control);
	php_bloom_info_string(info, "segment", segment->path, strlen(segment->path));
	php_bloom_info_long(info, "segmentBytes", bloom_segment_bytes(segment));
	php_bloom_info_long(info, "memoryLimit", segment->memory_limit_bytes);
	php_bloom_info_long(info, "mapFailures", attachment->map_failures);
}
