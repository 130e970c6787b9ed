/* Bloom\Blob: creating a blob from a file or a string, and using it.
 *
 * merge() and sign() have files of their own. The methods that call a store are in php/protocol.
 */
#include "php/filter/blob_object.h"

#include <errno.h>
#include <string.h>

#include <zend_exceptions.h>

#include "filter/foreign.h"
#include "filter/reverse.h"
#include "filter/ribbon.h"
#include "kinds/loaded.h"
#include "os/mapping.h"
#include "os/sharedfile.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/stream.h"
#include "php/filter/list_groups.h"
#include "php/filter/info_blob.h"
#include "php/filter/info_object.h"
#include "php/filter/lookup.h"
#include "php/keyrings.h"

enum { STEP_BYTES = 4 * 1024 * 1024 };

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *class)
{
	php_bloom_blob *self = zend_object_alloc(sizeof *self, class);

	return php_bloom_object_init(&self->std, class, &handlers);
}

static void destroy(zend_object *object)
{
	php_bloom_blob *self = php_bloom_blob_of(object);

	bloom_unmap(self->bytes, self->count);
	bloom_wipe(&self->hasher, sizeof self->hasher);
	zend_object_std_dtor(object);
}

void php_bloom_blob_startup(void)
{
	php_bloom_ce_blob->create_object = create;
	php_bloom_object_handlers(&handlers, offsetof(php_bloom_blob, std), destroy);
}

void php_bloom_blob_take(zval *value, unsigned char *bytes, uint64_t count, const bloom_head *head,
	const bloom_hasher *hasher)
{
	php_bloom_blob *self;

	object_init_ex(value, php_bloom_ce_blob);
	self = php_bloom_blob_of(Z_OBJ_P(value));
	self->bytes = bytes;
	self->count = count;
	self->head = *head;
	self->hasher = *hasher;
	self->view = bloom_view_of(&head->geometry, bytes + head->head_bytes);
}

