/* The segment in force: which directory the filters are in, and the settings, latched at the first use. */
#ifndef PHP_BLOOM_SEGMENT_H
#define PHP_BLOOM_SEGMENT_H

#include "php/engine.h"
#include "segment/segment.h"

/* Latches the settings at the first call.  NULL: thrown. */
const bloom_segment *php_bloom_segment(void);

/* Whether this very process has latched the settings. */
bool php_bloom_is_latched(void);

/* Forgets what a parent process latched and attached, before a forked process's first request. */
void php_bloom_unlatch(void);

#endif
