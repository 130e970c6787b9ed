/* Bloom\RedisStore, which supports three clients. Every operation is a script: see redis_script.h.
 *
 *     one server, or a prefix with a hash tag   many keys in one script
 *     a cluster                                 one key in each script, sent to the key's server
 */
#include "php/engine.h"

#include <string.h>

#include "php/classes.h"
#include "php/store/client.h"
#include "php/store/redis_journal.h"
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

/* ---- many keys ---- */

/* Takes the result for keys, which are without their prefix. */
typedef bool (*taker)(
	const char *command, zval *result, const zval *keys, uint32_t count, zval *to);

/* Runs a script for the keys, in as few parts as the client allows. */
static bool for_keys(zend_object *store, const zval *keys, uint32_t count, const char *command,
	const char *text, taker take, zval *to)
{
	uint32_t most = count > 0 ? php_bloom_redis_keys_max(store) : 1, done, part;
	bool ok = most > 0;
	zval full, result;

	php_bloom_client_keys(store, keys, count, &full);
	for (done = 0; ok && done < count; done += part) {
		part = count - done < most ? count - done : most;
		ok = php_bloom_redis_run(
			store, command, text, Z_ARRVAL(full)->arPacked + done, part, NULL, &result);
		if (ok) {
			ok = take(command, &result, keys + done, part, to);
			zval_ptr_dtor(&result);
		}
	}
	zval_ptr_dtor(&full);
	return ok;
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

static bool get(zend_object *store, const zval *keys, uint32_t count, zval *answer)
{
	return for_keys(store, keys, count, "MGET", get_script, take_values, answer);
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

static bool missing(zend_object *store, const zval *keys, uint32_t count, zval *answer)
{
	return for_keys(store, keys, count, "EXISTS", exists_script, take_missing, answer);
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
static bool delete_keys(zend_object *store, const zval *keys, uint32_t count)
{
	return for_keys(store, keys, count, "DEL", delete_script, take_nothing, NULL);
}

/* ---- one key ---- */

static bool set(zend_object *store, zend_string *key, zend_string *value)
{
	zend_long ignored;
	zval arguments;

	array_init(&arguments);
	add_next_index_str(&arguments, zend_string_copy(value));
	return php_bloom_redis_run_number(store, "SET", set_script, key, &arguments, &ignored);
}

static bool replace(zend_object *store, zend_string *key, zend_string *expected, zend_string *value,
	bool *is_replaced)
{
	char digest[PHP_BLOOM_SHA1_BYTES] = "";
	zend_long replaced = 0;
	zval arguments;
	bool ok;

	if (expected != NULL) {
		php_bloom_redis_digest(ZSTR_VAL(expected), ZSTR_LEN(expected), digest);
	}
	array_init(&arguments);
	add_next_index_string(&arguments, digest);
	add_next_index_str(&arguments, zend_string_copy(value));
	ok = php_bloom_redis_run_number(store, "SET", replace_script, key, &arguments, &replaced);
	*is_replaced = ok && replaced == 1;
	return ok;
}

/* ---- the class ---- */

static const php_bloom_store_ops ops = {
	.get = get,
	.missing = missing,
	.set = set,
	.replace = replace,
	.delete_keys = delete_keys,
	.append = php_bloom_redis_append,
	.last = php_bloom_redis_last,
	.read = php_bloom_redis_read,
	.trim = php_bloom_redis_trim,
};

ZEND_METHOD(Bloom_RedisStore, __construct)
{
	zend_string *prefix = NULL;
	zval *client;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_OBJECT(client)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(prefix)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_bloom_client_construct(Z_OBJ_P(ZEND_THIS), &ops, client, prefix)) {
		RETURN_THROWS();
	}
}
