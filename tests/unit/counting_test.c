/* Tests of counting filters: neither a killed process nor damage removes a key that another process
 * added. The tests compare bits and counters with those computed from an exact list of adds and
 * removes. */
#include "support.h"

#include <signal.h>
#include <sys/wait.h>

#include "kinds/counting.h"
#include "filter/measure.h"

enum { COUNTERS_PER_BYTE = 2 };

/* The same layout as the intent in counting.c. */
typedef struct intent {
	uint64_t counters;
	uint64_t block;
	uint32_t bit[BLOOM_PROBES_MAX];
	unsigned char value[BLOOM_PROBES_MAX];
	unsigned char unused[BLOOM_INTENT_BYTES - 16 - 5 * BLOOM_PROBES_MAX];
} intent;

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

/* ---- the exact filter ---- */

/* Lists the distinct bits of a key, numbered across the whole filter. */
static uint32_t bits_of(
	const bloom_view *view, bloom_digest digest, uint64_t bits[BLOOM_PROBES_MAX])
{
	uint64_t block = bloom_fast_range(digest, view->blocks);
	uint32_t count = 0, probe, i;

	for (probe = 0; probe < view->probes; probe++) {
		uint64_t word = probe < view->fields
			? bloom_digest_probes(digest)
			: bloom_digest_word(bloom_digest_probes(digest), probe / view->fields);
		uint64_t bit = block * view->block_bytes * 8 +
			((word >> (probe % view->fields * view->field_bits)) & view->lane_mask);

		for (i = 0; i < count && bits[i] != bit; i++) {
		}
		if (i == count) {
			bits[count++] = bit;
		}
	}
	return count;
}

typedef struct exact {
	uint32_t *counter; /* one per bit, not limited to 15 */
	uint64_t bits;
} exact;

static exact exact_of(const live_scene *set)
{
	exact model = {.bits = set->attachment.view.blocks * set->attachment.view.block_bytes * 8};

	model.counter = calloc(model.bits, sizeof *model.counter);
	assert_non_null(model.counter);
	return model;
}

static void exact_change(
	exact *model, const live_scene *set, const char *family, uint64_t i, int by)
{
	uint64_t bits[BLOOM_PROBES_MAX];
	uint32_t count = bits_of(&set->attachment.view, key_digest(set->seed, family, i), bits), j;

	for (j = 0; j < count; j++) {
		model->counter[bits[j]] += (uint32_t)by;
	}
}

static uint32_t exact_least(
	const exact *model, const live_scene *set, const char *family, uint64_t i)
{
	uint64_t bits[BLOOM_PROBES_MAX];
	uint32_t count = bits_of(&set->attachment.view, key_digest(set->seed, family, i), bits), j;
	uint32_t least = UINT32_MAX;

	for (j = 0; j < count; j++) {
		least = model->counter[bits[j]] < least ? model->counter[bits[j]] : least;
	}
	return least;
}

static unsigned counter_at(const live_scene *set, uint64_t bit)
{
	const unsigned char *bits = set->attachment.view.bits;
	uint64_t bytes = set->attachment.view.blocks * set->attachment.view.block_bytes;

	return bits[bytes + bit / COUNTERS_PER_BYTE] >> (bit % COUNTERS_PER_BYTE * 4) & 15;
}

/* Compares every counter and every bit with the model. The model must have no counter that reached
 * 15. */
static void assert_is_exact(const live_scene *set, const exact *model)
{
	uint64_t bit;

	for (bit = 0; bit < model->bits; bit++) {
		unsigned is_set = set->attachment.view.bits[bit / 8] >> (bit % 8) & 1;

		if (counter_at(set, bit) != model->counter[bit] ||
			is_set != (model->counter[bit] > 0)) {
			fail_msg("bit %llu is %u, its counter is %u and should be %u",
				(unsigned long long)bit, is_set, counter_at(set, bit),
				model->counter[bit]);
		}
	}
}

/* ---- in one process ---- */

