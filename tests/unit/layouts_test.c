/* Builds with different layouts share a segment. Another build is simulated by renaming a filter's
 * directory and storing the other layout in its control page. */
#include "kinds.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/mapping.h"
#include "os/process.h"
#include "segment/control_file.h"
#include "segment/drop.h"
#include "segment/other_layouts.h"
#include "segment/tidy.h"

enum { OTHER = BLOOM_CONTROL_LAYOUT + 1 };

static const char other_tags[] = "tags@6";

static int other_entries(const bloom_segment *segment)
{
	return count_entries(in_segment(segment, other_tags), "");
}

/* Creates a filter that a build of another layout uses. */
static void make_other(const bloom_segment *segment, int kind, bloom_attachment *filter)
{
	make_kind(segment, kind, filter);
	filter->control->layout = OTHER;
	assert_int_equal(0, rename(in_segment(segment, "tags"), in_segment(segment, other_tags)));
}

/* Returns whether this system tells which files are in use. */
static bool can_tell(const bloom_segment *segment)
{
	int file = open(in_segment(segment, "tags/control"), O_RDONLY | O_CLOEXEC);
	bool answer;

	assert_true(file >= 0);
	answer = !bloom_file_may_have_writers(file);
	close(file);
	return answer;
}

static void an_entry_has_one_spelling(void **state)
{
	static const char *const refused[] = {"tags", "tags@", "@5", "tags@05", "tags@-1",
		"tags@5x", "tags@5@6", "tags@+5", ".tags@5", "ta/gs@5", ".bloom",
		"tags@99999999999999999999"};
	char name[BLOOM_NAME_BYTES_MAX + 1], entry[BLOOM_FILE_NAME_MAX];
	uint64_t layout = 0;
	size_t i;

	(void)state;
	assert_int_equal(6, OTHER); /* so that other_tags is right */
	bloom_entry_name("tags", OTHER, entry);
	assert_string_equal(other_tags, entry);
	assert_true(bloom_entry_parse(entry, name, &layout));
	assert_string_equal("tags", name);
	assert_int_equal(OTHER, layout);
	for (i = 0; i < sizeof refused / sizeof *refused; i++) {
		assert_false(bloom_entry_parse(refused[i], name, &layout));
	}
}

static void both_builds_serve_a_filter_of_the_same_name(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment other, own;
	uint64_t bytes;
	bool existed = false;
	int kind;

	(void)state;
	for (kind = 0; kind < KINDS; kind++) {
		if (is_live(kind)) {
			continue;
		}
		make_other(&segment, kind, &other);
		assert_status(BLOOM_E_NOT_FOUND, bloom_attach(&segment, "tags", &own, &error));
		bytes = segment_bytes(&segment);
		make_kind(&segment, kind, &own);
		assert_int_equal(2 * bytes, segment_bytes(&segment)); /* both count */
		bloom_segment_sweep(&segment);
		assert_keys_before_naming(&other);
		assert_keys(&own);
		assert_ok(bloom_segment_drop(&segment, "tags", &existed, &error));
		assert_true(existed);
		assert_false(is_there(bloom_attachment_check(&other)));
		assert_false(is_there(bloom_attachment_check(&own)));
		assert_int_equal(-1, other_entries(&segment));
		bloom_detach(&other);
		bloom_detach(&own);
	}
}

static int hold(void *context)
{
	(void)pause();
	return context != NULL;
}

enum { OPENS = 50000 };

static int open_often(void *context)
{
	const bloom_filter_dir *dir = context;
	uint64_t bytes;
	int i, file = -1;

	for (i = 0; i < OPENS; i++) {
		if (bloom_file_open(dir->handle, BLOOM_CONTROL_NAME, true, dir->owner, &file,
			    &bytes, NULL) != BLOOM_OK) {
			return 1;
		}
		bloom_close(&file);
	}
	return 0;
}

