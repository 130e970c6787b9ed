#include "php/tail.h"

#include <math.h>
#include <string.h>

#include <zend_exceptions.h>

#include "os/clock.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/store.h"

enum { READ_BYTES = 1 << 20 };

/* ---- one answer ---- */

/* The records that a read() returned for one filter. */
typedef struct answer {
	php_bloom_tail *tail;
	const bloom_segment *segment;
	bloom_mark mark; /* the end of the records that were added */
	/* Another process may have advanced the additions while the store was asked. Its records
	 * are added again, but not counted again. */
	uint64_t counted;
	uint64_t records;
	uint64_t bytes;
} answer;

/* Takes the position that the store gives for the end of a record. */
static bloom_status take_position(
	answer *work, const zend_string *text, const bloom_mark *after, bloom_error *error)
{
	bloom_mark position;

	if (text == NULL ||
		bloom_mark_parse(ZSTR_VAL(text), ZSTR_LEN(text), &position, NULL) != BLOOM_OK ||
		position.epoch != work->mark.epoch || position.offset <= work->mark.offset ||
		memcmp(position.check, after->check, sizeof position.check) != 0) {
		return bloom_fail(error, BLOOM_E_POSITION, 0, "%.128s:journal: %.80s",
			work->tail->name, text != NULL ? ZSTR_VAL(text) : "no position");
	}
	work->mark.offset = position.offset;
	memcpy(work->mark.check, after->check, sizeof work->mark.check);
	memcpy(work->mark.link, after->link, sizeof work->mark.link);
	return BLOOM_OK;
}

static bloom_status take_record(
	answer *work, const zend_string *position, zval *value, bloom_error *error)
{
	const char *name = work->tail->name;
	bloom_mark after = {0};
	bloom_record record;
	bloom_status status;

	ZVAL_DEREF(value);
	if (Z_TYPE_P(value) != IS_STRING) {
		return bloom_fail(error, BLOOM_E_STORE_TYPE, 0, "%.128s:journal", name);
	}
	status = bloom_record_parse((const unsigned char *)Z_STRVAL_P(value), Z_STRLEN_P(value),
		name, &work->mark, work->segment->signers, &record, &after, error);
	if (status == BLOOM_OK) {
		status = bloom_record_check_kind(&record, name, error);
	}
	if (status == BLOOM_OK) {
		status = take_position(work, position, &after, error);
	}
	if (status == BLOOM_OK) {
		status = bloom_additions_add(work->tail->live, work->segment, name, &record, error);
	}
	if (status == BLOOM_OK) {
		/* After the end of the journal, the published version is the one to serve, too. */
		work->tail->has_version |=
			record.kind == BLOOM_RECORD_VERSION || record.kind == BLOOM_RECORD_END;
		work->records += work->mark.offset > work->counted;
		work->bytes += Z_STRLEN_P(value);
	}
	return status;
}

/* Adds the records to the additions and advances their reach. Userland does not run here. */
static void take_answer(answer *work, HashTable *records, uint64_t asked_ms)
{
	php_bloom_tail *tail = work->tail;
	bloom_status status = BLOOM_OK;
	zend_string *position;
	bloom_error error = {0};
	zval *value;

	ZEND_HASH_FOREACH_STR_KEY_VAL(records, position, value) {
		status = take_record(work, position, value, &error);
		if (status != BLOOM_OK) {
			break;
		}
	}
	ZEND_HASH_FOREACH_END();
	tail->is_done = status != BLOOM_OK || work->bytes < READ_BYTES;
	tail->failed = error;
	tail->failed.status = status;
	/* asked_ms is the time before the store was asked: a record that was appended since then
	 * may be missing from the answer. */
	status = bloom_additions_advance(tail->live, work->segment, tail->name, &work->mark,
		tail->is_done && status == BLOOM_OK ? asked_ms : 0, work->records, &error);
	if (status != BLOOM_OK && tail->failed.status == BLOOM_OK) {
		tail->is_done = true;
		tail->failed = error;
	}
}

/* ---- all answers ---- */

/* Returns the key of a filter's journal. */
static zend_string *journal_key(const char *name)
{
	return strpprintf(0, "%s:journal", name);
}

/* Sets the map of journals to the positions from which to read. Returns the number of journals. */
static uint32_t make_positions(php_bloom_tail *tails, size_t count, zval *positions)
{
	char text[BLOOM_POSITION_TEXT_BYTES];
	zend_string *key;
	zval value;
	size_t i;

	array_init(positions);
	for (i = 0; i < count; i++) {
		if (!tails[i].is_done) {
			tails[i].asked = bloom_additions_reach(tails[i].live).mark;
			ZVAL_STRINGL(&value, text, bloom_mark_position(&tails[i].asked, text));
			key = journal_key(tails[i].name);
			zend_hash_update(Z_ARRVAL_P(positions), key, &value);
			zend_string_release(key);
		}
	}
	return zend_hash_num_elements(Z_ARRVAL_P(positions));
}

