/* Keys as PHP has them: a string or an int, alone or in an iterable.
 *
 * The functions that every lookup runs are inline here.
 */
#ifndef PHP_BLOOM_KEYS_H
#define PHP_BLOOM_KEYS_H

#include "php/engine.h"

/* The bytes of a key that is a string or, with `string` NULL, an int. */
typedef struct php_bloom_key {
	const unsigned char *bytes;
	size_t count;
	char digits[MAX_LENGTH_OF_LONG + 1];
} php_bloom_key;

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

/* A parameter that is a key: a string, an int, or an object with __toString() where PHP converts those. Never a
 * float, bool or null, though PHP would make an int or a string of them: 19.99 added as the key 19 is
 * certainly absent under its text, and nobody is told. */
#define PHP_BLOOM_PARAM_KEY(string, number)                                 \
	Z_PARAM_PROLOGUE(0, 0);                                             \
	if (UNEXPECTED(!php_bloom_parse_key(_arg, &string, &number, _i))) { \
		_expected_type = Z_EXPECTED_STRING_OR_LONG;                 \
		_error_code = ZPP_ERROR_WRONG_ARG;                          \
		break;                                                      \
	}

bool php_bloom_parse_key_object(
	zval *argument, zend_string **string, zend_long *number, uint32_t place);

static zend_always_inline bool php_bloom_parse_key(
	zval *argument, zend_string **string, zend_long *number, uint32_t place)
{
	if (EXPECTED(Z_TYPE_P(argument) == IS_STRING)) {
		*string = Z_STR_P(argument);
		return true;
	}
	if (EXPECTED(Z_TYPE_P(argument) == IS_LONG)) {
		*string = NULL;
		*number = Z_LVAL_P(argument);
		return true;
	}
	return php_bloom_parse_key_object(argument, string, number, place);
}

/* The same for a value of an array. False: it is neither string nor int. */
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

/* Throws of a value that is no key, `place` values behind the first. */
ZEND_COLD void php_bloom_throw_no_key(const zval *value, zend_long place, uint32_t argument);

/* Calls `take` with each of an iterable's values as a key, until it returns false, which means that it has
 * thrown. Userland may run between two of them, but not in `take`, which borrows the key. False: thrown; for a
 * value that is neither string nor int that is a TypeError for argument `argument`. */
typedef bool (*php_bloom_take_key)(void *context, const php_bloom_key *key);
bool php_bloom_each_key(zval *keys, uint32_t argument, php_bloom_take_key take, void *context);

#endif
