/* Bloom\ArrayStore: keeps its values in an array, which a copy of the store shares until one of
 * them changes it. */
#include "php/classes.h"
#include "php/engine.h"
#include "php/store/client.h"
#include "php/store/store_object.h"

static HashTable *values_of(zval *self)
{
	zval *values = &php_bloom_store_object_of(Z_OBJ_P(self))->clients[PHP_BLOOM_CLIENT_GIVEN];

	SEPARATE_ARRAY(values);
	return Z_ARRVAL_P(values);
}

ZEND_METHOD(Bloom_ArrayStore, __construct)
{
	zval values;

	ZEND_PARSE_PARAMETERS_NONE();

	array_init(&values);
	(void)php_bloom_store_object_construct(
		Z_OBJ_P(ZEND_THIS), &values, zend_string_copy(ZSTR_EMPTY_ALLOC()));
	zval_ptr_dtor(&values);
}

/* Calls a function for each key of the only argument. */
static void each_key(INTERNAL_FUNCTION_PARAMETERS,
	void (*call)(HashTable *values, zend_string *key, zval *answer))
{
	php_bloom_client_list list;
	HashTable *keys;
	zval *key;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(keys)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_bloom_client_keys(Z_OBJ_P(ZEND_THIS), keys, &list)) {
		RETURN_THROWS();
	}
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL(list.keys), key) {
		call(values_of(ZEND_THIS), Z_STR_P(key), return_value);
	}
	ZEND_HASH_FOREACH_END();
	php_bloom_client_list_free(&list);
}

static void get(HashTable *values, zend_string *key, zval *answer)
{
	zval *value = zend_symtable_find(values, key);

	if (value != NULL) {
		Z_TRY_ADDREF_P(value);
		zend_symtable_update(Z_ARRVAL_P(answer), key, value);
	}
}

ZEND_METHOD(Bloom_ArrayStore, getMultiple)
{
	array_init(return_value);
	each_key(INTERNAL_FUNCTION_PARAM_PASSTHRU, get);
}

static void add_missing(HashTable *values, zend_string *key, zval *answer)
{
	if (!zend_symtable_exists(values, key)) {
		add_next_index_str(answer, zend_string_copy(key));
	}
}

ZEND_METHOD(Bloom_ArrayStore, missing)
{
	array_init(return_value);
	each_key(INTERNAL_FUNCTION_PARAM_PASSTHRU, add_missing);
}

static void delete_key(HashTable *values, zend_string *key, zval *answer)
{
	(void)answer;
	zend_symtable_del(values, key);
}

ZEND_METHOD(Bloom_ArrayStore, deleteMultiple)
{
	each_key(INTERNAL_FUNCTION_PARAM_PASSTHRU, delete_key);
}

static void put(zval *self, zend_string *key, zend_string *value)
{
	zval copy;

	ZVAL_STR_COPY(&copy, value);
	zend_symtable_update(values_of(self), key, &copy);
}

ZEND_METHOD(Bloom_ArrayStore, set)
{
	zend_string *key, *value;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(key)
		Z_PARAM_STR(value)
	ZEND_PARSE_PARAMETERS_END();

	if (php_bloom_store_object_made(Z_OBJ_P(ZEND_THIS)) == NULL) {
		RETURN_THROWS();
	}
	put(ZEND_THIS, key, value);
}

ZEND_METHOD(Bloom_ArrayStore, replace)
{
	zend_string *key, *expected, *value;
	const zval *present;

	ZEND_PARSE_PARAMETERS_START(3, 3)
		Z_PARAM_STR(key)
		Z_PARAM_STR_OR_NULL(expected)
		Z_PARAM_STR(value)
	ZEND_PARSE_PARAMETERS_END();

	if (php_bloom_store_object_made(Z_OBJ_P(ZEND_THIS)) == NULL) {
		RETURN_THROWS();
	}
	present = zend_symtable_find(values_of(ZEND_THIS), key);
	if (present == NULL || expected == NULL ? present != NULL || expected != NULL
						: !zend_string_equals(Z_STR_P(present), expected)) {
		RETURN_FALSE;
	}
	put(ZEND_THIS, key, value);
	RETURN_TRUE;
}
