/* Bloom\RedisStore: the journals, and replace(), which is a script as well.
 *
 * A journal is a stream. The ID of an entry is "EPOCH-OFFSET", and its only field is the record.
 * The entry "EPOCH-0" is the anchor: it has no record and shows the epoch of an empty journal. Each
 * method sends one script, which Redis runs atomically, for one key, so it works on a cluster.
 *
 * Epochs are below 2^53, so that Lua's numbers are exact. Offsets count the records, so the IDs of
 * consecutive records are known. The scripts use only commands of Redis 5.0.
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

enum { SHA1_HEX_BYTES = 41 };

/* Every script of a journal begins with these functions:
 *
 *     record(entry)   the record of an entry; an empty string for the anchor
 *     position(entry) its position
 *     newest()        the last entry, or nil
 *     hold(position)  the entry that ends at a position, or nil if the journal does not have it
 *     split(text)     the epoch and the offset of an ID or a position, as two texts */
#define COMMON                                                                              \
	"local key = KEYS[1] "                                                              \
	"local function record(e) if e[2][1] == 'r' then return e[2][2] end return '' end " \
	"local function check(e) local r = record(e) "                                      \
	"  if r == '' then return '0000000000000000' end "                                  \
	"  return (string.gsub(string.sub(r, -8), '.', "                                    \
	"    function(c) return string.format('%02x', string.byte(c)) end)) end "           \
	"local function position(e) return e[1] .. '-' .. check(e) end "                    \
	"local function newest() "                                                          \
	"  return redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1] end "               \
	"local function split(p) return string.match(p, '^(%d+)%-(%d+)') end "              \
	"local function hold(p) local id = string.match(p, '^%d+%-%d+') "                   \
	"  local e = redis.call('XRANGE', key, id, id)[1] "                                 \
	"  if e and position(e) == p then return e end end "

/* Creates the journal if it does not exist. Time passes before a journal is created again, so it
 * gets a different epoch. */
#define OPEN                                                                 \
	"if not last then "                                                  \
	"  if redis.replicate_commands then redis.replicate_commands() end " \
	"  local t = redis.call('TIME') "                                    \
	"  local id = string.format('%.0f', t[1] * 1000000 + t[2]) .. '-0' " \
	"  redis.call('XADD', key, id, 'anchor', '') "                       \
	"  last = newest() "                                                 \
	"end "

/* ARGV: the position of the end, or an empty string; then the records. Returns the ID of the last
 * one, or nil. Only a begin or an end can follow an end, or begin a journal (filter/record.h). */
static const char append_script[] =
	COMMON "local last = newest() "
	       "if ARGV[1] ~= '' and (not last or position(last) ~= ARGV[1]) then return false end "
	       "local function kind(r) return (struct.unpack('<I4', r, 9)) end "
	       "local before, first = last and record(last) or '', kind(ARGV[2]) "
	       "if first >= 1 and first < 4 and (before == '' or kind(before) == 4) then "
	       "  return false end " OPEN "local epoch, offset = split(last[1]) "
	       "for i = 2, #ARGV do "
	       "  offset = string.format('%.0f', offset + 1) "
	       "  redis.call('XADD', key, epoch .. '-' .. offset, 'r', ARGV[i]) "
	       "end "
	       "return epoch .. '-' .. offset";

static const char last_script[] =
	COMMON "local last = newest() " OPEN "return {position(last), record(last)}";

/* A host that has read to the end answers "no" for all other keys. So the end must be that of the
 * master. A replica may lag, or may have lost its master. A master that has no replica, although
 * min-replicas-to-write is set, may have been replaced. INFO shows both. */
#define CURRENT                                                                                 \
	"local info = redis.call('INFO', 'replication') "                                       \
	"if string.find(info, 'role:slave', 1, true) then "                                     \
	"  return redis.error_reply('ERR this server is a replica, which may lack the newest '" \
	"    .. 'records: read journals from the master') end "                                 \
	"if string.find(info, 'min_slaves_good_slaves:0', 1, true) then "                       \
	"  return redis.error_reply('ERR this server has no replicas, although '"               \
	"    .. 'min-replicas-to-write is set, so another server may be the master') end "

/* ARGV: the position, the limit in bytes. Returns the records, or nil if one is missing between
 * them. IDs increase, so no record is missing in a range of n entries whose last ID is n higher
 * than the position.
 *
 * The first range has few records, because each may have 1 MiB. */
