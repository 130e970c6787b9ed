/* The logger of Filter::sync() is a PSR-3 logger, or a callable with the same parameters.
 *
 *     sync ends ─► leases and mappings are released ─► logger(level, message, context)
 *
 * The logger is userland code. It may throw, call sync() itself, or end the script.
 */
#ifndef PHP_BLOOM_SYNC_LOG_H
#define PHP_BLOOM_SYNC_LOG_H

#include "kinds/additions.h"
#include "php/engine.h"

typedef struct php_bloom_logger {
	zval *value;           /* the caller's argument; NULL: no logger */
	zend_function *method; /* log() of a PSR-3 logger; NULL: `value` is callable */
} php_bloom_logger;

/* What a sync did. Zeroes mean that there is nothing to report. */
typedef struct php_bloom_sync_outcome {
	bool is_switched;
	uint64_t generation;
	uint64_t replaced; /* 0: none */
	uint64_t keys;
	uint64_t fetched_bytes;
	double seconds;
	bloom_status failure; /* OK: it succeeded, or did not check the store */
	/* Failures in a row, including this one. After a success, the failures before it. If the
	 * filter's directory cannot be opened, the failure is not counted. */
	uint64_t failures;
	bloom_loss loss; /* of records of the journal, if no sync has reported it before */
} php_bloom_sync_outcome;

/* Checks the argument. Throws a TypeError for argument number `argument`.
 *
 *   value  NULL or a null: no logger */
bool php_bloom_logger_of(zval *value, uint32_t argument, php_bloom_logger *logger);

/* Calls the logger for each event of the sync, unless the script is ending. If the sync failed, its
 * exception is pending before the call and still pending afterwards. If the logger throws as well,
 * its exception is pending instead, and getPrevious() leads to that of the sync. */
void php_bloom_sync_log(
	const php_bloom_logger *logger, const char *name, const php_bloom_sync_outcome *outcome);

#endif
