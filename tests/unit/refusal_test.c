/* Only its owner can access a segment. The core refuses each file and directory of a segment unless
 * it has the right type, owner and mode. No operation crashes, hangs or writes through a refused
 * file. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kinds/attachment.h"
#include "segment/segment.h"
#include "segment/stage.h"
#include "segment/drop.h"
#include "segment/control_file.h"

static const bloom_params usual = {.capacity_keys = 1000, .rate = 1e-6};

static test_blob blob_x(void)
{
	return blob_of(&usual, 1, 300, "common", NULL);
}

static const char generation_one[] = "tags/0000000000000001.bloom";

/* ---- what may be in a file's place ---- */

typedef struct place_case {
	const char *what;
	const char *below; /* below the segment; "": the segment itself */
	intruder kind;
	bloom_status attach;
	bloom_status load;
	bloom_status drop;
} place_case;

static void check_place(const place_case *row)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_x();
	bloom_attachment attachment;
	char path[BLOOM_PATH_BYTES_MAX + 600], aside[BLOOM_PATH_BYTES_MAX + 600];
	struct stat found;
	bool existed;

	assert_ok(load(&segment, "tags", blob, NULL));
	(void)snprintf(aside, sizeof aside, "%s/aside", scratch_path());
	(void)snprintf(path, sizeof path, "%s",
		row->below[0] == 0 ? segment.path : in_segment(&segment, "%s", row->below));
	assert_int_equal(0, lstat(path, &found));
	assert_true(intrude(path, aside, row->kind, S_ISDIR(found.st_mode)));
	print_message("# %s: %s\n", row->below[0] == 0 ? "segment" : row->below, row->what);
	assert_status(row->attach, bloom_attach(&segment, "tags", &attachment, &error));
	assert_status(row->load, load(&segment, "tags", blob, NULL));
	if (row->load == BLOOM_OK) {
		assert_ok(bloom_attach(&segment, "tags", &attachment, &error));
		bloom_detach(&attachment);
	}
	if (row->below[0] != 0 && strchr(row->below, '/') == NULL) {
		assert_int_equal(0, count_entries(segment.path, ".tmp"));
	}
	assert_status(row->drop, bloom_segment_drop(&segment, "tags", &existed, &error));
	blob_free(&blob);
	remove_tree(segment.path);
	(void)unlink(segment.path);
	remove_tree(aside);
}

static void check_places(const place_case *rows, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (can_intrude(rows[i].kind)) {
			check_place(&rows[i]);
		}
	}
}

#define ALL(status) status, status, status

static void the_segment_s_directory(void **state)
{
	static const place_case rows[] = {
		{"a symbolic link", "", SYMLINK, ALL(BLOOM_E_REFUSED_TYPE)},
		{"a FIFO", "", FIFO, ALL(BLOOM_E_REFUSED_TYPE)},
		{"a file", "", PLAIN_FILE, ALL(BLOOM_E_REFUSED_TYPE)},
		{"group may read", "", GROUP_READS, ALL(BLOOM_E_REFUSED_MODE)},
		{"others may write", "", OTHERS_WRITE, ALL(BLOOM_E_REFUSED_MODE)},
	};

	(void)state;
	check_places(rows, sizeof rows / sizeof *rows);
}

static void a_filter_s_directory(void **state)
{
	static const place_case rows[] = {
		{"a symbolic link", "tags", SYMLINK, ALL(BLOOM_E_REFUSED_TYPE)},
		{"a FIFO", "tags", FIFO, ALL(BLOOM_E_REFUSED_TYPE)},
		{"a file", "tags", PLAIN_FILE, ALL(BLOOM_E_REFUSED_TYPE)},
		{"group may read", "tags", GROUP_READS, ALL(BLOOM_E_REFUSED_MODE)},
		{"others may write", "tags", OTHERS_WRITE, ALL(BLOOM_E_REFUSED_MODE)},
		{"foreign owner", "tags", FOREIGN, ALL(BLOOM_E_REFUSED_OWNER)},
	};

	(void)state;
	check_places(rows, sizeof rows / sizeof *rows);
}

