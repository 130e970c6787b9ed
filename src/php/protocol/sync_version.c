/* How a sync reads the published head, and loads its version. */
#include "php/protocol/sync_attempt.h"

#include "kinds/additions.h"
#include "kinds/ondemand.h"
#include "kinds/verify.h"
#include "os/clock.h"
#include "os/mapping.h"
#include "os/process.h"
#include "php/errors.h"
#include "php/protocol/effective_version.h"
#include "php/protocol/fetch.h"
#include "php/filter/handle.h"
#include "segment/control_file.h"
#include "segment/served_override.h"
#include "segment/sync_due.h"
#include "segment/sync_lease.h"

/* Switches to the staged file if the generation that this attempt compared with is still served.
 * Otherwise, another process has loaded a different version, dropped the filter or deleted the
 * segment, and the attempt is repeated. */
static bool commit(php_bloom_syncing *sync)
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
static bool prepare_additions(php_bloom_syncing *sync, const bloom_head *head)
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
static bool load_published(php_bloom_syncing *sync, const php_bloom_published *found)
{
	php_bloom_job *job = sync->job;
	php_bloom_fetching fetch = {.store = sync->store,
		.name = sync->name,
		.head = &found->head,
		.served = &job->served,
		.take = take_into_stage,
		.context = job,
		.between = php_bloom_sync_follow_between,
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

/* Opens the name's control page again, because another process may have dropped the filter or
 * deleted the segment during the store call. If the page is new and its lease is free, takes the
 * lease. If the lease is not free, two processes fetch, which is harmless. */
static bool follow_name(php_bloom_syncing *sync)
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
static void verify_served(php_bloom_syncing *sync)
{
	php_bloom_job *job = sync->job;
	bloom_attachment *served = &job->served;
	uint64_t generation = bloom_load_acquire(&job->control->generation);
	bloom_error error = {0};

	php_bloom_sync_attach(sync, &error);
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
static bool replace_head(php_bloom_syncing *sync, const php_bloom_published *found)
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
static bool is_lost_cache(const php_bloom_syncing *sync)
{
	return sync->replaces != BLOOM_GENERATION_NONE &&
		!bloom_attachment_is_mapped(&sync->job->served) &&
		bloom_load_relaxed(&sync->job->control->kind) == BLOOM_KIND_ON_DEMAND;
}

/* Returns whether the published version is already served and is not known to be damaged. */
static bool is_served(const php_bloom_syncing *sync, const php_bloom_published *found)
{
	const unsigned char *bytes;
	const bloom_head *head = bloom_attachment_head(&sync->job->served, &bytes);

	return head != NULL && !sync->damaged && !sync->is_lost &&
		php_bloom_published_is(found, bytes, head->head_bytes);
}

/* Returns whether a kind is replaced only by the same kind, because it supports other calls. */
static bool is_alone(bloom_kind kind)
{
	return kind == BLOOM_KIND_INDEX || kind == BLOOM_KIND_MAP;
}

/* Returns whether the published blob cannot replace the served filter. No blob can replace a live
 * filter, and filters, reverse indexes and maps cannot replace each other. */
static bool is_of_another_kind(const bloom_attachment *served, const bloom_head *published)
{
	const bloom_head *head = bloom_attachment_head(served, NULL);
	bloom_kind kind = bloom_loaded_kind(&published->geometry);

	if (!bloom_attachment_is_mapped(served)) {
		return false;
	}
	return head == NULL ||
		(!served->ops->fetches && kind != served->ops->kind &&
			(is_alone(kind) || is_alone(served->ops->kind)));
}

/* Throws a KindException because the published filter cannot replace the served filter. Always
 * returns false. */
static bool throw_kind(const php_bloom_syncing *sync, const php_bloom_published *found)
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
static bool serve(php_bloom_syncing *sync, const php_bloom_published *found)
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

static void note_override(php_bloom_syncing *sync, const php_bloom_effective *effective)
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
static bool sync_once(php_bloom_syncing *sync)
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
		php_bloom_sync_attach(sync, NULL);
		sync->has_followed = sync->has_followed && php_bloom_sync_has_journal(sync);
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

bool php_bloom_sync_load_head(php_bloom_syncing *sync)
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
