/* What goes into a store: Blob::publish().
 *
 *     chunks the store lacks ─► the head before, kept as "<name>:previous" ─► the head
 *     ─► chunks the store lacks now ─► does it keep them? ─► delete what neither head names
 *
 * Two publishers at once. One may find a chunk in the store, and the other delete it as nobody's before the
 * first one's head names it. Therefore who deletes first leaves a mark, "<name>:collecting", and then
 * looks at the heads once more; and who has published a head waits for a mark to go and then looks for its
 * chunks once more. Either the one sees the other's head and keeps its chunks, or the other sees the mark
 * and writes again what was deleted. Whoever sets the head last has published the version.
 */
#include "php_store.h"
#include "signature.h"

#include <string.h>
#include <unistd.h>

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

/* A head that cannot be read is no reason not to publish a good one: it counts as none. */
static bool get_head_if_valid(
	zend_object *store, const char *key, php_bloom_published *found)
{
	if (php_bloom_published_get(store, key, found)) {
		return true;
	}
	if (instanceof_function(EG(exception)->ce, php_bloom_ce_Format) ||
		instanceof_function(EG(exception)->ce, php_bloom_ce_Secret)) {
		zend_clear_exception();
		return true;
	}
	return false;
}

/* The heads that a publisher finds and leaves behind. */
typedef struct heads {
	php_bloom_published current;
	php_bloom_published previous;
} heads;

static void release_heads(heads *found)
{
	php_bloom_published_release(&found->current);
	php_bloom_published_release(&found->previous);
}

enum { SIDE_KEY_BYTES = BLOOM_NAME_BYTES_MAX + sizeof ":collecting" };

static void side_key(const char *name, const char *what, char key[SIDE_KEY_BYTES])
{
	(void)snprintf(key, SIDE_KEY_BYTES, "%s:%s", name, what);
}

/* Each false: thrown. What was found is to be released in any case. */
static bool get_current(const publishing *work, heads *found)
{
	return get_head_if_valid(work->store, work->name, &found->current);
}

static bool get_previous(const publishing *work, heads *found)
{
	char key[SIDE_KEY_BYTES];

	side_key(work->name, "previous", key);
	return get_head_if_valid(work->store, key, &found->previous);
}

/* Keeps the head before, and makes the new one visible. */
static bool set_heads(publishing *work, const php_bloom_published *current)
{
	const bloom_head *head = &work->blob->head;
	char key[SIDE_KEY_BYTES];

	side_key(work->name, "previous", key);
	if (current->bytes != NULL &&
		!php_bloom_store_set(work->store, key,
			(const unsigned char *)ZSTR_VAL(current->bytes), current->head.head_bytes)) {
		return false;
	}
	work->bytes_written += head->head_bytes;
	return php_bloom_store_set(work->store, work->name, work->blob->bytes, head->head_bytes);
}

/* ---- collecting ---- */

/* Deletes keys. False: thrown. */
static bool delete_key(const publishing *work, const char *key)
{
	zval keys;
	bool ok;

	array_init(&keys);
	add_next_index_string(&keys, key);
	ok = php_bloom_store_delete(work->store, &keys);
	zval_ptr_dtor(&keys);
	return ok;
}

/* Lists the chunks that `old` names and neither the blob nor `kept` does. */
static void list_unnamed(const publishing *work, const php_bloom_published *old, const heads *kept,
	zval *keys)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	HashTable keep;
	uint64_t chunk;

	zend_hash_init(&keep, 8, NULL, NULL, false);
	add_chunk_keys(&keep, work->name, &work->blob->head, 0, work->blob->head.chunks);
	if (kept->current.bytes != NULL) {
		add_chunk_keys(
			&keep, work->name, &kept->current.head, 0, kept->current.head.chunks);
	}
	if (kept->previous.bytes != NULL) {
		add_chunk_keys(
			&keep, work->name, &kept->previous.head, 0, kept->previous.head.chunks);
	}
	array_init(keys);
	for (chunk = 0; chunk < old->head.chunks; chunk++) {
		bloom_sync_chunk_key(work->name, bloom_head_chunk(&old->head, chunk), key);
		if (!zend_hash_str_exists(&keep, key, strlen(key))) {
			add_next_index_string(keys, key);
		}
	}
	zend_hash_destroy(&keep);
}

/* Deletes what the heads, as they are now, no longer name of the version before the last. */
static bool delete_unnamed(const publishing *work, const php_bloom_published *old)
{
	heads now = {0};
	zval keys;
	bool ok = get_current(work, &now) && get_previous(work, &now);

	if (ok) {
		list_unnamed(work, old, &now, &keys);
		ok = zend_hash_num_elements(Z_ARRVAL(keys)) == 0 ||
			php_bloom_store_delete(work->store, &keys);
		zval_ptr_dtor(&keys);
	}
	release_heads(&now);
	return ok;
}

