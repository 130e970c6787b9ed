#include "php/store/redis_script.h"

#include <string.h>

#include <ext/standard/sha1.h>
#include <zend_exceptions.h>

#include "os/clock.h"
#include "php/classes.h"
#include "php/store/client.h"
#include "php/store/store.h"

enum {
	NONCE_BYTES = 33,
	CLUSTER_PREFIX = 2 /* RedisCluster's OPT_PREFIX, which old versions define only for Redis */
};

typedef enum { REDIS, CLUSTER, PREDIS } kind;

typedef struct request {
	const php_bloom_client *client;
	kind kind;
	const char *command;
	const char *text;
	const zval *keys;
	uint32_t count;
	zval *arguments;
	char nonce[NONCE_BYTES];
} request;

/* ---- which client ---- */

/* Returns whether the prefix has a hash tag. Redis then hashes only the tag, so all keys are on one
 * server. */
static bool has_hash_tag(zend_object *store)
{
	const char *open = strchr(ZSTR_VAL(php_bloom_store_object_of(store)->text), '{');
	const char *close = open != NULL ? strchr(open, '}') : NULL;

	return close != NULL && close > open + 1;
}

/* Returns whether a Predis client sends commands to several servers. Also returns false after an
 * exception. */
static bool is_predis_cluster(const php_bloom_client *client)
{
	zval connection;
	bool found;

	if (!php_bloom_client_call(client, "getConnection", 0, NULL, &connection)) {
		return false;
	}
	found = Z_TYPE(connection) == IS_OBJECT &&
		(php_bloom_is_a(
			 Z_OBJCE(connection), "Predis\\Connection\\Aggregate\\ClusterInterface") ||
			php_bloom_is_a(Z_OBJCE(connection),
				"Predis\\Connection\\Cluster\\ClusterInterface"));
	zval_ptr_dtor(&connection);
	return found;
}

static kind kind_of(const php_bloom_client *client)
{
	if (php_bloom_client_is(client, "RedisCluster")) {
		return CLUSTER;
	}
	return php_bloom_client_is(client, "Predis\\ClientInterface") ? PREDIS : REDIS;
}

uint32_t php_bloom_redis_keys_max(zend_object *store)
{
	php_bloom_client client;
	bool is_spread;
	kind kind;

	if (!php_bloom_client_begin(store, &client)) {
		return 0;
	}
	kind = kind_of(&client);
	is_spread = kind == CLUSTER || (kind == PREDIS && is_predis_cluster(&client));
	php_bloom_client_end(&client, true);
	is_spread = is_spread && !has_hash_tag(store);
	if (EG(exception)) {
		return 0;
	}
	return is_spread ? 1 : PHP_BLOOM_STORE_KEYS_MAX;
}

/* A client inside MULTI or PIPELINE would only queue the script. */
static bool check_mode(const request *asked)
{
	zend_long mode =
		asked->kind != PREDIS ? php_bloom_client_number(asked->client, "getMode") : 0;

	if (mode != 0) {
		php_bloom_client_refuse("it is inside %s (%s)", mode == 1 ? "MULTI" : "PIPELINE",
			"call exec() or discard() first, or pass a client of its own");
	}
	return EG(exception) == NULL;
}

/* ---- errors of the server ---- */

/* ext-redis keeps the last error of the server and returns false. Predis throws or returns an
 * object. The caller releases the string; NULL: there is no error. */
static zend_string *error_of(const request *asked, zval *answer)
{
	if (Z_TYPE_P(answer) == IS_OBJECT &&
		php_bloom_is_a(Z_OBJCE_P(answer), "Predis\\Response\\ErrorInterface")) {
		return zval_get_string(answer);
	}
	return Z_TYPE_P(answer) == IS_FALSE && asked->kind != PREDIS
		? php_bloom_client_text(asked->client, "getLastError")
		: NULL;
}

static bool begins_with(const zend_string *text, const char *prefix)
{
	return strncmp(ZSTR_VAL(text), prefix, strlen(prefix)) == 0;
}

/* Returns whether the pending exception says that the server does not know the script, and clears
 * it. */
static bool threw_unknown_script(void)
{
	zend_object *thrown = EG(exception);
	zval holder, *message;
	bool found;

	if (thrown == NULL || zend_is_unwind_exit(thrown) || zend_is_graceful_exit(thrown)) {
		return false;
	}
	message = zend_read_property_ex(
		thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder);
	found = Z_TYPE_P(message) == IS_STRING && begins_with(Z_STR_P(message), "NOSCRIPT");
	if (found) {
		zend_clear_exception();
	}
	return found;
}

