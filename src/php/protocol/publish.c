/* Blob::publish().
 *
 *     does the journal continue from the mark?
 *     ─► without a mark: refuse if keys can be added (journal_end.h)
 *     ─► read each chunk; write those that are missing or wrong, and read them back
 *     ─► take the publishers' lock (collect.h) ─► write chunks that have disappeared since then
 *     ─► write the head under "<name>:staged" and read it back ─► list the chunks to delete
 *     ─► without a mark: end the journal
 *     ─► "<name>:previous" becomes the head that hosts serve ─► the head becomes the new one, both
 *        by comparison; if another process was faster, decide again
 *     ─► does the journal still continue? otherwise take the head back
 *     ─► delete the rollback of the replaced version
 *     ─► notify the hosts that follow the journal, and trim it
 *     ─► delete the listed chunks, end the lock */
#include "php/engine.h"

#include <string.h>

#include <zend_exceptions.h>

#include "filter/signature.h"
#include "filter/chunk.h"
#include "os/clock.h"
#include "php/arguments.h"
#include "php/filter/blob_object.h"
#include "php/classes.h"
#include "php/protocol/collect.h"
#include "php/protocol/journal_end.h"
#include "php/errors.h"
#include "php/info_array.h"
#include "php/protocol/journal_notice.h"
#include "php/keyrings.h"

enum {
	ROUNDS_MAX = 3,                /* attempts to write chunks that disappear */
	DECISIONS_MAX = 10,            /* attempts to set heads that other processes change */
	BATCH_BYTES = 4 * 1024 * 1024, /* of chunks in one getMultiple() */
};

typedef struct publishing {
	zend_object *store;
	const char *name;
	const php_bloom_blob *blob;
	php_bloom_progress *progress;
	bool force;         /* write all chunks, without reading them first */
	zend_string *first; /* the head before this publish; NULL: none */
	bool is_overtaken;  /* a newer version was published during this publish */
	uint64_t chunks_written;
	uint64_t bytes_written;
	php_bloom_collecting old;
	php_bloom_ending ending;
} publishing;

static const unsigned char *chunk_bytes(const publishing *publish, uint64_t chunk)
{
	const bloom_head *head = &publish->blob->head;

	return publish->blob->bytes + head->head_bytes + bloom_head_chunk_offset(head, chunk);
}

static void chunk_key(const publishing *publish, uint64_t chunk, char key[BLOOM_CHUNK_KEY_BYTES])
{
	bloom_chunk_key(publish->name, bloom_head_chunk(&publish->blob->head, chunk), key);
}

static bool is_same(const zend_string *found, const unsigned char *bytes, uint64_t count)
{
	return found != NULL && ZSTR_LEN(found) == count &&
		memcmp(ZSTR_VAL(found), bytes, (size_t)count) == 0;
}

/* ---- chunks ---- */

/* Some chunks in a row. Equal chunks have the same key and are in it only once. */
typedef struct batch {
	uint64_t first;
	uint64_t end;
	HashTable wanted; /* keys of the chunks that have to be written */
} batch;

static bool write_chunk(publishing *publish, uint64_t chunk, const char *key)
{
	const bloom_head *head = &publish->blob->head;
	uint64_t length = bloom_head_chunk_length(head, chunk);

	if (!php_bloom_store_set(publish->store, key, chunk_bytes(publish, chunk), length)) {
		return false;
	}
	publish->chunks_written++;
	publish->bytes_written += length;
	return php_bloom_progress_report(publish->progress,
		bloom_head_chunk_offset(head, chunk) + length,
		bloom_geometry_bytes(&head->geometry));
}

/* Chooses the next batch, from some->end on: at most as many chunks as one call may get. */
static void next_batch(const publishing *publish, batch *some)
{
	const bloom_head *head = &publish->blob->head;
	uint64_t bytes = 0;

	some->first = some->end;
	while (some->end < head->chunks && bytes < BATCH_BYTES &&
		some->end - some->first < PHP_BLOOM_STORE_KEYS_MAX) {
		bytes += bloom_head_chunk_length(head, some->end++);
	}
}

