/* Converts a bloom_status to a PHP exception. No other file does this conversion.
 *
 * A message has up to four parts: "subject: sentence: the system's reason (remedy)".
 */
#ifndef PHP_BLOOM_ERRORS_H
#define PHP_BLOOM_ERRORS_H

#include "php/engine.h"

#include "filter/status.h"

/* Throws the exception that src/filter/status.h assigns to error->status. The exception's code is
 * the status. */
void php_bloom_throw(const bloom_error *error);

/* Throws a ValueError for the method's argument number `argument` (1 is the first) if a parameter
 * caused the status. Otherwise throws the same exception as php_bloom_throw(). */
void php_bloom_throw_argument(const bloom_error *error, uint32_t argument);

/* Returns the message that php_bloom_throw() would use. The caller releases it. */
zend_string *php_bloom_error_text(const bloom_error *error);

enum { PHP_BLOOM_CASE_BYTES = 32 };

/* Writes the name of the case of Bloom\Status: E_STORE_TYPE ─► StoreType. */
void php_bloom_status_case(bloom_status status, char name[PHP_BLOOM_CASE_BYTES]);

/* Returns the remedy for a failure, in terms of PHP parameters and settings, or NULL. */
const char *php_bloom_remedy(bloom_status status);

#endif
