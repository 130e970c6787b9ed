/* Many processes grow a scalable filter: each layer is added once, and no kill loses a key whose
 * add returned. */
#include "support.h"

#include <math.h>
#include <signal.h>

#include "kinds/scalable.h"

static bool has(live_scene *set, const char *family, uint64_t i)
{
	return bloom_scalable_test(set->attachment.live, key_digest(set->seed, family, i));
}

static void assert_has_all(live_scene *set, const char *family, uint64_t end)
{
	uint64_t i;

	for (i = 0; i < end; i++) {
		assert_true(has(set, family, i));
	}
}

/* Returns the filter's head, which growth may move. */
static bloom_live_head *head_of(const live_scene *set)
{
	return live_head(set->attachment.live);
}

typedef struct growing {
	live_scene *set;
	uint64_t *added; /* per process: number of keys whose live_scene_add() has returned */
	int number;
	uint64_t end;
} growing;

static const char *const families[] = {"a", "b", "c", "d", "e", "f"};

enum { GROWERS = 6 };

static int grow_for_long(void *context)
{
	growing *work = context;
	live_scene *set = work->set;
	bool is_new;
	uint64_t i;

	for (i = work->added[work->number]; i < work->end; i++) {
		bloom_digest digest = key_digest(set->seed, families[work->number], i);

		if (bloom_scalable_add(set->attachment.live, &set->segment, "seen", digest, &is_new,
			    &error) != BLOOM_OK) {
			return 1;
		}
		bloom_store_release(&work->added[work->number], i + 1);
	}
	return 0;
}

/* Asserts that no layer occurs twice, overlaps another layer or was ended early. A layer exceeds
 * its capacity by at most one key per process, because each process checks for space before it
 * adds. */
static void assert_layers_are_in_order(const live_scene *set)
{
	const bloom_live_head *head = live_head(set->attachment.live);
	uint64_t i, capacity = head->params.capacity_keys;

	for (i = 0; i < head->layers; i++) {
		bloom_geometry geometry = bloom_live_geometry(head, (uint32_t)i);

		assert_int_equal(capacity, head->layer[i].capacity_keys);
		assert_true(head->layer[i].keys <= capacity + GROWERS);
		if (i + 1 < head->layers) {
			assert_true(head->layer[i].keys >= capacity);
			assert_int_equal(head->layer[i].offset +
					bloom_live_layer_bytes(BLOOM_KIND_SCALABLE, &geometry),
				head->layer[i + 1].offset);
		}
		capacity = (uint64_t)ceil((double)capacity * head->params.growth);
	}
}

static void many_processes_grow_it_at_once_and_each_layer_once(void **state)
{
	uint64_t *added = shared_memory(4096);
	bloom_live_params params = {.kind = BLOOM_KIND_SCALABLE,
		.capacity_keys = 100,
		.rate = 0.001,
		.growth = 1.5,
		.tightening = 0.8};
	growing work = {.added = added, .end = 8000};
	pid_t child[GROWERS];
	live_scene set;
	int i;

	(void)state;
	live_scene_open(&set, &params, test_seed("many"));
	work.set = &set;
	for (i = 0; i < GROWERS; i++) {
		work.number = i;
		child[i] = start_child(grow_for_long, &work);
	}
	for (i = 0; i < GROWERS; i++) {
		assert_int_equal(0, wait_child(child[i]));
	}
	for (i = 0; i < GROWERS; i++) {
		assert_has_all(&set, families[i], work.end);
	}
	assert_int_equal(0, head_of(&set)->growth_failures);
	assert_layers_are_in_order(&set);
	free_shared_memory(added, 4096);
	bloom_detach(&set.attachment);
}

static void wait_for_more(const uint64_t *added, uint64_t begun)
{
	while (bloom_load_acquire(added) == begun) {
		pause_us(20);
	}
}

static void growers_killed_at_any_moment_lose_no_key_whose_add_returned(void **state)
{
	uint64_t random = test_seed("killed growers"), *added = shared_memory(4096);
	bloom_live_params params = {.kind = BLOOM_KIND_SCALABLE,
		.capacity_keys = 1,
		.rate = 0.001,
		.growth = 1.2,
		.tightening = 0.9};
	uint64_t begun[GROWERS] = {0}; /* keys that a process's predecessors had added */
	growing work = {.added = added, .end = UINT64_MAX};
	int i, kills;
	pid_t child[GROWERS];
	live_scene set;

	(void)state;
	live_scene_open(&set, &params, random_next(&random));
	work.set = &set;
	for (i = 0; i < GROWERS; i++) {
		work.number = i;
		child[i] = start_child(grow_for_long, &work);
	}
	for (kills = 0; kills < 150; kills++) {
		i = (int)random_below(&random, GROWERS);
		wait_for_more(&added[i], begun[i]);
		pause_us(random_below(&random, 800));
		assert_int_equal(0, kill(child[i], SIGKILL));
		assert_int_equal(1000 + SIGKILL, wait_child(child[i]));
		begun[i] = added[i];
		work.number = i;
		child[i] = start_child(grow_for_long, &work);
	}
	for (i = 0; i < GROWERS; i++) {
		wait_for_more(&added[i], 0);
		assert_int_equal(0, kill(child[i], SIGKILL));
		assert_int_equal(1000 + SIGKILL, wait_child(child[i]));
	}
	for (i = 0; i < GROWERS; i++) {
		assert_has_all(&set, families[i], added[i]);
	}
	bloom_detach(&set.attachment);
	attach_to(&set.segment, "seen", &set.attachment);
	for (i = 0; i < GROWERS; i++) {
		assert_has_all(&set, families[i], added[i]);
	}
	printf("# %llu layers\n", (unsigned long long)head_of(&set)->layers);
	free_shared_memory(added, 4096);
	bloom_detach(&set.attachment);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: two-builds */
		TEST_IN_SCRATCH("when many processes grow a filter, each layer is added once",
			many_processes_grow_it_at_once_and_each_layer_once),
		TEST_IN_SCRATCH(
			"processes killed while they grow a filter lose no key whose add returned",
			growers_killed_at_any_moment_lose_no_key_whose_add_returned),
	};

	return cmocka_run_group_tests_name("scalable", tests, NULL, NULL);
}
