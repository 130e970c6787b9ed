/* Verification of the served generation, part by part. The tests choose the times. */
#include "support.h"

#include <fcntl.h>
#include <unistd.h>

#include "kinds/ondemand.h"
#include "segment/stage.h"
#include "segment/switch.h"
#include "kinds/verify.h"

enum { NOW = 500000000, MIB = 1024 * 1024, SHARD_BYTES = 8192, HOUR_MS = 3600000 };

/* ---- which part ---- */

static void a_pass_of_hourly_parts_takes_a_day(void **state)
{
	const uint64_t pieces = 600 * MIB / SHARD_BYTES;
	bloom_control control = {0};
	uint64_t now = NOW, expected = 0;
	bloom_part part;
	int hours = 0;

	(void)state;
	do {
		part = bloom_verify_due(&control, 1, pieces, SHARD_BYTES, now);
		assert_int_equal(expected, part.first);
		assert_in_range(part.count, 1, pieces / 24 + 1);
		bloom_verify_passed(&control, 1, pieces, part, now);
		expected = part.first + part.count;
		now += HOUR_MS;
		hours++;
	} while (expected < pieces);
	assert_in_range(hours, 24, 25);
	assert_int_equal(0, control.verify_next);
	assert_true(control.verified_ms != 0);
}

static void a_part_is_never_larger_than_32_mib_and_seldom_smaller_than_1(void **state)
{
	static const uint64_t piece_bytes[] = {1024, SHARD_BYTES, 65536, 64 * MIB};
	uint64_t random = test_seed("parts");
	int round;

	(void)state;
	for (round = 0; round < 10000; round++) {
		uint64_t bytes = piece_bytes[random_below(&random, 4)];
		uint64_t pieces = 1 +
			(random_next(&random) >> random_below(&random, 64)) %
				((UINT64_C(1) << 42) / bytes);
		uint64_t now = random_next(&random) >> (22 + random_below(&random, 42));
		bloom_control control = {
			.verify_generation = random_below(&random, 2),
			.verify_next = random_next(&random) >> random_below(&random, 64),
			.verify_ms = random_next(&random) >> random_below(&random, 64),
		};
		bloom_part part = bloom_verify_due(&control, 1, pieces, bytes, now);

		assert_in_range(part.count, 1, pieces);
		assert_in_range(part.first, 0, pieces - part.count);
		assert_true(part.count == 1 || part.count * bytes <= BLOOM_PART_BYTES_MAX);
		assert_true(part.count * bytes >= BLOOM_PART_BYTES_MIN ||
			part.first + part.count == pieces);
	}
}

static void a_new_generation_begins_a_pass_of_its_own(void **state)
{
	bloom_control control = {0};
	bloom_part part = {.first = 0, .count = 300};

	(void)state;
	bloom_verify_passed(&control, 1, 300, part, NOW);
	assert_true(control.verified_ms != 0);
	part = bloom_verify_due(&control, 2, 1000, SHARD_BYTES, NOW + HOUR_MS);
	assert_int_equal(0, part.first);
	assert_int_equal(MIB / SHARD_BYTES, part.count);
	bloom_verify_passed(&control, 2, 1000, part, NOW + HOUR_MS);
	assert_int_equal(0, control.verified_ms);
	part = bloom_verify_due(&control, 2, 1000, SHARD_BYTES, NOW + HOUR_MS);
	assert_int_equal(MIB / SHARD_BYTES, part.first);
}

/* ---- what is damaged ---- */

static test_blob blob_large(void)
{
	const bloom_params params = {.capacity_keys = 3000000, .rate = 0.01};

	return blob_of(&params, 1, 2000, "key", NULL);
}

static void write_over(const char *path, uint64_t at)
{
	unsigned char bytes[64];
	int file = open(path, O_RDWR);

	assert_true(file >= 0);
	assert_int_equal(sizeof bytes, pread(file, bytes, sizeof bytes, (off_t)at));
	bytes[0] ^= 1;
	assert_int_equal(sizeof bytes, pwrite(file, bytes, sizeof bytes, (off_t)at));
	close(file);
}

