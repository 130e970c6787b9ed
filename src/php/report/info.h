/* The figures of a filter that info() and phpinfo() share. */
#ifndef PHP_BLOOM_INFO_H
#define PHP_BLOOM_INFO_H

#include "kinds/attachment.h"

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
php_bloom_rate_limits php_bloom_rate_limits_of(const bloom_attachment *attachment);

/* Stores the sum of the segment's file sizes in *bytes. Returns false if it is unknown.
 *
 * Cost: visits every filter. A program that shows each filter of a large segment would visit all
 * filters for each of them, so if there are more than 100, this process uses a sum for a second. */
bool php_bloom_segment_bytes(const bloom_segment *segment, uint64_t *bytes);

#endif
