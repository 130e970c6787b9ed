#include "php/protocol/journal_end.h"

#include <string.h>

#include "filter/journal_mark.h"
#include "filter/journal_record.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/protocol/journal_notice.h"
#include "php/keyrings.h"
#include "php/protocol/journal_read.h"

enum { READ_BYTES = 1 << 20 };

/* The comparison of a blob with the keys of a journal. */
typedef struct comparing {
	const php_bloom_ending *ending;
	const bloom_hasher *hasher;
	bloom_mark at;    /* the records up to here have been compared */
	uint64_t bytes;   /* in the last answer */
	uint64_t missing; /* keys that the blob lacks */
} comparing;

static bool is_journal_store(const php_bloom_ending *ending)
{
	return instanceof_function(ending->store->ce, php_bloom_ce_journal_store_interface);
}

/* Counts the keys of a record that the blob lacks. */
static bool compare_record(comparing *compare, const zend_string *position, zval *value)
{
	const unsigned char *key;
	uint64_t at = 0, count;
	bloom_error error = {0};
	bloom_record record;

	if (php_bloom_journal_check(position, value, compare->ending->name, php_bloom_signers(),
		    &compare->at, &record, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	while (record.kind == BLOOM_RECORD_KEYS && bloom_record_next(&record, &at, &key, &count)) {
		compare->missing += !php_bloom_blob_test(
			compare->ending->blob, compare->hasher, key, (size_t)count);
	}
	ZVAL_DEREF(value);
	compare->bytes += Z_STRLEN_P(value);
	return true;
}

/* Compares the records of one answer.
 *
 *   *is_lost  whether the journal does not continue from the position */
static bool compare_answer(comparing *compare, const zval *answers, bool *is_lost)
{
	HashTable *records;
	zend_string *position;
	zval *value;

	if (!php_bloom_journal_records(answers, compare->ending->name, &records)) {
		return false;
	}
	*is_lost = records == NULL;
	if (*is_lost) {
		return true;
	}
	ZEND_HASH_FOREACH_STR_KEY_VAL(records, position, value) {
		if (!compare_record(compare, position, value)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* Reads some records after the position and compares them. */
static bool compare_next(comparing *compare, bool *is_lost)
{
	zval positions, answers;
	bool ok;

	compare->bytes = 0;
	array_init(&positions);
	php_bloom_journal_want(&positions, compare->ending->name, &compare->at);
	ok = php_bloom_store_read(compare->ending->store, &positions, READ_BYTES, &answers);
	if (ok) {
		ok = compare_answer(compare, &answers, is_lost);
		zval_ptr_dtor(&answers);
	}
	zval_ptr_dtor(&positions);
	return ok;
}

/* Throws if the blob lacks a key that was added after the mark of the version that hosts follow, or
 * after the beginning of the journal. */
static bool has_keys(const php_bloom_ending *ending, const bloom_mark *from)
{
	comparing compare = {.ending = ending, .at = *from};
	char subject[BLOOM_NAME_BYTES_MAX + 64];
	bool is_lost = false;

	compare.hasher = php_bloom_blob_hasher(ending->blob);
	if (compare.hasher == NULL) {
		return false;
	}
	do {
		if (!compare_next(&compare, &is_lost)) {
			return false;
		}
	} while (!is_lost && compare.bytes >= READ_BYTES);
	if (!is_lost && compare.missing == 0) {
		return true;
	}
	(void)snprintf(subject, sizeof subject,
		is_lost ? "%s: its records cannot be compared" : "%s: %llu of them", ending->name,
		(unsigned long long)compare.missing);
	return php_bloom_store_throw(BLOOM_E_BLOB_LACKS, subject);
}

/* Returns the mark of a version that hosts serve, or one without an epoch. */
static bloom_mark followed(const php_bloom_heads *before)
{
	bloom_mark mark = {0};

	if (before->current.found.bytes != NULL) {
		mark = before->current.found.head.meta.mark;
	}
	if (mark.epoch == 0 && before->override.bytes != NULL) {
		mark = before->override.override.head.meta.mark;
	}
	return mark;
}

bool php_bloom_ending_check(
	php_bloom_ending *ending, const php_bloom_heads *before, php_bloom_journal_state *state)
{
	*state = (php_bloom_journal_state){0};
	if (ending->blob->head.meta.mark.epoch != 0 || !is_journal_store(ending)) {
		return true;
	}
	if (!php_bloom_journal_look(ending->store, ending->name, state)) {
		return false;
	}
	ending->follows = followed(before).epoch != 0;
	return ending->may_end ||
		!(state->is_open || (ending->follows && state->last_kind != BLOOM_RECORD_END)) ||
		php_bloom_store_throw(BLOOM_E_MARK_REQUIRED, ending->name);
}

bool php_bloom_ending_begin(php_bloom_ending *ending, const php_bloom_heads *before)
{
	const bloom_head *head = &ending->blob->head;
	bloom_mark from = followed(before);
	php_bloom_journal_state state;
	bool follows, has_ended, is_suspect;

	if (!php_bloom_ending_check(ending, before, &state)) {
		return false;
	}
	follows = from.epoch == state.end.epoch;
	has_ended = state.last_kind == BLOOM_RECORD_END;
	/* A refused publish leaves an ended journal that hosts still follow. The next blob must not
	 * have been built before that. */
	is_suspect = has_ended &&
		(state.ended_by == head->checksum ||
			(follows && head->meta.built_ms <= state.ended_ms));
	if (!state.is_open && !is_suspect) {
		return true;
	}
	if (!follows) {
		from = (bloom_mark){.epoch = state.end.epoch};
	}
	return (has_ended || php_bloom_journal_notice(ending->store, ending->name, head)) &&
		has_keys(ending, &from);
}

bool php_bloom_ending_finish(const php_bloom_ending *ending, bool *is_followed_by_none)
{
	php_bloom_journal_state state = {0};

	*is_followed_by_none = false;
	if (ending->blob->head.meta.mark.epoch != 0 || !is_journal_store(ending)) {
		return true;
	}
	if (!php_bloom_journal_look(ending->store, ending->name, &state)) {
		return false;
	}
	*is_followed_by_none = state.is_open;
	return !(ending->follows || ending->may_end) ||
		php_bloom_journal_notice(ending->store, ending->name, &ending->blob->head);
}
