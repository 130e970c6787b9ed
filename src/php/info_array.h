/* Entries of an info() array. */
#ifndef PHP_BLOOM_INFO_ARRAY_H
#define PHP_BLOOM_INFO_ARRAY_H

#include "filter/geometry.h"
#include "php/engine.h"

/* info() helpers: numbers beyond PHP's int do not occur in them but as seeds, which wrap. */
void php_bloom_info_long(HashTable *info, const char *key, uint64_t value);
void php_bloom_info_double(HashTable *info, const char *key, double value);
void php_bloom_info_string(HashTable *info, const char *key, const char *bytes, size_t count);
void php_bloom_info_null(HashTable *info, const char *key);
void php_bloom_info_list(HashTable *info, const char *key, zval *list);

/* Entries that several info() have. */
void php_bloom_info_seed(HashTable *info, uint64_t seed);
void php_bloom_info_fingerprint(HashTable *info, const char *key, uint64_t fingerprint);
void php_bloom_info_digest(HashTable *info, uint64_t fingerprint);
void php_bloom_reverse_info(HashTable *info, const bloom_geometry *geometry, double rate);

#endif
