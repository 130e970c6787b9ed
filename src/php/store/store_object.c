#include "php/store/store_object.h"

#include <zend_exceptions.h>

#include "os/process.h"
#include "php/classes.h"

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *class)
{
	php_bloom_store_object *self = zend_object_alloc(sizeof *self, class);

	ZVAL_UNDEF(&self->clients[PHP_BLOOM_CLIENT_GIVEN]);
	ZVAL_UNDEF(&self->clients[PHP_BLOOM_CLIENT_MADE]);
	self->ops = NULL;
	self->process = 0;
	self->turn = 0;
	self->text = NULL;
	return php_bloom_object_init(&self->std, class, &handlers);
}

static void destroy(zend_object *object)
{
	php_bloom_store_object *self = php_bloom_store_object_of(object);

	zval_ptr_dtor(&self->clients[PHP_BLOOM_CLIENT_GIVEN]);
	zval_ptr_dtor(&self->clients[PHP_BLOOM_CLIENT_MADE]);
	if (self->text != NULL) {
		zend_string_release(self->text);
	}
	zend_object_std_dtor(object);
}

/* A copy shares a client that was given, but makes its own if a closure was given. */
static zend_object *copy(zend_object *object)
{
	const php_bloom_store_object *from = php_bloom_store_object_of(object);
	zend_object *made = create(object->ce);
	php_bloom_store_object *to = php_bloom_store_object_of(made);

	ZVAL_COPY(&to->clients[PHP_BLOOM_CLIENT_GIVEN], &from->clients[PHP_BLOOM_CLIENT_GIVEN]);
	to->ops = from->ops;
	to->process = from->process;
	to->text = from->text != NULL ? zend_string_copy(from->text) : NULL;
	zend_objects_clone_members(made, object);
	return made;
}

static bool is_same_client(const zval *one, const zval *other)
{
	return Z_TYPE_P(one) == Z_TYPE_P(other) &&
		(Z_TYPE_P(one) != IS_OBJECT || Z_OBJ_P(one) == Z_OBJ_P(other));
}

/* Stores are equal if they have the same directory, or the same client or closure and prefix. */
static int compare(zval *one, zval *other)
{
	const php_bloom_store_object *first, *second;

	ZEND_COMPARE_OBJECTS_FALLBACK(one, other);
	if (Z_OBJCE_P(one) != Z_OBJCE_P(other)) {
		return ZEND_UNCOMPARABLE;
	}
	first = php_bloom_store_object_of(Z_OBJ_P(one));
	second = php_bloom_store_object_of(Z_OBJ_P(other));
	return first->text != NULL && second->text != NULL &&
			zend_string_equals(first->text, second->text) &&
			is_same_client(&first->clients[PHP_BLOOM_CLIENT_GIVEN],
				&second->clients[PHP_BLOOM_CLIENT_GIVEN])
		? 0
		: ZEND_UNCOMPARABLE;
}

/* The client is the user's object and may refer to this store. */
static HashTable *collect(zend_object *object, zval **table, int *count)
{
	*table = php_bloom_store_object_of(object)->clients;
	*count = PHP_BLOOM_CLIENTS;
	return zend_std_get_properties(object);
}

/* Returns what var_dump() shows: only the class of the client, which may contain a password. */
static HashTable *describe(zend_object *object, int *is_temporary)
{
	const php_bloom_store_object *self = php_bloom_store_object_of(object);
	HashTable *shown = zend_new_array(2);
	const zval *client = &self->clients[PHP_BLOOM_CLIENT_MADE];
	bool has_client;
	zval value;

	if (Z_TYPE_P(client) != IS_OBJECT) {
		client = &self->clients[PHP_BLOOM_CLIENT_GIVEN];
	}
	has_client = Z_TYPE_P(client) == IS_OBJECT;
	*is_temporary = 1;
	if (has_client) {
		ZVAL_STR_COPY(&value, Z_OBJCE_P(client)->name);
		zend_hash_str_add_new(shown, ZEND_STRL("client"), &value);
	}
	if (self->text != NULL) {
		ZVAL_STR_COPY(&value, self->text);
		(void)(has_client ? zend_hash_str_add_new(shown, ZEND_STRL("prefix"), &value)
				  : zend_hash_str_add_new(shown, ZEND_STRL("directory"), &value));
	}
	return shown;
}

void php_bloom_store_object_startup(void)
{
	php_bloom_object_handlers(&handlers, offsetof(php_bloom_store_object, std), destroy);
	handlers.clone_obj = copy;
	handlers.compare = compare;
	handlers.get_gc = collect;
	handlers.get_debug_info = describe;
	php_bloom_ce_built_in_store->create_object = create;
	php_bloom_ce_built_in_journal_store->create_object = create;
#define CREATE(class, name, parent) php_bloom_ce_##class->create_object = create;
	PHP_BLOOM_STORE_CLASSES(CREATE)
#undef CREATE
}

bool php_bloom_store_object_construct(
	zend_object *object, const php_bloom_store_ops *ops, zval *client, zend_string *text)
{
	php_bloom_store_object *self = php_bloom_store_object_of(object);

	if (self->ops != NULL) {
		zend_string_release(text);
		zend_throw_exception(php_bloom_ce_Bloom, "This store is already constructed", 0);
		return false;
	}
	if (client != NULL) {
		ZVAL_COPY(&self->clients[PHP_BLOOM_CLIENT_GIVEN], client);
		self->process = bloom_process_id();
	}
	self->text = text;
	self->ops = ops;
	return true;
}

php_bloom_store_object *php_bloom_store_object_made(zend_object *object)
{
	php_bloom_store_object *self = php_bloom_store_object_of(object);

	if (self->ops == NULL) {
		zend_throw_exception(php_bloom_ce_Bloom, "This store was never constructed", 0);
		return NULL;
	}
	return self;
}