static void damage_is_found_within_a_pass_and_withdrawn(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment reader, served;
	test_blob blob = blob_large();
	uint64_t lease = 0;
	int parts = 0;

	(void)state;
	assert_ok(load(&segment, "tags", blob, NULL));
	attach_to(&segment, "tags", &reader);
	attach_to(&segment, "tags", &served);
	assert_true(bloom_verify_served(&served, false, served.control, &lease));
	assert_true(bloom_verify_progress(&served) > 0.2);
	write_over(in_segment(&segment, "tags/0000000000000001.bloom"), blob.count - 64);
	while (bloom_verify_served(&served, false, served.control, &lease)) {
		assert_false(filter_answers(&reader, "absent", 1));
		assert_in_range(++parts, 1, 4);
	}
	assert_in_range(parts, 2, 3);
	/* From now on no process answers from the damaged file, not even a process that has mapped
	 * it. */
	assert_int_equal(BLOOM_PRESENCE_UNMAPPED, bloom_attachment_check(&reader));
	assert_true(filter_answers(&reader, "absent", 1));
	bloom_detach(&reader);
	assert_status(BLOOM_E_DAMAGED, bloom_attach(&segment, "tags", &reader, &error));
	assert_int_equal(1, served.control->damages);
	assert_int_equal(BLOOM_E_SHARD_CHECKSUM, served.control->error_status);
	assert_non_null(strstr(served.control->error_text, "the served file is damaged: shard"));
	/* The next load replaces the withdrawn generation, and leaves nothing behind. */
	assert_ok(load(&segment, "tags", blob, NULL));
	attach_to(&segment, "tags", &reader);
	assert_int_equal(3, reader.generation);
	assert_int_equal(2, count_entries(in_segment(&segment, "tags"), ""));
	assert_true(bloom_verify_served(&reader, true, reader.control, &lease));
	bloom_detach(&reader);
	bloom_detach(&served);
	blob_free(&blob);
}

static int withdraw_traced(void *context)
{
	bloom_attachment *served = context;
	uint64_t withdrawn;
	bloom_status status;

	traced_begin();
	status = bloom_segment_withdraw(
		served->segment, "tags", served->control, served->generation, &withdrawn, &error);
	traced_end();
	return status == BLOOM_OK ? 0 : 1;
}

/* After a kill, the generation is still served, or every answer is "maybe". In both cases the next
 * writer succeeds. */
static void a_withdrawal_may_be_killed_at_any_instruction(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t random = test_seed("withdrawal");
	unsigned total = 0, withdrawn = 0;
	bloom_attachment served, reader;
	test_blob blob;
	bloom_status status;
	pid_t child;
	int round;

	(void)state;
	needs_tracing();
	blob = blob_small();
	for (round = 0; round < (SANITIZED ? 10 : 60); round++) {
		assert_ok(load(&segment, "tags", blob, NULL));
		attach_to(&segment, "tags", &served);
		child = start_traced(withdraw_traced, &served);
		if (round == 0) {
			while (step_traced(child, 1)) {
				total++;
			}
			assert_int_equal(0, finish_traced(child));
		} else {
			(void)step_traced(child, (unsigned)random_below(&random, total));
			kill_traced(child);
		}
		status = bloom_attach(&segment, "tags", &reader, &error);
		if (status == BLOOM_OK) {
			assert_int_equal(served.generation, reader.generation);
			assert_int_equal(BLOOM_PRESENCE_VIEW, bloom_attachment_check(&served));
			bloom_detach(&reader);
		} else {
			assert_int_equal(BLOOM_E_DAMAGED, status);
			assert_int_equal(BLOOM_PRESENCE_UNMAPPED, bloom_attachment_check(&served));
			withdrawn++;
		}
		assert_true(round > 0 || withdrawn == 1);
		bloom_detach(&served);
	}
	print_message("# a withdrawal takes %u instructions\n", total);
	segment.lock_timeout_ms = 0;
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_int_equal(2, count_entries(in_segment(&segment, "tags"), ""));
	blob_free(&blob);
}

static void a_generation_that_was_replaced_is_not_withdrawn(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_small();
	bloom_attachment served, reader;
	uint64_t lease = 0, withdrawn = 0;

	(void)state;
	assert_ok(load(&segment, "tags", blob, NULL));
	attach_to(&segment, "tags", &served);
	write_over(in_segment(&segment, "tags/0000000000000001.bloom"), blob.count - 64);
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_false(bloom_verify_served(&served, false, served.control, &lease));
	attach_to(&segment, "tags", &reader);
	assert_int_equal(2, reader.generation);
	assert_status(BLOOM_E_OVERTAKEN,
		bloom_segment_withdraw(&segment, "tags", served.control, 1, &withdrawn, &error));
	bloom_detach(&reader);
	bloom_detach(&served);
	blob_free(&blob);
}

static void a_damaged_head_is_withdrawn_and_one_of_another_build_is_not(void **state)
{
	static const bloom_status others[] = {BLOOM_E_VERSION, BLOOM_E_SCHEME, BLOOM_E_MEMORY,
		BLOOM_E_SYSTEM, BLOOM_E_DAMAGED, BLOOM_E_NOT_FOUND, BLOOM_E_SECRET};
	bloom_segment segment = scratch_segment();
	bloom_attachment reader, served;
	test_blob blob = blob_small();
	bloom_error unmappable = {0};
	size_t i;

	(void)state;
	assert_ok(load(&segment, "tags", blob, NULL));
	attach_to(&segment, "tags", &reader);
	for (i = 0; i < sizeof others / sizeof *others; i++) {
		(void)bloom_fail(&unmappable, others[i], 0, "tags");
		bloom_verify_unmappable(&segment, "tags", reader.control, 1, &unmappable);
		assert_int_equal(BLOOM_PRESENCE_VIEW, bloom_attachment_check(&reader));
	}
	write_over(in_segment(&segment, "tags/0000000000000001.bloom"), 600);
	assert_status(BLOOM_E_HEAD_CHECKSUM, bloom_attach(&segment, "tags", &served, &error));
	bloom_verify_unmappable(&segment, "tags", reader.control, 1, &error);
	assert_int_equal(BLOOM_PRESENCE_UNMAPPED, bloom_attachment_check(&reader));
	assert_int_equal(1, reader.control->damages);
	bloom_detach(&reader);
	blob_free(&blob);
}

