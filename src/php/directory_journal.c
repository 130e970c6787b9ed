/* Bloom\DirectoryStore: the journals. docs/format.md specifies the file.
 *
 *     0        40      56       64                                             end
 *     ├ constant ┼ end, last ┼ checksum ┼ record │ record │ … │ last record ┤ torn tail
 *                                       base                                ▲ ignored
 *
 *     append   lock ─► write behind the end ─► sync ─► store the end ─► sync
 *     trim     lock ─► copy the tail to a new file ─► rename
 *     read     no lock
 *
 * A process that is killed during an append leaves at most a torn tail. Readers ignore it, and the
 * next append overwrites it.
 */
#include "php/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zend_exceptions.h>

#include "filter/bytes.h"
#include "filter/digest.h"
#include "filter/record.h"
#include "os/clock.h"
#include "os/files.h"
#include "os/lock.h"
#include "php/classes.h"
#include "php/directory_store.h"
#include "php/file.h"

static const unsigned char magic[8] = {0x89, 'B', 'L', 'J', 'R', 'N', 'L', '\n'};

enum {
	AT_VERSION = 8,
	AT_EPOCH = 16,
	AT_BASE = 24,
	AT_BASE_CHECK = 32,
	AT_END = 40, /* the end and the last record change together */
	AT_LAST = 48,
	AT_CHECKSUM = 56,
	HEADER_BYTES = 64,
	VERSION = 1,
	RECORD_BYTES_MIN = BLOOM_RECORD_HEAD_BYTES + BLOOM_RECORD_TAIL_BYTES,
	LOCK_TIMEOUT_MS = 5000,
};

typedef struct header {
	uint64_t epoch;
	uint64_t base; /* the offset of the first record in the file */
	uint64_t end;
	uint64_t last; /* the offset of the last record; equals `base` if there is none */
	unsigned char base_check[BLOOM_CHECK_BYTES];
} header;

static bool fail(const char *path, const char *what)
{
	php_bloom_directory_throw(path, what, errno);
	return false;
}

static bool fail_damaged(const char *path, const char *what)
{
	zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE,
		"%s: not a valid journal: %s (publish the filter again with a new mark, and remove "
		"the file)",
		path, what);
	return false;
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
	bloom_put64(bytes + AT_CHECKSUM, bloom_checksum(bytes, AT_END));
}

