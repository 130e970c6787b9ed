/* Bloom\OnDemandFilter: Filter::attach(), and fetching what lookups need.
 *
 *     key ─► chunk here? ─► answer
 *              no ─► claim ─► the store ─► into a slot ─► answer
 *                     └ not ours, not now, not to be had: "maybe"
 *
 * The store is asked in the middle of a lookup, so a lookup may run userland; its failures are no
 * failures of the lookup. They are noted in the control page, and the store is left alone for a while.
 */
#include "php_fetch.h"

#include <string.h>

#include <zend_exceptions.h>

enum { BATCH_BYTES = 4 * 1024 * 1024 };

/* ---- attaching ---- */

/* Makes the filter from the published head, unless another was faster. False: thrown. */
static bool make(const bloom_segment *segment, zend_object *store, const char *name,
	uint64_t memory_bytes, php_bloom_job *job)
{
	php_bloom_published found;
	bloom_error error = {0};
	bloom_status status;
	uint64_t generation;

	if (!php_bloom_published_require(store, name, &found)) {
		return false;
	}
	if (!php_bloom_job_is_ours(job)) {
		php_bloom_published_release(&found);
		return false;
	}
	status = found.head.geometry.groups != 0
		? bloom_fail(&error, BLOOM_E_KIND, 0, "%s: a reverse index", name)
		: bloom_cache_stage(segment, name, memory_bytes, &found.head,
			  (const unsigned char *)ZSTR_VAL(found.bytes), NULL, &job->stage, &error);
	php_bloom_published_release(&found);
	if (status == BLOOM_OK) {
		job->stage.replaces = BLOOM_GENERATION_NONE;
		status = bloom_stage_commit(&job->stage, &generation, &error);
	}
	if (status == BLOOM_E_BUDGET) {
		php_bloom_throw_argument(&error, 3);
	} else if (status != BLOOM_OK && status != BLOOM_E_OVERTAKEN && status != BLOOM_E_GONE) {
		php_bloom_throw(&error);
	}
	return EG(exception) == NULL;
}

/* Whether what is there is what was asked for. False: thrown. */
static bool check_found(const bloom_attachment *attachment, uint64_t memory_bytes)
{
	bloom_error error = {0};

	if (attachment->kind != BLOOM_KIND_ON_DEMAND) {
		(void)bloom_fail(&error, BLOOM_E_KIND, 0, "%.60s", attachment->name);
	} else if (attachment->cache.head->memory_bytes != memory_bytes) {
		(void)bloom_fail(&error, BLOOM_E_EXISTS, 0, "%.60s: another memory, %llu bytes",
			attachment->name,
			(unsigned long long)attachment->cache.head->memory_bytes);
	} else {
		return true;
	}
	php_bloom_throw(&error);
	return false;
}

static php_bloom_attachment *find_or_make(const bloom_segment *segment, zend_object *store,
	const char *name, uint64_t memory_bytes, php_bloom_job *job)
{
	enum { ROUNDS_MAX = 5 };
	php_bloom_attachment *held = NULL;
	bloom_error error = {0};
	bloom_status status = BLOOM_E_NOT_FOUND;
	int round;

	for (round = 0; round < ROUNDS_MAX; round++) {
		status = php_bloom_attach(segment, name, &held, &error);
		if (status == BLOOM_OK) {
			return check_found(&held->attachment, memory_bytes) ? held : NULL;
		}
		if (status != BLOOM_E_NOT_FOUND) {
			break;
		}
		if (!make(segment, store, name, memory_bytes, job)) {
			return NULL;
		}
		php_bloom_attachment_recheck(name);
	}
	php_bloom_throw(&error);
	return NULL;
}

