/* Blob::publish().
 *
 *     write missing chunks; again if another publisher was active in the meantime
 *     ─► without a mark: refuse if keys can be added, or end the journal (ending.h)
 *     ─► keep the head that hosts serve as "<name>:previous"; again if it changed ─► set the head
 *     ─► write chunks that have disappeared in the meantime, until the store has kept them all
 *     ─► delete the rollback of the replaced version
 *     ─► notify the hosts that follow the journal, and trim it
 *     ─► delete unused chunks (collect.h) */
#include "php/engine.h"

#include <string.h>

#include "filter/signature.h"
#include "os/clock.h"
#include "php/arguments.h"
#include "php/blob.h"
#include "php/classes.h"
#include "php/collect.h"
#include "php/ending.h"
#include "php/errors.h"
#include "php/info_array.h"
#include "php/journal.h"
#include "php/secret.h"
#include "segment/sync.h"

enum { ROUNDS_MAX = 3 }; /* attempts to write chunks that another publisher deletes */

typedef struct publishing {
	zend_object *store;
	const char *name;
	const php_bloom_blob *blob;
	php_bloom_progress *progress;
	bool force; /* also write chunks that the store already has */
	uint64_t chunks_written;
	uint64_t bytes_written;
	php_bloom_collecting old;
	php_bloom_ending ending;
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

/* Adds to a set the keys of the chunks that have to be written. Returns false after an
 * exception. */
static bool add_chunks_to_write(
	const publishing *work, uint64_t first, uint64_t end, HashTable *wanted)
{
	const bloom_head *head = &work->blob->head;
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t chunk;
	zval keys;
	bool ok;

	if (work->force) {
		php_bloom_add_chunk_keys(wanted, work->name, head, first, end);
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

/* Writes one batch of the chunks that have to be written, starting at *chunk. Returns false after
 * an exception. */
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
			/* Equal chunks have the same key and are written only once. */
			zend_hash_str_del(&wanted, key, strlen(key));
		}
	}
	zend_hash_destroy(&wanted);
	return ok;
}

/* Returns whether the current version was rolled back. */
static bool is_rolled_back(const publishing *work, const php_bloom_heads *found)
{
	return php_bloom_override_is_in_force(&found->override, work->name, &found->current) &&
		found->override.override.kind == BLOOM_OVERRIDE_ROLLBACK;
}

/* Keeps the current head as the previous head. If the current version was rolled back, the version
 * that hosts serve instead is the previous one. */
static bool set_previous(const publishing *work, const php_bloom_heads *found)
{
	const bloom_head *previous = &found->current.head;
	const unsigned char *bytes = found->current.bytes != NULL
		? (const unsigned char *)ZSTR_VAL(found->current.bytes)
		: NULL;
	char key[PHP_BLOOM_SIDE_KEY_BYTES];

	if (is_rolled_back(work, found)) {
		previous = &found->override.override.head;
		bytes = found->override.override.head_bytes;
	}
	php_bloom_side_key(work->name, "previous", key);
	return bytes == NULL || php_bloom_store_set(work->store, key, bytes, previous->head_bytes);
}

/* ---- the flow ---- */

/* Writes the chunks that the store does not have. With force, the first call writes all chunks. */
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

/* Sets *is_lost to whether the store lacks any of the chunks. Returns false if it throws. */
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

/* Returns whether a head belongs to another publisher: it is neither the new head nor the head that
 * was found before. */
static bool is_anothers(
	const publishing *work, const php_bloom_published *before, const php_bloom_published *now)
{
	return now->bytes != NULL &&
		!php_bloom_published_is(now, work->blob->bytes, work->blob->head.head_bytes) &&
		(before->bytes == NULL ||
			!php_bloom_published_is(now, (const unsigned char *)ZSTR_VAL(before->bytes),
				ZSTR_LEN(before->bytes)));
}

/* Throws if the store lacks a chunk. Returns false if it throws. */
static bool check_kept(const publishing *work)
{
	bool is_lost = false;

	return find_lost(work, &is_lost) &&
		(!is_lost ||
			php_bloom_store_throw(
				BLOOM_E_STORE_MISSING, "a chunk that was just written"));
}