/* Returns whether the server does not know the script, and frees the answer. */
static bool is_unknown_script(const request *asked, bool ok, zval *answer)
{
	zend_string *error;
	bool found;

	if (!ok) {
		return threw_unknown_script();
	}
	error = error_of(asked, answer);
	found = error != NULL && begins_with(error, "NOSCRIPT");
	if (error != NULL) {
		zend_string_release(error);
	}
	if (found) {
		zval_ptr_dtor(answer);
	}
	return found;
}

static size_t request_bytes(const request *asked)
{
	size_t bytes = 0;
	uint32_t i;
	zval *value;

	for (i = 0; i < asked->count; i++) {
		bytes += Z_STRLEN(asked->keys[i]);
	}
	if (asked->arguments != NULL) {
		ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(asked->arguments), value) {
			bytes += Z_STRLEN_P(value);
		}
		ZEND_HASH_FOREACH_END();
	}
	return bytes;
}

/* Throws for an answer without the nonce. */
static void throw_unproven(const request *asked, zval *answer)
{
	zend_string *error = error_of(asked, answer);

	if (EG(exception)) {
		return; /* the script is ending */
	}
	if (error != NULL) {
		zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE,
			"%s: Redis answered %s with %s", bloom_status_sentence(BLOOM_E_STORE),
			asked->command, ZSTR_VAL(error));
		zend_string_release(error);
	} else if (Z_TYPE_P(answer) == IS_FALSE) {
		zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE,
			"%s: Redis did not answer %s of %zu bytes (the client's time-out expired, "
			"the server closed the connection, or the value is longer than its "
			"proto-max-bulk-len)",
			bloom_status_sentence(BLOOM_E_STORE), asked->command, request_bytes(asked));
	} else {
		zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE_TYPE,
			"Redis answered %s with %s that does not belong to this request (a late "
			"answer to another one, or not the answer of a script)",
			asked->command,
			Z_TYPE_P(answer) == IS_OBJECT ? ZSTR_VAL(Z_OBJCE_P(answer)->name)
						      : zend_zval_type_name(answer));
	}
}

void php_bloom_redis_throw_type(const char *command, const zval *result)
{
	zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE_TYPE,
		"Redis answered %s with %s (is the key of another program?)", command,
		zend_zval_type_name(result));
}

/* ---- sending ---- */

static void hash(PHP_SHA1_CTX *context, const char *bytes, size_t count)
{
	PHP_SHA1Update(context, (const unsigned char *)bytes, count);
}

static void end_hash(PHP_SHA1_CTX *context, char digest[PHP_BLOOM_SHA1_BYTES])
{
	unsigned char raw[20];

	PHP_SHA1Final(raw, context);
	make_sha1_digest(digest, raw);
}

void php_bloom_redis_digest(const char *bytes, size_t count, char digest[PHP_BLOOM_SHA1_BYTES])
{
	PHP_SHA1_CTX context;

	PHP_SHA1Init(&context);
	hash(&context, bytes, count);
	end_hash(&context, digest);
}

/* Escapes an argument so that no end of it is a command. A tilde precedes the bytes that end a line
 * or a word of the protocol, and itself; they get the highest bit. In what is left, the quote at
 * the end opens a string that does not end, or closes one in front of a letter: in both cases the
 * server refuses the line and closes the connection. */
static zend_string *escape(const zend_string *raw)
{
	zend_string *made = zend_string_safe_alloc(2, ZSTR_LEN(raw), sizeof "\"x" - 1, false);
	size_t i, used = 0;
	unsigned char byte;

	for (i = 0; i < ZSTR_LEN(raw); i++) {
		byte = (unsigned char)ZSTR_VAL(raw)[i];
		if (byte == '\0' || byte == '\n' || byte == '\r' || byte == '~') {
			ZSTR_VAL(made)[used++] = '~';
			byte |= 0x80;
		}
		ZSTR_VAL(made)[used++] = (char)byte;
	}
	ZSTR_VAL(made)[used++] = '"';
	ZSTR_VAL(made)[used++] = 'x';
	made = zend_string_truncate(made, used, false);
	ZSTR_VAL(made)[used] = '\0';
	return made;
}

