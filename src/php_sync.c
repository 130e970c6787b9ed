/* The flows that call a store: Blob::publish(), Blob::fetch(), Filter::sync().
 *
 *     publish   chunks the store lacks ─► the head before, kept as "<name>:previous" ─► the head
 *               ─► delete what neither names
 *     fetch     head ─► all chunks ─► verify
 *     sync      due? elected? ─► head ─► same as served? ─► chunks: copied or fetched ─► commit
 *
 * A store is the user's code: it may throw, exit, call back into this extension or never return.
 * No lock is held while it runs; what a call must give back is in its php_bloom_job.
 */
#include "php_classes.h"

#include <math.h>
#include <unistd.h>

#include <zend_exceptions.h>

enum {
	BATCH_BYTES = 4 * 1024 * 1024, /* of chunks asked for in one getMultiple() */
	BATCH_KEYS = 1000,             /* asked for in one missing() */
	ROUNDS_MAX = 3,                /* heads that may change under a fetch before it gives up */
};

/* ---- calling a store ---- */

static bool throw_store(bloom_status status, const char *subject)
{
	bloom_error error = {0};

	(void)bloom_fail(&error, status, 0, "%.200s", subject);
	php_bloom_throw(&error);
	return false;
}

/* What the store's own exception says, in a StoreException that has it as its previous one. A script
 * that is ending is left to end. */
static bool wrap_exception(void)
{
	zend_object *thrown = EG(exception);
	zval holder, *message;
	zend_string *text;

	if (zend_is_unwind_exit(thrown) || zend_is_graceful_exit(thrown) ||
		instanceof_function(thrown->ce, php_bloom_ce_Store)) {
		return false;
	}
	message = zend_read_property_ex(
		thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder);
	text = zval_get_string(message);
	zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE, "%s: %s: %s",
		bloom_status_sentence(BLOOM_E_STORE), ZSTR_VAL(thrown->ce->name), ZSTR_VAL(text));
	zend_string_release(text);
	return false;
}

/* Calls store->method(first[, second]). False: thrown. */
static bool call_store(
	zend_object *store, const char *method, zval *first, zval *second, zval *result)
{
	zend_function *function =
		zend_hash_str_find_ptr(&store->ce->function_table, method, strlen(method));
	zval arguments[2];

	ZVAL_COPY_VALUE(&arguments[0], first);
	if (second != NULL) {
		ZVAL_COPY_VALUE(&arguments[1], second);
	}
	ZVAL_UNDEF(result);
	zend_call_known_function(
		function, store, store->ce, result, second != NULL ? 2 : 1, arguments, NULL);
	if (EG(exception)) {
		zval_ptr_dtor(result);
		ZVAL_UNDEF(result);
		return wrap_exception();
	}
	return true;
}

/* Values of the keys in `keys`; *values is an array. False: thrown. */
static bool store_get(zend_object *store, zval *keys, zval *values)
{
	if (!call_store(store, "getmultiple", keys, NULL, values)) {
		return false;
	}
	if (Z_TYPE_P(values) != IS_ARRAY) {
		zval_ptr_dtor(values);
		ZVAL_UNDEF(values);
		return throw_store(BLOOM_E_STORE_TYPE, "getMultiple()");
	}
	return true;
}

static bool store_set(zend_object *store, const char *key, const unsigned char *bytes, uint64_t count)
{
	zval name, value, result;
	bool ok;

	ZVAL_STRING(&name, key);
	ZVAL_STRINGL(&value, (const char *)bytes, (size_t)count);
	ok = call_store(store, "set", &name, &value, &result);
	zval_ptr_dtor(&result);
	zval_ptr_dtor(&value);
	zval_ptr_dtor(&name);
	return ok;
}

