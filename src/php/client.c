#include "php/client.h"

#include <string.h>

#include <zend_closures.h>
#include <zend_exceptions.h>

#include "php/classes.h"

bool php_bloom_is_a(const zend_class_entry *class, const char *name)
{
	zend_string *string = zend_string_init(name, strlen(name), 0);
	zend_class_entry *other = zend_lookup_class_ex(string, NULL, ZEND_FETCH_CLASS_NO_AUTOLOAD);

	zend_string_release(string);
	return other != NULL && instanceof_function(class, other);
}

/* ---- properties ---- */

/* Returns a property of the store, or NULL after an exception if the store was never
 * constructed. */
static zval *property(zend_object *store, const char *name, zval *holder)
{
	zval *value = zend_read_property(store->ce, store, name, strlen(name), false, holder);

	return EG(exception) ? NULL : value;
}

/* Returns whether an object is a client that the store supports. *types names the supported
 * classes. */
static bool is_client(const zend_object *store, const zval *client, const char **types)
{
	const zend_class_entry *class = Z_TYPE_P(client) == IS_OBJECT ? Z_OBJCE_P(client) : NULL;

	if (store->ce == php_bloom_ce_memcached_store) {
		*types = "Memcached";
		return class != NULL && php_bloom_is_a(class, "Memcached");
	}
	*types = "Redis|RedisCluster|Predis\\ClientInterface";
	return class != NULL &&
		(php_bloom_is_a(class, "Redis") || php_bloom_is_a(class, "RedisCluster") ||
			php_bloom_is_a(class, "Predis\\ClientInterface"));
}

/* Returns the client in the property, with a reference for the caller. Returns NULL after an
 * exception, or if the property still holds a closure. */
static zend_object *made_client(zend_object *store)
{
	zval holder;
	zval *client = property(store, "client", &holder);

	if (client == NULL || Z_OBJCE_P(client) == zend_ce_closure) {
		return NULL;
	}
	Z_ADDREF_P(client);
	return Z_OBJ_P(client);
}

/* Calls the closure to create a client. Returns the store's client with a reference for the caller,
 * or NULL after an exception.
 *
 * If the closure suspends its fiber and another fiber uses the store, both fibers call the closure.
 * The client that is returned first becomes the store's client. The second client is released.
 */
static zend_object *make_client(zend_object *store, zend_object *function)
{
	zend_object *made = NULL;
	zval closure, client;
	const char *types;

	ZVAL_OBJ_COPY(&closure, function);
	ZVAL_UNDEF(&client);
	(void)call_user_function(NULL, NULL, &closure, &client, 0, NULL);
	zval_ptr_dtor(&closure);
	if (Z_ISREF(client)) {
		zend_unwrap_reference(&client);
	}
	if (EG(exception) == NULL && !is_client(store, &client, &types)) {
		zend_type_error("%s: the closure must return %s, %s returned",
			ZSTR_VAL(store->ce->name), types, zend_zval_type_name(&client));
	} else if (EG(exception) == NULL) {
		made = made_client(store);
		if (made == NULL && EG(exception) == NULL) {
			zend_update_property(store->ce, store, ZEND_STRL("client"), &client);
			made = made_client(store);
		}
	}
	zval_ptr_dtor(&client);
	return made;
}

bool php_bloom_client_construct(zend_object *store, zval *client, zend_string *prefix)
{
	const char *types;
	zval holder;

	if (Z_OBJCE_P(client) != zend_ce_closure && !is_client(store, client, &types)) {
		zend_argument_type_error(1, "must be of type %s|Closure, %s given", types,
			ZSTR_VAL(Z_OBJCE_P(client)->name));
		return false;
	}
	if (Z_TYPE_P(zend_read_property(store->ce, store, ZEND_STRL("client"), true, &holder)) ==
		IS_OBJECT) {
		zend_throw_exception(php_bloom_ce_Bloom, "This store is already constructed", 0);
		return false;
	}
	zend_update_property(store->ce, store, ZEND_STRL("client"), client);
	if (prefix != NULL) {
		zend_update_property_str(store->ce, store, ZEND_STRL("prefix"), prefix);
	} else {
		zend_update_property_string(store->ce, store, ZEND_STRL("prefix"), "bloom:");
	}
	return true;
}

zend_object *php_bloom_client(zend_object *store)
{
	zval holder;
	zval *client = property(store, "client", &holder);

	if (client == NULL) {
		return NULL;
	}
	return Z_OBJCE_P(client) == zend_ce_closure ? make_client(store, Z_OBJ_P(client))
						    : made_client(store);
}

