/* Live filters under stress: many processes create filters, add keys and take locks concurrently,
 * creators are killed, and the file system is full. */
#include "kinds.h"

#include <signal.h>
#include <sys/resource.h>

#include "kinds/create.h"
#include "segment/stage.h"
#include "segment/drop.h"

static const bloom_live_params plain = {
	.kind = BLOOM_KIND_LIVE, .capacity_keys = 1000, .rate = 0.001};

/* ---- many processes ---- */

enum { ADDERS = 6, KEYS_AN_ADDER = 3000 };

static const char *const families[ADDERS] = {"a", "b", "c", "d", "e", "f"};

typedef struct adding {
	bloom_segment segment;
	const bloom_live_params *params;
	int number;
} adding;

/* Creates the filter if it is the first process, and adds its own keys and the common ones. */
static int add_keys(void *context)
{
	const adding *shared = context;
	bloom_attachment attachment;
	bool created, is_new;
	uint64_t i;
	const char *family = families[shared->number];

	if (bloom_live_create(&shared->segment, "seen", shared->params, NULL, &created, &error) !=
			BLOOM_OK ||
		bloom_attach(&shared->segment, "seen", &attachment, &error) != BLOOM_OK) {
		return 1;
	}
	for (i = 0; i < KEYS_AN_ADDER; i++) {
		if (filter_add(&attachment, family, i, &is_new) != BLOOM_OK ||
			filter_add(&attachment, "common", i, &is_new) != BLOOM_OK) {
			return 2;
		}
		if (!filter_has(&attachment, family, i) || !filter_has(&attachment, "common", i)) {
			return 3;
		}
	}
	bloom_detach(&attachment);
	return created ? 100 : 0;
}

static void nothing_that_many_processes_add_is_lost(void **state)
{
	bloom_attachment attachment;
	adding shared = {.segment = scratch_segment()};
	pid_t child[ADDERS];
	bool existed;
	uint64_t i;
	int kind, j, makers, code;

	(void)state;
	for (kind = 0; kind < LIVE_KINDS; kind++) {
		bloom_live_params params = live_params[kind];

		params.capacity_keys =
			params.kind == BLOOM_KIND_SCALABLE ? 500 : (ADDERS + 1) * KEYS_AN_ADDER;
		shared.params = &params;
		for (j = 0, makers = 0; j < ADDERS; j++) {
			shared.number = j;
			child[j] = start_child(add_keys, &shared); /* each child has a copy */
		}
		for (j = 0; j < ADDERS; j++) {
			code = wait_child(child[j]);
			assert_true(code == 0 || code == 100);
			makers += code == 100;
		}
		assert_int_equal(1, makers);
		attach_to(&shared.segment, "seen", &attachment);
		for (i = 0; i < KEYS_AN_ADDER; i++) {
			for (j = 0; j < ADDERS; j++) {
				assert_true(filter_has(&attachment, families[j], i));
			}
			assert_true(filter_has(&attachment, "common", i));
		}
		bloom_detach(&attachment);
		assert_ok(bloom_segment_drop(&shared.segment, "seen", &existed, &error));
	}
}

/* Each key is counted once, unless two processes add it at the same instant. */
static void keys_are_counted_by_who_sets_their_bits(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;
	uint64_t i, expected = 0;
	bool is_new;

	(void)state;
	live_create(&segment, "seen", &plain, test_seed("counted"));
	attach_to(&segment, "seen", &attachment);
	for (i = 0; i < 1000; i++) {
		assert_ok(filter_add(&attachment, "key", i, &is_new));
		expected += is_new;
		assert_ok(filter_add(&attachment, "key", i, &is_new));
	}
	assert_in_range(expected, 995, 1000);
	assert_int_equal(expected, attachment.live->head->layer[0].keys);
	bloom_detach(&attachment);
}

/* ---- death ---- */

typedef struct creating {
	bloom_segment segment;
	const bloom_live_params *params;
} creating;

static int create_and_drop_for_ever(void *context)
{
	creating *work = context;
	bool created, existed;

	for (;;) {
		if (bloom_live_create(&work->segment, "seen", work->params, NULL, &created, NULL) !=
				BLOOM_OK ||
			bloom_segment_drop(&work->segment, "seen", &existed, NULL) != BLOOM_OK) {
			return 1;
		}
	}
}

