/* Tests in which several programs use a segment, and some of them are killed. The programs are this
 * program, started again with the name of a role. So these tests also run where a process cannot
 * fork.
 *
 *     this program ──start_program──► this program, role "act"    performs a scene of scenes.c
 *          │                                                      and ends itself before a call
 *          └──kill_program──────────► this program, role "hold"   holds a lock
 */
#include "kinds.h"
#include "scenes.h"

#include "filter/atomic.h"
#include "kinds/counting.h"
#include "segment/stage.h"
#include "segment/drop.h"

/* The number of words in the file through which the programs communicate. */
enum { WORDS = 512 };

/* ---- calls that end the program ---- */

/* The number of calls before the program ends itself; negative: it does not. */
static long calls_left = -1;

static void count_call(void)
{
	if (calls_left >= 0 && calls_left-- == 0) {
		end_program();
	}
}

/* Replaces functions that change what other processes see. tests/unit/run finds their names in the
 * lines below. */
#define COUNTED(type, name, parameters, arguments) \
	type __real_##name parameters;             \
	type __wrap_##name parameters;             \
	type __wrap_##name parameters              \
	{                                          \
		count_call();                      \
		return __real_##name arguments;    \
	}

COUNTED(bloom_status, bloom_file_create,
	(int directory, const char *name, bloom_owner owner, int *file, bloom_error *why),
	(directory, name, owner, file, why))
COUNTED(bloom_status, bloom_file_extend, (int file, uint64_t bytes, bloom_error *why),
	(file, bytes, why))
COUNTED(bloom_status, bloom_file_write,
	(int file, const unsigned char *bytes, uint64_t count, bloom_error *why),
	(file, bytes, count, why))
COUNTED(bloom_status, bloom_file_allocate,
	(int file, uint64_t offset, uint64_t bytes, bloom_error *why), (file, offset, bytes, why))
COUNTED(bloom_status, bloom_file_rename,
	(int directory, const char *from, const char *to, bloom_error *why),
	(directory, from, to, why))
COUNTED(bloom_status, bloom_file_move,
	(int directory, const char *from, int target, const char *to, bloom_error *why),
	(directory, from, target, to, why))
COUNTED(bloom_status, bloom_file_remove, (int directory, const char *name, bloom_error *why),
	(directory, name, why))
COUNTED(void, bloom_file_discard, (int directory, const char *name), (directory, name))
COUNTED(bloom_status, bloom_directory_remove, (int parent, const char *name, bloom_error *why),
	(parent, name, why))
COUNTED(bloom_status, bloom_lock, (int handle, uint64_t timeout_ms, bloom_error *why),
	(handle, timeout_ms, why))
COUNTED(bloom_status, bloom_lock_byte,
	(int file, uint64_t offset, uint64_t timeout_ms, bloom_error *why),
	(file, offset, timeout_ms, why))
COUNTED(bloom_status, bloom_map,
	(int file, uint64_t bytes, bool writable, unsigned char **map, bloom_error *why),
	(file, bytes, writable, map, why))
COUNTED(void, bloom_unmap, (const unsigned char *map, uint64_t bytes), (map, bytes))
COUNTED(void, bloom_close, (int *handle), (handle))
COUNTED(void, bloom_process_close, (int *file), (file))

/* ---- communication ---- */

/* Maps the words in the scratch directory `path`, and creates them first. */
static uint64_t *map_words(const char *path)
{
	static const unsigned char zeros[WORDS * sizeof(uint64_t)];
	unsigned char *map = NULL;
	int directory = -1, file = -1;
	bloom_owner owner;
	uint64_t bytes;

	assert_ok(bloom_directory_open(path, true, &directory, &owner, &error));
	if (bloom_file_create(directory, "words", owner, &file, NULL) == BLOOM_OK) {
		assert_ok(bloom_file_write(file, 0, zeros, sizeof zeros, &error));
		bloom_close(&file);
	}
	assert_ok(bloom_file_open(directory, "words", true, owner, &file, &bytes, &error));
	assert_int_equal(sizeof zeros, bytes);
	assert_ok(bloom_map(file, bytes, true, &map, &error));
	bloom_close(&file);
	bloom_close(&directory);
	return (uint64_t *)(void *)map;
}

static void unmap_words(uint64_t *words)
{
	bloom_unmap((const unsigned char *)words, WORDS * sizeof *words);
}

/* Waits until another program stores at least `value`. */
static void await(const uint64_t *word, uint64_t value)
{
	uint64_t start = bloom_monotonic_ms();

	while (bloom_load_acquire(word) < value) {
		assert_true(bloom_monotonic_ms() - start < 120000);
		pause_us(1000);
	}
}

