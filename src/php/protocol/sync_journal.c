/* How a sync follows the journal of the served version. */
#include "php/protocol/sync_attempt.h"

#include "kinds/additions.h"
#include "os/clock.h"
#include "os/process.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/protocol/fetch.h"
#include "php/protocol/journal_follow.h"
#include "php/protocol/journal_loss.h"
#include "segment/sync_due.h"

/* Returns whether the damaged generation is still mapped and was the last served generation. In
 * that case, its intact chunks need not be fetched. */
static bool keeps_damaged(const php_bloom_syncing *sync)
{
	const bloom_attachment *served = &sync->job->served;

	return sync->damaged &&
		bloom_load_acquire(&served->control->generation) == sync->replaces &&
		bloom_attachment_naming(served) == BLOOM_NAMING_SAME;
}

void php_bloom_sync_attach(php_bloom_syncing *sync, bloom_error *error)
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

bool php_bloom_sync_has_journal(const php_bloom_syncing *sync)
{
	const bloom_loaded *served = bloom_attachment_loaded(&sync->job->served);

	return served != NULL && served->additions != NULL;
}

/* Reads the new records of the served filter's journal.
 *
 *   *is_gone  set if the additions have been replaced or dropped in the meantime */
static bool read_journal(php_bloom_syncing *sync, bool *is_gone)
{
	const bloom_loaded *served = bloom_attachment_loaded(&sync->job->served);
	php_bloom_follow follow = {.name = sync->name, .job = sync->job};
	bloom_error error = {0};

	*is_gone = sync->has_followed = sync->is_lost = false;
	sync->refused.status = BLOOM_OK;
	if (!php_bloom_sync_has_journal(sync)) {
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
	if (sync->has_followed &&
		!php_bloom_loss_tell_strayed(
			sync->segment, sync->store, sync->name, served, sync->job)) {
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

bool php_bloom_sync_follow(php_bloom_syncing *sync)
{
	bool is_gone = true;
	int round;

	for (round = 0; is_gone && round < PHP_BLOOM_FETCH_ROUNDS_MAX; round++) {
		php_bloom_sync_attach(sync, NULL);
		if (!read_journal(sync, &is_gone)) {
			return false;
		}
	}
	return true;
}

bool php_bloom_sync_follow_between(void *context)
{
	php_bloom_syncing *sync = context;
	uint64_t max_lag_ms, pause_ms = 1000;
	bool is_gone;

	if (!sync->has_followed || !php_bloom_sync_has_journal(sync)) {
		return true;
	}
	max_lag_ms = bloom_additions_max_lag(sync->job->served.loaded->additions);
	if (max_lag_ms != 0 && max_lag_ms / 4 < pause_ms) {
		pause_ms = max_lag_ms / 4;
	}
	return bloom_monotonic_ms() - sync->followed_ms < pause_ms || read_journal(sync, &is_gone);
}

void php_bloom_sync_report_loss(php_bloom_syncing *sync)
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

bool php_bloom_sync_tell_again(const php_bloom_syncing *sync)
{
	return !sync->has_followed || sync->is_switched || !php_bloom_sync_has_journal(sync) ||
		php_bloom_loss_tell_again(sync->segment, sync->store, sync->name,
			bloom_attachment_loaded(&sync->job->served), sync->job);
}
