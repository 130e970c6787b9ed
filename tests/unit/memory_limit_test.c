/* Tests of the memory limit, and of the sweep, which removes what killed writers left. */
#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/clock.h"
#include "segment/drop.h"
#include "segment/memory_limit.h"
#include "segment/stage.h"
#include "segment/tidy.h"

static const bloom_params small = {.capacity_keys = 1000, .rate = 0.01};

/* Creates a segment with two filters of the same size. */
static bloom_segment two_filters(void)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_of(&small, 1, 100, "a", NULL);

	assert_ok(load(&segment, "one", blob, NULL));
	assert_ok(load(&segment, "two", blob, NULL));
	blob_free(&blob);
	return segment;
}

/* Returns the status of an attempt to enlarge a file. */
static bloom_status enlarge(const bloom_segment *segment, uint64_t more_bytes)
{
	bloom_filter_dir lock;
	bloom_status status = bloom_limit_lock(segment, more_bytes, &lock, &error);

	bloom_filter_dir_close(&lock);
	return status;
}

static void the_sum_follows_every_change(void **state)
{
	bloom_segment segment = two_filters();
	uint64_t both = segment_bytes(&segment);
	bool existed;

	(void)state;
	assert_true(both > 0);
	segment.memory_limit_bytes = both + 10;
	assert_ok(enlarge(&segment, 10));
	assert_status(BLOOM_E_LIMIT, enlarge(&segment, 11));
	write_file(in_segment(&segment, "one/1234567890abcdef.tmp"), "0123456789", 10, 0600);
	assert_status(BLOOM_E_LIMIT, enlarge(&segment, 1));
	assert_ok(bloom_segment_drop(&segment, "two", &existed, &error));
	assert_int_equal(both / 2 + 10, segment_bytes(&segment));
	assert_ok(bloom_segment_drop(&segment, "one", &existed, &error));
	assert_int_equal(0, segment_bytes(&segment));
}

static int reload_for_ever(void *context)
{
	const bloom_segment *segment = context;
	test_blob blob = blob_of(&small, 1, 100, "a", NULL);
	bloom_status status = BLOOM_OK;

	while (status == BLOOM_OK) {
		status = load(segment, "one", blob, NULL);
	}
	return 1;
}

/* A reload renames its file. The file must not be left out because it has neither name when the sum
 * asks for its size. */
static void a_sum_during_reloads_misses_no_file(void **state)
{
	bloom_segment segment = two_filters();
	uint64_t both = segment_bytes(&segment), bytes;
	pid_t child = start_child(reload_for_ever, &segment);
	int i;

	(void)state;
	for (i = 0; i < 20000; i++) {
		assert_ok(bloom_segment_bytes(&segment, &bytes, &error));
		assert_in_range(bytes, both, both + both / 2);
	}
	assert_int_equal(0, kill(child, SIGKILL));
	assert_int_equal(1000 + SIGKILL, wait_child(child));
}

/* ---- the lock ---- */

static int lock_and_stop(void *context)
{
	const bloom_segment *segment = context;
	bloom_filter_dir lock;

	if (bloom_limit_lock(segment, 0, &lock, &error) != BLOOM_OK) {
		return 1;
	}
	raise(SIGSTOP);
	bloom_filter_dir_close(&lock);
	return 0;
}

static void a_stopped_holder_delays_only_growth_under_a_limit(void **state)
{
	bloom_segment segment = two_filters(), limited = segment;
	test_blob blob = blob_of(&small, 1, 100, "a", NULL);
	uint64_t both = segment_bytes(&segment);
	int status = 0;
	bool existed;
	pid_t child;

	(void)state;
	limited.memory_limit_bytes = both;
	limited.lock_timeout_ms = 0;
	child = start_child(lock_and_stop, &limited);
	assert_int_equal(child, waitpid(child, &status, WUNTRACED));
	assert_true(WIFSTOPPED(status));
	assert_status(BLOOM_E_BUSY, enlarge(&limited, 0));
	assert_status(BLOOM_E_BUSY, load(&limited, "one", blob, NULL));
	assert_ok(bloom_segment_drop(&limited, "two", &existed, &error));
	assert_true(existed);
	bloom_segment_sweep(&limited);
	assert_int_equal(both / 2, segment_bytes(&limited));
	assert_ok(load(&segment, "three", blob, NULL)); /* this process has no limit */
	assert_int_equal(0, kill(child, SIGKILL));
	assert_int_equal(1000 + SIGKILL, wait_child(child));
	assert_status(BLOOM_E_LIMIT, enlarge(&limited, 1));
	assert_ok(bloom_segment_drop(&limited, "three", &existed, &error));
	assert_ok(enlarge(&limited, both / 2));
	blob_free(&blob);
}

