/* Bloom\DirectoryStore */
#include "php/engine.h"

#include <errno.h>
#include <string.h>

#include <zend_exceptions.h>

#include "filter/blob.h"
#include "filter/override.h"
#include "os/files.h"
#include "os/sharedfile.h"
#include "php/classes.h"
#include "php/store/directory_journal.h"
#include "php/store/directory_path.h"
#include "php/store/directory_trim.h"
#include "php/store/directory_writer.h"
#include "php/errors.h"
#include "php/stream.h"
#include "php/store/store.h"
#include "php/store/store_object.h"
#include "segment/filter_dir.h"

/* ---- size limits ---- */

/* The type of value that the protocol stores under a key. */
typedef enum place { PLACE_HEAD, PLACE_HEADS, PLACE_CHUNK, PLACE_OTHER } place;

static place place_of(const zend_string *key)
{
	const char *colon = memchr(ZSTR_VAL(key), ':', ZSTR_LEN(key));
	size_t rest = colon != NULL ? ZSTR_LEN(key) - (size_t)(colon + 1 - ZSTR_VAL(key)) : 0;

	if (colon == NULL) {
		return PLACE_HEAD;
	}
	if (strcmp(colon, ":versions") == 0) {
		return PLACE_HEADS;
	}
	return rest == (size_t)2 * BLOOM_CHUNK_DIGEST_BYTES ? PLACE_CHUNK : PLACE_OTHER;
}

enum {
	/* The maximum size of a file under a head's key if the file does not start like a head. */
	NO_HEAD_BYTES_MAX = 1024 * 1024,
};

/* Reads the sizes that a head in a file states. Returns false if no head is there or it cannot be
 * read. */
static bool read_head_sizes(int file, uint64_t offset, bloom_head_sizes *sizes)
{
	unsigned char fixed[BLOOM_HEAD_FIXED_BYTES];

	return bloom_shared_read(file, offset, fixed, sizeof fixed) == 0 &&
		bloom_head_peek_sizes(fixed, sizes, NULL) == BLOOM_OK;
}

/* The chunk size that the heads of a name state. Consecutive keys usually belong to the same
 * name. */
typedef struct chunk_size {
	const php_bloom_directory *directory;
	char name[BLOOM_NAME_BYTES_MAX + 1]; /* empty: no head was read */
	uint64_t bytes;
	uint64_t least_bytes; /* the size of the largest value that this store has written */
} chunk_size;

/* Reads the heads that a file has end to end.
 *
 *   offset       of the first head
 *   *head_bytes  the sum of their sizes
 *
 * Returns the largest chunk size; 0: none. */
static uint64_t largest_chunk_bytes(const char *path, uint64_t offset, uint64_t *head_bytes)
{
	bloom_head_sizes sizes;
	uint64_t bytes = 0;
	int file = -1;

	*head_bytes = 0;
	if (php_check_open_basedir_ex(path, false) == 0 &&
		bloom_shared_open(path, false, &file) == 0) {
		while (read_head_sizes(file, offset, &sizes)) {
			bytes = sizes.chunk_bytes > bytes ? sizes.chunk_bytes : bytes;
			offset += sizes.head_bytes;
			*head_bytes += sizes.head_bytes;
		}
	}
	bloom_close(&file);
	return bytes;
}

/* Reads the chunk size from a name's heads. Every chunk that a reader may request belongs to one of
 * these heads, so the largest size is used. If there is no head, the format's limit is used. */
static void look_at_heads(chunk_size *known, const char *name, size_t name_bytes)
{
	static const struct {
		const char *suffix;
		uint64_t offset; /* of the first head */
	} files[] = {{NULL, 0}, {"versions", 0}, {"override", BLOOM_OVERRIDE_HEAD_AT}};
	/* A second path would be too large for a fiber's stack. */
	char *path = safe_emalloc(1, MAXPATHLEN, 0);
	uint64_t bytes = 0, found, head_bytes;
	size_t i;

	memcpy(known->name, name, name_bytes);
	known->name[name_bytes] = 0;
	for (i = 0; i < sizeof files / sizeof *files; i++) {
		if (php_bloom_directory_file(
			    known->directory, known->name, name_bytes, files[i].suffix, path)) {
			found = largest_chunk_bytes(path, files[i].offset, &head_bytes);
			bytes = found > bytes ? found : bytes;
		}
	}
	efree(path);
	bytes = bytes != 0 ? bytes : BLOOM_CHUNK_BYTES_MAX;
	known->bytes = bytes > known->least_bytes ? bytes : known->least_bytes;
}

