/* Makes the entries of info() for a blob and for a builder. A loaded filter also has the entries of
 * its blob. */
#ifndef PHP_BLOOM_INFO_BLOB_H
#define PHP_BLOOM_INFO_BLOB_H

#include "build/builder.h"
#include "filter/blob.h"
#include "php/engine.h"

/* These functions add the entries of a head and of a builder. */
void php_bloom_head_info(HashTable *info, const bloom_head *head);
void php_bloom_builder_info(HashTable *info, const bloom_builder *builder);

#endif
