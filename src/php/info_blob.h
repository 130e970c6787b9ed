/* What a blob and a builder tell of themselves. */
#ifndef PHP_BLOOM_INFO_BLOB_H
#define PHP_BLOOM_INFO_BLOB_H

#include "build/builder.h"
#include "filter/blob.h"
#include "php/engine.h"

/* Adds what a head, and what a builder, says to an info() array. */
void php_bloom_head_info(HashTable *info, const bloom_head *head);
void php_bloom_builder_info(HashTable *info, const bloom_builder *builder);

#endif
