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
#include "php/protocol/heads.h"
#include "php/protocol/journal_notice.h"
#include "php/protocol/journal_end.h"
#include "php/protocol/publish_chunks.h"

enum {
	DECISIONS_MAX = 10, /* attempts to set heads that other processes change */
	RETAIN_DEFAULT = 3,
	RETAIN_MAX = 100,
};

typedef struct publishing {
	zend_object *store;
	const char *name;
	const php_bloom_blob *blob;
	uint32_t retain;    /* versions to keep, counted with the current one */
	zend_string *first; /* the head before this publish; NULL: none */
	bool is_set;        /* this publish has set the head */
	bool is_overtaken;  /* a newer version was published during this publish */
	php_bloom_publish_lock lock;
	php_bloom_chunk_writer writer;
	php_bloom_ending ending;
	zend_string *warning; /* why something was not done after the publish; or NULL */
} publishing;

static bool is_same(const zend_string *found, const unsigned char *bytes, uint64_t count)
{
	return found != NULL && ZSTR_LEN(found) == count &&
		memcmp(ZSTR_VAL(found), bytes, (size_t)count) == 0;
}

/* Adds a sentence to the warning of the result. */
static void warn(publishing *publish, zend_string *text)
{
	zend_string *before = publish->warning;

	publish->warning = text;
	if (before != NULL) {
		publish->warning = strpprintf(0, "%s; %s", ZSTR_VAL(text), ZSTR_VAL(before));
		zend_string_release(before);
		zend_string_release(text);
	}
}

/* ---- the earlier versions ---- */

/* What a publish changes, besides the head. */
typedef struct plan {
	/* The list of earlier versions before the head is set: the one that hosts serve now, the
	 * former earlier ones, and at the end those that no value contains any more. */
	php_bloom_version_list earlier;
	zend_string *value; /* of this list in the store */
	bool ends_rollback;
} plan;

/* Determines the list. If the current version was rolled back, hosts serve another one instead, and
 * the current one comes last. */
static void make_plan(const publishing *publish, const php_bloom_heads *found, plan *next)
{
	const php_bloom_published *current = &found->current.found;
	const bloom_override *override = &found->override.override;
	bool is_rollback =
		found->override.bytes != NULL && override->kind == BLOOM_OVERRIDE_ROLLBACK;
	bool replaces = current->bytes != NULL &&
		!php_bloom_is_same_version(&current->head, &publish->blob->head);
	const unsigned char *bytes =
		replaces ? (const unsigned char *)ZSTR_VAL(current->bytes) : NULL;

	next->ends_rollback =
		is_rollback && !bloom_override_applies(override, &publish->blob->head);
	if (replaces && is_rollback &&
		php_bloom_override_is_in_force(&found->override, publish->name, current)) {
		php_bloom_version_list_add(&next->earlier, &override->head, override->head_bytes);
	} else if (replaces) {
		php_bloom_version_list_add(&next->earlier, &current->head, bytes);
	}
	php_bloom_version_list_add_all(&next->earlier, &found->earlier);
	if (replaces) {
		php_bloom_version_list_add(&next->earlier, &current->head, bytes);
	}
	if (next->ends_rollback) {
		php_bloom_version_list_add(&next->earlier, &override->head, override->head_bytes);
	}
	next->value = php_bloom_version_list_join(&next->earlier);
}

static void free_plan(plan *next)
{
	php_bloom_version_list_free(&next->earlier);
	if (next->value != NULL) {
		zend_string_release(next->value);
	}
}

/* Divides the earlier versions into those to keep and the others. If the list has the new version,
 * that stays there, because a process that has lost the lock may have put it there and be about to
 * replace the head with its own. */
static void divide(const publishing *publish, const php_bloom_version_list *earlier,
	php_bloom_version_list *retained, php_bloom_version_list *dropped)
{
	const php_bloom_version *version;
	uint32_t i, kept = 1;
	bool is_new, keep;

	for (i = 0; i < earlier->count; i++) {
		version = &earlier->items[i];
		is_new = php_bloom_is_same_version(&version->head, &publish->blob->head);
		keep = is_new || kept < publish->retain;
		kept += keep && !is_new;
		php_bloom_version_list_add(
			keep ? retained : dropped, &version->head, version->bytes);
	}
}

static void add_new(const publishing *publish, php_bloom_version_list *list)
{
	php_bloom_version_list_add(list, &publish->blob->head, publish->blob->bytes);
}

