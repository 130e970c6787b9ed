#include "php/protocol/journal_notice.h"

#include <string.h>

#include "filter/bytes.h"
#include "php/protocol/effective_version.h"
#include "php/store/store.h"

bool php_bloom_journal_end(php_bloom_journal_writer *writer, uint64_t checksum)
{
	php_bloom_record_batch batch;
	bool is_closed, ok;

	if (!php_bloom_batch_init(&batch, BLOOM_RECORD_END)) {
		return false;
	}
	php_bloom_batch_add_number(&batch, &checksum);
	ok = php_bloom_journal_append(writer, &batch, &is_closed);
	php_bloom_batch_free(&batch);
	return ok;
}

bool php_bloom_journal_look(zend_object *store, const char *name, php_bloom_journal_state *state)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	zend_string *record = NULL;
	const unsigned char *bytes;
	HashTable missing;
	zval keys;
	bool ok;

	*state = (php_bloom_journal_state){0};
	array_init(&keys);
	php_bloom_side_key(name, "journal", key);
	add_next_index_string(&keys, key);
	zend_hash_init(&missing, 1, NULL, NULL, false);
	ok = php_bloom_store_missing(store, &keys, &missing);
	state->exists = ok && !zend_hash_str_exists(&missing, key, strlen(key));
	zend_hash_destroy(&missing);
	zval_ptr_dtor(&keys);
	if (!ok || !state->exists) {
		return ok;
	}
	if (!php_bloom_store_last(store, name, &state->end, &record)) {
		return false;
	}
	bytes = (const unsigned char *)ZSTR_VAL(record);
	if (ZSTR_LEN(record) >= BLOOM_RECORD_BYTES_MIN) {
		state->last_kind = bloom_record_kind_of(bytes);
		state->is_open = state->last_kind != BLOOM_RECORD_END;
	}
	if (state->last_kind == BLOOM_RECORD_END) {
		state->ended_by = bloom_record_number(bytes, ZSTR_LEN(record));
		state->ended_ms = bloom_get64(bytes + 24);
	}
	zend_string_release(record);
	return true;
}

/* Determines whether hosts are to serve the version with this checksum. */
static bool is_effective(const php_bloom_journal_writer *writer, uint64_t checksum, bool *is_it)
{
	const char *name = writer->name;
	php_bloom_effective effective;

	if (!php_bloom_effective_get(writer->store, name, &effective)) {
		return false;
	}
	*is_it = false;
	if (effective.head.bytes != NULL) {
		php_bloom_effective_choose(&effective, name, NULL, false);
		*is_it = effective.head.head.checksum == checksum;
	}
	php_bloom_effective_release(&effective);
	return true;
}

/* Begins a closed journal again, because hosts are to serve a version that follows it: its journal
 * may have ended after the mark was taken, or for another version. The publisher of such a version
 * sets the head and then ends the journal, so this function looks at the head between finding the
 * end and moving it. */
static bool begin_again(
	php_bloom_journal_writer *writer, php_bloom_record_batch *batch, const bloom_head *head)
{
	enum { TRIES_MAX = 100 };
	bool is_open = false, is_it = false, is_refused = true, ok = true;
	bloom_mark end;
	php_bloom_record_batch begun;
	int i;

	php_bloom_batch_begin(batch, &begun);
	for (i = 0; ok && is_refused && i < TRIES_MAX; i++) {
		ok = php_bloom_journal_find_end(writer, &end, &is_open) &&
			is_effective(writer, head->checksum, &is_it);
		/* The version does not follow a journal that was lost and created again. */
		if (!ok || !is_it || end.epoch != head->meta.mark.epoch) {
			break;
		}
		ok = php_bloom_journal_append_after(
			writer, is_open ? batch : &begun, &end, &is_refused);
	}
	php_bloom_batch_free(&begun);
	return ok;
}

bool php_bloom_journal_notice(zend_object *store, const char *name, const bloom_head *head)
{
	bool follows = head->meta.mark.epoch != 0, is_closed = false, ok;
	php_bloom_journal_writer writer = {.store = store, .name = name};
	php_bloom_journal_state state;
	php_bloom_record_batch batch;

	/* A filter without a journal needs none that has ended. */
	if (!follows && !php_bloom_journal_look(store, name, &state)) {
		return false;
	}
	if (!follows && !state.exists) {
		return true;
	}
	if (!php_bloom_batch_init(&batch, follows ? BLOOM_RECORD_VERSION : BLOOM_RECORD_END)) {
		return false;
	}
	php_bloom_batch_add_number(&batch, &head->checksum);
	ok = php_bloom_journal_append(&writer, &batch, &is_closed) &&
		(!is_closed || begin_again(&writer, &batch, head));
	php_bloom_batch_free(&batch);
	return ok;
}
