/* Maps: every key has its exact value, at all sizes, widths and rates, or the map is not built. The
 * bytes depend only on the keys and their values, and a change changes few shards. */
#include "support.h"

#include <math.h>

#include "build/builder.h"
#include "filter/measure.h"
#include "filter/value_map.h"

static bloom_builder map_builder(
	uint64_t capacity, uint32_t value_bits, double rate, uint32_t shard_bytes, uint64_t seed)
{
	bloom_params params = {.capacity_keys = capacity,
		.rate = rate,
		.value_bits = value_bits,
		.shard_bytes = shard_bytes};
	bloom_builder builder = {0};

	assert_ok(bloom_builder_init(&params, seed, 0, &builder, &error));
	return builder;
}

static void set_key(bloom_builder *builder, const char *family, uint64_t i, uint64_t value)
{
	char text[KEY_TEXT_BYTES];
	size_t count = key_text(family, i, text);

	bloom_builder_set(builder, (const unsigned char *)text, count, value);
}

/* Returns the value of key number `i`. Neighboring keys have unrelated values. */
static uint64_t value_of(uint64_t salt, uint64_t i, uint32_t value_bits)
{
	uint64_t state = salt + i;

	return random_next(&state) >> (64 - value_bits);
}

static void set_keys(bloom_builder *builder, uint64_t first, uint64_t count, uint64_t salt)
{
	uint64_t i;

	for (i = first; i < first + count; i++) {
		set_key(builder, "in", i, value_of(salt, i, builder->geometry.value_bits));
	}
}

/* Opens the finished image, as a reader does. */
static bloom_value_map open_image(const bloom_builder *builder, bloom_head *head)
{
	assert_ok(bloom_blob_parse(builder->image, builder->image_bytes, head, &error));
	assert_ok(bloom_body_verify(
		head, builder->image + head->head_bytes, 0, head->geometry.shards, &error));
	return bloom_value_map_of(&head->geometry, builder->image + head->head_bytes);
}

/* Looks a key up in all ways, which must agree. */
static bool get(const bloom_value_map *map, bloom_digest digest, uint64_t *value)
{
	uint64_t plain = 0;
	bool found = bloom_value_map_get(map, digest, value);

	assert_int_equal(found, bloom_value_map_get_plain(map, digest, &plain));
	if (found) {
		assert_int_equal(*value, plain);
		assert_true(bloom_value_fits(*value, map->value_bits));
	}
	return found;
}

/* Looks keys up one by one and in batches of different lengths.
 *
 *   exact  values[i] must be the value of value_of(), and every key must have one
 *
 * Returns the number of keys that have a value. */
static uint64_t found_of(
	const bloom_value_map *map, const char *family, uint64_t count, bool exact, uint64_t salt)
{
	bloom_digest batch[BLOOM_BATCH_MAX];
	uint64_t values[BLOOM_BATCH_MAX], many[BLOOM_BATCH_MAX], i, bits = 0, found = 0;
	uint32_t waiting = 0, at;

	for (i = 0; i < count; i++) {
		batch[waiting] = key_digest(map->ribbon.seed, family, i);
		bits |= (uint64_t)get(map, batch[waiting], &values[waiting]) << waiting;
		if (exact) {
			assert_true(bits >> waiting & 1);
			assert_int_equal(value_of(salt, i, map->value_bits), values[waiting]);
		}
		waiting++;
		if (waiting == BLOOM_BATCH_MAX || i % 97 == 0 || i == count - 1) {
			assert_int_equal(bits, bloom_value_map_get_many(map, batch, waiting, many));
			assert_int_equal(bits, bloom_value_map_get_many(map, batch, waiting, NULL));
			for (at = 0; at < waiting; at++) {
				if (bits >> at & 1) {
					assert_int_equal(values[at], many[at]);
				}
			}
			found += (uint64_t)__builtin_popcountll(bits);
			bits = waiting = 0;
		}
	}
	return found;
}

/* ---- exact values ---- */

/* The absent keys of many maps: how many were found, and how many should be. */
typedef struct rate_sum {
	double found, expected, variance;
} rate_sum;