/* A value of a getMultiple() answer. NULL with *ok: it is missing; NULL without: thrown. */
static zend_string *answer_of(const zval *values, const char *key, bool *ok)
{
	zval *value = zend_symtable_str_find(Z_ARRVAL_P(values), key, strlen(key));

	*ok = true;
	if (value != NULL) {
		ZVAL_DEREF(value);
	}
	if (value == NULL || Z_TYPE_P(value) == IS_NULL) {
		return NULL;
	}
	if (Z_TYPE_P(value) != IS_STRING) {
		*ok = throw_store(BLOOM_E_STORE_TYPE, key);
		return NULL;
	}
	return Z_STR_P(value);
}

/* Gets one value. False: thrown. *value is NULL when the store does not have it. */
static bool store_get_one(zend_object *store, const char *key, zend_string **value)
{
	zval keys, values;
	bool ok;

	array_init(&keys);
	add_next_index_string(&keys, key);
	ok = store_get(store, &keys, &values);
	zval_ptr_dtor(&keys);
	if (!ok) {
		return false;
	}
	*value = answer_of(&values, key, &ok);
	if (*value != NULL) {
		zend_string_addref(*value);
	}
	zval_ptr_dtor(&values);
	return ok;
}

/* ---- heads in a store ---- */

typedef struct published {
	zend_string *bytes; /* NULL: the store has none */
	bloom_head head;    /* borrows `bytes` */
} published;

static void release_published(published *found)
{
	if (found->bytes != NULL) {
		zend_string_release(found->bytes);
		found->bytes = NULL;
	}
}

/* Gets and checks a head. False: thrown. */
static bool get_head(zend_object *store, const char *key, published *found)
{
	bloom_error error = {0};

	found->bytes = NULL;
	if (!store_get_one(store, key, &found->bytes)) {
		return false;
	}
	if (found->bytes == NULL) {
		return true;
	}
	if (bloom_head_parse((const unsigned char *)ZSTR_VAL(found->bytes),
		    ZSTR_LEN(found->bytes), &found->head, &error) == BLOOM_OK &&
		found->head.head_bytes != ZSTR_LEN(found->bytes)) {
		(void)bloom_fail(&error, BLOOM_E_LENGTH, 0, "head of %llu bytes",
			(unsigned long long)ZSTR_LEN(found->bytes));
	}
	if (error.status != BLOOM_OK) {
		release_published(found);
		php_bloom_throw(&error);
		return false;
	}
	return true;
}

/* The same, of a name that must be there. */
static bool require_head(zend_object *store, const char *name, published *found)
{
	if (!get_head(store, name, found)) {
		return false;
	}
	return found->bytes != NULL || throw_store(BLOOM_E_STORE_MISSING, name);
}

static bool same_head(const published *found, const unsigned char *bytes, uint64_t count)
{
	return found->bytes != NULL && ZSTR_LEN(found->bytes) == count &&
		memcmp(ZSTR_VAL(found->bytes), bytes, count) == 0;
}

/* ---- chunks from a store ---- */

/* Takes one piece of a body, in order, wherever it goes. False: thrown. */
typedef bool (*take_bytes)(void *context, const unsigned char *bytes, uint64_t count);

typedef struct fetching {
	zend_object *store;
	const char *name;
	const bloom_head *head;
	const bloom_attachment *served; /* whose chunks need not be fetched; NULL: none */
	take_bytes take;
	void *context;
	php_bloom_progress *progress;
	php_bloom_job *job; /* whose lease is to be renewed; NULL: none */
	bool chunk_missing; /* set when that is why it failed, without an exception */
} fetching;

static bool is_served(const fetching *work, uint64_t chunk)
{
	const bloom_attachment *served = work->served;

	return served != NULL && served->map != NULL &&
		bloom_sync_chunk_is_served(
			work->head, chunk, &served->head, served->map + served->head.head_bytes);
}

