/* Fetching the chunks of a published version, in order, to wherever the caller wants them.
 *
 * Chunks that this host serves already are copied from its mapping, the others come from the store
 * in batches. Each chunk of the store's is compared with its digest before it is passed on.
 */
#ifndef PHP_BLOOM_FETCH_H
#define PHP_BLOOM_FETCH_H

#include "kinds/attachment.h"
#include "php/job.h"
#include "php/progress.h"
#include "php/store.h"

/* Heads that may change under a fetch before it gives up. */
enum { PHP_BLOOM_FETCH_ROUNDS_MAX = 3 };

/* Takes one piece of a body, in order, wherever it goes. False: thrown. */
typedef bool (*php_bloom_take_bytes)(void *context, const unsigned char *bytes, uint64_t count);

typedef struct php_bloom_fetching {
	zend_object *store;
	const char *name;
	const bloom_head *head;
	const bloom_attachment *served; /* whose chunks need not be fetched; NULL: none */
	php_bloom_take_bytes take;
	void *context;
	php_bloom_progress *progress;
	php_bloom_job *job; /* whose lease is to be renewed; NULL: none */
	bool chunk_missing; /* set when that is why it failed, without an exception */
} php_bloom_fetching;

/* Passes on the whole body of work->head. False: thrown, or work->chunk_missing: the publisher may
 * have replaced the head, and collected the chunk, meanwhile, so another round is worth it. */
bool php_bloom_fetch_chunks(php_bloom_fetching *work);

#endif
