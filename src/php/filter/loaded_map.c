/* Implements Bloom\LoadedMap and Blob::get(). Filter has the methods that all filters have. */
#include "php/engine.h"

#include <zend_exceptions.h>

#include "filter/value_map.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/filter/blob_object.h"
#include "php/filter/handle.h"
#include "php/filter/lookup.h"

/* ---- one key ---- */

/* Returns the attachment of a map. In the common case, the mapped generation is current. */
static zend_always_inline bloom_attachment *map_of(zend_object *object)
{
	php_bloom_attachment *held = php_bloom_filter_of(object)->held;

	if (EXPECTED(held != NULL) && EXPECTED(bloom_attachment_is_current(&held->attachment)) &&
		EXPECTED(held->attachment.presence == BLOOM_PRESENCE_OPS) &&
		EXPECTED(held->attachment.ops->kind == BLOOM_KIND_MAP)) {
		return &held->attachment;
	}
	return php_bloom_present(object);
}

static zend_always_inline void get(zval *result, const bloom_value_map *map,
	const bloom_hasher *hasher, const zend_string *string, zend_long number)
{
	php_bloom_key key;
	uint64_t value;

	php_bloom_key_of(&key, string, number);
	if (bloom_value_map_get(map, bloom_hash(hasher, key.bytes, key.count), &value)) {
		ZVAL_LONG(result, (zend_long)value);
	} else {
		ZVAL_NULL(result);
	}
}

BLOOM_FLATTEN ZEND_METHOD(Bloom_LoadedMap, get)
{
	bloom_attachment *attachment;
	zend_string *string;
	zend_long number;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		PHP_BLOOM_PARAM_KEY(string, number)
	ZEND_PARSE_PARAMETERS_END();

	attachment = map_of(Z_OBJ_P(ZEND_THIS));
	if (UNEXPECTED(attachment == NULL)) {
		RETURN_THROWS();
	}
	get(return_value, &attachment->loaded->values, &attachment->hasher, string, number);
	bloom_attachment_count(attachment, Z_TYPE_P(return_value) != IS_NULL);
}

ZEND_METHOD(Bloom_Blob, get)
{
	php_bloom_blob *blob = php_bloom_blob_from(Z_OBJ_P(ZEND_THIS));
	const bloom_hasher *hasher;
	bloom_value_map map;
	zend_string *string;
	zend_long number;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		PHP_BLOOM_PARAM_KEY(string, number)
	ZEND_PARSE_PARAMETERS_END();

	if (blob == NULL) {
		RETURN_THROWS();
	}
	if (bloom_loaded_kind(&blob->head.geometry) != BLOOM_KIND_MAP) {
		zend_throw_exception(php_bloom_ce_Kind, "This blob is not a map", BLOOM_E_KIND);
		RETURN_THROWS();
	}
	hasher = php_bloom_blob_hasher(blob);
	if (hasher == NULL) {
		RETURN_THROWS();
	}
	map = bloom_value_map_of(&blob->head.geometry, blob->view.bits);
	get(return_value, &map, hasher, string, number);
}

/* ---- many keys ---- */

/* A search for the keys of an array. Either their values are wanted, or the keys themselves. */
typedef struct search {
	const bloom_attachment *attachment;
	bool wants_values;
	uint64_t mask; /* a value must have one of these bits; 0: any value will do */
	HashTable *keys;
	HashTable *found;
	uint32_t count; /* keys in the batch */
	bloom_digest digests[BLOOM_BATCH_MAX];
	zval *elements[BLOOM_BATCH_MAX];
} search;

/* Allocates the result for the keys of the first batch that were found, so that it need not grow.
 * It is packed if the keys are, and if at least a quarter of them was found. */
static void make_room(search *batch, uint64_t found)
{
	enum { SPARSE = 4 };
	uint32_t count = bloom_popcount(found), end;
	bool is_list = false;

	if (HT_IS_PACKED(batch->keys)) {
		end = (uint32_t)(batch->elements[63 - bloom_leading_zeros(found)] -
			      batch->keys->arPacked) +
			1;
		is_list = count >= end / SPARSE;
		count = is_list ? end : count;
	}
	zend_hash_extend(batch->found, count, is_list);
}

