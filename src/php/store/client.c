#include "php/store/client.h"

#include <string.h>

#include <zend_closures.h>
#include <zend_exceptions.h>

#include "os/process.h"
#include "php/classes.h"
#include "php/store/store.h"
#include "php/store/store_object.h"

bool php_bloom_is_a(const zend_class_entry *class, const char *name)
{
	zend_string *string = zend_string_init(name, strlen(name), 0);
	zend_class_entry *other = zend_lookup_class_ex(string, NULL, ZEND_FETCH_CLASS_NO_AUTOLOAD);

	zend_string_release(string);
	return other != NULL && instanceof_function(class, other);
}

/* ---- the client of a store ---- */

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
	return Z_OBJCE(store->clients[PHP_BLOOM_CLIENT_GIVEN]) == zend_ce_closure;
}

static bool is_inherited(const php_bloom_store_object *store)
{
	return store->process != bloom_process_id();
}

static zend_object *throw_inherited(const zval *client, const char *remedy)
{
	php_bloom_client_refuse("%s was connected by another process, before a fork (%s)",
		ZSTR_VAL(Z_OBJCE_P(client)->name), remedy);
	return NULL;
}

/* Makes `client` the store's client, unless this process has one, and returns the store's client.
 *
 * A client of the parent process is not released: its destructor could tell the server to end the
 * connection, which the parent still uses. */
static zval *keep_client(php_bloom_store_object *store, zval *client)
{
	zval *made = &store->clients[PHP_BLOOM_CLIENT_MADE];

	if (Z_TYPE_P(made) != IS_OBJECT || is_inherited(store)) {
		ZVAL_COPY(made, client);
		store->process = bloom_process_id();
	}
	return made;
}

/* Calls the closure to create a client. Returns the store's client with a reference for the caller.
 *
 * If the closure suspends its fiber and another fiber uses the store, both fibers call the closure.
 * The client that is returned first becomes the store's client. The second client is released.
 */
static zend_object *make_client(php_bloom_store_object *store)
{
	const zval *inherited = &store->clients[PHP_BLOOM_CLIENT_MADE];
	zend_object *made = NULL;
	zval closure, client;
	const char *types;

	ZVAL_COPY(&closure, &store->clients[PHP_BLOOM_CLIENT_GIVEN]);
	ZVAL_UNDEF(&client);
	(void)call_user_function(NULL, NULL, &closure, &client, 0, NULL);
	zval_ptr_dtor(&closure);
	if (Z_ISREF(client)) {
		zend_unwrap_reference(&client);
	}
	if (EG(exception) != NULL) {
		made = NULL;
	} else if (!is_client(&store->std, &client, &types)) {
		zend_type_error("%s: the closure must return %s, %s returned",
			ZSTR_VAL(store->std.ce->name), types, zend_zval_type_name(&client));
	} else if (is_inherited(store) && Z_TYPE_P(inherited) == IS_OBJECT &&
		Z_OBJ_P(inherited) == Z_OBJ(client)) {
		(void)throw_inherited(&client, "let the closure make a new client");
	} else {
		made = Z_OBJ_P(keep_client(store, &client));
		GC_ADDREF(made);
	}
	zval_ptr_dtor(&client);
	return made;
}

/* Returns the store's client with a reference for the caller. */
static zend_object *take_client(php_bloom_store_object *store)
{
	zval *given = &store->clients[PHP_BLOOM_CLIENT_GIVEN];
	zval *made = &store->clients[PHP_BLOOM_CLIENT_MADE];

	if (has_closure(store)) {
		if (Z_TYPE_P(made) != IS_OBJECT || is_inherited(store)) {
			return make_client(store);
		}
		GC_ADDREF(Z_OBJ_P(made));
		return Z_OBJ_P(made);
	}
	if (is_inherited(store)) {
		return throw_inherited(given, "pass a closure that returns a connected client");
	}
	GC_ADDREF(Z_OBJ_P(given));
	return Z_OBJ_P(given);
}