/* Makes the list of what follows the keys: nonce, sum, mode, arguments. */
static void make_tail(request *asked, zval *tail)
{
	char digest[PHP_BLOOM_SHA1_BYTES];
	PHP_SHA1_CTX context;
	zval sum, *value;
	uint32_t i;

	(void)snprintf(asked->nonce, sizeof asked->nonce, "%016llx%016llx",
		(unsigned long long)bloom_random(), (unsigned long long)bloom_random());
	array_init(tail);
	add_next_index_string(tail, asked->nonce);
	add_next_index_null(tail);
	if (asked->kind == CLUSTER) {
		add_next_index_string(tail, "~");
	} else if (asked->client->database != 0) {
		add_next_index_str(tail, zend_long_to_str(asked->client->database));
	} else {
		add_next_index_string(tail, "");
	}
	if (asked->arguments != NULL) {
		ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(asked->arguments), value) {
			add_next_index_str(tail,
				asked->kind == CLUSTER ? escape(Z_STR_P(value))
						       : zend_string_copy(Z_STR_P(value)));
		}
		ZEND_HASH_FOREACH_END();
	}
	PHP_SHA1Init(&context);
	hash(&context, asked->nonce, sizeof asked->nonce - 1);
	for (i = 0; i < asked->count; i++) {
		hash(&context, "\n", 1);
		hash(&context, Z_STRVAL(asked->keys[i]), Z_STRLEN(asked->keys[i]));
	}
	for (i = 2; i < zend_hash_num_elements(Z_ARRVAL_P(tail)); i++) {
		value = zend_hash_index_find(Z_ARRVAL_P(tail), i);
		hash(&context, "\n", 1);
		hash(&context, Z_STRVAL_P(value), Z_STRLEN_P(value));
	}
	end_hash(&context, digest);
	ZVAL_STRING(&sum, digest);
	zend_hash_index_update(Z_ARRVAL_P(tail), 1, &sum);
}

/* Calls Redis::rawCommand(), or executes a raw command of Predis. */
static bool call_raw(const request *asked, zval *parts, uint32_t count, zval *answer)
{
	zval name, command;
	bool ok;

	if (asked->kind == REDIS) {
		return php_bloom_client_call(asked->client, "rawCommand", count, parts, answer);
	}
	ZVAL_UNDEF(&command);
	ZVAL_STRING(&name, "Predis\\Command\\RawCommand::create");
	(void)call_user_function(NULL, NULL, &name, &command, count, parts);
	zval_ptr_dtor(&name);
	ZVAL_UNDEF(answer);
	ok = EG(exception) == NULL &&
		php_bloom_client_call(asked->client, "executeCommand", 1, &command, answer);
	zval_ptr_dtor(&command);
	return ok;
}

/* Calls RedisCluster's eval() or evalsha(), which follow slots that move; its rawCommand() does
 * not. The client's prefix is set aside during the call. */
static bool call_cluster(
	const request *asked, const char *method, const zval *what, zval *list, zval *answer)
{
	zval parts[3], none, prefix;
	bool ok;

	ZVAL_EMPTY_STRING(&none);
	if (!php_bloom_client_override(asked->client, CLUSTER_PREFIX, &none, &prefix)) {
		return false;
	}
	ZVAL_COPY_VALUE(&parts[0], what);
	ZVAL_COPY_VALUE(&parts[1], list);
	ZVAL_LONG(&parts[2], asked->count);
	ok = php_bloom_client_call(asked->client, method, 3, parts, answer);
	php_bloom_client_restore(asked->client, CLUSTER_PREFIX, &prefix);
	return ok;
}

static bool send_script(request *asked, bool is_whole, zval *answer)
{
	uint32_t used = 0, i, others;
	char digest[PHP_BLOOM_SHA1_BYTES];
	zval tail, list, *parts, *value;
	bool ok;

	make_tail(asked, &tail);
	others = zend_hash_num_elements(Z_ARRVAL(tail));
	parts = safe_emalloc(asked->count + others, sizeof *parts, 3 * sizeof *parts);
	ZVAL_STRING(&parts[used++], is_whole ? "EVAL" : "EVALSHA");
	php_bloom_redis_digest(asked->text, strlen(asked->text), digest);
	ZVAL_STRING(&parts[used++], is_whole ? asked->text : digest);
	ZVAL_LONG(&parts[used++], asked->count);
	for (i = 0; i < asked->count; i++) {
		ZVAL_COPY_VALUE(&parts[used++], &asked->keys[i]);
	}
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL(tail), value) {
		ZVAL_COPY_VALUE(&parts[used++], value);
	}
	ZEND_HASH_FOREACH_END();
	if (asked->kind == CLUSTER) {
		array_init_size(&list, used);
		for (i = 3; i < used; i++) {
			Z_TRY_ADDREF(parts[i]);
			add_next_index_zval(&list, &parts[i]);
		}
		ok = call_cluster(asked, is_whole ? "eval" : "evalsha", &parts[1], &list, answer);
		zval_ptr_dtor(&list);
	} else {
		ok = call_raw(asked, parts, used, answer);
	}
	zval_ptr_dtor(&parts[0]);
	zval_ptr_dtor(&parts[1]);
	efree(parts);
	zval_ptr_dtor(&tail);
	return ok;
}

/* ---- running ---- */

static bool has_nonce(const request *asked, const zval *answer, zend_ulong place)
{
	const zval *nonce = zend_hash_index_find(Z_ARRVAL_P(answer), place);

	return nonce != NULL && Z_TYPE_P(nonce) == IS_STRING &&
		Z_STRLEN_P(nonce) == sizeof asked->nonce - 1 &&
		memcmp(Z_STRVAL_P(nonce), asked->nonce, sizeof asked->nonce - 1) == 0;
}

