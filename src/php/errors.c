#include "php/errors.h"

#include <string.h>

#include <zend_exceptions.h>

#include "php/classes.h"

#define php_bloom_ce_Value zend_ce_value_error

static zend_class_entry *class_of(bloom_status status)
{
	switch (status) {
#define CLASS_CASE(code, class, sentence) \
	case BLOOM_##code:                \
		return php_bloom_ce_##class;
		BLOOM_STATUS_TABLE(CLASS_CASE)
#undef CLASS_CASE
	case BLOOM_STATUS_COUNT:
		break;
	}
	return php_bloom_ce_Bloom;
}

zend_string *php_bloom_error_text(const bloom_error *error)
{
	const char *colon = error->subject[0] != 0 ? ": " : "";

	if (error->os_error != 0) {
		return strpprintf(0, "%s%s%s: %s", error->subject, colon,
			bloom_status_sentence(error->status), strerror(error->os_error));
	}
	return strpprintf(0, "%s%s%s", error->subject, colon, bloom_status_sentence(error->status));
}

void php_bloom_throw(const bloom_error *error)
{
	zend_string *text = php_bloom_error_text(error);

	zend_throw_exception(class_of(error->status), ZSTR_VAL(text), (zend_long)error->status);
	zend_string_release(text);
}

void php_bloom_throw_argument(const bloom_error *error, uint32_t argument)
{
	const char *sentence = bloom_status_sentence(error->status);
	const char *must = strstr(sentence, "must ");

	if (class_of(error->status) != zend_ce_value_error) {
		php_bloom_throw(error);
	} else if (must != NULL) {
		zend_argument_value_error(argument, "%s", must);
	} else {
		zend_argument_value_error(
			argument, "is too large for the other arguments: %s", sentence);
	}
}
