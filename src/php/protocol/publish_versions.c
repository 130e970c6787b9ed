/* Which versions a publish keeps, and whose chunks it deletes. */
#include "php/protocol/publish.h"

#include "php/store/store.h"

void php_bloom_publish_warn(php_bloom_publishing *publish, zend_string *text)
{
	zend_string *before = publish->warning;

	publish->warning = text;
	if (before != NULL) {
		publish->warning = strpprintf(0, "%s; %s", ZSTR_VAL(text), ZSTR_VAL(before));
		zend_string_release(before);
		zend_string_release(text);
	}
}

void php_bloom_publish_plan_make(const php_bloom_publishing *publish, const php_bloom_heads *found,
	php_bloom_publish_plan *next)
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

void php_bloom_publish_plan_free(php_bloom_publish_plan *next)
{
	php_bloom_version_list_free(&next->earlier);
	if (next->value != NULL) {
		zend_string_release(next->value);
	}
}

void php_bloom_publish_divide(const php_bloom_publishing *publish,
	const php_bloom_version_list *earlier, php_bloom_version_list *retained,
	php_bloom_version_list *dropped)
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

static void add_new(const php_bloom_publishing *publish, php_bloom_version_list *list)
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
static bool warn_of_chunks(php_bloom_publishing *publish, uint32_t versions)
{
	zend_string *reason = NULL;

	if (!php_bloom_store_warn(&reason)) {
		return false;
	}
	if (publish->warning != NULL && zend_string_equals(publish->warning, reason)) {
		zend_string_release(publish->warning);
		publish->warning = NULL;
	}
	php_bloom_publish_warn(publish,
		strpprintf(0,
			"the chunks of %u old version%s could not be deleted; the next publish "
			"tries again: %s",
			versions, versions == 1 ? "" : "s", ZSTR_VAL(reason)));
	zend_string_release(reason);
	return true;
}

bool php_bloom_publish_make_room(php_bloom_publishing *publish, const php_bloom_heads *found,
	php_bloom_publish_plan *next, bool *is_held)
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

bool php_bloom_publish_delete_old(php_bloom_publishing *publish, const php_bloom_heads *found,
	const php_bloom_publish_plan *next, bool keeps_override)
{
	const bloom_override *override = &found->override.override;
	php_bloom_version_list retained = {0}, dropped = {0}, needed = {0};
	zend_string *value;
	bool is_done, ok;

	php_bloom_publish_divide(publish, &next->earlier, &retained, &dropped);
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

bool php_bloom_publish_delete_new(php_bloom_publishing *publish, const php_bloom_heads *found,
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