static void check_map(uint64_t keys, uint32_t value_bits, double rate, uint64_t seed, rate_sum *sum)
{
	enum { DRAWS = 1000 };
	bloom_builder builder = map_builder(keys > 0 ? keys : 1, value_bits, rate, 0, seed);
	bloom_value_map map;
	bloom_head head;

	set_keys(&builder, 0, keys, seed);
	assert_ok(bloom_builder_finish(&builder, 0, 1, &error));
	map = open_image(&builder, &head);
	assert_int_equal(keys, head.keys);
	assert_int_equal(value_bits, head.geometry.value_bits);
	assert_int_equal(keys, found_of(&map, "in", keys, true, seed));
	assert_true(head.meta.measured_rate <= rate * (1 + 1e-6));
	sum->found += (double)found_of(&map, "out", DRAWS, false, 0);
	sum->expected += DRAWS * head.meta.measured_rate;
	sum->variance += DRAWS * head.meta.measured_rate * (1 - head.meta.measured_rate);
	bloom_builder_free(&builder);
}

static const double rates[] = {1, 0.5, 1e-2, 1e-4, 1e-9};
enum { RATES = sizeof rates / sizeof *rates };

static void every_key_has_its_value_at_all_sizes(void **state)
{
	static const uint64_t sizes[] = {0, 1, 2, 10, 100, 1000};
	uint64_t random = test_seed("sizes");
	rate_sum sums[RATES] = {{0}};
	uint32_t value_bits, i;
	size_t size;

	(void)state;
	for (value_bits = 1; value_bits <= 64; value_bits++) {
		for (i = 0; i < RATES; i++) {
			for (size = 0; size < sizeof sizes / sizeof *sizes; size++) {
				check_map(sizes[size], value_bits, rates[i], random_next(&random),
					&sums[i]);
			}
		}
	}
	for (i = 0; i < RATES; i++) {
		printf("# rate %g: %g of the absent keys found, %g expected\n", rates[i],
			sums[i].found, sums[i].expected);
		assert_true(
			fabs(sums[i].found - sums[i].expected) <= 4.5 * sqrt(sums[i].variance) + 1);
	}
}

static void every_key_of_a_large_map_has_its_value(void **state)
{
	static const uint32_t widths[] = {1, 8, 20, 33, 64};
	uint64_t random = test_seed("large");
	uint32_t value_bits, i;
	rate_sum sum = {0};

	(void)state;
	for (value_bits = 1; value_bits <= 64; value_bits++) {
		check_map(10000, value_bits, rates[value_bits % RATES], random_next(&random), &sum);
	}
	for (i = 0; i < sizeof widths / sizeof *widths; i++) {
		check_map(SANITIZED ? 20000 : 100000, widths[i], rates[i], random_next(&random),
			&sum);
	}
	check_map(SANITIZED ? 100000 : 1000000, 20, 0.01, random_next(&random), &sum);
	assert_true(fabs(sum.found - sum.expected) <= 4.5 * sqrt(sum.variance) + 1);
}

/* ---- the rate ---- */

static void the_measured_rate_of_a_map_is_that_of_absent_keys(void **state)
{
	enum { CAPACITY = 9000 };
	uint64_t random = test_seed("rate"), keys;
	uint32_t i;

	(void)state;
	for (i = 0; i < 15; i++) {
		uint64_t draws = i % 5 == 4 ? 1000 : SANITIZED ? 50000 : 300000;
		double rate = rates[i % RATES];
		bloom_builder builder = map_builder(CAPACITY, 5 + i, rate, 0, random_next(&random));
		bloom_value_map map;
		bloom_head head;

		keys = (uint64_t)CAPACITY * (i / 5) / 2;
		set_keys(&builder, 0, keys, i);
		assert_ok(bloom_builder_finish(&builder, 0, 1, &error));
		map = open_image(&builder, &head);
		assert_true(head.meta.measured_rate <= rate * (1 + 1e-6));
		assert_true(head.meta.measured_rate >= rate * 0.49);
		assert_true(is_likely((double)found_of(&map, "out", draws, false, 0), (double)draws,
			head.meta.measured_rate));
		bloom_builder_free(&builder);
	}
}

/* ---- one table, one blob ---- */

