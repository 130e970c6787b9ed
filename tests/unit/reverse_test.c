/* Answers of a reverse index: every group that holds a value is reported, wrong groups are as rare
 * as the formula predicts, and a walk ends when its caller interrupts it. */
#include "support.h"

#include <math.h>

#include "filter/blob.h"
#include "filter/measure.h"
#include "filter/reverse.h"

static bool add_value(bloom_builder *builder, uint64_t group, const char *family, uint64_t i)
{
	char text[KEY_TEXT_BYTES];
	size_t count = key_text(family, i, text);

	return bloom_builder_add_to_group(builder, group, (const unsigned char *)text, count);
}

/* ---- against an exact map ---- */

typedef struct map_case {
	uint64_t groups;
	uint32_t fan_out;
	uint32_t levels; /* expected */
} map_case;

static const map_case map_cases[] = {
	{1, 64, 1},
	{2, 64, 1},
	{63, 64, 1},
	{64, 64, 1},
	{65, 64, 2},
	{4000, 64, 2},
	{4096, 64, 2},
	{4097, 64, 3},
	{262144, 64, 3},
	{300000, 64, 4},
	{127, 128, 1},
	{129, 128, 2},
	{3000000, 128, 4},
	{256, 256, 1},
	{257, 256, 2},
	{65537, 256, 3},
	{20000000, 256, 4},
	{512, 512, 1},
	{10000, 512, 2},
	{300000, 512, 3},
	{1024, 1024, 1},
	{1025, 1024, 2},
	{1048577, 1024, 3},
	{1073741825, 1024, 4},
	{BLOOM_GROUPS_MAX, 64, 6},
	{BLOOM_GROUPS_MAX, 256, 4},
	{BLOOM_GROUPS_MAX, 1024, 4},
};

enum { VALUES = 1500, HOLDING_MAX = 3 };

/* The groups of value i: up to three, sometimes with a duplicate. */
static uint32_t groups_of(uint64_t seed, uint64_t i, uint64_t groups, uint64_t held[HOLDING_MAX])
{
	uint64_t draw = seed + i * 1000003;
	uint32_t count = 1 + (uint32_t)random_below(&draw, HOLDING_MAX), j;

	for (j = 0; j < count; j++) {
		held[j] = random_below(&draw, 64) == 0 ? groups - 1 : random_below(&draw, groups);
	}
	return count;
}

static bool is_held(const uint64_t *held, uint32_t count, uint64_t group)
{
	uint32_t j;

	for (j = 0; j < count; j++) {
		if (held[j] == group) {
			return true;
		}
	}
	return false;
}

static uint32_t distinct(const uint64_t *held, uint32_t count)
{
	uint32_t j, number = 0;

	for (j = 0; j < count; j++) {
		number += !is_held(held, j, held[j]);
	}
	return number;
}

/* A blob of the case's values. groups_of() defines their groups. */
static test_blob blob_of_map(const map_case *row, uint64_t seed, double rate, bloom_head *head)
{
	bloom_params params = {.capacity_keys = VALUES * 2,
		.rate = rate,
		.groups = row->groups,
		.fan_out = row->fan_out};
	uint64_t held[HOLDING_MAX], i;
	bloom_builder builder = {0};
	test_blob blob;
	uint32_t j, count;

	assert_ok(bloom_builder_init(&params, seed, 0, &builder, &error));
	assert_int_equal(row->levels, bloom_geometry_levels(&builder.geometry));
	for (i = 0; i < VALUES; i++) {
		count = groups_of(seed, i, row->groups, held);
		for (j = 0; j < count; j++) {
			bool is_new = add_value(&builder, held[j], "value", i);

			assert_false(is_new && is_held(held, j, held[j]));
		}
	}
	assert_ok(bloom_builder_finish(&builder, 1700000000000, 1, &error));
	blob = (test_blob){.bytes = malloc(builder.image_bytes), .count = builder.image_bytes};
	assert_non_null(blob.bytes);
	memcpy(blob.bytes, builder.image, blob.count);
	bloom_builder_free(&builder);
	assert_ok(bloom_blob_parse(blob.bytes, blob.count, head, &error));
	return blob;
}

/* Counts the groups below those nodes of a level that lead to a held group. At the root, these are
 * all groups. */