/* Gets the chunks of a batch that are wanted, in one call. */
static bool get_wanted(const publishing *publish, batch *some, zval *values)
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
	ok = php_bloom_store_get(publish->store, &keys, values);
	zval_ptr_dtor(&keys);
	return ok;
}

/* Removes from `wanted` the chunks that the store has returned as they should be.
 *
 *   are_new  they were just written, so bytes that differ are an error */
static bool strike_good(const publishing *publish, batch *some, const zval *values, bool are_new)
{
	const bloom_head *head = &publish->blob->head;
	char key[BLOOM_CHUNK_KEY_BYTES];
	const zend_string *value;
	uint64_t chunk, length;
	bool ok = true;

	for (chunk = some->first; ok && chunk < some->end; chunk++) {
		chunk_key(publish, chunk, key);
		if (!zend_hash_str_exists(&some->wanted, key, strlen(key))) {
			continue;
		}
		length = bloom_head_chunk_length(head, chunk);
		value = php_bloom_store_answer(values, key, &ok);
		if (is_same(value, chunk_bytes(publish, chunk), length)) {
			zend_hash_str_del(&some->wanted, key, strlen(key));
		} else if (value != NULL && are_new) {
			ok = php_bloom_store_throw_altered(
				key, chunk_bytes(publish, chunk), length, value);
		}
	}
	return ok;
}

/* Removes from `wanted` the chunks that the store already has. A value that is too long or of a
 * wrong type cannot be the chunk, so it is replaced. */
static bool strike_present(const publishing *publish, batch *some)
{
	zval values;
	bool ok = get_wanted(publish, some, &values);

	if (ok) {
		ok = strike_good(publish, some, &values, false);
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
static bool write_batch(publishing *publish, batch *some)
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
		chunk_key(publish, chunk, key);
		if (zend_hash_str_exists(&some->wanted, key, strlen(key)) &&
			zend_hash_str_add(&written, key, strlen(key), &yes) != NULL) {
			ok = write_chunk(publish, chunk, key);
		}
	}
	zend_hash_destroy(&written);
	if (!ok || !get_wanted(publish, some, &values)) {
		return false;
	}
	ok = strike_good(publish, some, &values, true);
	zval_ptr_dtor(&values);
	return ok;
}

