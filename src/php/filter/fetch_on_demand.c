/* Fetches the chunks that lookups in a Bloom\OnDemandFilter need.
 *
 *     key ─► chunk resident? ─ yes ─► answer
 *              no ─► claim ─► getMultiple() ─► slot ─► answer
 *                      └ claimed by another process, store paused, or chunk unavailable: "maybe"
 *
 * A lookup calls the store, which is userland. The store may drop the filter, load another head,
 * fork or end the script. Each claim therefore belongs to one file and is used only while that file
 * is still attached. A store failure does not fail the lookup: the control page records the
 * failure, and all processes stop using the store for a while.
 */
#include "php/filter/fetch_on_demand.h"

#include <string.h>

#include <zend_exceptions.h>

#include "kinds/ondemand.h"
#include "os/clock.h"
#include "os/process.h"
#include "php/errors.h"
#include "php/globals.h"
#include "php/filter/handle.h"
#include "php/job.h"
#include "php/store/store.h"
#include "segment/sync_due.h"
#include "filter/chunk.h"

enum { BATCH_BYTES = 4 * 1024 * 1024 };

typedef struct claimed {
	uint64_t chunk;
	uint64_t claim;
} claimed;

typedef struct fetching {
	zend_object *object;
	/* The bloom_process_id() of the process that made the claims. A child that the store forks
	 * has no claims. */
	uint64_t process;
	/* The file that contains the claims. After a call of the store, the name may refer to a
	 * different file. */
	uint64_t file;
	uint64_t turn; /* see bloom_cache_may_ask() */
	claimed *claims;
	uint64_t count;
	uint64_t capacity;
} fetching;

/* Returns the current attachment, or NULL if the filter was dropped, cannot be mapped or is now of
 * a different kind. Unlike php_bloom_current() it never throws, because an exception may already be
 * pending. */
static bloom_attachment *up_to_date(zend_object *object)
{
	bloom_attachment *attachment = &php_bloom_filter_of(object)->held->attachment;

	return bloom_attachment_check(attachment) == BLOOM_PRESENCE_OPS && attachment->ops->fetches
		? attachment
		: NULL;
}

/* Returns the current attachment if the claims are in its file, otherwise NULL. */
static bloom_attachment *same_file(const fetching *fetch)
{
	bloom_attachment *attachment = up_to_date(fetch->object);

	return attachment != NULL && attachment->cache->id == fetch->file ? attachment : NULL;
}

static void unclaim(const fetching *fetch, bloom_cache *cache, uint64_t first)
{
	uint64_t i;

	for (i = first; fetch->process == bloom_process_id() && i < fetch->count; i++) {
		bloom_cache_unclaim(cache, fetch->claims[i].chunk, fetch->claims[i].claim);
	}
}

static void note(const bloom_attachment *attachment, const bloom_error *error)
{
	zend_string *text = php_bloom_error_text(error);

	bloom_sync_note(attachment->control, error->status, ZSTR_VAL(text));
	zend_string_release(text);
}

/* Returns the message of the pending exception and clears it. Returns NULL if the script is ending.
 * Userland may run. */
static zend_string *take_exception(void)
{
	zend_object *thrown = EG(exception);
	zend_string *text;
	zval holder;

	if (thrown == NULL || zend_is_unwind_exit(thrown) || zend_is_graceful_exit(thrown)) {
		return NULL;
	}
	text = zval_get_string(zend_read_property_ex(
		thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder));
	zend_clear_exception();
	return text;
}

static void note_failed(const fetching *fetch, const char *text)
{
	bloom_attachment *attachment = same_file(fetch);
	uint64_t turn = attachment != NULL ? fetch->turn : 0;

	if (attachment != NULL) {
		unclaim(fetch, attachment->cache, 0);
	} else {
		attachment = up_to_date(fetch->object);
	}
	if (attachment != NULL) {
		bloom_cache_failed(attachment->cache, bloom_monotonic_ms(), turn);
		bloom_sync_note(attachment->control, BLOOM_E_STORE, text);
	}
}

/* Records a failed call and starts a pause. A child process that the store forked must do neither,
 * because the parent process may still get an answer. */
static bool give_up(const fetching *fetch)
{
	zend_string *text = take_exception();

	if (fetch->process == bloom_process_id()) {
		note_failed(fetch, text != NULL ? ZSTR_VAL(text) : PHP_BLOOM_SCRIPT_ENDED);
	}
	if (text != NULL) {
		zend_string_release(text);
	}
	return EG(exception) == NULL;
}

