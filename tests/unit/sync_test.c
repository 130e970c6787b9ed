/* Syncs: when a store is checked again, which process checks it, and which chunks are not fetched.
 * The tests choose the times, so no clock is read. */
#include "support.h"

#include "segment/sync_due.h"
#include "segment/sync_lease.h"
#include "filter/chunk.h"

enum { TTL = 60000, NOW = 1000000 };

static void read_head(bloom_control *control, uint64_t now_ms)
{
	bloom_sync_head_begin(control);
	assert_true(bloom_sync_head_end(control, now_ms));
}

/* ---- due ---- */

static void a_host_that_never_looked_is_due(void **state)
{
	bloom_control control = {0};

	(void)state;
	assert_true(bloom_sync_is_due(&control, TTL, NOW));
	assert_true(bloom_sync_is_due(&control, TTL, 0));
	assert_true(bloom_sync_is_due(&control, UINT64_MAX, NOW));
}

static void after_a_success_it_is_due_when_the_ttl_is_over(void **state)
{
	bloom_control control = {0};

	(void)state;
	read_head(&control, NOW);
	bloom_sync_succeeded(&control, NOW);
	assert_false(bloom_sync_is_due(&control, TTL, NOW));
	assert_false(bloom_sync_is_due(&control, TTL, NOW + TTL - 1));
	assert_true(bloom_sync_is_due(&control, TTL, NOW + TTL));
	assert_true(bloom_sync_is_due(&control, 0, NOW));
	assert_int_equal(1, control.syncs);
}

static void after_failures_it_waits_twice_as_long_each_time_up_to_the_ttl(void **state)
{
	bloom_control control = {0};
	uint64_t pause = BLOOM_RETRY_MS_MIN;
	int failures;

	(void)state;
	for (failures = 1; failures <= 200; failures++) {
		bloom_sync_failed(&control, NOW, BLOOM_E_STORE, "down");
		assert_int_equal(failures, control.failures_in_row);
		assert_false(bloom_sync_is_due(&control, TTL, NOW + pause - 1));
		assert_true(bloom_sync_is_due(&control, TTL, NOW + pause));
		pause = pause * 2 < TTL ? pause * 2 : TTL;
	}
	/* The pauses end even with an extremely long ttl. */
	assert_true(bloom_sync_is_due(&control, UINT64_MAX, NOW + (UINT64_C(1) << 40)));
}

static void a_ttl_shorter_than_the_first_pause_wins(void **state)
{
	bloom_control control = {0};

	(void)state;
	bloom_sync_failed(&control, NOW, BLOOM_E_STORE, "down");
	assert_false(bloom_sync_is_due(&control, 200, NOW + 199));
	assert_true(bloom_sync_is_due(&control, 200, NOW + 200));
}

static void a_success_ends_the_failures(void **state)
{
	bloom_control control = {0};

	(void)state;
	bloom_sync_failed(&control, NOW, BLOOM_E_STORE, "down");
	bloom_sync_failed(&control, NOW + 1000, BLOOM_E_STORE, "down");
	read_head(&control, NOW + 3000);
	bloom_sync_succeeded(&control, NOW + 3000);
	assert_int_equal(0, control.failures_in_row);
	assert_int_equal(0, control.failed_ms);
	assert_false(bloom_sync_is_due(&control, TTL, NOW + 3000 + TTL - 1));
	assert_true(bloom_sync_is_due(&control, TTL, NOW + 3000 + TTL));
	assert_int_equal(2, control.sync_failures);
}

static void times_from_the_future_count_as_long_ago(void **state)
{
	bloom_control control = {.checked_ms = NOW + 1, .head_ms = NOW};

	(void)state;
	/* A time slightly in the future comes from another process, not from another boot. */
	assert_false(bloom_sync_is_due(&control, TTL, NOW));
	control = (bloom_control){.checked_ms = NOW + BLOOM_CLOCK_SLACK_MS + 1, .head_ms = NOW};
	assert_true(bloom_sync_is_due(&control, TTL, NOW));
	control = (bloom_control){.checked_ms = UINT64_MAX, .head_ms = NOW};
	assert_true(bloom_sync_is_due(&control, TTL, NOW));
	control =
		(bloom_control){.failed_ms = NOW + BLOOM_CLOCK_SLACK_MS + 1, .failures_in_row = 9};
	assert_true(bloom_sync_is_due(&control, TTL, NOW));
}

