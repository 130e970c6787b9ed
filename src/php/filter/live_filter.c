/* Implements Bloom\WritableFilter and its subclasses, except create() (create_filter.c) and save()
 * (save_restore.c). */
#include "php/engine.h"

#include <string.h>

#include <zend_exceptions.h>

#include "build/builder.h"
#include "filter/signature.h"
#include "kinds/create.h"
#include "os/clock.h"
#include "php/filter/blob_object.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/filter/handle.h"
#include "php/keys.h"
#include "php/settings.h"
#include "segment/stage.h"

/* Checks that a live filter may get a blob's keys. The keys in the journal after a mark would be
 * missing, and so would all later ones. */
static bloom_status check_blob(const bloom_segment *segment, const char *name,
	const php_bloom_blob *blob, bloom_error *error)
{
	return blob->head.meta.mark.epoch != 0
		? bloom_fail(error, BLOOM_E_MARKED, 0, "%s", name)
		: bloom_signature_check(&blob->head, blob->bytes, name, segment->signers, error);
}

/* ---- import() ---- */

static bloom_status stage_blob(const bloom_segment *segment, const char *name, bloom_kind kind,
	const php_bloom_blob *blob, bloom_error *error)
{
	const bloom_head *head = &blob->head;
	bloom_live_params params = {
		.kind = kind,
		.capacity_keys = head->meta.capacity_keys,
		.rate = head->meta.target_rate,
		.groups = head->geometry.groups,
		.fan_out = head->geometry.fan_out,
		.fingerprint = head->geometry.fingerprint,
	};
	bloom_stage stage = {0};
	uint64_t generation;
	bloom_status status = check_blob(segment, name, blob, error);

	if (status == BLOOM_OK) {
		status = bloom_live_stage(
			segment, name, &params, 0, &head->geometry, blob->view.bits, &stage, error);
	}
	if (status != BLOOM_OK) {
		return status;
	}
	/* The key count starts at the blob's key count. */
	((bloom_live_head *)(void *)stage.map)->layer[0].keys = head->keys;
	stage.replaces = BLOOM_GENERATION_NONE;
	status = bloom_stage_commit(&stage, &generation, error);
	return status == BLOOM_E_OVERTAKEN ? bloom_fail(error, BLOOM_E_EXISTS, 0, "%s", name)
					   : status;
}

