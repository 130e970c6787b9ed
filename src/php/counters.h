/* The entry `counters` of FilterInfo. Filter::confirm(), history() and activity() are in
 * counters.c. */
#ifndef PHP_BLOOM_COUNTERS_H
#define PHP_BLOOM_COUNTERS_H

#include "php/engine.h"
#include "segment/counters.h"

/* Sets the entry `counters` to a CountersInfo. */
void php_bloom_info_counters(HashTable *info, const bloom_counters *counters);

#endif
