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

#include "kinds/additions.h"
#include "kinds/ondemand.h"
#include "kinds/verify.h"
#include "os/clock.h"
#include "os/mapping.h"
#include "os/process.h"
#include "php/arguments.h"
#include "php/filter/attachment_pool.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/protocol/fetch.h"
#include "php/filter/handle.h"
#include "php/protocol/effective_version.h"
#include "php/settings.h"
#include "php/protocol/sync.h"
#include "php/protocol/sync_log.h"
#include "php/protocol/journal_follow.h"
#include "php/protocol/journal_loss.h"
#include "php/protocol/staged_additions.h"
#include "segment/sync_due.h"
#include "segment/control_file.h"
#include "segment/sync_lease.h"
#include "segment/served_override.h"

typedef struct syncing {
	const bloom_segment *segment;
	zend_object *store;
	const char *name;
	bool force;
	bool always; /* read the head even if it is not due, and load it even if it is paused */
	uint64_t max_lag_ms;
	php_bloom_progress *progress;
	php_bloom_job *job;
	bool is_switched;
	bool obeys_override; /* the store says to serve this version, although it may be older */
	const char *result;  /* if it did not switch: the name of a case of SyncResult */
	uint64_t generation; /* that serves the store's version */
	uint64_t replaces;   /* the generation that this attempt found served */
	/* The mapped generation is damaged, and the generation number `replaces` withdrew it. */
	bool damaged;
	bloom_status unmapped; /* why that generation could not be attached, or OK */
	/* The served version has a journal, and its additions are up to date. */
	bool has_followed;
	uint64_t followed_ms; /* the last time when the journal was read; bloom_monotonic_ms() */
	/* The served additions cannot be brought up to date, because the journal does not continue
	 * from their read position. */
	bool is_lost;
	bloom_error refused; /* why they cannot be brought up to date although the store answered */
	uint64_t version;    /* the checksum of the head that was read; 0: none */
	bool is_paused;      /* that version failed a moment ago, and was not tried */
	uint64_t trying;     /* the version for which bloom_sync_load_begin() was called; 0: none */
	/* Why an attempt that failed without an exception should be repeated, or OK. */
	bloom_status again;
	/* A version that lacked a chunk or a record. If the head is still the same, the version is
	 * broken, and is not fetched again. */
	uint64_t incomplete;
	bloom_status lacking;
	php_bloom_sync_outcome outcome;
} syncing;

/* Switches to the staged file if the generation that this attempt compared with is still served.
 * Otherwise, another process has loaded a different version, dropped the filter or deleted the
 * segment, and the attempt is repeated. */