/* Adds the keys of the chunks that the store does not have. */
static bool want_missing(const publishing *publish, batch *some)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	HashTable missing;
	uint64_t chunk;
	zval keys, yes;
	bool ok;

	ZVAL_TRUE(&yes);
	array_init(&keys);
	for (chunk = some->first; chunk < some->end; chunk++) {
		chunk_key(publish, chunk, key);
		add_next_index_string(&keys, key);
	}
	zend_hash_init(&missing, 8, NULL, NULL, false);
	ok = php_bloom_store_missing(publish->store, &keys, &missing);
	/* A store may answer with other keys. */
	for (chunk = some->first; ok && chunk < some->end; chunk++) {
		chunk_key(publish, chunk, key);
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
static bool publish_chunks(publishing *publish, bool is_proof, bool *is_whole)
{
	const bloom_head *head = &publish->blob->head;
	batch some = {0};
	bool ok = true, is_held = true;

	*is_whole = true;
	while (ok && is_held && some.end < head->chunks) {
		zend_hash_init(&some.wanted, 8, NULL, NULL, false);
		next_batch(publish, &some);
		if (is_proof) {
			php_bloom_add_chunk_keys(
				&some.wanted, publish->name, head, some.first, some.end);
			ok = publish->force || strike_present(publish, &some);
		} else {
			ok = want_missing(publish, &some);
			*is_whole = *is_whole && zend_hash_num_elements(&some.wanted) == 0;
		}
		ok = ok && write_batch(publish, &some);
		*is_whole = *is_whole && zend_hash_num_elements(&some.wanted) == 0;
		zend_hash_destroy(&some.wanted);
		if (ok && publish->old.own != NULL && some.end < head->chunks) {
			ok = php_bloom_lock_renew(&publish->old, &is_held);
		}
	}
	return ok;
}

/* Writes the chunks that have disappeared, until the store has kept them all. A full store may
 * evict chunks immediately, and then no host could load the version. */
static bool keep_chunks(publishing *publish)
{
	bool is_whole = false;
	int i;

	for (i = 0; i <= ROUNDS_MAX && !is_whole; i++) {
		if (!publish_chunks(publish, false, &is_whole)) {
			return false;
		}
	}
	return is_whole ||
		php_bloom_store_throw(BLOOM_E_STORE_MISSING, "a chunk that was just written");
}

/* ---- the heads ---- */

/* Writes the new head under another key and reads it back, so that a store that changes bytes never
 * replaces a good head.
 *
 *   *is_held  false: another process has taken the lock over, and may write there, too */
static bool stage_head(publishing *publish, bool *is_held)
{
	const unsigned char *bytes = publish->blob->bytes;
	uint64_t count = publish->blob->head.head_bytes;
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	zend_string *found = NULL;
	bool ok, is_good;

	php_bloom_side_key(publish->name, "staged", key);
	if (!php_bloom_stored_get(publish->store, key, &found)) {
		return false;
	}
	publish->old.has_staged = true;
	ok = php_bloom_store_replace(publish->store, key, found, bytes, count, &is_good);
	if (found != NULL) {
		zend_string_release(found);
		found = NULL;
	}
	if (!ok || !php_bloom_store_get_one(publish->store, key, &found)) {
		return false;
	}
	is_good = is_good && is_same(found, bytes, count);
	*is_held = true;
	ok = is_good || php_bloom_lock_renew(&publish->old, is_held);
	if (ok && !is_good && *is_held) {
		ok = php_bloom_store_throw_altered(key, bytes, count, found);
	}
	if (found != NULL) {
		zend_string_release(found);
	}
	return ok;
}

/* What set_heads() changes. */
typedef struct plan {
	const bloom_head *keep; /* the head to keep as the previous one; NULL: none */
	const unsigned char *keep_bytes;
	const bloom_head *drop; /* of the version whose chunks are no longer needed; NULL: none */
	bool ends_rollback;
} plan;

/* Keeps the current head as the previous head. If the current version was rolled back, the version
 * that hosts serve instead is the previous one. */
static plan make_plan(const publishing *publish, const php_bloom_heads *found)
{
	const php_bloom_published *current = &found->current.found;
	const bloom_override *override = &found->override.override;
	bool is_rollback =
		found->override.bytes != NULL && override->kind == BLOOM_OVERRIDE_ROLLBACK;
	plan made = {.ends_rollback = is_rollback &&
			!bloom_override_applies(override, &publish->blob->head)};

	/* If this publish replaces no version, the previous version is still needed. */
	if (current->bytes == NULL) {
		return made;
	}
	if (is_rollback &&
		php_bloom_override_is_in_force(&found->override, publish->name, current)) {
		made.keep = &override->head;
		made.keep_bytes = override->head_bytes;
		made.drop = &current->head;
	} else {
		made.keep = &current->head;
		made.keep_bytes = (const unsigned char *)ZSTR_VAL(current->bytes);
		made.drop =
			found->previous.found.bytes != NULL ? &found->previous.found.head : NULL;
	}
	return made;
}

/* Lists the chunks that will be superfluous, and renews the claim. */
static bool list_superfluous(
	publishing *publish, const php_bloom_heads *found, const plan *next, bool *is_held)
{
	if (next->drop != NULL) {
		php_bloom_collect_add(&publish->old, next->drop);
	}
	if (next->ends_rollback) {
		php_bloom_collect_add(&publish->old, &found->override.override.head);
	}
	if (next->keep != NULL) {
		php_bloom_collect_keep(&publish->old, next->keep);
	} else if (found->previous.found.bytes != NULL) {
		php_bloom_collect_keep(&publish->old, &found->previous.found.head);
	}
	php_bloom_collect_keep(&publish->old, &publish->blob->head);
	return php_bloom_lock_renew(&publish->old, is_held);
}

/* Puts a value back that this publish has replaced, unless another process has changed it since. */
static bool put_back(const publishing *publish, const char *key, const unsigned char *bytes,
	uint64_t count, const zend_string *before)
{
	zend_string *own = zend_string_init((const char *)bytes, (size_t)count, false);
	zend_string *now = NULL;
	bool is_done, ok;
	zval keys;

	if (before != NULL) {
		ok = php_bloom_store_replace(publish->store, key, own,
			(const unsigned char *)ZSTR_VAL(before), ZSTR_LEN(before), &is_done);
	} else {
		ok = php_bloom_store_get_one(publish->store, key, &now);
		if (ok && now != NULL && zend_string_equals(now, own)) {
			array_init(&keys);
			add_next_index_string(&keys, key);
			ok = php_bloom_store_delete(publish->store, &keys);
			zval_ptr_dtor(&keys);
		}
		if (ok && now != NULL) {
			zend_string_release(now);
		}
	}
	zend_string_release(own);
	return ok;
}

/* Takes both heads back, after the journal has lost the position at which the version begins. */
static bool take_back(publishing *publish, const php_bloom_heads *found, const plan *next)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];

	php_bloom_side_key(publish->name, "previous", key);
	if (!put_back(publish, publish->name, publish->blob->bytes, publish->blob->head.head_bytes,
		    found->current.value) ||
		(next->keep != NULL &&
			!put_back(publish, key, next->keep_bytes, next->keep->head_bytes,
				found->previous.value))) {
		return false;
	}
	/* Whoever deletes these chunks keeps those that a head names. */
	php_bloom_collect_add(&publish->old, &publish->blob->head);
	return true;
}