/* Puts one chunk into a slot if the store returned the chunk. */
static bloom_status put_value(
	bloom_attachment *attachment, uint64_t chunk, const zval *values, bloom_error *error)
{
	const bloom_head *blob = &attachment->cache->blob;
	char key[BLOOM_CHUNK_KEY_BYTES];
	bloom_status status;
	zval *value;

	bloom_chunk_key(attachment->name, bloom_head_chunk(blob, chunk), key);
	value = zend_symtable_str_find(Z_ARRVAL_P(values), key, strlen(key));
	if (value != NULL) {
		ZVAL_DEREF(value);
	}
	if (value == NULL || Z_TYPE_P(value) == IS_NULL) {
		return bloom_fail(error, BLOOM_E_STORE_MISSING, 0, "%.600s", key);
	}
	if (Z_TYPE_P(value) != IS_STRING) {
		return bloom_fail(error, BLOOM_E_STORE_TYPE, 0, "%.600s", key);
	}
	if (Z_STRLEN_P(value) != bloom_head_chunk_length(blob, chunk)) {
		return bloom_fail(error, BLOOM_E_CHUNK_DIGEST, 0, "%.600s", key);
	}
	status = bloom_cache_put(attachment->cache, attachment->segment, attachment->name, chunk,
		(const unsigned char *)Z_STRVAL_P(value), error);
	if (status == BLOOM_OK) {
		(void)bloom_add(&attachment->control->counters.fetched_bytes, Z_STRLEN_P(value));
	}
	return status == BLOOM_E_CHUNK_DIGEST ? bloom_fail(error, status, 0, "%.600s", key)
					      : status;
}

/* Returns whether the failure was caused by the store's answer rather than by this host. */
static bool is_lacking(bloom_status status)
{
	bloom_status_group group = bloom_status_group_of(status);

	return group == BLOOM_GROUP_STORE || group == BLOOM_GROUP_FORMAT;
}

/* Puts the chunks that were returned into slots. A missing or invalid chunk stays claimed, so no
 * process requests it again until the claim expires. */
static void put_values(const fetching *fetch, const zval *values)
{
	bloom_attachment *attachment = same_file(fetch);
	bloom_error error = {0}, lacking_error = {0};
	uint64_t i, got = 0, lacking = 0;
	bloom_status status = BLOOM_OK;

	if (attachment == NULL) {
		return;
	}
	for (i = 0; i < fetch->count; i++) {
		status = put_value(attachment, fetch->claims[i].chunk, values, &error);
		if (status == BLOOM_OK) {
			got++;
		} else if (is_lacking(status)) {
			lacking++;
			lacking_error = error;
		} else {
			break;
		}
	}
	if (lacking > 0) {
		note(attachment, &lacking_error);
	}
	if (i == fetch->count) {
		bloom_cache_answered(
			attachment->cache, got, lacking, bloom_monotonic_ms(), fetch->turn);
		return;
	}
	unclaim(fetch, attachment->cache, i);
	bloom_cache_failed(attachment->cache, bloom_monotonic_ms(), fetch->turn);
	note(attachment, &error);
}

/* Returns the counter of nested fetches in this thread. Fetches are nested if a store looks up keys
 * itself or if a fiber is suspended during a fetch. A fatal error may leave the count too high, so
 * each request starts at 0. */
static uint32_t *nested_fetches(void)
{
	if (BLOOM_G(fetches_request) != BLOOM_G(request)) {
		BLOOM_G(fetches_request) = BLOOM_G(request);
		BLOOM_G(fetches) = 0;
	}
	return &BLOOM_G(fetches);
}

/* Gets the claimed chunks from the store. */
static bool fetch_claimed(const fetching *fetch, const bloom_attachment *attachment)
{
	php_bloom_filter *self = php_bloom_filter_of(fetch->object);
	char key[BLOOM_CHUNK_KEY_BYTES];
	zval keys, values;
	uint64_t i;
	bool ok;

	array_init(&keys);
	for (i = 0; i < fetch->count; i++) {
		bloom_chunk_key(attachment->name,
			bloom_head_chunk(&attachment->cache->blob, fetch->claims[i].chunk), key);
		add_next_index_string(&keys, key);
	}
	self->is_fetching = true;
	(*nested_fetches())++;
	ok = php_bloom_store_get(Z_OBJ(self->store), &keys, &values);
	(*nested_fetches())--;
	self->is_fetching = false;
	zval_ptr_dtor(&keys);
	if (!ok) {
		return give_up(fetch);
	}
	put_values(fetch, &values);
	zval_ptr_dtor(&values);
	return EG(exception) == NULL;
}

/* Returns whether this handle may call the store now. A handle must not call the store from within
 * its own store call. The limit on nested fetches keeps stores that look up keys from overflowing
 * the stack. */
static bool can_ask(zend_object *object, const bloom_attachment *attachment, uint64_t now_ms)
{
	enum { NESTED_MAX = 16 };
	const php_bloom_filter *self = php_bloom_filter_of(object);

	return Z_TYPE(self->store) == IS_OBJECT && !self->is_fetching &&
		*nested_fetches() < NESTED_MAX &&
		bloom_cache_pause_ms(attachment->cache, now_ms) == 0;
}

static fetching begin(
	zend_object *object, const bloom_attachment *attachment, claimed *claims, uint64_t capacity)
{
	return (fetching){.object = object,
		.process = bloom_process_id(),
		.file = attachment->cache->id,
		.claims = claims,
		.capacity = capacity};
}

