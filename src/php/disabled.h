/* Handles classes of this extension that the setting disable_classes names (PHP before 8.5).
 * disabled.c explains how PHP changes a disabled class. */
#ifndef PHP_BLOOM_DISABLED_H
#define PHP_BLOOM_DISABLED_H

#include "php/engine.h"

/* Records how each class creates its objects. MINIT calls this function last. */
void php_bloom_disabled_startup(void);

/* Makes `new` and all factory methods of a disabled class throw BloomException. RINIT calls
 * this function. */
void php_bloom_disabled_check(void);

#endif
