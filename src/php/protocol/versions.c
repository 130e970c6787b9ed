/* Implements Blob::versions(), rollback(), pin() and unpin().
 *
 *     rollback(), pin()  take the publishers' lock (collect.h) ─► find the version
 *                        ─► all its chunks are there? ─► replace "<name>:override"
 *                        ─► notify the hosts that follow the journal
 *     unpin()            take the lock ─► leave the version's chunks to the next publisher
 *                        ─► delete the override
 */
#include "php/engine.h"

#include <string.h>

#include <zend_exceptions.h>

#include "filter/signature.h"
#include "filter/chunk.h"
#include "os/clock.h"
#include "php/arguments.h"
#include "php/filter/attachment_pool.h"
#include "php/classes.h"
#include "php/protocol/collect.h"
#include "php/errors.h"
#include "php/info_array.h"
#include "php/filter/info_object.h"
#include "php/protocol/journal_notice.h"
#include "php/keyrings.h"
#include "php/settings.h"

enum { CHECKSUM_DIGITS = 16 };

/* ---- chunks ---- */

/* Throws if the store lacks a chunk of a version. */
static bool require_chunks(zend_object *store, const char *name, const bloom_head *head)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t first, end, chunk;
	HashTable missing;
	bool ok = true;
	zval keys;

	zend_hash_init(&missing, 8, NULL, NULL, false);
	for (first = 0; ok && first < head->chunks; first = end) {
		end = head->chunks - first < PHP_BLOOM_STORE_KEYS_MAX
			? head->chunks
			: first + PHP_BLOOM_STORE_KEYS_MAX;
		array_init(&keys);
		for (chunk = first; chunk < end; chunk++) {
			bloom_chunk_key(name, bloom_head_chunk(head, chunk), key);
			add_next_index_string(&keys, key);
		}
		ok = php_bloom_store_missing(store, &keys, &missing);
		zval_ptr_dtor(&keys);
		if (ok && zend_hash_num_elements(&missing) > 0) {
			ok = php_bloom_store_throw(BLOOM_E_STORE_MISSING, "a chunk of the version");
		}
	}
	zend_hash_destroy(&missing);
	return ok;
}

/* The result of fetching all chunks of a version. */
typedef struct checked {
	uint64_t missing;
	uint64_t damaged;
	zval keys; /* a list of the keys of both */
} checked;

static void check_chunk(const bloom_head *head, uint64_t chunk, const char *key,
	const zend_string *value, checked *result)
{
	if (value == NULL) {
		result->missing++;
	} else if (ZSTR_LEN(value) != bloom_head_chunk_length(head, chunk) ||
		!bloom_chunk_matches(head, chunk, (const unsigned char *)ZSTR_VAL(value))) {
		result->damaged++;
	} else {
		return;
	}
	add_next_index_string(&result->keys, key);
}

/* Fetches and checks all chunks of a version. */
static bool check_chunks(
	zend_object *store, const char *name, const bloom_head *head, checked *result)
{
	enum { BATCH_BYTES = 4 * 1024 * 1024 };
	uint64_t most = BATCH_BYTES / head->meta.chunk_bytes + 1, first, end, chunk;
	char key[BLOOM_CHUNK_KEY_BYTES];
	const zend_string *value;
	zval keys, values;
	bool ok = true;

	most = most < PHP_BLOOM_STORE_KEYS_MAX ? most : PHP_BLOOM_STORE_KEYS_MAX;
	for (first = 0; ok && first < head->chunks; first = end) {
		end = head->chunks - first < most ? head->chunks : first + most;
		array_init(&keys);
		for (chunk = first; chunk < end; chunk++) {
			bloom_chunk_key(name, bloom_head_chunk(head, chunk), key);
			add_next_index_string(&keys, key);
		}
		ok = php_bloom_store_get(store, &keys, &values);
		zval_ptr_dtor(&keys);
		if (!ok) {
			return false;
		}
		for (chunk = first; ok && chunk < end; chunk++) {
			bloom_chunk_key(name, bloom_head_chunk(head, chunk), key);
			value = php_bloom_store_answer(&values, key, &ok);
			if (ok) {
				check_chunk(head, chunk, key, value, result);
			}
		}
		zval_ptr_dtor(&values);
	}
	return ok;
}