static void a_notice_makes_every_sync_due_until_the_head_is_read(void **state)
{
	bloom_control control = {0};

	(void)state;
	read_head(&control, NOW);
	bloom_sync_head_notify(&control);
	bloom_sync_succeeded(&control, NOW); /* as Journal::pull() does */
	assert_true(bloom_sync_is_due(&control, TTL, NOW));
	bloom_sync_head_begin(&control);
	assert_false(bloom_sync_is_due(&control, TTL, NOW));
	assert_true(bloom_sync_head_end(&control, NOW));
	assert_false(bloom_sync_is_due(&control, TTL, NOW));
	/* A store that does not answer is not asked all the time. */
	bloom_sync_head_request(&control);
	bloom_sync_failed(&control, NOW, BLOOM_E_STORE, "down");
	assert_false(bloom_sync_is_due(&control, TTL, NOW));
}

static void a_page_of_garbage_stops_nobody_for_longer_than_the_ttl(void **state)
{
	uint64_t random = test_seed("a page of garbage stops nobody for longer than the ttl");
	int round;

	(void)state;
	for (round = 0; round < 10000; round++) {
		uint64_t now = random_next(&random) >> random_below(&random, 64);
		bloom_control control = {
			.checked_ms = random_next(&random) >> random_below(&random, 64),
			.failed_ms = random_next(&random) >> random_below(&random, 64),
			.failures_in_row = random_next(&random) >> random_below(&random, 64),
		};

		assert_true(bloom_sync_is_due(&control, TTL, now) ||
			bloom_sync_is_due(&control, TTL, now + BLOOM_CLOCK_SLACK_MS + TTL));
	}
}

static void a_version_that_cannot_be_loaded_is_tried_after_growing_pauses(void **state)
{
	enum { BROKEN = 7, OTHER = 8 };
	bloom_control control = {0};
	uint64_t now_ms = NOW, pause = BLOOM_RETRY_MS_MIN;
	int tries;

	(void)state;
	assert_false(bloom_sync_load_is_paused(&control, BROKEN, NOW));
	for (tries = 1; tries <= 50; tries++) {
		bloom_sync_load_begin(&control, BROKEN, now_ms);
		/* Also if the process dies during the attempt. */
		assert_true(bloom_sync_load_is_paused(&control, BROKEN, now_ms));
		bloom_sync_head_begin(&control);
		bloom_sync_load_failed(&control, now_ms, BLOOM_E_STORE_MISSING, "a chunk");
		assert_true(bloom_sync_head_end(&control, now_ms));
		assert_int_equal(tries, control.load_failures_in_row);
		assert_true(
			bloom_sync_load_is_paused(&control, BROKEN, now_ms + pause / 4 * 3 - 1));
		assert_false(bloom_sync_load_is_paused(&control, OTHER, now_ms));
		assert_false(bloom_sync_head_is_due(&control, now_ms + pause / 2 - 1) &&
			pause / 2 < BLOOM_HEAD_MS);
		now_ms += pause / 4 * 5;
		assert_false(bloom_sync_load_is_paused(&control, BROKEN, now_ms));
		assert_true(bloom_sync_head_is_due(&control, now_ms));
		pause = pause * 2 < BLOOM_LOAD_RETRY_MS_MAX ? pause * 2 : BLOOM_LOAD_RETRY_MS_MAX;
	}
	/* Another version begins with the first pause again, and a success ends it. */
	bloom_sync_load_begin(&control, OTHER, now_ms);
	assert_false(bloom_sync_load_is_paused(&control, OTHER, now_ms + 1250));
	bloom_sync_load_succeeded(&control);
	assert_int_equal(0, control.load_failures_in_row);
	assert_int_equal(50, control.load_failures);
	assert_false(bloom_sync_load_is_paused(&control, OTHER, now_ms));
}

static void a_notice_that_arrives_while_the_head_is_read_is_not_lost(void **state)
{
	bloom_control control = {0};

	(void)state;
	assert_true(bloom_sync_head_is_due(&control, NOW));
	bloom_sync_head_begin(&control);
	assert_true(bloom_sync_head_is_due(&control, NOW)); /* if this process dies */
	assert_true(bloom_sync_head_end(&control, NOW));
	assert_false(bloom_sync_head_is_due(&control, NOW + BLOOM_HEAD_MS - 1));
	assert_true(bloom_sync_head_is_due(&control, NOW + BLOOM_HEAD_MS));
	bloom_sync_head_begin(&control);
	bloom_sync_head_notify(&control);
	assert_false(bloom_sync_head_end(&control, NOW));
	assert_true(bloom_sync_head_is_due(&control, NOW));
}

/* ---- the lease ---- */