/* Writes the chunks that the store no longer has, until it has kept them all. Another publisher may
 * have deleted chunks before it saw this head. A full store may evict chunks immediately, and then
 * no host can load the version. It is not an error if another publisher has replaced this version
 * and deleted its chunks. Returns false if it throws. */
static bool settle(publishing *work, const php_bloom_published *before)
{
	php_bloom_published now = {0};
	uint64_t written;
	bool is_replaced;
	int i;

	for (i = 0; i < ROUNDS_MAX; i++) {
		written = work->chunks_written;
		if (!php_bloom_wait_for_collector(&work->old) || !publish_chunks(work)) {
			return false;
		}
		if (work->chunks_written == written) {
			return true;
		}
		if (!php_bloom_get_valid_head(work->store, work->name, &now)) {
			return false;
		}
		is_replaced = is_anothers(work, before, &now);
		php_bloom_published_release(&now);
		if (is_replaced) {
			return true;
		}
	}
	return check_kept(work);
}

/* Reads the current head again. Returns false after an exception.
 *
 *   *is_same   true if it is still the head in `found`
 */
static bool look_again(const publishing *work, php_bloom_heads *found, bool *is_same)
{
	php_bloom_published before = found->current;

	found->current = (php_bloom_published){0};
	if (!php_bloom_heads_get_current(work->store, work->name, found)) {
		php_bloom_published_release(&before);
		return false;
	}
	*is_same = before.bytes == NULL || found->current.bytes == NULL
		? before.bytes == found->current.bytes
		: zend_string_equals(before.bytes, found->current.bytes);
	php_bloom_published_release(&before);
	return true;
}

/* Returns whether the new head is already the current one. */
static bool is_published(const publishing *work, const php_bloom_heads *found)
{
	return php_bloom_published_is(
		&found->current, work->blob->bytes, work->blob->head.head_bytes);
}

/* Writes the chunks and gets the current head. Writing may take minutes. In the meantime, another
 * publisher may delete chunks that this publisher has found in the store. Such chunks are written
 * again before a reader can see the new head. Returns false if it throws. */
static bool prepare(publishing *work, php_bloom_heads *found)
{
	php_bloom_journal_state state;
	bool is_same = false;
	int i;

	if (!php_bloom_heads_get_current(work->store, work->name, found) ||
		(!is_published(work, found) &&
			!php_bloom_ending_check(&work->ending, found, &state))) {
		return false;
	}
	for (i = 0; !is_same && i < ROUNDS_MAX; i++) {
		work->old.has_waited = false;
		if (!publish_chunks(work) || !php_bloom_wait_for_collector(&work->old) ||
			!look_again(work, found, &is_same)) {
			return false;
		}
		is_same = is_same && !work->old.has_waited;
	}
	return true;
}

/* Keeps the current head as the previous head, then makes the new head visible. If another
 * publisher has set a head in the meantime, that head is the one to keep, because no other
 * publisher would know of its chunks. Returns false if it throws. */
static bool set_heads(publishing *work, php_bloom_heads *found)
{
	const bloom_head *head = &work->blob->head;
	bool is_same = false;
	int i;

	for (i = 0; !is_same && i < ROUNDS_MAX; i++) {
		php_bloom_published_release(&found->previous);
		if (!php_bloom_heads_get_previous(work->store, work->name, found) ||
			!set_previous(work, found) || !look_again(work, found, &is_same)) {
			return false;
		}
	}
	work->bytes_written += head->head_bytes;
	work->old.head_bytes = work->blob->bytes;
	work->old.replaced = found->current.bytes;
	return php_bloom_store_set(work->store, work->name, work->blob->bytes, head->head_bytes);
}

/* Returns the earlier one of two marks of the same journal, or `mark`. */
static const bloom_mark *earlier(const bloom_mark *mark, const bloom_mark *other)
{
	return bloom_mark_reaches(mark, other) ? other : mark;
}

