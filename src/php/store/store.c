#include "php/store/store.h"

#include <string.h>

#include <zend_exceptions.h>

#include "filter/bytes.h"
#include "filter/journal_record.h"
#include "os/mapping.h"
#include "php/classes.h"
#include "php/errors.h"

/* ---- calling ---- */

bool php_bloom_store_throw(bloom_status status, const char *subject)
{
	bloom_error error = {0};

	(void)bloom_fail(&error, status, 0, "%.600s", subject);
	php_bloom_throw(&error);
	return false;
}

bool php_bloom_store_throw_altered(
	const char *key, const unsigned char *bytes, uint64_t count, const zend_string *found)
{
	uint64_t same = 0;
	char subject[600];

	if (found == NULL) {
		return php_bloom_store_throw(BLOOM_E_STORE_MISSING, key);
	}
	while (same < count && same < ZSTR_LEN(found) &&
		(unsigned char)ZSTR_VAL(found)[same] == bytes[same]) {
		same++;
	}
	(void)snprintf(subject, sizeof subject,
		"%.300s: stored %llu bytes, read %llu, which differ from byte %llu on", key,
		(unsigned long long)count, (unsigned long long)ZSTR_LEN(found),
		(unsigned long long)same);
	return php_bloom_store_throw(BLOOM_E_STORE_ALTERED, subject);
}

static bool has_code(zend_object *thrown, bloom_status status)
{
	zval holder, *code;

	if (!instanceof_function(thrown->ce, php_bloom_ce_Store)) {
		return false;
	}
	code = zend_read_property_ex(thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_CODE), true, &holder);
	return Z_TYPE_P(code) == IS_LONG && Z_LVAL_P(code) == (zend_long)status;
}

bool php_bloom_store_is_too_long(zend_object *thrown)
{
	return has_code(thrown, BLOOM_E_STORE_SIZE);
}

bool php_bloom_store_is_unusable(zend_object *thrown)
{
	return has_code(thrown, BLOOM_E_STORE_SIZE) || has_code(thrown, BLOOM_E_STORE_TYPE);
}

bool php_bloom_store_wrap(void)
{
	zend_object *thrown = EG(exception);
	zval holder, *message;
	zend_string *text;
	size_t count;

	if (thrown == NULL || zend_is_unwind_exit(thrown) || zend_is_graceful_exit(thrown) ||
		instanceof_function(thrown->ce, php_bloom_ce_Store)) {
		return false;
	}
	message = zend_read_property_ex(
		thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder);
	text = zval_get_string(message);
	/* ext-redis ends some messages with a line end. */
	for (count = ZSTR_LEN(text); count > 0 && ZSTR_VAL(text)[count - 1] == '\n'; count--) {
	}
	zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE, "%s: %s%s%.*s",
		bloom_status_sentence(BLOOM_E_STORE), ZSTR_VAL(thrown->ce->name),
		count > 0 ? ": " : "", (int)count, ZSTR_VAL(text));
	zend_string_release(text);
	return false;
}

static bool call_store_with(
	zend_object *store, const char *method, uint32_t count, zval *arguments, zval *result)
{
	zend_function *function =
		zend_hash_str_find_ptr(&store->ce->function_table, method, strlen(method));

	ZVAL_UNDEF(result);
	zend_call_known_function(function, store, store->ce, result, count, arguments, NULL);
	if (EG(exception)) {
		zval_ptr_dtor(result);
		ZVAL_UNDEF(result);
		return php_bloom_store_wrap();
	}
	/* A method may return its result by reference. */
	if (Z_ISREF_P(result)) {
		zend_unwrap_reference(result);
	}
	return true;
}

static bool call_store(
	zend_object *store, const char *method, zval *first, zval *second, zval *result)
{
	zval arguments[2];

	ZVAL_COPY_VALUE(&arguments[0], first);
	if (second != NULL) {
		ZVAL_COPY_VALUE(&arguments[1], second);
	}
	return call_store_with(store, method, second != NULL ? 2 : 1, arguments, result);
}

