/* Parts of candidates() that Bloom\Filter, LoadedMap and Blob share.
 *
 *     an array      ─► find ─► the values that were found, with their array keys
 *     a Traversable ─► a list of its values ─► find ─► a list
 */
#ifndef PHP_BLOOM_LOOKUP_H
#define PHP_BLOOM_LOOKUP_H

#include "filter/probe.h"
#include "filter/ribbon.h"
#include "kinds/live.h"
#include "php/engine.h"
#include "php/keys.h"

/* Sets `result` to the values of an array that were found. If it throws, `result` is undefined or
 * an array. */
typedef bool (*php_bloom_find)(void *context, zval *keys, zval *result);

/* Implements candidates() of a Traversable. The values are collected before the search begins. */
void php_bloom_find_in_traversable(
	zval *keys, php_bloom_find find_in_array, void *context, zval *result);

/* Throws a TypeError because a value of the array argument 1 is not a key. */
ZEND_COLD void php_bloom_throw_bad_key(const HashTable *keys, const zval *value);

/* Adds `added` to the array `found`, under the array key that `value` has in `keys`. */
void php_bloom_add_under(HashTable *found, const HashTable *keys, const zval *value, zval *added);

/* Finds the values of an array in a filter whose lookups need only the unkeyed digest.
 *
 *   ribbon     NULL: the filter is the view
 *   additions  the keys of the journal; NULL: none
 */
bool php_bloom_find_in_view(const bloom_view *view, const bloom_ribbon *ribbon,
	bloom_live *additions, zval *keys, zval *result);

/* Adds the values that `test` finds to `found`, one key at a time. */
typedef bool (*php_bloom_test_key)(void *context, const php_bloom_key *key);
bool php_bloom_find_each(HashTable *keys, php_bloom_test_key test, void *context, HashTable *found);

/* Chooses the implementation of mightContain() for this processor. MINIT calls this function before
 * it registers the subclasses, because they copy the methods. */
void php_bloom_lookup_startup(zend_class_entry *filter);

#endif
