/* Declares the function that ReverseIndexBuilder::like() shares with the constructor. */
#ifndef PHP_BLOOM_BUILD_REVERSE_H
#define PHP_BLOOM_BUILD_REVERSE_H

#include "filter/status.h"
#include "php/engine.h"

/* Returns the number of the constructor's argument that caused a status. */
uint32_t php_bloom_reverse_builder_blamed(bloom_status status);

#endif
