/* The overlay parameters of Filter::load() and Filter::sync(). */
#ifndef PHP_BLOOM_OVERLAY_OPTIONS_H
#define PHP_BLOOM_OVERLAY_OPTIONS_H

#include "filter/blob.h"
#include "kinds/live.h"
#include "php/engine.h"

typedef struct php_bloom_overlay_request {
	double window; /* seconds */
	zend_long capacity;
	bool no_window, no_capacity; /* the argument is null */
	bool is_given;               /* set by php_bloom_overlay_check() */
	uint32_t argument; /* the number of the window's argument; the capacity's follows */
} php_bloom_overlay_request;

/* Checks that both arguments are given or neither. */
bool php_bloom_overlay_check(php_bloom_overlay_request *request, uint32_t argument);

/* Sets the overlay's parameters. The rate and the secret are those of the blob. Returns false if it
 * throws: a ValueError, or a KindException if the blob is a reverse index. */
bool php_bloom_overlay_params(const php_bloom_overlay_request *request, const bloom_head *head,
	bloom_live_params *params);

#endif
