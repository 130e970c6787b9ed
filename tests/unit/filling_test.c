/* Tests of filling the slots of on-demand filters while other processes read, fill, are killed or
 * replace the head. No answer may be wrong, and no entry may be stuck. */
#include "caches.h"

#include <signal.h>

#include "filter/atomic.h"
#include "segment/drop.h"

/* ---- concurrent fillings and kills ---- */

typedef struct filling {
	bloom_attachment *attachment;
	const whole *it;
	uint64_t seed;
	uint64_t puts; /* 0: no limit */
	bool some_are_wrong;
	uint64_t *stop; /* shared by all processes; not 0: the readers end */
} filling;

static int fill_at_random(void *context)
{
	filling *work = context;
	unsigned char bytes[CHUNK_BYTES];
	bloom_status status;
	uint64_t chunk, i;
	bool wrong;

	for (i = 0; work->puts == 0 || i < work->puts; i++) {
		chunk = random_below(&work->seed, work->it->head.chunks);
		memcpy(bytes, chunk_of(work->it, chunk), CHUNK_BYTES);
		wrong = work->some_are_wrong && random_below(&work->seed, 3) == 0;
		bytes[5] ^= wrong;
		status = put_bytes(work->attachment, chunk, bytes);
		if (status != (wrong ? BLOOM_E_CHUNK_DIGEST : BLOOM_OK) && status != BLOOM_E_BUSY) {
			return 1;
		}
	}
	return 0;
}

static void a_new_head_comes_while_others_fill_the_old(void **state)
{
	bloom_segment segment = scratch_segment();
	whole old = whole_of(CHUNK_BYTES, 0), new = whole_of(CHUNK_BYTES, 2);
	bloom_attachment before, after;
	filling work = {.attachment = &before, .it = &old, .seed = test_seed("take over")};
	uint64_t taken = 0;
	pid_t child;
	int round;

	(void)state;
	make_cache(&segment, &old, 4, &before);
	child = start_child(fill_at_random, &work);
	/* Wait for the child's first filling. The child has then opened the old file to lock it. */
	for (round = 0; round < 100000 && bloom_cache_resident(before.cache) == 0; round++) {
		pause_us(200);
	}
	/* The commit must succeed even if the child evicts chunks while they are copied. */
	for (round = 0; round < 40 || (taken < 40 && round < 1000); round++) {
		pause_us(200);
		assert_ok(stage_and_commit(&segment, &new, memory_for(&new.head, 4), before.cache));
		attach_to(&segment, "tags", &after);
		taken += bloom_cache_resident(after.cache);
		assert_all_right(after.cache, &new);
		assert_tables_fit(after.cache);
		bloom_detach(&after);
	}
	assert_true(taken >= 40);
	kill(child, SIGKILL);
	assert_int_equal(1000 + SIGKILL, wait_child(child));
	bloom_detach(&before);
	blob_free(&old.blob);
	blob_free(&new.blob);
}

static int read_at_random(void *context)
{
	filling *work = context;
	uint64_t i, here = 0;
	bloom_answer answer;

	for (i = 0; bloom_load_relaxed(work->stop) == 0 || i < 1000; i++) {
		bloom_digest digest = digest_of(work->it, "in", random_below(&work->seed, KEYS));

		answer = bloom_cache_test(work->attachment->cache, digest);
		if (answer == BLOOM_NO) {
			return 1;
		}
		here += answer == BLOOM_MAYBE;
		if (!is_right(work->attachment->cache, work->it,
			    digest_of(work->it, "out", random_below(&work->seed, KEYS)))) {
			return 2;
		}
	}
	return here > 0 ? 0 : 3;
}

