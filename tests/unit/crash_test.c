/* Tests of the files that killed writers leave, of kills at random moments, and of many concurrent
 * writers and readers. kill_test.c kills processes at each system call and instruction. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filter/atomic.h"
#include "kinds/attachment.h"
#include "segment/segment.h"
#include "segment/stage.h"
#include "segment/drop.h"
#include "segment/control_file.h"

/* Returns whether the served generation is complete: it contains the common keys and all keys of
 * either "a" or "b". */
static bool serves_a_whole_generation(bloom_attachment *reader)
{
	switch (bloom_attachment_check(reader)) {
	case BLOOM_PRESENCE_VIEW:
		return filter_found(reader, "common", 20) == 20 &&
			(filter_found(reader, "a", 20) == 20 ||
				filter_found(reader, "b", 20) == 20);
	case BLOOM_PRESENCE_UNMAPPED:
		return true; /* every answer is "maybe" */
	default:
		return false;
	}
}

/* Asserts that the next writer succeeds without waiting for a lock, and removes the files that
 * killed writers left. */
static void assert_heals(bloom_segment segment, test_blob blob, bool look_at_all)
{
	bloom_attachment reader;

	segment.lock_timeout_ms = 0;
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	assert_true(serves_a_whole_generation(&reader));
	bloom_detach(&reader);
	assert_int_equal(2, count_entries(in_segment(&segment, "tags"), ""));
	assert_int_equal(1, count_entries(in_segment(&segment, "tags"), ".bloom"));
	if (look_at_all) {
		assert_int_equal(1, count_entries(segment.path, ""));
	}
}

/* ---- files of killed writers ---- */

static void leftovers_of_the_dead_go_with_the_next_load(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	uint64_t generation;

	(void)state;
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_ok(load(&segment, "other", blob, NULL));
	write_file(in_segment(&segment, "tags/0123456789abcdef.tmp"), "half", 4, 0600);
	write_file(in_segment(&segment, "tags/control.tmp"), "half", 4, 0600);
	write_file(in_segment(&segment, "tags/0000000000000002.bloom"), "renamed", 7, 0600);
	write_file(in_segment(&segment, "tags/000000000000000a.bloom"), "renamed", 7, 0600);
	write_file(in_segment(&segment, "other/0000000000000007.bloom"), "renamed", 7, 0600);
	write_file(in_segment(&segment, "other/ffff.tmp"), "half", 4, 0600);
	/* The load must not remove files that the extension did not create. */
	write_file(in_segment(&segment, "other/notes.txt"), "mine", 4, 0600);
	write_file(in_segment(&segment, "other/1.bloom"), "mine", 4, 0600);
	write_file(in_segment(&segment, "other/000000000000000A.bloom"), "mine", 4, 0600);
	make_sweep_due(&segment);
	assert_ok(load(&segment, "tags", blob, &generation));
	assert_int_equal(2, generation); /* generation 2 was never served, so its number is free */
	assert_int_equal(2, count_entries(in_segment(&segment, "tags"), ""));
	assert_int_equal(2 + 3, count_entries(in_segment(&segment, "other"), ""));
	blob_free(&blob);
}

static void the_file_of_a_living_writer_stays(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	int file;

	(void)state;
	assert_ok(load(&segment, "tags", blob, NULL));
	write_file(in_segment(&segment, "tags/00000000000000aa.tmp"), "alive", 5, 0600);
	write_file(in_segment(&segment, "tags/00000000000000bb.tmp"), "dead", 4, 0600);
	file = open(in_segment(&segment, "tags/00000000000000aa.tmp"), O_RDONLY | O_CLOEXEC);
	assert_int_equal(0, flock(file, LOCK_EX));
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_int_equal(0, access(in_segment(&segment, "tags/00000000000000aa.tmp"), F_OK));
	assert_int_equal(-1, access(in_segment(&segment, "tags/00000000000000bb.tmp"), F_OK));
	close(file);
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_int_equal(-1, access(in_segment(&segment, "tags/00000000000000aa.tmp"), F_OK));
	blob_free(&blob);
}

static void a_half_done_drop_is_finished_by_the_next_writer_of_any_filter(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	bloom_attachment reader;
	bloom_control *control;

	(void)state;
	assert_ok(load(&segment, "gone", blob, NULL));
	assert_ok(bloom_segment_control(&segment, "gone", false, &control, &error));
	bloom_store_release(&control->generation, BLOOM_GENERATION_DROPPED);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	make_sweep_due(&segment);
	assert_status(BLOOM_E_NOT_FOUND, bloom_attach(&segment, "gone", &reader, &error));
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_int_equal(-1, access(in_segment(&segment, "gone"), F_OK));
	blob_free(&blob);
}