static const char read_script[] = COMMON CURRENT
	"if not hold(ARGV[1]) then return false end "
	"local epoch, offset = split(ARGV[1]) "
	"local found, total, bytes, limit, count, largest = {}, 0, 0, tonumber(ARGV[2]), 2, 1 "
	"local function id(o) return epoch .. '-' .. string.format('%.0f', o) end "
	"while bytes < limit do "
	"  local some = redis.call('XRANGE', key, id(offset + 1), '+', 'COUNT', count) "
	"  local n = #some "
	"  if n > 0 and some[n][1] ~= id(offset + n) then return false end "
	"  for i = 1, n do "
	"    if bytes < limit then "
	"      local r = some[i][2][2] "
	"      total, bytes = total + 1, bytes + #r "
	"      found[total] = r "
	"      if #r > largest then largest = #r end "
	"    end "
	"  end "
	"  if n < count then break end "
	"  offset = offset + n "
	"  count = math.min(100, 2 * count, math.floor((limit - bytes) / largest) + 1) "
	"end "
	"return found";

/* IDs are consecutive, so the number of records to keep is known. (XTRIM MINID needs Redis 6.2.) */
static const char trim_script[] =
	COMMON "if not hold(ARGV[1]) then return 0 end "
	       "local _, from = split(ARGV[1]) "
	       "local _, to = split(newest()[1]) "
	       "return redis.call('XTRIM', key, 'MAXLEN', string.format('%.0f', to - from + 1))";

/* ---- calls ---- */

/* A script, and its SHA-1 in hexadecimal, by which Redis knows a script that it has run before. */
typedef struct script {
	const char *text;
	char digest[SHA1_HEX_BYTES];
} script;

static void digest_hex(const char *bytes, size_t count, char text[SHA1_HEX_BYTES])
{
	unsigned char digest[20];
	PHP_SHA1_CTX context;

	PHP_SHA1Init(&context);
	PHP_SHA1Update(&context, (const unsigned char *)bytes, count);
	PHP_SHA1Final(digest, &context);
	make_sha1_digest(text, digest);
}

static script make_script(const char *text)
{
	script made = {.text = text};

	digest_hex(text, strlen(text), made.digest);
	return made;
}

/* Calls a method of the client, or of its pipeline. Returns false if it throws. */
static bool call_client(zend_object *self, zval *pipeline, const char *method, uint32_t count,
	zval *arguments, zval *result)
{
	zval name;

	if (pipeline == NULL) {
		return php_bloom_client_call(self, method, count, arguments, result);
	}
	ZVAL_UNDEF(result);
	ZVAL_STRING(&name, method);
	(void)call_user_function(NULL, pipeline, &name, result, count, arguments);
	zval_ptr_dtor(&name);
	if (EG(exception)) {
		zval_ptr_dtor(result);
		ZVAL_UNDEF(result);
		return false;
	}
	return true;
}

/* Calls eval() or evalsha(). phpredis takes an array with the key and the arguments, and the number
 * of keys; Predis takes them one by one. Returns false if it throws.
 *
 *   pipeline  NULL: call the client
 *   what      the script or its digest
 *   list      an array that begins with the key */
