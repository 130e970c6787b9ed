/* Bloom\RedisStore, which supports three clients. Every operation is a script: see redis_script.h.
 *
 *     one server, or a prefix with a hash tag   many keys in one script
 *     a cluster                                 one key in each script, sent to the key's server
 */
#include "php/engine.h"

#include <string.h>

#include "php/classes.h"
#include "php/store/client.h"
#include "php/store/redis_script.h"
#include "php/store/store.h"

/* Lua's unpack() allows almost 8,000 values: more than PHP_BLOOM_STORE_KEYS_MAX. MGET answers nil
 * for a key that is not a string; GET would fail. */
static const char get_script[] = PHP_BLOOM_REDIS_SCRIPT("return redis.call('MGET', unpack(KEYS))");

static const char exists_script[] =
	PHP_BLOOM_REDIS_SCRIPT("local found = {} "
			       "for i = 1, #KEYS do found[i] = redis.call('EXISTS', KEYS[i]) end "
			       "return found");

static const char set_script[] =
	PHP_BLOOM_REDIS_SCRIPT("redis.call('SET', KEYS[1], ARGV[4]) return 1");

static const char delete_script[] =
	PHP_BLOOM_REDIS_SCRIPT("return redis.call('DEL', unpack(KEYS))");

/* Arguments: the SHA-1 of the expected value in hexadecimal, or an empty string if the key must not
 * exist; the new value. */
static const char replace_script[] = PHP_BLOOM_REDIS_SCRIPT(
	"local v, expected = redis.call('GET', KEYS[1]), ARGV[4] "
	"if expected == '' and v or expected ~= '' and (not v or redis.sha1hex(v) ~= expected) "
	"then return 0 end "
	"redis.call('SET', KEYS[1], ARGV[5]) "
	"return 1");

ZEND_METHOD(Bloom_RedisStore, __construct)
{
	zend_string *prefix = NULL;
	zval *client;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_OBJECT(client)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(prefix)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_bloom_client_construct(Z_OBJ_P(ZEND_THIS), client, prefix)) {
		RETURN_THROWS();
	}
}

/* ---- many keys ---- */

/* Takes the result for `count` keys, which begin at `keys` without their prefix. */
typedef bool (*taker)(
	const char *command, zval *result, const zval *keys, uint32_t count, zval *to);

/* Runs a script for all keys of the only argument, in as few parts as the client allows. */
static void for_keys(
	INTERNAL_FUNCTION_PARAMETERS, const char *command, const char *text, taker take)
{
	zend_object *self = Z_OBJ_P(ZEND_THIS);
	uint32_t count, most, done, part;
	php_bloom_client_list list;
	const zval *full, *bare;
	HashTable *keys;
	bool ok = true;
	zval result;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(keys)
	ZEND_PARSE_PARAMETERS_END();

	count = zend_hash_num_elements(keys);
	most = count > 0 ? php_bloom_redis_keys_max(self) : 0;
	if (most == 0 || !php_bloom_client_keys(self, keys, &list)) {
		return;
	}
	full = Z_ARRVAL(list.full)->arPacked;
	bare = Z_ARRVAL(list.keys)->arPacked;
	for (done = 0; ok && done < count; done += part) {
		part = count - done < most ? count - done : most;
		ok = php_bloom_redis_run(self, command, text, full + done, part, NULL, &result);
		if (ok) {
			ok = take(command, &result, bare + done, part, return_value);
			zval_ptr_dtor(&result);
		}
	}
	php_bloom_client_list_free(&list);
}

/* Throws unless the result is an array with an element for each key. */
static bool check_list(const char *command, const zval *result, uint32_t count)
{
	uint32_t i;

	if (Z_TYPE_P(result) != IS_ARRAY || zend_hash_num_elements(Z_ARRVAL_P(result)) != count) {
		php_bloom_redis_throw_type(command, result);
		return false;
	}
	for (i = 0; i < count; i++) {
		if (!zend_hash_index_exists(Z_ARRVAL_P(result), i)) {
			php_bloom_redis_throw_type(command, result);
			return false;
		}
	}
	return true;
}

