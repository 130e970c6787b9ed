/* Bloom\DirectoryStore: the journals. docs/format.md specifies the file.
 *
 *     0        40              64                                              end
 *     ├ constant ┼ end, last, sum ┼ record │ record │ … │ last record ┤ torn tail
 *                                 base                                ▲ ignored
 *
 *     append   lock ─► write after the end ─► sync ─► store the end ─► sync
 *     trim     copy the rest to a new file ─► lock ─► copy what was appended ─► rename
 *     read     no lock
 *
 * The bytes before the end of a file never change, so reading them needs no lock. A process that is
 * killed during an append leaves at most a torn tail. Readers ignore it, and the next append
 * overwrites it.
 *
 * An exception needs memory, and a request that runs out of memory must not leave a file open and
 * locked in its process. So no function allocates memory while a file is open: the functions
 * describe a failure in a `fault`, and the operations throw it.
 */
#include "php/store/directory_journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zend_exceptions.h>

#include "filter/bytes.h"
#include "filter/digest.h"
#include "filter/journal_record.h"
#include "os/clock.h"
#include "os/files.h"
#include "os/lock.h"
#include "os/sharedfile.h"
#include "php/classes.h"
#include "php/store/directory_path.h"
#include "php/stream.h"
#include "php/globals.h"
#include "php/store/store.h"

static const unsigned char magic[8] = {0x89, 'B', 'L', 'J', 'R', 'N', 'L', '\n'};

enum {
	AT_VERSION = 8,
	AT_EPOCH = 16,
	AT_BASE = 24,
	AT_BASE_CHECK = 32,
	AT_END = 40, /* from here on, an append changes the header with one call */
	AT_LAST = 48,
	AT_CHECKSUM = 56,
	HEADER_BYTES = 64,
	VERSION = 1,
	COPY_BYTES = 65536,
	TRIES_MAX = 100, /* other processes may replace the file in each try */
};

static const char replaced_again[] = "other processes replace the file again and again";

typedef struct header {
	uint64_t epoch;
	uint64_t base; /* the offset of the first record in the file */
	uint64_t end;
	uint64_t last; /* the offset of the last record; equals `base` if there is none */
	unsigned char base_check[BLOOM_CHECK_BYTES];
} header;

/* Why a function failed. */
typedef struct fault {
	const char *what;
	int os_error;    /* 0: `what` says everything */
	bool is_damaged; /* the file is not a valid journal */
} fault;

static bool fail(fault *why, const char *what, int os_error)
{
	*why = (fault){.what = what, .os_error = os_error};
	return false;
}

/* Returns true if a call succeeded. Otherwise describes the failure. */
static bool check(int os_error, fault *why, const char *what)
{
	return os_error == 0 || fail(why, what, os_error);
}

static bool fail_damaged(fault *why, const char *what)
{
	*why = (fault){.what = what, .is_damaged = true};
	return false;
}

static void throw_fault(const char *path, const fault *why)
{
	if (why->is_damaged) {
		zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE,
			"%s: not a valid journal: %s (remove the file, and build and publish the "
			"filter with a new mark)",
			path, why->what);
	} else if (why->os_error != 0) {
		php_bloom_directory_throw(path, why->what, why->os_error);
	} else {
		zend_throw_exception_ex(
			php_bloom_ce_Store, BLOOM_E_STORE, "%s: %s", path, why->what);
	}
}

/* ---- the header ---- */

static void encode(const header *value, unsigned char bytes[HEADER_BYTES])
{
	memset(bytes, 0, HEADER_BYTES);
	memcpy(bytes, magic, sizeof magic);
	bloom_put32(bytes + AT_VERSION, VERSION);
	bloom_put64(bytes + AT_EPOCH, value->epoch);
	bloom_put64(bytes + AT_BASE, value->base);
	memcpy(bytes + AT_BASE_CHECK, value->base_check, sizeof value->base_check);
	bloom_put64(bytes + AT_END, value->end);
	bloom_put64(bytes + AT_LAST, value->last);
	bloom_put64(bytes + AT_CHECKSUM, bloom_checksum(bytes, AT_CHECKSUM));
}

