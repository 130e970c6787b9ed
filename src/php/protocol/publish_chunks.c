#include "php/protocol/publish_chunks.h"

#include <string.h>

#include <zend_exceptions.h>

#include "filter/chunk.h"
#include "php/protocol/heads.h"

enum {
	ROUNDS_MAX = 3,                /* attempts to write chunks that disappear */
	BATCH_BYTES = 4 * 1024 * 1024, /* of chunks in one getMultiple() */
};

static const unsigned char *chunk_bytes(const php_bloom_chunk_writer *writer, uint64_t chunk)
{
	const bloom_head *head = &writer->blob->head;

	return writer->blob->bytes + head->head_bytes + bloom_head_chunk_offset(head, chunk);
}

static void chunk_key(
	const php_bloom_chunk_writer *writer, uint64_t chunk, char key[BLOOM_CHUNK_KEY_BYTES])
{
	bloom_chunk_key(writer->name, bloom_head_chunk(&writer->blob->head, chunk), key);
}

static bool is_same(const zend_string *found, const unsigned char *bytes, uint64_t count)
{
	return found != NULL && ZSTR_LEN(found) == count &&
		memcmp(ZSTR_VAL(found), bytes, (size_t)count) == 0;
}

/* Some chunks in a row. Equal chunks have the same key and are in it only once. */
typedef struct batch {
	uint64_t first;
	uint64_t end;
	HashTable wanted; /* keys of the chunks that have to be written */
} batch;

static bool write_chunk(php_bloom_chunk_writer *writer, uint64_t chunk, const char *key)
{
	const bloom_head *head = &writer->blob->head;
	uint64_t length = bloom_head_chunk_length(head, chunk);

	if (!php_bloom_store_set(writer->store, key, chunk_bytes(writer, chunk), length)) {
		return false;
	}
	writer->chunks_written++;
	writer->bytes_written += length;
	return php_bloom_progress_report(writer->progress,
		bloom_head_chunk_offset(head, chunk) + length,
		bloom_geometry_bytes(&head->geometry));
}

/* Chooses the next batch, from some->end on: at most as many chunks as one call may get. */
static void next_batch(const php_bloom_chunk_writer *writer, batch *some)
{
	const bloom_head *head = &writer->blob->head;
	uint64_t bytes = 0;

	some->first = some->end;
	while (some->end < head->chunks && bytes < BATCH_BYTES &&
		some->end - some->first < PHP_BLOOM_STORE_KEYS_MAX) {
		bytes += bloom_head_chunk_length(head, some->end++);
	}
}

/* Gets the chunks of a batch that are wanted, in one call. */
static bool get_wanted(const php_bloom_chunk_writer *writer, batch *some, zval *values)
{
	zend_string *key;
	zval keys;
	bool ok;

	array_init(&keys);
	ZEND_HASH_FOREACH_STR_KEY(&some->wanted, key)
	{
		add_next_index_str(&keys, zend_string_copy(key));
	}
	ZEND_HASH_FOREACH_END();
	ok = php_bloom_store_get(writer->store, &keys, values);
	zval_ptr_dtor(&keys);
	return ok;
}

/* Removes from `wanted` the chunks that the store has returned as they should be.
 *
 *   are_new  they were just written, so bytes that differ are an error */
static bool strike_good(
	const php_bloom_chunk_writer *writer, batch *some, const zval *values, bool are_new)
{
	const bloom_head *head = &writer->blob->head;
	char key[BLOOM_CHUNK_KEY_BYTES];
	const zend_string *value;
	uint64_t chunk, length;
	bool ok = true;

	for (chunk = some->first; ok && chunk < some->end; chunk++) {
		chunk_key(writer, chunk, key);
		if (!zend_hash_str_exists(&some->wanted, key, strlen(key))) {
			continue;
		}
		length = bloom_head_chunk_length(head, chunk);
		value = php_bloom_store_answer(values, key, &ok);
		if (is_same(value, chunk_bytes(writer, chunk), length)) {
			zend_hash_str_del(&some->wanted, key, strlen(key));
		} else if (value != NULL && are_new) {
			ok = php_bloom_store_throw_altered(
				key, chunk_bytes(writer, chunk), length, value);
		}
	}
	return ok;
}

/* Removes from `wanted` the chunks that the store already has. A value that is too long or of a
 * wrong type cannot be the chunk, so it is replaced. */