static bool take_chunk(fetching *work, uint64_t chunk, const zval *values)
{
	uint64_t length = bloom_head_chunk_length(work->head, chunk);
	const unsigned char *wanted = bloom_head_chunk(work->head, chunk);
	unsigned char digest[BLOOM_CHUNK_DIGEST_BYTES];
	char key[BLOOM_CHUNK_KEY_BYTES];
	const unsigned char *bytes;
	zend_string *value;
	bool ok;

	bloom_sync_chunk_key(work->name, wanted, key);
	value = answer_of(values, key, &ok);
	if (value == NULL) {
		work->chunk_missing = ok;
		return false;
	}
	bytes = (const unsigned char *)ZSTR_VAL(value);
	if (ZSTR_LEN(value) == length) {
		bloom_chunk_digest(bytes, length, digest);
		if (memcmp(digest, wanted, sizeof digest) == 0) {
			return work->take(work->context, bytes, length);
		}
	}
	return throw_store(BLOOM_E_CHUNK_DIGEST, key);
}

/* Takes a chunk out of this job's own mapping of the served generation. */
static bool take_served(fetching *work, uint64_t chunk)
{
	const bloom_attachment *served = work->served;

	return work->take(work->context,
		served->map + served->head.head_bytes + bloom_head_chunk_offset(work->head, chunk),
		bloom_head_chunk_length(work->head, chunk));
}

/* Fetches the chunks from *chunk on that one round trip should bring, and takes them together with
 * those between them that are served already. */
static bool fetch_batch(fetching *work, uint64_t *chunk)
{
	bool have[BATCH_KEYS]; /* served already; the mapping cannot change meanwhile */
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t first = *chunk, bytes = 0, end, i;
	zval keys, values;
	bool ok = true;

	array_init(&keys);
	for (end = first; end < work->head->chunks && bytes < BATCH_BYTES &&
		end - first < BATCH_KEYS; end++) {
		have[end - first] = is_served(work, end);
		if (!have[end - first]) {
			bloom_sync_chunk_key(work->name, bloom_head_chunk(work->head, end), key);
			add_next_index_string(&keys, key);
			bytes += bloom_head_chunk_length(work->head, end);
		}
	}
	ZVAL_EMPTY_ARRAY(&values);
	if (bytes > 0) {
		ok = store_get(work->store, &keys, &values);
	}
	for (i = first; ok && i < end; i++) {
		ok = have[i - first] ? take_served(work, i) : take_chunk(work, i, &values);
	}
	zval_ptr_dtor(&values);
	zval_ptr_dtor(&keys);
	*chunk = end;
	return ok;
}

static bool fetch_chunks(fetching *work)
{
	const bloom_head *head = work->head;
	uint64_t chunk = 0, done;

	while (chunk < head->chunks) {
		if (!fetch_batch(work, &chunk)) {
			return false;
		}
		if (work->job != NULL) {
			bloom_sync_lease_renew(
				work->job->control, bloom_monotonic_ms(), &work->job->lease);
		}
		done = chunk < head->chunks ? head->head_bytes + bloom_head_chunk_offset(head, chunk)
					    : head->file_bytes;
		if (!php_bloom_progress_report(work->progress, done, head->file_bytes)) {
			return false;
		}
	}
	return true;
}

/* ---- Blob::fetch() ---- */

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

