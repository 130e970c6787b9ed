/* Bloom\ArrayStore: keeps its values in an array, which a copy of the store shares until one of
 * them changes it. */
#include "php/engine.h"
#include "php/store/store_object.h"

static HashTable *values_of(zend_object *store)
{
	zval *values = &php_bloom_store_object_of(store)->clients[PHP_BLOOM_CLIENT_GIVEN];

	SEPARATE_ARRAY(values);
	return Z_ARRVAL_P(values);
}

static bool get(zend_object *store, const zval *keys, uint32_t count, zval *answer)
{
	zval *value;
	uint32_t i;

	for (i = 0; i < count; i++) {
		value = zend_symtable_find(values_of(store), Z_STR(keys[i]));
		if (value != NULL) {
			Z_TRY_ADDREF_P(value);
			zend_symtable_update(Z_ARRVAL_P(answer), Z_STR(keys[i]), value);
		}
	}
	return true;
}

static bool missing(zend_object *store, const zval *keys, uint32_t count, zval *answer)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (!zend_symtable_exists(values_of(store), Z_STR(keys[i]))) {
			add_next_index_str(answer, zend_string_copy(Z_STR(keys[i])));
		}
	}
	return true;
}

static bool set(zend_object *store, zend_string *key, zend_string *value)
{
	zval copy;

	ZVAL_STR_COPY(&copy, value);
	zend_symtable_update(values_of(store), key, &copy);
	return true;
}

static bool replace(zend_object *store, zend_string *key, zend_string *expected, zend_string *value,
	bool *is_replaced)
{
	const zval *present = zend_symtable_find(values_of(store), key);

	*is_replaced = present == NULL || expected == NULL
		? present == NULL && expected == NULL
		: zend_string_equals(Z_STR_P(present), expected);
	return !*is_replaced || set(store, key, value);
}

static bool delete_keys(zend_object *store, const zval *keys, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		zend_symtable_del(values_of(store), Z_STR(keys[i]));
	}
	return true;
}

static const php_bloom_store_ops ops = {
	.get = get,
	.missing = missing,
	.set = set,
	.replace = replace,
	.delete_keys = delete_keys,
};

ZEND_METHOD(Bloom_ArrayStore, __construct)
{
	zval values;

	ZEND_PARSE_PARAMETERS_NONE();

	array_init(&values);
	(void)php_bloom_store_object_construct(
		Z_OBJ_P(ZEND_THIS), &ops, &values, zend_string_copy(ZSTR_EMPTY_ALLOC()));
	zval_ptr_dtor(&values);
}
