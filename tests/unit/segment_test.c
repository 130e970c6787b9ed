/* Named filters: load, attach, reload, drop. reader_test.c stays attached, limits_test.c fills the
 * segment, refusal_test.c provokes the errors, and crash_test.c kills the processes. */
#include "scenes.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kinds/attachment.h"
#include "segment/segment.h"
#include "segment/stage.h"
#include "segment/list.h"
#include "segment/drop.h"
#include "segment/control_file.h"

/* ---- names and paths ---- */

static void names_are_plain_words(void **state)
{
	static const char *const good[] = {
		"a", "A", "0", "_", "booth_tags", "a.b", "a-b", "x..", "9._-", "control"};
	static const char *const bad[] = {"", ".", "..", ".hidden", "-x", "a/b", "/", "a b", "a\n",
		"\xc3\xa9", "a\\b", "a:b", "a*", "a%"};
	char longest[BLOOM_NAME_BYTES_MAX + 2];
	size_t i;
	int byte;

	(void)state;
	for (i = 0; i < sizeof good / sizeof *good; i++) {
		assert_ok(bloom_name_check(good[i], strlen(good[i]), &error));
	}
	for (i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_status(BLOOM_E_NAME, bloom_name_check(bad[i], strlen(bad[i]), &error));
	}
	memset(longest, 'n', sizeof longest);
	assert_ok(bloom_name_check(longest, BLOOM_NAME_BYTES_MAX, &error));
	assert_status(BLOOM_E_NAME, bloom_name_check(longest, BLOOM_NAME_BYTES_MAX + 1, &error));
	assert_status(BLOOM_E_NAME, bloom_name_check("a\0b", 3, &error));
	for (byte = 0; byte < 256; byte++) {
		char name[2] = {'x', (char)byte};
		bool allowed = byte != 0 &&
			strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-",
				byte) != NULL;

		assert_status(allowed ? BLOOM_OK : BLOOM_E_NAME, bloom_name_check(name, 2, NULL));
	}
}

static void names_and_paths_need_no_terminator(void **state)
{
	bloom_segment segment = {0};
	char *name = malloc(3), *path = malloc(3);

	(void)state;
	assert_true(name != NULL && path != NULL);
	memcpy(name, "a/b", 3);
	memcpy(path, "a/b", 3);
	assert_status(BLOOM_E_NAME, bloom_name_check(name, 3, &error));
	assert_status(BLOOM_E_PATH, bloom_segment_init(&segment, path, 3, &error));
	path[0] = '/';
	assert_ok(bloom_segment_init(&segment, path, 3, &error));
	assert_string_equal("//b", segment.path);
	free(name);
	free(path);
}

static void a_segment_path_is_absolute_and_not_too_long(void **state)
{
	bloom_segment segment = {0};
	char path[BLOOM_PATH_BYTES_MAX + 1];

	(void)state;
	memset(path, 'p', sizeof path);
	memcpy(path, ROOT, strlen(ROOT));
	assert_status(BLOOM_E_PATH, bloom_segment_init(&segment, "", 0, &error));
	assert_status(BLOOM_E_PATH, bloom_segment_init(&segment, "relative", 8, &error));
	assert_status(BLOOM_E_PATH, bloom_segment_init(&segment, "/a\0b", 4, &error));
	assert_status(
		BLOOM_E_PATH, bloom_segment_init(&segment, path, BLOOM_PATH_BYTES_MAX, &error));
	assert_ok(bloom_segment_init(&segment, path, BLOOM_PATH_BYTES_MAX - 1, &error));
}

static void a_segment_path_does_not_end_with_a_slash_or_a_dot(void **state)
{
	static const char *const ends[] = {"", "/", "//", "/.", "/./", "/.//./"};
	static const char *const kept[] = {"/..", "/...", "/.a", "/a."};
	bloom_segment segment = {0};
	char path[64], expected[64];
	size_t i;

	(void)state;
	(void)snprintf(expected, sizeof expected, "%sa", ROOT);
	for (i = 0; i < sizeof ends / sizeof *ends; i++) {
		(void)snprintf(path, sizeof path, "%sa%s", ROOT, ends[i]);
		assert_ok(bloom_segment_init(&segment, path, strlen(path), &error));
		assert_string_equal(expected, segment.path);
	}
	for (i = 0; i < sizeof kept / sizeof *kept; i++) {
		(void)snprintf(path, sizeof path, "%sa%s", ROOT, kept[i]);
		assert_ok(bloom_segment_init(&segment, path, strlen(path), &error));
		assert_string_equal(path, segment.path);
	}
	assert_ok(bloom_segment_init(&segment, ROOT, strlen(ROOT), &error));
	assert_string_equal(ROOT, segment.path);
}

static void the_default_path_is_absolute(void **state)
{
	char path[BLOOM_PATH_BYTES_MAX];

	(void)state;
	assert_true(bloom_path_default(path, sizeof path));
	assert_true(bloom_path_is_absolute(path));
	assert_non_null(strstr(path, "php-bloom"));
	assert_false(bloom_path_default(path, 10));
}

