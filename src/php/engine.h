/* Includes PHP's headers. Each header in this folder includes this file.
 *
 * config.h must come before php.h. In a build with threads, every file that uses a macro such as
 * EG() needs the declaration of this extension's thread-local cache.
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
