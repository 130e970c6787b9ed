/* Implements Journal::pull(), which follows the journals of several filters in one call of a store.
 *
 *     lease of each filter ─► store.read() for all ─► their new records ─► names that need a sync
 */
#include "php/engine.h"

#include "kinds/additions.h"
#include "os/clock.h"
#include "os/process.h"
#include "php/arguments.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/job.h"
#include "php/protocol/journal_follow.h"
#include "php/protocol/sync.h"
#include "php/settings.h"
#include "php/store/store.h"
#include "segment/sync_due.h"
#include "segment/control_file.h"
#include "segment/sync_lease.h"

/* A filter whose journal pull() follows. */
typedef struct follower {
	php_bloom_job *job;
	zend_string *name;
	bool is_due; /* the filter needs a sync */
} follower;

typedef struct pulling {
	const bloom_segment *segment;
	zend_object *store;
	follower *followers;
	php_bloom_follow *follows; /* of the followers that have additions */
	uint32_t *owners;          /* the follower of each follow */
	uint32_t count;
	uint32_t follow_count;
	uint64_t max_lag_ms;
} pulling;

/* Takes the filter's lease, because only one process may have to wait for the store. Its holder
 * follows the journal. Returns false if another process is the holder. */
static bool take_lease(pulling *pull, follower *one)
{
	php_bloom_job *job = one->job;

	return bloom_segment_control(pull->segment, ZSTR_VAL(one->name), false, &job->control,
		       NULL) == BLOOM_OK &&
		bloom_lease_take(job->control, bloom_monotonic_ms(), &job->lease);
}

/* Attaches to a filter. It needs a sync instead of a pull if it is not loaded, or follows no
 * journal, or its head has not been read for a while. */
static void attach(pulling *pull, uint32_t index)
{
	follower *one = &pull->followers[index];
	php_bloom_job *job = one->job;
	const bloom_loaded *loaded;

	one->is_due = true;
	if (bloom_attach(pull->segment, ZSTR_VAL(one->name), &job->served, NULL) != BLOOM_OK) {
		return;
	}
	loaded = bloom_attachment_loaded(&job->served);
	if (loaded == NULL || loaded->additions == NULL) {
		return;
	}
	one->is_due =
		take_lease(pull, one) && bloom_sync_head_is_due(job->control, bloom_monotonic_ms());
	if (job->lease == 0) {
		return;
	}
	pull->owners[pull->follow_count] = index;
	pull->follows[pull->follow_count++] = (php_bloom_follow){
		.name = ZSTR_VAL(one->name), .live = loaded->additions, .job = job};
}

/* Records the result for one filter. A filter whose records were refused needs a sync, which
 * throws. Any process may make this sync, with any TTL. */
static bool finish(pulling *pull, const php_bloom_follow *follow, uint32_t owner)
{
	follower *one = &pull->followers[owner];
	bloom_error error = {0};

	if (follow->has_version) {
		bloom_sync_head_notify(one->job->control);
	}
	one->is_due |= follow->has_version || follow->is_lost ||
		follow->failed.status != BLOOM_OK || bloom_additions_has_news(follow->live) ||
		bloom_additions_strayed(follow->live) != BLOOM_STRAYED_NONE;
	if (one->is_due) {
		bloom_sync_head_request(one->job->control);
	}
	if (follow->is_lost || follow->failed.status != BLOOM_OK) {
		return true;
	}
	bloom_sync_succeeded(one->job->control, bloom_monotonic_ms());
	if (bloom_additions_ask_max_lag(follow->live, pull->segment, follow->name, pull->max_lag_ms,
		    bloom_uptime_ms(), &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	return true;
}

static bool pull_all(pulling *pull)
{
	uint32_t i;

	for (i = 0; i < pull->count; i++) {
		attach(pull, i);
	}
	if (!php_bloom_follow_all(pull->segment, pull->store, pull->follows, pull->follow_count)) {
		for (i = 0; i < pull->follow_count; i++) {
			if (pull->follows[i].job->process == bloom_process_id()) {
				(void)php_bloom_sync_note_failure(pull->follows[i].job->control);
			}
		}
		return false;
	}
	for (i = 0; i < pull->follow_count; i++) {
		if (!finish(pull, &pull->follows[i], pull->owners[i])) {
			return false;
		}
	}
	return true;
}

static bool begin(pulling *pull, HashTable *names)
{
	zval *value;

	ZEND_HASH_FOREACH_VAL(names, value) {
		ZVAL_DEREF(value);
		if (Z_TYPE_P(value) != IS_STRING) {
			zend_argument_type_error(2, "must contain only strings, %s given",
				zend_zval_type_name(value));
			return false;
		}
		if (php_bloom_name(Z_STR_P(value), 2) == NULL) {
			return false;
		}
		pull->followers[pull->count].job = php_bloom_job_begin();
		if (pull->followers[pull->count].job == NULL) {
			return false;
		}
		pull->followers[pull->count++].name = zend_string_copy(Z_STR_P(value));
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

static void end(pulling *pull)
{
	uint32_t i;

	for (i = 0; i < pull->count; i++) {
		php_bloom_job_end(pull->followers[i].job);
		zend_string_release(pull->followers[i].name);
	}
	efree(pull->followers);
	efree(pull->follows);
	efree(pull->owners);
}

ZEND_METHOD(Bloom_Journal, pull)
{
	pulling pull = {0};
	HashTable *names;
	double max_lag = 0;
	bool no_max_lag = true;
	uint32_t i, capacity;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_OBJ_OF_CLASS(pull.store, php_bloom_ce_journal_store_interface)
		Z_PARAM_ARRAY_HT(names)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(max_lag, no_max_lag)
	ZEND_PARSE_PARAMETERS_END();

	pull.segment = php_bloom_max_lag_ms(no_max_lag, max_lag, 3, &pull.max_lag_ms)
		? php_bloom_segment()
		: NULL;
	if (pull.segment == NULL) {
		RETURN_THROWS();
	}
	capacity = zend_hash_num_elements(names);
	pull.followers = safe_emalloc(capacity, sizeof *pull.followers, 1);
	pull.follows = safe_emalloc(capacity, sizeof *pull.follows, 1);
	pull.owners = safe_emalloc(capacity, sizeof *pull.owners, 1);
	ok = begin(&pull, names) && pull_all(&pull);
	array_init(return_value);
	for (i = 0; ok && i < pull.count; i++) {
		if (pull.followers[i].is_due) {
			add_next_index_str(return_value, zend_string_copy(pull.followers[i].name));
		}
	}
	end(&pull);
	if (!ok) {
		RETURN_THROWS();
	}
}