static void adds_and_removes_are_those_of_an_exact_list(void **state)
{
	uint64_t random = test_seed("counting differential"), step, key;
	uint32_t held[200] = {0};
	exact model;
	live_scene set;

	(void)state;
	live_scene_open(&set, &small, random_next(&random));
	model = exact_of(&set);
	for (step = 0; step < 20000; step++) {
		key = random_below(&random, 200);
		if (random_below(&random, 3) != 0 && held[key] < 2) {
			assert_int_equal(exact_least(&model, &set, "key", key) == 0,
				live_scene_add(&set, "key", key));
			exact_change(&model, &set, "key", key, 1);
			held[key]++;
		} else if (held[key] > 0) {
			assert_true(take(&set, "key", key));
			exact_change(&model, &set, "key", key, -1);
			held[key]--;
		} else if (exact_least(&model, &set, "key", key) == 0) {
			/* Removing a key that is definitely absent changes nothing. */
			assert_false(take(&set, "key", key));
		}
		if (step % 1000 == 0) {
			assert_is_exact(&set, &model);
		}
		assert_true(held[key] == 0 || has(&set, "key", key));
		assert_int_equal(exact_least(&model, &set, "key", key), count_of(&set, "key", key));
		assert_true(count_of(&set, "key", key) >= held[key]);
	}
	for (key = 0; key < 200; key++) {
		for (; held[key] > 0; held[key]--) {
			assert_true(take(&set, "key", key));
			exact_change(&model, &set, "key", key, -1);
		}
	}
	assert_is_exact(&set, &model);
	assert_int_equal(0, bloom_set_bits(set.attachment.view.bits, model.bits / 8));
	assert_int_equal(0, set.attachment.live->head->layer[0].keys);
	free(model.counter);
	bloom_detach(&set.attachment);
}

/* ---- many processes, killed at random moments ---- */

enum { WORKERS = 4, KEYS_A_WORKER = 12, KILLS = 400 };

enum { ABSENT, ADDING, PRESENT, REMOVING };

/* The state of each worker's keys. A worker writes the state before and after each operation. The
 * replacement of a killed worker reads the state. */
typedef struct journal {
	uint64_t state[WORKERS][KEYS_A_WORKER];
	uint64_t operations[WORKERS];
} journal;

typedef struct labour {
	live_scene *set;
	journal *shared;
	int number;
	uint64_t random;
	uint64_t key[WORKERS][KEYS_A_WORKER]; /* numbers of the keys in the family "worker" */
} labour;

/* Chooses keys that each have a bit of their own. The counter of that bit shows exactly whether the
 * key is present. Every second key also shares a bit with an earlier key. */
static void choose_keys(const live_scene *set, labour *work)
{
	uint64_t all[WORKERS * KEYS_A_WORKER][BLOOM_PROBES_MAX];
	uint32_t counts[WORKERS * KEYS_A_WORKER];
	uint32_t chosen = 0, i, j, k, shared_bits = 0;
	exact model = exact_of(set);
	uint64_t candidate;

	for (candidate = 0; chosen < WORKERS * KEYS_A_WORKER; candidate++) {
		bool good =
			chosen % 2 == 0; /* every second key must share a bit with an earlier key */

		counts[chosen] = bits_of(&set->attachment.view,
			key_digest(set->seed, "worker", candidate), all[chosen]);
		for (j = 0; j < counts[chosen]; j++) {
			good |= model.counter[all[chosen][j]] > 0;
		}
		exact_change(&model, set, "worker", candidate, 1);
		for (i = 0; good && i <= chosen; i++) {
			uint32_t own = 0;

			for (j = 0; j < counts[i]; j++) {
				own += model.counter[all[i][j]] == 1;
			}
			good = own > 0;
		}
		if (!good) {
			exact_change(&model, set, "worker", candidate, -1);
			continue;
		}
		work->key[chosen / KEYS_A_WORKER][chosen % KEYS_A_WORKER] = candidate;
		chosen++;
	}
	for (i = 0; i < chosen; i++) {
		for (k = 0; k < counts[i]; k++) {
			shared_bits += model.counter[all[i][k]] > 1;
		}
	}
	assert_true(shared_bits >= WORKERS * KEYS_A_WORKER);
	free(model.counter);
}

/* A worker, which adds and removes its own keys forever. First it repeats the operation during
 * which its predecessor was killed. */
