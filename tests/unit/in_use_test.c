/* These tests simulate a system that, like Windows, cannot remove or replace a mapped file. Each
 * test runs twice, because Windows does not document whether a mapped file can be renamed: once it
 * can, and once it cannot. All calls keep their promises: readers keep what they have mapped, no
 * key is lost, a drop is final, and a sweep removes what remains. */
#include "kinds.h"
#include "scenes.h"

#include "kinds/additions.h"
#include "kinds/scalable.h"
#include "segment/stage.h"
#include "segment/drop.h"
#include "segment/tidy.h"

/* ---- the simulated system ---- */

enum { VIEWS_MAX = 1024 };

static struct {
	const unsigned char *map; /* NULL: a free row */
	bloom_identity identity;
} views[VIEWS_MAX];

static bool simulates = true;
static bool renames; /* a mapped file can be renamed */
static unsigned refusals;

static void note_view(const unsigned char *before, const unsigned char *now, int file)
{
	unsigned i;

	for (i = 0; i < VIEWS_MAX && views[i].map != before; i++) {
	}
	if (i < VIEWS_MAX) {
		views[i].map = now;
	} else {
		assert_non_null(before); /* private memory has no row */
	}
	if (i < VIEWS_MAX && now != NULL && file != -1) {
		assert_ok(bloom_file_identity(file, &views[i].identity, &error));
	}
}

static bool is_mapped(int directory, const char *name)
{
	bloom_segment segment = scratch_segment();
	bloom_identity identity = {0};
	int root = -1, file = -1;
	bloom_owner owner;
	uint64_t bytes;
	unsigned i;

	assert_ok(bloom_directory_open(segment.path, false, &root, &owner, &error));
	bloom_close(&root);
	if (!simulates ||
		bloom_file_open(directory, name, false, owner, &file, &bytes, NULL) != BLOOM_OK) {
		return false;
	}
	assert_ok(bloom_file_identity(file, &identity, &error));
	bloom_close(&file);
	for (i = 0; i < VIEWS_MAX; i++) {
		if (views[i].map != NULL && bloom_is_same_file(&views[i].identity, &identity)) {
			return true;
		}
	}
	return false;
}

static bloom_status refuse(const char *name, bloom_error *why)
{
	refusals++;
	return bloom_fail(why, BLOOM_E_BUSY, 0, "%s is in use", name);
}

/* tests/unit/run finds the names of the replaced functions in the next lines. */
#define REPLACED(type, name, parameters) \
	type __real_##name parameters;   \
	type __wrap_##name parameters;   \
	type __wrap_##name parameters

REPLACED(bloom_status, bloom_map,
	(int file, uint64_t bytes, bool writable, unsigned char **map, bloom_error *why))
{
	bloom_status status = __real_bloom_map(file, bytes, writable, map, why);

	if (status == BLOOM_OK) {
		note_view(NULL, *map, file);
	}
	return status;
}

REPLACED(bloom_status, bloom_map_grow,
	(int kept, unsigned char **map, uint64_t bytes, uint64_t bytes_wanted, bloom_error *why))
{
	const unsigned char *before = *map;
	bloom_status status = __real_bloom_map_grow(kept, map, bytes, bytes_wanted, why);

	if (status == BLOOM_OK) {
		note_view(before, *map, -1);
	}
	return status;
}

REPLACED(void, bloom_unmap, (const unsigned char *map, uint64_t bytes))
{
	if (map != NULL) {
		note_view(map, NULL, -1);
	}
	__real_bloom_unmap(map, bytes);
}

REPLACED(bloom_status, bloom_file_remove, (int directory, const char *name, bloom_error *why))
{
	return is_mapped(directory, name) ? refuse(name, why)
					  : __real_bloom_file_remove(directory, name, why);
}

REPLACED(void, bloom_file_discard, (int directory, const char *name))
{
	if (!is_mapped(directory, name)) {
		__real_bloom_file_discard(directory, name);
	}
}

REPLACED(bloom_status, bloom_file_rename,
	(int directory, const char *from, const char *to, bloom_error *why))
{
	return is_mapped(directory, to) || (!renames && is_mapped(directory, from))
		? refuse(from, why)
		: __real_bloom_file_rename(directory, from, to, why);
}

REPLACED(bloom_status, bloom_file_move,
	(int directory, const char *from, int target, const char *to, bloom_error *why))
{
	return !renames && is_mapped(directory, from)
		? refuse(from, why)
		: __real_bloom_file_move(directory, from, target, to, why);
}

/* Runs a test in both variants. */
static void in_both(void (*test)(const bloom_segment *segment))
{
	bloom_segment segment = scratch_segment();
	int i;

	segment.lock_timeout_ms = 0;
	for (i = 0; i < 2; i++) {
		renames = i == 0;
		refusals = 0;
		test(&segment);
		assert_true(refusals > 0);
		remove_tree(segment.path);
	}
}