bool php_bloom_blob_build(zval *value, bloom_builder *builder, uint64_t built_ms, double limit)
{
	bloom_error error = {0};
	bloom_head head;

	if (bloom_builder_finish(builder, built_ms, limit, &error) != BLOOM_OK ||
		bloom_head_parse(builder->image, builder->image_bytes, &head, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	php_bloom_blob_take(value, builder->image, builder->image_bytes, &head, &builder->hasher);
	builder->image = NULL; /* the blob owns the image now */
	bloom_builder_free(builder);
	return true;
}

php_bloom_blob *php_bloom_blob_from(zend_object *object)
{
	php_bloom_blob *self = php_bloom_blob_of(object);

	/* A view has bits only after every shard has been verified. */
	if (UNEXPECTED(self->bytes == NULL || self->view.bits == NULL)) {
		zend_throw_exception(php_bloom_ce_Bloom, "This blob was never initialized", 0);
		return NULL;
	}
	return self;
}

const bloom_hasher *php_bloom_blob_hasher(php_bloom_blob *blob)
{
	const bloom_geometry *geometry = &blob->head.geometry;
	bloom_error error = {0};

	if (blob->hasher.digest == 0 &&
		bloom_hasher_find(geometry->seed, geometry->fingerprint,
			geometry->fingerprint != 0 ? php_bloom_secrets() : NULL, &blob->hasher,
			&error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return NULL;
	}
	return &blob->hasher;
}

bool php_bloom_blob_verify(php_bloom_blob *blob, php_bloom_progress *progress)
{
	const bloom_head *head = &blob->head;
	uint64_t step = STEP_BYTES / head->geometry.shard_bytes;
	uint64_t shards = head->geometry.shards;
	bloom_error error = {0};
	uint64_t shard, count;

	for (shard = 0; shard < shards; shard += count) {
		count = shards - shard < step ? shards - shard : step;
		if (bloom_body_verify(head, blob->bytes + head->head_bytes, shard, count, &error) !=
			BLOOM_OK) {
			php_bloom_throw(&error);
			return false;
		}
		if (!php_bloom_progress_report(progress,
			    head->head_bytes + (shard + count) * head->geometry.shard_bytes,
			    blob->count)) {
			return false;
		}
	}
	if (bloom_chunks_verify(head, blob->bytes + head->head_bytes, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	blob->view = bloom_view_of(&head->geometry, blob->bytes + head->head_bytes);
	return true;
}

/* ---- creating a blob ---- */

static bool fail(const bloom_error *error)
{
	php_bloom_throw(error);
	return false;
}

/* Reads until it has `count` bytes or the stream ends. Returns the number of bytes read, or -1
 * after an exception. */
static int64_t read_fully(php_stream *stream, unsigned char *bytes, uint64_t count)
{
	uint64_t done = 0;

	while (done < count) {
		size_t wanted = count - done < STEP_BYTES ? (size_t)(count - done) : STEP_BYTES;
		ssize_t got = php_bloom_stream_read(stream, (char *)bytes + done, wanted);

		if (got < 0 || EG(exception)) {
			if (!EG(exception)) {
				zend_throw_exception(php_bloom_ce_Bloom,
					"The file could not be read completely", BLOOM_E_SYSTEM);
			}
			return -1;
		}
		if (got == 0) {
			break;
		}
		done += (uint64_t)got;
	}
	return (int64_t)done;
}

/* Returns the number of bytes left in the stream's file. If the size is unknown, returns a value
 * larger than any blob. */
static uint64_t stream_bytes(php_stream *stream)
{
	php_stream_statbuf found;
	zend_off_t at = php_stream_tell(stream);

	if (php_bloom_stream_stat(stream, &found) != 0 || !S_ISREG(found.sb.st_mode) || at < 0 ||
		found.sb.st_size < at) {
		return BLOOM_FILTER_BYTES_MAX * 2;
	}
	return (uint64_t)found.sb.st_size - (uint64_t)at;
}

/* Moves the blob to a mapping of `count` bytes without changing its contents. */
static bool resize(php_bloom_blob *blob, uint64_t count)
{
	unsigned char *bytes = NULL;
	bloom_error error = {0};

	if (bloom_map_private(count, &bytes, &error) != BLOOM_OK) {
		return fail(&error);
	}
	if (blob->bytes != NULL) {
		memcpy(bytes, blob->bytes, blob->count);
		bloom_unmap(blob->bytes, blob->count);
	}
	blob->bytes = bytes;
	blob->count = count;
	return true;
}

/* Reads and checks the head, which stays in blob->bytes. Until the checksum has been verified, the
 * function uses only one field: the size that the head claims to have. The kernel allocates a page
 * of the mapping only when the page is first written, so a forged size uses no memory. */
static bool read_head(php_bloom_blob *blob, php_stream *stream)
{
	unsigned char fixed[BLOOM_HEAD_FIXED_BYTES];
	bloom_error error = {0};
	uint64_t file_bytes = stream_bytes(stream);
	uint64_t head_bytes;
	int64_t got = read_fully(stream, fixed, sizeof fixed);

	if (got < 0) {
		return false;
	}
	if (got < (int64_t)sizeof fixed) {
		(void)bloom_head_parse(fixed, (uint64_t)got, &blob->head, &error);
		return fail(&error);
	}
	if (bloom_head_peek(fixed, file_bytes, &head_bytes, &error) != BLOOM_OK) {
		return fail(&error);
	}
	if (!resize(blob, head_bytes)) {
		return false;
	}
	memcpy(blob->bytes, fixed, sizeof fixed);
	got = read_fully(stream, blob->bytes + sizeof fixed, head_bytes - sizeof fixed);
	if (got < 0) {
		return false;
	}
	if ((uint64_t)got + sizeof fixed < head_bytes) {
		(void)bloom_fail(&error, BLOOM_E_LENGTH, 0, "the head is truncated");
		return fail(&error);
	}
	return bloom_head_parse(blob->bytes, head_bytes, &blob->head, &error) == BLOOM_OK ||
		fail(&error);
}

/* Reads the shards that follow a head that read_head() has accepted. */
static bool read_body(
	php_bloom_blob *blob, zval *file, php_stream *stream, php_bloom_progress *progress)
{
	uint64_t at = blob->head.head_bytes;
	uint64_t end = blob->head.file_bytes;
	bloom_error error = {0};
	unsigned char extra;
	uint64_t step;
	int64_t got;

	if (!resize(blob, end) ||
		bloom_head_parse(blob->bytes, at, &blob->head, &error) != BLOOM_OK) {
		return false;
	}
	for (; at < end; at += step) {
		step = end - at < STEP_BYTES ? end - at : STEP_BYTES;
		got = read_fully(stream, blob->bytes + at, step);
		if (got < 0 || !php_bloom_progress_report(progress, at, end) ||
			!php_bloom_stream_is_open(file)) {
			return false;
		}
		if ((uint64_t)got < step) {
			(void)bloom_fail(&error, BLOOM_E_LENGTH, 0, "%llu bytes instead of %llu",
				(unsigned long long)at + (uint64_t)got, (unsigned long long)end);
			return fail(&error);
		}
	}
	got = read_fully(stream, &extra, 1);
	if (got > 0) {
		(void)bloom_fail(&error, BLOOM_E_LENGTH, 0, "there are bytes after the blob's end");
		return fail(&error);
	}
	return got == 0;
}

ZEND_METHOD(Bloom_Blob, __construct)
{
	ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Bloom_Blob, open)
{
	php_bloom_progress progress = {0}, silent = {0};
	php_bloom_blob *blob;
	php_stream *stream;
	bool owned, ok;
	zval *file;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_ZVAL(file)
		Z_PARAM_OPTIONAL
		Z_PARAM_FUNC_OR_NULL(progress.call, progress.cache)
	ZEND_PARSE_PARAMETERS_END();

	stream = php_bloom_stream(file, 1, &owned);
	if (stream == NULL) {
		RETURN_THROWS();
	}
	object_init_ex(return_value, php_bloom_ce_blob);
	blob = php_bloom_blob_of(Z_OBJ_P(return_value));
	ok = read_head(blob, stream) && read_body(blob, file, stream, &progress) &&
		php_bloom_blob_verify(blob, &silent) &&
		php_bloom_progress_report(&progress, blob->count, blob->count);
	if (owned) {
		php_stream_close(stream);
	}
	if (!ok) {
		php_bloom_name_file(file);
		zval_ptr_dtor(return_value);
		ZVAL_NULL(return_value);
		RETURN_THROWS();
	}
}

ZEND_METHOD(Bloom_Blob, fromString)
{
	php_bloom_progress silent = {0};
	bloom_error error = {0};
	php_bloom_blob *blob;
	zend_string *bytes;
	bloom_head head;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(bytes)
	ZEND_PARSE_PARAMETERS_END();

	/* All checks that need only the string itself run before any memory is allocated. */
	if (bloom_blob_parse((const unsigned char *)ZSTR_VAL(bytes), ZSTR_LEN(bytes), &head,
		    &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		RETURN_THROWS();
	}
	object_init_ex(return_value, php_bloom_ce_blob);
	blob = php_bloom_blob_of(Z_OBJ_P(return_value));
	if (resize(blob, ZSTR_LEN(bytes))) {
		memcpy(blob->bytes, ZSTR_VAL(bytes), ZSTR_LEN(bytes));
		if (bloom_blob_parse(blob->bytes, blob->count, &blob->head, &error) == BLOOM_OK &&
			php_bloom_blob_verify(blob, &silent)) {
			return;
		}
	}
	zval_ptr_dtor(return_value);
	ZVAL_NULL(return_value);
	RETURN_THROWS();
}

/* ---- using a blob ---- */

ZEND_METHOD(Bloom_Blob, toString)
{
	php_bloom_blob *blob = php_bloom_blob_from(Z_OBJ_P(ZEND_THIS));

	ZEND_PARSE_PARAMETERS_NONE();
	if (blob == NULL) {
		RETURN_THROWS();
	}
	RETURN_STRINGL((const char *)blob->bytes, (size_t)blob->count);
}

/* A blob whose hasher is known, while keys are looked up in it. */
typedef struct blob_lookup {
	const php_bloom_blob *blob;
	const bloom_hasher *hasher;
} blob_lookup;

bool php_bloom_blob_test(const php_bloom_blob *blob, const bloom_hasher *hasher,
	const unsigned char *key, size_t count)
{
	bloom_kind kind = bloom_loaded_kind(&blob->head.geometry);
	bloom_reverse reverse;
	bloom_foreign foreign;
	bloom_value_map values;
	bloom_ribbon ribbon;
	bloom_digest digest;

	if (kind == BLOOM_KIND_FOREIGN) {
		foreign = bloom_foreign_of(&blob->head, blob->view.bits);
		return bloom_foreign_test(&foreign, key, count);
	}
	digest = bloom_hash(hasher, key, count);
	switch (kind) {
	case BLOOM_KIND_INDEX:
		reverse = bloom_reverse_of(&blob->head.geometry, blob->view.bits);
		return bloom_reverse_test(&reverse, digest);
	case BLOOM_KIND_RIBBON:
		ribbon = bloom_ribbon_of(&blob->head.geometry, blob->view.bits);
		return bloom_ribbon_test(&ribbon, digest);
	case BLOOM_KIND_MAP:
		values = bloom_value_map_of(&blob->head.geometry, blob->view.bits);
		return bloom_value_map_get_many(&values, &digest, 1, NULL) != 0;
	default:
		return bloom_view_test(&blob->view, digest);
	}
}

static bool test_key(void *context, const php_bloom_key *key)
{
	const blob_lookup *lookup = context;

	return php_bloom_blob_test(lookup->blob, lookup->hasher, key->bytes, key->count);
}

ZEND_METHOD(Bloom_Blob, mightContain)
{
	php_bloom_blob *blob = php_bloom_blob_from(Z_OBJ_P(ZEND_THIS));
	blob_lookup lookup = {.blob = blob};
	zend_string *string;
	zend_long number;
	php_bloom_key key;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		PHP_BLOOM_PARAM_KEY(string, number)
	ZEND_PARSE_PARAMETERS_END();

	lookup.hasher = blob != NULL ? php_bloom_blob_hasher(blob) : NULL;
	if (lookup.hasher == NULL) {
		RETURN_THROWS();
	}
	php_bloom_key_of(&key, string, number);
	RETURN_BOOL(test_key(&lookup, &key));
}

static bool find_candidates(void *context, zval *keys, zval *result)
{
	blob_lookup *lookup = context;
	const php_bloom_blob *blob = lookup->blob;
	bloom_ribbon ribbon;

	if (lookup->hasher->digest == BLOOM_DIGEST_XXH3_64) {
		switch (bloom_loaded_kind(&blob->head.geometry)) {
		case BLOOM_KIND_LOADED:
			return php_bloom_find_in_view(&blob->view, NULL, NULL, keys, result);
		case BLOOM_KIND_RIBBON:
			ribbon = bloom_ribbon_of(&blob->head.geometry, blob->view.bits);
			return php_bloom_find_in_view(&blob->view, &ribbon, NULL, keys, result);
		default:
			break;
		}
	}
	array_init(result);
	return php_bloom_find_each(Z_ARRVAL_P(keys), test_key, lookup, Z_ARRVAL_P(result));
}

ZEND_METHOD(Bloom_Blob, candidates)
{
	php_bloom_blob *blob = php_bloom_blob_from(Z_OBJ_P(ZEND_THIS));
	blob_lookup lookup = {.blob = blob};
	zval *keys;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ITERABLE(keys)
	ZEND_PARSE_PARAMETERS_END();

	lookup.hasher = blob != NULL ? php_bloom_blob_hasher(blob) : NULL;
	if (lookup.hasher == NULL) {
		RETURN_THROWS();
	}
	if (Z_TYPE_P(keys) != IS_ARRAY) {
		php_bloom_find_in_traversable(keys, find_candidates, &lookup, return_value);
	} else if (!find_candidates(&lookup, keys, return_value)) {
		RETURN_THROWS();
	}
}

ZEND_METHOD(Bloom_Blob, groups)
{
	php_bloom_blob *blob = php_bloom_blob_from(Z_OBJ_P(ZEND_THIS));
	const bloom_hasher *hasher;
	bloom_reverse reverse;
	zend_string *string = NULL;
	zend_long number = 0;
	php_bloom_key key;
	uint64_t limit;

	if (!php_bloom_groups_arguments(
		    INTERNAL_FUNCTION_PARAM_PASSTHRU, &string, &number, &limit) ||
		blob == NULL) {
		RETURN_THROWS();
	}
	if (bloom_loaded_kind(&blob->head.geometry) != BLOOM_KIND_INDEX) {
		zend_throw_exception(
			php_bloom_ce_Kind, "This blob is not a reverse index", BLOOM_E_KIND);
		RETURN_THROWS();
	}
	hasher = php_bloom_blob_hasher(blob);
	if (hasher == NULL) {
		RETURN_THROWS();
	}
	php_bloom_key_of(&key, string, number);
	reverse = bloom_reverse_of(&blob->head.geometry, blob->view.bits);
	php_bloom_groups(return_value, &reverse, bloom_hash(hasher, key.bytes, key.count), limit);
}

ZEND_METHOD(Bloom_Blob, info)
{
	php_bloom_blob *blob = php_bloom_blob_from(Z_OBJ_P(ZEND_THIS));

	ZEND_PARSE_PARAMETERS_NONE();
	if (blob == NULL) {
		RETURN_THROWS();
	}
	array_init(return_value);
	php_bloom_head_info(
		Z_ARRVAL_P(return_value), &blob->head, php_bloom_head_predicted_rate(&blob->head));
	php_bloom_info_object(return_value, php_bloom_ce_blob_info);
}

ZEND_METHOD(Bloom_Blob, save)
{
	php_bloom_blob *blob = php_bloom_blob_from(Z_OBJ_P(ZEND_THIS));
	bloom_error error;
	zend_string *path;
	const char *shown;
	int os_error, first;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_PATH_STR(path)
	ZEND_PARSE_PARAMETERS_END();

	if (blob == NULL) {
		RETURN_THROWS();
	}
	if (ZSTR_LEN(path) == 0) {
		zend_argument_value_error(1, "must be a path");
		RETURN_THROWS();
	}
	os_error = php_bloom_write_file(ZSTR_VAL(path), blob->bytes, blob->count);
	if (os_error == BLOOM_SHARED_FOREIGN_LINK) {
		(void)bloom_fail(&error, BLOOM_E_REFUSED_LINK, 0, "%.600s", ZSTR_VAL(path));
		php_bloom_throw(&error);
		RETURN_THROWS();
	}
	if (os_error != 0) {
		shown = php_bloom_split_path(ZSTR_VAL(path), &first);
		zend_throw_exception_ex(php_bloom_ce_Bloom, BLOOM_E_SYSTEM,
			"%.*s%s: cannot be written: %s", first, ZSTR_VAL(path), shown,
			strerror(os_error));
		RETURN_THROWS();
	}
}