/* ---- this host ---- */

/* Returns the blob that this host serves under a name. Returns NULL if it serves none, or if the
 * filter cannot be opened. The result is valid until PHP code runs. Returns false if the script is
 * ending. */
static bool find_served(const char *name, const bloom_loaded **served)
{
	const bloom_segment *segment = php_bloom_segment();
	php_bloom_attachment *held = NULL;
	bloom_error error = {0};

	*served = NULL;
	if (segment == NULL) {
		if (!instanceof_function(EG(exception)->ce, php_bloom_ce_Bloom)) {
			return false;
		}
		zend_clear_exception();
	} else if (php_bloom_attach(segment, name, &held, &error) == BLOOM_OK) {
		*served = bloom_attachment_loaded(&held->attachment);
	}
	return true;
}

/* Adds what a sync of this host would fetch for a version: the chunks that fetch.c does not take
 * from the served blob, equal ones once. */
static bool fetch_info(HashTable *info, const char *name, const bloom_head *head)
{
	const bloom_loaded *served;
	uint64_t chunk, chunks = 0, bytes = 0;
	char key[BLOOM_CHUNK_KEY_BYTES];
	HashTable counted;

	if (!find_served(name, &served)) {
		return false;
	}
	if (served == NULL) {
		return true;
	}
	zend_hash_init(&counted, 8, NULL, NULL, false);
	for (chunk = 0; chunk < head->chunks; chunk++) {
		bloom_chunk_key(name, bloom_head_chunk(head, chunk), key);
		if (!bloom_chunk_is_served(
			    head, chunk, &served->head, served->map + served->head.head_bytes) &&
			zend_hash_str_add_empty_element(&counted, key, strlen(key)) != NULL) {
			chunks++;
			bytes += bloom_head_chunk_length(head, chunk);
		}
	}
	zend_hash_destroy(&counted);
	php_bloom_info_long(info, "fetchChunks", chunks);
	php_bloom_info_long(info, "fetchBytes", bytes);
	return true;
}

/* ---- versions() ---- */

typedef struct version {
	const char *label; /* NULL: only an override names it */
	const char *key;   /* in the store */
	php_bloom_published found;
	zend_string *error; /* why the head or the override cannot be read; NULL: it can */
} version;

enum { CURRENT, PREVIOUS, OVERRIDE, VERSIONS_MAX };

typedef struct version_listing {
	zend_object *store;
	const char *name;
	char keys[VERSIONS_MAX][PHP_BLOOM_SIDE_KEY_BYTES];
	version versions[VERSIONS_MAX];
	php_bloom_stored_override override;
	bloom_override_kind kind; /* the override that applies */
	bool verify;
} version_listing;

static void release(version_listing *listing)
{
	int i;

	for (i = 0; i < VERSIONS_MAX; i++) {
		php_bloom_published_release(&listing->versions[i].found);
		if (listing->versions[i].error != NULL) {
			zend_string_release(listing->versions[i].error);
		}
	}
	php_bloom_override_release(&listing->override);
}

/* Turns a pending exception about a value into the version's error. Returns false if the script is
 * ending. */
static bool take_error(version *one)
{
	zend_object *thrown = EG(exception);
	zval holder;

	if (!instanceof_function(thrown->ce, php_bloom_ce_Bloom)) {
		return false;
	}
	one->error = zval_get_string(zend_read_property_ex(
		thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder));
	zend_clear_exception();
	return true;
}