static int labour_for_ever(void *context)
{
	labour *work = context;
	uint64_t *keys = work->key[work->number];
	uint64_t *states = work->shared->state[work->number];
	int i;

	for (i = 0; i < KEYS_A_WORKER; i++) {
		if (states[i] == REMOVING) {
			(void)take(work->set, "worker",
				keys[i]); /* the key may already have been removed */
			bloom_store_release(&states[i], ABSENT);
		} else if (states[i] == ADDING) {
			if (count_of(work->set, "worker", keys[i]) == 0) {
				(void)live_scene_add(work->set, "worker", keys[i]);
			}
			bloom_store_release(&states[i], PRESENT);
		}
	}
	for (;;) {
		i = (int)random_below(&work->random, KEYS_A_WORKER);
		if (states[i] == ABSENT) {
			bloom_store_release(&states[i], ADDING);
			(void)live_scene_add(work->set, "worker", keys[i]);
			bloom_store_release(&states[i], PRESENT);
		} else {
			if (!has(work->set, "worker", keys[i])) {
				return 1; /* another worker removed the key */
			}
			bloom_store_release(&states[i], REMOVING);
			if (!take(work->set, "worker", keys[i])) {
				return 2;
			}
			bloom_store_release(&states[i], ABSENT);
		}
		bloom_increment(&work->shared->operations[work->number]);
	}
}

static void workers_killed_at_any_moment_take_nothing_from_the_others(void **state)
{
	bloom_live_params params = {.kind = BLOOM_KIND_COUNTING, .capacity_keys = 60, .rate = 1e-8};
	uint64_t random = test_seed("workers"), operations = 0;
	journal *shared = shared_memory(sizeof *shared);
	labour work = {.shared = shared};
	pid_t child[WORKERS];
	exact model;
	live_scene set;
	int kills, i, j;

	(void)state;
	live_scene_open(&set, &params, random_next(&random));
	work.set = &set;
	assert_true(set.attachment.view.probes >= 4);
	choose_keys(&set, &work);
	for (i = 0; i < WORKERS; i++) {
		work.number = i;
		work.random = random_next(&random);
		child[i] = start_child(labour_for_ever, &work);
	}
	for (kills = 0; kills < KILLS; kills++) {
		i = (int)random_below(&random, WORKERS);
		pause_us(random_below(&random, 3000));
		assert_int_equal(0, kill(child[i], SIGKILL));
		assert_int_equal(1000 + SIGKILL, wait_child(child[i]));
		work.number = i;
		work.random = random_next(&random);
		child[i] = start_child(labour_for_ever, &work);
	}
	for (i = 0; i < WORKERS; i++) {
		assert_int_equal(0, kill(child[i], SIGKILL));
		assert_int_equal(1000 + SIGKILL, wait_child(child[i]));
		operations += shared->operations[i];
	}
	/* Counting a key completes an operation that a killed worker left. Each operation is then
	 * either done or not done. */
	model = exact_of(&set);
	for (i = 0; i < WORKERS; i++) {
		for (j = 0; j < KEYS_A_WORKER; j++) {
			uint32_t count = count_of(&set, "worker", work.key[i][j]);

			assert_in_range(count, 0, 1);
			assert_true(shared->state[i][j] != PRESENT || count == 1);
			assert_true(shared->state[i][j] != ABSENT || count == 0);
			exact_change(&model, &set, "worker", work.key[i][j], (int)count);
		}
	}
	assert_is_exact(&set, &model);
	printf("# %d kills in %llu operations\n", KILLS, (unsigned long long)operations);
	assert_true(operations > 10 * KILLS);
	free(model.counter);
	free_shared_memory(shared, sizeof *shared);
	bloom_detach(&set.attachment);
}

/* ---- intents ---- */

static intent *intent_of(live_scene *set, const char *family, uint64_t i, uint64_t *block)
{
	*block = bloom_fast_range(key_digest(set->seed, family, i), set->attachment.view.blocks);
	return (intent *)(void *)((unsigned char *)set->attachment.live->head +
		       BLOOM_LIVE_HEAD_BYTES) +
		*block % BLOOM_STRIPES;
}

