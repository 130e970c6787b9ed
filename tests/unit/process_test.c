/* A forked child inherits the mappings of its parent, and none of the locks. */
#include "support.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "segment/filelock.h"
#include "os/process.h"
#include "kinds/scalable.h"
#include "segment/stage.h"
#include "segment/drop.h"

enum { LOCK = 3 };

static const bloom_live_params counting = {
	.kind = BLOOM_KIND_COUNTING, .capacity_keys = 100, .rate = 0.01};
static const bloom_live_params scalable = {.kind = BLOOM_KIND_SCALABLE,
	.capacity_keys = 64,
	.rate = 0.01,
	.growth = 2,
	.tightening = 0.5};

typedef struct scene {
	bloom_segment segment;
	bloom_attachment attachment;
	int file;  /* the file that was locked */
	int go[2]; /* a pipe: a reader waits for a byte, or until no process can write any more */
	int ready[2];
} scene;

static scene open_scene(const bloom_live_params *params)
{
	scene set = {.segment = scratch_segment()};

	live_create(&set.segment, "tags", params, 1);
	assert_int_equal(0, pipe2(set.go, O_CLOEXEC));
	assert_int_equal(0, pipe2(set.ready, O_CLOEXEC));
	return set;
}

static void close_scene(scene *set)
{
	int i;

	for (i = 0; i < 2; i++) {
		bloom_close(&set->go[i]);
		bloom_close(&set->ready[i]);
	}
	bloom_detach(&set->attachment);
}

static void tell(const int pipe[2])
{
	assert_int_equal(1, write(pipe[1], "", 1));
}

static void wait_for(int pipe[2])
{
	char byte;

	bloom_close(&pipe[1]);
	(void)!read(pipe[0], &byte, 1);
}

static bloom_status take(scene *set)
{
	return bloom_filelock_take(
		&set->attachment.live->lock, &set->segment, "tags", LOCK, 0, &set->file, NULL);
}

/* An idle child, like a worker that never uses the filter. It ends with the test. */
static int stay(void *context)
{
	scene *set = context;

	tell(set->ready);
	wait_for(set->go);
	return 0;
}

static void leave_a_child(scene *set)
{
	char byte;

	(void)start_child(stay, set);
	assert_int_equal(1, read(set->ready[0], &byte, 1));
}

static int fork_lock_and_die(void *context)
{
	scene *set = context;

	attach_to(&set->segment, "tags", &set->attachment);
	leave_a_child(set);
	assert_ok(take(set));
	(void)raise(SIGKILL);
	return 0;
}

static void the_locks_of_a_killed_parent_are_free_while_its_child_lives(void **state)
{
	scene set = open_scene(&counting);

	(void)state;
	attach_to(&set.segment, "tags", &set.attachment);
	assert_int_equal(1000 + SIGKILL, run_child(fork_lock_and_die, &set));
	assert_ok(take(&set));
	close_scene(&set);
}

static int fork_in_a_stage_and_die(void *context)
{
	scene *set = context;
	bloom_stage stage;

	assert_ok(bloom_stage_begin(&set->segment, "tags", 100000, &stage, &error));
	leave_a_child(set);
	(void)raise(SIGKILL);
	return 0;
}

static void what_a_killed_parent_was_writing_goes_while_its_child_lives(void **state)
{
	test_blob blob = blob_small();
	scene set = {.segment = scratch_segment()};

	(void)state;
	assert_int_equal(0, pipe2(set.go, O_CLOEXEC));
	assert_int_equal(0, pipe2(set.ready, O_CLOEXEC));
	assert_int_equal(1000 + SIGKILL, run_child(fork_in_a_stage_and_die, &set));
	assert_int_equal(1, count_entries(in_segment(&set.segment, "tags"), ".tmp"));
	assert_ok(load(&set.segment, "tags", blob, NULL));
	assert_int_equal(0, count_entries(in_segment(&set.segment, "tags"), ".tmp"));
	blob_free(&blob);
	close_scene(&set);
}

static int fork_in_a_stage_lock_and_die(void *context)
{
	scene *set = context;
	bloom_stage stage;

	assert_ok(bloom_stage_begin(&set->segment, "tags", 100000, &stage, &error));
	leave_a_child(set);
	assert_ok(bloom_filter_dir_lock(&stage.dir, &error));
	(void)raise(SIGKILL);
	return 0;
}