static bool is_proven(const request *asked, const zval *answer)
{
	return Z_TYPE_P(answer) == IS_ARRAY && has_nonce(asked, answer, 0) &&
		zend_hash_index_exists(Z_ARRVAL_P(answer), 1) && has_nonce(asked, answer, 2);
}

/* Takes the result out of a proven answer. Throws if the script failed. */
static bool take_result(const request *asked, const zval *answer, zval *result)
{
	const zval *error = zend_hash_index_find(Z_ARRVAL_P(answer), 3);

	if (error != NULL) {
		zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE,
			"%s: Redis answered %s with %s", bloom_status_sentence(BLOOM_E_STORE),
			asked->command,
			Z_TYPE_P(error) == IS_STRING ? Z_STRVAL_P(error) : "an error");
		return false;
	}
	ZVAL_COPY(result, zend_hash_index_find(Z_ARRVAL_P(answer), 1));
	return true;
}

/* Finds out the database that a client of one server has selected: ext-redis 5 keeps its number,
 * but connects again without selecting it. */
static bool find_database(const request *asked, php_bloom_client *client)
{
	zval number, ignored;

	if (!php_bloom_client_call(client, "getDbNum", 0, NULL, &number)) {
		return false;
	}
	if (Z_TYPE(number) != IS_LONG) {
		/* It is not connected. This either connects or throws with the reason. */
		zval_ptr_dtor(&number);
		if (!php_bloom_client_call(client, "ping", 0, NULL, &ignored)) {
			return false;
		}
		zval_ptr_dtor(&ignored);
		if (!php_bloom_client_call(client, "getDbNum", 0, NULL, &number)) {
			return false;
		}
	}
	if (Z_TYPE(number) != IS_LONG) {
		throw_unproven(asked, &number);
		zval_ptr_dtor(&number);
		return false;
	}
	client->database = Z_LVAL(number);
	return true;
}

/* Sends the digest, and then the script if the server does not know it.
 *
 *   *is_sound  the connection is in step, and leads to a server that can do this. After a failover,
 *              the old master may still answer: that it is read-only, or a replica */
static bool ask(request *asked, zval *result, bool *is_sound)
{
	zval answer;
	bool ok;

	if (asked->kind != PREDIS) {
		(void)php_bloom_client_number(asked->client, "clearLastError");
	}
	ok = EG(exception) == NULL && send_script(asked, false, &answer);
	if (is_unknown_script(asked, ok, &answer)) {
		ok = send_script(asked, true, &answer);
	}
	if (!ok || EG(exception)) {
		return false;
	}
	ok = is_proven(asked, &answer);
	if (ok) {
		ok = take_result(asked, &answer, result);
	} else {
		throw_unproven(asked, &answer);
	}
	*is_sound = ok;
	zval_ptr_dtor(&answer);
	return ok;
}

bool php_bloom_redis_run(zend_object *store, const char *command, const char *text,
	const zval *keys, uint32_t count, zval *arguments, zval *answer)
{
	php_bloom_client client;
	request asked = {.client = &client,
		.command = command,
		.text = text,
		.keys = keys,
		.count = count,
		.arguments = arguments};
	bool is_sound = true, ok;

	if (!php_bloom_client_begin(store, &client)) {
		return false;
	}
	asked.kind = kind_of(&client);
	ok = check_mode(&asked);
	if (ok) {
		is_sound = false;
		ok = (asked.kind != REDIS || find_database(&asked, &client)) &&
			ask(&asked, answer, &is_sound);
	}
	php_bloom_client_end(&client, is_sound);
	return ok || php_bloom_store_wrap();
}

bool php_bloom_redis_run_one(zend_object *store, const char *command, const char *text,
	const zend_string *key, zval *arguments, zval *answer)
{
	zval full;
	bool ok;

	ZVAL_STR(&full, php_bloom_client_key(store, key));
	ok = php_bloom_redis_run(store, command, text, &full, 1, arguments, answer);
	zval_ptr_dtor(&full);
	if (arguments != NULL) {
		zval_ptr_dtor(arguments);
	}
	return ok;
}

bool php_bloom_redis_run_number(zend_object *store, const char *command, const char *text,
	const zend_string *key, zval *arguments, zend_long *number)
{
	zval answer = {0};

	if (!php_bloom_redis_run_one(store, command, text, key, arguments, &answer)) {
		return false;
	}
	if (Z_TYPE(answer) == IS_LONG) {
		*number = Z_LVAL(answer);
		return true;
	}
	php_bloom_redis_throw_type(command, &answer);
	zval_ptr_dtor(&answer);
	return false;
}
