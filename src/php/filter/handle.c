#include "php/filter/handle.h"

#include <string.h>

#include <zend_exceptions.h>

#include "php/classes.h"
#include "php/errors.h"
#include "php/info_array.h"
#include "php/filter/info_object.h"
#include "php/settings.h"

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *class)
{
	php_bloom_filter *self = zend_object_alloc(sizeof *self, class);

	ZVAL_UNDEF(&self->store);
	return php_bloom_object_init(&self->std, class, &handlers);
}

/* The store is the user's object and may refer to this filter, so the cycle collector must see the
 * store. */
static HashTable *collect(zend_object *object, zval **table, int *count)
{
	php_bloom_filter *self = php_bloom_filter_of(object);

	*table = &self->store;
	*count = Z_TYPE(self->store) == IS_OBJECT ? 1 : 0;
	return zend_std_get_properties(object);
}

/* Handles of the same filter are equal. */
static int compare(zval *one, zval *other)
{
	ZEND_COMPARE_OBJECTS_FALLBACK(one, other);
	return Z_OBJ_HANDLER_P(one, compare) == Z_OBJ_HANDLER_P(other, compare) &&
			php_bloom_filter_of(Z_OBJ_P(one))->held != NULL &&
			php_bloom_filter_of(Z_OBJ_P(one))->held ==
				php_bloom_filter_of(Z_OBJ_P(other))->held
		? 0
		: ZEND_UNCOMPARABLE;
}

/* Returns what var_dump() shows. `generation` is null if the filter was dropped. */
static HashTable *describe(zend_object *object, int *is_temporary)
{
	php_bloom_attachment *held = php_bloom_filter_of(object)->held;
	HashTable *shown = zend_new_array(3);
	const bloom_attachment *attachment;

	*is_temporary = 1;
	if (held == NULL) {
		return shown;
	}
	attachment = &held->attachment;
	php_bloom_info_string(shown, "name", attachment->name, strlen(attachment->name));
	if (bloom_attachment_check(&held->attachment) == BLOOM_PRESENCE_ABSENT) {
		php_bloom_info_null(shown, "generation");
		return shown;
	}
	php_bloom_info_case(
		shown, "kind", php_bloom_ce_kind, bloom_kind_word(attachment->ops->kind));
	php_bloom_info_long(shown, "generation", attachment->generation);
	return shown;
}

static void destroy(zend_object *object)
{
	php_bloom_filter *self = php_bloom_filter_of(object);

	if (self->held != NULL) {
		php_bloom_attachment_release(self->held);
	}
	zval_ptr_dtor(&self->store);
	zend_object_std_dtor(object);
}

void php_bloom_filter_startup(void)
{
#define CREATE(class, name, parent) php_bloom_ce_##class->create_object = create;
	PHP_BLOOM_FILTER_CLASSES(CREATE)
#undef CREATE
	php_bloom_ce_filter->create_object = create;
	php_bloom_ce_writable_filter->create_object = create;
	php_bloom_object_handlers(&handlers, offsetof(php_bloom_filter, std), destroy);
	handlers.get_gc = collect;
	handlers.compare = compare;
	handlers.get_debug_info = describe;
}

bool php_bloom_called_on(zend_execute_data *execute_data, const zend_class_entry **class)
{
	const zend_class_entry *called = zend_get_called_scope(execute_data);

	*class = called;
	if (php_bloom_kinds_of_class(called) != 0) {
		return true;
	}
	zend_throw_exception_ex(php_bloom_ce_Kind, BLOOM_E_KIND,
		"%s is a class that you define, and no filter is of such a class (call "
		"Bloom\\Filter::%s())",
		ZSTR_VAL(called->name), ZSTR_VAL(EX(func)->common.function_name));
	return false;
}

uint32_t php_bloom_kinds_of_class(const zend_class_entry *class)
{
	uint32_t kinds = 0;
	unsigned kind;

	if (class == php_bloom_ce_filter) {
		return BLOOM_KINDS_ANY;
	}
	for (kind = 0; kind < BLOOM_KIND_COUNT; kind++) {
		if (instanceof_function(php_bloom_class_of_kind(kind), class)) {
			kinds |= UINT32_C(1) << kind;
		}
	}
	return kinds;
}

zend_class_entry *php_bloom_class_of_kind(bloom_kind kind)
{
	static zend_class_entry **const classes[BLOOM_KIND_COUNT] = {
#define ROW(ID, id, number, word, text, class) [BLOOM_KIND_##ID] = &php_bloom_ce_##class,
		BLOOM_KINDS(ROW)
#undef ROW
	};

	return *classes[kind];
}

zend_class_entry *php_bloom_class_of(const bloom_attachment *attachment)
{
	return php_bloom_class_of_kind(attachment->ops->kind);
}

const char *php_bloom_kind_text(const bloom_attachment *attachment)
{
	return bloom_kind_text(attachment->ops->kind);
}

void php_bloom_make_handle(zval *value, php_bloom_attachment *held)
{
	object_init_ex(value, php_bloom_class_of(&held->attachment));
	php_bloom_filter_of(Z_OBJ_P(value))->held = held;
	php_bloom_attachment_hold(held);
}

void php_bloom_throw_kind(const char *name, const char *there, const zend_class_entry *class)
{
	bloom_error error = {0};
	char asked[64];

	(void)snprintf(asked, sizeof asked, "a %.60s", ZSTR_VAL(class->name));
	(void)bloom_fail_kind(&error, name, there, asked);
	php_bloom_throw(&error);
}

void php_bloom_throw_unopened(void)
{
	zend_throw_exception(php_bloom_ce_Bloom, "This filter was never opened", 0);
}

void php_bloom_throw_about(const bloom_attachment *attachment, bloom_status status)
{
	bloom_error error = {0};

	(void)bloom_fail(&error, status, 0, "%.128s", attachment->name);
	php_bloom_throw(&error);
}

bloom_attachment *php_bloom_present(zend_object *object)
{
	bloom_presence presence;
	bloom_attachment *attachment = php_bloom_current(object, &presence);

	if (attachment == NULL) {
		return NULL;
	}
	if (presence == BLOOM_PRESENCE_UNMAPPED) {
		php_bloom_throw_about(attachment, BLOOM_E_UNMAPPED);
		return NULL;
	}
	/* Since this handle was created, the filter may have been dropped and its name reused. */
	if (php_bloom_class_of(attachment) != object->ce) {
		php_bloom_throw_kind(attachment->name, php_bloom_kind_text(attachment), object->ce);
		return NULL;
	}
	return attachment;
}

bool php_bloom_open_made(
	zval *value, const bloom_segment *segment, const char *name, const zend_class_entry *class)
{
	php_bloom_attachment *held = NULL;
	bloom_error error = {0};

	php_bloom_segment_changed();
	if (php_bloom_attach(segment, name, &held, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	if (!instanceof_function(php_bloom_class_of(&held->attachment), class)) {
		php_bloom_throw_kind(name, php_bloom_kind_text(&held->attachment), class);
		return false;
	}
	php_bloom_make_handle(value, held);
	return true;
}