static bool decode(const unsigned char bytes[HEADER_BYTES], uint64_t file_bytes, header *value)
{
	if (memcmp(bytes, magic, sizeof magic) != 0 || bloom_get32(bytes + AT_VERSION) != VERSION ||
		bloom_get64(bytes + AT_CHECKSUM) != bloom_checksum(bytes, AT_END)) {
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
		value->end - value->base <= file_bytes - HEADER_BYTES;
}

static bool read_all(int file, unsigned char *bytes, size_t count, uint64_t at)
{
	ssize_t got;

	for (; count > 0; bytes += got, count -= (size_t)got, at += (uint64_t)got) {
		got = pread(file, bytes, count, (off_t)at);
		if (got < 0 && errno == EINTR) {
			got = 0;
		} else if (got <= 0) {
			errno = got == 0 ? EIO : errno;
			return false;
		}
	}
	return true;
}

static bool write_all(int file, const unsigned char *bytes, size_t count, uint64_t at)
{
	ssize_t put;

	for (; count > 0; bytes += put, count -= (size_t)put, at += (uint64_t)put) {
		put = pwrite(file, bytes, count, (off_t)at);
		if (put < 0 && errno == EINTR) {
			put = 0;
		} else if (put < 0) {
			return false;
		}
	}
	return true;
}

/* Reads the header of an open journal. Returns false if it throws. */
static bool read_header(int file, const char *path, header *found)
{
	unsigned char bytes[HEADER_BYTES];
	struct stat about;

	if (fstat(file, &about) != 0) {
		return fail(path, "cannot be read");
	}
	if (!S_ISREG(about.st_mode) || about.st_size < HEADER_BYTES) {
		return fail_damaged(path, "it is too short");
	}
	if (!read_all(file, bytes, sizeof bytes, 0)) {
		return fail(path, "cannot be read");
	}
	return decode(bytes, (uint64_t)about.st_size, found) ||
		fail_damaged(path, "its header is damaged");
}

static uint64_t place_of(const header *found, uint64_t offset)
{
	return HEADER_BYTES + (offset - found->base);
}

/* Reads the check of the record that ends at an offset, base ≤ offset ≤ end. */
static bool read_check(
	int file, const header *found, uint64_t offset, unsigned char check[BLOOM_CHECK_BYTES])
{
	if (offset == found->base) {
		memcpy(check, found->base_check, BLOOM_CHECK_BYTES);
		return true;
	}
	return offset - found->base >= RECORD_BYTES_MIN &&
		read_all(file, check, BLOOM_CHECK_BYTES,
			place_of(found, offset) - BLOOM_CHECK_BYTES);
}

/* Returns whether the journal has a position. A position within a record has the wrong check,
 * except by a chance of 2^-64. */
static bool has_position(int file, const header *found, const bloom_mark *position)
{
	unsigned char check[BLOOM_CHECK_BYTES];

	return position->epoch == found->epoch && position->offset >= found->base &&
		position->offset <= found->end &&
		read_check(file, found, position->offset, check) &&
		memcmp(check, position->check, sizeof check) == 0;
}

static zend_string *position_text(uint64_t epoch, uint64_t offset, const unsigned char *check)
{
	bloom_mark mark = {.epoch = epoch, .offset = offset};
	char text[BLOOM_POSITION_TEXT_BYTES];

	memcpy(mark.check, check, sizeof mark.check);
	return zend_string_init(text, bloom_mark_position(&mark, text), false);
}

/* ---- opening ---- */

/* Creates the file with a header, unless it exists. The file appears with its header, because it is
 * linked to its name only when it is complete. Returns 0 or an errno. */
static int create_file(const char *path, const header *first)
{
	unsigned char bytes[HEADER_BYTES];
	char temporary[MAXPATHLEN];
	int file, os_error = 0;

	if (snprintf(temporary, sizeof temporary, "%s.%016llx.tmp", path,
		    (unsigned long long)bloom_random()) >= (int)sizeof temporary) {
		return ENAMETOOLONG;
	}
	file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (file < 0) {
		return errno;
	}
	encode(first, bytes);
	if (!write_all(file, bytes, sizeof bytes, 0) || fsync(file) != 0 ||
		(link(temporary, path) != 0 && errno != EEXIST)) {
		os_error = errno;
	}
	(void)unlink(temporary);
	(void)close(file);
	return os_error;
}

/* Opens the journal for writing, and creates it if it does not exist. Returns -1 if it throws. */
static int open_writable(const char *path, const char *directory)
{
	header first = {.epoch = bloom_random() >> 1 | 1};
	int file = open(path, O_RDWR | O_CLOEXEC), os_error;

	if (file < 0 && errno == ENOENT) {
		os_error = create_file(path, &first);
		if (os_error != 0) {
			php_bloom_directory_throw(path, "cannot be created", os_error);
			return -1;
		}
		php_bloom_sync_directory(directory);
		file = open(path, O_RDWR | O_CLOEXEC);
	}
	if (file < 0) {
		php_bloom_directory_throw(path, "cannot be opened", errno);
	}
	return file;
}

/* Returns whether the path still leads to the open file. A trim replaces the file. */
static bool is_current(int file, const char *path)
{
	struct stat opened, named;

	return fstat(file, &opened) == 0 && stat(path, &named) == 0 &&
		opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* Opens and locks the journal and reads its header. The lock ends when the file is closed. Returns
 * -1 if it throws. */
static int open_locked(const char *path, const char *directory, header *found)
{
	enum { TRIES_MAX = 100 };
	int file, i;

	for (i = 0; i < TRIES_MAX; i++) {
		file = open_writable(path, directory);
		if (file < 0) {
			return -1;
		}
		if (bloom_lock(file, LOCK_TIMEOUT_MS, NULL) != BLOOM_OK) {
			zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE,
				"%s: cannot be locked: another process has held the lock for %d "
				"seconds",
				path, LOCK_TIMEOUT_MS / 1000);
			bloom_close(&file);
			return -1;
		}
		if (is_current(file, path)) {
			if (!read_header(file, path, found)) {
				bloom_close(&file);
				return -1;
			}
			return file;
		}
		bloom_close(&file);
	}
	errno = EBUSY;
	(void)fail(path, "is replaced again and again");
	return -1;
}

/* ---- append() ---- */

/* Checks the records, and returns their total length, or 0 after an exception. */
static uint64_t check_records(HashTable *records)
{
	uint64_t total = 0;
	zval *record;

	ZEND_HASH_FOREACH_VAL(records, record) {
		ZVAL_DEREF(record);
		if (Z_TYPE_P(record) != IS_STRING || Z_STRLEN_P(record) < RECORD_BYTES_MIN ||
			Z_STRLEN_P(record) > BLOOM_RECORD_BYTES_MAX ||
			bloom_get32((const unsigned char *)Z_STRVAL_P(record) + 4) !=
				Z_STRLEN_P(record)) {
			zend_argument_value_error(2, "must contain only records of a journal");
			return 0;
		}
		total += Z_STRLEN_P(record);
	}
	ZEND_HASH_FOREACH_END();
	if (total == 0) {
		zend_argument_value_error(2, "must contain at least one record");
	}
	return total;
}

/* Writes the records behind the end, and then the end. Returns 0 or an errno. */
static int write_records(int file, const header *found, HashTable *records, uint64_t total)
{
	uint64_t at = found->end, last = at;
	unsigned char end[16];
	zval *record;

	ZEND_HASH_FOREACH_VAL(records, record) {
		ZVAL_DEREF(record);
		if (!write_all(file, (const unsigned char *)Z_STRVAL_P(record), Z_STRLEN_P(record),
			    place_of(found, at))) {
			return errno;
		}
		last = at;
		at += Z_STRLEN_P(record);
	}
	ZEND_HASH_FOREACH_END();
	bloom_put64(end, found->end + total);
	bloom_put64(end + 8, last);
	/* After a power failure, the end must not be ahead of the records. */
	return fdatasync(file) == 0 && write_all(file, end, sizeof end, AT_END) &&
			fdatasync(file) == 0
		? 0
		: errno;
}

/* Returns the last 8 bytes of the last record in a list. */
static const unsigned char *last_check(HashTable *records)
{
	zval *record, *last = NULL;

	ZEND_HASH_FOREACH_VAL(records, record) {
		last = record;
	}
	ZEND_HASH_FOREACH_END();
	ZVAL_DEREF(last);
	return (const unsigned char *)Z_STRVAL_P(last) + Z_STRLEN_P(last) - BLOOM_CHECK_BYTES;
}

/* Finds the file of a journal. Returns the store's directory, or NULL if it throws. */
static const char *find_path(zend_object *store, zend_string *journal, char path[MAXPATHLEN])
{
	const char *directory = php_bloom_directory_of(store);
	zval key;

	ZVAL_STR(&key, journal);
	return directory != NULL && php_bloom_directory_path(directory, &key, path) &&
			php_bloom_directory_allows(path, "opened")
		? directory
		: NULL;
}

/* Parses a position. Returns false if it throws a ValueError. */
static bool parse_position(const zend_string *text, uint32_t argument, bloom_mark *position)
{
	if (bloom_mark_parse(ZSTR_VAL(text), ZSTR_LEN(text), position, NULL) == BLOOM_OK) {
		return true;
	}
	zend_argument_value_error(
		argument, "must be a position of a journal, \"%s\" given", ZSTR_VAL(text));
	return false;
}

ZEND_METHOD(Bloom_DirectoryStore, append)
{
	zend_string *journal, *after = NULL;
	char path[MAXPATHLEN];
	const char *directory;
	bloom_mark position;
	HashTable *records;
	uint64_t total;
	int file, os_error;
	header found;

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR(journal)
		Z_PARAM_ARRAY_HT(records)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR_OR_NULL(after)
	ZEND_PARSE_PARAMETERS_END();

	total = check_records(records);
	directory = total > 0 ? find_path(Z_OBJ_P(ZEND_THIS), journal, path) : NULL;
	if (directory == NULL || (after != NULL && !parse_position(after, 3, &position))) {
		RETURN_THROWS();
	}
	file = open_locked(path, directory, &found);
	if (file < 0) {
		RETURN_THROWS();
	}
	if (after != NULL &&
		(position.offset != found.end || !has_position(file, &found, &position))) {
		bloom_close(&file);
		RETURN_NULL();
	}
	os_error = write_records(file, &found, records, total);
	bloom_close(&file);
	if (os_error != 0) {
		php_bloom_directory_throw(path, "cannot be appended to", os_error);
		RETURN_THROWS();
	}
	RETURN_STR(position_text(found.epoch, found.end + total, last_check(records)));
}

/* ---- last() ---- */

ZEND_METHOD(Bloom_DirectoryStore, last)
{
	char path[MAXPATHLEN];
	const char *directory;
	zend_string *journal, *record;
	unsigned char *bytes;
	uint64_t length;
	header found;
	bool ok;
	int file;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(journal)
	ZEND_PARSE_PARAMETERS_END();

	directory = find_path(Z_OBJ_P(ZEND_THIS), journal, path);
	if (directory == NULL) {
		RETURN_THROWS();
	}
	/* A memory limit that ends the request must not leave the file open, so the buffer is
	 * allocated before the file is opened. */
	bytes = emalloc(BLOOM_RECORD_BYTES_MAX);
	file = open_locked(path, directory, &found);
	if (file < 0) {
		efree(bytes);
		RETURN_THROWS();
	}
	length = found.end - found.last;
	ok = length <= BLOOM_RECORD_BYTES_MAX && (length == 0 || length >= RECORD_BYTES_MIN) &&
		read_all(file, bytes, (size_t)length, place_of(&found, found.last));
	bloom_close(&file);
	if (!ok) {
		efree(bytes);
		(void)fail_damaged(path, "its last record is damaged");
		RETURN_THROWS();
	}
	record = zend_string_init((const char *)bytes, (size_t)length, false);
	array_init(return_value);
	add_next_index_str(return_value,
		position_text(found.epoch, found.end,
			length > 0 ? bytes + length - BLOOM_CHECK_BYTES : found.base_check));
	add_next_index_str(return_value, record);
	efree(bytes);
}

/* ---- read() ---- */

/* Divides bytes into records and adds complete ones to an array, by position. Returns false if it
 * throws. */
static bool add_records(zval *records, const char *path, uint64_t epoch, uint64_t at,
	const unsigned char *bytes, size_t count, size_t limit)
{
	uint32_t length;
	size_t done = 0;
	zend_string *key;
	zval record;

	while (count - done >= RECORD_BYTES_MIN && done < limit) {
		length = bloom_get32(bytes + done + 4);
		if (length < RECORD_BYTES_MIN || length > BLOOM_RECORD_BYTES_MAX) {
			return fail_damaged(path, "the length of a record is out of range");
		}
		if (length > count - done) {
			break;
		}
		ZVAL_STRINGL(&record, (const char *)bytes + done, length);
		done += length;
		key = position_text(epoch, at + done, bytes + done - BLOOM_CHECK_BYTES);
		zend_hash_update(Z_ARRVAL_P(records), key, &record);
		zend_string_release(key);
	}
	/* The end of a journal is the end of a record. */
	return done > 0 || count == 0 || fail_damaged(path, "it ends within a record");
}

/* Opens a journal and looks for a position. Returns -1 if the journal does not continue from the
 * position, or after an exception. */
static int open_at(const char *path, const bloom_mark *position, header *found)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);

	if (file < 0) {
		if (errno != ENOENT) {
			(void)fail(path, "cannot be read");
		}
		return -1;
	}
	if (!read_header(file, path, found) || !has_position(file, found, position)) {
		bloom_close(&file);
	}
	return file;
}