static bool decode(const unsigned char bytes[HEADER_BYTES], header *value)
{
	if (memcmp(bytes, magic, sizeof magic) != 0 || bloom_get32(bytes + AT_VERSION) != VERSION ||
		bloom_get64(bytes + AT_CHECKSUM) != bloom_checksum(bytes, AT_CHECKSUM)) {
		return false;
	}
	*value = (header){
		.epoch = bloom_get64(bytes + AT_EPOCH),
		.base = bloom_get64(bytes + AT_BASE),
		.end = bloom_get64(bytes + AT_END),
		.last = bloom_get64(bytes + AT_LAST),
	};
	memcpy(value->base_check, bytes + AT_BASE_CHECK, sizeof value->base_check);
	return value->epoch != 0 && value->base <= value->last && value->last <= value->end &&
		value->end <= INT64_MAX - HEADER_BYTES;
}

/* Reads the header of an open journal. An append may change the header while it is read, so a
 * header with a wrong checksum is read again. */
static bool read_header(int file, header *found, fault *why)
{
	enum { READS_MAX = 1000 };
	unsigned char bytes[HEADER_BYTES];
	bool is_valid = false;
	bloom_shared_info info;
	int i;

	if (!check(bloom_shared_look_open(file, &info), why, "cannot be read")) {
		return false;
	}
	if (!info.is_regular || info.bytes < HEADER_BYTES) {
		return fail_damaged(why, "it has no header");
	}
	for (i = 0; !is_valid && i < READS_MAX; i++) {
		if (i > 0) {
			bloom_pause_us(0);
		}
		if (!check(bloom_shared_read(file, 0, bytes, sizeof bytes), why,
			    "cannot be read")) {
			return false;
		}
		is_valid = decode(bytes, found);
	}
	if (!is_valid) {
		return fail_damaged(why, "its header is damaged");
	}
	/* The records were written before the header, so the file is at least as long as it says,
	 * unless it was truncated. */
	if (!check(bloom_shared_look_open(file, &info), why, "cannot be read")) {
		return false;
	}
	return found->end - found->base <= info.bytes - HEADER_BYTES ||
		fail_damaged(why, "records at its end are missing");
}

static uint64_t place_of(const header *found, uint64_t offset)
{
	return HEADER_BYTES + (offset - found->base);
}

/* Determines whether the journal has a position. A position within a record has the wrong CHECK,
 * except with a probability of 2^-64. Returns false if the file cannot be read. */
static bool look_for(
	int file, const header *found, const bloom_mark *position, bool *is_there, fault *why)
{
	unsigned char bytes[BLOOM_CHECK_BYTES];
	uint64_t offset = position->offset;

	*is_there = false;
	if (position->epoch != found->epoch || offset < found->base || offset > found->end ||
		(offset > found->base && offset - found->base < BLOOM_RECORD_BYTES_MIN)) {
		return true;
	}
	memcpy(bytes, found->base_check, sizeof bytes);
	if (offset > found->base &&
		!check(bloom_shared_read(
			       file, place_of(found, offset) - sizeof bytes, bytes, sizeof bytes),
			why, "cannot be read")) {
		return false;
	}
	*is_there = memcmp(bytes, position->check, sizeof bytes) == 0;
	return true;
}

static zend_string *position_text(const bloom_mark *position)
{
	char text[BLOOM_POSITION_TEXT_BYTES];

	return zend_string_init(text, bloom_mark_position(position, text), false);
}

/* ---- opening ---- */

/* Creates a file beside the journal, to which only this user has access. Returns -1 on failure. */
static int create_temporary(const char *path, char temporary[MAXPATHLEN], fault *why)
{
	bool fits = snprintf(temporary, MAXPATHLEN, "%s.%016llx.tmp", path,
			    (unsigned long long)bloom_random()) < MAXPATHLEN;
	int file = -1;

	(void)check(fits ? bloom_shared_create(temporary, true, &file) : ENAMETOOLONG, why,
		"cannot be created");
	return file;
}

static int write_first(int file, const header *first)
{
	unsigned char bytes[HEADER_BYTES];
	int os_error;

	encode(first, bytes);
	os_error = bloom_shared_write(file, 0, bytes, sizeof bytes);
	return os_error == 0 ? bloom_shared_sync(file) : os_error;
}