static void an_intent_is_finished_by_who_next_takes_the_lock(void **state)
{
	uint64_t bits[BLOOM_PROBES_MAX], block, in_block, i;
	uint32_t count, half, j;
	intent *left;
	exact model;
	live_scene set;

	(void)state;
	live_scene_open(&set, &small, test_seed("intents"));
	in_block = set.attachment.view.block_bytes * 8;
	for (i = 0; i < 30; i++) {
		(void)live_scene_add(&set, "neighbour", i);
	}
	/* Simulate an add whose process was killed before it wrote any counter, between two
	 * counters, or after the last counter. */
	for (i = 0; i < 30; i++) {
		model = exact_of(&set);
		for (j = 0; j < 30; j++) {
			exact_change(&model, &set, "neighbour", j, 1);
		}
		for (j = 0; j <= i; j++) {
			exact_change(&model, &set, "victim", j, 1);
		}
		count = bits_of(&set.attachment.view, key_digest(set.seed, "victim", i), bits);
		left = intent_of(&set, "victim", i, &block);
		assert_int_equal(0, left->counters);
		left->block = block;
		for (j = 0; j < count; j++) {
			left->bit[j] = (uint32_t)(bits[j] % in_block);
			left->value[j] = (unsigned char)model.counter[bits[j]];
		}
		left->counters = count;
		half = (uint32_t)(i % (count + 1));
		for (j = 0; j < half; j++) {
			unsigned char *bytes = bloom_live_bits(set.attachment.live, 0);
			uint64_t at = model.bits / 8 + bits[j] / 2;
			unsigned shift = bits[j] % 2 * 4;

			bytes[at] = (unsigned char)((bytes[at] & ~(15u << shift)) |
				(unsigned)left->value[j] << shift);
			if (j + 1 < half || i % 2 != 0) { /* otherwise killed before the bit */
				bytes[bits[j] / 8] |= (unsigned char)(1u << (bits[j] % 8));
			}
		}
		assert_true(count_of(&set, "victim", i) >= 1);
		assert_int_equal(0, left->counters);
		assert_is_exact(&set, &model);
		free(model.counter);
	}
	bloom_detach(&set.attachment);
}

static void a_damaged_intent_does_no_harm_beyond_its_block(void **state)
{
	static const uint64_t counters[] = {33, 1000, UINT64_MAX, UINT64_C(1) << 32};
	static const uint64_t blocks[] = {UINT64_MAX, UINT64_C(1) << 40, 0};
	uint64_t block, i, last;
	exact model;
	intent *left;
	size_t j;
	live_scene set;

	(void)state;
	live_scene_open(&set, &small, test_seed("damaged intents"));
	model = exact_of(&set);
	for (i = 0; i < 50; i++) {
		(void)live_scene_add(&set, "key", i);
		exact_change(&model, &set, "key", i, 1);
	}
	left = intent_of(&set, "key", 0, &block);
	last = set.attachment.view.blocks;
	for (j = 0; j < sizeof counters / sizeof *counters; j++) {
		memset(left, 0xFF, sizeof *left);
		left->block = block;
		left->counters = counters[j];
		assert_int_equal(exact_least(&model, &set, "key", 0), count_of(&set, "key", 0));
		assert_int_equal(0, left->counters);
		assert_is_exact(&set, &model);
	}
	for (j = 0; j < sizeof blocks / sizeof *blocks; j++) {
		memset(left, 0xFF, sizeof *left);
		left->block = blocks[j] != 0 ? blocks[j] : last;
		left->counters = BLOOM_PROBES_MAX;
		assert_int_equal(exact_least(&model, &set, "key", 0), count_of(&set, "key", 0));
		assert_is_exact(&set, &model);
	}
	/* An intent with invalid bits and values changes nothing outside its block. */
	memset(left, 0xFF, sizeof *left);
	left->block = block;
	left->counters = BLOOM_PROBES_MAX;
	(void)count_of(&set, "key", 0);
	assert_int_equal(0, left->counters);
	for (i = 0; i < model.bits; i++) {
		if (i / (set.attachment.view.block_bytes * 8) != block) {
			assert_int_equal(model.counter[i], counter_at(&set, i));
		}
	}
	for (i = 0; i < 50; i++) {
		assert_true(has(&set, "key", i));
	}
	free(model.counter);
	bloom_detach(&set.attachment);
}

/* ---- locks ---- */

static int stop_with_the_lock(void *context)
{
	live_scene *set = context;
	uint64_t block;
	bloom_status status;
	int file;

	(void)intent_of(set, "key", 1, &block);
	status = bloom_filelock_take(&set->attachment.live->lock, &set->segment, "seen",
		block % BLOOM_STRIPES, 1000, &file, &error);
	if (status != BLOOM_OK) {
		return 1;
	}
	raise(SIGSTOP);
	return 0;
}