/* One try: the head as it is now, and its chunks. */
static bool fetch_blob(zend_object *store, const char *name, php_bloom_blob *blob,
	php_bloom_progress *progress, bool *chunk_missing)
{
	fetching work = {.store = store, .name = name, .progress = progress};
	php_bloom_progress silent = {0};
	bloom_error error = {0};
	published found;
	image target;
	bool ok;

	*chunk_missing = false;
	if (!require_head(store, name, &found)) {
		return false;
	}
	bloom_unmap(blob->bytes, blob->count);
	blob->bytes = NULL;
	if (bloom_map_private(found.head.file_bytes, &blob->bytes, &error) != BLOOM_OK) {
		release_published(&found);
		php_bloom_throw(&error);
		return false;
	}
	blob->count = found.head.file_bytes;
	memcpy(blob->bytes, ZSTR_VAL(found.bytes), found.head.head_bytes);
	release_published(&found);
	if (bloom_head_parse(blob->bytes, blob->count, &blob->head, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	target.at = blob->bytes + blob->head.head_bytes;
	work.head = &blob->head;
	work.take = take_into_image;
	work.context = &target;
	ok = fetch_chunks(&work) && php_bloom_blob_verify(blob, &silent);
	*chunk_missing = work.chunk_missing;
	return ok;
}

ZEND_METHOD(Bloom_Blob, fetch)
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
	for (round = 0; round < ROUNDS_MAX; round++) {
		ok = fetch_blob(store, checked, php_bloom_blob_of(Z_OBJ_P(return_value)), &progress,
			&chunk_missing);
		if (ok || !chunk_missing) {
			break;
		}
	}
	if (!ok) {
		if (chunk_missing) {
			throw_store(BLOOM_E_STORE_MISSING, "a chunk");
		}
		zval_ptr_dtor(return_value);
		ZVAL_NULL(return_value);
		RETURN_THROWS();
	}
}

/* ---- Blob::publish() ---- */

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

	if (!store_set(work->store, key, bytes, length)) {
		return false;
	}
	work->chunks_written++;
	work->bytes_written += length;
	return true;
}

static void add_chunk_keys(
	zval *keys, const char *name, const bloom_head *head, uint64_t first, uint64_t end)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t chunk;

	for (chunk = first; chunk < end; chunk++) {
		bloom_sync_chunk_key(name, bloom_head_chunk(head, chunk), key);
		add_next_index_string(keys, key);
	}
}

/* Turns a list of strings into a set of them. False: thrown. */
static bool set_of(HashTable *set, const zval *list)
{
	zval *value, yes;

	if (Z_TYPE_P(list) != IS_ARRAY) {
		return throw_store(BLOOM_E_STORE_TYPE, "missing()");
	}
	ZVAL_TRUE(&yes);
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(list), value) {
		ZVAL_DEREF(value);
		if (Z_TYPE_P(value) != IS_STRING) {
			return throw_store(BLOOM_E_STORE_TYPE, "missing()");
		}
		zend_hash_update(set, Z_STR_P(value), &yes);
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* Writes those chunks from *chunk on, a batch of them, that the store lacks. */
static bool publish_batch(publishing *work, uint64_t *chunk)
{
	const bloom_head *head = &work->blob->head;
	uint64_t end = head->chunks - *chunk < BATCH_KEYS ? head->chunks : *chunk + BATCH_KEYS;
	char key[BLOOM_CHUNK_KEY_BYTES];
	HashTable missing;
	zval keys, answer;
	bool ok;

	array_init(&keys);
	add_chunk_keys(&keys, work->name, head, *chunk, end);
	if (work->force) {
		ZVAL_COPY(&answer, &keys);
		ok = true;
	} else {
		ok = call_store(work->store, "missing", &keys, NULL, &answer);
	}
	zval_ptr_dtor(&keys);
	if (!ok) {
		return false;
	}
	zend_hash_init(&missing, 8, NULL, NULL, false);
	ok = set_of(&missing, &answer);
	zval_ptr_dtor(&answer);
	for (; ok && *chunk < end; (*chunk)++) {
		bloom_sync_chunk_key(work->name, bloom_head_chunk(head, *chunk), key);
		if (zend_hash_str_exists(&missing, key, strlen(key))) {
			ok = write_chunk(work, *chunk, key) &&
				php_bloom_progress_report(work->progress,
					bloom_head_chunk_offset(head, *chunk) +
						bloom_head_chunk_length(head, *chunk),
					bloom_geometry_bytes(&head->geometry));
			/* Equal chunks have one key: writing it once is enough. */
			zend_hash_str_del(&missing, key, strlen(key));
		}
	}
	zend_hash_destroy(&missing);
	return ok;
}

/* Adds the chunk keys of a head to a set. */
static void keep_chunks(HashTable *keep, const char *name, const bloom_head *head)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t chunk;
	zval yes;

	ZVAL_TRUE(&yes);
	for (chunk = 0; chunk < head->chunks; chunk++) {
		bloom_sync_chunk_key(name, bloom_head_chunk(head, chunk), key);
		zend_hash_str_update(keep, key, strlen(key), &yes);
	}
}

