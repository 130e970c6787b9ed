/* What a publish does once hosts can see the version. */
#include "php/protocol/publish.h"

#include "php/classes.h"
#include "php/protocol/journal_notice.h"
#include "php/store/store.h"

/* Returns the earlier one of two marks of the same journal, or `mark`. */
static const bloom_mark *earlier(const bloom_mark *mark, const bloom_mark *other)
{
	return bloom_mark_reaches(mark, other) ? other : mark;
}

/* Returns the version that hosts are to serve after this publish: the new one, or that of a pin. */
static const bloom_head *effective(
	const php_bloom_publishing *publish, const php_bloom_heads *found)
{
	return found->override.bytes != NULL &&
			bloom_override_applies(&found->override.override, &publish->blob->head)
		? &found->override.override.head
		: &publish->blob->head;
}

/* Tells the hosts about a version without a mark, if they follow the journal. */
static bool finish_ending(php_bloom_publishing *publish)
{
	bool is_followed_by_none;

	if (!php_bloom_ending_finish(&publish->ending, &is_followed_by_none)) {
		return php_bloom_store_warn(&publish->warning);
	}
	if (is_followed_by_none) {
		php_bloom_publish_warn(publish,
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
static const bloom_mark *needed_mark(const php_bloom_publishing *publish,
	const php_bloom_heads *found, const php_bloom_publish_plan *next)
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
static bool update_journal(php_bloom_publishing *publish, const php_bloom_heads *found,
	const php_bloom_publish_plan *next, bool may_trim)
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
static bool end_rollback(
	php_bloom_publishing *publish, const php_bloom_heads *found, bool *has_ended)
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

void php_bloom_publish_warn_of_override(php_bloom_publishing *publish, const php_bloom_heads *found)
{
	const bloom_override *override = &found->override.override;
	const char *state = override->kind == BLOOM_OVERRIDE_PIN ? "is pinned" : "was rolled back";

	if (found->override.bytes != NULL &&
		bloom_override_applies(override, &publish->blob->head) &&
		override->head.checksum != publish->blob->head.checksum) {
		php_bloom_publish_warn(publish,
			strpprintf(0,
				"hosts do not serve this version, because %s %s to version "
				"%016llx: unpin it",
				publish->name, state,
				(unsigned long long) override->head.checksum));
	}
}

bool php_bloom_publish_finish(php_bloom_publishing *publish, const php_bloom_heads *found,
	const php_bloom_publish_plan *next, bool *is_done)
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
		php_bloom_publish_delete_old(
			publish, found, next, found->override.bytes != NULL && !has_ended);
}
