#include "php/protocol/journal_follow.h"

#include <string.h>

#include <zend_exceptions.h>

#include "filter/bytes.h"
#include "os/clock.h"
#include "php/errors.h"
#include "php/protocol/journal_read.h"
#include "php/store/store.h"

enum { READ_BYTES = 1 << 20 };

/* ---- one answer ---- */

/* The records that a read() returned for one filter. */
typedef struct journal_answer {
	php_bloom_follow *follow;
	const bloom_segment *segment;
	bloom_mark mark; /* the end of the records that were added */
	uint64_t records;
	uint64_t bytes;
	bool has_own; /* the journal has the newest record of this host */
} journal_answer;

/* Takes a notice that the store has lost records. */
static bloom_status take_loss(
	journal_answer *answer, const bloom_record *record, bloom_error *error)
{
	php_bloom_follow *follow = answer->follow;
	bloom_mark lost = bloom_record_lost(record);
	size_t i;

	for (i = 0; i < sizeof follow->sought / sizeof *follow->sought; i++) {
		if (bloom_mark_is_same(&follow->sought[i], &lost)) {
			follow->found[i] = answer->mark;
		}
	}
	return bloom_additions_note_loss(
		follow->live, answer->segment, follow->name, &lost, NULL, error);
}

/* Notes which positions the journal has. */
static void look(journal_answer *answer)
{
	php_bloom_follow *follow = answer->follow;
	size_t i;

	answer->has_own |= bloom_mark_is_same(&answer->mark, &follow->asked.own);
	for (i = 0; i < sizeof follow->sought / sizeof *follow->sought; i++) {
		follow->passed[i] |= bloom_mark_is_same(&answer->mark, &follow->sought[i]);
	}
}

/* Returns whether a record means that the head must be read: it is the notice of a version other
 * than follow->own, or the end of the journal. */
static bool is_news(const php_bloom_follow *follow, const bloom_record *record)
{
	if (record->kind == BLOOM_RECORD_VERSION) {
		return follow->own == 0 || record->payload_bytes < 8 ||
			bloom_get64(record->payload) != follow->own;
	}
	return record->kind == BLOOM_RECORD_END;
}

static bloom_status take_record(
	journal_answer *answer, const zend_string *position, zval *value, bloom_error *error)
{
	const char *name = answer->follow->name;
	bloom_record record;
	bloom_status status = php_bloom_journal_check(
		position, value, name, answer->segment->signers, &answer->mark, &record, error);

	if (status == BLOOM_OK) {
		status = record.kind == BLOOM_RECORD_LOSS
			? take_loss(answer, &record, error)
			: bloom_additions_add(
				  answer->follow->live, answer->segment, name, &record, error);
	}
	if (status == BLOOM_OK) {
		look(answer);
		answer->follow->has_version |= is_news(answer->follow, &record);
		answer->records++;
		ZVAL_DEREF(value);
		answer->bytes += Z_STRLEN_P(value);
	}
	return status;
}

/* Returns whether the journal has lost the newest record of this host: the records that were read
 * go beyond its end, or to the journal's end, but do not include it. append() had returned before
 * the store was asked. */
static bool lacks_own(const journal_answer *answer)
{
	const bloom_mark *own = &answer->follow->asked.own;

	return own->epoch != 0 && !answer->has_own &&
		(answer->follow->is_done || answer->mark.offset >= own->offset);
}

/* Forgets the newest record of this host if its process has noted it only after the store was
 * asked, and the read position has passed it. Otherwise the journal would seem to have lost it. */
static bloom_status pass_own(const journal_answer *answer, HashTable *records, bloom_error *error)
{
	const php_bloom_follow *follow = answer->follow;
	bloom_read_to now = bloom_additions_read_to(follow->live);
	char text[BLOOM_POSITION_TEXT_BYTES];

	if (now.own.epoch == 0 || !bloom_mark_reaches(&answer->mark, &now.own) ||
		!zend_hash_str_exists(records, text, bloom_mark_position(&now.own, text))) {
		return BLOOM_OK;
	}
	return bloom_additions_advance(follow->live, answer->segment, follow->name, &now.mark,
		&now.mark, 0, 0, &now.own, error);
}