/* A drop removes a control page of any type without following it. */
static void a_control_page(void **state)
{
	static const place_case rows[] = {
		{"a symbolic link", "tags/control", SYMLINK, BLOOM_E_REFUSED_TYPE,
			BLOOM_E_REFUSED_TYPE, BLOOM_OK},
		{"a FIFO", "tags/control", FIFO, BLOOM_E_REFUSED_TYPE, BLOOM_E_REFUSED_TYPE,
			BLOOM_OK},
		{"a second hard link", "tags/control", HARD_LINK, BLOOM_E_REFUSED_TYPE,
			BLOOM_E_REFUSED_TYPE, BLOOM_OK},
		{"a directory", "tags/control", DIRECTORY, ALL(BLOOM_E_REFUSED_TYPE)},
		{"group may read", "tags/control", GROUP_READS, BLOOM_E_REFUSED_MODE,
			BLOOM_E_REFUSED_MODE, BLOOM_OK},
		{"others may write", "tags/control", OTHERS_WRITE, BLOOM_E_REFUSED_MODE,
			BLOOM_E_REFUSED_MODE, BLOOM_OK},
		{"foreign owner", "tags/control", FOREIGN, BLOOM_E_REFUSED_OWNER,
			BLOOM_E_REFUSED_OWNER, BLOOM_OK},
	};

	(void)state;
	check_places(rows, sizeof rows / sizeof *rows);
}

/* A new load replaces a generation file of any type. */
static void a_generation_file(void **state)
{
	static const place_case rows[] = {
		{"a symbolic link", generation_one, SYMLINK, BLOOM_E_REFUSED_TYPE, BLOOM_OK,
			BLOOM_OK},
		{"a FIFO", generation_one, FIFO, BLOOM_E_REFUSED_TYPE, BLOOM_OK, BLOOM_OK},
		{"a second hard link", generation_one, HARD_LINK, BLOOM_E_REFUSED_TYPE, BLOOM_OK,
			BLOOM_OK},
		{"group may read", generation_one, GROUP_READS, BLOOM_E_REFUSED_MODE, BLOOM_OK,
			BLOOM_OK},
		{"others may write", generation_one, OTHERS_WRITE, BLOOM_E_REFUSED_MODE, BLOOM_OK,
			BLOOM_OK},
		{"foreign owner", generation_one, FOREIGN, BLOOM_E_REFUSED_OWNER, BLOOM_OK,
			BLOOM_OK},
		{"not a blob", generation_one, PLAIN_FILE, BLOOM_E_SHORT, BLOOM_OK, BLOOM_OK},
	};

	(void)state;
	check_places(rows, sizeof rows / sizeof *rows);
}

static void no_segment_is_on_a_network_file_system(void **state)
{
	static const unsigned long networks[] = {0x6969, 0x517B, 0xFF534D42, 0xFE534D42, 0x5346414F,
		0x6B414653, 0x73757245, 0x00C36400, 0x01021997, 0x0BD00BD0, 0x47504653, 0x01161970,
		0x7461636F};
	static const unsigned long ext4 = 0xEF53, fuse = 0x65735546;
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_x();
	bloom_attachment attachment;
	bool existed;
	size_t i;

	(void)state;
	if (!HAS_FILE_SYSTEM_TYPES) {
		skip_because("this build does not know the types of file systems");
	}
	assert_ok(load(&segment, "tags", blob, NULL));
	for (i = 0; i < sizeof networks / sizeof *networks; i++) {
		pretended_file_system = networks[i];
		assert_status(BLOOM_E_REFUSED_NETWORK,
			bloom_attach(&segment, "tags", &attachment, &error));
		assert_string_equal(segment.path, error.subject);
		assert_status(BLOOM_E_REFUSED_NETWORK, load(&segment, "tags", blob, NULL));
		assert_status(BLOOM_E_REFUSED_NETWORK,
			bloom_segment_drop(&segment, "tags", &existed, &error));
	}
	for (i = 0; i < 2; i++) {
		pretended_file_system = i == 0 ? ext4 : fuse;
		assert_ok(bloom_attach(&segment, "tags", &attachment, &error));
		bloom_detach(&attachment);
	}
	pretended_file_system = 0;
	assert_ok(load(&segment, "tags", blob, NULL));
	blob_free(&blob);
}

static void nothing_is_written_through_a_link(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_x();
	char victim[600], content[16] = "";
	bool existed;
	FILE *file;

	(void)state;
	needs_posix("a symbolic link needs a privilege here");
	(void)snprintf(victim, sizeof victim, "%s/victim", scratch_path());
	write_file(victim, "precious", 8, 0600);
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_int_equal(0, symlink(victim, in_segment(&segment, "tags/control.tmp")));
	assert_int_equal(0, symlink(victim, in_segment(&segment, "tags/x.tmp")));
	assert_int_equal(0, symlink(victim, in_segment(&segment, "tags/0000000000000002.bloom")));
	assert_int_equal(0, unlink(in_segment(&segment, "tags/control")));
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_ok(bloom_segment_drop(&segment, "tags", &existed, &error));
	file = fopen(victim, "r");
	assert_non_null(file);
	assert_int_equal(8, fread(content, 1, sizeof content, file));
	fclose(file);
	assert_string_equal("precious", content);
	blob_free(&blob);
}

