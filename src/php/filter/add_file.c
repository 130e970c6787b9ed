/* Bloom\Builder::addFile(), which is also that of MapBuilder */
#include "php/engine.h"

#include <errno.h>
#include <stdlib.h>

#include <zend_exceptions.h>

#include "build/lines.h"
#include "php/filter/build.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/stream.h"
#include "php/job.h"
#include "php/progress.h"

enum {
	READ_BYTES = 256 * 1024,
	READ_BYTES_A_JOB = 4 * 1024 * 1024, /* for each of several jobs */
	PROGRESS_BYTES = 4 * 1024 * 1024,
};

typedef enum read_end { READ_MORE, READ_LAST, READ_FAILED } read_end;

/* Reads as php_stream_read() does, but continues after any number of signals. php_stream_read()
 * fails when a second signal interrupts it. */
static ssize_t read_some(php_stream *stream, char *bytes, size_t capacity)
{
	ssize_t count;

	do {
		errno = 0;
		count = php_bloom_stream_read(stream, bytes, capacity);
	} while (count < 0 && errno == EINTR && !php_bloom_stream_eof(stream) && !EG(exception));
	return count;
}

/* Confirms that a stream has really ended. If a read filter still buffers bytes, PHP mistakes a
 * failed read for the end of the stream. The function therefore reads from the file itself once
 * more. */
static bool is_at_end(php_stream *stream)
{
	char byte;

	return php_bloom_stream_eof(stream) &&
		(stream->readfilters.head == NULL || !php_stream_is(stream, PHP_STREAM_IS_STDIO) ||
			stream->ops->read(stream, &byte, sizeof byte) == 0);
}

/* Reads until the buffer is full or the stream ends. READ_FAILED means that an exception is
 * pending; the caller still uses the bytes that were read before the failure. */
static read_end read_piece(php_stream *stream, char *bytes, size_t capacity, size_t *count)
{
	ssize_t part = 1;

	for (*count = 0; *count < capacity && part > 0; *count += part > 0 ? (size_t)part : 0) {
		part = read_some(stream, bytes + *count, capacity - *count);
		if (EG(exception)) {
			*count += part > 0 ? (size_t)part : 0;
			return READ_FAILED;
		}
	}
	if (part > 0) {
		return READ_MORE;
	}
	if (part == 0 && is_at_end(stream)) {
		return READ_LAST;
	}
	if (!EG(exception)) {
		zend_throw_exception(php_bloom_ce_Bloom,
			part < 0 || php_bloom_stream_eof(stream)
				? "The file could not be read completely"
				: "The stream returned no data before its end (it is non-blocking, "
				  "or it timed out)",
			BLOOM_E_SYSTEM);
	}
	return READ_FAILED;
}

/* Adds the lines of a piece. Counts only these lines, because userland may add other keys between
 * two pieces. */
static bool add_piece(bloom_builder *builder, bloom_lines *lines, const char *bytes, size_t count,
	read_end end, uint64_t *lines_read)
{
	uint64_t added_before = builder->added;
	bloom_error error = {0};
	bool ok = bloom_builder_add_lines(
			  builder, lines, (const unsigned char *)bytes, count, &error) == BLOOM_OK;

	if (!ok) {
		php_bloom_throw(&error);
	} else if (end == READ_LAST) {
		ok = bloom_builder_end_lines(builder, lines, &error) == BLOOM_OK;
		if (!ok) {
			php_bloom_throw(&error);
		}
		ok = ok && !php_bloom_throw_when_short(builder);
	}
	*lines_read += builder->added - added_before;
	return ok;
}

