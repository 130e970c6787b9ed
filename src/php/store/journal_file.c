#include "php/store/journal_file.h"

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
#include "php/globals.h"
#include "php/store/directory_path.h"

static const unsigned char magic[8] = {0x89, 'B', 'L', 'J', 'R', 'N', 'L', '\n'};

enum {
	AT_VERSION = 8,
	AT_RESERVED = 12,
	AT_EPOCH = 16,
	AT_BASE = 24,
	AT_BASE_CHECK = 32,
	AT_LAST = 48,
	AT_CHECKSUM = 56,
	VERSION = 1,
};

const char php_bloom_journal_file_replaced_again[] =
	"other processes replace the file again and again";

bool php_bloom_fault_set(php_bloom_fault *why, const char *what, int os_error)
{
	*why = (php_bloom_fault){.what = what, .os_error = os_error};
	return false;
}

bool php_bloom_fault_check(int os_error, php_bloom_fault *why, const char *what)
{
	return os_error == 0 || php_bloom_fault_set(why, what, os_error);
}

bool php_bloom_fault_damaged(php_bloom_fault *why, const char *what)
{
	*why = (php_bloom_fault){.what = what, .is_damaged = true};
	return false;
}

void php_bloom_fault_throw(const char *path, const php_bloom_fault *why)
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

void php_bloom_journal_file_encode(
	const php_bloom_journal_header *value, unsigned char bytes[PHP_BLOOM_JOURNAL_HEADER_BYTES])
{
	memset(bytes, 0, PHP_BLOOM_JOURNAL_HEADER_BYTES);
	memcpy(bytes, magic, sizeof magic);
	bloom_put32(bytes + AT_VERSION, VERSION);
	bloom_put64(bytes + AT_EPOCH, value->epoch);
	bloom_put64(bytes + AT_BASE, value->base);
	memcpy(bytes + AT_BASE_CHECK, value->base_check, sizeof value->base_check);
	bloom_put64(bytes + PHP_BLOOM_JOURNAL_AT_END, value->end);
	bloom_put64(bytes + AT_LAST, value->last);
	bloom_put64(bytes + AT_CHECKSUM, bloom_checksum(bytes, AT_CHECKSUM));
}

static bool decode(
	const unsigned char bytes[PHP_BLOOM_JOURNAL_HEADER_BYTES], php_bloom_journal_header *value)
{
	if (memcmp(bytes, magic, sizeof magic) != 0 || bloom_get32(bytes + AT_VERSION) != VERSION ||
		bloom_get32(bytes + AT_RESERVED) != 0 ||
		bloom_get64(bytes + AT_CHECKSUM) != bloom_checksum(bytes, AT_CHECKSUM)) {
		return false;
	}
	*value = (php_bloom_journal_header){
		.epoch = bloom_get64(bytes + AT_EPOCH),
		.base = bloom_get64(bytes + AT_BASE),
		.end = bloom_get64(bytes + PHP_BLOOM_JOURNAL_AT_END),
		.last = bloom_get64(bytes + AT_LAST),
	};
	memcpy(value->base_check, bytes + AT_BASE_CHECK, sizeof value->base_check);
	return value->epoch != 0 && value->base <= value->last && value->last <= value->end &&
		value->end <= INT64_MAX - PHP_BLOOM_JOURNAL_HEADER_BYTES;
}

bool php_bloom_journal_file_read_header(
	int file, php_bloom_journal_header *found, php_bloom_fault *why)
{
	/* A read may overlap a write, which ends soon unless its process has to wait for a
	 * processor. On a busy machine, each pause is long, too. */
	enum { READS_MIN = 3, LONGEST_MS = 20, PAUSE_US = 50 };
	uint64_t until_ms = bloom_monotonic_ms() + LONGEST_MS;
	unsigned char bytes[PHP_BLOOM_JOURNAL_HEADER_BYTES];
	bool is_valid = false;
	bloom_shared_info info;
	int i;

	if (!php_bloom_fault_check(bloom_shared_look_open(file, &info), why, "cannot be read")) {
		return false;
	}
	if (!info.is_regular || info.bytes < PHP_BLOOM_JOURNAL_HEADER_BYTES) {
		return php_bloom_fault_damaged(why, "it has no header");
	}
	for (i = 0; !is_valid && (i < READS_MIN || bloom_monotonic_ms() < until_ms); i++) {
		if (i > 0) {
			bloom_pause_us(PAUSE_US);
		}
		if (!php_bloom_fault_check(bloom_shared_read(file, 0, bytes, sizeof bytes), why,
			    "cannot be read")) {
			return false;
		}
		is_valid = decode(bytes, found);
	}
	if (!is_valid) {
		return php_bloom_fault_damaged(why, "its header is damaged");
	}
	/* The records were written before the header, so the file is at least as long as it says,
	 * unless it was truncated. */
	if (!php_bloom_fault_check(bloom_shared_look_open(file, &info), why, "cannot be read")) {
		return false;
	}
	return found->end - found->base <= info.bytes - PHP_BLOOM_JOURNAL_HEADER_BYTES ||
		php_bloom_fault_damaged(why, "records at its end are missing");
}

uint64_t php_bloom_journal_file_place(const php_bloom_journal_header *found, uint64_t offset)
{
	return PHP_BLOOM_JOURNAL_HEADER_BYTES + (offset - found->base);
}

