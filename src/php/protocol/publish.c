/* Blob::publish().
 *
 *     does the journal continue from the mark?
 *     ─► without a mark: refuse if keys can be added (journal_end.h)
 *     ─► read each chunk; write those that are missing or wrong, and read them back
 *     ─► take the lock (publish_lock.h) ─► write chunks that have disappeared since then
 *     ─► write the head under "<name>:staged" and read it back
 *     ─► without a mark: end the journal
 *     ─► add the version that hosts serve to "<name>:versions" ─► set the head, both by comparison;
 *        if another process was faster, decide again
 *     ─► does the journal still continue? otherwise take the head back
 *     ─► delete the rollback of the replaced version
 *     ─► notify the hosts that follow the journal, and trim it
 *     ─► delete the chunks of the versions before the last `retain`, and then take these versions
 *        out of the list
 *     ─► give the lock back */
#include "php/engine.h"

#include <string.h>

#include <zend_exceptions.h>

#include "filter/signature.h"
#include "os/clock.h"
#include "php/arguments.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/info_array.h"
#include "php/keyrings.h"
#include "php/protocol/publish.h"

enum {
	DECISIONS_MAX = 10, /* attempts to set heads that other processes change */
	RETAIN_DEFAULT = 3,
	RETAIN_MAX = 100,
};

static bool is_same(const zend_string *found, const unsigned char *bytes, uint64_t count)
{
	return found != NULL && ZSTR_LEN(found) == count &&
		memcmp(ZSTR_VAL(found), bytes, (size_t)count) == 0;
}

/* ---- the heads ---- */

/* Writes the new head under another key and reads it back, so that a store that changes bytes never
 * replaces a good head.
 *
 *   *is_held  false: another process has taken the lock over, and may write there, too */
static bool stage_head(php_bloom_publishing *publish, bool *is_held)
{
	const unsigned char *bytes = publish->blob->bytes;
	uint64_t count = publish->blob->head.head_bytes;
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	zend_string *found = NULL;
	bool ok, is_good;

	php_bloom_side_key(publish->name, "staged", key);
	if (!php_bloom_store_get_replaceable(publish->store, key, &found)) {
		return false;
	}
	publish->lock.has_staged = true;
	ok = php_bloom_store_replace(publish->store, key, found, bytes, count, &is_good);
	if (found != NULL) {
		zend_string_release(found);
		found = NULL;
	}
	if (!ok || !php_bloom_store_get_one(publish->store, key, &found)) {
		return false;
	}
	is_good = is_good && is_same(found, bytes, count);
	*is_held = true;
	ok = is_good || php_bloom_publish_lock_renew(&publish->lock, is_held);
	if (ok && !is_good && *is_held) {
		ok = php_bloom_store_throw_altered(key, bytes, count, found);
	}
	if (found != NULL) {
		zend_string_release(found);
	}
	return ok;
}

/* Takes the head back, unless another process has changed it since. */
static bool put_back(const php_bloom_publishing *publish, const zend_string *before)
{
	zend_string *own = zend_string_init(
		(const char *)publish->blob->bytes, (size_t)publish->blob->head.head_bytes, false);
	const char *key = publish->name;
	zend_string *now = NULL;
	bool is_done, ok;

	if (before != NULL) {
		ok = php_bloom_store_replace(publish->store, key, own,
			(const unsigned char *)ZSTR_VAL(before), ZSTR_LEN(before), &is_done);
	} else {
		ok = php_bloom_store_get_one(publish->store, key, &now);
		if (ok && now != NULL && zend_string_equals(now, own)) {
			ok = php_bloom_store_delete_one(publish->store, key);
		}
		if (ok && now != NULL) {
			zend_string_release(now);
		}
	}
	zend_string_release(own);
	return ok;
}

/* Checks the journal again once hosts can see the version: a process that does not know of it may
 * have trimmed the journal in between. */
static bool is_still_loadable(php_bloom_publishing *publish, const php_bloom_heads *found,
	const php_bloom_publish_plan *next)
{
	zend_object *thrown;
	bool is_held;

	if (php_bloom_require_journal(publish->store, publish->name, &publish->blob->head)) {
		return true;
	}
	thrown = EG(exception);
	if (zend_is_unwind_exit(thrown) || zend_is_graceful_exit(thrown)) {
		return false;
	}
	GC_ADDREF(thrown);
	zend_clear_exception();
	if (put_back(publish, found->current.value) &&
		php_bloom_publish_delete_new(publish, found, &next->earlier, &is_held)) {
		zend_throw_exception_internal(thrown);
	} else {
		OBJ_RELEASE(thrown);
	}
	return false;
}

/* Sets the list of earlier versions and then the head.
 *
 *   *is_set  false: another process has changed something, so look again */