/* Takes the answer for one filter. Returns false if it throws. */
static bool take_one(
	const bloom_segment *segment, php_bloom_tail *tail, const zval *answers, uint64_t asked_ms)
{
	zend_string *key = journal_key(tail->name);
	zval *records = zend_hash_find(Z_ARRVAL_P(answers), key);
	answer work = {.tail = tail,
		.segment = segment,
		.mark = tail->asked,
		.counted = bloom_additions_reach(tail->live).mark.offset};
	bool ok = true;

	if (records != NULL) {
		ZVAL_DEREF(records);
	}
	if (records == NULL || Z_TYPE_P(records) == IS_NULL) {
		tail->is_lost = tail->is_done = true;
	} else if (Z_TYPE_P(records) != IS_ARRAY) {
		ok = php_bloom_store_throw(BLOOM_E_STORE_TYPE, ZSTR_VAL(key));
	} else {
		take_answer(&work, Z_ARRVAL_P(records), asked_ms);
	}
	zend_string_release(key);
	return ok;
}

/* Asks the store once for all journals that are not done. Returns false if it throws. */
static bool read_once(const bloom_segment *segment, zend_object *store, php_bloom_tail *tails,
	size_t count, const zval *positions)
{
	uint64_t asked_ms = bloom_uptime_ms();
	bool ok = true;
	zval answers;
	size_t i;

	if (!php_bloom_store_read(store, positions, READ_BYTES, &answers)) {
		return false;
	}
	for (i = 0; ok && i < count; i++) {
		ok = php_bloom_job_is_ours(tails[i].job) &&
			(tails[i].is_done || take_one(segment, &tails[i], &answers, asked_ms));
	}
	zval_ptr_dtor(&answers);
	return ok;
}

bool php_bloom_tails_read(
	const bloom_segment *segment, zend_object *store, php_bloom_tail *tails, size_t count)
{
	zval positions;
	bool ok = true;

	while (ok && make_positions(tails, count, &positions) > 0) {
		ok = read_once(segment, store, tails, count, &positions);
		zval_ptr_dtor(&positions);
	}
	if (ok) {
		zval_ptr_dtor(&positions);
	}
	return ok;
}

bool php_bloom_tail_read(const bloom_segment *segment, zend_object *store, php_bloom_tail *tail)
{
	tail->is_done = false;
	if (!php_bloom_tails_read(segment, store, tail, 1)) {
		return false;
	}
	tail->is_gone = bloom_status_group_of(tail->failed.status) == BLOOM_GROUP_RETRY;
	if (tail->failed.status != BLOOM_OK && !tail->is_gone) {
		php_bloom_throw(&tail->failed);
		return false;
	}
	return true;
}

/* ---- staging ---- */

/* Reads the journal into additions that nobody else replaces. Returns false if it throws. */
static bool read_into_stage(const bloom_segment *segment, zend_object *store, php_bloom_tail *tail)
{
	if (!php_bloom_tail_read(segment, store, tail)) {
		return false;
	}
	if (tail->is_gone) {
		php_bloom_throw(&tail->failed);
	}
	return !tail->is_gone;
}

bool php_bloom_additions_prepare(const bloom_segment *segment, zend_object *store, const char *name,
	const bloom_head *head, uint64_t keys, uint64_t max_lag_ms, php_bloom_job *job,
	bool *is_lost)
{
	bloom_error error = {0};
	php_bloom_tail tail = {.name = name, .job = job};

	*is_lost = false;
	if (!instanceof_function(store->ce, php_bloom_ce_journal_store_interface)) {
		return php_bloom_store_throw(BLOOM_E_NO_JOURNAL, name);
	}
	if (bloom_additions_stage(segment, name, head, keys, max_lag_ms, &job->added,
		    &job->additions, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	tail.live = job->additions;
	if (!read_into_stage(segment, store, &tail)) {
		return false;
	}
	if (!tail.is_lost) {
		if (bloom_additions_announce(&job->added, &error) != BLOOM_OK) {
			php_bloom_throw(&error);
			return false;
		}
		if (!read_into_stage(segment, store, &tail)) {
			return false;
		}
	}
	*is_lost = tail.is_lost;
	job->stage.additions = &job->added;
	return true;
}

bool php_bloom_max_lag(double seconds, uint32_t argument, uint64_t *max_lag_ms)
{
	if (!(seconds >= 0 && seconds <= 1e9)) {
		zend_argument_value_error(
			argument, "must be 0 (any age), or from 0.001 to 1,000,000,000 seconds");
		return false;
	}
	*max_lag_ms = (uint64_t)ceil(seconds * 1000);
	return true;
}
