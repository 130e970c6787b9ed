/* Ribbon filters: no key is lost at any size, nor beyond the capacity. The bytes depend only on the
 * set of keys. The rate follows from the widths and from the thresholds. */
#include "support.h"

#include "build/builder.h"
#include "filter/digest_sort.h"
#include "filter/ribbon_solve.h"
#include "kinds/create.h"

static bloom_builder ribbon_builder(
	uint64_t capacity, double rate, uint32_t shard_bytes, uint64_t seed)
{
	bloom_params params = {.capacity_keys = capacity,
		.rate = rate,
		.shard_bytes = shard_bytes,
		.ribbon = true};
	bloom_builder builder = {0};

	assert_ok(bloom_builder_init(&params, seed, 0, &builder, &error));
	return builder;
}

static void add_keys(bloom_builder *builder, const char *family, uint64_t first, uint64_t count)
{
	uint64_t i;

	for (i = first; i < first + count; i++) {
		(void)builder_add_key(builder, family, i);
	}
}

/* Looks keys up in the finished image, as a reader does. */
static bloom_ribbon open_image(const bloom_builder *builder, bloom_head *head)
{
	assert_ok(bloom_blob_parse(builder->image, builder->image_bytes, head, &error));
	assert_ok(bloom_body_verify(
		head, builder->image + head->head_bytes, 0, head->geometry.shards, &error));
	return bloom_ribbon_of(&head->geometry, builder->image + head->head_bytes);
}

static uint64_t found_of(
	const bloom_ribbon *ribbon, const char *family, uint64_t first, uint64_t count)
{
	bloom_digest batch[BLOOM_BATCH_MAX];
	uint64_t i, found = 0, bits = 0;
	uint32_t waiting = 0;

	/* Single lookups and batches must give the same answers. */
	for (i = first; i < first + count; i++) {
		batch[waiting] = key_digest(ribbon->seed, family, i);
		bits |= (uint64_t)bloom_ribbon_test(ribbon, batch[waiting]) << waiting;
		waiting++;
		if (waiting == BLOOM_BATCH_MAX || i % 97 == 0 || i == first + count - 1) {
			assert_int_equal(bits, bloom_ribbon_test_many(ribbon, batch, waiting));
			found += (uint64_t)__builtin_popcountll(bits);
			bits = waiting = 0;
		}
	}
	return found;
}

/* ---- no false negative ---- */

static void check_size(uint64_t keys, double rate, uint32_t shard_bytes, uint64_t seed)
{
	bloom_builder builder = ribbon_builder(keys, rate, shard_bytes, seed);
	bloom_ribbon ribbon;
	bloom_head head;

	add_keys(&builder, "in", 0, keys);
	assert_ok(bloom_builder_finish(&builder, 0, 1, &error));
	ribbon = open_image(&builder, &head);
	assert_int_equal(keys, head.keys);
	assert_int_equal(keys, found_of(&ribbon, "in", 0, keys));
	/* Up to a thirty-second comes from shards that are fuller than expected. */
	assert_true(head.meta.measured_rate <= rate * 1.2);
	bloom_builder_free(&builder);
}

static void every_key_is_found_at_all_sizes(void **state)
{
	static const double rates[] = {0.5, 0.3, 0.01, 1.0 / 128, 1e-4, 1e-9};
	uint64_t random = test_seed("sizes"), keys;
	uint32_t i, round;

	(void)state;
	for (i = 0; i < sizeof rates / sizeof *rates; i++) {
		for (keys = 1; keys <= 20000; keys = keys * 3 + random_below(&random, 3)) {
			check_size(keys, rates[i], 0, random_next(&random));
			/* In smaller shards, ten stripes are too narrow for the lowest rate. */
			check_size(keys, rates[i],
				(rates[i] < 1e-3 ? 4096u : 1024u) << random_below(&random, 5),
				random_next(&random));
		}
	}
	for (round = 0; round < 60; round++) {
		check_size(1 + random_below(&random, 3000), 0.01, 0, random_next(&random));
	}
	check_size(SANITIZED ? 200000 : 1000000, 0.01, 0, random_next(&random));
}

