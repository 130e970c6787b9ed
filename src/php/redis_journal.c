/* Bloom\RedisStore: the journals.
 *
 * A journal is a stream. The ID of an entry is "EPOCH-OFFSET", and its only field is the record. The
 * entry "EPOCH-0" is the anchor: it has no record and shows the epoch of an empty journal. Each
 * method sends one script, which Redis runs atomically, for one key, so it works on a cluster.
 *
 * Epochs are below 2^53, so that Lua's numbers are exact. Offsets count the records.
 */
#include "php/engine.h"

#include <string.h>

#include <ext/standard/sha1.h>
#include <zend_exceptions.h>

#include "filter/mark.h"
#include "php/classes.h"
#include "php/client.h"
#include "php/redis_store.h"
#include "php/store.h"

/* Every script begins with these functions:
 *
 *     record(entry)   the record of an entry; an empty string for the anchor
 *     position(entry) its position
 *     newest()        the last entry, or nil
 *     hold(position)  the entry that ends at a position, or nil if the journal does not have it */
#define COMMON                                                                                  \
	"local key = KEYS[1] "                                                                  \
	"local function record(e) if e[2][1] == 'r' then return e[2][2] end return '' end "     \
	"local function check(e) local r = record(e) "                                          \
	"  if r == '' then return '0000000000000000' end "                                      \
	"  return (string.gsub(string.sub(r, -8), '.', "                                        \
	"    function(c) return string.format('%02x', string.byte(c)) end)) end "               \
	"local function position(e) return e[1] .. '-' .. check(e) end "                        \
	"local function newest() return redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1] " \
	"end "                                                                                  \
	"local function hold(p) local id = string.match(p, '^(%d+%-%d+)%-') "                   \
	"  local e = redis.call('XRANGE', key, id, id)[1] "                                     \
	"  if e and position(e) == p then return e end end "

/* Creates the journal if it does not exist. Epochs of journals that were created one after the other
 * differ, because time passes in between. */
#define OPEN                                                                 \
	"local last = newest() "                                             \
	"if not last then "                                                  \
	"  if redis.replicate_commands then redis.replicate_commands() end " \
	"  local t = redis.call('TIME') "                                    \
	"  local id = string.format('%.0f', t[1] * 1000000 + t[2]) .. '-0' " \
	"  redis.call('XADD', key, id, 'anchor', '') "                       \
	"  last = newest() "                                                 \
	"end "

/* ARGV: the position of the end, or an empty string; then the records. */
static const char append_script[] =
	COMMON OPEN "if ARGV[1] ~= '' and position(last) ~= ARGV[1] then return false end "
		    "local epoch, offset = string.match(last[1], '^(%d+)%-(%d+)$') "
		    "for i = 2, #ARGV do "
		    "  offset = string.format('%.0f', offset + 1) "
		    "  redis.call('XADD', key, epoch .. '-' .. offset, 'r', ARGV[i]) "
		    "end "
		    "return position(newest())";

static const char last_script[] = COMMON OPEN "return {position(last), record(last)}";

/* ARGV: the position, the limit in bytes. Returns positions and records in turn. */
static const char read_script[] =
	COMMON "if not hold(ARGV[1]) then return false end "
	       "local from = string.match(ARGV[1], '^(%d+%-%d+)%-') "
	       "local found, bytes, limit = {}, 0, tonumber(ARGV[2]) "
	       "while bytes < limit do "
	       "  local some = redis.call('XRANGE', key, '(' .. from, '+', 'COUNT', 100) "
	       "  for _, e in ipairs(some) do "
	       "    if bytes < limit then "
	       "      local r = record(e) "
	       "      found[#found + 1] = position(e) found[#found + 1] = r "
	       "      bytes = bytes + string.len(r) from = e[1] "
	       "    end "
	       "  end "
	       "  if #some < 100 then break end "
	       "end "
	       "return found";

static const char trim_script[] =
	COMMON "if not hold(ARGV[1]) then return 0 end "
	       "return redis.call('XTRIM', key, 'MINID', string.match(ARGV[1], '^(%d+%-%d+)%-'))";

/* ---- calls ---- */

/* A script, and its SHA-1 in hexadecimal, by which Redis knows a script that it has run before. */
typedef struct script {
	const char *text;
	char digest[41];
} script;

