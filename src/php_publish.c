/* What goes into a store: Blob::publish().
 *
 *     chunks the store lacks ─► the head before, kept as "<name>:previous" ─► the head
 *     ─► delete what neither names
 */
#include "php_store.h"

#include <string.h>

#include <zend_exceptions.h>

typedef struct publishing {
	zend_object *store;
	const char *name;
	const php_bloom_blob *blob;
	php_bloom_progress *progress;
	bool force; /* write chunks that the store says it has, too */
	uint64_t chunks_written;
	uint64_t bytes_written;
} publishing;

static bool write_chunk(publishing *work, uint64_t chunk, const char *key)
{
	const bloom_head *head = &work->blob->head;
	const unsigned char *bytes =
		work->blob->bytes + head->head_bytes + bloom_head_chunk_offset(head, chunk);
	uint64_t length = bloom_head_chunk_length(head, chunk);

	if (!php_bloom_store_set(work->store, key, bytes, length)) {
		return false;
	}
	work->chunks_written++;
	work->bytes_written += length;
	return true;
}

/* Adds the keys of chunks `first` to `end` of a head to a set. */
static void add_chunk_keys(
	HashTable *set, const char *name, const bloom_head *head, uint64_t first, uint64_t end)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t chunk;
	zval yes;

	ZVAL_TRUE(&yes);
	for (chunk = first; chunk < end; chunk++) {
		bloom_sync_chunk_key(name, bloom_head_chunk(head, chunk), key);
		zend_hash_str_update(set, key, strlen(key), &yes);
	}
}

/* Adds the keys of those chunks that are to be written to a set. False: thrown. */
static bool add_chunks_to_write(
	const publishing *work, uint64_t first, uint64_t end, HashTable *wanted)
{
	const bloom_head *head = &work->blob->head;
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t chunk;
	zval keys;
	bool ok;

	if (work->force) {
		add_chunk_keys(wanted, work->name, head, first, end);
		return true;
	}
	array_init(&keys);
	for (chunk = first; chunk < end; chunk++) {
		bloom_sync_chunk_key(work->name, bloom_head_chunk(head, chunk), key);
		add_next_index_string(&keys, key);
	}
	ok = php_bloom_store_missing(work->store, &keys, wanted);
	zval_ptr_dtor(&keys);
	return ok;
}

/* Writes what is to be written of the chunks from *chunk on, a batch of them. */
static bool publish_batch(publishing *work, uint64_t *chunk)
{
	const bloom_head *head = &work->blob->head;
	uint64_t most = PHP_BLOOM_STORE_KEYS_MAX;
	uint64_t end = head->chunks - *chunk < most ? head->chunks : *chunk + most;
	char key[BLOOM_CHUNK_KEY_BYTES];
	HashTable wanted;
	bool ok;

	zend_hash_init(&wanted, 8, NULL, NULL, false);
	ok = add_chunks_to_write(work, *chunk, end, &wanted);
	for (; ok && *chunk < end; (*chunk)++) {
		bloom_sync_chunk_key(work->name, bloom_head_chunk(head, *chunk), key);
		if (zend_hash_str_exists(&wanted, key, strlen(key))) {
			ok = write_chunk(work, *chunk, key) &&
				php_bloom_progress_report(work->progress,
					bloom_head_chunk_offset(head, *chunk) +
						bloom_head_chunk_length(head, *chunk),
					bloom_geometry_bytes(&head->geometry));
			/* Equal chunks have one key: writing it once is enough. */
			zend_hash_str_del(&wanted, key, strlen(key));
		}
	}
	zend_hash_destroy(&wanted);
	return ok;
}