static void a_filter_of_no_keys_is_a_blob(void **state)
{
	bloom_builder builder = ribbon_builder(100, 0.01, 0, 1);
	bloom_ribbon ribbon;
	bloom_head head;

	(void)state;
	assert_ok(bloom_builder_finish(&builder, 0, 1, &error));
	ribbon = open_image(&builder, &head);
	assert_int_equal(0, head.keys);
	assert_true(is_likely(
		(double)found_of(&ribbon, "out", 0, 100000), 100000, head.meta.measured_rate));
	bloom_builder_free(&builder);
}

/* ---- the rate ---- */

/* Up to the capacity, and beyond it, where keys leave the last level. */
static void the_measured_rate_is_that_of_absent_keys(void **state)
{
	static const double rates[] = {0.4, 0.25, 0.1, 0.01, 0.001};
	uint64_t random = test_seed("rate"), keys;
	uint32_t i;

	(void)state;
	for (i = 0; i < 3 * sizeof rates / sizeof *rates; i++) {
		enum { DRAWS = 300000 };
		double rate = rates[i / 3];
		bloom_builder builder = ribbon_builder(9000, rate, 0, random_next(&random));
		bloom_ribbon ribbon;
		bloom_head head;

		keys = 4500 + 4500 * (i % 3);
		add_keys(&builder, "in", 0, keys);
		assert_ok(bloom_builder_finish(&builder, 0, 1, &error));
		ribbon = open_image(&builder, &head);
		assert_int_equal(keys, found_of(&ribbon, "in", 0, keys));
		assert_true(keys > 9000 ? head.meta.measured_rate > rate
					: head.meta.measured_rate <= rate * 1.2);
		assert_true(is_likely((double)found_of(&ribbon, "out", 0, DRAWS), DRAWS,
			head.meta.measured_rate));
		bloom_builder_free(&builder);
	}
}

/* ---- one set of keys, one blob ---- */

static void the_order_of_adding_and_repetition_change_no_byte(void **state)
{
	enum { KEYS = 30000 };
	uint64_t random = test_seed("order"), i;
	bloom_builder one = ribbon_builder(KEYS, 0.01, 0, 9),
		      other = ribbon_builder(KEYS, 0.01, 0, 9);
	static uint32_t order[KEYS];

	(void)state;
	for (i = 0; i < KEYS; i++) {
		uint64_t j = random_below(&random, i + 1);

		order[i] = order[j];
		order[j] = (uint32_t)i;
	}
	add_keys(&one, "in", 0, KEYS);
	for (i = 0; i < KEYS; i++) {
		(void)builder_add_key(&other, "in", order[i]);
		(void)builder_add_key(&other, "in", order[random_below(&random, i + 1)]);
	}
	assert_ok(bloom_builder_finish(&one, 5, 1, &error));
	assert_ok(bloom_builder_finish(&other, 5, 1, &error));
	assert_int_equal(one.image_bytes, other.image_bytes);
	assert_memory_equal(one.image, other.image, one.image_bytes);
	bloom_builder_free(&one);
	bloom_builder_free(&other);
}

/* Tests the solver itself with unsorted digests, from nearly empty to overfull shards. */
static void a_solution_does_not_depend_on_the_order_of_equations(void **state)
{
	enum { STRIPES = 18, KEYS_MAX = 2 * STRIPES * 64 };
	bloom_geometry geometry = {.shards = 1,
		.shard_bytes = 1024,
		.block_bytes = 1024,
		.stripes = STRIPES,
		.probes = 7};
	uint64_t random = test_seed("permutation"), i, count;
	unsigned char first[1024], bytes[1024];
	static bloom_equation equations[STRIPES * 64];
	static bloom_digest digests[KEYS_MAX], ordered[KEYS_MAX], bumped[KEYS_MAX];
	static size_t groups[STRIPES * 3];
	bloom_ribbon_work work = {.equations = equations,
		.groups = groups,
		.ordered = {.digests = ordered},
		.bumped = {.digests = bumped}};
	bloom_ribbon_keys keys = {.digests = digests};
	int round;

	(void)state;
	assert_ok(bloom_geometry_check(&geometry));
	assert_true(bloom_ribbon_groups(&geometry) <= sizeof groups / sizeof *groups);
	for (round = 0; round < 300; round++) {
		count = round % 2 ? 1000 + random_below(&random, 150)
				  : random_below(&random, KEYS_MAX);
		for (i = 0; i < count; i++) {
			digests[i] = random_next(&random);
		}
		keys.count = (size_t)count;
		(void)bloom_ribbon_solve(&geometry, &keys, false, &work, first);
		for (i = count; i-- > 1;) {
			uint64_t j = random_below(&random, i + 1);
			bloom_digest moved = digests[i];

			digests[i] = digests[j];
			digests[j] = moved;
		}
		(void)bloom_ribbon_solve(&geometry, &keys, false, &work, bytes);
		assert_memory_equal(first, bytes, sizeof bytes);
	}
}