static bool set_heads(php_bloom_publishing *publish, const php_bloom_heads *found,
	const php_bloom_publish_plan *next, bool *is_set)
{
	const bloom_head *head = &publish->blob->head;

	if (!php_bloom_set_earlier(&publish->lock, found->earlier.value, next->value, is_set)) {
		return false;
	}
	if (!*is_set ||
		!php_bloom_store_replace(publish->store, publish->name, found->current.value,
			publish->blob->bytes, head->head_bytes, is_set)) {
		return !*is_set && EG(exception) == NULL;
	}
	if (*is_set) {
		publish->is_set = true;
		publish->writer.bytes_written += head->head_bytes;
	}
	return !*is_set || is_still_loadable(publish, found, next);
}

/* ---- the flow ---- */

/* Returns whether a newer version was published during this publish. */
static bool is_overtaken(const php_bloom_publishing *publish, const php_bloom_heads *found)
{
	const php_bloom_published *current = &found->current.found;

	return current->bytes != NULL &&
		current->head.meta.built_ms > publish->blob->head.meta.built_ms &&
		(publish->first == NULL || !zend_string_equals(current->bytes, publish->first));
}

/* Replaces the published version.
 *
 *   *is_set  false: another process has changed something, so look again */
static bool replace_version(php_bloom_publishing *publish, const php_bloom_heads *found,
	php_bloom_publish_plan *next, bool *is_set)
{
	if (!php_bloom_require_journal(publish->store, publish->name, &publish->blob->head) ||
		!stage_head(publish, is_set) ||
		(*is_set && !php_bloom_publish_make_room(publish, found, next, is_set)) ||
		(*is_set && !php_bloom_publish_lock_renew(&publish->lock, is_set)) ||
		(*is_set && !php_bloom_ending_begin(&publish->ending, found))) {
		return false;
	}
	return !*is_set || set_heads(publish, found, next, is_set);
}

/* Publishes the version with the lock held, and with the heads that were found under it.
 *
 *   *is_done  false: another process has changed something, so look again */
static bool decide(php_bloom_publishing *publish, const php_bloom_heads *found, bool *is_done)
{
	const php_bloom_blob *blob = publish->blob;
	bool is_current = is_same(found->current.value, blob->bytes, blob->head.head_bytes), ok;
	php_bloom_publish_plan next = {0};

	*is_done = true;
	if (publish->is_set && !is_current) {
		/* Another version has replaced it since. */
		return true;
	}
	if (is_overtaken(publish, found)) {
		/* Hosts would refuse the older version. */
		ok = php_bloom_publish_delete_new(publish, found, &found->earlier, is_done);
		*is_done = *is_done || !ok;
		publish->is_overtaken = *is_done;
		return ok || php_bloom_store_warn(&publish->warning);
	}
	if (!php_bloom_keep_chunks(&publish->writer)) {
		return false;
	}
	if (publish->lock.own == NULL) {
		/* The lock was lost before all chunks were found. */
		*is_done = false;
		return true;
	}
	php_bloom_publish_plan_make(publish, found, &next);
	/* If the version was already published, but chunks were missing, or a process was killed
	 * before it told the hosts, hosts that could not load it try again. */
	ok = is_current
		? php_bloom_set_earlier(&publish->lock, found->earlier.value, next.value, is_done)
		: replace_version(publish, found, &next, is_done);
	ok = ok && (!*is_done || php_bloom_publish_finish(publish, found, &next, is_done));
	php_bloom_publish_plan_free(&next);
	return ok;
}

/* Takes the lock, and decides until no other process has changed anything in between. */
static bool publish_head(php_bloom_publishing *publish)
{
	char subject[BLOOM_NAME_BYTES_MAX + 64];
	php_bloom_heads found = {0};
	bool is_done = false, ok = true;
	int i;

	for (i = 0; ok && !is_done && i < DECISIONS_MAX; i++) {
		ok = php_bloom_publish_lock_take(&publish->lock) &&
			php_bloom_heads_get(publish->store, publish->name, &found) &&
			decide(publish, &found, &is_done);
		if (ok && is_done && !publish->is_overtaken) {
			php_bloom_publish_warn_of_override(publish, &found);
		}
		php_bloom_heads_release(&found);
		php_bloom_publish_lock_release(&publish->lock);
	}
	if (ok && publish->is_overtaken) {
		(void)snprintf(subject, sizeof subject,
			"%s: a version that was built later is published", publish->name);
		return php_bloom_store_throw(BLOOM_E_OVERTAKEN, subject);
	}
	return ok && (is_done || php_bloom_store_throw(BLOOM_E_OVERTAKEN, publish->name));
}

/* Determines whether nothing is left to do: the version was already published, with all its chunks,
 * and no process has left chunks to delete. Then the store need not be writable. */