static bool call_with(zend_object *self, zval *pipeline, const char *method, const char *what,
	zval *list, zval *answer)
{
	uint32_t count = zend_hash_num_elements(Z_ARRVAL_P(list)), i;
	zval *arguments, *value;
	bool ok;

	arguments = safe_emalloc(count, sizeof *arguments, 3 * sizeof *arguments);
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
	ok = !EG(exception) && call_client(self, pipeline, method, i, arguments, answer);
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

/* Runs a script by its digest, or sends the whole script if the server does not know it yet.
 * Returns false if it throws. */
static bool run_script(zend_object *self, const char *text, zval *list, zval *answer)
{
	script made = make_script(text);
	bool ok = call_with(self, NULL, "evalsha", made.digest, list, answer);

	return is_unknown_script(self, ok, answer)
		? call_with(self, NULL, "eval", text, list, answer)
		: ok;
}

/* Checks the answer of a script. Clients return nil as null or false, and phpredis also returns
 * false for an error. Returns false if it throws. */
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

/* Adds a position without its link to a list. */
static void add_position(zval *list, const bloom_mark *position)
{
	char text[BLOOM_POSITION_TEXT_BYTES];

	add_next_index_stringl(list, text, bloom_mark_position(position, text));
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

/* Makes the position after a record.
 *
 *   id  the ID of its entry; the answer of a server
 *
 * Returns NULL if the ID is invalid. */
static zend_string *position_after(const zval *id, const zval *record)
{
	char text[BLOOM_POSITION_TEXT_BYTES];
	bloom_mark position = {0};
	zend_string *zeros;
	bool ok;

	if (Z_TYPE_P(id) != IS_STRING) {
		return NULL;
	}
	zeros = strpprintf(0, "%s-0000000000000000", Z_STRVAL_P(id));
	ok = bloom_mark_parse(ZSTR_VAL(zeros), ZSTR_LEN(zeros), &position, NULL) == BLOOM_OK;
	zend_string_release(zeros);
	memcpy(position.check, Z_STRVAL_P(record) + Z_STRLEN_P(record) - BLOOM_CHECK_BYTES,
		BLOOM_CHECK_BYTES);
	return ok ? zend_string_init(text, bloom_mark_position(&position, text), false) : NULL;
}

/* Makes the list for append_script. Returns false if it throws. */
static bool make_append(zend_object *self, zend_string *journal, HashTable *records,
	const bloom_mark *after, zval *list)
{
	zval *record;

	if (!begin_list(self, journal, list)) {
		return false;
	}
	if (after != NULL) {
		add_position(list, after);
	} else {
		add_next_index_str(list, ZSTR_EMPTY_ALLOC());
	}
	ZEND_HASH_FOREACH_VAL(records, record) {
		ZVAL_DEREF(record);
		Z_TRY_ADDREF_P(record);
		add_next_index_zval(list, record);
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

ZEND_METHOD(Bloom_RedisStore, append)
{
	zend_object *self = Z_OBJ_P(ZEND_THIS);
	zend_string *journal, *after = NULL, *end;
	bloom_mark position;
	HashTable *records;
	zval list, answer, last;
	bool is_nil, ok;

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR(journal)
		Z_PARAM_ARRAY_HT(records)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR_OR_NULL(after)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_bloom_records_check(records, 2) ||
		(after != NULL && !php_bloom_position_parse(after, 3, &position)) ||
		!make_append(self, journal, records, after != NULL ? &position : NULL, &list)) {
		RETURN_THROWS();
	}
	/* The client may change the caller's array, so the last record is kept. */
	ZVAL_COPY(&last,
		zend_hash_index_find(Z_ARRVAL(list), zend_hash_num_elements(Z_ARRVAL(list)) - 1));
	ok = eval(self, append_script, &list, &answer, &is_nil);
	if (ok && is_nil) {
		RETVAL_NULL();
	} else if (ok) {
		end = position_after(&answer, &last);
		if (end != NULL) {
			RETVAL_STR(end);
			zval_ptr_dtor(&answer);
		} else {
			throw_type(&answer);
		}
	}
	zval_ptr_dtor(&last);
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
	zend_string *journal, *text;
	bloom_mark position;
	zval list, answer;
	bool is_nil;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(journal)
		Z_PARAM_STR(text)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_bloom_position_parse(text, 2, &position) || !begin_list(self, journal, &list)) {
		RETURN_THROWS();
	}
	add_position(&list, &position);
	if (!eval(self, trim_script, &list, &answer, &is_nil)) {
		RETURN_THROWS();
	}
	if (Z_TYPE(answer) != IS_LONG) {
		throw_type(&answer);
		RETURN_THROWS();
	}
}

/* ---- replace() ---- */

/* ARGV: the SHA-1 of the expected value in hexadecimal, or an empty string if the key must not
 * exist; the new value. */
static const char replace_script[] =
	"local v = redis.call('GET', KEYS[1]) "
	"if ARGV[1] == '' and v or ARGV[1] ~= '' and (not v or redis.sha1hex(v) ~= ARGV[1]) then "
	"  return 0 end "
	"redis.call('SET', KEYS[1], ARGV[2]) "
	"return 1";

ZEND_METHOD(Bloom_RedisStore, replace)
{
	zend_object *self = Z_OBJ_P(ZEND_THIS);
	zend_string *key, *expected = NULL, *value;
	char digest[SHA1_HEX_BYTES] = "";
	zval list, answer;
	bool is_nil;

	ZEND_PARSE_PARAMETERS_START(3, 3)
		Z_PARAM_STR(key)
		Z_PARAM_STR_OR_NULL(expected)
		Z_PARAM_STR(value)
	ZEND_PARSE_PARAMETERS_END();

	if (!begin_list(self, key, &list)) {
		RETURN_THROWS();
	}
	if (expected != NULL) {
		digest_hex(ZSTR_VAL(expected), ZSTR_LEN(expected), digest);
	}
	add_next_index_string(&list, digest);
	add_next_index_str(&list, zend_string_copy(value));
	if (!eval(self, replace_script, &list, &answer, &is_nil)) {
		RETURN_THROWS();
	}
	if (Z_TYPE(answer) != IS_LONG) {
		throw_type(&answer);
		RETURN_THROWS();
	}
	RETURN_BOOL(Z_LVAL(answer) == 1);
}

/* ---- read() ---- */

/* Adds the records of an answer to an array, by position. Returns false if one is not a record. */
static bool add_records(HashTable *answer, const bloom_mark *position, zval *records)
{
	char text[BLOOM_POSITION_TEXT_BYTES];
	bloom_mark after = *position;
	zval *record;
	size_t length;

	ZEND_HASH_FOREACH_VAL(answer, record) {
		if (Z_TYPE_P(record) != IS_STRING || Z_STRLEN_P(record) < BLOOM_CHECK_BYTES) {
			return false;
		}
		after.offset++;
		memcpy(after.check, Z_STRVAL_P(record) + Z_STRLEN_P(record) - BLOOM_CHECK_BYTES,
			BLOOM_CHECK_BYTES);
		length = bloom_mark_position(&after, text);
		Z_TRY_ADDREF_P(record);
		zend_hash_str_update(Z_ARRVAL_P(records), text, length, record);
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* Adds the answer of read_script for one journal to `found`. Returns false if it throws. Frees the
 * answer. */
static bool take_answer(zend_object *self, zend_string *journal, const bloom_mark *position,
	zval *answer, HashTable *found)
{
	zval records;
	bool is_nil;

	if (!check_answer(self, answer, &is_nil)) {
		zval_ptr_dtor(answer);
		return false;
	}
	ZVAL_NULL(&records);
	if (!is_nil) {
		array_init(&records);
		if (Z_TYPE_P(answer) != IS_ARRAY ||
			!add_records(Z_ARRVAL_P(answer), position, &records)) {
			zval_ptr_dtor(&records);
			throw_type(answer);
			return false;
		}
	}
	zval_ptr_dtor(answer);
	zend_hash_update(found, journal, &records);
	return true;
}

/* Makes the list for read_script. Returns false if it throws. */
static bool make_read(zend_object *self, zend_string *journal, const bloom_mark *position,
	zend_long limit, zval *list)
{
	if (!begin_list(self, journal, list)) {
		return false;
	}
	add_position(list, position);
	add_next_index_long(list, limit);
	return true;
}

/* A journal to read. The caller's array may contain references, whose values the client may change,
 * so these are copies. */
typedef struct source {
	zend_string *journal;
	bloom_mark position;
} source;

typedef struct reading {
	zend_object *self;
	source *sources;
	uint32_t count;
	zend_long limit;
	HashTable *found;
} reading;

/* Reads each journal with its own round trip. Returns false if it throws. */
static bool read_each(const reading *work)
{
	zval list, answer;
	uint32_t i;
	bool ok = true;

	for (i = 0; ok && i < work->count; i++) {
		ok = make_read(work->self, work->sources[i].journal, &work->sources[i].position,
			work->limit, &list);
		if (ok) {
			ok = run_script(work->self, read_script, &list, &answer);
			zval_ptr_dtor(&list);
		}
		ok = ok &&
			take_answer(work->self, work->sources[i].journal,
				&work->sources[i].position, &answer, work->found);
	}
	return ok;
}

/* Adds the scripts of all journals to a pipeline. Returns false if it throws. */
static bool fill_pipeline(const reading *work, zval *pipeline)
{
	script made = make_script(read_script);
	zval list, answer;
	uint32_t i;
	bool ok = true;

	for (i = 0; ok && i < work->count; i++) {
		ok = make_read(work->self, work->sources[i].journal, &work->sources[i].position,
			work->limit, &list);
		if (ok) {
			ok = call_with(
				work->self, pipeline, "evalsha", made.digest, &list, &answer);
			zval_ptr_dtor(&list);
			zval_ptr_dtor(&answer);
		}
	}
	return ok;
}

/* Sends the scripts for all journals in one pipeline. Returns false if it throws. */
static bool send_pipeline(const reading *work, zval *answers)
{
	bool is_predis = php_bloom_redis_is_predis(work->self);
	zval pipeline;
	bool ok;

	if (!call_client(work->self, NULL, "pipeline", 0, NULL, &pipeline)) {
		return false;
	}
	if (Z_TYPE(pipeline) != IS_OBJECT) {
		throw_type(&pipeline);
		return false;
	}
	ok = fill_pipeline(work, &pipeline);
	if (ok) {
		ok = call_client(
			work->self, &pipeline, is_predis ? "execute" : "exec", 0, NULL, answers);
	} else if (!is_predis) {
		(void)php_bloom_client_number(work->self, "discard");
	}
	zval_ptr_dtor(&pipeline);
	return ok;
}

/* Takes the answers of a pipeline. Returns false if it throws. */
static bool take_answers(const reading *work, zval *answers)
{
	zval *one, answer;
	uint32_t i;

	if (Z_TYPE_P(answers) != IS_ARRAY ||
		zend_hash_num_elements(Z_ARRVAL_P(answers)) != work->count) {
		php_bloom_redis_throw(work->self, "EVALSHA", answers);
		return false;
	}
	for (i = 0; i < work->count; i++) {
		one = zend_hash_index_find(Z_ARRVAL_P(answers), i);
		if (one == NULL) {
			return php_bloom_store_throw(
				BLOOM_E_STORE_TYPE, ZSTR_VAL(work->sources[i].journal));
		}
		ZVAL_COPY_DEREF(&answer, one);
		if (!take_answer(work->self, work->sources[i].journal, &work->sources[i].position,
			    &answer, work->found)) {
			return false;
		}
	}
	return true;
}

/* Returns whether a server has answered a script of the pipeline with NOSCRIPT, and clears the
 * error. */
static bool has_unknown_script(const reading *work, bool ok, const zval *answers)
{
	zval *answer;

	if (!ok || Z_TYPE_P(answers) != IS_ARRAY) {
		return php_bloom_redis_failed_with(work->self, "NOSCRIPT", NULL);
	}
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(answers), answer) {
		if ((Z_TYPE_P(answer) == IS_OBJECT || Z_TYPE_P(answer) == IS_FALSE) &&
			php_bloom_redis_failed_with(work->self, "NOSCRIPT", answer)) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

static bool read_in_pipeline(const reading *work)
{
	zval answers;
	bool ok;

	ZVAL_UNDEF(&answers);
	ok = send_pipeline(work, &answers);
	/* A server does not know the script before the first call, or after a restart. */
	if (has_unknown_script(work, ok, &answers)) {
		ok = read_each(work);
	} else {
		ok = ok && take_answers(work, &answers);
	}
	zval_ptr_dtor(&answers);
	return ok;
}

/* Copies the arguments of read(). Returns false if it throws. */
static bool copy_positions(HashTable *positions, reading *work)
{
	zend_string *journal;
	zval *text;

	ZEND_HASH_FOREACH_STR_KEY_VAL(positions, journal, text) {
		if (!php_bloom_position_take(journal, text, &work->sources[work->count].position)) {
			return false;
		}
		work->sources[work->count++].journal = zend_string_copy(journal);
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

ZEND_METHOD(Bloom_RedisStore, read)
{
	reading work = {.self = Z_OBJ_P(ZEND_THIS)};
	HashTable *positions;
	uint32_t count, i;
	bool ok;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_ARRAY_HT(positions)
		Z_PARAM_LONG(work.limit)
	ZEND_PARSE_PARAMETERS_END();

	array_init(return_value);
	work.limit = work.limit > 0 ? work.limit : 1;
	work.found = Z_ARRVAL_P(return_value);
	count = zend_hash_num_elements(positions);
	work.sources = safe_emalloc(count, sizeof *work.sources, 1);
	ok = copy_positions(positions, &work);
	if (ok && count > 1 && php_bloom_redis_has_pipeline(work.self)) {
		ok = read_in_pipeline(&work);
	} else {
		ok = ok && EG(exception) == NULL && read_each(&work);
	}
	for (i = 0; i < work.count; i++) {
		zend_string_release(work.sources[i].journal);
	}
	efree(work.sources);
	if (!ok) {
		RETURN_THROWS();
	}
}
