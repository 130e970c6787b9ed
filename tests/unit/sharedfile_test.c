/* Files at shared paths: the operations of a directory store keep their promises on each system. */
#include "support.h"

#include <errno.h>

#include "os/files.h"
#include "os/sharedfile.h"

#ifdef _WIN32
enum { REPLACES_OPEN_FILES = 0 }; /* NTFS does, wine does not */
#else
enum { REPLACES_OPEN_FILES = 1 };
#endif

static const unsigned char old_text[] = "old", new_text[] = "newer";

/* Formats a path in the scratch directory into one of two static buffers. */
static const char *at(const char *name)
{
	static char paths[2][1024];
	static int next;

	next = !next;
	(void)snprintf(paths[next], sizeof paths[next], "%s/%s", scratch_path(), name);
	return paths[next];
}

static void put_file(const char *name, const unsigned char *bytes, size_t count)
{
	int file = -1;

	assert_int_equal(0, bloom_shared_create(at(name), false, &file));
	assert_int_equal(0, bloom_shared_write(file, 0, bytes, count));
	assert_int_equal(0, bloom_shared_sync(file));
	bloom_close(&file);
}

static void assert_holds(const char *name, const unsigned char *bytes, size_t count)
{
	unsigned char found[64];
	bloom_shared_info info;
	int file = -1;

	assert_int_equal(0, bloom_shared_open(at(name), false, &file));
	assert_int_equal(0, bloom_shared_look_open(file, &info));
	assert_int_equal(count, info.bytes);
	assert_int_equal(0, bloom_shared_read(file, 0, found, count));
	assert_memory_equal(bytes, found, count);
	bloom_close(&file);
}

static void looks_tell_files_directories_and_nothing_apart(void **state)
{
	bloom_shared_info found;

	(void)state;
	put_file("file", new_text, sizeof new_text);
	assert_int_equal(0, bloom_shared_look(at("file"), &found));
	assert_true(found.is_regular && !found.is_directory && found.bytes == sizeof new_text);
	assert_int_equal(0, bloom_shared_look(scratch_path(), &found));
	assert_true(!found.is_regular && found.is_directory);
	assert_int_equal(ENOENT, bloom_shared_look(at("none"), &found));
	assert_int_equal(ENOENT, bloom_shared_remove(at("none")));
}

static void a_path_leads_only_to_the_file_that_it_names(void **state)
{
	int file = -1;

	(void)state;
	put_file("file", old_text, sizeof old_text);
	put_file("other", old_text, sizeof old_text);
	assert_int_equal(0, bloom_shared_open(at("file"), false, &file));
	assert_true(bloom_shared_leads_to(at("file"), file));
	assert_false(bloom_shared_leads_to(at("other"), file));
	assert_false(bloom_shared_leads_to(at("none"), file));
	bloom_close(&file);
	assert_int_equal(0, bloom_shared_replace(at("other"), at("file")));
	assert_int_equal(0, bloom_shared_open(at("file"), false, &file));
	assert_true(bloom_shared_leads_to(at("file"), file));
	bloom_close(&file);
}

static void a_name_is_created_only_once(void **state)
{
	int file = -1;

	(void)state;
	put_file("file", old_text, sizeof old_text);
	assert_int_equal(EEXIST, bloom_shared_create(at("file"), false, &file));
	assert_int_equal(-1, file);
	put_file("other", new_text, sizeof new_text);
	assert_int_equal(EEXIST, bloom_shared_name(at("other"), at("file")));
	assert_holds("other", new_text, sizeof new_text);
	assert_holds("file", old_text, sizeof old_text);
	assert_int_equal(0, bloom_shared_name(at("other"), at("third")));
	assert_holds("third", new_text, sizeof new_text);
	assert_int_equal(ENOENT, bloom_shared_open(at("other"), false, &file));
}

