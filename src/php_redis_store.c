/* Bloom\RedisStore: any of three clients, called by name, so that none is needed to build. */
#include "php_classes.h"

#include <string.h>

#include <zend_exceptions.h>

static bool is_a(const zend_class_entry *class, const char *name)
{
	zend_string *string = zend_string_init(name, strlen(name), 0);
	zend_class_entry *other =
		zend_lookup_class_ex(string, NULL, ZEND_FETCH_CLASS_NO_AUTOLOAD);

	zend_string_release(string);
	return other != NULL && instanceof_function(class, other);
}

/* A property of the store, or NULL after an exception when it was never constructed. */
static zval *property(zend_object *object, const char *name, zval *holder)
{
	zval *value = zend_read_property(
		php_bloom_ce_redis_store, object, name, strlen(name), false, holder);

	return EG(exception) ? NULL : value;
}

ZEND_METHOD(Bloom_RedisStore, __construct)
{
	zend_object *self = Z_OBJ_P(ZEND_THIS);
	zend_string *prefix = NULL;
	zval *client, holder;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_OBJECT(client)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(prefix)
	ZEND_PARSE_PARAMETERS_END();

	if (Z_TYPE_P(zend_read_property(php_bloom_ce_redis_store, self, ZEND_STRL("client"), true,
		    &holder)) == IS_OBJECT) {
		zend_throw_exception(php_bloom_ce_Bloom, "This store was constructed before", 0);
		RETURN_THROWS();
	}
	if (!is_a(Z_OBJCE_P(client), "Redis") && !is_a(Z_OBJCE_P(client), "RedisCluster") &&
		!is_a(Z_OBJCE_P(client), "Predis\\ClientInterface")) {
		zend_argument_type_error(1,
			"must be of type Redis|RedisCluster|Predis\\ClientInterface, %s given",
			ZSTR_VAL(Z_OBJCE_P(client)->name));
		RETURN_THROWS();
	}
	zend_update_property(php_bloom_ce_redis_store, self, ZEND_STRL("client"), client);
	if (prefix != NULL) {
		zend_update_property_str(
			php_bloom_ce_redis_store, self, ZEND_STRL("prefix"), prefix);
	} else {
		zend_update_property_string(
			php_bloom_ce_redis_store, self, ZEND_STRL("prefix"), "bloom:");
	}
}

/* Calls client->command(…). False: thrown. */
static bool call_client(
	zend_object *self, const char *command, uint32_t count, zval *arguments, zval *result)
{
	zval holder, name;
	zval *client = property(self, "client", &holder);

	ZVAL_UNDEF(result);
	if (client == NULL) {
		return false;
	}
	ZVAL_STRING(&name, command);
	(void)call_user_function(NULL, client, &name, result, count, arguments);
	zval_ptr_dtor(&name);
	if (EG(exception)) {
		zval_ptr_dtor(result);
		ZVAL_UNDEF(result);
		return false;
	}
	return true;
}

static void throw_answer(const char *command, const zval *answer)
{
	zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE_TYPE,
		"Redis answered %s with %s (an error, or a client inside MULTI or PIPELINE)", command,
		Z_TYPE_P(answer) == IS_FALSE ? "false" : zend_zval_type_name(answer));
}

