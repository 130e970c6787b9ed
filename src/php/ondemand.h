/* Fetching the chunks that lookups in an on-demand filter need. */
#ifndef PHP_BLOOM_ONDEMAND_H
#define PHP_BLOOM_ONDEMAND_H

#include "kinds/attachment.h"
#include "php/engine.h"
#include "php/keys.h"

/* Looks a key up in an on-demand filter, up to date and mapped, after fetching its chunk if need be; and brings
 * the chunks that an array's values need and that are not here, if the store gives them. Userland may run:
 * what was known of the attachment has to be asked again. False: thrown. */
bool php_bloom_ondemand_test(
	zend_object *object, bloom_attachment *attachment, const php_bloom_key *key, bool *answer);
bool php_bloom_ondemand_fetch_all(
	zend_object *object, bloom_attachment *attachment, HashTable *keys);

#endif