bool php_bloom_client_construct(
	zend_object *store, const php_bloom_store_ops *ops, zval *client, zend_string *prefix)
{
	const char *types;

	if (Z_OBJCE_P(client) != zend_ce_closure && !is_client(store, client, &types)) {
		zend_argument_type_error(1, "must be of type %s|Closure, %s given", types,
			ZSTR_VAL(Z_OBJCE_P(client)->name));
		return false;
	}
	return php_bloom_store_object_construct(store, ops, client,
		prefix != NULL ? zend_string_copy(prefix)
			       : zend_string_init(ZEND_STRL("bloom:"), false));
}

/* ---- using the client ---- */

void php_bloom_client_refuse(const char *format, const char *subject, const char *remedy)
{
	zend_string *why = strpprintf(0, format, subject, remedy);

	zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE_CLIENT, "%s: %s",
		bloom_status_sentence(BLOOM_E_STORE_CLIENT), ZSTR_VAL(why));
	zend_string_release(why);
}

bool php_bloom_client_begin(zend_object *store, php_bloom_client *client)
{
	php_bloom_store_object *self = php_bloom_store_object_of(store);

	GC_ADDREF(store);
	client->store = store;
	client->database = 0;
	client->object = take_client(self);
	client->turn = self->turn;
	if (client->object == NULL) {
		OBJ_RELEASE(store);
		return false;
	}
	return true;
}

static bool call_object(
	zend_object *object, const char *method, uint32_t count, zval *arguments, zval *result)
{
	zval client, name;

	ZVAL_UNDEF(result);
	ZVAL_OBJ(&client, object);
	ZVAL_STRING(&name, method);
	(void)call_user_function(NULL, &client, &name, result, count, arguments);
	zval_ptr_dtor(&name);
	if (EG(exception)) {
		zval_ptr_dtor(result);
		ZVAL_UNDEF(result);
		return false;
	}
	if (Z_TYPE_P(result) == IS_UNDEF) {
		ZVAL_NULL(result);
	} else if (Z_ISREF_P(result)) {
		zend_unwrap_reference(result); /* a method of a subclass may return a reference */
	}
	return true;
}

static bool is_ending(void)
{
	return EG(exception) != NULL &&
		(zend_is_unwind_exit(EG(exception)) || zend_is_graceful_exit(EG(exception)));
}

static void call_quietly(zend_object *object, const char *method, uint32_t count, zval *arguments)
{
	zval result;

	if (call_object(object, method, count, arguments, &result)) {
		zval_ptr_dtor(&result);
	} else if (EG(exception) && !is_ending()) {
		zend_clear_exception();
	}
}

/* Closes the client's connections. ext-redis 5 does not select the database again when it connects
 * again, so this function does. */
static void close_connections(const php_bloom_client *client)
{
	static const struct {
		const char *class, *method;
	} ways[] = {{"Redis", "close"}, {"RedisCluster", "close"},
		{"Predis\\ClientInterface", "disconnect"}, {"Memcached", "quit"}};
	zval database;
	size_t i;

	for (i = 0; i < sizeof ways / sizeof *ways; i++) {
		if (php_bloom_client_is(client, ways[i].class)) {
			call_quietly(client->object, ways[i].method, 0, NULL);
			break;
		}
	}
	if (client->database != 0 && EG(exception) == NULL) {
		ZVAL_LONG(&database, client->database);
		call_quietly(client->object, "select", 1, &database);
	}
}

/* Closes the client, and takes it from its store if a closure made it. */
static void give_up(php_bloom_client *client)
{
	php_bloom_store_object *self = php_bloom_store_object_of(client->store);
	zval *made = &self->clients[PHP_BLOOM_CLIENT_MADE];
	zend_object *thrown = EG(exception);
	const zend_op *before = EG(opline_before_exception);
	zval old;

	if (self->turn != client->turn) {
		return;
	}
	self->turn++;
	ZVAL_COPY_VALUE(&old, made);
	ZVAL_UNDEF(made);
	if (!is_ending()) { /* no code may run then; the nonce protects a persistent connection */
		EG(exception) = NULL;
		close_connections(client);
		zval_ptr_dtor(&old);
		if (EG(exception) == NULL) {
			EG(exception) = thrown;
			EG(opline_before_exception) = before;
		} else if (thrown != NULL) {
			OBJ_RELEASE(thrown); /* the script is ending */
		}
	} else {
		zval_ptr_dtor(&old);
	}
}

