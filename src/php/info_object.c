#include "php/info_object.h"

#include <string.h>

#include <zend_enum.h>

#include "php/classes.h"

void php_bloom_info_object(zval *value, zend_class_entry *class)
{
	HashTable *entries = Z_ARRVAL_P(value);
	const zend_property_info *property;
	zend_string *name;
	zval object, *entry, *slot;

	(void)object_init_ex(&object, class);
	if (UNEXPECTED(EG(exception) != NULL)) { /* the class is disabled */
		zend_array_destroy(entries);
		ZVAL_COPY_VALUE(value, &object);
		return;
	}
	ZEND_HASH_MAP_FOREACH_STR_KEY_PTR(&class->properties_info, name, property)
	{
		entry = zend_hash_find(entries, name);
		slot = OBJ_PROP(Z_OBJ(object), property->offset);
		if (entry != NULL) {
			ZVAL_COPY(slot, entry);
		} else {
			ZVAL_NULL(slot);
		}
		Z_PROP_FLAG_P(slot) = 0; /* initialized */
	}
	ZEND_HASH_FOREACH_END();
	zend_array_destroy(entries);
	ZVAL_COPY_VALUE(value, &object);
}

void php_bloom_info_case(
	HashTable *info, const char *key, zend_class_entry *class, const char *value)
{
	zend_string *text = zend_string_init(value, strlen(value), false);
	zend_object *found = NULL;
	zval entry;

	(void)zend_enum_get_case_by_value(&found, class, 0, text, true);
	zend_string_release(text);
	if (found != NULL) {
		ZVAL_OBJ_COPY(&entry, found);
		zend_hash_str_update(info, key, strlen(key), &entry);
	}
}

ZEND_METHOD(Bloom_Info, __construct)
{
	ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(Bloom_Info, jsonSerialize)
{
	HashTable *values;
	zval *seed;

	ZEND_PARSE_PARAMETERS_NONE();
	values = zend_array_dup(zend_std_get_properties(Z_OBJ_P(ZEND_THIS)));
	/* The seed has 64 bits. Many programs keep only 53 bits of a number in JSON. */
	seed = zend_hash_str_find_ind(values, "seed", strlen("seed"));
	if (seed != NULL) {
		convert_to_string(seed);
	}
	RETURN_ARR(values);
}