static bool collect(const publishing *work, const php_bloom_published *old)
{
	char mark[SIDE_KEY_BYTES], time[24];

	side_key(work->name, "collecting", mark);
	(void)snprintf(time, sizeof time, "%llu", (unsigned long long)bloom_clock_ms());
	return php_bloom_store_set(
		       work->store, mark, (const unsigned char *)time, strlen(time)) &&
		delete_unnamed(work, old) && delete_key(work, mark);
}

/* Waits until no other publisher is collecting; one that has been at it for a minute has died. False:
 * thrown. */
static bool wait_for_collector(const publishing *work)
{
	enum { MARK_MS = 60000, PAUSE_US_MAX = 20000 };
	uint64_t start = bloom_monotonic_ms();
	zend_string *value = NULL;
	char mark[SIDE_KEY_BYTES];
	bool is_marked = true;
	useconds_t pause = 1000;

	side_key(work->name, "collecting", mark);
	while (is_marked && bloom_monotonic_ms() - start < MARK_MS) {
		if (!php_bloom_store_get_one(work->store, mark, &value)) {
			return false;
		}
		is_marked = value != NULL;
		if (is_marked) {
			/* By wall clocks of two hosts: an old mark is not worth waiting for. */
			is_marked = ZEND_STRTOUL(ZSTR_VAL(value), NULL, 10) + MARK_MS >
				bloom_clock_ms();
			zend_string_release(value);
		}
		if (is_marked) {
			usleep(pause);
			pause = pause * 2 < PAUSE_US_MAX ? pause * 2 : PAUSE_US_MAX;
		}
	}
	return true;
}

/* ---- the flow ---- */

/* Writes the chunks that the store lacks; with force, at the first time, all. */
static bool publish_chunks(publishing *work)
{
	uint64_t chunk = 0;

	while (chunk < work->blob->head.chunks) {
		if (!publish_batch(work, &chunk)) {
			return false;
		}
	}
	work->force = false;
	return true;
}

/* Whether the store lacks any of the chunks. False: thrown. */
static bool find_lost(const publishing *work, bool *is_lost)
{
	uint64_t first, end, chunks = work->blob->head.chunks;
	HashTable lost;
	bool ok = true;

	zend_hash_init(&lost, 8, NULL, NULL, false);
	for (first = 0; ok && first < chunks; first = end) {
		end = chunks - first < PHP_BLOOM_STORE_KEYS_MAX ? chunks
								: first + PHP_BLOOM_STORE_KEYS_MAX;
		ok = add_chunks_to_write(work, first, end, &lost);
	}
	*is_lost = zend_hash_num_elements(&lost) > 0;
	zend_hash_destroy(&lost);
	return ok;
}

/* Whether a head is another publisher's: neither this one's, nor the one that it found. */
static bool is_anothers(const publishing *work, const php_bloom_published *before,
	const php_bloom_published *now)
{
	return now->bytes != NULL &&
		!php_bloom_published_is(now, work->blob->bytes, work->blob->head.head_bytes) &&
		(before->bytes == NULL ||
			!php_bloom_published_is(now,
				(const unsigned char *)ZSTR_VAL(before->bytes),
				ZSTR_LEN(before->bytes)));
}

/* A store that is full and evicts loses what it is given, and then no host could load what is said to be
 * published. False: thrown, unless another publisher, who may have deleted the chunks, was faster. */
static bool check_kept(const publishing *work, const php_bloom_published *before)
{
	php_bloom_published now = {0};
	bool is_lost = false;
	bool ok = find_lost(work, &is_lost);

	if (ok && is_lost) {
		ok = get_head_if_valid(work->store, work->name, &now) &&
			(is_anothers(work, before, &now) ||
				php_bloom_store_throw(
					BLOOM_E_STORE_MISSING, "a chunk that was just written"));
		php_bloom_published_release(&now);
	}
	return ok;
}

/* Publishes over the version that was found. */
static bool replace(publishing *work, heads *found)
{
	uint64_t written = work->chunks_written;

	/* Another publisher may have deleted chunks before it could see this one's head. */
	return get_previous(work, found) && set_heads(work, &found->current) &&
		wait_for_collector(work) && publish_chunks(work) &&
		(work->chunks_written == written || check_kept(work, &found->current)) &&
		(found->previous.bytes == NULL || found->current.bytes == NULL ||
			collect(work, &found->previous));
}

static bool publish(publishing *work)
{
	heads found = {0};
	bool ok = publish_chunks(work) && get_current(work, &found);

	if (ok) {
		ok = php_bloom_published_is(
			     &found.current, work->blob->bytes, work->blob->head.head_bytes)
			? work->chunks_written == 0 || check_kept(work, &found.current)
			: replace(work, &found);
	}
	release_heads(&found);
	return ok;
}

/* What no host with this one's signing keys would take need not be published. False: thrown. */
static bool check_signature(const php_bloom_blob *blob, const char *name)
{
	bloom_error error = {0};

	if (bloom_signature_check(&blob->head, blob->bytes, name, php_bloom_signers(), &error) ==
		BLOOM_OK) {
		return true;
	}
	php_bloom_throw(&error);
	return false;
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
	if (work.name == NULL || !check_signature(blob, work.name) || !publish(&work)) {
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