/* Takes a value from the store's answer. */
static bool take_value(const zval *values, version *one)
{
	bool ok;

	one->found.bytes = php_bloom_store_answer(values, one->key, &ok);
	if (one->found.bytes != NULL) {
		zend_string_addref(one->found.bytes);
	}
	return ok || take_error(one);
}

/* Parses the override's bytes, which are in the third version, and replaces them with its head. */
static void take_override(version_listing *listing)
{
	version *one = &listing->versions[OVERRIDE];
	bloom_error error = {0};
	bloom_status status;

	listing->override.bytes = one->found.bytes;
	one->found.bytes = NULL;
	if (listing->override.bytes == NULL) {
		return;
	}
	status = bloom_override_parse((const unsigned char *)ZSTR_VAL(listing->override.bytes),
		ZSTR_LEN(listing->override.bytes), listing->name, &listing->override.override,
		&error);
	if (status == BLOOM_OK) {
		status = bloom_override_check(
			(const unsigned char *)ZSTR_VAL(listing->override.bytes),
			ZSTR_LEN(listing->override.bytes), listing->name, php_bloom_signers(),
			&error);
	}
	if (status != BLOOM_OK) {
		one->error = php_bloom_error_text(&error);
		php_bloom_override_release(&listing->override);
	}
}

static bool is_same(const bloom_head *one, const bloom_head *other)
{
	return one->checksum == other->checksum && one->head_bytes == other->head_bytes;
}

/* Finds which override applies, and keeps its version if it is neither of the published ones. */
static void find_override(version_listing *listing)
{
	const bloom_override *override = &listing->override.override;
	const php_bloom_published *current = &listing->versions[CURRENT].found;
	version *one = &listing->versions[OVERRIDE];
	int i;

	if (listing->override.bytes == NULL ||
		!(override->kind == BLOOM_OVERRIDE_PIN ||
			(current->bytes != NULL &&
				bloom_override_applies(override, &current->head)))) {
		return;
	}
	listing->kind = override->kind;
	for (i = 0; i < OVERRIDE; i++) {
		if (listing->versions[i].found.bytes != NULL &&
			is_same(&listing->versions[i].found.head, &override->head)) {
			return;
		}
	}
	one->found.bytes = zend_string_copy(listing->override.bytes);
	one->found.head = override->head;
}

/* Replaces each version that the signing keys refuse by the reason. Whoever can write to the store
 * could have made up its numbers. */
static void drop_unsigned(version_listing *listing)
{
	bloom_error error = {0};
	int i;

	for (i = 0; i < VERSIONS_MAX; i++) {
		version *one = &listing->versions[i];
		const unsigned char *bytes = i == OVERRIDE
			? listing->override.override.head_bytes
			: (const unsigned char *)(one->found.bytes != NULL
					  ? ZSTR_VAL(one->found.bytes)
					  : NULL);

		if (one->found.bytes != NULL &&
			bloom_signature_check(&one->found.head, bytes, listing->name,
				php_bloom_signers(), &error) != BLOOM_OK) {
			one->error = php_bloom_error_text(&error);
			php_bloom_published_release(&one->found);
		}
	}
}

static bool read_versions(version_listing *listing)
{
	static const char *const labels[VERSIONS_MAX] = {"current", "previous", NULL};
	zval keys, values;
	bool ok = true;
	int i;

	(void)snprintf(listing->keys[CURRENT], sizeof listing->keys[CURRENT], "%s", listing->name);
	php_bloom_side_key(listing->name, "previous", listing->keys[PREVIOUS]);
	php_bloom_side_key(listing->name, "override", listing->keys[OVERRIDE]);
	array_init(&keys);
	for (i = 0; i < VERSIONS_MAX; i++) {
		listing->versions[i].label = labels[i];
		listing->versions[i].key = listing->keys[i];
		add_next_index_string(&keys, listing->keys[i]);
	}
	ok = php_bloom_store_get(listing->store, &keys, &values);
	zval_ptr_dtor(&keys);
	if (!ok) {
		return false;
	}
	for (i = 0; ok && i < VERSIONS_MAX; i++) {
		ok = take_value(&values, &listing->versions[i]);
		if (ok && i < OVERRIDE && !php_bloom_published_parse(&listing->versions[i].found)) {
			ok = take_error(&listing->versions[i]);
		}
	}
	zval_ptr_dtor(&values);
	if (ok) {
		take_override(listing);
		find_override(listing);
		drop_unsigned(listing);
	}
	return ok;
}

