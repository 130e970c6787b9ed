#include "segment/sync_due.h"

#include "filter/atomic.h"
#include "os/clock.h"
#include "segment/readable_text.h"

bool bloom_sync_is_due(const bloom_control *control, uint64_t ttl_ms, uint64_t now_ms)
{
	enum { DOUBLINGS_MAX = 20 }; /* 2^20 s is 12 days; prevents an overflow of the shift */
	uint64_t checked = bloom_load_relaxed(&control->checked_ms);
	uint64_t failed = bloom_load_relaxed(&control->failed_ms);
	uint64_t failures = bloom_load_relaxed(&control->failures_in_row);
	uint64_t pause;

	if (failed != 0) {
		failures = failures > 0 ? failures - 1 : 0;
		pause = (uint64_t)BLOOM_RETRY_MS_MIN
			<< (failures < DOUBLINGS_MAX ? failures : DOUBLINGS_MAX);
		return bloom_clock_elapsed_ms(now_ms, failed) >= (pause < ttl_ms ? pause : ttl_ms);
	}
	return checked == 0 || bloom_load_relaxed(&control->head_ms) == BLOOM_HEAD_DUE ||
		bloom_clock_elapsed_ms(now_ms, checked) >= ttl_ms;
}

void bloom_sync_succeeded(bloom_control *control, uint64_t now_ms)
{
	bloom_store_relaxed(&control->failed_ms, 0);
	bloom_store_relaxed(&control->failures_in_row, 0);
	bloom_store_relaxed(&control->checked_ms, now_ms);
	bloom_increment(&control->syncs);
}

void bloom_sync_note(bloom_control *control, bloom_status status, const char *text)
{
	/* Two processes may write concurrently and mix their texts. The last byte is always 0, so
	 * the text remains terminated. */
	bloom_copy_readable(control->error_text, sizeof control->error_text, text);
	bloom_store_relaxed(&control->error_status, (uint64_t)status);
	bloom_store_relaxed(&control->error_at_ms, bloom_clock_ms());
	bloom_counters_failed(&control->counters, status);
}

void bloom_sync_failed(
	bloom_control *control, uint64_t now_ms, bloom_status status, const char *text)
{
	bloom_sync_note(control, status, text);
	bloom_increment(&control->sync_failures);
	bloom_increment(&control->failures_in_row);
	bloom_store_relaxed(&control->failed_ms, now_ms);
}

void bloom_sync_postponed(bloom_control *control, uint64_t now_ms)
{
	bloom_store_relaxed(&control->failed_ms, now_ms);
}

/* ---- the published head ---- */

enum { LOAD_RETRY_JITTERED_MAX = BLOOM_LOAD_RETRY_MS_MAX / 4 * 5 };

static bool is_retry_due(const bloom_control *control, uint64_t now_ms)
{
	return bloom_clock_remaining_ms(now_ms, bloom_load_relaxed(&control->load_retry_ms),
		       LOAD_RETRY_JITTERED_MAX) == 0;
}

bool bloom_sync_head_is_due(const bloom_control *control, uint64_t now_ms)
{
	uint64_t read_ms = bloom_load_relaxed(&control->head_ms);

	return read_ms <= BLOOM_HEAD_READING ||
		bloom_clock_elapsed_ms(now_ms, read_ms) >= BLOOM_HEAD_MS ||
		(bloom_load_relaxed(&control->load_tries) != 0 && is_retry_due(control, now_ms));
}

void bloom_sync_head_request(bloom_control *control)
{
	bloom_store_relaxed(&control->head_ms, BLOOM_HEAD_DUE);
}

void bloom_sync_head_notify(bloom_control *control)
{
	bloom_store_relaxed(&control->load_retry_ms, 0);
	bloom_sync_head_request(control);
}

void bloom_sync_head_begin(bloom_control *control)
{
	bloom_store_relaxed(&control->head_ms, BLOOM_HEAD_READING);
}

bool bloom_sync_head_end(bloom_control *control, uint64_t now_ms)
{
	return bloom_compare_swap(&control->head_ms, BLOOM_HEAD_READING,
		now_ms > BLOOM_HEAD_READING ? now_ms : BLOOM_HEAD_READING + 1);
}

bool bloom_sync_load_is_paused(const bloom_control *control, uint64_t version, uint64_t now_ms)
{
	return bloom_load_relaxed(&control->load_tries) != 0 &&
		bloom_load_relaxed(&control->load_version) == version &&
		!is_retry_due(control, now_ms);
}

/* Begins the pause after attempt number `tries`. */
static void begin_pause(bloom_control *control, uint64_t tries, uint64_t now_ms)
{
	enum { DOUBLINGS_MAX = 9 };
	uint64_t doublings = tries - 1 < DOUBLINGS_MAX ? tries - 1 : DOUBLINGS_MAX;
	uint64_t pause = (uint64_t)BLOOM_RETRY_MS_MIN << doublings;

	if (pause > BLOOM_LOAD_RETRY_MS_MAX) {
		pause = BLOOM_LOAD_RETRY_MS_MAX;
	}
	pause = pause / 4 * 3 + bloom_random() % (pause / 2 + 1);
	bloom_store_relaxed(&control->load_retry_ms, now_ms + pause);
}

void bloom_sync_load_begin(bloom_control *control, uint64_t version, uint64_t now_ms)
{
	uint64_t tries = bloom_load_relaxed(&control->load_version) == version
		? bloom_load_relaxed(&control->load_tries) + 1
		: 1;

	begin_pause(control, tries, now_ms);
	bloom_store_relaxed(&control->load_version, version);
	bloom_store_relaxed(&control->load_tries, tries);
}

void bloom_sync_load_failed(
	bloom_control *control, uint64_t now_ms, bloom_status status, const char *text)
{
	begin_pause(control, bloom_load_relaxed(&control->load_tries), now_ms);
	bloom_copy_readable(control->load_error_text, sizeof control->load_error_text, text);
	bloom_store_relaxed(&control->load_error_status, (uint64_t)status);
	bloom_store_relaxed(&control->load_error_at_ms, bloom_clock_ms());
	bloom_increment(&control->load_failures);
	bloom_increment(&control->load_failures_in_row);
}

void bloom_sync_load_succeeded(bloom_control *control)
{
	bloom_store_relaxed(&control->load_tries, 0);
	bloom_store_relaxed(&control->load_failures_in_row, 0);
}