static void finish(bloom_builder *builder)
{
	assert_ok(bloom_builder_finish(builder, 5, 1, &error));
}

static void assert_same_image(const bloom_builder *one, const bloom_builder *other)
{
	assert_int_equal(one->image_bytes, other->image_bytes);
	assert_memory_equal(one->image, other->image, one->image_bytes);
}

static void neither_order_nor_jobs_change_a_byte(void **state)
{
	enum { CAPACITY = 28000, KEYS = 30000 };
	static const uint32_t jobs[] = {1, 2, 3, 7};
	uint64_t random = test_seed("order"), i, j;
	/* Every job has several shards. The spill shard has keys of all jobs, because there are
	 * more keys than the capacity. */
	bloom_builder one = map_builder(CAPACITY, 11, 0.01, 2048, 9);
	static uint32_t order[KEYS];
	size_t round;

	(void)state;
	set_keys(&one, 0, KEYS, 1);
	finish(&one);
	assert_true(one.shard_keys[one.geometry.shards - 1] > 20);
	for (round = 0; round < sizeof jobs / sizeof *jobs; round++) {
		bloom_builder other = map_builder(CAPACITY, 11, 0.01, 2048, 9);

		for (i = 0; i < KEYS; i++) {
			j = random_below(&random, i + 1);
			order[i] = order[j];
			order[j] = (uint32_t)i;
		}
		for (i = 0; i < KEYS; i++) {
			set_key(&other, "in", order[i], value_of(1, order[i], 11));
			j = order[random_below(&random, i + 1)];
			set_key(&other, "in", j, value_of(1, j, 11));
		}
		other.jobs = jobs[round];
		finish(&other);
		assert_int_equal(KEYS, other.keys);
		assert_same_image(&one, &other);
		bloom_builder_free(&other);
	}
	bloom_builder_free(&one);
}

/* ---- changes ---- */

/* There are more keys than the capacity, so some are in the spill shard. */
enum { CHANGED_CAPACITY = 8000, CHANGED_KEYS = 8700, CHANGED_BITS = 7 };

/* Builds a map of which one key may have another value. */
static bloom_builder build_changed(uint64_t keys, uint64_t other_value, uint64_t salt)
{
	bloom_builder builder = map_builder(CHANGED_CAPACITY, CHANGED_BITS, 0.01, 2048, salt);
	uint64_t i, value;

	for (i = 0; i < keys; i++) {
		value = value_of(salt, i, CHANGED_BITS);
		set_key(&builder, "in", i, i == other_value ? value ^ 1 : value);
	}
	finish(&builder);
	return builder;
}

/* Counts the shards that differ. `home` and the last shard are counted apart. */
static uint64_t other_shards(const bloom_builder *one, const bloom_builder *other, uint64_t home,
	unsigned *home_differs, unsigned *spill_differs)
{
	uint32_t bytes = one->geometry.shard_bytes;
	uint64_t shard, others = 0;

	for (shard = 0, *home_differs = *spill_differs = 0; shard < one->geometry.shards; shard++) {
		unsigned differs =
			memcmp(one->bits + shard * bytes, other->bits + shard * bytes, bytes) != 0;

		if (shard == home) {
			*home_differs = differs;
		} else if (shard == one->geometry.shards - 1) {
			*spill_differs = differs;
		} else {
			others += differs;
		}
	}
	return others;
}

static uint64_t home_of(const bloom_builder *builder, uint64_t i)
{
	return bloom_fast_range(key_digest(builder->geometry.seed, "in", i),
		bloom_geometry_home_shards(&builder->geometry));
}

/* Returns whether the key's equation is in the spill shard: without this shard, its answer is
 * another. */
static bool is_spilled(const bloom_builder *builder, uint64_t i)
{
	static const unsigned char empty[2048];
	bloom_value_map map = bloom_value_map_of(&builder->geometry, builder->bits);
	uint64_t value = 0;

	map.spill = empty;
	return !bloom_value_map_get(&map, key_digest(map.ribbon.seed, "in", i), &value) ||
		value != value_of(builder->geometry.seed, i, CHANGED_BITS);
}