/* Creates the file with a header, unless it exists. The file gets its name only when it is
 * complete, so it never appears without its header. */
static bool create_journal(const char *path, fault *why)
{
	header first = {.epoch = bloom_random() >> 1 | 1};
	char temporary[MAXPATHLEN];
	int file = create_temporary(path, temporary, why);
	int os_error;

	if (file < 0) {
		return false;
	}
	os_error = bloom_shared_give_to_writers(path, file);
	if (os_error == 0) {
		os_error = write_first(file, &first);
	}
	bloom_close(&file);
	if (os_error == 0) {
		os_error = bloom_shared_name(temporary, path);
	}
	if (os_error != 0) {
		(void)bloom_shared_remove(temporary);
	}
	if (os_error != 0 && os_error != EEXIST) {
		return fail(why, "cannot be created", os_error);
	}
	bloom_shared_sync_parent(path);
	return true;
}

/* Finds the file to which the path leads. If it is a link, a trim replaces its target and not the
 * link. The caller frees the result, which is NULL on failure. */
static char *find_file(const char *path, fault *why)
{
	char *target;
	int os_error = bloom_shared_resolve(path, &target);

	if (os_error != 0 && os_error != BLOOM_SHARED_FOREIGN_LINK) {
		target = strdup(path); /* opening it fails, or creates it */
		os_error = target == NULL ? ENOMEM : 0;
	}
	(void)check(os_error, why, "cannot be opened");
	return target;
}

/* Opens the journal, and may create it. Returns -1 on failure, and without why->what if the journal
 * does not exist and must not be created. */
static int open_or_create(const char *path, bool writable, bool may_create, fault *why)
{
	char *target = find_file(path, why);
	int file = -1, os_error;

	if (target == NULL) {
		return -1;
	}
	os_error = bloom_shared_open(target, writable, &file);
	if (os_error != ENOENT) {
		(void)check(os_error, why, "cannot be opened");
	} else if (may_create && create_journal(target, why)) {
		(void)check(bloom_shared_open(target, writable, &file), why, "cannot be opened");
	}
	free(target);
	return file;
}

/* Locks an open journal. The lock ends when the file is closed.
 *
 *   *is_current  whether the path still leads to this file: a trim replaces it, and an operator may
 *                switch a link in the path */
static bool lock(int file, const char *path, bool *is_current, fault *why)
{
	uint64_t timeout_ms = (uint64_t)(BLOOM_G(lock_timeout) * 1000);
	bloom_status status;

	status = bloom_lock(file, timeout_ms, NULL);
	if (status != BLOOM_OK) {
		*why = (fault){.what = status == BLOOM_E_BUSY
				? "another process held the lock for the whole lock timeout (try "
				  "again, or raise bloom.lock_timeout)"
				: "cannot be locked"};
		return false;
	}
	*is_current = bloom_shared_leads_to(path, file);
	return true;
}

/* Opens and locks the journal and reads its header. Returns -1 in the same cases as
 * open_or_create(). */
static int open_locked(const char *path, bool may_create, header *found, fault *why)
{
	bool is_current;
	int file, i;

	for (i = 0; i < TRIES_MAX; i++) {
		file = open_or_create(path, true, may_create, why);
		if (file < 0) {
			return -1;
		}
		if (!lock(file, path, &is_current, why)) {
			break;
		}
		if (is_current) {
			if (read_header(file, found, why)) {
				return file;
			}
			break;
		}
		bloom_close(&file);
	}
	if (i == TRIES_MAX) {
		(void)fail(why, replaced_again, 0);
	}
	bloom_close(&file);
	return -1;
}

/* Opens an existing journal and looks for a position. Returns -1 if the journal does not have the
 * position, or on failure, which sets `why->what`.
 *
 *   target  from find_file(), which may have failed */
static int open_at(
	const char *target, bool writable, const bloom_mark *position, header *found, fault *why)
{
	bool is_there = false;
	int file = -1, os_error;

	if (target == NULL) {
		return -1;
	}
	os_error = bloom_shared_open(target, writable, &file);
	if (os_error != 0) {
		if (os_error != ENOENT) {
			(void)fail(why, "cannot be opened", os_error);
		}
		return -1;
	}
	if (!read_header(file, found, why) || !look_for(file, found, position, &is_there, why) ||
		!is_there) {
		bloom_close(&file);
	}
	return file;
}

