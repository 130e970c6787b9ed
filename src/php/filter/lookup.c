/* Bloom\Filter: looking up keys in filters of all kinds.
 *
 *     mightContain(key)   ─► common case: might_contain_in_line() ─► otherwise the general method
 *                            └─ with a journal: might_contain_in_lines() ─┘
 *     candidates(list)    ─► masks of 64 keys ─► a result of the final size
 *     candidates(others)  ─► batches of 64 keys ─► a result that grows
 *     candidates(Traversable) ─► a list of its values ─► as above
 *
 * An array is called a list here if PHP stores it without keys ("packed").
 */
#include "php/filter/lookup.h"

#include "filter/compiler.h"
#include "filter/probe_line.h"
#include "kinds/additions.h"
#include "php/errors.h"
#include "php/filter/handle.h"
#include "php/filter/fetch_on_demand.h"

/* Looks up a key in a filter that has no single view. Returns true if the filter cannot be mapped
 * now, or its additions are too old. */
static bool test_otherwise(
	bloom_attachment *attachment, bloom_presence presence, const php_bloom_key *key)
{
	return bloom_presence_is_maybe(presence) ||
		bloom_attachment_test(attachment, key->bytes, key->count);
}

/* Returns true if the filter may contain the key. Also returns false if it throws. */
static bool might_contain(zend_object *object, bloom_attachment *attachment,
	bloom_presence presence, php_bloom_key *key)
{
	bool answer;

	if (EXPECTED(presence == BLOOM_PRESENCE_VIEW)) {
		return bloom_view_test(&attachment->view,
			bloom_digest_of(key->bytes, key->count, attachment->view.seed));
	}
	if (presence == BLOOM_PRESENCE_RIBBON) {
		return bloom_ribbon_test(&attachment->loaded->ribbon,
			bloom_digest_of(key->bytes, key->count, attachment->view.seed));
	}
	if (attachment->ops->fetches && presence != BLOOM_PRESENCE_UNMAPPED) {
		return php_bloom_ondemand_test(object, attachment, key, &answer) && answer;
	}
	return test_otherwise(attachment, presence, key);
}

/* mightContain() for every argument and every filter. */
BLOOM_FLATTEN BLOOM_NOINLINE ZEND_METHOD(Bloom_Filter, mightContain)
{
	bloom_attachment *attachment;
	bloom_presence presence;
	zend_string *string;
	zend_long number;
	php_bloom_key key;
	bool answer;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		PHP_BLOOM_PARAM_KEY(string, number)
	ZEND_PARSE_PARAMETERS_END();

	attachment = php_bloom_current(Z_OBJ_P(ZEND_THIS), &presence);
	if (UNEXPECTED(attachment == NULL)) {
		RETURN_THROWS();
	}
	php_bloom_key_of(&key, string, number);
	answer = might_contain(Z_OBJ_P(ZEND_THIS), attachment, presence, &key);
	bloom_attachment_count(attachment, answer);
	RETVAL_BOOL(answer);
}

#ifdef BLOOM_LINE

/* Tests several layers. The newest one usually contains the most keys. */
BLOOM_TARGET_LINE BLOOM_NOINLINE static bool is_in_layers(
	const bloom_view *view, uint32_t layers, bloom_digest digest)
{
	while (layers-- > 0) {
		if (view[layers].is_line ? bloom_line_test(view + layers, digest)
					 : bloom_view_test(view + layers, digest)) {
			return true;
		}
	}
	return false;
}

enum { SHORT_KEY_BYTES = 32 };

/* The common case of mightContain() for a filter with a journal: the key is a short string, and the
 * process has judged within this second that the additions may be trusted (loaded.h). Because it
 * reads the clock, it needs a stack frame, which would slow down the case without a journal. So it
 * is a function of its own. */
