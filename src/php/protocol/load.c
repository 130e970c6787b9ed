/* Implements Bloom\Filter::load(). */
#include "php/engine.h"

#include "kinds/loaded.h"
#include "os/mapping.h"
#include "php/arguments.h"
#include "php/filter/blob_object.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/filter/handle.h"
#include "php/job.h"
#include "php/progress.h"
#include "php/settings.h"
#include "php/store/store.h"
#include "php/protocol/follow.h"
#include "segment/due.h"
#include "segment/control_file.h"

typedef struct loading {
	const bloom_segment *segment;
	const char *name;
	php_bloom_blob *blob;
	zend_object *journal; /* NULL: none */
	uint64_t max_lag_ms;
	php_bloom_job *job;
	php_bloom_progress progress;
	bool has_version; /* the journal has the notice of another version */
} loading;

/* Counts a load that failed, if the filter exists. */
static void count_failure(const loading *work, bloom_status failure)
{
	bloom_control *control;

	if (bloom_segment_control(work->segment, work->name, false, &control, NULL) == BLOOM_OK) {
		bloom_counters_failed(&control->counters, failure);
		bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	}
}

/* Remembers a notice that this load has read from the journal. The next sync reads the head. */
static void note_version(const loading *work)
{
	bloom_control *control;

	if (work->has_version &&
		bloom_segment_control(work->segment, work->name, false, &control, NULL) ==
			BLOOM_OK) {
		bloom_sync_head_notify(control);
		bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	}
}

static bool stage_blob(loading *work)
{
	enum { STEP_BYTES = 4 * 1024 * 1024 };
	const php_bloom_blob *blob = work->blob;
	bloom_stage *stage = &work->job->stage;
	bloom_error error = {0};
	uint64_t step, at;
	bloom_status status;

	status = bloom_stage_begin(work->segment, work->name, blob->count, stage, &error);
	for (at = 0; status == BLOOM_OK && at < blob->count; at += step) {
		step = blob->count - at < STEP_BYTES ? blob->count - at : STEP_BYTES;
		status = bloom_stage_write(stage, blob->bytes + at, step, &error);
		if (status == BLOOM_OK &&
			(!php_bloom_progress_report(&work->progress, at + step, blob->count) ||
				!php_bloom_job_is_ours(work->job))) {
			return false;
		}
	}
	if (status != BLOOM_OK) {
		count_failure(work, status);
		php_bloom_throw(&error);
		return false;
	}
	return true;
}

static bool stage_additions(loading *work)
{
	const bloom_head *head = &work->blob->head;
	bool is_lost = false;

	if (head->meta.mark.epoch == 0) {
		return true;
	}
	return php_bloom_additions_prepare(work->segment, work->journal, work->name, head, 0,
		       work->max_lag_ms, work->job, &is_lost, &work->has_version) &&
		(!is_lost || php_bloom_store_throw(BLOOM_E_JOURNAL_LOST, work->name));
}

/* Stages the blob and switches to it. */
static bool load_blob(loading *work)
{
	bloom_error error = {0};
	uint64_t generation;
	bloom_status status;

	if (!stage_blob(work) || !stage_additions(work)) {
		return false;
	}
	status = bloom_stage_commit(&work->job->stage, &generation, &error);
	if (status != BLOOM_OK) {
		count_failure(work, status);
		php_bloom_throw(&error);
		return false;
	}
	note_version(work);
	return true;
}

/* Checks that the loaded filter will be of the class that load() was called on. */
static bool check_called(
	const zend_class_entry *called, const char *name, const php_bloom_blob *blob)
{
	bloom_kind kind = bloom_loaded_kind(&blob->head.geometry);

	if (called == NULL || called == php_bloom_class_of_kind(kind)) {
		return true;
	}
	php_bloom_throw_kind(name, bloom_kind_text(kind), called);
	return false;
}

/* Checks that a blob has a mark if and only if its journal is given. Without the journal, the keys
 * that were added since the mark would be missing. */
static bool check_journal(const loading *work)
{
	bool has_mark = work->blob->head.meta.mark.epoch != 0;

	if (has_mark == (work->journal != NULL)) {
		return true;
	}
	return php_bloom_store_throw(has_mark ? BLOOM_E_NO_JOURNAL : BLOOM_E_NO_MARK, work->name);
}

static bool parse_load(INTERNAL_FUNCTION_PARAMETERS, loading *work)
{
	zend_object *blob;
	zend_string *name;
	double max_lag = 0;
	bool no_max_lag = true;

	ZEND_PARSE_PARAMETERS_START(2, 5)
		Z_PARAM_STR(name)
		Z_PARAM_OBJ_OF_CLASS(blob, php_bloom_ce_blob)
		Z_PARAM_OPTIONAL
		Z_PARAM_FUNC_OR_NULL(work->progress.call, work->progress.cache)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(work->journal, php_bloom_ce_journal_store_interface)
		Z_PARAM_DOUBLE_OR_NULL(max_lag, no_max_lag)
		ZEND_PARSE_PARAMETERS_END_EX(return false);

		work->name = ZSTR_VAL(name);
		work->segment = php_bloom_segment_for(name, 1);
		work->blob = work->segment != NULL ? php_bloom_blob_from(blob) : NULL;
		return work->blob != NULL &&
			php_bloom_max_lag(no_max_lag, max_lag, 5, &work->max_lag_ms);
}

ZEND_METHOD(Bloom_Filter, load)
{
	loading work = {0};
	const zend_class_entry *called;
	bool ok;

	if (!parse_load(INTERNAL_FUNCTION_PARAM_PASSTHRU, &work) ||
		!php_bloom_called_on(execute_data, &called) ||
		!check_called(called, work.name, work.blob) || !check_journal(&work)) {
		RETURN_THROWS();
	}
	work.job = php_bloom_job_begin();
	if (work.job == NULL) {
		RETURN_THROWS();
	}
	ok = load_blob(&work);
	php_bloom_job_end(work.job);
	/* Another process may have dropped the filter and reused its name for a different class. */
	if (!ok || !php_bloom_open_made(return_value, work.segment, work.name, called)) {
		RETURN_THROWS();
	}
}