static bool take_values(
	const char *command, zval *result, const zval *keys, uint32_t count, zval *to)
{
	zval *value;
	uint32_t i;

	if (!check_list(command, result, count)) {
		return false;
	}
	for (i = 0; i < count; i++) {
		value = zend_hash_index_find(Z_ARRVAL_P(result), i);
		if (Z_TYPE_P(value) == IS_STRING) {
			Z_TRY_ADDREF_P(value);
			zend_symtable_update(Z_ARRVAL_P(to), Z_STR(keys[i]), value);
		} else if (Z_TYPE_P(value) != IS_FALSE && Z_TYPE_P(value) != IS_NULL) {
			php_bloom_redis_throw_type(command, value);
			return false;
		}
	}
	return true;
}

ZEND_METHOD(Bloom_RedisStore, getMultiple)
{
	array_init(return_value);
	for_keys(INTERNAL_FUNCTION_PARAM_PASSTHRU, "MGET", get_script, take_values);
}

static bool take_missing(
	const char *command, zval *result, const zval *keys, uint32_t count, zval *to)
{
	zval *exists, key;
	uint32_t i;

	if (!check_list(command, result, count)) {
		return false;
	}
	for (i = 0; i < count; i++) {
		exists = zend_hash_index_find(Z_ARRVAL_P(result), i);
		if (Z_TYPE_P(exists) != IS_LONG) {
			php_bloom_redis_throw_type(command, exists);
			return false;
		}
		if (Z_LVAL_P(exists) == 0) {
			ZVAL_COPY(&key, &keys[i]);
			add_next_index_zval(to, &key);
		}
	}
	return true;
}

ZEND_METHOD(Bloom_RedisStore, missing)
{
	array_init(return_value);
	for_keys(INTERNAL_FUNCTION_PARAM_PASSTHRU, "EXISTS", exists_script, take_missing);
}

static bool take_nothing(
	const char *command, zval *result, const zval *keys, uint32_t count, zval *to)
{
	(void)keys, (void)count, (void)to;
	if (Z_TYPE_P(result) == IS_LONG) {
		return true;
	}
	php_bloom_redis_throw_type(command, result);
	return false;
}

/* A publisher passes the keys of all unused chunks of a large filter in one call. */
ZEND_METHOD(Bloom_RedisStore, deleteMultiple)
{
	for_keys(INTERNAL_FUNCTION_PARAM_PASSTHRU, "DEL", delete_script, take_nothing);
}

/* ---- one key ---- */

ZEND_METHOD(Bloom_RedisStore, set)
{
	zend_string *key, *value;
	zend_long ignored;
	zval arguments;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(key)
		Z_PARAM_STR(value)
	ZEND_PARSE_PARAMETERS_END();

	array_init(&arguments);
	add_next_index_str(&arguments, zend_string_copy(value));
	(void)php_bloom_redis_run_number(
		Z_OBJ_P(ZEND_THIS), "SET", set_script, key, &arguments, &ignored);
}

ZEND_METHOD(Bloom_RedisStore, replace)
{
	zend_string *key, *expected = NULL, *value;
	char digest[PHP_BLOOM_SHA1_BYTES] = "";
	zend_long replaced;
	zval arguments;

	ZEND_PARSE_PARAMETERS_START(3, 3)
		Z_PARAM_STR(key)
		Z_PARAM_STR_OR_NULL(expected)
		Z_PARAM_STR(value)
	ZEND_PARSE_PARAMETERS_END();

	if (expected != NULL) {
		php_bloom_redis_digest(ZSTR_VAL(expected), ZSTR_LEN(expected), digest);
	}
	array_init(&arguments);
	add_next_index_string(&arguments, digest);
	add_next_index_str(&arguments, zend_string_copy(value));
	if (!php_bloom_redis_run_number(
		    Z_OBJ_P(ZEND_THIS), "SET", replace_script, key, &arguments, &replaced)) {
		RETURN_THROWS();
	}
	RETURN_BOOL(replaced == 1);
}
