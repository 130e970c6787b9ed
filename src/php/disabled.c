/* Keeps PHP from crashing if the setting disable_classes (PHP before 8.5) names a class of this
 * extension.
 *
 * PHP removes the methods, parent and interfaces of a disabled class, and makes its objects plain
 * objects. This extension expects its own struct around each object, and it needs exceptions that
 * PHP can throw. Each request therefore begins with a check of the classes: a disabled class gets a
 * constructor that throws, and a disabled exception is replaced by its parent. PHP disables classes
 * when a process starts. FPM also applies the setting of a pool or of a request, but always before
 * the request begins.
 */
#include "php/disabled.h"

#include <zend_exceptions.h>

#include "php/classes.h"

typedef zend_object *(*constructor)(zend_class_entry *class);

typedef struct made_class {
	zend_class_entry **class;
	constructor create; /* NULL: objects of the class are plain */
} made_class;

static made_class made[] = {
	{&php_bloom_ce_builder, NULL},
	{&php_bloom_ce_reverse_index_builder, NULL},
	{&php_bloom_ce_info, NULL},
#define MADE(class, name, parent) {&php_bloom_ce_##class, NULL},
	PHP_BLOOM_INFO_CLASSES(MADE)
#undef MADE
		{&php_bloom_ce_blob, NULL},
#define MADE(class, name) {&php_bloom_ce_##class, NULL},
	PHP_BLOOM_FILTER_CLASSES(MADE)
#undef MADE
		{&php_bloom_ce_filter, NULL},
	{&php_bloom_ce_directory_store, NULL},
	{&php_bloom_ce_redis_store, NULL},
	{&php_bloom_ce_memcached_store, NULL},
};

enum { MADE_COUNT = sizeof made / sizeof *made };

void php_bloom_disabled_startup(void)
{
	size_t i;

	for (i = 0; i < MADE_COUNT; i++) {
		made[i].create = (*made[i].class)->create_object;
	}
}

/* Returns the constructor of a class of this extension, or of a userland class that extends one. */
static constructor constructor_of(const zend_class_entry *class)
{
	size_t i;

	for (; class != NULL; class = class->parent) {
		for (i = 0; i < MADE_COUNT; i++) {
			if (*made[i].class == class) {
				return made[i].create;
			}
		}
	}
	return NULL;
}

/* Throws an exception and creates an object that is safe to use and to destroy. The caller may use
 * or destroy the object before it notices the exception. */
static zend_object *refuse(zend_class_entry *class)
{
	constructor create = constructor_of(class);
	zend_object *object;

	if (create != NULL) {
		object = create(class);
	} else {
		object = zend_objects_new(class);
		object_properties_init(object, class);
	}
	zend_throw_exception_ex(php_bloom_ce_Bloom, 0,
		"The class %s is disabled: remove it from the setting disable_classes",
		ZSTR_VAL(class->name));
	return object;
}

/* PHP can throw only objects whose class descends from its own Exception class, so a disabled
 * exception is replaced. */
static void replace_exception(zend_class_entry **class, zend_class_entry *instead)
{
	if (UNEXPECTED(!instanceof_function(*class, zend_ce_exception))) {
		*class = instead;
	}
}

/* PHP frees the properties of a disabled class. Plain objects of its subclasses have the same ones.
 */
static bool has_lost_properties(const made_class *one)
{
	const zend_class_entry *parent = (*one->class)->parent;

	return one->create == NULL && parent != NULL && parent->create_object == refuse;
}

void php_bloom_disabled_check(void)
{
	zend_class_entry **const exceptions[] = {&php_bloom_ce_NotFound, &php_bloom_ce_Kind,
		&php_bloom_ce_Format, &php_bloom_ce_Rate, &php_bloom_ce_Segment,
		&php_bloom_ce_Store, &php_bloom_ce_Secret, &php_bloom_ce_Signature};
	size_t i;

	for (i = 0; i < MADE_COUNT; i++) {
		if (UNEXPECTED((*made[i].class)->create_object != made[i].create ||
			    has_lost_properties(&made[i]))) {
			(*made[i].class)->create_object = refuse;
		}
	}
	replace_exception(&php_bloom_ce_Bloom, zend_ce_exception);
	for (i = 0; i < sizeof exceptions / sizeof *exceptions; i++) {
		replace_exception(exceptions[i], php_bloom_ce_Bloom);
	}
	replace_exception(&php_bloom_ce_Busy, php_bloom_ce_Segment);
}
