#include "php_classes.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include <ext/standard/info.h>
#include <zend_exceptions.h>

/* ---- errors ---- */

#define php_bloom_ce_Value zend_ce_value_error

static zend_class_entry *class_of(bloom_status status)
{
	switch (status) {
#define CLASS_CASE(code, class, sentence)                                                          \
	case BLOOM_##code:                                                                         \
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
	return strpprintf(
		0, "%s%s%s", error->subject, colon, bloom_status_sentence(error->status));
}

void php_bloom_throw(const bloom_error *error)
{
	zend_string *text = php_bloom_error_text(error);

	zend_throw_exception(class_of(error->status), ZSTR_VAL(text), (zend_long)error->status);
	zend_string_release(text);
}

/* ---- the segment in force ---- */

bool php_bloom_is_latched(void)
{
	return BLOOM_G(latched) && BLOOM_G(latched_by) == getpid();
}

void php_bloom_unlatch(void)
{
	zend_hash_clean(&BLOOM_G(attachments));
	BLOOM_G(latched) = false;
}

const bloom_segment *php_bloom_segment(void)
{
	bloom_segment *segment = &BLOOM_G(segment);
	char default_path[64];
	const char *path = BLOOM_G(path);
	bloom_error error = {0};

	if (EXPECTED(BLOOM_G(latched))) {
		BLOOM_G(latched_by) = getpid(); /* a child forked in this request goes on with it */
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
	segment->own_only = path == default_path;
	segment->memory_limit_bytes = (uint64_t)BLOOM_G(memory_limit);
	segment->lock_timeout_ms = (uint64_t)(BLOOM_G(lock_timeout) * 1000);
	BLOOM_G(latched) = true;
	BLOOM_G(latched_by) = getpid();
	return segment;
}

const char *php_bloom_name(const zend_string *name, uint32_t argument)
{
	if (bloom_name_check(ZSTR_VAL(name), ZSTR_LEN(name), NULL) != BLOOM_OK) {
		zend_argument_value_error(argument,
			"must be 1 to 128 of the characters A-Z a-z 0-9 . _ - and start with none of . and -");
		return NULL;
	}
	return ZSTR_VAL(name);
}

/* ---- progress ---- */

bool php_bloom_progress_report(php_bloom_progress *progress, uint64_t done, uint64_t total)
{
	zval arguments[2], result;

	if (progress->call.size == 0) {
		return true;
	}
	ZVAL_LONG(&arguments[0], (zend_long)done);
	ZVAL_LONG(&arguments[1], (zend_long)total);
	progress->call.params = arguments;
	progress->call.param_count = 2;
	progress->call.retval = &result;
	if (zend_call_function(&progress->call, &progress->cache) == SUCCESS) {
		zval_ptr_dtor(&result);
	}
	return EG(exception) == NULL;
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
	job->process = getpid();
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
	if (job->process != getpid()) {
		/* The parent's file and lease stay the parent's. */
		bloom_close(&job->stage.file);
		job->lease = 0;
	}
	bloom_stage_abort(&job->stage);
	bloom_detach(&job->served);
	if (job->control != NULL && job->lease != 0) {
		bloom_sync_lease_release(job->control, job->lease);
	}
	bloom_unmap((const unsigned char *)job->control, BLOOM_CONTROL_BYTES);
	bloom_lines_free(&job->lines);
	free(job);
}

bool php_bloom_job_is_ours(const php_bloom_job *job)
{
	if (UNEXPECTED(job->process != getpid())) {
		zend_throw_exception(php_bloom_ce_Bloom,
			"This process was forked in the middle of the call: its parent goes on with it",
			0);
		return false;
	}
	return true;
}

void php_bloom_jobs_end_all(void)
{
	while (BLOOM_G(jobs) != NULL) {
		php_bloom_job_end(BLOOM_G(jobs));
	}
}

/* ---- info() ---- */

void php_bloom_info_long(HashTable *info, const char *key, uint64_t value)
{
	zval number;

	ZVAL_LONG(&number, (zend_long)value);
	zend_hash_str_update(info, key, strlen(key), &number);
}

void php_bloom_info_double(HashTable *info, const char *key, double value)
{
	zval number;

	ZVAL_DOUBLE(&number, value);
	zend_hash_str_update(info, key, strlen(key), &number);
}

void php_bloom_info_string(HashTable *info, const char *key, const char *bytes, size_t count)
{
	zval string;

	ZVAL_STRINGL(&string, bytes, count);
	zend_hash_str_update(info, key, strlen(key), &string);
}

void php_bloom_head_info(HashTable *info, const bloom_head *head)
{
	uint64_t bytes = bloom_geometry_bytes(&head->geometry);
	uint64_t estimated = (uint64_t)llround(
		bloom_geometry_estimated_keys(&head->geometry, head->set_bits));
	char checksum[17];

	php_bloom_info_long(info, "keys", head->keys);
	php_bloom_info_long(info, "estimatedKeys", estimated);
	php_bloom_info_long(info, "capacity", head->meta.capacity_keys);
	php_bloom_info_double(info, "falsePositiveRate", head->meta.asked_rate);
	php_bloom_info_double(info, "measuredFalsePositiveRate", head->meta.measured_rate);
	php_bloom_info_double(info, "predictedFalsePositiveRate",
		bloom_geometry_rate(&head->geometry, estimated));
	php_bloom_info_double(info, "fill", (double)head->set_bits / ((double)bytes * 8));
	php_bloom_info_long(info, "setBits", head->set_bits);
	php_bloom_info_long(info, "bytes", head->file_bytes);
	php_bloom_info_double(info, "bitsPerKey",
		(double)head->file_bytes * 8 / (double)(head->keys != 0 ? head->keys : 1));
	php_bloom_info_long(info, "shards", head->geometry.shards);
	php_bloom_info_long(info, "shardBytes", head->geometry.shard_bytes);
	php_bloom_info_long(info, "blockBytes", head->geometry.block_bytes);
	php_bloom_info_long(info, "probes", head->geometry.probes);
	php_bloom_info_long(info, "seed", head->geometry.seed);
	php_bloom_info_long(info, "chunks", head->chunks);
	php_bloom_info_long(info, "chunkBytes", head->meta.chunk_bytes);
	php_bloom_info_string(info, "source", head->meta.source, head->meta.source_bytes);
	php_bloom_info_double(info, "builtAt", (double)head->meta.built_ms / 1000);
	php_bloom_info_long(info, "formatVersion", BLOOM_FORMAT_VERSION);
	(void)snprintf(checksum, sizeof checksum, "%016llx", (unsigned long long)head->checksum);
	php_bloom_info_string(info, "checksum", checksum, 16);
}