ZEND_METHOD(Bloom_Filter, attach)
{
	php_bloom_attachment *held = NULL;
	const bloom_segment *segment;
	zend_long memory_bytes;
	zend_object *store;
	zend_string *name;
	const char *checked;
	php_bloom_job *job;

	ZEND_PARSE_PARAMETERS_START(3, 3)
		Z_PARAM_STR(name)
		Z_PARAM_OBJ_OF_CLASS(store, php_bloom_ce_store_interface)
		Z_PARAM_LONG(memory_bytes)
	ZEND_PARSE_PARAMETERS_END();

	checked = php_bloom_name(name, 1);
	if (checked == NULL) {
		RETURN_THROWS();
	}
	if (memory_bytes < 1) {
		zend_argument_value_error(3, "must be at least 1 byte");
		RETURN_THROWS();
	}
	segment = php_bloom_segment();
	job = segment != NULL ? php_bloom_job_begin() : NULL;
	if (job == NULL) {
		RETURN_THROWS();
	}
	held = find_or_make(segment, store, checked, (uint64_t)memory_bytes, job);
	php_bloom_job_end(job);
	if (held == NULL) {
		RETURN_THROWS();
	}
	php_bloom_make_handle(return_value, held);
	ZVAL_OBJ_COPY(&php_bloom_filter_of(Z_OBJ_P(return_value))->store, store);
}

/* ---- fetching ---- */

typedef struct fetching {
	zend_object *object;
	uint64_t generation; /* whose chunks these are */
	uint64_t *chunks;    /* claimed */
	uint64_t count;
	uint64_t room;
} fetching;

/* The filter, if it is still that generation. NULL: it is not, or thrown. */
static bloom_attachment *same_generation(const fetching *work)
{
	bloom_presence presence;
	bloom_attachment *attachment = php_bloom_current(work->object, &presence);

	return attachment != NULL && presence != BLOOM_UNTOLD &&
			attachment->generation == work->generation &&
			attachment->kind == BLOOM_KIND_ON_DEMAND
		? attachment
		: NULL;
}

static void unclaim_all(const fetching *work)
{
	bloom_attachment *attachment = same_generation(work);
	uint64_t i;

	for (i = 0; attachment != NULL && i < work->count; i++) {
		bloom_cache_unclaim(&attachment->cache, work->chunks[i]);
	}
}

/* The store's failure becomes a note and a pause. False: the script is ending, and is left to end. */
static bool note_failure(const fetching *work)
{
	zend_object *thrown = EG(exception);
	bloom_attachment *attachment;
	zend_string *text;
	zval holder;

	if (thrown == NULL || zend_is_unwind_exit(thrown) || zend_is_graceful_exit(thrown)) {
		return false;
	}
	text = zval_get_string(zend_read_property_ex(
		thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder));
	zend_clear_exception();
	attachment = same_generation(work);
	if (attachment != NULL) {
		bloom_cache_failed(&attachment->cache, bloom_monotonic_ms());
		bloom_sync_note(attachment->control, BLOOM_E_STORE, ZSTR_VAL(text));
	}
	zend_string_release(text);
	return EG(exception) == NULL;
}

/* Puts what came into slots. A chunk that the store lacks stays claimed: it is not asked for again before that
 * ends. */
static void put_values(const fetching *work, const zval *values)
{
	bloom_attachment *attachment = same_generation(work);
	char key[BLOOM_CHUNK_KEY_BYTES];
	bloom_error error = {0};
	zend_string *value;
	uint64_t i;
	bool ok = true;

	for (i = 0; attachment != NULL && ok && i < work->count; i++) {
		const bloom_head *blob = &attachment->cache.blob;

		bloom_sync_chunk_key(
			attachment->name, bloom_head_chunk(blob, work->chunks[i]), key);
		value = php_bloom_store_answer(values, key, &ok);
		if (value == NULL) {
			continue;
		}
		ok = (ZSTR_LEN(value) == bloom_head_chunk_length(blob, work->chunks[i]) ||
			     php_bloom_store_throw(BLOOM_E_CHUNK_DIGEST, key)) &&
			(bloom_cache_put(&attachment->cache, attachment->segment, attachment->name,
				 work->chunks[i], (const unsigned char *)ZSTR_VAL(value),
				 &error) == BLOOM_OK ||
				php_bloom_store_throw(error.status, error.subject));
	}
	if (attachment != NULL && ok) {
		bloom_cache_fetched(&attachment->cache);
	}
}