static void only_the_shards_of_new_keys_change(void **state)
{
	enum { KEYS = 40000 };
	bloom_builder one = ribbon_builder(KEYS, 0.01, 4096, 9),
		      other = ribbon_builder(KEYS, 0.01, 4096, 9);
	uint64_t shard, same = 0;

	(void)state;
	add_keys(&one, "in", 0, KEYS - 2);
	add_keys(&other, "in", 0, KEYS);
	assert_ok(bloom_builder_finish(&one, 5, 1, &error));
	assert_ok(bloom_builder_finish(&other, 5, 1, &error));
	for (shard = 0; shard < one.geometry.shards; shard++) {
		same += memcmp(one.bits + shard * 4096, other.bits + shard * 4096, 4096) == 0;
	}
	assert_true(one.geometry.shards >= 9);
	assert_true(same >= one.geometry.shards - 2 && same < one.geometry.shards);
	bloom_builder_free(&one);
	bloom_builder_free(&other);
}

/* ---- fuller than requested ---- */

static void too_many_keys_are_answered_with_maybe(void **state)
{
	static const struct {
		uint64_t keys;
		double rate; /* the measured rate is between this and the next one */
	} cases[] = {{1000, 0}, {1100, 0.007}, {1215, 0.03}, {1315, 0.1}, {20000, 0.9}};
	bloom_builder builder = ribbon_builder(1000, 0.01, 1024, 3);
	double before = 0;
	bloom_ribbon ribbon;
	bloom_head head;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		add_keys(&builder, "in", 0, cases[i].keys);
		assert_ok(bloom_builder_finish(&builder, 0, 1, &error));
		ribbon = open_image(&builder, &head);
		assert_int_equal(cases[i].keys, head.keys);
		assert_int_equal(cases[i].keys, found_of(&ribbon, "in", 0, cases[i].keys));
		assert_true(head.meta.measured_rate >= cases[i].rate);
		assert_true(head.meta.measured_rate >= before && before >= 0);
		before = head.meta.measured_rate;
	}
	/* The limit refuses such a filter, and the builder still has all keys. */
	assert_status(BLOOM_E_OVER_RATE, bloom_builder_finish(&builder, 0, 0.5, &error));
	assert_non_null(
		strstr(error.subject, "with 20000 distinct keys in a filter sized for 1000"));
	assert_int_equal(20000, builder.keys);
	bloom_builder_free(&builder);
}

static void repeated_keys_cost_no_memory(void **state)
{
	bloom_builder builder = ribbon_builder(1000, 0.01, 0, 3);
	uint64_t i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		assert_true(builder_add_key(&builder, "in", i % 500));
		assert_int_equal(false,
			builder_add_key(&builder, "in", i % 500) && i > 0 &&
				builder.digests_sorted != builder.keys);
	}
	for (i = 0; i < 200000; i++) {
		(void)builder_add_key(&builder, "in", i % 500);
	}
	assert_true(builder.digests_capacity <= 1024);
	assert_ok(bloom_builder_finish(&builder, 0, 1, &error));
	assert_int_equal(500, builder.keys);
	bloom_builder_free(&builder);
}

