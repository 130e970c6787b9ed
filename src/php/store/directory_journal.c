#include "php/store/directory_journal.h"

#include <stdlib.h>
#include <string.h>

#include "filter/bytes.h"
#include "filter/journal_record.h"
#include "os/files.h"
#include "os/sharedfile.h"
#include "php/store/journal_file.h"

static zend_string *position_text(const bloom_mark *position)
{
	char text[BLOOM_POSITION_TEXT_BYTES];

	return zend_string_init(text, bloom_mark_position(position, text), false);
}

/* ---- append() ---- */

/* Writes the records after the end. Advances the end in *found. Returns 0 or an errno.
 *
 *   last  set to the last 8 bytes of the last record */
static int write_tail(int file, php_bloom_journal_header *found, HashTable *records,
	unsigned char last[BLOOM_CHECK_BYTES])
{
	uint64_t at = found->end;
	int os_error;
	zval *record;

	ZEND_HASH_FOREACH_VAL(records, record) {
		ZVAL_DEREF(record);
		os_error = bloom_shared_write(file, php_bloom_journal_file_place(found, at),
			(const unsigned char *)Z_STRVAL_P(record), Z_STRLEN_P(record));
		if (os_error != 0) {
			return os_error;
		}
		found->last = at;
		at += Z_STRLEN_P(record);
		memcpy(last, Z_STRVAL_P(record) + Z_STRLEN_P(record) - BLOOM_CHECK_BYTES,
			BLOOM_CHECK_BYTES);
	}
	ZEND_HASH_FOREACH_END();
	found->end = at;
	/* After a power failure, the end must not be ahead of the records. */
	return bloom_shared_sync_data(file);
}

/* Writes the records after the end, and then stores the new end. Returns 0 or an errno. */
static int write_records(int file, php_bloom_journal_header *found, HashTable *records,
	unsigned char last[BLOOM_CHECK_BYTES])
{
	uint64_t place = php_bloom_journal_file_place(found, found->end);
	unsigned char bytes[PHP_BLOOM_JOURNAL_HEADER_BYTES];
	int os_error = write_tail(file, found, records, last);

	if (os_error != 0) {
		/* The torn tail would do no harm, except on a full disk. */
		(void)bloom_shared_truncate(file, place);
		return os_error;
	}
	php_bloom_journal_file_encode(found, bytes);
	os_error =
		bloom_shared_write(file, PHP_BLOOM_JOURNAL_AT_END, bytes + PHP_BLOOM_JOURNAL_AT_END,
			PHP_BLOOM_JOURNAL_HEADER_BYTES - PHP_BLOOM_JOURNAL_AT_END);
	return os_error == 0 ? bloom_shared_sync_data(file) : os_error;
}

/* Returns whether the journal admits a record of this kind at its end (filter/journal_record.h).
 * Returns false, with why->what, if the file cannot be read. */
static bool admits(
	int file, const php_bloom_journal_header *found, uint32_t kind, php_bloom_fault *why)
{
	unsigned char last[BLOOM_RECORD_BYTES_MIN];

	if (bloom_record_opens(kind)) {
		return true;
	}
	return found->end - found->last >= sizeof last &&
		php_bloom_fault_check(
			bloom_shared_read(file, php_bloom_journal_file_place(found, found->last),
				last, sizeof last),
			why, "cannot be read") &&
		bloom_record_kind_of(last) != BLOOM_RECORD_END;
}

static uint32_t first_kind(HashTable *records)
{
	HashPosition first;
	zval *record;

	zend_hash_internal_pointer_reset_ex(records, &first);
	record = zend_hash_get_current_data_ex(records, &first);
	ZVAL_DEREF(record);
	return bloom_record_kind_of((const unsigned char *)Z_STRVAL_P(record));
}

/* Appends records to the file to which the path leads now.
 *
 *   *is_current  whether the path still leads to this file after the append */
