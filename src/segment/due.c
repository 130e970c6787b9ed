#include "segment/due.h"

#include <stdio.h>
#include <string.h>

#include "filter/atomic.h"
#include "os/clock.h"
#include "segment/segment.h"

_Static_assert(BLOOM_CHUNK_KEY_BYTES ==
		(int)BLOOM_NAME_BYTES_MAX + 1 + 2 * (int)BLOOM_CHUNK_DIGEST_BYTES + 1,
	"a chunk's key is the name, a colon and the digest");

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

bool bloom_sync_lease_take(bloom_control *control, uint64_t now_ms, uint64_t *lease)
{
	uint64_t until = bloom_load_relaxed(&control->lease_until_ms);
	uint64_t mine = now_ms + BLOOM_LEASE_MS;

	if (bloom_clock_remaining_ms(now_ms, until, BLOOM_LEASE_MS) > 0) {
		return false;
	}
	/* If several processes see an expired lease, only one of them succeeds here. */
	if (!bloom_compare_swap(&control->lease_until_ms, until, mine)) {
		return false;
	}
	*lease = mine;
	return true;
}

void bloom_sync_lease_renew(bloom_control *control, uint64_t now_ms, uint64_t *lease)
{
	uint64_t mine = now_ms + BLOOM_LEASE_MS;

	if (bloom_compare_swap(&control->lease_until_ms, *lease, mine)) {
		*lease = mine;
	}
}

void bloom_sync_lease_release(bloom_control *control, uint64_t lease)
{
	/* If the lease has expired, another process may have taken it. The new lease must not be
	 * released here. */
	(void)bloom_compare_swap(&control->lease_until_ms, lease, 0);
}

void bloom_sync_succeeded(bloom_control *control, uint64_t now_ms)
{
	bloom_store_relaxed(&control->failed_ms, 0);
	bloom_store_relaxed(&control->failures_in_row, 0);
	bloom_store_relaxed(&control->checked_ms, now_ms);
	bloom_increment(&control->syncs);
}

/* Returns true for non-ASCII characters that terminals or log viewers may interpret as controls,
 * line ends or changes of the direction: U+0080 to U+009F, U+061C, U+200E, U+200F, U+2028 to U+202E
 * and U+2066 to U+2069. */
static bool is_control_char(const unsigned char *text)
{
	if (text[0] != 0xE2) {
		return (text[0] == 0xC2 && text[1] < 0xA0) || (text[0] == 0xD8 && text[1] == 0x9C);
	}
	return (text[1] == 0x80 && (text[2] == 0x8E || text[2] == 0x8F)) ||
		(text[1] == 0x80 && text[2] >= 0xA8 && text[2] <= 0xAE) ||
		(text[1] == 0x81 && text[2] >= 0xA6 && text[2] <= 0xA9);
}

/* Returns the length of the UTF-8 character at `text`, or 0 for invalid bytes and control
 * characters. */
static size_t character_bytes(const unsigned char *text, size_t count)
{
	size_t bytes = text[0] < 0x80 ? 1
		: text[0] < 0xC2      ? 0
		: text[0] < 0xE0      ? 2
		: text[0] < 0xF0      ? 3
		: text[0] < 0xF5      ? 4
				      : 0;
	size_t i;

	if (bytes > count || text[0] < ' ' || text[0] == 0x7F) {
		return 0;
	}
	for (i = 1; i < bytes; i++) {
		if ((text[i] & 0xC0) != 0x80) {
			return 0;
		}
	}
	/* Overlong encodings, surrogates, and values above U+10FFFF. */
	if ((text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xED && text[1] > 0x9F) ||
		(text[0] == 0xF0 && text[1] < 0x90) || (text[0] == 0xF4 && text[1] > 0x8F)) {
		return 0;
	}
	return is_control_char(text) ? 0 : bytes;
}

/* Copies a store's message, which may contain any bytes. The copy is one line of complete
 * characters, so it is safe in logs and valid in JSON. */
