#include "php/protocol/heads.h"

#include <string.h>

#include <zend_exceptions.h>
#include <zend_smart_str.h>

#include "filter/chunk.h"
#include "php/classes.h"
#include "php/protocol/journal_read.h"

/* ---- lists ---- */

bool php_bloom_is_same_version(const bloom_head *one, const bloom_head *other)
{
	return one->checksum == other->checksum && one->head_bytes == other->head_bytes;
}

bool php_bloom_version_list_has(const php_bloom_version_list *list, const bloom_head *head)
{
	uint32_t i;

	for (i = 0; i < list->count; i++) {
		if (php_bloom_is_same_version(&list->items[i].head, head)) {
			return true;
		}
	}
	return false;
}

void php_bloom_version_list_add(
	php_bloom_version_list *list, const bloom_head *head, const unsigned char *bytes)
{
	if (php_bloom_version_list_has(list, head)) {
		return;
	}
	list->items = safe_erealloc(list->items, list->count + 1, sizeof *list->items, 0);
	list->items[list->count++] = (php_bloom_version){.head = *head, .bytes = bytes};
}

void php_bloom_version_list_add_all(
	php_bloom_version_list *list, const php_bloom_version_list *others)
{
	uint32_t i;

	for (i = 0; i < others->count; i++) {
		php_bloom_version_list_add(list, &others->items[i].head, others->items[i].bytes);
	}
}

bloom_status php_bloom_version_list_parse(php_bloom_version_list *list, bloom_error *error)
{
	const unsigned char *bytes;
	bloom_status status = BLOOM_OK;
	uint64_t left;
	bloom_head head;

	if (list->value == NULL) {
		return BLOOM_OK;
	}
	bytes = (const unsigned char *)ZSTR_VAL(list->value);
	left = ZSTR_LEN(list->value);
	while (left > 0) {
		status = bloom_head_parse(bytes, left, &head, error);
		if (status != BLOOM_OK) {
			break;
		}
		php_bloom_version_list_add(list, &head, bytes);
		bytes += head.head_bytes;
		left -= head.head_bytes;
	}
	return status;
}

zend_string *php_bloom_version_list_join(const php_bloom_version_list *list)
{
	smart_str value = {0};
	uint32_t i;

	for (i = 0; i < list->count; i++) {
		smart_str_appendl(&value, (const char *)list->items[i].bytes,
			(size_t)list->items[i].head.head_bytes);
	}
	return smart_str_extract(&value);
}

void php_bloom_version_list_free(php_bloom_version_list *list)
{
	if (list->items != NULL) {
		efree(list->items);
	}
	if (list->value != NULL) {
		zend_string_release(list->value);
	}
	*list = (php_bloom_version_list){0};
}

void php_bloom_add_chunk_keys(
	HashTable *set, const char *name, const bloom_head *head, uint64_t first, uint64_t end)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t chunk;

	for (chunk = first; chunk < end; chunk++) {
		bloom_chunk_key(name, bloom_head_chunk(head, chunk), key);
		zend_hash_str_add_empty_element(set, key, strlen(key));
	}
}

/* ---- reading ---- */

/* Clears a pending exception if it says that the value is unreadable. Returns false, and leaves the
 * exception pending, if it says something else. */
static bool is_unreadable(void)
{
	if (instanceof_function(EG(exception)->ce, php_bloom_ce_Format) ||
		instanceof_function(EG(exception)->ce, php_bloom_ce_Secret) ||
		php_bloom_store_is_too_long(EG(exception))) {
		zend_clear_exception();
		return true;
	}
	return false;
}

bool php_bloom_get_valid_head(zend_object *store, const char *name, php_bloom_published *found)
{
	return php_bloom_published_get(store, name, found) || is_unreadable();
}

bool php_bloom_get_earlier(zend_object *store, const char *name, php_bloom_version_list *list)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];

	*list = (php_bloom_version_list){0};
	php_bloom_side_key(name, "versions", key);
	if (!php_bloom_store_get_one(store, key, &list->value)) {
		list->value = NULL;
		return is_unreadable();
	}
	(void)php_bloom_version_list_parse(list, NULL);
	return true;
}

