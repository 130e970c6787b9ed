/* Keeps PHP from crashing if the setting disable_classes (PHP before 8.5) names a class of this
 * extension.
 *
 * PHP removes the methods, parent and interfaces of a disabled class, and makes its objects plain
 * objects. This extension expects its own struct around each object, and it needs exceptions that
 * PHP can throw. That is why all of its classes are disabled if one of them is, so that none of
 * its methods can run any more. PHP disables classes when a process starts. FPM also applies the
 * setting of a pool or of a request, but always before the request begins. */
#ifndef PHP_BLOOM_DISABLED_CLASSES_H
#define PHP_BLOOM_DISABLED_CLASSES_H

#include "php/engine.h"

/* Disables all classes of this extension and emits a warning if one is disabled. RINIT calls this
 * function. Cost: one comparison if the setting is empty. */
void php_bloom_disabled_check(void);

#endif