typedef struct race {
	bloom_segment segment;
	char name[32];
	int pipe[2]; /* the racers begin when nobody can write to it */
} race;

static int load_at_the_start(void *context)
{
	const race *work = context;
	test_blob blob = blob_of(&small, 1, 100, "a", NULL);
	bloom_status status;
	char byte;

	(void)close(work->pipe[1]);
	assert_int_equal(0, read(work->pipe[0], &byte, 1));
	status = load(&work->segment, work->name, blob, NULL);
	return status == BLOOM_OK ? 0 : status == BLOOM_E_LIMIT ? 1 : 2;
}

static void only_one_load_gets_the_last_bytes(void **state)
{
	enum { RACERS = 4, ROUNDS = 100 };
	bloom_segment segment = two_filters();
	race racer[RACERS];
	pid_t child[RACERS];
	int round, i, code, won, ends[2];
	bool existed;

	(void)state;
	/* One more blob fits. Its control page is never refused. */
	segment.memory_limit_bytes = segment_bytes(&segment) * 3 / 2 - BLOOM_CONTROL_BYTES;
	for (round = 0; round < ROUNDS; round++) {
		assert_int_equal(0, pipe(ends));
		for (i = won = 0; i < RACERS; i++) {
			racer[i] = (race){.segment = segment, .pipe = {ends[0], ends[1]}};
			(void)snprintf(racer[i].name, sizeof racer[i].name, "racer%d", i);
			child[i] = start_child(load_at_the_start, &racer[i]);
		}
		(void)close(ends[0]);
		(void)close(ends[1]);
		for (i = 0; i < RACERS; i++) {
			code = wait_child(child[i]);
			assert_in_range(code, 0, 1);
			won += code == 0;
		}
		assert_int_equal(1, won);
		assert_int_equal(
			segment.memory_limit_bytes + BLOOM_CONTROL_BYTES, segment_bytes(&segment));
		for (i = 0; i < RACERS; i++) {
			assert_ok(bloom_segment_drop(&segment, racer[i].name, &existed, &error));
		}
	}
}

static int load_more_for_ever(void *context)
{
	const bloom_segment *segment = context;
	test_blob blob = blob_of(&small, 1, 100, "a", NULL);
	bool existed, is_loaded = true;

	while (is_loaded) {
		is_loaded = load(segment, "one", blob, NULL) == BLOOM_OK &&
			load(segment, "more", blob, NULL) == BLOOM_OK &&
			bloom_segment_drop(segment, "more", &existed, NULL) == BLOOM_OK;
	}
	return 1;
}

static void after_any_kill_the_limit_holds_and_loads_succeed(void **state)
{
	enum { KILLS = 200, DELAY_US = 1500 };
	bloom_segment segment = two_filters();
	test_blob blob = blob_of(&small, 1, 100, "a", NULL);
	uint64_t both = segment_bytes(&segment), seed = test_seed("kills");
	bool existed;
	pid_t child;
	int i;

	(void)state;
	segment.memory_limit_bytes = 2 * both;
	segment.lock_timeout_ms = 0;
	for (i = 0; i < KILLS; i++) {
		child = start_child(load_more_for_ever, &segment);
		seed = seed * UINT64_C(6364136223846793005) + 1;
		(void)usleep((useconds_t)(seed >> 33) % DELAY_US);
		assert_int_equal(0, kill(child, SIGKILL));
		assert_int_equal(1000 + SIGKILL, wait_child(child));
		/* The control page of a filter is not refused. */
		assert_true(segment_bytes(&segment) <=
			segment.memory_limit_bytes + BLOOM_CONTROL_BYTES);
		assert_ok(load(&segment, "mine", blob, NULL));
		assert_ok(bloom_segment_drop(&segment, "mine", &existed, &error));
	}
	bloom_segment_sweep(&segment);
	blob_free(&blob);
}

