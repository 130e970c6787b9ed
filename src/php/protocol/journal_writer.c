#include "php/protocol/journal_writer.h"

#include <string.h>

#include "filter/bytes.h"
#include "os/clock.h"
#include "php/errors.h"
#include "php/keyrings.h"
#include "php/store/store.h"

/* ---- records ---- */

enum { FIRST_ROOM = 256 };

bool php_bloom_batch_init(php_bloom_record_batch *batch, bloom_record_kind kind)
{
	const bloom_ring *ring = php_bloom_signers();
	bloom_error error = {0};

	*batch = (php_bloom_record_batch){.kind = kind};
	if (ring != NULL && ring->configured) {
		batch->key = bloom_ring_current(ring, BLOOM_E_NO_SIGNING_KEY, &error);
		if (batch->key == NULL) {
			php_bloom_throw(&error);
			return false;
		}
	}
	array_init(&batch->records);
	return true;
}

void php_bloom_batch_close(php_bloom_record_batch *batch)
{
	uint64_t bytes = bloom_record_bytes(batch->payload_bytes, batch->key != NULL);

	if (batch->open == NULL) {
		return;
	}
	batch->open = zend_string_realloc(batch->open, (size_t)bytes, false);
	ZSTR_VAL(batch->open)[bytes] = '\0';
	add_next_index_str(&batch->records, batch->open);
	if (batch->used == batch->capacity) {
		batch->capacity = batch->capacity != 0 ? 2 * batch->capacity : 8;
		batch->counts =
			safe_erealloc(batch->counts, batch->capacity, sizeof *batch->counts, 0);
	}
	batch->counts[batch->used++] = batch->keys;
	batch->open = NULL;
	batch->payload_bytes = batch->keys = 0;
}

unsigned char *php_bloom_batch_grow(php_bloom_record_batch *batch, uint64_t bytes)
{
	size_t needed = (size_t)bloom_record_bytes(bytes, batch->key != NULL), capacity;

	if (batch->open == NULL) {
		batch->open = zend_string_alloc(needed > FIRST_ROOM ? needed : FIRST_ROOM, false);
	} else if (ZSTR_LEN(batch->open) < needed) {
		capacity = 2 * ZSTR_LEN(batch->open);
		batch->open = zend_string_realloc(
			batch->open, capacity > needed ? capacity : needed, false);
	}
	return (unsigned char *)ZSTR_VAL(batch->open) + bloom_record_payload_at(batch->key != NULL);
}

void php_bloom_batch_free(php_bloom_record_batch *batch)
{
	if (batch->open != NULL) {
		zend_string_efree(batch->open);
	}
	if (batch->counts != NULL) {
		efree(batch->counts);
	}
	zval_ptr_dtor(&batch->records);
}

/* ---- appending ---- */

static bloom_record_kind kind_of(const php_bloom_record_batch *batch, uint32_t index)
{
	return batch->begins && index == 0 ? BLOOM_RECORD_BEGIN : batch->kind;
}

void php_bloom_batch_add_number(php_bloom_record_batch *batch, const uint64_t *number)
{
	unsigned char *payload = php_bloom_batch_grow(batch, number != NULL ? sizeof *number : 0);

	if (number != NULL) {
		bloom_put64(payload, *number);
		batch->payload_bytes = sizeof *number;
	}
	php_bloom_batch_close(batch);
}

/* Writes the records that follow `before`. If a store has kept a string, writes to a copy.
 *
 *   *end  the link after the last record */
static void write_records(const php_bloom_journal_writer *writer, php_bloom_record_batch *batch,
	const bloom_mark *before, bloom_mark *end)
{
	uint64_t now = bloom_clock_ms();
	uint32_t i = 0;
	zval *record;

	*end = *before;
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL(batch->records), record) {
		SEPARATE_STRING(record);
		zend_string_forget_hash_val(Z_STR_P(record));
		bloom_record_write((unsigned char *)Z_STRVAL_P(record),
			Z_STRLEN_P(record) - bloom_record_bytes(0, batch->key != NULL),
			kind_of(batch, i), i < batch->used ? batch->counts[i] : 0, writer->name,
			now, end, batch->key, end->link);
		i++;
	}
	ZEND_HASH_FOREACH_END();
}