/* Adds a sentence to the warning of the result. */
static void warn(publishing *work, zend_string *text)
{
	zend_string *before = work->old.warning;

	work->old.warning = text;
	if (before != NULL) {
		work->old.warning = strpprintf(0, "%s; %s", ZSTR_VAL(text), ZSTR_VAL(before));
		zend_string_release(before);
		zend_string_release(text);
	}
}

/* Returns the version that hosts are to serve after this publish: the new one, or that of a pin. */
static const bloom_head *effective(const publishing *work, const php_bloom_heads *found)
{
	return found->override.bytes != NULL &&
			bloom_override_applies(&found->override.override, &work->blob->head)
		? &found->override.override.head
		: &work->blob->head;
}

/* Tells the hosts about a version without a mark, if they follow the journal. Returns false if it
 * throws. */
static bool finish_ending(publishing *work)
{
	bool is_followed_by_none;

	if (!php_bloom_ending_finish(&work->ending, &is_followed_by_none)) {
		return php_bloom_collect_forgive(&work->old);
	}
	if (is_followed_by_none) {
		warn(work,
			strpprintf(0,
				"a mark of %s was taken, or a key was added, during this publish: "
				"hosts do not find the keys that were added since until a version "
				"with a mark is published",
				work->name));
	}
	return true;
}

/* Tells the hosts that follow the journal about the version, and removes the records that no
 * version needs that hosts may load. The version is already published, so a failure is only a
 * warning. Returns false if it throws. */
static bool update_journal(publishing *work, const php_bloom_heads *before)
{
	const bloom_mark *mark = &work->blob->head.meta.mark;
	const bloom_mark *needed =
		before->current.bytes != NULL ? &before->current.head.meta.mark : NULL;
	php_bloom_overriding now = {0};
	bool ok;

	if (mark->epoch == 0) {
		return finish_ending(work);
	}
	if (!instanceof_function(work->store->ce, php_bloom_ce_journal_store_interface)) {
		return true;
	}
	ok = php_bloom_journal_notice(work->store, work->name, effective(work, before));
	/* The filter may have been pinned or rolled back since the heads were read. */
	ok = ok && (needed == NULL || php_bloom_override_get(work->store, work->name, &now));
	/* Hosts may still have to load the replaced version, or serve that of an override. */
	if (needed != NULL && before->override.bytes != NULL) {
		needed = earlier(needed, &before->override.override.head.meta.mark);
	}
	if (needed != NULL && now.bytes != NULL) {
		needed = earlier(needed, &now.override.head.meta.mark);
	}
	if (ok && needed != NULL && bloom_mark_reaches(mark, needed)) {
		ok = php_bloom_store_trim(work->store, work->name, needed);
	}
	php_bloom_override_release(&now);
	return ok || php_bloom_collect_forgive(&work->old);
}

/* Deletes a rollback that the new version has ended, unless another process has replaced it. The
 * version is already published, so a failure is only a warning. Returns false if it throws. */
static bool end_rollback(publishing *work, const php_bloom_heads *before)
{
	const php_bloom_overriding *override = &before->override;
	php_bloom_overriding now = {0};
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	zval keys;
	bool ok;

	if (override->bytes == NULL || override->override.kind != BLOOM_OVERRIDE_ROLLBACK ||
		bloom_override_applies(&override->override, &work->blob->head)) {
		return true;
	}
	ok = php_bloom_override_get(work->store, work->name, &now);
	if (ok && now.bytes != NULL && zend_string_equals(now.bytes, override->bytes)) {
		php_bloom_side_key(work->name, "override", key);
		array_init(&keys);
		add_next_index_string(&keys, key);
		ok = php_bloom_store_delete(work->store, &keys);
		zval_ptr_dtor(&keys);
		work->old.superseded = ok ? &override->override.head : NULL;
	}
	php_bloom_override_release(&now);
	return ok || php_bloom_collect_forgive(&work->old);
}

/* Says that hosts do not serve this version, because the filter is pinned or this version was
 * rolled back. */