static void a_stopped_holder_is_waited_for_and_a_dead_one_is_not(void **state)
{
	uint64_t block, other, i, start;
	uint32_t count;
	bool changed = false;
	int status = 0;
	exact model;
	pid_t child;
	live_scene set;

	(void)state;
	live_scene_open(&set,
		&(bloom_live_params){
			.kind = BLOOM_KIND_COUNTING, .capacity_keys = 1000, .rate = 0.01},
		test_seed("holders"));
	(void)live_scene_add(&set, "key", 1);
	model = exact_of(&set);
	exact_change(&model, &set, "key", 1, 1);
	child = start_child(stop_with_the_lock, &set);
	assert_int_equal(child, waitpid(child, &status, WUNTRACED));
	assert_true(WIFSTOPPED(status));
	set.segment.lock_timeout_ms = 50;
	start = bloom_monotonic_ms();
	assert_status(BLOOM_E_BUSY,
		bloom_counting_add(set.attachment.live, &set.segment, "seen",
			key_digest(set.seed, "key", 1), &changed, &error));
	assert_true(bloom_monotonic_ms() - start >= 50);
	assert_status(BLOOM_E_BUSY,
		bloom_counting_remove(set.attachment.live, &set.segment, "seen",
			key_digest(set.seed, "key", 1), &changed, &error));
	assert_status(BLOOM_E_BUSY,
		bloom_counting_count(set.attachment.live, &set.segment, "seen",
			key_digest(set.seed, "key", 1), &count, &error));
	assert_is_exact(&set, &model);
	assert_true(has(&set, "key", 1)); /* lookups take no lock */
	/* A key of a block that another lock protects can still be added. */
	(void)intent_of(&set, "key", 1, &block);
	for (i = 2, other = block; other % BLOOM_STRIPES == block % BLOOM_STRIPES; i++) {
		(void)intent_of(&set, "key", i, &other);
	}
	assert_int_equal(HAS_BYTE_LOCKS ? BLOOM_OK : BLOOM_E_BUSY,
		bloom_counting_add(set.attachment.live, &set.segment, "seen",
			key_digest(set.seed, "key", i - 1), &changed, &error));
	assert_int_equal(0, kill(child, SIGKILL));
	assert_int_equal(1000 + SIGKILL, wait_child(child));
	set.segment.lock_timeout_ms = 0;
	assert_int_equal(1, count_of(&set, "key", 1));
	assert_true(take(&set, "key", 1));
	free(model.counter);
	bloom_detach(&set.attachment);
}

static int add_ten_thousand(void *context)
{
	live_scene *set = context;
	int i;

	for (i = 0; i < 5000; i++) {
		(void)live_scene_add(set, "both", (uint64_t)i % 3);
		if (!take(set, "both", (uint64_t)i % 3)) {
			return 1;
		}
	}
	return 0;
}

/* If a child used its parent's handle of the lock, both would hold the lock, and some counters
 * would be wrong. */
static void parent_and_forked_child_exclude_each_other(void **state)
{
	exact model;
	pid_t child[2];
	live_scene set;

	(void)state;
	live_scene_open(&set, &small, test_seed("fork"));
	model = exact_of(&set);
	(void)live_scene_add(&set, "both", 0);
	exact_change(&model, &set, "both", 0, 1);
	child[0] = start_child(add_ten_thousand, &set);
	child[1] = start_child(add_ten_thousand, &set);
	assert_int_equal(0, add_ten_thousand(&set));
	assert_int_equal(0, wait_child(child[0]));
	assert_int_equal(0, wait_child(child[1]));
	assert_is_exact(&set, &model);
	free(model.counter);
	bloom_detach(&set.attachment);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH("bits and counters match an exact list of adds and removes",
			adds_and_removes_are_those_of_an_exact_list),
		TEST_IN_SCRATCH("workers killed at any moment remove no keys of other workers",
			workers_killed_at_any_moment_take_nothing_from_the_others),
		TEST_IN_SCRATCH("the next lock holder completes the intent of a killed process",
			an_intent_is_finished_by_who_next_takes_the_lock),
		/* fault: live-damaged */
		TEST_IN_SCRATCH("a damaged intent affects only its block",
			a_damaged_intent_does_no_harm_beyond_its_block),
		/* fault: lock-held */
		TEST_IN_SCRATCH("a writer waits for a stopped lock holder, but not for a dead one",
			a_stopped_holder_is_waited_for_and_a_dead_one_is_not),
		/* fault: fork */
		TEST_IN_SCRATCH("a parent and its forked children never hold the same lock at the "
				"same time",
			parent_and_forked_child_exclude_each_other),
	};

	return cmocka_run_group_tests_name("counting", tests, NULL, NULL);
}
