/* Tests of the account, which sums the sizes of a segment's files, and of the writers' busy
 * files. */
#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "segment/memory_account.h"
#include "segment/busy_file.h"
#include "segment/stage.h"
#include "segment/drop.h"

static const bloom_params small = {.capacity_keys = 1000, .rate = 0.01};

static bloom_filter_dir open_place(const bloom_segment *segment, const char *name)
{
	bloom_filter_dir opened;

	assert_ok(bloom_filter_dir_open(segment, name, true, &opened, &error));
	return opened;
}

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

static uint64_t sum_of(const bloom_segment *segment)
{
	uint64_t bytes = 0;

	assert_ok(bloom_account_read(segment, &bytes, &error));
	return bytes;
}

static void the_sum_follows_every_change(void **state)
{
	bloom_segment segment = two_filters();
	uint64_t both = segment_bytes(&segment);
	bool existed;

	(void)state;
	assert_true(both > 0);
	assert_ok(bloom_segment_drop(&segment, "two", &existed, &error));
	assert_int_equal(both / 2, segment_bytes(&segment));
	assert_ok(bloom_segment_drop(&segment, "one", &existed, &error));
	assert_int_equal(0, segment_bytes(&segment));
}

static void a_change_that_never_ends_makes_the_next_writer_count(void **state)
{
	bloom_segment segment = two_filters();
	bloom_filter_dir opened = open_place(&segment, "one");
	uint64_t both = segment_bytes(&segment);
	bloom_account account;

	(void)state;
	/* Simulates a writer that dies after it creates a file and before the account counts that
	 * file. */
	assert_ok(bloom_account_begin(&opened, 1000, &account, &error));
	write_file(in_segment(&segment, "one/1234567890abcdef.tmp"), "0123456789", 10, 0600);
	bloom_account_abandon(&account);
	assert_int_equal(both + 10,
		sum_of(&segment)); /* the account is invalid, so reading it counts all files */
	segment.memory_limit_bytes = both + 10;
	assert_status(BLOOM_E_LIMIT, bloom_account_begin(&opened, 1, &account, &error));
	assert_ok(bloom_account_remove(&opened, "1234567890abcdef.tmp", &error));
	assert_ok(bloom_account_begin(&opened, 10, &account, &error));
	bloom_account_end(&account, 0);
	assert_int_equal(both, segment_bytes(&segment));
	bloom_filter_dir_close(&opened);
}

static void an_account_that_is_lost_or_damaged_is_made_again(void **state)
{
	bloom_segment segment = two_filters();
	bloom_filter_dir opened = open_place(&segment, "one");
	uint64_t both = segment_bytes(&segment);
	static const unsigned char noise[4096] = {1, 2, 3};
	bloom_account account;
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		const char *path = in_segment(&segment, ".bloom/account");

		assert_int_equal(0, unlink(path));
		if (i > 0) {
			write_file(path, noise, i == 1 ? sizeof noise : 100, 0600);
		}
		assert_int_equal(both, sum_of(&segment));
		segment.memory_limit_bytes = both;
		assert_status(BLOOM_E_LIMIT, bloom_account_begin(&opened, 1, &account, &error));
		segment.memory_limit_bytes = 0;
		assert_int_equal(both, segment_bytes(&segment));
	}
	bloom_filter_dir_close(&opened);
}

typedef struct holding {
	bloom_segment segment;
	bloom_filter_dir opened;
} holding;

static int begin_and_stop(void *context)
{
	holding *work = context;
	bloom_account account;

	if (bloom_account_begin(&work->opened, 0, &account, &error) != BLOOM_OK) {
		return 1;
	}
	raise(SIGSTOP);
	bloom_account_end(&account, 0);
	return 0;
}

