#include "php/client.h"

#include <string.h>

#include <zend_closures.h>
#include <zend_exceptions.h>

#include "php/classes.h"
#include "php/store_object.h"

bool php_bloom_is_a(const zend_class_entry *class, const char *name)
{
	zend_string *string = zend_string_init(name, strlen(name), 0);
	zend_class_entry *other = zend_lookup_class_ex(string, NULL, ZEND_FETCH_CLASS_NO_AUTOLOAD);

	zend_string_release(string);
	return other != NULL && instanceof_function(class, other);
}

/* ---- the client ---- */

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

static bool has_closure(const php_bloom_store_object *store)
{
	return Z_OBJCE(store->client) == zend_ce_closure;
}

/* Makes `client` the store's client, unless it has one. The closure is released last, because this
 * may run destructors. */
static void keep_client(php_bloom_store_object *store, zval *client)
{
	zval closure;

	if (has_closure(store)) {
		ZVAL_COPY_VALUE(&closure, &store->client);
		ZVAL_COPY(&store->client, client);
		zval_ptr_dtor(&closure);
	}
}

/* Returns the store's client with a reference for the caller. */
static zend_object *shared_client(const php_bloom_store_object *store)
{
	GC_ADDREF(Z_OBJ(store->client));
	return Z_OBJ(store->client);
}

/* Calls the closure to create a client. Returns the store's client with a reference for the caller,
 * or NULL after an exception.
 *
 * If the closure suspends its fiber and another fiber uses the store, both fibers call the closure.
 * The client that is returned first becomes the store's client. The second client is released.
 */
static zend_object *make_client(php_bloom_store_object *store)
{
	zval closure, client;
	const char *types;

	ZVAL_COPY(&closure, &store->client);
	ZVAL_UNDEF(&client);
	(void)call_user_function(NULL, NULL, &closure, &client, 0, NULL);
	zval_ptr_dtor(&closure);
	if (Z_ISREF(client)) {
		zend_unwrap_reference(&client);
	}
	if (EG(exception) == NULL && !is_client(&store->std, &client, &types)) {
		zend_type_error("%s: the closure must return %s, %s returned",
			ZSTR_VAL(store->std.ce->name), types, zend_zval_type_name(&client));
	} else if (EG(exception) == NULL) {
		keep_client(store, &client);
	}
	zval_ptr_dtor(&client);
	return EG(exception) == NULL ? shared_client(store) : NULL;
}

bool php_bloom_client_construct(zend_object *store, zval *client, zend_string *prefix)
{
	const char *types;

	if (Z_OBJCE_P(client) != zend_ce_closure && !is_client(store, client, &types)) {
		zend_argument_type_error(1, "must be of type %s|Closure, %s given", types,
			ZSTR_VAL(Z_OBJCE_P(client)->name));
		return false;
	}
	return php_bloom_store_object_construct(store, client,
		prefix != NULL ? zend_string_copy(prefix)
			       : zend_string_init(ZEND_STRL("bloom:"), false));
}

zend_object *php_bloom_client(zend_object *store)
{
	php_bloom_store_object *self = php_bloom_store_object_made(store);

	if (self == NULL) {
		return NULL;
	}
	return has_closure(self) ? make_client(self) : shared_client(self);
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
	const php_bloom_store_object *self = php_bloom_store_object_made(store);

	if (self == NULL) {
		return false;
	}
	ZVAL_STR(full,
		zend_string_concat2(
			ZSTR_VAL(self->text), ZSTR_LEN(self->text), ZSTR_VAL(key), ZSTR_LEN(key)));
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