/* ---- sweeping ---- */

static int load_and_die(void *context)
{
	const bloom_segment *segment = context;
	bloom_stage stage;

	assert_ok(bloom_stage_begin(segment, "one", 100000, &stage, &error));
	raise(SIGKILL);
	return 0;
}

static int abandoned(const bloom_segment *segment)
{
	return count_entries(in_segment(segment, "one"), ".tmp");
}

static void a_sweep_is_due_once_an_hour(void **state)
{
	static const unsigned char noise[4096] = {[7] = 99};
	enum { HOUR_MS = 3600 * 1000 };
	bloom_segment segment = two_filters();
	test_blob blob = blob_of(&small, 1, 100, "a", NULL);
	uint64_t now = bloom_uptime_ms();

	(void)state;
	assert_int_equal(1000 + SIGKILL, run_child(load_and_die, &segment));
	set_swept_ms(&segment, now);
	assert_ok(load(&segment, "two", blob, NULL));
	assert_int_equal(1, abandoned(&segment));
	if (now > HOUR_MS) {
		set_swept_ms(&segment, now - HOUR_MS);
		assert_ok(load(&segment, "two", blob, NULL));
		assert_int_equal(0, abandoned(&segment));
	}
	/* A clock that has jumped back, a reboot and a damaged file delay nothing. */
	make_sweep_due(&segment);
	assert_ok(load(&segment, "two", blob, NULL));
	assert_int_equal(0, abandoned(&segment));
	assert_int_equal(1000 + SIGKILL, run_child(load_and_die, &segment));
	assert_ok(load(&segment, "two", blob, NULL));
	assert_int_equal(1, abandoned(&segment));
	write_file(in_segment(&segment, ".bloom/swept"), noise, sizeof noise, 0600);
	assert_ok(load(&segment, "two", blob, NULL));
	assert_int_equal(0, abandoned(&segment));
	blob_free(&blob);
}

static void what_a_killed_writer_left_makes_no_load_fail(void **state)
{
	bloom_segment segment = two_filters();
	test_blob blob = blob_of(&small, 1, 100, "a", NULL);

	(void)state;
	set_swept_ms(&segment, bloom_uptime_ms());
	assert_int_equal(1000 + SIGKILL, run_child(load_and_die, &segment));
	segment.memory_limit_bytes = segment_bytes(&segment);
	assert_int_equal(1, abandoned(&segment));
	assert_ok(load(&segment, "three", blob, NULL));
	assert_int_equal(0, abandoned(&segment));
	(void)segment_bytes(&segment);
	blob_free(&blob);
}

typedef struct staging {
	bloom_segment segment;
	test_blob blob;
} staging;

static int stage_and_stop(void *context)
{
	staging *work = context;
	uint64_t generation;
	bloom_stage stage;

	assert_ok(bloom_stage_begin(&work->segment, "new", work->blob.count, &stage, &error));
	raise(SIGSTOP);
	assert_ok(bloom_stage_write(&stage, work->blob.bytes, work->blob.count, &error));
	raise(SIGSTOP);
	return bloom_stage_commit(&stage, &generation, &error) == BLOOM_OK ? 0 : 1;
}

static void a_sweep_spares_a_stopped_writer(void **state)
{
	staging work = {.segment = two_filters()};
	bloom_attachment reader;
	int status = 0, i;
	pid_t child;

	(void)state;
	work.blob = blob_with("a");
	child = start_child(stage_and_stop, &work);
	for (i = 0; i < 2; i++) {
		assert_int_equal(child, waitpid(child, &status, WUNTRACED));
		assert_true(WIFSTOPPED(status));
		bloom_segment_sweep(&work.segment);
		assert_int_equal(0, kill(child, SIGCONT));
	}
	assert_int_equal(0, wait_child(child));
	attach_to(&work.segment, "new", &reader);
	assert_serves(&reader, "a");
	bloom_detach(&reader);
	blob_free(&work.blob);
}