static void a_stopped_holder_delays_nobody_without_a_limit(void **state)
{
	holding work = {.segment = two_filters()};
	test_blob blob = blob_of(&small, 1, 100, "a", NULL);
	bloom_account account;
	int status = 0;
	pid_t child;

	(void)state;
	work.opened = open_place(&work.segment, "one");
	child = start_child(begin_and_stop, &work);
	assert_int_equal(child, waitpid(child, &status, WUNTRACED));
	assert_true(WIFSTOPPED(status));
	assert_ok(load(&work.segment, "three", blob, NULL));
	(void)segment_bytes(&work.segment); /* a change has not ended, so this counts all files */
	work.segment.memory_limit_bytes = UINT64_MAX;
	work.segment.lock_timeout_ms = 0;
	assert_status(BLOOM_E_BUSY, bloom_account_begin(&work.opened, 1, &account, &error));
	assert_int_equal(0, kill(child, SIGCONT));
	assert_int_equal(0, wait_child(child));
	assert_ok(bloom_account_begin(&work.opened, 1, &account, &error));
	bloom_account_end(&account, 0);
	(void)segment_bytes(&work.segment);
	bloom_filter_dir_close(&work.opened);
	blob_free(&blob);
}

static void a_change_without_the_lock_hides_no_other(void **state)
{
	bloom_segment segment = two_filters(), limited = segment;
	bloom_filter_dir one = open_place(&segment, "one"), two;
	bloom_account holding_it, without, next;

	(void)state;
	limited.memory_limit_bytes =
		UINT64_MAX; /* with a limit, a begin counts all files if a change has not ended */
	two = open_place(&limited, "two");
	segment.lock_timeout_ms = 0;
	assert_ok(bloom_account_begin(&one, 0, &holding_it, &error));
	assert_ok(bloom_account_begin(&one, 0, &without, &error));
	assert_int_equal(-1, without.file);
	bloom_account_abandon(&holding_it);
	/* Counts all files while the change without the lock is still in progress. */
	assert_ok(bloom_account_begin(&two, 0, &next, &error));
	bloom_account_end(&next, 0);
	bloom_account_end(&without, 0);
	/* The count already included the begin of `without`. The end of `without` must not hide
	 * that the process of the next change is killed. */
	assert_ok(bloom_account_begin(&two, 0, &next, &error));
	write_file(in_segment(&segment, "one/1234567890abcdef.tmp"), "0123456789", 10, 0600);
	bloom_account_abandon(&next);
	assert_ok(bloom_account_begin(&two, 0, &next, &error));
	bloom_account_end(&next, 0);
	(void)segment_bytes(&segment);
	bloom_filter_dir_close(&one);
	bloom_filter_dir_close(&two);
}

/* A drop frees its bytes even if the segment has reached its memory limit, and the account records
 * the drop. */
static void a_removal_waits_for_no_stopped_holder(void **state)
{
	holding work = {.segment = two_filters()};
	bloom_segment limited = work.segment;
	uint64_t both = segment_bytes(&work.segment);
	bloom_account account;
	bloom_filter_dir opened;
	int status = 0;
	bool existed;
	pid_t child;

	(void)state;
	limited.memory_limit_bytes = both;
	limited.lock_timeout_ms = 0;
	work.opened = open_place(&work.segment, "one");
	child = start_child(begin_and_stop, &work);
	assert_int_equal(child, waitpid(child, &status, WUNTRACED));
	assert_ok(bloom_segment_drop(&limited, "two", &existed, &error));
	assert_int_equal(both / 2, segment_bytes(&work.segment));
	opened = open_place(&limited, "one");
	assert_status(BLOOM_E_BUSY, bloom_account_begin(&opened, 1, &account, &error));
	assert_int_equal(0, kill(child, SIGKILL));
	assert_int_equal(1000 + SIGKILL, wait_child(child));
	assert_ok(bloom_account_begin(&opened, both / 2, &account, &error));
	bloom_account_end(&account, 0);
	assert_status(BLOOM_E_LIMIT, bloom_account_begin(&opened, both / 2 + 1, &account, &error));
	(void)segment_bytes(&work.segment);
	bloom_filter_dir_close(&opened);
	bloom_filter_dir_close(&work.opened);
}

/* Indexes of the words that the tests write in the account's page (memory_account.c). */
enum { BOOT_WORD = 2, COUNTING_WORD = 8 };

static int begin_a_count_and_stop(void *context)
{
	holding *work = context;
	bloom_account account;

	if (bloom_account_begin(&work->opened, 0, &account, &error) != BLOOM_OK) {
		return 1;
	}
	((uint64_t *)(void *)account.page)[COUNTING_WORD] = 1;
	raise(SIGSTOP);
	((uint64_t *)(void *)account.page)[COUNTING_WORD] = 0;
	bloom_account_end(&account, 0);
	return 0;
}