static bool is_all_done(
	php_bloom_publishing *publish, const php_bloom_published *current, bool *is_done)
{
	php_bloom_version_list earlier = {0}, retained = {0}, dropped = {0};
	php_bloom_heads found = {0};
	bool is_taken = false, ok;

	*is_done = false;
	if (publish->writer.chunks_written > 0 ||
		!php_bloom_published_is(
			current, publish->blob->bytes, publish->blob->head.head_bytes)) {
		return true;
	}
	ok = php_bloom_publish_lock_is_taken(publish->store, publish->name, &is_taken) &&
		php_bloom_get_earlier(publish->store, publish->name, &earlier);
	php_bloom_publish_divide(publish, &earlier, &retained, &dropped);
	*is_done = ok && !is_taken && dropped.count == 0;
	php_bloom_version_list_free(&dropped);
	php_bloom_version_list_free(&retained);
	php_bloom_version_list_free(&earlier);
	if (!*is_done) {
		return ok;
	}
	if (!php_bloom_override_get(publish->store, publish->name, &found.override)) {
		return false;
	}
	php_bloom_publish_warn_of_override(publish, &found);
	php_bloom_heads_release(&found);
	return true;
}

static bool publish_version(php_bloom_publishing *publish, bool force)
{
	php_bloom_heads before = {0};
	php_bloom_published *current = &before.current.found;
	php_bloom_journal_state state;
	bool is_done = false, ok;

	ok = php_bloom_require_journal(publish->store, publish->name, &publish->blob->head) &&
		php_bloom_get_valid_head(publish->store, publish->name, current);
	ok = ok &&
		(php_bloom_published_is(
			 current, publish->blob->bytes, publish->blob->head.head_bytes) ||
			php_bloom_ending_check(&publish->ending, &before, &state));
	publish->first = current->bytes;
	ok = ok && php_bloom_publish_chunks(&publish->writer, force) &&
		is_all_done(publish, current, &is_done) && (is_done || publish_head(publish));
	php_bloom_heads_release(&before);
	return ok;
}

/* Rejects a blob that hosts with this host's signing keys and clock would not load. */
static bool is_loadable(const php_bloom_blob *blob, const char *name)
{
	bloom_error error = {0};

	if (bloom_signature_check(&blob->head, blob->bytes, name, php_bloom_signers(), &error) ==
			BLOOM_OK &&
		bloom_head_check_built(&blob->head, bloom_clock_ms(), name, &error) == BLOOM_OK) {
		return true;
	}
	php_bloom_throw(&error);
	return false;
}

static void make_result(const php_bloom_publishing *publish, zval *result)
{
	HashTable *info;

	array_init(result);
	info = Z_ARRVAL_P(result);
	php_bloom_info_long(info, "chunks", publish->blob->head.chunks);
	php_bloom_info_long(info, "chunksWritten", publish->writer.chunks_written);
	php_bloom_info_long(info, "bytesWritten", publish->writer.bytes_written);
	if (publish->warning != NULL) {
		php_bloom_info_string(
			info, "warning", ZSTR_VAL(publish->warning), ZSTR_LEN(publish->warning));
	} else {
		add_assoc_null(result, "warning");
	}
}

ZEND_METHOD(Bloom_Blob, publish)
{
	php_bloom_blob *blob = php_bloom_blob_from(Z_OBJ_P(ZEND_THIS));
	php_bloom_progress progress = {0};
	zend_long retain = RETAIN_DEFAULT;
	php_bloom_publishing publish = {0};
	zend_object *store;
	zend_string *name;
	bool force = false, may_end = false;
	uint64_t bytes;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(2, 6)
		Z_PARAM_OBJ_OF_CLASS(store, php_bloom_ce_store_interface)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_FUNC_OR_NULL(progress.call, progress.cache)
		Z_PARAM_BOOL(force)
		Z_PARAM_BOOL(may_end)
		Z_PARAM_LONG(retain)
	ZEND_PARSE_PARAMETERS_END();

	publish.name = blob != NULL ? php_bloom_name(name, 2) : NULL;
	if (publish.name != NULL && may_end && blob->head.meta.mark.epoch != 0) {
		zend_argument_value_error(5,
			"must be false for a blob with a mark, because hosts follow the journal "
			"of such a blob");
		RETURN_THROWS();
	}
	if (publish.name != NULL && (retain < 1 || retain > RETAIN_MAX)) {
		zend_argument_value_error(6, "must be between 1 and %d", RETAIN_MAX);
		RETURN_THROWS();
	}
	ok = publish.name != NULL && is_loadable(blob, publish.name);
	if (ok) {
		bytes = bloom_geometry_bytes(&blob->head.geometry);
		publish.store = store;
		publish.blob = blob;
		publish.retain = (uint32_t)retain;
		publish.ending = (php_bloom_ending){
			.store = store, .name = publish.name, .blob = blob, .may_end = may_end};
		publish.lock = (php_bloom_publish_lock){.store = store,
			.name = publish.name,
			.bytes = bytes,
			.progress = &progress};
		publish.writer = (php_bloom_chunk_writer){.store = store,
			.name = publish.name,
			.blob = blob,
			.progress = &progress,
			.lock = &publish.lock};
		ok = publish_version(&publish, force) &&
			php_bloom_progress_report(&progress, bytes, bytes);
	}
	if (ok) {
		make_result(&publish, return_value);
	}
	if (publish.warning != NULL) {
		zend_string_release(publish.warning);
	}
}