bool php_bloom_journal_file_look_for(int file, const php_bloom_journal_header *found,
	const bloom_mark *position, bool *is_there, php_bloom_fault *why)
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
		!php_bloom_fault_check(
			bloom_shared_read(file,
				php_bloom_journal_file_place(found, offset) - sizeof bytes, bytes,
				sizeof bytes),
			why, "cannot be read")) {
		return false;
	}
	*is_there = memcmp(bytes, position->check, sizeof bytes) == 0;
	return true;
}

/* ---- opening ---- */

int php_bloom_journal_file_create_temporary(
	const char *path, char temporary[MAXPATHLEN], php_bloom_fault *why)
{
	bool fits = snprintf(temporary, MAXPATHLEN, "%s.%016llx.tmp", path,
			    (unsigned long long)bloom_random()) < MAXPATHLEN;
	int file = -1;

	(void)php_bloom_fault_check(
		fits ? bloom_shared_create(temporary, true, &file) : ENAMETOOLONG, why,
		"cannot be created");
	return file;
}

static int write_first(int file, const php_bloom_journal_header *first)
{
	unsigned char bytes[PHP_BLOOM_JOURNAL_HEADER_BYTES];
	int os_error;

	php_bloom_journal_file_encode(first, bytes);
	os_error = bloom_shared_write(file, 0, bytes, sizeof bytes);
	return os_error == 0 ? bloom_shared_sync(file) : os_error;
}

/* Creates the file with a header, unless it exists. The file gets its name only when it is
 * complete, so it never appears without its header. */
static bool create_journal(const char *path, php_bloom_fault *why)
{
	php_bloom_journal_header first = {.epoch = bloom_random() >> 1 | 1};
	char temporary[MAXPATHLEN];
	int file = php_bloom_journal_file_create_temporary(path, temporary, why);
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
		return php_bloom_fault_set(why, "cannot be created", os_error);
	}
	bloom_shared_sync_parent(path);
	return true;
}

char *php_bloom_journal_file_find(const char *path, php_bloom_fault *why)
{
	char *target;
	int os_error = bloom_shared_resolve(path, &target);

	if (os_error != 0 && os_error != BLOOM_SHARED_FOREIGN_LINK) {
		target = strdup(path); /* opening it fails, or creates it */
		os_error = target == NULL ? ENOMEM : 0;
	}
	(void)php_bloom_fault_check(os_error, why, "cannot be opened");
	return target;
}

int php_bloom_journal_file_open_or_create(
	const char *path, bool writable, bool may_create, php_bloom_fault *why)
{
	char *target = php_bloom_journal_file_find(path, why);
	int file = -1, os_error;

	if (target == NULL) {
		return -1;
	}
	os_error = bloom_shared_open(target, writable, &file);
	if (os_error != ENOENT) {
		(void)php_bloom_fault_check(os_error, why, "cannot be opened");
	} else if (may_create && create_journal(target, why)) {
		(void)php_bloom_fault_check(
			bloom_shared_open(target, writable, &file), why, "cannot be opened");
	}
	free(target);
	return file;
}

bool php_bloom_journal_file_lock(int file, const char *path, bool *is_current, php_bloom_fault *why)
{
	uint64_t timeout_ms = (uint64_t)(BLOOM_G(lock_timeout) * 1000);
	bloom_status status;

	status = bloom_lock(file, timeout_ms, NULL);
	if (status != BLOOM_OK) {
		*why = (php_bloom_fault){.what = status == BLOOM_E_BUSY
				? "another process held the lock for the whole lock timeout (try "
				  "again, or raise bloom.lock_timeout)"
				: "cannot be locked"};
		return false;
	}
	*is_current = bloom_shared_leads_to(path, file);
	return true;
}

int php_bloom_journal_file_open_locked(
	const char *path, bool may_create, php_bloom_journal_header *found, php_bloom_fault *why)
{
	bool is_current;
	int file, i;

	for (i = 0; i < PHP_BLOOM_JOURNAL_TRIES_MAX; i++) {
		file = php_bloom_journal_file_open_or_create(path, true, may_create, why);
		if (file < 0) {
			return -1;
		}
		if (!php_bloom_journal_file_lock(file, path, &is_current, why)) {
			break;
		}
		if (is_current) {
			if (php_bloom_journal_file_read_header(file, found, why)) {
				return file;
			}
			break;
		}
		bloom_close(&file);
	}
	if (i == PHP_BLOOM_JOURNAL_TRIES_MAX) {
		(void)php_bloom_fault_set(why, php_bloom_journal_file_replaced_again, 0);
	}
	bloom_close(&file);
	return -1;
}

int php_bloom_journal_file_open_at(const char *target, bool writable, const bloom_mark *position,
	php_bloom_journal_header *found, php_bloom_fault *why)
{
	bool is_there = false;
	int file = -1, os_error;

	if (target == NULL) {
		return -1;
	}
	os_error = bloom_shared_open(target, writable, &file);
	if (os_error != 0) {
		if (os_error != ENOENT) {
			(void)php_bloom_fault_set(why, "cannot be opened", os_error);
		}
		return -1;
	}
	if (!php_bloom_journal_file_read_header(file, found, why) ||
		!php_bloom_journal_file_look_for(file, found, position, &is_there, why) ||
		!is_there) {
		bloom_close(&file);
	}
	return file;
}

bool php_bloom_journal_file_path(zend_object *store, zend_string *journal, char path[MAXPATHLEN])
{
	php_bloom_directory directory;

	return php_bloom_directory_of(store, &directory) &&
		php_bloom_directory_path(&directory, journal, path) &&
		php_bloom_directory_allows(path, "opened");
}