static bool append_once(const char *path, HashTable *records, const bloom_mark *after,
	bloom_mark *end, bool *is_refused, bool *is_current, php_bloom_fault *why)
{
	uint32_t kind = first_kind(records);
	php_bloom_journal_header found = {0};
	int file = php_bloom_journal_file_open_locked(path, bloom_record_opens(kind), &found, why);
	bool ok, is_there = true;

	*is_refused = *is_current = file < 0;
	if (file < 0) {
		return why->what == NULL;
	}
	ok = after == NULL || php_bloom_journal_file_look_for(file, &found, after, &is_there, why);
	*is_refused = after != NULL && (!is_there || after->offset != found.end);
	if (ok && !*is_refused) {
		*is_refused = !admits(file, &found, kind, why);
		ok = why->what == NULL;
	}
	if (ok && !*is_refused) {
		ok = php_bloom_fault_check(write_records(file, &found, records, end->check), why,
			"cannot be appended to");
	}
	*is_current = bloom_shared_leads_to(path, file);
	bloom_close(&file);
	end->epoch = found.epoch;
	end->offset = found.end;
	return ok;
}

/* Appends records. If an operator switches a link in the path during the append, the records are
 * appended again where the path then leads, because no reader would find them in the old file.
 *
 *   after        the position at which the journal must end; NULL: any
 *   *end         set to the new end
 *   *is_refused  whether the journal ends at another position, or is closed */
static bool append_records(const char *path, HashTable *records, const bloom_mark *after,
	bloom_mark *end, bool *is_refused, php_bloom_fault *why)
{
	bool is_current = false;
	int i;

	for (i = 0; !is_current && i < PHP_BLOOM_JOURNAL_TRIES_MAX; i++) {
		if (!append_once(path, records, after, end, is_refused, &is_current, why)) {
			return false;
		}
	}
	return is_current || php_bloom_fault_set(why, php_bloom_journal_file_replaced_again, 0);
}

bool php_bloom_directory_append(zend_object *store, zend_string *journal, HashTable *records,
	const bloom_mark *after, bloom_mark *end, bool *is_refused)
{
	char path[MAXPATHLEN];
	php_bloom_fault why = {0};

	if (!php_bloom_journal_file_path(store, journal, path)) {
		return false;
	}
	if (!append_records(path, records, after, end, is_refused, &why)) {
		php_bloom_fault_throw(path, &why);
		return false;
	}
	return true;
}

/* ---- last() ---- */

/* Reads the last record.
 *
 *   *end     set to the end
 *   bytes    a buffer of BLOOM_RECORD_BYTES_MAX
 *   *length  0: the journal has no record */
static bool read_last(const char *path, bloom_mark *end, unsigned char *bytes, uint64_t *length,
	php_bloom_fault *why)
{
	php_bloom_journal_header found = {0};
	int file = php_bloom_journal_file_open_or_create(path, false, true, why);
	bool ok;

	if (file < 0) {
		return false;
	}
	ok = php_bloom_journal_file_read_header(file, &found, why);
	*length = found.end - found.last;
	*end = (bloom_mark){.epoch = found.epoch, .offset = found.end};
	if (ok && *length != 0) {
		ok = *length >= BLOOM_RECORD_BYTES_MIN && *length <= BLOOM_RECORD_BYTES_MAX
			? php_bloom_fault_check(
				  bloom_shared_read(file,
					  php_bloom_journal_file_place(&found, found.last), bytes,
					  (size_t)*length),
				  why, "cannot be read")
			: php_bloom_fault_damaged(why, "the length of a record is out of range");
	}
	bloom_close(&file);
	if (ok && *length != 0) {
		memcpy(end->check, bytes + *length - BLOOM_CHECK_BYTES, BLOOM_CHECK_BYTES);
		ok = bloom_get32(bytes + 4) == *length ||
			php_bloom_fault_damaged(why, "its last record is damaged");
	}
	return ok;
}

bool php_bloom_directory_last(zend_object *store, zend_string *journal, zval *answer)
{
	char path[MAXPATHLEN];
	unsigned char *bytes;
	uint64_t length = 0;
	bloom_mark end;
	php_bloom_fault why = {0};

	if (!php_bloom_journal_file_path(store, journal, path)) {
		return false;
	}
	bytes = safe_emalloc(1, BLOOM_RECORD_BYTES_MAX, 0);
	if (!read_last(path, &end, bytes, &length, &why)) {
		efree(bytes);
		php_bloom_fault_throw(path, &why);
		return false;
	}
	array_init(answer);
	add_next_index_str(answer, position_text(&end));
	add_next_index_stringl(answer, (const char *)bytes, (size_t)length);
	efree(bytes);
	return true;
}