/* Checks the journal again once hosts can see the version: a process that does not know of it may
 * have trimmed the journal in between. */
static bool is_still_loadable(publishing *publish, const php_bloom_heads *found, const plan *next)
{
	zend_object *thrown;

	if (php_bloom_require_journal(publish->store, publish->name, &publish->blob->head)) {
		return true;
	}
	thrown = EG(exception);
	if (zend_is_unwind_exit(thrown) || zend_is_graceful_exit(thrown)) {
		return false;
	}
	GC_ADDREF(thrown);
	zend_clear_exception();
	if (take_back(publish, found, next)) {
		zend_throw_exception_internal(thrown);
	} else {
		OBJ_RELEASE(thrown);
	}
	return false;
}

/* Sets both heads.
 *
 *   *is_set  false: another process has changed something, so look again */
static bool set_heads(
	publishing *publish, const php_bloom_heads *found, const plan *next, bool *is_set)
{
	const bloom_head *head = &publish->blob->head;
	char key[PHP_BLOOM_SIDE_KEY_BYTES];

	*is_set = true;
	php_bloom_side_key(publish->name, "previous", key);
	if (next->keep != NULL &&
		!is_same(found->previous.value, next->keep_bytes, next->keep->head_bytes) &&
		!php_bloom_store_replace(publish->store, key, found->previous.value,
			next->keep_bytes, next->keep->head_bytes, is_set)) {
		return false;
	}
	if (!*is_set ||
		!php_bloom_store_replace(publish->store, publish->name, found->current.value,
			publish->blob->bytes, head->head_bytes, is_set)) {
		return !*is_set && EG(exception) == NULL;
	}
	if (*is_set) {
		publish->bytes_written += head->head_bytes;
	}
	return !*is_set || is_still_loadable(publish, found, next);
}

/* ---- after the publish ---- */

/* Returns the earlier one of two marks of the same journal, or `mark`. */
static const bloom_mark *earlier(const bloom_mark *mark, const bloom_mark *other)
{
	return bloom_mark_reaches(mark, other) ? other : mark;
}

/* Adds a sentence to the warning of the result. */
static void warn(publishing *publish, zend_string *text)
{
	zend_string *before = publish->old.warning;

	publish->old.warning = text;
	if (before != NULL) {
		publish->old.warning = strpprintf(0, "%s; %s", ZSTR_VAL(text), ZSTR_VAL(before));
		zend_string_release(before);
		zend_string_release(text);
	}
}

/* Returns the version that hosts are to serve after this publish: the new one, or that of a pin. */
static const bloom_head *effective(const publishing *publish, const php_bloom_heads *found)
{
	return found->override.bytes != NULL &&
			bloom_override_applies(&found->override.override, &publish->blob->head)
		? &found->override.override.head
		: &publish->blob->head;
}