static void a_changed_value_changes_one_shard(void **state)
{
	uint64_t seed = test_seed("changed"), i, others;
	bloom_builder one = build_changed(CHANGED_KEYS, UINT64_MAX, seed);
	unsigned round, in_home, in_spill, homes = 0, spills = 0;

	(void)state;
	assert_true(one.geometry.shards >= 9);
	for (i = 0, round = 0; round < 40; i++) {
		bloom_builder other;

		assert_true(i < CHANGED_KEYS);
		/* Every other round changes a key that has left its home shard. */
		if (is_spilled(&one, i) != (round % 2 == 1)) {
			continue;
		}
		other = build_changed(CHANGED_KEYS, i, seed);
		others = other_shards(&one, &other, home_of(&one, i), &in_home, &in_spill);
		assert_int_equal(0, others);
		assert_int_equal(1, in_home + in_spill);
		assert_int_equal(round % 2, in_spill);
		homes += in_home;
		spills += in_spill;
		round++;
		bloom_builder_free(&other);
	}
	assert_int_equal(homes, spills);
	bloom_builder_free(&one);
}

static void an_added_or_removed_key_changes_at_most_two_shards(void **state)
{
	uint64_t seed = test_seed("added"), i;
	unsigned in_home, in_spill, both = 0;
	bloom_builder one, other;

	(void)state;
	one = build_changed(CHANGED_KEYS - 60, UINT64_MAX, seed);
	for (i = CHANGED_KEYS - 60; i < CHANGED_KEYS; i++) {
		other = build_changed(i + 1, UINT64_MAX, seed);
		assert_int_equal(
			0, other_shards(&one, &other, home_of(&one, i), &in_home, &in_spill));
		assert_true(in_home + in_spill >= 1);
		both += in_home + in_spill == 2;
		bloom_builder_free(&one);
		one = other;
	}
	/* Both numbers of shards occur. */
	assert_in_range(both, 1, 59);
	bloom_builder_free(&one);
}

/* With two bits in each result, a quarter of the equations whose coefficients cancel follow from
 * others. If they were kept, thresholds would depend on values. */
static void thresholds_do_not_depend_on_values(void **state)
{
	enum { CAPACITY = 30000, KEYS = 32000 };
	uint64_t seed = test_seed("thresholds"), shard, i, moved = 0;
	bloom_builder zeros = map_builder(CAPACITY, 1, 1, 1024, seed);
	bloom_builder others = map_builder(CAPACITY, 1, 1, 1024, seed);
	uint32_t bytes = zeros.geometry.shard_bytes;

	(void)state;
	for (i = 0; i < KEYS; i++) {
		set_key(&zeros, "in", i, 0);
		set_key(&others, "in", i, value_of(seed, i, 1));
	}
	finish(&zeros);
	finish(&others);
	for (shard = 0; shard < zeros.geometry.shards; shard++) {
		assert_int_equal(zeros.shard_keys[shard], others.shard_keys[shard]);
		assert_memory_equal(zeros.bits + shard * bytes, others.bits + shard * bytes,
			8 * bloom_ribbon_threshold_words(&zeros.geometry));
		moved += bloom_set_bits(zeros.bits + shard * bytes,
			8 * bloom_ribbon_threshold_words(&zeros.geometry));
	}
	assert_true(moved > 20);
	bloom_builder_free(&zeros);
	bloom_builder_free(&others);
}

/* ---- more keys than places ---- */

/* Adds keys until the map has no place for them. Until then, every key has its value. */
static void fill_beyond(uint64_t capacity, uint32_t value_bits, uint32_t shard_bytes, uint64_t seed)
{
	bloom_builder builder = map_builder(capacity, value_bits, 0.01, shard_bytes, seed);
	uint64_t slots = builder.geometry.shards * bloom_ribbon_slots(&builder.geometry);
	bloom_status status = BLOOM_OK;
	uint64_t keys = 0, step;
	bloom_value_map map;
	bloom_head head;

	for (step = capacity; keys <= slots; step = capacity / 50 + 1) {
		set_keys(&builder, keys, step, seed);
		keys += step;
		status = bloom_builder_finish(&builder, 0, 1, &error);
		if (status != BLOOM_OK) {
			break;
		}
		map = open_image(&builder, &head);
		assert_int_equal(keys, found_of(&map, "in", keys, true, seed));
	}
	assert_status(BLOOM_E_MAP_PLACES, status);
	assert_true(keys > capacity);
	assert_non_null(strstr(error.subject, " keys do not fit"));
	/* More keys find no places either, and the builder still has all of them. */
	set_keys(&builder, keys, slots, seed);
	assert_status(BLOOM_E_MAP_PLACES, bloom_builder_finish(&builder, 0, 1, &error));
	assert_int_equal(keys + slots, builder.keys);
	bloom_builder_free(&builder);
}

