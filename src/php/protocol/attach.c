/* Bloom\Filter::attach(): opens an on-demand filter, or creates it from the published head. */
#include "php/engine.h"

#include "kinds/ondemand.h"
#include "os/clock.h"
#include "os/mapping.h"
#include "php/arguments.h"
#include "php/filter/attachment_pool.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/filter/handle.h"
#include "php/job.h"
#include "php/protocol/effective_version.h"
#include "php/settings.h"
#include "segment/sync_due.h"
#include "segment/control_file.h"
#include "segment/served_override.h"

/* Stages the head and switches to it. Returns BLOOM_GROUP_RETRY's statuses if another process was
 * faster. */
static bloom_status commit(const bloom_segment *segment, const char *name, uint64_t memory_bytes,
	const php_bloom_effective *effective, uint64_t replaces, php_bloom_job *job,
	bloom_error *error)
{
	const php_bloom_published *found = &effective->head;
	uint64_t generation;
	bloom_status status;

	status = bloom_cache_stage(segment, name, memory_bytes, &found->head,
		(const unsigned char *)ZSTR_VAL(found->bytes), NULL, &job->stage, error);
	if (status == BLOOM_OK) {
		job->stage.replaces = replaces;
		job->stage.allow_older = effective->kind != BLOOM_OVERRIDE_NONE;
		status = bloom_stage_commit(&job->stage, &generation, error);
	}
	if (status == BLOOM_OK && job->control == NULL) {
		(void)bloom_segment_control(segment, name, false, &job->control, NULL);
	}
	if (status == BLOOM_OK && job->control != NULL) {
		bloom_served_override_note(job->control, generation, effective->kind,
			effective->since_ms, bloom_clock_ms());
	}
	return status;
}

/* Creates the filter from the head in the store, unless another process has created it. If an
 * override is refused, the published head is used, and info() shows the reason.
 *
 *   replaces   the served generation if it is unreadable, or BLOOM_GENERATION_NONE */
static bool make(const bloom_segment *segment, zend_object *store, const char *name,
	uint64_t memory_bytes, uint64_t replaces, php_bloom_job *job)
{
	php_bloom_effective effective;
	bloom_error error = {0};
	bloom_status status;
	zend_string *text;

	if (!php_bloom_effective_require(store, name, &effective)) {
		return false;
	}
	if (!php_bloom_job_is_ours(job)) {
		php_bloom_effective_release(&effective);
		return false;
	}
	if (job->control == NULL) {
		(void)bloom_segment_control(segment, name, false, &job->control, NULL);
	}
	php_bloom_effective_choose(&effective, name, job->control, false);
	status = commit(segment, name, memory_bytes, &effective, replaces, job, &error);
	php_bloom_segment_changed();
	php_bloom_effective_release(&effective);
	if (status == BLOOM_OK && effective.refused.status != BLOOM_OK && job->control != NULL) {
		text = php_bloom_error_text(&effective.refused);
		bloom_sync_note(job->control, effective.refused.status, ZSTR_VAL(text));
		zend_string_release(text);
	}
	if (status != BLOOM_OK && bloom_status_group_of(status) != BLOOM_GROUP_RETRY) {
		php_bloom_throw(&error);
	}
	return EG(exception) == NULL;
}

/* Returns whether a status means that the head has no valid signature. This is the case, for
 * example, if the filter was attached before signing keys were configured. */
static bool is_unsigned(bloom_status status)
{
	return bloom_status_group_of(status) == BLOOM_GROUP_SIGNATURE;
}

/* Returns the served generation if its file is damaged or was written by a different build,
 * otherwise BLOOM_GENERATION_NONE. Replacing such a file loses no data, because the store contains
 * all chunks. */
static uint64_t unreadable(const bloom_segment *segment, const char *name, bloom_status status)
{
	uint64_t generation = BLOOM_GENERATION_NONE;
	bloom_control *control = NULL;

	if (status != BLOOM_E_CACHE && !is_unsigned(status) &&
		bloom_status_group_of(status) != BLOOM_GROUP_FORMAT) {
		return BLOOM_GENERATION_NONE;
	}
	if (bloom_segment_control(segment, name, false, &control, NULL) == BLOOM_OK) {
		if (bloom_load_relaxed(&control->kind) == BLOOM_KIND_ON_DEMAND) {
			generation = bloom_load_acquire(&control->generation);
		}
		bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	}
	return generation;
}