/* ---- read() ---- */

/* Divides bytes into records, and adds these to an array, by position. Stops at the limit.
 *
 *   position  the position before the bytes
 *   count     the number of bytes: all up to the journal's end, or 1 MiB more than the limit
 *   limit     no record is added after this many bytes */
static bool add_records(zval *records, const bloom_mark *position, const unsigned char *bytes,
	size_t count, size_t limit, php_bloom_fault *why)
{
	bloom_mark after = *position;
	uint32_t length;
	size_t done = 0;
	zend_string *key;
	zval record;

	while (done < count && done < limit) {
		length = count - done >= BLOOM_RECORD_BYTES_MIN ? bloom_get32(bytes + done + 4) : 0;
		/* The caller must not take an incomplete record for the journal's end. */
		if (length < BLOOM_RECORD_BYTES_MIN || length > BLOOM_RECORD_BYTES_MAX ||
			length > count - done) {
			return php_bloom_fault_damaged(
				why, "the length of a record is out of range");
		}
		ZVAL_STRINGL(&record, (const char *)bytes + done, length);
		done += length;
		after.offset += length;
		memcpy(after.check, bytes + done - BLOOM_CHECK_BYTES, BLOOM_CHECK_BYTES);
		key = position_text(&after);
		zend_hash_update(Z_ARRVAL_P(records), key, &record);
		zend_string_release(key);
	}
	return true;
}

/* Reads at most `capacity` bytes after a position.
 *
 *   *count     the number of bytes; if `capacity` is 0, the number of bytes up to the journal's end
 *   *is_there  whether the journal has the position */
static bool read_after(const char *path, const bloom_mark *position, unsigned char *bytes,
	uint64_t capacity, uint64_t *count, bool *is_there, php_bloom_fault *why)
{
	php_bloom_journal_header found = {0};
	char *target;
	int file;

	*why = (php_bloom_fault){0};
	target = php_bloom_journal_file_find(path, why);
	file = php_bloom_journal_file_open_at(target, false, position, &found, why);
	free(target);
	*is_there = file >= 0;
	if (file < 0) {
		return why->what == NULL;
	}
	*count = found.end - position->offset;
	if (capacity > 0) {
		*count = *count < capacity ? *count : capacity;
		(void)php_bloom_fault_check(
			bloom_shared_read(file,
				php_bloom_journal_file_place(&found, position->offset), bytes,
				(size_t)*count),
			why, "cannot be read");
	}
	bloom_close(&file);
	return why->what == NULL;
}

/* Reads a journal. `records` becomes an array, or null if the journal does not continue from the
 * position. */
static bool read_journal(const char *path, const bloom_mark *position, size_t limit, zval *records,
	php_bloom_fault *why)
{
	uint64_t count, capacity = limit + BLOOM_RECORD_BYTES_MAX;
	unsigned char *bytes = NULL;
	bool ok, is_there;

	ZVAL_NULL(records);
	ok = read_after(path, position, NULL, 0, &count, &is_there, why);
	if (ok && is_there && count > 0) {
		/* The file is opened again, because it must be closed while memory is allocated. */
		capacity = count < capacity ? count : capacity;
		bytes = safe_emalloc((size_t)capacity, 1, 0);
		ok = read_after(path, position, bytes, capacity, &count, &is_there, why);
	}
	if (ok && is_there) {
		array_init(records);
		ok = add_records(records, position, bytes, (size_t)count, limit, why);
	}
	if (bytes != NULL) {
		efree(bytes);
	}
	return ok;
}

bool php_bloom_directory_read(zend_object *store, const zval *journals, const bloom_mark *positions,
	uint32_t count, size_t limit, zval *answer)
{
	char path[MAXPATHLEN];
	php_bloom_fault why = {0};
	zval records;
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (!php_bloom_journal_file_path(store, Z_STR(journals[i]), path)) {
			return false;
		}
		if (!read_journal(path, &positions[i], limit, &records, &why)) {
			zval_ptr_dtor(&records);
			php_bloom_fault_throw(path, &why);
			return false;
		}
		zend_hash_update(Z_ARRVAL_P(answer), Z_STR(journals[i]), &records);
	}
	return true;
}
