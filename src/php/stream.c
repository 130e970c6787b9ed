#include "php/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ext/standard/file.h>
#include <ext/standard/php_filestat.h>
#include <zend_exceptions.h>

#include "os/clock.h"
#include "os/files.h"
#include "os/sharedfile.h"
#include "php/classes.h"

const char *php_bloom_split_path(const char *path, int *first_bytes)
{
	const char *found = strstr(path, "://"), *at;

	*first_bytes = 0;
	if (found == NULL) {
		return path;
	}
	found += strlen("://");
	at = zend_memrchr(found, '@', strcspn(found, "/"));
	if (at == NULL) {
		return path;
	}
	*first_bytes = (int)(found - path);
	return at + 1;
}

php_stream *php_bloom_stream(zval *file, uint32_t argument, bool *owned)
{
	php_stream_statbuf found;
	php_stream *stream;
	const char *shown;
	int first;

	ZVAL_DEREF(file);
	*owned = false;
	if (Z_TYPE_P(file) == IS_RESOURCE) {
		stream = zend_fetch_resource2_ex(
			file, "stream", php_file_le_stream(), php_file_le_pstream());
		return stream;
	}
	if (Z_TYPE_P(file) != IS_STRING) {
		zend_argument_type_error(argument, "must be of type string|resource, %s given",
			zend_zval_type_name(file));
		return NULL;
	}
	if (Z_STRLEN_P(file) == 0 || zend_str_has_nul_byte(Z_STR_P(file))) {
		zend_argument_value_error(argument, "must be a path without null bytes");
		return NULL;
	}
	/* PHP remembers for realpath_cache_ttl where links lead. */
	php_clear_stat_cache(1, NULL, 0);
	errno = 0;
	stream = php_stream_open_wrapper(Z_STRVAL_P(file), "rb", 0, NULL);
	if (stream == NULL) {
		if (!EG(exception)) {
			shown = php_bloom_split_path(Z_STRVAL_P(file), &first);
			zend_throw_exception_ex(php_bloom_ce_Bloom, BLOOM_E_SYSTEM,
				"%.*s%s: cannot be opened: %s", first, Z_STRVAL_P(file), shown,
				errno != 0 ? strerror(errno) : "refused");
		}
		return NULL;
	}
	/* PHP opens a directory without an error. Only reading the directory raises a notice. */
	if (php_stream_is(stream, PHP_STREAM_IS_STDIO) && php_stream_stat(stream, &found) == 0 &&
		S_ISDIR(found.sb.st_mode)) {
		php_stream_close(stream);
		zend_throw_exception_ex(php_bloom_ce_Bloom, BLOOM_E_SYSTEM,
			"%s: cannot be opened: %s", Z_STRVAL_P(file), strerror(EISDIR));
		return NULL;
	}
	/* A callback could find the stream among the resources and close it during the read. */
	stream->flags |= PHP_STREAM_FLAG_NO_FCLOSE;
	*owned = true;
	return stream;
}

/* Prevents a wrapper or filter that runs in userland from closing the stream. Otherwise, PHP would
 * continue to read from freed memory. Returns the state that unguard() restores. */
static uint32_t guard(php_stream *stream)
{
	uint32_t before = stream->flags & PHP_STREAM_FLAG_NO_FCLOSE;

	stream->flags |= PHP_STREAM_FLAG_NO_FCLOSE;
	return before;
}

static void unguard(php_stream *stream, uint32_t before)
{
	stream->flags = (stream->flags & ~(uint32_t)PHP_STREAM_FLAG_NO_FCLOSE) | before;
}

ssize_t php_bloom_stream_read(php_stream *stream, char *bytes, size_t count)
{
	uint32_t before = guard(stream);
	ssize_t got = php_stream_read(stream, bytes, count);

	unguard(stream, before);
	return got;
}

bool php_bloom_stream_eof(php_stream *stream)
{
	uint32_t before = guard(stream);
	bool is_at_end = php_stream_eof(stream);

	unguard(stream, before);
	return is_at_end;
}

int php_bloom_stream_stat(php_stream *stream, php_stream_statbuf *found)
{
	uint32_t before = guard(stream);
	int result = php_stream_stat(stream, found);

	unguard(stream, before);
	return result;
}