/* Looks up the keys of the batch, and empties it. */
static void end_batch(search *batch)
{
	uint64_t values[BLOOM_BATCH_MAX], left;
	zval added, *element;
	uint32_t i;

	left = bloom_value_map_get_many(&batch->attachment->loaded->values, batch->digests,
		batch->count, batch->wants_values || batch->mask != 0 ? values : NULL);
	if (left != 0 && (HT_FLAGS(batch->found) & HASH_FLAG_UNINITIALIZED) != 0) {
		make_room(batch, left);
	}
	for (; left != 0; left &= left - 1) {
		i = bloom_trailing_zeros(left);
		element = batch->elements[i];
		/* Without a mask and without values, nothing was stored in `values`.
		 * NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
		if (batch->mask != 0 && (values[i] & batch->mask) == 0) {
			continue;
		}
		if (batch->wants_values) {
			ZVAL_LONG(&added, (zend_long)values[i]);
		} else {
			ZVAL_COPY_DEREF(&added, element);
		}
		php_bloom_add_under(batch->found, batch->keys, element, &added);
	}
	batch->count = 0;
}

/* Returns false if it throws, because a key is none. */
BLOOM_FLATTEN static bool find_all(search *batch)
{
	const bloom_hasher *hasher = &batch->attachment->hasher;
	php_bloom_key key;
	zval *element;

	ZEND_HASH_FOREACH_VAL(batch->keys, element) {
		if (UNEXPECTED(!php_bloom_key_of_value(&key, element))) {
			php_bloom_throw_bad_key(batch->keys, element);
			return false;
		}
		batch->digests[batch->count] = bloom_hash(hasher, key.bytes, key.count);
		batch->elements[batch->count] = element;
		if (++batch->count == BLOOM_BATCH_MAX) {
			end_batch(batch);
		}
	}
	ZEND_HASH_FOREACH_END();
	if (batch->count > 0) {
		end_batch(batch);
	}
	return true;
}

ZEND_METHOD(Bloom_LoadedMap, getMany)
{
	bloom_attachment *attachment;
	search batch;
	zval *keys;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY(keys)
	ZEND_PARSE_PARAMETERS_END();

	attachment = map_of(Z_OBJ_P(ZEND_THIS));
	if (UNEXPECTED(attachment == NULL)) {
		RETURN_THROWS();
	}
	array_init(return_value);
	batch.attachment = attachment;
	batch.wants_values = true;
	batch.mask = 0;
	batch.keys = Z_ARRVAL_P(keys);
	batch.found = Z_ARRVAL_P(return_value);
	batch.count = 0;
	if (!find_all(&batch)) {
		RETURN_THROWS();
	}
	bloom_attachment_count_many(attachment, zend_hash_num_elements(batch.keys),
		zend_hash_num_elements(batch.found));
}

/* The arguments of candidates() without the keys. */
typedef struct masked {
	zend_object *object;
	uint64_t mask;
} masked;

static bool is_key(void *context, const php_bloom_key *key)
{
	(void)context;
	(void)key;
	return true;
}

static bool find_candidates(void *context, zval *keys, zval *result)
{
	const masked *request = context;
	bloom_presence presence;
	bloom_attachment *attachment = php_bloom_current(request->object, &presence);
	search batch;
	bool ok;

	if (attachment == NULL) {
		return false;
	}
	array_init(result);
	if (presence == BLOOM_PRESENCE_UNMAPPED) {
		ok = php_bloom_find_each(Z_ARRVAL_P(keys), is_key, NULL, Z_ARRVAL_P(result));
	} else if (php_bloom_class_of(attachment) != request->object->ce) {
		/* The name was dropped and reused. Another check of the attachment could unmap it
		 * and throw, although the answer is "maybe". */
		php_bloom_throw_kind(
			attachment->name, php_bloom_kind_text(attachment), request->object->ce);
		return false;
	} else {
		batch.attachment = attachment;
		batch.wants_values = false;
		batch.mask = request->mask;
		batch.keys = Z_ARRVAL_P(keys);
		batch.found = Z_ARRVAL_P(result);
		batch.count = 0;
		ok = find_all(&batch);
	}
	if (ok) {
		bloom_attachment_count_many(attachment, zend_hash_num_elements(Z_ARRVAL_P(keys)),
			zend_hash_num_elements(Z_ARRVAL_P(result)));
	}
	return ok;
}

ZEND_METHOD(Bloom_LoadedMap, candidates)
{
	masked request = {.object = Z_OBJ_P(ZEND_THIS)};
	bool no_mask = true;
	zend_long mask = 0;
	zval *keys;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_ITERABLE(keys)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG_OR_NULL(mask, no_mask)
	ZEND_PARSE_PARAMETERS_END();

	if (!no_mask && mask == 0) {
		zend_argument_value_error(2, "must have a bit that is 1: no value has a bit of 0");
		RETURN_THROWS();
	}
	request.mask = (uint64_t)mask;
	if (Z_TYPE_P(keys) != IS_ARRAY) {
		php_bloom_find_in_traversable(keys, find_candidates, &request, return_value);
	} else if (!find_candidates(&request, keys, return_value)) {
		RETURN_THROWS();
	}
}