static void a_fifo_among_the_leftovers_hangs_nobody(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_x();

	(void)state;
	needs_posix(NO_FIFOS);
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_int_equal(0, mkfifo(in_segment(&segment, "tags/0123.tmp"), 0600));
	assert_int_equal(0, mkfifo(in_segment(&segment, "fifo"), 0600));
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_true(segment_bytes(&segment) > 0);
	blob_free(&blob);
}

/* ---- damaged control pages ---- */

static void a_damaged_control_page_is_refused_and_replaced_by_the_next_load(void **state)
{
	uint64_t random = test_seed("a damaged control page");
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_x();
	unsigned char page[BLOOM_CONTROL_BYTES + 1];
	bloom_attachment attachment;
	uint64_t generation, before = 0;
	size_t i;
	int round;

	(void)state;
	assert_ok(load(&segment, "tags", blob, &before));
	for (round = 0; round < 10; round++) {
		static const size_t sizes[] = {
			0, 1, 4095, 4097, 4096, 4096, 4096, 4096, 4096, 4096};

		memset(page, round == 4 ? 0 : 255, sizeof page);
		for (i = 0; round > 5 && i < sizeof page; i++) {
			page[i] = (unsigned char)random_next(&random);
		}
		write_file(in_segment(&segment, "tags/control"), page, sizes[round], 0600);
		assert_status(BLOOM_E_CONTROL, bloom_attach(&segment, "tags", &attachment, &error));
		assert_ok(load(&segment, "tags", blob, &generation));
		/* The number keeps rising, because a reader may still hold the previous
		 * generation. */
		assert_int_equal(before + 1, generation);
		before = generation;
		assert_ok(bloom_attach(&segment, "tags", &attachment, &error));
		bloom_detach(&attachment);
		assert_int_equal(2, count_entries(in_segment(&segment, "tags"), ""));
	}
	blob_free(&blob);
}

static void a_generation_number_beyond_all_counting_is_damage(void **state)
{
	static const uint64_t numbers[] = {BLOOM_GENERATION_MAX + 1, BLOOM_GENERATION_UNMAPPED,
		BLOOM_GENERATION_DROPPED - 100};
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_x();
	bloom_attachment attachment;
	bloom_control *control;
	uint64_t generation;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		assert_ok(load(&segment, "tags", blob, NULL));
		assert_ok(bloom_segment_control(&segment, "tags", false, &control, &error));
		control->generation = numbers[i];
		bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
		assert_status(BLOOM_E_CONTROL, bloom_attach(&segment, "tags", &attachment, &error));
		assert_ok(load(&segment, "tags", blob, &generation));
		assert_true(generation < 100);
		assert_ok(bloom_attach(&segment, "tags", &attachment, &error));
		bloom_detach(&attachment);
	}
	/* A file whose name contains such a number is removed, and the number is ignored. */
	write_file(in_segment(&segment, "tags/ffffffffffffffff.bloom"), "x", 1, 0600);
	write_file(in_segment(&segment, "tags/fffffffffffffffe.bloom"), "x", 1, 0600);
	write_file(in_segment(&segment, "tags/8000000000000000.bloom"), "x", 1, 0600);
	assert_ok(load(&segment, "tags", blob, &generation));
	assert_true(generation < 100);
	assert_int_equal(2, count_entries(in_segment(&segment, "tags"), ""));
	blob_free(&blob);
}

static void a_page_damaged_under_a_reader_s_eyes_gives_maybe(void **state)
{
	uint64_t random = test_seed("a page damaged under a reader's eyes");
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_x();
	bloom_attachment reader;
	int round;

	(void)state;
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	for (round = 0; round < 1000; round++) {
		uint64_t wrong = random_next(&random) >> random_below(&random, 60);

		reader.control->generation = wrong;
		assert_int_equal(wrong == 1  ? BLOOM_PRESENCE_VIEW
				: wrong == 0 ? BLOOM_PRESENCE_ABSENT
					     : BLOOM_PRESENCE_UNMAPPED,
			bloom_attachment_check(&reader));
		reader.control->generation = 1;
		assert_int_equal(BLOOM_PRESENCE_VIEW, bloom_attachment_check(&reader));
	}
	bloom_detach(&reader);
	blob_free(&blob);
}