static void killed_creators_leave_nothing_that_matters(void **state)
{
	creating work = {.segment = scratch_segment()};
	uint64_t random = test_seed("creators");
	bloom_attachment attachment;
	bool created, is_new, existed;
	int round;

	(void)state;
	for (round = 0; round < 150; round++) {
		pid_t child;

		work.params = &live_params[round % LIVE_KINDS];
		child = start_child(create_and_drop_for_ever, &work);
		pause_us(random_below(&random, 3000));
		assert_int_equal(0, kill(child, SIGKILL));
		assert_int_equal(1000 + SIGKILL, wait_child(child));
		work.segment.lock_timeout_ms = 0; /* no process holds the lock */
		assert_ok(bloom_live_create(
			&work.segment, "seen", work.params, NULL, &created, &error));
		attach_to(&work.segment, "seen", &attachment);
		assert_ok(filter_add(&attachment, "key", 1, &is_new));
		assert_true(filter_has(&attachment, "key", 1));
		bloom_detach(&attachment);
		/* After the next writer has cleaned up, the filter has only a control page and one
		 * file. */
		live_create(&work.segment, "next", &plain, 1);
		assert_int_equal(2, count_entries(in_segment(&work.segment, "seen"), ""));
		assert_ok(bloom_segment_drop(&work.segment, "next", &existed, &error));
		assert_ok(bloom_segment_drop(&work.segment, "seen", &existed, &error));
		work.segment.lock_timeout_ms = 60000;
	}
	assert_int_equal(0, count_entries(work.segment.path, ""));
}

/* ---- space ---- */

static int create_under_a_file_size_limit(void *context)
{
	creating *work = context;
	struct rlimit limit = {.rlim_cur = 4096, .rlim_max = RLIM_INFINITY};
	bool created;
	int kind;

	signal(SIGXFSZ, SIG_DFL);
	if (setrlimit(RLIMIT_FSIZE, &limit) != 0) {
		return 1;
	}
	for (kind = 0; kind < LIVE_KINDS; kind++) {
		if (bloom_live_create(&work->segment, "seen", &live_params[kind], NULL, &created,
			    &error) != BLOOM_E_FILE_LIMIT) {
			return 2;
		}
	}
	return 0;
}

static void the_process_s_file_size_limit_is_an_error_and_no_signal(void **state)
{
	creating work = {.segment = scratch_segment()};

	(void)state;
	assert_int_equal(0, run_child(create_under_a_file_size_limit, &work));
	live_create(&work.segment, "seen", &plain, 1);
}

static void the_memory_limit_holds_for_live_filters(void **state)
{
	bloom_segment segment = scratch_segment();
	bool created;
	int kind;

	(void)state;
	segment.memory_limit_bytes = 4096;
	for (kind = 0; kind < LIVE_KINDS; kind++) {
		assert_status(BLOOM_E_LIMIT,
			bloom_live_create(
				&segment, "seen", &live_params[kind], NULL, &created, &error));
	}
	/* The refused calls did not even leave the directory. */
	assert_int_equal(-1, count_entries(in_segment(&segment, "seen"), ""));
	segment.memory_limit_bytes = 1 << 20;
	live_create(&segment, "seen", &plain, 1);
}

static void a_full_file_system_is_an_error_and_no_signal(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;
	bool created, is_new;
	bloom_stage stage;
	uint64_t i;

	(void)state;
	mount_small_file_system(96);
	live_create(&segment, "seen", &plain, 1);
	attach_to(&segment, "seen", &attachment);
	fill_file_system(&segment, 4096);
	assert_status(
		BLOOM_E_SPACE, bloom_live_create(&segment, "new", &plain, NULL, &created, &error));
	/* The file was created with all its space, so no page is missing when a key is added. */
	fill_file_system(&segment, 0);
	for (i = 0; i < 3000; i++) {
		assert_ok(filter_add(&attachment, "key", i, &is_new));
	}
	unfill_file_system(&segment);
	/* The file system fills up between the check and the allocation, and when the control
	 * page is created. */
	assert_ok(bloom_stage_begin(&segment, "new", 40960, &stage, &error));
	fill_file_system(&segment, 8192);
	assert_status(BLOOM_E_SPACE,
		bloom_stage_allocate(&stage, BLOOM_KIND_LIVE, &(unsigned char *){NULL}, &error));
	bloom_stage_abort(&stage);
	unfill_file_system(&segment);
	assert_ok(bloom_live_stage(&segment, "new", &plain, 1, NULL, NULL, &stage, &error));
	fill_file_system(&segment, 0);
	assert_status(BLOOM_E_SPACE, bloom_stage_commit(&stage, &(uint64_t){0}, &error));
	unfill_file_system(&segment);
	assert_int_equal(-1, count_entries(in_segment(&segment, "new"), ""));
	live_create(&segment, "new", &plain, 1);
	bloom_detach(&attachment);
}