static script make_script(const char *text)
{
	script made = {.text = text};
	unsigned char digest[20];
	PHP_SHA1_CTX context;

	PHP_SHA1Init(&context);
	PHP_SHA1Update(&context, (const unsigned char *)text, strlen(text));
	PHP_SHA1Final(digest, &context);
	make_sha1_digest(made.digest, digest);
	return made;
}

/* Calls eval() or evalsha(). phpredis takes an array with the key and the arguments, and the number
 * of keys; Predis takes them one by one. Returns false if it throws.
 *
 *   what  the script or its digest
 *   list  an array that begins with the key */
static bool call_with(
	zend_object *self, const char *method, const char *what, zval *list, zval *answer)
{
	uint32_t count = zend_hash_num_elements(Z_ARRVAL_P(list)), i;
	zval *arguments, *value;
	bool ok;

	arguments = safe_emalloc(count + 3, sizeof *arguments, 0);
	ZVAL_STRING(&arguments[0], what);
	if (php_bloom_redis_is_predis(self)) {
		ZVAL_LONG(&arguments[1], 1);
		i = 2;
		ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(list), value) {
			ZVAL_COPY_VALUE(&arguments[i++], value);
		}
		ZEND_HASH_FOREACH_END();
	} else {
		ZVAL_COPY_VALUE(&arguments[1], list);
		ZVAL_LONG(&arguments[2], 1);
		i = 3;
	}
	php_bloom_redis_forget_error(self);
	ok = !EG(exception) && php_bloom_client_call(self, method, i, arguments, answer);
	zval_ptr_dtor(&arguments[0]);
	efree(arguments);
	return ok;
}

/* Returns whether the last call failed because the server does not know the script, and clears that
 * error or exception. Predis throws or returns an object, depending on an option. */
static bool is_unknown_script(zend_object *self, bool ok, zval *answer)
{
	if (ok && Z_TYPE_P(answer) != IS_FALSE && Z_TYPE_P(answer) != IS_OBJECT) {
		return false;
	}
	if (!php_bloom_redis_failed_with(self, "NOSCRIPT", ok ? answer : NULL)) {
		return false;
	}
	if (ok) {
		zval_ptr_dtor(answer);
	}
	return true;
}

/* Runs a script by its digest, or sends the whole script if the server does not know it yet. Returns
 * false if it throws. */
static bool run_script(zend_object *self, const char *text, zval *list, zval *answer)
{
	script made = make_script(text);
	bool ok = call_with(self, "evalsha", made.digest, list, answer);

	return is_unknown_script(self, ok, answer) ? call_with(self, "eval", text, list, answer)
						   : ok;
}

/* Checks the answer of a script: nil is null or false, as is an error in phpredis. Returns false if
 * it throws. */
static bool check_answer(zend_object *self, zval *answer, bool *is_nil)
{
	*is_nil = Z_TYPE_P(answer) == IS_NULL || Z_TYPE_P(answer) == IS_FALSE;
	if (Z_TYPE_P(answer) == IS_OBJECT || (*is_nil && php_bloom_redis_has_error(self))) {
		php_bloom_redis_throw(self, "EVAL", answer);
		return false;
	}
	return EG(exception) == NULL;
}

/* Begins the list for run_script() with the journal's key. Returns false if it throws. */
static bool begin_list(zend_object *self, const zend_string *journal, zval *list)
{
	zval key;

	if (!php_bloom_client_key(self, journal, &key)) {
		return false;
	}
	array_init(list);
	add_next_index_zval(list, &key);
	return true;
}

/* Runs a script, frees the list and checks the answer. Returns false if it throws. */
static bool eval(zend_object *self, const char *text, zval *list, zval *answer, bool *is_nil)
{
	bool ok = run_script(self, text, list, answer);

	zval_ptr_dtor(list);
	if (!ok) {
		return false;
	}
	ok = check_answer(self, answer, is_nil);
	if (!ok) {
		zval_ptr_dtor(answer);
	}
	return ok;
}

static void throw_type(zval *answer)
{
	zend_throw_exception_ex(php_bloom_ce_Store, BLOOM_E_STORE_TYPE,
		"Redis answered EVAL with %s (a client inside MULTI or PIPELINE, or a key that is "
		"not a journal)",
		zend_zval_type_name(answer));
	zval_ptr_dtor(answer);
}

