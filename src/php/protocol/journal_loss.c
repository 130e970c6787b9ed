#include "php/protocol/journal_loss.h"

#include <zend_exceptions.h>

#include "php/classes.h"
#include "php/errors.h"
#include "php/protocol/journal_read.h"
#include "php/protocol/journal_writer.h"
#include "segment/sync_due.h"

static bool write_notice(const bloom_mark *lost, php_bloom_record_batch *batch)
{
	if (!php_bloom_batch_init(batch, BLOOM_RECORD_LOSS)) {
		return false;
	}
	bloom_position_put(lost, php_bloom_batch_grow(batch, BLOOM_POSITION_BYTES));
	batch->payload_bytes = BLOOM_POSITION_BYTES;
	php_bloom_batch_close(batch);
	return true;
}

/* Appends the notice, if the journal ends at `end`. */
static bool append(zend_object *store, const char *name, const bloom_mark *lost, bloom_mark *end,
	bool *is_refused)
{
	php_bloom_journal_writer writer = {.store = store, .name = name};
	php_bloom_record_batch batch;
	bool ok;

	if (!write_notice(lost, &batch)) {
		return false;
	}
	ok = php_bloom_journal_append_after(&writer, &batch, end, is_refused);
	if (ok && !*is_refused) {
		*end = writer.end;
	}
	php_bloom_batch_free(&batch);
	return ok;
}

bool php_bloom_loss_clear_failure(void)
{
	if (EG(exception) != NULL && instanceof_function(EG(exception)->ce, php_bloom_ce_Store)) {
		zend_clear_exception();
	}
	return EG(exception) == NULL;
}

bool php_bloom_loss_append(zend_object *store, const char *name, const php_bloom_job *job,
	const bloom_mark *lost, bloom_mark *end, php_bloom_telling *outcome)
{
	bool has = false, is_refused = false;

	*outcome = PHP_BLOOM_TELL_NOTHING;
	if (!php_bloom_journal_has(store, name, lost, &has) || !php_bloom_job_is_ours(job)) {
		return false;
	}
	if (has) {
		return true;
	}
	*outcome = PHP_BLOOM_TOLD;
	if (!append(store, name, lost, end, &is_refused)) {
		*outcome = PHP_BLOOM_TELL_FAILED;
		if (!php_bloom_loss_clear_failure()) {
			return false;
		}
	} else if (is_refused) {
		*outcome = PHP_BLOOM_TELL_REFUSED;
	}
	return php_bloom_job_is_ours(job);
}

bool php_bloom_loss_tell_again(const bloom_segment *segment, zend_object *store, const char *name,
	const bloom_loaded *served, php_bloom_job *job)
{
	bloom_read_to now = bloom_additions_read_to(served->additions);
	bloom_mark end = now.mark, none = {0};
	bloom_error error = {0};
	php_bloom_telling outcome;

	if (now.untold.epoch == 0) {
		return true;
	}
	if (!php_bloom_loss_append(store, name, job, &now.untold, &end, &outcome)) {
		return php_bloom_loss_clear_failure() && php_bloom_job_is_ours(job);
	}
	if (outcome == PHP_BLOOM_TELL_REFUSED || outcome == PHP_BLOOM_TELL_FAILED ||
		bloom_additions_note_untold(served->additions, segment, name, &none, 0, &error) ==
			BLOOM_OK) {
		return true;
	}
	php_bloom_throw(&error);
	return false;
}

bool php_bloom_loss_tell_strayed(const bloom_segment *segment, zend_object *store, const char *name,
	const bloom_loaded *served, php_bloom_job *job)
{
	php_bloom_journal_writer writer = {.store = store, .name = name};
	bloom_live *live = served->additions;
	bloom_mark other = {.epoch = bloom_additions_strayed(live)};
	php_bloom_record_batch batch;
	bloom_error error = {0};
	bool is_closed = false, ok;

	if (other.epoch == BLOOM_STRAYED_NONE ||
		!bloom_additions_set_strayed(live, other.epoch, BLOOM_STRAYED_TOLD)) {
		return true;
	}
	ok = write_notice(&other, &batch);
	if (ok) {
		ok = php_bloom_journal_append(&writer, &batch, &is_closed);
		php_bloom_batch_free(&batch);
	}
	if (!ok) {
		return php_bloom_loss_clear_failure() && php_bloom_job_is_ours(job);
	}
	if (!php_bloom_job_is_ours(job)) {
		return false;
	}
	/* Nobody follows a journal that has ended. If the store has changed again, a later sync
	 * tells it. */
	if (is_closed || writer.end.epoch != bloom_additions_read_to(live).mark.epoch) {
		return true;
	}
	if (bloom_additions_note_loss(live, segment, name, &other, NULL, &error) != BLOOM_OK) {
		php_bloom_throw(&error);
		return false;
	}
	(void)bloom_additions_set_strayed(live, BLOOM_STRAYED_TOLD, BLOOM_STRAYED_NONE);
	return true;
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
