/* The counters of a filter: lookups by minute, the history of loads, and the observed rate. The
 * tests choose the times, so no clock is read. */
#include "support.h"

#include <pthread.h>

#include "segment/counters.h"

enum { HOUR_MS = 3600000 };

static const uint64_t now = UINT64_C(1800000000000);

static bloom_tally tally_of(uint64_t lookups, uint64_t maybes)
{
	return (bloom_tally){.lookups = lookups, .maybes = maybes};
}

static void a_tally_is_added_once(void **state)
{
	bloom_counters counters = {0};
	bloom_tally tally = {
		.lookups = 10, .maybes = 3, .confirmed = 3, .found = 2, .checked = 5, .denied = 1};

	(void)state;
	bloom_counters_add(&counters, &tally, now);
	bloom_counters_add(&counters, &tally, now);
	assert_int_equal(10, counters.lookups);
	assert_int_equal(7, counters.absent);
	assert_int_equal(3, counters.confirmed);
	assert_int_equal(2, counters.found);
	assert_int_equal(5, counters.checked);
	assert_int_equal(1, counters.denied);
	assert_int_equal(now, counters.denied_ms);
}

static void assert_minute(
	const bloom_counters *counters, uint64_t now_ms, uint64_t lookups, uint64_t absent)
{
	uint64_t counted, counted_absent;
	bool has_any = bloom_counters_minute(
		counters, now_ms / BLOOM_MINUTE_MS, &counted, &counted_absent);

	assert_int_equal(lookups != 0, has_any);
	assert_int_equal(lookups, counted);
	assert_int_equal(absent, counted_absent);
}

static void a_minute_has_only_its_own_lookups(void **state)
{
	bloom_counters counters = {0};
	bloom_tally tally = tally_of(5, 1);

	(void)state;
	bloom_counters_add(&counters, &tally, now);
	tally = tally_of(7, 7);
	bloom_counters_add(&counters, &tally, now + BLOOM_MINUTE_MS - 1);
	tally = tally_of(2, 0);
	bloom_counters_add(&counters, &tally, now + BLOOM_MINUTE_MS);
	assert_minute(&counters, now, 12, 4);
	assert_minute(&counters, now + BLOOM_MINUTE_MS, 2, 2);
	assert_minute(&counters, now - BLOOM_MINUTE_MS, 0, 0);
	/* An hour later, the row belongs to another minute. */
	assert_minute(&counters, now + HOUR_MS, 0, 0);
	tally = tally_of(1, 1);
	bloom_counters_add(&counters, &tally, now + HOUR_MS);
	assert_minute(&counters, now + HOUR_MS, 1, 0);
	assert_minute(&counters, now, 0, 0);
	assert_int_equal(15, counters.lookups);
}

static void a_full_minute_stops_at_its_maximum(void **state)
{
	bloom_counters counters = {0};
	bloom_tally tally = tally_of(UINT64_MAX, 0);

	(void)state;
	bloom_counters_add(&counters, &tally, now);
	tally = tally_of(5, 0);
	bloom_counters_add(&counters, &tally, now);
	assert_minute(&counters, now, (UINT64_C(1) << 40) - 1, (UINT64_C(1) << 40) - 1);
}

static bloom_load_record load_of(uint64_t generation)
{
	return (bloom_load_record){.generation = generation,
		.loaded_ms = now + generation,
		.built_ms = now - generation,
		.keys = 1000 * generation,
		.bytes = 4096 * generation,
		.load_us = 10 * generation,
		.switch_us = generation,
		.fetched_bytes = 100};
}

static void the_history_has_the_last_loads(void **state)
{
	enum { LOADS = BLOOM_HISTORY_ROWS + 3 };
	bloom_counters counters = {0};
	bloom_load_record load, expected;
	uint64_t generation;

	(void)state;
	for (generation = 1; generation <= LOADS; generation++) {
		load = load_of(generation);
		bloom_counters_loaded(&counters, &load, 900);
	}
	for (generation = 0; generation <= LOADS + 1; generation++) {
		if (generation <= LOADS - BLOOM_HISTORY_ROWS || generation > LOADS) {
			assert_false(bloom_counters_load_of(&counters, generation, &load));
			continue;
		}
		expected = load_of(generation);
		assert_true(bloom_counters_load_of(&counters, generation, &load));
		assert_memory_equal(&expected, &load, sizeof load);
	}
	assert_int_equal(100 * LOADS, counters.fetched_bytes);
	assert_int_equal(900 * LOADS, counters.saved_bytes);
	assert_int_equal(LOADS * (LOADS + 1) / 2, counters.switch_us);
	assert_int_equal(10 * LOADS, counters.last_load_us);
}

static void the_observed_rate_extrapolates_the_confirmed_candidates(void **state)
{
	/* 10,000 lookups: 9,000 certain no's. Of 100 confirmed candidates 90 exist, so about 100 of
	 * the 1,000 candidates are false positives, among 9,100 absent keys. */
	bloom_counters counters = {.lookups = 10000, .absent = 9000, .confirmed = 100, .found = 90};

	(void)state;
	assert_float_equal(100.0 / 9100, bloom_counters_observed_rate(&counters), 1e-12);
	counters.found = 100;
	assert_float_equal(0, bloom_counters_observed_rate(&counters), 0);
	counters.absent = counters.lookups;
	assert_float_equal(0, bloom_counters_observed_rate(&counters), 0);
	counters.confirmed = counters.found = 0;
	assert_true(bloom_counters_observed_rate(&counters) < 0);
}

static void damaged_counters_give_a_rate(void **state)
{
	bloom_counters counters = {
		.lookups = 1, .absent = UINT64_MAX, .confirmed = 1, .found = UINT64_MAX};

	(void)state;
	assert_float_equal(0, bloom_counters_observed_rate(&counters), 0);
}

enum { THREADS = 4, ADDITIONS = 20000 };

static void *add_many(void *shared)
{
	bloom_tally tally;
	int i;

	for (i = 0; i < ADDITIONS; i++) {
		tally = tally_of(3, 1);
		bloom_counters_add(shared, &tally, now + (uint64_t)(i % 2) * BLOOM_MINUTE_MS);
	}
	return NULL;
}

static void threads_lose_no_lookup(void **state)
{
	bloom_counters counters = {0};
	pthread_t threads[THREADS];
	int i;

	(void)state;
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(0, pthread_create(&threads[i], NULL, add_many, &counters));
	}
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(0, pthread_join(threads[i], NULL));
	}
	assert_int_equal(3 * THREADS * ADDITIONS, counters.lookups);
	assert_int_equal(2 * THREADS * ADDITIONS, counters.absent);
	assert_minute(&counters, now, 3 * THREADS * ADDITIONS / 2, THREADS * ADDITIONS);
	assert_minute(
		&counters, now + BLOOM_MINUTE_MS, 3 * THREADS * ADDITIONS / 2, THREADS * ADDITIONS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a tally is added to the counters once", a_tally_is_added_once),
		TEST("a minute has only its own lookups", a_minute_has_only_its_own_lookups),
		TEST("the count of a minute stops at its maximum",
			a_full_minute_stops_at_its_maximum),
		TEST("the history has the last loads", the_history_has_the_last_loads),
		TEST("the observed rate extrapolates the confirmed candidates",
			the_observed_rate_extrapolates_the_confirmed_candidates),
		TEST("damaged counters give a rate from 0 to 1", damaged_counters_give_a_rate),
		TEST("threads that count at the same time lose no lookup", threads_lose_no_lookup),
	};

	return cmocka_run_group_tests_name("counters", tests, NULL, NULL);
}
