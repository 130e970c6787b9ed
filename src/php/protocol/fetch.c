/* Fetches the chunks of a version from a store. Also implements Blob::fetch() and find().
 *
 *     head ─► all chunks ─► verify
 */
#include "php/protocol/fetch.h"

#include <string.h>

#include "filter/signature.h"
#include "filter/chunk.h"
#include "os/clock.h"
#include "os/mapping.h"
#include "php/arguments.h"
#include "php/filter/blob_object.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/keyrings.h"
#include "segment/sync_lease.h"
#include "segment/segment.h"

_Static_assert(BLOOM_CHUNK_KEY_BYTES ==
		(int)BLOOM_NAME_BYTES_MAX + 1 + 2 * (int)BLOOM_CHUNK_DIGEST_BYTES + 1,
	"a chunk's key is the name, a colon and the digest");

enum { BATCH_BYTES = 4 * 1024 * 1024 }; /* of chunks in one getMultiple() */

/* ---- chunks ---- */

static bool is_served(const php_bloom_fetching *fetch, uint64_t chunk)
{
	const bloom_loaded *served =
		fetch->served != NULL ? bloom_attachment_loaded(fetch->served) : NULL;

	return served != NULL &&
		bloom_chunk_is_served(
			fetch->head, chunk, &served->head, served->map + served->head.head_bytes);
}

/* Takes a chunk from the last batch, or from the store's answer, and keeps it for the next batch.
 * Returns false if it throws, or with fetch->chunk_missing set. */
static bool take_chunk(
	php_bloom_fetching *fetch, uint64_t chunk, const zval *values, HashTable *taken)
{
	uint64_t length = bloom_head_chunk_length(fetch->head, chunk);
	char key[BLOOM_CHUNK_KEY_BYTES];
	zend_string *value;
	zval *known, kept;
	bool ok = true;

	bloom_chunk_key(fetch->name, bloom_head_chunk(fetch->head, chunk), key);
	known = zend_hash_str_find(taken, key, strlen(key));
	if (known == NULL) {
		known = zend_hash_str_find(fetch->known, key, strlen(key));
		value = known != NULL ? Z_STR_P(known) : php_bloom_store_answer(values, key, &ok);
		if (value == NULL) {
			fetch->chunk_missing = ok;
			return false;
		}
		if (ZSTR_LEN(value) != length ||
			!bloom_chunk_matches(
				fetch->head, chunk, (const unsigned char *)ZSTR_VAL(value))) {
			return php_bloom_store_throw(BLOOM_E_CHUNK_DIGEST, key);
		}
		fetch->fetched_bytes += known == NULL ? length : 0;
		ZVAL_STR_COPY(&kept, value);
		known = zend_hash_str_add_new(taken, key, strlen(key), &kept);
	}
	/* The last chunk may be shorter, so it cannot have the digest of another one. */
	if (Z_STRLEN_P(known) != length) {
		return php_bloom_store_throw(BLOOM_E_CHUNK_DIGEST, key);
	}
	return fetch->take(fetch->context, (const unsigned char *)Z_STRVAL_P(known), length);
}

/* Takes a chunk from this job's own mapping of the served generation. */
static bool take_served(php_bloom_fetching *fetch, uint64_t chunk)
{
	const bloom_loaded *served = fetch->served->loaded;
	uint64_t length = bloom_head_chunk_length(fetch->head, chunk);

	fetch->served_bytes += length;
	return fetch->take(fetch->context,
		served->map + served->head.head_bytes + bloom_head_chunk_offset(fetch->head, chunk),
		length);
}

/* Adds the key of a chunk to the keys to fetch, unless the last batch or this one has it. */
static void want_chunk(const php_bloom_fetching *fetch, uint64_t chunk, HashTable *keys)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	zval value;

	bloom_chunk_key(fetch->name, bloom_head_chunk(fetch->head, chunk), key);
	if (!zend_hash_str_exists(fetch->known, key, strlen(key)) &&
		!zend_hash_str_exists(keys, key, strlen(key))) {
		ZVAL_STRING(&value, key);
		zend_hash_str_add_new(keys, key, strlen(key), &value);
	}
}

