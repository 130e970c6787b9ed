/* Fetches the chunks that lookups in an on-demand filter need.
 *
 * Both functions may call the store, which is userland, so the caller must check the attachment
 * again afterwards. If the store fails, the lookup does not: the control page records the failure,
 * and the answer is "maybe".
 */
#ifndef PHP_BLOOM_FETCH_ON_DEMAND_H
#define PHP_BLOOM_FETCH_ON_DEMAND_H

#include "kinds/attachment.h"
#include "php/engine.h"
#include "php/keys.h"

/* Looks up one key, and fetches its chunk first if necessary. The attachment must be current and
 * mapped. Throws if the filter was dropped during the fetch. */
bool php_bloom_ondemand_test(
	zend_object *object, bloom_attachment *attachment, const php_bloom_key *key, bool *answer);

/* Fetches the missing chunks for all values of an array, in batches. The attachment must be current
 * and mapped. If the filter is dropped during a fetch, the function stops early, and the caller's
 * next check notices it. */
bool php_bloom_ondemand_fetch_all(
	zend_object *object, bloom_attachment *attachment, HashTable *keys);

#endif