static void a_damaged_chunk_of_an_on_demand_filter_is_given_up_alone(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_small();
	bloom_attachment served;
	uint64_t generation, lease = 0, chunk;
	bloom_head head;
	bloom_stage stage;

	(void)state;
	assert_ok(bloom_blob_parse(blob.bytes, blob.count, &head, &error));
	assert_ok(bloom_cache_stage(
		&segment, "tags", UINT64_C(1) << 20, &head, blob.bytes, NULL, &stage, &error));
	assert_ok(bloom_stage_commit(&stage, &generation, &error));
	attach_to(&segment, "tags", &served);
	assert_int_equal(2, head.chunks);
	for (chunk = 0; chunk < head.chunks; chunk++) {
		assert_ok(bloom_cache_put(served.cache, &segment, "tags", chunk,
			blob.bytes + head.head_bytes + bloom_head_chunk_offset(&head, chunk),
			&error));
	}
	assert_true(bloom_verify_served(&served, false, served.control, &lease));
	assert_int_equal(2, bloom_cache_resident(served.cache));
	assert_int_equal(0, served.control->damages);
	served.cache->slots[0] ^= 1;
	assert_true(bloom_verify_served(&served, false, served.control, &lease));
	assert_int_equal(1, bloom_cache_resident(served.cache));
	assert_int_equal(1, served.control->damages);
	assert_int_equal(BLOOM_E_CHUNK_DIGEST, served.control->error_status);
	assert_int_equal(generation, served.control->generation);
	bloom_detach(&served);
	blob_free(&blob);
}

/* The segment was removed by hand during the verification, and the name now belongs to a live
 * filter. */
static void nothing_is_withdrawn_of_a_filter_made_since(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_small();
	bloom_live_params params = {.kind = BLOOM_KIND_LIVE, .capacity_keys = 1000, .rate = 0.01};
	bloom_attachment before, live;
	uint64_t withdrawn;

	(void)state;
	needs_posix(NO_REMOVAL_IN_USE);
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_ok(load(&segment, "tags", blob, NULL));
	attach_to(&segment, "tags", &before);
	remove_tree(segment.path);
	live_create(&segment, "tags", &params, 1);
	attach_to(&segment, "tags", &live);
	assert_true(bloom_live_add(live.live, 0, key_digest(1, "key", 1)));
	bloom_detach(&live);
	assert_status(BLOOM_E_OVERTAKEN,
		bloom_segment_withdraw(
			&segment, "tags", before.control, before.generation, &withdrawn, &error));
	attach_to(&segment, "tags", &live);
	assert_int_equal(1, live.generation);
	assert_int_equal(0, live.control->withdrawn);
	assert_true(bloom_view_test(&live.view, key_digest(1, "key", 1)));
	bloom_detach(&live);
	bloom_detach(&before);
	blob_free(&blob);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: loaded-damaged */
		TEST("a verification pass of hourly parts takes a day",
			a_pass_of_hourly_parts_takes_a_day),
		TEST("a part of a verification has at most 32 MiB, and at least 1 MiB unless it "
		     "ends the pass",
			a_part_is_never_larger_than_32_mib_and_seldom_smaller_than_1),
		TEST("a new generation starts a new verification pass",
			a_new_generation_begins_a_pass_of_its_own),
		/* fault: loaded-damaged */
		TEST_IN_SCRATCH("a verification pass finds damage and withdraws the generation",
			damage_is_found_within_a_pass_and_withdrawn),
		/* fault: damaged-store-down */
		TEST_IN_SCRATCH("a process may be killed at any instruction of a withdrawal",
			a_withdrawal_may_be_killed_at_any_instruction),
		TEST_IN_SCRATCH("a generation that was replaced is not withdrawn",
			a_generation_that_was_replaced_is_not_withdrawn),
		TEST_IN_SCRATCH("a generation is withdrawn if its head is damaged, but not if "
				"another build wrote the head",
			a_damaged_head_is_withdrawn_and_one_of_another_build_is_not),
		/* fault: loaded-damaged */
		TEST_IN_SCRATCH(
			"verification discards only the damaged chunk of an on-demand filter",
			a_damaged_chunk_of_an_on_demand_filter_is_given_up_alone),
		TEST_IN_SCRATCH(
			"a filter that was created again during the verification is not withdrawn",
			nothing_is_withdrawn_of_a_filter_made_since),
	};

	return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
