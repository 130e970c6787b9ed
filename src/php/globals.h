/* What a thread keeps between requests: settings as they are in force, secrets and attachments. */
#ifndef PHP_BLOOM_GLOBALS_H
#define PHP_BLOOM_GLOBALS_H

#include "php/engine.h"
#include "segment/segment.h"

typedef struct php_bloom_unused {
	struct php_bloom_attachment *first, *last; /* the least and the most recently used one */
	uint32_t count;
} php_bloom_unused;

ZEND_BEGIN_MODULE_GLOBALS(bloom)
	/* INI, as it was set */
	char *path;
	zend_long memory_limit;
	double lock_timeout;
	char *secret_file;
	char *signing_key_file;
	/* INI, as it is in force: taken over at the first use and fixed from then on, because
	 * under FPM a request's FastCGI parameters can set even system-level entries. */
	bool latched;
	/* Bloom_process(): one forked since then (after preloading, say) latches for itself. */
	uint64_t latched_by;
	bloom_segment segment;
	/* the same of what the two files above hold */
	uint64_t rings_by; /* bloom_process_id() that read them; 0: not yet */
	bloom_ring secrets;
	bloom_ring signers;
	/* name → php_bloom_attachment, kept over requests */
	HashTable attachments;
	php_bloom_unused unused; /* those of them that no handle refers to */
	uint64_t request;        /* serial number of the current one */
	struct php_bloom_job *jobs;
	/* Of on-demand filters, one within the other, in the request of that number. */
	uint32_t fetches;
	uint64_t fetches_request;
ZEND_END_MODULE_GLOBALS(bloom)

ZEND_EXTERN_MODULE_GLOBALS(bloom)
#define BLOOM_G(name) ZEND_MODULE_GLOBALS_ACCESSOR(bloom, name)

#endif
