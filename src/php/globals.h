/* A thread keeps its settings, secrets and attachments between requests. */
#ifndef PHP_BLOOM_GLOBALS_H
#define PHP_BLOOM_GLOBALS_H

#include "php/engine.h"
#include "segment/segment.h"

typedef struct php_bloom_unused {
	struct php_bloom_attachment *first, *last; /* the least, and the most, recently used one */
	uint32_t count;
} php_bloom_unused;

ZEND_BEGIN_MODULE_GLOBALS(bloom)
	/* settings as configured */
	char *path;
	zend_long memory_limit;
	double lock_timeout;
	char *secret_file;
	char *signing_key_file;
	/* Settings in force. They are fixed at the first use, because under FPM a request's FastCGI
	 * parameters can change even system-level settings. */
	bool latched;
	/* The bloom_process_id() of the process that fixed the settings. A process that is forked
	 * later, such as a worker after preloading, fixes its own settings. */
	uint64_t latched_by;
	bloom_segment segment;
	uint64_t segment_bytes, added_up_ms; /* see php_bloom_segment_bytes(); 0: not added up */
	/* The rings of both files, which are fixed in the same way. */
	uint64_t rings_by; /* the bloom_process_id() that read them; 0: not read yet */
	bloom_ring secrets;
	bloom_ring signers;
	/* name → php_bloom_attachment; kept between requests */
	HashTable attachments;
	php_bloom_unused unused; /* the attachments that no handle refers to */
	uint64_t request;        /* serial number of the current request */
	struct php_bloom_job *jobs;
	/* Nesting depth of fetches of on-demand filters. Valid in the request whose serial number
	 * is `fetches_request`. */
	uint32_t fetches;
	uint64_t fetches_request;
ZEND_END_MODULE_GLOBALS(bloom)

ZEND_EXTERN_MODULE_GLOBALS(bloom)
#define BLOOM_G(name) ZEND_MODULE_GLOBALS_ACCESSOR(bloom, name)

#endif
