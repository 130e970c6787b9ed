/* What limits a load: the segment's memory limit, the process's file size limit and a full file
 * system. Whatever fails, the served filter remains. Modes are set regardless of the umask. */
#include "scenes.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kinds/attachment.h"
#include "segment/segment.h"
#include "segment/stage.h"
#include "segment/drop.h"
#include "segment/control_file.h"

/* ---- limits ---- */

static void the_memory_limit_counts_all_filters_and_both_generations(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	bloom_attachment reader;
	bloom_stage stage;
	bool existed;

	(void)state;
	segment.memory_limit_bytes = blob.count - 1;
	assert_status(BLOOM_E_LIMIT, load(&segment, "one", blob, NULL));
	segment.memory_limit_bytes = blob.count + BLOOM_CONTROL_BYTES;
	assert_ok(load(&segment, "one", blob, NULL));
	assert_status(BLOOM_E_LIMIT, load(&segment, "two", blob, NULL));
	/* During a reload both generations exist. */
	assert_status(BLOOM_E_LIMIT, load(&segment, "one", blob, NULL));
	segment.memory_limit_bytes = 2 * blob.count + BLOOM_CONTROL_BYTES;
	assert_ok(load(&segment, "one", blob, NULL));
	/* A generation counts with its full size as soon as its staging begins, and its space is
	 * reserved from then on. */
	segment.memory_limit_bytes = 3 * blob.count + BLOOM_CONTROL_BYTES - 1;
	assert_ok(bloom_stage_begin(&segment, "two", blob.count, &stage, &error));
	assert_ok(bloom_attach(&segment, "one", &reader, &error));
	assert_status(BLOOM_E_LIMIT, load(&segment, "one", blob, NULL));
	assert_ok(bloom_stage_write(&stage, blob.bytes, blob.count, &error));
	segment.memory_limit_bytes = 2 * blob.count;
	assert_ok(bloom_stage_commit(&stage, &(uint64_t){0}, &error));
	assert_serves(&reader, "a");
	assert_int_equal(2 * (blob.count + BLOOM_CONTROL_BYTES), segment_bytes(&segment));
	assert_status(BLOOM_E_LIMIT, load(&segment, "three", blob, NULL));
	assert_ok(bloom_segment_drop(&segment, "one", &existed, &error));
	assert_ok(bloom_segment_drop(&segment, "two", &existed, &error));
	assert_int_equal(0, segment_bytes(&segment));
	assert_ok(load(&segment, "two", blob, NULL));
	bloom_detach(&reader);
	blob_free(&blob);
}

static int load_under_a_file_size_limit(void *context)
{
	test_blob blob = *(test_blob *)context;
	bloom_segment segment = scratch_segment();
	struct rlimit limit = {.rlim_cur = blob.count - 1, .rlim_max = blob.count};
	bloom_control *control;
	bloom_stage stage;

	signal(SIGXFSZ, SIG_DFL);
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0 ||
		load(&segment, "tags", blob, NULL) != BLOOM_E_FILE_LIMIT ||
		count_entries(segment.path, "") != -1) {
		return 1;
	}
	limit.rlim_cur = blob.count;
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0 ||
		load(&segment, "tags", blob, NULL) != BLOOM_OK) {
		return 2;
	}
	/* With this limit, not even a control page fits. */
	limit.rlim_cur = 100;
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0 ||
		bloom_stage_begin(&segment, "tags", blob.count, &stage, &error) !=
			BLOOM_E_FILE_LIMIT ||
		bloom_segment_control(&segment, "new", true, &control, &error) !=
			BLOOM_E_FILE_LIMIT) {
		return 3;
	}
	return 0;
}

static void the_process_s_file_size_limit_is_an_error_and_no_signal(void **state)
{
	test_blob blob = blob_with("a");

	(void)state;
	assert_int_equal(0, run_child(load_under_a_file_size_limit, &blob));
	blob_free(&blob);
}