static int lock_fork_and_die(void *context)
{
	scene *set = context;
	bloom_filter_dir dir;

	assert_ok(bloom_filter_dir_open(&set->segment, "tags", false, &dir, &error));
	assert_ok(bloom_filter_dir_lock(&dir, &error));
	leave_a_child(set);
	(void)raise(SIGKILL);
	return 0;
}

/* The child is forked before its parent takes the lock, as a store method can do, or afterwards by
 * another thread. */
static void the_writers_lock_of_a_killed_parent_is_free_while_its_child_lives(void **state)
{
	scene set = open_scene(&counting);
	bool existed;

	(void)state;
	set.segment.lock_timeout_ms = 0;
	assert_int_equal(1000 + SIGKILL, run_child(fork_in_a_stage_lock_and_die, &set));
	assert_ok(bloom_segment_drop(&set.segment, "tags", &existed, &error));
	live_create(&set.segment, "tags", &counting, 1);
	assert_int_equal(1000 + SIGKILL, run_child(lock_fork_and_die, &set));
	assert_ok(bloom_segment_drop(&set.segment, "tags", &existed, &error));
	close_scene(&set);
}

static int try_in_vain(void *context)
{
	scene *set = context;

	wait_for(set->go);
	return getpid() == 1 ? (int)take(set) : 0;
}

static int hold_beside_a_child_of_the_same_number(void *context)
{
	scene *set = context;
	pid_t child;

	attach_to(&set->segment, "tags", &set->attachment);
	assert_int_equal(0, unshare(CLONE_NEWPID));
	child = start_child(try_in_vain, set);
	assert_int_equal(1, getpid());
	assert_ok(take(set));
	tell(set->go);
	return wait_child(child);
}

static int in_a_namespace(void *context)
{
	return unshare(CLONE_NEWPID) == 0
		? run_child(hold_beside_a_child_of_the_same_number, context)
		: -1;
}

static void a_child_with_its_parents_number_is_another(void **state)
{
	scene set = open_scene(&counting);
	int code = run_child(in_a_namespace, &set);

	(void)state;
	close_scene(&set);
	if (code == 255) {
		skip_because("creating a PID namespace is not permitted here");
	}
	assert_int_equal(BLOOM_E_BUSY, code);
}

static int detach_beside_a_file_of_that_number(void *context)
{
	scene *set = context;
	int number = set->file, file;

	assert_int_equal(-1, fcntl(number, F_GETFD));
	file = dup2(set->go[0], number);
	assert_int_equal(number, file);
	bloom_detach(&set->attachment);
	return fcntl(number, F_GETFD) >= 0 ? 0 : 1;
}

static void a_child_closes_nothing_that_only_has_a_number_of_its_parents(void **state)
{
	scene set = open_scene(&counting);

	(void)state;
	attach_to(&set.segment, "tags", &set.attachment);
	assert_ok(take(&set));
	assert_int_equal(0, run_child(detach_beside_a_file_of_that_number, &set));
	assert_true(fcntl(set.file, F_GETFD) >= 0);
	close_scene(&set);
}

static bool has(scene *set, const char *family, uint64_t i)
{
	return bloom_scalable_test(set->attachment.live, key_digest(1, family, i));
}

enum { KEYS = 1000 };

static int find_what_came_since(void *context)
{
	scene *set = context;
	unsigned maybe = 0;
	int i;

	wait_for(set->go);
	if (geteuid() == 0) {
		/* This user could open none of the segment's files. */
		assert_int_equal(0, setuid(FOREIGN_USER));
	}
	for (i = 0; i < KEYS; i++) {
		assert_true(has(set, "a", (uint64_t)i));
		maybe += has(set, "absent", (uint64_t)i);
	}
	return maybe < KEYS / 10 ? 0 : 1;
}

static void a_child_sees_what_a_scalable_filter_grows_by(void **state)
{
	scene set = open_scene(&scalable);
	bool is_new;
	pid_t child;
	int i;

	(void)state;
	attach_to(&set.segment, "tags", &set.attachment);
	child = start_child(find_what_came_since, &set);
	for (i = 0; i < KEYS; i++) {
		assert_ok(bloom_scalable_add(set.attachment.live, &set.segment, "tags",
			key_digest(1, "a", (uint64_t)i), &is_new, &error));
	}
	assert_true(set.attachment.live->layers > 1);
	tell(set.go);
	assert_int_equal(0, wait_child(child));
	close_scene(&set);
}

static int number_differs(void *context)
{
	return bloom_process_id() != *(const uint64_t *)context &&
			bloom_process_id() == bloom_process_id()
		? 0
		: 1;
}

