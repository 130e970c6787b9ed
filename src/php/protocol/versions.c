/* Blob::versions(). */
#include "php/engine.h"

#include <string.h>

#include <zend_exceptions.h>

#include "filter/signature.h"
#include "filter/chunk.h"
#include "php/arguments.h"
#include "php/filter/attachment_pool.h"
#include "php/classes.h"
#include "php/protocol/heads.h"
#include "php/errors.h"
#include "php/info_array.h"
#include "php/filter/info_object.h"
#include "php/keyrings.h"
#include "php/settings.h"

enum { CHECKSUM_DIGITS = 16 };

/* ---- chunks ---- */

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
	const char *label; /* NULL: only an override has it */
	const unsigned char
		*bytes; /* of the head, borrowed; NULL: there is none that can be used */
	bloom_head head;
	zend_string *error; /* why the head or the override cannot be used; NULL: it can */
} version;

typedef struct version_listing {
	zend_object *store;
	const char *name;
	version *versions;
	uint32_t count;
	zend_string *current; /* the value of the head */
	php_bloom_version_list earlier;
	php_bloom_stored_override override;
	bloom_override_kind kind; /* the override that applies */
	bool verify;
} version_listing;

static void release(version_listing *listing)
{
	uint32_t i;

	for (i = 0; i < listing->count; i++) {
		if (listing->versions[i].error != NULL) {
			zend_string_release(listing->versions[i].error);
		}
	}
	if (listing->versions != NULL) {
		efree(listing->versions);
	}
	if (listing->current != NULL) {
		zend_string_release(listing->current);
	}
	php_bloom_version_list_free(&listing->earlier);
	php_bloom_override_release(&listing->override);
}

static version *add(version_listing *listing, const char *label)
{
	listing->versions =
		safe_erealloc(listing->versions, listing->count + 1, sizeof *listing->versions, 0);
	listing->versions[listing->count] = (version){.label = label};
	return &listing->versions[listing->count++];
}

static void add_version(version_listing *listing, const char *label, const bloom_head *head,
	const unsigned char *bytes)
{
	version *one = add(listing, label);

	one->head = *head;
	one->bytes = bytes;
}

static void add_error(version_listing *listing, const char *label, const bloom_error *error)
{
	add(listing, label)->error = php_bloom_error_text(error);
}

/* Takes a value from the store's answer. Returns false if the script is ending. */
static bool take_value(version_listing *listing, const zval *values, const char *key,
	const char *label, zend_string **value)
{
	zend_object *thrown;
	zval holder;
	bool ok;

	*value = php_bloom_store_answer(values, key, &ok);
	if (*value != NULL) {
		zend_string_addref(*value);
	}
	if (ok) {
		return true;
	}
	thrown = EG(exception);
	if (!instanceof_function(thrown->ce, php_bloom_ce_Bloom)) {
		return false;
	}
	add(listing, label)->error = zval_get_string(zend_read_property_ex(
		thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder));
	zend_clear_exception();
	return true;
}

/* Returns the listed version that has this head, or NULL. */
static const version *find(const version_listing *listing, const bloom_head *head)
{
	uint32_t i;

	for (i = 0; i < listing->count; i++) {
		if (listing->versions[i].bytes != NULL &&
			php_bloom_is_same_version(&listing->versions[i].head, head)) {
			return &listing->versions[i];
		}
	}
	return NULL;
}

static bool take_current(version_listing *listing, const zval *values)
{
	php_bloom_published found = {0};
	bloom_error error = {0};

	if (!take_value(listing, values, listing->name, "current", &listing->current)) {
		return false;
	}
	if (listing->current != NULL) {
		found.bytes = listing->current;
		if (php_bloom_published_check(&found, &error) == BLOOM_OK) {
			add_version(listing, "current", &found.head,
				(const unsigned char *)ZSTR_VAL(found.bytes));
		} else {
			add_error(listing, "current", &error);
		}
	}
	return true;
}

/* Adds the earlier versions. The list may have the current one, too, if a publisher was killed. */
static bool take_earlier(version_listing *listing, const zval *values, const char *key)
{
	php_bloom_version_list *earlier = &listing->earlier;
	const char *label = "previous";
	bloom_error error = {0};
	bloom_status status;
	uint32_t i;

	if (!take_value(listing, values, key, label, &earlier->value)) {
		return false;
	}
	status = php_bloom_version_list_parse(earlier, &error);
	for (i = 0; i < earlier->count; i++) {
		if (find(listing, &earlier->items[i].head) == NULL) {
			add_version(
				listing, label, &earlier->items[i].head, earlier->items[i].bytes);
			label = "earlier";
		}
	}
	if (status != BLOOM_OK) {
		add_error(listing, label, &error);
	}
	return true;
}