static void one_process_gets_the_lease_until_it_ends(void **state)
{
	bloom_control control = {0};
	uint64_t mine = 77, other = 77;

	(void)state;
	assert_true(bloom_lease_take(&control, NOW, &mine));
	assert_int_equal(NOW + BLOOM_LEASE_MS, mine);
	assert_false(bloom_lease_take(&control, NOW, &other));
	assert_false(bloom_lease_take(&control, NOW + BLOOM_LEASE_MS - 1, &other));
	assert_int_equal(77, other);
	assert_true(bloom_lease_take(&control, NOW + BLOOM_LEASE_MS, &other));
	assert_int_equal(NOW + 2 * BLOOM_LEASE_MS, other);
}

static void a_renewed_lease_lasts_longer(void **state)
{
	bloom_control control = {0};
	uint64_t mine, other;

	(void)state;
	assert_true(bloom_lease_take(&control, NOW, &mine));
	bloom_lease_renew(&control, NOW + 20000, &mine);
	assert_false(bloom_lease_take(&control, NOW + BLOOM_LEASE_MS + 1, &other));
	assert_true(bloom_lease_take(&control, NOW + 20000 + BLOOM_LEASE_MS, &other));
}

static void a_released_lease_is_free_at_once(void **state)
{
	bloom_control control = {0};
	uint64_t mine, other;

	(void)state;
	assert_true(bloom_lease_take(&control, NOW, &mine));
	bloom_lease_release(&control, mine);
	assert_int_equal(0, control.lease_until_ms);
	assert_true(bloom_lease_take(&control, NOW + 1, &other));
}

static void a_holder_whose_lease_ended_disturbs_the_next_one_in_nothing(void **state)
{
	bloom_control control = {0};
	uint64_t slow, next, before;

	(void)state;
	assert_true(bloom_lease_take(&control, NOW, &slow));
	assert_true(bloom_lease_take(&control, NOW + BLOOM_LEASE_MS + 5, &next));
	before = slow;
	bloom_lease_renew(&control, NOW + BLOOM_LEASE_MS + 9, &slow);
	assert_int_equal(before, slow);
	assert_int_equal(next, control.lease_until_ms);
	bloom_lease_release(&control, slow);
	assert_int_equal(next, control.lease_until_ms);
}

static void a_lease_from_before_a_boot_is_taken(void **state)
{
	bloom_control control = {.lease_until_ms = NOW + BLOOM_LEASE_MS + BLOOM_CLOCK_SLACK_MS + 1};
	uint64_t lease;

	(void)state;
	/* A lease that ends later than any lease taken now could end is ignored. */
	assert_true(bloom_lease_take(&control, NOW, &lease));
	control.lease_until_ms = UINT64_MAX;
	assert_true(bloom_lease_take(&control, NOW, &lease));
}

/* ---- what is recorded ---- */

static void a_failure_is_noted_for_people(void **state)
{
	bloom_control control = {0};

	(void)state;
	bloom_sync_failed(&control, NOW, BLOOM_E_STORE_MISSING, "no chunk 7");
	assert_int_equal(BLOOM_E_STORE_MISSING, control.error_status);
	assert_string_equal("no chunk 7", control.error_text);
	assert_true(control.error_at_ms > UINT64_C(1500000000000));
	bloom_sync_succeeded(&control, NOW + 1);
	assert_string_equal("no chunk 7", control.error_text); /* kept after a success */
	bloom_sync_failed(&control, NOW, BLOOM_E_STORE, "x");
	assert_string_equal("x", control.error_text);
}

static void a_text_is_kept_as_one_line_of_characters(void **state)
{
	static const char *const cases[][2] = {
		{"down", "down"}, {"", ""},
		{"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80",
			"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"},
		{"\xED\x9F\xBF \xEE\x80\x80 \xF4\x8F\xBF\xBF",
			"\xED\x9F\xBF \xEE\x80\x80 \xF4\x8F\xBF\xBF"},
		{"a\nb\r\tc\x1B[31m\x7F", "a b  c [31m?"},
		{"\xC2\x80 \xC2\x85 \xC2\x9B\x33\x31m \xC2\xA0", "?? ?? ??31m \xC2\xA0"},
		{"\xE2\x80\xA7 \xE2\x80\xA8 \xE2\x80\xA9", "\xE2\x80\xA7 ??? ???"},
		{"\x80\xBF\xC0\xC1\xF5\xFF", "??????"}, {"\xC3", "?"}, {"\xC3(", "?("},
		{"\xE2\x82", "??"}, {"\xF0\x9F\x98z", "???z"},
		{"\xC1\xBF \xE0\x9F\xBF \xF0\x8F\xBF\xBF", "?? ??? ????"}, /* overlong encodings */
		{"\xED\xA0\x80 \xF4\x90\x80\x80", "??? ????"}, /* surrogate, too large */
	};
	bloom_control control = {0};
	char text[BLOOM_CONTROL_TEXT_BYTES + 8];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		bloom_sync_note(&control, BLOOM_E_STORE, cases[i][0]);
		assert_string_equal(cases[i][1], control.error_text);
	}
	/* A character that does not fit completely is omitted. */
	memset(text, 't', sizeof text);
	memcpy(text + BLOOM_CONTROL_TEXT_BYTES - 3, "\xE2\x82\xAC", 4);
	bloom_sync_note(&control, BLOOM_E_STORE, text);
	assert_int_equal(BLOOM_CONTROL_TEXT_BYTES - 3, strlen(control.error_text));
	memcpy(text + BLOOM_CONTROL_TEXT_BYTES - 4, "\xE2\x82\xAC", 4);
	bloom_sync_note(&control, BLOOM_E_STORE, text);
	assert_int_equal(BLOOM_CONTROL_TEXT_BYTES - 1, strlen(control.error_text));
}