void php_bloom_name_file(zval *file)
{
	zend_object *thrown = EG(exception);
	zval holder, *code, *message;
	const char *shown;
	zend_string *text;
	int first;

	ZVAL_DEREF(file);
	if (thrown == NULL || Z_TYPE_P(file) != IS_STRING ||
		!instanceof_function(thrown->ce, php_bloom_ce_Bloom)) {
		return;
	}
	/* Exceptions from callbacks usually do not have this extension's codes. */
	code = zend_read_property_ex(
		php_bloom_ce_Bloom, thrown, ZSTR_KNOWN(ZEND_STR_CODE), true, &holder);
	if (Z_TYPE_P(code) != IS_LONG || Z_LVAL_P(code) == 0) {
		return;
	}
	message = zend_read_property_ex(
		php_bloom_ce_Bloom, thrown, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder);
	if (Z_TYPE_P(message) == IS_STRING) {
		shown = php_bloom_split_path(Z_STRVAL_P(file), &first);
		text = strpprintf(
			0, "%.*s%s: %s", first, Z_STRVAL_P(file), shown, Z_STRVAL_P(message));
		zend_update_property_str(php_bloom_ce_Bloom, thrown, ZEND_STRL("message"), text);
		zend_string_release(text);
	}
}

bool php_bloom_stream_is_open(zval *file)
{
	ZVAL_DEREF(file);
	if (Z_TYPE_P(file) == IS_RESOURCE && Z_RES_P(file)->ptr == NULL) {
		zend_throw_exception(php_bloom_ce_Bloom, "The stream was closed during the read",
			BLOOM_E_SYSTEM);
		return false;
	}
	return true;
}

bool php_bloom_make_absolute(const char *path, char full[MAXPATHLEN])
{
	size_t bytes = 0;

	if (bloom_shared_is_windows()) {
		errno = EINVAL;
		return expand_filepath_with_mode(path, full, NULL, 0, CWD_EXPAND) != NULL;
	}
	if (!IS_ABSOLUTE_PATH(path, strlen(path))) {
		if (VCWD_GETCWD(full, MAXPATHLEN) == NULL) {
			return false;
		}
		bytes = strlen(full);
	}
	errno = ENAMETOOLONG;
	return snprintf(full + bytes, MAXPATHLEN - bytes, "%s%s", bytes > 0 ? "/" : "", path) <
		(int)(MAXPATHLEN - bytes);
}

int php_bloom_find_target(const char *path, char target[MAXPATHLEN])
{
	char *resolved = NULL;
	size_t bytes = 0;
	int os_error;

	if (!php_bloom_make_absolute(path, target)) {
		return errno;
	}
	os_error = bloom_shared_resolve(target, &resolved);
	if (os_error == 0) {
		bytes = strlcpy(target, resolved, MAXPATHLEN);
		free(resolved);
	}
	if (bytes >= MAXPATHLEN) {
		return ENAMETOOLONG;
	}
	return os_error == BLOOM_SHARED_FOREIGN_LINK ? os_error : 0;
}

/* Creates and writes the temporary file. Returns 0 or an errno. */
static int write_and_sync(
	const char *temporary, const char *target, const unsigned char *bytes, uint64_t count)
{
	int file = -1, os_error = bloom_shared_create_for(target, temporary, &file);

	if (os_error != 0) {
		return os_error;
	}
	os_error = bloom_shared_write(file, 0, bytes, (size_t)count);
	if (os_error == 0) {
		os_error = bloom_shared_sync(file);
	}
	bloom_close(&file);
	if (os_error != 0) {
		(void)bloom_shared_remove(temporary);
	}
	return os_error;
}

int php_bloom_write_temporary(const char *path, const unsigned char *bytes, uint64_t count,
	char target[MAXPATHLEN], zend_string **temporary)
{
	bloom_shared_info found;
	int os_error;

	*temporary = NULL;
	/* If the path is a symbolic link, only the target is replaced. A device or a FIFO is not
	 * replaced. */
	os_error = php_bloom_find_target(path, target);
	if (os_error != 0) {
		return os_error;
	}
	if (php_check_open_basedir(target) != 0) {
		return EPERM;
	}
	if (bloom_shared_look(target, &found) == 0 && !found.is_regular) {
		return found.is_directory ? EISDIR : EINVAL;
	}
	if (count > bloom_process_file_bytes_max()) {
		return EFBIG;
	}
	*temporary = strpprintf(0, "%s.%016llx.tmp", target, (unsigned long long)bloom_random());
	os_error = write_and_sync(ZSTR_VAL(*temporary), target, bytes, count);
	if (os_error != 0) {
		zend_string_release(*temporary);
		*temporary = NULL;
	}
	return os_error;
}

int php_bloom_name_temporary(const char *temporary, const char *target)
{
	int os_error = bloom_shared_replace(temporary, target);

	if (os_error != 0) {
		(void)bloom_shared_remove(temporary);
		return os_error;
	}
	bloom_shared_sync_parent(target);
	return 0;
}

int php_bloom_write_file(const char *path, const unsigned char *bytes, uint64_t count)
{
	char target[MAXPATHLEN];
	zend_string *temporary;
	int os_error = php_bloom_write_temporary(path, bytes, count, target, &temporary);

	if (os_error == 0) {
		os_error = php_bloom_name_temporary(ZSTR_VAL(temporary), target);
		zend_string_release(temporary);
	}
	return os_error;
}
