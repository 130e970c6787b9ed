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

#endif
