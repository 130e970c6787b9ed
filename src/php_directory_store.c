/* Bloom\DirectoryStore */
#include "php_classes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zend_exceptions.h>

static const char head_key_sentence[] =
	"must hold only keys that are a filter's name, alone or with a colon and letters or digits";

static void throw_errno(const char *path, const char *what, int os_error)
{
	zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE, "%s: %s: %s", path, what,
		os_error != 0 ? strerror(os_error) : "refused");
}

/* The directory, or NULL after an exception: the store was never constructed, or its directory is missing.
 * Then no key is missing but all are out of reach, as with a share that is not mounted. */
static const char *directory_of(zend_object *object)
{
	zval holder;
	zval *property = zend_read_property(
		php_bloom_ce_directory_store, object, ZEND_STRL("directory"), false, &holder);
	const char *directory = Z_TYPE_P(property) == IS_STRING ? Z_STRVAL_P(property) : NULL;
	struct stat found;

	/* Of what open_basedir does not allow nothing is told; each key's own check refuses. */
	if (directory == NULL || php_check_open_basedir_ex(directory, false) != 0) {
		return directory;
	}
	if (stat(directory, &found) != 0) {
		throw_errno(directory, "the store's directory cannot be reached", errno);
		return NULL;
	}
	if (!S_ISDIR(found.st_mode)) {
		throw_errno(directory, "the store's directory cannot be reached", ENOTDIR);
		return NULL;
	}
	return directory;
}

/* Writes the path of a key's file. False: thrown. */
static bool path_of(const char *directory, const zval *key, char path[MAXPATHLEN])
{
	const char *colon, *rest;
	size_t name_bytes, rest_bytes;
	int written;

	ZVAL_DEREF(key);
	if (Z_TYPE_P(key) != IS_STRING) {
		zend_argument_type_error(1, "must hold only strings, %s given", zend_zval_type_name(key));
		return false;
	}
	colon = memchr(Z_STRVAL_P(key), ':', Z_STRLEN_P(key));
	name_bytes = colon != NULL ? (size_t)(colon - Z_STRVAL_P(key)) : Z_STRLEN_P(key);
	rest = colon != NULL ? colon + 1 : "";
	rest_bytes = colon != NULL ? Z_STRLEN_P(key) - name_bytes - 1 : 0;
	if (bloom_name_check(Z_STRVAL_P(key), name_bytes, NULL) != BLOOM_OK ||
		(colon != NULL && rest_bytes == 0) ||
		strspn(rest, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") !=
			rest_bytes) {
		zend_argument_value_error(1, "%s", head_key_sentence);
		return false;
	}
	if (rest_bytes == 2 * BLOOM_CHUNK_DIGEST_BYTES) {
		written = snprintf(path, MAXPATHLEN, "%s/%.*s:chunks/%.2s/%s", directory,
			(int)name_bytes, Z_STRVAL_P(key), rest, rest);
	} else {
		written = snprintf(path, MAXPATHLEN, "%s/%s", directory, Z_STRVAL_P(key));
	}
	if (written >= MAXPATHLEN) {
		zend_argument_value_error(1, "makes a path that is too long");
		return false;
	}
	return true;
}

/* Whether open_basedir allows a key's file. It may have been set after the store was made, and a link in the
 * directory may lead out of it. False: thrown. */
static bool is_allowed(const char *path, const char *done)
{
	if (php_check_open_basedir(path) == 0) {
		return true;
	}
	zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE,
		"%s: cannot be %s: open_basedir does not allow it", path, done);
	return false;
}

ZEND_METHOD(Bloom_DirectoryStore, __construct)
{
	char full[MAXPATHLEN];
	zend_string *directory;
	zval holder;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_PATH_STR(directory)
	ZEND_PARSE_PARAMETERS_END();

	if (Z_TYPE_P(zend_read_property(php_bloom_ce_directory_store, Z_OBJ_P(ZEND_THIS),
		    ZEND_STRL("directory"), true, &holder)) == IS_STRING) {
		zend_throw_exception(php_bloom_ce_Bloom, "This store was constructed before", 0);
		RETURN_THROWS();
	}
	if (ZSTR_LEN(directory) == 0 || expand_filepath(ZSTR_VAL(directory), full) == NULL) {
		zend_argument_value_error(1, "must be a directory's path, \"%s\" is none",
			ZSTR_VAL(directory));
		RETURN_THROWS();
	}
	zend_update_property_string(php_bloom_ce_directory_store, Z_OBJ_P(ZEND_THIS),
		ZEND_STRL("directory"), full);
}

/* Reads `value->len` bytes of an open file that has exactly as many. False: errno says why; 0 means
 * that the file is of another size by now. */
static bool read_exactly(int file, zend_string *value)
{
	struct stat found;
	size_t done = 0;
	ssize_t got;

	if (fstat(file, &found) != 0) {
		return false;
	}
	if (!S_ISREG(found.st_mode)) {
		errno = S_ISDIR(found.st_mode) ? EISDIR : EINVAL;
		return false;
	}
	while (done < ZSTR_LEN(value)) {
		got = read(file, ZSTR_VAL(value) + done, ZSTR_LEN(value) - done);
		if (got < 0 && errno != EINTR) {
			return false;
		}
		if (got == 0) {
			break;
		}
		done += got > 0 ? (size_t)got : 0;
	}
	errno = 0;
	return done == ZSTR_LEN(value) && (size_t)found.st_size == done;
}

/* Reads a file. NULL: it does not exist, or thrown. Memory is taken before the file is opened: should that
 * end the request, no descriptor is lost. */