/* Counts the chunks of a version that another version names, too. */
static uint64_t count_shared(const version_listing *listing, const version *one)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t chunk, shared = 0;
	HashTable others;
	int i;

	zend_hash_init(&others, 8, NULL, NULL, false);
	for (i = 0; i < VERSIONS_MAX; i++) {
		const php_bloom_published *other = &listing->versions[i].found;

		if (&listing->versions[i] != one && other->bytes != NULL) {
			php_bloom_add_chunk_keys(
				&others, listing->name, &other->head, 0, other->head.chunks);
		}
	}
	for (chunk = 0; chunk < one->found.head.chunks; chunk++) {
		bloom_chunk_key(listing->name, bloom_head_chunk(&one->found.head, chunk), key);
		shared += zend_hash_str_exists(&others, key, strlen(key));
	}
	zend_hash_destroy(&others);
	return shared;
}

/* Adds what an override says about a version. */
static void serving_info(HashTable *info, const version_listing *listing, const version *one)
{
	const bloom_override *override = &listing->override.override;
	double since = (double) override->since_ms / 1000;
	bool has_override = listing->kind != BLOOM_OVERRIDE_NONE && one->found.bytes != NULL &&
		is_same(&one->found.head, &override->head);

	php_bloom_info_bool(info, "isServed",
		one->found.bytes != NULL &&
			(listing->kind == BLOOM_OVERRIDE_NONE ? one == &listing->versions[CURRENT]
							      : has_override));
	if (has_override) {
		php_bloom_info_double(info,
			listing->kind == BLOOM_OVERRIDE_PIN ? "pinnedSince" : "rolledBackAt",
			since);
	}
}

/* Adds the entries that come from the head. A version without a head has zeros. */
static void head_info(HashTable *info, const version_listing *listing, const version *one)
{
	static const bloom_head none = {0};
	const bloom_head *head = one->found.bytes != NULL ? &one->found.head : &none;
	char checksum[CHECKSUM_DIGITS + 1];

	(void)snprintf(checksum, sizeof checksum, "%016llx", (unsigned long long)head->checksum);
	php_bloom_info_string(
		info, "checksum", checksum, one->found.bytes != NULL ? CHECKSUM_DIGITS : 0);
	php_bloom_info_double(info, "builtAt", (double)head->meta.built_ms / 1000);
	php_bloom_info_long(info, "keys", head->keys);
	php_bloom_info_long(info, "bytes", head->file_bytes);
	php_bloom_info_double(info, "falsePositiveRate", head->meta.target_rate);
	php_bloom_info_geometry(info, &head->geometry, head->geometry.shards, 0);
	php_bloom_info_long(info, "chunks", head->chunks);
	php_bloom_info_long(info, "chunkBytes", head->meta.chunk_bytes);
	php_bloom_info_long(
		info, "sharedChunks", one->found.bytes != NULL ? count_shared(listing, one) : 0);
	php_bloom_info_fingerprint(info, "signedBy", head->signer);
}

