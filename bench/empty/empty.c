/* What calling any internal method costs: BloomBench\EmptyFilter has the signature of Bloom\Filter's
 * lookups, parses its argument the same way, and answers false. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <php.h>

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_might_contain, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_MASK(0, key, MAY_BE_STRING | MAY_BE_LONG, NULL)
ZEND_END_ARG_INFO()

static ZEND_METHOD(EmptyFilter, mightContain)
{
	zend_string *string;
	zend_long number;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR_OR_LONG(string, number)
	ZEND_PARSE_PARAMETERS_END();
	RETURN_FALSE;
}

static const zend_function_entry methods[] = {
	ZEND_ME(EmptyFilter, mightContain, arginfo_might_contain, ZEND_ACC_PUBLIC | ZEND_ACC_FINAL)
	ZEND_FE_END
};

static PHP_MINIT_FUNCTION(bloom_empty)
{
	zend_class_entry class;

	INIT_NS_CLASS_ENTRY(class, "BloomBench", "EmptyFilter", methods);
	(void)zend_register_internal_class(&class);
	return SUCCESS;
}

static zend_module_entry bloom_empty_module_entry = {STANDARD_MODULE_HEADER, "bloom_empty", NULL,
	PHP_MINIT(bloom_empty), NULL, NULL, NULL, NULL, "0", STANDARD_MODULE_PROPERTIES};

ZEND_GET_MODULE(bloom_empty)