bool php_bloom_store_get(zend_object *store, zval *keys, zval *values)
{
	if (!call_store(store, "getmultiple", keys, NULL, values)) {
		return false;
	}
	if (Z_TYPE_P(values) != IS_ARRAY) {
		zval_ptr_dtor(values);
		ZVAL_UNDEF(values);
		return php_bloom_store_throw(BLOOM_E_STORE_TYPE, "getMultiple()");
	}
	return true;
}

bool php_bloom_store_set(
	zend_object *store, const char *key, const unsigned char *bytes, uint64_t count)
{
	zval name, value, result;
	bool ok;

	ZVAL_STRING(&name, key);
	ZVAL_STRINGL(&value, (const char *)bytes, (size_t)count);
	ok = call_store(store, "set", &name, &value, &result);
	zval_ptr_dtor(&result);
	zval_ptr_dtor(&value);
	zval_ptr_dtor(&name);
	return ok;
}

bool php_bloom_store_replace(zend_object *store, const char *key, zend_string *expected,
	const unsigned char *bytes, uint64_t count, bool *is_replaced)
{
	zval arguments[3], result;
	bool ok;

	ZVAL_STRING(&arguments[0], key);
	ZVAL_NULL(&arguments[1]);
	if (expected != NULL) {
		ZVAL_STR_COPY(&arguments[1], expected);
	}
	ZVAL_STRINGL(&arguments[2], (const char *)bytes, (size_t)count);
	ok = call_store_with(store, "replace", 3, arguments, &result);
	zval_ptr_dtor(&arguments[2]);
	zval_ptr_dtor(&arguments[1]);
	zval_ptr_dtor(&arguments[0]);
	if (!ok) {
		return false;
	}
	*is_replaced = Z_TYPE(result) == IS_TRUE;
	ok = *is_replaced || Z_TYPE(result) == IS_FALSE ||
		php_bloom_store_throw(BLOOM_E_STORE_TYPE, "replace()");
	zval_ptr_dtor(&result);
	return ok;
}

zend_string *php_bloom_store_answer(const zval *values, const char *key, bool *ok)
{
	zval *value = zend_symtable_str_find(Z_ARRVAL_P(values), key, strlen(key));

	*ok = true;
	if (value != NULL) {
		ZVAL_DEREF(value);
	}
	if (value == NULL || Z_TYPE_P(value) == IS_NULL) {
		return NULL;
	}
	if (Z_TYPE_P(value) != IS_STRING) {
		*ok = php_bloom_store_throw(BLOOM_E_STORE_TYPE, key);
		return NULL;
	}
	return Z_STR_P(value);
}