static void digests_take_no_more_memory_than_there_is(void **state)
{
	bloom_builder builder = ribbon_builder(1000, 0.01, 0, 3);
	uint64_t bytes, room, i;

	(void)state;
	pretended_memory_bytes = builder.image_bytes + 40000 * sizeof *builder.digests;
	room = (bloom_machine_memory_bytes() - builder.image_bytes) / sizeof *builder.digests;
	assert_true(room > 30000);
	for (i = 0; i < 100000 && !builder.out_of_memory; i++) {
		(void)builder_add_key(&builder, "in", i);
		bytes = builder.image_bytes + builder.digests_capacity * sizeof *builder.digests;
		assert_true(bytes <= pretended_memory_bytes);
	}
	pretended_memory_bytes = 0;
	assert_int_equal(room + 1, i);
	assert_int_equal(room, builder.keys);
	assert_status(BLOOM_E_MEMORY, bloom_builder_finish(&builder, 0, 1, &error));
	bloom_builder_free(&builder);
}

/* Adds 20,000 different keys repeatedly with memory for 60,000, and then almost as many different
 * keys as the memory can hold. */
static void repeated_keys_make_room_where_there_is_no_more_memory(void **state)
{
	static const struct {
		uint64_t room, keys, added;
	} cases[] = {{60000, 20000, 200000}, {120000, 95000, 400000}};
	unsigned c;

	(void)state;
	for (c = 0; c < sizeof cases / sizeof *cases; c++) {
		bloom_builder builder = ribbon_builder(100000, 0.01, 0, 3);
		uint64_t i;

		pretended_memory_bytes =
			builder.image_bytes + cases[c].room * sizeof *builder.digests;
		for (i = 0; i < cases[c].added; i++) {
			(void)builder_add_key(&builder, "in", i % cases[c].keys);
		}
		assert_false(builder.out_of_memory);
		assert_ok(bloom_builder_finish(&builder, 0, 1, &error));
		assert_int_equal(cases[c].keys, builder.keys);
		pretended_memory_bytes = 0;
		bloom_builder_free(&builder);
	}
}

/* After a key was lost, neither more memory nor repeated keys make the builder succeed. */
static void a_builder_that_lost_a_key_never_succeeds(void **state)
{
	bloom_builder builder = ribbon_builder(100000, 0.01, 0, 3);

	(void)state;
	pretended_memory_bytes = builder.image_bytes + 2000 * sizeof *builder.digests;
	add_keys(&builder, "in", 0, 2001);
	assert_true(builder.out_of_memory);
	pretended_memory_bytes = builder.image_bytes + 4000 * sizeof *builder.digests;
	add_keys(&builder, "in", 2001, 1199);
	add_keys(&builder, "in", 0, 900);
	assert_true(builder.out_of_memory);
	pretended_memory_bytes = 0;
	add_keys(&builder, "in", 0, 5000);
	assert_status(BLOOM_E_MEMORY, bloom_builder_finish(&builder, 0, 1, &error));
	bloom_builder_free(&builder);
}

static void a_ribbon_filter_is_not_combined(void **state)
{
	bloom_builder builder = ribbon_builder(1000, 0.01, 0, 3), started = {0};
	bloom_params params = {.capacity_keys = 1000, .rate = 0.01};
	bloom_builder bloom = {0};
	bloom_head head;

	(void)state;
	assert_ok(bloom_builder_finish(&builder, 0, 1, &error));
	(void)open_image(&builder, &head);
	assert_status(BLOOM_E_SOLVED,
		bloom_builder_start(&head.geometry, &head.meta, NULL, &started, &error));
	assert_string_equal("scheme ribbon", error.subject);
	assert_ok(bloom_builder_init(&params, 3, 0, &bloom, &error));
	assert_status(BLOOM_E_SOLVED, bloom_builder_merge(&bloom, &head, builder.bits, &error));
	bloom_builder_free(&builder);
	bloom_builder_free(&bloom);
}

