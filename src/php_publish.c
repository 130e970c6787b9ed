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
 *
 * The mark says what is to be deleted. When that fails, as with files of another user, or the publisher dies, it
 * stays: the version is published all the same, and the next publish tries again.
 */
#include "php_store.h"
#include "signature.h"

#include <string.h>
#include <unistd.h>

#include <zend_exceptions.h>
#include <zend_smart_str.h>

typedef struct publishing {
	zend_object *store;
	const char *name;
	const php_bloom_blob *blob;
	php_bloom_progress *progress;
	bool force; /* write chunks that the store says it has, too */
	uint64_t chunks_written;
	uint64_t bytes_written;
	zend_string *mark;    /* that nobody works at any more, as it was found; or NULL */
	zend_string *warning; /* why something old was not deleted; or NULL */
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

/* The chunks that are to be deleted are listed by their digests, laid end to end as in a head. The mark is the time
 * at which the deleting began, ms since 1970 in decimal digits, a line feed, and that list. 0: nobody is at it. */

/* Sets the mark. False: thrown. */
static bool set_mark(const publishing *work, uint64_t time_ms, const smart_str *list)
{
	char mark[SIDE_KEY_BYTES];
	smart_str value = {0};
	bool ok;

	side_key(work->name, "collecting", mark);
	smart_str_append_unsigned(&value, (zend_ulong)time_ms);
	smart_str_appendc(&value, '\n');
	smart_str_append_smart_str(&value, list);
	ok = php_bloom_store_set(work->store, mark, (const unsigned char *)ZSTR_VAL(value.s),
		ZSTR_LEN(value.s));
	smart_str_free(&value);
	return ok;
}

static bool delete_mark(const publishing *work)
{
	char mark[SIDE_KEY_BYTES];
	zval keys;
	bool ok;

	side_key(work->name, "collecting", mark);
	array_init(&keys);
	add_next_index_string(&keys, mark);
	ok = php_bloom_store_delete(work->store, &keys);
	zval_ptr_dtor(&keys);
	return ok;
}

/* The list in a mark, and how long it is; of other bytes an empty one. */
static const unsigned char *marked(const zend_string *mark, uint64_t *count)
{
	const char *line = mark != NULL ? memchr(ZSTR_VAL(mark), '\n', ZSTR_LEN(mark)) : NULL;
	size_t bytes = line != NULL ? ZSTR_LEN(mark) - (size_t)(line + 1 - ZSTR_VAL(mark)) : 0;

	*count = bytes % BLOOM_CHUNK_DIGEST_BYTES == 0 ? bytes / BLOOM_CHUNK_DIGEST_BYTES : 0;
	return line != NULL ? (const unsigned char *)line + 1 : NULL;
}

static uint64_t listed(const smart_str *list)
{
	return smart_str_get_len((smart_str *)list) / BLOOM_CHUNK_DIGEST_BYTES;
}

/* Appends those of some digests whose keys are not in a set, and puts them there. */
static void append_others(smart_str *list, const char *name, const unsigned char *digests,
	uint64_t count, HashTable *set)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t i;
	zval yes;

	ZVAL_TRUE(&yes);
	for (i = 0; i < count; i++, digests += BLOOM_CHUNK_DIGEST_BYTES) {
		bloom_sync_chunk_key(name, digests, key);
		if (zend_hash_str_add(set, key, strlen(key), &yes) != NULL) {
			smart_str_appendl(list, (const char *)digests, BLOOM_CHUNK_DIGEST_BYTES);
		}
	}
}

/* Lists the chunks that the version before the last and a mark that was left name, and the blob does not. */
static void list_old(const publishing *work, const php_bloom_published *old, smart_str *list)
{
	const unsigned char *left;
	HashTable keep;
	uint64_t count;

	zend_hash_init(&keep, 8, NULL, NULL, false);
	add_chunk_keys(&keep, work->name, &work->blob->head, 0, work->blob->head.chunks);
	if (old->bytes != NULL && old->head.chunks > 0) {
		append_others(list, work->name, bloom_head_chunk(&old->head, 0), old->head.chunks,
			&keep);
	}
	left = marked(work->mark, &count);
	append_others(list, work->name, left, count, &keep);
	zend_hash_destroy(&keep);
}

