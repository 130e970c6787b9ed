/* The rate of wrong groups. Groups of very different sizes do not change the rate, and the formula
 * predicts it. An index with absurdly large answers is refused. */
#include "support.h"

#include <math.h>

#include "filter/measure.h"
#include "filter/reverse.h"

static bool add_value(bloom_builder *builder, uint64_t group, const char *family, uint64_t i)
{
	char text[KEY_TEXT_BYTES];
	size_t count = key_text(family, i, text);

	return bloom_builder_add_to_group(builder, group, (const unsigned char *)text, count);
}

/* ---- skew ---- */

typedef uint64_t (*group_choice)(uint64_t i, uint64_t groups, uint32_t fan_out);

static uint64_t first_group(uint64_t i, uint64_t groups, uint32_t fan_out)
{
	(void)i;
	(void)groups;
	(void)fan_out;
	return 0;
}

static uint64_t last_group(uint64_t i, uint64_t groups, uint32_t fan_out)
{
	(void)i;
	(void)fan_out;
	return groups - 1;
}

static uint64_t multiples_of_the_fan_out(uint64_t i, uint64_t groups, uint32_t fan_out)
{
	return i * fan_out % groups;
}

static uint64_t halves(uint64_t i, uint64_t groups, uint32_t fan_out)
{
	uint64_t part = groups;

	(void)fan_out;
	for (; i & 1; i >>= 1) { /* half of all values in the last half, a quarter before it, … */
		part /= 2;
	}
	return part > 0 ? part - 1 : 0;
}

static void check_skew(group_choice choose, uint64_t groups, uint32_t fan_out, uint64_t seed)
{
	enum { MANY = 20000, LEVELS_MAX = 3 };
	bloom_params params = {
		.capacity_keys = MANY, .rate = 0.01, .groups = groups, .fan_out = fan_out};
	bloom_builder builder = {0};
	group_answer told = {0};
	double expected, wrong = 0, lanes, by_formula;
	uint64_t i;

	assert_ok(bloom_builder_init(&params, seed, 0, &builder, &error));
	for (i = 0; i < MANY; i++) {
		(void)add_value(&builder, choose(i, groups, fan_out), "value", i);
	}
	for (i = 0; i < 1000; i++) {
		ask_groups(&builder.reverse, key_digest(builder.geometry.seed, "value", i), &told);
		assert_true(has_group(&told, choose(i, groups, fan_out)));
	}
	assert_ok(bloom_builder_finish(&builder, 1, 1, &error));
	/* The index sets as many bits as the same number of random keys, so the measured rate
	 * equals the predicted one. The rate is a mean over the columns. The standard deviation of
	 * a column's rate is about as large as the rate itself. */
	lanes = (double)bloom_geometry_lanes(&builder.geometry);
	by_formula = bloom_geometry_rate(
		&builder.geometry, MANY * bloom_geometry_levels(&builder.geometry));
	if (fabs(builder.meta.measured_rate - by_formula) > 4 * by_formula / sqrt(lanes)) {
		fail_msg("%llu groups, fan-out %u: rate %g, expected %g",
			(unsigned long long)groups, fan_out, builder.meta.measured_rate,
			by_formula);
	}
	assert_true(builder.meta.measured_rate <= params.rate * 1.1);
	/* The answers have as many wrong groups as expected. */
	expected = 4000 *
		bloom_geometry_false_groups(&builder.geometry, builder.meta.measured_rate, 0);
	for (i = 0; i < 4000; i++) {
		ask_groups(&builder.reverse, key_digest(builder.geometry.seed, "absent", i), &told);
		wrong += (double)told.count;
	}
	assert_true(fabs(wrong - expected) <
		4 * sqrt(expected * (1 + 2 * builder.meta.measured_rate * fan_out)) + 1);
	free(told.group);
	bloom_builder_free(&builder);
}

static void skewed_groups_keep_the_rate(void **state)
{
	static const group_choice choices[] = {
		first_group, last_group, multiples_of_the_fan_out, halves};
	uint64_t seed = test_seed("skew");
	size_t i;

	(void)state;
	for (i = 0; i < sizeof choices / sizeof *choices; i++) {
		check_skew(choices[i], 200, 256, seed + i);
		check_skew(choices[i], 40000, 256, seed + i);
		check_skew(choices[i], 100000, 64, seed + i);
		check_skew(choices[i], 1000, 1024, seed + i);
	}
}

/* ---- the formula ---- */

static void wrong_groups_are_counted_as_by_a_simulation_of_the_tree(void **state)
{
	bloom_geometry geometry = {.fan_out = 64};

	(void)state;
	geometry.groups = 64;
	assert_true(fabs(bloom_geometry_false_groups(&geometry, 0.01, 0) - 0.64) < 1e-12);
	assert_true(fabs(bloom_geometry_false_groups(&geometry, 0.01, 1) - 0.63) < 1e-12);
	assert_true(fabs(bloom_geometry_false_groups(&geometry, 0.01, 64)) < 1e-12);
	geometry.groups = 1;
	assert_true(fabs(bloom_geometry_false_groups(&geometry, 0.01, 0) - 0.01) < 1e-12);
	assert_true(fabs(bloom_geometry_false_groups(&geometry, 0.01, 1)) < 1e-12);
	/* Two levels: 0.64 wrong nodes of 64, each with 64 children. */
	geometry.groups = 4096;
	assert_true(fabs(bloom_geometry_false_groups(&geometry, 0.01, 0) - 0.4096) < 1e-12);
	assert_true(fabs(bloom_geometry_false_groups(&geometry, 0.01, 1) -
			    0.01 * (64 * (0.63 + 1) - 1)) < 1e-12);
	assert_true(bloom_geometry_false_groups(&geometry, 0, 3) == 0);
	assert_true(fabs(bloom_geometry_false_groups(&geometry, 1, 0) - 4096) < 1e-9);
}

static void a_wish_for_an_absurd_answer_is_refused(void **state)
{
	bloom_geometry geometry;
	bloom_params asked = {.capacity_keys = 1000, .rate = 0.5, .groups = 20000, .fan_out = 256};

	(void)state;
	assert_ok(bloom_geometry_choose(&asked, 0, &geometry));
	assert_true(bloom_geometry_false_groups(&geometry, 0.5, 0) <= BLOOM_FALSE_GROUPS_MAX);
	asked.groups = 65536;
	assert_status(BLOOM_E_GROUPS_RATE, bloom_geometry_choose(&asked, 0, &geometry));
	asked.rate = 0.3;
	assert_ok(bloom_geometry_choose(&asked, 0, &geometry));
	asked.groups = BLOOM_GROUPS_MAX;
	assert_status(BLOOM_E_GROUPS_RATE, bloom_geometry_choose(&asked, 0, &geometry));
	asked.rate = 0.03;
	assert_ok(bloom_geometry_choose(&asked, 0, &geometry));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* fault: huge-groups */
		TEST("a reverse index with absurdly large answers is refused",
			a_wish_for_an_absurd_answer_is_refused),
		TEST("groups of very different sizes do not change the rate of a reverse index",
			skewed_groups_keep_the_rate),
		TEST("the expected number of wrong groups matches a simulation of the tree",
			wrong_groups_are_counted_as_by_a_simulation_of_the_tree),
	};

	return cmocka_run_group_tests_name("reverse", tests, NULL, NULL);
}