static void too_many_keys_are_refused(void **state)
{
	uint64_t random = test_seed("beyond");

	(void)state;
	fill_beyond(400, 4, 1024, random_next(&random));
	fill_beyond(3000, 20, 65536, random_next(&random));
	fill_beyond(2000, 6, 2048, random_next(&random));
	fill_beyond(20000, 1, 1024, random_next(&random));
	fill_beyond(20000, 64, 0, random_next(&random));
}

/* With as many keys as the capacity, every seed must find places. */
static void every_seed_has_places_at_capacity(void **state)
{
	static const uint64_t capacities[] = {1, 300, 900, 2500, 7000};
	uint64_t random = test_seed("seeds");
	uint32_t i, round;

	(void)state;
	for (i = 0; i < sizeof capacities / sizeof *capacities; i++) {
		for (round = 0; round < (SANITIZED ? 10 : 100); round++) {
			bloom_builder builder =
				map_builder(capacities[i], 1 + (uint32_t)random_below(&random, 64),
					rates[round % RATES], 0, random_next(&random));

			set_keys(&builder, 0, capacities[i], 1);
			assert_ok(bloom_builder_finish(&builder, 0, 1, &error));
			bloom_builder_free(&builder);
		}
	}
}

/* ---- several values of a key ---- */

static void a_key_with_two_values_is_refused_with_both(void **state)
{
	bloom_builder builder = map_builder(1000, 64, 0.01, 0, 3);
	char digest[40];

	(void)state;
	set_keys(&builder, 0, 500, 3);
	set_key(&builder, "twice", 1, 17);
	set_keys(&builder, 500, 400, 3);
	set_key(&builder, "twice", 1, (uint64_t)-5);
	assert_status(BLOOM_E_MAP_DUPLICATE, bloom_builder_finish(&builder, 0, 1, &error));
	(void)snprintf(digest, sizeof digest, "digest %016llx",
		(unsigned long long)key_digest(3, "twice", 1));
	assert_non_null(strstr(error.subject, "17 and -5"));
	assert_non_null(strstr(error.subject, digest));
	/* The builder still has both. */
	assert_int_equal(902, builder.keys);
	assert_status(BLOOM_E_MAP_DUPLICATE, bloom_builder_finish(&builder, 0, 1, &error));
	bloom_builder_free(&builder);
}

static void a_repeated_value_is_one_key(void **state)
{
	bloom_builder builder = map_builder(1000, 9, 0.01, 0, 3), once;
	bloom_value_map map;
	bloom_head head;

	(void)state;
	once = map_builder(1000, 9, 0.01, 0, 3);
	set_keys(&once, 0, 1000, 3);
	finish(&once);
	set_keys(&builder, 0, 1000, 3);
	set_keys(&builder, 0, 600, 3);
	set_keys(&builder, 400, 600, 3);
	assert_int_equal(2200, builder.added);
	finish(&builder);
	map = open_image(&builder, &head);
	assert_int_equal(1000, head.keys);
	assert_int_equal(1000, found_of(&map, "in", 1000, true, 3));
	assert_same_image(&once, &builder);
	bloom_builder_free(&once);
	bloom_builder_free(&builder);
}