/* The directory of the words, beside the segment. */
static const char *words_path(const bloom_segment *segment)
{
	static char path[BLOOM_PATH_BYTES_MAX + 16];

	(void)snprintf(path, sizeof path, "%s", segment->path);
	(void)strcpy(strrchr(path, '/'), "/words");
	return path;
}

/* Starts a program of a role, with a number. */
static program start(const char *role, const bloom_segment *segment, unsigned number, long calls)
{
	char texts[2][32];
	const char *const arguments[] = {role, segment->path, texts[0], texts[1], NULL};

	(void)snprintf(texts[0], sizeof texts[0], "%u", number);
	(void)snprintf(texts[1], sizeof texts[1], "%ld", calls);
	return start_program(arguments);
}

/* ---- kills ---- */

static int act(const bloom_segment *segment, unsigned number, long calls)
{
	const scene *it = &scenes[number];
	bloom_attachment attachment;
	bloom_segment own;
	bloom_status status;
	bool there;

	/* The blobs and the times of the scene, which are variables of its file, are made in a
	 * directory of this program. */
	assert_int_equal(0, scratch_setup(NULL));
	scenes_begin();
	own = scratch_segment();
	it->prepare(&own);
	assert_int_equal(0, scratch_teardown(NULL));
	status = bloom_attach(segment, SCENE_NAME, &attachment, &error);
	there = status == BLOOM_OK;
	calls_left = calls;
	status = it->act(segment, there ? &attachment : NULL, &error);
	calls_left = -1;
	if (there) {
		bloom_detach(&attachment);
	}
	scenes_end();
	return status == BLOOM_OK ? 0 : 1;
}

/* Kills the scene before its calls number `first`, `first` + `step` and so on. Returns the number
 * of kills. */
static unsigned kill_scene(unsigned number, unsigned first, unsigned step)
{
	const scene *it = &scenes[number];
	unsigned kills = 0, calls;
	int code = KILLED;

	for (calls = first; code == KILLED; calls += step) {
		bloom_segment segment = scratch_segment();

		it->prepare(&segment);
		code = wait_program(start("act", &segment, number, (long)calls));
		if (code != KILLED && code != 0) {
			fail_msg("%s: ended with %d instead of before call %u", it->what, code,
				calls);
		}
		(void)scene_look(it, &segment);
		scene_heal(it, &segment);
		kills += code == KILLED;
		remove_tree(segment.path);
	}
	return kills;
}

static void a_program_killed_before_any_call_harms_nobody(void **state)
{
	/* Starting a program takes half a second in wine. */
	bool is_slow = PROGRAMS_ARE_SLOW || getenv("BLOOM_TEST_SLOW") != NULL;
	unsigned step = is_slow ? 11 : 3, number, kills = 0, scenes_killed = 0;

	(void)state;
	scenes_begin();
	for (number = 0; number < scene_count; number++) {
		if (!scenes[number].reads) {
			unsigned now = kill_scene(number, number % step, step);

			kills += now;
			scenes_killed += now > 0;
		}
	}
	scenes_end();
	printf("# %u kills in %u scenes\n", kills, scenes_killed);
	assert_true(kills > 30);
}

/* Two programs perform the scene at the same time, and each is killed before a call. Returns how
 * many were killed. A program may also end with an error, because the other one was first. */
static unsigned kill_pair(unsigned number, long first_calls, long second_calls)
{
	const scene *it = &scenes[number];
	bloom_segment segment = scratch_segment();
	program pair[2];
	int codes[2], i;
	bool existed;

	it->prepare(&segment);
	pair[0] = start("act", &segment, number, first_calls);
	pair[1] = start("act", &segment, number, second_calls);
	for (i = 0; i < 2; i++) {
		codes[i] = wait_program(pair[i]);
		if (codes[i] != KILLED && codes[i] != 0 && codes[i] != 1) {
			fail_msg("%s: a program ended with %d (calls %ld and %ld)", it->what,
				codes[i], first_calls, second_calls);
		}
	}
	(void)scene_look(it, &segment);
	/* The next writer of any filter removes what the killed programs left. */
	assert_ok(scene_load_other(&segment));
	assert_ok(bloom_segment_drop(&segment, "other", &existed, &error));
	scene_heal(it, &segment);
	remove_tree(segment.path);
	return (codes[0] == KILLED) + (codes[1] == KILLED);
}

static void two_programs_killed_in_the_same_operation_harm_nobody(void **state)
{
	bool is_slow = PROGRAMS_ARE_SLOW || getenv("BLOOM_TEST_SLOW") != NULL;
	uint64_t random = test_seed("pairs");
	unsigned rounds = is_slow ? 1 : 6, number, kills = 0, i;

	(void)state;
	scenes_begin();
	for (number = 0; number < scene_count; number++) {
		/* Two scenes count how often a key is in a counting filter, and do not expect that
		 * two programs change it. */
		if (scenes[number].reads ||
			strcmp(scenes[number].what, "adding to a counting filter") == 0 ||
			strcmp(scenes[number].what, "removing a key") == 0) {
			continue;
		}
		for (i = 0; i < rounds; i++) {
			long first = (long)random_below(&random, 100);

			kills += kill_pair(number, first, (long)random_below(&random, 100));
		}
	}
	scenes_end();
	printf("# %u kills\n", kills);
	assert_true(kills > 10);
}