/* Tells the hosts about a version without a mark, if they follow the journal. */
static bool finish_ending(publishing *publish)
{
	bool is_followed_by_none;

	if (!php_bloom_ending_finish(&publish->ending, &is_followed_by_none)) {
		return php_bloom_collect_warn(&publish->old);
	}
	if (is_followed_by_none) {
		warn(publish,
			strpprintf(0,
				"a mark of %s was taken, or a key was added, during this publish: "
				"hosts do not find the keys that were added since until a version "
				"with a mark is published",
				publish->name));
	}
	return true;
}

/* Tells the hosts that follow the journal about the version, and removes the records that no
 * version needs that hosts may load: the new one, the previous one, and that of an override. The
 * version is already published, so a failure is only a warning.
 *
 *   next      if it keeps no version, all records stay
 *   may_trim  false: another process has the lock, and may be publishing a version that needs the
 *             records */
static bool update_journal(
	publishing *publish, const php_bloom_heads *found, const plan *next, bool may_trim)
{
	const bloom_mark *mark = &publish->blob->head.meta.mark;
	const bloom_mark *needed = next->keep != NULL ? &next->keep->meta.mark : NULL;
	bool ok;

	if (mark->epoch == 0) {
		return finish_ending(publish);
	}
	if (!instanceof_function(publish->store->ce, php_bloom_ce_journal_store_interface)) {
		return true;
	}
	/* Hosts may still be loading the replaced version, even if it was rolled back. */
	if (needed != NULL) {
		needed = earlier(needed, &found->current.found.head.meta.mark);
		if (found->override.bytes != NULL) {
			needed = earlier(needed, &found->override.override.head.meta.mark);
		}
	}
	ok = php_bloom_journal_notice(publish->store, publish->name, effective(publish, found));
	if (ok && may_trim && needed != NULL && bloom_mark_reaches(mark, needed)) {
		ok = php_bloom_store_trim(publish->store, publish->name, needed);
	}
	return ok || php_bloom_collect_warn(&publish->old);
}

/* Deletes a rollback that the new version has ended. The version is already published, so a failure
 * is only a warning. */
static bool end_rollback(publishing *publish, const php_bloom_heads *found)
{
	php_bloom_stored_override now = {0};
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	zval keys;
	bool ok;

	ok = php_bloom_override_get(publish->store, publish->name, &now);
	if (ok && now.bytes != NULL && zend_string_equals(now.bytes, found->override.bytes)) {
		php_bloom_side_key(publish->name, "override", key);
		array_init(&keys);
		add_next_index_string(&keys, key);
		ok = php_bloom_store_delete(publish->store, &keys);
		zval_ptr_dtor(&keys);
	}
	php_bloom_override_release(&now);
	if (!ok) {
		/* The override is still there, so its chunks have to stay. */
		php_bloom_collect_keep(&publish->old, &found->override.override.head);
	}
	return ok || php_bloom_collect_warn(&publish->old);
}

/* Says that hosts do not serve this version, because the filter is pinned or this version was
 * rolled back. */
static void warn_of_override(publishing *publish, const php_bloom_heads *found)
{
	const bloom_override *override = &found->override.override;
	const char *state = override->kind == BLOOM_OVERRIDE_PIN ? "is pinned" : "was rolled back";

	if (found->override.bytes != NULL &&
		bloom_override_applies(override, &publish->blob->head) &&
		override->head.checksum != publish->blob->head.checksum) {
		warn(publish,
			strpprintf(0,
				"hosts do not serve this version, because %s %s to version "
				"%016llx: unpin it",
				publish->name, state,
				(unsigned long long) override->head.checksum));
	}
}

/* ---- the flow ---- */

/* Does the rest once the heads are set. */
static bool finish(publishing *publish, const php_bloom_heads *found, const plan *next)
{
	bool is_held, ok = php_bloom_lock_renew(&publish->old, &is_held);

	if (!ok && !php_bloom_collect_warn(&publish->old)) {
		return false;
	}
	/* The process that has taken the lock over may have deleted chunks before it saw the new
	 * head. It also has the list of the chunks to delete. */
	if (ok && !is_held && !keep_chunks(publish)) {
		return false;
	}
	return (!next->ends_rollback || end_rollback(publish, found)) &&
		update_journal(publish, found, next, ok && is_held);
}

