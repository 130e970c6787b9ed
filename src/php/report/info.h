/* The figures of a filter that info() and phpinfo() share. */
#ifndef PHP_BLOOM_INFO_H
#define PHP_BLOOM_INFO_H

#include "php/filter/attachment_pool.h"

typedef struct php_bloom_figures {
	uint64_t keys;
	double rate;       /* of a lookup, as LoadedInfo::$lookupFalsePositiveRate */
	double asked_rate; /* 0: unknown */
} php_bloom_figures;

/* Returns the figures of an attached filter of any kind.
 *
 * Cost: the same as info(), at most 1 MiB of each layer. */
php_bloom_figures php_bloom_figures_of(const bloom_attachment *attachment);

/* The highest rates that a filter at capacity and its journal's keys are measured to have by
 * chance. 0: the filter does not have this part. */
typedef struct php_bloom_rate_limits {
	double filter, journal;
} php_bloom_rate_limits;

/* Cost: some arithmetic. */
php_bloom_rate_limits php_bloom_rate_limits_of(php_bloom_attachment *held);

#endif
