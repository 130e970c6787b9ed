/* Bloom\Blob: the object, and what other classes do with one. */
#ifndef PHP_BLOOM_BLOB_H
#define PHP_BLOOM_BLOB_H

#include "build/builder.h"
#include "filter/blob.h"
#include "php/engine.h"
#include "php/object.h"
#include "php/progress.h"

typedef struct php_bloom_blob {
	unsigned char *bytes; /* NULL: never initialised */
	uint64_t count;
	bloom_head head;
	bloom_view view;
	bloom_hasher hasher; /* digest 0: not looked for yet */
	zend_object std;
} php_bloom_blob;

static inline php_bloom_blob *php_bloom_blob_of(zend_object *object)
{
	return PHP_BLOOM_OBJECT_OF(php_bloom_blob, object);
}

/* A blob object that takes over `bytes` (private memory), once verified.
 *   hasher   of who built it; or one of digest 0 */
void php_bloom_blob_take(zval *value, unsigned char *bytes, uint64_t count, const bloom_head *head,
	const bloom_hasher *hasher);

/* What makes digests of its keys.  NULL, thrown: it is keyed with a secret that is not here. */
const bloom_hasher *php_bloom_blob_hasher(php_bloom_blob *blob);

/* Makes a finished builder's image a blob object, and leaves the builder empty. False: thrown, and the
 * builder is as before. */
bool php_bloom_blob_build(zval *value, bloom_builder *builder, uint64_t built_ms, double limit);

/* The object's blob; NULL after an exception when it was never initialised. */
php_bloom_blob *php_bloom_blob_from(zend_object *object);

/* Verifies all shards in steps, reporting. False: thrown. */
bool php_bloom_blob_verify(php_bloom_blob *blob, php_bloom_progress *progress);

/* Called once, from MINIT, when the class entries exist. */
void php_bloom_blob_startup(void);

#endif