static void a_half_done_drop_does_not_stop_a_load(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob a = blob_with("a"), b = blob_with("b");
	bloom_attachment reader;
	bloom_control *control;

	(void)state;
	assert_ok(load(&segment, "tags", a, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	assert_ok(bloom_segment_control(&segment, "tags", false, &control, &error));
	bloom_store_release(&control->generation, BLOOM_GENERATION_DROPPED);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	assert_heals(segment, b, true);
	assert_int_equal(BLOOM_PRESENCE_VIEW, bloom_attachment_check(&reader));
	assert_int_equal(20, filter_found(&reader, "b", 20));
	bloom_detach(&reader);
	/* A drop that is killed before its last system call leaves an empty directory. */
	assert_int_equal(0, mkdir(in_segment(&segment, "empty"), 0700));
	assert_status(BLOOM_E_NOT_FOUND, bloom_attach(&segment, "empty", &reader, &error));
	assert_ok(load(&segment, "empty", a, NULL));
	blob_free(&a);
	blob_free(&b);
}

typedef struct task {
	bloom_segment segment;
	test_blob blob;
} task;

/* ---- kills at random moments ---- */

static int load_for_ever(void *context)
{
	task *work = context;
	test_blob blobs[2] = {blob_with("a"), blob_with("b")};
	unsigned i;

	for (i = 0;; i++) {
		if (load(&work->segment, "tags", blobs[i % 2], NULL) != BLOOM_OK) {
			return 1;
		}
	}
}

static void a_writer_killed_at_any_moment_harms_nobody(void **state)
{
	uint64_t random = test_seed("a writer killed at any moment harms nobody");
	task work = {.segment = scratch_segment()};
	bloom_attachment reader;
	test_blob blob = blob_with("a");
	int round;

	(void)state;
	assert_ok(load(&work.segment, "tags", blob, NULL));
	assert_ok(bloom_attach(&work.segment, "tags", &reader, &error));
	for (round = 0; round < 100; round++) {
		pid_t child = start_child(load_for_ever, &work);

		pause_us(random_below(&random, 8000));
		assert_true(serves_a_whole_generation(&reader));
		assert_int_equal(0, kill(child, SIGKILL));
		assert_int_equal(1000 + SIGKILL, wait_child(child));
		assert_int_equal(BLOOM_PRESENCE_VIEW, bloom_attachment_check(&reader));
		assert_true(serves_a_whole_generation(&reader));
		assert_heals(work.segment, blob, true);
	}
	bloom_detach(&reader);
	blob_free(&blob);
}

/* ---- many concurrent processes ---- */

enum { READERS = 4, WRITERS = 16, LOADS_A_WRITER = 5 };

typedef struct meeting {
	uint64_t stop;
	uint64_t passes[READERS]; /* one word per reader */
	uint64_t wrong[READERS];
} meeting;

typedef struct reading {
	bloom_segment segment;
	meeting *shared;
	int number;
} reading;

static int read_until_stopped(void *context)
{
	reading *work = context;
	bloom_attachment reader;

	if (bloom_attach(&work->segment, "tags", &reader, &error) != BLOOM_OK) {
		bloom_increment(&work->shared->wrong[work->number]);
		return 2;
	}
	while (bloom_load_acquire(&work->shared->stop) == 0) {
		if (!serves_a_whole_generation(&reader)) {
			bloom_increment(&work->shared->wrong[work->number]);
		}
		bloom_increment(&work->shared->passes[work->number]);
		sched_yield();
	}
	bloom_detach(&reader);
	return 0;
}

/* Waits until each reader has made a whole pass over the new generation, or has counted a wrong
 * answer. */
static void let_all_look(meeting *shared)
{
	uint64_t before, start = bloom_monotonic_ms();
	int i;

	for (i = 0; i < READERS; i++) {
		before = bloom_load_acquire(&shared->passes[i]);
		while (bloom_load_acquire(&shared->passes[i]) < before + 2 &&
			bloom_load_acquire(&shared->wrong[i]) == 0) {
			assert_true(bloom_monotonic_ms() - start < 120000);
			sched_yield();
		}
	}
}

static void readers_find_common_keys_during_continuous_reloads(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blobs[2] = {blob_with("a"), blob_with("b")};
	meeting *shared = mmap(
		NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	reading work[READERS];
	pid_t children[READERS];
	int i, reloads = SANITIZED ? 200 : 600;

	(void)state;
	assert_true(shared != MAP_FAILED);
	assert_ok(load(&segment, "tags", blobs[0], NULL));
	for (i = 0; i < READERS; i++) {
		work[i] = (reading){.segment = segment, .shared = shared, .number = i};
		children[i] = start_child(read_until_stopped, &work[i]);
	}
	for (i = 1; i <= reloads; i++) {
		assert_ok(load(&segment, "tags", blobs[i % 2], NULL));
		if (i % 4 == 0) {
			let_all_look(shared);
		}
	}
	bloom_store_release(&shared->stop, 1);
	for (i = 0; i < READERS; i++) {
		assert_int_equal(0, wait_child(children[i]));
		assert_int_equal(0, shared->wrong[i]);
		assert_true(shared->passes[i] >= (uint64_t)reloads / 4);
	}
	munmap(shared, sizeof *shared);
	blob_free(&blobs[0]);
	blob_free(&blobs[1]);
}

static int load_some(void *context)
{
	task *work = context;
	int i;

	for (i = 0; i < LOADS_A_WRITER; i++) {
		if (load(&work->segment, "tags", work->blob, NULL) != BLOOM_OK) {
			fprintf(stderr, "%s (%s, errno %d)\n", bloom_status_sentence(error.status),
				error.subject, error.os_error);
			return 1;
		}
	}
	return 0;
}

static void sixteen_writers_at_once_all_succeed(void **state)
{
	task work = {.segment = scratch_segment(), .blob = blob_with("a")};
	bloom_attachment reader;
	pid_t children[WRITERS];
	int i;

	(void)state;
	/* The first process creates the segment itself. */
	for (i = 0; i < WRITERS; i++) {
		children[i] = start_child(load_some, &work);
	}
	for (i = 0; i < WRITERS; i++) {
		assert_int_equal(0, wait_child(children[i]));
	}
	assert_ok(bloom_attach(&work.segment, "tags", &reader, &error));
	assert_int_equal(WRITERS * LOADS_A_WRITER, reader.generation);
	assert_int_equal(WRITERS * LOADS_A_WRITER, reader.control->loads);
	assert_int_equal(20, filter_found(&reader, "a", 20));
	assert_int_equal(2, count_entries(in_segment(&work.segment, "tags"), ""));
	bloom_detach(&reader);
	blob_free(&work.blob);
}

typedef struct naming {
	bloom_segment segment;
	test_blob blob;
	int number;
} naming;

static int load_and_drop_names(void *context)
{
	naming *work = context;
	char name[32];
	bool existed;
	int i;

	(void)snprintf(name, sizeof name, "name-%d", work->number % 4);
	for (i = 0; i < 10; i++) {
		if (load(&work->segment, name, work->blob, NULL) != BLOOM_OK ||
			(i % 2 == 0 &&
				bloom_segment_drop(&work->segment, name, &existed, &error) !=
					BLOOM_OK)) {
			fprintf(stderr, "%s (%s, errno %d)\n", bloom_status_sentence(error.status),
				error.subject, error.os_error);
			return 1;
		}
	}
	return 0;
}

static void loads_and_drops_of_several_names_at_once_all_succeed(void **state)
{
	bloom_segment segment = scratch_segment();
	naming work[8];
	pid_t children[8];
	char name[32];
	test_blob blob = blob_with("a");
	bloom_attachment reader;
	int i;

	(void)state;
	for (i = 0; i < 8; i++) {
		work[i] = (naming){.segment = segment, .blob = blob, .number = i};
		children[i] = start_child(load_and_drop_names, &work[i]);
	}
	for (i = 0; i < 8; i++) {
		assert_int_equal(0, wait_child(children[i]));
	}
	/* The last operation of each process was a load, so all four filters exist. */
	for (i = 0; i < 4; i++) {
		(void)snprintf(name, sizeof name, "name-%d", i);
		assert_ok(bloom_attach(&segment, name, &reader, &error));
		bloom_detach(&reader);
		assert_int_equal(2, count_entries(in_segment(&segment, "%s", name), ""));
	}
	blob_free(&blob);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: second-death, writer-leftovers */
		TEST_IN_SCRATCH("the next load removes the files that dead writers left",
			leftovers_of_the_dead_go_with_the_next_load),
		TEST_IN_SCRATCH("a load does not remove the file of a running writer",
			the_file_of_a_living_writer_stays),
		/* fault: second-death */
		TEST_IN_SCRATCH("the next writer of any filter completes an interrupted drop",
			a_half_done_drop_is_finished_by_the_next_writer_of_any_filter),
		TEST_IN_SCRATCH("an interrupted drop does not prevent a load",
			a_half_done_drop_does_not_stop_a_load),
		/* fault: killed-anywhere */
		TEST_IN_SCRATCH("a writer killed at any moment harms no other process",
			a_writer_killed_at_any_moment_harms_nobody),
		/* fault: endless-reloads */
		TEST_IN_SCRATCH("during reloads, readers find all keys of one complete generation",
			readers_find_common_keys_during_continuous_reloads),
		/* fault: concurrent-changes */
		TEST_IN_SCRATCH("sixteen concurrent writers all succeed",
			sixteen_writers_at_once_all_succeed),
		/* fault: concurrent-changes */
		TEST_IN_SCRATCH("concurrent loads and drops of several filters all succeed",
			loads_and_drops_of_several_names_at_once_all_succeed),
	};

	return cmocka_run_group_tests_name("crash", tests, NULL, NULL);
}