/* Asks the store for the claimed chunks. False: thrown. */
static bool fetch_claimed(fetching *work)
{
	php_bloom_filter *self = php_bloom_filter_of(work->object);
	bloom_attachment *attachment = same_generation(work);
	char key[BLOOM_CHUNK_KEY_BYTES];
	zval keys, values;
	uint64_t i;

	array_init(&keys);
	for (i = 0; attachment != NULL && i < work->count; i++) {
		bloom_sync_chunk_key(attachment->name,
			bloom_head_chunk(&attachment->cache.blob, work->chunks[i]), key);
		add_next_index_string(&keys, key);
	}
	self->is_fetching = true;
	if (php_bloom_store_get(Z_OBJ(self->store), &keys, &values)) {
		put_values(work, &values);
		zval_ptr_dtor(&values);
	}
	self->is_fetching = false;
	zval_ptr_dtor(&keys);
	if (EG(exception)) {
		unclaim_all(work);
		return note_failure(work);
	}
	return true;
}

/* Claims a chunk if it is not here. */
static void want(fetching *work, bloom_attachment *attachment, uint64_t chunk, uint64_t now_ms)
{
	if (work->count < work->room && !bloom_cache_has(&attachment->cache, chunk) &&
		bloom_cache_claim(&attachment->cache, chunk, now_ms)) {
		work->chunks[work->count++] = chunk;
	}
}

/* Whether this handle may ask the store now: not from within a call that it makes itself. */
static bool may_fetch(zend_object *object, const bloom_attachment *attachment, uint64_t now_ms)
{
	const php_bloom_filter *self = php_bloom_filter_of(object);

	return Z_TYPE(self->store) == IS_OBJECT && !self->is_fetching &&
		bloom_cache_may_fetch(&attachment->cache, now_ms);
}

bool php_bloom_ondemand_fetch(
	zend_object *object, bloom_attachment *attachment, const php_bloom_key *key)
{
	bloom_digest digest = bloom_digest_of(key->bytes, key->count, attachment->view.seed);
	uint64_t chunk = bloom_cache_chunk(&attachment->cache, digest);
	uint64_t now_ms = bloom_monotonic_ms(), claimed;
	fetching work = {.object = object,
		.generation = attachment->generation,
		.chunks = &claimed,
		.room = 1};

	if (!bloom_cache_has(&attachment->cache, chunk)) {
		bloom_increment(&attachment->cache.head->misses);
		if (may_fetch(object, attachment, now_ms)) {
			want(&work, attachment, chunk, now_ms);
		}
	}
	return work.count == 0 || fetch_claimed(&work);
}

/* Claims what the keys need and the host does not have, up to a batch. */
static void want_all(fetching *work, bloom_attachment *attachment, HashTable *keys, uint64_t now_ms)
{
	php_bloom_key key;
	zval *value;

	ZEND_HASH_FOREACH_VAL(keys, value) {
		if (php_bloom_key_of_value(&key, value)) {
			want(work, attachment,
				bloom_cache_chunk(&attachment->cache,
					bloom_digest_of(
						key.bytes, key.count, attachment->view.seed)),
				now_ms);
		}
	}
	ZEND_HASH_FOREACH_END();
}

bool php_bloom_ondemand_fetch_all(
	zend_object *object, bloom_attachment *attachment, HashTable *keys)
{
	uint64_t chunks[PHP_BLOOM_STORE_KEYS_MAX];
	uint64_t now_ms = bloom_monotonic_ms(), left = attachment->cache.head->slots;
	uint64_t in_batch = BATCH_BYTES / attachment->cache.blob.meta.chunk_bytes + 1;
	fetching work = {
		.object = object, .generation = attachment->generation, .chunks = chunks};

	/* More than the slots hold would push each other out before the answer. */
	while (attachment != NULL && left > 0 && may_fetch(object, attachment, now_ms)) {
		work.count = 0;
		work.room = in_batch < PHP_BLOOM_STORE_KEYS_MAX ? in_batch : PHP_BLOOM_STORE_KEYS_MAX;
		work.room = work.room < left ? work.room : left;
		want_all(&work, attachment, keys, now_ms);
		if (work.count == 0) {
			break;
		}
		(void)bloom_add(&attachment->cache.head->misses, work.count);
		left -= work.count;
		if (!fetch_claimed(&work)) {
			return false;
		}
		attachment = same_generation(&work);
		now_ms = bloom_monotonic_ms();
	}
	return EG(exception) == NULL;
}