/* Returns whether a newer version was published during this publish. */
static bool is_overtaken(const publishing *publish, const php_bloom_heads *found)
{
	const php_bloom_published *current = &found->current.found;

	return current->bytes != NULL &&
		current->head.meta.built_ms > publish->blob->head.meta.built_ms &&
		(publish->first == NULL || !zend_string_equals(current->bytes, publish->first));
}

/* Removes from the list the chunks that the heads in the store name. */
static void keep_named(publishing *publish, const php_bloom_heads *found)
{
	if (found->current.found.bytes != NULL) {
		php_bloom_collect_keep(&publish->old, &found->current.found.head);
	}
	if (found->previous.found.bytes != NULL) {
		php_bloom_collect_keep(&publish->old, &found->previous.found.head);
	}
	if (found->override.bytes != NULL) {
		php_bloom_collect_keep(&publish->old, &found->override.override.head);
	}
}

/* Publishes the version with the lock held, and with the heads that were found under it.
 *
 *   *is_done  false: another process has changed something, so look again */
static bool decide(publishing *publish, const php_bloom_heads *found, bool *is_done)
{
	const php_bloom_blob *blob = publish->blob;
	plan next = {0};
	bool is_held;

	*is_done = true;
	if (is_overtaken(publish, found)) {
		/* Hosts would refuse the older version. */
		php_bloom_collect_add(&publish->old, &blob->head);
		keep_named(publish, found);
		if (!php_bloom_lock_renew(&publish->old, is_done)) {
			return false;
		}
		publish->is_overtaken = *is_done;
		return !*is_done || php_bloom_collect(&publish->old);
	}
	if (!keep_chunks(publish)) {
		return false;
	}
	if (publish->old.own == NULL) {
		/* The lock was lost before all chunks were found. */
		*is_done = false;
		return true;
	}
	if (is_same(found->current.value, blob->bytes, blob->head.head_bytes)) {
		/* The version was already published, but chunks were missing, or a process was
		 * killed before it told the hosts. So hosts that could not load it try again. */
		keep_named(publish, found);
		return (blob->head.meta.mark.epoch == 0 ||
			       update_journal(publish, found, &next, false)) &&
			php_bloom_collect(&publish->old);
	}
	next = make_plan(publish, found);
	if (!php_bloom_require_journal(publish->store, publish->name, &blob->head) ||
		!stage_head(publish, &is_held) ||
		(is_held && !list_superfluous(publish, found, &next, &is_held))) {
		return false;
	}
	if (is_held && !php_bloom_ending_begin(&publish->ending, found)) {
		return false;
	}
	if (!is_held || !set_heads(publish, found, &next, is_done) || !*is_done) {
		*is_done = false;
		return EG(exception) == NULL;
	}
	if (!finish(publish, found, &next)) {
		return false;
	}
	if (found->override.bytes != NULL && !next.ends_rollback) {
		php_bloom_collect_keep(&publish->old, &found->override.override.head);
	}
	return php_bloom_collect(&publish->old);
}

/* Takes the lock, and decides until no other process has changed anything in between. */
static bool publish_head(publishing *publish)
{
	char subject[BLOOM_NAME_BYTES_MAX + 64];
	php_bloom_heads found = {0};
	bool is_done = false, ok = true;
	int i;

	for (i = 0; ok && !is_done && i < DECISIONS_MAX; i++) {
		ok = php_bloom_lock(&publish->old) &&
			php_bloom_heads_get(publish->store, publish->name, &found) &&
			decide(publish, &found, &is_done);
		if (ok && is_done && !publish->is_overtaken) {
			warn_of_override(publish, &found);
		}
		php_bloom_heads_release(&found);
		php_bloom_unlock(&publish->old);
	}
	if (ok && publish->is_overtaken) {
		(void)snprintf(subject, sizeof subject,
			"%s: a version that was built later is published", publish->name);
		return php_bloom_store_throw(BLOOM_E_OVERTAKEN, subject);
	}
	return ok && (is_done || php_bloom_store_throw(BLOOM_E_OVERTAKEN, publish->name));
}

