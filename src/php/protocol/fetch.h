/* Fetches the chunks of a published version, in order, and passes them to a callback.
 *
 * Chunks that this host already serves are copied from its mapping. The store delivers the others
 * in batches. Each chunk from the store is compared with its digest before the callback gets it.
 * If several chunks of a batch and of the one before it are equal, only one of them is fetched,
 * because two small values could otherwise describe a version that takes hours to transfer.
 */
#ifndef PHP_BLOOM_FETCH_H
#define PHP_BLOOM_FETCH_H

#include "kinds/attachment.h"
#include "php/job.h"
#include "php/progress.h"
#include "php/store/store.h"

/* The maximum number of times that a fetch starts again because the head has changed. */
enum { PHP_BLOOM_FETCH_ROUNDS_MAX = 3 };

/* Takes one piece of a body. Pieces come in order. */
typedef bool (*php_bloom_take_bytes)(void *context, const unsigned char *bytes, uint64_t count);

typedef struct php_bloom_fetching {
	zend_object *store;
	const char *name;
	const bloom_head *head;
	const bloom_attachment *served; /* chunks that are here are not fetched; NULL: none */
	php_bloom_take_bytes take;
	void *context;
	/* Called after each batch. NULL: none */
	bool (*between)(void *context);
	void *between_context;
	php_bloom_progress *progress;
	php_bloom_job *job;     /* whose lease is renewed; NULL: none */
	HashTable *known;       /* the chunks of the last batch, by key */
	uint64_t fetched_bytes; /* of chunks from the store */
	uint64_t served_bytes;  /* of chunks that were here */
	bool chunk_missing;     /* set, without an exception, if the store lacks a chunk */
} php_bloom_fetching;

/* Passes the whole body of fetch->head to fetch->take. Returns false if it throws, or with
 * fetch->chunk_missing set. In the latter case the publisher may have replaced the head and deleted
 * the chunk in the meantime, so the caller should fetch the head again. */
bool php_bloom_fetch_chunks(php_bloom_fetching *fetch);

#endif