static int continue_later(void *context)
{
	enum {
		LATER_US = 200000
	}; /* longer than a change waits for a lock holder that is not counting files */

	(void)usleep(LATER_US);
	return kill(*(pid_t *)context, SIGCONT);
}

static void a_change_waits_for_a_count(void **state)
{
	holding work = {.segment = two_filters()};
	bloom_account account;
	pid_t counter, waker;
	int status = 0;

	(void)state;
	work.segment.lock_timeout_ms = 60000;
	work.opened = open_place(&work.segment, "one");
	counter = start_child(begin_a_count_and_stop, &work);
	assert_int_equal(counter, waitpid(counter, &status, WUNTRACED));
	waker = start_child(continue_later, &counter);
	assert_ok(bloom_account_begin(&work.opened, 0, &account, &error));
	assert_true(account.file >= 0); /* the change waited for the lock until the count ended */
	bloom_account_end(&account, 0);
	assert_int_equal(0, wait_child(waker));
	assert_int_equal(0, wait_child(counter));
	bloom_filter_dir_close(&work.opened);
}

static void set_boot_of_page(const bloom_segment *segment, const char *name, uint64_t boot)
{
	bloom_attachment filter;

	attach_to(segment, name, &filter);
	filter.control->boot = boot;
	bloom_detach(&filter);
}

static void what_another_boot_left_on_a_disk_is_counted_and_tidied(void **state)
{
	char path[] = DISK "/bloom-account.XXXXXX";
	uint64_t other_boot = bloom_boot_id() + 2;
	test_blob blob = blob_of(&small, 1, 100, "a", NULL);
	bloom_segment segment = scratch_segment();
	int directory, file;

	(void)state;
	assert_non_null(mkdtemp(path));
	directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_ok(bloom_segment_init(&segment, path, strlen(path), &error));
	segment.lock_timeout_ms = 60000;
	if (bloom_directory_is_memory(directory)) {
		(void)close(directory);
		blob_free(&blob);
		remove_tree(path);
		skip_because("/var/tmp is not on a disk");
	}
	(void)close(directory);
	assert_ok(load(&segment, "one", blob, NULL));
	assert_ok(load(&segment, "two", blob, NULL));
	set_boot_of_page(&segment, "one", other_boot);
	set_boot_of_page(&segment, "two", other_boot);
	file = open(in_segment(&segment, ".bloom/account"), O_WRONLY | O_CLOEXEC);
	assert_int_equal(sizeof other_boot,
		pwrite(file, &other_boot, sizeof other_boot, BOOT_WORD * sizeof(uint64_t)));
	(void)close(file);
	/* The first load counts all files and creates a busy file for each filter of the other
	 * boot. Both loads clean up the filters that the busy files name. */
	assert_ok(load(&segment, "three", blob, NULL));
	assert_ok(load(&segment, "three", blob, NULL));
	assert_int_equal(1, count_entries(path, "three"));
	assert_int_equal(0, count_entries(path, "one"));
	assert_int_equal(0, count_entries(path, "two"));
	assert_true(sum_of(&segment) > 0);
	assert_int_equal(segment_bytes(&segment), sum_of(&segment));
	blob_free(&blob);
	remove_tree(path);
}

/* ---- busy files ---- */

typedef struct finding {
	unsigned found;
	bool tidied;
} finding;

static bool note(void *context, const char *name)
{
	finding *work = context;

	assert_string_equal("one", name);
	work->found++;
	return work->tidied;
}

static unsigned orphaned_busy_files(const bloom_filter_dir *opened, unsigned most, bool tidied)
{
	finding work = {.tidied = tidied};

	bloom_busy_file_each_orphan(opened, most, note, &work);
	return work.found;
}

