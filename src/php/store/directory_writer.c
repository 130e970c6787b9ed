#include "php/store/directory_writer.h"

#include <errno.h>
#include <string.h>

#include <zend_exceptions.h>

#include "os/clock.h"
#include "os/files.h"
#include "os/lock.h"
#include "os/sharedfile.h"
#include "php/classes.h"
#include "php/globals.h"
#include "php/store/directory_path.h"
#include "php/stream.h"

/* Syncs the directories that contain a head's chunks, so that a head never survives a power failure
 * without its chunks. Each chunk and its own directory were synced when the chunk was
 * written. */
static void sync_chunk_directories(const php_bloom_directory *directory, const zend_string *name)
{
	char *chunks = safe_emalloc(1, MAXPATHLEN, 0);

	if (php_bloom_directory_file(directory, ZSTR_VAL(name), ZSTR_LEN(name), "chunks", chunks)) {
		bloom_shared_sync_directory(chunks);
	}
	efree(chunks);
	bloom_shared_sync_directory(directory->path);
}

/* Creates the directory of a file, and that one's parent, but not the store's directory. Returns 0
 * or an errno.
 *
 *   *parent  the directory; the caller frees it */
static int make_parent(const php_bloom_directory *directory, const char *path, char **parent)
{
	char *upper;
	int os_error;

	*parent = estrdup(path);
	(void)zend_dirname(*parent, strlen(*parent));
	if (strcmp(*parent, directory->path) == 0) {
		return ENOENT;
	}
	os_error = bloom_shared_make_directory(*parent);
	if (os_error == ENOENT) {
		upper = estrdup(*parent);
		(void)zend_dirname(upper, strlen(upper));
		os_error = bloom_shared_make_directory(upper);
		efree(upper);
		if (os_error == 0 || os_error == EEXIST) {
			os_error = bloom_shared_make_directory(*parent);
		}
	}
	return os_error == EEXIST ? 0 : os_error;
}

/* A file that was written under a temporary name. */
typedef struct new_file {
	char *target;
	zend_string *temporary;
} new_file;

static void forget_new_file(new_file *file)
{
	efree(file->target);
	if (file->temporary != NULL) {
		zend_string_release(file->temporary);
	}
}

/* Finds the path of a key and writes the value to a temporary file beside it. Creates the directory
 * of a chunk. Unless it throws, the caller calls forget_new_file(). */
static bool write_value(const php_bloom_directory *directory, zend_string *key, zend_string *value,
	char path[MAXPATHLEN], new_file *file)
{
	const unsigned char *bytes = (const unsigned char *)ZSTR_VAL(value);
	int os_error, mkdir_error = 0;
	char *parent = NULL;

	if (!php_bloom_directory_path(directory, key, path)) {
		return false;
	}
	if (memchr(ZSTR_VAL(key), ':', ZSTR_LEN(key)) == NULL) {
		sync_chunk_directories(directory, key);
	}
	file->target = safe_emalloc(1, MAXPATHLEN, 0);
	os_error = php_bloom_write_temporary(
		path, bytes, ZSTR_LEN(value), file->target, &file->temporary);
	if (os_error == ENOENT) {
		mkdir_error = make_parent(directory, path, &parent);
		os_error = php_bloom_write_temporary(
			path, bytes, ZSTR_LEN(value), file->target, &file->temporary);
	}
	if (os_error == ENOENT && mkdir_error != 0) {
		php_bloom_directory_throw(parent, "cannot be created", mkdir_error);
	} else if (os_error != 0) {
		php_bloom_directory_throw(path, "cannot be written", os_error);
	}
	if (parent != NULL) {
		efree(parent);
	}
	if (os_error != 0) {
		forget_new_file(file);
	}
	return os_error == 0;
}

bool php_bloom_directory_set(zend_object *store, zend_string *key, zend_string *value)
{
	php_bloom_store_object *self = php_bloom_store_object_of(store);
	php_bloom_directory directory;
	char path[MAXPATHLEN];
	new_file file = {0};
	int os_error;

	if (!php_bloom_directory_of(store, &directory) ||
		!write_value(&directory, key, value, path, &file)) {
		return false;
	}
	os_error = php_bloom_name_temporary(ZSTR_VAL(file.temporary), file.target);
	forget_new_file(&file);
	if (os_error != 0) {
		php_bloom_directory_throw(path, "cannot be written", os_error);
		return false;
	}
	if (ZSTR_LEN(value) > self->largest_bytes) {
		self->largest_bytes = ZSTR_LEN(value);
	}
	return true;
}

/* ---- replace() ----
 *
 * The lock is that of a file of its own, which is never replaced or removed: the file of a value
 * changes with each rename, and on NFS another host may see the old one for a while. The new value
 * is already in a temporary file, and no memory is allocated while the lock is held, so that a
 * request that runs out of memory does not leave the lock's file open in its process. */