static int allocate_and_die(void *context)
{
	const bloom_segment *segment = context;
	unsigned char *bytes;
	bloom_stage stage;

	assert_ok(bloom_stage_begin(segment, "dead", 40960, &stage, &error));
	assert_ok(bloom_stage_allocate(&stage, BLOOM_KIND_LIVE, &bytes, &error));
	raise(SIGKILL);
	return 0;
}

static void what_a_killed_writer_left_is_removed_when_space_is_needed(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_stage stage;

	(void)state;
	mount_small_file_system(96);
	set_swept_ms(&segment, bloom_uptime_ms());
	assert_int_equal(1000 + SIGKILL, run_child(allocate_and_die, &segment));
	fill_file_system(&segment, 4096);
	live_create(&segment, "new", &plain, 1);
	unfill_file_system(&segment);
	/* The same, if the space is used up between the check and the allocation. */
	assert_int_equal(1000 + SIGKILL, run_child(allocate_and_die, &segment));
	assert_ok(bloom_stage_begin(&segment, "late", 12288, &stage, &error));
	fill_file_system(&segment, 0);
	assert_ok(bloom_stage_allocate(&stage, BLOOM_KIND_LIVE, &(unsigned char *){NULL}, &error));
	bloom_stage_abort(&stage);
	assert_int_equal(-1, count_entries(in_segment(&segment, "dead"), ""));
	unfill_file_system(&segment);
}

/* ---- locks ---- */

static int lock_at_once(void *context)
{
	bloom_attachment *attachment = context;
	int file;
	bloom_status status = bloom_filelock_take(&attachment->live->lock, attachment->segment,
		attachment->name, 3, 0, &file, &error);

	return status == BLOOM_OK ? 0 : status == BLOOM_E_BUSY ? 1 : status == BLOOM_E_GONE ? 2 : 3;
}

static void locks_exclude_other_processes_and_forked_children(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment one;
	bool existed;
	int file;

	(void)state;
	live_create(&segment, "seen", &plain, 1);
	attach_to(&segment, "seen", &one);
	assert_ok(bloom_filelock_take(&one.live->lock, &segment, "seen", 3, 0, &file, &error));
	/* The child closes its copy of the descriptor, and the parent's lock stays. */
	assert_int_equal(1, run_child(lock_at_once, &one));
	bloom_filelock_release(file, 3);
	assert_ok(bloom_filelock_take(&one.live->lock, &segment, "seen", 4, 0, &file, &error));
	assert_int_equal(HAS_BYTE_LOCKS ? 0 : 1,
		run_child(lock_at_once, &one)); /* the child's death releases the lock */
	assert_int_equal(HAS_BYTE_LOCKS ? 0 : 1, run_child(lock_at_once, &one));
	bloom_filelock_release(file, 4);
	assert_int_equal(0, run_child(lock_at_once, &one));
	assert_ok(bloom_segment_drop(&segment, "seen", &existed, &error));
	assert_int_equal(2, run_child(lock_at_once, &one));
	live_create(&segment, "seen", &plain,
		1); /* another filter with the same name is a different filter */
	assert_int_equal(2, run_child(lock_at_once, &one));
	bloom_detach(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH("no key is lost when many processes add at the same time",
			nothing_that_many_processes_add_is_lost),
		/* fault: counter-wraps */
		TEST_IN_SCRATCH("a key is counted by the process that sets its bits",
			keys_are_counted_by_who_sets_their_bits),
		/* fault: creator-killed */
		TEST_IN_SCRATCH("killed creators leave nothing that affects other processes",
			killed_creators_leave_nothing_that_matters),
		TEST_IN_SCRATCH("creating a live filter beyond the file size limit causes an "
				"error, not a signal",
			the_process_s_file_size_limit_is_an_error_and_no_signal),
		TEST_IN_SCRATCH("the memory limit applies to live filters",
			the_memory_limit_holds_for_live_filters),
		/* fault: no-space */
		TEST_IN_SMALL_FILE_SYSTEM("creating a live filter on a full file system causes an "
					  "error, not a signal",
			a_full_file_system_is_an_error_and_no_signal),
		/* fault: writer-leftovers */
		TEST_IN_SMALL_FILE_SYSTEM("what a killed writer left on a full file system makes "
					  "no load fail",
			what_a_killed_writer_left_is_removed_when_space_is_needed),
		/* fault: fork */
		TEST_IN_SCRATCH(
			"the locks of a live filter exclude other processes and forked children",
			locks_exclude_other_processes_and_forked_children),
	};

	return cmocka_run_group_tests_name("stress", tests, private_mounts, NULL);
}
