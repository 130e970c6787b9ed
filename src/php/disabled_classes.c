#include "php/disabled_classes.h"

#include <string.h>

#include <main/php_globals.h>
#include <zend_API.h>

#if PHP_VERSION_ID < 80500

static bool is_ours(const zend_class_entry *class)
{
	return class->type == ZEND_INTERNAL_CLASS &&
		strncmp(ZSTR_VAL(class->name), "Bloom\\", strlen("Bloom\\")) == 0;
}

/* PHP removes all methods of a disabled class, and every class of this extension has some. */
static bool is_disabled(const zend_class_entry *class)
{
	return zend_hash_num_elements(&class->function_table) == 0;
}

static const zend_class_entry *find_disabled(void)
{
	const zend_class_entry *class;

	ZEND_HASH_MAP_FOREACH_PTR(EG(class_table), class)
	{
		if (is_ours(class) && is_disabled(class)) {
			return class;
		}
	}
	ZEND_HASH_FOREACH_END();
	return NULL;
}

void php_bloom_disabled_check(void)
{
	const zend_class_entry *disabled, *class;
	bool is_first = false;

	if (EXPECTED(PG(disable_classes) == NULL)) {
		return;
	}
	disabled = find_disabled();
	if (disabled == NULL) {
		return;
	}
	ZEND_HASH_MAP_FOREACH_PTR(EG(class_table), class)
	{
		if (is_ours(class) && !is_disabled(class)) {
			(void)zend_disable_class(ZSTR_VAL(class->name), ZSTR_LEN(class->name));
			is_first = true;
		}
	}
	ZEND_HASH_FOREACH_END();
	if (is_first) {
		php_error_docref(NULL, E_WARNING,
			"The setting disable_classes names %s, so all classes of the extension "
			"bloom are disabled: remove it from the setting",
			ZSTR_VAL(disabled->name));
	}
}

#else

void php_bloom_disabled_check(void)
{
}

#endif