/* Checks that the existing filter has the requested kind and memory size. */
static bool check_found(const bloom_attachment *attachment, uint64_t memory_bytes)
{
	bloom_error error = {0};

	if (attachment->ops->kind != BLOOM_KIND_ON_DEMAND) {
		(void)bloom_fail_kind(&error, attachment->name, php_bloom_kind_text(attachment),
			bloom_kind_text(BLOOM_KIND_ON_DEMAND));
	} else if (!bloom_attachment_is_mapped(attachment)) {
		(void)bloom_fail(&error, BLOOM_E_UNMAPPED, 0, "%.128s", attachment->name);
	} else if (attachment->cache->memory_bytes != memory_bytes) {
		(void)bloom_fail(&error, BLOOM_E_EXISTS, 0,
			"%.128s: it has %llu bytes of memory, not %llu", attachment->name,
			(unsigned long long)attachment->cache->memory_bytes,
			(unsigned long long)memory_bytes);
	} else {
		return true;
	}
	php_bloom_throw(&error);
	return false;
}

/* Attaches to the filter. If this process has an attachment that cannot switch to the served head
 * because the signature check fails, returns that failure, because the user can fix it. */
static bloom_status attach_signed(const bloom_segment *segment, const char *name,
	php_bloom_attachment **held, bloom_error *error)
{
	bloom_status status = php_bloom_attach(segment, name, held, error);

	if (status != BLOOM_OK ||
		bloom_attachment_check(&(*held)->attachment) != BLOOM_PRESENCE_UNMAPPED) {
		return status;
	}
	status = bloom_attachment_renew(&(*held)->attachment, error);
	return is_unsigned(status) ? status : BLOOM_OK;
}

static php_bloom_attachment *find_or_make(const bloom_segment *segment, zend_object *store,
	const char *name, uint64_t memory_bytes, php_bloom_job *job)
{
	enum { ROUNDS_MAX = 5 };
	php_bloom_attachment *held = NULL;
	bloom_error error = {0};
	bloom_status status = BLOOM_E_NOT_FOUND;
	uint64_t replaces;
	int round;

	for (round = 0; round < ROUNDS_MAX; round++) {
		status = attach_signed(segment, name, &held, &error);
		if (status == BLOOM_OK) {
			return check_found(&held->attachment, memory_bytes) ? held : NULL;
		}
		replaces = unreadable(segment, name, status);
		if (status != BLOOM_E_NOT_FOUND && replaces == BLOOM_GENERATION_NONE) {
			break;
		}
		if (!make(segment, store, name, memory_bytes, replaces, job)) {
			return NULL;
		}
	}
	php_bloom_throw(&error);
	return NULL;
}

ZEND_METHOD(Bloom_Filter, attach)
{
	php_bloom_attachment *held = NULL;
	const bloom_segment *segment;
	zend_long memory_bytes;
	zend_object *store;
	zend_string *name;
	const char *checked;
	php_bloom_job *job;

	ZEND_PARSE_PARAMETERS_START(3, 3)
		Z_PARAM_STR(name)
		Z_PARAM_OBJ_OF_CLASS(store, php_bloom_ce_store_interface)
		Z_PARAM_LONG(memory_bytes)
	ZEND_PARSE_PARAMETERS_END();

	checked = php_bloom_name(name, 1);
	if (checked == NULL) {
		RETURN_THROWS();
	}
	if (memory_bytes < 1) {
		zend_argument_value_error(3, "must be at least 1 byte");
		RETURN_THROWS();
	}
	segment = php_bloom_segment();
	job = segment != NULL ? php_bloom_job_begin() : NULL;
	if (job == NULL) {
		RETURN_THROWS();
	}
	held = find_or_make(segment, store, checked, (uint64_t)memory_bytes, job);
	php_bloom_job_end(job);
	if (held == NULL) {
		RETURN_THROWS();
	}
	php_bloom_make_handle(return_value, held);
	ZVAL_OBJ_COPY(&php_bloom_filter_of(Z_OBJ_P(return_value))->store, store);
}
