/* Bloom\MemcachedStore */
#include "php/engine.h"

#include <string.h>

#include <zend_exceptions.h>

#include "php/classes.h"
#include "php/store/memcached_client.h"
#include "php/store/store.h"
#include "filter/chunk.h"

enum {
	KEY_BYTES_MAX = 250, /* Memcached's limit */
	PREFIX_BYTES_MAX = KEY_BYTES_MAX - (BLOOM_CHUNK_KEY_BYTES - 1),
	MISSING_BATCH = 16, /* values that missing() keeps in memory */
};

/* Returns whether the bytes are printable ASCII without spaces. Memcached allows other bytes as
 * well, but its client does not. */
static bool is_key(const char *bytes, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (bytes[i] <= ' ' || bytes[i] > '~') {
			return false;
		}
	}
	return true;
}

/* Checks a key with the prefix, because the client treats invalid keys as missing. */
static bool check_key(const zend_string *full)
{
	if (ZSTR_LEN(full) > 0 && ZSTR_LEN(full) <= KEY_BYTES_MAX &&
		is_key(ZSTR_VAL(full), ZSTR_LEN(full))) {
		return true;
	}
	zend_argument_value_error(1,
		"with the prefix must be 1 to %d bytes of printable ASCII without spaces",
		KEY_BYTES_MAX);
	return false;
}

static bool full_key(zend_object *store, const zend_string *key, zval *full)
{
	ZVAL_STR(full, php_bloom_client_key(store, key));
	if (check_key(Z_STR_P(full))) {
		return true;
	}
	zval_ptr_dtor(full);
	return false;
}

static bool full_keys(zend_object *store, const zval *keys, uint32_t count, zval *full)
{
	const zval *key;

	php_bloom_client_keys(store, keys, count, full);
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(full), key) {
		if (!check_key(Z_STR_P(key))) {
			zval_ptr_dtor(full);
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* ---- getMultiple(), missing() ---- */

/* Returns whether all values belong to keys of the list. */
static bool has_only(HashTable *values, HashTable *list)
{
	HashTable asked;
	zend_string *name;
	zend_ulong number;
	zval *key, yes;
	bool ok = true;

	ZVAL_TRUE(&yes);
	zend_hash_init(&asked, zend_hash_num_elements(list), NULL, NULL, false);
	ZEND_HASH_FOREACH_VAL(list, key) {
		(void)zend_symtable_update(&asked, Z_STR_P(key), &yes);
	}
	ZEND_HASH_FOREACH_END();
	ZEND_HASH_FOREACH_KEY(values, number, name)
	{
		ok = ok &&
			(name != NULL ? zend_hash_exists(&asked, name)
				      : zend_hash_index_exists(&asked, number));
	}
	ZEND_HASH_FOREACH_END();
	zend_hash_destroy(&asked);
	return ok;
}

static bool get_with(const php_bloom_client *client, zval *list, zval *values)
{
	uint32_t count = zend_hash_num_elements(Z_ARRVAL_P(list));
	bool ok;

	if (!php_bloom_client_call(client, "getMulti", 1, list, values)) {
		return false;
	}
	ok = Z_TYPE_P(values) == IS_ARRAY && php_bloom_memcached_is_well(client, "getResultCode");
	if (!ok) {
		(void)php_bloom_memcached_throw(client, "get", "getResultMessage");
	} else if (zend_hash_num_elements(Z_ARRVAL_P(values)) < count &&
		!php_bloom_memcached_is_well(client, "getLastErrorCode")) {
		/* If there are several servers, the call succeeds as soon as one of them
		 * answers. */
		ok = php_bloom_memcached_throw(client, "get", "getLastErrorMessage");
	} else if (!has_only(Z_ARRVAL_P(values), Z_ARRVAL_P(list))) {
		zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE_TYPE,
			"Memcached answered get with a key that was not asked for");
		ok = false;
	}
	if (!ok || EG(exception)) {
		zval_ptr_dtor(values);
		return false;
	}
	return true;
}

static bool get(zend_object *self, const zval *full, uint32_t count, zval *values)
{
	php_bloom_client client;
	uint32_t i;
	zval list;
	bool ok;

	if (!php_bloom_memcached_begin(self, &client, false)) {
		return false;
	}
	array_init_size(&list, count);
	for (i = 0; i < count; i++) {
		add_next_index_str(&list, zend_string_copy(Z_STR(full[i])));
	}
	ok = get_with(&client, &list, values);
	zval_ptr_dtor(&list);
	php_bloom_client_end(&client, ok);
	return ok || php_bloom_store_wrap();
}

static bool get_values(zend_object *store, const zval *keys, uint32_t count, zval *answer)
{
	zval full, values, *value;
	uint32_t i;
	bool ok;

	if (count == 0 || !full_keys(store, keys, count, &full)) {
		return count == 0;
	}
	ok = get(store, Z_ARRVAL(full)->arPacked, count, &values);
	for (i = 0; ok && i < count; i++) {
		value = zend_symtable_find(Z_ARRVAL(values), Z_STR(Z_ARRVAL(full)->arPacked[i]));
		if (value != NULL) {
			Z_TRY_ADDREF_P(value);
			zend_symtable_update(Z_ARRVAL_P(answer), Z_STR(keys[i]), value);
		}
	}
	if (ok) {
		zval_ptr_dtor(&values);
	}
	zval_ptr_dtor(&full);
	return ok;
}

static bool add_missing(
	zend_object *store, const zval *keys, const zval *full, uint32_t count, zval *answer)
{
	zval values;
	uint32_t i;

	if (!get(store, full, count, &values)) {
		return false;
	}
	for (i = 0; i < count; i++) {
		if (!zend_symtable_exists(Z_ARRVAL(values), Z_STR(full[i]))) {
			add_next_index_str(answer, zend_string_copy(Z_STR(keys[i])));
		}
	}
	zval_ptr_dtor(&values);
	return true;
}

static bool missing(zend_object *store, const zval *keys, uint32_t count, zval *answer)
{
	uint32_t done, part;
	bool ok = true;
	zval full;

	if (!full_keys(store, keys, count, &full)) {
		return false;
	}
	for (done = 0; ok && done < count; done += part) {
		part = count - done < MISSING_BATCH ? count - done : MISSING_BATCH;
		ok = add_missing(store, keys + done, Z_ARRVAL(full)->arPacked + done, part, answer);
	}
	zval_ptr_dtor(&full);
	return ok;
}

/* ---- set() ---- */

static bool is_chunk_key(const zend_string *key)
{
	enum { TAIL = 2 * BLOOM_CHUNK_DIGEST_BYTES };

	return ZSTR_LEN(key) > TAIL && ZSTR_VAL(key)[ZSTR_LEN(key) - TAIL - 1] == ':' &&
		strspn(ZSTR_VAL(key) + ZSTR_LEN(key) - TAIL, "0123456789abcdef") == TAIL;
}

static void throw_refused(
	const php_bloom_client *client, const zend_string *key, const zend_string *value)
{
	if (php_bloom_client_number(client, "getResultCode") !=
			php_bloom_memcached_constant(client, "RES_E2BIG") &&
		ZSTR_LEN(value) <= PHP_BLOOM_MEMCACHED_VALUE_BYTES_MAX) {
		(void)php_bloom_memcached_throw(client, "set", "getResultMessage");
		return;
	}
	zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE,
		"%s: %s: %zu bytes exceed Memcached's item size, by default 1 MB (raise it with "
		"the "
		"option -I, or build with %s)",
		bloom_status_sentence(BLOOM_E_STORE), ZSTR_VAL(key), ZSTR_LEN(value),
		is_chunk_key(key) ? "smaller chunkBytes"
				  : "larger shardBytes and chunkBytes, for a smaller head");
}