/* Finds which override applies, and adds its version if it is none of the others. */
static bool take_override(version_listing *listing, const zval *values, const char *key)
{
	bloom_override *override = &listing->override.override;
	zend_string **value = &listing->override.bytes;
	const version *current;
	bloom_error error = {0};
	bloom_status status;

	if (!take_value(listing, values, key, NULL, value)) {
		return false;
	}
	if (*value == NULL) {
		return true;
	}
	status = bloom_override_parse((const unsigned char *)ZSTR_VAL(*value), ZSTR_LEN(*value),
		listing->name, override, &error);
	if (status == BLOOM_OK) {
		status = bloom_override_check((const unsigned char *)ZSTR_VAL(*value),
			ZSTR_LEN(*value), listing->name, php_bloom_signers(), &error);
	}
	/* The first version is the published one, if there is one. */
	current = listing->versions;
	if (status != BLOOM_OK) {
		add_error(listing, NULL, &error);
	} else if (override->kind == BLOOM_OVERRIDE_PIN ||
		(listing->current != NULL && current->bytes != NULL &&
			bloom_override_applies(override, &current->head))) {
		listing->kind = override->kind;
		if (find(listing, &override->head) == NULL) {
			add_version(listing, NULL, &override->head, override->head_bytes);
		}
	}
	return true;
}

/* Replaces each version that the signing keys refuse by the reason. Whoever can write to the store
 * could have made up its numbers. */
static void drop_unsigned(version_listing *listing)
{
	bloom_error error = {0};
	uint32_t i;

	for (i = 0; i < listing->count; i++) {
		version *one = &listing->versions[i];

		if (one->bytes != NULL &&
			bloom_signature_check(&one->head, one->bytes, listing->name,
				php_bloom_signers(), &error) != BLOOM_OK) {
			one->error = php_bloom_error_text(&error);
			one->bytes = NULL;
		}
	}
}

static bool read_versions(version_listing *listing)
{
	char earlier[PHP_BLOOM_SIDE_KEY_BYTES], override[PHP_BLOOM_SIDE_KEY_BYTES];
	zval keys, values;
	bool ok;

	php_bloom_side_key(listing->name, "versions", earlier);
	php_bloom_side_key(listing->name, "override", override);
	array_init(&keys);
	add_next_index_string(&keys, listing->name);
	add_next_index_string(&keys, earlier);
	add_next_index_string(&keys, override);
	ok = php_bloom_store_get(listing->store, &keys, &values);
	zval_ptr_dtor(&keys);
	if (!ok) {
		return false;
	}
	ok = take_current(listing, &values) && take_earlier(listing, &values, earlier) &&
		take_override(listing, &values, override);
	zval_ptr_dtor(&values);
	drop_unsigned(listing);
	return ok;
}

/* Counts the chunks of a version that another version names, too. */
static uint64_t count_shared(const version_listing *listing, const version *one)
{
	char key[BLOOM_CHUNK_KEY_BYTES];
	uint64_t chunk, shared = 0;
	HashTable others;
	uint32_t i;

	zend_hash_init(&others, 8, NULL, NULL, false);
	for (i = 0; i < listing->count; i++) {
		const version *other = &listing->versions[i];

		if (other != one && other->bytes != NULL) {
			php_bloom_add_chunk_keys(
				&others, listing->name, &other->head, 0, other->head.chunks);
		}
	}
	for (chunk = 0; chunk < one->head.chunks; chunk++) {
		bloom_chunk_key(listing->name, bloom_head_chunk(&one->head, chunk), key);
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
	bool has_override = listing->kind != BLOOM_OVERRIDE_NONE && one->bytes != NULL &&
		php_bloom_is_same_version(&one->head, &override->head);

	php_bloom_info_bool(info, "isServed",
		one->bytes != NULL &&
			(listing->kind == BLOOM_OVERRIDE_NONE
					? one->label != NULL && strcmp(one->label, "current") == 0
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
	const bloom_head *head = one->bytes != NULL ? &one->head : &none;
	char checksum[CHECKSUM_DIGITS + 1];

	(void)snprintf(checksum, sizeof checksum, "%016llx", (unsigned long long)head->checksum);
	php_bloom_info_string(info, "checksum", checksum, one->bytes != NULL ? CHECKSUM_DIGITS : 0);
	php_bloom_info_double(info, "builtAt", (double)head->meta.built_ms / 1000);
	php_bloom_info_long(info, "keys", head->keys);
	php_bloom_info_long(info, "bytes", head->file_bytes);
	php_bloom_info_double(info, "falsePositiveRate", head->meta.target_rate);
	php_bloom_info_geometry(info, &head->geometry, head->geometry.shards, 0);
	php_bloom_info_long(info, "chunks", head->chunks);
	php_bloom_info_long(info, "chunkBytes", head->meta.chunk_bytes);
	php_bloom_info_long(
		info, "sharedChunks", one->bytes != NULL ? count_shared(listing, one) : 0);
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
	if (one->bytes != NULL &&
		(!fetch_info(info, listing->name, &one->head) ||
			(listing->verify &&
				!check_chunks(
					listing->store, listing->name, &one->head, &result)))) {
		zval_ptr_dtor(&result.keys);
		zval_ptr_dtor(&entry);
		return false;
	}
	if (listing->verify && one->bytes != NULL) {
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
	uint32_t i;

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
	for (i = 0; ok && i < listing.count; i++) {
		ok = append_version(&listing, &listing.versions[i], return_value);
	}
	release(&listing);
	if (!ok) {
		zval_ptr_dtor(return_value);
		ZVAL_NULL(return_value);
		RETURN_THROWS();
	}
}
