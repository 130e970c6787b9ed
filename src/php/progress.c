#include "php/progress.h"

static bool report(php_bloom_progress *progress, zval *arguments, uint32_t count)
{
	zval result;

	progress->call.params = arguments;
	progress->call.param_count = count;
	progress->call.retval = &result;
	if (zend_call_function(&progress->call, &progress->cache) == SUCCESS) {
		zval_ptr_dtor(&result);
	}
	return EG(exception) == NULL;
}

bool php_bloom_progress_report(php_bloom_progress *progress, uint64_t done, uint64_t total)
{
	zval arguments[2];

	if (progress->call.size == 0) {
		return true;
	}
	ZVAL_LONG(&arguments[0], (zend_long)done);
	ZVAL_LONG(&arguments[1], (zend_long)total);
	return report(progress, arguments, 2);
}

bool php_bloom_progress_wait(
	php_bloom_progress *progress, uint64_t done, uint64_t total, const char *why)
{
	const zend_function *function = progress->cache.function_handler;
	zval arguments[3];
	bool ok;

	if (progress->call.size == 0) {
		return true;
	}
	if (function != NULL && function->type == ZEND_INTERNAL_FUNCTION) {
		return php_bloom_progress_report(progress, done, total);
	}
	ZVAL_LONG(&arguments[0], (zend_long)done);
	ZVAL_LONG(&arguments[1], (zend_long)total);
	ZVAL_STRING(&arguments[2], why);
	ok = report(progress, arguments, 3);
	zval_ptr_dtor(&arguments[2]);
	return ok;
}