/* ---- other users ---- */

typedef struct visit_case {
	bloom_segment segment;
	test_blob blob;
	bloom_status attach;
	bloom_status load;
} visit_case;

static int as_another_user(void *context)
{
	visit_case *visit = context;
	bloom_attachment attachment;
	bool existed;

	if (setgid(FOREIGN_USER) != 0 || setuid(FOREIGN_USER) != 0) {
		return 9;
	}
	if (bloom_attach(&visit->segment, "tags", &attachment, &error) != visit->attach) {
		return 1;
	}
	if (load(&visit->segment, "tags", visit->blob, NULL) != visit->load) {
		return 2;
	}
	if (visit->load != BLOOM_OK &&
		bloom_segment_drop(&visit->segment, "tags", &existed, &error) != visit->load) {
		return 3;
	}
	return 0;
}

static void another_user_sees_and_changes_nothing(void **state)
{
	visit_case visit = {.segment = scratch_segment(), .blob = blob_x()};
	bloom_attachment attachment;

	(void)state;
	if (geteuid() != 0) {
		blob_free(&visit.blob);
		skip_because("needs root, to act as or for another user");
	}
	assert_ok(load(&visit.segment, "tags", visit.blob, NULL));
	/* The directory's mode keeps other users out. */
	visit.attach = visit.load = BLOOM_E_REFUSED_OWNER;
	assert_int_equal(0, run_child(as_another_user, &visit));
	/* If the mode lets other users in, the core refuses the foreign owner. */
	assert_int_equal(0, chmod(visit.segment.path, 0755));
	assert_int_equal(0, run_child(as_another_user, &visit));
	assert_int_equal(0, chmod(visit.segment.path, 0700));
	assert_ok(bloom_attach(&visit.segment, "tags", &attachment, &error));
	bloom_detach(&attachment);
	blob_free(&visit.blob);
}

static void assert_owner(const char *path)
{
	struct stat found;

	assert_int_equal(0, lstat(path, &found));
	assert_int_equal(FOREIGN_USER, found.st_uid);
	assert_int_equal(FOREIGN_USER, found.st_gid);
}

static void what_root_writes_belongs_to_the_directory_s_owner(void **state)
{
	visit_case visit = {.segment = scratch_segment(), .blob = blob_x()};
	bloom_control *control;

	(void)state;
	if (geteuid() != 0) {
		blob_free(&visit.blob);
		skip_because("needs root, to act as or for another user");
	}
	assert_int_equal(0, mkdir(visit.segment.path, 0700));
	assert_int_equal(0, chown(visit.segment.path, FOREIGN_USER, FOREIGN_USER));
	assert_ok(load(&visit.segment, "tags", visit.blob, NULL));
	assert_owner(in_segment(&visit.segment, "tags"));
	assert_owner(in_segment(&visit.segment, "tags/control"));
	assert_owner(in_segment(&visit.segment, generation_one));
	assert_ok(bloom_segment_control(&visit.segment, "other", true, &control, &error));
	assert_owner(in_segment(&visit.segment, "other/control"));
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	/* The owner can read the filter and load the next generation. */
	assert_int_equal(0, run_child(as_another_user, &visit));
	assert_int_equal(
		0, access(in_segment(&visit.segment, "tags/0000000000000002.bloom"), F_OK));
	/* Afterwards root can load another generation. */
	assert_ok(load(&visit.segment, "tags", visit.blob, NULL));
	assert_owner(in_segment(&visit.segment, "tags/0000000000000003.bloom"));
	blob_free(&visit.blob);
}