static int hold(const bloom_segment *segment)
{
	uint64_t *words = map_words(words_path(segment));
	bloom_filter_dir dir;

	assert_ok(bloom_filter_dir_open(segment, "tags", false, &dir, &error));
	assert_ok(bloom_filter_dir_lock(&dir, &error));
	bloom_store_release(&words[0], 1);
	await(&words[1], 1); /* never */
	return 0;
}

static void a_lock_is_free_when_its_holder_has_been_killed(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t *words = map_words(words_path(&segment));
	test_blob blob = blob_with("a");
	program child;

	(void)state;
	segment.lock_timeout_ms = 0;
	assert_ok(load(&segment, "tags", blob, NULL));
	child = start("hold", &segment, 0, -1);
	await(&words[0], 1);
	assert_status(BLOOM_E_BUSY, load(&segment, "tags", blob, NULL));
	assert_ok(load(&segment, "other", blob, NULL));
	kill_program(child);
	assert_int_equal(KILLED, wait_program(child));
	assert_ok(load(&segment, "tags", blob, NULL));
	unmap_words(words);
	blob_free(&blob);
}

/* ---- generations in use ---- */

/* Keeps answering from the generation that is served at the start, whatever is loaded or dropped
 * later. Confirms each step. */
static int keep(const bloom_segment *segment)
{
	uint64_t *words = map_words(words_path(segment));
	bloom_attachment reader;
	uint64_t step;

	attach_to(segment, "tags", &reader);
	for (step = 1; step <= 3; step++) {
		if (filter_found(&reader, "a", 300) != 300) {
			return 2;
		}
		bloom_store_release(&words[0], step);
		await(&words[1], step);
	}
	if (filter_found(&reader, "a", 300) != 300) {
		return 3;
	}
	bloom_detach(&reader);
	unmap_words(words);
	return 0;
}

static void generations_that_another_program_maps_are_replaced_and_dropped(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t *words = map_words(words_path(&segment));
	test_blob a = blob_with("a"), b = blob_with("b");
	program child;
	bool existed = false;

	(void)state;
	assert_ok(load(&segment, "tags", a, NULL));
	child = start("keep", &segment, 0, -1);
	await(&words[0], 1);
	assert_ok(load(&segment, "tags", b, NULL));
	assert_int_equal(2, count_entries(in_segment(&segment, "tags"), ""));
	(void)segment_bytes(&segment);
	bloom_store_release(&words[1], 1);
	await(&words[0], 2);
	assert_ok(bloom_segment_drop(&segment, "tags", &existed, &error));
	assert_true(existed);
	assert_int_equal(-1, count_entries(in_segment(&segment, "tags"), ""));
	bloom_store_release(&words[1], 2);
	await(&words[0], 3);
	assert_ok(load(&segment, "tags", b, NULL));
	assert_int_equal(2, count_entries(in_segment(&segment, "tags"), ""));
	bloom_store_release(&words[1], 3);
	assert_int_equal(0, wait_program(child));
	/* The next writer removes what the program has mapped. */
	assert_ok(load(&segment, "tags", a, NULL));
	assert_int_equal(
		0, count_entries(in_segment(&segment, BLOOM_INTERNAL_NAME), BLOOM_REMOVED_SUFFIX));
	unmap_words(words);
	blob_free(&a);
	blob_free(&b);
}

static int look(const bloom_segment *segment, unsigned number)
{
	uint64_t *words = map_words(words_path(segment));
	bloom_attachment reader;
	unsigned i;

	attach_to(segment, "tags", &reader);
	while (bloom_load_acquire(&words[0]) == 0) {
		for (i = 0; i < 300; i++) {
			if (!filter_answers(&reader, "common", i)) {
				return 2;
			}
		}
		bloom_increment(&words[1 + number]);
	}
	bloom_detach(&reader);
	unmap_words(words);
	return 0;
}

