/* Entries of the arrays that info() returns. */
#ifndef PHP_BLOOM_INFO_ARRAY_H
#define PHP_BLOOM_INFO_ARRAY_H

#include "filter/geometry.h"
#include "filter/journal_mark.h"
#include "php/engine.h"

/* Set an entry. An integer above PHP_INT_MAX becomes PHP_INT_MAX. */
void php_bloom_info_long(HashTable *info, const char *key, uint64_t value);
void php_bloom_info_double(HashTable *info, const char *key, double value);
void php_bloom_info_string(HashTable *info, const char *key, const char *bytes, size_t count);
void php_bloom_info_bool(HashTable *info, const char *key, bool value);
void php_bloom_info_null(HashTable *info, const char *key);
void php_bloom_info_list(HashTable *info, const char *key, zval *list);

/* Sets a mark as text, or null if its epoch is 0. */
void php_bloom_info_mark(HashTable *info, const char *key, const bloom_mark *mark);

/* Sets a fingerprint in hexadecimal, or null if it is 0. */
void php_bloom_info_fingerprint(HashTable *info, const char *key, uint64_t fingerprint);

/* Sets the entries from `shards` to `keyedBy`, and for a reverse index also its own entries.
 *
 *   shards  the number of shards in all layers
 *   rate    the rate of one lookup in the filter of a reverse index
 */
void php_bloom_info_geometry(
	HashTable *info, const bloom_geometry *geometry, uint64_t shards, double rate);

#endif
