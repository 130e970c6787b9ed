#include "php/keys.h"

zend_never_inline bool php_bloom_parse_key_object(
	zval *argument, zend_string **string, zend_long *number, uint32_t place)
{
	return Z_TYPE_P(argument) == IS_OBJECT &&
		zend_parse_arg_str_or_long_slow(argument, string, number, place);
}

ZEND_COLD void php_bloom_throw_no_key(const zval *value, zend_long place, uint32_t argument)
{
	zend_argument_type_error(argument,
		"must contain only values of type string|int, %s given at position " ZEND_LONG_FMT,
		zend_zval_type_name(value), place);
}

/* What happens with the values of an iterable: each is taken as a key, or appended to a list. */
typedef struct taking {
	uint32_t argument;
	php_bloom_take_key take; /* NULL: appended to `list` */
	void *context;
	HashTable *list;
} taking;

static bool take_value(const taking *walk, zval *value, zend_long place)
{
	php_bloom_key key;

	if (!php_bloom_key_of_value(&key, value)) {
		php_bloom_throw_no_key(value, place, walk->argument);
		return false;
	}
	if (walk->take != NULL) {
		return walk->take(walk->context, &key);
	}
	ZVAL_DEREF(value);
	Z_TRY_ADDREF_P(value);
	return zend_hash_next_index_insert(walk->list, value) != NULL;
}

static void each_of_array(const taking *walk, HashTable *keys)
{
	zend_long place = 0;
	zval *value;

	ZEND_HASH_FOREACH_VAL(keys, value) {
		if (!take_value(walk, value, place++)) {
			return;
		}
	}
	ZEND_HASH_FOREACH_END();
}

static void each_of_traversable(const taking *walk, zval *keys)
{
	zend_class_entry *class = Z_OBJCE_P(keys);
	zend_object_iterator *iterator = class->get_iterator(class, keys, 0);
	zend_long place = 0;
	zval *value;

	if (iterator == NULL || EG(exception)) {
		return;
	}
	if (iterator->funcs->rewind != NULL) {
		iterator->funcs->rewind(iterator);
	}
	while (!EG(exception) && iterator->funcs->valid(iterator) == SUCCESS && !EG(exception)) {
		value = iterator->funcs->get_current_data(iterator);
		if (EG(exception) || value == NULL || !take_value(walk, value, place++)) {
			break;
		}
		iterator->index++;
		iterator->funcs->move_forward(iterator);
	}
	zend_iterator_dtor(iterator);
}

bool php_bloom_each_key(zval *keys, uint32_t argument, php_bloom_take_key take, void *context)
{
	const taking walk = {.argument = argument, .take = take, .context = context};

	if (Z_TYPE_P(keys) == IS_ARRAY) {
		each_of_array(&walk, Z_ARRVAL_P(keys));
	} else {
		each_of_traversable(&walk, keys);
	}
	return EG(exception) == NULL;
}

bool php_bloom_list_keys(zval *keys, uint32_t argument, zval *list)
{
	taking walk = {.argument = argument};

	array_init(list);
	walk.list = Z_ARRVAL_P(list);
	each_of_traversable(&walk, keys);
	return EG(exception) == NULL;
}