/* Reads a journal. `records` becomes an array, or stays null if the journal does not continue from
 * the position. Returns false if it throws. */
static bool read_journal(const char *path, const bloom_mark *position, size_t limit, zval *records)
{
	zend_string *buffer;
	uint64_t count;
	header found;
	bool ok;
	int file = open_at(path, position, &found);

	if (file < 0) {
		return EG(exception) == NULL;
	}
	bloom_close(&file);
	array_init(records);
	if (found.end == position->offset) {
		return true;
	}
	count = found.end - position->offset;
	count = count < limit + BLOOM_RECORD_BYTES_MAX ? count : limit + BLOOM_RECORD_BYTES_MAX;
	/* The file is open only while no memory is allocated. */
	buffer = zend_string_alloc((size_t)count, false);
	file = open_at(path, position, &found);
	ok = file >= 0 && count <= found.end - position->offset &&
		read_all(file, (unsigned char *)ZSTR_VAL(buffer), (size_t)count,
			place_of(&found, position->offset));
	bloom_close(&file);
	if (ok) {
		ok = add_records(records, path, found.epoch, position->offset,
			(const unsigned char *)ZSTR_VAL(buffer), (size_t)count, limit);
	} else if (EG(exception) == NULL) {
		/* The journal was trimmed or replaced in the meantime. */
		zval_ptr_dtor(records);
		ZVAL_NULL(records);
		ok = true;
	}
	zend_string_efree(buffer);
	return ok;
}

