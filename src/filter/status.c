#include "filter/status.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct row {
	const char *sentence;
	const char *requirement;
	bloom_status_group group;
} row;

static const row rows[BLOOM_STATUS_COUNT] = {
#define ARGUMENT_ROW(code, what, requirement) \
	[BLOOM_##code] = {what " " requirement, requirement, BLOOM_GROUP_ARGUMENT},
#define FAILURE_ROW(code, class, group, sentence) \
	[BLOOM_##code] = {sentence, NULL, BLOOM_GROUP_##group},
	BLOOM_STATUS_TABLE(ARGUMENT_ROW, FAILURE_ROW)
#undef ARGUMENT_ROW
#undef FAILURE_ROW
};

static const row unknown = {"unknown status", NULL, BLOOM_GROUP_OTHER};

static const row *row_of(bloom_status status)
{
	return (unsigned)status < BLOOM_STATUS_COUNT ? &rows[status] : &unknown;
}

const char *bloom_status_sentence(bloom_status status)
{
	return row_of(status)->sentence;
}

const char *bloom_status_requirement(bloom_status status)
{
	return row_of(status)->requirement;
}

bloom_status_group bloom_status_group_of(bloom_status status)
{
	return row_of(status)->group;
}

bloom_status(bloom_fail)(
	bloom_error *error, bloom_status status, int os_error, const char *format, ...)
{
	va_list arguments;

	if (error == NULL) {
		return status;
	}
	error->status = status;
	error->os_error = os_error;
	va_start(arguments, format);
	(void)vsnprintf(error->subject, sizeof error->subject, format, arguments);
	va_end(arguments);
	return status;
}

const char *bloom_number_text(double value, int digits, char text[BLOOM_NUMBER_BYTES])
{
	static const char usual[] = "+-0123456789einfa"; /* everything but the decimal point */
	size_t before, point;

	(void)snprintf(text, BLOOM_NUMBER_BYTES, "%.*g", digits, value);
	before = strspn(text, usual);
	point = strcspn(text + before, usual); /* in some locales it has several bytes */
	if (point > 0) {
		text[before] = '.';
		memmove(text + before + 1, text + before + point,
			strlen(text + before + point) + 1);
	}
	return text;
}