/* Deletes the chunks that `old` names and neither `current` nor the blob does. */
static bool delete_unnamed(const publishing *work, const php_bloom_published *old,
	const php_bloom_published *current)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	zval keys;
	HashTable keep;
	uint64_t chunk;
	bool ok = true;

	zend_hash_init(&keep, 8, NULL, NULL, false);
	add_chunk_keys(&keep, work->name, &work->blob->head, 0, work->blob->head.chunks);
	add_chunk_keys(&keep, work->name, &current->head, 0, current->head.chunks);
	array_init(&keys);
	for (chunk = 0; chunk < old->head.chunks; chunk++) {
		bloom_sync_chunk_key(work->name, bloom_head_chunk(&old->head, chunk), key);
		if (!zend_hash_str_exists(&keep, key, strlen(key))) {
			add_next_index_string(&keys, key);
		}
	}
	if (zend_hash_num_elements(Z_ARRVAL(keys)) > 0) {
		ok = php_bloom_store_delete(work->store, &keys);
	}
	zval_ptr_dtor(&keys);
	zend_hash_destroy(&keep);
	return ok;
}

/* A head that cannot be read is no reason not to publish a good one: it counts as none. */
static bool get_head_if_valid(
	zend_object *store, const char *key, php_bloom_published *found)
{
	if (php_bloom_published_get(store, key, found)) {
		return true;
	}
	if (instanceof_function(EG(exception)->ce, php_bloom_ce_Format)) {
		zend_clear_exception();
		return true;
	}
	return false;
}

/* Makes the new head visible, keeps the one before it, and collects what the one before that left. */
static bool publish_head(
	publishing *work, php_bloom_published *current, php_bloom_published *previous)
{
	const bloom_head *head = &work->blob->head;
	char previous_key[BLOOM_NAME_BYTES_MAX + sizeof ":previous"];

	(void)snprintf(previous_key, sizeof previous_key, "%s:previous", work->name);
	if (!get_head_if_valid(work->store, work->name, current)) {
		return false;
	}
	if (php_bloom_published_is(current, work->blob->bytes, head->head_bytes)) {
		return true;
	}
	if (!get_head_if_valid(work->store, previous_key, previous)) {
		return false;
	}
	if (current->bytes != NULL &&
		!php_bloom_store_set(work->store, previous_key,
			(const unsigned char *)ZSTR_VAL(current->bytes), current->head.head_bytes)) {
		return false;
	}
	if (!php_bloom_store_set(work->store, work->name, work->blob->bytes, head->head_bytes)) {
		return false;
	}
	work->bytes_written += head->head_bytes;
	return current->bytes == NULL || previous->bytes == NULL ||
		delete_unnamed(work, previous, current);
}

static bool publish(publishing *work)
{
	php_bloom_published current = {0}, previous = {0};
	uint64_t chunk = 0;
	bool ok = true;

	while (ok && chunk < work->blob->head.chunks) {
		ok = publish_batch(work, &chunk);
	}
	ok = ok && publish_head(work, &current, &previous);
	php_bloom_published_release(&current);
	php_bloom_published_release(&previous);
	return ok;
}

ZEND_METHOD(Bloom_Blob, publish)
{
	php_bloom_blob *blob = php_bloom_blob_from(Z_OBJ_P(ZEND_THIS));
	php_bloom_progress progress = {0};
	publishing work;
	zend_object *store;
	zend_string *name;
	bool force = false;
	uint64_t bytes;

	ZEND_PARSE_PARAMETERS_START(2, 4)
		Z_PARAM_OBJ_OF_CLASS(store, php_bloom_ce_store_interface)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_FUNC_OR_NULL(progress.call, progress.cache)
		Z_PARAM_BOOL(force)
	ZEND_PARSE_PARAMETERS_END();

	work = (publishing){.store = store, .blob = blob, .progress = &progress, .force = force};
	work.name = blob != NULL ? php_bloom_name(name, 2) : NULL;
	if (work.name == NULL || !publish(&work)) {
		RETURN_THROWS();
	}
	bytes = bloom_geometry_bytes(&blob->head.geometry);
	if (!php_bloom_progress_report(&progress, bytes, bytes)) {
		RETURN_THROWS();
	}
	array_init(return_value);
	php_bloom_info_long(Z_ARRVAL_P(return_value), "chunks", blob->head.chunks);
	php_bloom_info_long(Z_ARRVAL_P(return_value), "chunksWritten", work.chunks_written);
	php_bloom_info_long(Z_ARRVAL_P(return_value), "bytesWritten", work.bytes_written);
}