static void a_sweep_leaves_other_files_alone(void **state)
{
	bloom_segment segment = two_filters();

	(void)state;
	write_file(in_segment(&segment, ".bloom/readme"), "", 0, 0600);
	write_file(in_segment(&segment, ".bloom/0123456789abcdef-removed"), "", 0, 0600);
	write_file(in_segment(&segment, "readme"), "", 0, 0600);
	assert_int_equal(0, mkdir(in_segment(&segment, "mine"), 0700));
	write_file(in_segment(&segment, "mine/notes.txt"), "", 0, 0600);
	bloom_segment_sweep(&segment);
	assert_int_equal(1, count_entries(in_segment(&segment, ".bloom"), "readme"));
	assert_int_equal(0, count_entries(in_segment(&segment, ".bloom"), "-removed"));
	assert_int_equal(1, count_entries(in_segment(&segment, "mine"), ""));
	assert_int_equal(2, count_entries(in_segment(&segment, "one"), ""));
	assert_int_equal(4, count_entries(in_segment(&segment, "."), ""));
}

static void set_boot_of_page(const bloom_segment *segment, const char *name, uint64_t boot)
{
	bloom_attachment filter;

	attach_to(segment, name, &filter);
	filter.control->boot = boot;
	bloom_detach(&filter);
}

static void a_sweep_removes_what_another_boot_left_on_a_disk(void **state)
{
	char path[] = DISK "/bloom-limit.XXXXXX";
	uint64_t other_boot = bloom_boot_id() + 2;
	test_blob blob = blob_of(&small, 1, 100, "a", NULL);
	bloom_segment segment = scratch_segment();
	int directory;
	bool is_memory;

	(void)state;
	assert_non_null(mkdtemp(path));
	directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	is_memory = bloom_directory_is_memory(directory);
	(void)close(directory);
	assert_ok(bloom_segment_init(&segment, path, strlen(path), &error));
	if (is_memory) {
		blob_free(&blob);
		remove_tree(path);
		skip_because("/var/tmp is not on a disk");
	}
	assert_ok(load(&segment, "one", blob, NULL));
	assert_ok(load(&segment, "two", blob, NULL));
	set_boot_of_page(&segment, "one", other_boot);
	set_boot_of_page(&segment, "two", other_boot);
	make_sweep_due(&segment);
	assert_ok(load(&segment, "three", blob, NULL));
	assert_int_equal(1, count_entries(path, "three"));
	assert_int_equal(0, count_entries(path, "one"));
	assert_int_equal(0, count_entries(path, "two"));
	(void)segment_bytes(&segment);
	blob_free(&blob);
	remove_tree(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH("the sum matches the file sizes after every load and drop",
			the_sum_follows_every_change),
		TEST_IN_SCRATCH(
			"a sum during reloads misses no file", a_sum_during_reloads_misses_no_file),
		/* fault: enlarge-killed */
		TEST_IN_SCRATCH("a stopped process that holds the memory limit's lock delays only "
				"growth under a limit",
			a_stopped_holder_delays_only_growth_under_a_limit),
		/* fault: enlarge-killed */
		TEST_IN_SCRATCH("of several loads that race for the last bytes, one wins",
			only_one_load_gets_the_last_bytes),
		/* fault: enlarge-killed */
		TEST_IN_SCRATCH("after any kill the memory limit holds and loads succeed",
			after_any_kill_the_limit_holds_and_loads_succeed),
		/* fault: writer-leftovers */
		TEST_IN_SCRATCH("a writer sweeps once an hour, whatever the clock does",
			a_sweep_is_due_once_an_hour),
		/* fault: writer-leftovers */
		TEST_IN_SCRATCH("what a killed writer left makes no load exceed the memory limit",
			what_a_killed_writer_left_makes_no_load_fail),
		/* fault: writer-leftovers */
		TEST_IN_SCRATCH("a sweep spares the files of a stopped writer",
			a_sweep_spares_a_stopped_writer),
		TEST_IN_SCRATCH("a sweep leaves files that the extension did not create alone",
			a_sweep_leaves_other_files_alone),
		TEST_IN_SCRATCH("a sweep removes the filters that another boot left on a disk",
			a_sweep_removes_what_another_boot_left_on_a_disk),
	};

	return cmocka_run_group_tests_name("memory_limit", tests, NULL, NULL);
}