/* Deletes the chunks that `old` names and neither `current` nor the blob does. */
static bool delete_unnamed(publishing *work, const published *old, const published *current)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	zval keys, result;
	HashTable keep;
	uint64_t chunk;
	bool ok = true;

	zend_hash_init(&keep, 8, NULL, NULL, false);
	keep_chunks(&keep, work->name, &work->blob->head);
	keep_chunks(&keep, work->name, &current->head);
	array_init(&keys);
	for (chunk = 0; chunk < old->head.chunks; chunk++) {
		bloom_sync_chunk_key(work->name, bloom_head_chunk(&old->head, chunk), key);
		if (!zend_hash_str_exists(&keep, key, strlen(key))) {
			add_next_index_string(&keys, key);
		}
	}
	if (zend_hash_num_elements(Z_ARRVAL(keys)) > 0) {
		ok = call_store(work->store, "deletemultiple", &keys, NULL, &result);
		zval_ptr_dtor(&result);
	}
	zval_ptr_dtor(&keys);
	zend_hash_destroy(&keep);
	return ok;
}

/* A head that cannot be read is no reason not to publish a good one: it counts as none. */
static bool get_head_if_valid(zend_object *store, const char *key, published *found)
{
	if (get_head(store, key, found)) {
		return true;
	}
	if (instanceof_function(EG(exception)->ce, php_bloom_ce_Format)) {
		zend_clear_exception();
		return true;
	}
	return false;
}

/* Makes the new head visible, keeps the one before it, and collects what the one before that left. */
static bool publish_head(publishing *work, published *current, published *previous)
{
	const bloom_head *head = &work->blob->head;
	char previous_key[BLOOM_NAME_BYTES_MAX + sizeof ":previous"];

	(void)snprintf(previous_key, sizeof previous_key, "%s:previous", work->name);
	if (!get_head_if_valid(work->store, work->name, current)) {
		return false;
	}
	if (same_head(current, work->blob->bytes, head->head_bytes)) {
		return true;
	}
	if (!get_head_if_valid(work->store, previous_key, previous)) {
		return false;
	}
	if (current->bytes != NULL &&
		!store_set(work->store, previous_key,
			(const unsigned char *)ZSTR_VAL(current->bytes), current->head.head_bytes)) {
		return false;
	}
	if (!store_set(work->store, work->name, work->blob->bytes, head->head_bytes)) {
		return false;
	}
	work->bytes_written += head->head_bytes;
	return current->bytes == NULL || previous->bytes == NULL ||
		delete_unnamed(work, previous, current);
}