/* Calls set() or add() for a value that never expires. */
static bool store_value(const php_bloom_client *client, const char *method, zval *full,
	zend_string *value, zval *answer)
{
	zval arguments[3];

	ZVAL_COPY_VALUE(&arguments[0], full);
	ZVAL_STR(&arguments[1], value);
	ZVAL_LONG(&arguments[2], 0);
	return php_bloom_client_call(client, method, 3, arguments, answer);
}

static bool set_with(
	const php_bloom_client *client, zval *full, const zend_string *key, zend_string *value)
{
	zval answer;
	bool ok;

	if (!store_value(client, "set", full, value, &answer)) {
		return false;
	}
	ok = Z_TYPE(answer) == IS_TRUE;
	if (!ok) {
		throw_refused(client, key, value);
	}
	zval_ptr_dtor(&answer);
	return ok;
}

static bool set(zend_object *store, zend_string *key, zend_string *value)
{
	php_bloom_memcached_write write;
	bool ok;
	zval full;

	if (!full_key(store, key, &full)) {
		return false;
	}
	ok = php_bloom_memcached_begin_write(store, &write);
	if (ok) {
		ok = set_with(&write.client, &full, key, value);
		php_bloom_memcached_end_write(&write, ok);
	}
	zval_ptr_dtor(&full);
	return ok;
}

/* ---- replace() ---- */

/* Gets a value and the token for cas.
 *
 *   *answer  an array with "value" and "cas"; anything else: the key does not exist */
static bool get_with_token(const php_bloom_client *client, zval *full, zval *answer)
{
	zval arguments[3];

	ZVAL_COPY_VALUE(&arguments[0], full);
	ZVAL_NULL(&arguments[1]);
	ZVAL_LONG(&arguments[2], php_bloom_memcached_constant(client, "GET_EXTENDED"));
	if (!php_bloom_client_call(client, "get", 3, arguments, answer)) {
		return false;
	}
	if (Z_TYPE_P(answer) == IS_ARRAY || php_bloom_memcached_is_well(client, "getResultCode")) {
		return true;
	}
	zval_ptr_dtor(answer);
	return php_bloom_memcached_throw(client, "get", "getResultMessage");
}

/* Checks the answer to add or cas.
 *
 *   refusal  the constant of the answer if the value is a different one */