void php_bloom_client_end(php_bloom_client *client, bool is_sound)
{
	if (!is_sound) {
		give_up(client);
	}
	OBJ_RELEASE(client->object);
	OBJ_RELEASE(client->store);
}

bool php_bloom_client_is(const php_bloom_client *client, const char *class)
{
	return php_bloom_is_a(client->object->ce, class);
}

bool php_bloom_client_call(const php_bloom_client *client, const char *method, uint32_t count,
	zval *arguments, zval *result)
{
	return call_object(client->object, method, count, arguments, result);
}

/* Calls a method without arguments and ignores a failure: discards an exception, unless the script
 * is ending. Returns false if the method failed. */
static bool ask(const php_bloom_client *client, const char *method, zval *answer)
{
	if (php_bloom_client_call(client, method, 0, NULL, answer)) {
		return true;
	}
	if (EG(exception) && !is_ending()) {
		zend_clear_exception();
	}
	return false;
}

zend_long php_bloom_client_number(const php_bloom_client *client, const char *method)
{
	zend_long number;
	zval answer;

	if (!ask(client, method, &answer)) {
		return 0;
	}
	number = Z_TYPE(answer) == IS_LONG ? Z_LVAL(answer) : 0;
	zval_ptr_dtor(&answer);
	return number;
}

zend_string *php_bloom_client_text(const php_bloom_client *client, const char *method)
{
	zval answer;

	if (!ask(client, method, &answer)) {
		return NULL;
	}
	if (Z_TYPE(answer) == IS_STRING) {
		return Z_STR(answer);
	}
	zval_ptr_dtor(&answer);
	return NULL;
}

bool php_bloom_client_override(
	const php_bloom_client *client, zend_long option, zval *value, zval *before)
{
	zval arguments[2];

	ZVAL_LONG(&arguments[0], option);
	if (!php_bloom_client_call(client, "getOption", 1, arguments, before)) {
		return false;
	}
	if (!zend_is_true(before)) {
		zval_ptr_dtor(before);
		ZVAL_UNDEF(before); /* there is nothing to restore */
		return true;
	}
	ZVAL_COPY_VALUE(&arguments[1], value);
	call_quietly(client->object, "setOption", 2, arguments);
	return EG(exception) == NULL;
}

void php_bloom_client_restore(const php_bloom_client *client, zend_long option, zval *before)
{
	zend_object *thrown = EG(exception);
	const zend_op *opline = EG(opline_before_exception);
	zval arguments[2];

	if (Z_TYPE_P(before) != IS_UNDEF && !is_ending()) {
		ZVAL_LONG(&arguments[0], option);
		ZVAL_COPY_VALUE(&arguments[1], before);
		EG(exception) = NULL;
		call_quietly(client->object, "setOption", 2, arguments);
		if (EG(exception) == NULL) {
			EG(exception) = thrown;
			EG(opline_before_exception) = opline;
		} else if (thrown != NULL) {
			OBJ_RELEASE(thrown); /* the script is ending */
		}
	}
	zval_ptr_dtor(before);
}

/* ---- keys ---- */

zend_string *php_bloom_client_key(zend_object *store, const zend_string *key)
{
	const zend_string *prefix = php_bloom_store_object_of(store)->text;

	return zend_string_concat2(
		ZSTR_VAL(prefix), ZSTR_LEN(prefix), ZSTR_VAL(key), ZSTR_LEN(key));
}

void php_bloom_client_keys(zend_object *store, const zval *keys, uint32_t count, zval *full)
{
	uint32_t i;

	array_init_size(full, count);
	zend_hash_real_init_packed(Z_ARRVAL_P(full));
	for (i = 0; i < count; i++) {
		add_next_index_str(full, php_bloom_client_key(store, Z_STR(keys[i])));
	}
}
