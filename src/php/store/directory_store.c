/* Bloom\DirectoryStore */
#include "php/engine.h"

#include <errno.h>
#include <string.h>

#include <zend_exceptions.h>

#include "filter/blob.h"
#include "filter/override.h"
#include "os/clock.h"
#include "os/files.h"
#include "os/lock.h"
#include "os/sharedfile.h"
#include "php/classes.h"
#include "php/store/directory_journal.h"
#include "php/store/directory_path.h"
#include "php/store/directory_trim.h"
#include "php/errors.h"
#include "php/stream.h"
#include "php/globals.h"
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

static bool set(zend_object *store, zend_string *key, zend_string *value)
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

static bool replace(zend_object *store, zend_string *key, zend_string *expected, zend_string *value,
	bool *is_replaced)
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
	.set = set,
	.replace = replace,
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