static bool add_stream(zend_object *object, zval *file, php_stream *stream, php_bloom_job *job,
	php_bloom_progress *progress, uint64_t *lines_read)
{
	uint64_t bytes = 0, reported = 0;
	read_end end = READ_MORE;
	bloom_builder *builder;
	size_t count;

	while (end == READ_MORE) {
		/* PHP does not check its time limit between two pieces. Two seconds after the limit
		 * has passed, PHP kills the process. */
		if (UNEXPECTED(zend_atomic_bool_load_ex(&EG(timed_out)))) {
			zend_timeout();
		}
		end = read_piece(stream, job->text, job->text_bytes, &count);
		builder = php_bloom_builder_from(object);
		/* If userland has forked, each process would read only some of the lines. */
		if (!php_bloom_job_is_ours(job) || builder == NULL ||
			!add_piece(builder, &job->lines, job->text, count, end, lines_read)) {
			return false;
		}
		bytes += count;
		if (end == READ_LAST || (end == READ_MORE && bytes - reported >= PROGRESS_BYTES)) {
			reported = bytes;
			if (!php_bloom_progress_report(progress, bytes, builder->added) ||
				!php_bloom_job_is_ours(job) ||
				(end == READ_MORE && !php_bloom_stream_is_open(file))) {
				return false;
			}
		}
	}
	return end == READ_LAST;
}

static bool job_makes_room(php_bloom_job *job, size_t bytes)
{
	bloom_error error = {.status = BLOOM_E_MEMORY};

	job->text = malloc(bytes);
	job->text_bytes = bytes;
	if (job->text == NULL) {
		php_bloom_throw(&error);
	}
	return job->text != NULL;
}

/* Converts $field and $delimiter. Throws a ValueError if one of them is out of range or missing. */
static bool line_keys(
	bool is_whole, zend_long field, const zend_string *delimiter, bloom_lines *lines)
{
	if (!is_whole && (field < 1 || field > BLOOM_FIELD_MAX)) {
		zend_argument_value_error(3, "must be between 1 and 1,000");
		return false;
	}
	lines->field = is_whole ? 0 : (uint32_t)field;
	lines->delimiter = '\t';
	if (delimiter != NULL) {
		lines->delimiter = (unsigned char)ZSTR_VAL(delimiter)[0];
		if (ZSTR_LEN(delimiter) != 1 || lines->delimiter == '\r' ||
			lines->delimiter == '\n') {
			zend_argument_value_error(4, "must be one byte, but neither CR nor LF");
			return false;
		}
	}
	if (is_whole && lines->delimiter != '\t') { /* the lines would become the keys */
		zend_argument_value_error(3, "must not be null if $delimiter is not a tab");
		return false;
	}
	return true;
}

ZEND_METHOD(Bloom_Builder, addFile)
{
	bloom_builder *builder = php_bloom_builder_from(Z_OBJ_P(ZEND_THIS));
	php_bloom_progress progress = {0};
	zend_string *delimiter = NULL;
	uint64_t lines_read = 0;
	bool is_whole = true;
	bloom_lines lines;
	zend_long field = 0;
	php_bloom_job *job;
	php_stream *stream;
	bool owned, ok;
	zval *file;

	/* The lines of a map have neither. */
	ZEND_PARSE_PARAMETERS_START(1, builder != NULL && builder->geometry.value_bits != 0 ? 2 : 4)
		Z_PARAM_ZVAL(file)
		Z_PARAM_OPTIONAL
		Z_PARAM_FUNC_OR_NULL(progress.call, progress.cache)
		Z_PARAM_LONG_OR_NULL(field, is_whole)
		Z_PARAM_STR(delimiter)
	ZEND_PARSE_PARAMETERS_END();

	if (builder == NULL || !line_keys(is_whole, field, delimiter, &lines) ||
		(stream = php_bloom_stream(file, 1, &owned)) == NULL) {
		RETURN_THROWS();
	}
	job = php_bloom_job_begin();
	if (job == NULL) {
		RETURN_THROWS();
	}
	job->lines.field = lines.field;
	job->lines.delimiter = lines.delimiter;
	ok = job_makes_room(job,
		     builder->jobs > 1 ? (size_t)builder->jobs * READ_BYTES_A_JOB : READ_BYTES) &&
		add_stream(Z_OBJ_P(ZEND_THIS), file, stream, job, &progress, &lines_read);
	php_bloom_job_end(job);
	if (owned) {
		php_stream_close(stream);
	}
	if (!ok) {
		php_bloom_name_file(file);
		RETURN_THROWS();
	}
	RETURN_LONG((zend_long)lines_read);
}
