/* Bloom\RedisStore: the journals.
 *
 * A journal is a stream. The ID of an entry is "EPOCH-OFFSET", and its only field is the record.
 * The entry "EPOCH-0" is the anchor: it has no record and shows the epoch of an empty journal. Each
 * method sends one script (redis_script.h), which Redis runs atomically.
 *
 * Epochs are below 2^53, so that Lua's numbers are exact. Offsets count the records, so the IDs of
 * consecutive records are known. The scripts use only commands of Redis 5.0.
 */
#include "php/store/redis_journal.h"

#include <string.h>

#include "filter/journal_mark.h"
#include "php/store/client.h"
#include "php/store/redis_script.h"
#include "php/store/store.h"

/* Every script begins with these functions:
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

/* Arguments: the position of the end, or an empty string; then the records. Returns the ID of the
 * last one, or false. Only a begin or an end can follow an end, or begin a journal
 * (filter/journal_record.h).
 *
 * If a client runs it twice, the records are in the journal twice, which does no harm: keys may be
 * added again, and a second run with a position is refused. */
static const char append_script[] = PHP_BLOOM_REDIS_SCRIPT(
	COMMON "local last = newest() "
	       "if ARGV[4] ~= '' and (not last or position(last) ~= ARGV[4]) then return false end "
	       "local function kind(r) return (struct.unpack('<I4', r, 9)) end "
	       "local before, first = last and record(last) or '', kind(ARGV[5]) "
	       "if first >= 1 and first < 4 and (before == '' or kind(before) == 4) then "
	       "  return false end " OPEN "local epoch, offset = split(last[1]) "
	       "for i = 5, #ARGV do "
	       "  offset = string.format('%.0f', offset + 1) "
	       "  redis.call('XADD', key, epoch .. '-' .. offset, 'r', ARGV[i]) "
	       "end "
	       "return epoch .. '-' .. offset");

static const char last_script[] = PHP_BLOOM_REDIS_SCRIPT(
	COMMON "local last = newest() " OPEN "return {position(last), record(last)}");

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

/* Arguments: the limit in bytes, and the position in the journal of each key. Returns the records
 * of each journal, or false if one is missing between them. IDs increase, so no record is missing
 * in a range of n entries whose last ID is n higher than the position.
 *
 * The first range has few records, because each may have 1 MiB. */
static const char read_script[] = PHP_BLOOM_REDIS_SCRIPT(COMMON CURRENT
	"local limit = tonumber(ARGV[4]) "
	"local function read(from) "
	"  if not hold(from) then return false end "
	"  local epoch, offset = split(from) "
	"  local found, total, bytes, count, largest = {}, 0, 0, 2, 1 "
	"  local function id(o) return epoch .. '-' .. string.format('%.0f', o) end "
	"  while bytes < limit do "
	"    local some = redis.call('XRANGE', key, id(offset + 1), '+', 'COUNT', count) "
	"    local n = #some "
	"    if n > 0 and some[n][1] ~= id(offset + n) then return false end "
	"    for i = 1, n do "
	"      if bytes < limit then "
	"        local r = some[i][2][2] "
	"        total, bytes = total + 1, bytes + #r "
	"        found[total] = r "
	"        if #r > largest then largest = #r end "
	"      end "
	"    end "
	"    if n < count then break end "
	"    offset = offset + n "
	"    count = math.min(100, 2 * count, math.floor((limit - bytes) / largest) + 1) "
	"  end "
	"  return found "
	"end "
	"local all = {} "
	"for i = 1, #KEYS do key = KEYS[i] all[i] = read(ARGV[4 + i]) end "
	"return all");

/* IDs are consecutive, so the number of records to keep is known. (XTRIM MINID needs Redis 6.2.) */
static const char trim_script[] = PHP_BLOOM_REDIS_SCRIPT(
	COMMON "if not hold(ARGV[4]) then return 0 end "
	       "local _, from = split(ARGV[4]) "
	       "local _, to = split(newest()[1]) "
	       "return redis.call('XTRIM', key, 'MAXLEN', string.format('%.0f', to - from + 1))");

/* Journals in one script, which keeps up to the limit of each in memory */
enum { JOURNALS_MAX = 64 };

/* Adds a position without its link to a list. */
static void add_position(zval *list, const bloom_mark *position)
{
	char text[BLOOM_POSITION_TEXT_BYTES];

	add_next_index_stringl(list, text, bloom_mark_position(position, text));
}

/* ---- append(), last(), trim() ---- */

/* Makes the position after a record. Returns false if the ID of its entry, which is the answer of a
 * server, is invalid. */
static bool position_after(const zval *id, const zval *record, bloom_mark *position)
{
	zend_string *zeros;
	bool ok;

	if (Z_TYPE_P(id) != IS_STRING) {
		return false;
	}
	zeros = strpprintf(0, "%s-0000000000000000", Z_STRVAL_P(id));
	ok = bloom_mark_parse(ZSTR_VAL(zeros), ZSTR_LEN(zeros), position, NULL) == BLOOM_OK;
	zend_string_release(zeros);
	memcpy(position->check, Z_STRVAL_P(record) + Z_STRLEN_P(record) - BLOOM_CHECK_BYTES,
		BLOOM_CHECK_BYTES);
	return ok;
}