static void copy_readable(char *target, size_t capacity, const unsigned char *text)
{
	size_t remaining = strlen((const char *)text), bytes;

	memset(target, 0, capacity);
	for (capacity--; remaining > 0 && capacity > 0;
		capacity -= bytes, remaining -= bytes, text += bytes) {
		bytes = character_bytes(text, remaining);
		if (bytes > capacity) {
			return;
		}
		if (bytes == 0) {
			*target++ = text[0] < 0x20 ? ' ' : '?';
			bytes = 1;
			continue;
		}
		memcpy(target, text, bytes);
		target += bytes;
	}
}

void bloom_sync_note(bloom_control *control, bloom_status status, const char *text)
{
	/* Two processes may write concurrently and mix their texts. The last byte is always 0, so
	 * the text remains terminated. */
	copy_readable(control->error_text, sizeof control->error_text, (const unsigned char *)text);
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
	copy_readable(control->load_error_text, sizeof control->load_error_text,
		(const unsigned char *)text);
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

/* ---- overrides ---- */

enum { KINDS = 4 }; /* the word is the time times 4, plus the kind */

bool bloom_sync_override_admits(const bloom_control *control, uint64_t since_ms)
{
	return since_ms >= bloom_load_relaxed(&control->override_from_ms);
}

/* Remembers that overrides before this time are refused. */
static void refuse_before(bloom_control *control, uint64_t from_ms)
{
	if (from_ms > bloom_load_relaxed(&control->override_from_ms)) {
		bloom_store_relaxed(&control->override_from_ms, from_ms);
	}
}

void bloom_sync_override_note(bloom_control *control, uint64_t generation, bloom_override_kind kind,
	uint64_t since_ms, uint64_t now_ms)
{
	const uint64_t latest_ms = now_ms + UINT64_C(86400000);
	uint64_t before = bloom_load_relaxed(&control->override);
	uint64_t word = kind == BLOOM_OVERRIDE_NONE ? 0 : since_ms * KINDS + (uint64_t)kind;

	if (kind != BLOOM_OVERRIDE_NONE) {
		refuse_before(control, since_ms < latest_ms ? since_ms : latest_ms);
	} else if (before != 0) {
		refuse_before(control, before / KINDS < latest_ms ? before / KINDS + 1 : latest_ms);
	}
	if (before != word || bloom_load_relaxed(&control->override_generation) != generation) {
		bloom_store_relaxed(&control->override_generation, BLOOM_GENERATION_NONE);
		bloom_store_release(&control->override, word);
		bloom_store_release(&control->override_generation, generation);
	}
}

bloom_override_kind bloom_sync_override(
	const bloom_control *control, uint64_t generation, uint64_t *since_ms)
{
	uint64_t word = bloom_load_acquire(&control->override_generation) == generation
		? bloom_load_relaxed(&control->override)
		: 0;

	*since_ms = word / KINDS;
	return word % KINDS <= BLOOM_OVERRIDE_ROLLBACK ? (bloom_override_kind)(word % KINDS)
						       : BLOOM_OVERRIDE_NONE;
}

bool bloom_sync_chunk_is_served(const bloom_head *published, uint64_t chunk,
	const bloom_head *served, const unsigned char *served_body)
{
	const unsigned char *wanted = bloom_head_chunk(published, chunk);
	uint64_t length;

	if (published->chunk_digest != served->chunk_digest ||
		published->meta.chunk_bytes != served->meta.chunk_bytes ||
		chunk >= served->chunks) {
		return false;
	}
	length = bloom_head_chunk_length(published, chunk);
	if (length != bloom_head_chunk_length(served, chunk) ||
		memcmp(wanted, bloom_head_chunk(served, chunk), BLOOM_CHUNK_DIGEST_BYTES) != 0) {
		return false;
	}
	return bloom_chunk_matches(
		published, chunk, served_body + bloom_head_chunk_offset(served, chunk));
}

void bloom_sync_chunk_key(
	const char *name, const unsigned char *digest, char key[BLOOM_CHUNK_KEY_BYTES])
{
	int at = snprintf(key, BLOOM_CHUNK_KEY_BYTES, "%s:", name);
	int i;

	for (i = 0; i < BLOOM_CHUNK_DIGEST_BYTES; i++) {
		at += snprintf(key + at, (size_t)(BLOOM_CHUNK_KEY_BYTES - at), "%02x", digest[i]);
	}
}