static void only_a_dead_writer_s_busy_file_is_found(void **state)
{
	bloom_segment segment = two_filters();
	bloom_filter_dir opened = open_place(&segment, "one");
	bloom_busy_file busy;

	(void)state;
	assert_ok(bloom_busy_file_begin(&opened, &busy, &error));
	assert_int_equal(0, orphaned_busy_files(&opened, 10, true));
	bloom_busy_file_end(&opened, &busy);
	bloom_busy_file_end(&opened, &busy); /* ending the busy file again has no effect */
	assert_int_equal(0, count_entries(in_segment(&segment, ".bloom"), ".one"));
	bloom_busy_file_create_orphan(&opened, "one");
	bloom_busy_file_create_orphan(&opened, "one");
	bloom_busy_file_create_orphan(&opened, "one");
	/* Each call visits at most the requested number of busy files and leaves the rest for later
	 * calls. */
	assert_int_equal(2, orphaned_busy_files(&opened, 2, false));
	assert_int_equal(2, orphaned_busy_files(&opened, 2, true));
	assert_int_equal(1, orphaned_busy_files(&opened, 10, true));
	assert_int_equal(0, orphaned_busy_files(&opened, 10, true));
	bloom_filter_dir_close(&opened);
}

static void a_file_that_is_no_busy_file_is_left_alone(void **state)
{
	bloom_segment segment = two_filters();
	bloom_filter_dir opened = open_place(&segment, "one");

	(void)state;
	write_file(in_segment(&segment, ".bloom/readme"), "", 0, 0600);
	write_file(in_segment(&segment, ".bloom/0123456789abcdef."), "", 0, 0600);
	write_file(in_segment(&segment, ".bloom/0123456789abcdef...x"), "", 0, 0600);
	write_file(in_segment(&segment, ".bloom/0123456789abcde.one"), "", 0, 0600);
	assert_int_equal(0, orphaned_busy_files(&opened, 10, true));
	assert_int_equal(5, count_entries(in_segment(&segment, ".bloom"), ""));
	bloom_filter_dir_close(&opened);
}

static int load_and_die(void *context)
{
	holding *work = context;
	bloom_stage stage;

	assert_ok(bloom_stage_begin(&work->segment, "one", 100000, &stage, &error));
	raise(SIGKILL);
	return 0;
}

static void a_writer_of_another_filter_tidies_after_a_dead_one(void **state)
{
	holding work = {.segment = two_filters()};
	test_blob blob = blob_of(&small, 1, 100, "a", NULL);

	(void)state;
	assert_int_equal(1000 + SIGKILL, run_child(load_and_die, &work));
	assert_int_equal(1, count_entries(in_segment(&work.segment, "one"), ".tmp"));
	assert_ok(load(&work.segment, "two", blob, NULL));
	assert_int_equal(0, count_entries(in_segment(&work.segment, "one"), ".tmp"));
	assert_int_equal(1, count_entries(in_segment(&work.segment, ".bloom"), ""));
	(void)segment_bytes(&work.segment);
	blob_free(&blob);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH("the account matches the file sizes after every load and drop",
			the_sum_follows_every_change),
		TEST_IN_SCRATCH(
			"after a writer dies during a change, the next writer counts all files",
			a_change_that_never_ends_makes_the_next_writer_count),
		TEST_IN_SCRATCH("a lost or damaged account is rebuilt",
			an_account_that_is_lost_or_damaged_is_made_again),
		TEST_IN_SCRATCH("without a memory limit, writers proceed even if a stopped process "
				"holds the account's lock",
			a_stopped_holder_delays_nobody_without_a_limit),
		TEST_IN_SCRATCH("a change made without the account's lock does not hide an "
				"interrupted change",
			a_change_without_the_lock_hides_no_other),
		TEST_IN_SCRATCH(
			"a drop does not wait for a stopped process that holds the account's lock",
			a_removal_waits_for_no_stopped_holder),
		TEST_IN_SCRATCH("a change waits while another process counts all files",
			a_change_waits_for_a_count),
		TEST_IN_SCRATCH(
			"filters left on a disk by another boot are counted and then removed",
			what_another_boot_left_on_a_disk_is_counted_and_tidied),
		TEST_IN_SCRATCH("only the busy files of dead writers are reported as orphans",
			only_a_dead_writer_s_busy_file_is_found),
		TEST_IN_SCRATCH("files that are not busy files are ignored",
			a_file_that_is_no_busy_file_is_left_alone),
		TEST_IN_SCRATCH("a writer of another filter cleans up after a dead writer",
			a_writer_of_another_filter_tidies_after_a_dead_one),
	};

	return cmocka_run_group_tests_name("account", tests, NULL, NULL);
}