static void staging_checks_the_name(void **state)
{
	bloom_segment segment = scratch_segment();
	char name[BLOOM_NAME_BYTES_MAX + 200];
	bloom_stage stage;

	(void)state;
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = 0;
	assert_status(BLOOM_E_NAME, bloom_stage_begin(&segment, name, 5120, &stage, &error));
	assert_status(BLOOM_E_NAME, bloom_stage_begin(&segment, "../x", 5120, &stage, &error));
	bloom_stage_abort(&stage); /* aborting a stage that never began is allowed */
	assert_int_equal(-1, count_entries(segment.path, ""));
}

static void no_function_follows_a_name_out_of_the_segment(void **state)
{
	bloom_segment segment = scratch_segment(), inner = {0};
	char name[BLOOM_NAME_BYTES_MAX + 200];
	bloom_attachment attachment;
	test_blob blob = blob_with("a");
	bloom_control *control;
	bool existed;

	(void)state;
	assert_ok(load(&segment, "tags", blob, NULL));
	strcpy(inner.path, in_segment(&segment, "tags"));
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = 0;
	assert_status(BLOOM_E_NAME, bloom_attach(&inner, "../tags", &attachment, &error));
	assert_status(BLOOM_E_NAME, bloom_attach(&segment, name, &attachment, &error));
	assert_status(BLOOM_E_NAME, bloom_segment_drop(&inner, "../tags", &existed, &error));
	assert_status(
		BLOOM_E_NAME, bloom_segment_control(&inner, "../tags", true, &control, &error));
	assert_ok(bloom_attach(&segment, "tags", &attachment, &error));
	bloom_detach(&attachment);
	blob_free(&blob);
}

static void a_segment_below_a_missing_directory_is_not_called_an_absent_filter(void **state)
{
	test_blob blob = blob_with("a");
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;

	(void)state;
	strcat(segment.path, "/not/there");
	assert_status(BLOOM_E_NO_DIRECTORY, load(&segment, "tags", blob, NULL));
	assert_int_equal(ENOENT, error.os_error);
	assert_non_null(strstr(error.subject, segment.path));
	assert_status(BLOOM_E_NOT_FOUND, bloom_attach(&segment, "tags", &attachment, &error));
	blob_free(&blob);
}

/* ---- load and attach ---- */

static void what_was_never_loaded_is_not_found(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment;
	bloom_control *control;
	bool existed = true;

	(void)state;
	assert_status(BLOOM_E_NOT_FOUND, bloom_attach(&segment, "tags", &attachment, &error));
	assert_status(BLOOM_E_NOT_FOUND, bloom_attach(&segment, "tags", &attachment, NULL));
	assert_status(BLOOM_E_NOT_FOUND,
		bloom_segment_control(&segment, "tags", false, &control, &error));
	assert_ok(bloom_segment_drop(&segment, "tags", &existed, &error));
	assert_false(existed);
	assert_int_equal(0, segment_bytes(&segment));
	assert_int_equal(-1, count_entries(segment.path, "")); /* the lookup created nothing */
}

static void what_was_loaded_is_served(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	bloom_attachment attachment;
	uint64_t generation = 0;

	(void)state;
	assert_ok(load(&segment, "tags", blob, &generation));
	assert_int_equal(1, generation);
	assert_ok(bloom_attach(&segment, "tags", &attachment, &error));
	assert_serves(&attachment, "a");
	assert_int_equal(0, filter_found(&attachment, "b", 100));
	assert_int_equal(1, attachment.generation);
	assert_int_equal(1, attachment.control->loads);
	assert_true(attachment.control->loaded_ms > UINT64_C(1500000000000));
	/* The mapped file is the blob, byte for byte. */
	assert_int_equal(blob.count, attachment.loaded->head.file_bytes);
	assert_memory_equal(blob.bytes, attachment.loaded->map, blob.count);
	assert_int_equal(blob.count + BLOOM_CONTROL_BYTES, segment_bytes(&segment));
	bloom_detach(&attachment);
	bloom_detach(&attachment); /* detaching twice is allowed */
	blob_free(&blob);
}

static void a_blob_may_come_in_pieces_of_any_size(void **state)
{
	static const uint64_t pieces[] = {1, 7, 511, 4096, 5000, 1 << 20};
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	bloom_attachment attachment;
	uint64_t generation, at, piece;
	bloom_stage stage;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		assert_ok(bloom_stage_begin(&segment, "tags", blob.count, &stage, &error));
		for (at = 0; at < blob.count; at += piece) {
			unsigned char *bytes;

			piece = blob.count - at < pieces[i] ? blob.count - at : pieces[i];
			bytes = malloc(piece);
			memcpy(bytes, blob.bytes + at, piece);
			assert_ok(bloom_stage_write(&stage, bytes, piece, &error));
			free(bytes);
		}
		assert_ok(bloom_stage_commit(&stage, &generation, &error));
		assert_int_equal(i + 1, generation);
	}
	assert_ok(bloom_attach(&segment, "tags", &attachment, &error));
	assert_serves(&attachment, "a");
	bloom_detach(&attachment);
	blob_free(&blob);
}