static void each_process_has_a_number_of_its_own(void **state)
{
	uint64_t number = bloom_process_id();

	(void)state;
	assert_int_equal(0, run_child(number_differs, &number));
	assert_int_equal(number, bloom_process_id());
}

#ifdef SYS_clone
static void a_child_without_fork_handlers_has_a_number_of_its_own(void **state)
{
	uint64_t number = bloom_process_id();
	int status = -1;
	long child;

	(void)state;
	child = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (child == 0) {
		_exit(number_differs(&number));
	}
	assert_true(child > 0);
	assert_int_equal(child, waitpid((pid_t)child, &status, 0));
	assert_int_equal(0, status);
	assert_int_equal(number, bloom_process_id());
}
#endif

static void a_process_is_gone_when_it_has_ended_and_not_before(void **state)
{
	char own[BLOOM_PROCESS_NAME_BYTES], child[BLOOM_PROCESS_NAME_BYTES] = "";
	char other[BLOOM_PROCESS_NAME_BYTES + 1];
	int to_parent[2], to_child[2];
	pid_t pid;

	(void)state;
	bloom_process_name(own);
	if (own[0] == 0) {
		skip_because("there is no /proc");
	}
	assert_false(bloom_process_is_gone(own));
	assert_int_equal(0, pipe(to_parent));
	assert_int_equal(0, pipe(to_child));
	pid = fork();
	if (pid == 0) {
		bloom_process_name(child);
		(void)!write(to_parent[1], child, sizeof child);
		(void)!read(to_child[0], child, 1);
		_exit(0);
	}
	assert_int_equal(sizeof child, read(to_parent[0], child, sizeof child));
	assert_string_not_equal(own, child);
	assert_false(bloom_process_is_gone(child));
	assert_int_equal(0, kill(pid, SIGKILL));
	while (!bloom_process_is_gone(child)) {
		usleep(1000); /* the child has ended, but was not reaped */
	}
	assert_int_equal(pid, waitpid(pid, NULL, 0));
	assert_true(bloom_process_is_gone(child));
	/* Another process now has that number. */
	(void)snprintf(other, sizeof other, "%s0", own);
	assert_true(bloom_process_is_gone(other));
	/* The state of a process of another host, boot or namespace is unknown, and so is that of
	 * an invalid name. */
	child[0] = child[0] == '0' ? '1' : '0';
	assert_false(bloom_process_is_gone(child));
	assert_false(bloom_process_is_gone(""));
	assert_false(bloom_process_is_gone("garbage 1.2.3"));
	*strrchr(other, '.') = 0;
	assert_false(bloom_process_is_gone(other));
	(void)close(to_parent[0]), (void)close(to_parent[1]);
	(void)close(to_child[0]), (void)close(to_child[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: collect-killed */
		TEST("a process counts as gone once it has ended, and not before",
			a_process_is_gone_when_it_has_ended_and_not_before),
		TEST("each process has its own process number",
			each_process_has_a_number_of_its_own),
#ifdef SYS_clone
		TEST("a child of clone(), which runs no fork handlers, has its own process number",
			a_child_without_fork_handlers_has_a_number_of_its_own),
#endif
		/* fault: parent-killed */
		TEST_IN_SCRATCH("a killed parent's locks are released even if its child lives on",
			the_locks_of_a_killed_parent_are_free_while_its_child_lives),
		/* fault: parent-killed */
		TEST_IN_SCRATCH(
			"a killed parent's staged file is removed even if its child lives on",
			what_a_killed_parent_was_writing_goes_while_its_child_lives),
		/* fault: parent-killed */
		TEST_IN_SCRATCH(
			"a killed parent's writers' lock is released even if its child lives on",
			the_writers_lock_of_a_killed_parent_is_free_while_its_child_lives),
		/* fault: containers, fork */
		TEST_IN_SCRATCH(
			"a forked child with its parent's PID counts as a different process",
			a_child_with_its_parents_number_is_another),
		/* fault: parent-killed */
		TEST_IN_SCRATCH("a forked child does not close descriptors that reuse the numbers "
				"of its parent's",
			a_child_closes_nothing_that_only_has_a_number_of_its_parents),
		/* fault: parent-killed */
		TEST_IN_SCRATCH("a child sees layers that its parent adds to a scalable filter "
				"after the fork",
			a_child_sees_what_a_scalable_filter_grows_by),
	};

	return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