static void other_programs_find_common_keys_during_reloads(void **state)
{
	enum { READERS = 3, RELOADS = 60 };
	bloom_segment segment = scratch_segment();
	uint64_t *words = map_words(words_path(&segment));
	test_blob blobs[2] = {blob_with("a"), blob_with("b")};
	program children[READERS];
	unsigned i, reload;

	(void)state;
	assert_ok(load(&segment, "tags", blobs[0], NULL));
	for (i = 0; i < READERS; i++) {
		children[i] = start("look", &segment, i, -1);
	}
	for (reload = 1; reload <= RELOADS; reload++) {
		assert_ok(load(&segment, "tags", blobs[reload % 2], NULL));
		for (i = 0; i < READERS && reload % 10 == 0; i++) {
			await(&words[1 + i], bloom_load_acquire(&words[1 + i]) + 2);
		}
	}
	bloom_store_release(&words[0], 1);
	for (i = 0; i < READERS; i++) {
		assert_int_equal(0, wait_program(children[i]));
	}
	unmap_words(words);
	blob_free(&blobs[0]);
	blob_free(&blobs[1]);
}

/* ---- keys of several programs ---- */

enum { ADDERS = 3 };

static const char *const families[ADDERS] = {"red", "green", "blue"};

/* Adds keys, and reports after each add() how many it has added. */
static int add(const bloom_segment *segment, unsigned number)
{
	uint64_t *words = map_words(words_path(segment));
	bloom_attachment writer;
	uint64_t i;

	attach_to(segment, "seen", &writer);
	for (i = 0; i < KEYS; i++) {
		if (filter_add(&writer, families[number], i, NULL) != BLOOM_OK) {
			return 2;
		}
		bloom_store_release(&words[1 + number], i + 1);
	}
	bloom_detach(&writer);
	unmap_words(words);
	return 0;
}

static void check_kind(const bloom_live_params *params)
{
	live_scene set;
	uint64_t *words, added;
	program children[ADDERS];
	unsigned i;

	live_scene_open(&set, params, 1);
	words = map_words(words_path(&set.segment));
	memset(words, 0, WORDS * sizeof *words);
	for (i = 0; i < ADDERS; i++) {
		children[i] = start("add", &set.segment, i, -1);
	}
	await(&words[1], KEYS / 4);
	kill_program(children[0]);
	assert_true(wait_program(children[0]) == KILLED || words[1] == KEYS);
	for (i = 1; i < ADDERS; i++) {
		assert_int_equal(0, wait_program(children[i]));
	}
	for (i = 0; i < ADDERS; i++) {
		added = bloom_load_acquire(&words[1 + i]);
		assert_true(i == 0 ? added >= KEYS / 4 : added == KEYS);
		/* A lookup follows the growth of other processes. */
		assert_true(filter_answers(&set.attachment, families[i], 0));
		assert_int_equal(added, filter_found(&set.attachment, families[i], added));
	}
	(void)live_scene_add(&set, "later", 0); /* no lock is held */
	unmap_words(words);
	bloom_detach(&set.attachment);
	remove_tree(set.segment.path);
}

static void no_key_of_several_programs_is_lost_if_one_is_killed(void **state)
{
	bloom_live_params params;
	int i;

	(void)state;
	for (i = 0; i < LIVE_KINDS; i++) {
		params = live_params[i];
		params.window_ms *= 60; /* no key expires during the test */
		if (params.kind == BLOOM_KIND_SCALABLE) {
			params.capacity_keys = 100; /* the filter grows */
		}
		check_kind(&params);
	}
}

/* ---- ---- */

/* The parts that the started programs play. */
static int play(const char *role, const char *path, unsigned number, long calls)
{
	bloom_segment segment = {.lock_timeout_ms = 60000};

	assert_ok(bloom_segment_init(&segment, path, strlen(path), &error));
	return strcmp(role, "act") == 0     ? act(&segment, number, calls)
		: strcmp(role, "hold") == 0 ? hold(&segment)
		: strcmp(role, "keep") == 0 ? keep(&segment)
		: strcmp(role, "look") == 0 ? look(&segment, number)
		: strcmp(role, "add") == 0  ? add(&segment, number)
					    : 9;
}

int main(int count, char **arguments)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH("a program that is killed before any call leaves the filter as it "
				"was or as it should be",
			a_program_killed_before_any_call_harms_nobody),
		TEST_IN_SCRATCH("two programs that are killed in the same operation leave the "
				"filter as it was or as it should be",
			two_programs_killed_in_the_same_operation_harm_nobody),
		TEST_IN_SCRATCH("a lock is released when its holder is killed",
			a_lock_is_free_when_its_holder_has_been_killed),
		TEST_IN_SCRATCH("a generation that another program maps is replaced and dropped, "
				"and stays valid there",
			generations_that_another_program_maps_are_replaced_and_dropped),
		TEST_IN_SCRATCH("other programs find the common keys during reloads",
			other_programs_find_common_keys_during_reloads),
		TEST_IN_SCRATCH("several programs add keys and lose none, even if one is killed",
			no_key_of_several_programs_is_lost_if_one_is_killed),
	};

	return count == 5
		? play(arguments[1], arguments[2], (unsigned)atoi(arguments[3]), atol(arguments[4]))
		: cmocka_run_group_tests_name("program", tests, NULL, NULL);
}