ZEND_METHOD(Bloom_DirectoryStore, read)
{
	HashTable *positions;
	char path[MAXPATHLEN];
	zend_string *journal;
	bloom_mark position;
	zval *value, records;
	zend_long limit;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_ARRAY_HT(positions)
		Z_PARAM_LONG(limit)
	ZEND_PARSE_PARAMETERS_END();

	array_init(return_value);
	ZEND_HASH_FOREACH_STR_KEY_VAL(positions, journal, value) {
		ZVAL_DEREF(value);
		if (journal == NULL || Z_TYPE_P(value) != IS_STRING) {
			zend_argument_type_error(1, "must contain only strings, by journal");
			RETURN_THROWS();
		}
		if (find_path(Z_OBJ_P(ZEND_THIS), journal, path) == NULL ||
			!parse_position(Z_STR_P(value), 1, &position)) {
			RETURN_THROWS();
		}
		ZVAL_NULL(&records);
		if (!read_journal(path, &position, limit > 0 ? (size_t)limit : 1, &records)) {
			zval_ptr_dtor(&records);
			RETURN_THROWS();
		}
		zend_hash_update(Z_ARRVAL_P(return_value), journal, &records);
	}
	ZEND_HASH_FOREACH_END();
}

/* ---- trim() ---- */

