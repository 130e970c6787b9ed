/* Defines the callback to which long calls report their progress. */
#ifndef PHP_BLOOM_PROGRESS_H
#define PHP_BLOOM_PROGRESS_H

#include "php/engine.h"

typedef struct php_bloom_progress {
	zend_fcall_info call; /* size 0: no callback */
	zend_fcall_info_cache cache;
} php_bloom_progress;

/* Calls the callback with (done, total), in bytes. Returns false if the callback threw or the
 * script is ending. */
bool php_bloom_progress_report(php_bloom_progress *progress, uint64_t done, uint64_t total);

/* Calls the callback with (done, total, why) while the call is waiting. PHP's internal functions do
 * not accept extra arguments, so a callback that is an internal function is called without
 * `why`. */
bool php_bloom_progress_wait(
	php_bloom_progress *progress, uint64_t done, uint64_t total, const char *why);

#endif