bool php_bloom_journal_find_end(php_bloom_journal_writer *writer, bloom_mark *end, bool *is_open)
{
	const char *name = writer->name;
	zend_string *record;
	bool ok = true;

	if (!php_bloom_store_last(writer->store, name, end, &record)) {
		return false;
	}
	bloom_record_link((const unsigned char *)ZSTR_VAL(record), ZSTR_LEN(record), end->link);
	if (end->offset != 0 &&
		(ZSTR_LEN(record) < BLOOM_CHECK_BYTES ||
			memcmp(end->check, ZSTR_VAL(record) + ZSTR_LEN(record) - BLOOM_CHECK_BYTES,
				BLOOM_CHECK_BYTES) != 0)) {
		ok = php_bloom_store_throw(BLOOM_E_POSITION, name);
	}
	*is_open = ZSTR_LEN(record) >= BLOOM_RECORD_BYTES_MIN &&
		bloom_record_kind_of((const unsigned char *)ZSTR_VAL(record)) != BLOOM_RECORD_END;
	zend_string_release(record);
	return ok;
}

bool php_bloom_journal_append_after(php_bloom_journal_writer *writer, php_bloom_record_batch *batch,
	const bloom_mark *before, bool *is_refused)
{
	bloom_mark end, appended;
	bool ok;

	write_records(writer, batch, before, &end);
	appended = end;
	ok = php_bloom_store_append(
		writer->store, writer->name, &batch->records, before, &appended, is_refused);
	if (ok && !*is_refused) {
		writer->end = appended;
		memcpy(writer->end.link, end.link, sizeof end.link);
	} else {
		/* If it throws, the records may have been appended. */
		memset(&writer->end, 0, sizeof writer->end);
	}
	return ok;
}

/* Appends signed records. Each contains the signature of the record before it, so the journal must
 * still have the end that this object knows.
 *
 *   *is_closed  true, without an exception: the journal is closed, and the first record does not
 *               begin or end it */
static bool append_signed(
	php_bloom_journal_writer *writer, php_bloom_record_batch *batch, bool *is_closed)
{
	/* Each refusal means that another writer has appended a record. A busy writer knows the end
	 * and needs one call, but this one needs two, so it may lose many times in a row. */
	enum { TRIES_MAX = 1000 };
	bool is_refused = true, is_open = true;
	bloom_mark end;
	int i;

	*is_closed = false;
	for (i = 0; is_refused && i < TRIES_MAX; i++) {
		if (writer->end.epoch == 0 &&
			!php_bloom_journal_find_end(writer, &writer->end, &is_open)) {
			memset(&writer->end, 0, sizeof writer->end);
			return false;
		}
		if (!is_open && !bloom_record_opens(kind_of(batch, 0))) {
			memset(&writer->end, 0, sizeof writer->end);
			*is_closed = true;
			return true;
		}
		end = writer->end;
		if (!php_bloom_journal_append_after(writer, batch, &end, &is_refused)) {
			return false;
		}
	}
	return !is_refused || php_bloom_store_throw(BLOOM_E_OVERTAKEN, writer->name);
}

bool php_bloom_journal_append(
	php_bloom_journal_writer *writer, php_bloom_record_batch *batch, bool *is_closed)
{
	bloom_mark before = {0}, end;

	if (batch->key != NULL) {
		return append_signed(writer, batch, is_closed);
	}
	write_records(writer, batch, &before, &end);
	if (!php_bloom_store_append(
		    writer->store, writer->name, &batch->records, NULL, &end, is_closed)) {
		return false;
	}
	writer->end = end;
	return true;
}

void php_bloom_batch_begin(php_bloom_record_batch *batch, php_bloom_record_batch *begun)
{
	zval *record;
	uint32_t i = 0;

	*begun = (php_bloom_record_batch){.kind = batch->kind, .begins = true, .key = batch->key};
	array_init(&begun->records);
	php_bloom_batch_add_number(begun, NULL);
	begun->counts =
		safe_erealloc(begun->counts, batch->used + (size_t)1, sizeof *begun->counts, 0);
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL(batch->records), record) {
		Z_TRY_ADDREF_P(record);
		add_next_index_zval(&begun->records, record);
		begun->counts[begun->used++] = batch->counts[i++];
	}
	ZEND_HASH_FOREACH_END();
}