/* Adds the published version and that of the override. */
static void add_found(const php_bloom_heads *found, php_bloom_version_list *list)
{
	const php_bloom_published *current = &found->current.found;
	const bloom_override *override = &found->override.override;

	if (current->bytes != NULL) {
		php_bloom_version_list_add(
			list, &current->head, (const unsigned char *)ZSTR_VAL(current->bytes));
	}
	if (found->override.bytes != NULL) {
		php_bloom_version_list_add(list, &override->head, override->head_bytes);
	}
}

/* Warns that chunks could not be deleted, because the store has failed. Returns false if the
 * pending exception is not the store's. */
static bool warn_of_chunks(publishing *publish, uint32_t versions)
{
	zend_string *reason = NULL;

	if (!php_bloom_store_warn(&reason)) {
		return false;
	}
	if (publish->warning != NULL && zend_string_equals(publish->warning, reason)) {
		zend_string_release(publish->warning);
		publish->warning = NULL;
	}
	warn(publish,
		strpprintf(0,
			"the chunks of %u old version%s could not be deleted; the next publish "
			"tries again: %s",
			versions, versions == 1 ? "" : "s", ZSTR_VAL(reason)));
	zend_string_release(reason);
	return true;
}

/* Removes the last versions from the list if its value would be too long for the store. Their
 * chunks are deleted first, because no value will contain them. */
static bool make_room(publishing *publish, const php_bloom_heads *found, plan *next, bool *is_held)
{
	uint64_t bytes_max = php_bloom_store_value_bytes_max(publish->store);
	php_bloom_version_list *earlier = &next->earlier, dropped = {0}, needed = {0};
	uint64_t bytes = ZSTR_LEN(next->value);
	const php_bloom_version *last;
	bool ok;

	*is_held = true;
	while (bytes > bytes_max && earlier->count > 1) {
		last = &earlier->items[--earlier->count];
		bytes -= last->head.head_bytes;
		php_bloom_version_list_add(&dropped, &last->head, last->bytes);
	}
	if (dropped.count == 0) {
		return true;
	}
	zend_string_release(next->value);
	next->value = php_bloom_version_list_join(earlier);
	if (earlier->count + 1 < publish->retain && publish->warning == NULL) {
		publish->warning = strpprintf(0,
			"the store keeps only %u versions, because the heads of more do not fit "
			"into a value of %llu bytes",
			earlier->count + 1, (unsigned long long)bytes_max);
	}
	add_new(publish, &needed);
	add_found(found, &needed);
	php_bloom_version_list_add_all(&needed, earlier);
	ok = php_bloom_delete_chunks(&publish->lock, &dropped, &needed, is_held) ||
		warn_of_chunks(publish, dropped.count);
	php_bloom_version_list_free(&needed);
	php_bloom_version_list_free(&dropped);
	return ok;
}

/* Deletes the chunks of the versions that are not kept, and then takes these versions out of the
 * list. The version is already published, so a failure of the store is only a warning. The list
 * then still has these versions, and the next publish deletes their chunks. The same happens if
 * another process takes the lock over, because its head may need the list as it is.
 *
 *   keeps_override  hosts may still be told to serve the override's version */
static bool delete_old(
	publishing *publish, const php_bloom_heads *found, const plan *next, bool keeps_override)
{
	const bloom_override *override = &found->override.override;
	php_bloom_version_list retained = {0}, dropped = {0}, needed = {0};
	zend_string *value;
	bool is_done, ok;

	divide(publish, &next->earlier, &retained, &dropped);
	add_new(publish, &needed);
	php_bloom_version_list_add_all(&needed, &retained);
	if (keeps_override) {
		php_bloom_version_list_add(&needed, &override->head, override->head_bytes);
	}
	value = php_bloom_version_list_join(&retained);
	ok = php_bloom_delete_chunks(&publish->lock, &dropped, &needed, &is_done) &&
		(!is_done || zend_string_equals(next->value, value) ||
			php_bloom_publish_lock_renew(&publish->lock, &is_done)) &&
		(!is_done || php_bloom_set_earlier(&publish->lock, next->value, value, &is_done));
	ok = ok || warn_of_chunks(publish, dropped.count);
	zend_string_release(value);
	php_bloom_version_list_free(&needed);
	php_bloom_version_list_free(&dropped);
	php_bloom_version_list_free(&retained);
	return ok;
}

/* Deletes the chunks that only the new version has, which will not be published.
 *
 *   *is_held  false: another process has taken the lock over */
static bool delete_new(publishing *publish, const php_bloom_heads *found,
	const php_bloom_version_list *earlier, bool *is_held)
{
	php_bloom_version_list unneeded = {0}, needed = {0};
	bool ok;

	add_new(publish, &unneeded);
	add_found(found, &needed);
	php_bloom_version_list_add_all(&needed, earlier);
	ok = php_bloom_delete_chunks(&publish->lock, &unneeded, &needed, is_held);
	php_bloom_version_list_free(&needed);
	php_bloom_version_list_free(&unneeded);
	return ok;
}