static void warn_of_override(publishing *work, const php_bloom_heads *found)
{
	const bloom_override *override = &found->override.override;
	const char *state = override->kind == BLOOM_OVERRIDE_PIN ? "is pinned" : "was rolled back";

	if (found->override.bytes != NULL && bloom_override_applies(override, &work->blob->head) &&
		override->head.checksum != work->blob->head.checksum) {
		warn(work,
			strpprintf(0,
				"hosts do not serve this version, because %s %s to version "
				"%016llx: unpin it",
				work->name, state, (unsigned long long) override->head.checksum));
	}
}

/* Makes the blob the published version. Returns false if it throws. */
static bool replace(publishing *work, php_bloom_heads *found)
{
	return php_bloom_heads_get_override(work->store, work->name, found) &&
		php_bloom_ending_begin(&work->ending, found) && set_heads(work, found) &&
		settle(work, &found->current) && end_rollback(work, found) &&
		update_journal(work, found);
}

static bool publish(publishing *work)
{
	static const php_bloom_published none = {0};
	const php_bloom_published *old = &none;
	php_bloom_heads found = {0};
	bool ok = prepare(work, &found);

	if (ok && !is_published(work, &found)) {
		ok = replace(work, &found);
		/* If this publish replaced no version, the previous version is still needed. */
		if (ok && found.current.bytes != NULL) {
			old = is_rolled_back(work, &found) ? &found.current : &found.previous;
		}
	} else if (ok) {
		/* The version was already published, but the store may have lost chunks. */
		ok = (work->chunks_written == 0 || settle(work, &found.current)) &&
			php_bloom_heads_get_override(work->store, work->name, &found);
	}
	ok = ok && php_bloom_collect(&work->old, old);
	if (ok) {
		warn_of_override(work, &found);
	}
	php_bloom_heads_release(&found);
	return ok;
}

/* Rejects a blob that hosts with this host's signing keys and clock would not load. Returns false
 * after an exception. */
static bool is_loadable(const php_bloom_blob *blob, const char *name)
{
	bloom_error error = {0};

	if (bloom_signature_check(&blob->head, blob->bytes, name, php_bloom_signers(), &error) ==
			BLOOM_OK &&
		bloom_head_check_built(&blob->head, bloom_clock_ms(), name, &error) == BLOOM_OK) {
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
	bool force = false, may_end = false;
	uint64_t bytes;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(2, 5)
		Z_PARAM_OBJ_OF_CLASS(store, php_bloom_ce_store_interface)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_FUNC_OR_NULL(progress.call, progress.cache)
		Z_PARAM_BOOL(force)
		Z_PARAM_BOOL(may_end)
	ZEND_PARSE_PARAMETERS_END();

	work = (publishing){.store = store, .blob = blob, .progress = &progress, .force = force};
	work.name = blob != NULL ? php_bloom_name(name, 2) : NULL;
	if (work.name != NULL && may_end && blob->head.meta.mark.epoch != 0) {
		zend_argument_value_error(5,
			"must be false for a blob with a mark, because hosts follow the journal "
			"of such a blob");
		RETURN_THROWS();
	}
	ok = work.name != NULL && is_loadable(blob, work.name);
	if (ok) {
		work.ending = (php_bloom_ending){
			.store = store, .name = work.name, .blob = blob, .may_end = may_end};
		work.old = (php_bloom_collecting){.store = store,
			.name = work.name,
			.head = &blob->head,
			.progress = &progress};
		ok = publish(&work);
	}
	if (ok) {
		bytes = bloom_geometry_bytes(&blob->head.geometry);
		ok = php_bloom_progress_report(&progress, bytes, bytes);
	}
	if (ok) {
		array_init(return_value);
		php_bloom_info_long(Z_ARRVAL_P(return_value), "chunks", blob->head.chunks);
		php_bloom_info_long(Z_ARRVAL_P(return_value), "chunksWritten", work.chunks_written);
		php_bloom_info_long(Z_ARRVAL_P(return_value), "bytesWritten", work.bytes_written);
		if (work.old.warning != NULL) {
			php_bloom_info_string(Z_ARRVAL_P(return_value), "warning",
				ZSTR_VAL(work.old.warning), ZSTR_LEN(work.old.warning));
		} else {
			add_assoc_null(return_value, "warning");
		}
	}
	php_bloom_collect_end(&work.old);
}