static void a_long_text_is_cut_and_ends(void **state)
{
	bloom_control control = {0};
	char text[2000];

	(void)state;
	memset(text, 't', sizeof text - 1);
	text[sizeof text - 1] = 0;
	bloom_sync_failed(&control, NOW, BLOOM_E_STORE, text);
	assert_int_equal(BLOOM_CONTROL_TEXT_BYTES - 1, strlen(control.error_text));
	assert_int_equal(0, control.unused[0]);
}

/* ---- chunks ---- */

typedef struct served {
	test_blob blob;
	bloom_head head;
	const unsigned char *body;
} served;

static served serve(uint64_t seed, uint32_t chunk_bytes, uint64_t capacity)
{
	bloom_params params = {
		.capacity_keys = capacity, .rate = 0.01, .shard_bytes = 1024, .bits_per_key = 10};
	bloom_builder builder = {0};
	served made;
	uint64_t i;

	assert_ok(bloom_builder_init(&params, seed, chunk_bytes, &builder, &error));
	for (i = 0; i < 3000; i++) {
		(void)builder_add_key(&builder, "synced", i);
	}
	assert_ok(bloom_builder_finish(&builder, 1, 1, &error));
	made.blob = (test_blob){.bytes = malloc(builder.image_bytes), .count = builder.image_bytes};
	memcpy(made.blob.bytes, builder.image, builder.image_bytes);
	bloom_builder_free(&builder);
	assert_ok(bloom_blob_parse(made.blob.bytes, made.blob.count, &made.head, &error));
	made.body = made.blob.bytes + made.head.head_bytes;
	return made;
}

static void an_unchanged_chunk_is_copied(void **state)
{
	served one = serve(1, 2048, 4000), same = serve(1, 2048, 4000);
	uint64_t chunk;

	(void)state;
	assert_true(one.head.chunks > 2);
	for (chunk = 0; chunk < one.head.chunks; chunk++) {
		assert_true(bloom_chunk_is_served(&same.head, chunk, &one.head, one.body));
	}
	blob_free(&one.blob);
	blob_free(&same.blob);
}

static void a_changed_chunk_is_fetched(void **state)
{
	served one = serve(1, 2048, 4000), other = serve(2, 2048, 4000);
	uint64_t chunk;

	(void)state;
	for (chunk = 0; chunk < other.head.chunks; chunk++) {
		assert_false(bloom_chunk_is_served(&other.head, chunk, &one.head, one.body));
	}
	blob_free(&one.blob);
	blob_free(&other.blob);
}

static void a_served_chunk_that_is_damaged_is_fetched(void **state)
{
	served one = serve(1, 2048, 4000), same = serve(1, 2048, 4000);
	uint64_t chunk, at;

	(void)state;
	for (at = 0; at < bloom_geometry_bytes(&one.head.geometry); at += 613) {
		one.blob.bytes[one.head.head_bytes + at] ^= 16;
		for (chunk = 0; chunk < same.head.chunks; chunk++) {
			assert_int_equal(chunk != at / 2048,
				bloom_chunk_is_served(&same.head, chunk, &one.head, one.body));
		}
		one.blob.bytes[one.head.head_bytes + at] ^= 16;
	}
	blob_free(&one.blob);
	blob_free(&same.blob);
}

