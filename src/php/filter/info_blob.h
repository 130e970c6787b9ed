/* Makes the entries of info() for a blob and for a builder. A loaded filter also has the entries of
 * its blob. */
#ifndef PHP_BLOOM_INFO_BLOB_H
#define PHP_BLOOM_INFO_BLOB_H

#include "build/builder.h"
#include "filter/blob.h"
#include "php/engine.h"

/* Returns the rate that a blob's keys are expected to cause.
 *
 * Cost: some arithmetic, about 40 µs. */
double php_bloom_head_predicted_rate(const bloom_head *head);

/* These functions add the entries of a head and of a builder.
 *
 *   predicted  php_bloom_head_predicted_rate() */
void php_bloom_head_info(HashTable *info, const bloom_head *head, double predicted);
void php_bloom_builder_info(HashTable *info, const bloom_builder *builder);

#endif