/* Adds the records to the additions and advances their read position. Userland does not run
 * here. */
static void take_answer(journal_answer *answer, HashTable *records, uint64_t asked_ms)
{
	php_bloom_follow *follow = answer->follow;
	bloom_status status = BLOOM_OK;
	zend_string *position;
	bloom_error error = {0};
	zval *value;

	ZEND_HASH_FOREACH_STR_KEY_VAL(records, position, value) {
		status = take_record(answer, position, value, &error);
		if (status != BLOOM_OK) {
			break;
		}
	}
	ZEND_HASH_FOREACH_END();
	follow->is_done = status != BLOOM_OK || answer->bytes < READ_BYTES;
	follow->failed = error;
	follow->failed.status = status;
	follow->is_lost = status == BLOOM_OK && lacks_own(answer);
	follow->is_done |= follow->is_lost;
	/* asked_ms is the time before the store was asked: a record that was appended since then
	 * may be missing from the answer. */
	status = bloom_additions_advance(follow->live, answer->segment, follow->name,
		&follow->asked.mark, &answer->mark,
		follow->is_done && !follow->is_lost && status == BLOOM_OK ? asked_ms : 0,
		answer->records, answer->has_own ? &follow->asked.own : NULL, &error);
	if (status == BLOOM_OK) {
		status = pass_own(answer, records, &error);
	}
	if (status != BLOOM_OK && follow->failed.status == BLOOM_OK) {
		follow->is_done = true;
		follow->failed = error;
	}
}

/* ---- all answers ---- */

/* Sets the map of journals to the positions from which to read. Returns the number of journals. */
static uint32_t make_positions(php_bloom_follow *follows, size_t count, zval *positions)
{
	size_t i;

	array_init(positions);
	for (i = 0; i < count; i++) {
		if (!follows[i].is_done) {
			follows[i].asked = bloom_additions_read_to(follows[i].live);
			php_bloom_journal_want(positions, follows[i].name, &follows[i].asked.mark);
		}
	}
	return zend_hash_num_elements(Z_ARRVAL_P(positions));
}

static bool take_one(const bloom_segment *segment, php_bloom_follow *follow, const zval *answers,
	uint64_t asked_ms)
{
	journal_answer answer = {.follow = follow, .segment = segment, .mark = follow->asked.mark};
	HashTable *records;

	if (!php_bloom_journal_records(answers, follow->name, &records)) {
		return false;
	}
	if (records == NULL) {
		follow->is_lost = follow->is_done = true;
	} else {
		take_answer(&answer, records, asked_ms);
	}
	return true;
}

/* Asks the store once for all journals that are not done. */
static bool read_once(const bloom_segment *segment, zend_object *store, php_bloom_follow *follows,
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
		ok = php_bloom_job_is_ours(follows[i].job) &&
			(follows[i].is_done || take_one(segment, &follows[i], &answers, asked_ms));
	}
	zval_ptr_dtor(&answers);
	return ok;
}

bool php_bloom_follow_all(
	const bloom_segment *segment, zend_object *store, php_bloom_follow *follows, size_t count)
{
	zval positions;
	bool ok = true;

	while (ok && make_positions(follows, count, &positions) > 0) {
		ok = read_once(segment, store, follows, count, &positions);
		zval_ptr_dtor(&positions);
	}
	if (ok) {
		zval_ptr_dtor(&positions);
	}
	return ok;
}

bool php_bloom_follow_one(
	const bloom_segment *segment, zend_object *store, php_bloom_follow *follow)
{
	follow->is_done = false;
	if (!php_bloom_follow_all(segment, store, follow, 1)) {
		return false;
	}
	follow->is_gone = bloom_status_group_of(follow->failed.status) == BLOOM_GROUP_RETRY;
	if (follow->failed.status != BLOOM_OK && !follow->is_gone) {
		php_bloom_throw(&follow->failed);
		return false;
	}
	return true;
}
