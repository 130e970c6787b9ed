/* Bloom\RedisStore, which supports three clients.
 *
 *     one server, or a prefix with a hash tag   many keys in one command
 *     a cluster                                 one key in each command, sent to the server of the
 * key */
#include "php/engine.h"

#include <string.h>

#include <zend_exceptions.h>

#include "php/classes.h"
#include "php/client.h"
#include "php/redis_store.h"
#include "php/store.h"

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

/* ---- the client ---- */

/* Returns whether the prefix has a hash tag. Redis then hashes only the tag, so all keys are on one
 * server. */
static bool has_hash_tag(zend_object *self)
{
	const char *open, *close;
	zval prefix;
	bool found;

	if (!php_bloom_client_key(self, ZSTR_EMPTY_ALLOC(), &prefix)) {
		return false;
	}
	open = strchr(Z_STRVAL(prefix), '{');
	close = open != NULL ? strchr(open, '}') : NULL;
	found = close != NULL && close > open + 1;
	zval_ptr_dtor(&prefix);
	return found;
}

/* Returns whether a Predis client sends commands to several servers. Also returns false after an
 * exception. */
static bool is_predis_cluster(zend_object *self)
{
	zval connection;
	bool found;

	if (!php_bloom_client_call(self, "getConnection", 0, NULL, &connection)) {
		return false;
	}
	found = Z_TYPE(connection) == IS_OBJECT &&
		(php_bloom_is_a(
			 Z_OBJCE(connection), "Predis\\Connection\\Aggregate\\ClusterInterface") ||
			php_bloom_is_a(Z_OBJCE(connection),
				"Predis\\Connection\\Cluster\\ClusterInterface"));
	zval_ptr_dtor(&connection);
	return found;
}

/* Returns whether the client is of a class. Also returns false after an exception. */
static bool is_client_of(zend_object *self, const char *class)
{
	zend_object *client = php_bloom_client(self);
	bool is_one;

	if (client == NULL) {
		return false;
	}
	is_one = php_bloom_is_a(client->ce, class);
	OBJ_RELEASE(client);
	return is_one;
}

bool php_bloom_redis_is_predis(zend_object *self)
{
	return is_client_of(self, "Predis\\ClientInterface");
}

bool php_bloom_redis_has_pipeline(zend_object *self)
{
	if (!is_client_of(self, "Redis")) {
		return is_client_of(self, "Predis\\Client") && !is_predis_cluster(self);
	}
	/* A second pipeline would mix the caller's commands with those of the store. */
	if (php_bloom_client_number(self, "getMode") != 0) {
		zend_throw_exception(php_bloom_ce_Store,
			"A client inside MULTI or PIPELINE cannot read journals",
			BLOOM_E_STORE_TYPE);
		return false;
	}
	return true;
}

/* Returns the maximum number of keys in one command, or 0 after an exception. */
static uint32_t keys_a_command(zend_object *self)
{
	zend_object *client = php_bloom_client(self);
	bool spread;

	if (client == NULL) {
		return 0;
	}
	spread = php_bloom_is_a(client->ce, "RedisCluster") ||
		(php_bloom_is_a(client->ce, "Predis\\ClientInterface") && is_predis_cluster(self));
	OBJ_RELEASE(client);
	spread = spread && !has_hash_tag(self);
	if (EG(exception)) {
		return 0;
	}
	return spread ? 1 : PHP_BLOOM_STORE_KEYS_MAX;
}

/* Returns whether the client belongs to ext-redis, which stores the last error. Also returns false
 * after an exception. */
static bool keeps_error(zend_object *self)
{
	zend_object *client = php_bloom_client(self);
	bool keeps;

	if (client == NULL) {
		return false;
	}
	keeps = !php_bloom_is_a(client->ce, "Predis\\ClientInterface");
	OBJ_RELEASE(client);
	return keeps;
}

/* Returns the last error that the client stored, or NULL. The caller releases the string. */
static zend_string *last_error(zend_object *self)
{
	return keeps_error(self) ? php_bloom_client_text(self, "getLastError") : NULL;
}

bool php_bloom_redis_has_error(zend_object *self)
{
	zend_string *error = last_error(self);

	if (error == NULL) {
		return false;
	}
	zend_string_release(error);
	return true;
}

static bool begins_with(const zend_string *text, const char *prefix)
{
	return strncmp(ZSTR_VAL(text), prefix, strlen(prefix)) == 0;
}

/* Returns whether the pending exception's message begins with `prefix`, and clears it. */
static bool threw_with(const char *prefix)
{
	zend_object *thrown = EG(exception);
	zval holder, *message;
	bool found;

	if (zend_is_unwind_exit(thrown) || zend_is_graceful_exit(thrown)) {
		return false;
	}
	message = zend_read_property_ex(
		thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder);
	found = Z_TYPE_P(message) == IS_STRING && begins_with(Z_STR_P(message), prefix);
	if (found) {
		zend_clear_exception();
	}
	return found;
}