/* Implements import() for LiveFilter and ReverseIndex. */
static void import_blob(INTERNAL_FUNCTION_PARAMETERS, bloom_kind kind)
{
	const bloom_segment *segment;
	php_bloom_blob *blob = NULL;
	zend_object *blob_object;
	bloom_error error = {0};
	zend_string *name;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OBJ_OF_CLASS(blob_object, php_bloom_ce_blob)
	ZEND_PARSE_PARAMETERS_END();

	segment = php_bloom_segment_for(name, 1);
	blob = segment != NULL ? php_bloom_blob_from(blob_object) : NULL;
	if (blob == NULL) {
		RETURN_THROWS();
	}
	if ((kind == BLOOM_KIND_REVERSE) !=
		(bloom_loaded_kind(&blob->head.geometry) == BLOOM_KIND_INDEX)) {
		zend_throw_exception(php_bloom_ce_Kind,
			kind == BLOOM_KIND_REVERSE ? "This blob is not a reverse index"
						   : "This blob is a reverse index",
			BLOOM_E_KIND);
		RETURN_THROWS();
	}
	if (stage_blob(segment, ZSTR_VAL(name), kind, blob, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		RETURN_THROWS();
	}
	if (!php_bloom_open_made(return_value, segment, ZSTR_VAL(name), EX(func)->common.scope)) {
		RETURN_THROWS();
	}
}

ZEND_METHOD(Bloom_LiveFilter, import)
{
	import_blob(INTERNAL_FUNCTION_PARAM_PASSTHRU, BLOOM_KIND_LIVE);
}

ZEND_METHOD(Bloom_ReverseIndex, import)
{
	import_blob(INTERNAL_FUNCTION_PARAM_PASSTHRU, BLOOM_KIND_REVERSE);
}

/* ---- adding ---- */

typedef struct adding {
	zend_object *filter;
	zend_long added_new;
} adding;

/* Userland may have run since the previous key, so the function checks the filter for each key. */
static bool add_key(void *context, const php_bloom_key *key)
{
	adding *target = context;
	bloom_attachment *attachment = php_bloom_present(target->filter);
	/* Not cleared, which would take 100 instructions: a call that fails sets all of it. */
	bloom_error error;
	bool is_new = false;

	if (attachment == NULL) {
		return false;
	}
	if (attachment->ops->add(attachment, key->bytes, key->count, &is_new, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	target->added_new += is_new;
	return true;
}

ZEND_METHOD(Bloom_WritableFilter, add)
{
	adding target = {.filter = Z_OBJ_P(ZEND_THIS)};
	zend_string *string;
	zend_long number;
	php_bloom_key key;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		PHP_BLOOM_PARAM_KEY(string, number)
	ZEND_PARSE_PARAMETERS_END();

	php_bloom_key_of(&key, string, number);
	if (!add_key(&target, &key)) {
		RETURN_THROWS();
	}
	RETURN_BOOL(target.added_new != 0);
}

/* Adds a key, and sets `answer` to whether it was new. */
static bool add_one(zend_object *filter, const php_bloom_key *key, zval *answer)
{
	adding target = {.filter = filter};
	bool ok = add_key(&target, key);

	ZVAL_BOOL(answer, target.added_new != 0);
	return ok;
}

/* The answers of addEach() for a Traversable. */
typedef struct answering {
	zend_object *filter;
	HashTable *answers;
} answering;

static bool add_and_answer(void *context, const php_bloom_key *key)
{
	answering *reply = context;
	zval answer;

	if (!add_one(reply->filter, key, &answer)) {
		return false;
	}
	zend_hash_next_index_insert_new(reply->answers, &answer);
	return true;
}

/* Implements addEach() of an array, whose keys the answers have. */
static bool add_each(zend_object *filter, HashTable *keys, HashTable *answers)
{
	zend_long place = 0;
	zend_string *name;
	php_bloom_key key;
	zval *value, answer;
	zend_ulong index;

	ZEND_HASH_FOREACH_KEY_VAL(keys, index, name, value) {
		if (!php_bloom_key_of_value(&key, value)) {
			php_bloom_throw_no_key(value, place, 1);
			return false;
		}
		if (!add_one(filter, &key, &answer)) {
			return false;
		}
		if (name != NULL) {
			zend_hash_add_new(answers, name, &answer);
		} else {
			zend_hash_index_add_new(answers, index, &answer);
		}
		place++;
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

ZEND_METHOD(Bloom_WritableFilter, addEach)
{
	answering reply = {.filter = Z_OBJ_P(ZEND_THIS)};
	zval *keys;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ITERABLE(keys)
	ZEND_PARSE_PARAMETERS_END();

	if (php_bloom_present(reply.filter) == NULL) {
		RETURN_THROWS();
	}
	array_init(return_value);
	reply.answers = Z_ARRVAL_P(return_value);
	ok = Z_TYPE_P(keys) == IS_ARRAY ? add_each(reply.filter, Z_ARRVAL_P(keys), reply.answers)
					: php_bloom_each_key(keys, 1, add_and_answer, &reply);
	if (!ok) {
		RETURN_THROWS();
	}
}

/* Merges a blob or a live filter into a live filter.
 *
 *   argument  the position of the argument, for error messages */
static bool merge_one(bloom_attachment *into, zval *other, uint32_t argument)
{
	const bloom_attachment *from = NULL;
	const php_bloom_blob *blob = NULL;
	bloom_error error = {0};
	bloom_geometry geometry;
	bloom_status status;

	if (Z_TYPE_P(other) == IS_OBJECT && Z_OBJCE_P(other) == php_bloom_ce_blob) {
		blob = php_bloom_blob_from(Z_OBJ_P(other));
	} else if (Z_TYPE_P(other) == IS_OBJECT && Z_OBJCE_P(other) == php_bloom_ce_live_filter) {
		from = php_bloom_present(Z_OBJ_P(other));
	} else {
		zend_argument_type_error(argument,
			"must be of type Bloom\\Blob|Bloom\\LiveFilter, %s given",
			zend_zval_type_name(other));
	}
	if (blob == NULL && from == NULL) {
		return false;
	}
	if (from != NULL) {
		geometry = bloom_live_geometry(&from->live->known, 0);
		status = bloom_live_merge(into->live, 0, &geometry, bloom_live_bits(from->live, 0),
			bloom_load_relaxed(&from->live->head->layer[0].keys), into->name, &error);
	} else {
		status = bloom_geometry_check_open(&blob->head.geometry, &error);
		if (status == BLOOM_OK) {
			status = check_blob(into->segment, into->name, blob, &error);
		}
		if (status == BLOOM_OK) {
			status = bloom_live_merge(into->live, 0, &blob->head.geometry,
				blob->view.bits, blob->head.keys, into->name, &error);
		}
	}
	if (status == BLOOM_E_DIFFERENT) {
		zend_argument_value_error(
			argument, "%s: %s", bloom_status_requirement(status), error.subject);
	} else if (status != BLOOM_OK) {
		php_bloom_throw(&error);
	}
	return status == BLOOM_OK;
}

ZEND_METHOD(Bloom_LiveFilter, merge)
{
	bloom_attachment *into;
	uint32_t count, i;
	zval *others;

	ZEND_PARSE_PARAMETERS_START(1, -1)
		Z_PARAM_VARIADIC('+', others, count)
	ZEND_PARSE_PARAMETERS_END();

	into = php_bloom_present(Z_OBJ_P(ZEND_THIS));
	for (i = 0; into != NULL && i < count; i++) {
		if (!merge_one(into, &others[i], i + 1)) {
			RETURN_THROWS();
		}
	}
}

ZEND_METHOD(Bloom_WritableFilter, addMany)
{
	adding target = {.filter = Z_OBJ_P(ZEND_THIS)};
	zval *keys;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ITERABLE(keys)
	ZEND_PARSE_PARAMETERS_END();

	if (php_bloom_present(target.filter) == NULL ||
		!php_bloom_each_key(keys, 1, add_key, &target)) {
		RETURN_THROWS();
	}
	RETURN_LONG(target.added_new);
}

/* ---- counting ---- */

/* Parses the arguments of remove() and count(). Returns the attachment, or NULL after an
 * exception. */
static bloom_attachment *counting_arguments(INTERNAL_FUNCTION_PARAMETERS, php_bloom_key *key)
{
	zend_string *string;
	zend_long number;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		PHP_BLOOM_PARAM_KEY(string, number)
		ZEND_PARSE_PARAMETERS_END_EX(return NULL);

		php_bloom_key_of(key, string, number);
		return php_bloom_present(Z_OBJ_P(ZEND_THIS));
}

ZEND_METHOD(Bloom_CountingFilter, remove)
{
	bloom_attachment *attachment;
	bloom_error error = {0};
	php_bloom_key key;
	bool removed;

	attachment = counting_arguments(INTERNAL_FUNCTION_PARAM_PASSTHRU, &key);
	if (attachment == NULL) {
		RETURN_THROWS();
	}
	if (attachment->ops->remove(attachment, key.bytes, key.count, &removed, &error) !=
		BLOOM_OK) {
		php_bloom_throw(&error);
		RETURN_THROWS();
	}
	RETURN_BOOL(removed);
}

ZEND_METHOD(Bloom_CountingFilter, count)
{
	bloom_attachment *attachment;
	bloom_error error = {0};
	php_bloom_key key;
	uint32_t count;

	attachment = counting_arguments(INTERNAL_FUNCTION_PARAM_PASSTHRU, &key);
	if (attachment == NULL) {
		RETURN_THROWS();
	}
	if (attachment->ops->count(attachment, key.bytes, key.count, &count, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		RETURN_THROWS();
	}
	RETURN_LONG(count);
}

/* ---- exporting ---- */

ZEND_METHOD(Bloom_LiveFilter, export)
{
	bloom_attachment *attachment;
	zend_string *source = NULL;
	bloom_builder builder = {0};
	bloom_error error = {0};
	bloom_meta meta = {0};
	bool ok;

	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(source)
	ZEND_PARSE_PARAMETERS_END();

	if (source != NULL && ZSTR_LEN(source) > BLOOM_SOURCE_BYTES_MAX) {
		zend_argument_value_error(1, "must be at most %d bytes", BLOOM_SOURCE_BYTES_MAX);
		RETURN_THROWS();
	}
	attachment = php_bloom_present(Z_OBJ_P(ZEND_THIS));
	if (attachment == NULL) {
		RETURN_THROWS();
	}
	if (attachment->ops->copy == NULL) {
		(void)bloom_fail(&error, BLOOM_E_IMMUTABLE, 0, "%.128s", attachment->name);
		php_bloom_throw(&error);
		RETURN_THROWS();
	}
	meta.capacity_keys = attachment->live->known.params.capacity_keys;
	meta.target_rate = attachment->live->known.params.rate;
	meta.chunk_bytes = BLOOM_CHUNK_BYTES_DEFAULT;
	if (source != NULL) {
		meta.source_bytes = (uint32_t)ZSTR_LEN(source);
		memcpy(meta.source, ZSTR_VAL(source), ZSTR_LEN(source));
	}
	if (attachment->ops->copy(attachment, &meta, &builder, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		RETURN_THROWS();
	}
	ok = php_bloom_blob_build(return_value, &builder, bloom_clock_ms(), 1);
	bloom_builder_free(&builder);
	if (!ok) {
		RETURN_THROWS();
	}
}
