/* Tests of a single key's counters in a counting filter: they stay at their maximum, an add or
 * remove killed at any instruction is complete or has no effect, and adds to a dropped filter
 * fail. */
#include "support.h"

#include "kinds/counting.h"
#include "segment/drop.h"

static const bloom_live_params small = {
	.kind = BLOOM_KIND_COUNTING, .capacity_keys = 100, .rate = 0.01};

static bool take(live_scene *set, const char *family, uint64_t i)
{
	bool removed = false;

	assert_ok(bloom_counting_remove(set->attachment.live, &set->segment, "seen",
		key_digest(set->seed, family, i), &removed, &error));
	return removed;
}

static uint32_t count_of(live_scene *set, const char *family, uint64_t i)
{
	uint32_t count = 99;

	assert_ok(bloom_counting_count(set->attachment.live, &set->segment, "seen",
		key_digest(set->seed, family, i), &count, &error));
	return count;
}

static bool has(const live_scene *set, const char *family, uint64_t i)
{
	return bloom_view_test(&set->attachment.view, key_digest(set->seed, family, i));
}

static void a_counter_sticks_at_15_and_never_falls_again(void **state)
{
	live_scene set;
	int i;

	(void)state;
	live_scene_open(&set, &small, test_seed("sticks"));
	for (i = 1; i <= 14; i++) {
		(void)live_scene_add(&set, "key", 1);
		assert_int_equal(i, count_of(&set, "key", 1));
	}
	for (i = 0; i < 14; i++) {
		assert_true(take(&set, "key", 1));
	}
	assert_false(has(&set, "key", 1));
	for (i = 0; i < 40; i++) {
		(void)live_scene_add(&set, "key", 1);
	}
	assert_int_equal(BLOOM_COUNTER_MAX, count_of(&set, "key", 1));
	for (i = 0; i < 100; i++) {
		assert_true(take(&set, "key", 1));
		assert_true(has(&set, "key", 1));
	}
	assert_int_equal(BLOOM_COUNTER_MAX, count_of(&set, "key", 1));
	bloom_detach(&set.attachment);
}

/* ---- interrupted at each instruction ---- */

typedef struct operation {
	live_scene *set;
	bool remove;
} operation;

static int do_traced(void *context)
{
	operation *work = context;

	(void)count_of(work->set, "victim",
		0); /* opens the child's own handle of the lock before the tracing starts */
	traced_begin();
	if (work->remove) {
		(void)take(work->set, "victim", 0);
	} else {
		(void)live_scene_add(work->set, "victim", 0);
	}
	traced_end();
	return 0;
}

static void keep_image(const live_scene *set, unsigned char *image)
{
	memcpy(image, set->attachment.live->head, set->attachment.live->map_bytes);
}

static void put_image(live_scene *set, const unsigned char *image)
{
	memcpy(set->attachment.live->head, image, set->attachment.live->map_bytes);
}

enum { NEIGHBOURS = 120 };

static void assert_neighbours_are_there(const live_scene *set)
{
	uint64_t i;

	for (i = 0; i < NEIGHBOURS; i++) {
		assert_true(has(set, "neighbour", i));
	}
}

/* Single-steps the operation and checks what a kill at each instruction would leave. A twin filter,
 * which no process is changing, gets a copy of the bytes. After the next process has taken the
 * twin's lock, the operation is either done or not done. No other key is ever missing. */
