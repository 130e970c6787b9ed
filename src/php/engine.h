/* Includes PHP's headers. Each header in this folder includes this file.
 *
 * config.h must come before php.h. In a build with threads, every file that uses a macro such as
 * EG() needs the declaration of this extension's thread-local cache.
 *
 * Exceptions: a function in this folder that can throw returns a bool or a pointer, and it returns
 * false or NULL if it throws. It does the same when the script ends after exit() or a fatal error,
 * although no exception is pending then. In either case its results are undefined, so the caller
 * returns as well. Comments mention exceptions only where a function does something else.
 */
#ifndef PHP_BLOOM_ENGINE_H
#define PHP_BLOOM_ENGINE_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <php.h>

#if defined(ZTS) && defined(COMPILE_DL_BLOOM)
ZEND_TSRMLS_CACHE_EXTERN()
#endif

#endif