static void the_last_of_many_values_is_kept(void **state)
{
	enum { KEYS = 300, SETS = 100000 };
	uint64_t random = test_seed("last"), i, key, last[KEYS], value;
	bloom_params params = {
		.capacity_keys = KEYS, .rate = 0.01, .value_bits = 13, .keeps_last = true};
	bloom_builder builder = {0};
	bloom_value_map map;
	bloom_head head;

	(void)state;
	assert_ok(bloom_builder_init(&params, 3, 0, &builder, &error));
	for (i = 0; i < SETS; i++) {
		key = i < KEYS ? i : random_below(&random, KEYS);
		last[key] = random_below(&random, 8192);
		set_key(&builder, "in", key, last[key]);
	}
	finish(&builder);
	map = open_image(&builder, &head);
	assert_int_equal(KEYS, head.keys);
	for (key = 0; key < KEYS; key++) {
		assert_true(get(&map, key_digest(3, "in", key), &value));
		assert_int_equal(last[key], value);
	}
	bloom_builder_free(&builder);
}

/* ---- memory ---- */

static void a_map_builder_that_lost_a_key_never_succeeds(void **state)
{
	bloom_builder builder = map_builder(100000, 8, 0.01, 0, 3);
	uint64_t i;

	(void)state;
	pretended_memory_bytes = 4096 * sizeof(bloom_pair);
	for (i = 0; i < 5000 && !builder.out_of_memory; i++) {
		set_key(&builder, "in", i, 1);
		assert_true(builder.pairs.capacity * sizeof(bloom_pair) <= pretended_memory_bytes);
	}
	assert_true(builder.out_of_memory);
	assert_int_equal(4096, builder.keys);
	pretended_memory_bytes = 0;
	set_key(&builder, "in", 1, 1);
	assert_int_equal(4096, builder.keys);
	assert_status(BLOOM_E_MEMORY, bloom_builder_finish(&builder, 0, 1, &error));
	bloom_builder_free(&builder);
}

static void a_map_is_neither_combined_nor_extended(void **state)
{
	bloom_builder builder = map_builder(1000, 8, 0.01, 0, 3), started = {0}, bloom = {0};
	bloom_params params = {.capacity_keys = 1000, .rate = 0.01};
	bloom_head head;

	(void)state;
	finish(&builder);
	(void)open_image(&builder, &head);
	assert_status(BLOOM_E_SOLVED,
		bloom_builder_start(&head.geometry, &head.meta, NULL, &started, &error));
	assert_ok(bloom_builder_init(&params, 3, 0, &bloom, &error));
	assert_status(BLOOM_E_SOLVED, bloom_builder_merge(&bloom, &head, builder.bits, &error));
	bloom_builder_free(&builder);
	bloom_builder_free(&bloom);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("every key of a map has its value, with any width and rate, and absent keys "
		     "have the rate",
			every_key_has_its_value_at_all_sizes),
		TEST("every key of a large map has its value",
			every_key_of_a_large_map_has_its_value),
		TEST("the measured rate of a map is that of absent keys",
			the_measured_rate_of_a_map_is_that_of_absent_keys),
		TEST("neither the order of keys nor the number of threads changes a byte of a map",
			neither_order_nor_jobs_change_a_byte),
		TEST("a changed value changes exactly one shard",
			a_changed_value_changes_one_shard),
		TEST("the thresholds of a map do not depend on its values",
			thresholds_do_not_depend_on_values),
		TEST("an added key changes its home shard, the spill shard, or both",
			an_added_or_removed_key_changes_at_most_two_shards),
		/* fault: map-full */
		TEST("a map with too many keys is refused and never has a wrong value",
			too_many_keys_are_refused),
		/* fault: map-full */
		TEST("every seed has places for as many keys as the capacity",
			every_seed_has_places_at_capacity),
		/* fault: map-two-values */
		TEST("a key with two values is refused, and the error has both",
			a_key_with_two_values_is_refused_with_both),
		TEST("a key that is set to the same value again is one key",
			a_repeated_value_is_one_key),
		/* fault: map-two-values */
		TEST("if asked to, a builder keeps the last of many values of a key",
			the_last_of_many_values_is_kept),
		TEST("a map builder that lost a key never succeeds",
			a_map_builder_that_lost_a_key_never_succeeds),
		TEST("maps can be neither combined nor extended",
			a_map_is_neither_combined_nor_extended),
	};

	return cmocka_run_group_tests_name("value map", tests, NULL, NULL);
}
