/* The entry `counters` of FilterInfo. Filter::confirm(), history() and activity() are in
 * activity.c. */
#ifndef PHP_BLOOM_ACTIVITY_H
#define PHP_BLOOM_ACTIVITY_H

#include "php/engine.h"
#include "segment/counters.h"

/* Sets the entry `counters` to a CountersInfo. */
void php_bloom_info_counters(HashTable *info, const bloom_counters *counters);

#endif
