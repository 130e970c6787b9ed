/* The object of Bloom\Builder and Bloom\ReverseIndexBuilder, and how a constructor makes one. */
#ifndef PHP_BLOOM_BUILDER_H
#define PHP_BLOOM_BUILDER_H

#include "build/builder.h"
#include "php/engine.h"

/* The builder of a Builder or a ReverseIndexBuilder; NULL after an exception when there is none to add to. */
bloom_builder *php_bloom_builder_from(zend_object *object);

ZEND_COLD void php_bloom_throw_short(const bloom_builder *builder);

/* Whether memory was short for a digest, and the builder is of no more use. */
static zend_always_inline bool php_bloom_throw_when_short(const bloom_builder *builder)
{
	if (UNEXPECTED(builder->out_of_memory)) {
		php_bloom_throw_short(builder);
		return true;
	}
	return false;
}

/* What the constructors and like() build from. */
typedef struct php_bloom_construction {
	bloom_params params;
	const bloom_head *like; /* whose geometry it gets; NULL: it is sized by the params */
	uint64_t seed;
	uint32_t chunk_bytes;
	uint32_t jobs;
	zend_string *source;      /* or NULL */
	uint32_t source_argument; /* its number */
	/* The number of the argument that a status blames. */
	uint32_t (*blamed)(bloom_status status);
} php_bloom_construction;

void php_bloom_builder_construct(zend_object *object, const php_bloom_construction *work);

/* The number of the constructor's argument that a status blames. */
uint32_t php_bloom_builder_blamed(bloom_status status);

/* Sets params->ribbon by a scheme's name; NULL: bloom. False: thrown. */
bool php_bloom_choose_scheme(
	const zend_string *scheme, uint32_t argument, uint32_t chunk_bytes, bloom_params *params);

/* False, thrown: not so many threads. */
bool php_bloom_check_jobs(zend_long given, uint32_t argument, uint32_t *jobs);

/* Called once, from MINIT, when the class entries exist. */
void php_bloom_builder_startup(void);

#endif