static bool get_values(const php_bloom_fetching *fetch, HashTable *wanted, zval *values)
{
	zval keys, *key;
	bool ok;

	ZVAL_EMPTY_ARRAY(values);
	if (zend_hash_num_elements(wanted) == 0) {
		return true;
	}
	array_init(&keys);
	ZEND_HASH_FOREACH_VAL(wanted, key) {
		Z_ADDREF_P(key);
		add_next_index_zval(&keys, key);
	}
	ZEND_HASH_FOREACH_END();
	ok = php_bloom_store_get(fetch->store, &keys, values);
	zval_ptr_dtor(&keys);
	return ok;
}

/* Fetches a batch of chunks, from *chunk on, in one round trip. Also copies the chunks in this
 * range that this host already serves. */
static bool fetch_batch(php_bloom_fetching *fetch, uint64_t *chunk)
{
	/* True for chunks that this host serves. The mapping cannot change during the call. */
	bool have[PHP_BLOOM_STORE_KEYS_MAX];
	uint64_t first = *chunk, bytes = 0, end, i;
	HashTable *wanted = zend_new_array(8), *taken = zend_new_array(8);
	zval values;
	bool ok;

	for (end = first; end < fetch->head->chunks && bytes < BATCH_BYTES &&
		end - first < PHP_BLOOM_STORE_KEYS_MAX;
		end++) {
		have[end - first] = is_served(fetch, end);
		if (!have[end - first]) {
			want_chunk(fetch, end, wanted);
			bytes += bloom_head_chunk_length(fetch->head, end);
		}
	}
	ok = get_values(fetch, wanted, &values);
	for (i = first; ok && i < end; i++) {
		ok = have[i - first] ? take_served(fetch, i) : take_chunk(fetch, i, &values, taken);
	}
	zval_ptr_dtor(&values);
	zend_array_destroy(wanted);
	zend_array_destroy(fetch->known);
	fetch->known = taken;
	*chunk = end;
	return ok;
}

static bool fetch_batches(php_bloom_fetching *fetch)
{
	const bloom_head *head = fetch->head;
	uint64_t chunk = 0, done;

	while (chunk < head->chunks) {
		if (!fetch_batch(fetch, &chunk)) {
			return false;
		}
		if (fetch->job != NULL) {
			bloom_lease_renew(
				fetch->job->control, bloom_monotonic_ms(), &fetch->job->lease);
		}
		if (fetch->between != NULL && !fetch->between(fetch->between_context)) {
			return false;
		}
		done = chunk < head->chunks
			? head->head_bytes + bloom_head_chunk_offset(head, chunk)
			: head->file_bytes;
		if (!php_bloom_progress_report(fetch->progress, done, head->file_bytes)) {
			return false;
		}
	}
	return true;
}

bool php_bloom_fetch_chunks(php_bloom_fetching *fetch)
{
	bool ok;

	fetch->known = zend_new_array(8);
	ok = fetch_batches(fetch);
	zend_array_destroy(fetch->known);
	return ok;
}

/* ---- Blob::fetch() ---- */

/* Refuses a version that memory_limit has no room for. Its size is what its head claims, and equal
 * chunks are one value in the store, so it may be much larger than what is transferred. */
static bool has_memory(uint64_t bytes)
{
	enum { SMALL_BYTES = 1024 * 1024 };
	uint64_t left = php_bloom_memory_left();
	bloom_error error;

	/* bloom_map_private() refuses what this machine has no memory for. */
	if (bytes <= SMALL_BYTES || bytes <= left || bytes > bloom_machine_memory_bytes()) {
		return true;
	}
	(void)bloom_fail(&error, BLOOM_E_MEMORY, 0,
		"the filter needs %llu bytes, but memory_limit leaves only %llu (raise "
		"memory_limit)",
		(unsigned long long)bytes, (unsigned long long)left);
	php_bloom_throw(&error);
	return false;
}