static bool add_strings(HashTable *set, const zval *list)
{
	zval *value, yes;

	if (Z_TYPE_P(list) != IS_ARRAY) {
		return php_bloom_store_throw(BLOOM_E_STORE_TYPE, "missing()");
	}
	ZVAL_TRUE(&yes);
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(list), value) {
		ZVAL_DEREF(value);
		if (Z_TYPE_P(value) != IS_STRING) {
			return php_bloom_store_throw(BLOOM_E_STORE_TYPE, "missing()");
		}
		zend_hash_update(set, Z_STR_P(value), &yes);
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

bool php_bloom_store_missing(zend_object *store, zval *keys, HashTable *missing)
{
	zval answer;
	bool ok;

	if (!call_store(store, "missing", keys, NULL, &answer)) {
		return false;
	}
	ok = add_strings(missing, &answer);
	zval_ptr_dtor(&answer);
	return ok;
}

bool php_bloom_store_delete(zend_object *store, zval *keys)
{
	zval result;
	bool ok = call_store(store, "deletemultiple", keys, NULL, &result);

	zval_ptr_dtor(&result);
	return ok;
}

bool php_bloom_store_delete_one(zend_object *store, const char *key)
{
	zval keys;
	bool ok;

	array_init(&keys);
	add_next_index_string(&keys, key);
	ok = php_bloom_store_delete(store, &keys);
	zval_ptr_dtor(&keys);
	return ok;
}

bool php_bloom_store_get_replaceable(zend_object *store, const char *key, zend_string **value)
{
	*value = NULL;
	if (php_bloom_store_get_one(store, key, value)) {
		return true;
	}
	*value = NULL;
	if (!php_bloom_store_is_too_long(EG(exception))) {
		return false;
	}
	zend_clear_exception();
	return php_bloom_store_delete_one(store, key);
}

bool php_bloom_store_warn(zend_string **warning)
{
	zend_object *thrown = EG(exception);
	zval holder;

	if (!instanceof_function(thrown->ce, php_bloom_ce_Store)) {
		return false;
	}
	if (*warning == NULL) {
		*warning = zval_get_string(zend_read_property_ex(
			thrown->ce, thrown, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &holder));
	}
	zend_clear_exception();
	return true;
}

uint64_t php_bloom_store_value_bytes_max(const zend_object *store)
{
	return instanceof_function(store->ce, php_bloom_ce_memcached_store)
		? PHP_BLOOM_MEMCACHED_VALUE_BYTES_MAX
		: UINT64_MAX;
}

uint64_t php_bloom_memory_left(void)
{
	zend_long limit = PG(memory_limit);
	size_t taken = zend_memory_usage(true);

	if (limit <= 0) {
		return bloom_machine_memory_bytes();
	}
	return (size_t)limit > taken ? (uint64_t)limit - taken : 0;
}

/* ---- journals ---- */

static void make_journal_key(const char *name, zval *key)
{
	ZVAL_STR(key, strpprintf(0, "%s:journal", name));
}

static bool take_position(const char *name, const zval *text, bloom_mark *mark)
{
	if (Z_TYPE_P(text) == IS_STRING &&
		bloom_mark_parse(Z_STRVAL_P(text), Z_STRLEN_P(text), mark, NULL) == BLOOM_OK) {
		return true;
	}
	return php_bloom_store_throw(
		Z_TYPE_P(text) == IS_STRING ? BLOOM_E_POSITION : BLOOM_E_STORE_TYPE, name);
}

bool php_bloom_store_read(zend_object *store, const zval *positions, uint64_t limit, zval *answers)
{
	zval arguments[2];

	ZVAL_COPY_VALUE(&arguments[0], positions);
	ZVAL_LONG(&arguments[1], (zend_long)limit);
	if (!call_store_with(store, "read", 2, arguments, answers)) {
		return false;
	}
	if (Z_TYPE_P(answers) != IS_ARRAY) {
		zval_ptr_dtor(answers);
		ZVAL_UNDEF(answers);
		return php_bloom_store_throw(BLOOM_E_STORE_TYPE, "read()");
	}
	return true;
}

bool php_bloom_store_append(zend_object *store, const char *name, zval *records,
	const bloom_mark *after, bloom_mark *appended, bool *is_refused)
{
	char text[BLOOM_POSITION_TEXT_BYTES];
	zval arguments[3], result;
	bool ok;

	make_journal_key(name, &arguments[0]);
	ZVAL_COPY_VALUE(&arguments[1], records);
	ZVAL_NULL(&arguments[2]);
	if (after != NULL) {
		ZVAL_STRINGL(&arguments[2], text, bloom_mark_position(after, text));
	}
	ok = call_store_with(store, "append", 3, arguments, &result);
	zval_ptr_dtor(&arguments[0]);
	zval_ptr_dtor(&arguments[2]);
	if (!ok) {
		return false;
	}
	*is_refused = Z_TYPE(result) == IS_NULL;
	ok = *is_refused || take_position(name, &result, appended);
	zval_ptr_dtor(&result);
	return ok;
}

static bool take_last(const char *name, const zval *answer, bloom_mark *mark, zend_string **record)
{
	zval *position, *value;

	if (Z_TYPE_P(answer) != IS_ARRAY) {
		return php_bloom_store_throw(BLOOM_E_STORE_TYPE, "last()");
	}
	position = zend_hash_index_find_deref(Z_ARRVAL_P(answer), 0);
	value = zend_hash_index_find_deref(Z_ARRVAL_P(answer), 1);
	if (position == NULL || value == NULL || Z_TYPE_P(value) != IS_STRING) {
		return php_bloom_store_throw(BLOOM_E_STORE_TYPE, "last()");
	}
	if (!take_position(name, position, mark)) {
		return false;
	}
	*record = zend_string_copy(Z_STR_P(value));
	return true;
}

bool php_bloom_store_last(
	zend_object *store, const char *name, bloom_mark *mark, zend_string **record)
{
	zval key, answer;
	bool ok;

	make_journal_key(name, &key);
	ok = call_store(store, "last", &key, NULL, &answer);
	zval_ptr_dtor(&key);
	if (ok) {
		ok = take_last(name, &answer, mark, record);
		zval_ptr_dtor(&answer);
	}
	return ok;
}

bool php_bloom_store_trim(zend_object *store, const char *name, const bloom_mark *mark)
{
	char text[BLOOM_POSITION_TEXT_BYTES];
	zval key, position, result;
	bool ok;

	make_journal_key(name, &key);
	ZVAL_STRINGL(&position, text, bloom_mark_position(mark, text));
	ok = call_store(store, "trim", &key, &position, &result);
	zval_ptr_dtor(&result);
	zval_ptr_dtor(&position);
	zval_ptr_dtor(&key);
	return ok;
}

/* ---- heads ---- */

bool php_bloom_store_get_one(zend_object *store, const char *key, zend_string **value)
{
	zval keys, values;
	bool ok;

	array_init(&keys);
	add_next_index_string(&keys, key);
	ok = php_bloom_store_get(store, &keys, &values);
	zval_ptr_dtor(&keys);
	if (!ok) {
		return false;
	}
	*value = php_bloom_store_answer(&values, key, &ok);
	if (*value != NULL) {
		zend_string_addref(*value);
	}
	zval_ptr_dtor(&values);
	return ok;
}

void php_bloom_published_release(php_bloom_published *found)
{
	if (found->bytes != NULL) {
		zend_string_release(found->bytes);
		found->bytes = NULL;
	}
}

bloom_status php_bloom_published_check(php_bloom_published *found, bloom_error *error)
{
	const unsigned char *bytes = (const unsigned char *)ZSTR_VAL(found->bytes);
	uint64_t claim = 0;

	/* Check the length first: a value that is too long is refused without hashing it. */
	if (ZSTR_LEN(found->bytes) >= BLOOM_HEAD_FIXED_BYTES) {
		bloom_status status = bloom_head_peek(bytes, ZSTR_LEN(found->bytes), &claim, error);

		if (status != BLOOM_OK) {
			return status;
		}
		if (claim != ZSTR_LEN(found->bytes)) {
			return bloom_fail(error, BLOOM_E_LENGTH, 0, "head of %llu bytes",
				(unsigned long long)ZSTR_LEN(found->bytes));
		}
	}
	return bloom_head_parse(bytes, ZSTR_LEN(found->bytes), &found->head, error);
}

bool php_bloom_published_parse(php_bloom_published *found)
{
	bloom_error error = {0};

	if (found->bytes == NULL || php_bloom_published_check(found, &error) == BLOOM_OK) {
		return true;
	}
	php_bloom_published_release(found);
	php_bloom_throw(&error);
	return false;
}

bool php_bloom_published_get(zend_object *store, const char *key, php_bloom_published *found)
{
	found->bytes = NULL;
	return php_bloom_store_get_one(store, key, &found->bytes) &&
		php_bloom_published_parse(found);
}

bool php_bloom_published_require(zend_object *store, const char *name, php_bloom_published *found)
{
	if (!php_bloom_published_get(store, name, found)) {
		return false;
	}
	return found->bytes != NULL || php_bloom_store_throw(BLOOM_E_STORE_MISSING, name);
}

bool php_bloom_published_is(
	const php_bloom_published *found, const unsigned char *bytes, uint64_t count)
{
	return found->bytes != NULL && ZSTR_LEN(found->bytes) == count &&
		memcmp(ZSTR_VAL(found->bytes), bytes, count) == 0;
}

void php_bloom_side_key(const char *name, const char *what, char key[PHP_BLOOM_SIDE_KEY_BYTES])
{
	(void)snprintf(key, PHP_BLOOM_SIDE_KEY_BYTES, "%s:%s", name, what);
}