/* Returns the maximum size of the value under a key. */
static uint64_t bytes_max(const zend_string *key, const char *path, chunk_size *known)
{
	const char *name = ZSTR_VAL(key);
	size_t name_bytes = strcspn(name, ":");
	uint64_t bytes = NO_HEAD_BYTES_MAX;
	bloom_head_sizes sizes;
	int file = -1;

	switch (place_of(key)) {
	case PLACE_HEAD:
		if (bloom_shared_open(path, false, &file) == 0 &&
			read_head_sizes(file, 0, &sizes)) {
			bytes = sizes.head_bytes;
		}
		bloom_close(&file);
		return bytes;
	case PLACE_HEADS:
		(void)largest_chunk_bytes(path, 0, &bytes);
		return bytes + NO_HEAD_BYTES_MAX;
	case PLACE_CHUNK:
		if (strlen(known->name) != name_bytes ||
			memcmp(known->name, name, name_bytes) != 0) {
			look_at_heads(known, name, name_bytes);
		}
		return known->bytes;
	case PLACE_OTHER:
		break;
	}
	return BLOOM_CHUNK_BYTES_MAX;
}

/* Checks the size of a file before reading it. */
static bool check_size(const char *path, uint64_t bytes, uint64_t most)
{
	enum { SMALL_BYTES = 1024 * 1024 }; /* PHP may have a free block of this size */

	if (bytes > most) {
		zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE_SIZE,
			"%s: %llu bytes, at most %llu: %s (%s)", path, (unsigned long long)bytes,
			(unsigned long long)most, bloom_status_sentence(BLOOM_E_STORE_SIZE),
			php_bloom_remedy(BLOOM_E_STORE_SIZE));
		return false;
	}
	if (bytes > SMALL_BYTES && bytes > php_bloom_memory_left()) {
		zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE,
			"%s: %llu bytes do not fit into the remaining memory of %llu bytes (raise "
			"memory_limit)",
			path, (unsigned long long)bytes,
			(unsigned long long)php_bloom_memory_left());
		return false;
	}
	return true;
}

/* ---- getMultiple() ---- */

/* Fills `value` from a file of exactly its length. Returns 0 or an errno.
 *
 *   *has_changed  whether the file had a different length at any time */
static int read_exactly(const char *path, zend_string *value, bool *has_changed)
{
	bloom_shared_info found = {0};
	int file = -1, os_error = bloom_shared_open(path, false, &file);
	size_t got = 0;

	if (os_error == 0) {
		os_error = bloom_shared_look_open(file, &found);
	}
	if (os_error == 0 && !found.is_regular) {
		os_error = found.is_directory ? EISDIR : EINVAL;
	}
	if (os_error == 0 && found.bytes == ZSTR_LEN(value)) {
		os_error = bloom_shared_read_some(
			file, 0, (unsigned char *)ZSTR_VAL(value), ZSTR_LEN(value), &got);
	}
	bloom_close(&file);
	/* The file may be shorter now, even if it had this length when it was opened. */
	*has_changed = os_error == 0 && (got != ZSTR_LEN(value) || found.bytes != got);
	return os_error;
}

/* Reads the file of a key. Returns NULL if the file does not exist, or after an exception. The size
 * is checked before memory is allocated, and at most that many bytes are read. Memory is allocated
 * before the file is opened, so that no descriptor leaks if PHP's memory limit ends the request. */
static zend_string *read_file(const zend_string *key, const char *path, chunk_size *known)
{
	enum { TRIES_MAX = 10 }; /* the file may be replaced by one of a different size */
	bool has_changed = true;
	bloom_shared_info found;
	zend_string *value;
	int os_error = 0, i;

	if (!php_bloom_directory_allows(path, "read")) {
		return NULL;
	}
	for (i = 0; os_error == 0 && has_changed && i < TRIES_MAX; i++) {
		os_error = bloom_shared_look(path, &found);
		if (os_error != 0) {
			break;
		}
		if (found.is_regular &&
			!check_size(path, found.bytes, bytes_max(key, path, known))) {
			return NULL;
		}
		value = zend_string_alloc((size_t)found.bytes, false);
		os_error = read_exactly(path, value, &has_changed);
		if (os_error == 0 && !has_changed) {
			ZSTR_VAL(value)[ZSTR_LEN(value)] = 0;
			return value;
		}
		zend_string_efree(value);
	}
	if (os_error != ENOENT && os_error != ENOTDIR) {
		php_bloom_directory_throw(path, "cannot be read", os_error);
	}
	return NULL;
}

