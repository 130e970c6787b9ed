#include "php/protocol/journal_follow.h"

#include <math.h>
#include <string.h>

#include <zend_exceptions.h>

#include "filter/bytes.h"
#include "os/clock.h"
#include "os/process.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/protocol/journal.h"
#include "php/store/store.h"
#include "segment/sync_due.h"

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

/* Takes the position that the store gives for the end of a record. */
static bloom_status take_position(journal_answer *answer, const zend_string *text,
	const bloom_mark *after, bloom_error *error)
{
	bloom_mark position;

	if (text == NULL ||
		bloom_mark_parse(ZSTR_VAL(text), ZSTR_LEN(text), &position, NULL) != BLOOM_OK ||
		position.epoch != answer->mark.epoch || position.offset <= answer->mark.offset ||
		memcmp(position.check, after->check, sizeof position.check) != 0) {
		return bloom_fail(error, BLOOM_E_POSITION, 0, "%.128s:journal: %.80s",
			answer->follow->name, text != NULL ? ZSTR_VAL(text) : "no position");
	}
	answer->mark.offset = position.offset;
	memcpy(answer->mark.check, after->check, sizeof answer->mark.check);
	memcpy(answer->mark.link, after->link, sizeof answer->mark.link);
	return BLOOM_OK;
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
	bloom_mark after = {0};
	bloom_record record;
	bloom_status status;

	ZVAL_DEREF(value);
	if (Z_TYPE_P(value) != IS_STRING) {
		return bloom_fail(error, BLOOM_E_STORE_TYPE, 0, "%.128s:journal", name);
	}
	status = bloom_record_parse((const unsigned char *)Z_STRVAL_P(value), Z_STRLEN_P(value),
		name, &answer->mark, answer->segment->signers, &record, &after, error);
	if (status == BLOOM_OK) {
		status = bloom_record_check_kind(&record, name, error);
	}
	if (status == BLOOM_OK) {
		status = take_position(answer, position, &after, error);
	}
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

/* Returns the key of a filter's journal. */
static zend_string *journal_key(const char *name)
{
	return strpprintf(0, "%s:journal", name);
}

/* Sets the map of journals to the positions from which to read. Returns the number of journals. */
static uint32_t make_positions(php_bloom_follow *follows, size_t count, zval *positions)
{
	char text[BLOOM_POSITION_TEXT_BYTES];
	zend_string *key;
	zval value;
	size_t i;

	array_init(positions);
	for (i = 0; i < count; i++) {
		if (!follows[i].is_done) {
			follows[i].asked = bloom_additions_read_to(follows[i].live);
			ZVAL_STRINGL(
				&value, text, bloom_mark_position(&follows[i].asked.mark, text));
			key = journal_key(follows[i].name);
			zend_hash_update(Z_ARRVAL_P(positions), key, &value);
			zend_string_release(key);
		}
	}
	return zend_hash_num_elements(Z_ARRVAL_P(positions));
}

static bool take_one(const bloom_segment *segment, php_bloom_follow *follow, const zval *answers,
	uint64_t asked_ms)
{
	zend_string *key = journal_key(follow->name);
	zval *records = zend_hash_find(Z_ARRVAL_P(answers), key);
	journal_answer answer = {.follow = follow, .segment = segment, .mark = follow->asked.mark};
	bool ok = true;

	if (records != NULL) {
		ZVAL_DEREF(records);
	}
	if (records == NULL || Z_TYPE_P(records) == IS_NULL) {
		follow->is_lost = follow->is_done = true;
	} else if (Z_TYPE_P(records) != IS_ARRAY) {
		ok = php_bloom_store_throw(BLOOM_E_STORE_TYPE, ZSTR_VAL(key));
	} else {
		take_answer(&answer, Z_ARRVAL_P(records), asked_ms);
	}
	zend_string_release(key);
	return ok;
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

/* ---- staging ---- */

/* Reads the journal into additions that nobody else replaces. */
static bool read_into_stage(
	const bloom_segment *segment, zend_object *store, php_bloom_follow *follow)
{
	if (!php_bloom_follow_one(segment, store, follow)) {
		return false;
	}
	if (follow->is_gone) {
		php_bloom_throw(&follow->failed);
	}
	return !follow->is_gone;
}

/* Staging additions. */
typedef struct preparing {
	const bloom_segment *segment;
	zend_object *store;
	const char *name;
	const bloom_head *head;
	uint64_t keys;
	php_bloom_job *job;
	php_bloom_follow follow; /* of the staged additions */
	bool copies;             /* they are staged like the served ones, whose keys are copied */
	bool must_copy;
	bool only_tells;    /* nothing will be served */
	bool is_awaited[2]; /* the last read should pass the positions in follow.sought */
} preparing;

/* Throws a failure of the core. Always returns false. */
static bool fail(const bloom_error *error)
{
	php_bloom_throw(error);
	return false;
}

/* Stages additions like the served ones, if their keys will be copied. */
static bool stage(preparing *prepare)
{
	php_bloom_job *job = prepare->job;
	bloom_error error = {0};
	bloom_read_to known;

	bloom_live_free(job->additions);
	job->additions = NULL;
	bloom_stage_abort(&job->added);
	bloom_live_free(job->before);
	bloom_additions_served(prepare->segment, prepare->name, &job->before);
	prepare->copies = job->before != NULL && bloom_additions_fits(job->before, prepare->head) &&
		(prepare->must_copy ||
			bloom_additions_is_of(job->before, &prepare->head->meta.mark));
	if (bloom_additions_stage(prepare->segment, prepare->name, prepare->head, prepare->keys,
		    prepare->copies ? job->before : NULL, &job->added, &job->additions,
		    &error) != BLOOM_OK) {
		return fail(&error);
	}
	prepare->follow = (php_bloom_follow){.name = prepare->name,
		.live = job->additions,
		.job = job,
		.own = prepare->head->checksum};
	if (job->before == NULL) {
		return true;
	}
	known = bloom_additions_read_to(job->before);
	prepare->follow.sought[0] = known.mark;
	prepare->follow.sought[1] = known.own;
	/* A blob with a later mark was built after the loss. */
	return known.untold.epoch == 0 || known.untold.epoch != prepare->head->meta.mark.epoch ||
		prepare->head->meta.mark.offset > known.untold_end ||
		bloom_additions_note_untold(job->additions, prepare->segment, prepare->name,
			&known.untold, known.untold_end, &error) == BLOOM_OK ||
		fail(&error);
}

/* Asks the store whether the journal has a position. */
static bool ask(const preparing *prepare, const bloom_mark *position, bool *has)
{
	char text[BLOOM_POSITION_TEXT_BYTES];
	zend_string *key = journal_key(prepare->name);
	zval positions, answers, value, *records;
	bool ok;

	array_init(&positions);
	ZVAL_STRINGL(&value, text, bloom_mark_position(position, text));
	zend_hash_update(Z_ARRVAL(positions), key, &value);
	ok = php_bloom_store_read(prepare->store, &positions, 1, &answers);
	zval_ptr_dtor(&positions);
	if (ok) {
		records = zend_hash_find_deref(Z_ARRVAL(answers), key);
		*has = records != NULL && Z_TYPE_P(records) != IS_NULL;
		zval_ptr_dtor(&answers);
		ok = php_bloom_job_is_ours(prepare->job);
	}
	zend_string_release(key);
	return ok;
}

/* Clears an exception of the store: a host that cannot append, or not even ask for the journal's
 * end, cannot tell other hosts of a loss now, but it can load versions. Returns false if any other
 * exception is pending. */
static bool clear_store_failure(void)
{
	if (EG(exception) != NULL && instanceof_function(EG(exception)->ce, php_bloom_ce_Store)) {
		zend_clear_exception();
	}
	return EG(exception) == NULL;
}

/* What has become of the notice of a loss. */
typedef enum telling {
	HAS_POSITION, /* the journal has the position after all */
	REFUSED,      /* the journal ends elsewhere */
	TOLD,
	FAILED, /* the store has failed */
} telling;

/* Appends the notice of a loss to the journal, if the journal still lacks the position.
 *
 *   *end  the end of the journal that shows the loss, with its link. If the notice has been
 *         appended, set to its end */
static bool append_notice(
	const preparing *prepare, const bloom_mark *lost, bloom_mark *end, telling *outcome)
{
	bool has = false, is_refused = false;

	*outcome = HAS_POSITION;
	if (!ask(prepare, lost, &has) || has) {
		return has && EG(exception) == NULL;
	}
	*outcome = TOLD;
	if (!php_bloom_journal_loss(prepare->store, prepare->name, lost, end, &is_refused)) {
		*outcome = FAILED;
		if (!clear_store_failure()) {
			return false;
		}
	} else if (is_refused) {
		*outcome = REFUSED;
	}
	return php_bloom_job_is_ours(prepare->job);
}

/* Handles a position of the served additions that the journal lacks: tells other hosts, unless one
 * has told them. The staged additions have been read up to the journal's end, and the append
 * succeeds only if this is the end where the journal is written. So neither a lagging replica nor
 * one wrong answer can prove a loss.
 *
 *   i  the index in prepare->follow.sought */
static bool tell_loss(preparing *prepare, const bloom_mark *lost, size_t i)
{
	enum { TRIES_MAX = 100 };
	php_bloom_job *job = prepare->job;
	telling outcome = REFUSED;
	bloom_error error = {0};
	bloom_mark end, before = {0};
	int round;

	for (round = 0; outcome < TOLD && round < TRIES_MAX; round++) {
		if (round > 0 &&
			!read_into_stage(prepare->segment, prepare->store, &prepare->follow)) {
			return false;
		}
		if (prepare->follow.passed[i]) {
			return true; /* a replica had lagged behind it */
		}
		if (bloom_mark_is_same(&prepare->follow.sought[i], lost) &&
			prepare->follow.found[i].epoch != 0) {
			end = prepare->follow.found[i]; /* another host was faster */
			break;
		}
		end = bloom_additions_read_to(job->additions).mark;
		if (bloom_mark_is_same(&end, &before)) {
			break; /* nobody follows a journal that has ended */
		}
		before = end;
		if (!append_notice(prepare, lost, &end, &outcome)) {
			return false;
		}
	}
	if (round == TRIES_MAX && outcome < TOLD) {
		return php_bloom_store_throw(BLOOM_E_OVERTAKEN, prepare->name);
	}
	return (bloom_additions_note_loss(job->before, prepare->segment, prepare->name, lost,
			outcome == FAILED ? NULL : &end, &error) == BLOOM_OK &&
		       bloom_additions_note_loss(job->additions, prepare->segment, prepare->name,
			       lost, NULL, &error) == BLOOM_OK &&
		       (outcome != FAILED ||
			       bloom_additions_note_untold(job->additions, prepare->segment,
				       prepare->name, lost, end.offset, &error) == BLOOM_OK)) ||
		fail(&error);
}

/* Compares a position of the served additions with the journal.
 *
 *   *is_kept  true: all records up to the position are in the blob, or will be read. Otherwise the
 *             served additions must be copied */
static bool compare(preparing *prepare, const bloom_read_to *known, const bloom_mark *position,
	size_t i, bool *is_kept)
{
	const bloom_mark *mark = &prepare->head->meta.mark;
	bloom_read_to read_to;

	*is_kept = true;
	prepare->is_awaited[i] = false;
	if (position->epoch == 0 || bloom_mark_reaches(mark, position) ||
		(known->notice.epoch != 0 && bloom_mark_reaches(mark, &known->notice))) {
		return true;
	}
	if (position->epoch != mark->epoch) {
		/* The journal was created again. A mark in the new one was taken after the loss. */
		*is_kept = false;
		return true;
	}
	if (prepare->follow.passed[i] && bloom_mark_is_same(&prepare->follow.sought[i], position)) {
		return true;
	}
	if (!bloom_mark_is_same(&prepare->follow.sought[i], position)) {
		prepare->follow.sought[i] = *position;
		prepare->follow.found[i] = (bloom_mark){0};
		read_to = bloom_additions_read_to(prepare->job->additions);
		prepare->follow.passed[i] = bloom_mark_is_same(&read_to.mark, position);
	}
	if (!ask(prepare, position, is_kept)) {
		return false;
	}
	prepare->is_awaited[i] = *is_kept;
	return *is_kept || tell_loss(prepare, position, i);
}

/* Returns whether the last read has missed a position that the journal had just before. The store
 * may have lost it in between. */
static bool has_missed(const preparing *prepare)
{
	return (prepare->is_awaited[0] && !prepare->follow.passed[0]) ||
		(prepare->is_awaited[1] && !prepare->follow.passed[1]);
}

/* Decides whether the served additions must be copied. */
static bool compare_served(preparing *prepare)
{
	bool keeps_mark = true, keeps_own = true;
	bloom_read_to known;

	if (prepare->job->before == NULL) {
		return true;
	}
	known = bloom_additions_read_to(prepare->job->before);
	if (!compare(prepare, &known, &known.mark, 0, &keeps_mark) ||
		!compare(prepare, &known, &known.own, 1, &keeps_own)) {
		return false;
	}
	prepare->must_copy = !keeps_mark || !keeps_own;
	return true;
}

/* Handles a journal that does not continue from the blob's mark. If it also ends before the read
 * position of the served additions, records were lost, and other hosts may serve an earlier
 * version. Otherwise it may have been trimmed. */
static bool tell_shortened(preparing *prepare)
{
	php_bloom_job *job = prepare->job;
	php_bloom_journal_state state;
	zend_string *record = NULL;
	bloom_error error = {0};
	bloom_read_to known;
	bloom_mark end, lost;
	telling outcome;

	if (job->before == NULL) {
		return true;
	}
	known = bloom_additions_read_to(job->before);
	lost = known.own.epoch != 0 ? known.own : known.mark;
	if (known.notice.epoch != 0) {
		return true;
	}
	/* last() would create a missing journal. */
	if (!php_bloom_journal_look(prepare->store, prepare->name, &state) ||
		state.end.epoch != lost.epoch || state.end.offset >= lost.offset ||
		!php_bloom_store_last(prepare->store, prepare->name, &end, &record)) {
		return clear_store_failure() && php_bloom_job_is_ours(job);
	}
	bloom_record_link((unsigned char *)ZSTR_VAL(record), ZSTR_LEN(record), end.link);
	zend_string_release(record);
	if (!php_bloom_job_is_ours(job)) {
		return false;
	}
	if (end.epoch != lost.epoch || end.offset >= lost.offset) {
		return true;
	}
	if (!append_notice(prepare, &lost, &end, &outcome)) {
		return false;
	}
	return outcome < TOLD ||
		bloom_additions_note_loss(job->before, prepare->segment, prepare->name, &lost,
			outcome == FAILED ? NULL : &end, &error) == BLOOM_OK ||
		fail(&error);
}

static bool prepare_once(preparing *prepare)
{
	enum { ROUNDS_MAX = 3 };
	php_bloom_job *job = prepare->job;
	bloom_error error = {0};
	int round = 0;

	if (!stage(prepare) ||
		!read_into_stage(prepare->segment, prepare->store, &prepare->follow)) {
		return false;
	}
	if (prepare->follow.is_lost) {
		return tell_shortened(prepare);
	}
	if (bloom_additions_announce(&job->added, &error) != BLOOM_OK) {
		return fail(&error);
	}
	do {
		if (!compare_served(prepare) ||
			!read_into_stage(prepare->segment, prepare->store, &prepare->follow)) {
			return false;
		}
	} while (has_missed(prepare) && ++round < ROUNDS_MAX);
	prepare->must_copy |= has_missed(prepare);
	return prepare->only_tells || !prepare->copies ||
		bloom_additions_copy(job->additions, prepare->segment, prepare->name, job->before,
			&error) == BLOOM_OK ||
		fail(&error);
}

/* Copies the maximum lag of the served additions, and asks for the caller's. Staging may have taken
 * minutes, so this comes last. */
static bool keep_max_lag(const preparing *prepare, uint64_t max_lag_ms)
{
	php_bloom_job *job = prepare->job;
	bloom_error error = {0};

	if (job->before != NULL) {
		bloom_additions_keep_max_lag(job->additions, job->before);
	}
	return bloom_additions_ask_max_lag(job->additions, prepare->segment, prepare->name,
		       max_lag_ms, bloom_uptime_ms(), &error) == BLOOM_OK ||
		fail(&error);
}

bool php_bloom_additions_prepare(const bloom_segment *segment, zend_object *store, const char *name,
	const bloom_head *head, uint64_t keys, uint64_t max_lag_ms, php_bloom_job *job,
	bool *is_lost, bool *has_version)
{
	preparing prepare = {.segment = segment,
		.store = store,
		.name = name,
		.head = head,
		.keys = keys,
		.job = job};
	bool ok;

	*is_lost = *has_version = false;
	if (!instanceof_function(store->ce, php_bloom_ce_journal_store_interface)) {
		return php_bloom_store_throw(BLOOM_E_NO_JOURNAL, name);
	}
	ok = prepare_once(&prepare);
	if (ok && !prepare.follow.is_lost && prepare.must_copy && !prepare.copies &&
		job->before != NULL && bloom_additions_fits(job->before, head)) {
		ok = prepare_once(&prepare);
	}
	*is_lost = ok && prepare.follow.is_lost;
	*has_version = ok && prepare.follow.has_version;
	job->stage.additions = &job->added;
	return ok && keep_max_lag(&prepare, max_lag_ms);
}

bool php_bloom_loss_tell(const bloom_segment *segment, zend_object *store, const char *name,
	const bloom_loaded *served, php_bloom_job *job)
{
	preparing prepare = {.segment = segment,
		.store = store,
		.name = name,
		.head = &served->head,
		.job = job,
		.only_tells = true};

	if (bloom_additions_read_to(served->additions).notice.epoch != 0) {
		return true;
	}
	if (!prepare_once(&prepare) && EG(exception) != NULL &&
		instanceof_function(EG(exception)->ce, php_bloom_ce_Bloom)) {
		zend_clear_exception(); /* the sync finds the cause, or tries again */
	}
	if (job->process == bloom_process_id()) {
		bloom_live_free(job->additions);
		job->additions = NULL;
		bloom_stage_abort(&job->added);
	}
	return EG(exception) == NULL;
}

bool php_bloom_loss_tell_again(const bloom_segment *segment, zend_object *store, const char *name,
	const bloom_loaded *served, php_bloom_job *job)
{
	preparing prepare = {.segment = segment, .store = store, .name = name, .job = job};
	bloom_read_to now = bloom_additions_read_to(served->additions);
	bloom_mark end = now.mark, none = {0};
	bloom_error error = {0};
	telling outcome;

	if (now.untold.epoch == 0) {
		return true;
	}
	if (!append_notice(&prepare, &now.untold, &end, &outcome)) {
		return clear_store_failure() && php_bloom_job_is_ours(job);
	}
	return outcome == REFUSED || outcome == FAILED ||
		bloom_additions_note_untold(served->additions, segment, name, &none, 0, &error) ==
		BLOOM_OK ||
		fail(&error);
}

bloom_loss php_bloom_loss_report(const char *name, bloom_live *live, bloom_control *control)
{
	bloom_loss loss = live != NULL ? bloom_additions_report_loss(live) : BLOOM_LOSS_NONE;
	bloom_error error;
	zend_string *text;

	if (loss != BLOOM_LOSS_NONE) {
		(void)bloom_fail(&error, BLOOM_E_RECORDS_LOST, 0, "%.128s:journal", name);
		text = php_bloom_error_text(&error);
		bloom_sync_note(control, BLOOM_E_RECORDS_LOST, ZSTR_VAL(text));
		zend_string_release(text);
	}
	return loss;
}

bool php_bloom_max_lag(bool is_null, double seconds, uint32_t argument, uint64_t *max_lag_ms)
{
	if (is_null) {
		*max_lag_ms = BLOOM_MAX_LAG_KEEP;
		return true;
	}
	if (!(seconds >= 0 && seconds <= 1e9)) {
		zend_argument_value_error(argument,
			"must be null (keep), 0 (any age), or from 0.001 to 1,000,000,000 seconds");
		return false;
	}
	*max_lag_ms = (uint64_t)ceil(seconds * 1000);
	return true;
}
