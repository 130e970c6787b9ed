/* Handles: the objects of Bloom\Filter and its subclasses, one struct for all kinds. */
#ifndef PHP_BLOOM_HANDLE_H
#define PHP_BLOOM_HANDLE_H

#include "php/attachment.h"
#include "php/engine.h"
#include "php/object.h"

typedef struct php_bloom_filter {
	php_bloom_attachment *held; /* NULL: never initialised */
	/* That an on-demand filter fetches from; undefined for others. */
	zval store;
	/* It is just being asked: lookups within that do not ask again. */
	bool is_fetching;
	zend_object std;
} php_bloom_filter;

static inline php_bloom_filter *php_bloom_filter_of(zend_object *object)
{
	return PHP_BLOOM_OBJECT_OF(php_bloom_filter, object);
}

/* What is attached to, for people: "a live filter". */
const char *php_bloom_kind_text(const bloom_attachment *attachment);

/* A handle of the class that fits the filter's kind. */
void php_bloom_make_handle(zval *value, php_bloom_attachment *held);

/* Throw, of a handle: that it was never opened; what a status says of its filter; that there is a filter, but not one of
 * the class. */
ZEND_COLD void php_bloom_throw_unopened(void);
ZEND_COLD void php_bloom_throw_about(const bloom_attachment *attachment, bloom_status status);
ZEND_COLD void php_bloom_throw_kind(
	const bloom_attachment *attachment, const zend_class_entry *class);

/* The class that fits the filter's kind. */
zend_class_entry *php_bloom_class_of(const bloom_attachment *attachment);

/* The handle's attachment, up to date, whatever its presence but BLOOM_ABSENT. NULL: thrown. */
static zend_always_inline bloom_attachment *php_bloom_current(
	zend_object *object, bloom_presence *presence)
{
	php_bloom_attachment *held = php_bloom_filter_of(object)->held;

	if (UNEXPECTED(held == NULL)) {
		php_bloom_throw_unopened();
		return NULL;
	}
	*presence = bloom_attachment_check(&held->attachment);
	if (UNEXPECTED(*presence == BLOOM_ABSENT)) {
		php_bloom_throw_about(&held->attachment, BLOOM_E_GONE);
		return NULL;
	}
	return &held->attachment;
}

/* The same for those who need the bits, and the object's own kind of filter: mapped, and of that kind. */
bloom_attachment *php_bloom_present(zend_object *object);

/* Attaches to the filter that was just made or loaded, and makes a handle. Somebody may have dropped it
 * since and given its name to a filter of another class than `class` (NULL: any). False: thrown. */
bool php_bloom_open_made(
	zval *value, const bloom_segment *segment, const char *name, const zend_class_entry *class);

/* Called once, from MINIT, when the class entries exist. */
void php_bloom_filter_startup(void);

#endif