bool php_bloom_redis_failed_with(zend_object *self, const char *prefix, const zval *answer)
{
	zend_string *error;
	bool found;

	if (EG(exception)) {
		return threw_with(prefix);
	}
	if (answer == NULL || Z_TYPE_P(answer) != IS_OBJECT) {
		error = last_error(self);
	} else if (php_bloom_is_a(Z_OBJCE_P(answer), "Predis\\Response\\ErrorInterface")) {
		error = zval_get_string((zval *)answer);
	} else {
		return false; /* a client inside MULTI or PIPELINE returns itself */
	}
	found = error != NULL && begins_with(error, prefix);
	if (error != NULL) {
		zend_string_release(error);
	}
	if (found) {
		php_bloom_redis_forget_error(self);
	}
	return found;
}

void php_bloom_redis_forget_error(zend_object *self)
{
	if (keeps_error(self)) {
		(void)php_bloom_client_number(self, "clearLastError");
	}
}

void php_bloom_redis_throw(zend_object *self, const char *command, zval *answer)
{
	zend_string *error = NULL;

	if (Z_TYPE_P(answer) == IS_FALSE) {
		error = last_error(self);
	} else if (Z_TYPE_P(answer) == IS_OBJECT &&
		php_bloom_is_a(Z_OBJCE_P(answer), "Predis\\Response\\ErrorInterface")) {
		error = zval_get_string(answer);
	}
	if (EG(exception)) {
		return; /* the script is ending */
	}
	if (error != NULL) {
		zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE,
			"%s: Redis answered %s with %s", bloom_status_sentence(BLOOM_E_STORE),
			command, ZSTR_VAL(error));
		zend_string_release(error);
		return;
	}
	zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE_TYPE,
		"Redis answered %s with %s (an error, or a client inside MULTI or PIPELINE)",
		command, Z_TYPE_P(answer) == IS_FALSE ? "false" : zend_zval_type_name(answer));
}

/* ---- getMultiple() ---- */

/* Gets all values with a single command. Returns false if it throws. */
static bool get_together(zend_object *self, zval *list, zval *values)
{
	if (!php_bloom_client_call(self, "mget", 1, list, values)) {
		return false;
	}
	if (Z_TYPE_P(values) == IS_ARRAY &&
		zend_hash_num_elements(Z_ARRVAL_P(values)) ==
			zend_hash_num_elements(Z_ARRVAL_P(list))) {
		return true;
	}
	php_bloom_redis_throw(self, "MGET", values);
	zval_ptr_dtor(values);
	return false;
}

/* Returns whether an answer to GET is either a value or the report of a missing key. */
static bool is_value(zend_object *self, const zval *answer)
{
	zend_string *error = Z_TYPE_P(answer) == IS_FALSE ? last_error(self) : NULL;

	if (error != NULL) {
		zend_string_release(error);
	}
	return Z_TYPE_P(answer) != IS_OBJECT && error == NULL && EG(exception) == NULL;
}