/* ---- append(), last(), trim() ---- */

ZEND_METHOD(Bloom_RedisStore, append)
{
	zend_object *self = Z_OBJ_P(ZEND_THIS);
	zend_string *journal, *after = NULL;
	zval list, answer, *record;
	HashTable *records;
	bool is_nil;

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR(journal)
		Z_PARAM_ARRAY_HT(records)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR_OR_NULL(after)
	ZEND_PARSE_PARAMETERS_END();

	if (zend_hash_num_elements(records) == 0) {
		zend_argument_value_error(2, "must contain at least one record");
		RETURN_THROWS();
	}
	if (!begin_list(self, journal, &list)) {
		RETURN_THROWS();
	}
	add_next_index_str(&list, after != NULL ? zend_string_copy(after) : ZSTR_EMPTY_ALLOC());
	ZEND_HASH_FOREACH_VAL(records, record) {
		ZVAL_DEREF(record);
		if (Z_TYPE_P(record) != IS_STRING) {
			zend_argument_type_error(2, "must contain only strings, %s given",
				zend_zval_type_name(record));
			zval_ptr_dtor(&list);
			RETURN_THROWS();
		}
		Z_TRY_ADDREF_P(record);
		add_next_index_zval(&list, record);
	}
	ZEND_HASH_FOREACH_END();
	if (!eval(self, append_script, &list, &answer, &is_nil)) {
		RETURN_THROWS();
	}
	if (is_nil && after != NULL) {
		RETURN_NULL();
	}
	if (Z_TYPE(answer) != IS_STRING) {
		throw_type(&answer);
		RETURN_THROWS();
	}
	RETURN_COPY_VALUE(&answer);
}

ZEND_METHOD(Bloom_RedisStore, last)
{
	zend_object *self = Z_OBJ_P(ZEND_THIS);
	zend_string *journal;
	zval list, answer;
	bool is_nil;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(journal)
	ZEND_PARSE_PARAMETERS_END();

	if (!begin_list(self, journal, &list) ||
		!eval(self, last_script, &list, &answer, &is_nil)) {
		RETURN_THROWS();
	}
	if (Z_TYPE(answer) != IS_ARRAY) {
		throw_type(&answer);
		RETURN_THROWS();
	}
	RETURN_COPY_VALUE(&answer);
}

ZEND_METHOD(Bloom_RedisStore, trim)
{
	zend_object *self = Z_OBJ_P(ZEND_THIS);
	zend_string *journal, *position;
	zval list, answer;
	bool is_nil;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(journal)
		Z_PARAM_STR(position)
	ZEND_PARSE_PARAMETERS_END();

	if (!begin_list(self, journal, &list)) {
		RETURN_THROWS();
	}
	add_next_index_str(&list, zend_string_copy(position));
	if (!eval(self, trim_script, &list, &answer, &is_nil)) {
		RETURN_THROWS();
	}
	if (Z_TYPE(answer) != IS_LONG) {
		throw_type(&answer);
		RETURN_THROWS();
	}
}

/* ---- read() ---- */

/* Turns an answer of read_script into an array by position, or null. Returns false if it throws, and
 * frees the answer. */
static bool take_records(zend_object *self, zval *answer, zval *records)
{
	zval *value, *position = NULL;
	bool is_nil;

	if (!check_answer(self, answer, &is_nil)) {
		zval_ptr_dtor(answer);
		return false;
	}
	ZVAL_NULL(records);
	if (is_nil) {
		return true;
	}
	if (Z_TYPE_P(answer) != IS_ARRAY) {
		throw_type(answer);
		return false;
	}
	array_init(records);
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(answer), value) {
		if (position == NULL) {
			position = value;
			continue;
		}
		if (Z_TYPE_P(position) == IS_STRING) {
			Z_TRY_ADDREF_P(value);
			zend_hash_update(Z_ARRVAL_P(records), Z_STR_P(position), value);
		}
		position = NULL;
	}
	ZEND_HASH_FOREACH_END();
	zval_ptr_dtor(answer);
	return true;
}

