/* Common code for all object structs of this extension.
 *
 *     ┌ php_bloom_blob ──────────────┐
 *     │ our fields │ zend_object std │ properties …
 *     └────────────┴─▲───────────────┘
 *                    PHP knows the object by this address
 *
 * A struct ends with its zend_object, named `std`, because PHP places the declared properties after
 * it. */
#ifndef PHP_BLOOM_OBJECT_H
#define PHP_BLOOM_OBJECT_H

#include <stddef.h>

#include "php/engine.h"

/* Returns the struct around a zend_object. */
#define PHP_BLOOM_OBJECT_OF(type, object) ((type *)(void *)((char *)(object)-offsetof(type, std)))

/* Initializes the zend_object of a struct that zend_object_alloc() allocated, and returns it. */
static inline zend_object *php_bloom_object_init(
	zend_object *std, zend_class_entry *class, const zend_object_handlers *handlers)
{
	zend_object_std_init(std, class);
	object_properties_init(std, class);
	std->handlers = handlers;
	return std;
}

/* Fills the handlers of a struct whose objects cannot be cloned. Such an object equals only itself.
 *
 *   offset   of `std` in the struct
 *   destroy  frees the struct's fields, then calls zend_object_std_dtor()
 */
static inline void php_bloom_object_handlers(
	zend_object_handlers *handlers, size_t offset, zend_object_free_obj_t destroy)
{
	*handlers = *zend_get_std_object_handlers();
	handlers->offset = (int)offset;
	handlers->free_obj = destroy;
	handlers->clone_obj = NULL;
	handlers->compare = zend_objects_not_comparable;
}

#endif