static void an_attached_reader_sees_a_reload_at_its_next_look(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob a = blob_with("a"), b = blob_with("b");
	bloom_attachment reader;

	(void)state;
	assert_ok(load(&segment, "tags", a, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	assert_serves(&reader, "a");
	assert_ok(load(&segment, "tags", b, NULL));
	assert_int_equal(100, filter_found(&reader, "a", 100)); /* until the next check */
	assert_serves(&reader, "b");
	assert_int_equal(0, filter_found(&reader, "a", 100));
	assert_int_equal(2, reader.generation);
	assert_true(bloom_attachment_naming(&reader) == BLOOM_NAMING_SAME);
	bloom_detach(&reader);
	blob_free(&a);
	blob_free(&b);
}

static void the_generation_before_is_gone_when_its_last_reader_is(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob a = blob_with("a"), b = blob_with("b");
	bloom_attachment reader;

	(void)state;
	assert_ok(load(&segment, "tags", a, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	assert_ok(load(&segment, "tags", b, NULL));
	assert_int_equal(-1, access(in_segment(&segment, "tags/0000000000000001.bloom"), F_OK));
	assert_int_equal(0, access(in_segment(&segment, "tags/0000000000000002.bloom"), F_OK));
	assert_int_equal(2, count_entries(in_segment(&segment, "tags"), ""));
	assert_int_equal(100, filter_found(&reader, "a", 100)); /* the old mapping stays valid */
	assert_int_equal(2, count_maps());                      /* the blob and the control page */
	assert_serves(&reader, "b");
	assert_int_equal(2, count_maps());
	bloom_detach(&reader);
	assert_int_equal(0, count_maps());
	blob_free(&a);
	blob_free(&b);
}

static void where_requests_end_a_replaced_generation_stays_mapped_until_then(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob a = blob_with("a"), b = blob_with("b");
	bloom_attachment reader;

	(void)state;
	segment.defers_unmap = true;
	assert_ok(load(&segment, "tags", a, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	assert_ok(load(&segment, "tags", b, NULL));
	assert_serves(&reader, "b");
	assert_int_equal(3, count_maps()); /* two blobs and the control page */
	assert_ok(load(&segment, "tags", a, NULL));
	assert_serves(&reader, "a");
	assert_int_equal(3, count_maps()); /* at most one replaced blob stays mapped */
	bloom_attachment_trim(&reader);
	assert_int_equal(2, count_maps());
	assert_serves(&reader, "a");
	assert_ok(load(&segment, "tags", b, NULL));
	bloom_attachment_trim(&reader); /* even if the reader has made no lookup since */
	assert_int_equal(1, count_maps());
	assert_serves(&reader, "b");
	assert_ok(load(&segment, "tags", a, NULL));
	assert_serves(&reader, "a");
	bloom_detach(&reader);
	assert_int_equal(0, count_maps());
	blob_free(&a);
	blob_free(&b);
}

static void a_thousand_reloads_leak_nothing(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blobs[2] = {blob_with("a"), blob_with("b")};
	bloom_attachment reader;
	uint64_t generation, bytes;
	int files, maps, i;

	(void)state;
	assert_ok(load(&segment, "tags", blobs[0], NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	files = count_open_files();
	maps = count_maps();
	bytes = segment_bytes(&segment);
	for (i = 1; i <= 1000; i++) {
		assert_ok(load(&segment, "tags", blobs[i % 2], &generation));
		assert_int_equal(i + 1, generation);
		assert_serves(&reader, i % 2 ? "b" : "a");
	}
	assert_int_equal(files, count_open_files());
	assert_int_equal(maps, count_maps());
	assert_int_equal(bytes, segment_bytes(&segment));
	assert_int_equal(2, count_entries(in_segment(&segment, "tags"), ""));
	assert_int_equal(1001, reader.control->loads);
	bloom_detach(&reader);
	blob_free(&blobs[0]);
	blob_free(&blobs[1]);
}

static void failures_leak_nothing_either(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a"), broken = blob_with("a");
	bloom_attachment reader, other;
	bloom_stage stage;
	uint64_t generation;
	int files, maps, i;

	(void)state;
	broken.bytes[broken.count - 1] ^= 1;
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	files = count_open_files();
	maps = count_maps();
	for (i = 0; i < 50; i++) {
		assert_status(BLOOM_E_SHARD_CHECKSUM, load(&segment, "tags", broken, NULL));
		assert_status(BLOOM_E_NOT_FOUND, bloom_attach(&segment, "none", &other, NULL));
		assert_ok(bloom_stage_begin(&segment, "tags", blob.count, &stage, &error));
		assert_status(BLOOM_E_INCOMPLETE, bloom_stage_commit(&stage, &generation, &error));
		bloom_stage_abort(&stage);
		assert_status(BLOOM_E_SPACE,
			bloom_stage_begin(&segment, "tags", UINT64_C(1) << 55, &stage, &error));
	}
	assert_int_equal(files, count_open_files());
	assert_int_equal(maps, count_maps());
	assert_int_equal(2, count_entries(in_segment(&segment, "tags"), ""));
	assert_serves(&reader, "a");
	bloom_detach(&reader);
	blob_free(&blob);
	blob_free(&broken);
}

static void filters_do_not_disturb_each_other(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob a = blob_with("a"), b = blob_with("b");
	bloom_attachment one, two;
	bool existed = false;

	(void)state;
	assert_ok(load(&segment, "one", a, NULL));
	assert_ok(load(&segment, "two", b, NULL));
	assert_ok(bloom_attach(&segment, "one", &one, &error));
	assert_ok(bloom_attach(&segment, "two", &two, &error));
	assert_serves(&one, "a");
	assert_serves(&two, "b");
	assert_ok(bloom_segment_drop(&segment, "two", &existed, &error));
	assert_serves(&one, "a");
	assert_int_equal(BLOOM_PRESENCE_ABSENT, bloom_attachment_check(&two));
	bloom_detach(&one);
	bloom_detach(&two);
	blob_free(&a);
	blob_free(&b);
}

typedef struct listed {
	char names[200];
	int count;
	int stop_after;
} listed;

static bool list_name(void *context, const char *name)
{
	listed *list = context;

	strcat(list->names, name);
	return ++list->count != list->stop_after;
}

static void listing_names_what_is_served(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	listed list = {.stop_after = -1};
	bloom_control *control;
	bool existed;

	(void)state;
	assert_ok(bloom_segment_each(&segment, list_name, &list, &error));
	assert_int_equal(0, list.count); /* without a segment, the list is empty */
	assert_ok(load(&segment, "one", blob, NULL));
	assert_ok(load(&segment, "two", blob, NULL));
	assert_ok(load(&segment, "gone", blob, NULL));
	assert_ok(bloom_segment_drop(&segment, "gone", &existed, &error));
	assert_ok(bloom_segment_control(&segment, "empty", true, &control, &error));
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	write_file(in_segment(&segment, "file"), "x", 1, 0600);
	assert_int_equal(0, mkdir(in_segment(&segment, "bare"), 0700));
	assert_int_equal(0, mkdir(in_segment(&segment, ".hidden"), 0700));
	assert_ok(bloom_segment_each(&segment, list_name, &list, &error));
	assert_int_equal(2, list.count);
	assert_true(strcmp(list.names, "onetwo") == 0 || strcmp(list.names, "twoone") == 0);
	list = (listed){.stop_after = 1};
	assert_ok(bloom_segment_each(&segment, list_name, &list, &error));
	assert_int_equal(1, list.count);
	blob_free(&blob);
}

static void a_control_page_that_has_counted_to_its_end_is_replaced_by_a_load(void **state)
{
	bloom_segment segment = scratch_segment();
	bloom_attachment attachment = {0};
	test_blob blob = blob_small();
	bloom_control *control;

	(void)state;
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_ok(bloom_segment_control(&segment, "tags", false, &control, &error));
	bloom_store_release(&control->generation, BLOOM_GENERATION_MAX);
	assert_status(BLOOM_E_CONTROL, bloom_attach(&segment, "tags", &attachment, &error));
	/* If a load reports success, its filter must be visible. */
	assert_ok(load(&segment, "tags", blob, NULL));
	attach_to(&segment, "tags", &attachment);
	bloom_detach(&attachment);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	blob_free(&blob);
}

static void a_control_page_without_a_generation_is_no_filter(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	bloom_attachment reader;
	bloom_control *control, *again;
	uint64_t generation;
	bool existed = true;

	(void)state;
	assert_ok(bloom_segment_control(&segment, "tags", true, &control, &error));
	assert_status(BLOOM_E_NOT_FOUND, bloom_attach(&segment, "tags", &reader, &error));
	control->syncs = 5;
	assert_ok(bloom_segment_control(&segment, "tags", true, &again, &error));
	assert_int_equal(5, again->syncs); /* the same page */
	assert_ok(load(&segment, "tags", blob, &generation));
	assert_int_equal(1, generation);
	assert_int_equal(1, control->generation);
	bloom_unmap((const unsigned char *)again, BLOOM_CONTROL_BYTES);
	assert_ok(bloom_segment_drop(&segment, "tags", &existed, &error));
	assert_true(existed);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	assert_ok(bloom_segment_control(&segment, "tags", true, &control, &error));
	assert_ok(bloom_segment_drop(&segment, "tags", &existed, &error));
	assert_false(existed);
	bloom_unmap((const unsigned char *)control, BLOOM_CONTROL_BYTES);
	blob_free(&blob);
}

/* ---- staging ---- */

static void nothing_is_served_before_it_is_verified_to_its_end(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("b"), old = blob_with("a");
	bloom_attachment reader;
	uint64_t generation = 77;
	bloom_stage stage;

	(void)state;
	assert_ok(load(&segment, "tags", old, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	assert_ok(bloom_stage_begin(&segment, "tags", blob.count, &stage, &error));
	assert_ok(bloom_stage_write(&stage, blob.bytes, blob.count - 1, &error));
	assert_serves(&reader, "a");
	assert_status(BLOOM_E_INCOMPLETE, bloom_stage_commit(&stage, &generation, &error));
	assert_int_equal(77, generation);
	assert_serves(&reader, "a");
	assert_int_equal(0, count_entries(in_segment(&segment, "tags"), ".tmp"));
	bloom_detach(&reader);
	blob_free(&blob);
	blob_free(&old);
}

static void staged_bytes_are_verified_as_they_come(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob good = blob_with("a");
	bloom_head head;
	bloom_stage stage;
	uint64_t generation;
	size_t i;
	const struct {
		size_t at;
		bloom_status expected;
	} damages[] = {
		{0, BLOOM_E_MAGIC},
		{8, BLOOM_E_VERSION},
		{16, BLOOM_E_HEAD_BYTES},
		{100, BLOOM_E_HEAD_CHECKSUM},
		{4096, BLOOM_E_SHARD_CHECKSUM},
		{good.count - 1, BLOOM_E_SHARD_CHECKSUM},
	};

	(void)state;
	assert_ok(bloom_blob_parse(good.bytes, good.count, &head, &error));
	assert_int_equal(4096, head.head_bytes);
	for (i = 0; i < sizeof damages / sizeof *damages; i++) {
		test_blob bad = blob_copy(good);

		bad.bytes[damages[i].at] ^= 1;
		assert_ok(bloom_stage_begin(&segment, "tags", bad.count, &stage, &error));
		assert_status(damages[i].expected,
			bloom_stage_write(&stage, bad.bytes, bad.count, &error));
		/* A stage that failed once cannot be committed. */
		assert_status(BLOOM_E_INCOMPLETE, bloom_stage_commit(&stage, &generation, &error));
		blob_free(&bad);
	}
	/* The refused stages did not even leave the directory. */
	assert_int_equal(-1, count_entries(in_segment(&segment, "tags"), ""));
	blob_free(&good);
}

static void a_blob_from_the_future_is_not_served(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob now = blob_with("a"), ahead = blob_copy(now);
	uint64_t generation;

	(void)state;
	bloom_put64(ahead.bytes + 112, bloom_clock_ms() + UINT64_C(90000000)); /* 25 hours */
	mend_head(ahead, 4096);
	assert_status(BLOOM_E_BUILT_AHEAD, load(&segment, "tags", ahead, NULL));
	assert_int_equal(-1, count_entries(in_segment(&segment, "tags"), ""));
	assert_ok(load(&segment, "tags", now, &generation));
	assert_status(BLOOM_E_BUILT_AHEAD, load(&segment, "tags", ahead, NULL));
	bloom_put64(ahead.bytes + 112, bloom_clock_ms() + UINT64_C(82800000)); /* 23 hours */
	mend_head(ahead, 4096);
	assert_ok(load(&segment, "tags", ahead, NULL));
	blob_free(&now);
	blob_free(&ahead);
}

static void more_or_fewer_bytes_than_announced_are_refused(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	bloom_stage stage;

	(void)state;
	assert_status(BLOOM_E_SHORT, bloom_stage_begin(&segment, "tags", 511, &stage, &error));
	bloom_stage_abort(&stage);
	assert_ok(bloom_stage_begin(&segment, "tags", blob.count, &stage, &error));
	assert_ok(bloom_stage_write(&stage, blob.bytes, blob.count, &error));
	assert_status(BLOOM_E_LENGTH, bloom_stage_write(&stage, blob.bytes, 1, &error));
	bloom_stage_abort(&stage);
	bloom_stage_abort(&stage);
	assert_ok(bloom_stage_begin(&segment, "tags", blob.count + 1, &stage, &error));
	assert_status(BLOOM_E_LENGTH, bloom_stage_write(&stage, blob.bytes, blob.count, &error));
	bloom_stage_abort(&stage);
	assert_ok(bloom_stage_begin(&segment, "tags", blob.count - 1, &stage, &error));
	assert_status(
		BLOOM_E_LENGTH, bloom_stage_write(&stage, blob.bytes, blob.count - 1, &error));
	bloom_stage_abort(&stage);
	blob_free(&blob);
}

static void an_aborted_stage_leaves_the_new_directory_of_another_writer(void **state)
{
	bloom_segment segment = scratch_segment();
	char directory[BLOOM_PATH_BYTES_MAX];
	bloom_stage stage;

	(void)state;
	needs_posix(NO_REMOVAL_IN_USE);
	strcpy(directory, in_segment(&segment, "tags"));
	assert_ok(bloom_stage_begin(&segment, "tags", 5120, &stage, &error));
	remove_tree(directory);
	assert_int_equal(0, mkdir(directory, 0700));
	bloom_stage_abort(&stage);
	assert_int_equal(0, count_entries(directory, ""));
	assert_ok(bloom_stage_begin(&segment, "tags", 5120, &stage, &error));
	bloom_stage_abort(&stage);
	assert_int_equal(-1, count_entries(directory, ""));
}

static void a_stage_lives_while_others_load(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob a = blob_with("a"), b = blob_with("b");
	bloom_attachment reader;
	bloom_stage stage;
	uint64_t generation;

	(void)state;
	assert_ok(bloom_stage_begin(&segment, "tags", b.count, &stage, &error));
	assert_ok(bloom_stage_write(&stage, b.bytes, 4100, &error));
	assert_ok(load(&segment, "tags", a,
		NULL)); /* cleans up, and must not remove the .tmp of a running writer */
	assert_ok(load(&segment, "other", a, NULL));
	assert_int_equal(1, count_entries(in_segment(&segment, "tags"), ".tmp"));
	assert_ok(bloom_stage_write(&stage, b.bytes + 4100, b.count - 4100, &error));
	assert_ok(bloom_stage_commit(&stage, &generation, &error));
	assert_int_equal(2, generation);
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	assert_serves(&reader, "b");
	bloom_detach(&reader);
	blob_free(&a);
	blob_free(&b);
}

static void a_stage_outlives_a_drop(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob a = blob_with("a"), b = blob_with("b");
	bloom_attachment reader;
	bloom_stage stage;
	uint64_t generation;
	bool existed;

	(void)state;
	assert_ok(load(&segment, "tags", a, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	assert_ok(bloom_stage_begin(&segment, "tags", b.count, &stage, &error));
	assert_ok(bloom_stage_write(&stage, b.bytes, b.count, &error));
	assert_ok(bloom_segment_drop(&segment, "tags", &existed, &error));
	assert_true(existed);
	assert_int_equal(BLOOM_PRESENCE_ABSENT, bloom_attachment_check(&reader));
	assert_ok(bloom_stage_commit(&stage, &generation, &error));
	assert_serves(&reader, "b");
	bloom_detach(&reader);
	blob_free(&a);
	blob_free(&b);
}

static void a_stage_whose_directory_was_removed_by_hand_says_so(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	bloom_stage stage;
	uint64_t generation;

	(void)state;
	needs_posix(NO_REMOVAL_IN_USE);
	assert_ok(bloom_stage_begin(&segment, "tags", blob.count, &stage, &error));
	assert_ok(bloom_stage_write(&stage, blob.bytes, blob.count, &error));
	remove_tree(in_segment(&segment, "tags"));
	assert_status(BLOOM_E_GONE, bloom_stage_commit(&stage, &generation, &error));
	assert_ok(load(&segment, "tags", blob, &generation));
	blob_free(&blob);
}

/* ---- drop ---- */

static void a_dropped_filter_is_absent_and_its_memory_comes_back(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	bloom_attachment reader, late;
	bool existed = false;

	(void)state;
	assert_ok(load(&segment, "tags", blob, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	assert_ok(bloom_segment_drop(&segment, "tags", &existed, &error));
	assert_true(existed);
	assert_int_equal(-1, access(in_segment(&segment, "tags"), F_OK));
	assert_int_equal(BLOOM_PRESENCE_ABSENT, bloom_attachment_check(&reader));
	assert_int_equal(BLOOM_PRESENCE_ABSENT, bloom_attachment_check(&reader));
	assert_int_equal(1, count_maps()); /* the old control page; the blob is unmapped */
	assert_false(bloom_attachment_naming(&reader) == BLOOM_NAMING_SAME);
	assert_status(BLOOM_E_NOT_FOUND, bloom_attach(&segment, "tags", &late, &error));
	assert_ok(bloom_segment_drop(&segment, "tags", &existed, &error));
	assert_false(existed);
	bloom_detach(&reader);
	blob_free(&blob);
}

static void a_drop_of_certain_kinds_spares_filters_of_others(void **state)
{
	const uint32_t others[] = {
		0, UINT32_C(1) << BLOOM_KIND_LIVE, ~(UINT32_C(1) << BLOOM_KIND_LOADED)};
	bloom_segment segment = scratch_segment();
	test_blob blob = blob_with("a");
	bool existed = true;
	size_t i;

	(void)state;
	segment.lock_timeout_ms = 0; /* each call would notice a lock that the previous one kept */
	for (i = 0; i < sizeof others / sizeof *others; i++) {
		assert_ok(bloom_segment_drop_kind(&segment, "tags", others[i], &existed, &error));
		assert_false(existed);
	}
	assert_ok(load(&segment, "tags", blob, NULL));
	for (i = 0; i < sizeof others / sizeof *others; i++) {
		assert_status(BLOOM_E_KIND,
			bloom_segment_drop_kind(&segment, "tags", others[i], &existed, &error));
		assert_ok(load(&segment, "tags", blob, NULL));
	}
	assert_ok(bloom_segment_drop_kind(
		&segment, "tags", UINT32_C(1) << BLOOM_KIND_LOADED, &existed, &error));
	assert_true(existed);
	blob_free(&blob);
}

static void a_filter_loaded_after_a_drop_is_found_by_the_same_attachment(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob a = blob_with("a"), b = blob_with("b");
	bloom_attachment reader;
	bool existed;
	int i;

	(void)state;
	assert_ok(load(&segment, "tags", a, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	for (i = 0; i < 20; i++) {
		assert_ok(bloom_segment_drop(&segment, "tags", &existed, &error));
		if (i % 2) {
			assert_int_equal(BLOOM_PRESENCE_ABSENT, bloom_attachment_check(&reader));
		}
		/* The new filter's first generation has a number that the reader may still have
		 * mapped. */
		assert_ok(load(&segment, "tags", i % 2 ? a : b, NULL));
		assert_serves(&reader, i % 2 ? "a" : "b");
		assert_true(bloom_attachment_naming(&reader) == BLOOM_NAMING_SAME);
	}
	assert_int_equal(2, count_maps());
	bloom_detach(&reader);
	blob_free(&a);
	blob_free(&b);
}

/* ---- locks ---- */

static void a_busy_filter_is_given_up_after_the_timeout_and_read_meanwhile(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob a = blob_with("a"), b = blob_with("b");
	bloom_attachment reader;
	bloom_filter_dir dir;
	uint64_t start;
	bool existed;

	(void)state;
	assert_ok(load(&segment, "tags", a, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	assert_ok(bloom_filter_dir_open(&segment, "tags", false, &dir, &error));
	assert_ok(bloom_filter_dir_lock(&dir, &error));
	segment.lock_timeout_ms = 60;
	start = bloom_monotonic_ms();
	assert_status(BLOOM_E_BUSY, load(&segment, "tags", b, NULL));
	assert_true(bloom_monotonic_ms() - start >= 60);
	assert_status(BLOOM_E_BUSY, bloom_segment_drop(&segment, "tags", &existed, &error));
	segment.lock_timeout_ms = 0;
	assert_status(BLOOM_E_BUSY, load(&segment, "tags", b, NULL));
	assert_serves(&reader, "a");
	assert_ok(load(&segment, "other", b, NULL)); /* the lock belongs to that filter alone */
	assert_int_equal(0, count_entries(in_segment(&segment, "tags"), ".tmp"));
	bloom_filter_dir_close(&dir);
	assert_ok(load(&segment, "tags", b, NULL));
	assert_serves(&reader, "b");
	bloom_detach(&reader);
	blob_free(&a);
	blob_free(&b);
}

/* ---- processes ---- */

static int just_exit(void *context)
{
	bloom_attachment *reader = context;

	return bloom_attachment_check(reader) == BLOOM_PRESENCE_VIEW &&
			filter_found(reader, "common", 100) == 100
		? 0
		: 1;
}

static void a_forked_child_that_exits_disturbs_nothing(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob a = blob_with("a"), b = blob_with("b");
	bloom_attachment reader;
	bloom_stage stage;
	uint64_t generation;

	(void)state;
	assert_ok(load(&segment, "tags", a, NULL));
	assert_ok(bloom_attach(&segment, "tags", &reader, &error));
	assert_ok(bloom_stage_begin(&segment, "tags", b.count, &stage, &error));
	assert_int_equal(0, run_child(just_exit, &reader));
	assert_serves(&reader, "a");
	/* When the child closed its inherited descriptor of the .tmp, no lock was released. */
	assert_ok(load(&segment, "other", a, NULL));
	assert_ok(bloom_stage_write(&stage, b.bytes, b.count, &error));
	assert_int_equal(0, run_child(just_exit, &reader));
	assert_ok(bloom_stage_commit(&stage, &generation, &error));
	assert_int_equal(0, run_child(just_exit, &reader)); /* a child also notices the switch */
	assert_serves(&reader, "b");
	bloom_detach(&reader);
	blob_free(&a);
	blob_free(&b);
}

static int wait_to_be_killed(void *context)
{
	(void)context;
	(void)pause();
	return 1;
}

/* Simulates a threaded process in which one thread forks while another one loads. */
static void children_forked_before_and_under_the_lock_hold_it_no_longer(void **state)
{
	bloom_segment segment = scratch_segment();
	test_blob a = blob_with("a"), b = blob_with("b");
	bloom_status meanwhile, loading, dropping;
	bloom_filter_dir dir;
	bool existed;
	pid_t before, child;

	(void)state;
	segment.lock_timeout_ms = 0;
	assert_ok(load(&segment, "tags", a, NULL));
	assert_ok(bloom_filter_dir_open(&segment, "tags", false, &dir, &error));
	before = start_child(wait_to_be_killed, NULL);
	assert_ok(bloom_filter_dir_lock(&dir, &error));
	child = start_child(wait_to_be_killed, NULL);
	meanwhile = load(&segment, "tags", b, NULL);
	bloom_filter_dir_close(&dir);
	loading = load(&segment, "tags", b, NULL);
	dropping = bloom_segment_drop(&segment, "tags", &existed, &error);
	assert_int_equal(0, kill(before, SIGKILL));
	assert_int_equal(0, kill(child, SIGKILL));
	assert_int_equal(1000 + SIGKILL, wait_child(before));
	assert_int_equal(1000 + SIGKILL, wait_child(child));
	assert_int_equal(BLOOM_E_BUSY, meanwhile);
	assert_int_equal(BLOOM_OK, loading);
	assert_int_equal(BLOOM_OK, dropping);
	blob_free(&a);
	blob_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("filter names consist of plain characters", names_are_plain_words),
		TEST("names and paths need no null terminator", names_and_paths_need_no_terminator),
		/* fault: invalid-name */
		TEST("a segment's path is absolute and not too long",
			a_segment_path_is_absolute_and_not_too_long),
		TEST("a segment path has no slash or dot at its end, where it would follow a link",
			a_segment_path_does_not_end_with_a_slash_or_a_dot),
		TEST("the default path of a segment is absolute", the_default_path_is_absolute),
		TEST_IN_SCRATCH("staging checks the filter's name", staging_checks_the_name),
		/* fault: invalid-name */
		TEST_IN_SCRATCH("no function follows a name out of the segment",
			no_function_follows_a_name_out_of_the_segment),
		TEST_IN_SCRATCH(
			"a segment below a missing directory is not reported as an absent filter",
			a_segment_below_a_missing_directory_is_not_called_an_absent_filter),
		TEST_IN_SCRATCH("a filter that was never loaded is not found, and the lookup "
				"creates nothing",
			what_was_never_loaded_is_not_found),
		TEST_IN_SCRATCH("a loaded blob is served byte for byte", what_was_loaded_is_served),
		TEST_IN_SCRATCH("a blob may be staged in pieces of any size",
			a_blob_may_come_in_pieces_of_any_size),
		TEST_IN_SCRATCH("an attached reader sees a reload at its next lookup",
			an_attached_reader_sees_a_reload_at_its_next_look),
		/* fault: reference-leak */
		TEST_IN_SCRATCH(
			"the replaced generation is unlinked, and stays valid while it is mapped",
			the_generation_before_is_gone_when_its_last_reader_is),
		TEST_IN_SCRATCH("a replaced generation stays mapped until the end of the request",
			where_requests_end_a_replaced_generation_stays_mapped_until_then),
		/* fault: days-of-handles */
		TEST_IN_SCRATCH("a thousand reloads leak no descriptor, mapping or file",
			a_thousand_reloads_leak_nothing),
		/* fault: days-of-handles */
		TEST_IN_SCRATCH("failed loads leak no descriptor, mapping or file",
			failures_leak_nothing_either),
		TEST_IN_SCRATCH(
			"filters do not affect each other", filters_do_not_disturb_each_other),
		TEST_IN_SCRATCH(
			"a drop of certain kinds spares filters of others, and keeps no lock",
			a_drop_of_certain_kinds_spares_filters_of_others),
		TEST_IN_SCRATCH("a listing contains the served filters and nothing else",
			listing_names_what_is_served),
		TEST_IN_SCRATCH("a control page without a generation is not a filter",
			a_control_page_without_a_generation_is_no_filter),
		/* fault: counter-wraps */
		TEST_IN_SCRATCH("a load replaces a control page whose generation number has "
				"reached its maximum",
			a_control_page_that_has_counted_to_its_end_is_replaced_by_a_load),
		/* fault: store-corrupt */
		TEST_IN_SCRATCH(
			"a generation is not served before it is completely written and verified",
			nothing_is_served_before_it_is_verified_to_its_end),
		TEST_IN_SCRATCH("staged bytes are verified as they arrive",
			staged_bytes_are_verified_as_they_come),
		/* fault: build-time-ahead */
		TEST_IN_SCRATCH("a blob that was built in the future is not served",
			a_blob_from_the_future_is_not_served),
		TEST_IN_SCRATCH("a stage with more or fewer bytes than announced is refused",
			more_or_fewer_bytes_than_announced_are_refused),
		TEST_IN_SCRATCH("a stage stays valid while other processes load",
			a_stage_lives_while_others_load),
		TEST_IN_SCRATCH(
			"an aborted stage does not remove a directory that another writer created",
			an_aborted_stage_leaves_the_new_directory_of_another_writer),
		TEST_IN_SCRATCH("a stage stays valid after a drop", a_stage_outlives_a_drop),
		/* fault: files-deleted */
		TEST_IN_SCRATCH("committing a stage whose directory was removed reports an error",
			a_stage_whose_directory_was_removed_by_hand_says_so),
		TEST_IN_SCRATCH("a dropped filter is absent, and its memory is freed",
			a_dropped_filter_is_absent_and_its_memory_comes_back),
		TEST_IN_SCRATCH("a filter loaded after a drop is found by the same attachment",
			a_filter_loaded_after_a_drop_is_found_by_the_same_attachment),
		TEST_IN_SCRATCH(
			"a load of a locked filter fails after the timeout, and lookups continue",
			a_busy_filter_is_given_up_after_the_timeout_and_read_meanwhile),
		/* fault: fork */
		TEST_IN_SCRATCH("a forked child that exits does not affect its parent",
			a_forked_child_that_exits_disturbs_nothing),
		/* fault: threads */
		TEST_IN_SCRATCH("children forked before or during a load do not keep its lock",
			children_forked_before_and_under_the_lock_hold_it_no_longer),
	};

	return cmocka_run_group_tests_name("segment", tests, NULL, NULL);
}