static bool strike_present(const php_bloom_chunk_writer *writer, batch *some)
{
	zval values;
	bool ok = get_wanted(writer, some, &values);

	if (ok) {
		ok = strike_good(writer, some, &values, false);
		zval_ptr_dtor(&values);
	}
	if (!ok && php_bloom_store_is_unusable(EG(exception))) {
		zend_clear_exception(); /* the whole batch is written again */
		ok = true;
	}
	return ok;
}

/* Writes the wanted chunks of a batch and reads them back. `wanted` then has the chunks that the
 * store did not keep. */
static bool write_batch(php_bloom_chunk_writer *writer, batch *some)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	HashTable written;
	uint64_t chunk;
	bool ok = true;
	zval values, yes;

	if (zend_hash_num_elements(&some->wanted) == 0) {
		return true;
	}
	ZVAL_TRUE(&yes);
	zend_hash_init(&written, 8, NULL, NULL, false);
	for (chunk = some->first; ok && chunk < some->end; chunk++) {
		chunk_key(writer, chunk, key);
		if (zend_hash_str_exists(&some->wanted, key, strlen(key)) &&
			zend_hash_str_add(&written, key, strlen(key), &yes) != NULL) {
			ok = write_chunk(writer, chunk, key);
		}
	}
	zend_hash_destroy(&written);
	if (!ok || !get_wanted(writer, some, &values)) {
		return false;
	}
	ok = strike_good(writer, some, &values, true);
	zval_ptr_dtor(&values);
	return ok;
}

/* Adds the keys of the chunks that the store does not have. */
static bool want_missing(const php_bloom_chunk_writer *writer, batch *some)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	HashTable missing;
	uint64_t chunk;
	zval keys, yes;
	bool ok;

	ZVAL_TRUE(&yes);
	array_init(&keys);
	for (chunk = some->first; chunk < some->end; chunk++) {
		chunk_key(writer, chunk, key);
		add_next_index_string(&keys, key);
	}
	zend_hash_init(&missing, 8, NULL, NULL, false);
	ok = php_bloom_store_missing(writer->store, &keys, &missing);
	/* A store may answer with other keys. */
	for (chunk = some->first; ok && chunk < some->end; chunk++) {
		chunk_key(writer, chunk, key);
		if (zend_hash_str_exists(&missing, key, strlen(key))) {
			zend_hash_str_update(&some->wanted, key, strlen(key), &yes);
		}
	}
	zend_hash_destroy(&missing);
	zval_ptr_dtor(&keys);
	return ok;
}

/* Writes the chunks that the store lacks, and reads back what it has written.
 *
 *   is_proof   read the chunks that the store has as well, and write those that are wrong
 *   *is_whole  false: the store did not have or keep a chunk */
static bool write_chunks(php_bloom_chunk_writer *writer, bool is_proof, bool force, bool *is_whole)
{
	const bloom_head *head = &writer->blob->head;
	batch some = {0};
	bool ok = true, is_held = true;

	*is_whole = true;
	while (ok && is_held && some.end < head->chunks) {
		zend_hash_init(&some.wanted, 8, NULL, NULL, false);
		next_batch(writer, &some);
		if (is_proof) {
			php_bloom_add_chunk_keys(
				&some.wanted, writer->name, head, some.first, some.end);
			ok = force || strike_present(writer, &some);
		} else {
			ok = want_missing(writer, &some);
			*is_whole = *is_whole && zend_hash_num_elements(&some.wanted) == 0;
		}
		ok = ok && write_batch(writer, &some);
		*is_whole = *is_whole && zend_hash_num_elements(&some.wanted) == 0;
		zend_hash_destroy(&some.wanted);
		if (ok && writer->lock->own != NULL && some.end < head->chunks) {
			ok = php_bloom_publish_lock_renew(writer->lock, &is_held);
		}
	}
	return ok;
}

static bool write_until_whole(php_bloom_chunk_writer *writer, bool is_proof, bool force, int rounds)
{
	bool is_whole = false;

	while (!is_whole && rounds-- > 0) {
		if (!write_chunks(writer, is_proof, force, &is_whole)) {
			return false;
		}
		force = false;
	}
	return is_whole ||
		php_bloom_store_throw(BLOOM_E_STORE_MISSING, "a chunk that was just written");
}

bool php_bloom_publish_chunks(php_bloom_chunk_writer *writer, bool force)
{
	return write_until_whole(writer, true, force, ROUNDS_MAX);
}

bool php_bloom_keep_chunks(php_bloom_chunk_writer *writer)
{
	return write_until_whole(writer, false, false, ROUNDS_MAX + 1);
}