/* Gets each value with a separate command. Returns false if it throws. */
static bool get_each(zend_object *self, const zval *list, zval *values)
{
	zval *key, value;

	array_init_size(values, zend_hash_num_elements(Z_ARRVAL_P(list)));
	php_bloom_redis_forget_error(self);
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(list), key) {
		if (php_bloom_client_call(self, "get", 1, key, &value)) {
			if (is_value(self, &value)) {
				add_next_index_zval(values, &value);
				continue;
			}
			php_bloom_redis_throw(self, "GET", &value);
			zval_ptr_dtor(&value);
		}
		zval_ptr_dtor(values);
		return false;
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

ZEND_METHOD(Bloom_RedisStore, getMultiple)
{
	zend_object *self = Z_OBJ_P(ZEND_THIS);
	php_bloom_client_list list;
	zval values;
	HashTable *keys;
	uint32_t most;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(keys)
	ZEND_PARSE_PARAMETERS_END();

	if (zend_hash_num_elements(keys) == 0) {
		RETURN_EMPTY_ARRAY();
	}
	if (!php_bloom_client_keys(self, keys, &list)) {
		RETURN_THROWS();
	}
	most = keys_a_command(self);
	ok = most > 0 &&
		(most == 1 ? get_each(self, &list.full, &values)
			   : get_together(self, &list.full, &values));
	if (ok) {
		php_bloom_client_answer(&list, Z_ARRVAL(values), return_value);
		zval_ptr_dtor(&values);
	}
	php_bloom_client_list_free(&list);
}

/* ---- missing() ---- */

/* Returns the number of keys that exist among `count` keys, or -1 after an exception. */
static zend_long count_existing(zend_object *self, zval *keys, uint32_t count)
{
	zend_long existing = -1;
	zval answer;

	if (!php_bloom_client_call(self, "exists", count, keys, &answer)) {
		return -1;
	}
	if (Z_TYPE(answer) == IS_LONG) {
		existing = Z_LVAL(answer);
	} else if (Z_TYPE(answer) == IS_TRUE || (Z_TYPE(answer) == IS_FALSE && count == 1)) {
		existing = Z_TYPE(answer) == IS_TRUE;
	} else {
		php_bloom_redis_throw(self, "EXISTS", &answer);
	}
	zval_ptr_dtor(&answer);
	return existing;
}

/* Determines for each of `count` keys whether it is missing. EXISTS only counts keys, so the
 * function divides the list until each count is unambiguous. Returns false if it throws.
 *
 *   most   the maximum number of keys in one command
 */
static bool tell_missing(
	zend_object *self, zval *keys, uint32_t count, uint32_t most, bool *is_missing)
{
	zend_long existing;
	uint32_t half;

	if (count > most) {
		half = count / 2;
		return tell_missing(self, keys, half, most, is_missing) &&
			tell_missing(self, keys + half, count - half, most, is_missing + half);
	}
	existing = count_existing(self, keys, count);
	if (existing > 0 && existing < (zend_long)count) {
		return tell_missing(self, keys, count, count - 1, is_missing);
	}
	memset(is_missing, existing == 0, count * sizeof *is_missing);
	return existing >= 0;
}

ZEND_METHOD(Bloom_RedisStore, missing)
{
	zend_object *self = Z_OBJ_P(ZEND_THIS);
	uint32_t count, most, place = 0;
	bool *is_missing, ok;
	HashTable *keys;
	php_bloom_client_list list;
	zval *key;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(keys)
	ZEND_PARSE_PARAMETERS_END();

	count = zend_hash_num_elements(keys);
	if (count == 0) {
		RETURN_EMPTY_ARRAY();
	}
	if (!php_bloom_client_keys(self, keys, &list)) {
		RETURN_THROWS();
	}
	array_init(return_value);
	is_missing = safe_emalloc(count, sizeof *is_missing, 0);
	most = keys_a_command(self);
	ok = most > 0 && tell_missing(self, Z_ARRVAL(list.full)->arPacked, count, most, is_missing);
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL(list.keys), key) {
		if (ok && is_missing[place++]) {
			Z_TRY_ADDREF_P(key);
			add_next_index_zval(return_value, key);
		}
	}
	ZEND_HASH_FOREACH_END();
	efree(is_missing);
	php_bloom_client_list_free(&list);
}

/* ---- set(), deleteMultiple() ---- */

ZEND_METHOD(Bloom_RedisStore, set)
{
	zend_object *self = Z_OBJ_P(ZEND_THIS);
	zval arguments[2], answer;
	zend_string *key, *value;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(key)
		Z_PARAM_STR(value)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_bloom_client_key(self, key, &arguments[0])) {
		RETURN_THROWS();
	}
	ZVAL_STR(&arguments[1], value);
	ok = php_bloom_client_call(self, "set", 2, arguments, &answer);
	zval_ptr_dtor(&arguments[0]);
	if (!ok) {
		RETURN_THROWS();
	}
	/* phpredis returns true; Predis returns an object for the status OK. */
	if (Z_TYPE(answer) != IS_TRUE &&
		!(Z_TYPE(answer) == IS_OBJECT &&
			php_bloom_is_a(Z_OBJCE(answer), "Predis\\Response\\Status"))) {
		php_bloom_redis_throw(self, "SET", &answer);
	}
	zval_ptr_dtor(&answer);
}

/* Deletes `count` keys with a single command. Returns false if it throws. */
static bool delete_together(zend_object *self, zval *keys, uint32_t count)
{
	zval answer;
	bool ok;

	if (!php_bloom_client_call(self, "del", count, keys, &answer)) {
		return false;
	}
	ok = Z_TYPE(answer) == IS_LONG;
	if (!ok) {
		php_bloom_redis_throw(self, "DEL", &answer);
	}
	zval_ptr_dtor(&answer);
	return ok;
}

ZEND_METHOD(Bloom_RedisStore, deleteMultiple)
{
	zend_object *self = Z_OBJ_P(ZEND_THIS);
	uint32_t count, most, part;
	php_bloom_client_list list;
	HashTable *keys;
	zval *next;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(keys)
	ZEND_PARSE_PARAMETERS_END();

	count = zend_hash_num_elements(keys);
	if (count == 0) {
		return;
	}
	if (!php_bloom_client_keys(self, keys, &list)) {
		RETURN_THROWS();
	}
	most = keys_a_command(self);
	next = Z_ARRVAL(list.full)->arPacked;
	/* A publisher passes the keys of all unused chunks of a large filter in one call. */
	for (; most > 0 && count > 0; next += part, count -= part) {
		part = count < most ? count : most;
		if (!delete_together(self, next, part)) {
			break;
		}
	}
	php_bloom_client_list_free(&list);
}