/* Creates the file for the lock, unless it exists. It gets its name once the directory's writers
 * have access. Returns 0 or an errno. */
static int create_lock(const char *path)
{
	zend_string *temporary =
		strpprintf(0, "%s.%016llx.tmp", path, (unsigned long long)bloom_random());
	int file = -1, os_error = bloom_shared_create(ZSTR_VAL(temporary), true, &file);

	if (os_error == 0) {
		os_error = bloom_shared_give_to_writers(path, file);
		bloom_close(&file);
		if (os_error == 0) {
			os_error = bloom_shared_name(ZSTR_VAL(temporary), path);
		}
		if (os_error != 0) {
			(void)bloom_shared_remove(ZSTR_VAL(temporary));
		}
	}
	zend_string_release(temporary);
	return os_error == EEXIST ? 0 : os_error;
}

/* Opens and locks a file. Returns 0, an errno, or EBUSY if another process held the lock for the
 * whole lock timeout. */
static int lock_file(const char *path, int *file)
{
	int os_error = bloom_shared_open(path, true, file);
	bloom_error error = {0};

	if (os_error == ENOENT) {
		os_error = create_lock(path);
		if (os_error == 0) {
			os_error = bloom_shared_open(path, true, file);
		}
	}
	if (os_error != 0) {
		return os_error;
	}
	switch (bloom_lock(*file, (uint64_t)(BLOOM_G(lock_timeout) * 1000), &error)) {
	case BLOOM_OK:
		return 0;
	case BLOOM_E_BUSY:
		return EBUSY;
	default:
		return error.os_error != 0 ? error.os_error : EIO;
	}
}

/* Determines whether a file has exactly these bytes. Returns 0 or an errno.
 *
 *   expected  NULL: the file must not exist */
static int compare_file(const char *path, const zend_string *expected, bool *is_same)
{
	enum { STEP_BYTES = 1024 };
	unsigned char bytes[STEP_BYTES];
	bloom_shared_info found = {0};
	size_t done = 0, got = 0;
	int file = -1, os_error = bloom_shared_open(path, false, &file);

	if (os_error == ENOENT || expected == NULL) {
		bloom_close(&file);
		*is_same = os_error == ENOENT && expected == NULL;
		return os_error == ENOENT ? 0 : os_error;
	}
	if (os_error == 0) {
		os_error = bloom_shared_look_open(file, &found);
	}
	*is_same = os_error == 0 && found.is_regular && found.bytes == ZSTR_LEN(expected);
	while (*is_same && done < ZSTR_LEN(expected)) {
		os_error = bloom_shared_read_some(file, done, bytes, sizeof bytes, &got);
		*is_same = os_error == 0 && got > 0 && got <= ZSTR_LEN(expected) - done &&
			memcmp(bytes, ZSTR_VAL(expected) + done, got) == 0;
		done += got;
	}
	bloom_close(&file);
	return os_error;
}

/* Renames the new file if the old one has the expected bytes. Returns 0 or an errno.
 *
 *   **blamed      the path that the error is about
 *   *is_replaced  false: the old file has different bytes */
static int replace_file(const char *lock_path, const new_file *file, const zend_string *expected,
	const char **blamed, bool *is_replaced)
{
	int lock = -1, os_error = lock_file(lock_path, &lock);

	*blamed = lock_path;
	*is_replaced = false;
	if (os_error == 0) {
		*blamed = file->target;
		os_error = compare_file(file->target, expected, is_replaced);
	}
	if (os_error == 0 && *is_replaced) {
		os_error = php_bloom_name_temporary(ZSTR_VAL(file->temporary), file->target);
	} else {
		(void)bloom_shared_remove(ZSTR_VAL(file->temporary));
	}
	bloom_close(&lock);
	return os_error;
}

bool php_bloom_directory_replace(zend_object *store, zend_string *key, zend_string *expected,
	zend_string *value, bool *is_replaced)
{
	php_bloom_directory directory;
	char path[MAXPATHLEN];
	const char *blamed = path;
	new_file file = {0};
	int os_error;

	if (!php_bloom_directory_of(store, &directory) ||
		!write_value(&directory, key, value, path, &file)) {
		return false;
	}
	if (php_bloom_directory_file(
		    &directory, ZSTR_VAL(key), strcspn(ZSTR_VAL(key), ":"), "lock", path)) {
		os_error = replace_file(path, &file, expected, &blamed, is_replaced);
	} else {
		(void)bloom_shared_remove(ZSTR_VAL(file.temporary));
		os_error = ENAMETOOLONG;
	}
	if (os_error == EBUSY && blamed == path) {
		zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE,
			"%s: another process held the lock for the whole lock timeout (try again, "
			"or "
			"raise bloom.lock_timeout)",
			path);
	} else if (os_error > 0) {
		php_bloom_directory_throw(blamed,
			blamed == path ? "cannot be locked" : "cannot be written", os_error);
	}
	forget_new_file(&file);
	return os_error == 0;
}