static bool get(zend_object *store, const zval *keys, uint32_t count, zval *answer)
{
	php_bloom_directory directory;
	chunk_size known = {.directory = &directory,
		.least_bytes = php_bloom_store_object_of(store)->largest_bytes};
	char path[MAXPATHLEN];
	zend_string *value;
	uint32_t i;
	zval read;

	if (!php_bloom_directory_of(store, &directory)) {
		return false;
	}
	for (i = 0; i < count; i++) {
		if (!php_bloom_directory_path(&directory, Z_STR(keys[i]), path)) {
			return false;
		}
		value = read_file(Z_STR(keys[i]), path, &known);
		if (value != NULL) {
			ZVAL_STR(&read, value);
			zend_symtable_update(Z_ARRVAL_P(answer), Z_STR(keys[i]), &read);
		} else if (EG(exception)) {
			return false;
		}
	}
	return true;
}

static bool missing(zend_object *store, const zval *keys, uint32_t count, zval *answer)
{
	php_bloom_directory directory;
	char path[MAXPATHLEN];
	bloom_shared_info found;
	int os_error;
	uint32_t i;

	if (!php_bloom_directory_of(store, &directory)) {
		return false;
	}
	for (i = 0; i < count; i++) {
		if (!php_bloom_directory_path(&directory, Z_STR(keys[i]), path) ||
			!php_bloom_directory_allows(path, "checked")) {
			return false;
		}
		os_error = bloom_shared_look(path, &found);
		if (os_error == ENOENT || os_error == ENOTDIR) {
			add_next_index_str(answer, zend_string_copy(Z_STR(keys[i])));
		} else if (os_error != 0) {
			php_bloom_directory_throw(path, "cannot be checked", os_error);
			return false;
		}
	}
	return true;
}

static bool delete_keys(zend_object *store, const zval *keys, uint32_t count)
{
	char path[MAXPATHLEN], *first = NULL;
	php_bloom_directory directory;
	int os_error = 0, code;
	uint32_t i;

	if (!php_bloom_directory_of(store, &directory)) {
		return false;
	}
	for (i = 0; i < count; i++) {
		if (!php_bloom_directory_path(&directory, Z_STR(keys[i]), path) ||
			!php_bloom_directory_allows(path, "deleted")) {
			break;
		}
		/* If a file cannot be deleted, for example because it belongs to another user, the
		 * other files must still be deleted. */
		code = bloom_shared_remove(path);
		if (code != 0 && code != ENOENT && code != ENOTDIR && os_error == 0) {
			os_error = code;
			first = estrdup(path);
		}
	}
	if (os_error != 0) {
		if (EG(exception) == NULL) {
			php_bloom_directory_throw(first, "cannot be deleted", os_error);
		}
		efree(first);
	}
	return EG(exception) == NULL;
}

/* ---- the class ---- */

static const php_bloom_store_ops ops = {
	.get = get,
	.missing = missing,
	.set = php_bloom_directory_set,
	.replace = php_bloom_directory_replace,
	.delete_keys = delete_keys,
	.append = php_bloom_directory_append,
	.last = php_bloom_directory_last,
	.read = php_bloom_directory_read,
	.trim = php_bloom_directory_trim,
};

ZEND_METHOD(Bloom_DirectoryStore, __construct)
{
	char full[MAXPATHLEN];
	zend_string *directory;
	size_t bytes;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_PATH_STR(directory)
	ZEND_PARSE_PARAMETERS_END();

	if (ZSTR_LEN(directory) == 0 || !php_bloom_make_absolute(ZSTR_VAL(directory), full)) {
		zend_argument_value_error(
			1, "must be the path of a directory, \"%s\" given", ZSTR_VAL(directory));
		RETURN_THROWS();
	}
	/* With a slash at its end, a link would look like its target. */
	for (bytes = strlen(full); bytes > 1 && full[bytes - 1] == '/'; bytes--) {
		full[bytes - 1] = 0;
	}
	if (!php_bloom_store_object_construct(
		    Z_OBJ_P(ZEND_THIS), &ops, NULL, zend_string_init(full, strlen(full), false))) {
		RETURN_THROWS();
	}
}