static bool commit(syncing *sync)
{
	php_bloom_job *job = sync->job;
	bloom_error error = {0};
	uint64_t generation;
	bloom_status status;

	job->stage.replaces = sync->replaces;
	job->stage.page = job->control;
	job->stage.allow_older = sync->force || sync->obeys_override;
	status = bloom_stage_commit(&job->stage, &generation, &error);
	if (bloom_status_group_of(status) == BLOOM_GROUP_RETRY) {
		sync->again = BLOOM_E_OVERTAKEN;
		return false;
	}
	if (status != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	sync->is_switched = true;
	sync->is_lost = false;
	sync->outcome.generation = generation;
	sync->outcome.replaced = sync->replaces;
	sync->generation = generation;
	return true;
}

/* Stages the additions of a blob with a mark. Also returns false if the journal does not continue
 * from the mark: the publisher may have replaced the head and trimmed the journal in the meantime,
 * so the attempt must be repeated. */
static bool prepare_additions(syncing *sync, const bloom_head *head)
{
	const bloom_loaded *served = bloom_attachment_loaded(&sync->job->served);
	uint64_t keys = 0;
	bool is_lost = false, has_version = false;

	if (head->meta.mark.epoch == 0) {
		return true;
	}
	if (served != NULL && served->additions != NULL) {
		keys = bloom_additions_keys(served->additions);
	}
	if (!php_bloom_additions_prepare(sync->segment, sync->store, sync->name, head, keys,
		    sync->max_lag_ms, sync->job, &is_lost, &has_version)) {
		return false;
	}
	if (has_version) {
		bloom_sync_head_notify(sync->job->control);
	}
	sync->again = is_lost ? BLOOM_E_JOURNAL_LOST : BLOOM_OK;
	return !is_lost;
}

/* Releases what a failed attempt has staged, unless it belongs to the parent process. Returns
 * false. */
static bool abandon(php_bloom_job *job)
{
	if (job->process == bloom_process_id()) {
		bloom_live_free(job->additions);
		job->additions = NULL;
		bloom_live_free(job->before);
		job->before = NULL;
		bloom_stage_abort(&job->added);
		bloom_stage_abort(&job->stage);
	}
	return false;
}

/* Returns whether the damaged generation is still mapped and was the last served generation. In
 * that case, its intact chunks need not be fetched. */
static bool keeps_damaged(const syncing *sync)
{
	const bloom_attachment *served = &sync->job->served;

	return sync->damaged &&
		bloom_load_acquire(&served->control->generation) == sync->replaces &&
		bloom_attachment_naming(served) == BLOOM_NAMING_SAME;
}

/* Attaches to the served generation for this attempt. A generation that cannot be mapped can also
 * be replaced. */
static void attach_served(syncing *sync, bloom_error *error)
{
	bloom_attachment *served = &sync->job->served;
	bloom_status status;

	if (keeps_damaged(sync)) {
		return;
	}
	sync->damaged = false;
	bloom_detach(served);
	status = bloom_attach(sync->segment, sync->name, served, error);
	sync->unmapped = status;
	if (status == BLOOM_OK) {
		sync->replaces = served->generation;
		return;
	}
	sync->replaces = status == BLOOM_E_NOT_FOUND
		? BLOOM_GENERATION_NONE
		: bloom_load_acquire(&sync->job->control->generation);
}

/* Returns whether the served version has additions. */
static bool has_journal(const syncing *sync)
{
	const bloom_loaded *served = bloom_attachment_loaded(&sync->job->served);

	return served != NULL && served->additions != NULL;
}

/* Reads the new records of the served filter's journal.
 *
 *   *is_gone  set if the additions have been replaced or dropped in the meantime */
static bool read_journal(syncing *sync, bool *is_gone)
{
	const bloom_loaded *served = bloom_attachment_loaded(&sync->job->served);
	php_bloom_follow follow = {.name = sync->name, .job = sync->job};
	bloom_error error = {0};

	*is_gone = sync->has_followed = sync->is_lost = false;
	sync->refused.status = BLOOM_OK;
	if (!has_journal(sync)) {
		return true;
	}
	if (!instanceof_function(sync->store->ce, php_bloom_ce_journal_store_interface)) {
		return bloom_fail(&sync->refused, BLOOM_E_NO_JOURNAL, 0, "%s", sync->name) !=
			BLOOM_OK;
	}
	follow.live = served->additions;
	if (!php_bloom_follow_all(sync->segment, sync->store, &follow, 1)) {
		return false;
	}
	if (follow.has_version) {
		bloom_sync_head_notify(sync->job->served.control);
	}
	*is_gone = bloom_status_group_of(follow.failed.status) == BLOOM_GROUP_RETRY;
	if (*is_gone) {
		return true;
	}
	sync->refused = follow.failed;
	sync->is_lost = follow.is_lost;
	sync->has_followed = !follow.is_lost && follow.failed.status == BLOOM_OK;
	if (follow.is_lost &&
		!php_bloom_loss_tell(sync->segment, sync->store, sync->name, served, sync->job)) {
		return false;
	}
	sync->followed_ms = bloom_monotonic_ms();
	if (bloom_additions_ask_max_lag(served->additions, sync->segment, sync->name,
		    sync->max_lag_ms, bloom_uptime_ms(), &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	return true;
}

/* Follows the served version's journal. Another process may load versions during the calls of the
 * store. */
static bool follow_journal(syncing *sync)
{
	bool is_gone = true;
	int round;

	for (round = 0; is_gone && round < PHP_BLOOM_FETCH_ROUNDS_MAX; round++) {
		attach_served(sync, NULL);
		if (!read_journal(sync, &is_gone)) {
			return false;
		}
	}
	return true;
}

/* Follows the served version's journal while a version is fetched, which may take minutes. Reads it
 * about once a second, and more often if the maximum lag is short. What keeps it from being
 * followed is reported after the fetch. */
static bool follow_while_fetching(void *context)
{
	syncing *sync = context;
	uint64_t max_lag_ms, pause_ms = 1000;
	bool is_gone;

	if (!sync->has_followed || !has_journal(sync)) {
		return true;
	}
	max_lag_ms = bloom_additions_max_lag(sync->job->served.loaded->additions);
	if (max_lag_ms != 0 && max_lag_ms / 4 < pause_ms) {
		pause_ms = max_lag_ms / 4;
	}
	return bloom_monotonic_ms() - sync->followed_ms < pause_ms || read_journal(sync, &is_gone);
}

static bool take_into_stage(void *context, const unsigned char *bytes, uint64_t count)
{
	php_bloom_job *job = context;
	bloom_error error = {0};

	if (!php_bloom_job_is_ours(job)) {
		return false;
	}
	if (bloom_stage_write(&job->stage, bytes, count, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	return true;
}

/* Stages the published version and switches to it. */
static bool load_published(syncing *sync, const php_bloom_published *found)
{
	php_bloom_job *job = sync->job;
	php_bloom_fetching fetch = {.store = sync->store,
		.name = sync->name,
		.head = &found->head,
		.served = &job->served,
		.take = take_into_stage,
		.context = job,
		.between = follow_while_fetching,
		.between_context = sync,
		.progress = sync->progress,
		.job = job};
	bloom_error error = {0};
	bool is_complete;

	if (!php_bloom_job_is_ours(job)) {
		return false;
	}
	if (bloom_stage_begin(sync->segment, sync->name, found->head.file_bytes, &job->stage,
		    &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	is_complete = take_into_stage(job, (const unsigned char *)ZSTR_VAL(found->bytes),
			      found->head.head_bytes) &&
		php_bloom_fetch_chunks(&fetch) && php_bloom_job_is_ours(job);
	sync->outcome.fetched_bytes += fetch.fetched_bytes;
	if (!is_complete) {
		sync->again = fetch.chunk_missing ? BLOOM_E_STORE_MISSING : BLOOM_OK;
		return abandon(job);
	}
	job->stage.fetched_bytes = fetch.fetched_bytes;
	job->stage.saved_bytes = fetch.served_bytes;
	return (prepare_additions(sync, &found->head) && commit(sync)) || abandon(job);
}

/* Reports that the store has lost records, unless a sync has reported this before. */
static void report_loss(syncing *sync)
{
	php_bloom_job *job = sync->job;
	const bloom_loaded *served = bloom_attachment_loaded(&job->served);
	bloom_live *additions = sync->is_switched ? job->additions
		: served != NULL                  ? served->additions
						  : NULL;

	if (job->process == bloom_process_id() && job->control != NULL) {
		sync->outcome.loss = php_bloom_loss_report(sync->name, additions, job->control);
	}
}

/* Opens the name's control page again, because another process may have dropped the filter or
 * deleted the segment during the store call. If the page is new and its lease is free, takes the
 * lease. If the lease is not free, two processes fetch, which is harmless. */
static bool follow_name(syncing *sync)
{
	php_bloom_job *job = sync->job;
	bloom_control *control = NULL;
	bloom_error error = {0};

	if (!php_bloom_job_is_ours(job)) {
		return false;
	}
	if (bloom_segment_control(sync->segment, sync->name, true, &control, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	bloom_unmap((const unsigned char *)job->control, BLOOM_CONTROL_BYTES);
	job->control = control;
	if (bloom_load_relaxed(&control->lease_until_ms) != job->lease) {
		job->lease = 0;
		(void)bloom_lease_take(control, bloom_monotonic_ms(), &job->lease);
	}
	return true;
}

/* Verifies the next part of the served file, or the whole file if the sync is forced. A damaged
 * generation is withdrawn before the store is called, because the store may not answer. */
static void verify_served(syncing *sync)
{
	php_bloom_job *job = sync->job;
	bloom_attachment *served = &job->served;
	uint64_t generation = bloom_load_acquire(&job->control->generation);
	bloom_error error = {0};

	attach_served(sync, &error);
	if (sync->unmapped != BLOOM_OK) {
		bloom_verify_unmappable(
			sync->segment, sync->name, job->control, generation, &error);
	} else if (!bloom_verify_served(served, sync->force, job->control, &job->lease)) {
		sync->damaged = true;
		sync->replaces = bloom_load_acquire(&served->control->generation);
	}
}

/* Switches an on-demand filter to the published head, and keeps resident chunks that have not
 * changed. */
static bool replace_head(syncing *sync, const php_bloom_published *found)
{
	php_bloom_job *job = sync->job;
	const bloom_cache *before = job->served.cache;
	bloom_error error = {0};

	if (!php_bloom_job_is_ours(job)) {
		return false;
	}
	if (bloom_cache_stage(sync->segment, sync->name, before->head->memory_bytes, &found->head,
		    (const unsigned char *)ZSTR_VAL(found->bytes), before, &job->stage,
		    &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	return commit(sync);
}

/* Returns whether the filter is an on-demand filter that cannot be mapped. Its memory budget is
 * then unknown, and loading the whole blob could use far more memory than was requested. */
static bool is_lost_cache(const syncing *sync)
{
	return sync->replaces != BLOOM_GENERATION_NONE &&
		!bloom_attachment_is_mapped(&sync->job->served) &&
		bloom_load_relaxed(&sync->job->control->kind) == BLOOM_KIND_ON_DEMAND;
}

/* Returns whether the published version is already served and is not known to be damaged. */
static bool is_served(const syncing *sync, const php_bloom_published *found)
{
	const unsigned char *bytes;
	const bloom_head *head = bloom_attachment_head(&sync->job->served, &bytes);

	return head != NULL && !sync->damaged && !sync->is_lost &&
		php_bloom_published_is(found, bytes, head->head_bytes);
}

/* Returns whether the published blob cannot replace the served filter. No blob can replace a live
 * filter, and a filter and a reverse index cannot replace each other. */
static bool is_of_another_kind(const bloom_attachment *served, const bloom_head *published)
{
	const bloom_head *head = bloom_attachment_head(served, NULL);
	bloom_kind kind = bloom_loaded_kind(&published->geometry);

	if (!bloom_attachment_is_mapped(served)) {
		return false;
	}
	return head == NULL ||
		(!served->ops->fetches &&
			(kind == BLOOM_KIND_INDEX) != (served->ops->kind == BLOOM_KIND_INDEX));
}

/* Throws a KindException because the published filter cannot replace the served filter. Always
 * returns false. */
static bool throw_kind(const syncing *sync, const php_bloom_published *found)
{
	bloom_error error = {0};

	(void)bloom_fail_kind(&error, sync->name, php_bloom_kind_text(&sync->job->served),
		bloom_kind_text(bloom_loaded_kind(&found->head.geometry)));
	php_bloom_throw(&error);
	return false;
}

/* Returns true if the published version was built before the served one. A served version from the
 * future counts as the older one. It was loaded while this host's clock was ahead, and it would
 * block all other versions until its build time. */
static bool is_older(const bloom_head *published, const bloom_head *served)
{
	return published->meta.built_ms < served->meta.built_ms &&
		bloom_head_check_built(served, bloom_clock_ms(), "", NULL) == BLOOM_OK;
}

/* Loads a head, unless it is already served or in a pause. Returns false if it throws, or if
 * another attempt is needed. */
static bool serve(syncing *sync, const php_bloom_published *found)
{
	bloom_attachment *served = &sync->job->served;
	const bloom_head *head = bloom_attachment_head(served, NULL);
	bloom_control *control = sync->job->control;
	uint64_t now_ms = bloom_monotonic_ms();
	bool ok;

	if (is_served(sync, found)) {
		sync->generation = served->generation;
		return true;
	}
	if (sync->incomplete == sync->version && sync->lacking != BLOOM_OK) {
		return php_bloom_store_throw(sync->lacking,
			sync->lacking == BLOOM_E_STORE_MISSING ? "a chunk" : sync->name);
	}
	if (sync->trying != sync->version) {
		if (!sync->always && bloom_sync_load_is_paused(control, sync->version, now_ms)) {
			sync->is_paused = true;
			return true;
		}
		bloom_sync_load_begin(control, sync->version, now_ms);
		sync->trying = sync->version;
	}
	if (is_of_another_kind(served, &found->head)) {
		return throw_kind(sync, found);
	}
	if (is_lost_cache(sync)) {
		return php_bloom_store_throw(sync->unmapped, sync->name);
	}
	if (head != NULL && !sync->force && !sync->obeys_override && is_older(&found->head, head)) {
		return php_bloom_store_throw(BLOOM_E_STALE, sync->name);
	}
	ok = bloom_attachment_cache(served) != NULL ? replace_head(sync, found)
						    : load_published(sync, found);
	sync->outcome.keys = found->head.keys;
	if (!ok && sync->again != BLOOM_OK && sync->again != BLOOM_E_OVERTAKEN) {
		sync->incomplete = sync->version;
		sync->lacking = sync->again;
	}
	return ok;
}

/* Notes which override the served generation comes from. */
static void note_override(syncing *sync, const php_bloom_effective *effective)
{
	bloom_control *control = sync->job->control;

	if (sync->force && effective->kind != BLOOM_OVERRIDE_NONE) {
		/* Otherwise the next sync, which is not forced, refuses the override again. */
		bloom_store_relaxed(&control->override_from_ms, 0);
	}
	bloom_served_override_note(
		control, sync->generation, effective->kind, effective->since_ms, bloom_clock_ms());
}

/* Makes one attempt: compares the version to serve with the served one, and loads it if they
 * differ. If an override was refused, the published version is served, and the attempt then
 * throws. */
static bool sync_once(syncing *sync)
{
	php_bloom_effective effective;
	bool ok;

	sync->again = BLOOM_OK;
	sync->version = 0;
	sync->is_paused = false;
	bloom_sync_head_begin(sync->job->control);
	if (!php_bloom_effective_require(sync->store, sync->name, &effective)) {
		return false;
	}
	ok = follow_name(sync);
	if (ok) {
		php_bloom_effective_choose(&effective, sync->name, sync->job->control, sync->force);
		sync->obeys_override = effective.kind != BLOOM_OVERRIDE_NONE;
		sync->version = effective.head.head.checksum;
		attach_served(sync, NULL);
		sync->has_followed = sync->has_followed && has_journal(sync);
		ok = serve(sync, &effective.head);
	}
	php_bloom_effective_release(&effective);
	if (ok && !sync->is_paused) {
		note_override(sync, &effective);
	}
	if (ok && effective.refused.status != BLOOM_OK) {
		php_bloom_throw(&effective.refused);
		return false;
	}
	return ok;
}

/* Reads the published head and loads its version. */
static bool load_head(syncing *sync)
{
	bloom_error error = {0};
	int round;

	verify_served(sync);
	for (round = 1; round <= PHP_BLOOM_FETCH_ROUNDS_MAX; round++) {
		if (sync_once(sync)) {
			/* If a notice has arrived in the meantime, another version is to be served.
			 * The head stays due if this was the last round. */
			if (bloom_sync_head_end(sync->job->control, bloom_monotonic_ms())) {
				return true;
			}
			sync->trying = 0;
		} else if (sync->again == BLOOM_OK) {
			/* The pause says when the head is read again, unless a notice arrives. A
			 * child that exits in the store's call does not end its parent's read. */
			if (sync->job->process == bloom_process_id()) {
				(void)bloom_sync_head_end(sync->job->control, bloom_monotonic_ms());
			}
			return false;
		}
		/* In the meantime, the publisher may have replaced the head and deleted the chunk,
		 * or another process may have loaded a different version here. */
	}
	if (sync->again == BLOOM_OK) {
		return true;
	}
	(void)bloom_fail(&error, sync->again, 0, "%s",
		sync->again == BLOOM_E_STORE_MISSING ? "a chunk" : sync->name);
	php_bloom_throw(&error);
	return false;
}

/* Returns whether this sync must read the head. */
static bool wants_head(const syncing *sync)
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
static void note_load_failure(syncing *sync)
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
static void note_success(syncing *sync)
{
	bloom_control *control = sync->job->control;

	sync->outcome.failures = bloom_load_relaxed(&control->failures_in_row);
	if (!sync->is_switched) {
		sync->outcome.generation = bloom_load_acquire(&control->generation);
	}
	bloom_sync_succeeded(control, bloom_monotonic_ms());
}

/* Writes into the control page that the published version is served or paused. */
static bool note_loaded(syncing *sync)
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

/* Tells other hosts of a loss if an earlier sync could not. This comes after the head was read,
 * because a version that was built after the loss makes it unnecessary. */
static bool tell_again(const syncing *sync)
{
	return !sync->has_followed || sync->is_switched || !has_journal(sync) ||
		php_bloom_loss_tell_again(sync->segment, sync->store, sync->name,
			bloom_attachment_loaded(&sync->job->served), sync->job);
}

/* Follows the journal, then reads the published head if that is necessary. */
static bool sync_journal_then_head(syncing *sync)
{
	php_bloom_job *job = sync->job;

	if (!follow_journal(sync)) {
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
		return tell_again(sync);
	}
	if (load_head(sync)) {
		return note_loaded(sync) && tell_again(sync);
	}
	if (job->process == bloom_process_id()) {
		note_load_failure(sync);
	}
	return false;
}

/* Returns the name of the result of a sync that is not due. */
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

/* Runs the sync if it is due and this process is elected. */
static bool sync_if_due(syncing *sync, uint64_t ttl_ms)
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

static bool parse_sync(
	INTERNAL_FUNCTION_PARAMETERS, syncing *sync, uint64_t *ttl_ms, php_bloom_logger *logger)
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
			zend_argument_value_error(3, "must be from 0 to 1,000,000,000 seconds");
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
	syncing sync = {.progress = &progress, .result = "Current"};
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
	report_loss(&sync);
	sync.outcome.seconds = (double)(bloom_monotonic_ms() - began_ms) / 1000;
	sync.outcome.is_switched = sync.is_switched;
	php_bloom_job_end(sync.job);
	if (sync.is_switched) {
		php_bloom_attachment_recheck(sync.name);
	}
	/* The sync is finished and holds nothing, so the logger may do anything. */
	php_bloom_sync_log(&logger, sync.name, &sync.outcome);
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	RETURN_OBJ_COPY(zend_enum_get_case_cstr(
		php_bloom_ce_sync_result, sync.is_switched ? "Switched" : sync.result));
}
