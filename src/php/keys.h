/* Handles keys as PHP passes them, which is as a string or an int, alone or in an iterable.
 *
 * The functions that run in every lookup are inline.
 */
#ifndef PHP_BLOOM_KEYS_H
#define PHP_BLOOM_KEYS_H

#include "php/engine.h"

/* The bytes of a key. The decimal digits of an int are in the struct itself. The bytes of a string
 * are borrowed from the string. */
typedef struct php_bloom_key {
	const unsigned char *bytes;
	size_t count;
	char digits[MAX_LENGTH_OF_LONG + 1];
} php_bloom_key;

/* Sets the key from `string`, or from `number` if `string` is NULL. */
static zend_always_inline void php_bloom_key_of(
	php_bloom_key *key, const zend_string *string, zend_long number)
{
	if (EXPECTED(string != NULL)) {
		key->bytes = (const unsigned char *)ZSTR_VAL(string);
		key->count = ZSTR_LEN(string);
	} else {
		char *end = key->digits + sizeof key->digits - 1;
		char *start = zend_print_long_to_buf(end, number);

		key->bytes = (const unsigned char *)start;
		key->count = (size_t)(end - start);
	}
}

/* Parses a parameter that is a key, which may be a string, an int or, if PHP converts objects, an
 * object with __toString(). The macro rejects float, bool and null, although PHP itself would
 * convert them, because if 19.99 were added as the key 19, a lookup of "19.99" would return false
 * without any error. */
#define PHP_BLOOM_PARAM_KEY(string, number)                                     \
	Z_PARAM_PROLOGUE(0, 0);                                                 \
	if (UNEXPECTED(!php_bloom_parse_key(_arg, &(string), &(number), _i))) { \
		_expected_type = Z_EXPECTED_STRING_OR_LONG;                     \
		_error_code = ZPP_ERROR_WRONG_ARG;                              \
		break;                                                          \
	}

/* Parses a key that is neither a string nor an int. Accepts only objects that PHP converts. */
bool php_bloom_parse_key_object(
	zval *argument, zend_string **string, zend_long *number, uint32_t place);

static zend_always_inline bool php_bloom_parse_key(
	zval *argument, zend_string **string, zend_long *number, uint32_t place)
{
	if (EXPECTED(Z_TYPE_P(argument) == IS_STRING)) {
		*string = Z_STR_P(argument);
		*number = 0;
		return true;
	}
	if (EXPECTED(Z_TYPE_P(argument) == IS_LONG)) {
		*string = NULL;
		*number = Z_LVAL_P(argument);
		return true;
	}
	return php_bloom_parse_key_object(argument, string, number, place);
}

/* Sets the key from a value of an array. Returns false if the value is neither a string nor an
 * int. */
static zend_always_inline bool php_bloom_key_of_value(php_bloom_key *key, const zval *value)
{
	ZVAL_DEREF(value);
	if (EXPECTED(Z_TYPE_P(value) == IS_STRING)) {
		php_bloom_key_of(key, Z_STR_P(value), 0);
	} else if (Z_TYPE_P(value) == IS_LONG) {
		php_bloom_key_of(key, NULL, Z_LVAL_P(value));
	} else {
		return false;
	}
	return true;
}

/* Throws a TypeError for argument `argument` because the value at position `place`, counted from 0,
 * is not a key. */
ZEND_COLD void php_bloom_throw_no_key(const zval *value, zend_long place, uint32_t argument);

/* Calls `take` with each value of an iterable as a key, until `take` returns false, which means
 * that it has thrown an exception. Userland may run between two calls of `take`, but not within it,
 * because `take` borrows the key. Throws a TypeError for argument `argument` if a value is neither
 * a string nor an int. */
typedef bool (*php_bloom_take_key)(void *context, const php_bloom_key *key);
bool php_bloom_each_key(zval *keys, uint32_t argument, php_bloom_take_key take, void *context);

/* Collects the values of a Traversable in a list, which the caller releases in either case. Throws
 * a TypeError for argument `argument` if a value is neither a string nor an int. */
bool php_bloom_list_keys(zval *keys, uint32_t argument, zval *list);

#endif
