/* The callback that long calls report their progress to. */
#ifndef PHP_BLOOM_PROGRESS_H
#define PHP_BLOOM_PROGRESS_H

#include "php/engine.h"

typedef struct php_bloom_progress {
	zend_fcall_info call; /* size 0: none was given */
	zend_fcall_info_cache cache;
} php_bloom_progress;

/* Reports. False: the callback threw, or the script is to end. */
bool php_bloom_progress_report(php_bloom_progress *progress, uint64_t done, uint64_t total);

/* The same while the call waits: `why` is a third argument, but for functions of PHP's own, which take no more
 * than they have. */
bool php_bloom_progress_wait(
	php_bloom_progress *progress, uint64_t done, uint64_t total, const char *why);

#endif
