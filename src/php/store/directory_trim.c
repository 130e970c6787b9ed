#include "php/store/directory_trim.h"

#include <errno.h>
#include <stdlib.h>

#include "filter/bytes.h"
#include "filter/journal_record.h"
#include "os/files.h"
#include "os/sharedfile.h"
#include "php/store/journal_file.h"

enum { COPY_BYTES = 65536 };

/* A trim in progress. */
typedef struct trimming {
	const char *path;
	const bloom_mark *position;
	char *target; /* the file to which `path` leads */
	char temporary[MAXPATHLEN];
	unsigned char *bytes; /* a buffer of COPY_BYTES */
	int from, to;
	php_bloom_journal_header found; /* of the old file */
	php_bloom_journal_header kept;  /* of the new file */
} trimming;

/* Finds the record that ends at the position: sets `base` and `base_check` of trim->kept. */
static bool find_record(trimming *trim, php_bloom_fault *why)
{
	const php_bloom_journal_header *found = &trim->found;
	uint64_t at = found->base, offset = trim->position->offset, window = at, length;
	size_t count = 0;

	if (at == offset) {
		return true;
	}
	for (;; at += length) {
		if (at + BLOOM_RECORD_BYTES_MIN > offset) {
			return php_bloom_fault_damaged(
				why, "the length of a record is out of range");
		}
		if (at + BLOOM_RECORD_BYTES_MIN > window + count) {
			window = at;
			count = offset - at < COPY_BYTES ? (size_t)(offset - at) : COPY_BYTES;
			if (!php_bloom_fault_check(bloom_shared_read(trim->from,
							   php_bloom_journal_file_place(found, at),
							   trim->bytes, count),
				    why, "cannot be read")) {
				return false;
			}
		}
		length = bloom_get32(trim->bytes + (at - window) + 4);
		if (length < BLOOM_RECORD_BYTES_MIN || length > offset - at) {
			return php_bloom_fault_damaged(
				why, "the length of a record is out of range");
		}
		if (length == offset - at) {
			break;
		}
	}
	trim->kept.base = at;
	return at == found->base ||
		php_bloom_fault_check(
			bloom_shared_read(trim->from,
				php_bloom_journal_file_place(found, at) - BLOOM_CHECK_BYTES,
				trim->kept.base_check, BLOOM_CHECK_BYTES),
			why, "cannot be read");
}

/* Copies the records from one offset to another. */
static bool copy_records(trimming *trim, uint64_t at, uint64_t end, php_bloom_fault *why)
{
	size_t step;

	for (; at < end; at += step) {
		step = end - at < COPY_BYTES ? (size_t)(end - at) : COPY_BYTES;
		if (!php_bloom_fault_check(bloom_shared_read(trim->from,
						   php_bloom_journal_file_place(&trim->found, at),
						   trim->bytes, step),
			    why, "cannot be read") ||
			!php_bloom_fault_check(
				bloom_shared_write(trim->to,
					php_bloom_journal_file_place(&trim->kept, at), trim->bytes,
					step),
				why, "cannot be trimmed")) {
			return false;
		}
	}
	return php_bloom_fault_check(bloom_shared_sync(trim->to), why, "cannot be trimmed");
}

static bool copy_access(trimming *trim, php_bloom_fault *why)
{
	int os_error = bloom_shared_copy_access(trim->from, trim->to);

	return php_bloom_fault_check(os_error, why,
		os_error == EPERM ? "cannot be trimmed, because its owner or group would change"
				  : "cannot be trimmed");
}

/* Completes the new file and renames it over the old one. The lock on the old file keeps appends
 * out. Sets *is_current to false if the old file was replaced in the meantime. */
static bool replace_file(trimming *trim, bool *is_current, php_bloom_fault *why)
{
	uint64_t copied = trim->found.end;
	unsigned char bytes[PHP_BLOOM_JOURNAL_HEADER_BYTES];

	if (!php_bloom_journal_file_lock(trim->from, trim->path, is_current, why)) {
		return false;
	}
	if (!*is_current) {
		return true;
	}
	if (!php_bloom_journal_file_read_header(trim->from, &trim->found, why)) {
		return false;
	}
	trim->kept.end = trim->found.end;
	trim->kept.last = trim->found.last;
	php_bloom_journal_file_encode(&trim->kept, bytes);
	return php_bloom_fault_check(bloom_shared_write(trim->to, 0, bytes, sizeof bytes), why,
		       "cannot be trimmed") &&
		copy_records(trim, copied, trim->found.end, why) &&
		php_bloom_fault_check(bloom_shared_replace(trim->temporary, trim->target), why,
			"cannot be trimmed");
}

/* Trims the open file. The largest part is copied without a lock. */
static bool trim_file(trimming *trim, bool *is_current, php_bloom_fault *why)
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
	trim->to = php_bloom_journal_file_create_temporary(trim->target, trim->temporary, why);
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
	php_bloom_fault why = {0};
	int i;

	if (!php_bloom_journal_file_path(store, journal, path)) {
		return false;
	}
	trim = ecalloc(1, sizeof *trim); /* too large for a fiber's stack */
	trim->from = trim->to = -1;
	trim->path = path;
	trim->position = position;
	trim->bytes = safe_emalloc(1, COPY_BYTES, 0);
	for (i = 0; ok && !is_current && i < PHP_BLOOM_JOURNAL_TRIES_MAX; i++) {
		trim->target = php_bloom_journal_file_find(path, &why);
		trim->from = php_bloom_journal_file_open_at(
			trim->target, true, position, &trim->found, &why);
		is_current = trim->from < 0;
		ok = trim->from < 0 ? why.what == NULL : trim_file(trim, &is_current, &why);
		bloom_close(&trim->from);
		free(trim->target);
	}
	efree(trim->bytes);
	efree(trim);
	/* If other trims have replaced the file each time, they have done it. */
	if (!ok) {
		php_bloom_fault_throw(path, &why);
	}
	return ok;
}