static void interrupt_at_each_instruction(live_scene *set, live_scene *twin, bool remove)
{
	uint64_t bytes = set->attachment.live->map_bytes;
	uint64_t at =
		(uint64_t)(set->attachment.view.bits - (unsigned char *)set->attachment.live->head);
	uint64_t filter_bytes = set->attachment.view.blocks * set->attachment.view.block_bytes * 5;
	unsigned char *before = malloc(bytes), *after = malloc(bytes), *seen = malloc(bytes);
	operation work = {.set = set, .remove = remove};
	unsigned done = 0, undone = 0;
	bool running = true;
	pid_t child;

	assert_non_null(before);
	assert_non_null(after);
	assert_non_null(seen);
	keep_image(set, before);
	put_image(twin, before);
	if (remove) {
		assert_true(take(twin, "victim", 0));
	} else {
		(void)live_scene_add(twin, "victim", 0);
	}
	keep_image(twin, after);
	memset(seen, 0xFF, bytes);
	child = start_traced(do_traced, &work);
	while (running) {
		running = step_traced(child, 1);
		if (memcmp(seen, set->attachment.live->head, bytes) == 0) {
			continue;
		}
		keep_image(set, seen);
		put_image(twin, seen);
		assert_neighbours_are_there(twin);
		(void)count_of(twin, "victim", 0);
		assert_neighbours_are_there(twin);
		if (memcmp(before + at, twin->attachment.view.bits, filter_bytes) == 0) {
			undone++;
			assert_int_equal(0, done); /* a done operation stays done */
		} else {
			assert_memory_equal(after + at, twin->attachment.view.bits, filter_bytes);
			done++;
		}
	}
	assert_int_equal(0, finish_traced(child));
	printf("# interrupted after %u writes: %u undone, %u done\n", undone + done, undone, done);
	assert_true(undone > 0 && done > 0); /* the number of writes depends on the compiler */
	assert_memory_equal(after + at, set->attachment.view.bits, filter_bytes);
	put_image(set, before);
	free(before);
	free(after);
	free(seen);
}

static void an_operation_killed_at_any_instruction_is_done_or_not_done(void **state)
{
	bloom_live_params params = small;
	live_scene set, twin = {0};
	uint64_t i;

	(void)state;
	needs_tracing();
	params.rate = 1e-9; /* needs more probes than one digest word provides */
	live_scene_open(&set, &params, test_seed("instructions"));
	assert_true(set.attachment.view.probes > set.attachment.view.fields);
	twin.seed = set.seed;
	twin.segment = set.segment;
	(void)snprintf(twin.segment.path, sizeof twin.segment.path, "%s/twin", scratch_path());
	live_create(&twin.segment, "seen", &params, set.seed);
	attach_to(&twin.segment, "seen", &twin.attachment);
	for (i = 0; i < NEIGHBOURS; i++) {
		(void)live_scene_add(&set, "neighbour", i);
	}
	interrupt_at_each_instruction(&set, &twin, false);
	(void)live_scene_add(&set, "victim", 0);
	interrupt_at_each_instruction(&set, &twin, true);
	(void)live_scene_add(&set, "victim", 0);
	interrupt_at_each_instruction(&set, &twin, true);
	bloom_detach(&twin.attachment);
	bloom_detach(&set.attachment);
}

/* ---- a dropped filter ---- */

static int add_after_a_drop(void *context)
{
	live_scene *set = context;
	bool is_new;

	return bloom_counting_add(set->attachment.live, &set->segment, "seen",
		       key_digest(set->seed, "key", 1), &is_new, &error) == BLOOM_E_GONE
		? 0
		: 1;
}

static void a_forked_child_of_a_dropped_filter_is_told(void **state)
{
	bool existed;
	live_scene set;

	(void)state;
	live_scene_open(&set, &small, 1);
	assert_ok(bloom_segment_drop(&set.segment, "seen", &existed, &error));
	assert_int_equal(0, run_child(add_after_a_drop, &set));
	live_create(&set.segment, "seen", &small, 1); /* a new filter with the same name */
	assert_int_equal(0, run_child(add_after_a_drop, &set));
	bloom_detach(&set.attachment);
	attach_to(&set.segment, "seen", &set.attachment);
	assert_false(has(&set, "key", 1));
	bloom_detach(&set.attachment);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: counter-saturated */
		TEST_IN_SCRATCH("a counter that reaches 15 stays at 15",
			a_counter_sticks_at_15_and_never_falls_again),
		/* fault: killed-anywhere */
		TEST_IN_SCRATCH("an add or remove killed at any instruction is either complete or "
				"has no effect",
			an_operation_killed_at_any_instruction_is_done_or_not_done),
		TEST_IN_SCRATCH("a forked child that adds a key to a dropped filter gets an error",
			a_forked_child_of_a_dropped_filter_is_told),
	};

	return cmocka_run_group_tests_name("counter", tests, NULL, NULL);
}