/* ---- the heads ---- */

/* Writes the new head under another key and reads it back, so that a store that changes bytes never
 * replaces a good head.
 *
 *   *is_held  false: another process has taken the lock over, and may write there, too */
static bool stage_head(publishing *publish, bool *is_held)
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
static bool put_back(const publishing *publish, const zend_string *before)
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
static bool is_still_loadable(publishing *publish, const php_bloom_heads *found, const plan *next)
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
		delete_new(publish, found, &next->earlier, &is_held)) {
		zend_throw_exception_internal(thrown);
	} else {
		OBJ_RELEASE(thrown);
	}
	return false;
}

/* Sets the list of earlier versions and then the head.
 *
 *   *is_set  false: another process has changed something, so look again */
static bool set_heads(
	publishing *publish, const php_bloom_heads *found, const plan *next, bool *is_set)
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

/* ---- after the publish ---- */

/* Returns the earlier one of two marks of the same journal, or `mark`. */
static const bloom_mark *earlier(const bloom_mark *mark, const bloom_mark *other)
{
	return bloom_mark_reaches(mark, other) ? other : mark;
}

/* Returns the version that hosts are to serve after this publish: the new one, or that of a pin. */
static const bloom_head *effective(const publishing *publish, const php_bloom_heads *found)
{
	return found->override.bytes != NULL &&
			bloom_override_applies(&found->override.override, &publish->blob->head)
		? &found->override.override.head
		: &publish->blob->head;
}

/* Tells the hosts about a version without a mark, if they follow the journal. */
static bool finish_ending(publishing *publish)
{
	bool is_followed_by_none;

	if (!php_bloom_ending_finish(&publish->ending, &is_followed_by_none)) {
		return php_bloom_store_warn(&publish->warning);
	}
	if (is_followed_by_none) {
		warn(publish,
			strpprintf(0,
				"a mark of %s was taken, or a key was added, during this publish: "
				"hosts do not find the keys that were added since until a version "
				"with a mark is published",
				publish->name));
	}
	return true;
}

/* Returns the earliest mark that hosts may need: those of the versions that the store keeps, and of
 * the replaced one, which hosts may still be loading, even if it was rolled back. Returns NULL if
 * no version is earlier than the new one. */
static const bloom_mark *needed_mark(
	const publishing *publish, const php_bloom_heads *found, const plan *next)
{
	const bloom_mark *needed = NULL;
	const bloom_head *head;
	uint32_t i, count = 0;

	for (i = 0; i < next->earlier.count && (count == 0 || count + 1 < publish->retain); i++) {
		head = &next->earlier.items[i].head;
		if (!php_bloom_is_same_version(head, &publish->blob->head)) {
			needed = needed == NULL ? &head->meta.mark
						: earlier(needed, &head->meta.mark);
			count++;
		}
	}
	if (needed == NULL) {
		return NULL;
	}
	if (found->current.found.bytes != NULL) {
		needed = earlier(needed, &found->current.found.head.meta.mark);
	}
	if (found->override.bytes != NULL) {
		needed = earlier(needed, &found->override.override.head.meta.mark);
	}
	return needed;
}

/* Tells the hosts that follow the journal about the version, and removes the records that no
 * version needs that hosts may load. The version is already published, so a failure is only a
 * warning.
 *
 *   may_trim  false: another process may have the lock, and publish a version that needs the
 *             records */
static bool update_journal(
	publishing *publish, const php_bloom_heads *found, const plan *next, bool may_trim)
{
	const bloom_mark *mark = &publish->blob->head.meta.mark;
	const bloom_mark *needed = needed_mark(publish, found, next);
	bool ok;

	if (mark->epoch == 0) {
		return !publish->is_set || finish_ending(publish);
	}
	if (!instanceof_function(publish->store->ce, php_bloom_ce_journal_store_interface)) {
		return true;
	}
	ok = php_bloom_journal_notice(publish->store, publish->name, effective(publish, found));
	if (ok && may_trim && needed != NULL && bloom_mark_reaches(mark, needed)) {
		ok = php_bloom_store_trim(publish->store, publish->name, needed);
	}
	return ok || php_bloom_store_warn(&publish->warning);
}

/* Deletes a rollback that the new version has ended. The version is already published, so a failure
 * is only a warning.
 *
 *   *has_ended  false: the override may still be there */
