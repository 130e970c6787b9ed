#include "php/filter/info_object.h"

#include <string.h>

#include <ext/standard/html.h>
#include <zend_enum.h>
#include <zend_smart_str.h>

#include "php/classes.h"

void php_bloom_info_object(zval *value, zend_class_entry *class)
{
	HashTable *entries = Z_ARRVAL_P(value);
	const zend_property_info *property;
	zend_string *name;
	zval object, *entry, *slot;

	(void)object_init_ex(&object, class);
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

/* Returns the text with U+FFFD in place of bytes that are not UTF-8, or NULL if there are none. */
static zend_string *scrubbed(const zend_string *text)
{
	const unsigned char *bytes = (const unsigned char *)ZSTR_VAL(text);
	size_t at = 0, from, kept = 0;
	smart_str result = {0};
	zend_result status;

	while (at < ZSTR_LEN(text)) {
		from = at;
		(void)php_next_utf8_char(bytes, ZSTR_LEN(text), &at, &status);
		if (status != SUCCESS) {
			smart_str_appendl(&result, ZSTR_VAL(text) + kept, from - kept);
			smart_str_appends(&result, "\xEF\xBF\xBD");
			kept = at;
		}
	}
	if (result.s == NULL) {
		return NULL;
	}
	smart_str_appendl(&result, ZSTR_VAL(text) + kept, at - kept);
	return smart_str_extract(&result);
}

/* Replaces the texts in a value, and in the lists in it, by texts that json_encode() accepts: the
 * source of a blob and the message of an exception may contain any bytes. */
static void scrub(zval *value)
{
	zend_string *text;
	zval *entry;

	if (Z_TYPE_P(value) == IS_STRING) {
		text = scrubbed(Z_STR_P(value));
		if (text != NULL) {
			zval_ptr_dtor(value);
			ZVAL_STR(value, text);
		}
	} else if (Z_TYPE_P(value) == IS_ARRAY && zend_hash_num_elements(Z_ARRVAL_P(value)) > 0) {
		SEPARATE_ARRAY(value);
		ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(value), entry) {
			scrub(entry);
		}
		ZEND_HASH_FOREACH_END();
	}
}

ZEND_METHOD(Bloom_Info, jsonSerialize)
{
	HashTable *values;
	zval *seed, *value;

	ZEND_PARSE_PARAMETERS_NONE();
	values = zend_array_dup(zend_std_get_properties(Z_OBJ_P(ZEND_THIS)));
	/* The seed has 64 bits. Many programs keep only 53 bits of a number in JSON. */
	seed = zend_hash_str_find_ind(values, "seed", strlen("seed"));
	if (seed != NULL) {
		convert_to_string(seed);
	}
	ZEND_HASH_FOREACH_VAL(values, value) {
		scrub(value);
	}
	ZEND_HASH_FOREACH_END();
	RETURN_ARR(values);
}
