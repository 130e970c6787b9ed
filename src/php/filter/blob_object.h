/* Defines the object struct of Bloom\Blob, and the functions with which other classes use the
 * struct.
 *
 * The object owns a private mapping of the whole blob. It has a view only after every shard has
 * been verified, so lookups fail on an object whose construction has failed.
 */
#ifndef PHP_BLOOM_BLOB_OBJECT_H
#define PHP_BLOOM_BLOB_OBJECT_H

#include "build/builder.h"
#include "filter/blob.h"
#include "php/engine.h"
#include "php/object.h"
#include "php/progress.h"

typedef struct php_bloom_blob {
	unsigned char *bytes; /* NULL: never initialized */
	uint64_t count;
	bloom_head head;
	bloom_view view;
	bloom_hasher hasher; /* digest 0: not yet determined */
	zend_object std;
} php_bloom_blob;

static inline php_bloom_blob *php_bloom_blob_of(zend_object *object)
{
	return PHP_BLOOM_OBJECT_OF(php_bloom_blob, object);
}

/* Creates a blob object from verified bytes.
 *
 *   bytes    private memory from bloom_map_private(), which the object takes over
 *   hasher   the builder's hasher, or a hasher with digest 0 if the builder's hasher is unknown
 */
void php_bloom_blob_take(zval *value, unsigned char *bytes, uint64_t count, const bloom_head *head,
	const bloom_hasher *hasher);

/* Returns the hasher for the blob's keys. Returns NULL after a SecretException if the blob is keyed
 * with a secret that this process does not have. */
const bloom_hasher *php_bloom_blob_hasher(php_bloom_blob *blob);

/* Returns whether the blob might contain a key.
 *
 *   hasher  php_bloom_blob_hasher() */
bool php_bloom_blob_test(const php_bloom_blob *blob, const bloom_hasher *hasher,
	const unsigned char *key, size_t count);

/* Finishes a builder and moves its image to a blob object. The builder is empty afterwards, or
 * unchanged if it throws.
 *
 *   built_ms   time of the build, in ms since 1970
 *   limit      highest measured false-positive rate that is accepted
 */
bool php_bloom_blob_build(zval *value, bloom_builder *builder, uint64_t built_ms, double limit);

/* Returns the object's blob. Throws if the object was never initialized. */
php_bloom_blob *php_bloom_blob_from(zend_object *object);

/* Verifies all shards in steps and reports the progress after each step. */
bool php_bloom_blob_verify(php_bloom_blob *blob, php_bloom_progress *progress);

/* Sets the handlers of the class. MINIT calls it once, after the class entries exist. */
void php_bloom_blob_startup(void);

#endif
