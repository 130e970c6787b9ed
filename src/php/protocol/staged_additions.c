#include "php/protocol/staged_additions.h"

#include <zend_exceptions.h>

#include "os/process.h"
#include "php/classes.h"
#include "php/errors.h"
#include "php/protocol/journal_loss.h"
#include "php/protocol/journal_notice.h"
#include "php/protocol/journal_follow.h"
#include "php/protocol/journal_read.h"
#include "php/store/store.h"

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

/* Staging the additions of a generation. */
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
	return php_bloom_journal_has(prepare->store, prepare->name, position, has) &&
		php_bloom_job_is_ours(prepare->job);
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
	php_bloom_telling outcome = PHP_BLOOM_TELL_REFUSED;
	bloom_error error = {0};
	bloom_mark end, before = {0};
	int round;

	for (round = 0; outcome < PHP_BLOOM_TOLD && round < TRIES_MAX; round++) {
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
		if (!php_bloom_loss_append(
			    prepare->store, prepare->name, prepare->job, lost, &end, &outcome)) {
			return false;
		}
	}
	if (round == TRIES_MAX && outcome < PHP_BLOOM_TOLD) {
		return php_bloom_store_throw(BLOOM_E_OVERTAKEN, prepare->name);
	}
	return (bloom_additions_note_loss(job->before, prepare->segment, prepare->name, lost,
			outcome == PHP_BLOOM_TELL_FAILED ? NULL : &end, &error) == BLOOM_OK &&
		       bloom_additions_note_loss(job->additions, prepare->segment, prepare->name,
			       lost, NULL, &error) == BLOOM_OK &&
		       (outcome != PHP_BLOOM_TELL_FAILED ||
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

/* Remembers keys of this host in another journal than the blob's, which the blob may lack, so that
 * the next sync tells other hosts. If the blob has a mark in that journal, nothing is missing. */
static bool keep_strayed(preparing *prepare)
{
	bloom_mark other = {.epoch = bloom_additions_strayed(prepare->job->before)};
	bloom_live *additions = prepare->job->additions;
	bloom_error error = {0};

	if (other.epoch == BLOOM_STRAYED_NONE || other.epoch == prepare->head->meta.mark.epoch) {
		return true;
	}
	bloom_additions_note_strayed(additions, other.epoch);
	return bloom_additions_note_loss(additions, prepare->segment, prepare->name, &other, NULL,
		       &error) == BLOOM_OK ||
		fail(&error);
}

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
	return keep_strayed(prepare);
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
	php_bloom_telling outcome;

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
		return php_bloom_loss_clear_failure() && php_bloom_job_is_ours(job);
	}
	bloom_record_link((unsigned char *)ZSTR_VAL(record), ZSTR_LEN(record), end.link);
	zend_string_release(record);
	if (!php_bloom_job_is_ours(job)) {
		return false;
	}
	if (end.epoch != lost.epoch || end.offset >= lost.offset) {
		return true;
	}
	if (!php_bloom_loss_append(prepare->store, prepare->name, job, &lost, &end, &outcome)) {
		return false;
	}
	return outcome < PHP_BLOOM_TOLD ||
		bloom_additions_note_loss(job->before, prepare->segment, prepare->name, &lost,
			outcome == PHP_BLOOM_TELL_FAILED ? NULL : &end, &error) == BLOOM_OK ||
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