/* ---- a full file system ---- */

static void check_small_file_system(void)
{
	bloom_segment segment = scratch_segment();
	test_blob a = blob_with("a"), b = blob_with("b");
	bloom_attachment reader;
	bloom_stage stage;

	assert_ok(load(&segment, "tags", a, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	/* The check fails before anything is written. */
	fill_file_system(&segment, 4096);
	assert_status(BLOOM_E_SPACE, load(&segment, "tags", b, NULL));
	assert_int_equal(0, count_entries(in_segment(&segment, "tags"), ".tmp"));
	/* The file system fills up during the write. */
	unfill_file_system(&segment);
	assert_ok(bloom_stage_begin(&segment, "tags", b.count, &stage, &error));
	fill_file_system(&segment, 4096);
	assert_status(BLOOM_E_SPACE, bloom_stage_write(&stage, b.bytes, b.count, &error));
	assert_int_equal(ENOSPC, error.os_error);
	bloom_stage_abort(&stage);
	assert_serves(&reader, "a");
	/* There is no space for the control page of a new filter, but enough for everything
	 * else. */
	unfill_file_system(&segment);
	assert_ok(bloom_stage_begin(&segment, "new", b.count, &stage, &error));
	assert_ok(bloom_stage_write(&stage, b.bytes, b.count, &error));
	fill_file_system(&segment, 0);
	assert_status(BLOOM_E_SPACE, bloom_stage_commit(&stage, &(uint64_t){0}, &error));
	assert_int_equal(-1, count_entries(in_segment(&segment, "new"), ""));
	assert_serves(&reader, "a");
	/* Once space is available, loads work as before. */
	unfill_file_system(&segment);
	assert_ok(load(&segment, "tags", b, NULL));
	assert_serves(&reader, "b");
	bloom_detach(&reader);
	blob_free(&a);
	blob_free(&b);
}

static void a_full_file_system_keeps_what_is_served(void **state)
{
	(void)state;
	mount_small_file_system(96);
	check_small_file_system();
}

/* ---- modes ---- */

static unsigned mode_of(const char *path)
{
	struct stat found;

	assert_int_equal(0, lstat(path, &found));
	return found.st_mode & 07777;
}

static void load_with_umask(mode_t mask)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	mode_t before = umask(mask);
	bloom_status first, second;

	first = load(&segment, "tags", blob, NULL);
	second = load(&segment, "tags", blob, NULL);
	umask(before);
	assert_ok(first);
	assert_ok(second);
	assert_int_equal(0700, mode_of(segment.path));
	assert_int_equal(0700, mode_of(in_segment(&segment, "tags")));
	assert_int_equal(0600, mode_of(in_segment(&segment, "tags/control")));
	assert_int_equal(0600, mode_of(in_segment(&segment, "tags/0000000000000002.bloom")));
	remove_tree(segment.path);
	blob_free(&blob);
}

static void modes_do_not_depend_on_the_umask(void **state)
{
	(void)state;
	load_with_umask(0);
	load_with_umask(0022);
	load_with_umask(0777);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: memory-limit-segment */
		TEST_IN_SCRATCH(
			"the memory limit counts all filters, and both generations during a reload",
			the_memory_limit_counts_all_filters_and_both_generations),
		/* fault: process-limit */
		TEST_IN_SCRATCH(
			"a load beyond the process's file size limit causes an error, not a signal",
			the_process_s_file_size_limit_is_an_error_and_no_signal),
		{"a full file system keeps what is served", a_full_file_system_keeps_what_is_served,
			scratch_setup, teardown_small_file_system, NULL},
		/* fault: umask */
		TEST_IN_SCRATCH("the modes of files and directories do not depend on the umask",
			modes_do_not_depend_on_the_umask),
	};

	return cmocka_run_group_tests_name("limits", tests, private_mounts, NULL);
}