/* Puts the prefix before each of the keys from `first` on, `count` of them. False: thrown. */
static bool prefixed(zend_object *self, HashTable *keys, uint32_t first, uint32_t count, zval *list)
{
	zval holder, *key;
	zval *prefix = property(self, "prefix", &holder);
	uint32_t place = 0;

	ZVAL_UNDEF(list);
	if (prefix == NULL) {
		return false;
	}
	array_init_size(list, count);
	ZEND_HASH_FOREACH_VAL(keys, key) {
		ZVAL_DEREF(key);
		if (Z_TYPE_P(key) != IS_STRING) {
			zend_argument_type_error(
				1, "must hold only strings, %s given", zend_zval_type_name(key));
			zval_ptr_dtor(list);
			ZVAL_UNDEF(list);
			return false;
		}
		if (place >= first && place < first + count) {
			add_next_index_str(list,
				zend_string_concat2(Z_STRVAL_P(prefix), Z_STRLEN_P(prefix),
					Z_STRVAL_P(key), Z_STRLEN_P(key)));
		}
		place++;
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

ZEND_METHOD(Bloom_RedisStore, getMultiple)
{
	zend_object *self = Z_OBJ_P(ZEND_THIS);
	zval list, answer, *key, *value;
	zend_ulong place = 0;
	HashTable *keys;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(keys)
	ZEND_PARSE_PARAMETERS_END();

	if (zend_hash_num_elements(keys) == 0) {
		RETURN_EMPTY_ARRAY();
	}
	if (!prefixed(self, keys, 0, zend_hash_num_elements(keys), &list)) {
		RETURN_THROWS();
	}
	if (!call_client(self, "mget", 1, &list, &answer)) {
		zval_ptr_dtor(&list);
		RETURN_THROWS();
	}
	zval_ptr_dtor(&list);
	if (Z_TYPE(answer) != IS_ARRAY ||
		zend_hash_num_elements(Z_ARRVAL(answer)) != zend_hash_num_elements(keys)) {
		throw_answer("MGET", &answer);
		zval_ptr_dtor(&answer);
		RETURN_THROWS();
	}
	array_init(return_value);
	ZEND_HASH_FOREACH_VAL(keys, key) {
		ZVAL_DEREF(key);
		value = zend_hash_index_find(Z_ARRVAL(answer), place++);
		if (value != NULL && Z_TYPE_P(value) != IS_FALSE && Z_TYPE_P(value) != IS_NULL) {
			Z_TRY_ADDREF_P(value);
			zend_symtable_update(Z_ARRVAL_P(return_value), Z_STR_P(key), value);
		}
	}
	ZEND_HASH_FOREACH_END();
	zval_ptr_dtor(&answer);
}

/* How many of `count` keys from `first` on exist. −1: thrown. */
static zend_long count_existing(
	zend_object *self, HashTable *keys, uint32_t first, uint32_t count)
{
	zend_long existing = -1;
	zval list, answer;
	bool ok;

	if (!prefixed(self, keys, first, count, &list)) {
		return -1;
	}
	/* EXISTS takes its keys as arguments of their own: the list's own storage serves. */
	ok = zend_hash_num_elements(Z_ARRVAL(list)) == count;
	if (ok) {
		zval *arguments = safe_emalloc(count, sizeof(zval), 0), *key;
		uint32_t i = 0;

		ZEND_HASH_FOREACH_VAL(Z_ARRVAL(list), key) {
			ZVAL_COPY_VALUE(&arguments[i++], key);
		}
		ZEND_HASH_FOREACH_END();
		ok = call_client(self, "exists", count, arguments, &answer);
		efree(arguments);
	}
	zval_ptr_dtor(&list);
	if (!ok) {
		return -1;
	}
	if (Z_TYPE(answer) == IS_LONG) {
		existing = Z_LVAL(answer);
	} else if (Z_TYPE(answer) == IS_TRUE || (Z_TYPE(answer) == IS_FALSE && count == 1)) {
		existing = Z_TYPE(answer) == IS_TRUE;
	} else {
		throw_answer("EXISTS", &answer);
	}
	zval_ptr_dtor(&answer);
	return existing;
}

/* Adds the missing ones of `count` keys from `first` on. False: thrown. */
static bool add_missing(
	zend_object *self, HashTable *keys, uint32_t first, uint32_t count, uint32_t most, zval *missing)
{
	zend_long existing;
	uint32_t half, place = 0;
	zval *key;

	if (count > most) {
		half = count / 2;
		return add_missing(self, keys, first, half, most, missing) &&
			add_missing(self, keys, first + half, count - half, most, missing);
	}
	existing = count_existing(self, keys, first, count);
	if (existing < 0 || existing == (zend_long)count) {
		return existing >= 0;
	}
	if (existing > 0) {
		return add_missing(self, keys, first, count, count - 1, missing);
	}
	ZEND_HASH_FOREACH_VAL(keys, key) {
		if (place >= first && place < first + count) {
			ZVAL_DEREF(key);
			Z_TRY_ADDREF_P(key);
			add_next_index_zval(missing, key);
		}
		place++;
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

ZEND_METHOD(Bloom_RedisStore, missing)
{
	zend_object *self = Z_OBJ_P(ZEND_THIS);
	zval holder, *client;
	HashTable *keys;
	uint32_t count;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(keys)
	ZEND_PARSE_PARAMETERS_END();

	client = property(self, "client", &holder);
	if (client == NULL) {
		RETURN_THROWS();
	}
	count = zend_hash_num_elements(keys);
	array_init(return_value);
	/* A cluster's keys lie on several servers: each is asked for by itself. */
	if (count > 0 &&
		!add_missing(self, keys, 0, count, is_a(Z_OBJCE_P(client), "RedisCluster") ? 1 : count,
			return_value)) {
		RETURN_THROWS();
	}
}

ZEND_METHOD(Bloom_RedisStore, set)
{
	zend_object *self = Z_OBJ_P(ZEND_THIS);
	zval holder, arguments[2], answer, *prefix;
	zend_string *key, *value;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(key)
		Z_PARAM_STR(value)
	ZEND_PARSE_PARAMETERS_END();

	prefix = property(self, "prefix", &holder);
	if (prefix == NULL) {
		RETURN_THROWS();
	}
	ZVAL_STR(&arguments[0],
		zend_string_concat2(
			Z_STRVAL_P(prefix), Z_STRLEN_P(prefix), ZSTR_VAL(key), ZSTR_LEN(key)));
	ZVAL_STR(&arguments[1], value);
	ok = call_client(self, "set", 2, arguments, &answer);
	zval_ptr_dtor(&arguments[0]);
	if (!ok) {
		RETURN_THROWS();
	}
	/* phpredis says true, Predis gives an object that stands for OK. */
	if (Z_TYPE(answer) != IS_TRUE &&
		!(Z_TYPE(answer) == IS_OBJECT && is_a(Z_OBJCE(answer), "Predis\\Response\\Status"))) {
		throw_answer("SET", &answer);
	}
	zval_ptr_dtor(&answer);
}

ZEND_METHOD(Bloom_RedisStore, deleteMultiple)
{
	zend_object *self = Z_OBJ_P(ZEND_THIS);
	zval list, answer;
	HashTable *keys;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(keys)
	ZEND_PARSE_PARAMETERS_END();

	if (zend_hash_num_elements(keys) == 0) {
		return;
	}
	if (!prefixed(self, keys, 0, zend_hash_num_elements(keys), &list)) {
		RETURN_THROWS();
	}
	ok = call_client(self, "del", 1, &list, &answer);
	zval_ptr_dtor(&list);
	if (ok && Z_TYPE(answer) != IS_LONG) {
		throw_answer("DEL", &answer);
	}
	if (ok) {
		zval_ptr_dtor(&answer);
	}
}