/* Determines the path of a journal. */
static bool find_path(zend_object *store, zend_string *journal, char path[MAXPATHLEN])
{
	php_bloom_directory directory;

	return php_bloom_directory_of(store, &directory) &&
		php_bloom_directory_path(&directory, journal, path) &&
		php_bloom_directory_allows(path, "opened");
}

/* ---- append() ---- */

/* Writes the records after the end. Advances the end in *found. Returns 0 or an errno.
 *
 *   last  set to the last 8 bytes of the last record */
static int write_tail(
	int file, header *found, HashTable *records, unsigned char last[BLOOM_CHECK_BYTES])
{
	uint64_t at = found->end;
	int os_error;
	zval *record;

	ZEND_HASH_FOREACH_VAL(records, record) {
		ZVAL_DEREF(record);
		os_error = bloom_shared_write(file, place_of(found, at),
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
static int write_records(
	int file, header *found, HashTable *records, unsigned char last[BLOOM_CHECK_BYTES])
{
	uint64_t place = place_of(found, found->end);
	unsigned char bytes[HEADER_BYTES];
	int os_error = write_tail(file, found, records, last);

	if (os_error != 0) {
		/* The torn tail would do no harm, except on a full disk. */
		(void)bloom_shared_truncate(file, place);
		return os_error;
	}
	encode(found, bytes);
	os_error = bloom_shared_write(file, AT_END, bytes + AT_END, HEADER_BYTES - AT_END);
	return os_error == 0 ? bloom_shared_sync_data(file) : os_error;
}

/* Returns whether the journal admits a record of this kind at its end (filter/journal_record.h).
 * Returns false, with why->what, if the file cannot be read. */
static bool admits(int file, const header *found, uint32_t kind, fault *why)
{
	unsigned char last[BLOOM_RECORD_BYTES_MIN];

	if (bloom_record_opens(kind)) {
		return true;
	}
	return found->end - found->last >= sizeof last &&
		check(bloom_shared_read(file, place_of(found, found->last), last, sizeof last), why,
			"cannot be read") &&
		bloom_record_kind_of(last) != BLOOM_RECORD_END;
}

/* Returns the kind of the first record. */
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
	bloom_mark *end, bool *is_refused, bool *is_current, fault *why)
{
	uint32_t kind = first_kind(records);
	header found = {0};
	int file = open_locked(path, bloom_record_opens(kind), &found, why);
	bool ok, is_there = true;

	*is_refused = *is_current = file < 0;
	if (file < 0) {
		return why->what == NULL;
	}
	ok = after == NULL || look_for(file, &found, after, &is_there, why);
	*is_refused = after != NULL && (!is_there || after->offset != found.end);
	if (ok && !*is_refused) {
		*is_refused = !admits(file, &found, kind, why);
		ok = why->what == NULL;
	}
	if (ok && !*is_refused) {
		ok = check(write_records(file, &found, records, end->check), why,
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
	bloom_mark *end, bool *is_refused, fault *why)
{
	bool is_current = false;
	int i;

	for (i = 0; !is_current && i < TRIES_MAX; i++) {
		if (!append_once(path, records, after, end, is_refused, &is_current, why)) {
			return false;
		}
	}
	return is_current || fail(why, replaced_again, 0);
}

bool php_bloom_directory_append(zend_object *store, zend_string *journal, HashTable *records,
	const bloom_mark *after, bloom_mark *end, bool *is_refused)
{
	char path[MAXPATHLEN];
	fault why = {0};

	if (!find_path(store, journal, path)) {
		return false;
	}
	if (!append_records(path, records, after, end, is_refused, &why)) {
		throw_fault(path, &why);
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
static bool read_last(
	const char *path, bloom_mark *end, unsigned char *bytes, uint64_t *length, fault *why)
{
	header found = {0};
	int file = open_or_create(path, false, true, why);
	bool ok;

	if (file < 0) {
		return false;
	}
	ok = read_header(file, &found, why);
	*length = found.end - found.last;
	*end = (bloom_mark){.epoch = found.epoch, .offset = found.end};
	if (ok && *length != 0) {
		ok = *length >= BLOOM_RECORD_BYTES_MIN && *length <= BLOOM_RECORD_BYTES_MAX
			? check(bloom_shared_read(
					file, place_of(&found, found.last), bytes, (size_t)*length),
				  why, "cannot be read")
			: fail_damaged(why, "the length of a record is out of range");
	}
	bloom_close(&file);
	if (ok && *length != 0) {
		memcpy(end->check, bytes + *length - BLOOM_CHECK_BYTES, BLOOM_CHECK_BYTES);
		ok = bloom_get32(bytes + 4) == *length ||
			fail_damaged(why, "its last record is damaged");
	}
	return ok;
}

bool php_bloom_directory_last(zend_object *store, zend_string *journal, zval *answer)
{
	char path[MAXPATHLEN];
	unsigned char *bytes;
	uint64_t length = 0;
	bloom_mark end;
	fault why = {0};

	if (!find_path(store, journal, path)) {
		return false;
	}
	bytes = safe_emalloc(1, BLOOM_RECORD_BYTES_MAX, 0);
	if (!read_last(path, &end, bytes, &length, &why)) {
		efree(bytes);
		throw_fault(path, &why);
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
	size_t count, size_t limit, fault *why)
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
			return fail_damaged(why, "the length of a record is out of range");
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
	uint64_t capacity, uint64_t *count, bool *is_there, fault *why)
{
	header found = {0};
	char *target;
	int file;

	*why = (fault){0};
	target = find_file(path, why);
	file = open_at(target, false, position, &found, why);
	free(target);
	*is_there = file >= 0;
	if (file < 0) {
		return why->what == NULL;
	}
	*count = found.end - position->offset;
	if (capacity > 0) {
		*count = *count < capacity ? *count : capacity;
		(void)check(bloom_shared_read(file, place_of(&found, position->offset), bytes,
				    (size_t)*count),
			why, "cannot be read");
	}
	bloom_close(&file);
	return why->what == NULL;
}

/* Reads a journal. `records` becomes an array, or null if the journal does not continue from the
 * position. */
static bool read_journal(
	const char *path, const bloom_mark *position, size_t limit, zval *records, fault *why)
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
	fault why = {0};
	zval records;
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (!find_path(store, Z_STR(journals[i]), path)) {
			return false;
		}
		if (!read_journal(path, &positions[i], limit, &records, &why)) {
			zval_ptr_dtor(&records);
			throw_fault(path, &why);
			return false;
		}
		zend_hash_update(Z_ARRVAL_P(answer), Z_STR(journals[i]), &records);
	}
	return true;
}

/* ---- trim() ---- */

/* A trim in progress. */
typedef struct trimming {
	const char *path;
	const bloom_mark *position;
	char *target; /* the file to which `path` leads */
	char temporary[MAXPATHLEN];
	unsigned char *bytes; /* a buffer of COPY_BYTES */
	int from, to;
	header found; /* of the old file */
	header kept;  /* of the new file */
} trimming;

/* Finds the record that ends at the position: sets `base` and `base_check` of trim->kept. */
static bool find_record(trimming *trim, fault *why)
{
	const header *found = &trim->found;
	uint64_t at = found->base, offset = trim->position->offset, window = at, length;
	size_t count = 0;

	if (at == offset) {
		return true;
	}
	for (;; at += length) {
		if (at + BLOOM_RECORD_BYTES_MIN > offset) {
			return fail_damaged(why, "the length of a record is out of range");
		}
		if (at + BLOOM_RECORD_BYTES_MIN > window + count) {
			window = at;
			count = offset - at < COPY_BYTES ? (size_t)(offset - at) : COPY_BYTES;
			if (!check(bloom_shared_read(
					   trim->from, place_of(found, at), trim->bytes, count),
				    why, "cannot be read")) {
				return false;
			}
		}
		length = bloom_get32(trim->bytes + (at - window) + 4);
		if (length < BLOOM_RECORD_BYTES_MIN || length > offset - at) {
			return fail_damaged(why, "the length of a record is out of range");
		}
		if (length == offset - at) {
			break;
		}
	}
	trim->kept.base = at;
	return at == found->base ||
		check(bloom_shared_read(trim->from, place_of(found, at) - BLOOM_CHECK_BYTES,
			      trim->kept.base_check, BLOOM_CHECK_BYTES),
			why, "cannot be read");
}

/* Copies the records from one offset to another. */
static bool copy_records(trimming *trim, uint64_t at, uint64_t end, fault *why)
{
	size_t step;

	for (; at < end; at += step) {
		step = end - at < COPY_BYTES ? (size_t)(end - at) : COPY_BYTES;
		if (!check(bloom_shared_read(
				   trim->from, place_of(&trim->found, at), trim->bytes, step),
			    why, "cannot be read") ||
			!check(bloom_shared_write(
				       trim->to, place_of(&trim->kept, at), trim->bytes, step),
				why, "cannot be trimmed")) {
			return false;
		}
	}
	return check(bloom_shared_sync(trim->to), why, "cannot be trimmed");
}

static bool copy_access(trimming *trim, fault *why)
{
	int os_error = bloom_shared_copy_access(trim->from, trim->to);

	return check(os_error, why,
		os_error == EPERM ? "cannot be trimmed, because its owner or group would change"
				  : "cannot be trimmed");
}

/* Completes the new file and renames it over the old one. The lock on the old file keeps appends
 * out. Sets *is_current to false if the old file was replaced in the meantime. */
static bool replace_file(trimming *trim, bool *is_current, fault *why)
{
	uint64_t copied = trim->found.end;
	unsigned char bytes[HEADER_BYTES];

	if (!lock(trim->from, trim->path, is_current, why)) {
		return false;
	}
	if (!*is_current) {
		return true;
	}
	if (!read_header(trim->from, &trim->found, why)) {
		return false;
	}
	trim->kept.end = trim->found.end;
	trim->kept.last = trim->found.last;
	encode(&trim->kept, bytes);
	return check(bloom_shared_write(trim->to, 0, bytes, sizeof bytes), why,
		       "cannot be trimmed") &&
		copy_records(trim, copied, trim->found.end, why) &&
		check(bloom_shared_replace(trim->temporary, trim->target), why,
			"cannot be trimmed");
}

/* Trims the open file. The largest part is copied without a lock. */
static bool trim_file(trimming *trim, bool *is_current, fault *why)
{
	bool ok;

	*is_current = true;
	trim->kept = trim->found;
	if (!find_record(trim, why)) {
		return false;
	}
	if (trim->kept.base == trim->found.base) {
		return true; /* there is nothing to remove */
	}
	trim->to = create_temporary(trim->target, trim->temporary, why);
	if (trim->to < 0) {
		return false;
	}
	ok = copy_access(trim, why) && copy_records(trim, trim->kept.base, trim->found.end, why) &&
		replace_file(trim, is_current, why);
	if (!ok || !*is_current) {
		(void)bloom_shared_remove(trim->temporary);
	} else {
		bloom_shared_sync_parent(trim->target);
	}
	bloom_close(&trim->to);
	return ok;
}

bool php_bloom_directory_trim(zend_object *store, zend_string *journal, const bloom_mark *position)
{
	char path[MAXPATHLEN];
	bool ok = true, is_current = false;
	trimming *trim;
	fault why = {0};
	int i;

	if (!find_path(store, journal, path)) {
		return false;
	}
	trim = ecalloc(1, sizeof *trim); /* too large for a fiber's stack */
	trim->from = trim->to = -1;
	trim->path = path;
	trim->position = position;
	trim->bytes = safe_emalloc(1, COPY_BYTES, 0);
	for (i = 0; ok && !is_current && i < TRIES_MAX; i++) {
		trim->target = find_file(path, &why);
		trim->from = open_at(trim->target, true, position, &trim->found, &why);
		is_current = trim->from < 0;
		ok = trim->from < 0 ? why.what == NULL : trim_file(trim, &is_current, &why);
		bloom_close(&trim->from);
		free(trim->target);
	}
	efree(trim->bytes);
	efree(trim);
	/* If other trims have replaced the file each time, they have done it. */
	if (!ok) {
		throw_fault(path, &why);
	}
	return ok;
}