static bool append_version(const version_listing *listing, const version *one, zval *list)
{
	checked result = {0};
	HashTable *info;
	zval entry;

	array_init(&entry);
	info = Z_ARRVAL(entry);
	if (one->label != NULL) {
		php_bloom_info_string(info, "label", one->label, strlen(one->label));
	}
	serving_info(info, listing, one);
	head_info(info, listing, one);
	array_init(&result.keys);
	if (one->found.bytes != NULL &&
		(!fetch_info(info, listing->name, &one->found.head) ||
			(listing->verify &&
				!check_chunks(listing->store, listing->name, &one->found.head,
					&result)))) {
		zval_ptr_dtor(&result.keys);
		zval_ptr_dtor(&entry);
		return false;
	}
	if (listing->verify && one->found.bytes != NULL) {
		php_bloom_info_long(info, "missingChunks", result.missing);
		php_bloom_info_long(info, "damagedChunks", result.damaged);
	}
	php_bloom_info_list(info, "badChunks", &result.keys);
	if (one->error != NULL) {
		php_bloom_info_string(info, "error", ZSTR_VAL(one->error), ZSTR_LEN(one->error));
	}
	php_bloom_info_object(&entry, php_bloom_ce_version);
	add_next_index_zval(list, &entry);
	return true;
}

ZEND_METHOD(Bloom_Blob, versions)
{
	version_listing listing = {0};
	zend_string *name;
	bool ok;
	int i;

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_OBJ_OF_CLASS(listing.store, php_bloom_ce_store_interface)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_BOOL(listing.verify)
	ZEND_PARSE_PARAMETERS_END();

	listing.name = php_bloom_name(name, 2);
	if (listing.name == NULL) {
		RETURN_THROWS();
	}
	ok = read_versions(&listing);
	array_init(return_value);
	for (i = 0; ok && i < VERSIONS_MAX; i++) {
		const version *one = &listing.versions[i];

		ok = (one->found.bytes == NULL && one->error == NULL) ||
			append_version(&listing, one, return_value);
	}
	release(&listing);
	if (!ok) {
		zval_ptr_dtor(return_value);
		ZVAL_NULL(return_value);
		RETURN_THROWS();
	}
}

/* ---- rollback(), pin() and unpin() ---- */

typedef struct override_change {
	zend_object *store;
	const char *name;
	char key[PHP_BLOOM_SIDE_KEY_BYTES];
	php_bloom_heads found;
	bloom_override_kind in_force; /* found.override, if hosts obey it */
	php_bloom_progress progress;  /* silent */
	php_bloom_collecting old;
	zend_string *before;  /* the value of the override, even if it is unreadable; NULL: none */
	zend_string *written; /* the new override; NULL: none */
} override_change;

/* Takes the lock, and reads the heads and the override. */
static bool begin(override_change *change)
{
	php_bloom_side_key(change->name, "override", change->key);
	change->old = (php_bloom_collecting){
		.store = change->store, .name = change->name, .progress = &change->progress};
	if (!php_bloom_lock(&change->old) ||
		!php_bloom_heads_get(change->store, change->name, &change->found) ||
		!php_bloom_stored_get(change->store, change->key, &change->before)) {
		return false;
	}
	if (php_bloom_override_is_in_force(
		    &change->found.override, change->name, &change->found.current.found)) {
		change->in_force = change->found.override.override.kind;
	}
	return true;
}

/* Throws if the store has no head, or if it is unreadable. */
static bool require_stored(const php_bloom_stored *stored, const char *name)
{
	php_bloom_published again = {0};

	if (stored->value == NULL) {
		return php_bloom_store_throw(BLOOM_E_STORE_MISSING, name);
	}
	if (stored->found.bytes == NULL) {
		again.bytes = zend_string_copy(stored->value);
		(void)php_bloom_published_parse(&again);
		php_bloom_published_release(&again);
	}
	return stored->found.bytes != NULL;
}

static void end(override_change *change)
{
	php_bloom_unlock(&change->old);
	php_bloom_heads_release(&change->found);
	if (change->old.warning != NULL) {
		zend_string_release(change->old.warning);
	}
	if (change->before != NULL) {
		zend_string_release(change->before);
	}
	if (change->written != NULL) {
		zend_string_release(change->written);
	}
}

