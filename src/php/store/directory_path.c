#include "php/store/directory_path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zend_exceptions.h>

#include "filter/chunk.h"
#include "filter/filename.h"
#include "os/sharedfile.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/store/store_object.h"
#include "segment/filter_dir.h"

static const char head_key_sentence[] =
	"must contain only keys of the form NAME or NAME:SUFFIX, with "
	"letters and digits as the suffix";

void php_bloom_directory_throw(const char *path, const char *what, int os_error)
{
	if (os_error == BLOOM_SHARED_FOREIGN_LINK) {
		zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE, "%s: %s: %s (%s)", path,
			what, bloom_status_sentence(BLOOM_E_REFUSED_LINK),
			php_bloom_remedy(BLOOM_E_REFUSED_LINK));
		return;
	}
	zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE, "%s: %s: %s", path, what,
		os_error != 0 ? strerror(os_error) : "refused");
}

/* Determines whether a directory has the file `.portable`, which says that Windows shares it, so
 * that its files have names that Windows accepts. Returns 0, or an errno if this cannot be
 * determined. Then nothing may be read or written, because under the wrong names an existing
 * journal would look like a missing one, and an append would begin a new one. */
static int look_for_portable_names(php_bloom_directory *directory)
{
	char path[MAXPATHLEN];
	bloom_shared_info found;
	int os_error = 0;

	directory->is_portable = bloom_shared_is_windows();
	if (!directory->is_portable &&
		snprintf(path, sizeof path, "%s/.portable", directory->path) < (int)sizeof path &&
		php_check_open_basedir_ex(path, false) == 0) {
		os_error = bloom_shared_look(path, &found);
		directory->is_portable = os_error == 0;
	}
	/* If this user may not search the directory, no file of it can be used. */
	return os_error == ENOENT || os_error == EACCES ? 0 : os_error;
}

/* Checks the link that the directory may be. The operating system then follows it in each call, so
 * a process notices when the operator switches the link. PHP's functions would remember its target
 * for realpath_cache_ttl. */
static int check_link(const char *path)
{
	char *resolved;
	int os_error = bloom_shared_resolve(path, &resolved);

	free(resolved);
	return os_error == BLOOM_SHARED_FOREIGN_LINK ? os_error : 0;
}

/* A missing directory must not look like missing keys, because a share may not be mounted. */
bool php_bloom_directory_of(zend_object *object, php_bloom_directory *directory)
{
	bloom_shared_info found;
	int os_error;

	*directory =
		(php_bloom_directory){.path = ZSTR_VAL(php_bloom_store_object_of(object)->text)};
	/* Do not reveal whether a directory outside of open_basedir exists. The check of each key
	 * rejects such a directory. */
	if (php_check_open_basedir_ex(directory->path, false) != 0) {
		return true;
	}
	os_error = check_link(directory->path);
	if (os_error == 0) {
		os_error = bloom_shared_look(directory->path, &found);
	}
	if (os_error == 0 && !found.is_directory) {
		os_error = ENOTDIR;
	}
	if (os_error == 0) {
		os_error = look_for_portable_names(directory);
	}
	if (os_error != 0) {
		php_bloom_directory_throw(
			directory->path, "the store's directory cannot be reached", os_error);
	}
	return os_error == 0;
}

static bool is_chunk(const char *suffix)
{
	return suffix != NULL && strlen(suffix) == (size_t)2 * BLOOM_CHUNK_DIGEST_BYTES;
}

bool php_bloom_directory_file(const php_bloom_directory *directory, const char *name,
	size_t name_bytes, const char *suffix, char path[MAXPATHLEN])
{
	int written = snprintf(path, MAXPATHLEN, "%s/", directory->path);

	return written > 0 && written < MAXPATHLEN &&
		bloom_filename(directory->is_portable, name, name_bytes, suffix, path + written,
			MAXPATHLEN - (size_t)written);
}

/* Appends the path of a chunk to that of its filter's chunks. Returns false if it is too long. */
static bool append_chunk(bool is_portable, const char *digest, char path[MAXPATHLEN])
{
	char folder[3 * 2 + 1], file[3 * 2 * BLOOM_CHUNK_DIGEST_BYTES + 1];
	size_t done = strlen(path);

	return bloom_filename_plain(is_portable, digest, 2, folder, sizeof folder) &&
		bloom_filename_plain(is_portable, digest, strlen(digest), file, sizeof file) &&
		snprintf(path + done, MAXPATHLEN - done, "/%s/%s", folder, file) <
		(int)(MAXPATHLEN - done);
}

/* Returns true if text consists of letters and digits, at least one. */
static bool is_plain(const char *text, const char *end)
{
	static const char allowed[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

	return text < end && strspn(text, allowed) == (size_t)(end - text);
}

bool php_bloom_directory_path(
	const php_bloom_directory *directory, const zend_string *key, char path[MAXPATHLEN])
{
	const char *text = ZSTR_VAL(key), *colon = memchr(text, ':', ZSTR_LEN(key));
	size_t name_bytes = colon != NULL ? (size_t)(colon - text) : ZSTR_LEN(key);
	const char *rest = colon != NULL ? colon + 1 : NULL;

	if (bloom_name_check(text, name_bytes, NULL) != BLOOM_OK ||
		(rest != NULL && !is_plain(rest, text + ZSTR_LEN(key)))) {
		zend_argument_value_error(1, "%s", head_key_sentence);
		return false;
	}
	if (!php_bloom_directory_file(
		    directory, text, name_bytes, is_chunk(rest) ? "chunks" : rest, path) ||
		(is_chunk(rest) && !append_chunk(directory->is_portable, rest, path))) {
		zend_argument_value_error(1, "results in a path that is too long");
		return false;
	}
	return true;
}

bool php_bloom_directory_allows(const char *path, const char *done)
{
	if (php_check_open_basedir(path) == 0) {
		return true;
	}
	zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE,
		"%s: cannot be %s: open_basedir does not allow it", path, done);
	return false;
}
