#include "php/classes.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include <SAPI.h>
#include <ext/standard/info.h>
#include <zend_exceptions.h>
#include <zend_interfaces.h>

/* ---- errors ---- */

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

/* ---- the segment in force ---- */

bool php_bloom_is_latched(void)
{
	return BLOOM_G(latched) && BLOOM_G(latched_by) == bloom_process_id();
}

void php_bloom_unlatch(void)
{
	zend_hash_clean(&BLOOM_G(attachments));
	php_bloom_rings_drop();
	BLOOM_G(latched) = false;
}

/* Whether requests follow each other here. A command line's may last for days, and would hold on to memory. */
static bool has_requests(void)
{
	static const char *const names[] = {
		"fpm-fcgi", "cgi-fcgi", "apache2handler", "litespeed", "cli-server"};
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++) {
		if (strcmp(sapi_module.name, names[i]) == 0) {
			return true;
		}
	}
	return false;
}

const bloom_segment *php_bloom_segment(void)
{
	bloom_segment *segment = &BLOOM_G(segment);
	char default_path[64];
	const char *path = BLOOM_G(path);
	bloom_error error = {0};

	if (EXPECTED(BLOOM_G(latched))) {
		/* A child forked in this request goes on with it. */
		BLOOM_G(latched_by) = bloom_process_id();
		return segment;
	}
	if (path == NULL || path[0] == 0) {
		(void)snprintf(default_path, sizeof default_path, "/dev/shm/php-bloom-%lu",
			(unsigned long)geteuid());
		path = default_path;
	}
	if (bloom_segment_init(segment, path, strlen(path), &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return NULL;
	}
	segment->secrets = php_bloom_secrets();
	segment->signers = php_bloom_signers();
	segment->same_owner_only = path == default_path;
	segment->defers_unmap = has_requests();
	segment->memory_limit_bytes = (uint64_t)BLOOM_G(memory_limit);
	segment->lock_timeout_ms = (uint64_t)(BLOOM_G(lock_timeout) * 1000);
	BLOOM_G(latched) = true;
	BLOOM_G(latched_by) = bloom_process_id();
	return segment;
}

const char *php_bloom_name(const zend_string *name, uint32_t argument)
{
	if (bloom_name_check(ZSTR_VAL(name), ZSTR_LEN(name), NULL) != BLOOM_OK) {
		zend_argument_value_error(argument,
			"must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and start with none "
			"of . and -");
		return NULL;
	}
	return ZSTR_VAL(name);
}

/* ---- arguments ---- */

uint64_t php_bloom_count(zend_long number)
{
	return number > 0 ? (uint64_t)number : 0;
}

uint64_t php_bloom_window_ms(double seconds)
{
	return seconds >= 0.01 && seconds <= 1e9 ? (uint64_t)llround(seconds * 1000) : 0;
}

uint64_t php_bloom_fan_out(zend_long fan_out)
{
	return fan_out > 0 && fan_out <= BLOOM_FAN_OUT_MAX ? (uint64_t)fan_out : UINT32_MAX;
}

uint32_t php_bloom_optional_uint32(bool is_null, zend_long number)
{
	if (is_null) {
		return 0;
	}
	return number > 0 && (uint64_t)number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

/* ---- keys ---- */

zend_never_inline bool php_bloom_parse_key_object(
	zval *argument, zend_string **string, zend_long *number, uint32_t place)
{
	return Z_TYPE_P(argument) == IS_OBJECT &&
		zend_parse_arg_str_or_long_slow(argument, string, number, place);
}

ZEND_COLD void php_bloom_throw_no_key(const zval *value, zend_long place, uint32_t argument)
{
	zend_argument_type_error(argument,
		"must hold only values of type string|int, %s given at position " ZEND_LONG_FMT,
		zend_zval_type_name(value), place);
}

static bool take_value(const zval *value, zend_long place, uint32_t argument,
	php_bloom_take_key take, void *context)
{
	php_bloom_key key;

	if (!php_bloom_key_of_value(&key, value)) {
		php_bloom_throw_no_key(value, place, argument);
		return false;
	}
	return take(context, &key);
}

static void each_of_array(
	HashTable *keys, uint32_t argument, php_bloom_take_key take, void *context)
{
	zend_long place = 0;
	zval *value;

	ZEND_HASH_FOREACH_VAL(keys, value) {
		if (!take_value(value, place++, argument, take, context)) {
			return;
		}
	}
	ZEND_HASH_FOREACH_END();
}

static void each_of_traversable(
	zval *keys, uint32_t argument, php_bloom_take_key take, void *context)
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
		if (EG(exception) || value == NULL ||
			!take_value(value, place++, argument, take, context)) {
			break;
		}
		iterator->index++;
		iterator->funcs->move_forward(iterator);
	}
	zend_iterator_dtor(iterator);
}

bool php_bloom_each_key(zval *keys, uint32_t argument, php_bloom_take_key take, void *context)
{
	if (Z_TYPE_P(keys) == IS_ARRAY) {
		each_of_array(Z_ARRVAL_P(keys), argument, take, context);
	} else {
		each_of_traversable(keys, argument, take, context);
	}
	return EG(exception) == NULL;
}

/* ---- progress ---- */

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

/* ---- jobs ---- */

php_bloom_job *php_bloom_job_begin(void)
{
	php_bloom_job *job = calloc(1, sizeof *job);

	if (job == NULL) {
		bloom_error error = {.status = BLOOM_E_MEMORY};

		php_bloom_throw(&error);
		return NULL;
	}
	job->process = bloom_process_id();
	job->next = BLOOM_G(jobs);
	BLOOM_G(jobs) = job;
	return job;
}

void php_bloom_job_end(php_bloom_job *job)
{
	php_bloom_job **link = &BLOOM_G(jobs);

	while (*link != job) {
		link = &(*link)->next;
	}
	*link = job->next;
	if (job->process != bloom_process_id()) {
		/* The parent's file and lease stay the parent's. */
		job->stage.file = -1;
		job->lease = 0;
	}
	bloom_stage_abort(&job->stage);
	bloom_detach(&job->served);
	if (job->control != NULL && job->lease != 0) {
		bloom_sync_lease_release(job->control, job->lease);
	}
	bloom_unmap((const unsigned char *)job->control, BLOOM_CONTROL_BYTES);
	bloom_lines_free(&job->lines);
	free(job->text);
	free(job);
}

bool php_bloom_job_is_ours(const php_bloom_job *job)
{
	if (UNEXPECTED(job->process != bloom_process_id())) {
		zend_throw_exception(php_bloom_ce_Bloom,
			"This process was forked in the middle of the call: its parent goes on "
			"with it",
			0);
		return false;
	}
	return true;
}

void php_bloom_jobs_end_all(void)
{
	php_bloom_job *job;

	while ((job = BLOOM_G(jobs)) != NULL) {
		/* A fatal error has left the call, which could note nothing. */
		if (job->lease != 0 && job->process == bloom_process_id()) {
			bloom_sync_failed(job->control, bloom_monotonic_ms(), BLOOM_E_STORE,
				PHP_BLOOM_SCRIPT_ENDED);
		}
		php_bloom_job_end(job);
	}
}