/* The kernel signals the end of a lease, by default with SIGIO, which kills. */
static void looking_for_writers_disturbs_no_process(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment other;
	bloom_filter_dir dir;
	int status, file;
	pid_t child;

	(void)state;
	make_kind(&segment, BLOOM_KIND_LOADED, &other);
	bloom_detach(&other);
	assert_ok(bloom_filter_dir_open(&segment, "tags", false, &dir, &error));
	file = openat(dir.handle, BLOOM_CONTROL_NAME, O_RDONLY | O_CLOEXEC);
	assert_true(file >= 0);
	child = start_child(open_often, &dir);
	while (waitpid(child, &status, WNOHANG) == 0) {
		(void)bloom_file_may_have_writers(file);
	}
	assert_int_equal(0, status);
	close(file);
	bloom_filter_dir_close(&dir);
}

/* Overlayfs grants a lease on a file that a process has mapped. */
static void on_other_file_systems_each_file_counts_as_used(void **state)
{
	char path[] = DISK "/bloom-layouts.XXXXXX";
	int file = mkstemp(path);
	bool may_have_writers, is_memory;

	(void)state;
	assert_true(file >= 0);
	close(file);
	file = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(file >= 0);
	may_have_writers = bloom_file_may_have_writers(file);
	is_memory = bloom_directory_is_memory(file);
	close(file);
	assert_int_equal(0, unlink(path));
	if (is_memory) {
		skip_because("/var/tmp is not on a disk");
	}
	assert_true(may_have_writers);
}

static void a_sweep_removes_a_copy_that_no_process_maps(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment other, own;
	pid_t child;
	int kind;

	(void)state;
	for (kind = 0; kind < KINDS; kind++) {
		if (is_live(kind)) {
			continue;
		}
		/* A forked child has its parent's mappings. */
		make_other(&segment, kind, &other);
		child = start_child(hold, NULL);
		bloom_detach(&other);
		make_kind(&segment, kind, &own);
		bloom_segment_sweep(&segment);
		assert_int_equal(2, other_entries(&segment));
		assert_int_equal(0, kill(child, SIGKILL));
		(void)wait_child(child);
		/* This build does not serve the name. */
		unmake_kind(&segment, &own);
		make_other(&segment, kind, &other);
		bloom_detach(&other);
		bloom_segment_sweep(&segment);
		assert_int_equal(2, other_entries(&segment));
		make_kind(&segment, kind, &own);
		bloom_detach(&own);
		bloom_segment_sweep(&segment);
		assert_int_equal(can_tell(&segment) ? -1 : 2, other_entries(&segment));
		attach_to(&segment, "tags", &own);
		assert_keys(&own);
		unmake_kind(&segment, &own);
	}
}

static void a_live_filter_keeps_its_name_until_it_is_dropped(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_of_keys();
	bloom_attachment other;
	bool existed = false;
	int kind, own;

	(void)state;
	for (kind = 0; kind < KINDS; kind++) {
		if (!is_live(kind)) {
			continue;
		}
		make_other(&segment, kind, &other);
		bloom_detach(&other);
		for (own = 0; own < KINDS; own++) {
			assert_status(BLOOM_E_OTHER_VERSION, create_kind(&segment, own));
		}
		assert_int_equal(-1, count_entries(in_segment(&segment, "tags"), ""));
		bloom_segment_sweep(&segment);
		assert_int_equal(2, other_entries(&segment));
		assert_status(BLOOM_E_KIND,
			bloom_segment_drop_kind(
				&segment, "tags", 1U << BLOOM_KIND_LOADED, &existed, &error));
		assert_ok(bloom_segment_drop(&segment, "tags", &existed, &error));
		assert_true(existed);
		assert_int_equal(-1, other_entries(&segment));
		assert_ok(load(&segment, "tags", blob, NULL));
		assert_ok(bloom_segment_drop(&segment, "tags", &existed, &error));
	}
	blob_free(&blob);
}