/* Throws if hosts with this host's signing keys and clock would not load the version. */
static bool is_loadable(
	const override_change *change, const bloom_head *head, const unsigned char *bytes)
{
	bloom_error error = {0};

	if (bloom_signature_check(head, bytes, change->name, php_bloom_signers(), &error) ==
			BLOOM_OK &&
		bloom_head_check_built(head, bloom_clock_ms(), change->name, &error) == BLOOM_OK) {
		return true;
	}
	php_bloom_throw(&error);
	return false;
}

static bool delete_override(const override_change *change)
{
	zval keys;
	bool ok;

	array_init(&keys);
	add_next_index_string(&keys, change->key);
	ok = php_bloom_store_delete(change->store, &keys);
	zval_ptr_dtor(&keys);
	return ok;
}

/* Returns the time of the new override: later than that of the one that it replaces, even if clocks
 * differ. Anyone who can write to the store can date a record that is not signed. An override that
 * is dated ahead stays valid for hosts after it has ended (bloom_served_override_note()), so such a
 * time must not be continued with this host's signature. */
static uint64_t choose_since(const override_change *change)
{
	const php_bloom_stored_override *before = &change->found.override;
	uint64_t now_ms = bloom_clock_ms();

	return before->bytes != NULL && before->override.since_ms >= now_ms &&
			before->override.since_ms < now_ms + BLOOM_BUILT_AHEAD_MS_MAX &&
			bloom_override_check((const unsigned char *)ZSTR_VAL(before->bytes),
				ZSTR_LEN(before->bytes), change->name, php_bloom_signers(),
				NULL) == BLOOM_OK
		? before->override.since_ms + 1
		: now_ms;
}

static bool make_override(override_change *change, bloom_override_kind kind, const bloom_head *head,
	const unsigned char *bytes)
{
	const bloom_ring *ring = php_bloom_signers();
	const bloom_secret *key = NULL;
	bloom_error error = {0};

	if (ring != NULL && ring->configured) {
		key = bloom_ring_current(ring, BLOOM_E_NO_SIGNING_KEY, &error);
		if (key == NULL) {
			php_bloom_throw(&error);
			return false;
		}
	}
	change->written =
		zend_string_alloc((size_t)(head->head_bytes + BLOOM_OVERRIDE_EXTRA_BYTES), false);
	ZSTR_VAL(change->written)[ZSTR_LEN(change->written)] = '\0';
	bloom_override_write((unsigned char *)ZSTR_VAL(change->written), kind, choose_since(change),
		kind == BLOOM_OVERRIDE_ROLLBACK ? change->found.current.found.head.checksum : 0,
		bytes, head->head_bytes, change->name, key);
	return true;
}

/* Writes the override if the process still holds the lock. Hosts refuse one whose bytes a store has
 * changed, so it need not be read back. */
static bool write_override(override_change *change)
{
	bool is_done;

	if (!php_bloom_lock_renew(&change->old, &is_done) ||
		(is_done &&
			!php_bloom_store_replace(change->store, change->key, change->before,
				(const unsigned char *)ZSTR_VAL(change->written),
				ZSTR_LEN(change->written), &is_done))) {
		return false;
	}
	return is_done || php_bloom_store_throw(BLOOM_E_OVERTAKEN, change->name);
}

/* Deletes the new override if the version is no longer complete: this process has stalled for so
 * long that another one has taken the lock over and deleted chunks. No override is better than one
 * that no host can load. */
static bool is_kept(override_change *change, const bloom_head *head)
{
	zend_object *thrown;
	bool is_held;

	if (!php_bloom_lock_renew(&change->old, &is_held)) {
		return false;
	}
	if (is_held || require_chunks(change->store, change->name, head)) {
		return true;
	}
	thrown = EG(exception);
	if (zend_is_unwind_exit(thrown) || zend_is_graceful_exit(thrown)) {
		return false;
	}
	GC_ADDREF(thrown);
	zend_clear_exception();
	if (delete_override(change)) {
		zend_throw_exception_internal(thrown);
	} else {
		OBJ_RELEASE(thrown);
	}
	return false;
}