static bool end_rollback(publishing *publish, const php_bloom_heads *found, bool *has_ended)
{
	php_bloom_stored_override now = {0};
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	bool ok;

	ok = php_bloom_override_get(publish->store, publish->name, &now);
	if (ok && now.bytes != NULL && zend_string_equals(now.bytes, found->override.bytes)) {
		php_bloom_side_key(publish->name, "override", key);
		ok = php_bloom_store_delete_one(publish->store, key);
	}
	php_bloom_override_release(&now);
	*has_ended = ok;
	return ok || php_bloom_store_warn(&publish->warning);
}

/* Says that hosts do not serve this version, because the filter is pinned or this version was
 * rolled back. */
static void warn_of_override(publishing *publish, const php_bloom_heads *found)
{
	const bloom_override *override = &found->override.override;
	const char *state = override->kind == BLOOM_OVERRIDE_PIN ? "is pinned" : "was rolled back";

	if (found->override.bytes != NULL &&
		bloom_override_applies(override, &publish->blob->head) &&
		override->head.checksum != publish->blob->head.checksum) {
		warn(publish,
			strpprintf(0,
				"hosts do not serve this version, because %s %s to version "
				"%016llx: unpin it",
				publish->name, state,
				(unsigned long long) override->head.checksum));
	}
}

/* ---- the flow ---- */

/* Does the rest once the version is published.
 *
 *   *is_done  false: the lock is lost, and the process that took it over may have deleted chunks
 *             before it saw the new head, so look again */
static bool finish(
	publishing *publish, const php_bloom_heads *found, const plan *next, bool *is_done)
{
	bool has_ended = false, ok;

	ok = php_bloom_publish_lock_renew(&publish->lock, is_done);
	if (ok && !*is_done) {
		return true;
	}
	*is_done = true;
	return (ok || php_bloom_store_warn(&publish->warning)) &&
		(!next->ends_rollback || end_rollback(publish, found, &has_ended)) &&
		update_journal(publish, found, next, ok) &&
		delete_old(publish, found, next, found->override.bytes != NULL && !has_ended);
}

/* Returns whether a newer version was published during this publish. */
static bool is_overtaken(const publishing *publish, const php_bloom_heads *found)
{
	const php_bloom_published *current = &found->current.found;

	return current->bytes != NULL &&
		current->head.meta.built_ms > publish->blob->head.meta.built_ms &&
		(publish->first == NULL || !zend_string_equals(current->bytes, publish->first));
}

/* Replaces the published version.
 *
 *   *is_set  false: another process has changed something, so look again */
static bool replace_version(
	publishing *publish, const php_bloom_heads *found, plan *next, bool *is_set)
{
	if (!php_bloom_require_journal(publish->store, publish->name, &publish->blob->head) ||
		!stage_head(publish, is_set) ||
		(*is_set && !make_room(publish, found, next, is_set)) ||
		(*is_set && !php_bloom_publish_lock_renew(&publish->lock, is_set)) ||
		(*is_set && !php_bloom_ending_begin(&publish->ending, found))) {
		return false;
	}
	return !*is_set || set_heads(publish, found, next, is_set);
}

/* Publishes the version with the lock held, and with the heads that were found under it.
 *
 *   *is_done  false: another process has changed something, so look again */
static bool decide(publishing *publish, const php_bloom_heads *found, bool *is_done)
{
	const php_bloom_blob *blob = publish->blob;
	bool is_current = is_same(found->current.value, blob->bytes, blob->head.head_bytes), ok;
	plan next = {0};

	*is_done = true;
	if (publish->is_set && !is_current) {
		/* Another version has replaced it since. */
		return true;
	}
	if (is_overtaken(publish, found)) {
		/* Hosts would refuse the older version. */
		ok = delete_new(publish, found, &found->earlier, is_done);
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
	make_plan(publish, found, &next);
	/* If the version was already published, but chunks were missing, or a process was killed
	 * before it told the hosts, hosts that could not load it try again. */
	ok = is_current
		? php_bloom_set_earlier(&publish->lock, found->earlier.value, next.value, is_done)
		: replace_version(publish, found, &next, is_done);
	ok = ok && (!*is_done || finish(publish, found, &next, is_done));
	free_plan(&next);
	return ok;
}

/* Takes the lock, and decides until no other process has changed anything in between. */
static bool publish_head(publishing *publish)
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
			warn_of_override(publish, &found);
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
static bool is_all_done(publishing *publish, const php_bloom_published *current, bool *is_done)
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
	divide(publish, &earlier, &retained, &dropped);
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
	warn_of_override(publish, &found);
	php_bloom_heads_release(&found);
	return true;
}

static bool publish_version(publishing *publish, bool force)
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

static void make_result(const publishing *publish, zval *result)
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
	publishing publish = {0};
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
		zend_argument_value_error(6, "must be from 1 to %d", RETAIN_MAX);
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
