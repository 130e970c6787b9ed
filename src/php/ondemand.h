/* Fetches the chunks that lookups in an on-demand filter need.
 *
 * Both functions may call the store, which is userland. The caller must check the attachment again
 * afterwards. A failing store is no failure of the lookup: the control page records it, and the
 * answer is "maybe".
 */
#ifndef PHP_BLOOM_ONDEMAND_H
#define PHP_BLOOM_ONDEMAND_H

#include "kinds/attachment.h"
#include "php/engine.h"
#include "php/keys.h"

/* Answers for one key, after fetching its chunk if the store gives it; and fetches, in batches, the
 * missing chunks for all values of an array. The attachment must be current and mapped. Return
 * false after an exception, which means that the script is ending or that the filter was
 * dropped. */
bool php_bloom_ondemand_test(
	zend_object *object, bloom_attachment *attachment, const php_bloom_key *key, bool *answer);
bool php_bloom_ondemand_fetch_all(
	zend_object *object, bloom_attachment *attachment, HashTable *keys);

#endif