/* Every answer must be right, even while all slots are refilled. */
static void no_reader_is_told_no_while_others_fill(void **state)
{
	enum { READERS = 3, FILLERS = 3 };
	bloom_segment segment = scratch_segment();
	uint64_t seed = test_seed("concurrent");
	whole it = whole_of(CHUNK_BYTES, 0);
	uint64_t *stop = shared_memory(sizeof *stop);
	bloom_attachment attachment;
	pid_t readers[READERS], fillers[FILLERS], doomed;
	filling work = {.attachment = &attachment, .it = &it, .stop = stop};
	int i, round;

	(void)state;
	make_cache(&segment, &it, 3, &attachment);
	for (i = 0; i < READERS; i++) {
		work.seed = seed + (unsigned)i;
		readers[i] = start_child(read_at_random, &work);
	}
	work.puts = SANITIZED ? 4000 : 30000;
	for (i = 0; i < FILLERS; i++) {
		work.seed = seed + 100 + (unsigned)i;
		work.some_are_wrong = i == 0;
		fillers[i] = start_child(fill_at_random, &work);
	}
	work.puts = 0;
	for (round = 0; round < 30; round++) {
		work.seed = seed + 200 + (unsigned)round;
		doomed = start_child(fill_at_random, &work);
		pause_us(random_below(&seed, 5000));
		kill(doomed, SIGKILL);
		assert_int_equal(1000 + SIGKILL, wait_child(doomed));
	}
	for (i = 0; i < FILLERS; i++) {
		assert_int_equal(0, wait_child(fillers[i]));
	}
	bloom_store_relaxed(stop, 1);
	for (i = 0; i < READERS; i++) {
		assert_int_equal(0, wait_child(readers[i]));
	}
	assert_all_right(attachment.cache, &it);
	assert_tables_fit(attachment.cache);
	assert_heals(&attachment, &it);
	free_shared_memory(stop, sizeof *stop);
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

static void fillers_that_are_killed_at_any_time_leave_nothing(void **state)
{
	bloom_segment segment = scratch_segment();
	uint64_t seed = test_seed("killed");
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	filling work = {.attachment = &attachment, .it = &it};
	pid_t child;
	int round;

	(void)state;
	make_cache(&segment, &it, 5, &attachment);
	for (round = 0; round < (SANITIZED ? 20 : 100); round++) {
		work.seed = random_next(&seed);
		child = start_child(fill_at_random, &work);
		pause_us(random_below(&seed, 3000));
		kill(child, SIGKILL);
		assert_int_equal(1000 + SIGKILL, wait_child(child));
		assert_tables_fit(attachment.cache);
		if (round % 10 == 0) {
			assert_all_right(attachment.cache, &it);
			assert_heals(&attachment, &it);
		}
	}
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

static int put_traced(void *context)
{
	filling *work = context;
	bloom_status status;

	traced_begin();
	status = put(work->attachment, work->it, work->seed);
	traced_end();
	return status == BLOOM_OK ? 0 : 1;
}

/* Random kills rarely hit the few instructions between two system calls, so this test kills after a
 * random number of single steps. */
static void a_filler_may_be_killed_at_any_instruction(void **state)
{
	enum { SLOTS = 3 };
	bloom_segment segment = scratch_segment();
	uint64_t random = test_seed("instructions");
	whole it;
	bloom_attachment attachment;
	filling work = {.attachment = &attachment, .it = &it};
	uint64_t round, chunk;
	unsigned total = 0;
	pid_t child;

	(void)state;
	needs_tracing();
	it = whole_of(CHUNK_BYTES, 0);
	make_cache(&segment, &it, SLOTS, &attachment);
	for (chunk = 0; chunk < SLOTS; chunk++) {
		assert_ok(put(&attachment, &it, chunk));
	}
	work.seed = SLOTS;
	child = start_traced(put_traced, &work);
	while (step_traced(child, 1)) {
		total++;
	}
	assert_int_equal(0, finish_traced(child));
	print_message("# a filling takes %u instructions\n", total);
	for (round = 0; round < (SANITIZED ? 15 : 60); round++) {
		do {
			work.seed = random_below(&random, it.head.chunks);
		} while (bloom_cache_has(attachment.cache, work.seed));
		child = start_traced(put_traced, &work);
		(void)step_traced(child, (unsigned)random_below(&random, total));
		kill_traced(child);
		assert_tables_fit(attachment.cache);
		assert_all_right(attachment.cache, &it);
		/* Only the slot that the killed process was filling may be empty. The next filling
		 * uses that slot. */
		assert_true(bloom_cache_resident(attachment.cache) >= SLOTS - 1);
		assert_ok(put(&attachment, &it, work.seed));
		assert_all_right(attachment.cache, &it);
	}
	assert_heals(&attachment, &it);
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

/* Without killing a process, this test writes the state that a killed process would leave after
 * each step of filling a slot. */
static void each_step_of_a_filling_may_be_the_last(void **state)
{
	enum { SLOTS = 3, STEPS = 6 };
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	bloom_cache *cache;
	uint64_t slot;
	int step;

	(void)state;
	for (step = 0; step <= STEPS; step++) {
		make_cache(&segment, &it, SLOTS, &attachment);
		cache = attachment.cache;
		assert_ok(put(&attachment, &it, 0));
		assert_ok(put(&attachment, &it, 1));
		assert_ok(put(&attachment, &it, 2));
		slot = cache->entries[1] & UINT32_MAX;
		/* Chunk 5 replaces chunk 1. */
		cache->entries[1] = step >= 1 ? 0 : cache->entries[1];
		cache->head->fillings += step >= 2;
		cache->owners[slot] = step >= 3 ? 0 : cache->owners[slot];
		if (step >= 4) {
			memcpy(cache->slots + slot * CHUNK_BYTES, chunk_of(&it, 5),
				step == 4 ? CHUNK_BYTES / 2 : CHUNK_BYTES);
		}
		if (step >= 5) {
			cache->used[slot] = 1;
			cache->owners[slot] = 6;
		}
		if (step >= 6) {
			cache->entries[5] = RESIDENT | cache->head->fillings << 32 | slot;
		}
		assert_int_equal(step == 0 || step == 6 ? 3 : 2, bloom_cache_resident(cache));
		assert_int_equal(step == 0, bloom_cache_has(cache, 1));
		assert_int_equal(step == 6, bloom_cache_has(cache, 5));
		assert_all_right(cache, &it);
		/* The next filling uses the slot that the interrupted filling left. */
		assert_ok(put(&attachment, &it, 7));
		assert_int_equal(step == 0 || step == 6 ? 1 : 0, cache->head->evicted);
		assert_int_equal(3, bloom_cache_resident(cache));
		assert_all_right(cache, &it);
		assert_heals(&attachment, &it);
		bloom_detach(&attachment);
		assert_ok(bloom_segment_drop(&segment, "tags", &(bool){false}, &error));
	}
	blob_free(&it.blob);
}

/* ---- the lock ---- */

static int put_impatiently(void *context)
{
	filling *work = context;
	uint64_t start = bloom_monotonic_ms();
	bloom_status status = put(work->attachment, work->it, 3);

	return bloom_monotonic_ms() - start > 10000 ? 9 : (int)status;
}

/* The parent holds the lock. The child must not use the parent's lock as its own. The child must
 * wait only briefly, because a lookup can be answered without filling a slot. */
static void a_child_has_a_lock_of_its_own_and_waits_little_for_it(void **state)
{
	bloom_segment segment = scratch_segment();
	whole it = whole_of(CHUNK_BYTES, 0);
	bloom_attachment attachment;
	filling work = {.attachment = &attachment, .it = &it};
	int file;

	(void)state;
	make_cache(&segment, &it, 2, &attachment);
	assert_ok(bloom_filelock_take(
		&attachment.cache->lock, &segment, "tags", 0, 0, &file, &error));
	assert_int_equal(BLOOM_E_BUSY, run_child(put_impatiently, &work));
	assert_all_right(attachment.cache, &it);
	bloom_filelock_release(file, 0);
	assert_int_equal(BLOOM_OK, run_child(put_impatiently, &work));
	assert_true(bloom_cache_has(attachment.cache, 3));
	/* If the filter was dropped, the child cannot reopen the file to lock it. */
	assert_ok(bloom_segment_drop(&segment, "tags", &(bool){false}, &error));
	attachment.cache->entries[3] = 0;
	assert_int_equal(BLOOM_E_GONE, run_child(put_impatiently, &work));
	bloom_detach(&attachment);
	blob_free(&it.blob);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST_IN_SCRATCH(
			"a new head can be committed while other processes fill the old file",
			a_new_head_comes_while_others_fill_the_old),
		TEST_IN_SCRATCH(
			"readers get no wrong 'no' while processes that fill slots are killed",
			no_reader_is_told_no_while_others_fill),
		TEST_IN_SCRATCH("a process killed at a random moment while it fills a slot leaves "
				"no entry stuck",
			fillers_that_are_killed_at_any_time_leave_nothing),
		/* fault: killed-anywhere */
		TEST_IN_SCRATCH("a process killed at any instruction while it fills a slot causes "
				"no wrong answer",
			a_filler_may_be_killed_at_any_instruction),
		TEST_IN_SCRATCH("if filling a slot stops after any step, every answer stays right",
			each_step_of_a_filling_may_be_the_last),
		TEST_IN_SCRATCH("a forked child takes its own lock and waits for it only briefly",
			a_child_has_a_lock_of_its_own_and_waits_little_for_it),
	};

	return cmocka_run_group_tests_name("filling", tests, NULL, NULL);
}