/* Takes what the heads name, as they are now, off a list. False: thrown. */
static bool keep_named(const publishing *work, smart_str *list)
{
	smart_str unnamed = {0};
	heads now = {0};
	HashTable keep;
	bool ok = get_current(work, &now) && get_previous(work, &now);

	if (ok) {
		zend_hash_init(&keep, 8, NULL, NULL, false);
		if (now.current.bytes != NULL) {
			add_chunk_keys(
				&keep, work->name, &now.current.head, 0, now.current.head.chunks);
		}
		if (now.previous.bytes != NULL) {
			add_chunk_keys(&keep, work->name, &now.previous.head, 0,
				now.previous.head.chunks);
		}
		append_others(&unnamed, work->name, (const unsigned char *)ZSTR_VAL(list->s),
			listed(list), &keep);
		zend_hash_destroy(&keep);
		smart_str_free(list);
		*list = unnamed;
	}
	release_heads(&now);
	return ok;
}

/* The keys of a part of a list, as an array. */
static void list_keys(
	const publishing *work, const smart_str *list, uint64_t first, uint64_t end, zval *keys)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t i;

	array_init(keys);
	for (i = first; i < end; i++) {
		bloom_sync_chunk_key(work->name,
			(const unsigned char *)ZSTR_VAL(list->s) + i * BLOOM_CHUNK_DIGEST_BYTES, key);
		add_next_index_string(keys, key);
	}
}

static bool delete_listed(const publishing *work, const smart_str *list)
{
	zval keys;
	bool ok;

	if (listed(list) == 0) {
		return true;
	}
	list_keys(work, list, 0, listed(list), &keys);
	ok = php_bloom_store_delete(work->store, &keys);
	zval_ptr_dtor(&keys);
	return ok;
}

/* Takes what the store does not have, or no longer, off a list. False: thrown. */
static bool keep_there(const publishing *work, smart_str *list)
{
	uint64_t first, end, count = listed(list);
	smart_str there = {0};
	HashTable gone;
	bool ok = true;
	zval keys;

	zend_hash_init(&gone, 8, NULL, NULL, false);
	for (first = 0; ok && first < count; first = end) {
		end = count - first < PHP_BLOOM_STORE_KEYS_MAX ? count
							       : first + PHP_BLOOM_STORE_KEYS_MAX;
		list_keys(work, list, first, end, &keys);
		ok = php_bloom_store_missing(work->store, &keys, &gone);
		zval_ptr_dtor(&keys);
	}
	if (ok && count > 0) {
		append_others(&there, work->name, (const unsigned char *)ZSTR_VAL(list->s), count,
			&gone);
		smart_str_free(list);
		*list = there;
	}
	zend_hash_destroy(&gone);
	return ok;
}

/* Keeps in mind what the store has thrown: what is published is published. False: it is something else, as the end of
 * the script, and stays thrown. */
static bool forgive(publishing *work)
{
	zend_object *thrown = EG(exception);
	zval holder;

	if (!instanceof_function(thrown->ce, php_bloom_ce_Store)) {
		return false;
	}
	if (work->warning == NULL) {
		work->warning = zval_get_string(zend_read_property_ex(
			thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder));
	}
	zend_clear_exception();
	return true;
}

/* Leaves word of what was not deleted, for the next publish, and makes the warning of it. False: as forgive(). */
static bool leave(publishing *work, smart_str *list)
{
	zend_string *reason = work->warning;
	bool is_told;

	if (!keep_there(work, list) && !forgive(work)) {
		return false;
	}
	is_told = listed(list) > 0 ? set_mark(work, 0, list) : delete_mark(work);
	if (!is_told && !forgive(work)) {
		return false;
	}
	if (listed(list) > 0) {
		work->warning = strpprintf(0, "%llu old chunk%s could not be deleted%s: %s",
			(unsigned long long)listed(list), listed(list) == 1 ? "" : "s",
			is_told ? ", which the next publish tries again" : "", ZSTR_VAL(reason));
		zend_string_release(reason);
	}
	return true;
}