static bool publish(publishing *work)
{
	published current = {0}, previous = {0};
	uint64_t chunk = 0;
	bool ok = true;

	while (ok && chunk < work->blob->head.chunks) {
		ok = publish_batch(work, &chunk);
	}
	ok = ok && publish_head(work, &current, &previous);
	release_published(&current);
	release_published(&previous);
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

/* ---- Filter::sync() ---- */

typedef struct syncing {
	const bloom_segment *segment;
	zend_object *store;
	const char *name;
	bool force;
	php_bloom_progress *progress;
	php_bloom_job *job;
	bool switched;
	uint64_t replaces;  /* the generation that this try found served */
	bloom_status again; /* why a try that failed, without an exception, is worth another; or OK */
} syncing;

static bool take_into_stage(void *context, const unsigned char *bytes, uint64_t count)
{
	php_bloom_job *job = context;
	bloom_error error = {0};

	if (!php_bloom_job_is_ours(job)) {
		return false;
	}
	if (bloom_stage_write(&job->stage, bytes, count, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	return true;
}

/* Stages the published version and switches to it. */
static bool load_published(syncing *work, const published *found)
{
	php_bloom_job *job = work->job;
	fetching fetch = {.store = work->store,
		.name = work->name,
		.head = &found->head,
		.served = &job->served,
		.take = take_into_stage,
		.context = job,
		.progress = work->progress,
		.job = job};
	bloom_error error = {0};
	bloom_status status;
	uint64_t generation;

	if (!php_bloom_job_is_ours(job)) {
		return false;
	}
	if (bloom_stage_begin(work->segment, work->name, found->head.file_bytes, &job->stage,
		    &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	/* What was compared with must still be served at the switch: someone may load a newer one. */
	job->stage.replaces = work->replaces;
	if (!take_into_stage(job, (const unsigned char *)ZSTR_VAL(found->bytes),
		    found->head.head_bytes) ||
		!fetch_chunks(&fetch) || !php_bloom_job_is_ours(job)) {
		work->again = fetch.chunk_missing ? BLOOM_E_STORE_MISSING : BLOOM_OK;
		if (job->process == getpid()) {
			bloom_stage_abort(&job->stage);
		}
		return false;
	}
	status = bloom_stage_commit(&job->stage, &generation, &error);
	if (status == BLOOM_E_OVERTAKEN) {
		work->again = status;
		return false;
	}
	if (status != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	work->switched = true;
	return true;
}

/* Attaches to what is served, for this try. What cannot be mapped is replaced all the same. */
static void attach_served(syncing *work)
{
	bloom_attachment *served = &work->job->served;
	bloom_status status;

	bloom_detach(served);
	status = bloom_attach(work->segment, work->name, served, NULL);
	if (status == BLOOM_OK) {
		work->replaces = served->generation;
		return;
	}
	*served = (bloom_attachment){0};
	work->replaces = status == BLOOM_E_NOT_FOUND
		? BLOOM_GENERATION_NONE
		: bloom_load_acquire(&work->job->control->generation);
}

/* One try: compares the published head with what is served, and loads it when it is another. */
static bool sync_once(syncing *work)
{
	bloom_attachment *served = &work->job->served;
	published found;
	bool ok;

	work->again = BLOOM_OK;
	if (!require_head(work->store, work->name, &found)) {
		return false;
	}
	attach_served(work);
	if (served->map != NULL && same_head(&found, served->map, served->head.head_bytes)) {
		ok = true;
	} else if (served->map != NULL && !work->force &&
		found.head.meta.built_ms < served->head.meta.built_ms) {
		ok = throw_store(BLOOM_E_STALE, work->name);
	} else {
		ok = load_published(work, &found);
	}
	release_published(&found);
	return ok;
}

static bool sync_elected(syncing *work)
{
	bloom_error error = {0};
	int round;

	for (round = 0; round < ROUNDS_MAX; round++) {
		if (sync_once(work)) {
			return true;
		}
		/* The publisher may have replaced the head, and collected the chunk, meanwhile; or
		 * somebody loaded another version here. */
		if (work->again == BLOOM_OK) {
			return false;
		}
	}
	(void)bloom_fail(&error, work->again, 0, "%s",
		work->again == BLOOM_E_STORE_MISSING ? "a chunk" : work->name);
	php_bloom_throw(&error);
	return false;
}

/* Writes the pending exception into the control page, for whoever looks there. */
static void note_failure(bloom_control *control)
{
	zval holder, *message, *code;
	zend_object *thrown = EG(exception);
	zend_string *text;
	zend_long status = BLOOM_E_STORE;

	if (thrown == NULL || zend_is_unwind_exit(thrown) || zend_is_graceful_exit(thrown)) {
		bloom_sync_failed(control, bloom_monotonic_ms(), BLOOM_E_STORE,
			"the script ended in the middle of it");
		return;
	}
	if (instanceof_function(thrown->ce, php_bloom_ce_Bloom)) {
		code = zend_read_property_ex(
			thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_CODE), true, &holder);
		/* A store may throw one of ours with a code of its own. */
		if (Z_TYPE_P(code) == IS_LONG && Z_LVAL_P(code) > BLOOM_OK &&
			Z_LVAL_P(code) < BLOOM_STATUS_COUNT) {
			status = Z_LVAL_P(code);
		}
	}
	message = zend_read_property_ex(
		thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder);
	text = zval_get_string(message);
	bloom_sync_failed(
		control, bloom_monotonic_ms(), (bloom_status)status, ZSTR_VAL(text));
	zend_string_release(text);
}

/* The one read of shared memory that a sync costs when it is not time. */
static bool is_fresh(const char *name, uint64_t ttl_ms)
{
	php_bloom_attachment *held = php_bloom_attachment_find(name);

	return held != NULL && held->attachment.generation != BLOOM_GENERATION_UNMAPPED &&
		bloom_load_acquire(&held->attachment.control->generation) !=
			BLOOM_GENERATION_DROPPED &&
		!bloom_sync_is_due(held->attachment.control, ttl_ms, bloom_monotonic_ms());
}

/* Runs the sync if it is due and this process is elected. False: thrown. */
static bool sync_if_due(syncing *work, uint64_t ttl_ms)
{
	php_bloom_job *job = work->job;
	bloom_error error = {0};
	bool ok;

	if (bloom_segment_control(work->segment, work->name, true, &job->control, &error) !=
		BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	if (!bloom_sync_is_due(job->control, ttl_ms, bloom_monotonic_ms()) ||
		!bloom_sync_lease_take(job->control, bloom_monotonic_ms(), &job->lease)) {
		return true;
	}
	/* Another process may have finished between our look at the time and the election. */
	if (!bloom_sync_is_due(job->control, ttl_ms, bloom_monotonic_ms())) {
		return true;
	}
	ok = sync_elected(work);
	if (ok) {
		bloom_sync_succeeded(job->control, bloom_monotonic_ms());
	} else if (job->process == getpid()) {
		note_failure(job->control);
	}
	return ok;
}

ZEND_METHOD(Bloom_Filter, sync)
{
	php_bloom_progress progress = {0};
	syncing work = {.progress = &progress};
	double ttl = 60;
	zend_string *name;
	uint64_t ttl_ms;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(2, 5)
		Z_PARAM_STR(name)
		Z_PARAM_OBJ_OF_CLASS(work.store, php_bloom_ce_store_interface)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE(ttl)
		Z_PARAM_BOOL(work.force)
		Z_PARAM_FUNC_OR_NULL(progress.call, progress.cache)
	ZEND_PARSE_PARAMETERS_END();

	work.name = php_bloom_name(name, 1);
	if (work.name == NULL) {
		RETURN_THROWS();
	}
	if (!(ttl >= 0 && ttl <= 1e9)) {
		zend_argument_value_error(3, "must be from 0 to 1,000,000,000 seconds");
		RETURN_THROWS();
	}
	ttl_ms = (uint64_t)(ttl * 1000);
	work.segment = php_bloom_segment();
	if (work.segment == NULL) {
		RETURN_THROWS();
	}
	if (is_fresh(work.name, ttl_ms)) {
		RETURN_FALSE;
	}
	work.job = php_bloom_job_begin();
	if (work.job == NULL) {
		RETURN_THROWS();
	}
	ok = sync_if_due(&work, ttl_ms);
	php_bloom_job_end(work.job);
	if (!ok) {
		RETURN_THROWS();
	}
	if (work.switched) {
		php_bloom_attachment_recheck(work.name);
	}
	RETURN_BOOL(work.switched);
}