/* Leaves the chunks of a version that hosts may still use to the next publisher. */
static void leave_chunks(override_change *change, const bloom_head *head, const bloom_head *keep)
{
	php_bloom_collect_add(&change->old, head);
	if (keep != NULL) {
		php_bloom_collect_keep(&change->old, keep);
	}
	if (change->found.current.found.bytes != NULL) {
		php_bloom_collect_keep(&change->old, &change->found.current.found.head);
	}
	if (change->found.previous.found.bytes != NULL) {
		php_bloom_collect_keep(&change->old, &change->found.previous.found.head);
	}
}

/* Tells the hosts that follow the journal, which otherwise read the head once a minute. If the
 * version has no mark, the journal ends. The override is in force even if the store then fails. */
static bool notify(override_change *change, const bloom_head *head)
{
	return !instanceof_function(change->store->ce, php_bloom_ce_journal_store_interface) ||
		php_bloom_journal_notice(change->store, change->name, head) ||
		php_bloom_collect_warn(&change->old);
}

/* Ends an open journal before hosts can see a version without a mark, because they will not find
 * keys that are added from then on. */
static bool end_journal(const override_change *change, const bloom_head *head)
{
	php_bloom_journal_state state;

	return head->meta.mark.epoch != 0 ||
		!instanceof_function(change->store->ce, php_bloom_ce_journal_store_interface) ||
		(php_bloom_journal_look(change->store, change->name, &state) &&
			(!state.is_open ||
				php_bloom_journal_notice(change->store, change->name, head)));
}

static bool override_with(override_change *change, bloom_override_kind kind, const bloom_head *head,
	const unsigned char *bytes)
{
	const php_bloom_stored_override *before = &change->found.override;

	if (!is_loadable(change, head, bytes) ||
		!require_chunks(change->store, change->name, head) ||
		!php_bloom_require_journal(change->store, change->name, head) ||
		!make_override(change, kind, head, bytes)) {
		return false;
	}
	if (before->bytes != NULL && !is_same(&before->override.head, head)) {
		leave_chunks(change, &before->override.head, head);
	}
	return end_journal(change, head) && write_override(change) && is_kept(change, head) &&
		notify(change, head);
}

static bool roll_back(override_change *change)
{
	const php_bloom_published *previous = &change->found.previous.found;

	if (change->in_force == BLOOM_OVERRIDE_PIN) {
		return php_bloom_store_throw(BLOOM_E_PINNED, change->name);
	}
	if (change->in_force == BLOOM_OVERRIDE_ROLLBACK) {
		return true; /* it is already rolled back */
	}
	if (change->found.previous.value != NULL &&
		!require_stored(&change->found.previous, change->name)) {
		return false;
	}
	/* They are the same if a publisher was killed between the two heads, or if the blob file of
	 * the previous version was published again. */
	if (previous->bytes == NULL ||
		is_same(&previous->head, &change->found.current.found.head)) {
		return php_bloom_store_throw(BLOOM_E_NO_PREVIOUS, change->name);
	}
	return override_with(change, BLOOM_OVERRIDE_ROLLBACK, &previous->head,
		(const unsigned char *)ZSTR_VAL(previous->bytes));
}

ZEND_METHOD(Bloom_Blob, rollback)
{
	override_change change = {0};
	zend_string *name;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_OBJ_OF_CLASS(change.store, php_bloom_ce_store_interface)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	change.name = php_bloom_name(name, 2);
	if (change.name == NULL) {
		RETURN_THROWS();
	}
	ok = begin(&change) && require_stored(&change.found.current, change.name) &&
		roll_back(&change);
	end(&change);
	if (!ok) {
		RETURN_THROWS();
	}
}