static zend_string *read_file(const char *path)
{
	enum { TRIES_MAX = 10 }; /* a file may be replaced by one of another size */
	zend_string *value;
	struct stat found;
	int file, i;

	if (!is_allowed(path, "read")) {
		return NULL;
	}
	for (i = 0; i < TRIES_MAX; i++) {
		if (stat(path, &found) != 0) {
			break;
		}
		value = zend_string_alloc((size_t)found.st_size, false);
		file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (file >= 0 && read_exactly(file, value)) {
			(void)close(file);
			ZSTR_VAL(value)[ZSTR_LEN(value)] = 0;
			return value;
		}
		bloom_close(&file); /* keeps errno */
		zend_string_efree(value);
		if (errno != 0) {
			break;
		}
	}
	if (errno != ENOENT && errno != ENOTDIR) {
		throw_errno(path, "cannot be read", errno);
	}
	return NULL;
}

ZEND_METHOD(Bloom_DirectoryStore, getMultiple)
{
	const char *directory;
	char path[MAXPATHLEN];
	zend_string *value;
	HashTable *keys;
	zval *key, read;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(keys)
	ZEND_PARSE_PARAMETERS_END();

	directory = directory_of(Z_OBJ_P(ZEND_THIS));
	if (directory == NULL) {
		RETURN_THROWS();
	}
	array_init(return_value);
	ZEND_HASH_FOREACH_VAL(keys, key) {
		if (!path_of(directory, key, path)) {
			RETURN_THROWS();
		}
		value = read_file(path);
		if (value != NULL) {
			ZVAL_DEREF(key);
			ZVAL_STR(&read, value);
			zend_symtable_update(Z_ARRVAL_P(return_value), Z_STR_P(key), &read);
		} else if (EG(exception)) {
			RETURN_THROWS();
		}
	}
	ZEND_HASH_FOREACH_END();
}

ZEND_METHOD(Bloom_DirectoryStore, missing)
{
	const char *directory;
	char path[MAXPATHLEN];
	struct stat found;
	HashTable *keys;
	zval *key;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(keys)
	ZEND_PARSE_PARAMETERS_END();

	directory = directory_of(Z_OBJ_P(ZEND_THIS));
	if (directory == NULL) {
		RETURN_THROWS();
	}
	array_init(return_value);
	ZEND_HASH_FOREACH_VAL(keys, key) {
		if (!path_of(directory, key, path)) {
			RETURN_THROWS();
		}
		if (!is_allowed(path, "looked at")) {
			RETURN_THROWS();
		}
		if (stat(path, &found) != 0) {
			if (errno != ENOENT && errno != ENOTDIR) {
				throw_errno(path, "cannot be looked at", errno);
				RETURN_THROWS();
			}
			ZVAL_DEREF(key);
			Z_TRY_ADDREF_P(key);
			add_next_index_zval(return_value, key);
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* Brings the directories that hold a head's chunks onto the disk, so that not even a power failure leaves a head
 * without them. Each chunk was synced when it was written, and the directory that it is in. */
static void sync_chunk_directories(const char *directory, const char *head)
{
	char chunks[MAXPATHLEN];

	if (snprintf(chunks, sizeof chunks, "%s:chunks", head) < (int)sizeof chunks) {
		php_bloom_sync_directory(chunks);
	}
	php_bloom_sync_directory(directory);
}

ZEND_METHOD(Bloom_DirectoryStore, set)
{
	char path[MAXPATHLEN], parent[MAXPATHLEN];
	const char *directory;
	zend_string *key_string, *value;
	int os_error;
	zval key;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(key_string)
		Z_PARAM_STR(value)
	ZEND_PARSE_PARAMETERS_END();

	directory = directory_of(Z_OBJ_P(ZEND_THIS));
	ZVAL_STR(&key, key_string);
	if (directory == NULL || !path_of(directory, &key, path)) {
		RETURN_THROWS();
	}
	if (memchr(ZSTR_VAL(key_string), ':', ZSTR_LEN(key_string)) == NULL) {
		sync_chunk_directories(directory, path);
	}
	os_error = php_bloom_write_file(
		path, (const unsigned char *)ZSTR_VAL(value), ZSTR_LEN(value));
	if (os_error == ENOENT) {
		(void)strcpy(parent, path);
		(void)zend_dirname(parent, strlen(parent));
		(void)php_stream_mkdir(parent, 0777, PHP_STREAM_MKDIR_RECURSIVE, NULL);
		os_error = php_bloom_write_file(
			path, (const unsigned char *)ZSTR_VAL(value), ZSTR_LEN(value));
	}
	if (os_error != 0) {
		throw_errno(path, "cannot be written", os_error);
		RETURN_THROWS();
	}
}

ZEND_METHOD(Bloom_DirectoryStore, deleteMultiple)
{
	char path[MAXPATHLEN], first[MAXPATHLEN];
	const char *directory;
	int os_error = 0;
	HashTable *keys;
	zval *key;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(keys)
	ZEND_PARSE_PARAMETERS_END();

	directory = directory_of(Z_OBJ_P(ZEND_THIS));
	if (directory == NULL) {
		RETURN_THROWS();
	}
	ZEND_HASH_FOREACH_VAL(keys, key) {
		if (!path_of(directory, key, path)) {
			RETURN_THROWS();
		}
		if (!is_allowed(path, "deleted")) {
			RETURN_THROWS();
		}
		/* One that cannot be deleted, as another user's, does not keep the others. */
		if (unlink(path) != 0 && errno != ENOENT && errno != ENOTDIR && os_error == 0) {
			os_error = errno;
			memcpy(first, path, sizeof first);
		}
	}
	ZEND_HASH_FOREACH_END();
	if (os_error != 0) {
		throw_errno(first, "cannot be deleted", os_error);
		RETURN_THROWS();
	}
}
