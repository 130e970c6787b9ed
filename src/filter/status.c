#include "filter/status.h"

#include <stdarg.h>
#include <stdio.h>

const char *bloom_status_sentence(bloom_status status)
{
	static const char *const sentences[BLOOM_STATUS_COUNT] = {
#define BLOOM_STATUS_SENTENCE(code, class, sentence) [BLOOM_##code] = (sentence),
		BLOOM_STATUS_TABLE(BLOOM_STATUS_SENTENCE)
#undef BLOOM_STATUS_SENTENCE
	};

	return (unsigned)status < BLOOM_STATUS_COUNT ? sentences[status] : "unknown status";
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
