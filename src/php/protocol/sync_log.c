#include "php/protocol/sync_log.h"

#include <zend_exceptions.h>

#include "php/errors.h"
#include "php/info_array.h"

bool php_bloom_logger_of(zval *value, uint32_t argument, php_bloom_logger *logger)
{
	zend_function *method = NULL;

	*logger = (php_bloom_logger){0};
	if (value == NULL || Z_TYPE_P(value) == IS_NULL) {
		return true;
	}
	if (Z_TYPE_P(value) == IS_OBJECT) {
		method =
			zend_hash_str_find_ptr(&Z_OBJCE_P(value)->function_table, ZEND_STRL("log"));
	}
	if (method != NULL && (method->common.fn_flags & ZEND_ACC_PUBLIC) != 0) {
		*logger = (php_bloom_logger){.value = value, .method = method};
		return true;
	}
	if (zend_is_callable(value, 0, NULL)) {
		logger->value = value;
		return true;
	}
	if (EG(exception) == NULL) {
		zend_argument_type_error(argument,
			"must be a PSR-3 logger (an object with a public method log()), a callable "
			"or null, %s given",
			zend_zval_type_name(value));
	}
	return false;
}

/* Calls the logger, and releases the context. */
static void call(
	const php_bloom_logger *logger, const char *level, const char *message, zval *context)
{
	zval arguments[3], result;

	ZVAL_UNDEF(&result);
	ZVAL_STRING(&arguments[0], level);
	ZVAL_STRING(&arguments[1], message);
	ZVAL_COPY_VALUE(&arguments[2], context);
	if (logger->method != NULL) {
		zend_object *object = Z_OBJ_P(logger->value);

		zend_call_known_function(
			logger->method, object, object->ce, &result, 3, arguments, NULL);
	} else {
		(void)call_user_function(NULL, NULL, logger->value, &result, 3, arguments);
	}
	zval_ptr_dtor(&result);
	zval_ptr_dtor(&arguments[2]);
	zval_ptr_dtor(&arguments[1]);
	zval_ptr_dtor(&arguments[0]);
}

static HashTable *begin(zval *context, const char *event, const char *name)
{
	array_init(context);
	php_bloom_info_string(Z_ARRVAL_P(context), "event", event, strlen(event));
	php_bloom_info_string(Z_ARRVAL_P(context), "name", name, strlen(name));
	return Z_ARRVAL_P(context);
}

static void log_switched(
	const php_bloom_logger *logger, const char *name, const php_bloom_sync_outcome *outcome)
{
	zval context;
	HashTable *fields = begin(&context, "switched", name);

	php_bloom_info_long(fields, "generation", outcome->generation);
	if (outcome->replaced != 0) {
		php_bloom_info_long(fields, "from", outcome->replaced);
	} else {
		php_bloom_info_null(fields, "from");
	}
	php_bloom_info_long(fields, "keys", outcome->keys);
	php_bloom_info_long(fields, "bytesFetched", outcome->fetched_bytes);
	php_bloom_info_double(fields, "seconds", outcome->seconds);
	call(logger, "info", "{name}: switched to generation {generation}", &context);
}

static void log_recovered(
	const php_bloom_logger *logger, const char *name, const php_bloom_sync_outcome *outcome)
{
	zval context;
	HashTable *fields = begin(&context, "recovered", name);

	php_bloom_info_long(fields, "generation", outcome->generation);
	php_bloom_info_long(fields, "failures", outcome->failures);
	call(logger, "notice", "{name}: the sync recovered, failed attempts: {failures}", &context);
}

static void log_failed(const php_bloom_logger *logger, const char *name,
	const php_bloom_sync_outcome *outcome, zend_object *thrown)
{
	char status[PHP_BLOOM_CASE_BYTES];
	zval context, holder, *message, exception;
	HashTable *fields = begin(&context, "failed", name);
	zend_string *text;

	php_bloom_status_case(outcome->failure, status);
	php_bloom_info_string(fields, "status", status, strlen(status));
	if (outcome->failures != 0) {
		php_bloom_info_long(fields, "failures", outcome->failures);
	} else {
		php_bloom_info_null(fields, "failures");
	}
	message = zend_read_property_ex(
		thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder);
	text = zval_get_string(message);
	php_bloom_info_string(fields, "error", ZSTR_VAL(text), ZSTR_LEN(text));
	zend_string_release(text);
	ZVAL_OBJ_COPY(&exception, thrown);
	zend_hash_str_update(fields, ZEND_STRL("exception"), &exception);
	call(logger, "error", "{name}: the sync failed: {error}", &context);
}

static void log_lost(
	const php_bloom_logger *logger, const char *name, const php_bloom_sync_outcome *outcome)
{
	zval context;
	HashTable *fields = begin(&context, "lost", name);
	bool lacks = outcome->loss == BLOOM_LOSS_LACKING;

	php_bloom_info_bool(fields, "mayLackKeys", lacks);
	call(logger, lacks ? "critical" : "error",
		lacks ? "{name}: the store has lost journal records that this host may not "
			"have read, so every lookup answers maybe: build and publish a new version"
		      : "{name}: the store has lost journal records, which this host has "
			"read: build and publish a new version, because other hosts answer maybe",
		&context);
}

static bool is_ending(const zend_object *thrown)
{
	return thrown != NULL && (zend_is_unwind_exit(thrown) || zend_is_graceful_exit(thrown));
}

/* Sets the pending exception aside while the logger runs. */
static void log_pending(
	const php_bloom_logger *logger, const char *name, const php_bloom_sync_outcome *outcome)
{
	zend_object *thrown = EG(exception);
	const zend_op *before = EG(opline_before_exception);

	EG(exception) = NULL;
	log_failed(logger, name, outcome, thrown);
	if (EG(exception) == NULL) {
		EG(exception) = thrown;
		EG(opline_before_exception) = before;
	} else if (is_ending(EG(exception))) {
		OBJ_RELEASE(thrown);
	} else {
		zend_exception_set_previous(EG(exception), thrown);
	}
}

void php_bloom_sync_log(
	const php_bloom_logger *logger, const char *name, const php_bloom_sync_outcome *outcome)
{
	zend_object *thrown = EG(exception);

	if (logger->value == NULL || is_ending(thrown)) {
		return;
	}
	if (thrown != NULL) {
		if (outcome->failure != BLOOM_OK) {
			log_pending(logger, name, outcome);
		}
		return;
	}
	if (outcome->loss != BLOOM_LOSS_NONE) {
		log_lost(logger, name, outcome);
	}
	if (outcome->is_switched && EG(exception) == NULL) {
		log_switched(logger, name, outcome);
	}
	if (outcome->failures != 0 && EG(exception) == NULL) {
		log_recovered(logger, name, outcome);
	}
}
