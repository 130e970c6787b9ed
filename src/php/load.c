/* Implements Bloom\Filter::load(). */
#include "php/engine.h"

#include "kinds/loaded.h"
#include "kinds/overlay.h"
#include "php/arguments.h"
#include "php/blob.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/handle.h"
#include "php/job.h"
#include "php/progress.h"
#include "php/segment.h"

/* Stages the blob and switches to it. An overlay must exist before the switch, because readers look
 * for the overlay when they notice the switch. Returns false if it throws. */
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

/* Sets the overlay's parameters. The rate and the secret are those of the blob. Returns false after
 * an exception. */
static bool overlay_params(double window, bool no_window, zend_long capacity, bool no_capacity,
	const bloom_head *head, bloom_live_params *params)
{
	double rate = head->meta.target_rate;
	bloom_error error = {0};

	if (no_window != no_capacity) {
		zend_argument_value_error(no_window ? 4 : 5,
			"must also be given: an overlay needs both a window and a capacity");
		return false;
	}
	if (no_window) {
		return true;
	}
	if (bloom_loaded_kind(&head->geometry) == BLOOM_KIND_INDEX) {
		(void)bloom_fail(&error, BLOOM_E_IMMUTABLE, 0, "it cannot have an overlay");
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

/* Checks that the loaded filter will be of the class that load() was called on. Returns false after
 * an exception. */
static bool check_called(
	const zend_class_entry *called, const char *name, const php_bloom_blob *blob)
{
	bloom_kind kind = bloom_loaded_kind(&blob->head.geometry);

	if (called == php_bloom_ce_filter || called == php_bloom_class_of_kind(kind)) {
		return true;
	}
	php_bloom_throw_kind(name, bloom_kind_text(kind), called);
	return false;
}

ZEND_METHOD(Bloom_Filter, load)
{
	bool no_window = true, no_capacity = true, ok;
	php_bloom_progress progress = {0};
	const bloom_segment *segment;
	bloom_live_params params = {0};
	const zend_class_entry *called;
	php_bloom_blob *blob = NULL;
	zend_object *blob_object;
	zend_long capacity = 0;
	zend_string *name;
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

	segment = php_bloom_segment_for(name, 1);
	blob = segment != NULL ? php_bloom_blob_from(blob_object) : NULL;
	called = zend_get_called_scope(execute_data);
	if (blob == NULL || !check_called(called, ZSTR_VAL(name), blob) ||
		!overlay_params(window, no_window, capacity, no_capacity, &blob->head, &params)) {
		RETURN_THROWS();
	}
	job = php_bloom_job_begin();
	if (job == NULL) {
		RETURN_THROWS();
	}
	ok = load_blob(segment, ZSTR_VAL(name), blob, no_window ? NULL : &params, job, &progress);
	php_bloom_job_end(job);
	/* Another process may have dropped the filter and reused its name for a different class. */
	if (!ok ||
		!php_bloom_open_made(return_value, segment, ZSTR_VAL(name),
			called == php_bloom_ce_filter ? NULL : called)) {
		RETURN_THROWS();
	}
}