/* Deletes the chunks of the version before the last, and what was left before, but for what the heads name. False:
 * thrown, and not by the store. */
static bool collect(publishing *work, const php_bloom_published *old)
{
	smart_str list = {0};
	bool ok;

	list_old(work, old, &list);
	if (listed(&list) == 0) {
		ok = work->mark == NULL || delete_mark(work) || forgive(work);
	} else {
		ok = (set_mark(work, bloom_clock_ms(), &list) && keep_named(work, &list) &&
			     delete_listed(work, &list) && delete_mark(work)) ||
			(forgive(work) && leave(work, &list));
	}
	smart_str_free(&list);
	return ok;
}

/* Waits until no other publisher is collecting; one that has been at it for a minute has died. What it left is kept
 * for collect(). False: thrown. */
static bool wait_for_collector(publishing *work)
{
	enum { MARK_MS = 60000, PAUSE_US_MAX = 20000 };
	uint64_t start = bloom_monotonic_ms();
	char mark[SIDE_KEY_BYTES];
	bool is_marked = true;
	useconds_t pause = 1000;

	side_key(work->name, "collecting", mark);
	while (is_marked && bloom_monotonic_ms() - start < MARK_MS) {
		if (work->mark != NULL) {
			zend_string_release(work->mark);
			work->mark = NULL;
		}
		if (!php_bloom_store_get_one(work->store, mark, &work->mark)) {
			return false;
		}
		/* By wall clocks of two hosts: an old mark is not worth waiting for. */
		is_marked = work->mark != NULL &&
			ZEND_STRTOUL(ZSTR_VAL(work->mark), NULL, 10) + MARK_MS > bloom_clock_ms();
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
		(work->chunks_written == written || check_kept(work, &found->current));
}

/* What is published already; a chunk that the store lost was written again. */
static bool renew(publishing *work, heads *found)
{
	return (work->chunks_written == 0 || check_kept(work, &found->current)) &&
		(wait_for_collector(work) || forgive(work));
}

static bool publish(publishing *work)
{
	static const php_bloom_published none = {0};
	heads found = {0};
	bool ok = publish_chunks(work) && get_current(work, &found);

	if (ok) {
		ok = php_bloom_published_is(
			     &found.current, work->blob->bytes, work->blob->head.head_bytes)
			? renew(work, &found)
			: replace(work, &found);
	}
	/* Without a version that this one replaces the one before it is still the one before. */
	ok = ok && collect(work, found.current.bytes != NULL ? &found.previous : &none);
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
	bool ok;

	ZEND_PARSE_PARAMETERS_START(2, 4)
		Z_PARAM_OBJ_OF_CLASS(store, php_bloom_ce_store_interface)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_FUNC_OR_NULL(progress.call, progress.cache)
		Z_PARAM_BOOL(force)
	ZEND_PARSE_PARAMETERS_END();

	work = (publishing){.store = store, .blob = blob, .progress = &progress, .force = force};
	work.name = blob != NULL ? php_bloom_name(name, 2) : NULL;
	ok = work.name != NULL && check_signature(blob, work.name) && publish(&work);
	if (work.mark != NULL) {
		zend_string_release(work.mark);
	}
	if (ok) {
		bytes = bloom_geometry_bytes(&blob->head.geometry);
		ok = php_bloom_progress_report(&progress, bytes, bytes);
	}
	if (ok) {
		array_init(return_value);
		php_bloom_info_long(Z_ARRVAL_P(return_value), "chunks", blob->head.chunks);
		php_bloom_info_long(
			Z_ARRVAL_P(return_value), "chunksWritten", work.chunks_written);
		php_bloom_info_long(Z_ARRVAL_P(return_value), "bytesWritten", work.bytes_written);
		if (work.warning != NULL) {
			php_bloom_info_string(Z_ARRVAL_P(return_value), "warning",
				ZSTR_VAL(work.warning), ZSTR_LEN(work.warning));
		} else {
			add_assoc_null(return_value, "warning");
		}
	}
	if (work.warning != NULL) {
		zend_string_release(work.warning);
	}
}
