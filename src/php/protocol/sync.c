/* Implements Filter::sync(), which copies a version from a store to the segment.
 *
 *     due? elected? ─► new records of the served version's journal ─► head due? no: done
 *                                                                     │ yes
 *                 ┌───────────────────────────────────────────────────┘
 *                 └► verify a part ─► head ─► served, or failed a moment ago? ─► done
 *                                             │ no
 *                                             └► chunks ─► additions ─► switch
 *                                                └ the journal, once a second
 *
 * The journal comes first and its result is recorded apart from that of the head, because a version
 * that cannot be loaded must not keep this host from the keys of the version that it serves.
 */
#include "php/engine.h"

#include <zend_enum.h>
#include <zend_exceptions.h>

#include "os/clock.h"
#include "os/process.h"
#include "php/arguments.h"
#include "php/filter/attachment_pool.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/settings.h"
#include "php/protocol/sync.h"
#include "php/protocol/sync_attempt.h"
#include "segment/sync_due.h"
#include "segment/control_file.h"
#include "segment/sync_lease.h"

static bool wants_head(const php_bloom_syncing *sync)
{
	return !sync->has_followed || sync->always || sync->force ||
		bloom_sync_head_is_due(sync->job->control, bloom_monotonic_ms());
}

/* Returns the status of the pending exception.
 *
 *   *text  its message; release it */
static bloom_status failure(zend_string **text)
{
	zval holder, *message, *code;
	zend_object *thrown = EG(exception);
	zend_long status = BLOOM_E_STORE;

	if (thrown == NULL || zend_is_unwind_exit(thrown) || zend_is_graceful_exit(thrown)) {
		*text = zend_string_init(ZEND_STRL(PHP_BLOOM_SCRIPT_ENDED), false);
		return BLOOM_E_STORE;
	}
	if (instanceof_function(thrown->ce, php_bloom_ce_Bloom)) {
		code = zend_read_property_ex(
			thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_CODE), true, &holder);
		/* A store may throw one of this extension's exceptions with a code of its own. */
		if (Z_TYPE_P(code) == IS_LONG && Z_LVAL_P(code) > BLOOM_OK &&
			Z_LVAL_P(code) < BLOOM_STATUS_COUNT) {
			status = Z_LVAL_P(code);
		}
	}
	message = zend_read_property_ex(
		thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder);
	*text = zval_get_string(message);
	return (bloom_status)status;
}

bloom_status php_bloom_sync_note_failure(bloom_control *control)
{
	zend_string *text;
	bloom_status status = failure(&text);

	bloom_sync_failed(control, bloom_monotonic_ms(), status, ZSTR_VAL(text));
	zend_string_release(text);
	return status;
}

/* Writes the pending exception of an attempt to load the published version into the control page.
 * If this sync has not followed a journal, the whole sync has failed. */
static void note_load_failure(php_bloom_syncing *sync)
{
	bloom_control *control = sync->job->control;
	uint64_t now_ms = bloom_monotonic_ms();
	zend_string *text;
	bloom_status status = failure(&text);

	if (sync->trying == 0 || sync->trying != sync->version) {
		bloom_sync_load_begin(control, sync->version, now_ms);
	}
	bloom_sync_load_failed(control, now_ms, status, ZSTR_VAL(text));
	if (sync->has_followed) {
		bloom_counters_failed(&control->counters, status);
	} else {
		bloom_sync_failed(control, now_ms, status, ZSTR_VAL(text));
	}
	sync->outcome.failure = status;
	sync->outcome.failures = bloom_load_relaxed(
		sync->has_followed ? &control->load_failures_in_row : &control->failures_in_row);
	zend_string_release(text);
}

/* Writes a success into the control page, and prepares the log. */
static void note_success(php_bloom_syncing *sync)
{
	bloom_control *control = sync->job->control;

	sync->outcome.failures = bloom_load_relaxed(&control->failures_in_row);
	if (!sync->is_switched) {
		sync->outcome.generation = bloom_load_acquire(&control->generation);
	}
	bloom_sync_succeeded(control, bloom_monotonic_ms());
}

/* Writes into the control page that the published version is served or paused. */
static bool note_loaded(php_bloom_syncing *sync)
{
	bloom_control *control = sync->job->control;
	uint64_t failures = bloom_load_relaxed(&control->load_failures_in_row);

	if (sync->is_paused) {
		sync->result = "Paused";
		if (sync->refused.status != BLOOM_OK) {
			php_bloom_throw(&sync->refused);
			sync->outcome.failure = php_bloom_sync_note_failure(control);
			return false;
		}
		if (!sync->has_followed) {
			bloom_sync_postponed(control, bloom_monotonic_ms());
		}
		return true;
	}
	bloom_sync_load_succeeded(control);
	if (!sync->is_switched && sync->refused.status != BLOOM_OK) {
		/* Only a new version, with a later mark, helps. */
		php_bloom_throw(&sync->refused);
		sync->outcome.failure = php_bloom_sync_note_failure(control);
		sync->outcome.failures = bloom_load_relaxed(&control->failures_in_row);
		return false;
	}
	if (!sync->has_followed) {
		note_success(sync);
	}
	if (failures > sync->outcome.failures) {
		sync->outcome.failures = failures;
	}
	return true;
}