static double groups_beside(
	const bloom_geometry *geometry, uint32_t depth, const uint64_t *held, uint32_t count)
{
	double below = pow(geometry->fan_out, bloom_geometry_levels(geometry) - depth), sum = 0;
	uint64_t node[HOLDING_MAX];
	uint32_t j;

	if (depth == 0) {
		return (double)geometry->groups;
	}
	for (j = 0; j < count; j++) {
		node[j] = (uint64_t)((double)held[j] / below);
		sum += is_held(node, j, node[j])
			? 0
			: fmin(below, (double)geometry->groups - (double)node[j] * below);
	}
	return sum;
}

/* A wrong group is reported if every node on its path after the last right node is a false
 * positive. */
static double expected_wrong(
	const bloom_geometry *geometry, double rate, const uint64_t *held, uint32_t count)
{
	uint32_t levels = bloom_geometry_levels(geometry), depth;
	double sum = 0;

	for (depth = 0; depth < levels; depth++) {
		sum += pow(rate, levels - depth) *
			(groups_beside(geometry, depth, held, count) -
				groups_beside(geometry, depth + 1, held, count));
	}
	return sum;
}

static void check_map(const map_case *row, uint64_t seed)
{
	uint64_t held[HOLDING_MAX], i;
	group_answer told = {0};
	bloom_head head;
	test_blob blob = blob_of_map(row, seed, 0.01, &head);
	bloom_reverse reverse = bloom_reverse_of(&head.geometry, blob.bytes + head.head_bytes);
	double wrong = 0, expected = 0, by_formula = 0, rate = head.meta.measured_rate;
	uint32_t j, count;

	for (i = 0; i < 3 * VALUES; i++) {
		const char *family = i < VALUES ? "value" : "absent";

		count = i < VALUES ? groups_of(seed, i, row->groups, held) : 0;
		ask_groups(&reverse, key_digest(head.geometry.seed, family, i), &told);
		for (j = 0; j < count; j++) {
			assert_true(has_group(&told, held[j]));
		}
		wrong += (double)told.count - distinct(held, count);
		expected += expected_wrong(&head.geometry, rate, held, count);
		by_formula +=
			bloom_geometry_false_groups(&head.geometry, rate, distinct(held, count));
	}
	/* One wrong node may cause several wrong groups, so the variance is slightly above
	 * Poisson's. */
	if (fabs(wrong - expected) > 4 * sqrt(expected * (1 + 2 * rate * row->fan_out)) + 1) {
		fail_msg("%llu groups, fan-out %u: %.0f wrong groups, expected %.1f",
			(unsigned long long)row->groups, row->fan_out, wrong, expected);
	}
	/* The formula assumes that all nodes of a level have the same size, and that the held
	 * groups are far apart. */
	if (fabs(by_formula - expected) > 0.2 * expected) {
		fail_msg("%llu groups, fan-out %u: the formula gives %.1f, the tree %.1f",
			(unsigned long long)row->groups, row->fan_out, by_formula, expected);
	}
	free(told.group);
	blob_free(&blob);
}

static void answers_are_those_of_a_map_and_wrong_groups_as_rare_as_expected(void **state)
{
	uint64_t seed = test_seed("map");
	size_t i;

	(void)state;
	for (i = 0; i < sizeof map_cases / sizeof *map_cases; i++) {
		check_map(&map_cases[i], seed + i);
	}
}

static void a_visitor_is_not_called_again_after_it_has_had_enough(void **state)
{
	map_case row = {5000, 64, 3};
	group_answer told = {.most = 1}, all = {0};
	bloom_head head;
	test_blob blob = blob_of_map(&row, test_seed("enough"), 0.01, &head);
	bloom_reverse reverse = bloom_reverse_of(&head.geometry, blob.bytes + head.head_bytes);
	uint64_t i;

	(void)state;
	for (i = 0; i < VALUES; i++) {
		ask_groups(&reverse, key_digest(head.geometry.seed, "value", i), &all);
		ask_groups(&reverse, key_digest(head.geometry.seed, "value", i), &told);
		assert_int_equal(1, told.count);
		assert_true(told.group[0] == all.group[0]);
	}
	free(told.group);
	free(all.group);
	blob_free(&blob);
}

/* ---- walks ---- */

typedef struct patience {
	uint64_t nodes, nodes_most, groups;
} patience;

static bool count_group(void *context, uint64_t group)
{
	(void)group;
	((patience *)context)->groups++;
	return true;
}

