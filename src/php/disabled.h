/* Classes of ours that the setting disable_classes names. */
#ifndef PHP_BLOOM_DISABLED_H
#define PHP_BLOOM_DISABLED_H

#include "php/engine.h"

/* Remembers how each class makes its objects: called after the other startups. Then, from each RINIT: sees to it
 * that a class that disable_classes names throws BloomException where an object of it would be made. */
void php_bloom_disabled_startup(void);
void php_bloom_disabled_check(void);

#endif