/* Finds the version to pin to: the one with this checksum, or, if it is NULL, the one that hosts
 * serve. */
static const bloom_head *find_version(
	override_change *change, const zend_string *checksum, const unsigned char **bytes)
{
	const bloom_override *override = &change->found.override.override;
	const php_bloom_published *current = &change->found.current.found;
	const php_bloom_published *previous = &change->found.previous.found;
	uint64_t wanted = checksum != NULL ? ZEND_STRTOUL(ZSTR_VAL(checksum), NULL, 16)
					   : current->head.checksum;
	char subject[CHECKSUM_DIGITS + sizeof "version "];

	if (checksum == NULL && change->in_force != BLOOM_OVERRIDE_NONE) {
		wanted = override->head.checksum;
	}
	if (current->head.checksum == wanted) {
		*bytes = (const unsigned char *)ZSTR_VAL(current->bytes);
		return &current->head;
	}
	if (previous->bytes != NULL && previous->head.checksum == wanted) {
		*bytes = (const unsigned char *)ZSTR_VAL(previous->bytes);
		return &previous->head;
	}
	if (change->found.override.bytes != NULL && override->head.checksum == wanted) {
		*bytes = override->head_bytes;
		return &override->head;
	}
	(void)snprintf(subject, sizeof subject, "version %016llx", (unsigned long long)wanted);
	(void)php_bloom_store_throw(BLOOM_E_STORE_MISSING, subject);
	return NULL;
}

static bool pin(override_change *change, const zend_string *checksum)
{
	const unsigned char *bytes = NULL;
	const bloom_head *head = find_version(change, checksum, &bytes);

	if (head == NULL) {
		return false;
	}
	return (change->in_force == BLOOM_OVERRIDE_PIN &&
		       is_same(head, &change->found.override.override.head)) ||
		override_with(change, BLOOM_OVERRIDE_PIN, head, bytes);
}

ZEND_METHOD(Bloom_Blob, pin)
{
	zend_string *name, *checksum = NULL;
	override_change change = {0};
	bool ok;

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_OBJ_OF_CLASS(change.store, php_bloom_ce_store_interface)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR_OR_NULL(checksum)
	ZEND_PARSE_PARAMETERS_END();

	change.name = php_bloom_name(name, 2);
	if (change.name == NULL) {
		RETURN_THROWS();
	}
	if (checksum != NULL &&
		(ZSTR_LEN(checksum) != CHECKSUM_DIGITS ||
			strspn(ZSTR_VAL(checksum), "0123456789abcdef") != CHECKSUM_DIGITS)) {
		zend_argument_value_error(
			3, "must be a version's checksum of 16 hexadecimal digits");
		RETURN_THROWS();
	}
	ok = begin(&change) && require_stored(&change.found.current, change.name) &&
		pin(&change, checksum);
	end(&change);
	if (!ok) {
		RETURN_THROWS();
	}
}

/* Deletes the override. Hosts may still use its version, so its chunks stay until the next publish.
 * An unreadable head or override must not prevent this. */
static bool unpin(override_change *change)
{
	const php_bloom_published *current = &change->found.current.found;
	const php_bloom_stored_override *before = &change->found.override;
	bool is_change = current->bytes != NULL && before->bytes != NULL;

	if (is_change) {
		leave_chunks(change, &before->override.head, NULL);
	}
	return (!is_change || end_journal(change, &current->head)) && delete_override(change) &&
		(!is_change || notify(change, &current->head));
}

ZEND_METHOD(Bloom_Blob, unpin)
{
	override_change change = {0};
	zend_string *name;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_OBJ_OF_CLASS(change.store, php_bloom_ce_store_interface)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	change.name = php_bloom_name(name, 2);
	if (change.name == NULL) {
		RETURN_THROWS();
	}
	ok = begin(&change) && unpin(&change);
	end(&change);
	if (!ok) {
		RETURN_THROWS();
	}
}