static bool sync_journal_then_head(php_bloom_syncing *sync)
{
	php_bloom_job *job = sync->job;

	if (!php_bloom_sync_follow(sync)) {
		if (job->process == bloom_process_id()) {
			sync->outcome.failure = php_bloom_sync_note_failure(job->control);
			sync->outcome.failures = bloom_load_relaxed(&job->control->failures_in_row);
		}
		return false;
	}
	if (sync->has_followed) {
		note_success(sync);
	}
	if (!wants_head(sync)) {
		if (bloom_load_relaxed(&job->control->load_failures_in_row) != 0) {
			sync->result = "Paused";
		}
		return php_bloom_sync_tell_again(sync);
	}
	if (php_bloom_sync_load_head(sync)) {
		return note_loaded(sync) && php_bloom_sync_tell_again(sync);
	}
	if (job->process == bloom_process_id()) {
		note_load_failure(sync);
	}
	return false;
}

static const char *not_due_result(const bloom_control *control)
{
	return bloom_load_relaxed(&control->failures_in_row) != 0 ? "Paused" : "NotDue";
}

/* A sync that is not due costs only this read of shared memory. Returns the name of its result, or
 * NULL if the sync may be due. */
static const char *check_fresh(const char *name, uint64_t ttl_ms)
{
	php_bloom_attachment *held = php_bloom_attachment_find(name);
	const bloom_control *control = held != NULL ? held->attachment.control : NULL;

	return control != NULL && held->attachment.generation != BLOOM_GENERATION_UNMAPPED &&
			bloom_load_acquire(&control->generation) != BLOOM_GENERATION_DROPPED &&
			!bloom_sync_is_due(control, ttl_ms, bloom_monotonic_ms())
		? not_due_result(control)
		: NULL;
}

static bool sync_if_due(php_bloom_syncing *sync, uint64_t ttl_ms)
{
	php_bloom_job *job = sync->job;
	bloom_error error = {0};

	if (bloom_segment_control(sync->segment, sync->name, true, &job->control, &error) !=
		BLOOM_OK) {
		php_bloom_throw(&error);
		sync->outcome.failure = error.status;
		return false;
	}
	if (!bloom_sync_is_due(job->control, ttl_ms, bloom_monotonic_ms())) {
		sync->result = not_due_result(job->control);
		return true;
	}
	if (!bloom_lease_take(job->control, bloom_monotonic_ms(), &job->lease)) {
		/* Only the holder of the lease may have to wait for the store. */
		sync->result = "Busy";
		return true;
	}
	/* Another process may have finished its sync between the first check and the election. */
	if (!bloom_sync_is_due(job->control, ttl_ms, bloom_monotonic_ms())) {
		sync->result = not_due_result(job->control);
		return true;
	}
	return sync_journal_then_head(sync);
}

static bool parse_sync(INTERNAL_FUNCTION_PARAMETERS, php_bloom_syncing *sync, uint64_t *ttl_ms,
	php_bloom_logger *logger)
{
	double ttl = 60, max_lag = 0;
	bool no_max_lag = true;
	zval *log = NULL;
	zend_string *name;

	ZEND_PARSE_PARAMETERS_START(2, 7)
		Z_PARAM_STR(name)
		Z_PARAM_OBJ_OF_CLASS(sync->store, php_bloom_ce_store_interface)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE(ttl)
		Z_PARAM_BOOL(sync->force)
		Z_PARAM_FUNC_OR_NULL(sync->progress->call, sync->progress->cache)
		Z_PARAM_DOUBLE_OR_NULL(max_lag, no_max_lag)
		Z_PARAM_ZVAL(log)
		ZEND_PARSE_PARAMETERS_END_EX(return false);

		sync->name = php_bloom_name(name, 1);
		if (sync->name == NULL ||
			!php_bloom_max_lag_ms(no_max_lag, max_lag, 6, &sync->max_lag_ms) ||
			!php_bloom_logger_of(log, 7, logger)) {
			return false;
		}
		if (!(ttl >= 0 && ttl <= 1e9)) {
			zend_argument_value_error(3, "must be between 0 and 1,000,000,000 seconds");
			return false;
		}
		*ttl_ms = (uint64_t)(ttl * 1000);
		sync->always = *ttl_ms == 0;
		return true;
}

ZEND_METHOD(Bloom_Filter, sync)
{
	php_bloom_progress progress = {0};
	php_bloom_logger logger = {0};
	php_bloom_syncing sync = {.progress = &progress, .result = "Current"};
	const char *not_due;
	uint64_t ttl_ms = 0, began_ms;

	if (!parse_sync(INTERNAL_FUNCTION_PARAM_PASSTHRU, &sync, &ttl_ms, &logger)) {
		RETURN_THROWS();
	}
	sync.segment = php_bloom_segment();
	if (sync.segment == NULL) {
		RETURN_THROWS();
	}
	not_due = check_fresh(sync.name, ttl_ms);
	if (not_due != NULL) {
		RETURN_OBJ_COPY(zend_enum_get_case_cstr(php_bloom_ce_sync_result, not_due));
	}
	sync.job = php_bloom_job_begin();
	if (sync.job == NULL) {
		RETURN_THROWS();
	}
	began_ms = bloom_monotonic_ms();
	(void)sync_if_due(&sync, ttl_ms);
	php_bloom_sync_report_loss(&sync);
	sync.outcome.seconds = (double)(bloom_monotonic_ms() - began_ms) / 1000;
	sync.outcome.is_switched = sync.is_switched;
	php_bloom_job_end(sync.job);
	if (sync.is_switched) {
		php_bloom_attachment_recheck(sync.name);
		php_bloom_segment_changed();
	}
	/* The sync is finished and holds nothing, so the logger may do anything. */
	php_bloom_sync_log(&logger, sync.name, &sync.outcome);
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	RETURN_OBJ_COPY(zend_enum_get_case_cstr(
		php_bloom_ce_sync_result, sync.is_switched ? "Switched" : sync.result));
}