/* Claims a chunk that is not resident. */
static void want(fetching *fetch, bloom_cache *cache, uint64_t chunk, uint64_t now_ms)
{
	uint64_t claim =
		fetch->count < fetch->capacity ? bloom_cache_claim(cache, chunk, now_ms) : 0;

	if (claim != 0) {
		fetch->claims[fetch->count++] = (claimed){.chunk = chunk, .claim = claim};
	}
}

/* Returns true if there are claims and the store may be called. Otherwise releases the claims. */
static bool may_fetch(fetching *fetch, bloom_cache *cache, uint64_t now_ms)
{
	if (fetch->count == 0) {
		return false;
	}
	if (!bloom_cache_may_ask(cache, now_ms, &fetch->turn)) {
		unclaim(fetch, cache, 0);
		return false;
	}
	return true;
}

/* Repeats the lookup after the fetch, whether or not the chunk is now resident. */
static bool look_again(zend_object *object, const php_bloom_key *key, bool *answer)
{
	bloom_presence presence;
	bloom_attachment *attachment = php_bloom_current(object, &presence);

	if (attachment == NULL) {
		return false;
	}
	*answer = presence == BLOOM_PRESENCE_UNMAPPED ||
		bloom_attachment_test(attachment, key->bytes, key->count);
	return true;
}

bool php_bloom_ondemand_test(
	zend_object *object, bloom_attachment *attachment, const php_bloom_key *key, bool *answer)
{
	bloom_cache *cache = attachment->cache;
	bloom_digest digest = bloom_hash(&cache->hasher, key->bytes, key->count);
	bloom_answer found = bloom_cache_test(cache, digest);
	claimed claim;
	fetching fetch;
	uint64_t now_ms;

	*answer = found != BLOOM_NO;
	if (found != BLOOM_NOT_HERE) {
		return true;
	}
	bloom_increment(&cache->head->misses);
	now_ms = bloom_monotonic_ms();
	fetch = begin(object, attachment, &claim, 1);
	if (can_ask(object, attachment, now_ms)) {
		want(&fetch, cache, bloom_cache_chunk(cache, digest), now_ms);
	}
	if (may_fetch(&fetch, cache, now_ms)) {
		return fetch_claimed(&fetch, attachment) && look_again(object, key, answer);
	}
	bloom_increment(&cache->head->unavailable);
	return true;
}

/* Claims missing chunks of the keys until fetch->claims is full. Returns the number of keys whose
 * chunk is missing. */
static uint64_t want_all(fetching *fetch, bloom_cache *cache, HashTable *keys, uint64_t now_ms)
{
	uint64_t chunk, misses = 0;
	php_bloom_key key;
	zval *value;

	ZEND_HASH_FOREACH_VAL(keys, value) {
		if (!php_bloom_key_of_value(&key, value)) {
			continue;
		}
		chunk = bloom_cache_chunk(cache, bloom_hash(&cache->hasher, key.bytes, key.count));
		if (!bloom_cache_keep(cache, chunk)) {
			misses++;
			want(fetch, cache, chunk, now_ms);
		}
	}
	ZEND_HASH_FOREACH_END();
	return misses;
}

/* Returns the maximum number of chunks to fetch in one call of the store. */
static uint64_t batch_of(const bloom_attachment *attachment, const HashTable *keys)
{
	uint64_t most = BATCH_BYTES / attachment->cache->blob.meta.chunk_bytes + 1;
	uint64_t count = zend_hash_num_elements(keys);

	if (most > PHP_BLOOM_STORE_KEYS_MAX) {
		most = PHP_BLOOM_STORE_KEYS_MAX;
	}
	return most < count ? most : count;
}

bool php_bloom_ondemand_fetch_all(
	zend_object *object, bloom_attachment *attachment, HashTable *keys)
{
	uint64_t in_batch = batch_of(attachment, keys);
	/* If more chunks were fetched than there are slots, they would evict each other before the
	 * lookup. */
	uint64_t left = attachment->cache->slot_count, now_ms, misses;
	/* The claims are too large for a fiber's stack. */
	fetching fetch = begin(object, attachment, safe_emalloc(in_batch, sizeof(claimed), 0), 0);
	bool is_first = true, ok = true;

	for (; ok && attachment != NULL; attachment = same_file(&fetch)) {
		now_ms = bloom_monotonic_ms();
		fetch.count = 0;
		fetch.capacity = in_batch < left ? in_batch : left;
		if (!can_ask(object, attachment, now_ms)) {
			fetch.capacity = 0;
		}
		misses = want_all(&fetch, attachment->cache, keys, now_ms);
		if (is_first && misses > 0) {
			(void)bloom_add(&attachment->cache->head->misses, misses);
		}
		is_first = false;
		if (!may_fetch(&fetch, attachment->cache, now_ms)) {
			break;
		}
		left -= fetch.count;
		ok = fetch_claimed(&fetch, attachment);
	}
	efree(fetch.claims);
	return ok;
}
