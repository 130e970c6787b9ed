/* Tests with an unexpected entry in place of a filter's file, such as a link, a device or another
 * user's directory. The entry is refused, and a reader that has the file mapped continues. */
#include "kinds.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- unexpected entries ---- */

static const char *const intruder_names[INTRUDERS] = {"a symbolic link", "a second hard link",
	"a FIFO", "a socket", "a device", "a directory", "a file", "group may read",
	"others may write", "another owner"};

static void evict(const char *path, const char *aside, intruder kind, bool is_directory)
{
	switch (kind) {
	case HARD_LINK:
		assert_int_equal(0, unlink(aside));
		return;
	case GROUP_READS:
	case OTHERS_WRITE:
		assert_int_equal(0, chmod(path, is_directory ? 0700 : 0600));
		return;
	case FOREIGN:
		assert_int_equal(0, chown(path, geteuid(), getegid()));
		return;
	case DIRECTORY:
		assert_int_equal(0, rmdir(path));
		break;
	default:
		assert_int_equal(0, unlink(path));
	}
	assert_int_equal(0, rename(aside, path));
}

static void assert_refused(intruder kind, bloom_status status)
{
	if (kind == GROUP_READS || kind == OTHERS_WRITE) {
		assert_status(BLOOM_E_REFUSED_MODE, status);
	} else if (kind == FOREIGN) {
		assert_status(BLOOM_E_REFUSED_OWNER, status);
	} else if (kind == DEVICE && status == BLOOM_E_SYSTEM) {
		assert_int_equal(EACCES, error.os_error); /* refused by the mount option nodev */
	} else {
		assert_status(BLOOM_E_REFUSED_TYPE, status);
	}
}

/* Returns whether a writer of that kind opens the file. A load replaces a generation without
 * opening its file. */
static bool writer_opens(int kind, const char *below)
{
	return is_live(kind) || strstr(below, ".bloom") == NULL;
}

static void refuse_each_intruder(int kind, const char *below)
{
	bloom_segment segment = scratch_segment();
	bool is_directory = strchr(below, '/') == NULL;
	char path[BLOOM_PATH_BYTES_MAX], aside[BLOOM_PATH_BYTES_MAX];
	bloom_attachment filter, other;
	int i, tried = 0;

	(void)snprintf(path, sizeof path, "%s",
		below[0] == 0 ? segment.path : in_segment(&segment, "%s", below));
	(void)snprintf(aside, sizeof aside, "%s/aside", scratch_path());
	make_kind(&segment, kind, &filter);
	for (i = 0; i < INTRUDERS; i++) {
		/* Skip the expected type of entry and entries that cannot be created. Root accepts
		 * any owner of a segment's directory and acts as that user. */
		if (i == (is_directory ? DIRECTORY : PLAIN_FILE) ||
			(i == FOREIGN && below[0] == 0) ||
			!intrude(path, aside, (intruder)i, is_directory)) {
			continue;
		}
		print_message("#   %s at /%s\n", intruder_names[i], below);
		assert_refused((intruder)i, bloom_attach(&segment, "tags", &other, &error));
		if (writer_opens(kind, below)) {
			assert_refused((intruder)i, create_kind(&segment, kind));
		}
		assert_keys_before_naming(&filter); /* its reader continues */
		evict(path, aside, (intruder)i, is_directory);
		attach_to(&segment, "tags", &other);
		assert_keys(&other);
		bloom_detach(&other);
		tried++;
	}
	assert_true(tried >= 7);
	unmake_kind(&segment, &filter);
}

static void whatever_lies_in_the_place_of_a_file_is_refused(void **state)
{
	static const char *const places[] = {"", "tags", "tags/control", generation_one};
	size_t place;
	int kind;

	(void)state;
	for (kind = 0; kind < KINDS; kind++) {
		for (place = 0; place < sizeof places / sizeof *places; place++) {
			refuse_each_intruder(kind, places[place]);
		}
	}
}

/* ---- directories of another user ---- */

static int take_names(void *context)
{
	const bloom_segment *segment = context;

	return setgid(FOREIGN_USER) == 0 && setuid(FOREIGN_USER) == 0 &&
			mkdir(segment->path, 0700) == 0 &&
			mkdir(in_segment(segment, "tags"), 0700) == 0
		? 0
		: 1;
}

static int visit_taken_names(void *context)
{
	const bloom_segment *segment = context;
	bloom_attachment filter;
	int kind;

	if (setgid(FOREIGN_USER - 1) != 0 || setuid(FOREIGN_USER - 1) != 0) {
		return 1;
	}
	for (kind = 0; kind < KINDS; kind++) {
		if (bloom_attach(segment, "tags", &filter, &error) == BLOOM_OK ||
			create_kind(segment, kind) == BLOOM_OK) {
			return 2;
		}
		if (error.status != BLOOM_E_SYSTEM && error.status != BLOOM_E_REFUSED_OWNER) {
			return 3;
		}
		if (error.status == BLOOM_E_REFUSED_OWNER &&
			strstr(error.subject, "owned by user 65534") == NULL) {
			return 4;
		}
	}
	return 0;
}

static void a_name_that_another_user_took_first_is_refused(void **state)
{
	bloom_segment segment = scratch_segment();

	(void)state;
	if (geteuid() != 0) {
		skip_because("needs root to act as two other users");
	}
	assert_int_equal(0, chmod(scratch_path(), 01777));
	assert_int_equal(0, run_child(take_names, &segment));
	assert_int_equal(0, run_child(visit_taken_names, &segment)); /* mode 0700 denies access */
	assert_int_equal(0, chmod(segment.path, 0777));
	/* The directories are now accessible but still belong to another user. */
	assert_int_equal(0, run_child(visit_taken_names, &segment));
	assert_int_equal(3,
		count_entries(scratch_path(), "") + count_entries(segment.path, "") + 1 +
			count_entries(in_segment(&segment, "tags"), ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: wrong-file-type, wrong-owner */
		TEST_IN_SCRATCH(
			"a link, a device or a foreign file in place of a filter's file is refused",
			whatever_lies_in_the_place_of_a_file_is_refused),
		/* fault: wrong-owner */
		TEST_IN_SCRATCH("a directory that another user created first is refused",
			a_name_that_another_user_took_first_is_refused),
	};

	return cmocka_run_group_tests_name("intruder", tests, NULL, NULL);
}