static bool take_replaced(const php_bloom_client *client, const zend_string *key,
	const zend_string *value, const zval *answer, const char *refusal, bool *is_replaced)
{
	zend_long code;

	*is_replaced = Z_TYPE_P(answer) == IS_TRUE;
	if (*is_replaced) {
		return true;
	}
	code = php_bloom_client_number(client, "getResultCode");
	if (code == php_bloom_memcached_constant(client, refusal) ||
		code == php_bloom_memcached_constant(client, "RES_NOTFOUND")) {
		return true;
	}
	throw_refused(client, key, value);
	return false;
}

static bool add_new(const php_bloom_client *client, const zend_string *key, zval *full,
	zend_string *value, bool *is_replaced)
{
	zval answer;
	bool ok;

	if (!store_value(client, "add", full, value, &answer)) {
		return false;
	}
	ok = take_replaced(client, key, value, &answer, "RES_NOTSTORED", is_replaced);
	zval_ptr_dtor(&answer);
	return ok;
}

static bool replace_known(const php_bloom_client *client, const zend_string *key, zval *full,
	const zend_string *expected, zend_string *value, bool *is_replaced)
{
	zval arguments[4], answer, found, *present = NULL, *token = NULL;
	bool ok;

	*is_replaced = false;
	if (!get_with_token(client, full, &found)) {
		return false;
	}
	if (Z_TYPE(found) == IS_ARRAY) {
		present = zend_hash_str_find(Z_ARRVAL(found), ZEND_STRL("value"));
		token = zend_hash_str_find(Z_ARRVAL(found), ZEND_STRL("cas"));
	}
	if (present == NULL || token == NULL || Z_TYPE_P(present) != IS_STRING ||
		!zend_string_equals(Z_STR_P(present), expected)) {
		zval_ptr_dtor(&found);
		return true;
	}
	ZVAL_COPY_VALUE(&arguments[0], token);
	ZVAL_COPY_VALUE(&arguments[1], full);
	ZVAL_STR(&arguments[2], value);
	ZVAL_LONG(&arguments[3], 0); /* never expires */
	ok = php_bloom_client_call(client, "cas", 4, arguments, &answer);
	zval_ptr_dtor(&found);
	if (!ok) {
		return false;
	}
	ok = take_replaced(client, key, value, &answer, "RES_DATA_EXISTS", is_replaced);
	zval_ptr_dtor(&answer);
	return ok;
}

static bool replace(zend_object *store, zend_string *key, zend_string *expected, zend_string *value,
	bool *is_replaced)
{
	php_bloom_memcached_write write;
	zval full;
	bool ok;

	if (!full_key(store, key, &full)) {
		return false;
	}
	ok = php_bloom_memcached_begin_write(store, &write);
	if (ok) {
		ok = expected == NULL
			? add_new(&write.client, key, &full, value, is_replaced)
			: replace_known(&write.client, key, &full, expected, value, is_replaced);
		php_bloom_memcached_end_write(&write, ok);
	}
	zval_ptr_dtor(&full);
	return ok;
}

/* ---- deleteMultiple() ---- */

/* Deletes a key. A missing key is not an error. */
static bool delete (const php_bloom_client *client, zval *full)
{
	zval answer;
	bool ok;

	if (!php_bloom_client_call(client, "delete", 1, full, &answer)) {
		return false;
	}
	ok = Z_TYPE(answer) == IS_TRUE || php_bloom_memcached_is_well(client, "getResultCode");
	zval_ptr_dtor(&answer);
	return ok || php_bloom_memcached_throw(client, "delete", "getResultMessage");
}

static bool delete_keys(zend_object *store, const zval *keys, uint32_t count)
{
	bool ok = true;
	php_bloom_memcached_write write;
	zval full, *key;

	if (count == 0 || !full_keys(store, keys, count, &full)) {
		return count == 0;
	}
	if (!php_bloom_memcached_begin_write(store, &write)) {
		zval_ptr_dtor(&full);
		return false;
	}
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL(full), key) {
		ok = ok && delete (&write.client, key);
	}
	ZEND_HASH_FOREACH_END();
	php_bloom_memcached_end_write(&write, ok);
	zval_ptr_dtor(&full);
	return ok;
}

/* ---- the class ---- */

static const php_bloom_store_ops ops = {
	.get = get_values,
	.missing = missing,
	.set = set,
	.replace = replace,
	.delete_keys = delete_keys,
};

ZEND_METHOD(Bloom_MemcachedStore, __construct)
{
	zend_string *prefix = NULL;
	zval *client;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_OBJECT(client)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(prefix)
	ZEND_PARSE_PARAMETERS_END();

	if (prefix != NULL &&
		(ZSTR_LEN(prefix) > PREFIX_BYTES_MAX ||
			!is_key(ZSTR_VAL(prefix), ZSTR_LEN(prefix)))) {
		zend_argument_value_error(2,
			"must be at most %d bytes of printable ASCII without spaces",
			PREFIX_BYTES_MAX);
		RETURN_THROWS();
	}
	if (!php_bloom_client_construct(Z_OBJ_P(ZEND_THIS), &ops, client, prefix)) {
		RETURN_THROWS();
	}
}