static void make_append(HashTable *records, const bloom_mark *after, zval *list)
{
	zval *record;

	array_init(list);
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
}

bool php_bloom_redis_append(zend_object *store, zend_string *journal, HashTable *records,
	const bloom_mark *after, bloom_mark *end, bool *is_refused)
{
	zval arguments, result, last;
	bool ok;

	make_append(records, after, &arguments);
	/* The client may change the caller's array, so the last record is kept. */
	ZVAL_COPY(&last,
		zend_hash_index_find(
			Z_ARRVAL(arguments), zend_hash_num_elements(Z_ARRVAL(arguments)) - 1));
	ok = php_bloom_redis_run_one(store, "XADD", append_script, journal, &arguments, &result);
	if (ok) {
		*is_refused = Z_TYPE(result) == IS_NULL || Z_TYPE(result) == IS_FALSE;
		ok = *is_refused || position_after(&result, &last, end);
		if (!ok) {
			php_bloom_redis_throw_type("XADD", &result);
		}
		zval_ptr_dtor(&result);
	}
	zval_ptr_dtor(&last);
	return ok;
}

bool php_bloom_redis_last(zend_object *store, zend_string *journal, zval *answer)
{
	if (!php_bloom_redis_run_one(store, "XREVRANGE", last_script, journal, NULL, answer)) {
		return false;
	}
	if (Z_TYPE_P(answer) == IS_ARRAY) {
		return true;
	}
	php_bloom_redis_throw_type("XREVRANGE", answer);
	zval_ptr_dtor(answer);
	ZVAL_NULL(answer);
	return false;
}

bool php_bloom_redis_trim(zend_object *store, zend_string *journal, const bloom_mark *position)
{
	zend_long removed;
	zval arguments;

	array_init(&arguments);
	add_position(&arguments, position);
	return php_bloom_redis_run_number(
		store, "XTRIM", trim_script, journal, &arguments, &removed);
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

/* Journals to read with one script. */
typedef struct reading {
	const zval *journals;
	const bloom_mark *positions;
	uint32_t count;
	size_t limit;
} reading;

/* Adds the records of each journal to `to`. */
static bool take_records(const reading *part, const zval *result, zval *to)
{
	zval *one, records;
	uint32_t i;

	for (i = 0; i < part->count; i++) {
		one = Z_TYPE_P(result) == IS_ARRAY ? zend_hash_index_find(Z_ARRVAL_P(result), i)
						   : NULL;
		ZVAL_NULL(&records);
		if (one != NULL && Z_TYPE_P(one) == IS_ARRAY) {
			array_init(&records);
		}
		if (one == NULL ||
			(Z_TYPE_P(one) == IS_ARRAY
					? !add_records(
						  Z_ARRVAL_P(one), &part->positions[i], &records)
					: Z_TYPE_P(one) != IS_FALSE && Z_TYPE_P(one) != IS_NULL)) {
			zval_ptr_dtor(&records);
			php_bloom_redis_throw_type("XRANGE", one != NULL ? one : result);
			return false;
		}
		zend_hash_update(Z_ARRVAL_P(to), Z_STR(part->journals[i]), &records);
	}
	return true;
}

static bool read_part(zend_object *store, const reading *part, const zval *full, zval *to)
{
	zval arguments, result;
	uint32_t i;
	bool ok;

	array_init(&arguments);
	add_next_index_str(&arguments, zend_long_to_str((zend_long)part->limit));
	for (i = 0; i < part->count; i++) {
		add_position(&arguments, &part->positions[i]);
	}
	ok = php_bloom_redis_run(
		store, "XRANGE", read_script, full, part->count, &arguments, &result);
	zval_ptr_dtor(&arguments);
	if (ok) {
		ok = take_records(part, &result, to);
		zval_ptr_dtor(&result);
	}
	return ok;
}

bool php_bloom_redis_read(zend_object *store, const zval *journals, const bloom_mark *positions,
	uint32_t count, size_t limit, zval *answer)
{
	uint32_t most = count > 0 ? php_bloom_redis_keys_max(store) : 1, done, left;
	bool ok = most > 0;
	reading part;
	zval full;

	php_bloom_client_keys(store, journals, count, &full);
	most = most < JOURNALS_MAX ? most : JOURNALS_MAX;
	for (done = 0; ok && done < count; done += part.count) {
		left = count - done;
		part = (reading){.journals = journals + done,
			.positions = positions + done,
			.count = left < most ? left : most,
			.limit = limit};
		ok = read_part(store, &part, Z_ARRVAL(full)->arPacked + done, answer);
	}
	zval_ptr_dtor(&full);
	return ok;
}