static int write_where_it_may_not(void *context)
{
	bloom_segment *segment = context;
	test_blob blob = blob_x();
	bloom_attachment attachment;
	int result = 0;

	if (setgid(FOREIGN_USER) != 0 || setuid(FOREIGN_USER) != 0) {
		return 9;
	}
	/* This user owns the files, but may not create new ones. */
	if (chmod(in_segment(segment, "tags"), 0500) != 0 ||
		load(segment, "tags", blob, NULL) != BLOOM_E_SYSTEM || error.os_error != EACCES) {
		result = 1;
	} else if (bloom_attach(segment, "tags", &attachment, &error) != BLOOM_OK) {
		result = 2;
	} else if (chmod(in_segment(segment, "tags"), 0700) != 0 ||
		load(segment, "tags", blob, NULL) != BLOOM_OK ||
		bloom_attachment_check(&attachment) != BLOOM_PRESENCE_VIEW ||
		attachment.generation != 2) {
		result = 3;
	} else if (chmod(segment->path, 0500) != 0 ||
		load(segment, "new", blob, NULL) != BLOOM_E_SYSTEM ||
		load(segment, "tags", blob, NULL) != BLOOM_OK) {
		result = 4;
	}
	(void)chmod(segment->path, 0700);
	blob_free(&blob);
	return result;
}

static void a_read_only_directory_is_read(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_x();

	(void)state;
	if (geteuid() != 0) {
		blob_free(&blob);
		skip_because("needs root, to act as or for another user");
	}
	assert_int_equal(0, mkdir(segment.path, 0700));
	assert_int_equal(0, chown(segment.path, FOREIGN_USER, FOREIGN_USER));
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_int_equal(0, run_child(write_where_it_may_not, &segment));
	blob_free(&blob);
}

static int make_all_with_a_strange_umask(void *context)
{
	bloom_segment *segment = context;
	test_blob blob = blob_x();
	bloom_attachment attachment;
	int result = 0;

	umask(0777);
	if (setgid(FOREIGN_USER) != 0 || setuid(FOREIGN_USER) != 0) {
		return 9;
	}
	if (load(segment, "tags", blob, NULL) != BLOOM_OK ||
		load(segment, "tags", blob, NULL) != BLOOM_OK) {
		result = 1;
	} else if (bloom_attach(segment, "tags", &attachment, &error) != BLOOM_OK) {
		result = 2;
	}
	blob_free(&blob);
	return result;
}

static void an_ordinary_user_needs_no_umask(void **state)
{
	bloom_segment segment = scratch_segment();

	(void)state;
	if (geteuid() != 0) {
		skip_because("needs root, to act as or for another user");
	}
	assert_int_equal(0, chmod(scratch_path(), 0777));
	assert_int_equal(0, run_child(make_all_with_a_strange_umask, &segment));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH("a segment is refused unless it is a directory that only its owner "
				"can access",
			the_segment_s_directory),
		TEST_IN_SCRATCH("a filter is refused unless it is a directory that only its owner "
				"can access",
			a_filter_s_directory),
		TEST_IN_SCRATCH("a control page is refused unless it is a regular file that only "
				"its owner can access",
			a_control_page),
		TEST_IN_SCRATCH("a generation file is refused unless it is a regular file that "
				"only its owner can access",
			a_generation_file),
		/* fault: network-file-system */
		TEST_IN_SCRATCH("a segment on a network file system is refused",
			no_segment_is_on_a_network_file_system),
		/* fault: wrong-file-type */
		TEST_IN_SCRATCH("no operation writes through a symbolic link",
			nothing_is_written_through_a_link),
		/* fault: wrong-file-type */
		TEST_IN_SCRATCH("a FIFO among leftover files blocks no writer",
			a_fifo_among_the_leftovers_hangs_nobody),
		/* fault: garbage-file */
		TEST_IN_SCRATCH("a damaged control page is refused, and replaced by the next load",
			a_damaged_control_page_is_refused_and_replaced_by_the_next_load),
		/* fault: two-builds */
		/* fault: counter-wraps */
		TEST_IN_SCRATCH("a control page with an absurd generation number counts as damaged",
			a_generation_number_beyond_all_counting_is_damage),
		/* fault: control-damaged */
		TEST_IN_SCRATCH("if a control page is damaged while a reader uses it, lookups "
				"answer 'maybe'",
			a_page_damaged_under_a_reader_s_eyes_gives_maybe),
		/* fault: other-user */
		TEST_IN_SCRATCH("another user can neither read nor change anything in a segment",
			another_user_sees_and_changes_nothing),
		/* fault: root */
		TEST_IN_SCRATCH("files that root writes belong to the directory's owner",
			what_root_writes_belongs_to_the_directory_s_owner),
		/* fault: no-permission */
		TEST_IN_SCRATCH("filters in a read-only directory can be read",
			a_read_only_directory_is_read),
		/* fault: umask */
		TEST_IN_SCRATCH("a user other than root needs no particular umask",
			an_ordinary_user_needs_no_umask),
	};

	return cmocka_run_group_tests_name("refusal", tests, NULL, NULL);
}