static void a_sweep_removes_what_no_longer_exists(void **state)
{
	enum { EXPIRED, OTHER_BOOT, DROPPED, CASES };
	bloom_segment segment = scratch_segment();
	bloom_attachment other, own;
	int i;

	(void)state;
	for (i = 0; i < CASES; i++) {
		make_other(&segment, BLOOM_KIND_LIVE, &other);
		if (i == EXPIRED) {
			other.control->expires_ms = 1;
		} else if (i == OTHER_BOOT) {
			other.control->boot = bloom_boot_id() + 2;
		} else {
			other.control->generation = BLOOM_GENERATION_DROPPED;
		}
		make_kind(&segment, BLOOM_KIND_LIVE, &own);
		bloom_segment_sweep(&segment);
		assert_int_equal(-1, other_entries(&segment));
		assert_keys(&own);
		bloom_detach(&other);
		unmake_kind(&segment, &own);
	}
}

static void the_other_builds_writers_are_not_disturbed(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment other, own;
	int directory, file;

	(void)state;
	make_other(&segment, BLOOM_KIND_LOADED, &other);
	bloom_detach(&other);
	make_kind(&segment, BLOOM_KIND_LOADED, &own);
	bloom_detach(&own);
	directory = open(in_segment(&segment, other_tags), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(0, flock(directory, LOCK_EX));
	bloom_segment_sweep(&segment);
	assert_int_equal(2, other_entries(&segment));
	close(directory);
	/* A file with a name that this layout does not have, and a file that is being staged. */
	write_file(in_segment(&segment, "tags@6/new.kind"), "x", 1, 0600);
	write_file(in_segment(&segment, "tags@6/0123456789abcdef.tmp"), "x", 1, 0600);
	file = open(in_segment(&segment, "tags@6/0123456789abcdef.tmp"), O_RDONLY | O_CLOEXEC);
	assert_int_equal(0, flock(file, LOCK_EX));
	bloom_segment_sweep(&segment);
	assert_int_equal(can_tell(&segment) ? 1 : 4, other_entries(&segment));
	close(file);
	bloom_segment_sweep(&segment);
	assert_int_equal(can_tell(&segment) ? -1 : 4, other_entries(&segment));
}

static void a_copy_keeps_its_name_from_live_filters(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment other;
	bool existed;
	int kind, own;

	(void)state;
	for (kind = 0; kind < KINDS; kind++) {
		if (is_live(kind)) {
			continue;
		}
		make_other(&segment, kind, &other);
		for (own = 0; own < KINDS; own++) {
			if (is_live(own)) {
				assert_status(BLOOM_E_KIND, create_kind(&segment, own));
				assert_non_null(strstr(error.subject, "/tags: tags@6: expected "));
			}
		}
		assert_int_equal(-1, count_entries(in_segment(&segment, "tags"), ""));
		bloom_detach(&other);
		assert_ok(bloom_segment_drop(&segment, "tags", &existed, &error));
	}
}

/* Another build may be creating a live filter at this moment. */
static void the_first_writer_waits_for_the_other_builds_writer(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment own;
	int directory;

	(void)state;
	segment.lock_timeout_ms = 20;
	make_kind(&segment, BLOOM_KIND_LOADED, &own);
	assert_int_equal(0, mkdir(in_segment(&segment, other_tags), 0700));
	directory = open(in_segment(&segment, other_tags), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(0, flock(directory, LOCK_EX));
	assert_ok(create_kind(&segment, BLOOM_KIND_LOADED)); /* not the first */
	bloom_detach(&own);
	remove_tree(in_segment(&segment, "tags"));
	assert_status(BLOOM_E_BUSY, create_kind(&segment, BLOOM_KIND_LOADED));
	assert_status(BLOOM_E_BUSY, create_kind(&segment, BLOOM_KIND_LIVE));
	assert_int_equal(-1, count_entries(in_segment(&segment, "tags"), ""));
	close(directory);
	make_kind(&segment, BLOOM_KIND_LIVE, &own);
	unmake_kind(&segment, &own);
	assert_int_equal(-1, other_entries(&segment));
}

/* Processes of the other build may still have such a filter mapped. */
static void a_filter_of_another_layout_that_cannot_be_read_keeps_its_name(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment other, own;
	bool existed;

	(void)state;
	make_other(&segment, BLOOM_KIND_LIVE, &other);
	other.control->layout = OTHER + 1;
	bloom_segment_sweep(&segment);
	assert_int_equal(2, other_entries(&segment));
	assert_status(BLOOM_E_CONTROL, create_kind(&segment, BLOOM_KIND_LIVE));
	assert_non_null(strstr(error.subject, "/tags: tags@6/control"));
	other.control->layout = OTHER;
	assert_int_equal(0, chmod(in_segment(&segment, other_tags), 0755));
	assert_status(BLOOM_E_REFUSED_MODE, create_kind(&segment, BLOOM_KIND_LOADED));
	assert_status(BLOOM_E_REFUSED_MODE, bloom_segment_drop(&segment, "tags", &existed, &error));
	assert_non_null(strstr(error.subject, "/tags: tags@6 (mode 0755)"));
	assert_keys_before_naming(&other);
	assert_int_equal(0, chmod(in_segment(&segment, other_tags), 0700));
	bloom_detach(&other);
	assert_ok(bloom_segment_drop(&segment, "tags", &existed, &error));
	assert_int_equal(-1, other_entries(&segment));
	make_kind(&segment, BLOOM_KIND_LIVE, &own);
	unmake_kind(&segment, &own);
}

static void a_damaged_page_of_another_layout_stays_until_it_is_dropped(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment other, own;

	(void)state;
	make_other(&segment, BLOOM_KIND_LOADED, &other);
	make_kind(&segment, BLOOM_KIND_LOADED, &own);
	other.control->layout = OTHER + 1;
	bloom_detach(&other);
	bloom_segment_sweep(&segment);
	assert_int_equal(2, other_entries(&segment));
	unmake_kind(&segment, &own);
	assert_int_equal(-1, other_entries(&segment));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH("the name of a filter's directory has one spelling",
			an_entry_has_one_spelling),
		/* fault: other-layout */
		TEST_IN_SCRATCH("builds of two layouts serve filters of the same name",
			both_builds_serve_a_filter_of_the_same_name),
		/* fault: other-layout */
		TEST_IN_SCRATCH("a sweep removes a copy of another layout once no process maps it",
			a_sweep_removes_a_copy_that_no_process_maps),
		TEST_IN_SCRATCH("looking for processes that use a file disturbs none of them",
			looking_for_writers_disturbs_no_process),
		TEST_IN_SCRATCH("on any other file system than tmpfs, each file counts as used",
			on_other_file_systems_each_file_counts_as_used),
		TEST_IN_SCRATCH(
			"a live filter of another layout keeps its name until it is dropped",
			a_live_filter_keeps_its_name_until_it_is_dropped),
		TEST_IN_SCRATCH("a sweep removes filters of another layout that no longer exist",
			a_sweep_removes_what_no_longer_exists),
		TEST_IN_SCRATCH("a sweep does not disturb the writers of another layout",
			the_other_builds_writers_are_not_disturbed),
		TEST_IN_SCRATCH("a copy of another layout keeps its name from live filters",
			a_copy_keeps_its_name_from_live_filters),
		TEST_IN_SCRATCH("the first writer waits for a writer of another layout",
			the_first_writer_waits_for_the_other_builds_writer),
		TEST_IN_SCRATCH(
			"a filter of another layout keeps its name even if it cannot be read",
			a_filter_of_another_layout_that_cannot_be_read_keeps_its_name),
		TEST_IN_SCRATCH("a sweep leaves a damaged page of another layout alone, and a drop "
				"removes it",
			a_damaged_page_of_another_layout_stays_until_it_is_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