/* Determines whether nothing is left to do: the version was already published, with all its chunks,
 * and no process has left chunks to delete. Then the store need not be writable. */
static bool is_all_done(publishing *publish, const php_bloom_published *current, bool *is_done)
{
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	php_bloom_heads found = {0};
	zend_string *claim = NULL;

	*is_done = false;
	if (publish->chunks_written > 0 ||
		!php_bloom_published_is(
			current, publish->blob->bytes, publish->blob->head.head_bytes)) {
		return true;
	}
	php_bloom_side_key(publish->name, "collecting", key);
	if (!php_bloom_store_get_one(publish->store, key, &claim)) {
		return false;
	}
	if (claim != NULL) {
		zend_string_release(claim);
		return true;
	}
	*is_done = true;
	if (!php_bloom_override_get(publish->store, publish->name, &found.override)) {
		return false;
	}
	warn_of_override(publish, &found);
	php_bloom_heads_release(&found);
	return true;
}

static bool publish_version(publishing *publish)
{
	php_bloom_heads before = {0};
	php_bloom_published *current = &before.current.found;
	php_bloom_journal_state state;
	bool is_whole = false, is_done = false, ok;
	int i;

	ok = php_bloom_require_journal(publish->store, publish->name, &publish->blob->head) &&
		php_bloom_get_valid_head(publish->store, publish->name, current);
	ok = ok &&
		(php_bloom_published_is(
			 current, publish->blob->bytes, publish->blob->head.head_bytes) ||
			php_bloom_ending_check(&publish->ending, &before, &state));
	publish->first = current->bytes;
	for (i = 0; ok && !is_whole && i < ROUNDS_MAX; i++) {
		ok = publish_chunks(publish, true, &is_whole);
		publish->force = false;
	}
	if (ok && !is_whole) {
		ok = php_bloom_store_throw(BLOOM_E_STORE_MISSING, "a chunk that was just written");
	}
	ok = ok && is_all_done(publish, current, &is_done) && (is_done || publish_head(publish));
	php_bloom_heads_release(&before);
	return ok;
}

/* Rejects a blob that hosts with this host's signing keys and clock would not load. */
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
	publishing publish;
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

	publish = (publishing){.store = store, .blob = blob, .progress = &progress, .force = force};
	publish.name = blob != NULL ? php_bloom_name(name, 2) : NULL;
	if (publish.name != NULL && may_end && blob->head.meta.mark.epoch != 0) {
		zend_argument_value_error(5,
			"must be false for a blob with a mark, because hosts follow the journal "
			"of such a blob");
		RETURN_THROWS();
	}
	ok = publish.name != NULL && is_loadable(blob, publish.name);
	if (ok) {
		publish.ending = (php_bloom_ending){
			.store = store, .name = publish.name, .blob = blob, .may_end = may_end};
		publish.old = (php_bloom_collecting){.store = store,
			.name = publish.name,
			.bytes = bloom_geometry_bytes(&blob->head.geometry),
			.progress = &progress};
		ok = publish_version(&publish);
	}
	if (ok) {
		bytes = bloom_geometry_bytes(&blob->head.geometry);
		ok = php_bloom_progress_report(&progress, bytes, bytes);
	}
	if (ok) {
		array_init(return_value);
		php_bloom_info_long(Z_ARRVAL_P(return_value), "chunks", blob->head.chunks);
		php_bloom_info_long(
			Z_ARRVAL_P(return_value), "chunksWritten", publish.chunks_written);
		php_bloom_info_long(
			Z_ARRVAL_P(return_value), "bytesWritten", publish.bytes_written);
		if (publish.old.warning != NULL) {
			php_bloom_info_string(Z_ARRVAL_P(return_value), "warning",
				ZSTR_VAL(publish.old.warning), ZSTR_LEN(publish.old.warning));
		} else {
			add_assoc_null(return_value, "warning");
		}
	}
	if (publish.old.warning != NULL) {
		zend_string_release(publish.old.warning);
	}
}