/* Finds the start of the record that ends at an offset, and the check before it. Returns false if
 * there is no such record. */
static bool find_record(int file, const header *found, uint64_t offset, header *kept)
{
	uint64_t at = found->base, next;
	unsigned char head[8];

	for (; at < offset; at = next) {
		if (!read_all(file, head, sizeof head, place_of(found, at))) {
			return false;
		}
		next = at + bloom_get32(head + 4);
		if (bloom_get32(head + 4) < RECORD_BYTES_MIN || next > offset) {
			return false;
		}
		if (next == offset) {
			kept->base = at;
			return read_check(file, found, at, kept->base_check);
		}
	}
	return false;
}

/* Copies the records from kept->base on to a new file. Returns 0 or an errno. */
static int copy_tail(int from, const header *found, const header *kept, int to)
{
	unsigned char bytes[65536];
	uint64_t at, step;

	encode(kept, bytes);
	if (!write_all(to, bytes, HEADER_BYTES, 0)) {
		return errno;
	}
	for (at = kept->base; at < kept->end; at += step) {
		step = kept->end - at < sizeof bytes ? kept->end - at : sizeof bytes;
		if (!read_all(from, bytes, (size_t)step, place_of(found, at)) ||
			!write_all(to, bytes, (size_t)step, place_of(kept, at))) {
			return errno;
		}
	}
	return fsync(to) == 0 ? 0 : errno;
}

/* Replaces the file by one that begins with the record before the position. The lock on the old
 * file keeps appends out until the rename. Returns 0 or an errno. */
static int replace_file(int file, const char *path, const header *found, const header *kept)
{
	char temporary[MAXPATHLEN];
	struct stat about;
	int to, os_error;

	if (snprintf(temporary, sizeof temporary, "%s.%016llx.tmp", path,
		    (unsigned long long)bloom_random()) >= (int)sizeof temporary) {
		return ENAMETOOLONG;
	}
	to = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (to < 0) {
		return errno;
	}
	/* All users who could append before can still append. Only root may keep the owner. */
	if (fstat(file, &about) == 0) {
		if (fchown(to, about.st_uid, about.st_gid) != 0) {
			(void)!fchown(to, (uid_t)-1, about.st_gid);
		}
		(void)fchmod(to, about.st_mode & 0777);
	}
	os_error = copy_tail(file, found, kept, to);
	(void)close(to);
	if (os_error == 0 && rename(temporary, path) != 0) {
		os_error = errno;
	}
	if (os_error != 0) {
		(void)unlink(temporary);
	}
	return os_error;
}

ZEND_METHOD(Bloom_DirectoryStore, trim)
{
	zend_string *journal, *text;
	const char *directory;
	char path[MAXPATHLEN];
	bloom_mark position;
	header found, kept;
	int file, os_error = 0;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(journal)
		Z_PARAM_STR(text)
	ZEND_PARSE_PARAMETERS_END();

	directory = find_path(Z_OBJ_P(ZEND_THIS), journal, path);
	if (directory == NULL || !parse_position(text, 2, &position)) {
		RETURN_THROWS();
	}
	if (access(path, F_OK) != 0) {
		return;
	}
	file = open_locked(path, directory, &found);
	if (file < 0) {
		RETURN_THROWS();
	}
	kept = found;
	if (has_position(file, &found, &position) &&
		find_record(file, &found, position.offset, &kept) && kept.base > found.base) {
		os_error = replace_file(file, path, &found, &kept);
	}
	bloom_close(&file);
	if (os_error != 0) {
		php_bloom_directory_throw(path, "cannot be trimmed", os_error);
		RETURN_THROWS();
	}
	php_bloom_sync_directory(directory);
}
