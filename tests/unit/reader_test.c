/* What a reader sees that stays attached: a segment that another process removes, generations that
 * cannot be mapped, and lookups without system calls. */
#include "scenes.h"

#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kinds/attachment.h"
#include "segment/segment.h"
#include "segment/stage.h"

/* ---- a segment that another process removed ---- */

/* Simulates that the last lookup of the name was a second ago. */
static void let_a_second_pass(bloom_attachment *reader)
{
	reader->named_ms -= BLOOM_NAME_CHECK_MS;
}

/* ---- counters ---- */

static void lookups_of_a_long_request_are_counted_within_a_second(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob a = blob_with("a");
	bloom_attachment reader;
	int i;

	(void)state;
	assert_ok(load(&segment, "tags", a, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	bloom_attachment_count_many(&reader, 5, 2);
	assert_int_equal(0, reader.control->counters.lookups);
	let_a_second_pass(&reader);
	for (i = 0; i < BLOOM_ROUND_CHECKS_MAX; i++) {
		(void)bloom_attachment_check(&reader);
	}
	assert_int_equal(5, reader.control->counters.lookups);
	assert_int_equal(3, reader.control->counters.absent);
	bloom_attachment_count(&reader, true);
	bloom_attachment_trim(&reader);
	assert_int_equal(6, reader.control->counters.lookups);
	bloom_detach(&reader);
	blob_free(&a);
}

/* ---- names ---- */

/* Returns whether the reader switches to the filter with this key within the number of checks that
 * may pass between two readings of the clock. */
static bool comes_to_serve(bloom_attachment *reader, const char *family)
{
	int i;

	for (i = 0; i < BLOOM_ROUND_CHECKS_MAX; i++) {
		if (bloom_attachment_check(reader) == BLOOM_PRESENCE_VIEW &&
			filter_found(reader, family, 100) == 100) {
			return true;
		}
	}
	return false;
}

static void a_segment_that_was_made_again_is_found_within_a_second(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob a = blob_with("a"), b = blob_with("b");
	bloom_attachment reader;
	int i;

	(void)state;
	assert_ok(load(&segment, "tags", a, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	for (i = 0; i < 1000; i++) {
		assert_int_equal(BLOOM_PRESENCE_VIEW, bloom_attachment_check(&reader));
	}
	remove_tree(segment.path);
	assert_int_equal(BLOOM_NAMING_NONE, bloom_attachment_naming(&reader));
	let_a_second_pass(&reader);
	assert_true(comes_to_serve(&reader, "a")); /* until another filter exists */
	assert_ok(load(&segment, "tags", b, NULL));
	assert_int_equal(BLOOM_NAMING_OTHER, bloom_attachment_naming(&reader));
	let_a_second_pass(&reader);
	assert_true(comes_to_serve(&reader, "b"));
	assert_int_equal(BLOOM_NAMING_SAME, bloom_attachment_naming(&reader));
	assert_int_equal(2, count_maps());
	bloom_detach(&reader);
	blob_free(&a);
	blob_free(&b);
}

static void where_lookups_are_rare_each_reads_the_clock(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	bloom_attachment reader;
	int i;

	(void)state;
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	for (i = 0; i < 3; i++) {
		reader.checks_left = 0;
		reader.round_checks = BLOOM_ROUND_CHECKS_MAX;
		/* Simulates one lookup per second. */
		reader.round_ms -= (uint64_t)BLOOM_ROUND_CHECKS_MAX * BLOOM_NAME_CHECK_MS;
		assert_int_equal(BLOOM_PRESENCE_VIEW, bloom_attachment_check(&reader));
		assert_int_equal(0, reader.checks_left);
	}
	bloom_detach(&reader);
	blob_free(&blob);
}

/* ---- generations that cannot be mapped ---- */

static void a_missing_generation_file_is_untold_until_the_next_load(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob a = blob_with("a"), b = blob_with("b");
	bloom_attachment reader, late;

	(void)state;
	assert_ok(load(&segment, "tags", a, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	assert_ok(load(&segment, "tags", b, NULL));
	assert_int_equal(0, unlink(in_segment(&segment, "tags/0000000000000002.bloom")));
	assert_int_equal(BLOOM_PRESENCE_UNMAPPED, bloom_attachment_check(&reader));
	assert_int_equal(BLOOM_PRESENCE_UNMAPPED, bloom_attachment_check(&reader));
	assert_int_equal(2, reader.map_failures);
	assert_status(BLOOM_E_SYSTEM, bloom_attach(&segment, "tags", &late, &error));
	assert_non_null(strstr(error.subject, "0000000000000002.bloom is missing"));
	assert_ok(load(&segment, "tags", b, NULL));
	assert_serves(&reader, "b");
	assert_int_equal(3, reader.generation);
	bloom_detach(&reader);
	blob_free(&a);
	blob_free(&b);
}

static void a_cut_off_generation_file_is_never_served(void **state)
{
	static const off_t sizes[] = {0, 100, 511, 512, 4095, 4096, 5000};
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	bloom_attachment late;
	size_t i;

	(void)state;
	assert_ok(load(&segment, "tags", blob, NULL));
	for (i = sizeof sizes / sizeof *sizes; i-- > 0;) {
		assert_int_equal(
			0, truncate(in_segment(&segment, "tags/0000000000000001.bloom"), sizes[i]));
		assert_status(sizes[i] < 512 ? BLOOM_E_SHORT : BLOOM_E_LENGTH,
			bloom_attach(&segment, "tags", &late, &error));
	}
	blob_free(&blob);
}

static void without_free_descriptors_answers_are_maybe(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob a = blob_with("a"), b = blob_with("b");
	struct rlimit before, none;
	bloom_attachment reader;

	(void)state;
	assert_ok(load(&segment, "tags", a, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	assert_ok(load(&segment, "tags", b, NULL));
	assert_int_equal(0, getrlimit(RLIMIT_NOFILE, &before));
	none = before;
	none.rlim_cur = 0;
	assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &none));
	assert_int_equal(BLOOM_PRESENCE_UNMAPPED, bloom_attachment_check(&reader));
	assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &before));
	assert_serves(&reader, "b");
	bloom_detach(&reader);
	blob_free(&a);
	blob_free(&b);
}

/* ---- a lookup is free ---- */

/* valgrind and qemu make system calls of their own. */
static bool forbid_system_calls(void)
{
	return getenv("BLOOM_TEST_EMULATED") == NULL &&
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0;
}

static int look_up_without_system_calls(void *context)
{
	bloom_attachment *reader = context;
	int found = 0, i;

	/* From here on, any system call except read, write and exit kills the process. */
	if (!forbid_system_calls()) {
		return 2;
	}
	/* A check looks the name up once a second, with a system call. The counter is set so high
	 * that no check does so here. */
	reader->checks_left = INT32_MAX;
	for (i = 0; i < 1000; i++) {
		found += bloom_attachment_check(reader) == BLOOM_PRESENCE_VIEW;
		found += filter_found(reader, "common", 100);
	}
	syscall(SYS_exit, found == 1000 * 101 ? 0 : 1);
	return 3;
}

static void a_lookup_makes_no_system_call(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	bloom_attachment reader;
	int result;

	(void)state;
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	result = run_child(look_up_without_system_calls, &reader);
	bloom_detach(&reader);
	blob_free(&blob);
	if (result == 2) {
		skip_because("system calls cannot be forbidden here");
	}
	assert_int_equal(0, result);
}

static int look_up_any_without_system_calls(void *context)
{
	bloom_attachment *reader = context;
	bool found = true;
	int i;

	if (!forbid_system_calls()) {
		return 2;
	}
	reader->checks_left = INT32_MAX;
	for (i = 0; i < 20; i++) {
		found &= scene_finds(reader);
	}
	syscall(SYS_exit, found ? 0 : 1);
	return 3;
}

static int read_a_clock_without_system_calls(void *context)
{
	(void)context;
	if (!forbid_system_calls()) {
		return 2;
	}
	syscall(SYS_exit, bloom_monotonic_ms() > 0 ? 0 : 1);
	return 3;
}

/* Sliding windows need the time, which most machines can read without a system call. */
static bool reads_a_clock(const bloom_attachment *reader)
{
	return reader->ops->kind == BLOOM_KIND_SLIDING;
}

static void a_lookup_in_any_kind_makes_no_system_call(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment reader;
	bool clock_is_free;
	unsigned i, looked = 0;
	int result = 0;

	(void)state;
	(void)bloom_monotonic_ms(); /* the first call reads the clock's namespace */
	clock_is_free = run_child(read_a_clock_without_system_calls, NULL) == 0;
	scenes_begin();
	for (i = 0; i < scene_count && result != 2; i++) {
		if (scenes[i].reads) {
			remove_tree(segment.path);
			scenes[i].prepare(&segment);
			attach_to(&segment, SCENE_NAME, &reader);
			if (clock_is_free || !reads_a_clock(&reader)) {
				result = run_child(look_up_any_without_system_calls, &reader);
				if (result != 0 && result != 2) {
					fail_msg("%s: %d", scenes[i].what, result);
				}
				looked++;
			}
			bloom_detach(&reader);
		}
	}
	scenes_end();
	if (result == 2) {
		skip_because("system calls cannot be forbidden here");
	}
	printf("# %u kinds of filter%s\n", looked,
		clock_is_free ? "" : ", none that reads a clock");
	assert_true(looked >= 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH("lookups of a long request are counted within a second",
			lookups_of_a_long_request_are_counted_within_a_second),
		/* fault: files-deleted */
		TEST_IN_SCRATCH("a filter whose generation file is missing is unavailable until "
				"the next load",
			a_missing_generation_file_is_untold_until_the_next_load),
		/* fault: file-truncated */
		TEST_IN_SCRATCH("attaching to a truncated generation file fails",
			a_cut_off_generation_file_is_never_served),
		/* fault: segment-recreated */
		TEST_IN_SCRATCH("within a second, a reader finds a segment that was removed and "
				"created again",
			a_segment_that_was_made_again_is_found_within_a_second),
		/* fault: segment-recreated */
		TEST_IN_SCRATCH("if lookups are rare, each lookup reads the clock",
			where_lookups_are_rare_each_reads_the_clock),
		/* fault: process-limit */
		TEST_IN_SCRATCH(
			"without free descriptors lookups answer 'maybe', until descriptors "
			"are free again",
			without_free_descriptors_answers_are_maybe),
		TEST_IN_SCRATCH("a lookup makes no system call", a_lookup_makes_no_system_call),
		/* fault: reader-killed */
		TEST_IN_SCRATCH("a lookup in any kind of filter makes no system call",
			a_lookup_in_any_kind_makes_no_system_call),
	};

	return cmocka_run_group_tests_name("reader", tests, NULL, NULL);
}