bool php_bloom_heads_get(zend_object *store, const char *name, php_bloom_heads *found)
{
	php_bloom_stored *current = &found->current;
	char key[PHP_BLOOM_SIDE_KEY_BYTES];

	*found = (php_bloom_heads){0};
	php_bloom_side_key(name, "versions", key);
	if (!php_bloom_override_get(store, name, &found->override) ||
		!php_bloom_store_get_replaceable(store, name, &current->value) ||
		!php_bloom_store_get_replaceable(store, key, &found->earlier.value)) {
		return false;
	}
	(void)php_bloom_version_list_parse(&found->earlier, NULL);
	current->found.bytes = current->value != NULL ? zend_string_copy(current->value) : NULL;
	return php_bloom_published_parse(&current->found) || is_unreadable();
}

void php_bloom_heads_release(php_bloom_heads *found)
{
	if (found->current.value != NULL) {
		zend_string_release(found->current.value);
		found->current.value = NULL;
	}
	php_bloom_published_release(&found->current.found);
	php_bloom_version_list_free(&found->earlier);
	php_bloom_override_release(&found->override);
}

bool php_bloom_require_journal(zend_object *store, const char *name, const bloom_head *head)
{
	bool has = true;

	if (head->meta.mark.epoch == 0 ||
		!instanceof_function(store->ce, php_bloom_ce_journal_store_interface)) {
		return true;
	}
	return php_bloom_journal_has(store, name, &head->meta.mark, &has) &&
		(has || php_bloom_store_throw(BLOOM_E_JOURNAL_LOST, name));
}

/* ---- writing ---- */

bool php_bloom_set_earlier(
	const php_bloom_publish_lock *lock, zend_string *before, zend_string *value, bool *is_done)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];

	*is_done = true;
	if (before == NULL ? ZSTR_LEN(value) == 0 : zend_string_equals(before, value)) {
		return true;
	}
	php_bloom_side_key(lock->name, "versions", key);
	return php_bloom_store_replace(lock->store, key, before,
		(const unsigned char *)ZSTR_VAL(value), ZSTR_LEN(value), is_done);
}

/* Deletes the keys of a set. */
static bool delete_keys(php_bloom_publish_lock *lock, HashTable *set, bool *is_held)
{
	HashPosition at;
	zend_string *key;
	zend_ulong number;
	bool ok = true;
	zval keys;

	zend_hash_internal_pointer_reset_ex(set, &at);
	while (ok && *is_held && zend_hash_has_more_elements_ex(set, &at) == SUCCESS) {
		array_init(&keys);
		while (zend_hash_num_elements(Z_ARRVAL(keys)) < PHP_BLOOM_STORE_KEYS_MAX &&
			zend_hash_get_current_key_ex(set, &key, &number, &at) ==
				HASH_KEY_IS_STRING) {
			add_next_index_str(&keys, zend_string_copy(key));
			zend_hash_move_forward_ex(set, &at);
		}
		ok = php_bloom_publish_lock_renew(lock, is_held) &&
			(!*is_held || php_bloom_store_delete(lock->store, &keys));
		zval_ptr_dtor(&keys);
	}
	return ok;
}

/* Deletes the chunks of one version that the others do not need. The keys of all versions might not
 * fit into memory. */
static bool delete_chunks_of(php_bloom_publish_lock *lock, const bloom_head *head,
	const php_bloom_version_list *needed, bool *is_held)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	const bloom_head *other;
	HashTable set;
	uint64_t chunk;
	uint32_t i;
	bool ok;

	zend_hash_init(&set, 8, NULL, NULL, false);
	php_bloom_add_chunk_keys(&set, lock->name, head, 0, head->chunks);
	for (i = 0; i < needed->count; i++) {
		other = &needed->items[i].head;
		for (chunk = 0; chunk < other->chunks; chunk++) {
			bloom_chunk_key(lock->name, bloom_head_chunk(other, chunk), key);
			zend_hash_str_del(&set, key, strlen(key));
		}
	}
	ok = delete_keys(lock, &set, is_held);
	zend_hash_destroy(&set);
	return ok;
}

bool php_bloom_delete_chunks(php_bloom_publish_lock *lock, const php_bloom_version_list *unneeded,
	const php_bloom_version_list *needed, bool *is_held)
{
	bool ok = true;
	uint32_t i;

	*is_held = true;
	for (i = 0; ok && *is_held && i < unneeded->count; i++) {
		ok = delete_chunks_of(lock, &unneeded->items[i].head, needed, is_held);
	}
	return ok;
}