static int removed_files(const bloom_segment *segment)
{
	return count_entries(in_segment(segment, BLOOM_INTERNAL_NAME), BLOOM_REMOVED_SUFFIX);
}

static int files(const bloom_segment *segment)
{
	return count_entries(in_segment(segment, "tags"), "");
}

/* ---- loaded filters ---- */

static void reload(const bloom_segment *segment)
{
	test_blob a = blob_with("a"), b = blob_with("b");
	bloom_attachment reader;

	assert_ok(load(segment, "tags", a, NULL));
	attach_to(segment, "tags", &reader);
	assert_ok(load(segment, "tags", b, NULL));
	/* The reader has not looked: its generation remains and stays right. */
	assert_int_equal(300, filter_found(&reader, "a", 300));
	assert_int_equal(renames ? 2 : 3, files(segment));
	assert_int_equal(renames ? 1 : 0, removed_files(segment));
	(void)segment_bytes(segment);
	assert_serves(&reader, "b");
	assert_ok(load(segment, "tags", a, NULL));
	assert_serves(&reader, "a");
	bloom_detach(&reader);
	assert_ok(load(segment, "tags", b, NULL));
	bloom_segment_sweep(segment);
	assert_int_equal(2, files(segment));
	assert_int_equal(0, removed_files(segment));
	(void)segment_bytes(segment);
	blob_free(&a);
	blob_free(&b);
}

static void a_generation_in_use_is_replaced_and_removed_later(void **state)
{
	(void)state;
	in_both(reload);
}

static void drop_in_use(const bloom_segment *segment)
{
	test_blob a = blob_with("a"), b = blob_with("b");
	bloom_attachment idle, reader;
	bool existed = false;

	assert_ok(load(segment, "tags", a, NULL));
	attach_to(segment, "tags", &idle);
	attach_to(segment, "tags", &reader);
	assert_ok(bloom_segment_drop(segment, "tags", &existed, &error));
	assert_true(existed);
	assert_int_equal(BLOOM_PRESENCE_ABSENT, bloom_attachment_check(&reader));
	assert_int_equal(300, filter_found(&idle, "a", 300));
	assert_int_equal(renames ? -1 : 2, files(segment));
	(void)segment_bytes(segment);

	/* The page of the dropped filter is still in use. */
	if (renames) {
		assert_ok(load(segment, "tags", b, NULL));
		assert_serves(&reader, "b");
		assert_serves(&idle, "b");
		assert_ok(bloom_segment_drop(segment, "tags", &existed, &error));
	} else {
		assert_status(BLOOM_E_BUSY, load(segment, "tags", b, NULL));
		assert_non_null(strstr(error.subject, "control is in use"));
		assert_ok(bloom_segment_drop(segment, "tags", &existed, &error));
		assert_false(existed);
		assert_int_equal(BLOOM_PRESENCE_ABSENT, bloom_attachment_check(&idle));
	}
	bloom_detach(&idle);
	bloom_detach(&reader);

	/* A later writer of any filter sweeps and so removes what remains. */
	make_sweep_due(segment);
	assert_ok(load(segment, "other", a, NULL));
	assert_int_equal(-1, files(segment));
	assert_int_equal(0, removed_files(segment));
	(void)segment_bytes(segment);
	assert_ok(load(segment, "tags", b, NULL));
	attach_to(segment, "tags", &reader);
	assert_serves(&reader, "b");
	bloom_detach(&reader);
	blob_free(&a);
	blob_free(&b);
}

static void a_filter_in_use_is_dropped_at_once_and_removed_later(void **state)
{
	(void)state;
	in_both(drop_in_use);
}

/* ---- additions ---- */

static test_blob blob_with_mark(const char *family)
{
	const bloom_params params = {.capacity_keys = 300, .rate = 0.001};
	bloom_builder builder = {0};
	uint64_t i;

	assert_ok(bloom_builder_init(&params, 1, 0, &builder, &error));
	for (i = 0; i < 300; i++) {
		(void)builder_add_key(&builder, family, i);
	}
	builder.meta.mark = (bloom_mark){.epoch = 7, .offset = 3, .check = "mark"};
	return blob_from(&builder);
}

static void add_to(bloom_live *live, const bloom_segment *segment, const char *family)
{
	char text[KEY_TEXT_BYTES];
	size_t count = key_text(family, 0, text);
	bool is_new;

	assert_ok(bloom_scalable_add(live, segment, "tags",
		bloom_hash(&live->hasher, (const unsigned char *)text, count), &is_new, &error));
}

