/* The builder in the objects of Bloom\Builder, ReverseIndexBuilder and MapBuilder, and the
 * parameters that their constructors share with like(). */
#ifndef PHP_BLOOM_BUILD_H
#define PHP_BLOOM_BUILD_H

#include "build/builder.h"
#include "php/engine.h"

/* Returns the builder of an object. Throws if the builder was never constructed, has built its
 * blob, or is too large for this machine's memory. */
bloom_builder *php_bloom_builder_from(zend_object *object);

/* Remembers that the object's blob was built, so that later calls can say so. */
void php_bloom_builder_is_built(zend_object *object);

/* Throws the exception for a builder that ran out of memory. */
ZEND_COLD void php_bloom_throw_short(const bloom_builder *builder);

/* Throws and returns true if an earlier add ran out of memory. The builder then lacks a key and can
 * no longer be used. */
static zend_always_inline bool php_bloom_throw_when_short(const bloom_builder *builder)
{
	if (UNEXPECTED(builder->out_of_memory)) {
		php_bloom_throw_short(builder);
		return true;
	}
	return false;
}

/* The parameters from which a builder is constructed. */
typedef struct php_bloom_construction {
	bloom_params params;
	const bloom_head *like; /* copies its geometry; NULL: params determine the size */
	uint64_t seed;
	uint32_t chunk_bytes;
	uint32_t jobs;
	zend_string *source;      /* NULL: none */
	uint32_t source_argument; /* its argument number, for errors */
	/* Returns the number of the argument that caused a status. */
	uint32_t (*blamed)(bloom_status status);
	bool has_layout; /* the argument for the layout is a Bloom\Layout */
} php_bloom_construction;

/* Constructs the object's builder, or throws. */
void php_bloom_builder_construct(zend_object *object, const php_bloom_construction *construction);

/* Returns the number of the argument of Builder::__construct() that caused a status. */
uint32_t php_bloom_builder_blamed(bloom_status status);

/* Sets params->ribbon from a case of Bloom\Scheme. Throws a ValueError for Scheme::Reverse.
 *
 *   scheme  NULL: chooses the scheme whose blob is smaller
 *   params  the other parameters must be set */
bool php_bloom_choose_scheme(
	zend_object *scheme, uint32_t argument, uint32_t chunk_bytes, bloom_params *params);

/* Converts the number of threads. Throws a ValueError if it is out of range. */
bool php_bloom_check_jobs(zend_long given, uint32_t argument, uint32_t *jobs);

/* Sets the handlers of these classes. MINIT calls it once, after the class entries exist. */
void php_bloom_builder_startup(void);

#endif