static void a_read_beyond_the_end_fails(void **state)
{
	unsigned char bytes[16];
	int file = -1;

	(void)state;
	put_file("file", new_text, sizeof new_text);
	assert_int_equal(0, bloom_shared_open(at("file"), true, &file));
	assert_int_equal(EIO, bloom_shared_read(file, 1, bytes, sizeof new_text));
	assert_int_equal(0, bloom_shared_write(file, 10, old_text, sizeof old_text));
	assert_int_equal(0, bloom_shared_read(file, 10, bytes, sizeof old_text));
	assert_memory_equal(old_text, bytes, sizeof old_text);
	assert_int_equal(0, bloom_shared_truncate(file, 2));
	assert_int_equal(0, bloom_shared_sync_data(file));
	assert_int_equal(EIO, bloom_shared_read(file, 0, bytes, 3));
	bloom_close(&file);
}

/* Replaces "file" with "temporary" while this process has "file" open. Some file systems of Windows
 * cannot do that. Then nothing changes until the file is closed. */
static void replace_open_file(int *open_file)
{
	int os_error = bloom_shared_replace(at("temporary"), at("file"));

	if (os_error == EBUSY && REPLACES_OPEN_FILES == 0) {
		assert_holds("file", old_text, sizeof old_text);
		assert_holds("temporary", new_text, sizeof new_text);
		bloom_close(open_file);
		os_error = bloom_shared_replace(at("temporary"), at("file"));
	}
	assert_int_equal(0, os_error);
	assert_holds("file", new_text, sizeof new_text);
}

/* A reader that has the old file open keeps it. */
static void an_open_file_is_replaced(void **state)
{
	unsigned char bytes[sizeof old_text];
	int reader = -1;

	(void)state;
	put_file("file", old_text, sizeof old_text);
	put_file("temporary", new_text, sizeof new_text);
	assert_int_equal(0, bloom_shared_open(at("file"), false, &reader));
	replace_open_file(&reader);
	if (reader >= 0) {
		assert_int_equal(0, bloom_shared_read(reader, 0, bytes, sizeof bytes));
		assert_memory_equal(old_text, bytes, sizeof bytes);
		bloom_close(&reader);
	}
}

static void an_open_file_is_removed(void **state)
{
	bloom_shared_info found;
	int reader = -1;

	(void)state;
	put_file("file", old_text, sizeof old_text);
	assert_int_equal(0, bloom_shared_open(at("file"), false, &reader));
	assert_int_equal(0, bloom_shared_remove(at("file")));
	bloom_close(&reader);
	assert_int_equal(ENOENT, bloom_shared_look(at("file"), &found));
}

/* The lock of a file does not keep its bytes from being read. */
static void a_locked_file_is_replaced_by_one_with_the_same_access(void **state)
{
	int from = -1, to = -1;

	(void)state;
	put_file("file", old_text, sizeof old_text);
	assert_int_equal(0, bloom_shared_open(at("file"), true, &from));
	assert_ok(bloom_lock(from, 0, &error));
	assert_holds("file", old_text, sizeof old_text);
	assert_int_equal(0, bloom_shared_create(at("temporary"), true, &to));
	assert_int_equal(0, bloom_shared_copy_access(from, to));
	assert_int_equal(0, bloom_shared_write(to, 0, new_text, sizeof new_text));
	bloom_close(&to);
	replace_open_file(&from);
	bloom_close(&from);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH("files, directories and missing entries are told apart",
			looks_tell_files_directories_and_nothing_apart),
		TEST_IN_SCRATCH("a path leads only to the file that it names",
			a_path_leads_only_to_the_file_that_it_names),
		TEST_IN_SCRATCH("a name in use can be neither created nor given to a file",
			a_name_is_created_only_once),
		TEST_IN_SCRATCH(
			"a read beyond the end of a file fails", a_read_beyond_the_end_fails),
		TEST_IN_SCRATCH("a file is replaced while a reader has it open, or nothing changes",
			an_open_file_is_replaced),
		TEST_IN_SCRATCH(
			"a file is removed while a reader has it open", an_open_file_is_removed),
		TEST_IN_SCRATCH("a locked file is replaced by one with the same access",
			a_locked_file_is_replaced_by_one_with_the_same_access),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