static bool has_patience(void *context)
{
	patience *left = context;

	return left->nodes++ < left->nodes_most;
}

/* With 2^32 groups and all bits set, each value may be in each group. */
static void a_walk_ends_when_its_caller_has_no_patience_left(void **state)
{
	bloom_geometry geometry = {.shards = 1,
		.shard_bytes = 16384,
		.block_bytes = 16384,
		.probes = 1,
		.groups = BLOOM_GROUPS_MAX,
		.fan_out = 256};
	unsigned char *bits = malloc(16384);
	patience left = {0};
	bloom_visitor visitor = {
		.visit = count_group, .keep_going = has_patience, .context = &left};
	bloom_reverse reverse;

	(void)state;
	assert_ok(bloom_geometry_check(&geometry));
	memset(bits, 0xff, 16384);
	reverse = bloom_reverse_of(&geometry, bits);
	assert_false(bloom_reverse_walk(&reverse, key_digest(geometry.seed, "any", 1), &visitor));
	assert_int_equal(0, left.groups);
	/* The root, its first child, a child of that child, and a hundred nodes of groups. */
	left = (patience){.nodes_most = 102};
	assert_false(bloom_reverse_walk(&reverse, key_digest(geometry.seed, "any", 1), &visitor));
	assert_int_equal(100 * 256, left.groups);
	assert_int_equal(103, left.nodes);
	free(bits);
}

/* An index of three levels with a value that was added only to the first two. It leads to 65,536
 * nodes and to no group. */
static void a_test_that_finds_no_group_for_long_says_maybe(void **state)
{
	bloom_geometry geometry = {.shards = 256,
		.shard_bytes = 16384,
		.block_bytes = 16384,
		.probes = 3,
		.groups = 1 << 24,
		.fan_out = 256};
	unsigned char *bits = calloc(256, 16384);
	bloom_reverse reverse = bloom_reverse_of(&geometry, bits), upper;
	bloom_digest value = key_digest(geometry.seed, "any", 1);
	patience left = {0};
	uint64_t group;

	(void)state;
	assert_ok(bloom_geometry_check(&geometry));
	geometry.groups = 1 << 16;
	upper = bloom_reverse_of(&geometry, bits);
	assert_false(bloom_reverse_test(&reverse, value));
	for (group = 0; group < geometry.groups; group++) {
		(void)bloom_reverse_add(&upper, bits, group, value, NULL);
	}
	bloom_reverse_groups(&reverse, value, count_group, &left);
	assert_int_equal(0, left.groups);
	assert_true(bloom_reverse_test(&reverse, value));
	free(bits);
}

/* ---- adding ---- */

static void a_value_counts_once_a_level_and_again_for_nothing(void **state)
{
	bloom_params params = {
		.capacity_keys = 1000, .rate = 0.001, .groups = 100000, .fan_out = 64};
	bloom_builder builder = {0};

	(void)state;
	assert_ok(bloom_builder_init(&params, test_seed("levels"), 0, &builder, &error));
	assert_true(add_value(&builder, 77777, "value", 1));
	assert_int_equal(3, builder.keys);
	assert_false(add_value(&builder, 77777, "value", 1));
	assert_int_equal(3, builder.keys);
	/* An adjacent group shares all levels but the last. */
	assert_true(add_value(&builder, 77776, "value", 1));
	assert_int_equal(4, builder.keys);
	assert_int_equal(3, builder.added);
	bloom_builder_free(&builder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("answers of a reverse index match an exact map, and wrong groups are as rare "
		     "as expected",
			answers_are_those_of_a_map_and_wrong_groups_as_rare_as_expected),
		TEST("a visitor is not called again after it asks to stop",
			a_visitor_is_not_called_again_after_it_has_had_enough),
		/* fault: huge-groups */
		TEST("a walk over billions of groups ends when its caller interrupts it",
			a_walk_ends_when_its_caller_has_no_patience_left),
		/* fault: huge-groups */
		TEST("a test that visits many nodes without finding a group answers 'maybe'",
			a_test_that_finds_no_group_for_long_says_maybe),
		TEST("a value in a reverse index counts once per level, and repeated adds do not "
		     "count",
			a_value_counts_once_a_level_and_again_for_nothing),
	};

	return cmocka_run_group_tests_name("reverse", tests, NULL, NULL);
}