/* If a ribbon filter's bits were read as a Bloom filter, lookups would answer "no" for its keys. */
static void a_ribbon_filter_does_not_become_a_live_one(void **state)
{
	bloom_live_params params = {.kind = BLOOM_KIND_LIVE, .capacity_keys = 1000, .rate = 0.01};
	bloom_builder builder = ribbon_builder(1000, 0.01, 0, 3);
	bloom_segment segment = scratch_segment();
	bloom_stage stage = {0};
	bloom_head head;

	(void)state;
	assert_ok(bloom_builder_finish(&builder, 0, 1, &error));
	(void)open_image(&builder, &head);
	assert_status(BLOOM_E_SOLVED,
		bloom_live_stage(&segment, "tags", &params, 0, &head.geometry, builder.bits, &stage,
			&error));
	assert_string_equal("scheme ribbon", error.subject);
	assert_int_equal(-1, count_entries(segment.path, ""));
	bloom_builder_free(&builder);
}

/* ---- sorting ---- */

static int compare_digests(const void *one, const void *other)
{
	/* This is not the numeric order. */
	return memcmp(one, other, sizeof(bloom_digest));
}

static void sorting_is_that_of_any_other_sort(void **state)
{
	enum { MOST = 3000 };
	static bloom_digest digests[MOST], copy[MOST];
	uint64_t random = test_seed("sort"), i, j, count;
	int round;

	(void)state;
	for (round = 0; round < 200; round++) {
		/* The digests range from all different to all equal. Some differ in only a few
		 * bits. */
		uint64_t mask = random_next(&random) >> random_below(&random, 64);

		mask <<= random_below(&random, 64);

		count = random_below(&random, MOST);
		for (i = 0; i < count; i++) {
			digests[i] = round % 3 == 1 ? mask : random_next(&random) & mask;
		}
		memcpy(copy, digests, sizeof copy);
		bloom_digests_sort(digests, (size_t)count);
		for (i = 1; i < count; i++) {
			assert_true(digests[i - 1] <= digests[i]);
		}
		/* No digest was lost or changed. This comparison works with any total order. */
		qsort(copy, (size_t)count, sizeof *copy, compare_digests);
		j = bloom_digests_unique(digests, (size_t)count);
		for (i = 0; i < j; i++) {
			assert_non_null(bsearch(
				&digests[i], copy, (size_t)count, sizeof *copy, compare_digests));
		}
		for (i = 1; i < count; i++) {
			j -= compare_digests(&copy[i - 1], &copy[i]) != 0;
		}
		assert_int_equal(count > 0, j);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("every key is found in ribbon filters of all sizes",
			every_key_is_found_at_all_sizes),
		TEST("a ribbon filter without keys is a valid blob", a_filter_of_no_keys_is_a_blob),
		TEST("the measured rate of a ribbon filter is that of absent keys",
			the_measured_rate_is_that_of_absent_keys),
		TEST("neither the order of adding nor repeated keys change a byte of a ribbon "
		     "filter",
			the_order_of_adding_and_repetition_change_no_byte),
		TEST("a solution does not depend on the order of equations",
			a_solution_does_not_depend_on_the_order_of_equations),
		TEST("a rebuild with new keys changes only the shards of these keys",
			only_the_shards_of_new_keys_change),
		/* fault: ribbon-full */
		TEST("a ribbon filter with too many keys answers maybe and loses no key",
			too_many_keys_are_answered_with_maybe),
		TEST("repeated keys need no additional memory", repeated_keys_cost_no_memory),
		TEST("a ribbon builder drops repeated keys when memory runs out",
			repeated_keys_make_room_where_there_is_no_more_memory),
		TEST("a builder that lost a key never succeeds",
			a_builder_that_lost_a_key_never_succeeds),
		TEST("a ribbon builder's digests use no more than the available memory",
			digests_take_no_more_memory_than_there_is),
		/* fault: ribbon-merge */
		TEST("ribbon filters cannot be combined", a_ribbon_filter_is_not_combined),
		/* fault: ribbon-merge */
		TEST_IN_SCRATCH("a ribbon filter cannot be imported as a live one",
			a_ribbon_filter_does_not_become_a_live_one),
		TEST("sorting puts digests in order and loses none",
			sorting_is_that_of_any_other_sort),
	};

	return cmocka_run_group_tests_name("ribbon", tests, NULL, NULL);
}
