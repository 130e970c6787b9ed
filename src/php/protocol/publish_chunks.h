/* Writes the chunks of a version that a store lacks. */
#ifndef PHP_BLOOM_PUBLISH_CHUNKS_H
#define PHP_BLOOM_PUBLISH_CHUNKS_H

#include "php/filter/blob_object.h"
#include "php/protocol/publish_lock.h"

typedef struct php_bloom_chunk_writer {
	zend_object *store;
	const char *name;
	const php_bloom_blob *blob;
	php_bloom_progress *progress;
	php_bloom_publish_lock *lock; /* renewed from time to time, if this process holds it */
	uint64_t chunks_written;
	uint64_t bytes_written;
} php_bloom_chunk_writer;

/* Writes each chunk that the store lacks or has with different bytes, and reads back what it has
 * written.
 *
 *   force  write all chunks, without reading them first */
bool php_bloom_publish_chunks(php_bloom_chunk_writer *writer, bool force);

/* Writes the chunks that have disappeared, until the store has kept them all. A full store may
 * evict chunks immediately, and then no host could load the version. Stops if the lock is lost. */
bool php_bloom_keep_chunks(php_bloom_chunk_writer *writer);

#endif