static void chunks_of_another_size_or_beyond_the_end_are_fetched(void **state)
{
	served one = serve(1, 2048, 4000), small = serve(1, 1024, 4000);
	served larger = serve(1, 2048, 9000);
	uint64_t chunk;

	(void)state;
	for (chunk = 0; chunk < small.head.chunks; chunk++) {
		assert_false(bloom_chunk_is_served(&small.head, chunk, &one.head, one.body));
	}
	assert_true(larger.head.chunks > one.head.chunks);
	for (chunk = 0; chunk < larger.head.chunks; chunk++) {
		assert_false(bloom_chunk_is_served(&larger.head, chunk, &one.head, one.body));
	}
	blob_free(&one.blob);
	blob_free(&small.blob);
	blob_free(&larger.blob);
}

static void a_chunk_s_key_is_the_name_and_its_digest_in_hexadecimal(void **state)
{
	static const unsigned char digest[BLOOM_CHUNK_DIGEST_BYTES] = {0x00, 0x01, 0x7f, 0x80, 0xff,
		0xfe, 0x0a, 0xa0, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0};
	char *key = malloc(BLOOM_CHUNK_KEY_BYTES);
	char name[BLOOM_NAME_BYTES_MAX + 1];

	(void)state;
	assert_non_null(key);
	bloom_chunk_key("booth_tags", digest, key);
	assert_string_equal("booth_tags:00017f80fffe0aa0123456789abcdef0", key);
	memset(name, 'n', BLOOM_NAME_BYTES_MAX);
	name[BLOOM_NAME_BYTES_MAX] = 0;
	bloom_chunk_key(name, digest, key);
	assert_int_equal(BLOOM_CHUNK_KEY_BYTES - 1, strlen(key));
	assert_string_equal(":00017f80fffe0aa0123456789abcdef0", key + BLOOM_NAME_BYTES_MAX);
	free(key);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a host that never synced a filter is due for a sync",
			a_host_that_never_looked_is_due),
		TEST("after a success the next sync is due when the ttl is over",
			after_a_success_it_is_due_when_the_ttl_is_over),
		TEST("after each failure the pause doubles, up to the ttl",
			after_failures_it_waits_twice_as_long_each_time_up_to_the_ttl),
		TEST("a ttl that is shorter than the first pause limits the pause",
			a_ttl_shorter_than_the_first_pause_wins),
		TEST("a successful sync resets the failures in a row", a_success_ends_the_failures),
		TEST("a notice makes every sync due until the head is read",
			a_notice_makes_every_sync_due_until_the_head_is_read),
		/* fault: segment-on-disk */
		TEST("times in the future count as times long past",
			times_from_the_future_count_as_long_ago),
		/* fault: counter-wraps */
		TEST("garbage in a control page delays no sync for longer than the ttl",
			a_page_of_garbage_stops_nobody_for_longer_than_the_ttl),
		/* fault: unloadable-version */
		TEST("a version that cannot be loaded is tried after growing pauses, another one "
		     "at "
		     "once",
			a_version_that_cannot_be_loaded_is_tried_after_growing_pauses),
		TEST("a notice that arrives while the head is read is not lost",
			a_notice_that_arrives_while_the_head_is_read_is_not_lost),
		TEST("only one process has the lease until the lease expires",
			one_process_gets_the_lease_until_it_ends),
		TEST("renewing a lease makes it last longer", a_renewed_lease_lasts_longer),
		TEST("a released lease can be taken immediately", a_released_lease_is_free_at_once),
		TEST("a holder whose lease expired does not affect the next holder",
			a_holder_whose_lease_ended_disturbs_the_next_one_in_nothing),
		/* fault: segment-on-disk */
		TEST("a lease from before a reboot is taken over",
			a_lease_from_before_a_boot_is_taken),
		TEST("a sync's failure is recorded as text, and kept after a success",
			a_failure_is_noted_for_people),
		TEST("an error text is stored as one line of complete characters",
			a_text_is_kept_as_one_line_of_characters),
		TEST("a long error text is truncated and terminated", a_long_text_is_cut_and_ends),
		TEST("a sync copies unchanged chunks from the served generation",
			an_unchanged_chunk_is_copied),
		TEST("a sync fetches changed chunks", a_changed_chunk_is_fetched),
		/* fault: loaded-damaged */
		TEST("a sync fetches a chunk that is damaged in the served generation",
			a_served_chunk_that_is_damaged_is_fetched),
		/* fault: chunks-swapped */
		TEST("a sync fetches chunks of a different size or beyond the end of the served "
		     "generation",
			chunks_of_another_size_or_beyond_the_end_are_fetched),
		TEST("a chunk's key in a store is the filter's name and the chunk's digest in "
		     "hexadecimal",
			a_chunk_s_key_is_the_name_and_its_digest_in_hexadecimal),
	};

	return cmocka_run_group_tests_name("sync", tests, NULL, NULL);
}