/* ---- calls ---- */

bool php_bloom_client_call(
	zend_object *store, const char *method, uint32_t count, zval *arguments, zval *result)
{
	zend_object *object = php_bloom_client(store);
	zval client, name;

	ZVAL_UNDEF(result);
	if (object == NULL) {
		return false;
	}
	ZVAL_OBJ(&client, object);
	ZVAL_STRING(&name, method);
	(void)call_user_function(NULL, &client, &name, result, count, arguments);
	zval_ptr_dtor(&name);
	OBJ_RELEASE(object);
	if (EG(exception)) {
		zval_ptr_dtor(result);
		ZVAL_UNDEF(result);
		return false;
	}
	return true;
}

/* Calls a method without arguments and ignores a failure: discards an exception, unless the script
 * is ending. Returns false if the method failed. */
static bool ask(zend_object *store, const char *method, zval *answer)
{
	if (php_bloom_client_call(store, method, 0, NULL, answer)) {
		return true;
	}
	if (EG(exception) && !zend_is_unwind_exit(EG(exception)) &&
		!zend_is_graceful_exit(EG(exception))) {
		zend_clear_exception();
	}
	return false;
}

zend_long php_bloom_client_number(zend_object *store, const char *method)
{
	zend_long number;
	zval answer;

	if (!ask(store, method, &answer)) {
		return 0;
	}
	number = Z_TYPE(answer) == IS_LONG ? Z_LVAL(answer) : 0;
	zval_ptr_dtor(&answer);
	return number;
}

zend_string *php_bloom_client_text(zend_object *store, const char *method)
{
	zval answer;

	if (!ask(store, method, &answer)) {
		return NULL;
	}
	if (Z_TYPE(answer) == IS_STRING) {
		return Z_STR(answer);
	}
	zval_ptr_dtor(&answer);
	return NULL;
}

/* ---- keys ---- */

bool php_bloom_client_key(zend_object *store, const zend_string *key, zval *full)
{
	zval holder;
	zval *prefix = property(store, "prefix", &holder);

	if (prefix == NULL) {
		return false;
	}
	ZVAL_STR(full,
		zend_string_concat2(
			Z_STRVAL_P(prefix), Z_STRLEN_P(prefix), ZSTR_VAL(key), ZSTR_LEN(key)));
	return true;
}

/* Copies the strings of an array into a list. Returns false if it throws; *list is then
 * undefined. */
static bool copy_strings(HashTable *keys, zval *list)
{
	zval *key;

	array_init_size(list, zend_hash_num_elements(keys));
	zend_hash_real_init_packed(Z_ARRVAL_P(list));
	ZEND_HASH_FOREACH_VAL(keys, key) {
		ZVAL_DEREF(key);
		if (Z_TYPE_P(key) != IS_STRING) {
			zend_argument_type_error(
				1, "must contain only strings, %s given", zend_zval_type_name(key));
			zval_ptr_dtor(list);
			ZVAL_UNDEF(list);
			return false;
		}
		Z_TRY_ADDREF_P(key);
		add_next_index_zval(list, key);
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

bool php_bloom_client_keys(zend_object *store, HashTable *keys, php_bloom_client_list *list)
{
	zval *key, full;

	if (!copy_strings(keys, &list->keys)) {
		return false;
	}
	array_init_size(&list->full, zend_hash_num_elements(keys));
	zend_hash_real_init_packed(Z_ARRVAL(list->full));
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL(list->keys), key) {
		if (!php_bloom_client_key(store, Z_STR_P(key), &full)) {
			php_bloom_client_list_free(list);
			return false;
		}
		add_next_index_zval(&list->full, &full);
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

void php_bloom_client_list_free(php_bloom_client_list *list)
{
	zval_ptr_dtor(&list->keys);
	zval_ptr_dtor(&list->full);
}

void php_bloom_client_answer(
	const php_bloom_client_list *list, HashTable *answer, zval *return_value)
{
	zend_ulong place = 0;
	zval *key, *value;

	array_init(return_value);
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL(list->keys), key) {
		value = zend_hash_index_find(answer, place++);
		if (value != NULL && Z_TYPE_P(value) != IS_FALSE && Z_TYPE_P(value) != IS_NULL) {
			Z_TRY_ADDREF_P(value);
			zend_symtable_update(Z_ARRVAL_P(return_value), Z_STR_P(key), value);
		}
	}
	ZEND_HASH_FOREACH_END();
}
