/* Bloom\Layout has the options of a builder that decide how a filter's bytes are laid out. */
#ifndef PHP_BLOOM_LAYOUT_H
#define PHP_BLOOM_LAYOUT_H

#include "filter/status.h"
#include "php/engine.h"

/* In each value, 0 stands for null. */
typedef struct php_bloom_layout {
	uint32_t shard_bytes, block_bytes, probes, chunk_bytes;
} php_bloom_layout;

/* Returns the values of an object, or zeros for NULL. */
php_bloom_layout php_bloom_layout_of(zend_object *object);

/* Returns the name of the property that caused a status, or NULL. */
const char *php_bloom_layout_blamed(bloom_status status);

#endif
