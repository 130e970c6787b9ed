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
#include "php/protocol/staged_additions.h"
#include "segment/sync_due.h"
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
static void count_failure(const loading *load, bloom_status failure)
{
	bloom_control *control;

	if (bloom_segment_control(load->segment, load->name, false, &control, NULL) == BLOOM_OK) {
		bloom_counters_failed(&control->counters, failure);
		bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	}
}

/* Remembers a notice that this load has read from the journal. The next sync reads the head. */
static void note_version(const loading *load)
{
	bloom_control *control;

	if (load->has_version &&
		bloom_segment_control(load->segment, load->name, false, &control, NULL) ==
			BLOOM_OK) {
		bloom_sync_head_notify(control);
		bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	}
}

static bool stage_blob(loading *load)
{
	enum { STEP_BYTES = 4 * 1024 * 1024 };
	const php_bloom_blob *blob = load->blob;
	bloom_stage *stage = &load->job->stage;
	bloom_error error = {0};
	uint64_t step, at;
	bloom_status status;

	status = bloom_stage_begin(load->segment, load->name, blob->count, stage, &error);
	for (at = 0; status == BLOOM_OK && at < blob->count; at += step) {
		step = blob->count - at < STEP_BYTES ? blob->count - at : STEP_BYTES;
		status = bloom_stage_write(stage, blob->bytes + at, step, &error);
		if (status == BLOOM_OK &&
			(!php_bloom_progress_report(&load->progress, at + step, blob->count) ||
				!php_bloom_job_is_ours(load->job))) {
			return false;
		}
	}
	if (status != BLOOM_OK) {
		count_failure(load, status);
		php_bloom_throw(&error);
		return false;
	}
	return true;
}

static bool stage_additions(loading *load)
{
	const bloom_head *head = &load->blob->head;
	bool is_lost = false;

	if (head->meta.mark.epoch == 0) {
		return true;
	}
	return php_bloom_additions_prepare(load->segment, load->journal, load->name, head, 0,
		       load->max_lag_ms, load->job, &is_lost, &load->has_version) &&
		(!is_lost || php_bloom_store_throw(BLOOM_E_JOURNAL_LOST, load->name));
}

/* Stages the blob and switches to it. */
static bool load_blob(loading *load)
{
	bloom_error error = {0};
	uint64_t generation;
	bloom_status status;

	if (!stage_blob(load) || !stage_additions(load)) {
		return false;
	}
	status = bloom_stage_commit(&load->job->stage, &generation, &error);
	if (status != BLOOM_OK) {
		count_failure(load, status);
		php_bloom_throw(&error);
		return false;
	}
	note_version(load);
	return true;
}

/* Checks that the loaded filter will be of the class that load() was called on. */
static bool check_called(
	const zend_class_entry *called, const char *name, const php_bloom_blob *blob)
{
	bloom_kind kind = bloom_loaded_kind(&blob->head.geometry);

	if (instanceof_function(php_bloom_class_of_kind(kind), called)) {
		return true;
	}
	php_bloom_throw_kind(name, bloom_kind_text(kind), called);
	return false;
}

/* Checks that a blob has a mark if and only if its journal is given. Without the journal, the keys
 * that were added since the mark would be missing. */
static bool check_journal(const loading *load)
{
	bool has_mark = load->blob->head.meta.mark.epoch != 0;

	if (has_mark == (load->journal != NULL)) {
		return true;
	}
	return php_bloom_store_throw(has_mark ? BLOOM_E_NO_JOURNAL : BLOOM_E_NO_MARK, load->name);
}

static bool parse_load(INTERNAL_FUNCTION_PARAMETERS, loading *load)
{
	zend_object *blob;
	zend_string *name;
	double max_lag = 0;
	bool no_max_lag = true;

	ZEND_PARSE_PARAMETERS_START(2, 5)
		Z_PARAM_STR(name)
		Z_PARAM_OBJ_OF_CLASS(blob, php_bloom_ce_blob)
		Z_PARAM_OPTIONAL
		Z_PARAM_FUNC_OR_NULL(load->progress.call, load->progress.cache)
		Z_PARAM_OBJ_OF_CLASS_OR_NULL(load->journal, php_bloom_ce_journal_store_interface)
		Z_PARAM_DOUBLE_OR_NULL(max_lag, no_max_lag)
		ZEND_PARSE_PARAMETERS_END_EX(return false);

		load->name = ZSTR_VAL(name);
		load->segment = php_bloom_segment_for(name, 1);
		load->blob = load->segment != NULL ? php_bloom_blob_from(blob) : NULL;
		return load->blob != NULL &&
			php_bloom_max_lag_ms(no_max_lag, max_lag, 5, &load->max_lag_ms);
}

ZEND_METHOD(Bloom_Filter, load)
{
	loading load = {0};
	const zend_class_entry *called;
	bool ok;

	if (!parse_load(INTERNAL_FUNCTION_PARAM_PASSTHRU, &load) ||
		!php_bloom_called_on(execute_data, &called) ||
		!check_called(called, load.name, load.blob) || !check_journal(&load)) {
		RETURN_THROWS();
	}
	load.job = php_bloom_job_begin();
	if (load.job == NULL) {
		RETURN_THROWS();
	}
	ok = load_blob(&load);
	php_bloom_job_end(load.job);
	/* Another process may have dropped the filter and reused its name for a different class. */
	if (!ok || !php_bloom_open_made(return_value, load.segment, load.name, called)) {
		RETURN_THROWS();
	}
}