BLOOM_TARGET_LINE BLOOM_FLATTEN BLOOM_NOINLINE static void might_contain_in_lines(
	INTERNAL_FUNCTION_PARAMETERS, bloom_attachment *attachment)
{
	const bloom_loaded *loaded = attachment->loaded;
	const zend_string *key;
	const bloom_view *view;
	bloom_digest digest;
	uint32_t layers;
	size_t count;
	bool answer;

	if (EXPECTED(bloom_load_acquire(&attachment->control->generation) ==
		    attachment->generation) &&
		EXPECTED(bloom_loaded_still_trusts(loaded))) {
		key = Z_STR_P(ZEND_CALL_ARG(execute_data, 1));
		count = ZSTR_LEN(key);
		if (EXPECTED(count <= SHORT_KEY_BYTES)) {
			digest = bloom_digest_of(
				(const unsigned char *)ZSTR_VAL(key), count, attachment->view.seed);
			answer = bloom_line_test(&attachment->view, digest);
			layers = bloom_basis_layers(loaded->basis);
			if (!answer && layers > 0) {
				view = loaded->additions->view;
				answer = layers == 1 && view->is_line
					? bloom_line_test(view, digest)
					: is_in_layers(view, layers, digest);
			}
			bloom_attachment_count(attachment, answer);
			RETURN_BOOL(answer);
		}
	}
	ZEND_MN(Bloom_Filter_mightContain)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

/* mightContain() for the common case: one short string, looked up in a line filter that is
 * current. In this case the function calls no other function, so it needs no stack frame. Hashing a
 * longer key would need more registers than a function may overwrite. The general method above
 * handles everything else. */
BLOOM_TARGET_LINE BLOOM_FLATTEN static ZEND_NAMED_FUNCTION(might_contain_in_line)
{
	php_bloom_attachment *held = php_bloom_filter_of(Z_OBJ_P(ZEND_THIS))->held;
	const zval *argument = ZEND_CALL_ARG(execute_data, 1);
	const zend_string *key;
	size_t count;
	bool answer;

	if (EXPECTED(ZEND_NUM_ARGS() == 1) && EXPECTED(Z_TYPE_P(argument) == IS_STRING) &&
		EXPECTED(held != NULL) && EXPECTED(held->attachment.view.is_line)) {
		if (EXPECTED(held->attachment.presence == BLOOM_PRESENCE_VIEW)) {
			key = Z_STR_P(argument);
			/* The length is read only once, so that the compiler knows below that the
			 * key is short. */
			count = ZSTR_LEN(key);
			if (EXPECTED(count <= SHORT_KEY_BYTES) &&
				EXPECTED(bloom_attachment_is_current(&held->attachment))) {
				answer = bloom_line_test(&held->attachment.view,
					bloom_digest_of((const unsigned char *)ZSTR_VAL(key), count,
						held->attachment.view.seed));
				bloom_attachment_count(&held->attachment, answer);
				RETURN_BOOL(answer);
			}
		} else if (held->attachment.presence == BLOOM_PRESENCE_ADDITIONS) {
			might_contain_in_lines(INTERNAL_FUNCTION_PARAM_PASSTHRU, &held->attachment);
			return;
		}
	}
	ZEND_MN(Bloom_Filter_mightContain)(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

#endif

void php_bloom_lookup_startup(zend_class_entry *filter)
{
#ifdef BLOOM_LINE
	zend_function *method;

	if (bloom_line_is_supported()) {
		method = zend_hash_str_find_ptr(&filter->function_table, ZEND_STRL("mightcontain"));
		method->internal_function.handler = might_contain_in_line;
	}
#else
	(void)filter;
#endif
}

ZEND_COLD void php_bloom_throw_bad_key(const HashTable *keys, const zval *value)
{
	const Bucket *bucket = (const Bucket *)(const void *)value;
	zend_ulong index = HT_IS_PACKED(keys) ? (zend_ulong)(value - keys->arPacked) : bucket->h;

	if (!HT_IS_PACKED(keys) && bucket->key != NULL) {
		zend_argument_type_error(1,
			"must contain only values of type string|int, %s given at key \"%s\"",
			zend_zval_type_name(value), ZSTR_VAL(bucket->key));
	} else {
		zend_argument_type_error(1,
			"must contain only values of type string|int, %s given at "
			"key " ZEND_LONG_FMT,
			zend_zval_type_name(value), (zend_long)index);
	}
}

void php_bloom_add_under(HashTable *found, const HashTable *keys, const zval *value, zval *added)
{
	const Bucket *bucket = (const Bucket *)(const void *)value;

	if (HT_IS_PACKED(keys)) {
		zend_hash_index_add_new(found, (zend_ulong)(value - keys->arPacked), added);
	} else if (bucket->key != NULL) {
		zend_hash_add_new(found, bucket->key, added);
	} else {
		zend_hash_index_add_new(found, bucket->h, added);
	}
}

/* Adds a value of the array `keys` to the array `found`, under the same array key. */
static void add_found(HashTable *found, const HashTable *keys, zval *value)
{
	zval *copy = value;

	ZVAL_DEREF(copy);
	Z_TRY_ADDREF_P(copy);
	php_bloom_add_under(found, keys, value, copy);
}

/* A batch of keys. The processor fetches the keys' blocks while it hashes later keys. */
typedef struct key_batch {
	uint32_t count;
	bloom_digest digests[BLOOM_BATCH_MAX];
	zval *values[BLOOM_BATCH_MAX];
} key_batch;

/* Adds to `found` those values of a batch whose bits are set in `left`, then empties the batch. */
static void end_batch(key_batch *batch, uint64_t left, HashTable *found, const HashTable *keys)
{
	for (; left != 0; left &= left - 1) {
		add_found(found, keys, batch->values[bloom_trailing_zeros(left)]);
	}
	batch->count = 0;
}

/* A filter whose lookups need only the unkeyed digest of a key. */
typedef struct digest_filter {
	const bloom_view *view;
	const bloom_ribbon *ribbon; /* NULL: not a ribbon filter */
	bloom_live *additions;      /* NULL: none */
} digest_filter;

/* The next three functions are always inline, so that the compiler removes the branches for a
 * ribbon that the caller sets to NULL. */

static zend_always_inline void prefetch(digest_filter filter, bloom_digest digest)
{
	if (filter.ribbon == NULL) {
		bloom_view_prefetch(filter.view, digest);
	}
}

static zend_always_inline uint64_t test_many(
	digest_filter filter, const bloom_digest *digests, uint32_t count)
{
	uint64_t found = filter.ribbon == NULL
		? bloom_view_test_many(filter.view, digests, count)
		: bloom_ribbon_test_many(filter.ribbon, digests, count);

	return filter.additions == NULL
		? found
		: found | bloom_additions_test_many(filter.additions, digests, count);
}

static zend_always_inline bool find_in_batches(
	digest_filter filter, HashTable *keys, HashTable *found)
{
	php_bloom_key key;
	zval *value;
	key_batch batch;

	batch.count = 0;
	ZEND_HASH_FOREACH_VAL(keys, value) {
		if (UNEXPECTED(!php_bloom_key_of_value(&key, value))) {
			php_bloom_throw_bad_key(keys, value);
			return false;
		}
		bloom_digest digest = bloom_digest_of(key.bytes, key.count, filter.view->seed);
		prefetch(filter, digest);
		batch.digests[batch.count] = digest;
		batch.values[batch.count] = value;
		if (++batch.count == BLOOM_BATCH_MAX) {
			end_batch(
				&batch, test_many(filter, batch.digests, batch.count), found, keys);
		}
	}
	ZEND_HASH_FOREACH_END();
	if (batch.count > 0) {
		end_batch(&batch, test_many(filter, batch.digests, batch.count), found, keys);
	}
	return true;
}

BLOOM_FLATTEN static bool find_in_view(
	const bloom_view *view, bloom_live *additions, HashTable *keys, HashTable *found)
{
	return find_in_batches((digest_filter){.view = view, .additions = additions}, keys, found);
}

BLOOM_FLATTEN static bool find_in_ribbon(const bloom_view *view, const bloom_ribbon *ribbon,
	bloom_live *additions, HashTable *keys, HashTable *found)
{
	return find_in_batches(
		(digest_filter){.view = view, .ribbon = ribbon, .additions = additions}, keys,
		found);
}

/* ---- candidates() of a list ----
 *
 * A list is a packed array. All of its keys are tested before the result is created, so that the
 * result is allocated at its final size:
 *
 *     slots 0 … 63 ─► digests, prefetch ─► mask 0 ─┐
 *     slots 64 … 127 ─► …                ─► mask 1 ─┼─► result
 */

typedef struct list_answer {
	uint64_t *masks; /* bit i % 64 of masks[i / 64]: slot i was found */
	uint32_t found;
	uint32_t end;          /* 1 + the last slot that was found */
	bloom_live *additions; /* the filter's; NULL: none */
	bool has_references;
} list_answer;

/* Hashes a value that is not a string: an int, or a reference to a string or an int. Returns false
 * for other types. */
static zend_never_inline bool hash_other(const zval *value, uint64_t seed, bloom_digest *digest)
{
	php_bloom_key key;

	if (!php_bloom_key_of_value(&key, value)) {
		return false;
	}
	*digest = bloom_digest_of(key.bytes, key.count, seed);
	return true;
}

/* Tests slots `from` to `end` of a list, at most BLOOM_BATCH_MAX, and sets *mask. The processor
 * fetches the keys' blocks while it hashes later keys. */
BLOOM_FLATTEN static bool test_slots(const bloom_view *view, const HashTable *keys, uint32_t from,
	uint32_t end, list_answer *answer, uint64_t *mask)
{
	const zval *slots = keys->arPacked + from;
	bloom_digest digests[BLOOM_BATCH_MAX];
	uint64_t holes = 0;
	uint32_t i;

	for (i = 0; i < end - from; i++) {
		if (EXPECTED(Z_TYPE(slots[i]) == IS_STRING)) {
			digests[i] = bloom_digest_of((const unsigned char *)Z_STRVAL(slots[i]),
				Z_STRLEN(slots[i]), view->seed);
		} else if (Z_TYPE(slots[i]) == IS_UNDEF) {
			digests[i] = 0;
			holes |= UINT64_C(1) << i;
		} else if (hash_other(slots + i, view->seed, &digests[i])) {
			answer->has_references |= Z_ISREF(slots[i]);
		} else {
			php_bloom_throw_bad_key(keys, slots + i);
			return false;
		}
		bloom_view_prefetch(view, digests[i]);
	}
	*mask = bloom_view_test_many(view, digests, end - from);
	if (answer->additions != NULL) {
		*mask |= bloom_additions_test_many(answer->additions, digests, end - from);
	}
	*mask &= ~holes;
	return true;
}

static bool test_list(const bloom_view *view, const HashTable *keys, list_answer *answer)
{
	uint32_t used = keys->nNumUsed, from, end;
	uint64_t mask;

	for (from = 0; from < used; from = end) {
		end = used - from > BLOOM_BATCH_MAX ? from + BLOOM_BATCH_MAX : used;
		if (!test_slots(view, keys, from, end, answer, &mask)) {
			return false;
		}
		answer->masks[from / BLOOM_BATCH_MAX] = mask;
		if (mask != 0) {
			answer->found += bloom_popcount(mask);
			answer->end = from + 64 - bloom_leading_zeros(mask);
		}
	}
	return true;
}

/* Makes a packed array with holes for the slots that were not found. The loop over the bits of a
 * mask has an unpredictable end only once per mask. A loop over the slots would mispredict a branch
 * for most slots that were found. */
static void make_packed(const HashTable *keys, const list_answer *answer, zval *result)
{
	HashTable *made;
	uint32_t i, slot;
	uint64_t left;

	array_init_size(result, answer->end);
	made = Z_ARRVAL_P(result);
	zend_hash_real_init_packed(made);
	for (i = 0; i < answer->end; i++) {
		ZVAL_UNDEF(made->arPacked + i);
	}
	for (i = 0; i * 64 < answer->end; i++) {
		for (left = answer->masks[i]; left != 0; left &= left - 1) {
			slot = i * 64 + bloom_trailing_zeros(left);
			ZVAL_COPY_DEREF(made->arPacked + slot, keys->arPacked + slot);
		}
	}
	made->nNumUsed = answer->end;
	made->nNumOfElements = answer->found;
	made->nNextFreeElement = answer->end;
}

static void make_hash(const HashTable *keys, const list_answer *answer, zval *result)
{
	uint64_t left;
	uint32_t i, slot;
	zval copy;

	array_init_size(result, answer->found);
	zend_hash_real_init_mixed(Z_ARRVAL_P(result));
	for (i = 0; i * 64 < answer->end; i++) {
		/* test_list() has set the masks of all slots before `end`.
		 * NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign) */
		for (left = answer->masks[i]; left != 0; left &= left - 1) {
			slot = i * 64 + bloom_trailing_zeros(left);
			ZVAL_COPY_DEREF(&copy, keys->arPacked + slot);
			zend_hash_index_add_new(Z_ARRVAL_P(result), slot, &copy);
		}
	}
}

static void make_result(zval *list, const list_answer *answer, zval *result)
{
	enum { SPARSE = 4 }; /* an element of a hash takes 36 bytes, a packed slot 16 */
	const HashTable *keys = Z_ARRVAL_P(list);

	if (answer->found == 0) {
		ZVAL_EMPTY_ARRAY(result);
	} else if (answer->found == keys->nNumOfElements && !answer->has_references &&
		keys->nNextFreeElement == (zend_long)answer->end) {
		/* Return the list itself, because an append to it gets the same index as an append
		 * to a new array would. */
		ZVAL_COPY(result, list);
	} else if (answer->found >= answer->end / SPARSE) {
		make_packed(keys, answer, result);
	} else {
		make_hash(keys, answer, result);
	}
}

/* Implements candidates() of a list for a filter with one view, and perhaps additions. */
static bool find_in_list(const bloom_view *view, bloom_live *additions, zval *list, zval *result)
{
	enum { MASKS = 64 };
	uint64_t masks[MASKS];
	list_answer answer = {.masks = masks, .additions = additions};
	uint32_t count = Z_ARRVAL_P(list)->nNumUsed / BLOOM_BATCH_MAX + 1;
	bool is_tested;

	if (count > MASKS) {
		answer.masks = safe_emalloc(count, sizeof *masks, 0);
	}
	is_tested = test_list(view, Z_ARRVAL_P(list), &answer);
	if (is_tested) {
		make_result(list, &answer, result);
	}
	if (answer.masks != masks) {
		efree(answer.masks);
	}
	return is_tested;
}

bool php_bloom_find_in_view(const bloom_view *view, const bloom_ribbon *ribbon,
	bloom_live *additions, zval *keys, zval *result)
{
	if (ribbon == NULL && EXPECTED(HT_IS_PACKED(Z_ARRVAL_P(keys)))) {
		return find_in_list(view, additions, keys, result);
	}
	array_init(result);
	return ribbon == NULL
		? find_in_view(view, additions, Z_ARRVAL_P(keys), Z_ARRVAL_P(result))
		: find_in_ribbon(view, ribbon, additions, Z_ARRVAL_P(keys), Z_ARRVAL_P(result));
}

/* Always inline, so that the compiler knows `test`. */
static zend_always_inline bool find_each(
	HashTable *keys, php_bloom_test_key test, void *context, HashTable *found)
{
	php_bloom_key key;
	zval *value;

	ZEND_HASH_FOREACH_VAL(keys, value) {
		if (UNEXPECTED(!php_bloom_key_of_value(&key, value))) {
			php_bloom_throw_bad_key(keys, value);
			return false;
		}
		if (test(context, &key)) {
			add_found(found, keys, value);
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

bool php_bloom_find_each(HashTable *keys, php_bloom_test_key test, void *context, HashTable *found)
{
	return find_each(keys, test, context, found);
}

typedef struct other_filter {
	bloom_attachment *attachment;
	bloom_presence presence;
} other_filter;

static zend_always_inline bool test_other(void *context, const php_bloom_key *key)
{
	const other_filter *filter = context;

	return test_otherwise(filter->attachment, filter->presence, key);
}

/* Implements candidates() for all other filters, one key at a time. */
static bool find_otherwise(
	bloom_attachment *attachment, bloom_presence presence, HashTable *keys, HashTable *found)
{
	other_filter filter = {.attachment = attachment, .presence = presence};

	return find_each(keys, test_other, &filter, found);
}

static zend_always_inline bool find_candidates(void *context, zval *keys, zval *result)
{
	zend_object *object = context;
	bloom_presence presence;
	bloom_attachment *attachment = php_bloom_current(object, &presence);
	const bloom_loaded *loaded;
	bool ok;

	if (UNEXPECTED(attachment == NULL)) {
		return false;
	}
	if (UNEXPECTED(attachment->ops->fetches) && presence != BLOOM_PRESENCE_UNMAPPED &&
		(!php_bloom_ondemand_fetch_all(object, attachment, Z_ARRVAL_P(keys)) ||
			(attachment = php_bloom_current(object, &presence)) == NULL)) {
		return false;
	}
	if (EXPECTED(presence == BLOOM_PRESENCE_VIEW)) {
		ok = php_bloom_find_in_view(&attachment->view, NULL, NULL, keys, result);
	} else if (presence == BLOOM_PRESENCE_RIBBON) {
		ok = php_bloom_find_in_view(
			&attachment->view, &attachment->loaded->ribbon, NULL, keys, result);
	} else if (presence == BLOOM_PRESENCE_ADDITIONS) {
		loaded = attachment->loaded;
		ok = php_bloom_find_in_view(&attachment->view,
			attachment->ops->kind == BLOOM_KIND_RIBBON ? &loaded->ribbon : NULL,
			loaded->additions, keys, result);
	} else {
		array_init(result);
		ok = find_otherwise(attachment, presence, Z_ARRVAL_P(keys), Z_ARRVAL_P(result));
	}
	if (EXPECTED(ok)) {
		bloom_attachment_count_many(attachment, zend_hash_num_elements(Z_ARRVAL_P(keys)),
			zend_hash_num_elements(Z_ARRVAL_P(result)));
	}
	return ok;
}

static void to_list(zval *array, zval *list)
{
	zval *value;

	array_init_size(list, zend_hash_num_elements(Z_ARRVAL_P(array)));
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(array), value) {
		Z_TRY_ADDREF_P(value);
		zend_hash_next_index_insert_new(Z_ARRVAL_P(list), value);
	}
	ZEND_HASH_FOREACH_END();
	zval_ptr_dtor(array);
}

/* The keys of a Traversable need not be unique, so the result is a list. */
void php_bloom_find_in_traversable(
	zval *keys, php_bloom_find find_in_array, void *context, zval *result)
{
	zval list, found;

	ZVAL_UNDEF(&found);
	if (php_bloom_list_keys(keys, 1, &list) && find_in_array(context, &list, &found)) {
		to_list(&found, result);
	} else {
		zval_ptr_dtor(&found);
	}
	zval_ptr_dtor(&list);
}

ZEND_METHOD(Bloom_Filter, candidates)
{
	zval *keys;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ITERABLE(keys)
	ZEND_PARSE_PARAMETERS_END();

	if (EXPECTED(Z_TYPE_P(keys) == IS_ARRAY)) {
		if (!find_candidates(Z_OBJ_P(ZEND_THIS), keys, return_value)) {
			RETURN_THROWS();
		}
	} else {
		php_bloom_find_in_traversable(
			keys, find_candidates, Z_OBJ_P(ZEND_THIS), return_value);
	}
}