typedef struct image {
	unsigned char *at;
} image;

static bool take_into_image(void *context, const unsigned char *bytes, uint64_t count)
{
	image *target = context;

	memcpy(target->at, bytes, count);
	target->at += count;
	return true;
}

/* Fetches the current head and its chunks once. If the store does not have the name, the function
 * throws an exception or, if `optional` is true, leaves the blob without bytes. */
static bool fetch_blob(zend_object *store, const char *name, bool optional, php_bloom_blob *blob,
	php_bloom_progress *progress, bool *chunk_missing)
{
	php_bloom_fetching fetch = {.store = store, .name = name, .progress = progress};
	php_bloom_progress silent = {0};
	bloom_error error = {0};
	php_bloom_published found;
	image target;
	bool ok;

	*chunk_missing = false;
	if (!(optional ? php_bloom_published_get(store, name, &found)
		       : php_bloom_published_require(store, name, &found))) {
		return false;
	}
	bloom_unmap(blob->bytes, blob->count);
	blob->bytes = NULL;
	if (found.bytes == NULL) {
		return true;
	}
	/* The head contains the digests of the chunks, so its signature is all that needs to be
	 * checked before they are fetched. */
	if (bloom_signature_check(&found.head, (const unsigned char *)ZSTR_VAL(found.bytes), name,
		    php_bloom_signers(), &error) != BLOOM_OK) {
		php_bloom_published_release(&found);
		php_bloom_throw(&error);
		return false;
	}
	if (!has_memory(found.head.file_bytes)) {
		php_bloom_published_release(&found);
		return false;
	}
	if (bloom_map_private(found.head.file_bytes, &blob->bytes, &error) != BLOOM_OK) {
		php_bloom_published_release(&found);
		php_bloom_throw(&error);
		return false;
	}
	blob->count = found.head.file_bytes;
	memcpy(blob->bytes, ZSTR_VAL(found.bytes), found.head.head_bytes);
	php_bloom_published_release(&found);
	if (bloom_head_parse(blob->bytes, blob->count, &blob->head, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	target.at = blob->bytes + blob->head.head_bytes;
	fetch.head = &blob->head;
	fetch.take = take_into_image;
	fetch.context = &target;
	ok = php_bloom_fetch_chunks(&fetch) && php_bloom_blob_verify(blob, &silent);
	*chunk_missing = fetch.chunk_missing;
	return ok;
}

/* Implements fetch() and find(). */
static void fetch(INTERNAL_FUNCTION_PARAMETERS, bool optional)
{
	php_bloom_progress progress = {0};
	zend_object *store;
	zend_string *name;
	const char *checked;
	bool ok = false, chunk_missing = false;
	int round;

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_OBJ_OF_CLASS(store, php_bloom_ce_store_interface)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_FUNC_OR_NULL(progress.call, progress.cache)
	ZEND_PARSE_PARAMETERS_END();

	checked = php_bloom_name(name, 2);
	if (checked == NULL) {
		RETURN_THROWS();
	}
	object_init_ex(return_value, php_bloom_ce_blob);
	for (round = 0; round < PHP_BLOOM_FETCH_ROUNDS_MAX; round++) {
		ok = fetch_blob(store, checked, optional, php_bloom_blob_of(Z_OBJ_P(return_value)),
			&progress, &chunk_missing);
		if (ok || !chunk_missing) {
			break;
		}
	}
	if (!ok) {
		if (chunk_missing) {
			php_bloom_store_throw(BLOOM_E_STORE_MISSING, "a chunk");
		}
		zval_ptr_dtor(return_value);
		ZVAL_NULL(return_value);
		RETURN_THROWS();
	}
	if (php_bloom_blob_of(Z_OBJ_P(return_value))->bytes == NULL) {
		zval_ptr_dtor(return_value);
		ZVAL_NULL(return_value);
	}
}

ZEND_METHOD(Bloom_Blob, fetch)
{
	fetch(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_METHOD(Bloom_Blob, find)
{
	fetch(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}