/* Makes the list of one journal for run_script(). Returns false if it throws. */
static bool make_read(
	zend_object *self, zend_string *journal, zval *position, zend_long limit, zval *list)
{
	ZVAL_DEREF(position);
	if (journal == NULL || Z_TYPE_P(position) != IS_STRING) {
		zend_argument_type_error(1, "must contain only strings, by journal");
		return false;
	}
	if (!begin_list(self, journal, list)) {
		return false;
	}
	add_next_index_str(list, zend_string_copy(Z_STR_P(position)));
	add_next_index_long(list, limit);
	return true;
}

/* Reads each journal with its own round trip. Returns false if it throws. */
static bool read_each(zend_object *self, HashTable *positions, zend_long limit, HashTable *found)
{
	zend_string *journal;
	zval *position, list, answer, records;
	bool ok;

	ZEND_HASH_FOREACH_STR_KEY_VAL(positions, journal, position) {
		if (!make_read(self, journal, position, limit, &list)) {
			return false;
		}
		ok = run_script(self, read_script, &list, &answer);
		zval_ptr_dtor(&list);
		if (!ok || !take_records(self, &answer, &records)) {
			return false;
		}
		zend_hash_update(found, journal, &records);
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* Sends the scripts for all journals in one pipeline of phpredis. Returns false if it throws. */
static bool send_pipeline(zend_object *self, HashTable *positions, zend_long limit, zval *answers)
{
	script made = make_script(read_script);
	zend_string *journal;
	zval *position, list, answer;
	bool ok;

	if (!php_bloom_client_call(self, "pipeline", 0, NULL, &answer)) {
		return false;
	}
	zval_ptr_dtor(&answer);
	ZEND_HASH_FOREACH_STR_KEY_VAL(positions, journal, position) {
		ok = make_read(self, journal, position, limit, &list);
		if (ok) {
			ok = call_with(self, "evalsha", made.digest, &list, &answer);
			zval_ptr_dtor(&list);
		}
		if (!ok) {
			(void)php_bloom_client_number(self, "discard");
			return false;
		}
		zval_ptr_dtor(&answer);
	}
	ZEND_HASH_FOREACH_END();
	if (!php_bloom_client_call(self, "exec", 0, NULL, answers)) {
		return false;
	}
	if (Z_TYPE_P(answers) != IS_ARRAY) {
		php_bloom_redis_throw(self, "EVALSHA", answers);
		zval_ptr_dtor(answers);
		return false;
	}
	return true;
}

/* Takes the answers of a pipeline. Returns false if it throws. */
static bool take_answers(
	zend_object *self, HashTable *positions, HashTable *answers, HashTable *found)
{
	zend_string *journal;
	zval *one, answer, records;
	zend_ulong place = 0;

	ZEND_HASH_FOREACH_STR_KEY(positions, journal)
	{
		one = zend_hash_index_find(answers, place++);
		if (one == NULL) {
			return php_bloom_store_throw(BLOOM_E_STORE_TYPE, ZSTR_VAL(journal));
		}
		ZVAL_COPY(&answer, one);
		if (!take_records(self, &answer, &records)) {
			return false;
		}
		zend_hash_update(found, journal, &records);
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

static bool read_in_pipeline(
	zend_object *self, HashTable *positions, zend_long limit, HashTable *found)
{
	zval answers;
	bool ok;

	if (!send_pipeline(self, positions, limit, &answers)) {
		return false;
	}
	/* Only the first call after a restart of the server finds that the script is unknown. */
	ok = php_bloom_redis_failed_with(self, "NOSCRIPT", NULL)
		? read_each(self, positions, limit, found)
		: take_answers(self, positions, Z_ARRVAL(answers), found);
	zval_ptr_dtor(&answers);
	return ok;
}

ZEND_METHOD(Bloom_RedisStore, read)
{
	zend_object *self = Z_OBJ_P(ZEND_THIS);
	HashTable *positions;
	zend_long limit;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_ARRAY_HT(positions)
		Z_PARAM_LONG(limit)
	ZEND_PARSE_PARAMETERS_END();

	array_init(return_value);
	ok = zend_hash_num_elements(positions) > 1 && php_bloom_redis_has_pipeline(self)
		? read_in_pipeline(self, positions, limit, Z_ARRVAL_P(return_value))
		: EG(exception) == NULL &&
			read_each(self, positions, limit, Z_ARRVAL_P(return_value));
	if (!ok) {
		RETURN_THROWS();
	}
}
