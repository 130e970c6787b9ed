/* Defines handles: the objects of Bloom\Filter and its subclasses. All kinds use the same
 * struct. */
#ifndef PHP_BLOOM_HANDLE_H
#define PHP_BLOOM_HANDLE_H

#include "php/filter/attachment_pool.h"
#include "php/engine.h"
#include "php/object.h"

typedef struct php_bloom_filter {
	php_bloom_attachment *held; /* NULL: never opened */
	/* An on-demand filter's store, which is undefined for other kinds. */
	zval store;
	/* This is set during a call of the store, so that lookups within that call do not fetch. */
	bool is_fetching;
	zend_object std;
} php_bloom_filter;

static inline php_bloom_filter *php_bloom_filter_of(zend_object *object)
{
	return PHP_BLOOM_OBJECT_OF(php_bloom_filter, object);
}

/* Returns the kind of the attached filter as text, such as "a live filter". */
const char *php_bloom_kind_text(const bloom_attachment *attachment);

/* Creates a handle of the class for the filter's kind. */
void php_bloom_make_handle(zval *value, php_bloom_attachment *held);

/* These functions throw an exception for a handle that was never opened, for a filter with an error
 * status, or for a filter name that now belongs to a different class. */
ZEND_COLD void php_bloom_throw_unopened(void);
ZEND_COLD void php_bloom_throw_about(const bloom_attachment *attachment, bloom_status status);
ZEND_COLD void php_bloom_throw_kind(
	const char *name, const char *there, const zend_class_entry *class);

/* Finds the class that a static method was called on, because the method may return or change only
 * filters of that class. Throws for a class that the user defined, because no filter is of such a
 * class. */
bool php_bloom_called_on(zend_execute_data *execute_data, const zend_class_entry **class);

/* Returns the kinds whose handles are of a class or its subclasses, as the sum of 1 << kind. For
 * Bloom\Filter, returns BLOOM_KINDS_ANY. */
uint32_t php_bloom_kinds_of_class(const zend_class_entry *class);

/* Return the class for a kind, and the class for the kind of an attached filter. */
zend_class_entry *php_bloom_class_of_kind(bloom_kind kind);
zend_class_entry *php_bloom_class_of(const bloom_attachment *attachment);

/* Returns the handle's up-to-date attachment, and sets *presence to a value other than
 * BLOOM_PRESENCE_ABSENT. */
static zend_always_inline bloom_attachment *php_bloom_current(
	zend_object *object, bloom_presence *presence)
{
	php_bloom_attachment *held = php_bloom_filter_of(object)->held;

	if (UNEXPECTED(held == NULL)) {
		php_bloom_throw_unopened();
		return NULL;
	}
	*presence = bloom_attachment_check(&held->attachment);
	if (UNEXPECTED(*presence == BLOOM_PRESENCE_ABSENT)) {
		php_bloom_throw_about(&held->attachment, BLOOM_E_GONE);
		return NULL;
	}
	return &held->attachment;
}

/* Returns the attachment for methods that need the bits. The attachment is mapped, and the filter
 * is still of the object's class. */
bloom_attachment *php_bloom_present(zend_object *object);

/* Attaches to a filter that was just created or loaded, and creates a handle. Throws if another
 * process has dropped the filter and reused its name for a filter that is not of `class`. */
bool php_bloom_open_made(
	zval *value, const bloom_segment *segment, const char *name, const zend_class_entry *class);

/* Sets the handlers of all filter classes. MINIT calls it once, after the class entries exist. */
void php_bloom_filter_startup(void);

#endif