/* Loads a blob whose additions this process and another one keep mapped. */
static void load_with_additions(const bloom_segment *segment, test_blob blob, bloom_live *other)
{
	const bloom_mark mark = {.epoch = 7, .offset = 3, .check = "mark"};
	bloom_stage stage = {0}, added = {0};
	bloom_live *live = NULL;
	uint64_t generation;

	assert_ok(bloom_stage_begin(segment, "tags", blob.count, &stage, &error));
	assert_ok(bloom_stage_write(&stage, blob.bytes, blob.count, &error));
	assert_ok(bloom_additions_stage(
		segment, "tags", &stage.head, 0, NULL, &added, &live, &error));
	add_to(live, segment, "added");
	assert_ok(bloom_additions_advance(
		live, segment, "tags", &mark, &mark, bloom_uptime_ms(), 0, NULL, &error));
	assert_ok(bloom_additions_announce(&added, &error));
	assert_ok(bloom_live_map(&added.dir, added.file_name, other, &error));
	stage.additions = &added;
	assert_ok(bloom_stage_commit(&stage, &generation, &error));
	add_to(other, segment, "late");
	bloom_live_free(live);
}

static void switch_with_additions(const bloom_segment *segment)
{
	test_blob a = blob_with_mark("a"), b = blob_with_mark("b");
	bloom_attachment reader, fresh;
	bloom_live live_a, live_b;
	bool existed;

	load_with_additions(segment, a, &live_a);
	attach_to(segment, "tags", &reader);
	load_with_additions(segment, b, &live_b);
	assert_int_equal(300, filter_found(&reader, "a", 300));
	(void)segment_bytes(segment);
	/* Another writer must not mistake the additions in use for an abandoned file. */
	bloom_segment_sweep(segment);
	assert_int_equal(BLOOM_PRESENCE_ADDITIONS, bloom_attachment_check(&reader));
	attach_to(segment, "tags", &fresh);
	assert_int_equal(300, filter_found(&reader, "b", 300));
	assert_true(filter_has(&reader, "added", 0) && filter_has(&reader, "late", 0));
	assert_true(filter_has(&fresh, "added", 0) && filter_has(&fresh, "late", 0));
	assert_false(filter_has(&fresh, "never", 0));
	bloom_detach(&reader);
	bloom_detach(&fresh);
	bloom_live_unmap(&live_a);
	bloom_live_unmap(&live_b);
	bloom_segment_sweep(segment);
	assert_int_equal(3, files(segment));
	assert_int_equal(0, removed_files(segment));
	(void)segment_bytes(segment);
	assert_ok(bloom_segment_drop(segment, "tags", &existed, &error));
	assert_true(existed);
	assert_int_equal(-1, files(segment));
	blob_free(&a);
	blob_free(&b);
}

static void additions_in_use_are_switched_to_and_removed_later(void **state)
{
	(void)state;
	in_both(switch_with_additions);
}

/* ---- all operations ---- */

/* Performs each operation while another attachment maps the files of the state before. */
static void act_in_use(const bloom_segment *segment)
{
	bloom_attachment watcher, own;
	unsigned i, done = 0;

	scenes_begin();
	for (i = 0; i < scene_count; i++) {
		const scene *it = &scenes[i];
		bloom_status status;
		bool there;

		if (it->reads) {
			continue;
		}
		remove_tree(segment->path);
		it->prepare(segment);
		there = bloom_attach(segment, SCENE_NAME, &watcher, NULL) == BLOOM_OK;
		if (there) {
			attach_to(segment, SCENE_NAME, &own);
		}
		status = it->act(segment, there ? &own : NULL, &error);
		if (status != BLOOM_OK) {
			print_message("# %s: %s\n", it->what, error.subject);
			assert_false(renames);
			assert_int_equal(BLOOM_E_BUSY, status);
		}
		if (there) {
			bloom_detach(&own);
		}
		assert_true(status != BLOOM_OK || scene_look(it, segment) > 0);
		if (there) {
			bloom_detach(&watcher);
		}
		done += status == BLOOM_OK;
		bloom_segment_sweep(segment);
		if (status == BLOOM_OK) {
			assert_int_equal(
				it->entries, count_entries(in_segment(segment, SCENE_NAME), ""));
		}
		/* scene_heal() maps what it replaces, and looks for it immediately. */
		simulates = false;
		scene_heal(it, segment);
		simulates = true;
	}
	scenes_end();
	print_message("# %u operations\n", done);
}

static void every_operation_succeeds_although_its_files_are_in_use(void **state)
{
	(void)state;
	in_both(act_in_use);
}

/* ---- ---- */

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH("a generation in use is replaced at once and removed later",
			a_generation_in_use_is_replaced_and_removed_later),
		TEST_IN_SCRATCH("a filter in use is dropped at once and its files removed later",
			a_filter_in_use_is_dropped_at_once_and_removed_later),
		TEST_IN_SCRATCH("readers switch to additions in use, which are removed later",
			additions_in_use_are_switched_to_and_removed_later),
		TEST_IN_SCRATCH("every operation succeeds while its files are in use",
			every_operation_succeeds_although_its_files_are_in_use),
	};

	return cmocka_run_group_tests_name("in_use", tests, NULL, NULL);
}
